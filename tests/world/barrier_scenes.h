// SPDX-License-Identifier: MIT
#pragma once

// Scenes under response barrier as text, and what every test of them does.

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <pliant/world/intersection_measure.h>

#include "world/small_scenes.h"

namespace pliant::test {

inline constexpr double kGravity = 9.81;

inline std::string scene_of(const std::string& bodies, const std::string& colliders,
                            const Vec3& gravity = {0, -kGravity, 0},
                            const std::string& solver = R"("kind": "implicit_euler", "step": 0.005)",
                            const std::string& contact = "")
{
    return fmt::format(R"({{ "world": {{ "gravity": [{}, {}, {}], "frame_rate": 100 }}, "solver": {{ {} }},
        "contact": {{ "response": "barrier" {} }}, "bodies": {{ {} }}, "colliders": {{ {} }} }})",
                       gravity.x, gravity.y, gravity.z, solver, contact, bodies, colliders);
}

inline void run(World& w, double seconds)
{
    const StepReport report = step(w, seconds);
    ASSERT_FALSE(report.failed()) << explain(report.issue, *w.model) << " at " << w.state.time;
}

inline std::size_t crossings(const World& w)
{
    const AuditSurfaces surfaces = audit_surfaces(w.model->topology);
    std::vector<AuditPlane> planes;
    for (const Shape& shape : w.model->shapes)
        if (shape.kind == ShapeKind::plane)
            planes.push_back(audit_plane(shape.body, w.state.x, w.model->frame_node(shape.frame)));
    IntersectionSearch search(surfaces);
    Intersections found;
    EXPECT_TRUE(search.find(found, w.state.x, planes));
    return found.count();
}

}  // namespace pliant::test
