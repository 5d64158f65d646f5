// SPDX-License-Identifier: MIT

// Untangling: each case is judged once more by a search of its own, and by what had to stay as it was.

#include <pliant/world/untangle.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include <pliant/base/error.h>
#include <pliant/base/parallel.h>
#include <pliant/contact/brute_force_pairs.h>
#include <pliant/contact/distance.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/transform.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>
#include <pliant/world/crossing_contours.h>

namespace pliant {
namespace {

constexpr double kPi = std::numbers::pi;

/// Bodies in one index space, before and after.
struct Tangle {
    std::vector<Vec3> x, start;
    AuditSurfaces surfaces;
    std::vector<UntangleMotion> motion;
    std::vector<std::uint8_t> held;
    std::vector<AuditPlane> planes;

    void add(const TriMesh& mesh, UntangleMotion how = UntangleMotion::vertices)
    {
        const auto first = static_cast<std::int32_t>(x.size());
        std::vector<Triangle> faces = mesh.triangles;
        std::vector<Edge> lines = mesh.lines;
        for (Triangle& face : faces)
            for (std::int32_t& v : face) v += first;
        for (Edge& line : lines)
            for (std::int32_t& v : line) v += first;
        surfaces.add({first, static_cast<std::int32_t>(mesh.vertices.size()), faces, lines, false});
        x.insert(x.end(), mesh.vertices.begin(), mesh.vertices.end());
        held.resize(x.size(), 0);
        motion.push_back(how);
    }

    std::size_t intersections() const
    {
        Intersections found;
        EXPECT_TRUE(IntersectionSearch(surfaces).find(found, x, planes));
        return found.count();
    }

    UntangleReport run(double gap, int rounds = UntangleOptions{}.rounds)
    {
        start = x;
        const std::size_t before = intersections();
        const UntangleReport report =
            untangle(x, {.surfaces = surfaces, .motion = motion, .held = held, .planes = planes}, {gap, rounds});
        EXPECT_EQ(report.before, before);
        EXPECT_EQ(report.left.count(), intersections());
        EXPECT_LE(report.rounds, rounds);
        double largest = 0;
        for (std::size_t v = 0; v < x.size(); ++v) largest = std::max(largest, norm(x[v] - start[v]));
        EXPECT_EQ(report.largest_move, largest);
        return report;
    }

