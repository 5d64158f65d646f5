// SPDX-License-Identifier: MIT
#pragma once

// The view of a row energy that XPBD asks for: go through the elements and move their nodes so that each
// in turn has the stress that its strain asks for.
//
// A step of implicit Euler minimises 1/2 |x - y|^2_M / h^2 + E(x) + D((x - z)/h). Where it ends,
//   M (x - y) = h^2 sum F_e,   F_e = J^T s,   s = -(K e + C J (x - z)/h),
// with rows e(x), J = de/dx, K by stress(), C by viscous_stress(). The first equation is kept at all times: whatever is added to
// an element's forces F moves its nodes by h^2 M^-1 of it. A visit asks for the second and third, linearised at the
// present x, with s + ds for the new stress and B = K + C/h:
//   dx = h^2 M^-1 (J^T ds - t R),   R = F - J^T s,
//   (1 + h^2 B A) ds = -(K e + C J (x - z)/h) - s + t h^2 B J M^-1 R,   A = J M^-1 J^T.
// The m rows stay coupled, and K is never inverted: no stiffness at all is as good as any. s is XPBD's multiplier, over h^2.
// R is what the forces of earlier visits lack because the element has turned since. XPBD as published
// leaves it (t = 0) and so ends beside the minimum; t > 0 takes it out. An element of size l under forces F that turns by dx/l
// turns its forces by F dx/l, which moves its nodes by h^2 w F dx/l: where that is more than dx, t = 1 would swing ever
// wider, hence t = 1 / (1 + h^2 w |F| / l). In a step of one sweep s, F and R are zero, and nothing of them is kept.
// The curvature of the rows is left out, as in XPBD: it changes the way to the minimum, not the minimum.
//
// Symbols: x positions [m], y where inertia and outer forces alone would lead [m], z positions at the start of the step
// [m], w inverse mass [1/kg], s generalised stress, F forces [N], h step [s].
// Reference: Macklin et al., "XPBD: position-based simulation of compliant constrained dynamics", 2016.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/base/parallel.h>
#include <pliant/energy/coloured.h>
#include <pliant/energy/particles.h>
#include <pliant/energy/projection_rows.h>

namespace pliant {

/// Energies that project() understands: rows, few enough for a small system in closed form.
template <class E>
concept ProjectableEnergy = RowEnergy<E> &&(E::rows == 1 || E::rows == 3);

/// What the elements of a block have done in this step.
template <class E>
struct ElementForces {
    Pack4 stress[E::rows];
    Vec3T<Pack4> force[E::nodes];  ///< [N]
};

/// A constant stencil never turns: its forces follow from the stress.
template <StencilEnergy E>
struct ElementForces<E> {
    Pack4 stress[E::rows];
};

/// The nodes that a sweep moves.
struct ProjectedNodes {
    std::span<Particle> x;                   ///< w: inverse mass [1/kg], 0 for held nodes
    std::span<const Particle> start;         ///< z
    std::span<const Particle> inverse_mass;  ///< along each axis, where some node is held in part; else empty
};

struct ProjectionSweep {
    double h = 0;           ///< [s]
    bool is_first = false;  ///< of this step
};

/// Blocks of one colour that a thread takes at a time.
inline constexpr std::size_t kProjectedBlocks = 128;

namespace project_detail {

/// A step with a single sweep needs no books.
enum class Sweep { only, one_of_many };

/// a x = b in closed form.
[[gnu::always_inline]] inline void solve(const Pack4 (&a)[1][1], const Pack4 (&b)[1], Pack4 (&x)[1])
{
    x[0] = b[0] / a[0][0];
}

[[gnu::always_inline]] inline void solve(const Pack4 (&a)[3][3], const Pack4 (&b)[3], Pack4 (&x)[3])
{
    const Vec3T<Pack4> a0{a[0][0], a[0][1], a[0][2]}, a1{a[1][0], a[1][1], a[1][2]}, a2{a[2][0], a[2][1], a[2][2]};
    const Vec3T<Pack4> c0 = cross(a1, a2), c1 = cross(a2, a0), c2 = cross(a0, a1);
    const Pack4 scale = Pack4(1.0) / dot(a0, c0);
    const Vec3T<Pack4> sum = c0 * b[0] + c1 * b[1] + c2 * b[2];
    x[0] = sum.x * scale, x[1] = sum.y * scale, x[2] = sum.z * scale;
}

/// Stress of an element so far.
template <int M>
[[gnu::always_inline]] inline void book(const Pack4 (&change)[M], Pack4 (&stress)[M])
{
#pragma GCC unroll 8
    for (int m = 0; m < M; ++m) stress[m] += change[m];
}

/// One visit of four elements; Mobility is h^2 w of a node, a number or one for each axis.
template <class E, class Mobility>
class Visit {
public:
    static constexpr int N = E::nodes, M = E::rows;

