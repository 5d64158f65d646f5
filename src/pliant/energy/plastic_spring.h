// SPDX-License-Identifier: MIT
#pragma once

// A spring whose rest length gives way (energy/plasticity.h); its permanent extension is an internal variable.

#include <pliant/energy/plasticity.h>
#include <pliant/energy/spring.h>

namespace pliant {

struct PlasticSpring : Spring, Plasticity {
    static constexpr int inner_size = 1;  ///< its permanent extension [m]

    template <class S>
    static Rest<S> with_inner(Rest<S> rest, const std::array<S, 1>& extension)
    {
        rest.length += extension[0];
        return rest;
    }

    std::array<double, 1> flow(const Rest<double>& rest, const std::array<double, 1>& extension,
                               const std::array<Vec3, 2>& x, double h) const
    {
        return {Plasticity::flow(rest.length, extension[0], norm(x[1] - x[0]), h)};
    }
};

template <class V>
void describe(V&& visit, PlasticSpring& s)
{
    describe(visit, static_cast<Spring&>(s));
    describe(visit, static_cast<Plasticity&>(s));
}

}  // namespace pliant
