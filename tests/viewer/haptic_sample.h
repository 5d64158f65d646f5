// SPDX-License-Identifier: MIT
#pragma once

// Surfaces and devices for the haptic tests.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <pliant/model/frame.h>

#include "viewer/haptic_loop.h"

namespace pliant::viewer {

struct TouchScene {
    Topology topology;
    Frame frame;

    void add(const std::string& name, const std::vector<Vec3>& x, const std::vector<Triangle>& triangles)
    {
        const auto first = static_cast<std::int32_t>(frame.x.size());
        topology.bodies.push_back({name, "springs", first, static_cast<std::int32_t>(x.size()),
                                   static_cast<std::int32_t>(topology.triangles.size()),
                                   static_cast<std::int32_t>(triangles.size()), 0, 0});
        for (const Triangle& t : triangles) topology.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
        frame.x.insert(frame.x.end(), x.begin(), x.end());
        frame.v.resize(frame.x.size());
        topology.point_count = static_cast<std::int32_t>(frame.x.size());
    }
};

/// n times n squares, `size` wide, about the origin; height(x, z) over the ground; seen from above counter-clockwise.
inline TouchScene sheet(
    int n, double size, const std::function<double(double, double)>& height = [](double, double) { return 0.0; })
{
    std::vector<Vec3> x;
    std::vector<Triangle> triangles;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
            const double a = size * (static_cast<double>(i) / n - 0.5), b = size * (static_cast<double>(j) / n - 0.5);
            x.push_back({a, height(a, b), b});
        }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const int a = i * (n + 1) + j, b = a + 1, c = a + n + 1, d = c + 1;
            triangles.push_back({a, b, d}), triangles.push_back({a, d, c});
        }
    TouchScene scene;
    scene.add("sheet", x, triangles);
    return scene;
}

/// A closed box about the origin, its sides outwards.
inline TouchScene box(const Vec3& half)
{
    std::vector<Vec3> x;
    for (int i = 0; i < 8; ++i)
        x.push_back(
            {(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z});
    TouchScene scene;
    scene.add("box", x,
              {{0, 2, 3},
               {0, 3, 1},
               {4, 5, 7},
               {4, 7, 6},
               {0, 1, 5},
               {0, 5, 4},
               {2, 6, 7},
               {2, 7, 3},
               {0, 4, 6},
               {0, 6, 2},
               {1, 3, 7},
               {1, 7, 5}});
    return scene;
}

inline Patch patch_of(const TouchScene& scene, const Vec3& center = {}, double radius = 1e6)
{
    Patch patch;
    PatchCutter(scene.topology, scene.frame.x).cut(patch, scene.frame, center, radius);
    return patch;
}

/// Not moving, at its place.
inline MovingSurface still_surface(const TouchScene& scene)
{
    MovingSurface surface;
    surface.adopt(patch_of(scene), 0);
    surface.advance(1), surface.advance(2);
    return surface;
}

/// A hand that is where the test says.
class PuppetDevice : public HapticDevice {
public:
    HapticState state{.is_present = true};
    HapticReply reply;
    int replies = 0;
    double greatest = 1e9;

    std::string_view label() const override { return "puppet"; }
    Vec3 workspace() const override { return {0.16, 0.12, 0.07}; }
    double greatest_force() const override { return greatest; }
    HapticState read(double) override { return state; }
    void apply(const HapticReply& given) override { reply = given, ++replies; }
};

inline void expect_near(const Vec3& a, const Vec3& b, double tolerance)
{
    EXPECT_LE(norm(a - b), tolerance) << a.x << " " << a.y << " " << a.z << " is not " << b.x << " " << b.y << " "
                                      << b.z;
}

}  // namespace pliant::viewer
