// SPDX-License-Identifier: MIT
#pragma once

// Radial springs: one from every vertex of a body to its centre, in place of an interior.
//
// E = 1/2 k_r (|x - c| - L)^2,  D = 1/2 k_d (d|x - c|/dt)^2 for each vertex, where the centre c is
//   fixed      a point in space;
//   centroid   c = sum s_i x_i with shares s_i = m_i / M: the reaction of all springs goes back to the
//              vertices by the same shares, so momentum is conserved;
//   thesis_centroid   the same without the reaction, as seed 004 writes it: momentum is lost, for replays;
//   free       a vertex of its own with a mass, the last one of the body.
// Their rest lengths can give way (energy/plasticity.h): internal variables, one per vertex in State::inner.
// They are not elements of a term: all share one point, which would tie every chunk to every other.
// Symbols: k_r [N/m], k_d [N s/m], L rest length [m]. Reference: seed 004 section 3.6.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <pliant/base/describe.h>
#include <pliant/base/types.h>
#include <pliant/energy/plasticity.h>

namespace pliant {

enum class CenterKind : std::int32_t { fixed, centroid, free, thesis_centroid };
constexpr std::array<std::string_view, 4> enum_names(CenterKind)
{
    return {"fixed", "centroid", "free", "thesis_centroid"};
}

/// Live parameters.
struct Radial {
    bool enabled = true;
    double k_r = 0;  ///< [N/m]
    double k_d = 0;  ///< [N s/m]
    Plasticity plastic;
};

template <class V>
void describe(V&& visit, Radial& r)
{
    constexpr Change live = Change::live;
    visit(Field{"enabled", "", 0, 1, "whether the radial springs act", live}, r.enabled);
    visit(Field{"k_r", "N/m", 0, 1e12, "stiffness of every radial spring", live}, r.k_r);
    visit(Field{"k_d", "N s/m", 0, 1e12, "damping along every radial spring", live}, r.k_d);
    describe(visit, r.plastic);
}

/// The springs of one body; its vertices are points first … first + rest.size() - 1.
struct RadialSprings {
    std::int32_t first = 0;
    CenterKind kind = CenterKind::fixed;
    std::int32_t center_point = -1;  ///< free: the vertex that is the centre
    Vec3 fixed_at{};                 ///< [m] fixed: where
    std::size_t inner_start = 0;     ///< where their permanent extensions begin in State::inner
    std::vector<double> rest;        ///< [m] per vertex at the start
    std::vector<double> share;       ///< [1] centroids: m_i / M per vertex
};

/// The centre at positions x; with velocities in place of positions, its velocity.
Vec3 center(const RadialSprings&, std::span<const Vec3> x);
Vec3 center_velocity(const RadialSprings&, std::span<const Vec3> v);

/// Elastic energy [J]. `extension` are the internal variables, one per vertex.
double energy(const RadialSprings&, const Radial&, std::span<const Vec3> x, std::span<const double> extension);

/// Subtracts dE/dx + dD/dv from `force` and returns the power lost to damping [W].
double subtract_gradient(std::span<Vec3> force, const RadialSprings&, const Radial&, std::span<const Vec3> x,
                         std::span<const Vec3> v, std::span<const double> extension);

/// Lets rest lengths give way for h seconds; returns the elastic energy lost [J].
double flow(std::span<double> extension, const RadialSprings&, const Radial&, std::span<const Vec3> x, double h);

/// Bounds of what the springs add to the elastic [1/s^2] and damping [1/s] rates.
struct RadialRates {
    double stiffness = 0, damping = 0;
};
RadialRates rate_bounds(const RadialSprings&, const Radial&, std::span<const double> inverse_mass,
                        std::span<const Vec3> x, std::span<const double> extension);

}  // namespace pliant
