// SPDX-License-Identifier: MIT

// Acceptance of seed 003 where sheets meet triangle meshes. What a scene can say
// alone is in its `expect`.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pliant/mesh/shapes.h>
#include <pliant/mesh/surface_tree.h>

#include "world/sheet_runs.h"

namespace pliant {
namespace {

using test::sheet_at, test::SheetRun, test::square_grid;

// ---- the model ------------------------------------------------------------------------------------------------

/// Vertices deeper inside a closed mesh than a hair [1].
int vertices_inside(const std::vector<Vec3>& x, std::size_t count, const TriMesh& mesh)
{
    const SurfaceTree tree(mesh);
    constexpr double kHair = 1e-6;
    return static_cast<int>(
        std::count_if(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count),
                      [&](const Vec3& p) { return tree.encloses(p) && tree.nearest(p).distance > kHair; }));
}

double fastest(const State& state, std::size_t count)
{
    double most = 0;
    for (std::size_t i = 0; i < count; ++i) most = std::max(most, norm(state.v[i]));
    return most;
}

TEST(SheetOnModel, DrapesWithoutAVertexInsideAndComesToRest)
{
    constexpr std::size_t kCount = 41 * 41;
    SheetRun run = sheet_at("sheet_on_model", 0);
    EXPECT_EQ(run.measure("sheet.size.y"), 0);
    run.go_to(600);
    EXPECT_GT(run.measure("sheet.size.y"), 1.5);
    EXPECT_LT(fastest(run.world.state, kCount), 0.01);
    const TriMesh model = hare(22, 2);
    ASSERT_EQ(model.triangles.size(), 9680u);
    EXPECT_EQ(vertices_inside(run.x(), kCount, model), 0);
    for (std::size_t i = 0; i < kCount; ++i) ASSERT_GT(run.x()[i].y, 0) << "vertex " << i << " is inside the floor";
}

TEST(SheetOnModel, HopsForEverUnderResponseAOfTheThesis)
{
    constexpr std::size_t kCount = 21 * 21;
    SheetRun run = sheet_at("sheet_on_model", 600, {square_grid(21), "contact.mesh_response=thesis_a"});
    EXPECT_GT(run.measure("sheet.size.y"), 1.5);
    // By the offset of 0.1 mm in a sub-cycle of 1.6 ms.
    EXPECT_NEAR(fastest(run.world.state, kCount), 1e-4 / 1.6e-3, 0.01);
}

// ---- friction without end and none -----------------------------------------------------------------------

TEST(SheetOnBox, SticksUnderResponseA)
{
    constexpr std::size_t kCount = 31 * 31;
    SheetRun run = sheet_at("sheet_on_box_a", 300);
    const std::vector<Vec3> early = run.x();
    run.go_to(1000);
    int on_top = 0;
    double slip = 0;
    for (std::size_t i = 0; i < kCount; ++i)
        if (early[i].x > 3.6 && std::abs(early[i].y - 1) < 0.001)
            slip = std::max(slip, norm(run.x()[i] - early[i])), ++on_top;
    EXPECT_GE(on_top, 31);
    EXPECT_LT(slip, 0.001);
    EXPECT_NEAR(run.measure("sheet.high"), 1, 0.001);
}

/// Where the rim that lay on the box is at frames 220, 300 and 380 [m].
std::vector<double> rim_x(const std::vector<std::string>& set)
{
    SheetRun run = sheet_at("sheet_on_box_b", 0, set);
    std::vector<double> x;
    for (const std::int64_t frame : {220, 300, 380}) run.go_to(frame), x.push_back(run.measure("rim.x"));
    return x;
}

TEST(SheetOnBox, SlidesOffUnderResponseBAndLessWithFrictionInBetween)
{
    const std::vector<double> free = rim_x({});
    EXPECT_LT(free[0], 3.9);
    EXPECT_LT(free[1], free[0] - 0.3);
    EXPECT_LT(free[2], free[1] - 0.3);
    const auto coulomb = [](const std::string& friction) {
        return rim_x({"contact.mesh_response=coulomb", "bodies.sheet.friction=" + friction});
    };
    const std::vector<double> none = coulomb("0"), some = coulomb("0.1"), more = coulomb("0.2");
    const std::vector<double> stuck = rim_x({"contact.mesh_response=thesis_a"});
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(none[k], free[k], 0.05) << "without friction Coulomb's law is response B";
        EXPECT_GT(some[k], none[k] + 0.05);
        EXPECT_GT(more[k], some[k]);
        EXPECT_GE(stuck[k], more[k] - 1e-3);
    }
    EXPECT_NEAR(stuck[2], 4, 0.001);
}

