// SPDX-License-Identifier: MIT
#pragma once

// Response barrier without a solver: worlds built from scene texts, ways proposed by chance, and the independent judge.
//
// Ways are made for nodes, as a solver does: bound points follow their frames, so all of them move straight. Frames turn about
// their centres and their axes go straight to where the turn takes them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <pliant/mesh/transform.h>
#include <pliant/model/points.h>
#include <pliant/response/barrier.h>
#include <pliant/world/intersection_measure.h>

#include "energy/derivatives.h"
#include "world/small_scenes.h"

namespace pliant::test {

class BarrierProbe {
public:
    explicit BarrierProbe(const std::string& text)
        : world_(world_of(text))
        , surfaces_(audit_surfaces(world_.model->topology))
        , judge_(std::make_unique<IntersectionSearch>(surfaces_))
    {
        place();
    }

    const Model& model() const { return *world_.model; }
    State& state() { return world_.state; }
    std::vector<Vec3>& x() { return world_.state.x; }

    /// Bound points to where their frames are.
    void place() { place_bound_points(world_.state.x, world_.state.v, *world_.model); }

    /// The contacts, made where x is when first asked for.
    BarrierContacts& contacts()
    {
        if (!contacts_) contacts_ = std::make_unique<BarrierContacts>(*world_.model, world_.state.x);
        return *contacts_;
    }

    std::size_t crossings(std::span<const Vec3> x)
    {
        std::vector<AuditPlane> planes;
        for (const Shape& shape : model().shapes)
            if (shape.kind == ShapeKind::plane)
                planes.push_back(audit_plane(shape.body, x, model().frame_node(shape.frame)));
        Intersections found;
        EXPECT_TRUE(judge_->find(found, x, planes));
        return found.count();
    }

    /// Bound points of a proposal to where its frames are.
    void follow_frames(std::vector<Vec3>& x) const
    {
        const auto nodes = static_cast<std::size_t>(model().node_count());
        for (std::size_t b = 0; b < model().bound.size(); ++b) {
            const auto node = static_cast<std::size_t>(model().frame_node(model().bound[b].frame));
            x[nodes + b] = frame_point(ConstFrameNodes(&x[node], 4), model().bound[b].X);
        }
    }

    /// Moves a frame of a proposal by `way` and turns it by `turn` [rad], made rigid first.
    void move_frame(std::vector<Vec3>& x, std::int32_t frame, const Vec3& way, const Vec3& turn) const
    {
        const auto node = static_cast<std::size_t>(model().frame_node(frame));
        std::array<Vec3, 4> unused{};
        make_rigid(FrameNodes(&x[node], 4), unused);
        x[node] += way;
        if (turn == Vec3{}) return;
        const Mat3 rotation = rotation_matrix(turn, norm(turn));
        for (std::size_t k = 1; k < 4; ++k) x[node + k] = rotation * x[node + k];
    }

private:
    World world_;
    AuditSurfaces surfaces_;
    std::unique_ptr<IntersectionSearch> judge_;
    std::unique_ptr<BarrierContacts> contacts_;
};

// ---- texts of scenes -------------------------------------------------------------------------------------------------

inline std::string scene_of(const std::string& bodies, const std::string& colliders = "")
{
    return fmt::format(
        R"({{ "world": {{ "gravity": [0, 0, 0] }}, "solver": {{ "kind": "implicit_euler", "step": 0.01 }},
        "contact": {{ "response": "barrier" }}, "bodies": {{ {} }}, "colliders": {{ {} }} }})",
        bodies, colliders);
}

inline std::string sheet(const std::string& name, const std::string& mesh, const Vec3& at_place, double friction = 0)
{
    return fmt::format(
        R"("{}": {{ "kind": "cloth", "mesh": {}, "position": [{}, {}, {}], "thickness": 0.02, "friction": {},
        "cloth": {{ "density": 0.2, "stretch": 500, "bend": 1e-5 }} }})",
        name, mesh, at_place.x, at_place.y, at_place.z, friction);
}

inline std::string grid_mesh(int n, double size)
{
    return fmt::format(R"({{ "grid": [{}, {}], "size": [{}, {}] }})", n, n, size, size);
}

// One triangle, so that its corners are few enough to place by hand.
inline std::string triangle_mesh(const Vec3& a, const Vec3& b, const Vec3& c)
{
    return fmt::format(R"({{ "vertices": [[{}, {}, {}], [{}, {}, {}], [{}, {}, {}]], "triangles": [[0, 1, 2]] }})", a.x,
                       a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z);
}

inline std::string box_body(const std::string& name, const Vec3& at_place, double friction = 0)
{
    return fmt::format(R"("{}": {{ "kind": "rigid", "box": [0.1, 0.06, 0.08], "position": [{}, {}, {}], "mass": 1,
        "thickness": 0.02, "friction": {} }})",
                       name, at_place.x, at_place.y, at_place.z, friction);
}

}  // namespace pliant::test
