// SPDX-License-Identifier: MIT
#pragma once

// The closed list of element energies. A new one costs its two files and one word here.

#include <variant>

#include <pliant/energy/hinge.h>
#include <pliant/energy/membrane.h>
#include <pliant/energy/neo_hookean_membrane.h>
#include <pliant/energy/plastic_solid.h>
#include <pliant/energy/plastic_spring.h>
#include <pliant/energy/quadratic_bending.h>
#include <pliant/energy/simplex_shape.h>
#include <pliant/energy/solid.h>
#include <pliant/energy/spring.h>
#include <pliant/energy/spring_limit.h>
#include <pliant/energy/views.h>

namespace pliant {

template <class Law>
using LinearSolid = Solid<Law, LinearTet>;
template <class Law>
using QuadraticSolid = Solid<Law, QuadraticTet>;

template <class Law, class Shape>
bool is_damped(const Solid<Law, Shape>& s)
{
    return s.bulk_viscosity != 0 || s.shear_viscosity != 0 || s.damping_time != 0;
}

/// The live parameters of one term; State keeps one per term of the Model.
using Energy =
    std::variant<Spring, PlasticSpring, SpringLimit, SimplexShape, GreenMembrane, ThreadMembrane, NeoHookeanMembrane,
                 Hinge, QuadraticBending, LinearSolid<StableNeoHookean>, QuadraticSolid<StableNeoHookean>,
                 LinearSolid<NeoHookean>, QuadraticSolid<NeoHookean>, LinearSolid<StVenantKirchhoff>,
                 QuadraticSolid<StVenantKirchhoff>, LinearSolid<Corotated>, QuadraticSolid<Corotated>,
                 LinearSolid<LinearElastic>, QuadraticSolid<LinearElastic>, LinearSolid<MooneyRivlin>,
                 QuadraticSolid<MooneyRivlin>, LinearSolid<ThesisSolid>, QuadraticSolid<ThesisSolid>,
                 LinearSolid<IsochoricThesis>, QuadraticSolid<IsochoricThesis>,
                 LinearSolid<FibreReinforced<StableNeoHookean>>, QuadraticSolid<FibreReinforced<StableNeoHookean>>,
                 PlasticSolid<StableNeoHookean, LinearTet>, PlasticSolid<StableNeoHookean, QuadraticTet>>;

template <class List>
struct TermsOf;
template <class... E>
struct TermsOf<std::variant<E...>> {
    using Type = std::variant<Elements<E>...>;
};

/// The stencils and rest geometry of one term, index for index with the Energy alternatives.
using Term = TermsOf<Energy>::Type;

}  // namespace pliant
