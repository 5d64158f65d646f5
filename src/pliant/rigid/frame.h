// SPDX-License-Identifier: MIT
#pragma once

// A rigid body as a frame of four nodes: centre of mass and three axes.
//
// Nodes c, a1, a2, a3; a material point X (coordinates along the principal axes) sits at
// c + X1 a1 + X2 a2 + X3 a3, linear in the nodes, so contact, cavities and recording see one kind of
// point. Node masses are (m, J1, J2, J3) with J_k = int rho X_k^2 [kg m^2]; the tensor of inertia is
// sum_k J_k (1 - a_k a_k^T). Explicit solvers ask rigid_acceleration and afterwards make_rigid.

#include <array>
#include <span>

#include <pliant/base/types.h>

namespace pliant {

using FrameNodes = std::span<Vec3, 4>;
using ConstFrameNodes = std::span<const Vec3, 4>;

struct FrameMass {
    double mass = 0;            ///< [kg]
    std::array<double, 3> J{};  ///< [kg m^2] second moments along the principal axes
};

/// m and J of a uniform sphere or box, [kg], [m].
FrameMass sphere_mass(double mass, double radius);
FrameMass box_mass(double mass, const Vec3& size);

/// Position of material point X.
inline Vec3 frame_point(ConstFrameNodes nodes, const Vec3& X)
{
    return nodes[0] + nodes[1] * X.x + nodes[2] * X.y + nodes[3] * X.z;
}

/// Angular velocity [rad/s] of axes that move rigidly.
Vec3 angular_velocity(ConstFrameNodes x, ConstFrameNodes v);

/// Tensor of inertia [kg m^2] in world coordinates.
Mat3 inertia(const FrameMass&, ConstFrameNodes x);

/// Accelerations of the four nodes under the forces on them (forces on axes act as torques
/// a_k x f_k), Euler's equations included.
std::array<Vec3, 4> rigid_acceleration(const FrameMass&, ConstFrameNodes x, ConstFrameNodes v, ConstFrameNodes force);

/// Changes the velocities of the nodes by an impulse [N s] at a world point of the body.
void add_frame_impulse(FrameNodes v, const FrameMass&, ConstFrameNodes x, const Vec3& point, const Vec3& impulse);

/// K with (velocity change of the point) = K impulse, both at the same world point.
Mat3 frame_inverse_mass(const FrameMass&, ConstFrameNodes x, const Vec3& point);

/// Makes the axes orthonormal again (nearest rotation) and their velocities those of a rigid motion
/// with the same angular momentum to first order.
void make_rigid(FrameNodes x, FrameNodes v);

}  // namespace pliant
