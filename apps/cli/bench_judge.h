// SPDX-License-Identifier: MIT
#pragma once

// Looks at what deforms after every frame, whoever moved it there: what cuts what by the audit, and how far it is inside round
// spheres, whatever facets stand for them. Shares no geometry with what it judges. Units: positions [m].

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/audit/intersections.h>
#include <pliant/world/world.h>

namespace pliant::cli {

class ContactJudge {
public:
    explicit ContactJudge(const World& world);
    ContactJudge(const ContactJudge&) = delete;
    ContactJudge& operator=(const ContactJudge&) = delete;

    /// After a frame of this program.
    void look(const State& state);
    /// After a frame of another engine: where the free vertices are, everything else as it was.
    void look(std::span<const Vec3> free);

    bool is_finite() const { return is_finite_; }
    std::int64_t intersections() const { return intersections_; }  ///< of all frames
    std::int64_t most_intersections() const { return most_; }      ///< in one frame
    int frames_cut() const { return frames_cut_; }
    bool has_sphere() const { return !spheres_.empty(); }
    /// [m] of a point of a triangle inside a round sphere, 0 where all is outside; the most of all frames.
    double deepest() const { return deepest_; }
    /// [1] Mean of what edges are longer or shorter than at the start.
    double strain() const;

    Vec3 centre() const;    ///< [m] of the first sphere
    double radius() const;  ///< [m]
    std::span<const Vec3> free_of(const State& state) const { return std::span(state.x).first(free_); }

private:
    struct Sphere {
        std::int32_t node;
        double radius;
    };
    struct Plane {
        std::int32_t body, node;
    };

    void look_at_positions();
    double length(const Edge& edge) const { return norm(x_[edge[0]] - x_[edge[1]]); }

    AuditSurfaces surfaces_;
    IntersectionSearch search_;
    Intersections found_;
    std::vector<Plane> plane_nodes_;
    std::vector<AuditPlane> planes_;
    std::vector<Sphere> spheres_;
    std::vector<Triangle> faces_;  // of what deforms
    std::vector<Edge> edges_;      // of what deforms
    std::vector<double> lengths_;  // #edges [m] at the start
    std::vector<Vec3> x_;          // #points
    std::size_t free_ = 0;
    double deepest_ = 0;
    std::int64_t intersections_ = 0, most_ = 0;
    int frames_cut_ = 0;
    bool is_finite_ = true;
};

}  // namespace pliant::cli
