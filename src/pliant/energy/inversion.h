// SPDX-License-Identifier: MIT
#pragma once

// The guard of laws that blow up at zero volume: how near to inversion the elements are, and how far they may move.
//
// Laws with forbids_inversion have no energy beyond J = 0, yet a step may jump over the barrier. A line search
// starts from fraction_before_inversion(); a step that does not search (explicit) is judged by
// smallest_volume_ratio() and refused. det(F + s dF) is a cubic in s; its Bernstein coefficients say at once that it
// has no root, which is the usual case.
// Symbols: J = det F volume ratio [1], s fraction of the displacement.

#include <algorithm>
#include <array>
#include <limits>

#include <pliant/energy/solid.h>
#include <pliant/energy/views.h>

namespace pliant {

/// The smallest of many numbers, as a sum over chunks wants it.
struct Smallest {
    double value = std::numeric_limits<double>::infinity();
    Smallest& operator+=(const Smallest& other)
    {
        value = std::min(value, other.value);
        return *this;
    }
};

namespace inversion_detail {

inline double smallest_lane(const Pack4& a)
{
    return std::min(std::min(a[0], a[1]), std::min(a[2], a[3]));
}

/// Where the cubic with these Bernstein coefficients on [from, to] first stops being positive, from the safe side;
/// `to` when it never does.
inline double first_crossing(const std::array<double, 4>& b, double from, double to, int depth)
{
    if (std::min({b[0], b[1], b[2], b[3]}) > 0) return to;
    constexpr int kDeepest = 30;
    if (depth == kDeepest || b[0] <= 0) return from;
    const double ab = (b[0] + b[1]) / 2, bc = (b[1] + b[2]) / 2, cd = (b[2] + b[3]) / 2;
    const double abc = (ab + bc) / 2, bcd = (bc + cd) / 2, middle = (abc + bcd) / 2, half = (from + to) / 2;
    const double left = first_crossing({b[0], ab, abc, middle}, from, half, depth + 1);
    if (left < half) return left;
    return first_crossing({middle, bcd, cd, b[3]}, half, to, depth + 1);
}

/// Bernstein coefficients over s in [0, 1] of det(F + s dF) - floor.
template <class S>
std::array<S, 4> volume_along(const Mat3T<S>& F, const Mat3T<S>& dF, const S& floor)
{
    const S third(1.0 / 3.0), start = determinant(F) - floor;
    const S a = inner(cofactor(F), dF), b = inner(cofactor(dF), F), c = determinant(dF);
    return {start, start + a * third, start + (S(2.0) * a + b) * third, start + a + b + c};
}

}  // namespace inversion_detail

/// Smallest J over all elements and integration points; not positive when one is inverted.
template <SolidEnergy E>
double smallest_volume_ratio(const Elements<E>& elements, const E& parameters, std::span<const Vec3> x)
{
    return reduce<Smallest>(elements.stencils,
                            [&](std::int32_t b) {
                                const auto at = static_cast<std::size_t>(b);
                                const auto corners = gather(elements.stencils.blocks[at], x);
                                const Element<E, Pack4> element(parameters, elements.rest[at], corners);
                                Pack4 J = determinant(element.deformation(0));
                                for (int q = 1; q < E::points; ++q) J = min(J, determinant(element.deformation(q)));
                                return Smallest{inversion_detail::smallest_lane(J)};
                            })
        .value;
}

/// The largest s in [0, 1] such that no element shrinks below `kept` of its present volume on the way from x to x +
/// s dx, to 1e-9; 0 when one is inverted already.
template <SolidEnergy E>
double fraction_before_inversion(const Elements<E>& elements, const E& parameters, std::span<const Vec3> x,
                                 std::span<const Vec3> dx, double kept = 0.1)
{
    using namespace inversion_detail;
    return reduce<Smallest>(elements.stencils,
                            [&](std::int32_t b) {
                                const auto at = static_cast<std::size_t>(b);
                                const auto& block = elements.stencils.blocks[at];
                                const Element<E, Pack4> here(parameters, elements.rest[at], gather(block, x));
                                const Element<E, Pack4> change(parameters, elements.rest[at], gather(block, dx));
                                double fraction = 1;
                                for (int q = 0; q < E::points; ++q) {
                                    const Mat3T<Pack4>& F = here.deformation(q);
                                    const auto p = volume_along(F, change.deformation(q), determinant(F) * Pack4(kept));
                                    for (int lane = 0; lane < kPackWidth; ++lane)
                                        fraction = std::min(
                                            fraction,
                                            first_crossing({p[0][lane], p[1][lane], p[2][lane], p[3][lane]}, 0, 1, 0));
                                }
                                return Smallest{fraction};
                            })
        .value;
}

}  // namespace pliant
