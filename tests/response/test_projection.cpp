// SPDX-License-Identifier: MIT

// Contact by projection and impulses: where momentum and energy go.

#include <pliant/response/projection.h>

#include <gtest/gtest.h>

#include <cmath>

#include <pliant/solver/forces.h>

#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::world_of;

// Two balls of 0.5 m radius that meet head-on at the first step; no gravity.
std::string two_balls(double mass_a, double mass_b, double restitution_a, double restitution_b, const std::string& rule,
                      const std::string& velocity_a = "[2, 0, 0]")
{
    const auto ball = [](const std::string& x, double mass, const std::string& v, double e) {
        return R"({ "kind": "rigid", "sphere": 0.5, "position": [)" + x + R"(, 0, 0], "mass": )" +
               std::to_string(mass) + R"(, "velocity": )" + v + R"(, "restitution": )" + std::to_string(e) + "}";
    };
    return R"({ "world": { "gravity": [0, 0, 0] }, "solver": { "step": 0.01, "substeps": 1 },
        "contact": { "rule": ")" +
           rule + R"(" }, "bodies": { "a": )" + ball("-0.505", mass_a, velocity_a, restitution_a) + R"(, "b": )" +
           ball("0.505", mass_b, "[0, 0, 0]", restitution_b) + "} }";
}

struct Impact {
    Vec3 a, b;                       // velocities after
    double energy_before, energy;    // kinetic [J]
    double booked;                   // by the ledger [J]
    Vec3 momentum_before, momentum;  // [kg m/s]
};

Impact impact(World world)
{
    const Model& m = *world.model;
    const auto momentum = [&] {
        Vec3 p;
        for (int f = 0; f < m.frame_count; ++f) p += world.state.v[m.frame_node(f)] * m.frame_mass[f].mass;
        return p;
    };
    Impact i{};
    i.energy_before = energies(m, world.state).kinetic;
    i.momentum_before = momentum();
    const StepReport report = step(world, 0.03);
    EXPECT_EQ(report.status, Status::ok);
    i.a = world.state.v[m.frame_node(0)], i.b = world.state.v[m.frame_node(1)];
    i.energy = energies(m, world.state).kinetic;
    i.booked = world.state.ledger.impact + world.state.ledger.friction;
    i.momentum = momentum();
    return i;
}

TEST(Restitution, EqualElasticBallsExchangeTheirVelocities)  // X-27, r = 1
{
    const Impact i = impact(world_of(two_balls(1, 1, 1, 1, "newton")));
    EXPECT_LT(norm(i.a - Vec3{0, 0, 0}), 1e-12);
    EXPECT_LT(norm(i.b - Vec3{2, 0, 0}), 1e-12);
}

TEST(Restitution, ElasticImpactsKeepMomentumAndEnergyForAnyMasses)  // X-27
{
    for (const double r : {0.1, 0.5, 1.0, 3.0, 20.0})
        for (const char* rule : {"newton", "energy_efficiency"}) {
            const Impact i = impact(world_of(two_balls(r, 1, 1, 1, rule)));
            EXPECT_NEAR(i.a.x, 2 * (r - 1) / (r + 1), 1e-12);
            EXPECT_NEAR(i.b.x, 2 * 2 * r / (r + 1), 1e-12);
            EXPECT_LT(norm(i.momentum - i.momentum_before), 1e-12 * r);
            EXPECT_NEAR(i.energy, i.energy_before, 1e-12 * i.energy_before);
            EXPECT_NEAR(i.booked, 0, 1e-12 * i.energy_before);
        }
}

TEST(Restitution, NewtonsRuleHasTheFormulasOfTheSeedCorrected)  // W16
{
    for (const double r : {0.2, 1.0, 4.0}) {
        const double e = 0.9 * 0.85;
        const Impact i = impact(world_of(two_balls(r, 1, 0.9, 0.85, "newton")));
        EXPECT_NEAR(i.a.x, 2 * (r - e) / (r + 1), 1e-12);
        EXPECT_NEAR(i.b.x, 2 * r * (1 + e) / (r + 1), 1e-12);
        EXPECT_LT(norm(i.momentum - i.momentum_before), 1e-12);
        EXPECT_NEAR(i.booked, i.energy_before - i.energy, 1e-12);
    }
}

TEST(Restitution, EnergyEfficiencyKeepsItsShareOfTheEnergyHeadOn)  // X-27, e = 0.765
{
    const Impact i = impact(world_of(two_balls(1, 1, 0.9, 0.85, "energy_efficiency")));
    EXPECT_LT(norm(i.momentum - i.momentum_before), 1e-12);
    EXPECT_NEAR(i.energy, 0.765 * i.energy_before, 1e-12);
    EXPECT_NEAR(i.booked, 0.235 * i.energy_before, 1e-12);
}

