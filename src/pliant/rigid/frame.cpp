// SPDX-License-Identifier: MIT
#include <pliant/rigid/frame.h>

namespace pliant {

FrameMass sphere_mass(double mass, double radius)
{
    const double J = mass * radius * radius / 5;
    return {mass, {J, J, J}};
}

FrameMass box_mass(double mass, const Vec3& size)
{
    return {mass, {mass * size.x * size.x / 12, mass * size.y * size.y / 12, mass * size.z * size.z / 12}};
}

Vec3 angular_velocity(ConstFrameNodes x, ConstFrameNodes v)
{
    Vec3 twice;
    for (int k = 1; k < 4; ++k) twice += cross(x[k], v[k]);
    return twice * 0.5;
}

Mat3 inertia(const FrameMass& mass, ConstFrameNodes x)
{
    Mat3 tensor;
    for (int k = 0; k < 3; ++k) tensor += (identity3<double>() + outer(x[k + 1], x[k + 1]) * -1.0) * mass.J[k];
    return tensor;
}

std::array<Vec3, 4> rigid_acceleration(const FrameMass& mass, ConstFrameNodes x, ConstFrameNodes v,
                                       ConstFrameNodes force)
{
    const Vec3 w = angular_velocity(x, v);
    const Mat3 I = inertia(mass, x);
    Vec3 torque;
    for (int k = 1; k < 4; ++k) torque += cross(x[k], force[k]);
    const Vec3 alpha = inverse(I) * (torque - cross(w, I * w));
    std::array<Vec3, 4> a;
    a[0] = force[0] / mass.mass;
    for (int k = 1; k < 4; ++k) a[k] = cross(alpha, x[k]) + cross(w, cross(w, x[k]));
    return a;
}

void add_frame_impulse(FrameNodes v, const FrameMass& mass, ConstFrameNodes x, const Vec3& point, const Vec3& impulse)
{
    v[0] += impulse / mass.mass;
    const Vec3 dw = inverse(inertia(mass, x)) * cross(point - x[0], impulse);
    for (int k = 1; k < 4; ++k) v[k] += cross(dw, x[k]);
}

Mat3 frame_inverse_mass(const FrameMass& mass, ConstFrameNodes x, const Vec3& point)
{
    const Vec3 r = point - x[0];
    const Mat3 arm{{{0, -r.z, r.y}, {r.z, 0, -r.x}, {-r.y, r.x, 0}}};
    return identity3<double>() * (1 / mass.mass) + arm * inverse(inertia(mass, x)) * transpose(arm);
}

void make_rigid(FrameNodes x, FrameNodes v)
{
    Mat3 R = from_columns(x[1], x[2], x[3]);
    // Newton's iteration for the polar factor; a step moves the axes by O(h^5) at most, so two suffice
    // and the loop ends as soon as nothing changes.
    for (int iteration = 0; iteration < 20; ++iteration) {
        const Mat3 next = (R + transpose(inverse(R))) * 0.5;
        double change = 0;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) change += std::abs(next.m[i][j] - R.m[i][j]);
        R = next;
        if (change < 1e-15) break;
    }
    for (int k = 0; k < 3; ++k) x[k + 1] = column(R, k);
    const Vec3 w = angular_velocity(x, v);
    for (int k = 1; k < 4; ++k) v[k] = cross(w, x[k]);
}

}  // namespace pliant
