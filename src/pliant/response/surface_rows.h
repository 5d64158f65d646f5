// SPDX-License-Identifier: MIT
#pragma once

// Rows: contacts of surfaces as linear conditions on the end of a step, and the sweeps that solve them.
//
// A row says that the point a of one element must end at least `target` beyond the point b of another along a normal.
// Positions are moved by multipliers that never pull; friction holds back the way along the surface, as far as Coulomb lets it. The
// same rows then turn velocities. A side is up to three free vertices with weights, or a point of a frame; held coordinates and
// held frames are infinite masses. Each change acts on both sides with opposite signs, so momentum is kept to
// rounding (but under thesis_averages, which is why it has that name).
// Symbols: push, drag multipliers of positions [kg m]; lambda, slip impulses [N s]; w inverse masses [1/kg].
// References: seeds/001 3.11..3.13, W-03..W-08; R. Bridson, R. Fedkiw, J. Anderson (2002).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/model/model.h>
#include <pliant/model/state.h>

namespace pliant {

/// A point of a body: free vertices with weights that sum to 1, or X of a frame.
struct RowSide {
    std::int32_t body = -1, frame = -1;
    std::array<std::int32_t, 3> point{-1, -1, -1};
    std::array<double, 3> weight{};
    Vec3 X;  ///< [m] along the axes of the frame
};

struct SurfaceRow {
    std::uint64_t key = 0;                              ///< of the pair, or of a vertex and a plane
    std::array<std::int32_t, 4> point{-1, -1, -1, -1};  ///< of the pair, those of the first element first
    std::array<double, 4> weight{};                     ///< of these, positive
    RowSide a, b;
    Vec3 normal;           ///< unit, from b to a
    double target = 0;     ///< [m] n . (a - b) wanted at the end, at least
    Vec3 rub_from;         ///< [m] a - b from which on friction counts the way
    double friction = 0;   ///< [1]
    double bounce = 0;     ///< [m/s] relative normal speed wanted at the end
    double w = 0;          ///< [1/kg] along the normal
    double push = 0;       ///< [kg m]
    Vec3 drag;             ///< [kg m]
    double lambda = 0;     ///< [N s]
    Vec3 slip;             ///< [N s]
    double start_gap = 0;  ///< [m] at the start of the step
    bool goes_on = false;  ///< it was no impact: the next step may expect the same force
};

class SurfaceRows {
public:
    /// `to` is changed; frames of `to` are taken as they are now for arms and inertias.
    void begin(State& to, const Model& model, const State& from);

    void add(SurfaceRow row);
    void clear() { rows_.clear(); }
    std::span<SurfaceRow> rows() { return rows_; }
    std::size_t size() const { return rows_.size(); }

    /// Moves and turns things as the multipliers and impulses that a row begins with would have.
    void give_expected(const SurfaceRow& row);

    /// One sweep over positions; returns the longest way [m].
    double sweep(ContactOrder order);
    /// One sweep over velocities, where only rows that push, or were expected to, act; returns the largest change [m/s].
    double sweep_velocities();

    /// Moves frames to where sweeps took them, and their points.
    void settle_frames();

    /// Impulses of bodies and pins; returns the energy that friction took [J] and the work that held things did on others.
    struct Work {
        double friction = 0, carried = 0;
    };
    Work book(double h);

    /// Whether friction holds the row.
    static bool sticks(const SurfaceRow& row);

    Vec3 position(std::span<const Vec3> x, const RowSide& side) const;
    /// Where sweeps have taken a side.
    Vec3 current(const RowSide& side) const;
    double inverse_mass(const RowSide& side, const Vec3& n) const;

private:
    struct Change {
        double push = 0;
        Vec3 drag;
    };
    struct Impulse {
        double lambda = 0;
        Vec3 slip;
    };
    Change wanted(const SurfaceRow& row) const;
    Impulse wanted_impulse(const SurfaceRow& row) const;
    double solve_in_turn();
    double solve_at_once(bool averages);
    void count_uses();
    double uses(const RowSide& side) const;
    void displace(const RowSide& side, const Vec3& push, bool averages = false);
    Vec3 velocity(const RowSide& side) const;
    void add_impulse(const RowSide& side, const Vec3& impulse);
    double book_pins(const RowSide& side, const Vec3& impulse);
    bool is_held(const RowSide& side) const;
    Vec3 free_part(const Vec3& a, std::int32_t node) const;
    ConstFrameNodes frame(std::span<const Vec3> values, std::int32_t f) const
    {
        return ConstFrameNodes(&values[model_->frame_node(f)], 4);
    }

    State* to_ = nullptr;
    const Model* model_ = nullptr;
    const State* from_ = nullptr;
    std::vector<SurfaceRow> rows_;
    /// What sweeps have moved a frame by, kept linear: turns in turn would add their products.
    struct FrameWay {
        Mat3 inverse_inertia;  // [1/(kg m^2)]
        Vec3 shift, turn;      // [m], [rad]
    };
    std::vector<FrameWay> frames_;
    std::vector<std::int32_t> use_;  // #nodes: rows that act on a vertex or frame
    std::vector<Change> changes_;    // #rows, of a sweep at once
};

}  // namespace pliant
