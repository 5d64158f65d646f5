// SPDX-License-Identifier: MIT
#include <pliant/rigid/mass_properties.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/topology.h>

namespace pliant {

namespace {

Mat3 diagonal(double x, double y, double z)
{
    return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

// Volume, and 1st and 2nd moments about `origin`, of the tetrahedra between it and the triangles.
struct Integrals {
    double volume = 0;
    Vec3 first;
    Mat3 second;
};

Integrals integrals_about(const Vec3& origin, std::span<const Vec3> x, std::span<const Triangle> triangles)
{
    Integrals sum;
    for (const Triangle& t : triangles) {
        const Vec3 a = x[t[0]] - origin, b = x[t[1]] - origin, c = x[t[2]] - origin, all = a + b + c;
        const double six = dot(a, cross(b, c));
        sum.volume += six / 6;
        sum.first += all * (six / 24);
        sum.second += (outer(a, a) + outer(b, b) + outer(c, c) + outer(all, all)) * (six / 120);
    }
    return sum;
}

void refuse_open(std::span<const Vec3> x, std::span<const Triangle> triangles)
{
    const ClosednessReport report = closedness(triangles, x.size());
    if (triangles.empty() || !report.encloses_volume())
        throw Error(Problem{.message = fmt::format("the mesh encloses no volume, so it has no mass: {}",
                                                   triangles.empty() ? "it has no triangles" : to_text(report)),
                            .cure = "close its holes and turn all triangles outwards, or take its \"hull\""});
}

// One of Jacobi's rotations: makes entry (p, q) of S vanish and turns the axes along.
void rotate_away(Mat3& S, Mat3& axes, int p, int q)
{
    const double theta = (S.m[q][q] - S.m[p][p]) / (2 * S.m[p][q]);
    const double t = (theta < 0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    const double c = 1 / std::sqrt(t * t + 1), s = t * c;
    Mat3 turn = identity3<double>();
    turn.m[p][p] = turn.m[q][q] = c, turn.m[p][q] = s, turn.m[q][p] = -s;
    S = transpose(turn) * S * turn;
    S.m[p][q] = S.m[q][p] = 0;
    axes = axes * turn;
}

}  // namespace

MassMoments mesh_moments(std::span<const Vec3> x, std::span<const Triangle> triangles, double density)
{
    refuse_open(x, triangles);
    const BoundingBox box = bounding_box(x);
    const Vec3 origin = box.center(), size = box.size();
    const Integrals sum = integrals_about(origin, x, triangles);
    // Rounding of as many tetrahedra as there are triangles, each no larger than the box.
    const double noise = 1e-15 * static_cast<double>(triangles.size()) * size.x * size.y * size.z;
    if (std::abs(sum.volume) <= noise)
        throw Error(Problem{.message = "the mesh is flat or crosses itself: it encloses no volume",
                            .cure = "give it a thickness"});
    if (sum.volume < 0)
        throw Error(Problem{.message = fmt::format("the mesh is turned inside out: its triangles face inwards, and its "
                                                   "volume is {:.6g} m3",
                                                   sum.volume),
                            .cure = "write the corners of its triangles the other way round, or take its \"hull\""});
    const Vec3 centre = sum.first / sum.volume;
    MassMoments moments{.mass = density * sum.volume, .centre = origin + centre, .second = {}};
    moments.second = (sum.second + outer(centre, centre) * -sum.volume) * density;
    return moments;
}

MassMoments sphere_moments(double radius, double density)
{
    const double m = density * 4 / 3 * std::numbers::pi * radius * radius * radius, J = m * radius * radius / 5;
    return {.mass = m, .centre = {}, .second = diagonal(J, J, J)};
}

MassMoments box_moments(const Vec3& size, double density)
{
    const double m = density * size.x * size.y * size.z;
    return {.mass = m, .centre = {}, .second = diagonal(size.x * size.x, size.y * size.y, size.z * size.z) * (m / 12)};
}

MassMoments cylinder_moments(double radius, double length, double density)
{
    const double m = density * std::numbers::pi * radius * radius * length, across = m * radius * radius / 4;
    return {.mass = m, .centre = {}, .second = diagonal(across, m * length * length / 12, across)};
}

MassMoments capsule_moments(double radius, double length, double density)
{
    MassMoments whole = cylinder_moments(radius, length, density);
    const MassMoments ball = sphere_moments(radius, density);
    // Two half balls whose centres of mass are 3/8 of the radius above their flat sides.
    const double above = length / 2 + 3.0 / 8 * radius;
    const double along = ball.second.m[1][1] + ball.mass * (above * above - 9.0 / 64 * radius * radius);
    whole.mass += ball.mass;
    whole.second += diagonal(ball.second.m[0][0], along, ball.second.m[2][2]);
    return whole;
}

MassMoments placed(const MassMoments& thing, const Mat3& turn, const Vec3& shift)
{
    return {.mass = thing.mass, .centre = turn * thing.centre + shift, .second = turn * thing.second * transpose(turn)};
}

MassMoments with_mass(const MassMoments& thing, double mass)
{
    return {.mass = mass, .centre = thing.centre, .second = thing.second * (mass / thing.mass)};
}

MassMoments together(std::span<const MassMoments> things)
{
    MassMoments whole;
    for (const MassMoments& thing : things) whole.mass += thing.mass, whole.centre += thing.centre * thing.mass;
    whole.centre = whole.centre / whole.mass;
    for (const MassMoments& thing : things) {
        const Vec3 arm = thing.centre - whole.centre;
        whole.second += thing.second + outer(arm, arm) * thing.mass;
    }
    return whole;
}

PrincipalFrame principal_frame(const MassMoments& moments)
{
    Mat3 S = moments.second, axes = identity3<double>();
    const double scale = S.m[0][0] + S.m[1][1] + S.m[2][2];
    constexpr int kMostSweeps = 50;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        const double off = std::max({std::abs(S.m[0][1]), std::abs(S.m[0][2]), std::abs(S.m[1][2])});
        if (off <= 1e-15 * scale) break;
        for (const auto& [p, q] : {std::array{0, 1}, std::array{0, 2}, std::array{1, 2}})
            if (std::abs(S.m[p][q]) > 1e-17 * scale) rotate_away(S, axes, p, q);
    }
    return {.mass = {moments.mass, {S.m[0][0], S.m[1][1], S.m[2][2]}}, .centre = moments.centre, .axes = axes};
}

}  // namespace pliant