TEST(Restitution, EnergyEfficiencyIsTheCorrectedFormulaOfTheSeed)
{
    // s_n = (r u_n - sqrt(r^2 u_n^2 - (r+1)((r-e) u_n^2 + (1-e) u_t^2)))/(r+1), w_n = r (u_n - s_n).
    for (const double r : {0.05, 0.3, 1.0})
        for (const double e : {0.6, 0.765, 0.95, 1.0})
            for (const double u_t : {0.0, 0.1}) {
                const double u_n = 2;
                const double inside = r * r * u_n * u_n - (r + 1) * ((r - e) * u_n * u_n + (1 - e) * u_t * u_t);
                if (inside < 0) continue;
                const double s_n = (r * u_n - std::sqrt(inside)) / (r + 1), w_n = r * (u_n - s_n);
                const double speed = separation_speed(RestitutionRule::energy_efficiency, e, -u_n, u_t, 1 / r, 1);
                EXPECT_NEAR(speed, w_n - s_n, 1e-12) << "r " << r << " e " << e;
                const double before = r * (u_n * u_n + u_t * u_t);
                EXPECT_NEAR(r * (s_n * s_n + u_t * u_t) + w_n * w_n, e * before, 1e-12);
            }
    // A grazing impact cannot lose its share along the normal: it keeps nothing of it.
    EXPECT_EQ(separation_speed(RestitutionRule::energy_efficiency, 0.5, -0.1, 10, 1, 1), 0);
    // Against a wall: the striking body is the one that can move.
    EXPECT_NEAR(separation_speed(RestitutionRule::energy_efficiency, 0.64, -1, 0, 0, 1), 0.8, 1e-15);
    EXPECT_NEAR(separation_speed(RestitutionRule::energy_efficiency, 0.64, -1, 0, 1, 0), 0.8, 1e-15);
}

TEST(Restitution, EnergyEfficiencyDoesNotDependOnTheOrderOfTheBodies)
{
    const Impact i = impact(world_of(two_balls(0.2, 1, 0.9, 0.85, "energy_efficiency")));
    std::string swapped = two_balls(0.2, 1, 0.9, 0.85, "energy_efficiency");
    const auto a = swapped.find("\"a\""), b = swapped.find("\"b\"");
    const std::string first = swapped.substr(a + 4, b - a - 6), second = swapped.substr(b + 4, swapped.size() - b - 7);
    swapped = swapped.substr(0, a) + "\"b\":" + second + ", \"a\":" + first + "} }";
    const Impact j = impact(world_of(swapped));
    EXPECT_NEAR(i.energy, 0.765 * i.energy_before, 1e-12);
    EXPECT_NEAR(j.energy, 0.765 * j.energy_before, 1e-12);
}

TEST(Response, SeparatingBodiesAreNotPulledTogether)  // W13
{
    // The balls overlap but already part: positions are cleared, velocities stay.
    std::string scene = two_balls(1, 2, 0.5, 0.5, "newton", "[-1, 0.5, 0]");
    scene.replace(scene.find("-0.505"), 6, "-0.400");
    World world = world_of(scene);
    const StepReport report = step(world, 0.01);
    EXPECT_EQ(report.contacts, 1);
    const Model& m = *world.model;
    EXPECT_EQ(world.state.v[m.frame_node(0)], (Vec3{-1, 0.5, 0}));
    EXPECT_EQ(world.state.v[m.frame_node(1)], (Vec3{0, 0, 0}));
    EXPECT_EQ(world.state.ledger.impact, 0);
    EXPECT_GE(norm(world.state.x[m.frame_node(0)] - world.state.x[m.frame_node(1)]), 1 - 1e-12);
}

// A free sheet that a ball flies into, friction and all.
constexpr std::string_view kSheetAndBall = R"({
    "world": { "gravity": [0, 0, 0] }, "solver": { "step": 0.001, "substeps": "auto" },
    "contact": { "faces": "all" },
    "bodies": {
        "sheet": { "kind": "springs", "mesh": { "grid": [9, 9], "size": [1, 1] }, "mass": 0.5,
                   "springs": { "k_s": 50, "k_d": 0.1 }, "restitution": 0.7, "friction": 0.5 },
        "ball": { "kind": "rigid", "sphere": 0.2, "position": [0.05, 0.22, 0.1], "mass": 0.3,
                  "velocity": [1, -4, 0.5], "angular_velocity": [5, 0, 3], "restitution": 1, "friction": 1 } } })";

Vec3 momentum_of(World& w)
{
    return {test::measure(w, "momentum.x"), test::measure(w, "momentum.y"), test::measure(w, "momentum.z")};
}

