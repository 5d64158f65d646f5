// SPDX-License-Identifier: MIT
#pragma once

// State: everything that a step or an input can change. A copy of it is a snapshot, its bytes are the
// hash. Every member is listed once, in visit_state; hash, save and load are visitors over that list.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/base/types.h>
#include <pliant/energy/energy.h>
#include <pliant/energy/gas.h>
#include <pliant/energy/radial.h>
#include <pliant/model/grip.h>
#include <pliant/parameters/live.h>

namespace pliant {

/// Where energy went or came from since the start [J]. The integrator's own error is not in it.
struct Ledger {
    double viscous = 0;   ///< lost in dampers and drag
    double friction = 0;  ///< lost by friction
    double impact = 0;    ///< lost by contact impulses along normals
    double external = 0;  ///< work of loads, pumps and leaks
    double switched = 0;  ///< injected by inputs that changed a parameter
    double start = 0;     ///< energy.total at time 0
};

/// Smallest and largest value of each energy so far: the scale of energy.error.
struct EnergyRange {
    double low = 0, high = 0;
};
inline constexpr int kEnergyKinds = 6;  ///< kinetic elastic gravitational gas dissipated external+switched

/// What the step loop remembers between steps.
struct History {
    std::int64_t next_input = 0;   ///< first of Model::inputs not yet applied
    std::int64_t frame = 0;        ///< frames reached
    std::int64_t rates_step = -1;  ///< step at which the rates were estimated, -1 never
    double stiffness_rate = 0;     ///< [1/s^2] bound of the fastest elastic rate squared
    double damping_rate = 0;       ///< [1/s] bound of the fastest damping rate
    double stable_step = 0;        ///< [s] longest step that the solver can stand at these rates
    double adaptive_step = 0;      ///< [s] length that an adaptive solver hopes for next, 0 at first
    double collision_step = 0;     ///< [s] length that crossings allowed last, growing again; 0: no limit
    double residual_force = 0;     ///< [N] largest mass times acceleration of a node in the last step
    double vertex_energy = 0;      ///< [J] largest kinetic energy of a node after it
    double before_h = 0;  ///< [s] length of the step that led from State::x_before to x; 0: nothing to go on from
    double matrix_h = 0;  ///< [s] scale of the step for which the matrix at State::matrix_x was made; 0: none
    std::int64_t matrix_age = 0;     ///< steps since then
    std::int64_t matrix_levels = 0;  ///< 1: that matrix was given to multigrid
};

/// A contact of two solids that goes on. Under `impulses` it remembers what it gave in the last step: the next one begins
/// with that. Under `thesis_springs` it is a spring between its two points. Nodes and weights are those of a SurfacePair:
/// a vertex and a face (1 + 3), or two edges (2 + 2).
struct Touch {
    std::uint64_t key = 0;
    std::array<std::int32_t, 4> node{};
    std::array<double, 4> weight{};
    Vec3 normal;       ///< unit, from the second element to the first
    double force = 0;  ///< [N] along the normal
    Vec3 slip;         ///< [N] of friction
    /// thesis_springs: sign of the plane gap before the collision; bridson, barrier: 1 while it sticks
    double side = 0;
    /// [m] bridson: a - b of the two points where it began to stick; barrier: along the surface, without force
    Vec3 anchor;
};
static_assert(sizeof(Touch) == 8 + 16 + 32 + 24 + 8 + 24 + 8 + 24, "no padding: its bytes are hashed");

/// What contacts came to.
struct ContactTally {
    std::int64_t resting = 0;      ///< contacts of the last step that were no impacts
    std::int64_t mesh_checks = 0;  ///< tests of a vertex' way against a triangle of a mesh since the start
    std::int64_t mesh_hits = 0;    ///< of these, ways that met one
    std::int64_t held = 0;  ///< vertices moved as one lump for a step since the start, because nothing else would do
    std::int64_t candidates = 0;  ///< bridson: pairs that the last step looked at
    std::int64_t near = 0;        ///< bridson: of these, nearer than their thickness at its start
    std::int64_t hits = 0;        ///< bridson: crossings found since the start
    std::int64_t rounds = 0;      ///< bridson: rounds of impulses against them since the start
    std::int64_t searches = 0;    ///< bridson: searches for candidates since the start
    std::int64_t halvings = 0;    ///< bridson: steps halved since the start
    /// [m] of all pairs at the start (barrier: end) of the last step, at most the largest thickness
    double least_gap = 0;
    std::int64_t cuts = 0;         ///< barrier: ways that crossings cut short since the start
    std::int64_t over_budget = 0;  ///< barrier: steps that the budget ended since the start
    double unbalanced = 0;         ///< [1] barrier: what the last step left of the forces that drove it
    double energy = 0;             ///< [J] barrier: in contacts at the end of the last step
    double taken = 0;              ///< [J] barrier: that steps made of nothing and that was taken back since the start
};

struct State {
    double time = 0;                 ///< [s]
    std::int64_t step = 0;           ///< accepted steps
    std::vector<Vec3> x, v;          ///< #points
    std::vector<std::uint8_t> held;  ///< #nodes, bits x y z
    WorldLive world;
    SolverLive solver;
    ContactLive contact;
    std::vector<BodyLive> bodies;             ///< #Model::bodies
    std::vector<Energy> live;                 ///< #Model::terms
    std::vector<Gas> gas;                     ///< #Model::cavities
    std::vector<PinLive> pins;                ///< #Model::pins
    std::vector<LoadLive> loads;              ///< #Model::loads
    std::vector<Radial> radials;              ///< #Model::radials
    std::vector<ConstraintLive> constraints;  ///< #Model::constraints
    std::vector<double> multipliers;          ///< #rows of all constraints: where Newton's method begins
    std::vector<EventLive> events;            ///< #Model::events
    std::vector<std::int64_t> event_count;    ///< #Model::events, times each has happened
    std::vector<GoalLive> goals;              ///< #Model::goals
    std::vector<Vec3> x_before, v_before;     ///< #free vertices under implicit solvers: before the last step
    std::vector<Vec3> matrix_x;               ///< the same: positions that Newton's matrix was made at
    std::vector<double> inner;                ///< internal variables of elements, from Model::inner_start of their term
    std::vector<std::uint8_t> touched;        ///< #Model::bodies, 1 after the first contact
    std::vector<Vec3> impulse;                ///< #Model::bodies [N s] received from contacts since the start
    std::vector<Vec3> pin_impulse;            ///< #Model::pins [N s] from contacts since the last frame
    std::vector<Touch> touches;               ///< between solids, sorted by key
    std::vector<Grip> grips;                  ///< of hands from outside, sorted by point, then hand
    ContactTally tally;
    History history;
    Ledger ledger;
    EnergyRange ranges[kEnergyKinds];
};

/// Calls visit(member) for every member. Vectors are passed whole.
template <class S, class V>
void visit_state(S& s, V&& visit)
{
    visit(s.time), visit(s.step), visit(s.x), visit(s.v), visit(s.held);
    visit(s.world), visit(s.solver), visit(s.contact);
    visit(s.bodies), visit(s.live), visit(s.gas), visit(s.pins), visit(s.loads), visit(s.radials), visit(s.goals);
    visit(s.constraints), visit(s.multipliers), visit(s.events), visit(s.event_count);
    visit(s.x_before), visit(s.v_before), visit(s.matrix_x);
    visit(s.inner), visit(s.touched), visit(s.impulse), visit(s.pin_impulse);
    visit(s.grips), visit(s.touches), visit(s.tally.resting), visit(s.tally.held), visit(s.tally.mesh_checks),
        visit(s.tally.mesh_hits);
    visit(s.tally.candidates), visit(s.tally.near), visit(s.tally.hits), visit(s.tally.rounds);
    visit(s.tally.searches), visit(s.tally.halvings), visit(s.tally.least_gap), visit(s.tally.cuts),
        visit(s.tally.over_budget);
    visit(s.tally.unbalanced), visit(s.tally.energy), visit(s.tally.taken), visit(s.history.collision_step);
    visit(s.history.next_input), visit(s.history.frame), visit(s.history.rates_step);
    visit(s.history.stiffness_rate), visit(s.history.damping_rate), visit(s.history.stable_step);
    visit(s.history.adaptive_step), visit(s.history.residual_force), visit(s.history.vertex_energy);
    visit(s.history.before_h), visit(s.history.matrix_h), visit(s.history.matrix_age);
    visit(s.history.matrix_levels);
    visit(s.ledger.viscous), visit(s.ledger.friction), visit(s.ledger.impact), visit(s.ledger.external);
    visit(s.ledger.switched), visit(s.ledger.start);
    for (auto& range : s.ranges) visit(range.low), visit(range.high);
}

/// Copies everything but positions and velocities, for integrators that overwrite those.
void copy_all_but_motion(State& to, const State& from);

/// 64 bits that change when any bit of the state does.
std::uint64_t hash(const State&);

/// The same of what bodies are made of: live parameters of terms and internal variables.
std::uint64_t hash_of_materials(const State&);

/// The state as bytes, and back. load() throws Error when the bytes are not of this model's state.
std::vector<std::byte> save(const State&, std::uint64_t model_id);
void load(State&, std::span<const std::byte> bytes, std::uint64_t model_id);

}  // namespace pliant
