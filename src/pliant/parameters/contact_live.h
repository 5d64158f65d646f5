// SPDX-License-Identifier: MIT
#pragma once

// Parameters of contact that an input may change while a run goes on.

#include <array>
#include <string_view>

#include <pliant/base/describe.h>

namespace pliant {

enum class RestitutionRule : std::int32_t { newton, energy_efficiency };
constexpr std::array<std::string_view, 2> enum_names(RestitutionRule)
{
    return {"newton", "energy_efficiency"};
}

enum class ContactFaces : std::int32_t { held, all };
constexpr std::array<std::string_view, 2> enum_names(ContactFaces)
{
    return {"held", "all"};
}

enum class ContactResponse : std::int32_t { impulses, thesis_springs, bridson, barrier };
constexpr std::array<std::string_view, 4> enum_names(ContactResponse)
{
    return {"impulses", "thesis_springs", "bridson", "barrier"};
}

/// Whether triangles of all bodies meet, and not only shapes and solids.
constexpr bool joins_surfaces(ContactResponse response)
{
    return response == ContactResponse::bridson || response == ContactResponse::barrier;
}

enum class WayLimit : std::int32_t { whole_way, each_vertex };
constexpr std::array<std::string_view, 2> enum_names(WayLimit)
{
    return {"whole_way", "each_vertex"};
}

enum class SelfContact : std::int32_t { automatic, off, on };
constexpr std::array<std::string_view, 3> enum_names(SelfContact)
{
    return {"auto", "off", "on"};
}

enum class ContactOrder : std::int32_t { in_turn, at_once, thesis_averages, thesis_first_only };
constexpr std::array<std::string_view, 4> enum_names(ContactOrder)
{
    return {"in_turn", "at_once", "thesis_averages", "thesis_first_only"};
}

enum class VelocityUpdate : std::int32_t { impulses, mean, implicit, thesis_implicit, constant_acceleration };
constexpr std::array<std::string_view, 5> enum_names(VelocityUpdate)
{
    return {"impulses", "mean", "implicit", "thesis_implicit", "constant_acceleration"};
}

enum class CrossingSearch : std::int32_t { conservative, thesis_cubic };
constexpr std::array<std::string_view, 2> enum_names(CrossingSearch)
{
    return {"conservative", "thesis_cubic"};
}

enum class BroadPhase : std::int32_t { trees, hash, all_pairs };
constexpr std::array<std::string_view, 3> enum_names(BroadPhase)
{
    return {"trees", "hash", "all_pairs"};
}

enum class MeshSearch : std::int32_t { octrees, common_octree, brute_force };
constexpr std::array<std::string_view, 3> enum_names(MeshSearch)
{
    return {"octrees", "common_octree", "brute_force"};
}

enum class OctreeStorage : std::int32_t { all_leaves, containing_node };
constexpr std::array<std::string_view, 2> enum_names(OctreeStorage)
{
    return {"all_leaves", "containing_node"};
}

enum class MeshResponse : std::int32_t { coulomb, thesis_a, thesis_b, thesis_c };
constexpr std::array<std::string_view, 4> enum_names(MeshResponse)
{
    return {"coulomb", "thesis_a", "thesis_b", "thesis_c"};
}

/// How bodies meet.
struct ContactLive {
    bool enabled = true;
    ContactResponse response = ContactResponse::impulses;
    double thickness = 0;                                    ///< [m] kept between surfaces; 0: automatic
    SelfContact self = SelfContact::automatic;               ///< whether a body meets itself
    double k = 1000;                                         ///< [N/m] of thesis_springs and of bridson's repulsion
    bool repulsion = true, collisions = true, zones = true;  ///< stages of bridson
    std::int32_t substeps = 1;                               ///< bridson: parts of the solver in a collision step
    std::int32_t rounds = 20;                                ///< bridson: searches for crossings in a step
    std::int32_t halvings = 4;                               ///< bridson: how often a step may be halved
    double strain_limit = 0.005;  ///< [1] bridson: strain that contacts may add to an edge in a step; 0: any
    std::int32_t budget = 4;      ///< barrier: iterations of a step
    WayLimit limit = WayLimit::whole_way;
    ContactOrder order = ContactOrder::in_turn;
    VelocityUpdate velocity_update = VelocityUpdate::impulses;
    CrossingSearch crossing_search = CrossingSearch::conservative;
    BroadPhase broad_phase = BroadPhase::trees;
    RestitutionRule rule = RestitutionRule::newton;
    ContactFaces faces = ContactFaces::held;
    std::int32_t iterations = 10;
    MeshSearch mesh_search = MeshSearch::octrees;
    OctreeStorage octree_storage = OctreeStorage::all_leaves;
    std::int32_t octree_height = 8;
    MeshResponse mesh_response = MeshResponse::coulomb;
    double mesh_offset = 1e-4;  ///< [m] kept from the triangles of colliders that are meshes
};

/// The keys of response bridson alone.
template <class V>
void describe_surface_contact(V&& visit, ContactLive& c)
{
    constexpr Change live = Change::live;
    visit(
        Field{
            "repulsion", "", 0, 1,
            "bridson: surfaces nearer than their thickness do not approach and are pushed apart by at most a tenth of "
            "the overlap a step",
            live},
        c.repulsion);
    visit(Field{"collisions", "", 0, 1, "bridson: what would cross on its way is stopped by impulses", live},
          c.collisions);
    visit(Field{"zones", "", 0, 1, "bridson: what impulses cannot part moves as one rigid zone for the step", live},
          c.zones);
    visit(
        Field{
            "substeps", "1", 1, 10000,
            "bridson: steps that the solver takes before contacts are looked at, for explicit solvers whose steps are "
            "much shorter than contacts need",
            live},
        c.substeps);
    visit(Field{"rounds", "1", 1, 10000, "bridson: searches for crossings in a step, each followed by impulses", live},
          c.rounds);
    visit(Field{"halvings", "1", 0, 40, "bridson: how often a step is halved before zones are made", live}, c.halvings);
    visit(
        Field{"strain_limit", "1", 0, 10,
              "bridson: strain that contacts may add to an edge in a step before they are handed on to its neighbours; "
              "0: any",
              live},
        c.strain_limit);
    visit(
        Field{
            "order", "", 0, 0,
            "bridson: contacts solved in turn; at_once: all from the same state, scaled alike on both sides; "
            "thesis_averages: changes of a vertex averaged, momentum is lost; thesis_first_only: the first one of each "
            "search",
            live},
        c.order);
    visit(Field{"velocity_update", "", 0, 0,
                "bridson: velocities get the impulses too; mean: way over step; implicit: mean plus half a step of the "
                "acceleration at its end; thesis_implicit: seed 001 (2.117), which never feels a flat landing; "
                "constant_acceleration: twice the mean less the old one, unstable",
                live},
          c.velocity_update);
    visit(Field{"crossing_search", "", 0, 0,
                "bridson: conservative never misses; thesis_cubic: first root of the coplanarity cubic by secants, may "
                "miss",
                live},
          c.crossing_search);
    visit(Field{"broad_phase", "", 0, 0, "bridson: trees of boxes, a grid of cells, or every pair", live},
          c.broad_phase);
}

/// The keys of response barrier alone.
template <class V>
void describe_barrier(V&& visit, ContactLive& c)
{
    constexpr Change live = Change::live;
    visit(
        Field{
            "budget", "1", 1, 1000,
            "barrier: iterations of a step; those whose way crossings cut short are not counted, up to as many again. "
            "What is left over is told as contacts.unbalanced",
            live},
        c.budget);
    visit(
        Field{
            "limit", "", 0, 0,
            "barrier: what would cross shortens the way of everything (whole_way), or each vertex goes no farther than "
            "its own distance allows (each_vertex, as in offset geometric contact: for comparison)",
            live},
        c.limit);
}

template <class V>
void describe(V&& visit, ContactLive& c)
{
    constexpr Change live = Change::live;
    visit(Field{"enabled", "", 0, 1, "whether bodies meet at all", live}, c.enabled);
    visit(Field{"rule", "", 0, 0, "restitution as a share of speed, or of energy as in seed 000", live}, c.rule);
    visit(Field{"faces", "", 0, 0, "faces that spheres meet: only held ones (vertices do the rest), or all", live},
          c.faces);
    visit(Field{"iterations", "1", 1, 10000, "passes over all contacts in a step", live}, c.iterations);
    visit(
        Field{"response", "", 0, 0,
              "impulses: between solids, with restitution and friction; thesis_springs: seed 002's temporary springs, "
              "which "
              "stick and let solids overlap; bridson: repulsion, impulses and impact zones between the surfaces of all "
              "bodies; barrier: the same surfaces, never crossing, inside the steps of implicit_euler, bdf2 and vbd"},
        c.response);
    visit(
        Field{"thickness", "m", 0, 1e6,
              "gap kept between surfaces; 0: a thousandth of the mean edge of solids; under bridson and barrier bodies "
              "may have their own",
              live},
        c.thickness);
    visit(
        Field{"self", "", 0, 0, "whether a body meets itself; auto: whatever deforms does under bridson, nothing else"},
        c.self);
    visit(Field{"k", "N/m", 0, 1e12, "stiffness of thesis_springs, and of the repulsion of bridson", live}, c.k);
    describe_surface_contact(visit, c);
    describe_barrier(visit, c);
    visit(
        Field{
            "mesh_search", "", 0, 0,
            "how the triangles of colliders that are meshes are found: an octree each, one for all, or every triangle"},
        c.mesh_search);
    visit(
        Field{"octree_storage", "", 0, 0,
              "triangles in every leaf they touch, or in the smallest node that holds them: less memory, more checks"},
        c.octree_storage);
    visit(Field{"octree_height", "1", 1, 12, "levels of an octree, the root counted"}, c.octree_height);
    visit(Field{"mesh_response", "", 0, 0,
                "vertices against meshes: Coulomb friction, or seed 003's A (sticks where it hits), B (slides without "
                "friction), C (sticks, moved along the normal)",
                live},
          c.mesh_response);
    visit(Field{"mesh_offset", "m", 1e-12, 1, "how far off a triangle those vertices are put that would pass it", live},
          c.mesh_offset);
}

}  // namespace pliant
