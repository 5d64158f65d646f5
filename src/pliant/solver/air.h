// SPDX-License-Identifier: MIT
#pragma once

// The air on the faces of cloth: pressure drag across a face, friction along it.
//
// With w the velocity of the face's middle against the wind, n its unit normal and A its area now,
//   F = -rho A / 2 (C_n |w.n| (w.n) n + C_t |w_t| w_t),  w_t = w - (w.n) n,
// shared by the three corners. Both sides count once: a sheet across the wind has its area, not twice that.
// Symbols: rho density of the air [kg/m^3], C_n air_drag, C_t air_friction [1].

#include <span>

#include <pliant/model/model.h>
#include <pliant/model/state.h>

namespace pliant {

/// Adds the air's forces; returns the power they take from the motion [W], negative while wind drives it.
double add_air_forces(std::span<Vec3> force, const Model&, const State& live, std::span<const Vec3> x,
                      std::span<const Vec3> v);

/// Calls add(node, block) with what the air adds to -dF/dv at each corner, never negative, on the diagonal only.
template <class Add>
void for_each_air_block(const Model&, const State& live, std::span<const Vec3> x, std::span<const Vec3> v, Add&& add);

/// One face in the air.
struct FaceInAir {
    Vec3 normal;         ///< unit
    double area = 0;     ///< [m^2]
    Vec3 across, along;  ///< [m/s] velocity against the air
};
FaceInAir face_in_air(const Triangle& face, const Vec3& wind, std::span<const Vec3> x, std::span<const Vec3> v);

template <class Add>
void for_each_air_block(const Model& model, const State& live, std::span<const Vec3> x, std::span<const Vec3> v,
                        Add&& add)
{
    for (const Sheet& sheet : model.sheets) {
        const BodyLive& body = live.bodies[static_cast<std::size_t>(sheet.body)];
        if (body.air_drag == 0 && body.air_friction == 0) continue;
        for (const Triangle& face : sheet.faces) {
            const FaceInAir at = face_in_air(face, live.world.wind, x, v);
            const double half = live.world.air_density * at.area / 2 / 3;
            // Twice C |w| is the steepest slope of C |w| w.
            const double across = 2 * half * body.air_drag * norm(at.across);
            const double along = 2 * half * body.air_friction * norm(at.along);
            const Mat3 block = outer(at.normal, at.normal) * (across - along) + identity3<double>() * along;
            for (const std::int32_t node : face) add(node, block);
        }
    }
}

}  // namespace pliant
