// SPDX-License-Identifier: MIT
#include <pliant/audit/face_tree.h>

#include <algorithm>
#include <limits>

#include <pliant/base/parallel.h>

namespace pliant {

namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr std::size_t kFacesAtOnce = 1024;
constexpr std::size_t kNodesAtOnce = 256;

FaceBox box_of(const Vec3& a, const Vec3& b, const Vec3& c)
{
    FaceBox box;
    for (int k = 0; k < 3; ++k) box.low[k] = std::min({a[k], b[k], c[k]}), box.high[k] = std::max({a[k], b[k], c[k]});
    return box;
}

// Moves the lowest 21 bits apart, so that two others fit between any two of them.
std::uint64_t spread(std::uint64_t bits)
{
    bits = (bits | bits << 32) & 0x001f00000000ffffULL;
    bits = (bits | bits << 16) & 0x001f0000ff0000ffULL;
    bits = (bits | bits << 8) & 0x100f00f00f00f00fULL;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3ULL;
    return (bits | bits << 2) & 0x1249249249249249ULL;
}

// The space around all faces in steps of 2^-21. Where rounding puts a middle matters for speed alone.
class MortonCurve {
public:
    explicit MortonCurve(const FaceBox& all) : low_(all.low)
    {
        constexpr double kSteps = 2097151;
        for (int k = 0; k < 3; ++k) {
            const double size = all.high[k] - all.low[k];
            scale_[k] = size > 0 && size < kFar ? kSteps / size : 0;
        }
    }
    std::uint64_t code(const FaceBox& box) const
    {
        std::uint64_t bits = 0;
        for (int k = 0; k < 3; ++k) {
            const double middle = (0.5 * box.low[k] + 0.5 * box.high[k] - low_[k]) * scale_[k];
            const double step = middle > 0 ? std::min(middle, 2097151.0) : 0;
            bits |= spread(static_cast<std::uint64_t>(step)) << k;
        }
        return bits;
    }

private:
    Vec3 low_, scale_;
};

}  // namespace

void FaceTree::Node::set(std::size_t child, const FaceBox& box)
{
    for (int k = 0; k < 3; ++k) low[k][child] = box.low[k], high[k][child] = box.high[k];
}

void FaceTree::Node::clear(std::size_t child)
{
    set(child, {{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}});
}

FaceBox FaceTree::Node::whole() const
{
    FaceBox box;
    for (int k = 0; k < 3; ++k) {
        box.low[k] = *std::min_element(low[k].begin(), low[k].end());
        box.high[k] = *std::max_element(high[k].begin(), high[k].end());
    }
    return box;
}

void FaceTree::find_boxes(std::span<const Triangle> faces, std::span<const Vec3> x)
{
    boxes_.resize(faces.size());
    parallel_for(faces.size(), kFacesAtOnce, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t f = begin; f < end; ++f) boxes_[f] = box_of(x[faces[f][0]], x[faces[f][1]], x[faces[f][2]]);
    });
}

void FaceTree::sort_faces()
{
    FaceBox all{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
    for (const FaceBox& box : boxes_)
        for (int k = 0; k < 3; ++k)
            all.low[k] = std::min(all.low[k], box.low[k]), all.high[k] = std::max(all.high[k], box.high[k]);
    const MortonCurve curve(all);
    order_.resize(boxes_.size());
    parallel_for(boxes_.size(), kFacesAtOnce, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t f = begin; f < end; ++f) order_[f] = {curve.code(boxes_[f]), static_cast<std::int32_t>(f)};
    });
    std::sort(order_.begin(), order_.end(), [](const PlacedFace& a, const PlacedFace& b) {
        return a.code != b.code ? a.code < b.code : a.face < b.face;
    });
}

void FaceTree::lay_out_levels()
{
    levels_.clear();
    std::size_t first = 0;
    for (std::size_t items = order_.size(); levels_.empty() || items > 1;) {
        items = items / kChildren + (items % kChildren != 0 ? 1 : 0);
        levels_.push_back({first, items});
        first += items;
    }
    nodes_.resize(first);
}

void FaceTree::build(std::span<const Triangle> faces, std::span<const Vec3> x)
{
    find_boxes(faces, x);
    sort_faces();
    lay_out_levels();
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        const std::size_t items = l == 0 ? order_.size() : levels_[l - 1].count;
        parallel_for(levels_[l].count, kNodesAtOnce, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t n = begin; n < end; ++n)
                for (std::size_t child = 0; child < kChildren; ++child) {
                    Node& node = nodes_[levels_[l].first + n];
                    const std::size_t item = n * kChildren + child;
                    if (item >= items)
                        node.clear(child);
                    else
                        node.set(child,
                                 l == 0 ? boxes_[order_[item].face] : nodes_[levels_[l - 1].first + item].whole());
                }
        });
    }
}

}  // namespace pliant
