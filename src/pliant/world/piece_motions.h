// SPDX-License-Identifier: MIT
#pragma once

// Pieces that touch, and how each moves as a whole: a piece is what elements, radial springs and frames hold together, and
// what touches it. Its rigid motion is the one with its momentum and its angular momentum; what its points do beside that can be
// slowed down without changing either.
// Symbols: x positions [m], v velocities [m/s] of nodes, s a factor on what is beside the rigid motion.

#include <cstdint>
#include <vector>

#include <pliant/model/model.h>
#include <pliant/model/state.h>

namespace pliant {

class PieceMotions {
public:
    /// The model must outlive it.
    explicit PieceMotions(const Model& model);

    /// Pieces of State::touches, and their motions.
    void find(const State& state);

    /// [J] Kinetic energy of what pieces do beside their rigid motion; that of held coordinates does not count.
    double inner_energy(const State& state) const;
    void slow_down(State& state, double s) const;

private:
    static constexpr std::int32_t kNoPiece = -1;
    struct Piece {
        double mass = 0;              ///< [kg]
        Vec3 center, velocity, spin;  ///< [m], [m/s], [1/s]
        Vec3 momentum;                ///< [kg m^2/s] angular, about the centre
        Mat3 inertia;                 ///< [kg m^2] about the centre
    };

    std::int32_t find_root(std::int32_t node);
    void join(std::int32_t a, std::int32_t b);
    void join_run(std::int32_t first, std::int32_t count);
    void join_touch(const Touch& touch, const State& state);
    std::int32_t node_of_point(std::int32_t point) const;
    void number_pieces(const State& state);
    bool is_axis(std::int32_t node) const;
    Vec3 beside(const State& state, std::int32_t node) const;

    const Model& model_;
    std::vector<std::int32_t> start_;  // #nodes: roots of what is held together whatever touches
    std::vector<std::int32_t> root_;   // #nodes: with what touches
    std::vector<std::int32_t> piece_;  // #nodes: or kNoPiece
    std::vector<Piece> pieces_;
};

}  // namespace pliant
