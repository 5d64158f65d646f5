// SPDX-License-Identifier: MIT
#include <pliant/contact/sweep_and_prune.h>

#include <algorithm>
#include <bit>
#include <limits>

#include <pliant/base/error.h>
#include <pliant/base/parallel.h>

namespace pliant {

namespace {

// Beyond this many swaps for each end, motion is so wild that sorting anew is cheaper.
constexpr std::uint64_t kMostSwapsPerEnd = 64;
constexpr std::size_t kGrain = 512;

SweptBox path_box(const PathCurve& curve, double thickness)
{
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    SweptBox box{curve[0], curve[0]};
    for (const Vec3& point : curve) {
        if (!is_finite(point)) return {{kNaN, kNaN, kNaN}, {kNaN, kNaN, kNaN}};
        for (int k = 0; k < 3; ++k) {
            box.lowest[k] = std::min(box.lowest[k], point[k]);
            box.highest[k] = std::max(box.highest[k], point[k]);
        }
    }
    const Vec3 wider{thickness, thickness, thickness};
    return {box.lowest - wider, box.highest + wider};
}

template <std::size_t N>
SweptBox union_of(const std::array<std::int32_t, N>& nodes, const CollisionSurface& surface,
                  const std::vector<SweptBox>& vertex)
{
    const auto box_of = [&](std::int32_t node) { return vertex[surface.vertex_of_node[node]]; };
    SweptBox box = box_of(nodes[0]);
    for (std::size_t i = 1; i < N; ++i) {
        const SweptBox other = box_of(nodes[i]);
        for (int k = 0; k < 3; ++k) {
            box.lowest[k] = std::min(box.lowest[k], other.lowest[k]);
            box.highest[k] = std::max(box.highest[k], other.highest[k]);
        }
    }
    return box;
}

bool are_sound(const std::vector<SweptBox>& boxes)
{
    return std::all_of(boxes.begin(), boxes.end(), [](const SweptBox& box) {
        return is_finite(box.lowest) && is_finite(box.highest) && box.lowest.x <= box.highest.x &&
               box.lowest.y <= box.highest.y && box.lowest.z <= box.highest.z;
    });
}

}  // namespace

void make_swept_boxes(SweptBoxes& boxes, const CollisionSurface& surface, const StepMotion& motion, double thickness)
{
    boxes.vertex.resize(surface.vertices.size());
    boxes.edge.resize(surface.edges.size());
    boxes.face.resize(surface.faces.size());
    parallel_for(boxes.vertex.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v)
            boxes.vertex[v] = path_box(motion.curve(surface.vertices[v]), thickness);
    });
    parallel_for(boxes.edge.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t e = begin; e < end; ++e) boxes.edge[e] = union_of(surface.edges[e], surface, boxes.vertex);
    });
    parallel_for(boxes.face.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t f = begin; f < end; ++f) boxes.face[f] = union_of(surface.faces[f], surface, boxes.vertex);
    });
}

SurfacePair SweepAndPrune::Group::pair(std::uint32_t i, std::uint32_t j) const
{
    const auto first = static_cast<std::int32_t>(std::min(i, j));
    const auto second = static_cast<std::int32_t>(std::max(i, j) - vertex_count);
    return {kind, first, second};
}

SweepAndPrune::SweepAndPrune(const CollisionSurface& surface, PairStore store)
    : surface_(&surface)
    , has_tables_(chosen_store(store, surface) == PairStore::bit_tables)
{
    const std::size_t vertices = surface.vertices.size();
    const std::array<std::size_t, 2> item_count{vertices + surface.faces.size(), surface.edges.size()};
    groups_[0].vertex_count = static_cast<std::uint32_t>(vertices);
    groups_[1].kind = PairKind::edge_edge;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        PLIANT_ASSERT(item_count[g] < std::size_t{1} << 31, "too many surface elements");
        groups_[g].box.resize(item_count[g]);
        groups_[g].before.resize(item_count[g]);
        for (Axis& axis : groups_[g].axis) {
            axis.place.resize(item_count[g]);
            for (std::uint32_t code = 0; code < 2 * item_count[g]; ++code) axis.ends.push_back({.code = code});
        }
    }
    if (has_tables_) overlaps_on_.fill(PairBits(surface));
}

