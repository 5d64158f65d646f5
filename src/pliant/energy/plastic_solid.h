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
        for (std::size_t k = 0; k < 9; ++k) inverse.m[k / 3][k % 3] += inner[k];
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
        for (std::size_t k = 0; k < 9; ++k) result[k] = after.inverse.m[k / 3][k % 3] - (k % 4 == 0 ? 1 : 0);
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
