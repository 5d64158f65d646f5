// SPDX-License-Identifier: MIT
#include <pliant/audit/edge_face.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace pliant {
namespace {

constexpr Vec3 kA{0, 0, 0}, kB{1, 0, 0}, kC{0, 1, 0};

bool meets(const Vec3& p, const Vec3& q)
{
    return edge_meets_face(p, q, kA, kB, kC);
}

TEST(EdgeFace, CrossingAndMissing)
{
    EXPECT_TRUE(meets({0.25, 0.25, -1}, {0.25, 0.25, 1}));
    EXPECT_FALSE(meets({0.25, 0.25, 0.001}, {0.25, 0.25, 1}));
    EXPECT_FALSE(meets({0.75, 0.75, -1}, {0.75, 0.75, 1}));
}

TEST(EdgeFace, TouchingIsMeetingAndTheNextDoubleIsNot)
{
    EXPECT_TRUE(meets({0.25, 0.25, 0}, {0.3, 0.2, 1}));  // an end on the face
    EXPECT_TRUE(meets({0.5, 0.5, -1}, {0.5, 0.5, 1}));   // through a side
    EXPECT_TRUE(meets({1, 0, -1}, {1, 0, 1}));           // through a corner
    EXPECT_TRUE(meets({-1, 0.5, 0.5}, {1, 0.5, -0.5}));  // through a side, aslant
    EXPECT_TRUE(meets({0, 0, 0}, {0, 0, 1}));            // corner on end
    const double past = std::nextafter(0.5, 1.0), above = std::numeric_limits<double>::denorm_min();
    EXPECT_FALSE(meets({0.5, past, -1}, {0.5, past, 1}));
    EXPECT_FALSE(meets({0.25, 0.25, above}, {0.3, 0.2, 1}));
    EXPECT_FALSE(meets({-above, 0.25, -1}, {-above, 0.25, 1}));
}

TEST(EdgeFace, InOnePlane)
{
    EXPECT_TRUE(meets({-1, 0.25, 0}, {2, 0.25, 0}));   // right across
    EXPECT_TRUE(meets({0.2, 0.2, 0}, {0.3, 0.3, 0}));  // inside
    EXPECT_TRUE(meets({0.2, 0.2, 0}, {5, 5, 0}));      // from inside to outside
    EXPECT_TRUE(meets({-1, 0, 0}, {-0.0, 0, 0}));      // along the line of a side, up to a corner
    EXPECT_TRUE(meets({-1, 2, 0}, {2, -1, 0}));        // along a side
    EXPECT_FALSE(meets({2, 0, 0}, {3, 0, 0}));         // on the line of a side, beyond
    EXPECT_FALSE(meets({1, 1, 0}, {2, 0.5, 0}));       // beside
    // The same in a plane across no axis.
    const Vec3 a{1, 0, 0}, b{0, 1, 0}, c{0, 0, 1};
    EXPECT_TRUE(edge_meets_face({0.5, 0.25, 0.25}, {3, -1, -1}, a, b, c));
    EXPECT_FALSE(edge_meets_face({2, -0.5, -0.5}, {3, -1, -1}, a, b, c));
}

TEST(EdgeFace, WithoutAreaOrLength)
{
    EXPECT_TRUE(edge_meets_face({1, -1, 0}, {1, 1, 0}, {0, 0, 0}, {1, 0, 0}, {3, 0, 0}));   // triangle as a segment
    EXPECT_FALSE(edge_meets_face({4, -1, 0}, {4, 1, 0}, {0, 0, 0}, {1, 0, 0}, {3, 0, 0}));  // its line goes on
    EXPECT_FALSE(edge_meets_face({1, -1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 0, 0}, {3, 0, 0}));  // skew
    EXPECT_TRUE(meets({0.25, 0.25, 0}, {0.25, 0.25, 0}));                                   // segment as a point
    EXPECT_FALSE(meets({0.25, 0.25, 1}, {0.25, 0.25, 1}));
    EXPECT_TRUE(edge_meets_face({0, 0, 0}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}));
    EXPECT_FALSE(edge_meets_face({0, 0, 0}, {2, 2, 2}, {1, 1, 2}, {1, 1, 2}, {1, 1, 2}));
}

