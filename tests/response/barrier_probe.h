// SPDX-License-Identifier: MIT
#pragma once

// Response barrier without a solver: worlds built from scene texts, ways proposed by chance, and the independent judge.
//
// Ways are made for nodes, as a solver does: bound points follow their frames, so all of them move straight. Frames turn about
// their centres and their axes go straight to where the turn takes them.

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

}  // namespace pliant::test
