// SPDX-License-Identifier: MIT
#pragma once

// Ways of a step under response barrier, whatever solver proposes them: rigid bodies as unknowns, held things that have to
// arrive, and walks that cross nothing.
//
// A rigid body is a way of its centre and a turn w: its axes go straight to where the rotation takes them, so the paths of
// all points are straight and the limit is the same as for vertices. Its inertia is that of its four nodes,
//   1/2 sum_k m_k |q_k - y_k|^2 / h^2,   y = q + h v,
// backward Euler whatever the rule of the vertices. Rows of vectors: free vertices, then way and turn of each rigid body.
// Reference: Lan et al., Affine body dynamics (2022), for nodes of a frame as unknowns.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/state.h>
#include <pliant/response/barrier.h>

namespace pliant {

/// Translation and rotation of a rigid body in a matrix: [tt tr; tr^T rr].
struct FrameBlock {
    Mat3 tt, tr, rr;
};

class ContactWay {
public:
    /// Puts `to` where the step begins, where nothing crosses. Model and from must outlive the step.
    void begin(State& to, const Model& model, const State& from, double h, BarrierContacts& contacts);

    std::span<const std::uint8_t> held() const { return held_; }  ///< #rows: bits x y z
    bool has_free_frames() const { return has_free_frames_; }
    bool is_carried() const { return is_carried_; }

    /// How far held points still have to go from to.x, #points; the contacts are told.
    std::span<const Vec3> look_ahead(const State& to);
    bool has_arrived(const State& to) const;
    /// The held point that is farthest from where it has to be, as the place of what is in its way.
    Issue stuck_issue(const State& to) const;

    /// Velocities of frames and their points over the step so far.
    void place_velocities(State& to) const;

    /// Rows of the rigid bodies [N], [N m]: inertia, and the forces on their nodes (#points).
    void set_frame_forces(std::span<Vec3> rows, std::span<const Vec3> x, std::span<const Vec3> force) const;
    /// The blocks of their inertia.
    std::span<const FrameBlock> frame_inertia(std::span<const Vec3> x);

    /// Adds the force of a contact to the rows that it acts on.
    void add_row_force(std::span<Vec3> rows, const RowPlace& at, const Vec3& force) const;

    /// Goes from to.x along the direction (all rows), held things as far as they have ahead, until something would cross.
    /// The share of the way, or -1 where it is not finite.
    double walk(State& to, std::span<const Vec3> direction);
    /// Walks where velocities at the start of the step would lead, the first guess of a step; `direction` (all rows) is
    /// written.
    double go_on_as_before(State& to, std::span<Vec3> direction);
    /// Back to a part of the last walk.
    void step_back(State& to, double part);
    double longest() const { return longest_; }  ///< [m] way of a point in the last walk

    /// Walks that were cut short leave axes a little shorter than one: makes them rigid again. False if something is in
    /// the way; true with `moved` where points moved.
    bool make_frames_rigid(State& to, bool& moved);

private:
    std::size_t frame_node(std::size_t f) const;
    std::size_t frame_row(std::size_t f) const { return free_ + 2 * f; }
    void turn_frames(std::span<const Vec3> direction);
    double go(State& to);

    const Model* model_ = nullptr;
    const State* from_ = nullptr;
    BarrierContacts* contacts_ = nullptr;
    double h_ = 0, longest_ = 0;
    std::size_t free_ = 0, frames_ = 0;
    bool has_free_frames_ = false, is_carried_ = false;
    std::vector<std::uint8_t> held_;
    std::vector<Vec3> goal_;      // 4 #frames [m] where inertia alone would take their nodes
    std::vector<Vec3> proposal_;  // #points; after a walk where it began
    std::vector<Vec3> target_;    // #points: where what is held has to arrive
    std::vector<Vec3> ahead_;     // #points
    std::vector<FrameBlock> inertia_;
    std::vector<double> resistance_;  // #free vertices [N/m], of the materials whose hash this is
    std::uint64_t materials_ = 0;
};

}  // namespace pliant
