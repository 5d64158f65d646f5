// SPDX-License-Identifier: MIT
#include <pliant/world/measures.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <variant>

#include <pliant/contact/contacts.h>
#include <pliant/model/held_motion.h>
#include <pliant/solver/constraints.h>
#include <pliant/solver/forces.h>
#include <pliant/world/contact_measures.h>
#include <pliant/world/intersection_measure.h>
#include <pliant/world/solid_fields.h>
#include <pliant/world/step.h>

namespace pliant {

namespace {

// One walk over everything that is measured, used for the names and for the values alike, so that
// the two cannot drift apart.
class MeasureSheet {
public:
    explicit MeasureSheet(std::vector<std::string>& names) : names_(&names) {}
    explicit MeasureSheet(std::vector<double>& values) : values_(&values) {}

    bool wants_values() const { return values_ != nullptr; }
    void add(const std::string& name, double value)
    {
        if (names_) names_->push_back(name);
        if (values_) values_->push_back(value);
    }
    void add(const std::string& name, const Vec3& value)
    {
        add(name + ".x", value.x), add(name + ".y", value.y), add(name + ".z", value.z);
    }

private:
    std::vector<std::string>* names_ = nullptr;
    std::vector<double>* values_ = nullptr;
};

struct Account {
    Energies now;
    double dissipated = 0, external = 0, swing = 0, error = 0;
};

double dissipated(const Ledger& l)
{
    return l.viscous + l.friction + l.impact;
}

Account account(const Model& model, const State& state)
{
    Account a{.now = energies(model, state)};
    const Ledger& l = state.ledger;
    a.dissipated = dissipated(l);
    a.external = l.external;
    for (const EnergyRange& range : state.ranges) a.swing = std::max(a.swing, range.high - range.low);
    // Swings below a millionth of the energies themselves are rounding: nothing happens there.
    const double magnitude =
        a.now.kinetic + std::abs(a.now.elastic) + std::abs(a.now.gravitational) + std::abs(a.now.gas);
    a.swing = std::max(a.swing, 1e-6 * magnitude);
    const double off = std::abs(a.now.total() + a.dissipated - l.external - l.switched - l.start);
    a.error = a.swing > 0 ? off / a.swing : 0;
    return a;
}

void add_energies(MeasureSheet& sheet, const Model& model, const State& state)
{
    const Account a = sheet.wants_values() ? account(model, state) : Account{};
    sheet.add("energy.kinetic", a.now.kinetic);
    sheet.add("energy.elastic", a.now.elastic);
    sheet.add("energy.gravitational", a.now.gravitational);
    sheet.add("energy.gas", a.now.gas);
    sheet.add("energy.dissipated", a.dissipated);
    sheet.add("energy.external", a.external);
    sheet.add("energy.switched", state.ledger.switched);
    sheet.add("energy.total", a.now.total());
    sheet.add("energy.error", a.error);
}

// Sums over the mass of one body.
struct BodySums {
    Vec3 center, velocity, momentum;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    Vec3 size;
};

BodySums body_sums(const Model& model, const State& state, const Body& body)
{
    BodySums sums;
    double mass = 0;
    const NodeRange range = mass_nodes(model, body);
    for (std::int32_t i = range.first; i < range.first + range.count; ++i) {
        sums.center += state.x[i] * model.mass[i];
        sums.momentum += state.v[i] * model.mass[i];
        mass += model.mass[i];
    }
    if (!model.mass_matrix.empty() && !body.is_rigid())
        sums.momentum = momentum(model.mass_matrix, state.v, range.first, range.count);
    if (mass > 0) sums.center *= 1 / mass, sums.velocity = sums.momentum / mass;
    const int up = model.topology.up == 'z' ? 2 : 1;
    constexpr double kFar = std::numeric_limits<double>::infinity();
    Vec3 low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
    for (std::int32_t i = body.first_point; i < body.first_point + body.point_count; ++i)
        for (int k = 0; k < 3; ++k)
            low[k] = std::min(low[k], state.x[i][k]), high[k] = std::max(high[k], state.x[i][k]);
    sums.low = low[up], sums.high = high[up];
    sums.size = high - low;
    return sums;
}

struct SpringSums {
    double strain = 0, strain_max = 0, virial = 0;
    std::int32_t most_strained = -1;  // first node of that spring
};

// Of springs, plastic or not: strains are elastic, from the rest length as it is now.
template <class E>
SpringSums spring_sums(const Elements<E>& elements, const E& spring, const State& state, std::span<const double> inner)
{
    SpringSums sums;
    for (std::int32_t e = 0; e < elements.stencils.count; ++e) {
        const int lane = e % kPackWidth;
        const auto& block = elements.stencils.blocks[e / kPackWidth];
        const auto rest = rest_of_element(elements, inner, e);
        const double length = norm(state.x[block.node[0][lane]] - state.x[block.node[1][lane]]);
        if (!(rest.length > 0)) continue;  // threads of a seam want no length: any is infinitely more
        const double strain = length / rest.length - 1;
        sums.strain += strain;
        if (std::abs(strain) > sums.strain_max)
            sums.strain_max = std::abs(strain), sums.most_strained = block.node[0][lane];
        sums.virial += spring.stiffness(rest) * (length - rest.length) * length;
    }
    if (elements.stencils.count > 0) sums.strain /= elements.stencils.count;
    return sums;
}

SpringSums spring_sums(const Model& model, const State& state, std::size_t term)
{
    return std::visit(
        [&](const auto& elements) {
            using E = typename std::decay_t<decltype(elements)>::Parameters;
            if constexpr (std::is_base_of_v<Spring, E>)
                return spring_sums(elements, std::get<E>(state.live[term]), state, inner_of(model, state, term));
            else
                return SpringSums{};
        },
        model.terms[term]);
}

double face_area(const Model& model, const State& state, std::size_t body)
{
    const BodyRange& range = model.topology.bodies[body];
    double area = 0;
    for (std::int32_t t = range.first_triangle; t < range.first_triangle + range.triangle_count; ++t) {
        const Triangle& f = model.topology.triangles[t];
        area += 0.5 * norm(cross(state.x[f[1]] - state.x[f[0]], state.x[f[2]] - state.x[f[0]]));
    }
    return area;
}

void add_springs(MeasureSheet& sheet, const Model& model, const State& state, std::size_t b)
{
    const Body& body = model.bodies[b];
    if (body.term < 0 || body.kind == BodyKind::solid) return;
    const SpringSums sums = sheet.wants_values() ? spring_sums(model, state, body.term) : SpringSums{};
    sheet.add(body.name + ".strain.mean", sums.strain);
    sheet.add(body.name + ".strain.max", sums.strain_max);
    if (model.topology.bodies[b].triangle_count > 0)
        sheet.add(body.name + ".tension", sheet.wants_values() ? sums.virial / (2 * face_area(model, state, b)) : 0);
}

struct ClothStrain {
    double mean = 0, most = 0;
    std::int32_t most_strained = -1;  // first node of that edge
};

// Of the edges of a cloth against its rest shape, without signs.
ClothStrain cloth_strain(const Sheet& cloth, const State& state)
{
    ClothStrain strain;
    for (std::size_t e = 0; e < cloth.edges.size(); ++e) {
        const double now = std::abs(norm(state.x[cloth.edges[e][0]] - state.x[cloth.edges[e][1]]) / cloth.rest[e] - 1);
        strain.mean += now / static_cast<double>(cloth.edges.size());
        if (now > strain.most) strain.most = now, strain.most_strained = cloth.edges[e][0];
    }
    return strain;
}

void add_cloth(MeasureSheet& sheet, const Model& model, const State& state, const Body& body)
{
    if (body.sheet < 0) return;
    const ClothStrain strain = sheet.wants_values() ? cloth_strain(model.sheets[body.sheet], state) : ClothStrain{};
    sheet.add(body.name + ".strain.mean", strain.mean);
    sheet.add(body.name + ".strain.max", strain.most);
}

void add_cavity(MeasureSheet& sheet, const Model& model, const State& state, const Body& body)
{
    if (body.cavity < 0) return;
    const Gas& gas = state.gas[body.cavity];
    const double V = sheet.wants_values() ? volume(model.cavities[body.cavity], state.x) : 1;
    sheet.add(body.name + ".volume", V);
    sheet.add(body.name + ".pressure", gas.enabled ? pressure(gas, V) : 0);
    sheet.add(body.name + ".gas", gas.k_g);
}

// Mean, smallest and largest distance of some points from a centre.
struct Radii {
    double mean = 0, least = std::numeric_limits<double>::infinity(), most = 0;
};

template <class Points>
Radii radii(const State& state, const Points& points, std::size_t count, const Vec3& c)
{
    Radii r;
    for (std::size_t i = 0; i < count; ++i) {
        const double length = norm(state.x[points(i)] - c);
        r.mean += length / static_cast<double>(count);
        r.least = std::min(r.least, length), r.most = std::max(r.most, length);
    }
    return r;
}

// How far the vertices are from the goal's surface, root of the mean square.
double goal_distance(const Goal& goal, const Body& body, const State& state)
{
    double sum = 0;
    for (std::size_t i = 0; i < goal.force.size(); ++i) {
        double least = std::numeric_limits<double>::infinity();
        const Vec3& x = state.x[body.first_point + i];
        for (const Triangle& f : goal.triangles) {
            const Vec3 &a = goal.vertices[f[0]], &b = goal.vertices[f[1]], &c = goal.vertices[f[2]];
            const auto weight = nearest_on_triangle(x, a, b, c);
            least = std::min(least, norm2(x - (a * weight[0] + b * weight[1] + c * weight[2])));
        }
        sum += least;
    }
    return std::sqrt(sum / static_cast<double>(goal.force.size()));
}

// What seed 004 looks at: distances from the centre, of the body and of its loaded regions, and from the goal.
void add_radii(MeasureSheet& sheet, const Model& model, const State& state, std::size_t b)
{
    const Body& body = model.bodies[b];
    if (body.radial < 0) return;
    const RadialSprings& springs = model.radials[body.radial];
    const Vec3 c = sheet.wants_values() ? center(springs, state.x) : Vec3{};
    const auto write = [&](const std::string& name, const auto& points, std::size_t count) {
        const Radii r = sheet.wants_values() ? radii(state, points, count, c) : Radii{};
        sheet.add(name + ".radius.mean", r.mean);
        sheet.add(name + ".radius.min", r.least);
        sheet.add(name + ".radius.max", r.most);
    };
    write(
        body.name, [&](std::size_t i) { return springs.first + i; }, springs.rest.size());
    for (const Load& load : model.loads)
        if (load.body == static_cast<std::int32_t>(b))
            write(
                body.name + "." + load.name, [&](std::size_t i) { return load.nodes[i]; }, load.nodes.size());
}

double surface_volume(const Model& model, const State& state, std::size_t body)
{
    const BodyRange& range = model.topology.bodies[body];
    double six = 0;
    for (std::int32_t t = range.first_triangle; t < range.first_triangle + range.triangle_count; ++t) {
        const Triangle& f = model.topology.triangles[t];
        six += dot(state.x[f[0]], cross(state.x[f[1]], state.x[f[2]]));
    }
    return six / 6;
}

void add_bodies(MeasureSheet& sheet, const Model& model, const State& state)
{
    Vec3 momentum;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const Body& body = model.bodies[b];
        if (body.kind == BodyKind::collider) {
            if (model.shapes[body.shape].kind == ShapeKind::mesh) continue;
            sheet.add(body.name + ".impulse", state.impulse[b]);
            continue;
        }
        const BodySums sums = sheet.wants_values() ? body_sums(model, state, body) : BodySums{};
        momentum += sums.momentum;
        sheet.add(body.name + ".center", sums.center);
        sheet.add(body.name + ".velocity", sums.velocity);
        sheet.add(body.name + ".low", sums.low);
        sheet.add(body.name + ".high", sums.high);
        sheet.add(body.name + ".size", sums.size);
        add_springs(sheet, model, state, b);
        add_cloth(sheet, model, state, body);
        add_radii(sheet, model, state, b);
        if (body.goal >= 0)
            sheet.add(body.name + ".goal.rms",
                      sheet.wants_values() ? goal_distance(model.goals[body.goal], body, state) : 0);
        if ((body.kind == BodyKind::simplex || body.kind == BodyKind::solid) && body.cavity < 0)
            sheet.add(body.name + ".volume", sheet.wants_values() ? surface_volume(model, state, b) : 0);
        add_cavity(sheet, model, state, body);
    }
    sheet.add("momentum", momentum);
}

// Forces less what speeds up the vertices that pins carry along paths.
void subtract_carried_inertia(Scratch& scratch, const Model& model, const State& state)
{
    if (!carries(model, state, CarriedKind::accelerated)) return;
    std::fill(scratch.sum_v.begin(), scratch.sum_v.end(), Vec3{});
    set_carried_accelerations(scratch.sum_v, model, state, state.x, state.time, CarriedNodes::free);
    for (std::int32_t i = 0; i < model.free_count; ++i) scratch.force[i] -= scratch.sum_v[i] * model.mass[i];
}

// What holds the pinned coordinates against all forces, plus what contacts gave them.
void add_reactions(MeasureSheet& sheet, const Model& model, const State& state, Scratch& scratch, double seconds)
{
    if (model.pins.empty()) return;
    if (sheet.wants_values()) {
        if (!model.constraints.empty()) find_reactions(scratch, model, state);
        scratch.time = state.time;
        forces(scratch, model, state, state.x, state.v);
        if (!model.constraints.empty()) add_constraint_forces(scratch.force, scratch, model, state);
        subtract_carried_inertia(scratch, model, state);
    }
    for (std::size_t p = 0; p < model.pins.size(); ++p) {
        Vec3 sum;
        if (sheet.wants_values() && state.pins[p].enabled) {
            for (const std::int32_t node : model.pins[p].nodes) sum -= scratch.force[node];
            if (seconds > 0) sum -= state.pin_impulse[p] / seconds;
            for (int k = 0; k < 3; ++k)
                if (!(model.pins[p].axes >> k & 1)) sum[k] = 0;
        }
        sheet.add(model.pins[p].name + ".reaction", sum);
    }
}

// What each constraint does to the vertex that it measures, and by how much it is missed: the largest of its rows.
void add_constraints(MeasureSheet& sheet, const Model& model, const State& state, Scratch& scratch)
{
    if (model.constraints.empty()) return;
    if (sheet.wants_values()) find_reactions(scratch, model, state);
    for (std::size_t c = 0; c < model.constraints.size(); ++c) {
        double missed = 0;
        if (sheet.wants_values() && state.constraints[c].enabled)
            for (const ConstraintRow& row : model.constraints[c].rows)
                missed = std::max(missed, std::abs(value_of(row, {state.x, state.v, state.time})));
        sheet.add(model.constraints[c].name + ".reaction", sheet.wants_values() ? reaction(scratch, model, c) : Vec3{});
        sheet.add(model.constraints[c].name + ".violation", missed);
    }
}

void add_solid_contacts(MeasureSheet& sheet, const Model& model, const State& state)
{
    if (model.surface.faces.empty()) return;
    const ContactMeasures m = sheet.wants_values() ? contact_measures(model, state) : ContactMeasures{};
    sheet.add("energy.contact", m.spring_energy);
    sheet.add("contacts.resting", m.resting);
    sheet.add("contacts.held", m.held);
    sheet.add("penetration.deepest", m.deepest);
}

void add_surface_contacts(MeasureSheet& sheet, const Model& model, const State& state)
{
    if (model.contact_surface.faces.empty()) return;
    sheet.add("contacts.candidates", static_cast<double>(state.tally.candidates));
    sheet.add("contacts.near", static_cast<double>(state.tally.near));
    sheet.add("contacts.hits", static_cast<double>(state.tally.hits));
    sheet.add("contacts.rounds", static_cast<double>(state.tally.rounds));
    sheet.add("contacts.searches", static_cast<double>(state.tally.searches));
    sheet.add("contacts.halvings", static_cast<double>(state.tally.halvings));
    sheet.add("contacts.zones", static_cast<double>(state.tally.held));
    sheet.add("gap.min", state.tally.least_gap);
    sheet.add("contacts.cuts", static_cast<double>(state.tally.cuts));
    sheet.add("contacts.over_budget", static_cast<double>(state.tally.over_budget));
    sheet.add("contacts.unbalanced", state.tally.unbalanced);
    sheet.add("contacts.taken_back", state.tally.taken);
    sheet.add("energy.contact", state.tally.energy);
}

void fill(MeasureSheet& sheet, const Model& model, const State& state, Scratch& scratch, int contacts, double seconds)
{
    add_energies(sheet, model, state);
    add_bodies(sheet, model, state);
    add_reactions(sheet, model, state, scratch, seconds);
    add_constraints(sheet, model, state, scratch);
    for (std::size_t e = 0; e < model.events.size(); ++e)
        sheet.add(model.events[e].name + ".count",
                  sheet.wants_values() ? static_cast<double>(state.event_count[e]) : 0);
    for (const Probe& probe : model.probes) sheet.add(probe.name, sheet.wants_values() ? state.x[probe.point] : Vec3{});
    sheet.add("contacts", contacts);
    if (model.obstacles) {
        sheet.add("contacts.mesh_checks", static_cast<double>(state.tally.mesh_checks));
        sheet.add("contacts.mesh_hits", static_cast<double>(state.tally.mesh_hits));
        sheet.add("contacts.mesh_memory", static_cast<double>(model.obstacles->memory_bytes()));
    }
    add_solid_contacts(sheet, model, state);
    add_surface_contacts(sheet, model, state);
    if (model.audit) sheet.add("intersections", sheet.wants_values() ? intersection_count(model, state) : 0);
    if (!model.watches_rest) return;
    sheet.add("rest.force", state.history.residual_force);
    sheet.add("rest.energy", state.history.vertex_energy);
}

}  // namespace

