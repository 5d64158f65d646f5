// SPDX-License-Identifier: MIT

// Contact between all surfaces by repulsion, impulses and zones: where momentum goes, what each stage does and what is left
// when it is switched off, what cannot be resolved.

#include <pliant/response/bridson.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <pliant/base/parallel.h>
#include <pliant/contact/contact_log.h>
#include <pliant/response/impact_zones.h>
#include <pliant/world/intersection_measure.h>

#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::measure, test::world_of;

// Two sheets of 5 x 5 vertices, the upper turned by 30 degrees and coming down at 2 m/s; no gravity, nothing held.
std::string two_sheets(const std::string& contact,
                       const std::string& solver = R"("kind": "implicit_euler", "step": 0.002)")
{
    return fmt::format(R"({{ "world": {{ "gravity": [0, 0, 0] }}, "solver": {{ {} }},
        "contact": {{ "response": "bridson", "thickness": 0.004, {} }},
        "bodies": {{
            "upper": {{ "kind": "cloth", "mesh": {{ "grid": [5, 5], "size": [0.2, 0.2], "rotate_degrees": 30 }},
                "position": [0.02, 0.02, 0], "velocity": [0.5, -2, 0], "friction": 0.7,
                "cloth": {{ "density": 0.2, "stretch": 200, "bend": 1e-4 }} }},
            "lower": {{ "kind": "cloth", "mesh": {{ "grid": [5, 5], "size": [0.2, 0.2] }}, "friction": 1,
                "cloth": {{ "density": 0.3, "stretch": 200, "bend": 1e-4 }} }} }} }})",
                       solver, contact);
}

struct Momenta {
    Vec3 linear, angular;
};

Momenta momenta_of(const World& w)
{
    Momenta p;
    for (std::int32_t i = 0; i < w.model->free_count; ++i) {
        p.linear += w.state.v[i] * w.model->mass[i];
        p.angular += cross(w.state.x[i], w.state.v[i]) * w.model->mass[i];
    }
    return p;
}

// Edges through faces, by the checker that knows nothing of the response.
std::size_t crossings(const World& w)
{
    const AuditSurfaces surfaces = audit_surfaces(w.model->topology);
    IntersectionSearch search(surfaces);
    Intersections found;
    EXPECT_TRUE(search.find(found, w.state.x));
    return found.count();
}

// Runs, and looks at every step of the solver; returns whether anything crossed.
bool has_crossed(World& w, double seconds)
{
    bool crossed = false;
    const double h = w.state.solver.step, end = w.state.time + seconds;
    while (w.state.time < end - 1e-9 * h) {
        const StepReport report = step(w, std::min(h, end - w.state.time));
        EXPECT_FALSE(report.failed()) << explain(report.issue, *w.model);
        if (report.failed()) break;
        crossed |= crossings(w) > 0;
    }
    return crossed;
}

// ---- momentum -------------------------------------------------------------------------------------------------------

class Orders : public testing::TestWithParam<std::string> {};

TEST_P(Orders, KeepLinearMomentumAndHoldTheSheetsApart)
{
    World w = world_of(two_sheets(fmt::format(R"("order": "{}")", GetParam())));
    const Momenta before = momenta_of(w);
    EXPECT_FALSE(has_crossed(w, 0.05));
    EXPECT_GT(w.state.tally.hits + w.state.tally.near, 0);
    EXPECT_LT(norm(momenta_of(w).linear - before.linear), 1e-10 * norm(before.linear));
}
INSTANTIATE_TEST_SUITE_P(Bridson, Orders, testing::Values("in_turn", "at_once"),
                         [](const auto& order) { return order.param; });

// Their positions do not go where the momentum says.
TEST(Bridson, ThesisAveragesLoseTheCentreOfMass)
{
    const auto drift = [](const std::string& order) {
        World w = world_of(two_sheets(fmt::format(R"("order": "{}")", order)));
        Vec3 before, after;
        const Vec3 momentum = momenta_of(w).linear;
        for (std::int32_t i = 0; i < w.model->free_count; ++i) before += w.state.x[i] * w.model->mass[i];
        has_crossed(w, 0.03);
        for (std::int32_t i = 0; i < w.model->free_count; ++i) after += w.state.x[i] * w.model->mass[i];
        return norm(after - before - momentum * 0.03) / norm(momentum * 0.03);
    };
    EXPECT_LT(drift("in_turn"), 1e-9);
    EXPECT_GT(drift("thesis_averages"), 1e-6);
}

// ---- stages ---------------------------------------------------------------------------------------------------------

TEST(Bridson, WithoutContactSheetsPass)
{
    World w = world_of(two_sheets(R"("enabled": false)"));
    EXPECT_TRUE(has_crossed(w, 0.05));
}

