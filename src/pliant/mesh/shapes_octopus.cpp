// SPDX-License-Identifier: MIT

// The octopus: mantle, head and eight curled arms as the zero of one smooth function.
//
// Parts are circular arcs, thick by a radius that changes evenly along them; d_i is the distance from part i. The
// figure is their smooth union
//     f(x) = -k ln sum_i exp(-d_i(x) / k),   f < 0 inside,   grad f = sum_i w_i grad d_i,  w_i = exp((f - d_i) / k).
// An arm leaves the head downwards, bends into the horizontal near the floor and curls there in two arcs, the second
// one tighter. The eight are one arm turned about the y axis; their curls stay apart, so the
// surface has no handle.
//
// The surface comes from isosurface stuffing (lattice_stuffing.h): the boundary of the tetrahedra that fill f < 0,
// whose angles are bounded, relaxed over the surface. Symbols: in units of about the figure's height; k blending width.

#include <pliant/mesh/shapes.h>

#include <algorithm>
#include <numbers>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/base/parallel.h>
#include <pliant/mesh/lattice_stuffing.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/shape_checks.h>
#include <pliant/mesh/surface_relaxation.h>
#include <pliant/mesh/tet_topology.h>
#include <pliant/mesh/transform.h>

namespace pliant {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kBlend = 0.015;  // k
constexpr int kArms = 8;
constexpr int kRelaxations = 8;

/// Part of a circle from angle 0, centre + R toward_start, to `angle` below pi, thick by a radius from `first` to
/// `last`.
struct Arc {
    Vec3 centre, toward_start, along_start, end;
    double radius, angle, first = 0, last = 0;

    Vec3 at(double phi) const { return centre + (toward_start * std::cos(phi) + along_start * std::sin(phi)) * radius; }
    Vec3 along(double phi) const { return along_start * std::cos(phi) - toward_start * std::sin(phi); }
};

/// The arc that goes on from a point in a direction, bending towards `side`.
Arc arc_from(const Vec3& point, const Vec3& along, const Vec3& side, double radius, double angle)
{
    const Vec3 toward_centre = normalized(side - along * dot(side, along));
    Arc arc{point + toward_centre * radius, -toward_centre, along, {}, radius, angle};
    arc.end = arc.at(angle);
    return arc;
}

/// An arm along +x that curls towards +z.
std::array<Arc, 3> arcs_of_arm()
{
    constexpr double kBase = 0.045, kTip = 0.03;   // thickness (radius) at both ends
    constexpr double kSteepness = 75 * kPi / 180;  // with which it leaves the head
    const Vec3 down{std::cos(kSteepness), -std::sin(kSteepness), 0};
    std::array<Arc, 3> arcs;
    arcs[0] = arc_from({0.05, 0.31, 0}, down, {0, 1, 0}, 0.35, kSteepness);
    arcs[1] = arc_from(arcs[0].at(kSteepness), arcs[0].along(kSteepness), {0, 0, 1}, 0.12, 100 * kPi / 180);
    arcs[2] = arc_from(arcs[1].at(arcs[1].angle), arcs[1].along(arcs[1].angle), {-1, 0, -0.2}, 0.08, 70 * kPi / 180);
    double length = 0, way = 0;
    for (const Arc& arc : arcs) length += arc.radius * arc.angle;
    for (Arc& arc : arcs) {
        arc.first = kBase + (kTip - kBase) * way / length;
        way += arc.radius * arc.angle;
        arc.last = kBase + (kTip - kBase) * way / length;
    }
    return arcs;
}

/// The head with the mantle behind it: one arc from the arms up, leaning back.
Arc head()
{
    Arc arc = arc_from({0, 0.34, 0}, {0, 1, 0}, {-1, 0, 0}, 0.65, 0.68);
    arc.first = 0.055, arc.last = 0.11;
    return arc;
}

/// f and its gradient, which is close to a unit vector.
struct Sample {
    double f;
    Vec3 normal;
};

class Octopus {
public:
    Octopus()
    {
        for (int i = 0; i < kArms; ++i) {
            Arm& arm = arms_[static_cast<std::size_t>(i)];
            arm.arcs = arcs_of_arm();
            for (Arc& arc : arm.arcs)
                for (Vec3* v : {&arc.centre, &arc.toward_start, &arc.along_start, &arc.end})
                    *v = turned(*v, 2 * kPi * (i + 0.5) / kArms);
            enclose(arm);
        }
    }

    Sample at(const Vec3& x) const
    {
        std::array<Sample, 1 + kArms> parts;
        std::size_t count = 1;
        parts[0] = of_arc(head_, x);
        double nearest = parts[0].f;
        for (const Arm& arm : arms_) {
            if (norm(x - arm.middle) - arm.reach > nearest + kNegligible * kBlend) continue;
            parts[count] = of_arm(arm, x);
            nearest = std::min(nearest, parts[count++].f);
        }
        // Relative to the nearest part, so that no exponential overflows far from all of them.
        double sum = 0;
        Vec3 normal;
        for (const Sample& part : std::span(parts).first(count)) {
            const double weight = std::exp((nearest - part.f) / kBlend);
            sum += weight, normal += part.normal * weight;
        }
        return {nearest - kBlend * std::log(sum), normal / sum};
    }

