// SPDX-License-Identifier: MIT
#pragma once

// The body-centred cubic lattice: numbers, places, neighbours and tetrahedra.
//
// Points have three whole coordinates counted in half cells, all even (corners of cells) or all odd (their
// middles). Each has six long edges (two steps along an axis, length a) and eight short ones (one step along each
// axis, length a sqrt(3)/2). Two neighbouring middles and two neighbouring corners between them form a
// tetrahedron; all are alike. Symbols: a spacing [m].

#include <array>
#include <cstdint>

#include <pliant/base/types.h>

namespace pliant {

using LatticePoint = std::array<int, 3>;

class BccLattice {
public:
    BccLattice(const Vec3& origin, double spacing, const std::array<int, 3>& cells)
        : origin_(origin)
        , half_(spacing / 2)
        , cells_(cells)
        , corner_count_((cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1))
    {
    }

    double spacing() const { return 2 * half_; }
    const std::array<int, 3>& cells() const { return cells_; }
    std::size_t size() const
    {
        const std::int32_t middles = cells_[0] * cells_[1] * cells_[2];
        return static_cast<std::size_t>(corner_count_) + static_cast<std::size_t>(middles);
    }

    /// Corners first, then middles; along x first, then y, then z.
    std::int32_t index(const LatticePoint& p) const
    {
        const int odd = p[0] & 1;
        const int nx = cells_[0] + 1 - odd, ny = cells_[1] + 1 - odd;
        return odd * corner_count_ + p[0] / 2 + nx * (p[1] / 2 + ny * (p[2] / 2));
    }

    LatticePoint point(std::int32_t index) const
    {
        const int odd = index >= corner_count_ ? 1 : 0;
        const int nx = cells_[0] + 1 - odd, ny = cells_[1] + 1 - odd, rest = index - odd * corner_count_;
        return {2 * (rest % nx) + odd, 2 * (rest / nx % ny) + odd, 2 * (rest / nx / ny) + odd};
    }

    bool contains(const LatticePoint& p) const
    {
        for (std::size_t k = 0; k < 3; ++k)
            if (p[k] < 0 || p[k] > 2 * cells_[k]) return false;
        return true;
    }

    Vec3 position(const LatticePoint& p) const
    {
        return {origin_.x + half_ * p[0], origin_.y + half_ * p[1], origin_.z + half_ * p[2]};
    }
    Vec3 position(std::int32_t index) const { return position(point(index)); }

    static bool is_long_edge(const LatticePoint& p, const LatticePoint& q) { return ((p[0] ^ q[0]) & 1) == 0; }

    /// visit(neighbour) for the fourteen neighbours that the lattice contains, always in the same order.
    template <class Visit>
    void for_each_neighbour(const LatticePoint& p, const Visit& visit) const
    {
        const auto try_step = [&](int x, int y, int z) {
            const LatticePoint q{p[0] + x, p[1] + y, p[2] + z};
            if (contains(q)) visit(q);
        };
        for (const int sign : {-2, 2}) try_step(sign, 0, 0), try_step(0, sign, 0), try_step(0, 0, sign);
        for (const int z : {-1, 1})
            for (const int y : {-1, 1})
                for (const int x : {-1, 1}) try_step(x, y, z);
    }

    /// visit(middle, next middle, corner, next corner) for every tetrahedron.
    template <class Visit>
    void for_each_tet(const Visit& visit) const
    {
        for (int k = 1; k < 2 * cells_[2]; k += 2)
            for (int j = 1; j < 2 * cells_[1]; j += 2)
                for (int i = 1; i < 2 * cells_[0]; i += 2)
                    for (std::size_t axis = 0; axis < 3; ++axis) visit_around({i, j, k}, axis, visit);
    }

private:
    template <class Visit>
    void visit_around(const LatticePoint& middle, std::size_t axis, const Visit& visit) const
    {
        LatticePoint next = middle, corner = middle;
        next[axis] += 2;
        if (next[axis] > 2 * cells_[axis]) return;
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        corner[axis] += 1, corner[u] -= 1, corner[v] -= 1;
        for (int side = 0; side < 4; ++side) {
            LatticePoint next_corner = corner;
            next_corner[side % 2 == 0 ? u : v] += side < 2 ? 2 : -2;
            visit(middle, next, corner, next_corner);
            corner = next_corner;
        }
    }

    Vec3 origin_;
    double half_;
    std::array<int, 3> cells_;
    int corner_count_;
};

}  // namespace pliant
