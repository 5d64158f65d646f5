// SPDX-License-Identifier: MIT
#include <pliant/world/piece_motions.h>

#include <algorithm>
#include <numeric>
#include <variant>

#include <pliant/model/held.h>
#include <pliant/model/points.h>
#include <pliant/solver/linear/block_matrix.h>

namespace pliant {

PieceMotions::PieceMotions(const Model& model) : model_(model), root_(static_cast<std::size_t>(model.node_count()))
{
    std::iota(root_.begin(), root_.end(), 0);
    const auto join_elements = [&]<int N>(const Stencils<N>& stencils) {
        for (std::int32_t e = 0; e < stencils.count; ++e)
            for (int i = 1; i < N; ++i) join(node_of(stencils, e, 0), node_of(stencils, e, i));
    };
    for (const Term& term : model.terms)
        std::visit([&](const auto& elements) { join_elements(elements.stencils); }, term);
    for (const Body& body : model.bodies)
        if (body.radial >= 0) join_run(body.first_point, body.point_count);
    for (std::int32_t f = 0; f < model.frame_count; ++f) join_run(model.frame_node(f), 4);
    start_ = root_;
    piece_.resize(root_.size());
    pieces_.reserve(model.bodies.size());
}

std::int32_t PieceMotions::find_root(std::int32_t node)
{
    while (root_[node] != node) node = root_[node] = root_[root_[node]];
    return node;
}

void PieceMotions::join(std::int32_t a, std::int32_t b)
{
    const std::int32_t root_a = find_root(a), root_b = find_root(b);
    root_[std::max(root_a, root_b)] = std::min(root_a, root_b);
}

void PieceMotions::join_run(std::int32_t first, std::int32_t count)
{
    for (std::int32_t i = 1; i < count; ++i) join(first, first + i);
}

std::int32_t PieceMotions::node_of_point(std::int32_t point) const
{
    if (point < model_.node_count()) return point;
    return model_.frame_node(model_.bound[static_cast<std::size_t>(point - model_.node_count())].frame);
}

// What cannot move would join everything on the same ground.
void PieceMotions::join_touch(const Touch& touch, const State& state)
{
    std::int32_t first = kNoPiece;
    for (const std::int32_t point : touch.node) {
        if (point < 0) continue;
        const std::int32_t node = node_of_point(point);
        if (state.held[node] == 7) continue;
        if (first >= 0) join(first, node);
        first = node;
    }
}

void PieceMotions::number_pieces(const State& state)
{
    std::fill(piece_.begin(), piece_.end(), kNoPiece);
    pieces_.clear();
    for (const Touch& touch : state.touches)
        for (const std::int32_t point : touch.node) {
            if (point < 0) continue;
            std::int32_t& number = piece_[find_root(node_of_point(point))];
            if (number >= 0) continue;
            number = static_cast<std::int32_t>(pieces_.size());
            pieces_.emplace_back();
        }
    // A root comes before all other nodes of its piece.
    for (std::size_t i = 0; i < piece_.size(); ++i) piece_[i] = piece_[find_root(static_cast<std::int32_t>(i))];
}

// The vector from a frame's centre only turns.
bool PieceMotions::is_axis(std::int32_t node) const
{
    return node >= model_.free_count && (node - model_.free_count) % 4 != 0;
}

void PieceMotions::find(const State& state)
{
    root_ = start_;
    for (const Touch& touch : state.touches) join_touch(touch, state);
    number_pieces(state);
    for (std::int32_t i = 0; i < model_.node_count(); ++i) {
        if (piece_[i] < 0 || is_axis(i)) continue;
        Piece& p = pieces_[piece_[i]];
        p.mass += model_.mass[i];
        p.center += state.x[i] * model_.mass[i], p.velocity += state.v[i] * model_.mass[i];
    }
    for (Piece& p : pieces_)
        if (p.mass > 0) p.center = p.center / p.mass, p.velocity = p.velocity / p.mass;
    for (std::int32_t i = 0; i < model_.node_count(); ++i) {
        if (piece_[i] < 0) continue;
        Piece& p = pieces_[piece_[i]];
        const Vec3 r = is_axis(i) ? state.x[i] : state.x[i] - p.center;
        const Vec3 v = is_axis(i) ? state.v[i] : state.v[i] - p.velocity;
        p.inertia += (identity3<double>() * norm2(r) + outer(r, r) * -1.0) * model_.mass[i];
        p.momentum += cross(r, v) * model_.mass[i];
    }
    for (Piece& p : pieces_) {
        // What lies on a line has no inertia about it, and no angular momentum either.
        const double size = p.inertia.m[0][0] + p.inertia.m[1][1] + p.inertia.m[2][2];
        if (size > 0) p.spin = inverse(p.inertia + identity3<double>() * (1e-12 * size)) * p.momentum;
    }
}

// Velocity of a node less that of its piece.
Vec3 PieceMotions::beside(const State& state, std::int32_t node) const
{
    const Piece& p = pieces_[piece_[node]];
    const Vec3 rigid =
        is_axis(node) ? cross(p.spin, state.x[node]) : p.velocity + cross(p.spin, state.x[node] - p.center);
    return masked(state.v[node] - rigid, state.held[node]);
}

double PieceMotions::inner_energy(const State& state) const
{
    double energy = 0;
    for (std::int32_t i = 0; i < model_.node_count(); ++i)
        if (piece_[i] >= 0) energy += 0.5 * model_.mass[i] * norm2(beside(state, i));
    return energy;
}

void PieceMotions::slow_down(State& state, double s) const
{
    for (std::int32_t i = 0; i < model_.node_count(); ++i)
        if (piece_[i] >= 0) state.v[i] -= beside(state, i) * (1 - s);
    place_bound_points(state.x, state.v, model_);
}

}  // namespace pliant