    /// No point of the figure lies outside.
    BoundingBox bounds() const
    {
        std::vector<Vec3> points;
        const auto add = [&](std::span<const Arc> arcs) {
            for (const Vec3& x : points_of(arcs)) {
                // Nine parts in one place are thicker by k ln 9.
                const double thickest = std::max(arcs.front().first, arcs.back().last) + 2.2 * kBlend;
                for (const double side : {-thickest, thickest}) points.push_back(x + Vec3{side, side, side});
            }
        };
        add({&head_, 1});
        for (const Arm& arm : arms_) add(arm.arcs);
        return bounding_box(points);
    }

    /// f changes by at most this more than the way to another point: where the nearest end of an arc changes, its
    /// thickness.
    static constexpr double kJump = 0.04;

private:
    static constexpr double kNegligible = 20;  // parts of less than exp(-20) change f by less than 1e-10

    struct Arm {
        std::array<Arc, 3> arcs;
        Vec3 middle;
        double reach = 0;  ///< no point of the arm is farther from the middle
    };

    static std::vector<Vec3> points_of(std::span<const Arc> arcs)
    {
        std::vector<Vec3> points;
        for (const Arc& arc : arcs)
            for (int i = 0; i <= 20; ++i) points.push_back(arc.at(arc.angle * i / 20));
        return points;
    }

    static void enclose(Arm& arm)
    {
        const std::vector<Vec3> points = points_of(arm.arcs);
        arm.middle = bounding_box(points).center();
        for (const Vec3& x : points) arm.reach = std::max(arm.reach, norm(x - arm.middle));
        arm.reach += 1.1 * arm.arcs[0].first;  // its thickness, and a little for what lies between the points
    }

    static Vec3 turned(const Vec3& v, double angle)
    {
        const double c = std::cos(angle), s = std::sin(angle);
        return {c * v.x + s * v.z, v.y, c * v.z - s * v.x};
    }

    /// Where two arcs join they agree, so the nearest one makes no crease.
    static Sample of_arm(const Arm& arm, const Vec3& x)
    {
        Sample nearest = of_arc(arm.arcs[0], x);
        for (const Arc& arc : std::span(arm.arcs).subspan(1))
            if (const Sample sample = of_arc(arc, x); sample.f < nearest.f) nearest = sample;
        return nearest;
    }

    static Sample away_from(const Vec3& x, const Vec3& point, double thickness)
    {
        const double length = std::max(norm(x - point), 1e-12);
        return {length - thickness, (x - point) / length};
    }

    static Sample of_arc(const Arc& arc, const Vec3& x)
    {
        const Vec3 from_centre = x - arc.centre, to_end = arc.end - arc.centre;
        const double a = dot(from_centre, arc.along_start), b = dot(from_centre, arc.toward_start);
        const double end_a = dot(to_end, arc.along_start), end_b = dot(to_end, arc.toward_start);
        if (a >= 0 && end_a * b >= end_b * a) {
            const double share = std::atan2(a, b) / arc.angle, in_plane = std::max(std::hypot(a, b), 1e-12);
            return away_from(x, arc.centre + (arc.along_start * a + arc.toward_start * b) * (arc.radius / in_plane),
                             arc.first + (arc.last - arc.first) * share);
        }
        const Vec3 start = arc.centre + arc.toward_start * arc.radius;
        const bool is_start_nearer = norm2(x - start) < norm2(x - arc.end);
        return is_start_nearer ? away_from(x, start, arc.first) : away_from(x, arc.end, arc.last);
    }

    Arc head_ = head();
    std::array<Arm, kArms> arms_;
};

/// Sides of a row of lattice points; far from the surface many are known at once.
void find_sides_of_row(std::vector<std::int8_t>& side, const BccLattice& lattice, const Octopus& figure,
                       LatticePoint point)
{
    while (lattice.contains(point)) {
        const double f = figure.at(lattice.position(point)).f;
        int known = 1 + static_cast<int>(std::max(0.0, (std::abs(f) - Octopus::kJump) / lattice.spacing()));
        for (; known > 0 && lattice.contains(point); --known, point[0] += 2)
            side[static_cast<std::size_t>(lattice.index(point))] = f < 0 ? std::int8_t{1} : std::int8_t{-1};
    }
}

std::vector<std::int8_t> find_sides(const BccLattice& lattice, const Octopus& figure)
{
    std::vector<std::int8_t> side(lattice.size());
    for (int odd = 0; odd < 2; ++odd) {
        const int rows = lattice.cells()[1] + 1 - odd, layers = lattice.cells()[2] + 1 - odd;
        const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(layers);
        parallel_for(count, 16, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t row = begin; row < end; ++row) {
                const int j = static_cast<int>(row) % rows, k = static_cast<int>(row) / rows;
                find_sides_of_row(side, lattice, figure, {odd, 2 * j + odd, 2 * k + odd});
            }
        });
    }
    return side;
}

