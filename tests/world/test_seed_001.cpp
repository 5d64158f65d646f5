// SPDX-License-Identifier: MIT

// Experiments of seed 001 (dpoSimulator), rows E-05 to E-17 of its dossier: what its displays of contacts showed, as checks on the log of a step.
// What a scene can say alone is in its `expect`. E-01 to E-04 are in tests/contact, E-18 in test_motion.cpp, E-19 in test_seed_003.cpp.
// References: seeds/001 section 7.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <pliant/contact/contact_log.h>
#include <pliant/response/bridson_scratch.h>
#include <pliant/world/intersection_measure.h>

#include "world/small_scenes.h"

namespace pliant {
namespace {

using Overrides = std::vector<Override>;

World scene_world(const std::string& name, const Overrides& overrides)
{
    World w = build(load_scene(std::string(PLIANT_SCENES) + "/" + name + ".json", overrides));
    w.scratch.contact_log = std::make_shared<ContactLog>();
    return w;
}

World cloth_on_table()
{
    return scene_world("cloth_on_table", {{"bodies.cloth.mesh.grid", "[16, 16]"}});
}

// A small cloth 10 mm above a table, larger than it on two sides: lands, and hangs over the rim.
World landing(const Overrides& overrides)
{
    return test::world_of(R"({ "world": { "frame_rate": 100 },
        "solver": { "kind": "linearly_implicit_euler", "step": 0.01, "substeps": 1 },
        "contact": { "response": "bridson" },
        "bodies": { "cloth": { "kind": "cloth", "mesh": { "grid": [10, 10], "size": [0.5, 0.5] },
            "position": [0.2, 0.76, 0.1], "thickness": 0.003, "friction": 0.4,
            "cloth": { "model": "baraff_witkin", "density": 0.05, "stretch": 50, "poisson": 0, "shear": 10,
                       "bend": 1e-5, "damping_time": 0.2 } } },
        "colliders": { "table": { "mesh": { "table": [8, 2], "size": [0.6, 0.75, 0.4] } } } })",
                          overrides);
}

/// Steps of the solver until `done` or the time is over; false in the second case.
bool run_until(World& w, double end, const std::function<bool()>& done)
{
    const double h = w.state.solver.step;
    // Whole multiples of the step: sums of steps would leave splinters before inputs.
    for (auto n = std::lround(w.state.time / h) + 1; static_cast<double>(n) * h < end + 1e-9; ++n) {
        const StepReport report = step_to(w, static_cast<double>(n) * h);
        EXPECT_FALSE(report.failed()) << explain(report.issue, *w.model);
        if (report.failed()) return false;
        if (done()) return true;
    }
    return false;
}

void run(World& w, double end)
{
    run_until(w, end, [] { return false; });
}

/// Edges through faces by the independent checker.
std::size_t crossings(const World& w, std::span<const Vec3> x)
{
    const AuditSurfaces surfaces = audit_surfaces(w.model->topology);
    IntersectionSearch search(surfaces);
    Intersections found;
    EXPECT_TRUE(search.find(found, x));
    return found.count();
}

double kinetic(const World& w)
{
    double sum = 0;
    for (std::int32_t i = 0; i < w.model->free_count; ++i) sum += 0.5 * w.model->mass[i] * norm2(w.state.v[i]);
    return sum;
}

bool is_vertex_face(const SurfacePair& pair)
{
    return pair.kind == PairKind::vertex_face;
}

std::array<std::int32_t, 2> bodies_of(const World& w, const SurfacePair& pair)
{
    const CollisionSurface& s = w.model->contact_surface;
    return is_vertex_face(pair) ? std::array{s.vertex_body[pair.a], s.face_body[pair.b]}
                                : std::array{s.edge_body[pair.a], s.edge_body[pair.b]};
}

bool is_self(const World& w, const SurfacePair& pair)
{
    const auto bodies = bodies_of(w, pair);
    return bodies[0] == bodies[1];
}

bool is_within_thickness(const Meeting& m)
{
    return m.distance <= m.thickness;
}

/// Contacts with another body within the thickness at the start of the last step.
struct ContactCount {
    int edge_edge = 0, vertex_face = 0, corners = 0;  // corners: a vertex of the table against a face of the cloth
};

ContactCount count_contacts(const World& w)
{
    ContactCount count;
    for (const Meeting& m : w.scratch.contact_log->near) {
        if (!is_within_thickness(m) || is_self(w, m.pair)) continue;
        ++(is_vertex_face(m.pair) ? count.vertex_face : count.edge_edge);
        if (is_vertex_face(m.pair) && bodies_of(w, m.pair)[0] != 0) ++count.corners;
    }
    return count;
}

