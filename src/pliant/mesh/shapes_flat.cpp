// SPDX-License-Identifier: MIT

// Shapes made of grids and lines: grid, box, lidded_box, chain.

#include <pliant/mesh/shapes.h>

#include <algorithm>

#include <pliant/mesh/shape_checks.h>
#include <pliant/mesh/transform.h>
#include <pliant/mesh/weld.h>

namespace pliant {

namespace {

//   a --- b    a = (i,j), b = (i+1,j) to its right, c = (i,j+1) below, d across.
//   |     |    Seen from above (+y) with x to the right and z down the page,
//   c --- d    counter-clockwise is a c d b.
void add_squares(TriMesh& mesh, int nx, int nz, GridDiagonals diagonals)
{
    mesh.triangles.reserve(static_cast<std::size_t>(nx - 1) * static_cast<std::size_t>(nz - 1) * 2);
    for (int j = 0; j + 1 < nz; ++j)
        for (int i = 0; i + 1 < nx; ++i) {
            const std::int32_t a = j * nx + i, b = a + 1, c = a + nx, d = c + 1;
            if (diagonals == GridDiagonals::cross) {
                const std::int32_t middle = nx * nz + j * (nx - 1) + i;
                for (const Edge side : {Edge{a, c}, Edge{c, d}, Edge{d, b}, Edge{b, a}})
                    mesh.triangles.push_back({side[0], side[1], middle});
            } else if (diagonals == GridDiagonals::alternating && (i + j) % 2 == 1) {
                mesh.triangles.push_back({a, c, b});
                mesh.triangles.push_back({b, c, d});
            } else {
                mesh.triangles.push_back({a, c, d});
                mesh.triangles.push_back({a, d, b});
            }
        }
}

void add_structural_lines(TriMesh& mesh, int nx, int nz, bool along_rim)
{
    for (int j = 0; j < nz; ++j)
        for (int i = 0; i < nx; ++i) {
            const std::int32_t k = j * nx + i;
            const bool rim_row = j == 0 || j == nz - 1, rim_column = i == 0 || i == nx - 1;
            if (i + 1 < nx && (along_rim || !rim_row)) mesh.lines.push_back({k, k + 1});
            if (j + 1 < nz && (along_rim || !rim_column)) mesh.lines.push_back({k, k + nx});
        }
}

/// Middles of the squares, row by row behind the grid's own vertices, and lines from each to its corners.
void add_middles(TriMesh& mesh, int nx, int nz, double size_x, double size_z)
{
    for (int j = 0; j + 1 < nz; ++j)
        for (int i = 0; i + 1 < nx; ++i) {
            const auto middle = static_cast<std::int32_t>(mesh.vertices.size());
            mesh.vertices.push_back(
                {centred(size_x, 2 * i + 1, 2 * nx - 1), 0, centred(size_z, 2 * j + 1, 2 * nz - 1)});
            const std::int32_t a = j * nx + i, c = a + nx;
            mesh.lines.insert(mesh.lines.end(), {{a, middle}, {a + 1, middle}, {c, middle}, {c + 1, middle}});
        }
}

/// Vertices of an nx by nz grid that satisfy belongs(i, j).
template <class Belongs>
VertexGroup grid_group(const char* name, int nx, int nz, const Belongs& belongs)
{
    VertexGroup group{name, {}};
    for (int j = 0; j < nz; ++j)
        for (int i = 0; i < nx; ++i)
            if (belongs(i, j)) group.vertices.push_back(j * nx + i);
    return group;
}

void add_grid_groups(TriMesh& mesh, int nx, int nz)
{
    const auto end_x = [=](int i) { return i == 0 || i == nx - 1; };
    const auto end_z = [=](int j) { return j == 0 || j == nz - 1; };
    mesh.groups = {
        grid_group("left_edge", nx, nz, [](int i, int) { return i == 0; }),
        grid_group("right_edge", nx, nz, [=](int i, int) { return i == nx - 1; }),
        grid_group("back_edge", nx, nz, [](int, int j) { return j == 0; }),
        grid_group("front_edge", nx, nz, [=](int, int j) { return j == nz - 1; }),
        grid_group("rim", nx, nz, [=](int i, int j) { return end_x(i) || end_z(j); }),
        grid_group("corners", nx, nz, [=](int i, int j) { return end_x(i) && end_z(j); }),
    };
}

/// One face of a box: axis u to the right, v down and the outward w; the box's corner is size/2.
TriMesh box_face(const Vec3& size, const std::array<int, 3>& cells, int w, bool positive)
{
    // Seen along +w, u x v = -w as in a grid (x, z, y); the opposite face is mirrored.
    const int u = (w + 2) % 3, v = (w + 1) % 3;
    const int nu = cells[static_cast<std::size_t>(u)] + 1, nv = cells[static_cast<std::size_t>(v)] + 1;
    TriMesh face;
    VertexGroup group;
    constexpr const char* kNames[3][2] = {{"left", "right"}, {"bottom", "top"}, {"back", "front"}};
    group.name = kNames[w][positive ? 1 : 0];
    for (int j = 0; j < nv; ++j)
        for (int i = 0; i < nu; ++i) {
            Vec3 point;
            point[u] = centred(size[u], i, nu);
            point[v] = centred(size[v], j, nv);
            point[w] = positive ? size[w] / 2 : -size[w] / 2;
            group.vertices.push_back(static_cast<std::int32_t>(face.vertices.size()));
            face.vertices.push_back(point);
        }
    face.groups = {std::move(group)};
    add_squares(face, nu, nv, GridDiagonals::same);
    // a c d b turns from v to u, and v x u = w.
    if (!positive) reverse_orientation(face);
    return face;
}

/// Wall under the rim vertices, which run counter-clockwise seen from above; feet are the floor
/// corners under the first and the last of them.
///
///   rim.back() --- ... --- rim.front()     seen from outside
///       |                       |
///   last_foot ----------- first_foot
void add_wall(TriMesh& mesh, const std::vector<std::int32_t>& rim, std::int32_t first_foot, std::int32_t last_foot)
{
    for (std::size_t i = 0; i + 1 < rim.size(); ++i) mesh.triangles.push_back({first_foot, rim[i + 1], rim[i]});
    mesh.triangles.push_back({first_foot, last_foot, rim.back()});
}

/// Everything but the lid of a lidded_box; its floor corners start at `foot`.
void add_walls_and_floor(TriMesh& mesh, int n, std::int32_t foot)
{
    // Round the rim counter-clockwise seen from above: left, front, right, back.
    std::vector<std::int32_t> left, front, right, back;
    for (int i = 0; i < n; ++i) {
        left.push_back(i * n);
        front.push_back((n - 1) * n + i);
        right.push_back((n - 1 - i) * n + n - 1);
        back.push_back(n - 1 - i);
    }
    add_wall(mesh, left, foot, foot + 2);
    add_wall(mesh, front, foot + 2, foot + 3);
    add_wall(mesh, right, foot + 3, foot + 1);
    add_wall(mesh, back, foot + 1, foot);
    mesh.triangles.push_back({foot, foot + 1, foot + 3});
    mesh.triangles.push_back({foot, foot + 3, foot + 2});
}

}  // namespace

TriMesh grid(int nx, int nz, double size_x, double size_z, const GridOptions& options)
{
    require_at_least("grid", "vertices along x", nx, 2);
    require_at_least("grid", "vertices along z", nz, 2);
    require_positive("grid", "size along x", size_x);
    require_positive("grid", "size along z", size_z);
    require_vertices("grid", double(nx) * double(nz) * (options.diagonals == GridDiagonals::cross ? 2 : 1));
    TriMesh mesh;
    mesh.vertices.reserve(static_cast<std::size_t>(nx) * static_cast<std::size_t>(nz));
    for (int j = 0; j < nz; ++j)
        for (int i = 0; i < nx; ++i) mesh.vertices.push_back({centred(size_x, i, nx), 0, centred(size_z, j, nz)});
    add_squares(mesh, nx, nz, options.diagonals);
    add_structural_lines(mesh, nx, nz, options.rim_lines);
    if (options.diagonals == GridDiagonals::cross) add_middles(mesh, nx, nz, size_x, size_z);
    for (const Vec3& x : mesh.vertices) mesh.uv.push_back({x.x + size_x / 2, x.z + size_z / 2});
    add_grid_groups(mesh, nx, nz);
    return mesh;
}

TriMesh box(const Vec3& size, const std::array<int, 3>& cells)
{
    constexpr const char* kSizes[3] = {"size along x", "size along y", "size along z"};
    constexpr const char* kCells[3] = {"cells along x", "cells along y", "cells along z"};
    double faces = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        require_positive("box", kSizes[k], size[static_cast<int>(k)]);
        require_at_least("box", kCells[k], cells[k], 1);
        faces += 2.0 * (cells[k] + 1.0) * (cells[(k + 1) % 3] + 1.0);
    }
    require_vertices("box", faces);
    TriMesh mesh;
    for (int axis = 0; axis < 3; ++axis)
        for (const bool positive : {false, true}) append(mesh, box_face(size, cells, axis, positive));
    // Neighbouring faces computed their common vertices by the same formula, hence equal bits.
    weld(mesh, 0);
    return mesh;
}

