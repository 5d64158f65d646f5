// SPDX-License-Identifier: MIT
#include <pliant/contact/distance.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace pliant {
namespace {

using Points = std::array<Vec3, 4>;
constexpr PairKind kKinds[] = {PairKind::vertex_face, PairKind::edge_edge};

class RandomPoints {
public:
    explicit RandomPoints(std::uint64_t seed) : random_(seed) {}
    double number() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
    Vec3 vector(double size = 1) { return {size * number(), size * number(), size * number()}; }

    /// Of any shape, or close to a degenerate one.
    Points next(PairKind kind, int sample)
    {
        Points x{vector(), vector(), vector(), vector()};
        const double off = std::pow(10.0, -2 * (sample / 8 % 8));
        switch (sample % 8) {
        case 1:
            x[3] = x[2] + (x[1] - x[0]) * number() + vector(off);
            break;  // parallel edges
        case 2:
            x[3] = x[1] + (x[2] - x[1]) * (2 * number()) + vector(off);
            break;  // flat face
        case 3:
            x[3] = x[2] + vector(off);
            break;  // short edge, needle
        case 4:
            x[1] = x[kind == PairKind::vertex_face ? 2 : 0] + vector(off);
            break;  // another
        case 5:
            x[0] = (x[1] + x[2] + x[3]) / 3.0 + vector(off);
            break;  // vertex at the face
        case 6:
            x[0] = x[2] + (x[3] - x[2]) * (0.5 + 0.5 * number()) + vector(off);
            break;  // end on an edge
        case 7:
            x[0] = x[2] + vector(off);
            break;  // corners on each other
        default:
            break;
        }
        return x;
    }

private:
    std::mt19937_64 random_;
};

/// Least distance of a point of the first element, at share s along it, from an edge.
double from_edge(const Vec3& p, const Vec3& a, const Vec3& b)
{
    const double length2 = norm2(b - a);
    const double t = length2 > 0 ? std::clamp(dot(p - a, b - a) / length2, 0.0, 1.0) : 0;
    return norm(p - a - (b - a) * t);
}

/// By looking: the distance from one element to points of a line on the other is convex along that line, so thirds
/// are cut off. Distances from edges are known; lines over a face end on two of its sides.
template <class Distance>
double least(Distance&& distance)
{
    double low = 0, high = 1;
    for (int k = 0; k < 120; ++k) {
        const double left = low + (high - low) / 3, right = high - (high - low) / 3;
        (distance(left) < distance(right) ? high : low) = distance(left) < distance(right) ? right : left;
    }
    return std::min({distance(0.5 * (low + high)), distance(0.0), distance(1.0)});
}

double looked_up(PairKind kind, const Points& x)
{
    if (kind == PairKind::edge_edge)
        return least([&](double s) { return from_edge(x[0] + (x[1] - x[0]) * s, x[2], x[3]); });
    return least([&](double s) { return from_edge(x[0], x[1] + (x[2] - x[1]) * s, x[1] + (x[3] - x[1]) * s); });
}

TEST(PairDistance, IsTheLeastOfAllDistances)
{
    for (const PairKind kind : kKinds) {
        RandomPoints points(1);
        for (int sample = 0; sample < 6000; ++sample) {
            const Points x = points.next(kind, sample);
            const double distance = std::sqrt(pair_distance(kind, x).distance2);
            ASSERT_NEAR(distance, looked_up(kind, x), 4e-8) << sample;  // the search sees squares to rounding
        }
    }
}

TEST(PairDistance, HasNearestPointsThatAreWhatTheWeightsSay)
{
    for (const PairKind kind : kKinds) {
        RandomPoints points(2);
        int inside = 0;
        for (int sample = 0; sample < 20000; ++sample) {
            const Points x = points.next(kind, sample);
            const PairDistance d = pair_distance(kind, x);
            Vec3 apart;
            double first = 0, second = 0;
            const std::size_t of_first = kind == PairKind::vertex_face ? 1 : 2;
            for (std::size_t i = 0; i < 4; ++i) {
                apart += x[i] * d.weight[i];
                (i < of_first ? first : second) += d.weight[i];
                ASSERT_TRUE(i < of_first ? d.weight[i] >= 0 : d.weight[i] <= 0) << sample;
            }
            ASSERT_NEAR(first, 1, 4e-16) << sample;
            ASSERT_NEAR(second, -1, 4e-16) << sample;
            ASSERT_LT(norm(apart - d.apart), 1e-9) << sample;
            ASSERT_NEAR(d.distance2, norm2(d.apart), 1e-15) << sample;
            const auto zeros = std::count(d.weight.begin(), d.weight.end(), 0.0);
            ASSERT_EQ(d.interior, zeros == 0) << sample;
            inside += d.interior ? 1 : 0;
        }
        EXPECT_GT(inside, 1000);
    }
}

TEST(PairDistance, PutsEveryPointBeyondThePlanesSquareToItself)
{
    // What makes it the least: along `apart` no point of the first element comes closer, none of the second either.
    for (const PairKind kind : kKinds) {
        RandomPoints points(3);
        for (int sample = 0; sample < 20000; ++sample) {
            const Points x = points.next(kind, sample);
            const PairDistance d = pair_distance(kind, x);
            const double distance = std::sqrt(d.distance2);
            if (distance < 1e-6) continue;
            const std::size_t of_first = kind == PairKind::vertex_face ? 1 : 2;
            for (std::size_t i = 0; i < of_first; ++i)
                for (std::size_t j = of_first; j < 4; ++j)
                    ASSERT_GT(dot(x[i] - x[j], d.apart) / distance, distance - 1e-8) << sample;
        }
    }
}

TEST(PairDistance, GrowsAlongItsWeights)
{
    // The gradient of the distance is weight_i apart / distance, inside and at borders.
    constexpr double kStep = 1e-6;
    for (const PairKind kind : kKinds) {
        RandomPoints points(4);
        for (int sample = 0; sample < 400; ++sample) {
            const Points x{points.vector(), points.vector(), points.vector(), points.vector()};
            const PairDistance d = pair_distance(kind, x);
            const double distance = std::sqrt(d.distance2);
            if (distance < 0.05) continue;
            for (std::size_t i = 0; i < 4; ++i) {
                for (int k = 0; k < 3; ++k) {
                    Points before = x, after = x;
                    before[i][k] -= kStep, after[i][k] += kStep;
                    const double slope = (std::sqrt(pair_distance(kind, after).distance2) -
                                          std::sqrt(pair_distance(kind, before).distance2)) /
                                         (2 * kStep);
                    ASSERT_NEAR(slope, d.weight[i] * d.apart[k] / distance, 2e-4) << sample;
                }
            }
        }
    }
}

TEST(PairDistance, DoesNotDependOnTheOrderOfPoints)
{
    RandomPoints points(5);
    for (int sample = 0; sample < 8000; ++sample) {
        const Points f = points.next(PairKind::vertex_face, sample), e = points.next(PairKind::edge_edge, sample);
        const double face = std::sqrt(vertex_face_distance(f[0], f[1], f[2], f[3]).distance2);
        EXPECT_NEAR(face, std::sqrt(vertex_face_distance(f[0], f[2], f[3], f[1]).distance2), 1e-13) << sample;
        EXPECT_NEAR(face, std::sqrt(vertex_face_distance(f[0], f[2], f[1], f[3]).distance2), 1e-13) << sample;
        const PairDistance edge = edge_edge_distance(e[0], e[1], e[2], e[3]);
        const PairDistance swapped = edge_edge_distance(e[2], e[3], e[0], e[1]);
        EXPECT_NEAR(std::sqrt(edge.distance2), std::sqrt(swapped.distance2), 1e-13) << sample;
        EXPECT_NEAR(std::sqrt(edge.distance2), std::sqrt(edge_edge_distance(e[1], e[0], e[2], e[3]).distance2), 1e-13);
        if (edge.distance2 > 1e-12) {
            EXPECT_LT(norm(edge.apart + swapped.apart), 1e-6) << sample;
        }
    }
}

TEST(VertexFaceDistance, IsKnownInEveryRegion)
{
    const Vec3 a{0, 0, 0}, b{4, 0, 0}, c{0, 4, 0};
    const auto weights = [](double wa, double wb, double wc) { return std::array<double, 4>{1, -wa, -wb, -wc}; };
    const PairDistance over = vertex_face_distance({1, 1, 2}, a, b, c);
    EXPECT_EQ(over.weight, weights(0.5, 0.25, 0.25));
    EXPECT_EQ(over.apart, (Vec3{0, 0, 2}));
    EXPECT_TRUE(over.interior);
    EXPECT_EQ(vertex_face_distance({1, -3, 0}, a, b, c).weight, weights(0.75, 0.25, 0));
    EXPECT_EQ(vertex_face_distance({-2, 3, 0}, a, b, c).weight, weights(0.25, 0, 0.75));
    EXPECT_EQ(vertex_face_distance({3, 3, 5}, a, b, c).weight, weights(0, 0.5, 0.5));
    EXPECT_EQ(vertex_face_distance({-1, -1, 7}, a, b, c).weight, weights(1, 0, 0));
    EXPECT_EQ(vertex_face_distance({9, -1, 0}, a, b, c).weight, weights(0, 1, 0));
    EXPECT_EQ(vertex_face_distance({-1, 9, 0}, a, b, c).weight, weights(0, 0, 1));
    EXPECT_EQ(vertex_face_distance({1, 1, 0}, a, b, c).distance2, 0);
    // Beyond an obtuse corner: outside of one side only, yet nearest on the other.
    const PairDistance obtuse = vertex_face_distance({-9, 0.5, 0}, {0, 0, 0}, {4, 0, 0}, {-8, 1, 0});
    EXPECT_EQ(obtuse.weight, weights(0, 0, 1));
}

TEST(VertexFaceDistance, KnowsFacesWithoutArea)
{
    const PairDistance line = vertex_face_distance({3, 2, 0}, {0, 0, 0}, {4, 0, 0}, {2, 0, 0});
    EXPECT_EQ(line.apart, (Vec3{0, 2, 0}));
    EXPECT_FALSE(line.interior);
    const PairDistance point = vertex_face_distance({3, 4, 0}, {}, {}, {});
    EXPECT_EQ(point.distance2, 25);
    EXPECT_EQ(vertex_face_distance({}, {}, {}, {}).distance2, 0);
}

TEST(EdgeEdgeDistance, IsKnownInEveryRegion)
{
    const PairDistance cross = edge_edge_distance({-1, 0, 3}, {3, 0, 3}, {0, -1, 0}, {0, 3, 0});
    EXPECT_EQ(cross.weight, (std::array<double, 4>{0.75, 0.25, -0.75, -0.25}));
    EXPECT_EQ(cross.apart, (Vec3{0, 0, 3}));
    EXPECT_TRUE(cross.interior);
    const PairDistance end = edge_edge_distance({1, 0, 1}, {3, 0, 1}, {0, -1, 0}, {0, 3, 0});
    EXPECT_EQ(end.weight, (std::array<double, 4>{1, 0, -0.75, -0.25}));
    EXPECT_EQ(end.apart, (Vec3{1, 0, 1}));
    EXPECT_FALSE(end.interior);
    const PairDistance ends = edge_edge_distance({1, 0, 0}, {3, 0, 0}, {0, 2, 0}, {-1, 9, 0});
    EXPECT_EQ(ends.weight, (std::array<double, 4>{1, 0, -1, 0}));
    EXPECT_EQ(ends.distance2, 5);
}

TEST(EdgeEdgeDistance, OfParallelEdgesIsInTheMiddleOfTheirCommonCourse)
{
    const PairDistance beside = edge_edge_distance({0, 0, 0}, {4, 0, 0}, {2, 1, 0}, {8, 1, 0});
    EXPECT_EQ(beside.apart, (Vec3{0, -1, 0}));
    EXPECT_EQ(beside.weight[1], 0.75);  // x = 3, the middle of 2 .. 4
    EXPECT_NEAR(beside.weight[3], -1.0 / 6, 1e-15);
    EXPECT_TRUE(beside.interior);
    EXPECT_EQ(edge_edge_distance({0, 0, 0}, {4, 0, 0}, {8, 1, 0}, {2, 1, 0}).weight[1], 0.75);
    EXPECT_EQ(edge_edge_distance({2, 1, 0}, {8, 1, 0}, {0, 0, 0}, {4, 0, 0}).apart, (Vec3{0, 1, 0}));
    EXPECT_EQ(edge_edge_distance({0, 0, 0}, {4, 0, 0}, {1, 0, 0}, {2, 0, 0}).distance2, 0);   // on each other
    EXPECT_EQ(edge_edge_distance({0, 0, 0}, {1, 0, 0}, {4, 4, 0}, {9, 4, 0}).distance2, 25);  // one behind the other
}

TEST(EdgeEdgeDistance, KnowsEdgesWithoutLength)
{
    EXPECT_EQ(edge_edge_distance({1, 2, 0}, {1, 2, 0}, {0, 0, 0}, {4, 0, 0}).distance2, 4);
    EXPECT_EQ(edge_edge_distance({0, 0, 0}, {4, 0, 0}, {1, 2, 0}, {1, 2, 0}).distance2, 4);
    EXPECT_EQ(edge_edge_distance({0, 0, 0}, {0, 0, 0}, {1, 2, 2}, {1, 2, 2}).distance2, 9);
    EXPECT_EQ(edge_edge_distance({}, {}, {}, {}).distance2, 0);
}

TEST(PairDistance, KeepsItsDirectionWhenTheGapIsTiny)
{
    for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12}) {
        const Vec3 e{0.6, 0.3, 0.2}, f{-0.1, 0.7, 0.4}, normal = normalized(cross(e, f));
        const Vec3 foot = e * 0.3 + f * 0.2;
        const PairDistance face = vertex_face_distance(foot + normal * gap, {}, e, f);
        EXPECT_GT(dot(face.apart, normal) / std::sqrt(face.distance2), 1 - 1e-12) << gap;
        EXPECT_NEAR(std::sqrt(face.distance2), gap, 1e-15) << gap;
        const PairDistance edge = edge_edge_distance(normal * gap - e * 0.3, normal * gap + e * 0.7, f * -0.2, f * 0.8);
        EXPECT_GT(dot(edge.apart, normal) / std::sqrt(edge.distance2), 1 - 1e-12) << gap;
    }
}

