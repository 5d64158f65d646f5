// SPDX-License-Identifier: MIT
#include <pliant/contact/triangle_octree.h>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <pliant/base/error.h>

namespace pliant {

namespace {

void check_options(const OctreeOptions& options)
{
    if (options.height < 1 || options.height > kMaxOctreeHeight)
        throw Error(Problem{
            .message = fmt::format("an octree of height {}, expected 1 to {} levels", options.height, kMaxOctreeHeight),
            .cure = "8 levels are enough for some ten thousand triangles"});
    if (options.leaf_capacity < 0)
        throw Error(Problem{
            .message = fmt::format("an octree with {} triangles per leaf, expected 0 or more", options.leaf_capacity),
            .cure = "0 splits every node down to the full height"});
}

bool holds(const AlignedBox& outer, const AlignedBox& inner)
{
    for (int k = 0; k < 3; ++k)
        if (std::abs(inner.middle[k] - outer.middle[k]) + inner.half[k] > outer.half[k]) return false;
    return true;
}

// Along an axis on which a mesh is flat the root still has this share of its longest half size.
constexpr double kThinnest = 1.0 / 1024;
constexpr double kPaddingsPerLeaf = 16;
constexpr std::size_t kMostEntries = std::numeric_limits<std::int32_t>::max();

}  // namespace

void check_triangles(std::span<const Vec3> vertices, std::span<const Triangle> triangles)
{
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const std::int32_t corner : triangles[t]) {
            if (corner < 0 || static_cast<std::size_t>(corner) >= vertices.size())
                throw Error(Problem{.message = fmt::format("triangle {} has corner {}, expected 0 to {}", t, corner,
                                                           static_cast<std::int64_t>(vertices.size()) - 1),
                                    .cure = "correct the list of triangles"});
            if (!is_finite(vertices[static_cast<std::size_t>(corner)]))
                throw Error(Problem{.message = fmt::format("vertex {} of triangle {} is not finite", corner, t),
                                    .cure = "give the mesh finite coordinates"});
        }
}

// What only the build needs. `waiting` is a stack: a node's triangles lie at its end while the node is split.
struct TriangleOctree::Build {
    std::span<const Vec3> vertices;
    std::span<const Triangle> triangles;
    std::vector<std::int32_t> waiting;

    const Vec3& corner(std::int32_t triangle, std::size_t which) const
    {
        return vertices[static_cast<std::size_t>(triangles[static_cast<std::size_t>(triangle)][which])];
    }
    bool touches(std::int32_t triangle, const AlignedBox& box) const
    {
        return triangle_overlaps_box(corner(triangle, 0), corner(triangle, 1), corner(triangle, 2), box);
    }
    bool fits(std::int32_t triangle, const AlignedBox& box) const
    {
        return holds(box, bounds_of_triangle(corner(triangle, 0), corner(triangle, 1), corner(triangle, 2)));
    }
    AlignedBox bounds() const
    {
        const double infinity = std::numeric_limits<double>::infinity();
        Vec3 lowest{infinity, infinity, infinity}, highest = -lowest;
        for (const Triangle& t : triangles)
            for (const std::int32_t v : t)
                for (int k = 0; k < 3; ++k) {
                    const double coordinate = vertices[static_cast<std::size_t>(v)][k];
                    lowest[k] = std::min(lowest[k], coordinate), highest[k] = std::max(highest[k], coordinate);
                }
        return {lowest + (highest - lowest) * 0.5, (highest - lowest) * 0.5};
    }
};

struct TriangleOctree::Octants {
    std::size_t end = 0;                // of the triangles that stay
    std::array<std::size_t, 9> list{};  // where those of each octant begin, and the end of the last

    bool is_empty(unsigned octant) const { return list[octant] == list[octant + 1]; }
};

TriangleOctree::TriangleOctree(std::span<const Vec3> vertices, std::span<const Triangle> triangles,
                               const OctreeOptions& options)
    : options_{options}
{
    check_options(options);
    check_triangles(vertices, triangles);
    if (triangles.empty()) return;
    Build build{vertices, triangles, {}};
    size_boxes(build.bounds());
    for (std::size_t t = 0; t < triangles.size(); ++t) build.waiting.push_back(static_cast<std::int32_t>(t));
    nodes_.emplace_back();
    split(build, {0, 0, root_.middle.x, root_.middle.y, root_.middle.z}, 0);
    nodes_.shrink_to_fit(), entries_.shrink_to_fit();
}

