// SPDX-License-Identifier: MIT
#include <pliant/contact/static_triangles.h>

#include <algorithm>
#include <limits>

namespace pliant {

namespace {

// Candidates are gathered on the stack of the thread. More than this are checked in portions, where one triangle may be
// checked again: this changes counts, never a hit.
constexpr std::size_t kGathered = 1024;

/// All objects as one, for a common tree.
struct MergedMesh {
    std::vector<Vec3> vertices;
    std::vector<Triangle> triangles;

    explicit MergedMesh(std::span<const StaticObject> objects)
    {
        for (const StaticObject& object : objects) {
            const auto offset = static_cast<std::int32_t>(vertices.size());
            vertices.insert(vertices.end(), object.vertices.begin(), object.vertices.end());
            for (const auto& [a, b, c] : object.triangles) triangles.push_back({a + offset, b + offset, c + offset});
        }
    }
};

}  // namespace

SweepCounters& SweepCounters::operator+=(const SweepCounters& other)
{
    segments += other.segments, checks += other.checks, boxes += other.boxes, hits += other.hits;
    return *this;
}

struct StaticTriangles::Nearest {
    SegmentTriangleTest way;
    Vec3 a, b;
    double t = std::numeric_limits<double>::infinity();
    std::int32_t triangle = -1;  // counted over all objects

    void offer(std::int32_t candidate, const TriangleCorners& corners)
    {
        const double met = way.meets(corners);
        if (met < 0 || met > t || (met == t && candidate > triangle)) return;
        t = met, triangle = candidate;
    }
};

StaticTriangles::StaticTriangles(std::span<const StaticObject> objects, const StaticTrianglesOptions& options)
    : search_{options.search}
    , first_{0}
{
    for (const StaticObject& object : objects) {
        check_triangles(object.vertices, object.triangles);
        for (const auto& [a, b, c] : object.triangles)
            corners_.push_back({object.vertices[static_cast<std::size_t>(a)],
                                object.vertices[static_cast<std::size_t>(b)],
                                object.vertices[static_cast<std::size_t>(c)]});
        first_.push_back(static_cast<std::int32_t>(corners_.size()));
        if (search_ == TriangleSearch::octree_per_object)
            trees_.emplace_back(object.vertices, object.triangles, options.octree);
    }
    if (search_ != TriangleSearch::octree_common) return;
    const MergedMesh merged(objects);
    trees_.emplace_back(merged.vertices, merged.triangles, options.octree);
}

/// Checks each candidate once; indices count from `first`.
void StaticTriangles::check(Nearest& nearest, std::span<std::int32_t> candidates, std::int32_t first,
                            std::int64_t& checks) const
{
    std::sort(candidates.begin(), candidates.end());
    std::int32_t last = -1;
    for (const std::int32_t candidate : candidates) {
        if (candidate == last) continue;
        last = candidate;
        const std::int32_t triangle = first + candidate;
        nearest.offer(triangle, corners_[static_cast<std::size_t>(triangle)]);
        ++checks;
    }
}

void StaticTriangles::search_tree(Nearest& nearest, const TriangleOctree& tree, std::int32_t first,
                                  SweepCounters& counters) const
{
    std::array<std::int32_t, kGathered> gathered;
    std::size_t count = 0;
    const auto check_gathered = [&] {
        check(nearest, std::span(gathered).first(count), first, counters.checks);
        count = 0;
    };
    counters.boxes += tree.search(nearest.a, nearest.b, [&](std::span<const std::int32_t> found) {
        for (const std::int32_t triangle : found) {
            if (count == kGathered) check_gathered();
            gathered[count++] = triangle;
        }
    });
    check_gathered();
}

bool StaticTriangles::first_hit(const Vec3& a, const Vec3& b, SegmentHit& hit, std::int32_t& object,
                                SweepCounters& counters) const
{
    Nearest nearest{SegmentTriangleTest(a, b), a, b};
    ++counters.segments;
    if (search_ == TriangleSearch::brute_force) {
        for (std::size_t i = 0; i < corners_.size(); ++i) nearest.offer(static_cast<std::int32_t>(i), corners_[i]);
        counters.checks += static_cast<std::int64_t>(corners_.size());
    } else if (nearest.way.moves()) {
        for (std::size_t i = 0; i < trees_.size(); ++i) search_tree(nearest, trees_[i], first_[i], counters);
    }
    if (nearest.triangle < 0) return false;
    ++counters.hits;
    hit = nearest.way.hit_at(nearest.t, corners_[static_cast<std::size_t>(nearest.triangle)]);
    object = static_cast<std::int32_t>(std::upper_bound(first_.begin(), first_.end(), nearest.triangle) -
                                       first_.begin() - 1);
    hit.triangle = nearest.triangle - first_[static_cast<std::size_t>(object)];
    return true;
}

std::size_t StaticTriangles::memory_bytes() const
{
    std::size_t bytes = corners_.capacity() * sizeof(TriangleCorners) + first_.capacity() * sizeof(std::int32_t);
    for (const TriangleOctree& tree : trees_) bytes += tree.memory_bytes();
    return bytes;
}

}  // namespace pliant
