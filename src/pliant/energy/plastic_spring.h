// SPDX-License-Identifier: MIT
#pragma once

// A spring whose rest length gives way (energy/plasticity.h); its permanent extension is an internal variable.

#include <pliant/energy/plasticity.h>
#include <pliant/energy/spring.h>

namespace pliant {

struct PlasticSpring : Spring, Plasticity {
    static constexpr bool has_inner = true;

    template <class S>
    static Rest<S> with_inner(Rest<S> rest, const S& extension)
    {
        rest.length += extension;
        return rest;
    }
};

template <class V>
void describe(V&& visit, PlasticSpring& s)
{
    describe(visit, static_cast<Spring&>(s));
    describe(visit, static_cast<Plasticity&>(s));
}

}  // namespace pliant
