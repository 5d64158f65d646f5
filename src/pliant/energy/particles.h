// SPDX-License-Identifier: MIT
#pragma once

// Particles: positions as kernels that visit elements in any order want them, 32 bytes a node.
//
// A node is one aligned load; four nodes are transposed into packs by shuffles. The fourth number rides along for free: XPBD
// keeps the inverse mass there. Arrays of Vec3 (24 bytes) stay what everybody else sees; solvers that
// sweep many times copy once on the way in and once on the way out.

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include <pliant/base/simd.h>
#include <pliant/base/types.h>
#include <pliant/energy/stencils.h>

namespace pliant {

struct alignas(32) Particle {
    double x = 0, y = 0, z = 0, w = 0;

    Vec3 vector() const { return {x, y, z}; }
    void set(const Vec3& a) { x = a.x, y = a.y, z = a.z; }
};
static_assert(sizeof(Particle) == kPackWidth * sizeof(double));

/// Four particles, lane by lane.
struct ParticlePack {
    Vec3T<Pack4> at;
    Pack4 w;
};

namespace particle_detail {

using Values = Pack4::Values;

/// Rows become columns; it is its own inverse.
[[gnu::always_inline]] inline void transpose(Values& a, Values& b, Values& c, Values& d)
{
    const Values ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                 ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Values cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6),
                 cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
    c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
    d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

[[gnu::always_inline]] inline Values load(const void* from)
{
    Values v;
    std::memcpy(&v, __builtin_assume_aligned(from, 32), sizeof v);
    return v;
}

[[gnu::always_inline]] inline void store(void* to, const Values& v)
{
    std::memcpy(__builtin_assume_aligned(to, 32), &v, sizeof v);
}

}  // namespace particle_detail

[[gnu::always_inline]] inline ParticlePack gather(const std::int32_t (&node)[kPackWidth], const Particle* particles)
{
    using particle_detail::load;
    auto a = load(particles + node[0]), b = load(particles + node[1]), c = load(particles + node[2]),
         d = load(particles + node[3]);
    particle_detail::transpose(a, b, c, d);
    return {{Pack4(a), Pack4(b), Pack4(c)}, Pack4(d)};
}

template <int N>
[[gnu::always_inline]] inline std::array<ParticlePack, N> gather(const StencilBlock<N>& block,
                                                                 const Particle* particles)
{
    std::array<ParticlePack, N> out;
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) out[i] = gather(block.node[i], particles);
    return out;
}

/// Asks for the particles of a block that will be gathered soon: their places are known long before the processor gets there.
template <int N>
[[gnu::always_inline]] inline void fetch(const StencilBlock<N>& block, const Particle* particles)
{
#pragma GCC unroll 16
    for (const auto& row : block.node)
#pragma GCC unroll 4
        for (const std::int32_t node : row) __builtin_prefetch(particles + node);
}

/// How many blocks ahead.
inline constexpr std::int32_t kAhead = 4;

/// Writes the first `lanes` of the four particles at every node.
template <int N>
[[gnu::always_inline]] inline void scatter(const StencilBlock<N>& block, Particle* particles,
                                           const std::array<ParticlePack, N>& packs, int lanes)
{
    const auto write = [&](int count) {
#pragma GCC unroll 8
        for (int i = 0; i < N; ++i) {
            const ParticlePack& pack = packs[static_cast<std::size_t>(i)];
            auto a = pack.at.x.values, b = pack.at.y.values, c = pack.at.z.values, d = pack.w.values;
            particle_detail::transpose(a, b, c, d);
            particle_detail::store(particles + block.node[i][0], a);
            if (count > 1) particle_detail::store(particles + block.node[i][1], b);
            if (count > 2) particle_detail::store(particles + block.node[i][2], c);
            if (count > 3) particle_detail::store(particles + block.node[i][3], d);
        }
    };
    if (lanes == kPackWidth)
        write(kPackWidth);
    else
        write(lanes);
}

}  // namespace pliant