    [[gnu::always_inline]] Visit(const E& energy, const RestOf<E, Pack4>& rest, const std::array<Vec3T<Pack4>, N>& x,
                                 const Mobility (&mobility)[N])
        : energy_(energy)
        , rest_(rest)
        , mobility_(mobility)
        , rows_(energy, rest, x)
    {
        energy_.stress(rest_, rows_.strain(), lack_);
    }

    /// Adds damping for the way since the start of the step.
    [[gnu::always_inline]] void damp(const Vec3T<Pack4> (&way)[N], double per_second)
    {
        per_second_ = per_second;
        Pack4 rate[M], viscous[M]{};
        rows_.along(way, rate);
        for (Pack4& r : rate) r *= Pack4(per_second);
        energy_.viscous_stress(rest_, rate, viscous);
#pragma GCC unroll 8
        for (int m = 0; m < M; ++m) lack_[m] += viscous[m];
    }

    /// What the element has done so far; takes out part of what it lacks since the element has turned.
    template <bool kDamped>
    [[gnu::always_inline]] void go_on_from(const ElementForces<E>& done, const std::array<Vec3T<Pack4>, N>& x)
    {
        Vec3T<Pack4> now[N];
        rows_.forces(done.stress, now);
        Pack4 reach2(0.0), size2 = norm2(x[1] - x[0]);
#pragma GCC unroll 8
        for (int i = 0; i < N; ++i) {
            reach2 += norm2(scaled(done.force[i], mobility_[i]));
            turn_[i] = done.force[i] - now[i];
            if (i > 1) size2 = min(size2, norm2(x[i] - x[0]));
        }
        const Pack4 share = Pack4(1.0) / (Pack4(1.0) + sqrt(reach2 / (size2 + Pack4(1e-300))));
        Vec3T<Pack4> way[N];
#pragma GCC unroll 8
        for (int i = 0; i < N; ++i) {
            turn_[i] *= share;
            way[i] = scaled(turn_[i], mobility_[i]);
        }
        Pack4 strain[M], pull[M]{};
        rows_.along(way, strain);
        harden<kDamped>(strain, pull);
#pragma GCC unroll 8
        for (int m = 0; m < M; ++m) lack_[m] += done.stress[m] - pull[m];
    }

    /// The change of stress.
    template <bool kDamped>
    [[gnu::always_inline]] void solve_stress(Pack4 (&change)[M]) const
    {
        Pack4 response[M][M], columns[M][M]{}, system[M][M], right[M];
        rows_.respond(mobility_, response);
#pragma GCC unroll 8
        for (int n = 0; n < M; ++n) harden<kDamped>(response[n], columns[n]);
#pragma GCC unroll 8
        for (int m = 0; m < M; ++m) {
            right[m] = -lack_[m];
#pragma GCC unroll 8
            for (int n = 0; n < M; ++n) system[m][n] = columns[n][m];
            system[m][m] += Pack4(1.0);
        }
        solve(system, right, change);
    }