void name_measures(Model& model)
{
    Scratch none;
    State state;
    state.bodies.resize(model.bodies.size());
    state.gas.resize(model.cavities.size());
    state.impulse.resize(model.bodies.size());
    model.topology.measures.clear();
    MeasureSheet sheet(model.topology.measures);
    fill(sheet, model, state, none, 0, 0);
    model.topology.stages.clear();
    for (std::size_t s = 0; s < kStageCount; ++s) model.topology.stages.emplace_back(name(static_cast<Stage>(s)));
}

std::vector<double> measures(World& world, int contacts, double seconds)
{
    std::vector<double> values;
    values.reserve(world.model->topology.measures.size());
    MeasureSheet sheet(values);
    fill(sheet, *world.model, world.state, world.scratch, contacts, seconds);
    return values;
}

void start_energy_account(World& world)
{
    State& state = world.state;
    const Energies now = energies(*world.model, state);
    state.ledger.start = now.total();
    const double values[kEnergyKinds] = {now.kinetic, now.elastic, now.gravitational, now.gas, 0, 0};
    for (int k = 0; k < kEnergyKinds; ++k) state.ranges[k] = {values[k], values[k]};
}

void update_energy_account(World& world)
{
    State& state = world.state;
    const Energies now = energies(*world.model, state);
    const double values[kEnergyKinds] = {now.kinetic,
                                         now.elastic,
                                         now.gravitational,
                                         now.gas,
                                         dissipated(state.ledger),
                                         state.ledger.external + state.ledger.switched};
    for (int k = 0; k < kEnergyKinds; ++k) {
        state.ranges[k].low = std::min(state.ranges[k].low, values[k]);
        state.ranges[k].high = std::max(state.ranges[k].high, values[k]);
    }
}

