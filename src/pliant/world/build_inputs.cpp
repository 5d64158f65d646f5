// SPDX-License-Identifier: MIT

// What inputs can address, and the scene's inputs turned into values.

#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include <pliant/world/builder.h>
#include <pliant/world/inputs.h>

namespace pliant {

namespace {

// Adds a path for every live member of a parameter struct; `only` restricts it to the named ones.
template <Described T>
void add_paths(Model& model, const std::string& prefix, T parameters, LiveGroup group, std::int32_t index,
               const std::vector<std::string_view>& only = {})
{
    describe(
        [&](const Field& field, auto&) {
            if (field.change != Change::live) return;
            if (!only.empty() && std::find(only.begin(), only.end(), field.name) == only.end()) return;
            model.live_paths.push_back({prefix + "." + field.name, {group, index, field.name}});
        },
        parameters);
}

template <class T>
constexpr std::size_t kNumbers = std::is_same_v<T, Vec3> ? 3 : 1;

// Turns what was written into numbers for a member of type T, or says why not.
template <class T>
std::string convert(LiveValue& to, const Field& field, T member, const InputValue& from)
{
    if constexpr (NamedEnum<T>) {
        constexpr auto names = enum_names(T{});
        for (std::size_t i = 0; i < names.size(); ++i)
            if (from.word == names[i]) {
                to = to_live(static_cast<std::int32_t>(i));
                return "";
            }
        return fmt::format("found {}, expected a name: {}", from.text,
                           suggestion(from.word, {names.begin(), names.end()}));
    } else {
        if (std::is_same_v<T, AutoCount> && from.word == "auto") {
            to = to_live(0.0);
            return "";
        }
        if (from.numbers.size() != kNumbers<T>)
            return fmt::format("found {}, expected {}", from.text,
                               kNumbers<T> == 3 ? "three numbers" : "one number or switch");
        for (std::size_t i = 0; i < from.numbers.size(); ++i) {
            if (!(from.numbers[i] >= field.min && from.numbers[i] <= field.max))
                return fmt::format("found {}, expected {:g} to {:g} {}", from.text, field.min, field.max, field.unit);
            to.number[i] = from.numbers[i];
        }
        to.count = static_cast<std::int32_t>(from.numbers.size());
        (void)member;
        return "";
    }
}

std::string convert_for(LiveValue& value, const State& state, const LiveTarget& target, const InputValue& from)
{
    std::string complaint;
    visit_live(state, target, [&](const auto& parameters) {
        auto copy = parameters;
        describe(
            [&](const Field& field, auto& member) {
                if constexpr (LiveMember<std::remove_reference_t<decltype(member)>>)
                    if (target.member == field.name) complaint = convert(value, field, member, from);
            },
            copy);
    });
    return complaint;
}

// Membranes and hinges by their own names; the constants of springs by those of the cloth.
void add_cloth_paths(Builder& b, const std::string& prefix, const Sheet& sheet)
{
    for (const std::int32_t term : {sheet.stretch_term, sheet.bend_term})
        if (term >= 0 && !std::holds_alternative<Spring>(b.state.live[term]))
            std::visit([&](const auto& live) { add_paths(b.model, prefix, live, LiveGroup::energy, term); },
                       b.state.live[term]);
    for (const auto& [term, mode] :
         {std::pair{sheet.stretch_term, std::string("stretch")}, std::pair{sheet.shear_term, std::string("shear")},
          std::pair{sheet.bend_term, std::string("bend")}}) {
        if (term < 0 || !std::holds_alternative<Spring>(b.state.live[term])) continue;
        const auto add = [&, at = term](const std::string& name, const char* member) {
            b.model.live_paths.push_back({prefix + "." + name, {LiveGroup::energy, at, member}});
        };
        // Springs that stand for a sheet share its stiffness in ways that depend on all of it.
        if (std::get<Spring>(b.state.live[term]).k_s > 0) add(mode == "shear" ? mode : mode + "_u", "k_s");
        add(mode + "_damping", "k_d");
        add(mode + "_enabled", "enabled");
    }
}

}  // namespace

void add_live_paths(Builder& b)
{
    Model& m = b.model;
    for (std::int32_t c = 0; c < static_cast<std::int32_t>(m.constraints.size()); ++c)
        add_paths(m, "constraints." + m.constraints[c].name, ConstraintLive{}, LiveGroup::constraint, c);
    std::int32_t event = 0;
    for (const auto& [name, scene] : b.scene.events)
        add_paths(m, "events." + name, EventLive{}, LiveGroup::event, event++);
    add_paths(m, "world", b.state.world, LiveGroup::world, 0);
    add_paths(m, "solver", b.state.solver, LiveGroup::solver, 0);
    add_paths(m, "contact", b.state.contact, LiveGroup::contact, 0);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(m.bodies.size()); ++i) {
        const Body& body = m.bodies[i];
        const std::string prefix = (body.kind == BodyKind::collider ? "colliders." : "bodies.") + body.name;
        if (body.kind == BodyKind::collider) {
            add_paths(m, prefix, b.state.bodies[i], LiveGroup::body, i, {"restitution", "friction", "motion", "spin"});
            continue;
        }
        add_paths(m, prefix, b.state.bodies[i], LiveGroup::body, i);
        if (body.kind == BodyKind::solid && body.term >= 0) {
            std::visit(
                [&](const auto& live) { add_paths(m, prefix + ".material", live, LiveGroup::energy, body.term); },
                b.state.live[body.term]);
        } else if (body.term >= 0) {
            add_paths(m, prefix + ".springs", Spring{}, LiveGroup::energy, body.term, {"k_s", "k_d"});
            add_paths(m, prefix + ".material", Spring{}, LiveGroup::energy, body.term, {"young", "damping_time"});
        }
        if (body.sheet >= 0) add_cloth_paths(b, prefix + ".cloth", m.sheets[body.sheet]);
        if (body.term >= 0 && std::holds_alternative<PlasticSpring>(b.state.live[body.term]))
            add_paths(m, prefix + ".springs.plastic", PlasticSpring{}, LiveGroup::energy, body.term,
                      {"yield_strain", "hardening", "creep_time"});
        if (body.limit_term >= 0)
            add_paths(m, prefix + ".springs.limits", SpringLimit{}, LiveGroup::energy, body.limit_term);
        if (body.shape_term >= 0) add_paths(m, prefix + ".shape", SimplexShape{}, LiveGroup::energy, body.shape_term);
        if (body.radial >= 0) add_paths(m, prefix + ".radial", Radial{}, LiveGroup::radial, body.radial);
        if (body.goal >= 0) add_paths(m, prefix + ".goal", GoalLive{}, LiveGroup::goal, body.goal);
        if (body.cavity >= 0) add_paths(m, prefix + ".gas", Gas{}, LiveGroup::gas, body.cavity);
    }
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(m.pins.size()); ++p) {
        const std::string& owner = m.bodies[m.pins[p].body].name;
        std::string name = m.pins[p].name;
        if (name.starts_with(owner + ".")) name = name.substr(owner.size() + 1);
        add_paths(m, "bodies." + owner + ".pins." + name, PinLive{}, LiveGroup::pin, p);
    }
    for (std::int32_t l = 0; l < static_cast<std::int32_t>(m.loads.size()); ++l)
        add_paths(m, "bodies." + m.bodies[m.loads[l].body].name + ".loads." + m.loads[l].name, LoadLive{},
                  LiveGroup::load, l);
}

