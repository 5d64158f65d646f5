// SPDX-License-Identifier: MIT

// Cloth: triangles, hinges and springs with their rest shapes in material coordinates.

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <pliant/mesh/topology.h>
#include <pliant/scene/cloth_numbers.h>
#include <pliant/world/builder.h>

namespace pliant {

namespace {

struct Uv2 {
    double u = 0, v = 0;
    friend Uv2 operator-(const Uv2& a, const Uv2& b) { return {a.u - b.u, a.v - b.v}; }
};

double length(const Uv2& a)
{
    return std::hypot(a.u, a.v);
}

double twice_area(const Uv2& p, const Uv2& q)
{
    return p.u * q.v - q.u * p.v;
}

// The rest shapes of a cloth's triangles, each in its own plane with u along the warp.
struct RestShapes {
    std::vector<std::array<Uv2, 3>> corners;
    std::vector<double> area;  ///< [m^2]
};

// One direction of the sheet in a triangle's plane; where the warp stands across it, an edge will do.
Vec3 warp_in_plane(const Vec3& warp, const Vec3& normal, const Vec3& edge)
{
    const Vec3 laid = warp - normal * dot(warp, normal);
    constexpr double kAcross = 1e-6;
    return norm(laid) > kAcross * norm(warp) ? normalized(laid) : normalized(edge);
}

std::array<Uv2, 3> laid_flat(const TriMesh& mesh, const Triangle& t, const Vec3& warp)
{
    const Vec3 p = mesh.vertices[t[1]] - mesh.vertices[t[0]], q = mesh.vertices[t[2]] - mesh.vertices[t[0]];
    const Vec3 across = cross(p, q);
    if (!(norm(across) > 0)) return {};
    const Vec3 n = normalized(across), u = warp_in_plane(warp, n, p), v = cross(n, u);
    return {Uv2{}, Uv2{dot(p, u), dot(p, v)}, Uv2{dot(q, u), dot(q, v)}};
}

RestShapes rest_shapes(Builder& b, const TriMesh& mesh, const BodyScene& scene, const std::string& pointer)
{
    const ClothScene& cloth = scene.cloth;
    const bool is_uv = uses_uv(mesh, scene);
    RestShapes shapes;
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
        const Triangle& t = mesh.triangles[f];
        std::array<Uv2, 3> corners;
        if (!is_uv) {
            corners = laid_flat(mesh, t, cloth.warp);
        } else
            for (int k = 0; k < 3; ++k) corners[k] = {mesh.uv[t[k]][0], mesh.uv[t[k]][1]};
        const Uv2 p = corners[1] - corners[0], q = corners[2] - corners[0];
        shapes.area.push_back(0.5 * std::abs(twice_area(p, q)));
        const double longest = std::max({length(p), length(q), length(q - p)});
        constexpr double kThin = 1e-8;
        if (!(shapes.area.back() > kThin * longest * longest)) {
            b.complain(pointer + "/mesh",
                       fmt::format("triangle {} of the rest shape has no area: its corners {}, {}, {} lie on a line", f,
                                   t[0], t[1], t[2]),
                       !is_uv ? "weld or move the vertices" : "mend the mesh's (u, v) coordinates");
            return shapes;
        }
        shapes.corners.push_back(corners);
    }
    return shapes;
}

TriangleRest<double> triangle_rest(const std::array<Uv2, 3>& corners, double weight)
{
    const Uv2 p = corners[1] - corners[0], q = corners[2] - corners[0];
    const double det = twice_area(p, q);
    TriangleRest<double> rest;
    rest.b[1][0] = q.v / det, rest.b[1][1] = -q.u / det;
    rest.b[2][0] = -p.v / det, rest.b[2][1] = p.u / det;
    for (int k = 0; k < 2; ++k) rest.b[0][k] = -rest.b[1][k] - rest.b[2][k];
    rest.area = weight;
    return rest;
}

// Everything the terms of one cloth are made from.
struct ClothBuild {
    Builder& b;
    Body& body;
    Sheet& sheet;
    const TriMesh& mesh;
    const BodyScene& scene;
    const ClothScene& cloth;
    ClothNumbers numbers;
    RestShapes shapes;
    std::string pointer;

