// SPDX-License-Identifier: MIT
#pragma once

// The view of an energy that vertex block descent asks for: gradient and 3x3 block of one vertex, from all elements around
// it.
//
// Vertices are sorted by colour (coloured.h) and cut into chunks of neighbours in that order. For every chunk and
// every corner number i, the elements whose corner i is one of the chunk's vertices are packed by four, with their rest
// geometry: a block asks all four for the same corner, which is known when the kernel is compiled. Incidences of one vertex are
// dealt out over blocks, so that the adds of a block go to different places. A chunk is one thread's: it adds to the
// places of its own vertices only.
// Blocks are positive: curvature by its positive part as everywhere, damping v = c (x - z) through d2D/dv2.
// Symbols: g = dE/dx_i + dD/dv_i [N], h = d2E/dx_i^2 + c d2D/dv_i^2 [N/m], c [1/s], z positions at the start [m].
// Reference: Chen et al., "Vertex block descent", 2024.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <pliant/energy/coloured.h>
#include <pliant/energy/particles.h>

namespace pliant {

/// Energies that add_corner() understands: those whose Element is made of a few nodes.
template <class E>
concept CornerEnergy = RowEnergy<E> || DensityEnergy<E>;

/// Gradient [N] and block [N/m] of a vertex, in an order in which four lanes transpose into whole rows.
struct alignas(32) CornerSum {
    double gx = 0, gy = 0, gz = 0, xz = 0;
    double xx = 0, yy = 0, zz = 0, xy = 0;
    double yz = 0, unused[3]{};
};

/// Vertices in the order of their colours: places ("slots") in which a sweep works.
struct VertexOrder {
    struct Chunk {
        std::int32_t first = 0, end = 0;  ///< slots
    };
    std::vector<std::int32_t> vertex;        ///< #slots
    std::vector<Chunk> chunks;               ///< colour by colour
    std::vector<std::int32_t> colour_start;  ///< #colours + 1: first chunk of each

    std::int32_t colours() const { return static_cast<std::int32_t>(colour_start.size()) - 1; }
};

/// Vertices of a chunk: enough for a thread to be worth it, few enough to stay in its cache.
inline constexpr std::int32_t kVerticesPerChunk = 256;

VertexOrder order_vertices(std::span<const NodeLists> terms, std::int32_t vertex_count);

/// Four elements that are asked for the same corner. All of it lies together: chunks are short, and many small streams would
/// each wait for memory anew.
template <class E>
struct IncidenceBlock {
    RestOf<E, Pack4> rest;
    StencilBlock<E::nodes> nodes;
    std::array<std::int32_t, kPackWidth> slot;  ///< whose corner it is
    std::int32_t lanes = 0;                     ///< how many of the four are there; the others repeat the last
};

/// The elements around the vertices of each chunk, by corner number.
template <class E>
struct VertexIncidence {
    using Parameters = E;
    struct Range {
        std::int32_t begin = 0, end = 0;  ///< blocks
    };
    std::vector<IncidenceBlock<E>> blocks;
    std::vector<std::array<std::int32_t, kPackWidth>> element;  ///< #blocks: numbers in Elements<E>
    std::vector<std::array<Range, E::nodes>> range;             ///< #chunks
};

namespace corner_detail {

/// A corner of an element; `turn` counts the corners with the same number at the same vertex.
struct Incidence {
    std::int32_t turn = 0, slot = 0, element = 0;
};

/// For each chunk and corner number the incidences, dealt out: first one of each vertex, then the second …
std::vector<std::vector<Incidence>> deal_incidences(const NodeLists&, const VertexOrder&);

template <class E>
void add_block(VertexIncidence<E>& to, const Elements<E>& elements, std::span<const Incidence> four)
{
    IncidenceBlock<E>& block = to.blocks.emplace_back();
    auto& numbers = to.element.emplace_back();
    block.lanes = static_cast<std::int32_t>(four.size());
    for (std::size_t lane = 0; lane < kPackWidth; ++lane) {
        const Incidence& at = four[std::min(lane, four.size() - 1)];
        const std::int32_t e = at.element, b = e / kPackWidth;
        for (int i = 0; i < E::nodes; ++i)
            block.nodes.node[i][lane] = elements.stencils.blocks[b].node[i][e % kPackWidth];
        view_detail::set_lane<E>(block.rest, static_cast<int>(lane),
                                 view_detail::get_lane<E>(elements.rest[b], e % kPackWidth));
        block.slot[lane] = at.slot, numbers[lane] = e;
    }
}

}  // namespace corner_detail

template <class E>
VertexIncidence<E> vertex_incidence(const Elements<E>& elements, const VertexOrder& order)
{
    const auto dealt = corner_detail::deal_incidences(node_lists(elements.stencils), order);
    VertexIncidence<E> to;
    to.range.resize(order.chunks.size());
    for (std::size_t c = 0; c < order.chunks.size(); ++c)
        for (std::size_t i = 0; i < E::nodes; ++i) {
            const std::span<const corner_detail::Incidence> all = dealt[c * E::nodes + i];
            to.range[c][i].begin = static_cast<std::int32_t>(to.blocks.size());
            for (std::size_t first = 0; first < all.size(); first += kPackWidth)
                corner_detail::add_block(to, elements,
                                         all.subspan(first, std::min<std::size_t>(kPackWidth, all.size() - first)));
            to.range[c][i].end = static_cast<std::int32_t>(to.blocks.size());
        }
    return to;
}

/// What blocks are made at.
struct CornerPoint {
    const Particle* x = nullptr;
    const Particle* start = nullptr;  ///< z
    double c = 0;                     ///< [1/s]
};

namespace corner_detail {

/// Gradient and upper half of the block of one corner of four elements.
struct CornerPack {
    Vec3T<Pack4> g;
    Pack4 xx, yy, zz, xy, xz, yz;