Vec3 angular_momentum_of(const World& w)
{
    const Model& m = *w.model;
    const State& s = w.state;
    Vec3 L;
    for (std::int32_t i = 0; i < m.free_count; ++i) L += cross(s.x[i], s.v[i]) * m.mass[i];
    for (std::int32_t f = 0; f < m.frame_count; ++f) {
        const ConstFrameNodes x(&s.x[m.frame_node(f)], 4), v(&s.v[m.frame_node(f)], 4);
        if (s.held[m.frame_node(f)] != 0) continue;
        L += cross(x[0], v[0]) * m.frame_mass[f].mass + inertia(m.frame_mass[f], x) * angular_velocity(x, v);
    }
    return L;
}

TEST(Response, FreeBodiesKeepTheirCommonMomentum)
{
    World world = world_of(kSheetAndBall);
    const Vec3 p0 = momentum_of(world), L0 = angular_momentum_of(world);
    int contacts = 0;
    for (int i = 0; i < 100; ++i) {
        const StepReport report = step(world, 0.002);
        ASSERT_FALSE(report.failed());
        contacts += report.contacts;
    }
    ASSERT_GT(contacts, 10);
    EXPECT_GT(world.state.v[world.model->frame_node(0)].y, -3.5);  // it was slowed down
    EXPECT_LT(norm(momentum_of(world) - p0), 1e-12);
    // Positions are cleared by translation, so angular momentum is kept to the size of the overlaps.
    EXPECT_LT(norm(angular_momentum_of(world) - L0), 0.02 * norm(L0));
    EXPECT_GT(world.state.ledger.impact, 0);
    EXPECT_GT(world.state.ledger.friction, 0);
    EXPECT_LT(test::measure(world, "energy.error"), 2e-2);
}

TEST(Response, HeldVerticesTakeImpulsesAsInfiniteMasses)  // W14
{
    // The ball falls on a pinned vertex: it comes back with its whole speed, the vertex stays.
    World world = world_of(R"({
        "world": { "gravity": [0, 0, 0] }, "solver": { "step": 0.01, "substeps": 1 },
        "bodies": {
            "rod": { "kind": "springs", "mesh": { "chain": 2, "from": [0, 0, 0], "to": [0, -1, 0] }, "mass": 1e-3,
                     "springs": { "k_s": 1 }, "restitution": 1, "pins": [{ "name": "peg", "select": "ends" }] },
            "ball": { "kind": "rigid", "sphere": 0.5, "position": [0, 0.505, 0], "mass": 2, "velocity": [0, -3, 0],
                      "restitution": 1 } } })");
    std::int64_t steps = 0;
    Vec3 impulse;
    for (int i = 0; i < 3; ++i) {
        step(world, 0.01);
        impulse += world.state.pin_impulse[0];
        ++steps;
    }
    EXPECT_NEAR(world.state.v[world.model->frame_node(0)].y, 3, 1e-12);
    EXPECT_EQ(world.state.x[0], (Vec3{0, 0, 0}));
    EXPECT_EQ(world.state.v[0], (Vec3{0, 0, 0}));
    EXPECT_NEAR(impulse.y, -2 * 3 * 2, 1e-12);  // the pin took twice the ball's momentum
}

// A block of dust: one free vertex of 0.5 kg on a plane that leans by an angle.
World on_a_slope(double degrees, double friction, const std::string& velocity)
{
    const double s = std::sin(degrees * M_PI / 180), c = std::cos(degrees * M_PI / 180);
    return world_of(R"({ "world": { "gravity": [)" + std::to_string(10 * s) + ", " + std::to_string(-10 * c) +
                    R"(, 0] }, "solver": { "step": 0.002, "substeps": 1 },
        "bodies": { "dust": { "kind": "springs", "mesh": { "chain": 2, "from": [0, 0, 0], "to": [0, 0, 1] }, "mass": 1,
                              "velocity": )" +
                    velocity + R"(, "friction": )" + std::to_string(friction) + R"( } },
        "colliders": { "slope": { "plane": [0, 1, 0, 0] } } })");
}

TEST(Response, FrictionHoldsBelowItsConeAndLetsGoAboveIt)
{
    World sticks = on_a_slope(20, 0.5, "[0, 0, 0]"), slides = on_a_slope(40, 0.5, "[0, 0, 0]");
    step(sticks, 1), step(slides, 1);
    EXPECT_EQ(sticks.state.v[0].x, 0);
    EXPECT_NEAR(sticks.state.x[0].x, 0, 1e-12);  // it does not creep
    const double a = 10 * (std::sin(40 * M_PI / 180) - 0.5 * std::cos(40 * M_PI / 180));
    EXPECT_NEAR(slides.state.v[0].x, a, 1e-3 * a);
    EXPECT_NEAR(slides.state.x[0].x, 0.5 * a, 1e-2 * a);
    EXPECT_NEAR(slides.state.x[0].y, 0, 1e-12);
}

