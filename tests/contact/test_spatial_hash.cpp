// SPDX-License-Identifier: MIT
#include <pliant/contact/spatial_hash.h>

#include <gtest/gtest.h>

#include <limits>

#include <pliant/base/parallel.h>
#include <pliant/contact/triangle_trees.h>

#include "base/counted_new.h"
#include "contact/moving_surfaces.h"

namespace pliant {
namespace {

using test::MovingSurfaces;

TEST(SpatialHash, FindsWhatEveryPairGivesWhateverTheMotion)
{
    for (const MovingSurfaces& scene : test::all_scenes()) {
        SCOPED_TRACE(scene.name);
        const CollisionSurface surface = scene.surface();
        SpatialHash hash(surface);
        std::vector<SurfacePair> pairs;
        const SearchCounters counters = hash.find(pairs, scene.search());
        test::check_search(pairs, counters, surface, scene.search());
    }
}

TEST(SpatialHash, FindsTheSameAsTrees)
{
    MovingSurfaces scene = test::hilly_sheet(70);
    scene.add(icosphere(0.2, 4), 1, 0.001, {0.1, 0.05, 0});
    scene.add(table(1.5, 1.5, 0.6), 2, 0, {0, -0.61, 0});
    scene.is_fixed[2] = 1;
    for (std::size_t i = 0; i < 4900; ++i) scene.x1[i] += Vec3{0.01, -0.03, 0.02};
    const CollisionSurface surface = scene.surface();
    std::vector<SurfacePair> by_hash, by_trees;
    SpatialHash(surface).find(by_hash, scene.search());
    TriangleTrees(surface, scene.x0).find(by_trees, scene.search());
    EXPECT_EQ(test::sorted_keys(by_hash), test::sorted_keys(by_trees));
    EXPECT_GT(by_hash.size(), surface.faces.size());
}

TEST(SpatialHash, SamePairsInTheSameOrderOnAnyNumberOfThreads)
{
    MovingSurfaces scene = test::hilly_sheet(80);
    scene.add(icosphere(0.2, 3), 1, 0.001);
    const CollisionSurface surface = scene.surface();
    std::vector<SurfacePair> first;
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        SpatialHash hash(surface);
        std::vector<SurfacePair> pairs;
        hash.find(pairs, scene.search());
        if (threads == 1) first = pairs;
        EXPECT_FALSE(pairs.empty());
        EXPECT_TRUE(pairs == first) << threads << " threads";
    }
    set_thread_count(0);
}

// Two triangles a hundred times as large as the rest share no cells with it.
TEST(SpatialHash, LargeFacesAndCommonMotionCostLittle)
{
    MovingSurfaces scene = test::hilly_sheet(50);
    std::vector<SurfacePair> pairs;
    const SearchCounters alone = SpatialHash(scene.surface()).find(pairs, scene.search());
    for (Vec3& p : scene.x1) p += Vec3{3, -10, 4};
    const SearchCounters falling = SpatialHash(scene.surface()).find(pairs, scene.search());
    EXPECT_LT(static_cast<double>(falling.box_tests), 1.1 * static_cast<double>(alone.box_tests));
    scene = test::hilly_sheet(50);
    scene.add(grid(2, 2, 3, 3), 1, 0);
    const CollisionSurface surface = scene.surface();
    const SearchCounters with_floor = SpatialHash(surface).find(pairs, scene.search());
    EXPECT_LE(with_floor.box_tests, 2 * alone.box_tests);
}

TEST(SpatialHash, AllocatesNothingOnceItHasSeenAsMuch)
{
    MovingSurfaces scene = test::hilly_sheet(40);
    const CollisionSurface surface = scene.surface();
    const std::vector<Vec3> start = scene.x0;
    SpatialHash hash(surface);
    std::vector<SurfacePair> pairs;
    const auto cycle = [&] {
        for (const double squeeze : {1.0, 0.4, 0.8}) {
            for (std::size_t i = 0; i < start.size(); ++i) scene.x0[i] = {start[i].x * squeeze, start[i].y, start[i].z};
            scene.x1 = scene.x0;
            hash.find(pairs, scene.search());
        }
    };
    cycle();
    cycle();
    const long before = allocation_count();
    cycle();
    EXPECT_EQ(allocation_count(), before);
}

TEST(SpatialHash, SurvivesWhatIsNotFiniteAndNoFacesAtAll)
{
    MovingSurfaces scene = test::hilly_sheet(12);
    const CollisionSurface surface = scene.surface();
    scene.x1[7].y = std::numeric_limits<double>::quiet_NaN();
    scene.x0[90] = scene.x1[90] = {std::numeric_limits<double>::infinity(), 0, 1e300};
    std::vector<SurfacePair> pairs;
    SpatialHash(surface).find(pairs, scene.search());
    EXPECT_GT(pairs.size(), surface.faces.size());
    const CollisionSurface empty = collision_surface({}, {}, {}, 0);
    EXPECT_EQ(SpatialHash(empty).find(pairs, {}).pairs, 0);
    EXPECT_TRUE(pairs.empty());
}

}  // namespace
}  // namespace pliant
