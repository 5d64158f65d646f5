// SPDX-License-Identifier: MIT
#pragma once

// Parameters that an input may change while a run goes on, besides those of energies and gases.

#include <array>
#include <string_view>

#include <pliant/base/describe.h>
#include <pliant/parameters/contact_live.h>

namespace pliant {

enum class SolverKind : std::int32_t {
    euler,
    semi_implicit_euler,
    velocity_verlet,
    rk4,
    thesis_listed_rk4,
    finite_differences,
    central_differences,
    position_verlet,
    heun,
    midpoint,
    rkf45,
    implicit_euler,
    trapezoidal,
    implicit_midpoint,
    bdf2,
    static_balance,
    xpbd,
    vbd,
    linearly_implicit_euler,
    projection
};
constexpr std::array<std::string_view, 20> enum_names(SolverKind)
{
    return {"euler",
            "semi_implicit_euler",
            "velocity_verlet",
            "rk4",
            "thesis_listed_rk4",
            "finite_differences",
            "central_differences",
            "position_verlet",
            "heun",
            "midpoint",
            "rkf45",
            "implicit_euler",
            "trapezoidal",
            "implicit_midpoint",
            "bdf2",
            "static",
            "xpbd",
            "vbd",
            "linearly_implicit_euler",
            "projection"};
}

enum class LinearSolver : std::int32_t { automatic, block_jacobi, multigrid, cholesky, aggregation };
constexpr std::array<std::string_view, 5> enum_names(LinearSolver)
{
    return {"auto", "block_jacobi", "multigrid", "cholesky", "aggregation"};
}

/// How time goes on.
struct SolverLive {
    SolverKind kind = SolverKind::rk4;
    double step = 0.0025;     ///< [s] longest step
    AutoCount substeps{};     ///< parts that a step is cut into; auto: as many as stability asks
    double safety = 0.5;      ///< [1] auto: share of the stability limit that is used
    double tolerance = 1e-6;  ///< [1/s] adaptive: error per second as a share of the scene's size
    double accuracy = 1e-6;   ///< [1] implicit: last iteration as a share of the size per second
    bool adaptive = false;    ///< implicit: steps as long as the tolerance lets them be
    LinearSolver linear_solver = LinearSolver::automatic;
    std::int32_t iterations = 1;         ///< xpbd, vbd, projection: sweeps over everything in a step
    double thesis_damping = 0;           ///< [1] share of the velocity that every step takes, seed 003's global k_d
    bool collide_in_iterations = false;  ///< projection: meshes are met after every sweep, not after the last
    double memory = 0;                   ///< [B] that an implicit solver may take; 0: what the machine has free
};

template <class V>
void describe(V&& visit, SolverLive& s)
{
    constexpr Change live = Change::live;
    visit(Field{"kind", "", 0, 0, "the integrator", live}, s.kind);
    visit(Field{"step", "s", 1e-12, 1e3, "longest step; shorter ones end at frames and inputs", live}, s.step);
    visit(Field{"substeps", "1", 1, 1e9, "parts of a step, or \"auto\": as many as stability asks", live}, s.substeps);
    visit(Field{"safety", "1", 0.01, 1, "share of the stability limit used by substeps auto", live}, s.safety);
    visit(Field{"tolerance", "1/s", 1e-15, 1,
                "rkf45 and adaptive: largest error of positions per second, as a share of the scene's size", live},
          s.tolerance);
    visit(Field{"adaptive", "", 0, 1, "implicit: chooses its steps, up to solver.step, by tolerance; rkf45 always does",
                live},
          s.adaptive);
    visit(
        Field{
            "accuracy", "1", 1e-15, 0.1,
            "implicit: Newton ends when it changes no velocity by more than this share of the scene's size per second; "
            "static: no position by more than this share of the size",
            live},
        s.accuracy);
    visit(Field{"linear_solver", "", 0, 0,
                "implicit: what conjugate gradients are preconditioned with; auto: the cheapest for the "
                "bodies there are; multigrid: on lattices laid over solids; aggregation: on groups of neighbours, for "
                "cloth; "
                "cholesky: an exact factor, for small or ill-conditioned bodies",
                live},
          s.linear_solver);
    visit(Field{"iterations", "1", 1, 1e6, "xpbd, vbd, projection: sweeps over everything in a step", live},
          s.iterations);
    visit(
        Field{"thesis_damping", "1", 0, 1,
              "semi_implicit_euler, projection: share of the velocity that every substep takes, seed 003's global k_d; "
              "depends on the step, bodies' damping does not",
              live},
        s.thesis_damping);
    visit(Field{"collide_in_iterations", "", 0, 1,
                "projection: colliders that are meshes are met after every sweep instead of after the last", live},
          s.collide_in_iterations);
    visit(Field{"memory", "B", 0, 1e15,
                "implicit: a run that would take more is refused before it starts; 0 asks the machine what is free"},
          s.memory);
}

/// What acts everywhere.
struct WorldLive {
    Vec3 gravity{0, -9.81, 0};  ///< [m/s^2]
    bool gravity_enabled = true;
    Vec3 wind{};               ///< [m/s]
    double air_density = 1.2;  ///< [kg/m^3]
};

template <class V>
void describe(V&& visit, WorldLive& w)
{
    visit(Field{"gravity", "m/s2", -1e6, 1e6, "acceleration of free fall", Change::live}, w.gravity);
    visit(Field{"gravity_enabled", "", 0, 1, "whether gravity acts", Change::live}, w.gravity_enabled);
    visit(Field{"wind", "m/s", -1e3, 1e3, "velocity of the air, for bodies with air_drag", Change::live}, w.wind);
    visit(Field{"air_density", "kg/m3", 0, 1e4, "of what bodies with air_drag move in", Change::live}, w.air_density);
}

/// Switches and surroundings of one body.
struct BodyLive {
    bool held = false;        ///< stays where it is until released
    bool gravity = true;      ///< whether gravity acts on it
    bool drag_waits = false;  ///< drag and damping begin with the first contact
    double drag = 0;          ///< [N s/m] on every vertex
    double damping = 0;       ///< [1/s] per unit of mass
    double air_drag = 0;      ///< [1] coefficient of every face against air along its normal
    double air_friction = 0;  ///< [1] the same along the face
    double restitution = 0;   ///< [1]
    double friction = 0;      ///< [1]
    double thickness = 0;     ///< [m] of its surface under contact.response bridson and barrier; 0: automatic
    Vec3 motion{};            ///< [m/s] velocity that a collider or held body is carried with
    Vec3 spin{};              ///< [rad/s] the same, about its centre
    Vec3 slides{};            ///< [1] a rigid body that is held: 1 along axes that it may move along
};

/// Bits x y z of the coordinates that a rigid body may move along although it is held.
inline std::uint8_t sliding_axes(const BodyLive& b)
{
    return static_cast<std::uint8_t>((b.slides.x > 0 ? 1 : 0) | (b.slides.y > 0 ? 2 : 0) | (b.slides.z > 0 ? 4 : 0));
}

template <class V>
void describe(V&& visit, BodyLive& b)
{
    constexpr Change live = Change::live;
    visit(Field{"held", "", 0, 1, "stays where it is until an input releases it", live}, b.held);
    visit(Field{"gravity", "", 0, 1, "whether gravity acts on this body", live}, b.gravity);
    visit(Field{"drag_waits", "", 0, 1, "drag and damping begin with the body's first contact", live}, b.drag_waits);
    visit(Field{"drag", "N s/m", 0, 1e9, "resistance of the medium on every vertex", live}, b.drag);
    visit(Field{"damping", "1/s", 0, 1e9, "resistance of the medium per unit of mass", live}, b.damping);
    visit(
        Field{
            "air_drag", "1", 0, 1e3,
            "cloth: drag coefficient of its faces across the wind, about 2 for a plate; force 1/2 density area speed^2",
            live},
        b.air_drag);
    visit(Field{"air_friction", "1", 0, 1e3, "cloth: the same along the faces, about 0.02", live}, b.air_friction);
    visit(Field{"restitution", "1", 0, 1, "share of the approach speed (or energy) kept; a pair has the product", live},
          b.restitution);
    visit(Field{"friction", "1", 0, 100, "Coulomb coefficient; a pair has the product", live}, b.friction);
    visit(
        Field{"thickness", "m", 0, 1e6,
              "contact.response bridson and barrier: a pair of surfaces is kept half the sum of both apart; 0: "
              "contact.thickness, or if that is 0, a share of the mean edge of what deforms (a tenth, a quarter under "
              "barrier) and next to nothing for what is rigid",
              live},
        b.thickness);
    visit(Field{"motion", "m/s", -1e9, 1e9, "velocity that a collider, or a body while it is held, is carried with",
                live},
          b.motion);
    visit(Field{"spin", "rad/s", -1e9, 1e9,
                "angular velocity that a collider, or a body while it is held, turns with about its centre", live},
          b.spin);
    visit(
        Field{
            "slides", "1", 0, 1,
            "rigid and held: axes along which it may move all the same, as [1, 0, 0]: a jaw on rails, driven by loads "
            "and carried along the others; under contact.response barrier",
            live},
        b.slides);
}

/// Whether a pin holds, and where it takes what it holds.
struct PinLive {
    bool enabled = true;
    Vec3 motion{};  ///< [m/s]
};

template <class V>
void describe(V&& visit, PinLive& p)
{
    visit(Field{"enabled", "", 0, 1, "whether the pin holds", Change::live}, p.enabled);
    visit(Field{"motion", "m/s", -1e9, 1e9, "velocity that it carries its vertices with while it holds", Change::live},
          p.motion);
}

/// A force on a region.
struct LoadLive {
    bool enabled = true;
    Vec3 force{};         ///< [N] in all, shared by the vertices
    double pressure = 0;  ///< [Pa] along the outward normals of the region's faces
    double push = 0;      ///< [N] on every vertex towards the body's centre
};

template <class V>
void describe(V&& visit, LoadLive& l)
{
    constexpr Change live = Change::live;
    visit(Field{"enabled", "", 0, 1, "whether the load acts", live}, l.enabled);
    visit(Field{"force", "N", -1e12, 1e12, "the whole force, shared equally by the selected vertices", live}, l.force);
    visit(Field{"pressure", "Pa", -1e12, 1e12, "pushes the selected faces against their outward normals", live},
          l.pressure);
    visit(Field{"push", "N", -1e12, 1e12, "on each selected vertex towards the body's centre; negative pulls outwards",
                live},
          l.push);
}

/// A force that drives every vertex towards a goal shape.
struct GoalLive {
    bool enabled = true;
    double strength = 1;  ///< [1]
};

template <class V>
void describe(V&& visit, GoalLive& g)
{
    visit(Field{"enabled", "", 0, 1, "whether the goal draws", Change::live}, g.enabled);
    visit(Field{"strength", "1", -1e6, 1e6, "factor on the goal's forces", Change::live}, g.strength);
}

/// Whether a constraint holds.
struct ConstraintLive {
    bool enabled = true;
};

template <class V>
void describe(V&& visit, ConstraintLive& c)
{
    visit(Field{"enabled", "", 0, 1, "whether the constraint holds", Change::live}, c.enabled);
}

/// Whether an event is watched for.
struct EventLive {
    bool enabled = true;
};

template <class V>
void describe(V&& visit, EventLive& e)
{
    visit(Field{"enabled", "", 0, 1, "whether the event is watched for", Change::live}, e.enabled);
}

}  // namespace pliant
