// SPDX-License-Identifier: MIT
#include <pliant/lab/oscillator.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <variant>

#include <pliant/solver/forces.h>

namespace pliant {

namespace {

// Rates of the motion: lambda = beta/2m, omega^2 = k/m and the root of |lambda^2 - omega^2|.
struct MotionRates {
    double lambda = 0, omega2 = 0, root = 0;
    bool swings = false;  // under-damped
};

MotionRates rates_of(const Oscillator& o)
{
    const double lambda = o.beta / (2 * o.m), omega = std::sqrt(o.k / o.m);
    // The product of sum and difference keeps the digits that a difference of squares would lose.
    const double q = (lambda - omega) * (lambda + omega);
    return {lambda, o.k / o.m, std::sqrt(std::abs(q)), q < 0};
}

// e^(-lambda t) C(t) and e^(-lambda t) S(t), written so that nothing overflows however long or damped.
struct Decay {
    double C = 1, S = 0;
};

Decay decay_of(const MotionRates& r, double t)
{
    if (r.root * t == 0) return {std::exp(-r.lambda * t), t * std::exp(-r.lambda * t)};
    if (r.swings) {
        const double envelope = std::exp(-r.lambda * t);
        return {envelope * std::cos(r.root * t), envelope * std::sin(r.root * t) / r.root};
    }
    // The slow rate lambda - s as omega^2 / (lambda + s).
    const double slow = std::exp(-r.omega2 / (r.lambda + r.root) * t), fast = std::exp(-(r.lambda + r.root) * t);
    return {0.5 * (slow + fast), slow * -std::expm1(-2 * r.root * t) / (2 * r.root)};
}

// First time after 0 at which the mass turns, or infinity: v0 C(t) = (lambda v0 + omega^2 y0) S(t).
double first_turn(const Oscillator& o, const MotionRates& r)
{
    const double b = r.lambda * o.v0 + r.omega2 * (o.x0 - o.force / o.k);
    constexpr double never = std::numeric_limits<double>::infinity();
    if (r.root == 0) return o.v0 / b > 0 ? o.v0 / b : never;
    if (!r.swings) {
        const double part = o.v0 * r.root / b;
        return part > 0 && part < 1 ? std::atanh(part) / r.root : never;
    }
    double angle = std::atan2(o.v0 * r.root, b);
    if (angle <= 0) angle += std::numbers::pi;
    return angle / r.root;
}

}  // namespace

Regime Oscillator::regime() const
{
    const double critical = 2 * std::sqrt(m * k);
    if (std::abs(beta - critical) <= 1e-12 * critical) return Regime::critical;
    return beta < critical ? Regime::under_damped : Regime::over_damped;
}

double Oscillator::position(double t) const
{
    const MotionRates r = rates_of(*this);
    const Decay d = decay_of(r, t);
    const double y0 = x0 - force / k;
    return force / k + y0 * d.C + (v0 + r.lambda * y0) * d.S;
}

double Oscillator::velocity(double t) const
{
    const MotionRates r = rates_of(*this);
    const Decay d = decay_of(r, t);
    return v0 * d.C - (r.lambda * v0 + r.omega2 * (x0 - force / k)) * d.S;
}

Oscillator::Extremes Oscillator::extremes() const
{
    const MotionRates r = rates_of(*this);
    const double limit = force / k;
    Extremes range{std::min(x0, limit), std::max(x0, limit)};
    const double turn = first_turn(*this, r), next = r.swings ? turn + std::numbers::pi / r.root : turn;
    for (const double t : {turn, next}) {
        if (!std::isfinite(t)) continue;
        range.lowest = std::min(range.lowest, position(t));
        range.highest = std::max(range.highest, position(t));
    }
    return range;
}

namespace {

// The only point that can move, or -1.
std::int32_t only_free_node(const World& world)
{
    std::int32_t found = -1;
    for (std::size_t i = 0; i < world.state.held.size(); ++i) {
        if (world.state.held[i] == 7) continue;
        if (found >= 0 || static_cast<std::int32_t>(i) >= world.model->free_count) return -1;
        found = static_cast<std::int32_t>(i);
    }
    return found;
}

bool is_undisturbed(const World& world)
{
    const State& state = world.state;
    const bool has_gas = std::any_of(state.gas.begin(), state.gas.end(), [](const Gas& gas) { return gas.enabled; });
    const bool may_touch = state.contact.enabled && !world.model->shapes.empty();
    return world.model->inputs.empty() && !has_gas && !may_touch;
}

struct NodeSpring {
    std::int32_t other = -1;
    double length = 0, stiffness = 0, damping = 0;
};

// The spring that ends at the node, when there is one and nothing else does.
std::optional<NodeSpring> only_spring(const World& world, std::int32_t node)
{
    std::optional<NodeSpring> found;
    for (std::size_t t = 0; t < world.model->terms.size(); ++t) {
        const auto* elements = std::get_if<Elements<Spring>>(&world.model->terms[t]);
        if (!elements) return {};
        const Spring& spring = std::get<Spring>(world.state.live[t]);
        for (std::int32_t e = 0; e < elements->stencils.count; ++e) {
            const int lane = e % kPackWidth;
            const auto& block = elements->stencils.blocks[e / kPackWidth];
            const std::int32_t a = block.node[0][lane], b = block.node[1][lane];
            if (a != node && b != node) continue;
            if (found) return {};
            const auto rest = view_detail::get_lane<Spring>(elements->rest[e / kPackWidth], lane);
            const double rate[1] = {1};
            double damping[1] = {};
            spring.viscous_stress(rest, rate, damping);
            found = NodeSpring{a == node ? b : a, rest.length, spring.stiffness(rest), damping[0]};
        }
    }
    return found;
}

Vec3 free_part(Vec3 vector, std::uint8_t held)
{
    for (int axis = 0; axis < 3; ++axis)
        if (held >> axis & 1) vector[axis] = 0;
    return vector;
}

// What the engine itself says the force on the node is, held coordinates left out.
Vec3 force_at(World& world, const LineOscillator& line, double x, double v)
{
    world.state.x[line.node] = line.origin + line.axis * x;
    world.state.v[line.node] = line.axis * v;
    forces(world.scratch, *world.model, world.state, world.state.x, world.state.v);
    return free_part(world.scratch.force[line.node], world.state.held[line.node]);
}

// Whether the law holds wherever the mass will be: whatever is not linear, or not along the line, shows here.
bool follows_law(World& world, const LineOscillator& line)
{
    const Oscillator& o = line.law;
    const auto [lowest, highest] = o.extremes();
    const double reach = std::max(std::abs(lowest), std::abs(highest));
    const double speed = std::abs(o.v0) + std::sqrt(o.k / o.m) * (highest - lowest);
    const double scale = o.k * reach + o.beta * speed + std::abs(o.force);
    for (const double x : {lowest, 0.5 * (lowest + highest), highest})
        for (const double v : {-speed, 0.0, speed}) {
            const Vec3 expected = line.axis * (o.force - o.k * x - o.beta * v);
            if (!(norm(force_at(world, line, x, v) - expected) <= 1e-9 * scale)) return false;
        }
    return true;
}

bool is_along(const Vec3& vector, const Vec3& axis)
{
    return norm(vector - axis * dot(vector, axis)) <= 1e-12 * norm(vector);
}

}  // namespace

std::optional<LineOscillator> find_oscillator(const World& world)
{
    const std::int32_t node = only_free_node(world);
    if (node < 0 || !is_undisturbed(world)) return {};
    const std::optional<NodeSpring> spring = only_spring(world, node);
    if (!spring || !(spring->stiffness > 0)) return {};
    const std::uint8_t held = world.state.held[node];
    const Vec3 fixed_end = world.state.x[spring->other], way = world.state.x[node] - fixed_end;
    if (!(norm(way) > 0)) return {};
    LineOscillator line{.node = node, .axis = normalized(way)};
    if (free_part(line.axis, held) != line.axis || !is_along(world.state.v[node], line.axis)) return {};
    line.origin = fixed_end + line.axis * spring->length;
    Oscillator& o = line.law;
    o.m = world.model->mass[node], o.k = spring->stiffness;
    o.x0 = norm(way) - spring->length, o.v0 = dot(world.state.v[node], line.axis);
    for (std::size_t b = 0; b < world.model->bodies.size(); ++b)
        if (world.model->bodies[b].owns_point(node))
            o.beta = spring->damping + world.state.bodies[b].drag + world.state.bodies[b].damping * o.m;
    World probe = copy_of(world);
    o.force = dot(force_at(probe, line, 0, 0), line.axis);
    // A spring has a length, which cannot become negative: beyond its fixed end the law is another.
    if (!(spring->length + o.extremes().lowest > 0) || !follows_law(probe, line)) return {};
    return line;
}

}  // namespace pliant
