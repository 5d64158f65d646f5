// SPDX-License-Identifier: MIT

// The hare: a smooth figure of body, head, ears and tail as a radial function over a geodesic sphere.
//
// Every part is an ellipsoid that holds the origin, so a ray from there leaves it once, at e_i(d) in direction d. The
// figure's radius is the smooth largest of them, cut smoothly by the floor at depth b:
//     r^-16 = (sum e_i^8)^-2 + (max(0, -d_y) / b)^16 .
// Directions are drawn to the axes of long parts first and relaxed over the surface afterwards, so that ears are not
// made of a few long triangles. Whatever the directions, triangles that the origin sees from inside
// make a star-shaped surface, which cannot meet itself; a vertex that would break this stays where it is.

#include <pliant/mesh/shapes.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <pliant/mesh/measure.h>
#include <pliant/mesh/shape_checks.h>
#include <pliant/mesh/surface_relaxation.h>
#include <pliant/mesh/topology.h>
#include <pliant/mesh/transform.h>

namespace pliant {

namespace {

constexpr double kFloor = 0.56;   // b above
constexpr int kRelaxations = 25;  // by then angles hardly grow

/// An ellipsoid that holds the origin: middle, unit axes and half lengths along them.
struct Part {
    Vec3 middle;
    std::array<Vec3, 3> axis;
    Vec3 half;
    double draws = 0;  ///< share by which directions come closer to the first axis, 0 to below 1

    /// Where the ray along d leaves: the larger root of |d t - m|^2 = 1 with lengths over half axes.
    double way_out(const Vec3& d) const
    {
        double dd = 0, dm = 0, mm = 0;
        for (int k = 0; k < 3; ++k) {
            const Vec3& a = axis[static_cast<std::size_t>(k)];
            const double along = dot(d, a) / half[k], m = dot(middle, a) / half[k];
            dd += along * along, dm += along * m, mm += m * m;
        }
        return (dm + std::sqrt(std::max(0.0, dm * dm + dd * (1 - mm)))) / dd;
    }
};

/// From `behind` the origin to `reach` before it along `direction`; `flat` is the direction of the thinner half width.
Part part_along(const Vec3& direction, double behind, double reach, const Vec3& flat, double wide, double thin,
                double draws)
{
    const Vec3 a = normalized(direction), c = normalized(flat - a * dot(flat, a)), b = cross(c, a);
    return {a * ((reach - behind) / 2), {a, b, c}, {(reach + behind) / 2, wide, thin}, draws};
}

/// x is forwards, y up; the origin lies within the chest.
std::array<Part, 6> parts_of_hare()
{
    const Vec3 up{0, 1, 0};
    return {part_along({-1, -0.12, 0}, 0.75, 1.25, up, 0.62, 0.66, 0),             // body
            part_along({1, -0.5, 0}, 0.3, 0.92, up, 0.4, 0.34, 0),                 // forepaws
            part_along({0.95, 0.75, 0}, 0.25, 1.22, up, 0.36, 0.4, 0.25),          // head
            part_along({0.12, 1, 0.3}, 0.15, 1.62, {1, 0, -0.3}, 0.26, 0.2, 0.6),  // ears
            part_along({0.12, 1, -0.3}, 0.15, 1.62, {1, 0, 0.3}, 0.26, 0.2, 0.6),
            part_along({-1, 0.22, 0}, 0.3, 1.52, up, 0.24, 0.24, 0.3)};  // tail
}

/// x^8: a power of two needs no logarithm, and this is what most of the time goes into.
double eighth_power(double x)
{
    const double second = x * x, fourth = second * second;
    return fourth * fourth;
}

double radius_of_hare(const std::array<Part, 6>& parts, const Vec3& d)
{
    double sum = 0;
    for (const Part& part : parts) sum += eighth_power(part.way_out(d));
    const double floor = eighth_power(std::max(0.0, -d.y) / kFloor);
    const double sixteenth = 1 / (sum * sum) + floor * floor;
    return 1 / std::sqrt(std::sqrt(std::sqrt(std::sqrt(sixteenth))));
}

/// Turns d towards the part's axis. With theta the angle between them, theta (1 - s exp(-theta^2 / w^2)) grows with
/// theta for every s below 1, so no two directions meet.
Vec3 drawn(const Vec3& d, const Part& part)
{
    constexpr double kWidth = 0.55;  // w [rad]
    const Vec3& a = part.axis[0];
    const Vec3 across = d - a * dot(d, a);
    const double sine = norm(across);
    if (part.draws == 0 || sine < 1e-12) return d;
    const double theta = std::atan2(sine, dot(d, a));
    const double turned = theta * (1 - part.draws * std::exp(-theta * theta / (kWidth * kWidth)));
    return a * std::cos(turned) + across * (std::sin(turned) / sine);
}

/// An icosahedron's faces cut into frequency^2 triangles each, on the unit sphere.
class GeodesicSphere {
public:
    explicit GeodesicSphere(int frequency) : frequency_(frequency)
    {
        mesh_.vertices = solid_.vertices;
        for (const Edge& edge : table_.edges)
            for (int i = 1; i < frequency_; ++i)
                mesh_.vertices.push_back(corner(edge[0]) * (frequency_ - i) + corner(edge[1]) * i);
        for (std::size_t face = 0; face < solid_.triangles.size(); ++face) add_face(face);
        for (Vec3& x : mesh_.vertices) x = normalized(x);
    }
    TriMesh mesh() && { return std::move(mesh_); }

private:
    Vec3 corner(std::int32_t v) const { return solid_.vertices[static_cast<std::size_t>(v)]; }