TEST(Response, SlidingBooksFrictionTimesDistance)
{
    World world = on_a_slope(0, 0.4, "[2, 0, 0]");
    step(world, 0.3);  // 2 m/s - 4 m/s2 * 0.3 s
    EXPECT_NEAR(world.state.v[0].x, 2 - 4 * 0.3, 1e-9);
    const double distance = 2 * 0.3 - 2 * 0.3 * 0.3;
    EXPECT_NEAR(world.state.ledger.friction, 0.4 * 1 * 10 * distance, 2e-2);
    EXPECT_NEAR(world.state.ledger.impact, 0, 1e-12);
    EXPECT_LT(test::measure(world, "energy.error"), 2e-2);
    // Kinetic energy lost is booked exactly.
    EXPECT_NEAR(world.state.ledger.friction, 0.5 * (4 - 0.8 * 0.8), 1e-9);
    step(world, 1);
    EXPECT_EQ(world.state.v[0].x, 0);  // it stops and does not turn round
}

TEST(Response, ARestingContactBooksNothing)
{
    World world = on_a_slope(0, 0.4, "[0, 0, 0]");
    for (int i = 0; i < 10; ++i) step(world, 0.1);
    EXPECT_EQ(world.state.ledger.impact, 0);
    EXPECT_EQ(world.state.ledger.friction, 0);
    EXPECT_EQ(world.state.v[0], (Vec3{0, 0, 0}));
    EXPECT_NEAR(world.state.x[0].y, 0, 1e-12);
}

TEST(Response, AnImpactOnAPlaneBooksWhatItLoses)
{
    World world = world_of(R"({
        "world": { "gravity": [0, -10, 0] }, "solver": { "step": 0.001, "substeps": 1 },
        "bodies": { "ball": { "kind": "rigid", "sphere": 0.1, "position": [0, 1.1, 0], "mass": 2, "restitution": 0.8 } },
        "colliders": { "floor": { "plane": [0, 1, 0, 0] } } })");
    step(world, 0.6);  // one bounce, from a fall of 1 m
    EXPECT_NEAR(world.state.ledger.impact, 2 * 10 * 1 * (1 - 0.64), 0.1);
    EXPECT_LT(test::measure(world, "energy.error"), 1e-2);
    EXPECT_GT(world.state.v[0].y, 0);
}

TEST(Response, ABodyAtRestOnTheFloorStaysWhereItIs)
{
    World world = world_of(R"({
        "world": { "gravity": [0, -10, 0] }, "solver": { "step": 0.002, "substeps": 1 },
        "bodies": { "crate": { "kind": "rigid", "box": [1, 0.5, 1], "position": [0, 0.25, 0], "mass": 2,
                               "restitution": 0.9, "friction": 0.5 } },
        "colliders": { "floor": { "plane": [0, 1, 0, 0] } } })");
    for (int i = 0; i < 60; ++i) step(world, 1.0 / 60);
    EXPECT_LT(norm(world.state.x[0] - Vec3{0, 0.25, 0}), 1e-3);
    EXPECT_LT(norm(world.state.v[0]), 1e-2);
    EXPECT_LT(norm(world.state.x[2] - Vec3{0, 1, 0}), 1e-3);
    // Nothing happens, so the energies barely swing: the balance is judged by the crate's weight.
    const double balance = energies(*world.model, world.state).total() + world.state.ledger.impact +
                           world.state.ledger.friction - world.state.ledger.start;
    EXPECT_NEAR(balance, 0, 1e-4 * 2 * 10 * 0.5);
}

// A vertex that slides in a plane is immovable across it only.
TEST(Response, AVertexHeldAlongOneAxisStillMeetsTheFloor)
{
    World world = world_of(R"({
        "world": { "gravity": [0, -10, 0] }, "solver": { "step": 0.002, "substeps": 1 },
        "bodies": { "dust": { "kind": "springs", "mesh": { "chain": 2, "from": [0, 0.1, 0], "to": [0, 0.1, 1] },
                              "mass": 1, "pins": [{ "select": "all", "axes": "z" }] } },
        "colliders": { "floor": { "plane": [0, 1, 0, 0] } } })");
    step(world, 0.5);
    EXPECT_NEAR(world.state.x[0].y, 0, 1e-9);
}

TEST(Response, SwitchedOffContactLetsBodiesPass)
{
    World world = world_of(two_balls(1, 1, 1, 1, "newton"));
    test::set(world, "contact.enabled", to_live(false));
    const StepReport report = step(world, 1);
    EXPECT_EQ(report.contacts, 0);
    EXPECT_NEAR(world.state.x[0].x, -0.505 + 2, 1e-12);
}

}  // namespace
}  // namespace pliant
