// SPDX-License-Identifier: MIT
#include <pliant/world/hands.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/base/json.h>
#include <pliant/base/json_write.h>
#include <pliant/solver/forces.h>
#include <pliant/world/inputs.h>

namespace pliant {

namespace {

constexpr double kPullRate = 20, kPullDamping = 0.3;
constexpr std::string_view kPrefix = "hands.";
constexpr std::array<const char*, 5> kDeeds{"pull", "push", "hold", "move", "release"};

bool takes_points(HandDeed deed)
{
    return deed == HandDeed::pull || deed == HandDeed::push || deed == HandDeed::hold;
}

void check_points(const Model& model, const HandAction& action)
{
    if (action.points.empty()) throw Error(Problem{.message = "a hand must take at least one point"});
    for (const std::int32_t point : action.points) {
        const std::int32_t body = body_of_point(model, point);
        if (body < 0)
            throw Error(Problem{
                .message = fmt::format("there is no point {}: the world has 0 to {}", point, model.point_count() - 1)});
        if (model.bodies[body].kind == BodyKind::collider)
            throw Error(
                Problem{.message = fmt::format("'{}' is a collider, which no hand moves", model.bodies[body].name)});
        if (action.deed == HandDeed::hold && point >= model.free_count)
            throw Error(Problem{
                .message = fmt::format("'{}' is rigid: single points of it cannot be held", model.bodies[body].name),
                .cure = fmt::format("set bodies.{}.held", model.bodies[body].name)});
    }
}

void take_points(State& state, const HandAction& action)
{
    const double share = 1 / static_cast<double>(action.points.size());
    for (const std::int32_t point : action.points) {
        Grip grip{.hand = action.hand, .point = point, .start = state.x[point], .place = state.x[point]};
        if (action.deed == HandDeed::hold) grip.is_held = 1;
        if (action.deed == HandDeed::push) grip.force = action.vector * share;
        if (action.deed == HandDeed::pull) grip.k = action.stiffness * share, grip.d = action.damping * share;
        state.grips.push_back(grip);
    }
    std::sort(state.grips.begin(), state.grips.end(),
              [](const Grip& a, const Grip& b) { return a.point != b.point ? a.point < b.point : a.hand < b.hand; });
}

bool is_stiff(const State& state, std::int32_t hand)
{
    return std::any_of(state.grips.begin(), state.grips.end(), [&](const Grip& grip) {
        return grip.hand == hand && (grip.is_held != 0 || grip.k > 0 || grip.d > 0);
    });
}

// Held vertices come and go, and what matrices and step lengths were made for is over.
void note_new_hold(World& world)
{
    State& state = world.state;
    const double before = energies(*world.model, state).total();
    update_held(state, *world.model);
    stop_held_coordinates(state, *world.model);
    state.ledger.switched += energies(*world.model, state).total() - before;
    state.history.rates_step = -1;
    state.history.before_h = state.history.matrix_h = 0;
}

Error wrong_text(const std::string& path, const std::string& json, const char* expected)
{
    return Error(Problem{.message = fmt::format("{}: found {}, expected {}", path, json, expected)});
}

std::optional<Vec3> vector_of(const Json* json)
{
    if (json == nullptr || !json->is_array() || json->items.size() != 3) return std::nullopt;
    Vec3 v;
    for (int k = 0; k < 3; ++k) {
        const std::optional<double> number = json->items[k].as_number();
        if (!number || !std::isfinite(*number)) return std::nullopt;
        v[k] = *number;
    }
    return v;
}

std::vector<std::int32_t> points_of(const Json& json)
{
    std::vector<std::int32_t> points;
    for (const Json& item : json.items) {
        const std::optional<std::int64_t> point = item.as_integer();
        if (!point || *point < 0 || *point > 2'000'000'000) return {};
        points.push_back(static_cast<std::int32_t>(*point));
    }
    return points;
}

double number_or_zero(const Json& json, const char* key)
{
    const Json* found = json.find(key);
    const double number = found == nullptr ? 0 : found->as_number().value_or(-1);
    return std::isfinite(number) ? number : -1;
}

}  // namespace

std::int32_t body_of_point(const Model& model, std::int32_t point)
{
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (model.bodies[b].owns_point(point)) return static_cast<std::int32_t>(b);
    return -1;
}

HandAction make_pull(const Model& model, std::int32_t hand, std::vector<std::int32_t> points)
{
    HandAction action{.deed = HandDeed::pull, .hand = hand, .points = std::move(points)};
    const std::int32_t body = action.points.empty() ? -1 : body_of_point(model, action.points.front());
    if (body < 0) return action;
    const NodeRange range = mass_nodes(model, model.bodies[body]);
    double mass = 0;
    for (std::int32_t i = range.first; i < range.first + range.count; ++i) mass += model.mass[i];
    action.stiffness = mass * kPullRate * kPullRate;
    action.damping = 2 * kPullDamping * mass * kPullRate;
    return action;
}

void apply_hand(World& world, const HandAction& action)
{
    State& state = world.state;
    if (action.deed == HandDeed::move) {
        for (Grip& grip : state.grips)
            if (grip.hand == action.hand) grip.place = grip.start + action.vector;
        return;
    }
    if (takes_points(action.deed)) check_points(*world.model, action);
    const bool was_stiff = is_stiff(state, action.hand);
    std::erase_if(state.grips, [&](const Grip& grip) { return grip.hand == action.hand; });
    if (takes_points(action.deed)) take_points(state, action);
    if (was_stiff || is_stiff(state, action.hand)) note_new_hold(world);
}

std::string hand_path(std::int32_t hand)
{
    return fmt::format("{}{}", kPrefix, hand);
}

bool is_hand_path(const std::string& path)
{
    return path.starts_with(kPrefix);
}

std::string to_json(const HandAction& action)
{
    std::string text;
    JsonWriter json(text, JsonStyle::compact);
    const char* name = kDeeds[static_cast<std::size_t>(action.deed)];
    json.begin_object();
    if (takes_points(action.deed)) {
        json.key(name).begin_array();
        for (const std::int32_t point : action.points) json.value(static_cast<std::int64_t>(point));
        json.end_array();
    }
    const auto vector = std::span<const double>(&action.vector.x, 3);
    if (action.deed == HandDeed::pull) json.member("stiffness", action.stiffness).member("damping", action.damping);
    if (action.deed == HandDeed::push) json.key("force").value(vector);
    if (action.deed == HandDeed::move) json.key(name).value(vector);
    if (action.deed == HandDeed::release) json.member(name, true);
    json.end_object();
    return text;
}

HandAction hand_action(const std::string& path, const std::string& text)
{
    constexpr const char* kExpected =
        R"({"pull": [points], "stiffness": N/m, "damping": N s/m}, {"push": [points], "force": [x, y, z]}, )"
        R"({"hold": [points]}, {"move": [x, y, z]} or {"release": true})";
    HandAction action;
    const char* number = path.data() + std::min(kPrefix.size(), path.size());
    const char* end = path.data() + path.size();
    if (!is_hand_path(path) || std::from_chars(number, end, action.hand).ptr != end || number == end)
        throw Error(Problem{.message = fmt::format("found '{}', expected hands.0, hands.1 …", path)});
    const JsonRead read = parse_json(text, path);
    if (!read.problems.empty() || !read.value.is_object()) throw wrong_text(path, text, kExpected);
    std::size_t deed = 0;
    while (deed < kDeeds.size() && read.value.find(kDeeds[deed]) == nullptr) ++deed;
    if (deed == kDeeds.size()) throw wrong_text(path, text, kExpected);
    action.deed = static_cast<HandDeed>(deed);
    if (takes_points(action.deed)) action.points = points_of(*read.value.find(kDeeds[deed]));
    action.stiffness = number_or_zero(read.value, "stiffness");
    action.damping = number_or_zero(read.value, "damping");
    std::optional<Vec3> vector = Vec3{};
    if (action.deed == HandDeed::push) vector = vector_of(read.value.find("force"));
    if (action.deed == HandDeed::move) vector = vector_of(read.value.find("move"));
    const bool has_points = !takes_points(action.deed) || !action.points.empty();
    if (!vector || !has_points || action.stiffness < 0 || action.damping < 0) throw wrong_text(path, text, kExpected);
    action.vector = *vector;
    return action;
}

Vec3 hand_force(const State& state, std::int32_t hand)
{
    Vec3 sum;
    for (const Grip& grip : state.grips)
        if (grip.hand == hand && grip.is_held == 0) sum += grip.force_at(state.x[grip.point], state.v[grip.point]);
    return sum;
}

}  // namespace pliant