    /// The smallest distance of elements that share no vertex, at most `reach`, by looking at every pair.
    double smallest_gap(double reach) const
    {
        const CollisionSurface surface =
            collision_surface(surfaces.faces, surfaces.face_body, {}, x.size(), EdgeBack::surface_normals);
        const std::vector<double> reaches(motion.size(), reach);
        const std::vector<std::uint8_t> self(motion.size(), 1), fixed(motion.size(), 0);
        std::vector<SurfacePair> pairs;
        find_by_brute_force(pairs, surface, {x, x, reaches, self, fixed});
        double least = reach;
        for (const SurfacePair& pair : pairs) {
            const auto p = pair_nodes(surface, pair);
            least =
                std::min(least, std::sqrt(pair_distance(pair.kind, {x[p[0]], x[p[1]], x[p[2]], x[p[3]]}).distance2));
        }
        return least;
    }
};

/// A vertical sheet whose lower rim is `depth` below a level one; it is wider than that, so that nothing is cut off.
Tangle crossed_sheets(double depth, UntangleMotion how)
{
    TriMesh upright = grid(17, 17, 1.1, 1.2);
    rotate(upright, {1, 0, 0}, kPi / 2 + 0.1);
    translate(upright, {0.013, 0, 0.017});
    double lowest = 0;
    for (const Vec3& p : upright.vertices) lowest = std::min(lowest, p.y);
    translate(upright, {0, -lowest - depth, 0});
    Tangle tangle;
    tangle.add(grid(17, 17, 1, 1), how);
    tangle.add(upright, how);
    return tangle;
}

/// A sheet whose corner is rolled over and pokes down through the sheet it belongs to.
TriMesh folded_corner(int n, double slope)
{
    TriMesh sheet = grid(n, n, 1, 1);
    const Vec3 along{std::sqrt(0.5), 0, std::sqrt(0.5)};
    constexpr double kRadius = 0.06, kTurn = 3.3;  // [m], [rad]
    for (Vec3& p : sheet.vertices) {
        const double s = dot(p, along) - 0.3;
        if (s <= 0) continue;
        const double angle = std::min(s / kRadius, kTurn), rest = s - angle * kRadius;
        p +=
            (kRadius * std::sin(angle) - rest - s) * along + Vec3{0, kRadius * (1 - std::cos(angle)) - slope * rest, 0};
    }
    return sheet;
}

TEST(Untangle, SheetsThatCrossAlongAStripAreParted)
{
    Tangle tangle = crossed_sheets(0.02, UntangleMotion::vertices);
    ASSERT_GT(tangle.intersections(), 0u);
    const UntangleReport report = tangle.run(1e-3);
    EXPECT_TRUE(report.is_free());
    EXPECT_LT(report.largest_move, 0.05);
    EXPECT_LT(report.largest_strain, 0.1);
    EXPECT_EQ(report.too_near, 0u);
    EXPECT_GE(report.smallest_gap, 1e-3);
    EXPECT_NEAR(tangle.smallest_gap(2e-3), report.smallest_gap, 1e-12);
}

TEST(Untangle, WholeBodiesAreShiftedAsFarAsTheyAreInEachOther)
{
    for (const double depth : {0.02, 0.1}) {
        Tangle tangle = crossed_sheets(depth, UntangleMotion::whole);
        const UntangleReport report = tangle.run(1e-3);
        EXPECT_TRUE(report.is_free());
        EXPECT_LT(report.largest_strain, 1e-12);
        // Each goes half the way, and may go as much farther as the vertices are apart.
        EXPECT_LT(report.largest_move, depth / 2 + 0.02);
    }
}

TEST(Untangle, ACornerFoldedThroughItsSheetGoesBack)
{
    for (const double slope : {1.0, 1.5}) {
        Tangle tangle;
        tangle.add(folded_corner(15, slope));
        ASSERT_GT(tangle.intersections(), 0u);
        const UntangleReport report = tangle.run(5e-4);
        EXPECT_TRUE(report.is_free()) << slope;
        EXPECT_EQ(report.too_near, 0u);
        // The rest of the sheet hardly knows.
        EXPECT_LT(norm(tangle.x[0] - tangle.start[0]), 1e-3);
        EXPECT_LT(report.mean_move, 0.02);
    }
}

TEST(Untangle, APokedVertexGoesBackAndFarVerticesStay)
{
    TriMesh upper = grid(11, 11, 1, 1);
    translate(upper, {0.02, 0.05, 0.03});
    upper.vertices[60].y = -0.03;
    Tangle tangle;
    tangle.add(grid(11, 11, 1, 1));
    tangle.add(upper);
    ASSERT_EQ(tangle.intersections(), 12u);
    const UntangleReport report = tangle.run(1e-3);
    EXPECT_TRUE(report.is_free());
    EXPECT_LT(report.largest_move, 0.06);
    EXPECT_EQ(report.too_near, 0u);
    EXPECT_GE(tangle.smallest_gap(2e-3), 1e-3);
    for (const std::size_t corner : {0u, 10u, 110u, 120u}) {
        EXPECT_LT(norm(tangle.x[corner] - tangle.start[corner]), 1e-3);
        EXPECT_LT(norm(tangle.x[121 + corner] - tangle.start[121 + corner]), 1e-3);
    }
}

TEST(Untangle, OverlappingSpheresAreDentedOrShifted)
{
    for (const UntangleMotion how : {UntangleMotion::vertices, UntangleMotion::whole}) {
        TriMesh other = icosphere(0.5, 2);
        translate(other, {0.85, 0.05, 0.02});
        Tangle tangle;
        tangle.add(icosphere(0.5, 2), how);
        tangle.add(other, how);
        ASSERT_GT(tangle.intersections(), 0u);
        const UntangleReport report = tangle.run(1e-3);
        EXPECT_TRUE(report.is_free());
        // They are 0.15 m in each other.
        EXPECT_LT(report.largest_move, 0.15);
        EXPECT_LT(report.mean_move, how == UntangleMotion::vertices ? 0.02 : 0.15);
    }
}

TEST(Untangle, WhatIsFixedStaysToTheBit)
{
    Tangle tangle = crossed_sheets(0.02, UntangleMotion::vertices);
    tangle.motion[0] = UntangleMotion::fixed;
    for (std::size_t v = 289; v < 289 + 17; ++v) tangle.held[v] = 1;  // a rim of the upright sheet
    const UntangleReport report = tangle.run(1e-3);
    EXPECT_GT(report.largest_move, 0);
    for (std::size_t v = 0; v < 289 + 17; ++v) EXPECT_EQ(tangle.x[v], tangle.start[v]);
    // The lower rim is the last row or the first: if it is the one that is held, nothing can be done.
    const bool holds_lower = tangle.start[289].y < tangle.start.back().y;
    EXPECT_EQ(report.is_free(), !holds_lower);
}

TEST(Untangle, WhatCannotMoveIsReportedAndLeftAlone)
{
    for (const UntangleMotion how : {UntangleMotion::vertices, UntangleMotion::whole}) {
        Tangle tangle = crossed_sheets(0.02, how);
        tangle.held.assign(tangle.x.size(), 1);
        const UntangleReport report = tangle.run(1e-3);
        EXPECT_FALSE(report.is_free());
        EXPECT_EQ(report.left.count(), report.before);
        EXPECT_EQ(report.rounds, 0);
        EXPECT_EQ(tangle.x, tangle.start);
        EXPECT_EQ(report.smallest_gap, 0);
    }
}

TEST(Untangle, TooFewRoundsAreNoSuccess)
{
    Tangle tangle = crossed_sheets(0.1, UntangleMotion::vertices);
    const UntangleReport report = tangle.run(1e-3, 3);
    EXPECT_FALSE(report.is_free());
    EXPECT_LE(report.left.count(), report.before);
    EXPECT_EQ(report.left.count(), tangle.intersections());
}

TEST(Untangle, SheetsInOnePlaneArePartedThoughTheyHaveNoSides)
{
    for (const UntangleMotion how : {UntangleMotion::vertices, UntangleMotion::whole}) {
        Tangle tangle;
        tangle.add(grid(7, 7, 1, 1), how);
        tangle.add(grid(7, 7, 1, 1), how);
        const UntangleReport report = tangle.run(1e-3);
        EXPECT_TRUE(report.is_free());
        EXPECT_LT(report.largest_move, 0.02);
    }
}

TEST(Untangle, VerticesComeOutFromBehindPlanes)
{
    for (const UntangleMotion how : {UntangleMotion::vertices, UntangleMotion::whole}) {
        TriMesh ball = icosphere(0.1, 2);
        translate(ball, {0, 0.08, 0});
        Tangle tangle;
        tangle.add(ball, how);
        tangle.planes.push_back({7, {0, 0, 0}, {0, 2, 0}});
        ASSERT_GT(tangle.intersections(), 0u);
        const UntangleReport report = tangle.run(1e-3);
        EXPECT_TRUE(report.is_free());
        EXPECT_LT(report.largest_move, 0.04);
    }
}

TEST(Untangle, ARopeLeavesASheet)
{
    Tangle tangle;
    tangle.add(grid(9, 9, 1, 1));
    tangle.add(chain(12, {0.03, 0.5, 0.02}, {0.04, -0.1, 0.03}));
    ASSERT_EQ(tangle.intersections(), 1u);
    EXPECT_TRUE(tangle.run(1e-3).is_free());
}

// A sheet that lies in a block, its rim on the block's: contours say nothing, only a shift helps.
TEST(Untangle, WholeBodiesWithoutAWayOutAreShiftedClear)
{
    TriMesh sheet = grid(5, 5, 1, 1);
    translate(sheet, {0, 0.03, 0});
    Tangle tangle;
    tangle.add(box({1, 0.2, 1}, {2, 1, 2}), UntangleMotion::fixed);
    tangle.add(sheet, UntangleMotion::whole);
    ASSERT_GT(tangle.intersections(), 0u);
    const UntangleReport report = tangle.run(1e-3);
    EXPECT_TRUE(report.is_free());
    EXPECT_LT(report.largest_move, 0.2);
}

TEST(Untangle, SameBitsForAnyNumberOfThreads)
{
    const int threads = thread_count();
    std::vector<Vec3> first;
    for (const int count : {1, 2, 3}) {
        set_thread_count(count);
        Tangle tangle = crossed_sheets(0.02, UntangleMotion::vertices);
        tangle.run(1e-3);
        if (first.empty()) first = tangle.x;
        EXPECT_EQ(tangle.x, first);
    }
    set_thread_count(threads);
}

TEST(Untangle, WhatIsApartIsLeftAsItIs)
{
    TriMesh other = icosphere(0.5, 2);
    translate(other, {1.2, 0, 0});
    Tangle tangle;
    tangle.add(icosphere(0.5, 2));
    tangle.add(other);
    const UntangleReport report = tangle.run(1e-3);
    EXPECT_TRUE(report.is_free());
    EXPECT_EQ(report.rounds, 0);
    EXPECT_EQ(tangle.x, tangle.start);
}

TEST(Untangle, RefusesWhatHasNoAnswer)
{
    Tangle tangle = crossed_sheets(0.02, UntangleMotion::vertices);
    const UntangleTask task{.surfaces = tangle.surfaces, .motion = tangle.motion};
    EXPECT_THROW(untangle(tangle.x, task, {.gap = 0}), Error);
    EXPECT_THROW(untangle(tangle.x, task, {.gap = std::numeric_limits<double>::quiet_NaN()}), Error);
    tangle.x[5].y = std::numeric_limits<double>::infinity();
    EXPECT_THROW(untangle(tangle.x, task, {.gap = 1e-3}), Error);
}

TEST(CrossingContours, TheTipOfAPokeIsTheWrongPiece)
{
    TriMesh upper = grid(11, 11, 1, 1);
    translate(upper, {0.02, 0.05, 0.03});
    upper.vertices[60].y = -0.01;
    Tangle tangle;
    tangle.add(grid(11, 11, 1, 1));
    tangle.add(upper);
    Intersections found;
    ASSERT_TRUE(IntersectionSearch(tangle.surfaces).find(found, tangle.x));
    CrossingContours contours(tangle.surfaces, tangle.x);
    contours.sort_out(found.edges, tangle.x);
    ASSERT_FALSE(contours.pieces().empty());
    for (const Crossing& crossing : contours.crossings()) EXPECT_EQ(crossing.contour, 0);
    EXPECT_EQ(contours.pieces().back().vertices, std::vector<std::int32_t>{121 + 60});
    EXPECT_EQ(contours.component(0), contours.component(120));
    EXPECT_NE(contours.component(0), contours.component(121));
    for (const Crossing& crossing : contours.crossings()) {
        if (crossing.edge[0] != 181 && crossing.edge[1] != 181) continue;
        ASSERT_GE(crossing.wrong_end, 0);
        EXPECT_EQ(crossing.edge[static_cast<std::size_t>(crossing.wrong_end)], 181);
        // The edge goes from 0.05 m to -0.01 m, and the point it passes the level sheet at is a sum over the corners.
        EXPECT_NEAR(crossing.edge[0] == 181 ? crossing.along : 1 - crossing.along, 1.0 / 6, 1e-12);
        Vec3 point;
        const Triangle& face = tangle.surfaces.faces[static_cast<std::size_t>(crossing.face)];
        for (std::size_t k = 0; k < 3; ++k) point += crossing.weight[k] * tangle.x[face[k]];
        const Vec3 &p = tangle.x[crossing.edge[0]], &q = tangle.x[crossing.edge[1]];
        EXPECT_LT(norm(point - (p + crossing.along * (q - p))), 1e-12);
    }
}

TEST(CrossingContours, AStripIsShallowerThanTheSheetItCuts)
{
    Tangle tangle = crossed_sheets(0.1, UntangleMotion::vertices);
    Intersections found;
    ASSERT_TRUE(IntersectionSearch(tangle.surfaces).find(found, tangle.x));
    CrossingContours contours(tangle.surfaces, tangle.x);
    contours.sort_out(found.edges, tangle.x);
    ASSERT_EQ(contours.pieces().size(), 1u);
    EXPECT_LT(contours.pieces()[0].depth, 0.2);
    for (const std::int32_t v : contours.pieces()[0].vertices) EXPECT_GE(v, 289);  // all of the upright sheet
}

std::vector<Problem> problems_of(const std::string& bodies)
{
    const SceneRead read = parse_scene(R"({ "solver": { "kind": "implicit_euler", "step": 0.005 },
        "contact": { "response": "bridson", "thickness": 0.002 }, "bodies": {)" +
                                           bodies + R"(}, "colliders": { "floor": { "plane": [0, 1, 0, 0] } } })",
                                       "begin.json");
    EXPECT_TRUE(read.problems.empty());
    return try_build(read.scene).problems;
}

std::string sheet(const std::string& name, const std::string& mesh, const std::string& position)
{
    return "\"" + name + R"(": { "kind": "cloth", "mesh": { )" + mesh + R"( }, "position": )" + position +
           R"(, "cloth": { "density": 0.2, "stretch": 500, "bend": 1e-5 } })";
}

TEST(RefusedStart, NamesPairsWithinTheirBodiesAndTheCure)
{
    // The vertex of a triangle through the middle of the second face of a square: two of its edges cross.
    const std::string square = sheet("square", R"("grid": [2, 2], "size": [1, 1])", "[0, 0.5, 0]");
    const std::string spike =
        sheet("spike", R"("vertices": [[-1, 1, 0], [-1, 1, 0.2], [-0.2, -0.1, 0.2]], "triangles": [[0, 1, 2]])",
              "[0, 0.3, 0]");
    const std::vector<Problem> problems = problems_of(square + "," + spike);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].where, "/bodies/spike");
    EXPECT_TRUE(problems[0].message.starts_with("2 edges pass through faces at the start: 'spike' edge 0-2 through "
                                                "'square' face "))
        << problems[0].message;
    EXPECT_NE(problems[0].message.find(", 'spike' edge 1-2 through 'square' face "), std::string::npos);
    EXPECT_EQ(problems[0].message.find("more"), std::string::npos);
    EXPECT_NE(problems[0].cure.find("pliant mesh untangle begin.json"), std::string::npos);
}

