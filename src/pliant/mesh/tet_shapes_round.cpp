// SPDX-License-Identifier: MIT

// Ball, cylinder and torus.
//
// The ball is an icosahedron cut in 20 tetrahedra from its middle, each refined as a lattice whose layers
// are then rounded to spheres. Cylinder and torus sweep one triangulated section; the prism between a triangle and
// its copy is cut along the numbers of its corners, so neighbours agree on the diagonals.

#include <pliant/mesh/tet_shapes.h>

#include <algorithm>
#include <numbers>
#include <unordered_map>

#include <pliant/mesh/shape_checks.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/tet_quality.h>
#include <pliant/mesh/tet_topology.h>

namespace pliant {

namespace {

// Weights are kept in 16 bits; the limit on vertices bites far below this.
constexpr int kMaxShells = 1 << 12;

void add_positive(TetMesh& mesh, Tet tet)
{
    const auto at = [&](std::size_t c) { return mesh.vertices[static_cast<std::size_t>(tet[c])]; };
    if (tet_volume(at(0), at(1), at(2), at(3)) < 0) std::swap(tet[2], tet[3]);
    mesh.tets.push_back(tet);
}

void add_surface_group(TetMesh& mesh)
{
    mesh.groups.push_back({"surface", boundary_vertices(mesh.tets, mesh.vertices.size())});
}

/// Lattice points of the 20 tetrahedra, found by their whole-number weights so that neighbours share them.
class ShellLattice {
public:
    ShellLattice(double radius, int shells) : icosahedron_(icosphere(1, 0)), step_(radius / shells)
    {
        mesh_.vertices.push_back({});
    }

    std::size_t face_count() const { return icosahedron_.triangles.size(); }

    /// The vertex with weights (i, j, k) on the corners of a face, on shell i + j + k.
    std::int32_t vertex(std::size_t face, const std::array<int, 3>& weights)
    {
        const int shell = weights[0] + weights[1] + weights[2];
        if (shell == 0) return 0;
        std::array<std::pair<std::int32_t, int>, 3> terms;
        for (std::size_t c = 0; c < 3; ++c) terms[c] = {icosahedron_.triangles[face][c], weights[c]};
        std::sort(terms.begin(), terms.end());
        std::uint64_t key = 0;
        Vec3 direction;
        for (const auto& [corner, weight] : terms) {
            if (weight == 0) continue;
            key = key << 20 | static_cast<std::uint64_t>(corner) << 16 | static_cast<std::uint64_t>(weight);
            direction += icosahedron_.vertices[static_cast<std::size_t>(corner)] * weight;
        }
        const auto [entry, is_new] = numbers_.try_emplace(key, static_cast<std::int32_t>(mesh_.vertices.size()));
        if (is_new) mesh_.vertices.push_back(normalized(direction) * (step_ * shell));
        return entry->second;
    }

    void add(const Tet& tet) { add_positive(mesh_, tet); }

    /// Four tetrahedra round the shortest diagonal; p[0] p[5], p[1] p[4], p[2] p[3] are the opposite pairs.
    void add_octahedron(const std::array<std::int32_t, 6>& p)
    {
        const auto length = [&](std::size_t i) {
            return norm(mesh_.vertices[static_cast<std::size_t>(p[i])] -
                        mesh_.vertices[static_cast<std::size_t>(p[5 - i])]);
        };
        std::size_t axis = 0;
        for (std::size_t i = 1; i < 3; ++i)
            if (length(i) < length(axis) * (1 - 1e-12)) axis = i;
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (const std::size_t a : {u, 5 - u})
            for (const std::size_t b : {v, 5 - v}) add({p[axis], p[5 - axis], p[a], p[b]});
    }