std::vector<Input> make_inputs(Builder& b, const std::vector<InputValue>& set, double time, const std::string& pointer)
{
    std::vector<std::string> known;
    for (const LivePath& path : b.model.live_paths) known.push_back(path.path);
    std::vector<Input> inputs;
    for (const InputValue& from : set) {
        const std::string place = pointer + "/" + from.path;
        const std::int32_t target = find_live_path(b.model, from.path);
        if (target < 0) {
            b.complain(place, fmt::format("'{}' is not a live parameter of this scene", from.path),
                       suggestion(from.path, known));
            continue;
        }
        Input input{.time = time, .target = target};
        const std::string complaint = convert_for(input.value, b.state, b.model.live_paths[target].target, from);
        if (!complaint.empty()) b.complain(place, complaint);
        inputs.push_back(input);
    }
    return inputs;
}

void add_inputs(Builder& b)
{
    for (std::size_t i = 0; i < b.scene.inputs.size(); ++i) {
        const InputScene& scene = b.scene.inputs[i];
        const std::vector<Input> inputs = make_inputs(b, scene.set, scene.time, fmt::format("/inputs/{}/set", i));
        b.model.inputs.insert(b.model.inputs.end(), inputs.begin(), inputs.end());
    }
    add_constraint_windows(b);
    std::stable_sort(b.model.inputs.begin(), b.model.inputs.end(),
                     [](const Input& a, const Input& c) { return a.time < c.time; });
}

}  // namespace pliant
