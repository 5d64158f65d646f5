// SPDX-License-Identifier: MIT
#pragma once

// Gaps between a vertex and a face, and between two edges: when a pair collides in a step, and how deep is inside.
//
// The gaps G are those of the thesis; a collision is the moment when the plane gap G1 changes its sign while the
// other gaps say that the elements meet, coming from outside. They are powers of lengths; what leaves this file is
// in metres and seconds. Written over any scalar: with jets (moving()) a gap brings its rate.
//
//      4                 m2             vertex-face: nodes 1 2 3 counter-clockwise from outside, 4 the vertex
//      |               3--|--4          edge-edge:   nodes 1 2 and 3 4, m1 and m2 a point behind each edge
//      v               1--|--2
//    1 2 3                m1
//
// Symbols: G1 [m^3], other G [m^4] (face) and [m^3] (edge); u = t/h. Corrections of the thesis: W-03 weights of a
// face, W-16 distances instead of volumes and the exact gap instead of a cubic, W-17 points behind edges
// (surface_pairs.h), W-28 the side is that before the collision.
// Reference: seeds/002 sections 3.8 and 3.9, E-78..E-81, E-89.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <pliant/base/jet.h>
#include <pliant/base/types.h>
#include <pliant/contact/gap_roots.h>
#include <pliant/contact/surface_pairs.h>

namespace pliant {

/// A point with its velocity, to be put into gaps: their value and rate come out.
inline Vec3T<Jet<double, 1>> moving(const Vec3& x, const Vec3& v)
{
    return {{x.x, {v.x}}, {x.y, {v.y}}, {x.z, {v.z}}};
}

template <class S>
struct VertexFaceGaps {
    S plane{};                 ///< G1 = n.(p4 - p1), positive outside
    std::array<S, 3> prism{};  ///< G2 G3 G4, negative on the face's side of each border plane
};

template <class S>
VertexFaceGaps<S> vertex_face_gaps(const Vec3T<S>& p1, const Vec3T<S>& p2, const Vec3T<S>& p3, const Vec3T<S>& p4)
{
    const Vec3T<S> n = cross(p2 - p1, p3 - p1);
    return {dot(n, p4 - p1),
            {dot(cross(n, p3 - p2), p2 - p4), dot(cross(n, p1 - p3), p1 - p4), dot(cross(n, p2 - p1), p1 - p4)}};
}

/// False only for a vertex under the face and inside its prism.
bool is_valid(const VertexFaceGaps<double>& gaps);

template <class S>
struct EdgeEdgeGaps {
    S plane{};                    ///< G1 = det of rows (1, p_i) = (e1 x e2).(p1 - p3)
    std::array<S, 4> straddle{};  ///< G2 G3 of nodes 3 4 by the plane 1 2 m1, G4 G5 of nodes 1 2 by 3 4 m2
};

template <class S>
EdgeEdgeGaps<S> edge_edge_gaps(const Vec3T<S>& p1, const Vec3T<S>& p2, const Vec3T<S>& p3, const Vec3T<S>& p4,
                               const Vec3T<S>& m1, const Vec3T<S>& m2)
{
    const Vec3T<S> n1 = cross(p2 - p1, m1 - p1), n2 = cross(p4 - p3, m2 - p3);
    return {dot(cross(p2 - p1, p4 - p3), p1 - p3),
            {dot(n1, p3 - p1), dot(n1, p4 - p1), dot(n2, p1 - p3), dot(n2, p2 - p3)}};
}

/// False only for edges that have crossed into each other's bodies.
bool is_valid(const EdgeEdgeGaps<double>& gaps);

/// Weights of p's foot in the plane of a face; NaN or infinite for a face without area. Corrects W-03.
template <class S>
std::array<S, 3> face_weights(const Vec3T<S>& p, const Vec3T<S>& p1, const Vec3T<S>& p2, const Vec3T<S>& p3)
{
    const Vec3T<S> n = cross(p2 - p1, p3 - p1);
    const S n2 = norm2(n);
    const S w1 = dot(cross(p3 - p2, p - p2), n) / n2, w2 = dot(cross(p1 - p3, p - p3), n) / n2;
    return {w1, w2, 1.0 - w1 - w2};
}

/// Height of a vertex over the plane of a face [m], positive outside: G1 over twice the area.
template <class S>
S vertex_face_distance(const Vec3T<S>& p1, const Vec3T<S>& p2, const Vec3T<S>& p3, const Vec3T<S>& p4)
{
    const Vec3T<S> n = cross(p2 - p1, p3 - p1);
    return dot(n, p4 - p1) / norm(n);
}

/// Distance of the lines through two edges [m] with the sign of G1; NaN for parallel edges.
template <class S>
S edge_edge_distance(const Vec3T<S>& p1, const Vec3T<S>& p2, const Vec3T<S>& p3, const Vec3T<S>& p4)
{
    const Vec3T<S> n = cross(p2 - p1, p4 - p3);
    return dot(n, p1 - p3) / norm(n);
}

/// The plane gap G1 over a step as a polynomial of degree 9 in u, by Bernstein coefficients: it is the triple product
/// of three differences of cubic paths, so this is exact.
struct GapPolynomial {
    std::array<double, kMaxGapDegree + 1> coefficients{};
    double noise = 0;  ///< [m^3] what rounding may make of a zero
};

/// a.(b x c) along three paths.
GapPolynomial triple_product(const PathCurve& a, const PathCurve& b, const PathCurve& c);

/// What roots of the plane gap are looked for in.
///   exact: its polynomial of degree 9. Missed are only sign changes closer than 2^-30 of the step, and touches
///          without crossing or within rounding.
///   cubic: the thesis' cubic with the gap's values and rates at both ends; a root of it is taken only if the true
///          gap changes its sign nearby, where it is then located. Misses what the cubic does not show: crossings in
///          and out within a step, hits of things that turn fast (W-16).
enum class GapModel : std::uint8_t { exact, cubic };

/// A collision. The normal is a unit vector from the second element to the first: the face's outward normal, or
/// orthogonal to both edges. Nodes are those of pair_nodes(); weights sum to 1 on each side (1 + 3, or 2 + 2).
struct PairHit {
    SurfacePair pair;
    double time = 0;  ///< [s] since the step began, in [0, h]
    std::array<std::int32_t, 4> node{};
    std::array<double, 4> weight{};
    Vec3 normal;
    int side = 1;  ///< sign of G1 before the collision; always 1 for vertex-face pairs
};

/// The first collision of a pair in a step: the vertex comes through the face from outside, or the edges meet with
/// their bodies on opposite sides. Elements that already overlap at the start do not collide (E-89); those that touch
/// do if they go on. An element meeting another's border (to 1e-9 of its size) counts, so that nothing slips between
/// two neighbours. Edges parallel to 1e-6 and faces without area never collide. Paths must be finite.
std::optional<PairHit> first_hit(const CollisionSurface& surface, const SurfacePair& pair, const StepMotion& motion,
                                 GapModel model = GapModel::exact);

struct HitCounts {
    std::size_t tests = 0;
    std::size_t hits = 0;
    std::size_t not_finite = 0;  ///< pairs left out because a path was not finite
};

/// First collisions of all candidates, sorted by time, then key. On several threads; the same bits for any number.
HitCounts find_hits(std::vector<PairHit>& hits, const CollisionSurface& surface,
                    std::span<const SurfacePair> candidates, const StepMotion& motion,
                    GapModel model = GapModel::exact);

/// Points sorted into the cells of a grid, about one point a cell.
class PointGrid {
public:
    /// All points must be finite.
    void build(std::span<const Vec3> points);

