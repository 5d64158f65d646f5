// SPDX-License-Identifier: MIT

// The guarantee of response barrier, alone: whatever way is proposed, what make_safe() leaves of it crosses nothing, by the
// word of the independent judge, which decides exactly. And it leaves all of a way that meets nothing.

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "response/barrier_probe.h"

namespace pliant {
namespace {

using test::BarrierProbe, test::random_vector;

// ---- scenes ---------------------------------------------------------------------------------------------------------

constexpr double kEdge = 0.05;  // [m] of all meshes, about

std::string scene_of(const std::string& bodies, const std::string& colliders = "")
{
    return fmt::format(
        R"({{ "world": {{ "gravity": [0, 0, 0] }}, "solver": {{ "kind": "implicit_euler", "step": 0.01 }},
        "contact": {{ "response": "barrier" }}, "bodies": {{ {} }}, "colliders": {{ {} }} }})",
        bodies, colliders);
}

std::string sheet(const std::string& name, int n, const Vec3& at, double degrees = 0)
{
    return fmt::format(
        R"("{}": {{ "kind": "cloth", "mesh": {{ "grid": [{}, {}], "size": [{}, {}], "rotate_degrees": {} }},
        "position": [{}, {}, {}], "cloth": {{ "density": 0.2, "stretch": 500, "bend": 1e-5 }} }})",
        name, n, n, kEdge * (n - 1), kEdge * (n - 1), degrees, at.x, at.y, at.z);
}

std::string rigid_box(const std::string& name, const Vec3& at)
{
    return fmt::format(R"("{}": {{ "kind": "rigid", "box": [0.1, 0.06, 0.08], "position": [{}, {}, {}], "mass": 1 }})",
                       name, at.x, at.y, at.z);
}

constexpr const char* kBall = R"("ball": { "kind": "cloth", "mesh": { "icosphere": 0, "radius": 0.08 },
    "position": [0, 0.12, 0], "cloth": { "density": 0.2, "stretch": 500, "bend": 1e-5 } })";
constexpr const char* kBlock =
    R"("block": { "kind": "solid", "mesh": { "tet_block": [1, 1, 1], "size": [0.1, 0.05, 0.1] },
    "position": [0, -0.1, 0], "material": { "young": 2e4, "poisson": 0.3, "density": 300 } })";

// Rows alternate between two heights: a zigzag with steep flanks.
void fold(BarrierProbe& probe)
{
    const auto n = static_cast<std::size_t>(std::lround(std::sqrt(probe.model().free_count)));
    for (std::size_t i = 0; i < n * n; ++i) {
        Vec3& p = probe.x()[i];
        p = {0.3 * p.x, i % n % 2 == 0 ? 0 : kEdge, p.z};
    }
}

struct Case {
    const char* name;
    std::string text;
    std::function<void(BarrierProbe&)> prepare = [](BarrierProbe&) {};
    bool planes_move = false;
};

std::vector<Case> all_cases()
{
    return {{"sheet", scene_of(sheet("a", 6, {}))},
            {"folded_sheet", scene_of(sheet("a", 7, {})), fold},
            {"sheet_far_away", scene_of(sheet("a", 6, {900, -700, 800}))},
            {"sheets", scene_of(sheet("a", 6, {}) + ", " + sheet("b", 5, {0.01, 0.02, 0}, 30))},
            {"sheet_and_closed", scene_of(sheet("a", 5, {}) + ", " + kBall + ", " + kBlock)},
            {"rigid_bodies", scene_of(rigid_box("a", {}) + ", " + rigid_box("b", {0.02, 0.08, 0.01}) + ", " +
                                      rigid_box("c", {-0.12, 0.03, 0}))},
            {"rigid_and_sheet", scene_of(sheet("s", 6, {0, 0.1, 0}) + ", " + rigid_box("a", {}) + ", " +
                                         rigid_box("b", {0.05, 0.16, 0.02}))},
            {"collider",
             scene_of(sheet("a", 6, {0, 0.05, 0}), R"("post": { "mesh": { "icosphere": 1, "radius": 0.04 } })")},
            {"standing_plane", scene_of(sheet("a", 6, {}) + ", " + rigid_box("b", {0, 0.1, 0}),
                                        R"("floor": { "plane": [0, 1, 0, -0.03] })")},
            {"moving_planes",
             scene_of(sheet("a", 6, {}) + ", " + rigid_box("b", {0, 0.1, 0}),
                      R"("floor": { "plane": [0, 1, 0, -0.03] }, "wall": { "plane": [1, 0, 0, -0.2] })"),
             [](BarrierProbe&) {}, true}};
}