// ---- E-05, E-06: hanging_cloth_2 ------------------------------------------------------------------------------------

// Sixteen vertices a row; the pins hold the ends of the diagonal, 0 and 255. How far a vertex is on one side of it.
int side_of_diagonal(std::int32_t vertex)
{
    return vertex % 16 - vertex / 16;
}

/// A vertex of one lower corner against a face of the other.
bool is_of_both_corners(const Meeting& m)
{
    const auto is_right = [](std::int32_t v) { return side_of_diagonal(v) > 7; };
    const auto is_left = [](std::int32_t v) { return side_of_diagonal(v) < -7; };
    const auto face = std::span(m.point).subspan(1);
    return is_vertex_face(m.pair) && ((is_right(m.point[0]) && std::all_of(face.begin(), face.end(), is_left)) ||
                                      (is_left(m.point[0]) && std::all_of(face.begin(), face.end(), is_right)));
}

TEST(Seed001, E05LowerCornersRunIntoEachOtherAndNothingCrosses)
{
    World w = scene_world("hanging_cloth_2", {});
    const auto start = w.state.x;
    const ContactLog& log = *w.scratch.contact_log;
    bool crossed = false, corners_meet = false;
    run_until(w, 0.75, [&] {
        for (const LoggedImpact& impact : log.impacts) corners_meet |= is_of_both_corners(impact.meeting);
        if (!log.impacts.empty()) crossed |= crossings(w, w.state.x) > 0;
        return false;
    });
    EXPECT_TRUE(corners_meet);
    EXPECT_FALSE(crossed);
    EXPECT_EQ(w.state.x[0], start[0]);
    EXPECT_EQ(w.state.x[255], start[255]);
    EXPECT_LT(norm(w.state.x[15] - w.state.x[240]), 0.1);
    EXPECT_LT(w.state.x[15].y, start[15].y - 0.5);
}

TEST(Seed001, E06MeshesOfTheRoundsDifferOnlyWhereTheCornersMeet)
{
    World w = scene_world("hanging_cloth_2", {});
    const ContactLog& log = *w.scratch.contact_log;
    ASSERT_TRUE(run_until(w, 1, [&] { return !log.impacts.empty(); }));
    ASSERT_GE(log.rounds.size(), 2U);
    EXPECT_GT(crossings(w, log.rounds.front()), 0U);
    EXPECT_EQ(crossings(w, log.rounds.back()), 0U);
    int changed = 0;
    for (std::size_t i = 0; i < log.start.size(); ++i) {
        if (norm(log.rounds.back()[i] - log.rounds.front()[i]) < 1e-5) continue;
        ++changed;
        EXPECT_LT(log.start[i].y, 0.9) << i;
    }
    EXPECT_GT(changed, 0);
    EXPECT_LT(changed, 128);
}

// ---- E-07 to E-10, E-17: cloth_on_table -----------------------------------------------------------------------------

TEST(Seed001, E07PinnedStandLowerFallAndTouchedArePulledUp)
{
    World w = cloth_on_table();
    const auto start = w.state.x;
    const auto free = static_cast<std::size_t>(w.model->free_count);
    std::vector<bool> touched(free, false);
    bool pulled_up = false;
    run_until(w, 1, [&] {
        bool some_rise = false, some_fall = false;
        for (std::size_t i = 0; i < free; ++i) {
            some_rise |= touched[i] && w.state.v[i].y > 0.01;
            some_fall |= !touched[i] && w.state.v[i].y < -0.1;
        }
        pulled_up |= some_rise && some_fall;
        for (const Meeting& m : w.scratch.contact_log->near)
            for (const std::int32_t p : m.point)
                if (is_within_thickness(m) && p < w.model->free_count) touched[static_cast<std::size_t>(p)] = true;
        return false;
    });
    EXPECT_TRUE(pulled_up);
    // The pins are corners of the last row; the table is all that is bound.
    for (const std::int32_t pin : {240, 255}) {
        EXPECT_EQ(w.state.v[pin], Vec3{});
        EXPECT_EQ(w.state.x[pin], start[pin]);
    }
    for (std::size_t i = free; i < start.size(); ++i) ASSERT_EQ(w.state.x[i], start[i]) << i;
}