/// Where f is zero between a point inside and one outside: false position with halved stale ends (Illinois).
Vec3 find_cut(const Octopus& figure, const Vec3& inside, const Vec3& outside)
{
    double s = 0, t = 1, at_s = figure.at(inside).f, at_t = figure.at(outside).f;
    int last_side = 0;
    for (int step = 0; step < 60 && t - s > 1e-7; ++step) {
        const double r = s + (t - s) * at_s / (at_s - at_t), at_r = figure.at(inside + (outside - inside) * r).f;
        if (std::abs(at_r) < 1e-9) return inside + (outside - inside) * r;
        const int new_side = at_r < 0 ? 1 : -1;
        const double stale = new_side == last_side ? 0.5 : 1;
        if (at_r < 0)
            s = r, at_s = at_r, at_t *= stale;
        else
            t = r, at_t = at_r, at_s *= stale;
        last_side = new_side;
    }
    return inside + (outside - inside) * ((s + t) / 2);
}

/// The boundary of the tetrahedra inside, with no vertex but its own.
TriMesh boundary_of(const TetMesh& solid)
{
    TriMesh mesh;
    std::vector<std::int32_t> index(solid.vertices.size(), -1);
    for (const std::int32_t v : boundary_vertices(solid.tets, solid.vertices.size())) {
        index[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(mesh.vertices.size());
        mesh.vertices.push_back(solid.vertices[static_cast<std::size_t>(v)]);
    }
    mesh.triangles = boundary_faces(solid.tets, solid.vertices.size());
    for (Triangle& t : mesh.triangles)
        for (std::int32_t& v : t) v = index[static_cast<std::size_t>(v)];
    return mesh;
}

/// A lattice with two cells of nothing on all sides, moved by a share of a cell.
BccLattice lattice_around(const BoundingBox& box, double spacing, double share)
{
    const auto cells = [&](double size) { return static_cast<int>(std::ceil(size / spacing)) + 5; };
    const Vec3 size = box.size();
    return {
        box.lowest - Vec3{1, 1, 1} * ((2 + share) * spacing), spacing, {cells(size.x), cells(size.y), cells(size.z)}};
}

TriMesh cut_out(const Octopus& figure, const BccLattice& lattice)
{
    LatticeCuts cuts = list_cuts(lattice, find_sides(lattice, figure));
    parallel_for(cuts.cuts.size(), 64, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            LatticeCut& cut = cuts.cuts[i];
            cut.point = find_cut(figure, lattice.position(cut.inside), lattice.position(cut.outside));
        }
    });
    return boundary_of(stuff(lattice, cuts).mesh);
}

/// Where two arms part, tetrahedra of both may touch along an edge; on a lattice that lies elsewhere they do not.
TriMesh surface_of_figure(const Octopus& figure, int resolution)
{
    const BoundingBox box = figure.bounds();
    for (const double share : {0.25, 0.4, 0.55, 0.7, 0.85, 0.1}) {
        TriMesh mesh = cut_out(figure, lattice_around(box, box.size().y / resolution, share));
        if (closedness(mesh.triangles, mesh.vertices.size()).is_manifold()) return mesh;
    }
    throw Error(
        Problem{.file = "",
                .line = 0,
                .where = "octopus",
                .message = fmt::format("at a resolution of {} neighbouring arms touch where they part", resolution),
                .cure = "use another number, such as one more"});
}

void relax(TriMesh& mesh, const Octopus& figure)
{
    std::vector<Vec3> normals;
    const auto is_sound = [&](const Triangle& t) {
        const auto at = [&](std::size_t c) { return mesh.vertices[static_cast<std::size_t>(t[c])]; };
        const Vec3 area = area_vector(at(0), at(1), at(2));
        return std::all_of(t.begin(), t.end(), [&](std::int32_t v) {
            return dot(area, normals[static_cast<std::size_t>(v)]) > 0.3 * norm(area);
        });
    };
    const auto back = [&](Vec3 p, const Vec3&) {
        for (int i = 0; i < 2; ++i) {
            const Sample sample = figure.at(p);
            p -= sample.normal * (sample.f / norm2(sample.normal));
        }
        return p;
    };
    for (int i = 0; i < kRelaxations; ++i) {
        normals.clear();
        for (const Vec3& x : mesh.vertices) normals.push_back(normalized(figure.at(x).normal));
        turn_edges(mesh, is_sound);
        relax_vertices(mesh, back, is_sound);
    }
}

}  // namespace

TriMesh octopus(int resolution, double height)
{
    require_positive("octopus", "height", height);
    require_at_least("octopus", "cells along the height (resolution)", resolution, 24);
    require_vertices("octopus",
                     4.0 * resolution * resolution * resolution);  // points of the lattice, far more than stay
    const Octopus figure;
    TriMesh mesh = surface_of_figure(figure, resolution);
    relax(mesh, figure);
    const BoundingBox bounds = bounding_box(mesh.vertices);
    translate(mesh, {0, -bounds.lowest.y, 0});
    scale(mesh, height / bounds.size().y);
    return mesh;
}

}  // namespace pliant
