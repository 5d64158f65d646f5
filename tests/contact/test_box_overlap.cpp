// SPDX-License-Identifier: MIT
#include <pliant/contact/box_overlap.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace pliant {
namespace {

Vec3 random_in_cube(std::mt19937& random, double half)
{
    std::uniform_real_distribution<double> coordinate(-half, half);
    return {coordinate(random), coordinate(random), coordinate(random)};
}

AlignedBox random_box(std::mt19937& random)
{
    std::uniform_real_distribution<double> half(0.02, 0.6);
    return {random_in_cube(random, 0.5), {half(random), half(random), half(random)}};
}

AlignedBox grown(const AlignedBox& box, double by)
{
    return {box.middle, box.half + Vec3{by, by, by}};
}

/// What is left of a polygon inside the box, cut by its six faces one after another (Sutherland and Hodgman).
std::vector<Vec3> clipped(std::vector<Vec3> polygon, const AlignedBox& box)
{
    for (int k = 0; k < 3; ++k)
        for (const double side : {-1.0, 1.0}) {
            const auto inside = [&](const Vec3& p) { return box.half[k] - side * (p[k] - box.middle[k]); };
            std::vector<Vec3> rest;
            for (std::size_t i = 0; i < polygon.size(); ++i) {
                const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
                const double at_p = inside(p), at_q = inside(q);
                if (at_p >= 0) rest.push_back(p);
                if ((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0))
                    rest.push_back(p + (q - p) * (at_p / (at_p - at_q)));
            }
            polygon = rest;
        }
    return polygon;
}

/// Counts how often clipping says yes and no; compares where it is sure: by boxes a little smaller and larger.
struct Verdicts {
    int yes = 0, no = 0;

