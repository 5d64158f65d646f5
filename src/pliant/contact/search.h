// SPDX-License-Identifier: MIT
#pragma once

// Search for contacts between points, faces and shapes by brute force with cheap rejection.
//
// Three kinds of pairs: points against shapes, spheres against shapes, spheres against faces. Pairs of
// two immovable things and pairs within one body are left out. Symbols: x positions [m].

#include <span>
#include <vector>

#include <pliant/contact/contacts.h>
#include <pliant/rigid/shape.h>

namespace pliant {

/// A range of points that may touch shapes: free vertices (frame < 0) or corners of a rigid body.
struct PointRange {
    std::int32_t body = -1, frame = -1;
    std::int32_t first = 0, count = 0;
};

/// What the search looks at; spans into Model and State.
struct ContactQuery {
    std::span<const Vec3> x;
    std::span<const PointRange> points;
    std::span<const Shape> shapes;
    std::span<const Triangle> faces;          ///< of bodies made of free vertices
    std::span<const std::int32_t> face_body;  ///< index for index with faces
    std::span<const std::uint8_t> held;       ///< #nodes
    std::int32_t first_frame_node = 0;
    bool all_faces = false;  ///< also faces with a vertex that can move
};

/// Fills `found` with all contacts whose gap is negative, sorted by key.
void find_contacts(std::vector<Contact>& found, const ContactQuery&);

}  // namespace pliant
