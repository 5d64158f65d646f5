// SPDX-License-Identifier: MIT

// The step: tries, judges, keeps or shortens; what it never does.

#include <pliant/world/step.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <pliant/base/parallel.h>
#include <pliant/solver/stability.h>

#include "base/counted_new.h"
#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::world_of;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Everything in Scratch that is not the size of an array.
void spoil(Scratch& s)
{
    const Vec3 bad{kNaN, kNaN, kNaN};
    for (auto* values : {&s.force, &s.volume_gradient, &s.sum_x, &s.sum_v, &s.windows, &s.to.x, &s.to.v})
        std::fill(values->begin(), values->end(), bad);
    for (SymmetricBlock& block : s.diagonal) block = {kNaN, kNaN, kNaN, kNaN, kNaN, kNaN};
    Contact contact{.key = 42, .at = bad, .normal = bad, .gap = kNaN};
    contact.a.body = contact.b.body = 1 << 30, contact.a.frame = contact.b.point[0] = 1 << 30;
    s.contacts.assign(7, contact);
    s.contact_rows.assign(3, {.inverse_mass = kNaN, .target = kNaN, .lambda = kNaN, .slip = bad});
    s.to.time = s.to.ledger.viscous = s.to.ledger.external = kNaN;
    s.to.step = -99;
    s.to.history.rates_step = -99;
    for (auto& gas : s.to.gas) gas.k_g = kNaN;
    for (auto& held : s.to.held) held = 255;
    for (auto& impulse : s.to.pin_impulse) impulse = bad;
    s.held_nodes.assign(5, 1 << 30);
    s.profile.seconds.fill(kNaN);
}

TEST(Step, ScratchFullOfNaNChangesNoBit)
{
    for (const auto scene : {test::kSmallBox, test::kSoftBall, test::kPendulum})
        for (const char* kind : {"euler", "semi_implicit_euler", "velocity_verlet", "rk4", "thesis_listed_rk4"}) {
            const std::vector<Override> with{
                {"solver.kind", kind}, {"solver.step", "0.0005"}, {"solver.substeps", "1"}};
            World clean = world_of(scene, with), spoilt = world_of(scene, with);
            int contacts = 0;
            for (int i = 0; i < 40; ++i) {
                spoil(spoilt.scratch);
                contacts += step(clean, 0.004).contacts;
                step(spoilt, 0.004);
                ASSERT_EQ(hash(clean.state), hash(spoilt.state)) << kind << " step " << i;
            }
            if (scene != test::kPendulum) {
                EXPECT_GT(contacts, 0) << kind;
            }
        }
}

TEST(Step, AllocatesNothingAfterWarmingUp)
{
    for (const int threads : {1, 2}) {
        set_thread_count(threads);
        for (const auto scene : {test::kSmallBox, test::kSoftBall}) {
            World world = world_of(scene);
            for (int i = 0; i < 30; ++i) step(world, 1.0 / 60);
            const long before = allocation_count();
            for (int i = 0; i < 60; ++i) step(world, 1.0 / 60);
            EXPECT_EQ(allocation_count(), before) << threads << " threads";
        }
    }
    set_thread_count(0);
}

TEST(Step, EndsExactlyWhereItWasAskedTo)
{
    World world = world_of(test::kSmallBox);
    for (int frame = 1; frame <= 120; ++frame) {
        const StepReport report = step_to(world, frame / 60.0);
        ASSERT_FALSE(report.failed());
        ASSERT_EQ(world.state.time, frame / 60.0);
        ASSERT_EQ(report.time, world.state.time);
        ASSERT_GT(report.substeps, 0);
    }
}

TEST(Step, CutsAnIntervalIntoEqualStepsNoLongerThanTheSolvers)
{
    World world = world_of(test::kOscillator);  // step 0.01 s
    EXPECT_EQ(step(world, 0.1).substeps, 10);
    EXPECT_EQ(step(world, 0.101).substeps, 11);
    EXPECT_EQ(step(world, 0.001).substeps, 1);
    EXPECT_EQ(step(world, 0).substeps, 0);
    EXPECT_EQ(step(world, -1).substeps, 0);
    test::set(world, "solver.substeps", to_live(4.0));
    EXPECT_EQ(step(world, 0.1).substeps, 40);
}

TEST(Step, AutomaticSubstepsKeepAStiffSceneStable)
{
    World stiff = world_of(test::kOscillator, {{"bodies.chain.springs.k_s", "1e6"}, {"solver.substeps", "auto"}});
    const StepReport report = step(stiff, 0.1);
    EXPECT_EQ(report.status, Status::ok);
    EXPECT_GT(report.substeps, 50);
    EXPECT_LT(std::abs(stiff.state.x[1].x), 2);
}

