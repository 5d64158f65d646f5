// SPDX-License-Identifier: MIT
#pragma once

// What contact between solids works in, whichever response.

#include <vector>

#include <pliant/contact/surface_contacts.h>
#include <pliant/model/scratch.h>
#include <pliant/response/lumps.h>

namespace pliant {

struct ImpulseScratch {
    ImpulseScratch(const CollisionSurface& surface, bool self) : search(surface, self), lumps(surface.node_count()) {}

    SurfaceContactSearch search;
    Lumps lumps;
    std::vector<Vec3> free_x, free_v;  // the proposal before contacts
    std::vector<Contact> shapes;       // contacts with shapes
    std::vector<std::uint64_t> known_pairs, known_shapes;
};

/// Made when first asked for.
inline ImpulseScratch& impulse_scratch(Scratch& scratch, const Model& model, const State& state)
{
    if (!scratch.impulses) scratch.impulses.make(model.surface, state.contact.self == SelfContact::on);
    return *scratch.impulses;
}

}  // namespace pliant
