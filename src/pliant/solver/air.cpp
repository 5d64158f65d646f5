// SPDX-License-Identifier: MIT
#include <pliant/solver/air.h>

namespace pliant {

FaceInAir face_in_air(const Triangle& face, const Vec3& wind, std::span<const Vec3> x, std::span<const Vec3> v)
{
    FaceInAir at;
    const Vec3 twice = cross(x[face[1]] - x[face[0]], x[face[2]] - x[face[0]]);
    const double size = norm(twice);
    at.area = size / 2;
    if (!(size > 0)) return at;
    at.normal = twice / size;
    const Vec3 w = (v[face[0]] + v[face[1]] + v[face[2]]) / 3.0 - wind;
    at.across = at.normal * dot(w, at.normal);
    at.along = w - at.across;
    return at;
}

double add_air_forces(std::span<Vec3> force, const Model& model, const State& live, std::span<const Vec3> x,
                      std::span<const Vec3> v)
{
    double power = 0;
    for (const Sheet& sheet : model.sheets) {
        const BodyLive& body = live.bodies[static_cast<std::size_t>(sheet.body)];
        if (body.air_drag == 0 && body.air_friction == 0) continue;
        for (const Triangle& face : sheet.faces) {
            const FaceInAir at = face_in_air(face, live.world.wind, x, v);
            const Vec3 resistance =
                (at.across * (body.air_drag * norm(at.across)) + at.along * (body.air_friction * norm(at.along))) *
                (live.world.air_density * at.area / 2);
            const Vec3 share = resistance / 3.0;
            for (const std::int32_t node : face) force[node] -= share, power += dot(share, v[node]);
        }
    }
    return power;
}

}  // namespace pliant
