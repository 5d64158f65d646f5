// SPDX-License-Identifier: MIT
#include <pliant/world/untangle_gap.h>

#include <algorithm>
#include <cmath>

#include <pliant/contact/distance.h>

namespace pliant {

namespace {

/// Faces that name three vertices: others have no area that could be near anything, and their edges are those of neighbours.
CollisionSurface collision_surface_of(const AuditSurfaces& surfaces, std::size_t point_count)
{
    std::vector<Triangle> faces;
    std::vector<std::int32_t> bodies;
    for (std::size_t f = 0; f < surfaces.faces.size(); ++f) {
        const Triangle& face = surfaces.faces[f];
        if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0]) continue;
        faces.push_back(face);
        bodies.push_back(surfaces.face_body[f]);
    }
    return collision_surface(faces, bodies, {}, point_count, EdgeBack::surface_normals);
}

}  // namespace

UntangleGap::UntangleGap(const UntangleTask& task, std::span<const Vec3> x, double gap)
    : gap_(gap)
    , surface_(collision_surface_of(task.surfaces, x.size()))
    , neighbours_(vertex_neighbours(task.surfaces.edges, x.size()))
    , reach_(task.surfaces.points.size(), gap)
{
    for (const UntangleMotion motion : task.motion) {
        meets_self_.push_back(motion == UntangleMotion::vertices ? 1 : 0);
        is_fixed_.push_back(motion == UntangleMotion::fixed ? 1 : 0);
    }
    if (!surface_.faces.empty()) trees_ = std::make_unique<TriangleTrees>(surface_, x);
}

bool UntangleGap::are_joined(std::int32_t a, std::int32_t b) const
{
    const std::span<const std::int32_t> row = neighbours_[a];
    return std::binary_search(row.begin(), row.end(), b);
}

double UntangleGap::wanted(const std::array<std::int32_t, 4>& point, std::size_t firsts, std::span<const Vec3> x) const
{
    double shortest = 2 * gap_;
    bool is_joined = false;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = i + 1; j < 4; ++j) {
            const bool between = i < firsts && j >= firsts;
            if (between && !are_joined(point[i], point[j])) continue;
            is_joined = is_joined || between;
            shortest = std::min(shortest, norm(x[point[i]] - x[point[j]]));
        }
    return is_joined ? std::min(gap_, shortest / 2) : gap_;
}

GapCount UntangleGap::wish(UntangleMoves& moves, std::span<const Vec3> x)
{
    GapCount count{.smallest = 2 * gap_};
    if (!trees_) return count;
    trees_->find(pairs_, {x, x, reach_, meets_self_, is_fixed_});
    std::sort(pairs_.begin(), pairs_.end(),
              [](const SurfacePair& a, const SurfacePair& b) { return a.key() < b.key(); });
    inside_.clear(), at_border_.clear();
    for (const SurfacePair& pair : pairs_) {
        const std::array<std::int32_t, 4> point = pair_nodes(surface_, pair);
        const PairDistance d = pair_distance(pair.kind, {x[point[0]], x[point[1]], x[point[2]], x[point[3]]});
        const double distance = std::sqrt(d.distance2);
        count.smallest = std::min(count.smallest, distance);
        if (distance >= gap_) continue;
        const double enough = wanted(point, pair.kind == PairKind::vertex_face ? 1 : 2, x);
        if (distance >= enough) continue;
        ++count.too_near;
        count.shortfall += 1 - distance / enough;
        if (distance > 0)
            (d.interior ? inside_ : at_border_).push_back({point, d.weight, d.apart / distance, enough - distance});
    }
    part(moves);
    return count;
}

// At a border the direction is that of an edge or a corner, and often a neighbour's normal is the better one: such pairs
// wait for those who have none.
void UntangleGap::part(UntangleMoves& moves) const
{
    constexpr double kBeyond = 0.05;  // of the gap: what ends at the gap itself would be too near by rounding
    for (const Near& near : inside_) moves.wish(near.point, near.weight, near.direction, near.missing + kBeyond * gap_);
    std::vector<const Near*> others;
    for (const Near& near : at_border_) {
        bool waits = false;
        for (std::size_t i = 0; i < 4; ++i) waits = waits || (near.weight[i] != 0 && moves.has_wish(near.point[i]));
        if (!waits) others.push_back(&near);
    }
    for (const Near* near : others)
        moves.wish(near->point, near->weight, near->direction, near->missing + kBeyond * gap_);
}

}  // namespace pliant
