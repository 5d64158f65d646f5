// SPDX-License-Identifier: MIT

// Colours of elements and vertices, and the two views that need them, against the plain views of the same elements.

#include <pliant/energy/coloured.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include <pliant/energy/activity.h>
#include <pliant/energy/corner.h>
#include <pliant/energy/hinge.h>
#include <pliant/energy/membrane.h>
#include <pliant/energy/project.h>
#include <pliant/energy/quadratic_bending.h>
#include <pliant/energy/spring.h>

namespace pliant {
namespace {

constexpr std::int32_t kSide = 23, kNodes = kSide * kSide;

template <int N>
using Tuples = std::vector<std::array<std::int32_t, N>>;

Tuples<3> triangles()
{
    Tuples<3> out;
    for (std::int32_t j = 0; j + 1 < kSide; ++j)
        for (std::int32_t i = 0; i + 1 < kSide; ++i) {
            const std::int32_t a = j * kSide + i;
            out.push_back({a, a + 1, a + kSide}), out.push_back({a + 1, a + kSide + 1, a + kSide});
        }
    return out;
}

Tuples<4> quads()
{
    Tuples<4> out;
    for (std::int32_t j = 0; j + 1 < kSide; ++j)
        for (std::int32_t i = 0; i + 1 < kSide; ++i) {
            const std::int32_t a = j * kSide + i;
            out.push_back({a + 1, a + kSide, a, a + kSide + 1});
        }
    return out;
}

// A fan: one vertex in more elements than a machine word has bits.
Tuples<2> fan()
{
    Tuples<2> out;
    for (std::int32_t i = 1; i <= 100; ++i) out.push_back({0, i});
    return out;
}

template <class E>
Elements<E> elements_of(const Tuples<E::nodes>& nodes)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> between(0.5, 1.5);
    std::vector<RestOf<E, double>> rest(nodes.size());
    for (auto& r : rest) {
        auto* numbers = reinterpret_cast<double*>(&r);
        for (std::size_t k = 0; k < sizeof(r) / sizeof(double); ++k) numbers[k] = between(random);
        if constexpr (E::nodes == 3)
            for (int k = 0; k < 2; ++k) r.b[0][k] = -r.b[1][k] - r.b[2][k];
        if constexpr (StencilEnergy<E>) r.c[0] = -r.c[1] - r.c[2] - r.c[3];
    }
    return make_elements<E>(nodes, rest, kNodes);
}

std::vector<Vec3> positions(unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> shake(-0.2, 0.2);
    std::vector<Vec3> x;
    for (std::int32_t i = 0; i < kNodes; ++i)
        x.push_back({i % kSide + shake(random), shake(random), i / kSide + shake(random)});
    return x;
}

std::vector<Particle> particles(const std::vector<Vec3>& x, double w)
{
    std::vector<Particle> out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) out[i].set(x[i]), out[i].w = w;
    return out;
}

template <class E>
void expect_valid(const Elements<E>& elements)
{
    const ColouredElements<E> by_colour = coloured(elements, kNodes);
    std::set<std::int32_t> seen;
    for (std::int32_t c = 0; c < by_colour.colours(); ++c) {
        std::set<std::int32_t> nodes;
        ASSERT_LT(by_colour.colour_start[c], by_colour.colour_start[c + 1]);
        for (std::int32_t b = by_colour.colour_start[c]; b < by_colour.colour_start[c + 1]; ++b)
            for (int lane = 0; lane < by_colour.lanes[b]; ++lane) {
                EXPECT_TRUE(seen.insert(by_colour.element[b][lane]).second) << "an element twice";
                for (int i = 0; i < E::nodes; ++i)
                    EXPECT_TRUE(nodes.insert(by_colour.blocks[b].node[i][lane]).second) << "a node twice in a colour";
                const std::int32_t e = by_colour.element[b][lane];
                const auto one = view_detail::get_lane<E>(by_colour.rest[b], lane);
                const auto other = view_detail::get_lane<E>(elements.rest[e / kPackWidth], e % kPackWidth);
                EXPECT_EQ(std::memcmp(&one, &other, sizeof one), 0);
            }
    }
    EXPECT_EQ(static_cast<std::int32_t>(seen.size()), elements.stencils.count);
}

TEST(Coloured, ElementsOfAColourShareNoNodeAndNoneIsLost)
{
    expect_valid(elements_of<GreenMembrane>(triangles()));
    expect_valid(elements_of<Hinge>(quads()));
    expect_valid(elements_of<Spring>(fan()));
    EXPECT_LE(coloured(elements_of<GreenMembrane>(triangles()), kNodes).colours(), 9);
    EXPECT_EQ(coloured(elements_of<Spring>(fan()), kNodes).colours(), 100);
    EXPECT_EQ(coloured(elements_of<Spring>({}), kNodes).colours(), 0);
}

