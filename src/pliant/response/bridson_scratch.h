// SPDX-License-Identifier: MIT
#pragma once

// What the contact response `bridson` works in.

#include <cstdint>
#include <vector>

#include <pliant/contact/surface_search.h>
#include <pliant/response/contact_bodies.h>
#include <pliant/response/edge_limits.h>
#include <pliant/response/impact_zones.h>
#include <pliant/response/surface_rows.h>

namespace pliant {

struct BridsonScratch {
    BridsonScratch(const CollisionSurface& surface, std::span<const Vec3> x) : search(surface, x) {}

    SurfaceSearch search;
    SurfaceRows rows;
    EdgeLimits limits;
    ImpactZones zones;
    ContactBodies bodies;
    std::vector<Meeting> near, hits;
    std::vector<std::uint64_t> known;  // keys of pairs that have a row, sorted
};

}  // namespace pliant