    /// Calls visit(index) for every point in the box, and for some outside, in a fixed order.
    template <class Visit>
    void visit(const Vec3& lowest, const Vec3& highest, Visit&& visit_point) const
    {
        if (order_.empty()) return;
        const std::array<std::int64_t, 3> from = cell_of(lowest), to = cell_of(highest);
        for (std::int64_t z = from[2]; z <= to[2]; ++z)
            for (std::int64_t y = from[1]; y <= to[1]; ++y) {
                const auto row = static_cast<std::size_t>((z * cells_[1] + y) * cells_[0]);
                const std::int32_t first = start_[row + static_cast<std::size_t>(from[0])];
                const std::int32_t last = start_[row + static_cast<std::size_t>(to[0]) + 1];
                for (std::int32_t k = first; k < last; ++k) visit_point(order_[static_cast<std::size_t>(k)]);
            }
    }

    const Vec3& lowest() const { return lowest_; }
    const Vec3& highest() const { return highest_; }
    double cell_size() const { return size_; }

private:
    void choose_cells(std::span<const Vec3> points);
    /// The cell of a point, or the nearest one of the grid.
    std::array<std::int64_t, 3> cell_of(const Vec3& point) const;

    Vec3 lowest_, highest_;
    double size_ = 1;
    std::array<std::int64_t, 3> cells_{1, 1, 1};
    std::vector<std::int32_t> start_;  // #cells + 1
    std::vector<std::int32_t> order_;  // points by cell
    std::vector<std::size_t> cell_;    // #points
};

/// A surface vertex inside a tetrahedron of another body.
struct Penetration {
    std::int32_t vertex = 0;         ///< place in the surface's list
    std::int32_t body = 0;           ///< it is inside of
    std::int32_t face = 0;           ///< nearest of that body
    std::array<double, 3> weight{};  ///< of the nearest point
    Vec3 point;                      ///< nearest of the face
    double depth = 0;                ///< [m] distance from there
};

/// Which vertices are inside bodies made of tetrahedra, at one instant, whatever happened before. A grid of points
/// makes it near linear. A body is not tested against itself; what has no tetrahedra has no inside.
class PenetrationSearch {
public:
    /// Fills `found` in order of vertex, then body; false, and nothing found, when a position is not finite.
    [[nodiscard]] bool find(std::vector<Penetration>& found, const CollisionSurface& surface, std::span<const Vec3> x);

private:
    void find_inside(std::vector<Penetration>& found, const CollisionSurface& surface, std::span<const Vec3> x);
    void find_inside_tet(std::vector<Penetration>& found, const CollisionSurface& surface, std::size_t tet,
                         std::span<const Vec3> x) const;
    void find_nearest(std::vector<Penetration>& found, const CollisionSurface& surface, std::span<const Vec3> x);

    std::vector<Vec3> points_;
    PointGrid grid_;
    std::vector<std::vector<Penetration>> of_chunk_;
};

/// Largest depth [m]; 0 for none.
double deepest_penetration(std::span<const Penetration> found);

}  // namespace pliant
