// SPDX-License-Identifier: MIT
#include <pliant/audit/edge_face.h>

#include <algorithm>
#include <array>
#include <optional>

#include <pliant/audit/exact_predicates.h>

namespace pliant {

namespace {

// Along an axis: seen so, the points lie in the plane of the two others.
PlanePoint seen_along(int axis, const Vec3& v)
{
    return axis == 0 ? PlanePoint{v.y, v.z} : axis == 1 ? PlanePoint{v.z, v.x} : PlanePoint{v.x, v.y};
}

bool ranges_overlap(double a0, double a1, double b0, double b1)
{
    return std::max(a0, a1) >= std::min(b0, b1) && std::max(b0, b1) >= std::min(a0, a1);
}

bool segments_meet(const PlanePoint& p, const PlanePoint& q, const PlanePoint& a, const PlanePoint& b)
{
    return ranges_overlap(p.x, q.x, a.x, b.x) && ranges_overlap(p.y, q.y, a.y, b.y) &&
           orientation(a, b, p) * orientation(a, b, q) <= 0 && orientation(p, q, a) * orientation(p, q, b) <= 0;
}

// Seen along an axis: does the line p q, or that of a side of the triangle, have the two strictly apart?
// In doubles with their error: a no says nothing.
bool is_surely_apart_along(int axis, const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& corner)
{
    const PlanePoint s = seen_along(axis, p), t = seen_along(axis, q);
    std::array<PlanePoint, 3> c;
    for (std::size_t i = 0; i < 3; ++i) c[i] = seen_along(axis, corner[i]);
    const auto side = [](const PlanePoint& u, const PlanePoint& v, const PlanePoint& w) {
        return certain_orientation(u, v, w).value_or(0);
    };
    const std::array<int, 3> of_corner{side(s, t, c[0]), side(s, t, c[1]), side(s, t, c[2])};
    if (of_corner[0] != 0 && of_corner[0] == of_corner[1] && of_corner[0] == of_corner[2]) return true;
    const int turn = side(c[0], c[1], c[2]);
    if (turn == 0) return false;
    for (std::size_t i = 0; i < 3; ++i) {
        const PlanePoint &u = c[i], &v = c[(i + 1) % 3];
        if (side(u, v, s) == -turn && side(u, v, t) == -turn) return true;
    }
    return false;
}

// Whether p is in the closed triangle; all four lie in one plane. A triangle without area is left to its edges.
bool is_inside(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    for (int axis = 0; axis < 3; ++axis) {
        const PlanePoint u = seen_along(axis, a), v = seen_along(axis, b), w = seen_along(axis, c);
        const int turn = orientation(u, v, w);
        if (turn == 0) continue;
        const PlanePoint s = seen_along(axis, p);
        return orientation(u, v, s) != -turn && orientation(v, w, s) != -turn && orientation(w, u, s) != -turn;
    }
    return false;
}

// Segment and triangle in one plane, or a triangle without area.
bool meet_in_plane(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c)
{
    return edge_meets_edge(p, q, a, b) || edge_meets_edge(p, q, b, c) || edge_meets_edge(p, q, c, a) ||
           is_inside(p, a, b, c);
}

}  // namespace

// Points of one plane meet if and only if they do seen along every axis: along at least one of them nothing of the plane is
// lost, and seen along the others, what meets still meets. The same holds for points of a line.
bool edge_meets_edge(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b)
{
    if (orientation(p, q, a, b) != 0) return false;
    for (int axis = 0; axis < 3; ++axis)
        if (!segments_meet(seen_along(axis, p), seen_along(axis, q), seen_along(axis, a), seen_along(axis, b)))
            return false;
    return true;
}

bool edge_meets_face(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c)
{
    std::optional<int> side_p = certain_orientation(a, b, c, p), side_q = certain_orientation(a, b, c, q);
    if (side_p && side_q && *side_p * *side_q > 0) return false;
    if (side_p.value_or(0) == 0 || side_q.value_or(0) == 0) {
        // Near a plane: most pairs of a flat sheet end here, long before exact numbers.
        for (int axis = 0; axis < 3; ++axis)
            if (is_surely_apart_along(axis, p, q, {a, b, c})) return false;
        if (!side_p) side_p = orientation(a, b, c, p);
        if (!side_q) side_q = orientation(a, b, c, q);
        if (*side_p * *side_q > 0) return false;
        if (*side_p == 0 && *side_q == 0) return meet_in_plane(p, q, a, b, c);
    }
    // The line p q crosses the plane in one point, between p and q: is that point in the triangle?
    const int ab = orientation(p, q, a, b), bc = orientation(p, q, b, c);
    if (ab * bc < 0) return false;
    const int ca = orientation(p, q, c, a);
    return ab * ca >= 0 && bc * ca >= 0;
}

}  // namespace pliant
