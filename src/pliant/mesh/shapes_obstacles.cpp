// SPDX-License-Identifier: MIT

// Things to fall down and to be pulled through: stairs, funnel.
//
// Stairs of n steps lie on a lattice of cells (i, j, k): i along x, 0 to n, j up, 0 to n, k across, 0 to m. Column i of
// cells is i + 1 cells high. Their outline in a side view has 4 n points, counted from (0, 0) along the floor, up
// the back and down the steps:
//
//                  +---+ (n, n)      (i, i) is the foot of a riser,
//              +---+   |             (i, i + 1) the head of it,
//          +---+       |             inner points have 0 < j < i < n.
//          +-----------+
//     (0, 0)
//
// The funnel's wall has a middle line in the plane of r and y: a spout of radius r0, an arc of radius rho that turns it
// outwards by alpha, the cone, an arc back, the mouth of radius r1. With D = r1 - r0 and H the height of this bend
//     D = 2 rho (1 - cos alpha) + l sin alpha,   H = 2 rho sin alpha + l cos alpha,
// thus l^2 = D^2 + H^2 - 4 rho D for the cone's length, alpha = arg(H + i (D - 2 rho)) + arg(l + i 2 rho). Inside and
// outside are half a wall away on either side, so arcs stay arcs as long as rho is above that.
//
// Symbols: lengths [m], r distance from the y axis, y height above the floor, alpha [rad].

#include <pliant/mesh/shapes.h>

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/mesh/shape_checks.h>
#include <pliant/mesh/transform.h>

namespace pliant {

namespace {

/// The lattice of a flight of stairs; numbers of its vertices on the surface.
class Stairs {
public:
    Stairs(int steps, int cells_across) : n_(steps), m_(cells_across) {}

    int across() const { return m_; }
    std::int32_t outline_count() const { return 4 * n_; }
    std::int32_t vertex_count() const { return outline_count() * (m_ + 1) + 2 * inner_count(); }

    /// Point i of the outline, counted round and round.
    Edge outline(std::int32_t i) const
    {
        i %= outline_count();
        if (i <= n_) return {i, 0};
        if (i <= 2 * n_) return {n_, i - n_};
        const std::int32_t down = i - 2 * n_;  // 1 is the head of the last riser
        return {n_ - (down + 1) / 2, n_ - down / 2};
    }

    std::int32_t vertex(std::int32_t i, std::int32_t j, std::int32_t k) const
    {
        const std::int32_t place = outline_index(i, j);
        if (place >= 0) return place * (m_ + 1) + k;
        const std::int32_t inner = (i - 1) * (i - 2) / 2 + j - 1;
        return outline_count() * (m_ + 1) + (k == 0 ? 0 : inner_count()) + inner;
    }

private:
    std::int32_t inner_count() const { return (n_ - 1) * (n_ - 2) / 2; }

    /// -1 for an inner point.
    std::int32_t outline_index(std::int32_t i, std::int32_t j) const
    {
        if (j == 0) return i;
        if (i == n_) return n_ + j;
        if (j == i + 1) return 2 * n_ + 2 * (n_ - i) - 1;
        return j == i ? 2 * n_ + 2 * (n_ - i) : -1;
    }