    template <std::size_t N>
    std::array<std::int32_t, N> moved(std::array<std::int32_t, N> nodes) const
    {
        for (std::int32_t& node : nodes) node += body.first_point;
        return nodes;
    }
    template <class E>
    std::int32_t add(const std::vector<std::array<std::int32_t, E::nodes>>& nodes,
                     const std::vector<RestOf<E, double>>& rest, const E& live)
    {
        if (nodes.empty()) return -1;
        return add_term(b, make_elements<E>(nodes, rest, b.model.free_count), live);
    }
    std::vector<Triangle> faces() const
    {
        std::vector<Triangle> all;
        for (const Triangle& t : mesh.triangles) all.push_back(moved(t));
        return all;
    }
};

template <class Measure>
void add_membrane(ClothBuild& c)
{
    const bool is_thesis = c.cloth.model == ClothModel::thesis_baraff_witkin;
    std::vector<TriangleRest<double>> rest;
    for (std::size_t f = 0; f < c.shapes.corners.size(); ++f) {
        const double area = c.shapes.area[f];
        rest.push_back(triangle_rest(c.shapes.corners[f], is_thesis ? area * std::sqrt(area) : area));
    }
    const Membrane<Measure> live{.stretch_u = c.numbers.stretch_u,
                                 .stretch_v = c.numbers.stretch_v,
                                 .poisson = c.numbers.poisson,
                                 .shear = c.numbers.shear,
                                 .damping_time = c.numbers.damping_time,
                                 .stretch_damping = c.cloth.stretch_damping,
                                 .shear_damping = c.cloth.shear_damping,
                                 .rest_stretch_u = c.cloth.rest_stretch_u,
                                 .rest_stretch_v = c.cloth.rest_stretch_v,
                                 .stretch_enabled = c.cloth.stretch_enabled,
                                 .shear_enabled = c.cloth.shear_enabled};
    c.sheet.stretch_term = c.add<Membrane<Measure>>(c.faces(), rest, live);
}

void add_rubber(ClothBuild& c)
{
    std::vector<SheetRest<double>> rest;
    for (std::size_t f = 0; f < c.shapes.corners.size(); ++f) {
        const TriangleRest<double> flat = triangle_rest(c.shapes.corners[f], c.shapes.area[f]);
        SheetRest<double> one;
        for (int i = 0; i < 3; ++i) one.b[i] = {flat.b[i][0], flat.b[i][1], 0};
        one.volume = flat.area;
        rest.push_back(one);
    }
    const NeoHookeanMembrane live{.stretch_u = c.numbers.stretch_u,
                                  .poisson = c.numbers.poisson,
                                  .damping_time = c.numbers.damping_time,
                                  .stretch_enabled = c.cloth.stretch_enabled};
    c.sheet.stretch_term = c.add<NeoHookeanMembrane>(c.faces(), rest, live);
}

// Springs with their rest length and the factor on the material's stiffness [N/m].
struct SpringList {
    std::vector<Edge> nodes;
    std::vector<Spring::Rest<double>> rest;