TEST(Bridson, WithoutCollisionsAFastSheetPassesTheRepulsion)
{
    World w =
        world_of(two_sheets(R"("collisions": false)", R"("kind": "implicit_euler", "step": 0.02, "substeps": 1)"));
    has_crossed(w, 0.02);
    EXPECT_LT(measure(w, "upper.center.y"), measure(w, "lower.center.y") - 0.01);
}

TEST(Bridson, CollisionsAloneHoldWhatRepulsionWouldHaveHeld)
{
    World w = world_of(two_sheets(R"("repulsion": false)", R"("kind": "implicit_euler", "step": 0.02, "substeps": 1)"));
    EXPECT_FALSE(has_crossed(w, 0.1));
    EXPECT_GT(w.state.tally.hits, 0);
}

TEST(Bridson, ZonesHoldWhatOneRoundOfImpulsesCannot)
{
    World w = world_of(two_sheets(
        R"("repulsion": false, "order": "thesis_first_only", "rounds": 1, "iterations": 1, "strain_limit": 0, "halvings": 0)",
        R"("kind": "implicit_euler", "step": 0.02, "substeps": 1)"));
    const Momenta before = momenta_of(w);
    EXPECT_FALSE(has_crossed(w, 0.06));
    EXPECT_GT(w.state.tally.held, 0);
    EXPECT_LT(norm(momenta_of(w).linear - before.linear), 1e-10 * norm(before.linear));
}

TEST(Bridson, WithoutZonesTheSameIsAnIssueThatNamesABody)
{
    World w = world_of(two_sheets(
        R"("repulsion": false, "order": "thesis_first_only", "rounds": 1, "iterations": 1, "strain_limit": 0, "halvings": 0, "zones": false)",
        R"("kind": "implicit_euler", "step": 0.02, "substeps": 1)"));
    const StepReport report = step(w, 0.06);
    ASSERT_TRUE(report.failed());
    EXPECT_EQ(report.issue.kind, IssueKind::penetrating);
    EXPECT_NE(explain(report.issue, *w.model).find("er'"), std::string::npos) << explain(report.issue, *w.model);
}

TEST(Bridson, HalvesStepsBeforeItMakesZones)
{
    World w = world_of(two_sheets(
        R"("repulsion": false, "order": "thesis_first_only", "rounds": 1, "iterations": 1, "strain_limit": 0, "halvings": 4)",
        R"("kind": "implicit_euler", "step": 0.02, "substeps": 1)"));
    EXPECT_FALSE(has_crossed(w, 0.06));
    EXPECT_GT(w.state.tally.halvings, 0);
}

// A held sheet pushed through a held collider: no impulse can help, and it is said.
TEST(Bridson, TwoHeldThingsPushedThroughEachOtherAreAnIssue)
{
    World w = world_of(R"({ "world": { "gravity": [0, 0, 0] }, "solver": { "kind": "implicit_euler", "step": 0.01 },
        "contact": { "response": "bridson" },
        "bodies": { "sheet": { "kind": "cloth", "mesh": { "grid": [3, 3], "size": [0.1, 0.1] }, "position": [0, 0.02, 0],
            "cloth": { "density": 0.2, "stretch": 100, "bend": 1e-4 } } },
        "colliders": { "press": { "mesh": { "box": [1, 1, 1], "size": [1, 0.1, 1], "translate": [0, 0.1, 0] }, "motion": [0, -1, 0] },
                       "anvil": { "mesh": { "box": [1, 1, 1], "size": [1, 0.1, 1], "translate": [0, -0.06, 0] } } } })");
    const StepReport report = step(w, 0.3);
    ASSERT_TRUE(report.failed());
    EXPECT_EQ(report.issue.kind, IssueKind::penetrating);
}

// ---- never attracting, and a flat landing ---------------------------------------------------------------------------

TEST(Bridson, PairsThatSeparateAreNotPulled)
{
    // Within the thickness and parting at 1 m/s: nothing may slow that down.
    World w = world_of(two_sheets(R"("k": 1e6)"));
    for (std::int32_t i = 0; i < w.model->bodies[0].point_count; ++i) {
        w.state.x[i].y = 0.003;
        w.state.v[i] = {0, 1, 0};
    }
    has_crossed(w, 0.002);
    EXPECT_GT(w.state.tally.near, 0);
    for (std::int32_t i = 0; i < w.model->bodies[0].point_count; ++i) EXPECT_NEAR(w.state.v[i].y, 1, 1e-12) << i;
}

TEST(Bridson, AFlatSheetThatLandsFlatRestsAtOnce)
{
    World w = world_of(R"({ "solver": { "kind": "implicit_euler", "step": 0.002 }, "contact": { "response": "bridson" },
        "bodies": { "sheet": { "kind": "cloth", "mesh": { "grid": [4, 4], "size": [0.3, 0.3] }, "position": [0, 0.05, 0],
            "thickness": 0.003, "cloth": { "density": 0.2, "stretch": 1000, "bend": 1e-4 } } },
        "colliders": { "ground": { "plane": [0, 1, 0, 0] } } })");
    EXPECT_FALSE(has_crossed(w, 0.2));
    for (std::int32_t i = 0; i < w.model->free_count; ++i) {
        EXPECT_GT(w.state.x[i].y, 0);
        EXPECT_LT(w.state.x[i].y, 0.0015 + 1e-9);
        EXPECT_NEAR(w.state.v[i].y, 0, 1e-6);
    }
}

