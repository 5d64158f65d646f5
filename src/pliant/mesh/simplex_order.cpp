// SPDX-License-Identifier: MIT

// Ordering the neighbours of a simplex mesh from its graph and positions alone.
//
// Each vertex has two possible orders. Across an edge i-j the others' positions tell whether two orders
// fit: seen along the edge, i has neighbours on its left and right, and so has j; the two on the left
// belong to one face and point about the same way, as do the two on the right. That needs no outward
// direction, so it works on the inner side of a torus, where centre-to-vertex vectors (seeds/004,
// procedure 1) fail. The clearest edges are walked first (Prim's spanning tree, n log n), so that a
// spot where positions tell little is reached from where they tell more.

#include <pliant/mesh/simplex_mesh.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include <pliant/mesh/measure.h>

namespace pliant {

namespace {

constexpr double kDecided = 1e-9;  // a cosine smaller than this tells nothing
constexpr double kClear = 0.5;     // one beyond -kClear is no accident of a rough surface

std::size_t at(std::int32_t index)
{
    return static_cast<std::size_t>(index);
}

/// Unit vector from `from` to `to` seen along `axis`; zero when it points along the axis.
Vec3 seen_along(const Vec3& axis, const Vec3& from, const Vec3& to)
{
    const Vec3 arrow = to - from;
    const Vec3 across = arrow - axis * (dot(arrow, axis) / norm2(axis));
    const double length = norm(across);
    return length > 0 ? across / length : Vec3{};
}

/// From right to left as one end of the edge sees it, looking along the axis.
Vec3 right_to_left(const SimplexMesh& mesh, const Vec3& axis, std::int32_t v, std::int32_t left, std::int32_t right)
{
    const std::vector<Vec3>& x = mesh.vertices;
    return seen_along(axis, x[at(v)], x[at(left)]) - seen_along(axis, x[at(v)], x[at(right)]);
}

/// Cosine between what both ends of a half-edge take for left: 1 their orders agree, -1 they oppose
/// each other, 0 the positions do not tell.
double agreement(const SimplexMesh& mesh, std::int32_t half_edge)
{
    const std::int32_t i = half_edge / 3;
    const auto slot = at(half_edge % 3);
    const auto& of_i = mesh.neighbours[at(i)];
    const std::int32_t j = of_i[slot];
    const std::size_t back = slot_of(mesh, j, i);
    const auto& of_j = mesh.neighbours[at(j)];
    const Vec3 axis = mesh.vertices[at(j)] - mesh.vertices[at(i)];
    if (!(norm2(axis) > 0)) return 0;
    const Vec3 a = right_to_left(mesh, axis, i, of_i[(slot + 1) % 3], of_i[(slot + 2) % 3]);
    const Vec3 b = right_to_left(mesh, axis, j, of_j[(back + 2) % 3], of_j[(back + 1) % 3]);
    const double lengths = std::sqrt(norm2(a) * norm2(b));
    return lengths > 0 ? dot(a, b) / lengths : 0;
}

/// Do both ends of a half-edge, and the normals of both, say that one is ordered the wrong way round? A
/// mirror halfway along the edge carries one normal to the other wherever the surface is round or folded.
bool is_contradiction(const SimplexMesh& mesh, const std::vector<Vec3>& normals, std::int32_t half_edge)
{
    if (!(agreement(mesh, half_edge) < -kClear)) return false;
    const std::int32_t i = half_edge / 3, j = mesh.neighbours[at(i)][at(half_edge % 3)];
    const Vec3 along = normalized(mesh.vertices[at(j)] - mesh.vertices[at(i)]);
    const Vec3 mirrored = normals[at(i)] - along * (2 * dot(normals[at(i)], along));
    return dot(mirrored, normals[at(j)]) < -kClear;
}

void reverse(SimplexMesh& mesh, std::int32_t v)
{
    auto& row = mesh.neighbours[at(v)];
    std::swap(row[1], row[2]);
}

/// Nothing lies beyond the farthest vertex of a piece, so the corner its edges make points outwards.
bool order_farthest(SimplexMesh& mesh, std::int32_t v)
{
    const auto [a, b, c] = mesh.neighbours[at(v)];
    const Vec3& x = mesh.vertices[at(v)];
    const Vec3 to_a = mesh.vertices[at(a)] - x, to_b = mesh.vertices[at(b)] - x, to_c = mesh.vertices[at(c)] - x;
    const double corner = dot(cross(to_a, to_b), to_c);
    if (corner > 0) reverse(mesh, v);
    return std::abs(corner) > 0;
}

/// For each piece, its vertex farthest from the mean of its vertices.
std::vector<std::int32_t> farthest_vertices(const SimplexMesh& mesh)
{
    const Components pieces = connected_components(mesh.vertices.size(), {}, edges_of(mesh));
    std::vector<Vec3> middle(pieces.count);
    std::vector<double> count(pieces.count, 0), distance(pieces.count, -1);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        middle[at(pieces.of_vertex[v])] += mesh.vertices[v];
        ++count[at(pieces.of_vertex[v])];
    }
    std::vector<std::int32_t> farthest(pieces.count, -1);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const std::size_t piece = at(pieces.of_vertex[v]);
        const double d = norm2(mesh.vertices[v] - middle[piece] / count[piece]);
        if (!(d > distance[piece]) && farthest[piece] >= 0) continue;
        distance[piece] = d;
        farthest[piece] = static_cast<std::int32_t>(v);
    }
    return farthest;
}

/// An edge out of the part that is ordered already. Ties go by index, so that every run walks the same way.
struct Candidate {
    double clearness;
    std::int32_t half_edge;
    bool operator<(const Candidate& other) const
    {
        return clearness != other.clearness ? clearness < other.clearness : half_edge > other.half_edge;
    }
};

bool order_piece(SimplexMesh& mesh, std::vector<bool>& ordered, std::int32_t start)
{
    std::priority_queue<Candidate> candidates;
    const auto settle = [&](std::int32_t v) {
        ordered[at(v)] = true;
        for (std::int32_t slot = 0; slot < 3; ++slot)
            if (!ordered[at(mesh.neighbours[at(v)][at(slot)])])
                candidates.push({std::abs(agreement(mesh, 3 * v + slot)), 3 * v + slot});
    };
    if (!order_farthest(mesh, start)) return false;
    settle(start);
    while (!candidates.empty()) {
        const Candidate best = candidates.top();
        candidates.pop();
        const std::int32_t j = mesh.neighbours[at(best.half_edge / 3)][at(best.half_edge % 3)];
        if (ordered[at(j)]) continue;
        if (!(best.clearness > kDecided)) return false;
        if (agreement(mesh, best.half_edge) < 0) reverse(mesh, j);
        settle(j);
    }
    return true;
}

}  // namespace

bool order_neighbours(SimplexMesh& mesh)
{
    std::vector<bool> ordered(mesh.vertices.size(), false);
    for (const std::int32_t start : farthest_vertices(mesh))
        if (!order_piece(mesh, ordered, start)) return false;
    const std::vector<Vec3> normals = vertex_normals(mesh);
    for (std::size_t h = 0; h < 3 * mesh.vertices.size(); ++h)
        if (is_contradiction(mesh, normals, static_cast<std::int32_t>(h))) return false;
    return true;
}

}  // namespace pliant