    /// The vertex that is i steps of the lattice along a side of a face.
    std::int32_t on_side(std::size_t face, std::size_t side, bool backwards, int i) const
    {
        const Triangle& t = solid_.triangles[face];
        const std::int32_t from = t[backwards ? (side + 1) % 3 : side], to = t[backwards ? side : (side + 1) % 3];
        if (i == 0 || i == frequency_) return i == 0 ? from : to;
        const std::int32_t edge = table_.of_triangle[face][side];
        const bool forwards = table_.edges[static_cast<std::size_t>(edge)][0] == from;
        const auto first = static_cast<std::int32_t>(solid_.vertices.size()) + edge * (frequency_ - 1);
        return first + (forwards ? i : frequency_ - i) - 1;
    }

    /// The vertex i steps towards the face's second corner and j towards its third.
    std::int32_t lattice_vertex(std::size_t face, int i, int j)
    {
        if (j == 0) return on_side(face, 0, false, i);
        if (i == 0) return on_side(face, 2, true, j);
        if (i + j == frequency_) return on_side(face, 1, false, j);
        const auto [a, b, c] = solid_.triangles[face];
        mesh_.vertices.push_back(corner(a) * (frequency_ - i - j) + corner(b) * i + corner(c) * j);
        return static_cast<std::int32_t>(mesh_.vertices.size()) - 1;
    }

    void add_face(std::size_t face)
    {
        std::vector<std::int32_t> row, below;
        for (int j = 0; j <= frequency_; ++j) {
            row.clear();
            for (int i = 0; i <= frequency_ - j; ++i) row.push_back(lattice_vertex(face, i, j));
            for (std::size_t i = 0; j > 0 && i < row.size(); ++i) {
                mesh_.triangles.push_back({below[i], below[i + 1], row[i]});
                if (i + 1 < row.size()) mesh_.triangles.push_back({below[i + 1], row[i + 1], row[i]});
            }
            below.swap(row);
        }
    }

    int frequency_;
    TriMesh solid_ = icosphere(1, 0);
    EdgeTable table_ = edge_table(solid_.triangles);
    TriMesh mesh_;
};

/// Six times the volume between a triangle and the origin: above zero where the origin sees it from inside.
double volume_below(const TriMesh& mesh, const Triangle& t)
{
    const auto at = [&](std::int32_t v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
    return dot(at(t[0]), cross(at(t[1]), at(t[2])));
}

/// The surface's point at or near p, looked for along the normal n: a ray from the origin runs nearly along an ear and
/// would carry the point off to its tip.
Vec3 back_on_surface(const std::array<Part, 6>& parts, Vec3 p, const Vec3& n)
{
    for (int i = 0; i < 3; ++i) {
        const Vec3 direction = normalized(p);
        // Height above the surface along the ray, times the cosine between ray and normal.
        p -= n * ((norm(p) - radius_of_hare(parts, direction)) * dot(direction, n));
    }
    const Vec3 direction = normalized(p);
    return direction * radius_of_hare(parts, direction);
}

}  // namespace

TriMesh hare(int frequency, double height)
{
    require_positive("hare", "height", height);
    require_at_least("hare", "cuts along an edge (frequency)", frequency, 4);
    require_vertices("hare", 10.0 * frequency * frequency + 2);
    const std::array<Part, 6> parts = parts_of_hare();
    TriMesh mesh = GeodesicSphere(frequency).mesh();
    for (Vec3& d : mesh.vertices) {
        for (const Part& part : parts) d = drawn(d, part);
        d *= radius_of_hare(parts, d);
    }
    const auto is_sound = [&](const Triangle& t) { return volume_below(mesh, t) > 0; };
    const auto back = [&](const Vec3& p, const Vec3& n) { return back_on_surface(parts, p, n); };
    for (int i = 0; i < kRelaxations; ++i) {
        turn_edges(mesh, is_sound);
        relax_vertices(mesh, back, is_sound);
    }
    const BoundingBox bounds = bounding_box(mesh.vertices);
    translate(mesh, {0, -bounds.lowest.y, 0});
    scale(mesh, height / bounds.size().y);
    return mesh;
}

}  // namespace pliant