TEST(Coloured, VerticesOfAColourShareNoElementOfAnyTerm)
{
    const NodeLists terms[] = {node_lists(elements_of<GreenMembrane>(triangles()).stencils),
                               node_lists(elements_of<Hinge>(quads()).stencils),
                               node_lists(elements_of<Spring>(fan()).stencils)};
    const std::vector<std::int32_t> colour = colour_nodes(terms, kNodes);
    for (const NodeLists& lists : terms)
        for (std::int32_t e = 0; e < lists.count(); ++e)
            for (const std::int32_t a : lists.of(e))
                for (const std::int32_t b : lists.of(e)) EXPECT_TRUE(a == b || colour[a] != colour[b]);
    const VertexOrder order = order_vertices(terms, kNodes);
    EXPECT_EQ(std::set(order.vertex.begin(), order.vertex.end()).size(), static_cast<std::size_t>(kNodes));
    for (std::int32_t c = 0; c < order.colours(); ++c)
        for (std::int32_t k = order.colour_start[c]; k < order.colour_start[c + 1]; ++k)
            for (std::int32_t s = order.chunks[k].first; s < order.chunks[k].end; ++s)
                EXPECT_EQ(colour[order.vertex[s]], c);
}

// Gradient and block of every vertex from its corners, against element by element.
template <class E>
void expect_corners(const Elements<E>& elements, const E& live)
{
    constexpr double c = 3;
    const std::vector<Vec3> x = positions(1), z = positions(2);
    std::vector<Vec3> gradient(kNodes);
    std::vector<Mat3> block(kNodes);
    for_each_element(elements, live, x, [&](std::int32_t, Element<E, double> element, const auto& nodes) {
        std::array<Vec3, E::nodes> v;
        for (std::size_t i = 0; i < E::nodes; ++i) {
            v[i] = (x[nodes[i]] - z[nodes[i]]) * c;
            block[nodes[i]] += element.block(static_cast<int>(i), static_cast<int>(i)) +
                               element.damping_block(static_cast<int>(i), static_cast<int>(i)) * c;
        }
        element.damp(v);
        for (std::size_t i = 0; i < E::nodes; ++i) gradient[nodes[i]] += element.gradient(static_cast<int>(i));
    });
    const NodeLists lists[] = {node_lists(elements.stencils)};
    const VertexOrder order = order_vertices(lists, kNodes);
    const VertexIncidence<E> incidence = vertex_incidence(elements, order);
    const std::vector<Particle> at = particles(x, 1), start = particles(z, 1);
    std::vector<CornerSum> sums(kNodes);
    for (std::size_t k = 0; k < order.chunks.size(); ++k)
        add_corner(std::span(sums), incidence, k, live, {at.data(), start.data(), c});
    double size = 0, error = 0;
    for (std::int32_t s = 0; s < kNodes; ++s) {
        const Mat3& h = block[order.vertex[s]];
        const Vec3& g = gradient[order.vertex[s]];
        error = std::max({error, norm(g - Vec3{sums[s].gx, sums[s].gy, sums[s].gz}), std::abs(h.m[0][0] - sums[s].xx),
                          std::abs(h.m[1][1] - sums[s].yy), std::abs(h.m[2][2] - sums[s].zz),
                          std::abs(h.m[0][1] - sums[s].xy), std::abs(h.m[0][2] - sums[s].xz),
                          std::abs(h.m[1][2] - sums[s].yz)});
        size = std::max({size, norm(g), h.m[0][0], h.m[1][1]});
    }
    EXPECT_GT(size, 1);
    EXPECT_LT(error, 1e-13 * size);
}

TEST(Corner, SumsToTheGradientAndBlockOfEveryVertex)
{
    const auto membrane = elements_of<GreenMembrane>(triangles());
    expect_corners(membrane, GreenMembrane{.stretch_u = 20, .stretch_v = 30, .poisson = 0.3, .shear = 10});
    expect_corners(membrane, GreenMembrane{.stretch_u = 20, .stretch_v = 30, .shear = 10, .damping_time = 0.1});
    expect_corners(elements_of<ThreadMembrane>(triangles()),
                   ThreadMembrane{.stretch_u = 20, .stretch_v = 30, .poisson = 0.3, .shear = 10, .shear_damping = 1});
    expect_corners(elements_of<Hinge>(quads()), Hinge{.bend_u = 3, .bend_v = 2, .bend_damping_time = 0.1});
    expect_corners(elements_of<QuadraticBending>(quads()), QuadraticBending{.bend_u = 3, .bend_damping = 2});
    expect_corners(elements_of<Spring>(fan()), Spring{.k_s = 3, .k_d = 1});
}

