// SPDX-License-Identifier: MIT
#pragma once

// The measure `intersections`: what the independent judge (audit/intersections.h) finds in a state. Colliders are fixed to it.

#include <pliant/audit/intersections.h>
#include <pliant/model/model.h>
#include <pliant/model/state.h>

namespace pliant {

/// Bodies as the judge sees them, in the order of the topology: faces have the same numbers.
AuditSurfaces audit_surfaces(const Topology& topology);

/// The plane of a collider from the nodes of its frame: it fills y < 0 there (rigid/shape.h).
AuditPlane audit_plane(std::int32_t body, std::span<const Vec3> x, std::int32_t frame_node);

/// Edges through faces and vertices through planes; not a number where positions are not finite. The model has its `audit`.
double intersection_count(const Model& model, const State& state);

}  // namespace pliant