    void add(const ClothBuild& c, std::int32_t i, std::int32_t j, double length, double factor = 0)
    {
        nodes.push_back(c.moved(Edge{i, j}));
        rest.push_back({length, factor});
    }
    /// The springs of another list behind these, with another factor on their stiffness.
    void append(const SpringList& other, double factor)
    {
        nodes.insert(nodes.end(), other.nodes.begin(), other.nodes.end());
        for (Spring::Rest<double> one : other.rest) one.section_over_length *= factor, rest.push_back(one);
    }
};

// A grid's vertex numbers and cell sizes.
struct Grid {
    std::int32_t nx = 0, nz = 0;
    double dx = 0, dz = 0;
    std::int32_t at(std::int32_t i, std::int32_t j) const { return j * nx + i; }
};

Grid grid_of(const ClothBuild& c)
{
    const auto& counts = c.scene.mesh.grid;
    if (counts.size() != 2) return {};
    Grid g{counts[0], counts[1], 0, 0};
    if (static_cast<std::size_t>(g.nx) * static_cast<std::size_t>(g.nz) != c.mesh.vertices.size()) return {};
    g.dx = norm(c.mesh.vertices[g.at(1, 0)] - c.mesh.vertices[0]);
    g.dz = norm(c.mesh.vertices[g.at(0, 1)] - c.mesh.vertices[0]);
    return g;
}

// Springs of a grid by the direction they run in: along x, along z, both diagonals, second neighbours.
struct GridSprings {
    SpringList u, v, shear, bend;
};

GridSprings grid_springs(const ClothBuild& c, const Grid& g)
{
    GridSprings s;
    const double su = c.cloth.rest_stretch_u * g.dx, sv = c.cloth.rest_stretch_v * g.dz;
    for (std::int32_t j = 0; j < g.nz; ++j)
        for (std::int32_t i = 0; i < g.nx; ++i) {
            const double rim_u = j == 0 || j == g.nz - 1 ? 0.5 : 1, rim_v = i == 0 || i == g.nx - 1 ? 0.5 : 1;
            if (i + 1 < g.nx) s.u.add(c, g.at(i, j), g.at(i + 1, j), su, rim_u * g.dz / g.dx);
            if (j + 1 < g.nz) s.v.add(c, g.at(i, j), g.at(i, j + 1), sv, rim_v * g.dx / g.dz);
            if (i + 2 < g.nx) s.bend.add(c, g.at(i, j), g.at(i + 2, j), 2 * su);
            if (j + 2 < g.nz) s.bend.add(c, g.at(i, j), g.at(i, j + 2), 2 * sv);
            if (i + 1 >= g.nx || j + 1 >= g.nz) continue;
            // Both diagonals of a cell give the shear modulus G when each has k = G d^2 / (2 dx dz).
            const double diagonal = (g.dx * g.dx + g.dz * g.dz) / (2 * g.dx * g.dz);
            s.shear.add(c, g.at(i, j), g.at(i + 1, j + 1), std::hypot(su, sv), diagonal);
            s.shear.add(c, g.at(i, j + 1), g.at(i + 1, j), std::hypot(su, sv), diagonal);
        }
    return s;
}

// Edges of any mesh with the strip each stands for (Van Gelder), and opposite corners for bending.
GridSprings mesh_springs(const ClothBuild& c)
{
    GridSprings s;
    std::map<Edge, double> area;
    for (std::size_t f = 0; f < c.mesh.triangles.size(); ++f)
        for (int k = 0; k < 3; ++k) {
            const std::int32_t i = c.mesh.triangles[f][k], j = c.mesh.triangles[f][(k + 1) % 3];
            area[c.moved(Edge{std::min(i, j), std::max(i, j)})] += c.shapes.area[f];
        }
    for (std::size_t e = 0; e < c.sheet.edges.size(); ++e) {
        s.u.nodes.push_back(c.sheet.edges[e]);
        s.u.rest.push_back({c.sheet.rest[e], area[c.sheet.edges[e]] / (c.sheet.rest[e] * c.sheet.rest[e])});
    }
    for (const auto& hinge : hinges(c.mesh.triangles))
        s.bend.add(c, hinge[2], hinge[3], norm(c.mesh.vertices[hinge[2]] - c.mesh.vertices[hinge[3]]));
    return s;
}

// Seed 003's springs: every one with the same constants. The order is that of its listing.
void add_thesis_springs(ClothBuild& c, const GridSprings& s)
{
    const ClothNumbers& n = c.numbers;
    SpringList both, shear;
    both.append(s.u, 0), both.append(s.v, 0), shear.append(s.shear, 0);
    c.sheet.shear_term = c.add<Spring>(
        shear.nodes, shear.rest, {.k_s = n.shear, .k_d = c.cloth.shear_damping, .enabled = c.cloth.shear_enabled});
    c.sheet.stretch_term =
        c.add<Spring>(both.nodes, both.rest,
                      {.k_s = n.stretch_u, .k_d = c.cloth.stretch_damping, .enabled = c.cloth.stretch_enabled});
}

// Springs that stand for the sheet. A square net has C12 = G, so Poisson's ratio is what shear makes it; C11 and C22 are
// those that give pulled strips the stretch of the fabric: C11 - G^2/C22 = K_u, C22 - G^2/C11 = K_v.
void add_material_springs(ClothBuild& c, const GridSprings& s, const Grid& g)
{
    const ClothNumbers& n = c.numbers;
    const bool is_grid = g.nx > 0;
    const double ratio = is_grid ? g.dx * g.dx / (g.dz * g.dz) : 1, lean = n.stretch_u / n.stretch_v;
    const double uu = (n.stretch_u + std::sqrt(n.stretch_u * n.stretch_u + 4 * n.shear * n.shear * lean)) / 2;
    const double along_u = is_grid ? uu - n.shear * ratio : n.stretch_u;
    const double along_v = is_grid ? uu / lean - n.shear / ratio : n.stretch_v;
    if (!(along_u > 0 && along_v > 0))
        return c.b.complain(c.pointer + "/cloth/shear",
                            "springs cannot be that stiff in shear: their diagonals stretch along with the threads",
                            "take a smaller shear, or the model st_venant_kirchhoff");
    if (!is_grid && (n.stretch_u != n.stretch_v || c.cloth.shear))
        return c.b.complain(
            c.pointer + "/cloth/model",
            "springs on the edges of a mesh that is no grid are the same in all directions, their shear follows",
            "give one \"stretch\" and no \"shear\", or take st_venant_kirchhoff");
    SpringList both;
    both.append(s.u, along_u / n.stretch_u), both.append(s.v, along_v / n.stretch_u);
    c.sheet.shear_term = c.add<Spring>(s.shear.nodes, s.shear.rest,
                                       {.k_d = c.cloth.shear_damping,
                                        .young = n.shear,
                                        .damping_time = n.damping_time,
                                        .enabled = c.cloth.shear_enabled});
    c.sheet.stretch_term = c.add<Spring>(both.nodes, both.rest,
                                         {.k_d = c.cloth.stretch_damping,
                                          .young = n.stretch_u,
                                          .damping_time = n.damping_time,
                                          .enabled = c.cloth.stretch_enabled});
}

void add_springs(ClothBuild& c, const GridSprings& s, const Grid& g)
{
    if (c.cloth.model == ClothModel::thesis_springs)
        add_thesis_springs(c, s);
    else
        add_material_springs(c, s, g);
}

// An edge between two triangles in the rest shape.
struct HingeShape {
    std::array<std::int32_t, 4> nodes;  // edge, corners opposite
    double weight_u = 0, weight_v = 0;  // c |e|^2 / (A1 + A2), shared by the direction across the edge
    double area = 0, length2 = 0;       // of both triangles; of the edge
    std::array<double, 4> cotangents{};
};

double cotangent(const Uv2& p, const Uv2& q)
{
    return (p.u * q.u + p.v * q.v) / std::abs(twice_area(p, q));
}

// Corner of triangle t that is vertex v.
int corner_of(const Triangle& t, std::int32_t v)
{
    return t[0] == v ? 0 : t[1] == v ? 1 : 2;
}

std::vector<HingeShape> hinge_shapes(const ClothBuild& c)
{
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> triangle_of;  // by directed edge
    for (std::size_t f = 0; f < c.mesh.triangles.size(); ++f)
        for (int k = 0; k < 3; ++k) triangle_of[{c.mesh.triangles[f][k], c.mesh.triangles[f][(k + 1) % 3]}] = f;
    std::vector<HingeShape> all;
    for (const auto& nodes : hinges(c.mesh.triangles)) {
        HingeShape h{.nodes = nodes};
        const std::size_t sides[2] = {triangle_of.at({nodes[0], nodes[1]}), triangle_of.at({nodes[1], nodes[0]})};
        Uv2 edge;
        for (int side = 0; side < 2; ++side) {
            const Triangle& t = c.mesh.triangles[sides[side]];
            const auto& at = c.shapes.corners[sides[side]];
            const Uv2 p = at[corner_of(t, nodes[0])], q = at[corner_of(t, nodes[1])];
            const Uv2 o = at[corner_of(t, nodes[2 + side])];
            const double at_first = cotangent(q - p, o - p), at_second = cotangent(p - q, o - q);
            h.cotangents[0] += at_second, h.cotangents[1] += at_first;
            h.cotangents[2 + side] = -at_first - at_second;
            h.area += c.shapes.area[sides[side]];
            if (side == 0) edge = q - p;
        }
        h.length2 = edge.u * edge.u + edge.v * edge.v;
        const double factor = free_strip_factor(h.length2 / h.area);
        h.weight_u = factor * edge.v * edge.v / h.area, h.weight_v = factor * edge.u * edge.u / h.area;
        all.push_back(h);
    }
    return all;
}

double start_angle(const ClothBuild& c, const std::array<std::int32_t, 4>& nodes)
{
    std::array<Vec3, 4> x;
    for (int i = 0; i < 4; ++i) x[i] = c.mesh.vertices[nodes[i]];
    return Hinge{}.strain(HingeRest<double>{0, 0, 0}, x).e[0];
}

void add_hinges(ClothBuild& c)
{
    const bool is_thesis = c.cloth.bending == BendModel::thesis_hinges;
    const bool keeps_start = c.cloth.rest_angles == RestAngles::start ||
                             (c.cloth.rest_angles == RestAngles::automatic && !uses_uv(c.mesh, c.scene));
    std::vector<std::array<std::int32_t, 4>> nodes;
    std::vector<HingeRest<double>> rest;
    for (const HingeShape& h : hinge_shapes(c)) {
        nodes.push_back(c.moved(h.nodes));
        rest.push_back(
            {keeps_start ? start_angle(c, h.nodes) : 0, is_thesis ? 1 : h.weight_u, is_thesis ? 0 : h.weight_v});
    }
    c.sheet.bend_term = c.add<Hinge>(nodes, rest,
                                     {.bend_u = c.numbers.bend_u,
                                      .bend_v = c.numbers.bend_v,
                                      .bend_damping_time = c.numbers.bend_damping_time,
                                      .bend_damping = c.cloth.bend_damping,
                                      .bend_enabled = c.cloth.bend_enabled});
}

void add_quadratic_bending(ClothBuild& c)
{
    std::vector<std::array<std::int32_t, 4>> nodes;
    std::vector<StencilRest<double>> rest;
    constexpr double kFlat = 1e-3;
    for (const HingeShape& h : hinge_shapes(c)) {
        if (!uses_uv(c.mesh, c.scene) && std::abs(start_angle(c, h.nodes)) > kFlat)
            return c.b.complain(
                c.pointer + "/cloth/bending",
                fmt::format("quadratic bending wants sheets flat, and the edge between vertices {} and {} "
                            "begins bent",
                            h.nodes[0], h.nodes[1]),
                "write \"hinges\", which keep the angles they begin with");
        nodes.push_back(c.moved(h.nodes));
        StencilRest<double> one{{}, h.weight_u / h.length2, h.weight_v / h.length2};
        std::copy(h.cotangents.begin(), h.cotangents.end(), one.c);
        rest.push_back(one);
    }
    c.sheet.bend_term = c.add<QuadraticBending>(nodes, rest,
                                                {.bend_u = c.numbers.bend_u,
                                                 .bend_v = c.numbers.bend_v,
                                                 .bend_damping_time = c.numbers.bend_damping_time,
                                                 .bend_damping = c.cloth.bend_damping,
                                                 .bend_enabled = c.cloth.bend_enabled});
}

// Edges where faces meet that are turned against each other, or more than two: nothing bends there.
void note_loose_edges(ClothBuild& c)
{
    std::map<Edge, int> faces;
    for (const Triangle& t : c.mesh.triangles)
        for (int k = 0; k < 3; ++k) ++faces[{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])}];
    const auto inner = std::count_if(faces.begin(), faces.end(), [](const auto& edge) { return edge.second > 1; });
    const auto bent = static_cast<std::ptrdiff_t>(hinges(c.mesh.triangles).size());
    if (inner > bent)
        c.b.notes.push_back(
            fmt::format("{} edges of body '{}' have faces turned against each other or more than two: they "
                        "do not resist bending",
                        inner - bent, c.body.name));
}

