// SPDX-License-Identifier: MIT
#pragma once

// Obstacles that do not move, as triangles: what does the straight way of a particle meet first?
//
// Three searches find the same hit to the bit: an octree per object, one octree over all of them, and all triangles
// one by one. The nearest hit counts; of equally near ones that of the lowest object, then of the lowest triangle.
// Searches change nothing and allocate nothing, and may run on several threads.
// Memory: a copy of the corners, 72 bytes a triangle, beside the trees.
// References: seeds/003 T-61, T-62, T-70..T-73, X-12.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/contact/segment_triangle.h>
#include <pliant/contact/triangle_octree.h>

namespace pliant {

enum class TriangleSearch : std::uint8_t { octree_per_object, octree_common, brute_force };

/// A mesh among the obstacles. Friction and names belong to whoever numbers the objects.
struct StaticObject {
    std::span<const Vec3> vertices;
    std::span<const Triangle> triangles;
};

struct StaticTrianglesOptions {
    TriangleSearch search = TriangleSearch::octree_per_object;
    OctreeOptions octree;
};

/// What searches did since the counters were made.
struct SweepCounters {
    std::int64_t segments = 0;  ///< ways looked at
    std::int64_t checks = 0;    ///< tests of a way against a triangle; brute force: segments times triangles
    std::int64_t boxes = 0;     ///< tests of a way against a box
    std::int64_t hits = 0;      ///< ways that met something

    SweepCounters& operator+=(const SweepCounters& other);
    friend bool operator==(const SweepCounters&, const SweepCounters&) = default;
};

class StaticTriangles {
public:
    /// Copies the corners. Throws Error as TriangleOctree does.
    explicit StaticTriangles(std::span<const StaticObject> objects, const StaticTrianglesOptions& options = {});

    /// The first hit on the way from a to b, if any; hit.triangle counts within the object. A way with ends that are not
    /// finite meets nothing: callers who cannot rule that out have to look.
    bool first_hit(const Vec3& a, const Vec3& b, SegmentHit& hit, std::int32_t& object, SweepCounters& counters) const;

    TriangleSearch search() const { return search_; }
    std::size_t object_count() const { return first_.size() - 1; }
    std::size_t triangle_count() const { return corners_.size(); }
    /// One per object, one, or none.
    std::span<const TriangleOctree> trees() const { return trees_; }
    /// Of corners and trees.
    std::size_t memory_bytes() const;

private:
    struct Nearest;
    void check(Nearest& nearest, std::span<std::int32_t> candidates, std::int32_t first, std::int64_t& checks) const;
    void search_tree(Nearest& nearest, const TriangleOctree& tree, std::int32_t first, SweepCounters& counters) const;

    TriangleSearch search_;
    std::vector<TriangleCorners> corners_;  // of all objects, one after another
    std::vector<std::int32_t> first_;       // #objects + 1, into corners_
    std::vector<TriangleOctree> trees_;
};

}  // namespace pliant
