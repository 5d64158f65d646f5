// SPDX-License-Identifier: MIT

// Blocks cut in six, in five, or on a body-centred lattice.

#include <pliant/mesh/tet_shapes.h>

#include <algorithm>

#include <pliant/mesh/shape_checks.h>
#include <pliant/mesh/tet_topology.h>

namespace pliant {

namespace {

using Step = std::array<int, 3>;

Step operator+(const Step& a, const Step& b)
{
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

class BlockLattice {
public:
    explicit BlockLattice(const std::array<int, 3>& cells) : cells_(cells) {}

    std::int32_t vertex(const Step& p) const { return p[0] + (cells_[0] + 1) * (p[1] + (cells_[1] + 1) * p[2]); }
    std::int32_t middle(const Step& p) const
    {
        return vertex(cells_) + 1 + p[0] + cells_[0] * (p[1] + cells_[1] * p[2]);
    }

    /// visit(point) for lattice points 0 .. cells - 1 + extra along each axis, x first.
    template <class Visit>
    void for_each(int extra, const Visit& visit) const
    {
        for (int k = 0; k < cells_[2] + extra; ++k)
            for (int j = 0; j < cells_[1] + extra; ++j)
                for (int i = 0; i < cells_[0] + extra; ++i) visit(Step{i, j, k});
    }

private:
    std::array<int, 3> cells_;
};

/// Kuhn's six: from the cell's first corner to its last, adding the axes in each of their orders.
void cut_in_six(TetMesh& mesh, const BlockLattice& lattice, const Step& cell)
{
    std::array<int, 3> order{0, 1, 2};
    do {
        Tet tet;
        Step corner = cell;
        for (std::size_t c = 0; c < 4; ++c) {
            tet[c] = lattice.vertex(corner);
            if (c < 3) ++corner[static_cast<std::size_t>(order[c])];
        }
        // The three steps are the columns of the determinant, so an odd order of the axes makes it negative.
        const bool is_even = (order[1] - order[0]) * (order[2] - order[1]) * (order[2] - order[0]) > 0;
        if (!is_even) std::swap(tet[1], tet[2]);
        mesh.tets.push_back(tet);
    } while (std::next_permutation(order.begin(), order.end()));
}

/// The four corners of one parity form the middle tetrahedron; each other corner is cut off with its neighbours.
void cut_in_five(TetMesh& mesh, const BlockLattice& lattice, const Step& cell)
{
    const int parity = (cell[0] + cell[1] + cell[2]) & 1;
    const auto corner = [&](int i, int j, int k) { return lattice.vertex(cell + Step{i, j, k}); };
    for (int bits = 0; bits < 8; ++bits) {
        const int i = bits & 1, j = bits >> 1 & 1, k = bits >> 2;
        if (((i + j + k) & 1) == parity) continue;
        const Tet tet{corner(i, j, k), corner(1 - i, j, k), corner(i, 1 - j, k), corner(i, j, 1 - k)};
        const bool is_mirrored = ((i + j + k) & 1) != 0;
        mesh.tets.push_back(is_mirrored ? Tet{tet[0], tet[2], tet[1], tet[3]} : tet);
    }
    const std::int32_t first = corner(parity, 0, 0), second = corner(1 - parity, 1, 0);
    const std::int32_t third = corner(1 - parity, 0, 1), fourth = corner(parity, 1, 1);
    mesh.tets.push_back(parity ? Tet{first, second, third, fourth} : Tet{first, second, fourth, third});
}

/// Four corners of the lattice square at `corner` across `axis`, counter-clockwise seen against it.
std::array<std::int32_t, 4> square(const BlockLattice& lattice, Step corner, std::size_t axis)
{
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::array<std::int32_t, 4> corners;
    corners[0] = lattice.vertex(corner), ++corner[u];
    corners[1] = lattice.vertex(corner), ++corner[v];
    corners[2] = lattice.vertex(corner), --corner[u];
    corners[3] = lattice.vertex(corner);
    return corners;
}

void cut_around_middle(TetMesh& mesh, const BlockLattice& lattice, const std::array<int, 3>& cells, const Step& cell)
{
    const std::int32_t middle = lattice.middle(cell);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Step ahead = cell;
        ++ahead[axis];
        const auto behind_square = square(lattice, cell, axis), ahead_square = square(lattice, ahead, axis);
        const bool is_turned = ((cell[0] + cell[1] + cell[2]) & 1) != 0;
        const auto add_pyramid = [&](const std::array<std::int32_t, 4>& q) {
            const std::size_t s = is_turned ? 1 : 0;
            mesh.tets.push_back({q[s], q[s + 1], q[s + 2], middle});
            mesh.tets.push_back({q[s], q[s + 2], q[(s + 3) % 4], middle});
        };
        if (cell[axis] == 0) add_pyramid(behind_square);
        if (ahead[axis] == cells[axis]) {
            const auto& q = ahead_square;
            add_pyramid({q[3], q[2], q[1], q[0]});
            continue;
        }
        const std::int32_t next = lattice.middle(ahead);
        for (std::size_t c = 0; c < 4; ++c)
            mesh.tets.push_back({ahead_square[c], ahead_square[(c + 1) % 4], middle, next});
    }
}

void add_vertices(TetMesh& mesh, const Vec3& size, const std::array<int, 3>& cells, const BlockLattice& lattice,
                  bool with_middles)
{
    lattice.for_each(1, [&](const Step& p) {
        Vec3 x;
        for (int k = 0; k < 3; ++k)
            x[k] = centred(size[k], p[static_cast<std::size_t>(k)], cells[static_cast<std::size_t>(k)] + 1);
        mesh.vertices.push_back(x);
    });
    if (!with_middles) return;
    lattice.for_each(0, [&](const Step& p) {
        Vec3 x;
        for (int k = 0; k < 3; ++k) {
            const auto axis = static_cast<std::size_t>(k);
            x[k] = centred(size[k], 2 * p[axis] + 1, 2 * cells[axis] + 1);
        }
        mesh.vertices.push_back(x);
    });
}

void add_sides(TetMesh& mesh, const std::array<int, 3>& cells, const BlockLattice& lattice)
{
    static constexpr const char* names[3][2] = {{"left", "right"}, {"bottom", "top"}, {"back", "front"}};
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t end = 0; end < 2; ++end) {
            VertexGroup group{names[axis][end], {}};
            const int level = end == 0 ? 0 : cells[axis];
            lattice.for_each(1, [&](const Step& p) {
                if (p[axis] == level) group.vertices.push_back(lattice.vertex(p));
            });
            mesh.groups.push_back(std::move(group));
        }
    mesh.groups.push_back({"surface", boundary_vertices(mesh.tets, mesh.vertices.size())});
}

}  // namespace

TetMesh tet_block(const Vec3& size, const std::array<int, 3>& cells, CellCut pattern)
{
    static constexpr const char* sizes[] = {"width", "height", "depth"};
    double vertex_count = 2;
    for (int k = 0; k < 3; ++k) {
        require_positive("block", sizes[k], size[k]);
        require_at_least("block", "cells along an axis", cells[static_cast<std::size_t>(k)], 1);
        vertex_count *= cells[static_cast<std::size_t>(k)] + 1.0;
    }
    require_vertices("block", vertex_count);
    const BlockLattice lattice(cells);
    TetMesh mesh;
    add_vertices(mesh, size, cells, lattice, pattern == CellCut::bcc);
    lattice.for_each(0, [&](const Step& cell) {
        switch (pattern) {
        case CellCut::six_tets:
            return cut_in_six(mesh, lattice, cell);
        case CellCut::five_tets:
            return cut_in_five(mesh, lattice, cell);
        case CellCut::bcc:
            return cut_around_middle(mesh, lattice, cells, cell);
        }
    });
    add_sides(mesh, cells, lattice);
    return mesh;
}

}  // namespace pliant