    [[gnu::always_inline]] void set_block(const Mat3T<Pack4>& h)
    {
        xx = h.m[0][0], yy = h.m[1][1], zz = h.m[2][2], xy = h.m[0][1], xz = h.m[0][2], yz = h.m[1][2];
    }
};

/// Adds four corners to their places.
[[gnu::always_inline]] inline void add_lanes(CornerSum* sums, const std::array<std::int32_t, kPackWidth>& slot,
                                             int lanes, const CornerPack& corner)
{
    using particle_detail::load, particle_detail::store;
    auto a0 = corner.g.x.values, a1 = corner.g.y.values, a2 = corner.g.z.values, a3 = corner.xz.values;
    auto b0 = corner.xx.values, b1 = corner.yy.values, b2 = corner.zz.values, b3 = corner.xy.values;
    particle_detail::transpose(a0, a1, a2, a3);
    particle_detail::transpose(b0, b1, b2, b3);
    const auto add = [&](int lane, const Pack4::Values& a, const Pack4::Values& b) {
        CornerSum& sum = sums[slot[static_cast<std::size_t>(lane)]];
        store(&sum.gx, load(&sum.gx) + a);
        store(&sum.xx, load(&sum.xx) + b);
        sum.yz += corner.yz[lane];
    };
    add(0, a0, b0);
    if (lanes > 1) add(1, a1, b1);
    if (lanes > 2) add(2, a2, b2);
    if (lanes > 3) add(3, a3, b3);
}

/// One corner of any energy, as its Element makes it.
template <int kCorner, bool kDamped, class E>
struct CornerMaker {
    [[gnu::always_inline]] static void make(CornerPack& out, const E& energy, const RestOf<E, Pack4>& rest,
                                            const std::array<Vec3T<Pack4>, E::nodes>& x,
                                            const std::array<Vec3T<Pack4>, E::nodes>& way, double c)
    {
        Element<E, Pack4> element(energy, rest, x);
        Mat3T<Pack4> h = element.block(kCorner, kCorner);
        if constexpr (kDamped) {
            std::array<Vec3T<Pack4>, E::nodes> v;
#pragma GCC unroll 8
            for (int i = 0; i < E::nodes; ++i) v[i] = way[i] * Pack4(c);
            element.damp(v);
            h += element.damping_block(kCorner, kCorner) * Pack4(c);
        }
        out.g = element.gradient(kCorner);
        out.set_block(h);
    }
};

/// Rows know more than their Element says: K times a gradient is three calls of stress(), which skip the zeros of K.
template <int kCorner, bool kDamped, class E>
requires(RowEnergy<E> && !StencilEnergy<E>) struct CornerMaker<kCorner, kDamped, E> {
    static constexpr int N = E::nodes, M = E::rows;

    [[gnu::always_inline]] static void make(CornerPack& out, const E& energy, const RestOf<E, Pack4>& rest,
                                            const std::array<Vec3T<Pack4>, N>& x,
                                            const std::array<Vec3T<Pack4>, N>& way, double c)
    {
        const Rows<Pack4, N, M> rows = energy.strain(rest, x);
        Pack4 f[M]{}, pull[M];
        energy.stress(rest, rows.e, f);
        for (int m = 0; m < M; ++m) pull[m] = f[m];
        if constexpr (kDamped) {
            Pack4 rate[M], viscous[M]{};
            for (int m = 0; m < M; ++m) {
                rate[m] = dot(rows.d[m][0], way[0]);
                for (int i = 1; i < N; ++i) rate[m] += dot(rows.d[m][i], way[i]);
                rate[m] *= Pack4(c);
            }
            energy.viscous_stress(rest, rate, viscous);
            for (int m = 0; m < M; ++m) pull[m] += viscous[m];
        }
        out.g = rows.d[0][kCorner] * pull[0];
        for (int m = 1; m < M; ++m) out.g += rows.d[m][kCorner] * pull[m];
        set_stiffness(out, energy, rest, rows, c);
        add_curvature(out, energy, rest, x, rows, f);
    }

private:
    [[gnu::always_inline]] static void set_stiffness(CornerPack& out, const E& energy, const RestOf<E, Pack4>& rest,
                                                     const Rows<Pack4, N, M>& rows, double c)
    {
        Pack4 along[3][M], kd[3][M]{};
#pragma GCC unroll 8
        for (int a = 0; a < 3; ++a) {
            for (int m = 0; m < M; ++m) along[a][m] = rows.d[m][kCorner][a];
            energy.stress(rest, along[a], kd[a]);
            if constexpr (kDamped) {
                Pack4 viscous[M]{};
                energy.viscous_stress(rest, along[a], viscous);
                for (int m = 0; m < M; ++m) kd[a][m] += viscous[m] * Pack4(c);
            }
        }
        const auto entry = [&](int a, int b) {
            Pack4 sum = along[a][0] * kd[b][0];
            for (int m = 1; m < M; ++m) sum += along[a][m] * kd[b][m];
            return sum;
        };
        out.xx = entry(0, 0), out.yy = entry(1, 1), out.zz = entry(2, 2);
        out.xy = entry(0, 1), out.xz = entry(0, 2), out.yz = entry(1, 2);
    }

    [[gnu::always_inline]] static void add_curvature(CornerPack& out, const E& energy, const RestOf<E, Pack4>& rest,
                                                     const std::array<Vec3T<Pack4>, N>& x,
                                                     const Rows<Pack4, N, M>& rows, const Pack4 (&f)[M])
    {
        Mat3T<Pack4> h;
        if constexpr (requires { typename E::template Curve<Pack4>; })
            h = energy.curve(rest, x, f).block(kCorner, kCorner);
        else
            energy.add_curvature(h, kCorner, kCorner, rest, rows, f);
        out.xx += h.m[0][0], out.yy += h.m[1][1], out.zz += h.m[2][2];
        out.xy += h.m[0][1], out.xz += h.m[0][2], out.yz += h.m[1][2];
    }
};

template <int kCorner, bool kDamped, class E>
[[gnu::flatten]] void add_corner_blocks(CornerSum* sums, const VertexIncidence<E>& incidence, std::size_t chunk,
                                        const E& parameters, const CornerPoint& at, std::span<const double> inner)
{
    constexpr int N = E::nodes;
    // A copy that nobody else can see: what depends on parameters alone is computed once, not once a block.
    const E energy = parameters;
    const auto range = incidence.range[chunk][kCorner];
    const std::int32_t last = static_cast<std::int32_t>(incidence.blocks.size()) - 1;
    for (std::int32_t b = range.begin; b < range.end; ++b) {
        const IncidenceBlock<E>& block = incidence.blocks[b];
        fetch(incidence.blocks[std::min(b + kAhead, last)].nodes, at.x);
        std::array<Vec3T<Pack4>, N> x, way;
#pragma GCC unroll 8
        for (int i = 0; i < N; ++i) {
            x[i] = gather(block.nodes.node[i], at.x).at;
            if constexpr (kDamped) way[i] = x[i] - gather(block.nodes.node[i], at.start).at;
        }
        const auto& rest = rest_with_inner<E>(block.rest, incidence.element[b], inner);
        CornerPack corner;
        CornerMaker<kCorner, kDamped, E>::make(corner, energy, rest, x, way, at.c);
        add_lanes(sums, block.slot, block.lanes, corner);
    }
}

template <bool kDamped, class E, int... kCorner>
void add_all_corners(CornerSum* sums, const VertexIncidence<E>& incidence, std::size_t chunk, const E& parameters,
                     const CornerPoint& at, std::span<const double> inner, std::integer_sequence<int, kCorner...>)
{
    (add_corner_blocks<kCorner, kDamped>(sums, incidence, chunk, parameters, at, inner), ...);
}

}  // namespace corner_detail

/// Adds gradient and block of every vertex of a chunk to its place in `sums`, which is #slots long.
template <CornerEnergy E>
void add_corner(std::span<CornerSum> sums, const VertexIncidence<E>& incidence, std::size_t chunk, const E& parameters,
                const CornerPoint& at, std::span<const double> inner = {})
{
    constexpr auto kCorners = std::make_integer_sequence<int, E::nodes>{};
    if (is_damped(parameters) && at.c != 0)
        corner_detail::add_all_corners<true>(sums.data(), incidence, chunk, parameters, at, inner, kCorners);
    else
        corner_detail::add_all_corners<false>(sums.data(), incidence, chunk, parameters, at, inner, kCorners);
}

}  // namespace pliant