    /// The forces that the change adds to every node, and the books.
    template <Sweep kSweep>
    [[gnu::always_inline]] void push(const Pack4 (&change)[M], Vec3T<Pack4> (&force)[N],
                                     [[maybe_unused]] ElementForces<E>* done) const
    {
        rows_.forces(change, force);
#pragma GCC unroll 8
        for (int i = 0; i < N; ++i) {
            if constexpr (kSweep == Sweep::one_of_many) force[i] -= turn_[i], done->force[i] += force[i];
        }
        if constexpr (kSweep != Sweep::only) book<M>(change, done->stress);
    }

private:
    /// f = B e.
    template <bool kDamped>
    [[gnu::always_inline]] void harden(const Pack4 (&e)[M], Pack4 (&f)[M]) const
    {
        energy_.stress(rest_, e, f);
        if constexpr (kDamped) {
            Pack4 rate[M], viscous[M]{};
#pragma GCC unroll 8
            for (int m = 0; m < M; ++m) rate[m] = e[m] * Pack4(per_second_);
            energy_.viscous_stress(rest_, rate, viscous);
#pragma GCC unroll 8
            for (int m = 0; m < M; ++m) f[m] += viscous[m];
        }
    }

    const E& energy_;
    const RestOf<E, Pack4>& rest_;
    const Mobility (&mobility_)[N];
    ProjectionRows<E, Mobility> rows_;
    double per_second_ = 0;
    Pack4 lack_[M]{};
    Vec3T<Pack4> turn_[N];
};

/// Rows that are one vector q = sum_i c_i x_i with one stiffness: the system is diagonal.
template <StencilEnergy E, class Mobility>
class Visit<E, Mobility> {
public:
    static constexpr int N = E::nodes;

    [[gnu::always_inline]] Visit(const E& energy, const RestOf<E, Pack4>& rest, const std::array<Vec3T<Pack4>, N>& x,
                                 const Mobility (&mobility)[N])
        : energy_(energy)
        , rest_(rest)
        , stiffness_(energy.stiffness(rest))
        , lack_(stencil_sum(rest.c, x) * stiffness_)
        , response_(mobility[0] * (rest.c[0] * rest.c[0]))
    {
#pragma GCC unroll 8
        for (int i = 1; i < N; ++i) response_ += mobility[i] * (rest.c[i] * rest.c[i]);
    }

    [[gnu::always_inline]] void damp(const Vec3T<Pack4> (&way)[N], double per_second)
    {
        const Pack4 viscosity = energy_.viscosity(rest_) * Pack4(per_second);
        stiffness_ += viscosity;
#pragma GCC unroll 8
        for (int i = 0; i < N; ++i) lack_ += way[i] * (rest_.c[i] * viscosity);
    }

    template <bool kDamped>
    [[gnu::always_inline]] void go_on_from(const ElementForces<E>& done, const std::array<Vec3T<Pack4>, N>&)
    {
        lack_ += Vec3T<Pack4>{done.stress[0], done.stress[1], done.stress[2]};
    }

    template <bool kDamped>
    [[gnu::always_inline]] void solve_stress(Pack4 (&change)[3]) const
    {
        const Pack4 one(1.0);
        if constexpr (std::same_as<Mobility, Pack4>) {
            const Pack4 scale = -one / (one + stiffness_ * response_);
            for (int m = 0; m < 3; ++m) change[m] = lack_[m] * scale;
        } else
            for (int m = 0; m < 3; ++m) change[m] = -lack_[m] / (one + stiffness_ * response_[m]);
    }