TEST(RefusedStart, ListsTenAndCountsTheRest)
{
    const std::string lower = sheet("lower", R"("grid": [5, 5], "size": [1, 1])", "[0, 0, 0]");
    const std::string upright =
        sheet("upright", R"("grid": [5, 5], "size": [1, 1], "rotate_axis": [1, 0, 0], "rotate_degrees": 90)",
              "[0.1, 0.4, 0.1]");
    const std::vector<Problem> problems = problems_of(lower + "," + upright);
    ASSERT_EQ(problems.size(), 2u);  // the upright sheet is behind the floor too
    const auto pairs = [](const std::string& text, const std::string& word) {
        std::size_t count = 0;
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
        return count;
    };
    EXPECT_EQ(pairs(problems[0].message, " through '"), 10u);
    const std::size_t more = problems[0].message.find(" and ");
    ASSERT_NE(more, std::string::npos);
    EXPECT_EQ(std::stoi(problems[0].message) - 10, std::stoi(problems[0].message.substr(more + 5)));
    EXPECT_TRUE(problems[1].message.starts_with("5 vertices begin behind planes: 'upright' vertex "))
        << problems[1].message;
    EXPECT_EQ(pairs(problems[1].message, " behind 'floor'"), 5u);
}

}  // namespace
}  // namespace pliant
