// SPDX-License-Identifier: MIT
#pragma once

// A solid that keeps a part of its deformation (energy/solid_plasticity.h): each element's plastic deformation F_p is
// an internal variable. A quadratic element yields as a whole, by its mean deformation.
// Symbols: F_p^-1 - 1, nine numbers by rows, and the plastic strain so far are the ten variables of an element.

#include <pliant/energy/solid.h>
#include <pliant/energy/solid_plasticity.h>

namespace pliant {

template <class Law, class Shape>
struct PlasticSolid : Solid<Law, Shape>, SolidPlasticity {
    using Base = Solid<Law, Shape>;
    template <class S>
    using Rest = typename Base::template Rest<S>;
    static constexpr int inner_size = 10;

    template <class S>
    static Mat3T<S> plastic_inverse(const std::array<S, inner_size>& inner)
    {
        Mat3T<S> inverse = identity3<S>();
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) inverse.m[r][c] += inner[static_cast<std::size_t>(3 * r + c)];
        return inverse;
    }

    template <class S>
    static Rest<S> with_inner(Rest<S> rest, const std::array<S, inner_size>& inner)
    {
        apply_plastic_rest(rest, plastic_inverse(inner));
        return rest;
    }

    std::array<double, inner_size> flow(const Rest<double>& rest, const std::array<double, inner_size>& inner,
                                        const std::array<Vec3, Shape::nodes>& x, double) const
    {
        const Rest<double> now = with_inner(rest, inner);
        const Element<Base, double> element(*this, now, x);
        Mat3 elastic;
        for (int q = 0; q < Shape::points; ++q) elastic += element.deformation(q) * (1.0 / Shape::points);
        const PlasticState before{plastic_inverse(inner), inner[9]};
        const PlasticState after = flowed(before, elastic, this->moduli(rest).shear, *this);
        std::array<double, inner_size> result;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                result[static_cast<std::size_t>(3 * r + c)] = after.inverse.m[r][c] - (r == c ? 1 : 0);
        result[9] = after.strain;
        return result;
    }
};

template <class V, class Law, class Shape>
void describe(V&& visit, PlasticSolid<Law, Shape>& s)
{
    describe(visit, static_cast<Solid<Law, Shape>&>(s));
    describe(visit, static_cast<SolidPlasticity&>(s));
}

}  // namespace pliant