    template <Sweep kSweep>
    [[gnu::always_inline]] void push(const Pack4 (&change)[3], Vec3T<Pack4> (&force)[N],
                                     [[maybe_unused]] ElementForces<E>* done) const
    {
        const Vec3T<Pack4> q{change[0], change[1], change[2]};
#pragma GCC unroll 8
        for (int i = 0; i < N; ++i) force[i] = q * rest_.c[i];
        if constexpr (kSweep != Sweep::only) book<3>(change, done->stress);
    }

private:
    const E& energy_;
    const RestOf<E, Pack4>& rest_;
    Pack4 stiffness_;
    Vec3T<Pack4> lack_;
    Mobility response_;
};

/// A run of blocks of one colour.
template <Sweep kSweep, bool kDamped, class Mobility, class E>
[[gnu::flatten]] void project_blocks(const ProjectedNodes& nodes, const ColouredElements<E>& elements,
                                     const E& parameters, std::span<ElementForces<E>> done, double h,
                                     std::span<const double> inner, std::size_t begin, std::size_t end)
{
    constexpr int N = E::nodes;
    // A copy that nobody else can see: what depends on parameters alone is computed once, not once a block.
    const E energy = parameters;
    for (std::size_t b = begin; b < end; ++b) {
        const StencilBlock<N>& block = elements.blocks[b];
        std::array<ParticlePack, N> particles = gather(block, nodes.x.data());
        std::array<Vec3T<Pack4>, N> x;
        Mobility mobility[N];
#pragma GCC unroll 8
        for (int i = 0; i < N; ++i) {
            x[i] = particles[i].at;
            if constexpr (std::same_as<Mobility, Pack4>)
                mobility[i] = particles[i].w * Pack4(h * h);
            else
                mobility[i] = gather(block.node[i], nodes.inverse_mass.data()).at * Pack4(h * h);
        }
        const auto& rest = rest_with_inner<E>(elements.rest[b], elements.element[b], inner);
        Visit<E, Mobility> visit(energy, rest, x, mobility);
        if constexpr (kDamped) {
            Vec3T<Pack4> way[N];
#pragma GCC unroll 8
            for (int i = 0; i < N; ++i) way[i] = x[i] - gather(block.node[i], nodes.start.data()).at;
            visit.damp(way, 1 / h);
        }
        if constexpr (kSweep == Sweep::one_of_many) visit.template go_on_from<kDamped>(done[b], x);
        Pack4 change[E::rows];
        visit.template solve_stress<kDamped>(change);
        Vec3T<Pack4> force[N];
        visit.template push<kSweep>(change, force, kSweep == Sweep::only ? nullptr : &done[b]);
#pragma GCC unroll 8
        for (int i = 0; i < N; ++i) particles[i].at += scaled(force[i], mobility[i]);
        scatter<N>(block, nodes.x.data(), particles, elements.lanes[b]);
    }
}

template <Sweep kSweep, bool kDamped, class Mobility, class E>
void project_colours(const ProjectedNodes& nodes, const ColouredElements<E>& elements, const E& parameters,
                     std::span<ElementForces<E>> done, double h, std::span<const double> inner)
{
    for (std::int32_t c = 0; c < elements.colours(); ++c) {
        const std::size_t first = elements.colour_start[c], count = elements.colour_start[c + 1] - first;
        parallel_for(count, kProjectedBlocks, [&](std::size_t begin, std::size_t end, std::size_t) {
            project_blocks<kSweep, kDamped, Mobility>(nodes, elements, parameters, done, h, inner, first + begin,
                                                      first + end);
        });
    }
}

}  // namespace project_detail

/// One sweep over all elements of a term. `done` is one per block; it may be empty where a step has a single sweep and no
/// node is held along some axes only.
template <ProjectableEnergy E>
void project(const ProjectedNodes& nodes, const ColouredElements<E>& elements, const E& parameters,
             std::span<ElementForces<E>> done, const ProjectionSweep& sweep, std::span<const double> inner = {})
{
    using project_detail::Sweep, project_detail::project_colours;
    const double h = sweep.h;
    if (sweep.is_first) std::fill(done.begin(), done.end(), ElementForces<E>{});
    // Nodes that are held along some axes only are rare: one kernel does for them.
    if (!nodes.inverse_mass.empty())
        project_colours<Sweep::one_of_many, true, Vec3T<Pack4>>(nodes, elements, parameters, done, h, inner);
    else if (done.empty() && is_damped(parameters))
        project_colours<Sweep::only, true, Pack4>(nodes, elements, parameters, done, h, inner);
    else if (done.empty())
        project_colours<Sweep::only, false, Pack4>(nodes, elements, parameters, done, h, inner);
    else if (is_damped(parameters))
        project_colours<Sweep::one_of_many, true, Pack4>(nodes, elements, parameters, done, h, inner);
    else
        project_colours<Sweep::one_of_many, false, Pack4>(nodes, elements, parameters, done, h, inner);
}

}  // namespace pliant
