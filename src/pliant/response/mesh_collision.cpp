// SPDX-License-Identifier: MIT
#include <pliant/response/mesh_collision.h>

#include <pliant/response/particle_response.h>

namespace pliant {

namespace {

ParticleRule rule_of(MeshResponse response)
{
    switch (response) {
    case MeshResponse::thesis_a:
        return ParticleRule::thesis_a;
    case MeshResponse::thesis_b:
        return ParticleRule::thesis_b;
    case MeshResponse::thesis_c:
        return ParticleRule::thesis_c;
    case MeshResponse::coulomb:
        break;
    }
    return ParticleRule::coulomb;
}

void book(State& to, const ParticleSweep& sweep)
{
    // What a vertex had, plus the work of all forces along the way that it really took, minus what it has: a vertex that
    // stays where it is loses nothing, however hard springs pull it.
    to.ledger.impact += sweep.loss - sweep.friction_loss;
    to.ledger.friction += sweep.friction_loss;
    to.tally.mesh_checks += sweep.counters.checks;
    to.tally.mesh_hits += sweep.counters.hits;
}

}  // namespace

int meet_meshes(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    if (!model.obstacles || !from.contact.enabled) return 0;
    std::int64_t corrected = 0;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const Body& body = model.bodies[b];
        if (body.is_rigid()) continue;
        scratch.obstacle_friction.clear();
        for (const std::int32_t obstacle : model.obstacle_bodies)
            scratch.obstacle_friction.push_back(from.bodies[b].friction * from.bodies[obstacle].friction);
        const bool is_coulomb = from.contact.mesh_response == MeshResponse::coulomb;
        const ParticleResponseOptions options{.rule = rule_of(from.contact.mesh_response),
                                              .epsilon = from.contact.mesh_offset,
                                              .sweeps = is_coulomb ? 4 : 1,
                                              .friction = scratch.obstacle_friction};
        const ParticleSweep sweep = sweep_particles({.x = to.x,
                                                     .v = to.v,
                                                     .x_before = from.x,
                                                     .mass = model.mass,
                                                     .held = from.held,
                                                     .impulse = {},
                                                     .first = body.first_point,
                                                     .count = body.point_count,
                                                     .v_before = from.v},
                                                    h, *model.obstacles, options);
        book(to, sweep);
        if (sweep.corrected > 0) to.touched[b] = 1;
        corrected += sweep.corrected;
    }
    return static_cast<int>(corrected);
}

}  // namespace pliant