TEST(Seed001, E08NarrowIsFarBelowBroadAndEdgesDominateOverARim)
{
    World w = cloth_on_table();
    run(w, 1.4);
    const ContactCount count = count_contacts(w);
    const std::size_t broad = w.scratch.contact_log->broad.size();
    const int narrow = count.edge_edge + count.vertex_face;
    // The thesis: 13 edges on the rim, and a corner of the table.
    EXPECT_GT(count.edge_edge, 8 * count.vertex_face);
    EXPECT_GE(count.edge_edge, 8);
    EXPECT_LE(count.edge_edge, 20);
    EXPECT_EQ(count.corners, count.vertex_face);
    EXPECT_LT(static_cast<double>(narrow), 0.03 * static_cast<double>(broad));
    bool had_corner = count.corners > 0;
    run_until(w, 1.6, [&] { return had_corner |= count_contacts(w).corners > 0; });
    EXPECT_TRUE(had_corner);
}

TEST(Seed001, E09AFlatClothHasFalsePairsOnlyAndOnlyWithItself)
{
    World w = cloth_on_table();
    run(w, 0.01);
    const ContactLog& log = *w.scratch.contact_log;
    EXPECT_GT(log.broad.size(), 100U);
    for (const BroadPair& pair : log.broad)
        for (const std::int32_t point : pair.point) EXPECT_TRUE(w.model->bodies[0].owns_point(point));
    EXPECT_TRUE(log.near.empty());
    EXPECT_TRUE(log.impacts.empty());
}

TEST(Seed001, E10TheUncorrectedStatePenetratesAndTheAcceptedOneDoesNot)
{
    World w = cloth_on_table();
    const ContactLog& log = *w.scratch.contact_log;
    bool corner = false;
    ASSERT_TRUE(run_until(w, 0.5, [&] {
        for (const LoggedImpact& impact : log.impacts)
            corner |= is_vertex_face(impact.meeting.pair) && bodies_of(w, impact.meeting.pair)[0] != 0;
        return corner;
    })) << "the corner of the table meets a face of the cloth";
    EXPECT_GT(crossings(w, log.uncorrected), 0U);
    EXPECT_EQ(crossings(w, w.state.x), 0U);
    EXPECT_EQ(log.rounds.back(), w.state.x);
}

TEST(Seed001, E17BoxesOfTheTreesNestAndSeparateWithDepth)
{
    World w = cloth_on_table();
    run(w, 0.35);  // its free edge is below the rim, the rest not yet on it
    const TriangleTrees& trees = w.scratch.bridson->search.trees();
    const auto cloth = trees.boxes(0), table = trees.boxes(1);
    ASSERT_EQ(cloth.size(), 2 * 450 - 1U);
    const auto overlap = [](const TreeBox& a, const TreeBox& b) {
        return a.lowest.x <= b.highest.x && b.lowest.x <= a.highest.x && a.lowest.y <= b.highest.y &&
               b.lowest.y <= a.highest.y && a.lowest.z <= b.highest.z && b.lowest.z <= a.highest.z;
    };
    std::size_t leaf_pairs = 0, leaves = 0;
    for (const TreeBox& a : cloth) {
        EXPECT_TRUE(cloth.front().lowest.x <= a.lowest.x && a.highest.y <= cloth.front().highest.y);
        leaves += a.is_leaf ? 1 : 0;
        for (const TreeBox& b : table) leaf_pairs += a.is_leaf && b.is_leaf && overlap(a, b) ? 1 : 0;
    }
    EXPECT_EQ(leaves, 450U);
    EXPECT_EQ(cloth.front().depth, 0);
    EXPECT_TRUE(overlap(cloth.front(), table.front()));
    EXPECT_LT(leaf_pairs, leaves * (table.size() + 1) / 2000);
}

// ---- E-12, E-15: thickness ------------------------------------------------------------------------------------------

TEST(Seed001, E12AShirtIsLedExactlyAndRestsWithinHalfItsThickness)
{
    World w = scene_world("shirt_on_table", {{"bodies.shirt.mesh.t_shirt", "8"}, {"world.duration", "2"}});
    const std::vector<std::int32_t> hands = w.model->pins[0].nodes;
    ASSERT_EQ(hands.size(), 4U);
    const auto start = w.state.x;
    bool legs_met = false;
    const auto look_at_legs = [&] {
        for (const Meeting& m : w.scratch.contact_log->near)
            for (const std::int32_t p : m.point) legs_met |= p >= w.model->free_count && w.state.x[p].y < 0.7;
        return false;
    };
    run_until(w, 0.5, look_at_legs);
    // Halfway in time is halfway in space; no more force of the table moves a hand.
    for (const std::int32_t i : hands) EXPECT_LT(norm(w.state.x[i] - start[i] - Vec3{0.05, -0.095, 0}), 1e-12);
    run_until(w, 1, look_at_legs);
    for (const std::int32_t i : hands) EXPECT_LT(norm(w.state.x[i] - start[i] - Vec3{0.1, -0.19, 0}), 1e-12);
    run_until(w, 1.7, look_at_legs);
    EXPECT_FALSE(legs_met);
    const std::int64_t hits = w.state.tally.hits;
    run(w, 2);
    EXPECT_EQ(w.state.tally.hits, hits) << "no collisions are left to solve at rest";
    const auto free = std::span(w.state.x).first(static_cast<std::size_t>(w.model->free_count));
    const double low =
        std::min_element(free.begin(), free.end(), [](const Vec3& a, const Vec3& b) { return a.y < b.y; })->y;
    EXPECT_GT(low, 0.75 + 0.0005);
    EXPECT_LE(low, 0.75 + 0.0015 + 1e-9);
    EXPECT_LT(kinetic(w), 1e-5);
}