void add_bending(ClothBuild& c, const GridSprings& springs)
{
    if (c.cloth.bending == BendModel::none) return;
    if (c.cloth.bending == BendModel::springs) {
        c.sheet.bend_term =
            c.add<Spring>(springs.bend.nodes, springs.bend.rest,
                          {.k_s = c.numbers.bend_u, .k_d = c.cloth.bend_damping, .enabled = c.cloth.bend_enabled});
        return;
    }
    if (c.numbers.bend_u == 0 && c.numbers.bend_v == 0) return;
    note_loose_edges(c);
    if (c.cloth.bending == BendModel::quadratic)
        add_quadratic_bending(c);
    else
        add_hinges(c);
}

// Edges of the rest shape: what strains are measured on.
void list_edges(ClothBuild& c)
{
    std::map<Edge, double> lengths;
    for (std::size_t f = 0; f < c.mesh.triangles.size(); ++f)
        for (int k = 0; k < 3; ++k) {
            const std::int32_t i = c.mesh.triangles[f][k], j = c.mesh.triangles[f][(k + 1) % 3];
            const auto& at = c.shapes.corners[f];
            const Uv2 way = at[(k + 1) % 3] - at[k];
            lengths[{std::min(i, j), std::max(i, j)}] =
                std::hypot(c.cloth.rest_stretch_u * way.u, c.cloth.rest_stretch_v * way.v);
        }
    for (const auto& [edge, rest] : lengths) c.sheet.edges.push_back(c.moved(edge)), c.sheet.rest.push_back(rest);
    c.sheet.faces = c.faces();
}