TriMesh lidded_box(int n, double width, double height, double depth)
{
    require_at_least("lidded_box", "lid vertices per side", n, 2);
    require_positive("lidded_box", "width", width);
    require_positive("lidded_box", "height", height);
    require_positive("lidded_box", "depth", depth);
    TriMesh mesh = grid(n, n, width, depth, {.diagonals = GridDiagonals::same, .rim_lines = false});
    translate(mesh, {0, height, 0});
    mesh.uv.clear();  // a box cannot be cut from one flat piece
    const VertexGroup rim = *mesh.find_group("rim");

    // Floor corners under the lid's corners, in the order of the lid's own numbering.
    const std::int32_t foot = n * n;
    for (const double z : {-depth / 2, depth / 2})
        for (const double x : {-width / 2, width / 2}) mesh.vertices.push_back({x, 0, z});

    add_walls_and_floor(mesh, n, foot);

    VertexGroup walls{"walls", rim.vertices}, floor{"floor", {}};
    for (std::int32_t v = foot; v < foot + 4; ++v) {
        walls.vertices.push_back(v);
        floor.vertices.push_back(v);
    }
    mesh.groups = {grid_group("lid", n, n, [](int, int) { return true; }), rim, walls, floor};
    return mesh;
}

TriMesh chain(int n, const Vec3& from, const Vec3& to)
{
    require_at_least("chain", "vertices", n, 2);
    require_vertices("chain", n);
    require_positive("chain", "length", norm(to - from));
    TriMesh mesh;
    for (std::int32_t i = 0; i < n; ++i) {
        const double s = static_cast<double>(i) / (n - 1);
        mesh.vertices.push_back(i == n - 1 ? to : from + (to - from) * s);
        if (i > 0) mesh.lines.push_back({i - 1, i});
    }
    mesh.groups = {{"start", {0}}, {"end", {n - 1}}, {"ends", {0, n - 1}}};
    return mesh;
}

}  // namespace pliant