bool SweepAndPrune::update(const SweptBoxes& boxes)
{
    if (!are_sound(boxes.vertex) || !are_sound(boxes.edge) || !are_sound(boxes.face)) return false;
    counts_.swaps = 0;
    take_boxes(boxes);
    bool needs_rebuild = !is_sorted_;
    if (is_sorted_) {
        for_each_axis(&SweepAndPrune::sort_by_swapping);
        for (const Group& group : groups_)
            for (const Axis& axis : group.axis) {
                counts_.swaps += axis.swaps;
                needs_rebuild = needs_rebuild || axis.gave_up;
            }
    }
    if (needs_rebuild) {
        rebuild();
    } else if (!has_tables_) {
        apply_changes();
    }
    is_sorted_ = true;
    return true;
}

void SweepAndPrune::take_boxes(const SweptBoxes& boxes)
{
    Group &faces = groups_[0], &edges = groups_[1];
    PLIANT_ASSERT(boxes.vertex.size() == faces.vertex_count && boxes.edge.size() == edges.box.size() &&
                      boxes.vertex.size() + boxes.face.size() == faces.box.size(),
                  "one box for each element of the surface");
    for (Group& group : groups_) group.before.swap(group.box);
    const auto face_boxes = std::copy(boxes.vertex.begin(), boxes.vertex.end(), faces.box.begin());
    std::copy(boxes.face.begin(), boxes.face.end(), face_boxes);
    std::copy(boxes.edge.begin(), boxes.edge.end(), edges.box.begin());
    for (Group& group : groups_)
        for (int k = 0; k < 3; ++k)
            for (End& end : group.axis[static_cast<std::size_t>(k)].ends) {
                const SweptBox& box = group.box[end.item()];
                end.value = end.is_upper() ? box.highest[k] : box.lowest[k];
            }
}

void SweepAndPrune::for_each_axis(void (SweepAndPrune::*work)(Group& group, int axis))
{
    // Axes of a group and groups write to different places: own lists, own tables, or own rows of a table.
    parallel_for(6, 1, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t k = begin; k < end; ++k) (this->*work)(groups_[k / 3], static_cast<int>(k % 3));
    });
}

void SweepAndPrune::sort_by_swapping(Group& group, int axis)
{
    Axis& list = group.axis[static_cast<std::size_t>(axis)];
    std::vector<End>& ends = list.ends;
    const std::uint64_t most_swaps = kMostSwapsPerEnd * ends.size();
    list.swaps = 0, list.gave_up = false;
    list.begun.clear(), list.ceased.clear();
    for (std::size_t i = 1; i < ends.size(); ++i) {
        const End moved = ends[i];
        std::size_t j = i;
        for (; j > 0 && moved.is_before(ends[j - 1]); --j) {
            if (moved.is_upper() != ends[j - 1].is_upper()) note_swap(group, axis, moved, ends[j - 1]);
            ends[j] = ends[j - 1];
        }
        ends[j] = moved;
        list.swaps += i - j;
        if (list.swaps > most_swaps) {
            list.gave_up = true;
            return;
        }
    }
}

void SweepAndPrune::note_swap(Group& group, int axis, const End& moved, const End& passed)
{
    const std::uint32_t i = moved.item(), j = passed.item();
    if (!group.can_pair(i, j)) return;
    const bool begins = !moved.is_upper();  // a lower end comes in front of an upper one
    Axis& list = group.axis[static_cast<std::size_t>(axis)];
    const SurfacePair pair = group.pair(i, j);
    if (has_tables_) {
        PairBits& table = overlaps_on_[static_cast<std::size_t>(axis)];
        begins ? table.set(pair) : table.reset(pair);
    } else if (begins) {
        if (overlap(group.box[i], group.box[j]) && !always_touches(*surface_, pair)) list.begun.push_back(pair.key());
    } else if (overlap(group.before[i], group.before[j])) {
        list.ceased.push_back(pair.key());
    }
}