    TetMesh take() { return std::move(mesh_); }

private:
    TriMesh icosahedron_;
    double step_;
    TetMesh mesh_;
    std::unordered_map<std::uint64_t, std::int32_t> numbers_;
};

/// What one lattice cube whose lowest point has these weights holds of the big tetrahedron.
void fill_cube(ShellLattice& lattice, std::size_t face, const std::array<int, 3>& low, int shells)
{
    const int shell = low[0] + low[1] + low[2];
    const auto at = [&](int i, int j, int k) { return lattice.vertex(face, {low[0] + i, low[1] + j, low[2] + k}); };
    if (shell + 1 <= shells) lattice.add({at(0, 0, 0), at(1, 0, 0), at(0, 1, 0), at(0, 0, 1)});
    if (shell + 2 <= shells)
        lattice.add_octahedron({at(1, 0, 0), at(0, 1, 0), at(0, 0, 1), at(1, 1, 0), at(1, 0, 1), at(0, 1, 1)});
    if (shell + 3 <= shells) lattice.add({at(1, 1, 1), at(0, 1, 1), at(1, 0, 1), at(1, 1, 0)});
}

/// A disc in the plane: vertex 0 in the middle, ring k of k*sides points behind those of ring k-1.
struct Section {
    std::vector<std::array<double, 2>> points;  ///< along the first and the second axis of the plane
    std::vector<Triangle> triangles;
};

std::int32_t ring_vertex(int ring, int sector, int i, int sides)
{
    if (ring == 0) return 0;
    return 1 + sides * ring * (ring - 1) / 2 + (sector * ring + i) % (sides * ring);
}

Section round_section(double radius, int sides, int rings)
{
    Section section;
    section.points.push_back({0, 0});
    for (int ring = 1; ring <= rings; ++ring) {
        for (int i = 0; i < sides * ring; ++i) {
            const double angle = 2 * std::numbers::pi * i / (sides * ring), r = radius * ring / rings;
            section.points.push_back({r * std::cos(angle), r * std::sin(angle)});
        }
    }
    for (int ring = 1; ring <= rings; ++ring)
        for (int sector = 0; sector < sides; ++sector)
            for (int i = 0; i < ring; ++i) {
                const auto inner = [&](int k) { return ring_vertex(ring - 1, sector, k, sides); };
                const auto outer = [&](int k) { return ring_vertex(ring, sector, k, sides); };
                section.triangles.push_back({inner(i), outer(i), outer(i + 1)});
                if (i + 1 < ring) section.triangles.push_back({inner(i), outer(i + 1), inner(i + 1)});
            }
    return section;
}

/// Three tetrahedra for each triangle between two copies of the section.
void fill_between(TetMesh& mesh, const Section& section, std::int32_t from, std::int32_t to)
{
    for (Triangle t : section.triangles) {
        // On each side wall the diagonal leaves the lower number, so neighbours agree and no cycle arises.
        std::sort(t.begin(), t.end());
        const auto [a, b, c] = t;
        add_positive(mesh, {from + a, from + b, from + c, to + c});
        add_positive(mesh, {from + a, from + b, to + b, to + c});
        add_positive(mesh, {from + a, to + a, to + b, to + c});
    }
}

void require_section(const char* shape, int sides, int rings, double copies)
{
    require_at_least(shape, "sides", sides, 3);
    require_at_least(shape, "rings", rings, 1);
    require_vertices(shape, (1 + 0.5 * sides * rings * (rings + 1.0)) * copies);
}

VertexGroup run_of_vertices(const char* name, std::size_t first, std::size_t count, std::size_t stride = 1)
{
    VertexGroup group{name, {}};
    for (std::size_t i = 0; i < count; ++i) group.vertices.push_back(static_cast<std::int32_t>(first + i * stride));
    return group;
}

}  // namespace

TetMesh tet_ball(double radius, int shells)
{
    require_positive("ball", "radius", radius);
    require_at_least("ball", "shells", shells, 1);
    require_vertices("ball", shells > kMaxShells ? 1e99 : 10.0 / 3 * std::pow(shells + 1.0, 3));
    ShellLattice lattice(radius, shells);
    // Shell after shell, so that neighbours in space get neighbouring numbers.
    for (int shell = 0; shell < shells; ++shell)
        for (std::size_t face = 0; face < lattice.face_count(); ++face)
            for (int i = 0; i <= shell; ++i)
                for (int j = 0; i + j <= shell; ++j) fill_cube(lattice, face, {i, j, shell - i - j}, shells);
    TetMesh mesh = lattice.take();
    mesh.groups.push_back({"core", {0}});
    add_surface_group(mesh);
    return mesh;
}

TetMesh tet_cylinder(double radius, double height, int sides, int rings, int layers)
{
    require_positive("cylinder", "radius", radius);
    require_positive("cylinder", "height", height);
    require_at_least("cylinder", "layers", layers, 1);
    require_section("cylinder", sides, rings, layers + 1.0);
    const Section section = round_section(radius, sides, rings);
    const std::size_t n = section.points.size(), copies = static_cast<std::size_t>(layers) + 1;
    TetMesh mesh;
    for (int layer = 0; layer <= layers; ++layer)
        for (const auto& [u, v] : section.points) mesh.vertices.push_back({v, centred(height, layer, layers + 1), u});
    for (int layer = 0; layer < layers; ++layer) {
        const auto first = static_cast<std::int32_t>(n) * layer;
        fill_between(mesh, section, first, first + static_cast<std::int32_t>(n));
    }
    VertexGroup bottom = run_of_vertices("bottom", 0, n), top = run_of_vertices("top", n * (copies - 1), n);
    VertexGroup ends{"ends", bottom.vertices};
    ends.vertices.insert(ends.vertices.end(), top.vertices.begin(), top.vertices.end());
    mesh.groups = {std::move(bottom), std::move(top), std::move(ends), run_of_vertices("core", 0, copies, n)};
    add_surface_group(mesh);
    return mesh;
}

TetMesh tet_torus(double major_radius, double minor_radius, int sections, int sides, int rings)
{
    require_positive("torus", "minor radius", minor_radius);
    require_positive("torus", "major radius", major_radius);
    require_positive("torus", "hole (major radius - minor radius)", major_radius - minor_radius);
    require_at_least("torus", "sections", sections, 3);
    require_section("torus", sides, rings, sections);
    const Section section = round_section(minor_radius, sides, rings);
    const auto n = static_cast<std::int32_t>(section.points.size());
    TetMesh mesh;
    for (int s = 0; s < sections; ++s) {
        const double phi = 2 * std::numbers::pi * s / sections;
        for (const auto& [u, v] : section.points) {
            const double r = major_radius + u;
            mesh.vertices.push_back({r * std::sin(phi), v, r * std::cos(phi)});
        }
    }
    for (int s = 0; s < sections; ++s) fill_between(mesh, section, n * s, n * ((s + 1) % sections));
    mesh.groups = {run_of_vertices("core", 0, static_cast<std::size_t>(sections), static_cast<std::size_t>(n))};
    add_surface_group(mesh);
    return mesh;
}

}  // namespace pliant