    void compare(bool overlaps, const std::vector<Vec3>& polygon, const AlignedBox& box)
    {
        if (!clipped(polygon, grown(box, -1e-9)).empty()) {
            ++yes;
            ASSERT_TRUE(overlaps);
        } else if (clipped(polygon, grown(box, 1e-9)).empty()) {
            ++no;
            ASSERT_FALSE(overlaps);
        }
    }
};

TEST(TriangleBoxOverlap, AgreesWithClipping)
{
    std::mt19937 random(1);
    Verdicts verdicts;
    for (int i = 0; i < 40000; ++i) {
        const AlignedBox box = random_box(random);
        const Vec3 a = box.middle + random_in_cube(random, 0.6);
        // Large, small, and slivers, whose plane no longer says much.
        const double size = i % 3 == 0 ? 1.2 : 0.3;
        const Vec3 b = a + random_in_cube(random, size);
        const Vec3 c =
            i % 5 == 0 ? a + (b - a) * 0.4 + random_in_cube(random, 1e-14) : a + random_in_cube(random, size);
        verdicts.compare(triangle_overlaps_box(a, b, c, box), {a, b, c}, box);
        if (HasFatalFailure()) FAIL() << "triangle " << i;
    }
    EXPECT_GT(verdicts.yes, 8000);
    EXPECT_GT(verdicts.no, 8000);
}

TEST(TriangleBoxOverlap, NeedsEveryKindOfAxis)
{
    const AlignedBox box{{}, {1, 1, 1}};
    // Apart by an axis of the box, by the plane of the triangle across a corner, and by a side and an edge crossing.
    EXPECT_FALSE(triangle_overlaps_box({1.1, -5, -5}, {1.1, 5, -5}, {1.1, 0, 5}, box));
    EXPECT_FALSE(triangle_overlaps_box({3.1, 0, 0}, {0, 3.1, 0}, {0, 0, 3.1}, box));
    EXPECT_TRUE(triangle_overlaps_box({2.9, 0, 0}, {0, 2.9, 0}, {0, 0, 2.9}, box));
    EXPECT_FALSE(triangle_overlaps_box({2.1, 0, 0.5}, {0, 2.1, 0.5}, {3, 3, -0.5}, box));
    EXPECT_TRUE(triangle_overlaps_box({1.9, 0, 0.5}, {0, 1.9, 0.5}, {3, 3, -0.5}, box));
}

TEST(TriangleBoxOverlap, CountsTouching)
{
    const AlignedBox box{{0.1, 0.2, 0.3}, {0.3, 0.2, 0.1}};
    const double face = 0.1 + 0.3;  // rounded
    EXPECT_TRUE(triangle_overlaps_box({face, 0, 0}, {face, 1, 0}, {face, 0, 1}, box));
    EXPECT_TRUE(triangle_overlaps_box({0.4, 0.4, 0.4}, {1, 1, 1}, {1, 2, 1}, box));              // a corner at a corner
    EXPECT_TRUE(triangle_overlaps_box({0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}, box));  // a point
    EXPECT_FALSE(triangle_overlaps_box({0.4 + 1e-12, 0, 0}, {1, 1, 0}, {1, 0, 1}, box));
}

TEST(TriangleBoxOverlap, DoesNotDependOnTheScale)
{
    std::mt19937 random(2);
    for (int i = 0; i < 3000; ++i) {
        const AlignedBox box = random_box(random);
        const Vec3 a = random_in_cube(random, 1), b = random_in_cube(random, 1), c = random_in_cube(random, 1);
        const bool overlaps = triangle_overlaps_box(a, b, c, box);
        for (const double scale : {std::ldexp(1, -60), std::ldexp(1, 60)})
            ASSERT_EQ(triangle_overlaps_box(a * scale, b * scale, c * scale, {box.middle * scale, box.half * scale}),
                      overlaps);
    }
}

TEST(PlaneBoxOverlap, LooksAtCorners)
{
    std::mt19937 random(3);
    int yes = 0;
    for (int i = 0; i < 20000; ++i) {
        const AlignedBox box = random_box(random);
        const Vec3 normal = random_in_cube(random, 1) * std::pow(10, i % 12 - 6), point = random_in_cube(random, 1.5);
        double lowest = 1e300, highest = -1e300;
        for (unsigned corner = 0; corner < 8; ++corner) {
            Vec3 at = box.middle;
            for (int k = 0; k < 3; ++k) at[k] += (corner >> k & 1U) != 0 ? box.half[k] : -box.half[k];
            lowest = std::min(lowest, dot(normal, at - point)), highest = std::max(highest, dot(normal, at - point));
        }
        ASSERT_EQ(plane_overlaps_box(point, normal, box), lowest <= 0 && highest >= 0);
        if (lowest <= 0 && highest >= 0) ++yes;
    }
    EXPECT_GT(yes, 4000);
    EXPECT_LT(yes, 16000);
    EXPECT_TRUE(plane_overlaps_box({1, 7, 7}, {5, 0, 0}, {{}, {1, 1, 1}}));  // touches
}

TEST(SegmentBoxOverlap, AgreesWithClipping)
{
    std::mt19937 random(4);
    Verdicts verdicts;
    for (int i = 0; i < 40000; ++i) {
        const AlignedBox box = random_box(random);
        const Vec3 a = box.middle + random_in_cube(random, 0.6);
        Vec3 b = a + random_in_cube(random, i % 2 == 0 ? 1.5 : 0.05);
        if (i % 7 == 0) b.x = a.x, b.y = a.y;  // along an axis
        verdicts.compare(segment_overlaps_box(a, b, box), {a, b}, box);
        if (HasFatalFailure()) FAIL() << "segment " << i;
    }
    EXPECT_GT(verdicts.yes, 8000);
    EXPECT_GT(verdicts.no, 8000);
}

TEST(SegmentBoxOverlap, CountsTouchingAndPoints)
{
    const AlignedBox box{{}, {1, 2, 3}};
    EXPECT_TRUE(segment_overlaps_box({1, -9, 0}, {1, 9, 0}, box));         // along a face
    EXPECT_TRUE(segment_overlaps_box({2, 2, 3}, {0, 2, 3}, box));          // along an edge
    EXPECT_TRUE(segment_overlaps_box({0.5, 2.5, 3}, {1.5, 1.5, 3}, box));  // through a corner, in the plane of a face
    EXPECT_FALSE(segment_overlaps_box({0.6, 2.5, 3}, {1.6, 1.5, 3}, box));
    EXPECT_TRUE(segment_overlaps_box({1, 2, 3}, {1, 2, 3}, box));
    EXPECT_FALSE(segment_overlaps_box({1, 2, 3.0001}, {1, 2, 3.0001}, box));
}

TEST(TriangleBounds, HoldTheCorners)
{
    std::mt19937 random(5);
    for (int i = 0; i < 5000; ++i) {
        const Vec3 shift = random_in_cube(random, 1e6);
        const Vec3 corners[] = {shift + random_in_cube(random, 1), shift + random_in_cube(random, 1),
                                shift + random_in_cube(random, 1)};
        const AlignedBox box = bounds_of_triangle(corners[0], corners[1], corners[2]);
        for (int k = 0; k < 3; ++k) {
            double lowest = 1e300, highest = -1e300;
            for (const Vec3& corner : corners) {
                ASSERT_LE(std::abs(corner[k] - box.middle[k]), box.half[k]);
                lowest = std::min(lowest, corner[k]), highest = std::max(highest, corner[k]);
            }
            ASSERT_NEAR(2 * box.half[k], highest - lowest, 1e-9);
        }
    }
}

}  // namespace
}  // namespace pliant
