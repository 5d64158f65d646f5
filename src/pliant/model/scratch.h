// SPDX-License-Identifier: MIT
#pragma once

// Scratch: memory that a step works in. It may be filled with NaN between two steps without changing
// a bit of the result (a test does it); nothing in it is remembered.

#include <array>
#include <memory>
#include <vector>

#include <pliant/base/made_on_use.h>
#include <pliant/base/profile.h>
#include <pliant/constraint/constraint_system.h>
#include <pliant/contact/contacts.h>
#include <pliant/energy/views.h>
#include <pliant/model/mass_matrix.h>
#include <pliant/model/report.h>
#include <pliant/model/state.h>

namespace pliant {

/// One contact while a response solves it.
struct ContactRow {
    double inverse_mass = 0;  ///< [1/kg] along the normal, both sides
    double translation = 0;   ///< [1/kg] same with frames that only translate: for positions
    double target = 0;        ///< [m/s] relative normal speed wanted
    double rise = 0;          ///< [m] gap wanted at the end of the step
    double friction = 0;      ///< [1]
    double separation = 0;    ///< [m] n . (a - b) when the gap was measured
    double lambda = 0;        ///< [N s] accumulated normal impulse
    Vec3 slip;                ///< [N s] accumulated tangential impulse
    double acting_time = 0;   ///< [s] how long impulses had to move things: to the end of the step
    double workless = 0;      ///< [N s] part of lambda that acts while nothing moves
    Vec3 mean_offset;         ///< [m/s] impulses work at half the final relative velocity plus this
    double push = 0;          ///< [kg m] accumulated multiplier of positions
    Vec3 carried;             ///< [N s] part of slip that has moved things already
    bool is_impact = false;   ///< bodies met in this step, or were flung at each other
};

class BarrierContacts;
struct BridsonScratch;
struct ContactLog;
struct DescentScratch;
struct ImplicitScratch;
struct ImpulseScratch;
class PieceMotions;

struct Scratch {
    State before;                                     ///< the state that a step with an event began at
    State to;                                         ///< the proposal
    State middle;                                     ///< within a collision step of several parts
    std::vector<Vec3> force;                          ///< #points
    std::vector<Vec3> volume_gradient;                ///< #points where there are cavities
    std::vector<Vec3> sum_x, sum_v;                   ///< #nodes, weighted sums of multi-stage integrators
    std::vector<std::vector<Vec3>> stage_x, stage_v;  ///< rates of all stages, for methods by tableau
    std::vector<std::int32_t> held_nodes;             ///< free vertices with a held coordinate
    std::vector<Vec3> windows;                        ///< private windows of chunked sums
    std::vector<SymmetricBlock> diagonal;             ///< #nodes
    std::vector<std::uint8_t> marked;                 ///< #free vertices
    std::vector<Contact> contacts;
    std::vector<Vec3> contact_force;          ///< #free vertices [N] that touches are expected to give, or empty
    MadeOnUse<ImpulseScratch> impulses;       ///< of contact between solids, made when first used
    MadeOnUse<BridsonScratch> bridson;        ///< of response bridson, made when first used
    MadeOnUse<BarrierContacts> barrier;       ///< of response barrier, made when first used
    MadeOnUse<PieceMotions> pieces;           ///< of response barrier, made when first used
    std::shared_ptr<ContactLog> contact_log;  ///< what bridson did in the last step, where somebody wants to know
    std::array<std::vector<Vec3>, 7> velocity_solve;  ///< #free vertices each, of velocity updates that solve
    std::vector<ContactRow> contact_rows;
    std::vector<double> obstacle_friction;  ///< #Model::obstacle_bodies, of the body that is swept
    double time = 0;                        ///< [s] of the stage whose forces are computed
    ConstraintSystem constraints;
    std::vector<std::uint8_t> constraint_enabled;  ///< #Model::constraints
    double constraint_power = 0;                   ///< [W] of constraints on everything else, at the last evaluation
    Issue constraint_issue;                        ///< what went wrong with constraints in this step, if anything
    MassSolve mass_solve;                          ///< of bodies with consistent mass
    MadeOnUse<ImplicitScratch> implicit;           ///< of the implicit integrators, made when first used
    MadeOnUse<DescentScratch> descent;             ///< of xpbd and vbd, made when first used
    double load_factor = 1;  ///< [1] on gravity and loads, for static solvers that raise them in parts
    Profile profile;
};

}  // namespace pliant
