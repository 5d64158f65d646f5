// SPDX-License-Identifier: MIT

// Cut and sewn cloth: disc, t_shirt.
//
// A shirt's panel is a body of columns and rows with a sleeve on either side. Rows above the underarm fan out from
// the straight line between the underarms to shoulders and neck, so the outline is the same at every resolution and
// only the round neck is made of chords. Both panels have the same rows and columns and differ in the depth of the neck.
//
//            shoulder__neck   neck__shoulder
//   cuff_top _-'       `-___-'       `-_ cuff_top       symbols: n columns of the body,
//       /                                \              a rows along an armhole, b rows below it,
//   cuff_bottom -_  |             |  _- cuff_bottom     s columns of a sleeve
//                 underarm   underarm
//                   |             |
//                   |____ hem ____|
//
// Lengths [m]. Proportions are those of a men's medium shirt laid on a table, 0.52 m wide and 0.72 m high.

#include <pliant/mesh/shapes.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/mesh/shape_checks.h>

namespace pliant {

namespace {

constexpr double kLowestHeight = 0.8;  // of the width: the sleeves must hang above the hem

// As shares of the width.
constexpr double kHalfNeck = 0.18, kFrontNeckDepth = 0.12, kBackNeckDepth = 0.04;
constexpr double kShoulderDrop = 0.08, kArmhole = 0.42;
constexpr double kSleeveTop = 0.4, kCuff = 0.34;
constexpr double kBulge = 0.01;       // half the distance of the panels, far from seams
constexpr double kBulgeReach = 0.25;  // distance from the seams within which it rises

constexpr double kSleeveAngle = 25 * std::numbers::pi / 180;  // of the sleeve's top below the horizontal
constexpr double kCuffAngle = 15 * std::numbers::pi / 180;    // of the cuff from the vertical

Uv between(const Uv& a, const Uv& b, double share)
{
    return {a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share};
}

double distance(const Uv& a, const Uv& b)
{
    return std::hypot(b[0] - a[0], b[1] - a[1]);
}

Uv mirrored(const Uv& a)
{
    return {-a[0], a[1]};
}

double distance_to_segment(const Uv& p, const Uv& a, const Uv& b)
{
    const double along = (p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1]);
    const double length = distance(a, b);
    return distance(p, between(a, b, std::clamp(along / (length * length), 0.0, 1.0)));
}

/// Corners of the right half of a panel.
struct Outline {
    Uv hem, underarm, cuff_bottom, cuff_top, shoulder, neck;
};

Outline outline_of(double width, double height)
{
    Outline o;
    o.hem = {width / 2, 0};
    o.neck = {kHalfNeck * width, height};
    o.shoulder = {width / 2, height - kShoulderDrop * width};
    o.underarm = {width / 2, o.shoulder[1] - kArmhole * width};
    o.cuff_top = {o.shoulder[0] + kSleeveTop * width * std::cos(kSleeveAngle),
                  o.shoulder[1] - kSleeveTop * width * std::sin(kSleeveAngle)};
    o.cuff_bottom = {o.cuff_top[0] - kCuff * width * std::sin(kCuffAngle),
                     o.cuff_top[1] - kCuff * width * std::cos(kCuffAngle)};
    return o;
}

/// A round neck: the arc of a circle from one end of the opening to the other, `depth` deep in the middle.
Uv on_neck(const Uv& end, double depth, double share)
{
    const double radius = (end[0] * end[0] + depth * depth) / (2 * depth);
    const double half_angle = std::asin(end[0] / radius), angle = half_angle * (2 * share - 1);
    return {radius * std::sin(angle), end[1] - depth + radius * (1 - std::cos(angle))};
}

/// How many rows and columns a panel has, and how its vertices are numbered: the body row by row from the hem,
/// then the left and the right sleeve, row by row from below and from the armhole outwards.
struct Layout {
    int columns, shoulder_columns;  ///< of the body; of them along one shoulder
    int rows_below, rows_above;     ///< of the body: below the underarm, along the armhole
    int sleeve_columns;

