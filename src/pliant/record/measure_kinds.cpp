// SPDX-License-Identifier: MIT
#include <pliant/record/measure_kinds.h>

#include <array>

#include <fnmatch.h>

namespace pliant {

namespace {

// The first pattern that fits counts, so narrow ones stand before wide ones.
constexpr std::array kKinds = {
    MeasureKind{"energy.kinetic", "energy.kinetic", "energy", "J", "energy of motion"},
    MeasureKind{"energy.elastic", "energy.elastic", "energy", "J", "energy stored in springs"},
    MeasureKind{"energy.gravitational", "energy.gravitational", "energy", "J", "weight times height"},
    MeasureKind{"energy.gas", "energy.gas", "energy", "J", "energy of all gases, counted from the start"},
    MeasureKind{"energy.dissipated", "energy.dissipated", "energy", "J", "what dampers, friction and impacts took"},
    MeasureKind{"energy.external", "energy.external", "energy", "J", "work of loads and of what is moved from outside"},
    MeasureKind{"energy.switched", "energy.switched", "energy", "J", "what inputs put in by changing parameters"},
    MeasureKind{"energy.total", "energy.total", "energy", "J", "sum of the stored kinds and of motion"},
    MeasureKind{"energy.error", "energy.error", "energy error", "1",
                "change of total + dissipated - external - switched since the start, over the largest swing of any "
                "energy so far: what the integrator got wrong, never booked away"},
    MeasureKind{"momentum.*", "momentum.x|y|z", "momentum", "kg m/s", "sum over all bodies"},
    MeasureKind{"contacts", "contacts", "contacts", "1", "points that touch something"},
    MeasureKind{
        "intersections", "intersections", "intersections", "1",
        "`record.intersections` only: pairs of an edge and a face without a common vertex that cross or touch, of one "
        "body or of two, and vertices behind planes; exact, colliders are not compared with each other"},
    MeasureKind{"energy.contact", "energy.contact", "energy", "J",
                "in the temporary springs of contact.response thesis_springs; part of elastic"},
    MeasureKind{"contacts.mesh_checks", "contacts.mesh_checks", "checks", "1",
                "tests of a vertex' way against a triangle of colliders that are meshes, since the start"},
    MeasureKind{"contacts.mesh_hits", "contacts.mesh_hits", "hits", "1", "of these, ways that met a triangle"},
    MeasureKind{"contacts.mesh_memory", "contacts.mesh_memory", "memory", "B",
                "taken by the triangles and their octrees"},
    MeasureKind{"contacts.resting", "contacts.resting", "contacts", "1", "between solids: those that were no impacts"},
    MeasureKind{"contacts.held", "contacts.held", "vertices", "1",
                "between solids: vertices that had to be moved as one lump for a step, since the start"},
    MeasureKind{"contacts.candidates", "contacts.candidates", "pairs", "1",
                "bridson: pairs of elements that the last step looked at"},
    MeasureKind{"contacts.near", "contacts.near", "pairs", "1",
                "bridson, barrier: pairs nearer than their thickness when the step began (barrier: ended)"},
    MeasureKind{"contacts.hits", "contacts.hits", "crossings", "1",
                "bridson: crossings that were found, since the start; barrier: ways that would have crossed"},
    MeasureKind{"contacts.rounds", "contacts.rounds", "rounds", "1",
                "bridson: rounds of impulses against crossings, since the start"},
    MeasureKind{"contacts.cuts", "contacts.cuts", "ways", "1",
                "barrier: ways of iterations that crossings cut short since the start"},
    MeasureKind{"contacts.over_budget", "contacts.over_budget", "steps", "1",
                "barrier: steps that contact.budget ended since the start"},
    MeasureKind{"contacts.unbalanced", "contacts.unbalanced", "share", "1",
                "barrier: force that the last step left unbalanced, over what drove it"},
    MeasureKind{"contacts.taken_back", "contacts.taken_back", "energy", "J",
                "barrier: energy that steps had made of nothing and that was taken from their motion, since the start"},
    MeasureKind{"contacts.searches", "contacts.searches", "searches", "1",
                "bridson: searches for candidates, since the start"},
    MeasureKind{"contacts.halvings", "contacts.halvings", "halvings", "1", "bridson: steps halved, since the start"},
    MeasureKind{"contacts.zones", "contacts.zones", "vertices", "1",
                "bridson: vertices and rigid bodies that had to be moved in rigid zones for a step, since the start"},
    MeasureKind{
        "gap.min", "gap.min", "gap", "m",
        "bridson, barrier: smallest distance of a pair when the last step began (barrier: ended), or the largest "
        "thickness if all are farther"},
    MeasureKind{"penetration.deepest", "penetration.deepest", "depth", "m",
                "how far the deepest vertex is inside another solid"},
    MeasureKind{"*.center.[xyz]", "BODY.center.x|y|z", "position", "m", "centre of mass"},
    MeasureKind{"*.velocity.[xyz]", "BODY.velocity.x|y|z", "velocity", "m/s", "of the centre of mass"},
    MeasureKind{"*.low", "BODY.low", "position", "m", "lowest point, along the axis that is up"},
    MeasureKind{"*.high", "BODY.high", "position", "m", "highest point, along the axis that is up"},
    MeasureKind{"*.size.[xyz]", "BODY.size.x|y|z", "size", "m", "extent along the axes"},
    MeasureKind{"*.radius.m*", "BODY.radius.mean|min|max", "radius", "m",
                "distance of vertices from the centre of radial springs; BODY.LOAD.radius of a loaded region"},
    MeasureKind{"*.goal.rms", "BODY.goal.rms", "distance to the goal", "m",
                "distance of vertices from the goal's surface, root of the mean square"},
    MeasureKind{"*.impulse.[xyz]", "COLLIDER.impulse.x|y|z", "impulse", "N s",
                "what contacts gave the collider since the start"},
    MeasureKind{"rest.force", "rest.force", "force", "N",
                "until rest: largest mass times acceleration of a vertex in the last step"},
    MeasureKind{"rest.energy", "rest.energy", "energy", "J", "until rest: largest kinetic energy of a vertex"},
    MeasureKind{"*.strain.m*", "BODY.strain.mean|max", "strain", "1",
                "stretch of springs over their rest length; of cloth: of its edges, without signs"},
    MeasureKind{"*.tension", "BODY.tension", "tension", "N/m",
                "of the skin that springs stand for: mean over its area"},
    MeasureKind{"*.volume", "BODY.volume", "volume", "m³", "of the cavity, or of a simplex body"},
    MeasureKind{"*.pressure", "BODY.pressure", "pressure", "Pa", "of the gas in the cavity, absolute"},
    MeasureKind{"*.gas", "BODY.gas", "amount of gas n R T", "J", "amount of gas in the cavity as n R T"},
    MeasureKind{"*.reaction.[xyz]", "PIN.reaction.x|y|z", "force", "N",
                "what the pin holds against; CONSTRAINT.reaction: its force on the vertex that it is about"},
    MeasureKind{"*.violation", "CONSTRAINT.violation", "violation", "m",
                "by how much the constraint is missed; of a formula in its own units"},
    MeasureKind{"*.count", "EVENT.count", "count", "1", "how often the event has happened"},
    MeasureKind{"*.[xyz]", "PROBE.x|y|z", "position", "m", "of the probe's vertex"},
};

}  // namespace

std::span<const MeasureKind> measure_kinds()
{
    return kKinds;
}

bool matches(std::string_view pattern, const std::string& name)
{
    return fnmatch(std::string(pattern).c_str(), name.c_str(), 0) == 0;
}

const MeasureKind& measure_kind(const std::string& name)
{
    static constexpr MeasureKind unknown{"*", "", "value", "1", ""};
    for (const MeasureKind& kind : kKinds)
        if (matches(kind.pattern, name)) return kind;
    return unknown;
}

}  // namespace pliant
