// SPDX-License-Identifier: MIT
#pragma once

// What xpbd and vbd work in: coloured elements, incidences of vertices, particles. Made from the model before the first
// such step; nothing in it is remembered from one step to the next.

#include <memory>
#include <type_traits>
#include <variant>
#include <vector>

#include <pliant/energy/corner.h>
#include <pliant/energy/energy.h>
#include <pliant/energy/project.h>
#include <pliant/model/model.h>
#include <pliant/solver/momentum.h>

namespace pliant {

/// A term as xpbd sweeps over it.
template <class E>
struct ProjectedTerm {
    ColouredElements<E> elements;
    std::vector<ElementForces<E>> done;  ///< #blocks once a step has more than one sweep
};

/// A term that the solver cannot treat; it is refused at build.
template <class E>
struct RefusedTerm {
};

template <class List>
struct DescentTerms;
template <class... E>
struct DescentTerms<std::variant<E...>> {
    using Projected = std::variant<std::conditional_t<ProjectableEnergy<E>, ProjectedTerm<E>, RefusedTerm<E>>...>;
    using Incident = std::variant<std::conditional_t<CornerEnergy<E>, VertexIncidence<E>, RefusedTerm<E>>...>;
};

/// A gas during a step: its border row.
struct GasRow {
    double gauge = 0;            ///< [Pa] pressure over that outside as far as vertices know
    std::vector<Vec3> gradient;  ///< dV/dx, #points [m^2]
    std::vector<Vec3> force;     ///< [N] it has put on vertices so far, #free vertices
};

class DescentContacts;

struct DescentScratch {
    /// Sizes the particles; terms are made when a solver first asks for them.
    explicit DescentScratch(const Model&);

    void make_projected(const Model&);
    void make_incident(const Model&);

    std::vector<Particle> x;             ///< #free vertices; w: inverse mass that the medium's drag adds to [1/kg]
    std::vector<Particle> start;         ///< #free vertices: where the step began
    std::vector<Particle> goal;          ///< #free vertices: y; w: mass with drag over h^2 [N/m]
    std::vector<Particle> inverse_mass;  ///< #free vertices: along each axis, 0 where held [1/kg]
    std::vector<GasRow> gases;           ///< #cavities
    std::vector<std::uint8_t> acts;      ///< #terms: whether they do anything in this step

    std::vector<DescentTerms<Energy>::Projected> projected;  ///< #terms, for xpbd
    VertexOrder order;                                       ///< of vbd
    std::vector<DescentTerms<Energy>::Incident> incident;    ///< #terms, for vbd
    std::vector<CornerSum> sums;                             ///< #slots, for vbd
    Momentum momentum;                                       ///< of vbd
    std::shared_ptr<DescentContacts> contacts;               ///< of vbd with response barrier, made when first used
};

}  // namespace pliant