void SweepAndPrune::apply_changes()
{
    // No pair is in both lists: whoever begins overlaps on all axes, whoever ceases does not on one.
    for (Group& group : groups_)
        for (Axis& axis : group.axis) {
            for (const std::uint64_t key : axis.ceased) overlapping_.erase(key);
            for (const std::uint64_t key : axis.begun) overlapping_.insert(key);
        }
}

/// Calls found(i, j) for all items that may pair and overlap on the axis, whose ends are sorted.
template <class Found>
void SweepAndPrune::sweep(Group& group, int axis, Found&& found)
{
    Axis& list = group.axis[static_cast<std::size_t>(axis)];
    for (auto& open : list.open) open.clear();
    for (const End& end : list.ends) {
        const std::uint32_t item = end.item();
        const std::size_t own = item < group.vertex_count || group.kind == PairKind::edge_edge ? 0 : 1;
        const std::size_t other = group.kind == PairKind::edge_edge ? 0 : 1 - own;
        std::vector<std::uint32_t>& mine = list.open[own];
        if (end.is_upper()) {
            list.place[mine.back()] = list.place[item];
            mine[list.place[item]] = mine.back();
            mine.pop_back();
            continue;
        }
        for (const std::uint32_t partner : list.open[other]) found(item, partner);
        list.place[item] = static_cast<std::uint32_t>(mine.size());
        mine.push_back(item);
    }
}

void SweepAndPrune::sort_anew(Group& group, int axis)
{
    std::vector<End>& ends = group.axis[static_cast<std::size_t>(axis)].ends;
    std::sort(ends.begin(), ends.end(),
              [](const End& a, const End& b) { return a.is_before(b) || (!b.is_before(a) && a.code < b.code); });
    if (!has_tables_) return;
    PairBits& table = overlaps_on_[static_cast<std::size_t>(axis)];
    sweep(group, axis, [&](std::uint32_t i, std::uint32_t j) { table.set(group.pair(i, j)); });
}

void SweepAndPrune::rebuild()
{
    ++counts_.rebuilds;
    if (has_tables_)
        for (PairBits& table : overlaps_on_) table.set_all(false);
    for_each_axis(&SweepAndPrune::sort_anew);
    if (has_tables_) return;
    overlapping_.clear();
    for (Group& group : groups_) {
        if (group.box.empty()) continue;
        const auto extent = [&](int k) {
            const std::vector<End>& ends = group.axis[static_cast<std::size_t>(k)].ends;
            return ends.back().value - ends.front().value;
        };
        const int longest = extent(0) >= extent(1) && extent(0) >= extent(2) ? 0 : extent(1) >= extent(2) ? 1 : 2;
        sweep(group, longest, [&](std::uint32_t i, std::uint32_t j) {
            if (!overlap(group.box[i], group.box[j])) return;
            const SurfacePair pair = group.pair(i, j);
            if (!always_touches(*surface_, pair)) overlapping_.insert(pair.key());
        });
    }
}

void SweepAndPrune::list_candidates(std::vector<SurfacePair>& found, const PairRelevance& relevance)
{
    found.clear();
    const auto offer = [&](const SurfacePair& pair) {
        if (relevance.is_relevant(pair)) found.push_back(pair);
    };
    if (has_tables_) {
        for (std::size_t row = 0; row < overlaps_on_[0].row_count(); ++row) {
            const auto x = overlaps_on_[0].row(row), y = overlaps_on_[1].row(row), z = overlaps_on_[2].row(row);
            const auto relevant = relevance.table() != nullptr ? relevance.table()->row(row) : x;
            for (std::size_t w = 0; w < x.size(); ++w)
                for (std::uint64_t bits = x[w] & y[w] & z[w] & relevant[w]; bits != 0; bits &= bits - 1)
                    offer(overlaps_on_[0].pair(row, 64 * w + static_cast<std::size_t>(std::countr_zero(bits))));
        }
    } else {
        keys_.clear();
        overlapping_.append_to(keys_);
        std::sort(keys_.begin(), keys_.end());
        for (const std::uint64_t key : keys_) offer(SurfacePair::from_key(key));
    }
    counts_.candidates = found.size();
}

}  // namespace pliant
