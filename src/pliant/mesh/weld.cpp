// SPDX-License-Identifier: MIT
#include <pliant/mesh/weld.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include <pliant/base/error.h>

namespace pliant {

namespace {

// Cells are wider than the tolerance, so that most balls of that radius lie in a single one.
constexpr double kCellWidth = 4;

// Kept vertices by the cell they lie in; chains share one array.
class CellHash {
public:
    CellHash(std::size_t point_count, double cell_size)
        : cell_size_(cell_size)
        , heads_(std::bit_ceil(2 * point_count + 1), -1)
        , next_(point_count, -1)
    {
    }

    /// With cell size zero every point is a cell of its own.
    Vec3 cell(const Vec3& point) const
    {
        if (cell_size_ == 0) return point;
        return {std::floor(point.x / cell_size_), std::floor(point.y / cell_size_), std::floor(point.z / cell_size_)};
    }

    void insert(const Vec3& point, std::int32_t index)
    {
        std::int32_t& head = heads_[slot(cell(point))];
        next_[static_cast<std::size_t>(index)] = head;
        head = index;
    }

    /// The lowest index in the cell's chain for which is_near holds, or -1.
    template <class IsNear>
    std::int32_t lowest(const Vec3& cell, const IsNear& is_near) const
    {
        std::int32_t best = -1;
        for (std::int32_t i = heads_[slot(cell)]; i >= 0; i = next_[static_cast<std::size_t>(i)])
            if ((best < 0 || i < best) && is_near(i)) best = i;
        return best;
    }

private:
    std::size_t slot(const Vec3& cell) const
    {
        std::uint64_t hash = 0;
        for (int k = 0; k < 3; ++k) {
            // Adding zero turns -0 into +0, which compare equal and must hash alike.
            hash = (hash ^ std::bit_cast<std::uint64_t>(cell[k] + 0.0)) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 32;
        }
        return hash & (heads_.size() - 1);
    }

    double cell_size_;
    std::vector<std::int32_t> heads_;
    std::vector<std::int32_t> next_;
};

/// The lowest kept vertex near the point, among the one to eight cells that the ball touches.
template <class IsNear>
std::int32_t partner(const CellHash& cells, const Vec3& point, double tolerance, const IsNear& is_near)
{
    const Vec3 reach{tolerance, tolerance, tolerance};
    const Vec3 first = cells.cell(point - reach), last = cells.cell(point + reach);
    std::int32_t best = -1;
    for (int corner = 0; corner < 8; ++corner) {
        Vec3 cell = first;
        bool repeated = false;
        for (int k = 0; k < 3; ++k) {
            if (!(corner >> k & 1)) continue;
            repeated = repeated || last[k] == first[k];
            cell[k] = last[k];
        }
        if (repeated) continue;
        const std::int32_t found = cells.lowest(cell, is_near);
        if (found >= 0 && (best < 0 || found < best)) best = found;
    }
    return best;
}

void follow(std::vector<VertexGroup>& groups, const WeldMap& map)
{
    for (VertexGroup& group : groups) {
        for (std::int32_t& v : group.vertices) v = map.new_index[static_cast<std::size_t>(v)];
        std::sort(group.vertices.begin(), group.vertices.end());
        group.vertices.erase(std::unique(group.vertices.begin(), group.vertices.end()), group.vertices.end());
    }
}

/// weld_map of the points that also satisfy may_join(i, j).
template <class MayJoin>
WeldMap map_of_partners(std::span<const Vec3> x, double tolerance, const MayJoin& may_join)
{
    PLIANT_ASSERT(tolerance >= 0, "a weld tolerance is not negative");
    WeldMap map;
    map.new_index.resize(x.size());
    CellHash cells(x.size(), kCellWidth * tolerance);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto is_near = [&](std::int32_t j) {
            const Vec3& other = x[static_cast<std::size_t>(j)];
            const bool in_one_place = tolerance == 0 ? other == x[i] : norm(other - x[i]) <= tolerance;
            return in_one_place && may_join(i, static_cast<std::size_t>(j));
        };
        const bool finite = is_finite(x[i]) && is_finite(cells.cell(x[i]));
        const std::int32_t found = finite ? partner(cells, x[i], tolerance, is_near) : -1;
        if (found >= 0) {
            map.new_index[i] = map.new_index[static_cast<std::size_t>(found)];
        } else {
            map.new_index[i] = static_cast<std::int32_t>(map.kept++);
            if (finite) cells.insert(x[i], static_cast<std::int32_t>(i));
        }
    }
    map.merged = x.size() - map.kept;
    return map;
}

WeldMap map_of_mesh(const TriMesh& mesh, double tolerance, UvSeams seams)
{
    if (mesh.uv.empty() || seams == UvSeams::sew) return weld_map(mesh.vertices, tolerance);
    return map_of_partners(mesh.vertices, tolerance, [&](std::size_t i, std::size_t j) {
        const Uv &a = mesh.uv[i], &b = mesh.uv[j];
        return a == b || std::hypot(a[0] - b[0], a[1] - b[1]) <= tolerance;
    });
}

}  // namespace

WeldMap weld_map(std::span<const Vec3> x, double tolerance)
{
    return map_of_partners(x, tolerance, [](std::size_t, std::size_t) { return true; });
}

WeldReport weld(TriMesh& mesh, double tolerance, UvSeams seams)
{
    WeldReport report{map_of_mesh(mesh, tolerance, seams)};
    const auto moved = [&](std::int32_t v) { return report.map.new_index[static_cast<std::size_t>(v)]; };
    // New indices ascend with the first old vertex of each, so compaction in place is safe.
    std::size_t kept = 0;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        if (report.map.new_index[v] != static_cast<std::int32_t>(kept)) continue;
        if (!mesh.uv.empty()) mesh.uv[kept] = mesh.uv[v];
        mesh.vertices[kept++] = mesh.vertices[v];
    }
    mesh.vertices.resize(kept);
    if (!mesh.uv.empty()) mesh.uv.resize(kept);

    for (Triangle& t : mesh.triangles) t = {moved(t[0]), moved(t[1]), moved(t[2])};
    report.dropped_triangles =
        std::erase_if(mesh.triangles, [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
    for (Edge& line : mesh.lines) line = {moved(line[0]), moved(line[1])};
    report.dropped_lines = std::erase_if(mesh.lines, [](const Edge& e) { return e[0] == e[1]; });
    follow(mesh.groups, report.map);
    return report;
}

}  // namespace pliant