// One element on its own, visited often, ends where its part of implicit Euler's objective has no slope.
template <class E>
void expect_balance(const Tuples<E::nodes>& nodes, const E& live, std::span<const Particle> axes)
{
    const Elements<E> elements = elements_of<E>(nodes);
    const ColouredElements<E> by_colour = coloured(elements, kNodes);
    const std::vector<Vec3> y = positions(3), z = positions(4);
    constexpr double h = 0.3;
    std::vector<Particle> x = particles(y, 0.7);
    const std::vector<Particle> start = particles(z, 0);
    std::vector<ElementForces<E>> done(by_colour.blocks.size());
    const ProjectedNodes moved{x, start, axes};
    for (int k = 0; k < 400; ++k) project(moved, by_colour, live, std::span(done), {h, k == 0});
    std::vector<Vec3> at(kNodes), v(kNodes), force(kNodes);
    for (std::int32_t i = 0; i < kNodes; ++i) at[i] = x[i].vector(), v[i] = (at[i] - z[i]) / h;
    std::vector<Vec3> windows(elements.stencils.window_size);
    subtract_gradient(force, elements, live, at, v, windows);
    double way = 0, error = 0;
    for (const auto& tuple : nodes)
        for (const std::int32_t i : tuple) {
            Vec3 w{0.7, 0.7, 0.7};
            if (!axes.empty()) w = axes[i].vector();
            const Vec3 asked{force[i].x * w.x * h * h, force[i].y * w.y * h * h, force[i].z * w.z * h * h};
            way = std::max(way, norm(at[i] - y[i]));
            error = std::max(error, norm(at[i] - y[i] - asked));
        }
    EXPECT_GT(way, 0.01);
    EXPECT_LT(error, 1e-12);
}

template <class E>
void expect_balances(const Tuples<E::nodes>& nodes, const E& live)
{
    expect_balance(nodes, live, {});
    std::vector<Particle> axes(kNodes);
    for (std::int32_t i = 0; i < kNodes; ++i) axes[i].set({0.7, i % 2 ? 0.0 : 0.3, 0.9});
    expect_balance(nodes, live, axes);
}

TEST(Project, EndsWhereForcesAndInertiaBalance)
{
    // Five elements apart from each other: a whole block and one with a single lane.
    const Tuples<3> apart3{{0, 1, 23}, {5, 6, 28}, {10, 11, 33}, {100, 101, 123}, {200, 201, 223}};
    const Tuples<4> apart4{
        {1, 23, 0, 24}, {6, 28, 5, 29}, {11, 33, 10, 34}, {101, 123, 100, 124}, {201, 223, 200, 224}};
    const Tuples<2> apart2{{0, 1}, {5, 6}, {10, 11}, {100, 101}, {200, 201}};
    expect_balances(apart3, GreenMembrane{.stretch_u = 2, .stretch_v = 3, .poisson = 0.3, .shear = 1});
    expect_balances(apart3, GreenMembrane{.stretch_u = 2, .stretch_v = 3, .shear = 1, .damping_time = 0.1});
    expect_balances(apart3, ThreadMembrane{.stretch_u = 2, .stretch_v = 3, .poisson = 0.3, .shear_damping = 1});
    expect_balances(apart4, Hinge{.bend_u = 0.1, .bend_v = 0.2, .bend_damping_time = 0.1});
    expect_balances(apart4, QuadraticBending{.bend_u = 3, .bend_damping = 2});
    expect_balances(apart2, Spring{.k_s = 3, .k_d = 1});
}

TEST(Activity, KnowsWhatIsSwitchedOff)
{
    const auto membrane = elements_of<GreenMembrane>(triangles());
    const auto does = [&](const GreenMembrane& live) { return acts<GreenMembrane>(membrane.rest, live); };
    EXPECT_FALSE(does({}));
    EXPECT_TRUE(does({.stretch_v = 1}));
    EXPECT_TRUE(does({.shear_damping = 1}));
    EXPECT_FALSE(does({.shear = 1, .shear_enabled = false}));
}

TEST(Activity, GivesThePowerThatForcesBook)
{
    const auto membrane = elements_of<GreenMembrane>(triangles());
    GreenMembrane live{.stretch_u = 2, .stretch_v = 3, .shear = 1, .damping_time = 0.1};
    const std::vector<Vec3> x = positions(5), v = positions(6);
    std::vector<Vec3> force(kNodes), windows(membrane.stencils.window_size);
    const double power = subtract_gradient(force, membrane, live, x, v, windows);
    EXPECT_GT(power, 1);
    EXPECT_NEAR(damping_power(membrane, live, x, v), power, 1e-12 * power);
    live.damping_time = 0;
    EXPECT_EQ(damping_power(membrane, live, x, v), 0);
}

}  // namespace
}  // namespace pliant
