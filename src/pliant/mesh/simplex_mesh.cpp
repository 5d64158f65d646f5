// SPDX-License-Identifier: MIT

// Edges, faces, duals, normals and rings of simplex meshes.

#include <pliant/mesh/simplex_mesh.h>

#include <algorithm>

#include <fmt/format.h>

#include <pliant/mesh/measure.h>

namespace pliant {

namespace {

std::size_t at(std::int32_t index)
{
    return static_cast<std::size_t>(index);
}

/// The half-edge after this one along the face on its left.
std::int32_t next_along_face(const SimplexMesh& mesh, std::int32_t half_edge)
{
    const std::int32_t from = half_edge / 3;
    const std::int32_t to = mesh.neighbours[at(from)][at(half_edge % 3)];
    return 3 * to + static_cast<std::int32_t>((slot_of(mesh, to, from) + 2) % 3);
}

/// Calls visit(face, half-edge) along every face, one face after another; gives their number.
template <class Visit>
std::int32_t walk_faces(const SimplexMesh& mesh, const Visit& visit)
{
    std::vector<bool> walked(3 * mesh.neighbours.size(), false);
    std::int32_t face = 0;
    for (std::size_t start = 0; start < walked.size(); ++start) {
        if (walked[start]) continue;
        for (std::size_t h = start; !walked[h];) {
            walked[h] = true;
            visit(face, static_cast<std::int32_t>(h));
            h = at(next_along_face(mesh, static_cast<std::int32_t>(h)));
            PLIANT_ASSERT(h == start || !walked[h], "neighbours in a simplex mesh differ");
        }
        ++face;
    }
    return face;
}

std::string polygon_name(std::size_t corners, std::size_t count)
{
    constexpr const char* kNames[] = {"triangle", "quadrilateral", "pentagon", "hexagon",
                                      "heptagon", "octagon",       "nonagon",  "decagon"};
    const std::string name = corners - 3 < std::size(kNames) ? kNames[corners - 3] : fmt::format("{}-gon", corners);
    return fmt::format("{} {}{}", count, name, count == 1 ? "" : "s");
}

[[noreturn]] void refuse_dual(const TriMesh& surface)
{
    const ClosednessReport report = closedness(surface.triangles, surface.vertices.size());
    throw Error(Problem{.message = "only a closed, manifold, oriented surface has a dual; found " + to_text(report),
                        .cure = "pliant mesh quality FILE says more; convert --weld closes seams"});
}

void require_single_edges(const SimplexMesh& mesh)
{
    for (std::size_t t = 0; t < mesh.neighbours.size(); ++t) {
        const auto [a, b, c] = mesh.neighbours[t];
        if (a != b && b != c && c != a) continue;
        throw Error(
            Problem{.message = fmt::format("triangles {} and {} share two edges; neighbours in a simplex mesh differ",
                                           t, a == b ? a : c),
                    .cure = "refine the surface there"});
    }
}

/// Has the vertex one fan of triangles each? In a closed surface, its dual has then one face for each.
bool has_one_fan_per_vertex(const TriMesh& surface, const SimplexMesh& mesh)
{
    std::vector<bool> used(surface.vertices.size(), false);
    for (const Triangle& triangle : surface.triangles)
        for (const std::int32_t v : triangle) used[at(v)] = true;
    return walk_faces(mesh, [](std::int32_t, std::int32_t) {}) == std::count(used.begin(), used.end(), true);
}

/// Rings around a seed, for any way of asking who is next to a vertex.
template <class NeighboursOf>
std::vector<std::int32_t> gathered_rings(std::int32_t seed, int n, const NeighboursOf& neighbours_of)
{
    PLIANT_ASSERT(n >= 0, "the number of rings is not negative");
    std::vector<std::int32_t> found = {seed}, previous, ring = {seed}, reached, next;
    for (int k = 0; k < n && !ring.empty(); ++k) {
        reached.clear();
        next.clear();
        for (const std::int32_t v : ring)
            for (const std::int32_t u : neighbours_of(v)) reached.push_back(u);
        // What lies next to a ring is in the ring before it, in the ring itself, or new.
        std::sort(reached.begin(), reached.end());
        reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
        std::copy_if(reached.begin(), reached.end(), std::back_inserter(next), [&](std::int32_t v) {
            return !std::binary_search(ring.begin(), ring.end(), v) &&
                   !std::binary_search(previous.begin(), previous.end(), v);
        });
        found.insert(found.end(), next.begin(), next.end());
        previous.swap(ring);
        ring.swap(next);
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

std::vector<Edge> edges_of(const SimplexMesh& mesh)
{
    std::vector<Edge> edges;
    edges.reserve(mesh.neighbours.size() * 3 / 2);
    for (std::size_t v = 0; v < mesh.neighbours.size(); ++v) {
        std::array<std::int32_t, 3> row = mesh.neighbours[v];
        std::sort(row.begin(), row.end());
        for (const std::int32_t u : row)
            if (at(u) > v) edges.push_back({static_cast<std::int32_t>(v), u});
    }
    return edges;
}

IndexRows faces_of(const SimplexMesh& mesh)
{
    IndexRows faces;
    faces.items.reserve(3 * mesh.neighbours.size());
    walk_faces(mesh, [&](std::int32_t face, std::int32_t half_edge) {
        if (at(face) == faces.offsets.size()) faces.offsets.push_back(static_cast<std::int32_t>(faces.items.size()));
        faces.items.push_back(half_edge / 3);
    });
    faces.offsets.push_back(static_cast<std::int32_t>(faces.items.size()));
    return faces;
}

std::string to_text(const SimplexMesh& mesh)
{
    const IndexRows faces = faces_of(mesh);
    std::vector<std::size_t> count_of;  // by number of corners
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const std::size_t corners = faces[f].size();
        if (corners >= count_of.size()) count_of.resize(corners + 1, 0);
        ++count_of[corners];
    }
    std::vector<std::size_t> sizes;
    for (std::size_t corners = 0; corners < count_of.size(); ++corners)
        if (count_of[corners] > 0) sizes.push_back(corners);
    std::stable_sort(sizes.begin(), sizes.end(),
                     [&](std::size_t a, std::size_t b) { return count_of[a] < count_of[b]; });
    std::string polygons;
    for (const std::size_t corners : sizes)
        polygons += (polygons.empty() ? "" : ", ") + polygon_name(corners, count_of[corners]);
    return fmt::format("{} vertices, {} edges, {} faces ({})", mesh.vertices.size(), mesh.neighbours.size() * 3 / 2,
                       faces.size(), polygons);
}

SimplexMesh dual(const TriMesh& surface)
{
    if (surface.triangles.empty())
        throw Error(Problem{.message = "only a closed surface has a dual; found no triangles",
                            .cure = "pliant mesh make icosphere 3 -o ball.obj makes one"});
    const HalfEdges half = half_edges(surface.triangles, surface.vertices.size());
    if (std::find(half.twin.begin(), half.twin.end(), -1) != half.twin.end()) refuse_dual(surface);
    SimplexMesh mesh;
    mesh.vertices.reserve(surface.triangles.size());
    mesh.neighbours.reserve(surface.triangles.size());
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        const auto [a, b, c] = surface.triangles[t];
        mesh.vertices.push_back((surface.vertices[at(a)] + surface.vertices[at(b)] + surface.vertices[at(c)]) / 3.0);
        const auto across = [&](std::size_t corner) { return HalfEdges::triangle(half.twin[3 * t + corner]); };
        mesh.neighbours.push_back({across(0), across(1), across(2)});
    }
    require_single_edges(mesh);
    if (!has_one_fan_per_vertex(surface, mesh)) refuse_dual(surface);
    return mesh;
}

TriMesh triangulation_of(const SimplexMesh& mesh)
{
    TriMesh surface;
    std::vector<std::int32_t> corners;  // of each face
    surface.triangles.resize(mesh.vertices.size());
    walk_faces(mesh, [&](std::int32_t face, std::int32_t half_edge) {
        if (at(face) == corners.size()) surface.vertices.emplace_back(), corners.push_back(0);
        surface.vertices[at(face)] += mesh.vertices[at(half_edge / 3)];
        ++corners[at(face)];
        // So turned that half-edge 3v+k of the triangles crosses half-edge 3v+k of the simplex mesh.
        surface.triangles[at(half_edge / 3)][at((half_edge + 1) % 3)] = face;
    });
    for (std::size_t f = 0; f < corners.size(); ++f) surface.vertices[f] *= 1.0 / corners[f];
    return surface;
}

std::vector<Vec3> vertex_normals(const SimplexMesh& mesh)
{
    std::vector<Vec3> normals;
    normals.reserve(mesh.vertices.size());
    for (const auto& [a, b, c] : mesh.neighbours) {
        const Vec3 normal = area_vector(mesh.vertices[at(a)], mesh.vertices[at(b)], mesh.vertices[at(c)]);
        const double length = norm(normal);
        normals.push_back(length > 0 ? normal / length : Vec3{});
    }
    return normals;
}

std::vector<std::int32_t> rings(const IndexRows& neighbours, std::int32_t seed, int n)
{
    PLIANT_ASSERT(seed >= 0 && at(seed) < neighbours.size(), "the seed is a vertex of the mesh");
    return gathered_rings(seed, n, [&](std::int32_t v) { return neighbours[at(v)]; });
}

std::vector<std::int32_t> rings(const SimplexMesh& mesh, std::int32_t seed, int n)
{
    PLIANT_ASSERT(seed >= 0 && at(seed) < mesh.neighbours.size(), "the seed is a vertex of the mesh");
    return gathered_rings(seed, n, [&](std::int32_t v) { return std::span(mesh.neighbours[at(v)]); });
}

}  // namespace pliant