// ---- ways -----------------------------------------------------------------------------------------------------------

enum class Way { noise, common, slam };

Vec3 middle_of(std::span<const Vec3> x)
{
    Vec3 sum;
    for (const Vec3& p : x) sum += p;
    return sum / static_cast<double>(x.size());
}

// Positions of all points that somebody might propose; lengths of about `size` [m].
std::vector<Vec3> proposal(BarrierProbe& probe, Way kind, double size, bool planes_move, std::mt19937& random)
{
    std::vector<Vec3> x = probe.x();
    const Model& model = probe.model();
    const auto free = static_cast<std::size_t>(model.free_count);
    const Vec3 middle = middle_of(free > 0 ? std::span(x).first(free) : std::span(x).last(model.bound.size()));
    const Vec3 common = random_vector(random, size);
    const double closer = std::min(2.0, size / kEdge);
    const auto way_of = [&](const Vec3& p) {
        if (kind == Way::noise) return random_vector(random, size);
        if (kind == Way::common) return common + random_vector(random, 0.1 * size);
        return (middle - p) * closer + random_vector(random, 0.01 * size);
    };
    for (std::size_t i = 0; i < free; ++i) x[i] += way_of(x[i]);
    for (const Body& body : model.bodies) {
        if (!body.is_rigid()) continue;
        const bool is_plane = body.shape >= 0 && model.shapes[body.shape].kind == ShapeKind::plane;
        if (body.kind == BodyKind::collider && !(is_plane && planes_move)) continue;
        const Vec3 centre = x[model.frame_node(body.frame)];
        const double turn = std::min(1.0, size / kEdge);
        probe.move_frame(x, body.frame, is_plane ? random_vector(random, size) : way_of(centre),
                         random_vector(random, turn));
    }
    probe.follow_frames(x);
    return x;
}

struct Outcome {
    int rounds = 0, crossed = 0, would_cross = 0, prefixes_crossed = 0, stuck = 0;
    double least_share = 1;
};

// Goes along ways of chance from wherever the last one ended, and asks the judge after each.
Outcome torture(BarrierProbe& probe, bool planes_move, unsigned seed, int rounds)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> part(0, 1);
    Outcome outcome;
    probe.contacts().begin_step(probe.state(), 1.0 / 60);
    for (int i = 0; i < rounds; ++i) {
        const Way kind = static_cast<Way>(random() % 3);
        const double size = kEdge * std::pow(10.0, -4 + 6 * part(random));
        std::vector<Vec3> to = proposal(probe, kind, size, planes_move, random);
        outcome.would_cross += probe.crossings(to) > 0 ? 1 : 0;
        const double share = probe.contacts().make_safe(probe.x(), to);
        EXPECT_GE(share, 0);
        EXPECT_LE(share, 1);
        outcome.least_share = std::min(outcome.least_share, share);
        outcome.stuck += share == 0 ? 1 : 0;
        const double t = part(random);
        std::vector<Vec3> between(to.size());
        for (std::size_t p = 0; p < to.size(); ++p) between[p] = probe.x()[p] + (to[p] - probe.x()[p]) * t;
        outcome.prefixes_crossed += probe.crossings(between) > 0 ? 1 : 0;
        ++outcome.rounds;
        outcome.crossed += probe.crossings(to) > 0 ? 1 : 0;
        if (outcome.crossed > 0) break;
        probe.x() = to;
    }
    return outcome;
}

struct SafeCase {
    std::size_t scene;
    WayLimit limit;
};
class MakeSafe : public testing::TestWithParam<SafeCase> {};

TEST_P(MakeSafe, LeavesNothingCrossingWhateverIsProposed)
{
    const Case scene = all_cases()[GetParam().scene];
    int would_cross = 0, rounds = 0;
    for (unsigned seed = 1; seed <= 2; ++seed) {
        BarrierProbe probe(scene.text);
        scene.prepare(probe);
        ASSERT_EQ(probe.crossings(probe.x()), 0U);
        probe.state().contact.limit = GetParam().limit;
        const Outcome outcome = torture(probe, scene.planes_move, seed, 40);
        EXPECT_EQ(outcome.crossed, 0) << "seed " << seed << ", round " << outcome.rounds;
        EXPECT_EQ(outcome.prefixes_crossed, 0) << "seed " << seed << ", round " << outcome.rounds;
        would_cross += outcome.would_cross, rounds += outcome.rounds;
    }
    // Otherwise nothing was tested.
    EXPECT_GT(would_cross, rounds / 8);
}

