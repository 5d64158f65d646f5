// SPDX-License-Identifier: MIT
#pragma once

// Mass, centre and second moments of uniform shapes, of closed surfaces and of things put together from them.
//
// A mesh is cut into tetrahedra from a point near it; over each, 1, x and x x^T are integrated exactly, with signs, so
// that the sum over a closed surface is exact whatever its shape.
// Symbols: m mass [kg], c centre of mass [m], S = int rho (x - c)(x - c)^T dV second moments [kg m^2], which become the
// J_k of a frame along the principal axes (frame.h). The tensor of inertia is tr(S) 1 - S.
// Reference: Mirtich, "Fast and accurate computation of polyhedral mass properties", 1996; the tetrahedra instead of
// his projections.

#include <span>

#include <pliant/base/types.h>
#include <pliant/rigid/frame.h>

namespace pliant {

struct MassMoments {
    double mass = 0;  ///< [kg]
    Vec3 centre;      ///< [m]
    Mat3 second;      ///< [kg m^2] about the centre
};

/// What a closed surface encloses, filled with a density [kg/m^3]. Throws Error where it is open, turned inside out, or
/// encloses nothing.
MassMoments mesh_moments(std::span<const Vec3> x, std::span<const Triangle> triangles, double density);

/// Centred shapes; cylinder and capsule stand along y. The length of a capsule is that of its straight part.
MassMoments sphere_moments(double radius, double density);
MassMoments box_moments(const Vec3& size, double density);
MassMoments cylinder_moments(double radius, double length, double density);
MassMoments capsule_moments(double radius, double length, double density);

/// The same thing turned about the origin, then shifted.
MassMoments placed(const MassMoments&, const Mat3& turn, const Vec3& shift);

/// The same shape with another mass.
MassMoments with_mass(const MassMoments&, double mass);

/// Several things as one: second moments about the common centre, by parallel axes.
MassMoments together(std::span<const MassMoments>);

/// The frame of a rigid body: masses of its nodes, where its centre is, and its axes as columns, right-handed. Axes
/// that are principal already stay as they are.
struct PrincipalFrame {
    FrameMass mass;
    Vec3 centre;
    Mat3 axes;
};
PrincipalFrame principal_frame(const MassMoments&);

}  // namespace pliant