    int rows() const { return rows_below + rows_above; }
    std::int32_t body(int i, int j) const { return j * (columns + 1) + i; }
    /// i = 0 is the armhole, a column of the body; side 0 is left, 1 right.
    std::int32_t sleeve(int side, int i, int j) const
    {
        if (i == 0) return body(side * columns, rows_below + j);
        return body(0, rows() + 1) + (side * (rows_above + 1) + j) * sleeve_columns + i - 1;
    }
    std::int32_t vertex_count() const { return sleeve(1, sleeve_columns, rows_above) + 1; }
};

Layout layout_of(const Outline& o, int n)
{
    const double h = 2 * o.hem[0] / n;
    const auto cells = [](double length, double side, int fewest) {
        return std::max(fewest, static_cast<int>(std::lround(length / side)));
    };
    const double shoulder = distance(o.neck, o.shoulder), neck = 2 * o.neck[0];
    Layout layout{};
    layout.columns = n;
    // The rest, four or more, is for the neck.
    layout.shoulder_columns = std::clamp(cells(n * shoulder, 2 * shoulder + neck, 1), 1, (n - 4) / 2);
    layout.rows_below = cells(o.underarm[1], h, 1);
    layout.rows_above = cells(distance(o.underarm, o.shoulder), h, 2);
    const double sleeve = (distance(o.shoulder, o.cuff_top) + distance(o.underarm, o.cuff_bottom)) / 2;
    layout.sleeve_columns = cells(sleeve, h, 1);
    return layout;
}

/// Vertex i of the body's upper rim, from the left shoulder over the neck to the right one.
Uv upper_rim(const Outline& o, const Layout& layout, double neck_depth, int i)
{
    const int last = layout.columns, shoulder = layout.shoulder_columns;
    if (i > last - i) return mirrored(upper_rim(o, layout, neck_depth, last - i));
    if (i <= shoulder) return mirrored(between(o.shoulder, o.neck, static_cast<double>(i) / shoulder));
    return on_neck(o.neck, neck_depth, static_cast<double>(i - shoulder) / (last - 2 * shoulder));
}

std::vector<Uv> panel_points(const Outline& o, const Layout& layout, double neck_depth)
{
    std::vector<Uv> points(static_cast<std::size_t>(layout.vertex_count()));
    for (int j = 0; j <= layout.rows(); ++j)
        for (int i = 0; i <= layout.columns; ++i) {
            const double x = centred(2 * o.hem[0], i, layout.columns + 1);
            const double below = std::min(1.0, static_cast<double>(j) / layout.rows_below);
            const double above = std::max(0.0, static_cast<double>(j - layout.rows_below) / layout.rows_above);
            points[static_cast<std::size_t>(layout.body(i, j))] =
                between({x, o.underarm[1] * below}, upper_rim(o, layout, neck_depth, i), above);
        }
    for (int j = 0; j <= layout.rows_above; ++j)
        for (int i = 1; i <= layout.sleeve_columns; ++i) {
            const double up = static_cast<double>(j) / layout.rows_above;
            const Uv right = between(between(o.underarm, o.shoulder, up), between(o.cuff_bottom, o.cuff_top, up),
                                     static_cast<double>(i) / layout.sleeve_columns);
            points[static_cast<std::size_t>(layout.sleeve(0, i, j))] = mirrored(right);
            points[static_cast<std::size_t>(layout.sleeve(1, i, j))] = right;
        }
    return points;
}

/// Halves the quadrilateral a b c d, counter-clockwise, along its shorter diagonal; `prefers_ac` decides a tie.
void add_quad(std::vector<Triangle>& triangles, const std::vector<Uv>& x, const std::array<std::int32_t, 4>& quad,
              bool prefers_ac)
{
    const auto [a, b, c, d] = quad;
    const auto length = [&](std::int32_t from, std::int32_t to) {
        return distance(x[static_cast<std::size_t>(from)], x[static_cast<std::size_t>(to)]);
    };
    const double ac = length(a, c), bd = length(b, d);
    const bool is_tie = std::abs(ac - bd) < 1e-9 * (ac + bd);
    if (is_tie ? prefers_ac : ac < bd)
        triangles.insert(triangles.end(), {{a, b, c}, {a, c, d}});
    else
        triangles.insert(triangles.end(), {{a, b, d}, {b, c, d}});
}

/// Counter-clockwise with x to the right and y up.
std::vector<Triangle> panel_triangles(const Layout& layout, const std::vector<Uv>& x)
{
    std::vector<Triangle> triangles;
    for (int j = 0; j < layout.rows(); ++j)
        for (int i = 0; i < layout.columns; ++i)
            add_quad(triangles, x,
                     {layout.body(i, j), layout.body(i + 1, j), layout.body(i + 1, j + 1), layout.body(i, j + 1)},
                     (i + j) % 2 == 0);
    for (int j = 0; j < layout.rows_above; ++j)
        for (int i = 0; i < layout.sleeve_columns; ++i)
            for (const int side : {0, 1}) {
                std::array<std::int32_t, 4> quad{layout.sleeve(side, i, j), layout.sleeve(side, i + 1, j),
                                                 layout.sleeve(side, i + 1, j + 1), layout.sleeve(side, i, j + 1)};
                // The left sleeve's columns count to the left.
                if (side == 0) quad = {quad[1], quad[0], quad[3], quad[2]};
                add_quad(triangles, x, quad, (i + j + side) % 2 == 0);
            }
    return triangles;
}

VertexGroup shoulders_of(const Layout& layout)
{
    VertexGroup group{"shoulders", {}};
    for (int i = 0; i <= layout.shoulder_columns; ++i)
        for (const int column : {i, layout.columns - i}) group.vertices.push_back(layout.body(column, layout.rows()));
    return group;
}

/// All that the two panels share.
VertexGroup seams_of(const Layout& layout)
{
    VertexGroup group{"seams", shoulders_of(layout).vertices};
    for (const int side : {0, 1}) {
        for (int j = 0; j <= layout.rows_below; ++j) group.vertices.push_back(layout.body(side * layout.columns, j));
        for (int i = 1; i <= layout.sleeve_columns; ++i)
            for (const int j : {0, layout.rows_above}) group.vertices.push_back(layout.sleeve(side, i, j));
    }
    return group;
}

std::vector<VertexGroup> panel_groups(const Layout& layout)
{
    VertexGroup neck{"neck", {}}, hem{"hem", {}}, left{"left_cuff", {}}, right{"right_cuff", {}};
    for (int i = layout.shoulder_columns; i <= layout.columns - layout.shoulder_columns; ++i)
        neck.vertices.push_back(layout.body(i, layout.rows()));
    for (int i = 0; i <= layout.columns; ++i) hem.vertices.push_back(layout.body(i, 0));
    for (int j = 0; j <= layout.rows_above; ++j) {
        left.vertices.push_back(layout.sleeve(0, layout.sleeve_columns, j));
        right.vertices.push_back(layout.sleeve(1, layout.sleeve_columns, j));
    }
    return {neck, hem, left, right, shoulders_of(layout), seams_of(layout)};
}

/// Half the distance of the panels: nothing at seams, smooth between them, growing from any of them.
double bulge(const Outline& o, const Uv& x)
{
    const std::array<std::array<Uv, 2>, 4> seams{
        {{o.neck, o.shoulder}, {o.shoulder, o.cuff_top}, {o.underarm, o.cuff_bottom}, {o.underarm, o.hem}}};
    const Uv right{std::abs(x[0]), x[1]};  // so that both halves add up in one order
    // 1/D^2 = sum 1/d^2: a distance from all seams that is smooth where the nearest one changes.
    double sum = 0;
    for (const auto& [a, b] : seams)
        for (const Uv& p : {right, mirrored(right)}) {
            const double d = distance_to_segment(p, a, b);
            sum += 1 / (d * d);
        }
    const double width = 2 * o.hem[0], reach = kBulgeReach * width;
    return kBulge * width / std::sqrt(1 + reach * reach * sum);
}

/// Adds a panel at z = side * bulge. New indices of its vertices are given back; seams get those of the front.
std::vector<std::int32_t> add_panel(TriMesh& mesh, const Outline& o, const Layout& layout, double side)
{
    const std::vector<Uv> points =
        panel_points(o, layout, (side > 0 ? kFrontNeckDepth : kBackNeckDepth) * 2 * o.hem[0]);
    std::vector<bool> is_seam(points.size(), false);
    for (const std::int32_t v : seams_of(layout).vertices) is_seam[static_cast<std::size_t>(v)] = true;
    std::vector<std::int32_t> index(points.size());
    for (std::size_t v = 0; v < points.size(); ++v) {
        if (is_seam[v] && side < 0) {
            index[v] = static_cast<std::int32_t>(v);  // the front came first, in the same order
            continue;
        }
        index[v] = static_cast<std::int32_t>(mesh.vertices.size());
        mesh.vertices.push_back({points[v][0], points[v][1], is_seam[v] ? 0 : side * bulge(o, points[v])});
        mesh.uv.push_back(points[v]);
    }
    for (Triangle t : panel_triangles(layout, points)) {
        if (side < 0) std::swap(t[1], t[2]);
        for (std::int32_t& v : t) v = index[static_cast<std::size_t>(v)];
        mesh.triangles.push_back(t);
    }
    return index;
}

/// Vertex i of a disc's ring, counted round and round; ring 0 is the centre.
std::int32_t ring_vertex(int ring, int i)
{
    return ring == 0 ? 0 : 3 * ring * (ring - 1) + 1 + i % (6 * ring);
}

/// Each of the six sectors is a triangle of `rings` rows, cut as a lattice of triangles.
void add_sectors(std::vector<Triangle>& triangles, int rings)
{
    for (int ring = 1; ring <= rings; ++ring)
        for (int sector = 0; sector < 6; ++sector)
            for (int k = 0; k < ring; ++k) {
                const int out = sector * ring + k, in = sector * (ring - 1) + k;
                triangles.push_back({ring_vertex(ring - 1, in), ring_vertex(ring, out), ring_vertex(ring, out + 1)});
                if (k + 1 == ring) continue;
                triangles.push_back(
                    {ring_vertex(ring - 1, in), ring_vertex(ring, out + 1), ring_vertex(ring - 1, in + 1)});
            }
}

void require_height(double width, double height)
{
    if (height >= kLowestHeight * width) return;
    throw Error(Problem{.file = "",
                        .line = 0,
                        .where = "t_shirt",
                        .message = fmt::format("the height is {} and the width {}, expected at least {} of the width",
                                               height, width, kLowestHeight),
                        .cure = "the sleeves would hang below the hem: make it longer"});
}

}  // namespace