/// Root and boxes of every level over triangles within these bounds.
void TriangleOctree::size_boxes(const AlignedBox& bounds)
{
    root_ = bounds;
    // Far from the origin the coordinates themselves are coarser than a share of the size.
    const double longest = largest_coordinate(bounds.half), coordinate = largest_coordinate(bounds.middle) + longest;
    const double padding =
        kOctreePadding * 2 * norm(bounds.half) + 64 * std::numeric_limits<double>::epsilon() * coordinate;
    for (int k = 0; k < 3; ++k) root_.half[k] = std::max(bounds.half[k], kThinnest * longest) + padding;
    // Leaves thinner than their padding would all hold the same triangles.
    const double thinnest = std::min({root_.half.x, root_.half.y, root_.half.z});
    while (options_.height > 1 && std::ldexp(thinnest, 1 - options_.height) <= kPaddingsPerLeaf * padding)
        --options_.height;
    for (int level = 0; level < options_.height; ++level) {
        const Vec3 half = root_.half * std::ldexp(1.0, -level);
        steps_[static_cast<std::size_t>(level)] = half * 0.5;
        halves_[static_cast<std::size_t>(level)] = half + Vec3{padding, padding, padding};
    }
}

/// Makes waiting[begin, end) the list of the node.
void TriangleOctree::keep(Build& build, std::int32_t node, std::size_t begin, std::size_t end)
{
    if (entries_.size() + (end - begin) > kMostEntries || nodes_.size() > kMostEntries - 8)
        throw Error(Problem{.message = fmt::format("an octree of height {} over {} triangles has more than {} entries",
                                                   options_.height, build.triangles.size(), kMostEntries),
                            .cure = "use fewer levels or a leaf capacity above 0"});
    nodes_[static_cast<std::size_t>(node)].first_entry = static_cast<std::int32_t>(entries_.size());
    nodes_[static_cast<std::size_t>(node)].entry_count = static_cast<std::int32_t>(end - begin);
    const auto waiting = std::span(build.waiting).subspan(begin, end - begin);
    entries_.insert(entries_.end(), waiting.begin(), waiting.end());
}

/// Copies triangles of waiting[begin, its end) to lists of the octants behind it, or moves them if each is stored once.
TriangleOctree::Octants TriangleOctree::distribute(Build& build, const Place& place, std::size_t begin) const
{
    std::vector<std::int32_t>& waiting = build.waiting;
    const bool stores_once = options_.storage == OctreeStorage::containing_node;
    Octants octants{.end = waiting.size()};
    for (unsigned octant = 0; octant < 8; ++octant) {
        AlignedBox box = box_of(child_place(place, 0, octant));
        // What a box holds without its padding is found with some room for rounding.
        if (stores_once) box.half = steps_[static_cast<std::size_t>(place.level)];
        octants.list[octant] = waiting.size();
        std::size_t left = begin;
        for (std::size_t i = begin; i < octants.end; ++i) {
            const std::int32_t triangle = waiting[i];
            const bool goes_down = stores_once ? build.fits(triangle, box) : build.touches(triangle, box);
            if (goes_down) waiting.push_back(triangle);
            if (!stores_once || !goes_down) waiting[left++] = triangle;
        }
        octants.end = left;
    }
    octants.list[8] = waiting.size();
    return octants;
}

/// Hands waiting[begin, its end) on to children, or keeps it, and takes it off the stack.
void TriangleOctree::split(Build& build, const Place& place, std::size_t begin)
{
    const std::size_t count = build.waiting.size() - begin;
    if (place.level + 1 == options_.height || count <= static_cast<std::size_t>(options_.leaf_capacity)) {
        keep(build, place.node, begin, begin + count);
        build.waiting.resize(begin);
        return;
    }
    const Octants octants = distribute(build, place, begin);
    if (options_.storage == OctreeStorage::containing_node) keep(build, place.node, begin, octants.end);
    auto child = static_cast<std::int32_t>(nodes_.size());
    Node& node = nodes_[static_cast<std::size_t>(place.node)];
    node.first_child = child;
    for (unsigned octant = 0; octant < 8; ++octant)
        if (!octants.is_empty(octant)) node.children = static_cast<std::uint8_t>(node.children | 1U << octant);
    child += std::popcount(node.children);
    nodes_.resize(static_cast<std::size_t>(child));
    // Backwards, since the last octant's triangles lie at the end of the stack.
    for (unsigned octant = 8; octant-- > 0;)
        if (!octants.is_empty(octant)) split(build, child_place(place, --child, octant), octants.list[octant]);
    build.waiting.resize(begin);
}

std::int64_t TriangleOctree::candidates(const Vec3& a, const Vec3& b, std::vector<std::int32_t>& out) const
{
    out.clear();
    const std::int64_t boxes =
        search(a, b, [&](std::span<const std::int32_t> found) { out.insert(out.end(), found.begin(), found.end()); });
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return boxes;
}

std::size_t TriangleOctree::leaf_count() const
{
    return static_cast<std::size_t>(
        std::count_if(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.children == 0; }));
}

std::size_t TriangleOctree::memory_bytes() const
{
    return nodes_.capacity() * sizeof(Node) + entries_.capacity() * sizeof(std::int32_t);
}

}  // namespace pliant
