// SPDX-License-Identifier: MIT
#pragma once

// Sheets of seed 003 run to a frame, and what its experiments look at: stretch of the structural springs, distances of
// two shapes, curvature.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "world/history.h"

namespace pliant::test {

/// The state of a scene file at a frame; a step that fails fails the test.
struct SheetRun {
    World world;
    StepReport last;
    std::int64_t frame = 0;
    double frame_rate = 60;

    /// Goes on to a later frame.
    void go_to(std::int64_t to)
    {
        while (frame < to && !last.failed()) last = step_to(world, static_cast<double>(++frame) / frame_rate);
        EXPECT_FALSE(last.failed()) << "frame " << frame << ": " << explain(last.issue, *world.model);
    }
    const std::vector<Vec3>& x() const { return world.state.x; }
    double measure(const std::string& name)
    {
        const double value = find_measure(*world.model, measures(world, last.contacts, 1 / frame_rate), name);
        EXPECT_FALSE(std::isnan(value)) << name;
        return value;
    }
};

inline SheetRun sheet_at(const std::string& name, std::int64_t frame, const std::vector<std::string>& set = {})
{
    const Scene scene = load_scene(std::string(PLIANT_SCENES) + "/" + name + ".json", overrides(set));
    SheetRun run{.world = build(scene), .last = {}, .frame_rate = scene.world.frame_rate};
    run.go_to(frame);
    return run;
}

inline std::string square_grid(int n)
{
    return "bodies.sheet.mesh.grid=[" + std::to_string(n) + "," + std::to_string(n) + "]";
}

/// Length over rest length of the springs between neighbours of an n x n grid of the given side [m].
struct Stretch {
    double mean = 0, most = 0;
};

inline Stretch structural_stretch(const std::vector<Vec3>& x, int n, double side)
{
    Stretch s;
    const double rest = side / (n - 1);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            for (const int next : {i + 1 < n ? j * n + i + 1 : -1, j + 1 < n ? (j + 1) * n + i : -1}) {
                if (next < 0) continue;
                const double now = norm(x[static_cast<std::size_t>(next)] - x[static_cast<std::size_t>(j * n + i)]);
                s.mean += now / rest / (2.0 * n * (n - 1));
                s.most = std::max(s.most, now / rest);
            }
    return s;
}

/// Root of the mean square distance of the first `count` points [m].
inline double rms_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b, std::size_t count)
{
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += norm2(a[i] - b[i]);
    return std::sqrt(sum / static_cast<double>(count));
}

/// Root of the mean square of the second difference over the squared cell of an n x n grid: curvature [1/m].
inline double rms_curvature(const std::vector<Vec3>& x, int n, double side)
{
    const double cell = side / (n - 1);
    double sum = 0;
    int count = 0;
    const auto at = [&](int i, int j) { return x[static_cast<std::size_t>(j * n + i)]; };
    for (int j = 1; j + 1 < n; ++j)
        for (int i = 1; i + 1 < n; ++i, count += 2) {
            sum += norm2(at(i - 1, j) - at(i, j) * 2.0 + at(i + 1, j)) / std::pow(cell, 4);
            sum += norm2(at(i, j - 1) - at(i, j) * 2.0 + at(i, j + 1)) / std::pow(cell, 4);
        }
    return std::sqrt(sum / count);
}

}  // namespace pliant::test
