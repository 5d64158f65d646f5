// SPDX-License-Identifier: MIT
#pragma once

// Collision response of seeds/003: a particle that would cross a triangle of an obstacle on its straight way through the
// step is put back in front of it.
//
// Four rules for the place where it ends, I the hit point, n the unit normal on the side it came from:
//   thesis_a   I - eps (I - p0)/|I - p0|      backed off along its way: sticks                          (4.28)
//   thesis_b   p1 + n (eps - n.(p1 - I))      projected on the plane and lifted: slides freely          (4.29)
//   thesis_c   I + eps n                      lifted from the hit point: sticks            (the thesis' listing)
//   coulomb    S + s r_t, where S is the point of its way eps off the plane, or p0 if that is nearer already, r_t the
//              part of p1 - S along the plane, and s shortens it by mu |n.(p1 - S)|, to nothing at most
// and two for velocities: the thesis' rules leave the mean velocity (p - p0)/h, as position Verlet does; coulomb
// removes the velocity v_n at which the particle approaches and shortens the one along the plane by mu |v_n|.
// So for coulomb the faces are eps thick. Without friction a particle that arrives goes where thesis_b puts it; with an
// infinite mu it stays at S, on a steep way within eps of where thesis_a and thesis_c put it. One at rest is not lifted
// again and again: under thesis_b and thesis_c it hops eps high for ever, and one that should stick creeps down slopes.
//
// The thesis stops here, and a particle put back from one face can land behind the next. Instead, what follows the hit
// is a new way, from S to the new place, and is swept again; where two faces in turn throw a sliding particle back
// through each other, it goes on along their crease. A particle that is still hit at the last sweep stays at the
// last S, with the mean velocity. Since every way taken was swept, no particle passes a closed surface, up to rounding.
// One sweep alone (sweeps = 1) is the thesis, with its faults.
// Only particles are tested: edges of obstacles may pass between the vertices of a sheet.
//
// Symbols: p0 position at the start of the step, p1 proposed, v proposed velocity, h length of the step [s], eps [m],
// mu [1], m mass [kg]. Reference: seeds/003 T-80..T-84, section 3.8.

#include <cstdint>
#include <span>

#include <pliant/base/types.h>
#include <pliant/contact/static_triangles.h>

namespace pliant {

enum class ParticleRule : std::uint8_t { thesis_a, thesis_b, thesis_c, coulomb };

struct ParticleResponseOptions {
    ParticleRule rule = ParticleRule::coulomb;
    double epsilon = 1e-4;             ///< [m] how far off a face particles are put; above 0
    int sweeps = 4;                    ///< at most, per particle and step; 1: what follows a hit is not swept
    std::span<const double> friction;  ///< mu by object, 0 to infinity; none: 0 for all
};

/// S: the point eps off the plane of the hit on the way there from p0, or p0.
Vec3 safe_point(const Vec3& p0, const SegmentHit& hit, double epsilon);

/// Where the rule puts a particle that was on the way from p0 to p1.
Vec3 position_after_hit(ParticleRule rule, const Vec3& p0, const Vec3& p1, const SegmentHit& hit, double epsilon,
                        double friction);

/// v without its approaching normal part, its tangential part shortened by friction times that; v if it does not approach.
Vec3 velocity_after_hit(const Vec3& v, const Vec3& normal, double friction);

/// A particle over the step.
struct ParticleStep {
    Vec3 p0;  ///< at the start
    Vec3 p1;  ///< proposed
    Vec3 v;   ///< proposed velocity at the end
    double h = 0;
};

struct ParticleMove {
    Vec3 position;
    Vec3 velocity;
    int hits = 0;
    bool finite = true;        ///< false: given numbers are not; position and velocity are the proposed ones
    bool stayed = false;       ///< still hit at the last sweep
    double normal_loss = 0;    ///< [J/kg] kinetic energy lost along normals; below 0 where a rule gives some
    double friction_loss = 0;  ///< [J/kg] along the faces
};

/// Takes the particle through the step; without a hit it moves as proposed.
ParticleMove respond(const ParticleStep& step, const StaticTriangles& obstacles, const ParticleResponseOptions& options,
                     SweepCounters& counters);

/// Particles of a step, as ranges over all nodes; only [first, first + count) are looked at.
struct SweptParticles {
    std::span<Vec3> x;               ///< proposed positions; corrected
    std::span<Vec3> v;               ///< proposed velocities; corrected
    std::span<const Vec3> x_before;  ///< at the start of the step
    std::span<const double> mass;    ///< [kg]
    std::span<const std::uint8_t>
        held;                 ///< bits x y z; a coordinate held stays as it is, 7 is not looked at. None: all free
    std::span<Vec3> impulse;  ///< [N s] m times the change of velocity is added; none: not wanted
    std::int32_t first = 0;
    std::int32_t count = 0;
    std::span<const Vec3> v_before;  ///< at the start of the step; none: ParticleSweep::loss is not wanted
};

struct ParticleSweep {
    SweepCounters counters;       ///< hits: of all sweeps
    std::int64_t corrected = 0;   ///< particles that met something
    std::int64_t stayed = 0;      ///< particles that were left at the last S
    std::int64_t not_finite = 0;  ///< particles left alone because their position or velocity is not finite
    std::int32_t first_bad = -1;  ///< the lowest such node
    double normal_loss = 0;       ///< [J]
    double friction_loss = 0;     ///< [J]
    double loss =
        0;  ///< [J] over the whole step, work of all forces included: 1/2 m (v0^2 - v^2) + m (v1 - v0)/h . (p - p0)
    Vec3 shift;  ///< [kg m] sum of m times the change of position; gravity's work on it is g . shift

    ParticleSweep& operator+=(const ParticleSweep& other);
};

/// Corrects all particles in parallel, to the same bits for any number of threads. Allocates nothing.
ParticleSweep sweep_particles(const SweptParticles& particles, double h, const StaticTriangles& obstacles,
                              const ParticleResponseOptions& options);

}  // namespace pliant
