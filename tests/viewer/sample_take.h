// SPDX-License-Identifier: MIT
#pragma once

// A take made by hand, so that its pictures do not change when a solver does: a waving sheet over a box.

#include <cmath>
#include <string>

#include <pliant/record/recording.h>

namespace pliant::viewer {

inline constexpr int kSheetSide = 13, kTakeFrames = 11;

inline Topology sample_topology()
{
    Topology topology;
    const auto add_body = [&](const char* name, const char* kind, std::int32_t points, auto&& triangles) {
        BodyRange body{.name = name, .kind = kind, .first_point = topology.point_count, .point_count = points};
        body.first_triangle = static_cast<std::int32_t>(topology.triangles.size());
        triangles(topology.point_count);
        body.triangle_count = static_cast<std::int32_t>(topology.triangles.size()) - body.first_triangle;
        topology.point_count += points;
        topology.bodies.push_back(body);
    };
    add_body("sheet", "cloth", kSheetSide * kSheetSide, [&](std::int32_t first) {
        for (std::int32_t j = 0; j + 1 < kSheetSide; ++j)
            for (std::int32_t i = 0; i + 1 < kSheetSide; ++i) {
                const std::int32_t a = first + j * kSheetSide + i, b = a + 1, c = a + kSheetSide, d = c + 1;
                topology.triangles.push_back({a, c, b}), topology.triangles.push_back({b, c, d});
            }
    });
    add_body("box", "rigid", 8, [&](std::int32_t f) {
        const std::int32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                          {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
        for (const auto& q : quads) {
            topology.triangles.push_back({f + q[0], f + q[1], f + q[2]});
            topology.triangles.push_back({f + q[0], f + q[2], f + q[3]});
        }
    });
    topology.measures = {"energy.kinetic"};
    topology.fields = {"height"};
    topology.frame_rate = 10;
    return topology;
}

inline Frame sample_frame(int index)
{
    Frame frame{.index = index, .time = 0.1 * index};
    for (int j = 0; j < kSheetSide; ++j)
        for (int i = 0; i < kSheetSide; ++i) {
            const double x = (i - 6) / 6.0, z = (j - 6) / 6.0;
            frame.x.push_back({x, 0.9 + 0.15 * std::sin(3 * x + frame.time * 5), z});
            frame.v.push_back({0, 0.75 * std::cos(3 * x + frame.time * 5), 0});
        }
    for (int corner = 0; corner < 8; ++corner) {
        frame.x.push_back(
            {(corner & 1) != 0 ? 0.4 : -0.4, (corner & 2) != 0 ? 0.6 : 0.0, (corner & 4) != 0 ? 0.3 : -0.3});
        frame.v.push_back({});
    }
    frame.fields.emplace_back();
    for (const Vec3& p : frame.x) frame.fields.back().push_back(p.y);
    frame.measures = {0.1 * index * index};
    frame.hash = static_cast<std::uint64_t>(index);
    return frame;
}

/// Writes it; returns the path.
inline std::string write_sample_take(const std::string& path)
{
    RecordingHeader header{.scene_text = R"({ "colliders": { "floor": { "plane": [0, 1, 0, 0] } } })",
                           .topology = sample_topology()};
    RecordingWriter writer = RecordingWriter::create(path, header, true);
    for (int i = 0; i < kTakeFrames; ++i) writer.add_frame(sample_frame(i));
    writer.finish("{}");
    return path;
}

}  // namespace pliant::viewer