    std::int32_t n_, m_;
};

/// Two triangles for the quadrilateral a b c d, counter-clockwise seen from outside.
void add_quad(TriMesh& mesh, std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d)
{
    mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
}

/// Both upright sides, cell by cell.
void add_sides(TriMesh& mesh, const Stairs& lattice, std::int32_t steps)
{
    for (std::int32_t i = 0; i < steps; ++i)
        for (std::int32_t j = 0; j <= i; ++j)
            for (const std::int32_t k : {0, lattice.across()}) {
                const std::int32_t a = lattice.vertex(i, j, k), b = lattice.vertex(i + 1, j, k),
                                   c = lattice.vertex(i + 1, j + 1, k), d = lattice.vertex(i, j + 1, k);
                if (k == 0)
                    add_quad(mesh, d, c, b, a);
                else
                    add_quad(mesh, a, b, c, d);
            }
}

/// The band that the outline draws across the flight.
void add_band_across(TriMesh& mesh, const Stairs& lattice)
{
    for (std::int32_t p = 0; p < lattice.outline_count(); ++p) {
        const auto [i0, j0] = lattice.outline(p);
        const auto [i1, j1] = lattice.outline(p + 1);
        for (std::int32_t k = 0; k < lattice.across(); ++k)
            add_quad(mesh, lattice.vertex(i0, j0, k), lattice.vertex(i1, j1, k), lattice.vertex(i1, j1, k + 1),
                     lattice.vertex(i0, j0, k + 1));
    }
}

std::vector<VertexGroup> groups_of_stairs(const Stairs& lattice, std::int32_t steps)
{
    VertexGroup treads{"treads", {}}, bottom{"bottom", {}}, back{"back", {}};
    for (std::int32_t p = 0; p < lattice.outline_count(); ++p) {
        const auto [i, j] = lattice.outline(p);
        for (std::int32_t k = 0; k <= lattice.across(); ++k) {
            const std::int32_t v = lattice.vertex(i, j, k);
            if (j > 0 && j >= i) treads.vertices.push_back(v);
            if (j == 0) bottom.vertices.push_back(v);
            if (i == steps) back.vertices.push_back(v);
        }
    }
    return {treads, bottom, back};
}

constexpr double kSpout = 0.3;      // length of a funnel's spout over its height
constexpr double kRoundness = 0.5;  // radius of its bends over the largest that leaves a cone between them
constexpr int kRimBands = 6;        // even, so that one ring is at the very end

/// Half the section of a funnel's wall: a middle line of spout, arc, cone, arc.
class FunnelWall {
public:
    FunnelWall(double spout_radius, double mouth_radius, double height, double wall) : wall_(wall)
    {
        // Rims of half a wall lie below and above the line.
        spout_ = kSpout * height - wall / 2;
        const double wide = mouth_radius - spout_radius, high = height - wall / 2 - kSpout * height;
        arc_ = kRoundness * std::min(high / 2, (wide * wide + high * high) / (4 * wide));
        cone_ = std::sqrt(wide * wide + high * high - 4 * arc_ * wide);
        angle_ = std::atan2(wide - 2 * arc_, high) + std::atan2(2 * arc_, cone_);
        start_ = {spout_radius + wall / 2, wall / 2};
    }

    double arc() const { return arc_; }

    /// r and y at share s of the middle line from spout to mouth, `side` walls to the outside.
    Uv at(double s, double side) const
    {
        double way = s * (spout_ + 2 * arc_ * angle_ + cone_);
        const double up = std::min(way, spout_);
        way -= up;
        const double first = std::clamp(way / arc_, 0.0, angle_);
        const double along = std::clamp(way - arc_ * angle_, 0.0, cone_);
        const double second = std::clamp((way - arc_ * angle_ - cone_) / arc_, 0.0, angle_);
        const double left = angle_ - second, turned = first - second, away = side * wall_;
        const double r = arc_ * (1 - std::cos(first) + std::cos(left) - std::cos(angle_)) + along * std::sin(angle_);
        const double y = arc_ * (std::sin(first) + std::sin(angle_) - std::sin(left)) + along * std::cos(angle_) + up;
        return {start_[0] + r + away * std::cos(turned), start_[1] + y - away * std::sin(turned)};
    }