void add_strain_limit(ClothBuild& c)
{
    if (!(c.cloth.strain_limit > 0)) return;
    constexpr double kStiffer = 20;
    const double stiff = c.cloth.limit_stiffness > 0 ? c.cloth.limit_stiffness
                                                     : kStiffer * std::max(c.numbers.stretch_u, c.numbers.stretch_v);
    std::vector<SpringLimit::Rest<double>> rest;
    for (const double length : c.sheet.rest) rest.push_back({length});
    c.sheet.limit_term =
        c.add<SpringLimit>(c.sheet.edges, rest, {.k_limit = stiff, .low = 0, .high = 1 + c.cloth.strain_limit});
}

// Each vertex of one edge to the nearest of the other, by a thread that wants no length.
void add_seams(ClothBuild& c, const Pickable& pickable)
{
    std::vector<Edge> nodes;
    for (std::size_t s = 0; s < c.scene.seams.size(); ++s) {
        const SeamScene& seam = c.scene.seams[s];
        const std::string at = fmt::format("{}/seams/{}", c.pointer, s);
        const auto from = selected(c.b, seam.from, pickable, at + "/from");
        const auto to = selected(c.b, seam.to, pickable, at + "/to");
        if (from.empty() || to.empty()) return;
        nodes.clear();
        for (const std::int32_t i : from) {
            const auto nearer = [&](std::int32_t a, std::int32_t b) {
                return norm2(c.mesh.vertices[a] - c.mesh.vertices[i]) < norm2(c.mesh.vertices[b] - c.mesh.vertices[i]);
            };
            const std::int32_t j = *std::min_element(to.begin(), to.end(), nearer);
            if (i != j) nodes.push_back(c.moved(Edge{i, j}));
        }
        if (nodes.empty()) {
            c.b.complain(at, "sews nothing: both edges are the same vertices", "select two edges");
            continue;
        }
        const double k = seam.stiffness > 0 ? seam.stiffness : std::max(c.numbers.stretch_u, c.numbers.stretch_v);
        c.add<Spring>(nodes, std::vector<Spring::Rest<double>>(nodes.size(), {0, 0}), {.k_s = k, .k_d = seam.damping});
    }
}

}  // namespace

