// SPDX-License-Identifier: MIT

// A simplex mesh as a surface with lines, as files keep it, and from such a surface back.

#include <pliant/mesh/simplex_mesh.h>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace pliant {

namespace {

std::size_t at(std::int32_t index)
{
    return static_cast<std::size_t>(index);
}

/// The triangles of a polygon cut in a zigzag from one of its corners. It gives no vertex more than two
/// cuts, where a fan would give one vertex all of them.
template <class Visit>
void for_each_cut(std::span<const std::int32_t> face, std::size_t start, const Visit& visit)
{
    std::size_t low = start, high = start + face.size() - 1;
    const auto corner = [&](std::size_t i) { return face[i < face.size() ? i : i - face.size()]; };
    for (bool left = true; high - low >= 2; left = !left) {
        const std::size_t third = left ? low + 1 : high - 1;
        visit(Triangle{corner(low), corner(third), corner(high)});
        (left ? low : high) = third;
    }
}

/// The corner from which the cuts are shortest; a few are tried, so that large polygons stay cheap.
std::size_t best_start(const SimplexMesh& mesh, std::span<const std::int32_t> face)
{
    constexpr std::size_t kMostTried = 8;
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t start = 0; start < std::min(face.size(), kMostTried); ++start) {
        double sum = 0;  // over the sides of all triangles: the rim, always the same, and each cut twice
        for_each_cut(face, start, [&](const Triangle& t) {
            sum += norm2(mesh.vertices[at(t[1])] - mesh.vertices[at(t[2])]) +
                   norm2(mesh.vertices[at(t[0])] - mesh.vertices[at(t[1])]) +
                   norm2(mesh.vertices[at(t[2])] - mesh.vertices[at(t[0])]);
        });
        if (!(sum < least)) continue;
        least = sum;
        best = start;
    }
    return best;
}

[[noreturn]] void refuse(std::string message, std::string cure)
{
    throw Error(Problem{.message = "no simplex mesh: " + std::move(message), .cure = std::move(cure)});
}

void require_three_lines(const IndexRows& joined)
{
    for (std::size_t v = 0; v < joined.size(); ++v) {
        const auto row = joined[v];
        if (row.size() != 3)
            refuse(fmt::format("vertex {} has {} line{}, expected 3", v, row.size(), row.size() == 1 ? "" : "s"),
                   "pliant mesh dual makes a simplex mesh of closed triangles");
        if (row[0] == row[1] || row[1] == row[2])
            refuse(fmt::format("vertex {} has two lines to vertex {}", v, row[1]), "give every edge one line");
    }
}

/// The three vertices at the far ends of v's lines, in the order in which its triangles meet them.
std::array<std::int32_t, 3> ordered(const HalfEdges& half, std::int32_t v, std::span<const std::int32_t> ends)
{
    std::array<std::int32_t, 3> row{-1, -1, -1};
    std::size_t met = 0;
    const std::int32_t first = half.outgoing[at(v)];
    if (first < 0) refuse(fmt::format("vertex {} is in no triangle", v), "cut the faces into triangles");
    std::int32_t h = first;
    do {
        const std::int32_t end = half.target(h);
        if (std::binary_search(ends.begin(), ends.end(), end) && met < 3) row[met++] = end;
        h = half.turned(h);
    } while (h != first);
    for (const std::int32_t end : ends)
        if (std::find(row.begin(), row.end(), end) == row.end())
            refuse(fmt::format("the line from vertex {} to vertex {} is no edge of a triangle", v, end),
                   "cut the faces into triangles along their edges");
    return row;
}

/// Lines that leave a ring-shaped or holed face pass every check at a vertex, not the count of faces.
void require_whole_faces(const SimplexMesh& mesh, const TriMesh& surface)
{
    const std::ptrdiff_t expected =
        euler_characteristic(surface.triangles) + static_cast<std::ptrdiff_t>(mesh.vertices.size() / 2);
    const auto found = static_cast<std::ptrdiff_t>(faces_of(mesh).size());
    if (found != expected)
        refuse(fmt::format("its lines bound {} faces, expected {} on a surface of this kind", found, expected),
               "a face is a polygon without holes; add the missing lines");
}

}  // namespace

TriMesh surface_of(const SimplexMesh& mesh)
{
    TriMesh surface{.vertices = mesh.vertices, .triangles = {}, .lines = edges_of(mesh), .groups = {}};
    const IndexRows faces = faces_of(mesh);
    surface.triangles.reserve(faces.items.size() - std::min(faces.items.size(), 2 * faces.size()));
    for (std::size_t f = 0; f < faces.size(); ++f)
        for_each_cut(faces[f], best_start(mesh, faces[f]),
                     [&](const Triangle& triangle) { surface.triangles.push_back(triangle); });
    return surface;
}

bool has_three_lines_per_vertex(const TriMesh& surface)
{
    if (surface.vertices.empty() || 2 * surface.lines.size() != 3 * surface.vertices.size()) return false;
    std::vector<int> ends(surface.vertices.size(), 0);
    for (const Edge& line : surface.lines) ++ends[at(line[0])], ++ends[at(line[1])];
    return std::all_of(ends.begin(), ends.end(), [](int count) { return count == 3; });
}

SimplexMesh simplex_mesh_of(const TriMesh& surface)
{
    if (surface.vertices.empty()) refuse("there are no vertices", "pliant mesh make simplex_sphere makes one");
    const IndexRows joined = vertex_neighbours(surface.lines, surface.vertices.size());
    require_three_lines(joined);
    const ClosednessReport report = closedness(surface.triangles, surface.vertices.size());
    if (!report.encloses_volume() || !report.is_manifold() || report.collapsed_triangles > 0)
        refuse("the surface is not closed, manifold and oriented; found " + to_text(report),
               "pliant mesh quality FILE says more; convert --weld closes seams");
    const HalfEdges half = half_edges(surface.triangles, surface.vertices.size());
    SimplexMesh mesh;
    mesh.vertices = surface.vertices;
    mesh.neighbours.reserve(surface.vertices.size());
    for (std::size_t v = 0; v < surface.vertices.size(); ++v)
        mesh.neighbours.push_back(ordered(half, static_cast<std::int32_t>(v), joined[v]));
    require_whole_faces(mesh, surface);
    return mesh;
}

std::string simplex_summary(const TriMesh& surface)
{
    if (!has_three_lines_per_vertex(surface)) return "";
    try {
        return fmt::format("simplex mesh: {}\n", to_text(simplex_mesh_of(surface)));
    } catch (const Error& error) {
        return fmt::format("three lines at every vertex, but {}\n", error.problems().front().message);
    }
}

}  // namespace pliant
