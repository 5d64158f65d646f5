// SPDX-License-Identifier: MIT

// The part of each lattice tetrahedron that lies inside, cut by stencils that agree on shared faces.
//
//   corners inside, on, outside    what is left
//   any     any  0                 the tetrahedron as it is, unless no corner is inside
//   1       .    .                 one tetrahedron to the cuts
//   2       1    1                 a pyramid over a square: two
//   2       0    2                 a prism: three
//   3       0    1                 a prism: three
//
// A square left on a face (corners a, b inside, c outside) is halved by a rule that knows that face only: see
// diagonal_from.

#include <pliant/mesh/lattice_stuffing.h>

#include <algorithm>
#include <limits>

#include <pliant/base/error.h>
#include <pliant/mesh/tet_quality.h>

namespace pliant {

namespace {

// Shares of an edge: the pair with the best smallest angle in a search over random sides and cuts. 2e7 tetrahedra had
// angles of 10.783 to 164.741 degrees; the paper states 10.7 and 164.8 for its own pair.
constexpr double kSnapLong = 0.28512;
constexpr double kSnapShort = 0.3988;

/// Where lattice points went and on which side they are since.
struct SnappedPoints {
    std::vector<std::int8_t> side;       // #lattice points
    std::vector<std::int32_t> onto_cut;  // #lattice points: -1 where it was not moved
    std::size_t count = 0;
};

/// The nearest cut that is too close to the point, or -1.
std::int32_t violating_cut(const BccLattice& lattice, const LatticeCuts& cuts, const SnappedPoints& points,
                           std::int32_t point)
{
    const std::int8_t own_side = points.side[static_cast<std::size_t>(point)];
    const LatticePoint p = lattice.point(point);
    const Vec3 x = lattice.position(p);
    double nearest = std::numeric_limits<double>::infinity();
    std::int32_t found = -1;
    lattice.for_each_neighbour(p, [&](const LatticePoint& q) {
        const std::int32_t other = lattice.index(q);
        if (points.side[static_cast<std::size_t>(other)] != -own_side) return;
        const std::int32_t cut = own_side > 0 ? cuts.cut_between(point, other) : cuts.cut_between(other, point);
        const double distance = norm(cuts.cuts[static_cast<std::size_t>(cut)].point - x);
        const double alpha = BccLattice::is_long_edge(p, q) ? kSnapLong : kSnapShort;
        if (distance < alpha * norm(lattice.position(q) - x) && distance < nearest) nearest = distance, found = cut;
    });
    return found;
}

SnappedPoints snap(const BccLattice& lattice, const LatticeCuts& cuts)
{
    SnappedPoints points{cuts.side, std::vector<std::int32_t>(lattice.size(), -1)};
    // One after the other: a point that has moved takes the cuts of its edges from its neighbours.
    for (std::size_t p = 0; p < lattice.size(); ++p) {
        if (points.side[p] == 0) continue;
        const std::int32_t cut = violating_cut(lattice, cuts, points, static_cast<std::int32_t>(p));
        if (cut < 0) continue;
        points.side[p] = 0;
        points.onto_cut[p] = cut;
        ++points.count;
    }
    return points;
}

struct TetCorner {
    LatticePoint point;
    std::int32_t index;
    std::int8_t side;
};

/// Does the diagonal of the square left of face a b c, c outside, run from a to the cut of b c (or from b to the
/// cut of a c)? Where a b is long both ways are mirror images, and the one with an even number of coordinates
/// above those of c is taken; neighbours then never close a cycle round a prism. Otherwise the diagonal ends in
/// the cut of the long edge.
bool diagonal_from(const TetCorner& a, const TetCorner& b, const TetCorner& c)
{
    if (!BccLattice::is_long_edge(a.point, b.point)) return BccLattice::is_long_edge(b.point, c.point);
    int above = 0;
    for (std::size_t k = 0; k < 3; ++k) above += a.point[k] > c.point[k] ? 1 : 0;
    return above % 2 == 0;
}

class Stuffer {
public:
    Stuffer(const BccLattice& lattice, const LatticeCuts& cuts, const SnappedPoints& points)
        : lattice_(lattice)
        , cuts_(cuts)
        , points_(points)
        , vertex_of_point_(lattice.size(), -1)
        , vertex_of_cut_(cuts.cuts.size(), -1)
    {
        lattice.for_each_tet([&](const auto&... corners) {
            const auto corner = [&](const LatticePoint& p) {
                const std::int32_t index = lattice.index(p);
                return TetCorner{p, index, points_.side[static_cast<std::size_t>(index)]};
            };
            fill({corner(corners)...});
        });
    }