TriMesh disc(double radius, int rings, double inner_radius)
{
    require_positive("disc", "radius", radius);
    require_at_least("disc", "rings", rings, 1);
    if (inner_radius != 0) {
        require_positive("disc", "inner radius", inner_radius);
        require_positive("disc", "way from inner radius to rim (radius - inner_radius)", radius - inner_radius);
    }
    require_vertices("disc", 3.0 * rings * (rings + 1.0) + 1);
    TriMesh mesh;
    VertexGroup rim{"rim", {}}, inner{"inner", {0}};
    mesh.vertices.push_back({});
    for (int ring = 1; ring <= rings; ++ring)
        for (int i = 0; i < 6 * ring; ++i) {
            const double r = radius * ring / rings, phi = 2 * std::numbers::pi * i / (6.0 * ring);
            const auto v = static_cast<std::int32_t>(mesh.vertices.size());
            if (ring == rings) rim.vertices.push_back(v);
            if (r <= inner_radius * (1 + 1e-12)) inner.vertices.push_back(v);
            mesh.vertices.push_back({r * std::sin(phi), 0, r * std::cos(phi)});
        }
    add_sectors(mesh.triangles, rings);
    for (const Vec3& x : mesh.vertices) mesh.uv.push_back({x.x, x.z});
    mesh.groups = {{"centre", {0}}, std::move(rim)};
    if (inner_radius > 0) mesh.groups.push_back(std::move(inner));
    return mesh;
}

TriMesh t_shirt(double width, double height, int n)
{
    require_positive("t_shirt", "width", width);
    require_positive("t_shirt", "height", height);
    require_height(width, height);
    require_at_least("t_shirt", "columns across the chest", n, 8);
    require_vertices("t_shirt", 2 * (height / width + 1) * n * n);
    const Outline outline = outline_of(width, height);
    const Layout layout = layout_of(outline, n);
    TriMesh mesh;
    const std::vector<std::int32_t> front = add_panel(mesh, outline, layout, 1);
    const std::vector<std::int32_t> back = add_panel(mesh, outline, layout, -1);
    for (const VertexGroup& half : panel_groups(layout)) {
        VertexGroup group{half.name, {}};
        for (const std::int32_t v : half.vertices)
            group.vertices.insert(group.vertices.end(),
                                  {front[static_cast<std::size_t>(v)], back[static_cast<std::size_t>(v)]});
        std::sort(group.vertices.begin(), group.vertices.end());
        group.vertices.erase(std::unique(group.vertices.begin(), group.vertices.end()), group.vertices.end());
        mesh.groups.push_back(std::move(group));
    }
    return mesh;
}

}  // namespace pliant
