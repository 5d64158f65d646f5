// SPDX-License-Identifier: MIT

// Where things are seen: orbits, projections, and boxes that fit into the picture.

#include "viewer/camera.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace pliant::viewer {
namespace {

// Of a point on the picture: -1 to 1 from left to right, from below to above, from near to far.
Vec3 seen(const Mat4& matrix, const Vec3& p)
{
    double out[4];
    for (std::size_t row = 0; row < 4; ++row)
        out[row] = matrix[row] * p.x + matrix[4 + row] * p.y + matrix[8 + row] * p.z + matrix[12 + row];
    return Vec3{out[0], out[1], out[2]} / out[3];
}

Bounds some_box()
{
    Bounds bounds;
    bounds.add(Vec3{-1, 0.2, -0.3}), bounds.add(Vec3{2, 0.9, 1.5});
    return bounds;
}

TEST(Bounds, HoldAllThatIsFinite)
{
    Bounds bounds;
    EXPECT_TRUE(bounds.is_empty());
    bounds.add(Vec3{1, 2, 3}), bounds.add(Vec3{-1, 5, std::nan("")}), bounds.add(Vec3{0, 0, 4});
    EXPECT_EQ(bounds.low, (Vec3{0, 0, 3}));
    EXPECT_EQ(bounds.high, (Vec3{1, 2, 4}));
}

class Sides : public testing::TestWithParam<std::tuple<double, double, char, double>> {};

TEST_P(Sides, FitAllOfABoxAndNotMuchMore)
{
    const auto [azimuth, elevation, up, aspect] = GetParam();
    Camera camera{.azimuth = azimuth, .elevation = elevation, .up = up};
    const Bounds bounds = some_box();
    camera.fit(bounds, aspect);
    const Mat4 matrix = view_projection(camera, aspect, bounds);
    double widest = 0;
    for (int corner = 0; corner < 8; ++corner) {
        Vec3 p;
        for (int k = 0; k < 3; ++k) p[k] = (corner >> k & 1) != 0 ? bounds.high[k] : bounds.low[k];
        const Vec3 at = seen(matrix, p);
        EXPECT_LT(std::max(std::abs(at.x), std::abs(at.y)), 1);
        EXPECT_LT(std::abs(at.z), 1);
        widest = std::max({widest, std::abs(at.x), std::abs(at.y)});
    }
    EXPECT_GT(widest, 0.9);
    const Vec3 middle = seen(matrix, camera.target);
    EXPECT_NEAR(middle.x, 0, 1e-5);
    EXPECT_NEAR(middle.y, 0, 1e-5);
    // Up is up.
    EXPECT_GT(seen(matrix, camera.target + camera.up_axis() * 0.1).y, middle.y);
}

INSTANTIATE_TEST_SUITE_P(Camera, Sides,
                         testing::Combine(testing::Values(0.0, 0.6, 3.0, -2.0), testing::Values(-0.4, 0.0, 0.35, 1.2),
                                          testing::Values('y', 'z'), testing::Values(1.78, 0.6)));

TEST(Camera, SeesFromAboveToo)
{
    Camera camera{.azimuth = 0, .elevation = 1.5707963267948966};
    camera.fit(some_box(), 1.5);
    const Mat4 matrix = view_projection(camera, 1.5, some_box());
    for (const float number : matrix) EXPECT_TRUE(std::isfinite(number));
    EXPECT_NEAR(seen(matrix, camera.target).x, 0, 1e-4);
}

TEST(Light, HoldsTheWholeBoxWhereverItComesFrom)
{
    const Bounds bounds = some_box();
    for (const Vec3& direction : {Vec3{0, -1, 0}, Vec3{1, -2, 0.5}, Vec3{-1, 0, 0}, Vec3{0, 0, 1}}) {
        const Mat4 matrix = light_projection(direction, bounds);
        for (int corner = 0; corner < 8; ++corner) {
            Vec3 p;
            for (int k = 0; k < 3; ++k) p[k] = (corner >> k & 1) != 0 ? bounds.high[k] : bounds.low[k];
            const Vec3 at = seen(matrix, p);
            EXPECT_LT(std::max({std::abs(at.x), std::abs(at.y), std::abs(at.z)}), 1);
        }
        // What is nearer to the light has less depth.
        EXPECT_LT(seen(matrix, bounds.center() - direction * 0.1).z, seen(matrix, bounds.center()).z);
    }
}

}  // namespace
}  // namespace pliant::viewer
