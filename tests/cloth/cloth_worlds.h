// SPDX-License-Identifier: MIT
#pragma once

// Worlds of one cloth for tests of its physics: scenes as text, ways to rest, shapes compared between meshes.
//
// Every body is named "sheet". Grids are n x n vertices, row by row, so that a material point is found again in any of
// them by its place in the unit square.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "world/small_scenes.h"

namespace pliant::test {

inline constexpr double kGravity = 9.81;

/// Parts of a scene with one cloth: members of its objects, without the braces.
struct ClothText {
    std::string mesh, cloth;
    std::string body = R"("damping": 0)";
    std::string solver = R"("kind": "static", "step": 1, "accuracy": 1e-7)";
    std::string world = R"("gravity": [0, -9.81, 0])";
};

inline std::string scene_of(const ClothText& text)
{
    return fmt::format(R"({{ "world": {{ {} }}, "solver": {{ {} }},
        "bodies": {{ "sheet": {{ "kind": "cloth", "mesh": {{ {} }}, "cloth": {{ {} }}, {} }} }} }})",
                       text.world, text.solver, text.mesh, text.cloth, text.body);
}

/// A grid in the vertical plane z = 0 with its upper edge on y = 0; rows run down.
inline std::string upright_grid(int nx, int ny, double width, double height, const std::string& diagonals = "same")
{
    return fmt::format(R"("grid": [{}, {}], "size": [{}, {}], "diagonals": "{}", "rotate_axis": [1, 0, 0],
        "rotate_degrees": 90, "translate": [0, {}, 0])",
                       nx, ny, width, height, diagonals, -height / 2);
}

/// A grid in the plane y = 0, its middle at the origin.
inline std::string flat_grid(int nx, int nz, double width, double depth, const std::string& diagonals = "same")
{
    return fmt::format(R"("grid": [{}, {}], "size": [{}, {}], "diagonals": "{}")", nx, nz, width, depth, diagonals);
}

/// A pin over a box; a thousandth of a millimetre of slack.
inline std::string pin_box(const std::string& name, const Vec3& low, const Vec3& high, const std::string& axes = "xyz")
{
    constexpr double kSlack = 1e-6;
    return fmt::format(R"({{ "name": "{}", "select": {{ "low": [{}, {}, {}], "high": [{}, {}, {}] }}, "axes": "{}" }})",
                       name, low.x - kSlack, low.y - kSlack, low.z - kSlack, high.x + kSlack, high.y + kSlack,
                       high.z + kSlack, axes);
}

inline double lowest(const World& world)
{
    double least = INFINITY;
    for (const Vec3& x : world.state.x) least = std::min(least, x.y);
    return least;
}

inline double fastest(const World& world)
{
    double most = 0;
    for (const Vec3& v : world.state.v) most = std::max(most, norm(v));
    return most;
}

/// One step of the solver static; fails the test where there is no balance.
inline void balance(World& world)
{
    const StepReport report = step(world, 1);
    EXPECT_EQ(report.status, Status::ok) << explain(report.issue, *world.model);
}

/// Steps of a dynamic solver until no vertex is faster than `still` [m/s]; fails the test after `most` steps.
inline void settle(World& world, double still, int most)
{
    for (int i = 0; i < most; ++i) {
        const StepReport report = step(world, world.state.solver.step);
        ASSERT_FALSE(report.failed()) << explain(report.issue, *world.model);
        if (i > 2 && fastest(world) < still) return;
    }
    ADD_FAILURE() << "not at rest after " << most << " steps: " << fastest(world) << " m/s";
}

/// Place of the material point (u, v) of the unit square on an nx x ny grid, interpolated between its vertices.
inline Vec3 at_material_point(const std::vector<Vec3>& x, int nx, int ny, double u, double v)
{
    const double p = u * (nx - 1), q = v * (ny - 1);
    const int i = std::min(static_cast<int>(p), nx - 2), j = std::min(static_cast<int>(q), ny - 2);
    const double s = p - i, t = q - j;
    const auto corner = [&](int di, int dj) { return x[static_cast<std::size_t>((j + dj) * nx + i + di)]; };
    return corner(0, 0) * ((1 - s) * (1 - t)) + corner(1, 0) * (s * (1 - t)) + corner(0, 1) * ((1 - s) * t) +
           corner(1, 1) * (s * t);
}

/// Puts the vertices of an n x n grid where those of a coarser one have come to rest: a start near its own rest.
inline void take_shape(World& world, int n, const std::vector<Vec3>& coarse, int coarse_n)
{
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(j * n + i);
            if (world.state.held[k] == 7) continue;
            world.state.x[k] = at_material_point(coarse, coarse_n, coarse_n, i / (n - 1.0), j / (n - 1.0));
        }
}

/// Root of the mean squared distance of the same material points of two square grids [m].
inline double rms_distance(const std::vector<Vec3>& a, int na, const std::vector<Vec3>& b, int nb)
{
    constexpr int kPoints = 49;
    double sum = 0;
    for (int j = 0; j < kPoints; ++j)
        for (int i = 0; i < kPoints; ++i) {
            const double u = i / (kPoints - 1.0), v = j / (kPoints - 1.0);
            sum += norm2(at_material_point(a, na, na, u, v) - at_material_point(b, nb, nb, u, v));
        }
    return std::sqrt(sum / (kPoints * kPoints));
}

}  // namespace pliant::test