std::vector<SafeCase> all_safe_cases()
{
    std::vector<SafeCase> cases;
    for (std::size_t scene = 0; scene < all_cases().size(); ++scene)
        for (const WayLimit limit : {WayLimit::whole_way, WayLimit::each_vertex}) cases.push_back({scene, limit});
    return cases;
}

INSTANTIATE_TEST_SUITE_P(Barrier, MakeSafe, testing::ValuesIn(all_safe_cases()), [](const auto& c) {
    return std::string(all_cases()[c.param.scene].name) + "_" + std::string(name_of(c.param.limit));
});

// ---- the same way again and again -----------------------------------------------------------------------------------

// Gaps shrink by a share each time: they must never end in rounding.
class SlamAgain : public testing::TestWithParam<SafeCase> {};

TEST_P(SlamAgain, KeepsAGapHoweverOften)
{
    const Case scene = all_cases()[GetParam().scene];
    BarrierProbe probe(scene.text);
    scene.prepare(probe);
    probe.state().contact.limit = GetParam().limit;
    probe.contacts().begin_step(probe.state(), 1.0 / 60);
    std::mt19937 random(7);
    int would_cross = 0;
    for (int i = 0; i < 40; ++i) {
        std::vector<Vec3> to = proposal(probe, Way::slam, kEdge, scene.planes_move, random);
        would_cross += probe.crossings(to) > 0 ? 1 : 0;
        probe.contacts().make_safe(probe.x(), to);
        ASSERT_EQ(probe.crossings(to), 0U) << "slam " << i;
        probe.x() = to;
    }
    EXPECT_GT(would_cross, 0) << "otherwise nothing was tested";
}

INSTANTIATE_TEST_SUITE_P(Barrier, SlamAgain, testing::ValuesIn(all_safe_cases()), [](const auto& c) {
    return std::string(all_cases()[c.param.scene].name) + "_" + std::string(name_of(c.param.limit));
});

// A plane and a vertex over it go up together, and something near holds the vertex back.
TEST(MakeSafeAlone, APlaneDoesNotPassAVertexThatIsHeldBack)
{
    for (const WayLimit limit : {WayLimit::whole_way, WayLimit::each_vertex}) {
        BarrierProbe probe(scene_of(sheet("a", 4, {}) + ", " + sheet("b", 4, {0.01, 1e-4, 0.01}),
                                    R"("floor": { "plane": [0, 1, 0, -0.002] })"));
        probe.state().contact.limit = limit;
        probe.contacts().begin_step(probe.state(), 1.0 / 60);
        std::vector<Vec3> to = probe.x();
        for (Vec3& p : to) p.y += 0.01;
        for (const Body& body : probe.model().bodies)  // axes do not move
            if (body.is_rigid())
                for (std::int32_t k = 1; k < 4; ++k) to[probe.model().frame_node(body.frame) + k].y -= 0.01;
        probe.contacts().make_safe(probe.x(), to);
        EXPECT_EQ(probe.crossings(to), 0U) << name_of(limit);
    }
}

// ---- what meets nothing ---------------------------------------------------------------------------------------------

TEST(MakeSafeAlone, LeavesAllOfACommonWayHoweverLong)
{
    for (const double size : {1e-3, 0.3, 30.0, 3000.0}) {
        BarrierProbe probe(scene_of(sheet("a", 8, {}) + ", " + sheet("b", 8, {0, 0.5, 0})));
        probe.contacts().begin_step(probe.state(), 1.0 / 60);
        std::vector<Vec3> to = probe.x();
        for (Vec3& p : to) p += Vec3{0.3, -0.8, 0.5} * size;
        const std::vector<Vec3> asked = to;
        EXPECT_EQ(probe.contacts().make_safe(probe.x(), to), 1) << size;
        EXPECT_EQ(to, asked);
    }
}

TEST(MakeSafeAlone, LeavesAllOfATurnOfASheetThatMeetsNothing)
{
    BarrierProbe probe(scene_of(sheet("a", 8, {})));
    probe.contacts().begin_step(probe.state(), 1.0 / 60);
    for (int i = 0; i < 20; ++i) {
        std::vector<Vec3> to = probe.x();
        const Mat3 turn = rotation_matrix({1, 2, 0.5}, 0.3);
        for (Vec3& p : to) p = turn * p;
        EXPECT_EQ(probe.contacts().make_safe(probe.x(), to), 1);
        probe.x() = to;
    }
}

