// SPDX-License-Identifier: MIT
#pragma once

// Moving whole meshes and putting them together.
//
// Symbols: angles [rad], counter-clockwise seen against the axis (right-hand rule).

#include <pliant/mesh/tri_mesh.h>

namespace pliant {

/// Rotation by `angle` [rad] about `axis` (any length but zero), after Rodrigues.
Mat3 rotation_matrix(const Vec3& axis, double angle);

void translate(TriMesh&, const Vec3& offset);

/// Rotates about the line through `center` along `axis` by `angle` [rad].
void rotate(TriMesh&, const Vec3& axis, double angle, const Vec3& center = {});

/// Multiplies coordinates; a mirroring (negative product) also turns the triangles, so that outside
/// stays outside. Material coordinates grow with the mesh where all factors are of one size; an
/// uneven scaling stretches the cloth and leaves them as they are.
void scale(TriMesh&, const Vec3& factors);
void scale(TriMesh&, double factor);

/// Turns the surface inside out.
void reverse_orientation(TriMesh&);

/// Adds a copy of `other` behind the mesh's own vertices; groups of equal name unite.
/// Material coordinates stay where both have them, and are lost where only one has.
void append(TriMesh&, const TriMesh& other);

/// `count` copies in all, each `spacing` [m] farther than the one before.
void repeat(TriMesh&, int count, const Vec3& spacing);

}  // namespace pliant