// ---- checks ----------------------------------------------------------------------------------------------

std::int64_t checks(const SheetRun& run)
{
    return run.world.state.tally.mesh_checks;
}

TEST(Checks, OfTheFirstPrototypeAreVerticesTimesTrianglesTimesFrames)
{
    for (const int n : {11, 21, 31})
        EXPECT_EQ(checks(sheet_at("sheet_on_cube", 50, {square_grid(n)})), n * n * 12 * 50) << n;
}

constexpr std::int64_t kFaces = 9680 + 12;

/// Response A looks at every vertex once a sub-cycle, as the thesis counts.
std::vector<std::string> counted(int n, const std::string& search)
{
    return {square_grid(n), "contact.mesh_response=thesis_a", "contact.mesh_search=" + search};
}

/// A small sheet thrown at the ears: it meets the model within a few frames.
SheetRun thrown(const std::string& search, std::int64_t frames)
{
    std::vector<std::string> set = counted(11, search);
    set.insert(set.end(),
               {"bodies.sheet.mesh.size=[2,2]", "bodies.sheet.position=[0,2,0]", "bodies.sheet.velocity=[0,-3,0]"});
    return sheet_at("sheet_on_model", frames, set);
}

TEST(Checks, OfBruteForceFollowTheFormulaAndAllSearchesMoveTheSheetAlike)
{
    const std::int64_t frames = 25;
    const SheetRun brute = thrown("brute_force", frames), own = thrown("octrees", frames),
                   common = thrown("common_octree", frames);
    EXPECT_EQ(checks(brute), 11 * 11 * kFaces * 10 * frames);
    ASSERT_GT(brute.world.state.tally.mesh_hits, 300);
    for (const SheetRun* tree : {&own, &common}) {
        EXPECT_EQ(tree->world.state.x, brute.world.state.x);
        EXPECT_EQ(tree->world.state.v, brute.world.state.v);
        EXPECT_EQ(tree->world.state.tally.mesh_hits, brute.world.state.tally.mesh_hits);
    }
}

TEST(Checks, OfOctreesAreFourOrdersFewerAndFewestWithOneTreePerObject)
{
    const SheetRun own = sheet_at("sheet_on_model", 600, counted(21, "octrees"));
    const SheetRun common = sheet_at("sheet_on_model", 600, counted(21, "common_octree"));
    const std::int64_t brute = 21 * 21 * kFaces * 6000;
    EXPECT_LT(checks(own), brute / 10000);
    EXPECT_LT(checks(own), checks(common));
    EXPECT_EQ(own.world.state.x, common.world.state.x);
}

// ---- storage ---------------------------------------------------------------------------------------------------

TEST(Storage, InContainingNodesTakesLessMemoryAndMoreChecks)
{
    std::vector<std::string> set = counted(21, "octrees");
    SheetRun leaves = sheet_at("sheet_on_model", 200, set);
    set.emplace_back("contact.octree_storage=containing_node");
    SheetRun nodes = sheet_at("sheet_on_model", 200, set);
    EXPECT_GT(checks(nodes), 2 * checks(leaves));
    EXPECT_LT(nodes.measure("contacts.mesh_memory"), leaves.measure("contacts.mesh_memory"));
    EXPECT_EQ(nodes.world.state.x, leaves.world.state.x);
}

}  // namespace
}  // namespace pliant