std::int32_t overstretched_node(const Model& model, const State& state)
{
    for (std::size_t t = 0; t < model.terms.size(); ++t) {
        const SpringSums sums = spring_sums(model, state, t);
        if (sums.strain_max > kMostStretch) return sums.most_strained;
    }
    for (const Sheet& cloth : model.sheets) {
        const ClothStrain strain = cloth_strain(cloth, state);
        if (strain.most > kMostStretch) return strain.most_strained;
    }
    return -1;
}

double find_measure(const Model& model, const std::vector<double>& values, const std::string& name)
{
    const auto& names = model.topology.measures;
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? std::numeric_limits<double>::quiet_NaN() : values[at - names.begin()];
}

Frame sample(World& world, const StepReport& report, double seconds)
{
    Profile profile = report.profile;
    Frame frame;
    {
        StageTimer timer(profile, Stage::measure);
        frame.time = world.state.time;
        frame.step = world.state.step;
        frame.index = world.state.history.frame;
        frame.measures = measures(world, report.contacts, seconds);
        frame.x = world.state.x;
        frame.v = world.state.v;
        if (!world.model->topology.fields.empty()) frame.fields = solid_fields(*world.model, world.state);
        frame.hash = hash(world.state);
    }
    frame.stage_seconds.assign(profile.seconds.begin(), profile.seconds.end());
    frame.substeps = report.substeps, frame.retries = report.retries, frame.iterations = report.iterations;
    if (report.status != Status::ok) {
        frame.status = std::string(name_of(report.issue.kind));
        frame.message = explain(report.issue, *world.model);
    }
    return frame;
}

}  // namespace pliant