// ---- edges ----------------------------------------------------------------------------------------------------------

TEST(Bridson, LimitedStrainIsHandedOnAndKeepsMomentum)
{
    const auto strain = [](const std::string& limit) {
        World w = world_of(two_sheets(R"("strain_limit": )" + limit + R"(, "iterations": 40)",
                                      R"("kind": "implicit_euler", "step": 0.01, "substeps": 1)"));
        for (std::int32_t i = 0; i < w.model->bodies[0].point_count; ++i) w.state.v[i].y -= 3 * (i % 3);
        const Momenta before = momenta_of(w);
        double most = 0;
        for (int i = 0; i < 5; ++i) {
            has_crossed(w, 0.01);
            most = std::max(most, measure(w, "upper.strain.max"));
        }
        EXPECT_LT(norm(momenta_of(w).linear - before.linear), 1e-10 * norm(before.linear));
        return most;
    };
    EXPECT_LT(strain("0.002"), 0.7 * strain("0"));
}

// ---- the log, determinism -------------------------------------------------------------------------------------------

TEST(Bridson, LogTellsTheProposalTheRoundsAndTheEnd)
{
    World w = world_of(two_sheets(R"("repulsion": false)", R"("kind": "implicit_euler", "step": 0.02, "substeps": 1)"));
    w.scratch.contact_log = std::make_shared<ContactLog>();
    has_crossed(w, 0.02);
    const ContactLog& log = *w.scratch.contact_log;
    ASSERT_FALSE(log.impacts.empty());
    ASSERT_GE(log.rounds.size(), 2U);
    EXPECT_EQ(log.rounds.back(), w.state.x);
    EXPECT_NE(log.uncorrected, w.state.x);
    for (const LoggedImpact& impact : log.impacts) {
        EXPECT_GE(impact.meeting.time, 0);
        EXPECT_LE(impact.meeting.time, 1);
        EXPECT_NEAR(norm(impact.meeting.normal), 1, 1e-12);
    }
}

TEST(Bridson, SameBitsForAnyBroadPhaseAndNumberOfThreads)
{
    const auto end = [](const std::string& broad, int threads) {
        set_thread_count(threads);
        World w = world_of(two_sheets(fmt::format(R"("broad_phase": "{}")", broad)));
        has_crossed(w, 0.05);
        set_thread_count(0);
        return w.state.x;
    };
    const auto trees = end("trees", 1);
    EXPECT_EQ(end("trees", 2), trees);
    EXPECT_EQ(end("hash", 2), trees);
    EXPECT_EQ(end("all_pairs", 1), trees);
}

// ---- zones ----------------------------------------------------------------------------------------------------------

TEST(ImpactZones, MoveRigidlyWithTheMomentaOfTheirMembers)
{
    World w = world_of(two_sheets(R"("enabled": true)"));
    State to = w.state;
    const double h = 0.01;
    for (std::int32_t i = 0; i < w.model->free_count; ++i) {
        to.v[i] = {0.3 * std::sin(i), 0.5 * std::cos(3.0 * i), 0.2 * std::sin(7.0 * i)};
        to.x[i] = w.state.x[i] + to.v[i] * h;
    }
    ImpactZones zones;
    zones.begin(to, *w.model, w.state);
    for (std::int32_t i = 1; i < 7; ++i) EXPECT_TRUE(zones.join(0, i));
    EXPECT_FALSE(zones.join(3, 5));
    State end = to;
    ASSERT_LT(zones.move(end, h), 0);
    Vec3 way, moved, momentum, after, angular, angular_after;
    for (std::int32_t i = 0; i < 7; ++i) {
        const double m = w.model->mass[i];
        way += (to.x[i] - w.state.x[i]) * m, moved += (end.x[i] - w.state.x[i]) * m;
        momentum += to.v[i] * m, after += end.v[i] * m;
        angular += cross(to.x[i], to.v[i]) * m, angular_after += cross(end.x[i], end.v[i]) * m;
        for (std::int32_t j = 0; j < i; ++j)
            EXPECT_NEAR(norm(end.x[i] - end.x[j]), norm(w.state.x[i] - w.state.x[j]), 1e-12);
    }
    EXPECT_LT(norm(moved - way), 1e-14);
    EXPECT_LT(norm(after - momentum), 1e-14);
    EXPECT_LT(norm(angular_after - angular), 1e-9 * norm(angular) + 1e-12);
    for (std::int32_t i = 7; i < w.model->free_count; ++i) EXPECT_EQ(end.x[i], to.x[i]);
}

}  // namespace
}  // namespace pliant