    TetMesh take() { return std::move(mesh_); }

private:
    void fill(std::array<TetCorner, 4> corners)
    {
        // Inside first, then on the surface, then outside; the sides decide the stencil.
        std::stable_sort(corners.begin(), corners.end(),
                         [](const TetCorner& p, const TetCorner& q) { return p.side > q.side; });
        const auto count = [&](int side) {
            return std::count_if(corners.begin(), corners.end(), [&](const TetCorner& c) { return c.side == side; });
        };
        const auto inside = count(1), outside = count(-1);
        const auto& [a, b, c, d] = corners;
        if (inside == 0) return;
        if (outside == 0)
            add({at(a), at(b), at(c), at(d)});
        else if (inside == 1)
            add({at(a), towards(a, b), towards(a, c), towards(a, d)});
        else if (inside == 2 && outside == 1)
            add_pyramid(a, b, c, d);
        else if (inside == 2)
            add_wedge(a, b, c, d);
        else
            add_truncated(a, b, c, d);
    }

    /// a, b inside, apex on the surface, d outside.
    void add_pyramid(const TetCorner& a, const TetCorner& b, const TetCorner& apex, const TetCorner& d)
    {
        const bool from_a = diagonal_from(a, b, d);
        const std::int32_t near_a = towards(a, d), near_b = towards(b, d);
        add({at(a), at(b), from_a ? near_b : near_a, at(apex)});
        add({from_a ? at(a) : at(b), near_a, near_b, at(apex)});
    }

    /// a, b inside, c, d outside: a prism with ends at a and at b. Both rules give the squares on faces a b c and
    /// a b d opposite diagonals, which leaves one choice for the square on the surface.
    void add_wedge(const TetCorner& a, const TetCorner& b, const TetCorner& c, const TetCorner& d)
    {
        const bool from_a = diagonal_from(a, b, c);
        PLIANT_ASSERT(from_a != diagonal_from(a, b, d), "the diagonals of a wedge are opposite");
        const std::array from{at(a), towards(a, c), towards(a, d)}, to{at(b), towards(b, c), towards(b, d)};
        add_prism(from, to, from_a ? std::array<std::size_t, 3>{2, 0, 1} : std::array<std::size_t, 3>{1, 0, 2});
    }

    /// a, b, c inside, d outside.
    void add_truncated(const TetCorner& a, const TetCorner& b, const TetCorner& c, const TetCorner& d)
    {
        const std::array<const TetCorner*, 3> corners{&a, &b, &c};
        std::array<std::size_t, 3> order{0, 1, 2};
        std::sort(order.begin(), order.end(),
                  [&](std::size_t i, std::size_t j) { return i != j && diagonal_from(*corners[i], *corners[j], d); });
        add_prism({at(a), at(b), at(c)}, {towards(a, d), towards(b, d), towards(c, d)}, order);
    }

    /// Each side's diagonal leaves `from` at the column that comes earlier in `order`.
    void add_prism(const std::array<std::int32_t, 3>& from, const std::array<std::int32_t, 3>& to,
                   const std::array<std::size_t, 3>& order)
    {
        const auto [x, y, z] = order;
        add({from[x], from[y], from[z], to[z]});
        add({from[x], from[y], to[y], to[z]});
        add({from[x], to[x], to[y], to[z]});
    }

    void add(Tet tet)
    {
        const auto x = [&](std::size_t c) { return mesh_.vertices[static_cast<std::size_t>(tet[c])]; };
        if (tet_volume(x(0), x(1), x(2), x(3)) < 0) std::swap(tet[2], tet[3]);
        mesh_.tets.push_back(tet);
    }

    std::int32_t at(const TetCorner& corner)
    {
        const auto point = static_cast<std::size_t>(corner.index);
        return number(vertex_of_point_[point], [&] {
            const std::int32_t cut = points_.onto_cut[point];
            return cut >= 0 ? cut_point(cut) : lattice_.position(corner.point);
        });
    }

    /// The end on the surface of the edge from an inside corner: the other corner, or the cut before it.
    std::int32_t towards(const TetCorner& inside, const TetCorner& other)
    {
        if (other.side == 0) return at(other);
        const std::int32_t cut = cuts_.cut_between(inside.index, other.index);
        return number(vertex_of_cut_[static_cast<std::size_t>(cut)], [&] { return cut_point(cut); });
    }

    /// Vertices are numbered as they are first used, so that neighbours in space get neighbouring numbers.
    template <class Position>
    std::int32_t number(std::int32_t& slot, const Position& position)
    {
        if (slot >= 0) return slot;
        slot = static_cast<std::int32_t>(mesh_.vertices.size());
        mesh_.vertices.push_back(position());
        return slot;
    }

    const Vec3& cut_point(std::int32_t cut) const { return cuts_.cuts[static_cast<std::size_t>(cut)].point; }

    const BccLattice& lattice_;
    const LatticeCuts& cuts_;
    const SnappedPoints& points_;
    std::vector<std::int32_t> vertex_of_point_;
    std::vector<std::int32_t> vertex_of_cut_;
    TetMesh mesh_;
};

}  // namespace

Stuffing stuff(const BccLattice& lattice, const LatticeCuts& cuts)
{
    const SnappedPoints points = snap(lattice, cuts);
    return {Stuffer(lattice, cuts, points).take(), points.count};
}

}  // namespace pliant
