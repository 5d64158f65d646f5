// SPDX-License-Identifier: MIT

// Things that cloth is laid on: table, bottle.
//
// Symbols: lengths [m], r distance from the y axis, y height above the floor.

#include <pliant/mesh/shapes.h>

#include <algorithm>
#include <numbers>

#include <pliant/mesh/shape_checks.h>
#include <pliant/mesh/transform.h>

namespace pliant {

namespace {

constexpr double kLegInset = 1.5;  // from the rim of the board to the middle of a leg, in radii of the leg

void name_all(TriMesh& mesh, std::vector<VertexGroup> groups, const char* name)
{
    VertexGroup all{name, {}};
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) all.vertices.push_back(static_cast<std::int32_t>(v));
    groups.push_back(std::move(all));
    mesh.groups = std::move(groups);
}

TriMesh board_of(double length, double width, double height, double thickness)
{
    TriMesh mesh = box({length, thickness, width});
    translate(mesh, {0, height - thickness / 2, 0});
    const VertexGroup top = *mesh.find_group("top");
    name_all(mesh, {top}, "board");
    return mesh;
}

TriMesh leg_of(double radius, double length, int segments, int rings)
{
    TriMesh mesh = cylinder(radius, length, segments, rings, true);
    translate(mesh, {0, length / 2, 0});
    VertexGroup feet{"feet", {}};
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        // Half a length less half a length may leave a rounding error above or below the floor.
        if (mesh.vertices[v].y > length / (4.0 * rings)) continue;
        mesh.vertices[v].y = 0;
        feet.vertices.push_back(static_cast<std::int32_t>(v));
    }
    name_all(mesh, {feet}, "legs");
    return mesh;
}

/// Half the outline of a bottle: r and y at share s of its way from the middle of the bottom to that of the top.
class BottleProfile {
public:
    BottleProfile(double radius, double height) : radius_(radius), height_(height)
    {
        // Fine enough that its chords are shorter than any ring's by far.
        constexpr int kPoints = 20000;
        for (int i = 0; i <= kPoints; ++i) {
            points_.push_back(point(5.0 * i / kPoints));
            const Uv before = points_[static_cast<std::size_t>(std::max(0, i - 1))];
            const double step = std::hypot(points_.back()[0] - before[0], points_.back()[1] - before[1]);
            way_.push_back(i == 0 ? 0 : way_.back() + step);
        }
    }

    Uv at(double share) const
    {
        const double way = share * way_.back();
        const auto after = std::upper_bound(way_.begin(), way_.end() - 1, way);
        const auto i = static_cast<std::size_t>(after - way_.begin());
        const double part = (way - way_[i - 1]) / (way_[i] - way_[i - 1]);
        const Uv &a = points_[i - 1], &b = points_[i];
        return {a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part};
    }

private:
    /// Pieces 0 to 1 bottom with its rounded edge, 1 to 2 body, 2 to 3 shoulder, 3 to 4 neck, 4 to 5 top.
    Uv point(double s) const
    {
        const double neck = kNeck * radius_;
        const double foot = std::min(0.2 * radius_, 0.1 * height_), lip = std::min(0.3 * neck, 0.02 * height_);
        if (s <= 1) return rounded(radius_, foot, s, 0, 1);
        if (s <= 2) return {radius_, foot + (kShoulder * height_ - foot) * (s - 1)};
        if (s <= 3) {
            // Half a wave of the cosine has the directions of body and neck at its ends.
            const double along = s - 2, narrowing = (1 - std::cos(std::numbers::pi * along)) / 2;
            return {radius_ + (neck - radius_) * narrowing, height_ * (kShoulder + (kCollar - kShoulder) * along)};
        }
        if (s <= 4) return {neck, kCollar * height_ + (height_ - lip - kCollar * height_) * (s - 3)};
        return rounded(neck, lip, 5 - s, height_, -1);
    }

    /// From the axis outwards along y = level, then a quarter of a circle towards `up`.
    static Uv rounded(double radius, double edge, double s, double level, double up)
    {
        if (s <= 0.5) return {(radius - edge) * 2 * s, level};
        const double angle = std::numbers::pi * (s - 0.5);
        return {radius - edge + edge * std::sin(angle), level + up * edge * (1 - std::cos(angle))};
    }

    static constexpr double kNeck = 0.35;                      // radius of the neck over that of the body
    static constexpr double kShoulder = 0.55, kCollar = 0.78;  // where body and shoulder end, of the height

    double radius_, height_;
    std::vector<Uv> points_;
    std::vector<double> way_;  // along the profile up to each point
};

}  // namespace

TriMesh table(double length, double width, double height, const TableOptions& options)
{
    require_positive("table", "length", length);
    require_positive("table", "width", width);
    require_positive("table", "height", height);
    const double board = options.board == 0 ? height / 25 : options.board;
    const double radius = options.leg_radius == 0 ? std::min(length, width) / 30 : options.leg_radius;
    require_positive("table", "thickness of the board", board);
    require_positive("table", "radius of the legs", radius);
    require_positive("table", "length of the legs (height - board)", height - board);
    require_positive("table", "space between the legs (shorter side - 5 leg radii)",
                     std::min(length, width) - 2 * (kLegInset + 1) * radius);
    require_vertices("table", 4.0 * options.segments * (options.rings + 1.0) + 16);
    TriMesh mesh = board_of(length, width, height, board);
    for (const double z : {-1.0, 1.0})
        for (const double x : {-1.0, 1.0}) {
            TriMesh leg = leg_of(radius, height - board, options.segments, options.rings);
            translate(leg, {x * (length / 2 - kLegInset * radius), 0, z * (width / 2 - kLegInset * radius)});
            append(mesh, leg);
        }
    return mesh;
}

TriMesh bottle(double radius, double height, int segments, int rings)
{
    require_positive("bottle", "radius", radius);
    require_positive("bottle", "height", height);
    require_at_least("bottle", "segments", segments, 3);
    require_at_least("bottle", "rings", rings, 8);
    // A globe has the bottle's triangles; its rows are moved to the profile.
    TriMesh mesh = uv_sphere(1, segments, rings);
    const BottleProfile profile(radius, height);
    mesh.vertices.front() = {};
    mesh.vertices.back() = {0, height, 0};
    for (int j = 1; j < rings; ++j) {
        const auto [r, y] = profile.at(static_cast<double>(j) / rings);
        for (int i = 0; i < segments; ++i) {
            const double phi = 2 * std::numbers::pi * i / segments;
            const std::size_t v =
                static_cast<std::size_t>(j - 1) * static_cast<std::size_t>(segments) + static_cast<std::size_t>(i) + 1;
            mesh.vertices[v] = {r * std::sin(phi), y, r * std::cos(phi)};
        }
    }
    return mesh;
}

}  // namespace pliant