TEST(Step, WarnsOfAStepBeyondTheLimitAndNamesTheLimit)
{
    World stiff = world_of(test::kOscillator, {{"bodies.chain.springs.k_s", "1e5"}});
    const StepReport report = step(stiff, 0.01);
    EXPECT_EQ(report.status, Status::warning);
    EXPECT_EQ(report.issue.kind, IssueKind::step_too_long);
    EXPECT_GT(report.issue.limit, 0);
    EXPECT_LT(report.issue.limit, 0.01);
    const std::string words = explain(report.issue, *stiff.model);
    EXPECT_NE(words.find("stability limit"), std::string::npos) << words;
    EXPECT_NE(words.find("solver.substeps"), std::string::npos) << words;
}

TEST(Step, AnExplosionEndsTheRunNamesTheVertexAndKeepsTheLastGoodState)
{
    World world = world_of(test::kPendulum, {{"bodies.chain.springs.k_s", "1e6"}});
    StepReport report;
    State before = world.state;
    for (int i = 0; i < 1000 && !report.failed(); ++i) {
        before = world.state;
        report = step(world, 0.01);
    }
    ASSERT_TRUE(report.failed());
    EXPECT_TRUE(report.issue.kind == IssueKind::unstable || report.issue.kind == IssueKind::non_finite);
    EXPECT_EQ(world.model->bodies[report.issue.body].name, "chain");
    for (const Vec3& x : world.state.x) EXPECT_TRUE(is_finite(x));
    for (const Vec3& v : world.state.v) EXPECT_TRUE(is_finite(v));
    EXPECT_EQ(report.time, world.state.time);
    const std::string words = explain(report.issue, *world.model);
    EXPECT_NE(words.find("'chain'"), std::string::npos) << words;
    EXPECT_NE(words.find("vertex"), std::string::npos) << words;
    // Trying again fails again and changes nothing that moves.
    const State kept = world.state;
    EXPECT_TRUE(step(world, 0.01).failed());
    EXPECT_EQ(world.state.time, kept.time);
    EXPECT_EQ(world.state.step, kept.step);
    for (std::size_t i = 0; i < kept.x.size(); ++i) EXPECT_EQ(world.state.x[i], kept.x[i]);
}

TEST(Step, AFailingStepKeepsTheLastAcceptedStateToTheBit)
{
    World world = world_of(test::kPendulum);
    step(world, 0.05);
    world.state.v[2].x = kNaN;  // shows only after a try
    const std::uint64_t before = hash(world.state);
    const StepReport report = step(world, 0.05);
    ASSERT_TRUE(report.failed());
    EXPECT_EQ(hash(world.state), before);
    EXPECT_EQ(report.issue.kind, IssueKind::non_finite);
    const std::string words = explain(report.issue, *world.model);
    EXPECT_NE(words.find("of body 'chain'"), std::string::npos) << words;
}

// A volume of NaN must not be taken for an inverted cavity.
TEST(Step, ANaNInABodyFullOfGasIsNonFiniteToo)
{
    World world = world_of(test::kSmallBox);
    step(world, 0.05);
    world.state.v[27].x = kNaN;
    const StepReport report = step(world, 0.05);
    ASSERT_TRUE(report.failed());
    EXPECT_EQ(name_of(report.issue.kind), "non_finite") << explain(report.issue, *world.model);
    EXPECT_EQ(report.issue.body, 0);
}

TEST(Step, ExplainsEveryKindOfIssueNamingBodyAndVertex)
{
    const World world = world_of(test::kSmallBox);
    EXPECT_EQ(explain({}, *world.model), "");
    for (const IssueKind kind :
         {IssueKind::non_finite, IssueKind::unstable, IssueKind::not_converged, IssueKind::penetrating}) {
        const std::string words =
            explain({.kind = kind, .body = 0, .vertex = 17, .value = 3, .limit = 0.1}, *world.model);
        EXPECT_NE(words.find("vertex 17 of body 'box'"), std::string::npos) << words;
    }
    const std::string inverted = explain({.kind = IssueKind::inverted, .body = 0, .value = -0.25}, *world.model);
    EXPECT_NE(inverted.find("'box'"), std::string::npos);
    EXPECT_NE(inverted.find("-0.25"), std::string::npos);
    const std::string frame = explain({.kind = IssueKind::non_finite, .body = 1, .vertex = 0}, *world.model);
    EXPECT_NE(frame.find("'ball'"), std::string::npos);
}