bool uses_uv(const TriMesh& mesh, const BodyScene& scene)
{
    if (mesh.uv.empty() || scene.cloth.rest_shape == RestShape::start) return false;
    return scene.cloth.rest_shape == RestShape::uv || scene.mesh.file.empty();
}

double cloth_density(const ClothScene& cloth)
{
    const double density = resolved(cloth).density;
    return cloth.mass_rule == ClothMass::thesis_full_area ? 3 * density : density;
}

void add_cloth_terms(Builder& b, std::size_t index, const BodyScene& scene)
{
    b.model.sheets.push_back({.body = static_cast<std::int32_t>(index)});
    b.model.bodies[index].sheet = static_cast<std::int32_t>(b.model.sheets.size()) - 1;
    const TriMesh& mesh = b.meshes[index];
    ClothBuild c{.b = b,
                 .body = b.model.bodies[index],
                 .sheet = b.model.sheets.back(),
                 .mesh = mesh,
                 .scene = scene,
                 .cloth = scene.cloth,
                 .numbers = resolved(scene.cloth),
                 .shapes = rest_shapes(b, mesh, scene, b.pointers[index]),
                 .pointer = b.pointers[index]};
    if (mesh.triangles.empty())
        b.complain(b.pointers[index] + "/mesh", "a cloth is made of triangles, and this mesh has none",
                   "such as \"mesh\": {\"grid\": [30, 30], \"size\": [1, 1]}");
    if (scene.cloth.rest_shape == RestShape::uv && mesh.uv.empty())
        b.complain(b.pointers[index] + "/cloth/rest_shape", "the mesh has no (u, v) coordinates of its own",
                   "write \"start\", or take a mesh with one (u, v) a vertex");
    if (!b.problems.empty()) return;
    list_edges(c);
    const Grid grid = grid_of(c);
    const bool has_springs = scene.cloth.model == ClothModel::springs ||
                             scene.cloth.model == ClothModel::thesis_springs ||
                             scene.cloth.bending == BendModel::springs;
    const GridSprings springs = !has_springs ? GridSprings{} : grid.nx > 0 ? grid_springs(c, grid) : mesh_springs(c);
    switch (scene.cloth.model) {
    case ClothModel::st_venant_kirchhoff:
        add_membrane<GreenStrain>(c);
        break;
    case ClothModel::baraff_witkin:
    case ClothModel::thesis_baraff_witkin:
        add_membrane<ThreadStretch>(c);
        break;
    case ClothModel::neo_hookean:
        add_rubber(c);
        break;
    case ClothModel::springs:
    case ClothModel::thesis_springs:
        add_springs(c, springs, grid);
        break;
    }
    add_bending(c, springs);
    add_strain_limit(c);
    if (!scene.seams.empty()) add_seams(c, pickable_of(mesh));
}

}  // namespace pliant
