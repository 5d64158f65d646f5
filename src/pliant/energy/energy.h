// SPDX-License-Identifier: MIT
#pragma once

// The closed list of element energies. A new one costs its two files and one word here.

#include <variant>

#include <pliant/energy/plastic_spring.h>
#include <pliant/energy/simplex_shape.h>
#include <pliant/energy/spring.h>
#include <pliant/energy/spring_limit.h>
#include <pliant/energy/views.h>

namespace pliant {

/// The live parameters of one term; State keeps one per term of the Model.
using Energy = std::variant<Spring, PlasticSpring, SpringLimit, SimplexShape>;

template <class List>
struct TermsOf;
template <class... E>
struct TermsOf<std::variant<E...>> {
    using Type = std::variant<Elements<E>...>;
};

/// The stencils and rest geometry of one term, index for index with the Energy alternatives.
using Term = TermsOf<Energy>::Type;

}  // namespace pliant