    /// The rim at one end, from outside (angle 0) over its top or bottom to inside (angle pi).
    Uv on_rim(bool is_mouth, double angle) const
    {
        const Uv end = at(is_mouth ? 1 : 0, 0);
        return {end[0] + wall_ / 2 * std::cos(angle), end[1] + (is_mouth ? 1 : -1) * wall_ / 2 * std::sin(angle)};
    }

private:
    double wall_, spout_, arc_, cone_, angle_;
    Uv start_;
};

/// The whole section: up the inside, over the mouth, down the outside, round the spout's rim.
std::vector<Uv> section_of(const FunnelWall& wall, int rings)
{
    std::vector<Uv> section;
    const auto share = [&](int i) { return static_cast<double>(i) / rings; };
    const auto angle = [](int i) { return std::numbers::pi * i / kRimBands; };
    for (int i = 0; i <= rings; ++i) section.push_back(wall.at(share(i), -0.5));
    for (int i = kRimBands - 1; i > 0; --i) section.push_back(wall.on_rim(true, angle(i)));
    for (int i = rings; i >= 0; --i) section.push_back(wall.at(share(i), 0.5));
    for (int i = 1; i < kRimBands; ++i) section.push_back(wall.on_rim(false, angle(i)));
    return section;
}

VertexGroup rows_group(const char* name, int first, int count, int segments)
{
    VertexGroup group{name, {}};
    for (std::int32_t v = first * segments; v < (first + count) * segments; ++v) group.vertices.push_back(v);
    return group;
}

void require_lengths(double radius, double height, double spout, double wall)
{
    require_positive("funnel", "radius", radius);
    require_positive("funnel", "height", height);
    require_positive("funnel", "radius of the spout", spout);
    require_positive("funnel", "thickness of the wall", wall);
    require_positive("funnel", "widening (radius - radius of the spout)", radius - spout);
    require_positive("funnel", "length of the spout (0.3 height - wall / 2)", kSpout * height - wall / 2);
}

void require_arc(double arc, double wall)
{
    if (wall <= arc) return;
    throw Error(Problem{
        .file = "",
        .line = 0,
        .where = "funnel",
        .message = fmt::format("the wall is {} thick, expected at most {:.3g}, the radius of its bends", wall, arc),
        .cure = "make the wall thinner or the funnel larger"});
}

}  // namespace

TriMesh stairs(int steps, double length, double height, double width)
{
    require_at_least("stairs", "steps", steps, 1);
    require_positive("stairs", "length", length);
    require_positive("stairs", "height", height);
    require_positive("stairs", "width", width);
    const double cells_across = std::max(1.0, std::round(width * steps / length));
    require_vertices("stairs", 4.0 * steps * (cells_across + 1) + 1.0 * steps * steps);
    const Stairs lattice(steps, static_cast<int>(cells_across));
    TriMesh mesh;
    mesh.vertices.resize(static_cast<std::size_t>(lattice.vertex_count()));
    const auto place = [&](std::int32_t i, std::int32_t j, std::int32_t k) {
        mesh.vertices[static_cast<std::size_t>(lattice.vertex(i, j, k))] = {
            centred(length, i, steps + 1), height * j / steps, centred(width, k, lattice.across() + 1)};
    };
    for (std::int32_t i = 0; i <= steps; ++i)
        for (std::int32_t j = 0; j <= std::min(i + 1, steps); ++j) place(i, j, 0), place(i, j, lattice.across());
    for (std::int32_t p = 0; p < lattice.outline_count(); ++p)
        for (std::int32_t k = 1; k < lattice.across(); ++k) place(lattice.outline(p)[0], lattice.outline(p)[1], k);
    add_sides(mesh, lattice, steps);
    add_band_across(mesh, lattice);
    mesh.groups = groups_of_stairs(lattice, steps);
    for (VertexGroup& group : mesh.groups) std::sort(group.vertices.begin(), group.vertices.end());
    return mesh;
}

TriMesh funnel(double radius, double height, const FunnelOptions& options)
{
    const double spout = options.spout_radius == 0 ? radius / 5 : options.spout_radius;
    const double thickness = options.wall == 0 ? radius / 20 : options.wall;
    require_lengths(radius, height, spout, thickness);
    require_at_least("funnel", "segments", options.segments, 3);
    require_at_least("funnel", "rings", options.rings, 8);
    require_vertices("funnel", options.segments * (2.0 * options.rings + 2 * kRimBands));
    const FunnelWall wall(spout, radius, height, thickness);
    require_arc(wall.arc(), thickness);
    const std::vector<Uv> section = section_of(wall, options.rings);
    // A torus has the funnel's triangles; its rows are moved to the section, which runs the other way round.
    const int rows = static_cast<int>(section.size());
    TriMesh mesh = torus(2, 1, options.segments, rows);
    reverse_orientation(mesh);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const auto segments = static_cast<std::size_t>(options.segments);
        const auto [r, y] = section[v / segments];
        const double phi = 2 * std::numbers::pi * static_cast<double>(v % segments) / options.segments;
        mesh.vertices[v] = {r * std::sin(phi), y, r * std::cos(phi)};
    }
    mesh.groups = {rows_group("inside", 0, options.rings + 1, options.segments),
                   rows_group("mouth", options.rings + kRimBands / 2, 1, options.segments),
                   rows_group("spout", rows - kRimBands / 2, 1, options.segments)};
    return mesh;
}

}  // namespace pliant