// ---- what a way would have met ----------------------------------------------------------------------------------------

// A slanted sheet comes down on a flat one: where it meets it first stops the way, the rest of it is expected to follow.
class ExpectedPairs : public testing::Test {
protected:
    using Rows = BarrierContacts::Rows;

    ExpectedPairs() : probe(scene_of(sheet("flat", 6, {}) + ", " + sheet("slanted", 6, {0.01, 0.06, 0.02}, 20)))
    {
        for (std::int32_t i = half(); i < probe.model().free_count; ++i) probe.x()[i].y += 0.3 * probe.x()[i].x;
        contacts().begin_step(probe.state(), 1.0 / 60);
        EXPECT_LT(move(-0.2), 1);
    }

    std::int32_t half() const { return probe.model().free_count / 2; }
    BarrierContacts& contacts() { return probe.contacts(); }

    double move(double up)
    {
        std::vector<Vec3> to = probe.x();
        for (std::int32_t i = half(); i < probe.model().free_count; ++i) to[i].y += up;
        const double share = contacts().make_safe(probe.x(), to);
        probe.x() = to;
        return share;
    }

    // Those that pull, each looked at.
    std::size_t count_expected()
    {
        contacts().evaluate(probe.x(), Rows::expected_as_well);
        std::size_t count = 0;
        for (const BarrierRow& row : contacts().rows()) {
            if (row.pull == Vec3{}) continue;
            ++count;
            Vec3 apart;
            for (std::size_t k = 0; k < 4; ++k)
                if (row.at.vertex[k] >= 0) apart += probe.x()[row.at.vertex[k]] * row.at.weight[k];
            EXPECT_EQ(row.force, Vec3{}) << "nothing touches there";
            EXPECT_LT(dot(row.pull, apart), 0) << "towards each other, as far as the thickness";
            EXPECT_GT(dot(row.stiffness * apart, apart), 0);
        }
        return count;
    }

    BarrierProbe probe;
};

TEST_F(ExpectedPairs, AreRowsOfTheirOwnWithoutForceAndEnergy)
{
    EXPECT_GT(count_expected(), 3U);
    const double energy = contacts().energy();
    const std::size_t all = contacts().rows().size();
    contacts().evaluate(probe.x());
    EXPECT_EQ(contacts().energy(), energy);
    EXPECT_LT(contacts().rows().size(), all);
    for (const BarrierRow& row : contacts().rows()) EXPECT_EQ(row.pull, Vec3{});
}

TEST_F(ExpectedPairs, AreLetGoByAWayThatStaysApart)
{
    ASSERT_GT(count_expected(), 0U);
    EXPECT_EQ(move(0.01), 1);
    EXPECT_EQ(count_expected(), 0U);
}

TEST_F(ExpectedPairs, StayOnAWayThatBringsThemTogether)
{
    const std::size_t before = count_expected();
    EXPECT_LT(move(-0.2), 1);
    EXPECT_GT(count_expected(), before / 2);
}

TEST_F(ExpectedPairs, AreForgottenWhenAStepBegins)
{
    ASSERT_GT(count_expected(), 0U);
    contacts().begin_step(probe.state(), 1.0 / 60);
    EXPECT_EQ(count_expected(), 0U);
}

// ---- planes ---------------------------------------------------------------------------------------------------------

// From 0.1 m above the plane down to what is kept of its thickness, some millimetres.
TEST(MakeSafeAlone, StopsAFallingSheetJustAboveThePlane)
{
    BarrierProbe probe(scene_of(sheet("a", 8, {0, 0.1, 0}), R"("floor": { "plane": [0, 1, 0, 0] })"));
    probe.contacts().begin_step(probe.state(), 1.0 / 60);
    std::vector<Vec3> to = probe.x();
    for (std::int32_t i = 0; i < probe.model().free_count; ++i) to[i].y -= 1;
    const double share = probe.contacts().make_safe(probe.x(), to);
    ContactBodies bodies;
    bodies.look(probe.model(), probe.state());
    const double thickness = bodies.half[0] + bodies.half[static_cast<std::size_t>(probe.model().shapes[0].body)];
    EXPECT_NEAR(share, 0.1 - kSafeSeparation * thickness, 1e-9);
}

}  // namespace
}  // namespace pliant