TEST(Seed001, E15SilkIsKeptHalfItsThicknessFromWhatIsRigid)
{
    World w = landing({{"bodies.cloth.thickness", "0.0005"}, {"bodies.cloth.position", "[0, 0.7501, 0]"}});
    w.scratch.contact_log = std::make_shared<ContactLog>();
    run(w, 0.01);
    const ContactLog& log = *w.scratch.contact_log;
    ASSERT_FALSE(log.near.empty());
    for (const Meeting& m : log.near) EXPECT_NEAR(m.thickness, is_self(w, m.pair) ? 0.0005 : 0.00025, 1e-6);
}

// ---- E-13: what the contact stage is good for -----------------------------------------------------------------------

// A cloth that falls flat and lies on the table with all of it.
World lying(const Overrides& more)
{
    Overrides overrides{{"bodies.cloth.position", "[0, 0.78, 0]"}, {"bodies.cloth.mesh.size", "[0.3, 0.3]"}};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return landing(overrides);
}

/// Rounds of impulses from 0.3 s to 0.5 s, twenty steps.
std::int64_t rounds_at_rest(const Overrides& overrides)
{
    World w = lying(overrides);
    run(w, 0.3);
    const std::int64_t before = w.state.tally.rounds;
    run(w, 0.5);
    return w.state.tally.rounds - before;
}

TEST(Seed001, E13RepulsionLeavesNoCollisionsToSolveAtRest)
{
    EXPECT_EQ(rounds_at_rest({}), 0);
    EXPECT_GE(rounds_at_rest({{"contact.repulsion", "false"}}), 20) << "every step has them all to solve";
}

// Steps that go less far than the thickness come near before they cross.
TEST(Seed001, E13ShorterStepsLeaveFewerCollisions)
{
    World coarse = lying({}), fine = lying({{"solver.step", "0.002"}});
    run(coarse, 0.2), run(fine, 0.2);
    EXPECT_GT(coarse.state.tally.hits, 50);
    EXPECT_LT(fine.state.tally.hits, coarse.state.tally.hits / 4);
}

// ---- E-14: velocities after contact ---------------------------------------------------------------------------------

struct Swing {
    double early = 0, late = 0;  // [J]
};

Swing swing_of(const std::string& update)
{
    World w = landing({{"contact.velocity_update", update}});
    run(w, 0.25);
    const double early = kinetic(w);
    run(w, 1.25);
    return {early, kinetic(w)};
}

TEST(Seed001, E14ConstantAccelerationFeedsTheMotionImplicitLetsItDie)
{
    const Swing unstable = swing_of("constant_acceleration");
    const Swing implicit = swing_of("implicit");
    const Swing impulses = swing_of("impulses");
    EXPECT_GT(unstable.late, 3 * unstable.early);
    EXPECT_LT(implicit.late, 0.1 * implicit.early);
    EXPECT_LT(impulses.late, 0.1 * impulses.early);
    EXPECT_GT(unstable.late, 100 * implicit.late);
}

// Neighbours alternate in sign: what the thesis saw in its arrows.
TEST(Seed001, E14VelocitiesOfConstantAccelerationAlternateFromStepToStep)
{
    World w = landing({{"contact.velocity_update", "constant_acceleration"}});
    run(w, 1);
    const auto before = w.state.v;
    run(w, 1.01);
    double product = 0, squares = 0;
    for (std::int32_t i = 0; i < w.model->free_count; ++i) {
        product += dot(before[i], w.state.v[i]);
        squares += norm2(before[i]);
    }
    EXPECT_LT(product, -0.5 * squares);
}

}  // namespace
}  // namespace pliant