TEST(PairDistance, IsFiniteForAnyFinitePoints)
{
    const std::vector<double> sizes{5e-324, 1e-310, 1e-200, 1e-90, 1e-60, 1, 1e60, 1e90, 1e200, 1e300, 2e307};
    for (const PairKind kind : kKinds) {
        RandomPoints points(6);
        for (int sample = 0; sample < 4000; ++sample) {
            const double size = sizes[static_cast<std::size_t>(sample) % sizes.size()];
            const Points unit = points.next(kind, sample);
            Points x = unit;
            for (Vec3& p : x) p *= size;
            if (sample % 3 == 0) x[3] = x[2];
            const PairDistance d = pair_distance(kind, x);
            for (const double w : d.weight) ASSERT_TRUE(std::abs(w) <= 1) << sample << " size " << size;
            ASSERT_FALSE(std::isnan(d.distance2)) << sample << " size " << size;
            ASSERT_TRUE(size > 1e301 || is_finite(d.apart)) << sample << " size " << size;
            if (sample % 3 == 0 || size < 1e-300 || size > 1e301) continue;
            const double expected = size * std::sqrt(pair_distance(kind, unit).distance2);
            ASSERT_NEAR(norm(d.apart / size), expected / size, 1e-12) << sample << " size " << size;
        }
    }
}

}  // namespace
}  // namespace pliant