TEST(EdgeFace, TwoEdges)
{
    EXPECT_TRUE(edge_meets_edge({-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}));
    EXPECT_FALSE(edge_meets_edge({-1, 0, 0}, {1, 0, 0}, {0, -1, 1e-300}, {0, 1, 1e-300}));
    EXPECT_TRUE(edge_meets_edge({0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {2, 2, 2}));
    EXPECT_FALSE(edge_meets_edge({0, 0, 0}, {1, 1, 1}, {1.5, 1.5, 1.5}, {2, 2, 2}));
}

// --- a truth of another kind ----------------------------------------------------------------------------
//
// Segment and triangle meet where the origin is a difference of their points, hence in the convex hull of the differences of their
// corners, hence (Carathéodory) in a simplex of at most four of these. Decided in whole numbers.

using Lattice = std::array<std::int64_t, 3>;

Lattice minus(const Lattice& a, const Lattice& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Lattice times(const Lattice& a, const Lattice& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
std::int64_t product(const Lattice& a, const Lattice& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
bool is_zero(const Lattice& a)
{
    return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

bool segment_has_origin(const Lattice& a, const Lattice& b)
{
    return is_zero(times(a, b)) && product(a, b) <= 0;
}

bool triangle_has_origin(const Lattice& a, const Lattice& b, const Lattice& c)
{
    const Lattice n = times(minus(b, a), minus(c, a));
    return !is_zero(n) && product(n, a) == 0 && product(n, times(a, b)) >= 0 && product(n, times(b, c)) >= 0 &&
           product(n, times(c, a)) >= 0;
}

bool tetrahedron_has_origin(const Lattice& a, const Lattice& b, const Lattice& c, const Lattice& d)
{
    const auto turn = [](const Lattice& u, const Lattice& v, const Lattice& w) { return product(u, times(v, w)); };
    const std::int64_t whole = product(minus(b, a), times(minus(c, a), minus(d, a)));
    if (whole == 0) return false;
    const std::int64_t sign = whole > 0 ? 1 : -1;
    return sign * turn(b, c, d) >= 0 && -sign * turn(a, c, d) >= 0 && sign * turn(a, b, d) >= 0 &&
           -sign * turn(a, b, c) >= 0;
}

bool truly_meet(const std::array<Lattice, 2>& segment, const std::array<Lattice, 3>& triangle)
{
    std::vector<Lattice> s;
    for (const Lattice& p : segment)
        for (const Lattice& a : triangle) s.push_back(minus(a, p));
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = i; j < 6; ++j) {
            if (segment_has_origin(s[i], s[j])) return true;
            for (std::size_t k = j + 1; k < 6; ++k) {
                if (triangle_has_origin(s[i], s[j], s[k])) return true;
                for (std::size_t l = k + 1; l < 6; ++l)
                    if (tetrahedron_has_origin(s[i], s[j], s[k], s[l])) return true;
            }
        }
    return false;
}

// On a small lattice most cases are degenerate in some way; turned and shifted by exact steps they are in no special plane.
TEST(EdgeFace, AgreesWithWholeNumbersOnALattice)
{
    std::mt19937 random(3);
    std::uniform_int_distribution<std::int64_t> small(-2, 2);
    const std::array<Lattice, 3> turned{{{3, -5, 7}, {11, 2, -4}, {-6, 8, 1}}};
    int met = 0;
    constexpr int kCases = 60000;
    for (int i = 0; i < kCases; ++i) {
        std::array<Lattice, 5> corner{};
        std::array<Vec3, 5> x;
        for (std::size_t c = 0; c < 5; ++c) {
            const Lattice on_lattice{small(random), small(random), small(random)};
            for (std::size_t k = 0; k < 3; ++k)
                corner[c][k] = i % 2 == 0 ? on_lattice[k] : product(turned[k], on_lattice);
            // Steps of 2^-40 beside 1/8: differences are exact, but nothing is a round number.
            for (int k = 0; k < 3; ++k) x[c][k] = 0.125 + std::ldexp(static_cast<double>(corner[c][k]), -40);
        }
        const bool truth = truly_meet({corner[0], corner[1]}, {corner[2], corner[3], corner[4]});
        ASSERT_EQ(edge_meets_face(x[0], x[1], x[2], x[3], x[4]), truth) << "case " << i;
        ASSERT_EQ(edge_meets_face(x[1], x[0], x[4], x[3], x[2]), truth) << "case " << i;
        met += truth ? 1 : 0;
    }
    EXPECT_GT(met, kCases / 10);
    EXPECT_LT(met, kCases / 2);
}

}  // namespace
}  // namespace pliant