TEST(Step, ACrushedCavityIsReportedAsInverted)
{
    World world = world_of(test::kSmallBox, {{"bodies.box.gas.k_g", "0"}, {"bodies.box.gas.pressure", "0.001"}});
    // Throw the lid through the floor.
    for (std::int32_t i = 0; i < 64; ++i)
        if (world.state.held[i] == 0) world.state.v[i] = {0, -400, 0};
    test::set(world, "contact.enabled", to_live(false));
    StepReport report;
    for (int i = 0; i < 10 && !report.failed(); ++i) report = step(world, 0.005);
    ASSERT_TRUE(report.failed());
    EXPECT_EQ(name_of(report.issue.kind), "inverted");
    EXPECT_EQ(report.issue.body, 0);
    EXPECT_TRUE(std::isfinite(test::measure(world, "box.volume")));
}

constexpr std::string_view kBigSheet = R"({
    "world": { "gravity": [0, -9.81, 0] }, "solver": { "kind": "rk4", "step": 0.001, "substeps": 2 },
    "bodies": {
        "balloon": { "kind": "springs", "mesh": { "icosphere": 6, "radius": 0.5 }, "mass": 2,
                     "springs": { "k_s": 20, "k_d": 1e-4 }, "gas": { "pressure": 120, "outside": 100 }, "drag": 1e-6 },
        "ball": { "kind": "rigid", "sphere": 0.2, "position": [0.1, 0.69, 0], "mass": 1, "velocity": [0, -3, 0],
                  "friction": 0.5 } } })";

TEST(Step, GivesTheSameHashForAnyThreadCount)
{
    std::uint64_t hashes[3];
    for (int threads = 1; threads <= 3; ++threads) {
        set_thread_count(threads);
        World world = world_of(kBigSheet);
        ASSERT_GT(std::get<Elements<Spring>>(world.model->terms[0]).stencils.chunks.size(), 1u);
        int contacts = 0;
        for (int i = 0; i < 5; ++i) contacts += step(world, 0.002).contacts;
        EXPECT_GT(contacts, 0);
        hashes[threads - 1] = hash(world.state);
    }
    set_thread_count(0);
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

// The pneumatic box with the ball falling on it, in other units: lengths by L, masses by M, times by T.
std::string box_in_units(double L, double M, double T)
{
    const auto n = [](double v) { return fmt::format("{:.17g}", v); };
    const double force = M * L / (T * T);
    return R"({ "world": { "gravity": [0, )" + n(-10 * L / (T * T)) + R"(, 0] },
        "solver": { "kind": "rk4", "step": )" +
           n(0.0025 * T) + R"(, "substeps": 2 },
        "bodies": {
            "box": { "kind": "springs", "mesh": { "lidded_box": 8, "size": [)" +
           n(1.5 * L) + "," + n(0.75 * L) + "," + n(1.5 * L) + R"(] }, "mass": )" + n(10 * M) + R"(, "mass_of": "lid",
                     "springs": { "k_s": )" +
           n(100 * force / L) + R"(, "k_d": )" + n(5 * force / L * T) + R"( },
                     "gas": { "k_g": )" +
           n(68 * force * L) + R"(, "outside": )" + n(3 * force / (L * L)) + R"( },
                     "drag": )" +
           n(0.01 * force / L * T) + R"(, "restitution": 0.6, "friction": 0.5,
                     "pins": [{ "select": "walls" }] },
            "ball": { "kind": "rigid", "sphere": )" +
           n(0.25 * L) + R"(, "position": [)" + n(0.1 * L) + "," + n(1.25 * L) + "," + n(0.05 * L) + R"(], "mass": )" +
           n(0.6 * M) + R"(, "friction": 1, "restitution": 1 } } })";
}

TEST(Step, MovesTheSameInMetresCentimetresAndMillimetres)
{
    World metres = world_of(box_in_units(1, 1, 1));
    for (int i = 0; i < 20; ++i) ASSERT_FALSE(step(metres, 0.05).failed());
    struct Units {
        double L, M, T;
    };
    for (const auto& [L, M, T] : {Units{100, 1000, 1}, Units{1000, 1e-3, 1}, Units{1, 1, 1000}}) {
        World other = world_of(box_in_units(L, M, T));
        for (int i = 0; i < 20; ++i) ASSERT_FALSE(step(other, 0.05 * T).failed());
        ASSERT_EQ(other.state.step, metres.state.step);
        double off = 0;
        for (std::size_t i = 0; i < metres.state.x.size(); ++i) {
            const bool is_axis = i > static_cast<std::size_t>(metres.model->frame_node(0)) &&
                                 i < static_cast<std::size_t>(metres.model->frame_node(0)) + 4;
            off = std::max(off, norm(other.state.x[i] / (is_axis ? 1 : L) - metres.state.x[i]));
        }
        EXPECT_LT(off, 1e-8) << "L " << L << " M " << M << " T " << T;
        EXPECT_NEAR(test::measure(other, "energy.total") * T * T / (M * L * L), test::measure(metres, "energy.total"),
                    1e-8);
    }
}

}  // namespace
}  // namespace pliant
