// SPDX-License-Identifier: MIT
#include <pliant/contact/triangle_trees.h>

#include <algorithm>
#include <array>

#include <pliant/base/error.h>
#include <pliant/base/parallel.h>

namespace pliant {

namespace {

// Faces of a branch that one task cuts or refits.
constexpr std::int32_t kLimbFaces = 1024;
// Visits with more faces are divided before the walk: so many, or this share of all.
constexpr std::int32_t kFewestVisitFaces = 256;
constexpr std::int32_t kVisitShare = 128;
// A tree is cut anew when its boxes have grown so much.
constexpr double kWorstGrowth = 1.5;
// A walk takes so many nodes at once, whose memory can then be fetched together. It leaves less than three times as
// many behind on each of 64 levels of two trees.
constexpr std::size_t kBatch = 16;
constexpr std::size_t kMostWaiting = 8192;
// Of two nodes only the one that is so much larger is divided, otherwise both are.
constexpr float kMuchLarger = 2;
// Paths of whole trees are made longer by more than the rounding of a box test.
constexpr double kSweepSlack = 1 + 0x1p-18;

}  // namespace

TriangleTrees::Branch TriangleTrees::Branch::left() const
{
    return {tree, below, below + 2, first, count / 2};
}

TriangleTrees::Branch TriangleTrees::Branch::right() const
{
    const std::int32_t before = count / 2;
    return {tree, below + 1, below + 2 * before, first + before, count - before};
}

TriangleTrees::Areas& TriangleTrees::Areas::operator+=(const Areas& other)
{
    inner += other.inner, leaves += other.leaves;
    return *this;
}

TriangleTrees::TriangleTrees(const CollisionSurface& surface, std::span<const Vec3> x)
    : features_(surface)
    , places_(surface.faces.size())
{
    PLIANT_ASSERT(x.size() >= surface.node_count(), "a place for every point");
    PLIANT_ASSERT(surface.faces.size() < std::size_t{1} << 29, "nodes are numbered in 31 bits");
    features_.take_motion(x, x);
    lay_out();
    cut_and_refit();
}

/// Gives every body its faces, its nodes and its branches.
void TriangleTrees::lay_out()
{
    std::vector<std::int32_t> faces_of(static_cast<std::size_t>(features_.body_count()) + 1);
    const auto face_total = static_cast<std::int32_t>(features_.face_count());
    for (std::int32_t f = 0; f < face_total; ++f) ++faces_of[static_cast<std::size_t>(features_.face(f).body) + 1];
    for (std::size_t b = 1; b < faces_of.size(); ++b) faces_of[b] += faces_of[b - 1];
    std::int32_t next_node = 0;
    std::vector<Branch> level;
    for (std::int32_t b = 0; b < features_.body_count(); ++b) {
        const std::int32_t first = faces_of[static_cast<std::size_t>(b)];
        const std::int32_t count = faces_of[static_cast<std::size_t>(b) + 1] - first;
        if (count == 0) continue;
        level.push_back({static_cast<std::int32_t>(trees_.size()), next_node, next_node + 1, first, count});
        trees_.push_back({.body = b, .root = next_node});
        next_node += 2 * count - 1;
    }
    nodes_.resize(static_cast<std::size_t>(next_node));
    for (std::int32_t f = 0; f < face_total; ++f)
        places_[static_cast<std::size_t>(faces_of[static_cast<std::size_t>(features_.face(f).body)]++)].face = f;
    while (!level.empty()) {
        level_of_.push_back(tops_.size());
        std::vector<Branch> lower;
        for (const Branch& branch : level)
            if (branch.count > kLimbFaces)
                tops_.push_back(branch), lower.push_back(branch.left()), lower.push_back(branch.right());
            else
                limbs_.push_back(branch);
        level = lower;
    }
    level_of_.push_back(tops_.size());
    limb_areas_.resize(limbs_.size());
    by_start_.resize(trees_.size());
}

/// Cuts the trees that ask for it where the vertices are now.
void TriangleTrees::cut_trees()
{
    place_faces();
    const auto cuts = [&](const Branch& branch) { return trees_[static_cast<std::size_t>(branch.tree)].is_to_cut; };
    for (std::size_t level = 0; level + 1 < level_of_.size(); ++level) {
        const auto branches = std::span(tops_).subspan(level_of_[level], level_of_[level + 1] - level_of_[level]);
        parallel_for(branches.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i)
                if (cuts(branches[i])) split(branches[i]);
        });
    }
    parallel_for(limbs_.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i)
            if (cuts(limbs_[i])) cut(limbs_[i]);
    });
}

/// Middles of all faces. What is not finite has no middle and goes anywhere, as long as the order is one.
void TriangleTrees::place_faces()
{
    parallel_for(places_.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            const MovingBox box = features_.face_box(places_[i].face);
            for (int k = 0; k < 3; ++k) {
                const auto middle = static_cast<float>(0.5 * (box.lowest(k) + box.highest(k)));
                places_[i].middle[k] = std::isfinite(middle) ? middle : 0;
            }
        }
    });
}

/// Halves the faces of a branch at their median and ties its node to its children.
void TriangleTrees::split(const Branch& branch)
{
    const auto places =
        std::span(places_).subspan(static_cast<std::size_t>(branch.first), static_cast<std::size_t>(branch.count));
    float lowest[3], highest[3];
    for (int k = 0; k < 3; ++k) lowest[k] = highest[k] = places[0].middle[k];
    for (const Place& place : places)
        for (int k = 0; k < 3; ++k) {
            lowest[k] = std::min(lowest[k], place.middle[k]);
            highest[k] = std::max(highest[k], place.middle[k]);
        }
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (highest[k] - lowest[k] > highest[axis] - lowest[axis]) axis = k;
    std::nth_element(places.begin(), places.begin() + branch.count / 2, places.end(),
                     [axis](const Place& a, const Place& b) {
                         return a.middle[axis] != b.middle[axis] ? a.middle[axis] < b.middle[axis] : a.face < b.face;
                     });
    node(branch.node).set_tag(kChildTag, branch.below);
    node(branch.node).set_tag(kFaceTag, branch.count);
}

void TriangleTrees::cut(const Branch& branch)
{
    if (branch.count == 1) {
        node(branch.node).set_tag(kChildTag, -1);
        node(branch.node).set_tag(kFaceTag, places_[static_cast<std::size_t>(branch.first)].face);
        return;
    }
    split(branch);
    cut(branch.left());
    cut(branch.right());
}

namespace {

/// Sets the lane of sizes; returns half the area of the surface of the box.
template <class Node>
double measure(Node& node, int size_lane)
{
    const float dx = node.start[0] + node.start[4], dy = node.start[1] + node.start[5],
                dz = node.start[2] + node.start[6];
    node.motion[size_lane] = dx + dy + dz;
    return static_cast<double>(dx) * dy + static_cast<double>(dy) * dz + static_cast<double>(dz) * dx;
}

}  // namespace

TriangleTrees::Areas TriangleTrees::refit_leaf(Node& node) const
{
    Node fitted = features_.face_box(face(node));
    fitted.set_tag(kChildTag, -1), fitted.set_tag(kFaceTag, face(node));
    const double area = measure(fitted, kSizeLane);
    node = fitted;
    return {0, area};
}

TriangleTrees::Areas TriangleTrees::refit_inner(Node& node) const
{
    const std::int32_t left = child(node);
    Node fitted = united(this->node(left), this->node(left + 1));
    fitted.set_tag(kChildTag, left), fitted.set_tag(kFaceTag, node.tag(kFaceTag));
    const double area = measure(fitted, kSizeLane);
    node = fitted;
    return {area, 0};
}

void TriangleTrees::refit()
{
    const auto fit = [&](std::int32_t n) {
        Node& here = node(n);
        return is_leaf(here) ? refit_leaf(here) : refit_inner(here);
    };
    parallel_for(limbs_.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            const Branch& limb = limbs_[i];
            Areas areas;
            for (std::int32_t n = limb.below + 2 * limb.count - 2; n-- > limb.below;) areas += fit(n);
            areas += fit(limb.node);
            limb_areas_[i] = areas;
        }
    });
    for (Tree& tree : trees_) tree.areas = {};
    for (std::size_t i = 0; i < limbs_.size(); ++i)
        trees_[static_cast<std::size_t>(limbs_[i].tree)].areas += limb_areas_[i];
    for (std::size_t i = tops_.size(); i-- > 0;)
        trees_[static_cast<std::size_t>(tops_[i].tree)].areas += fit(tops_[i].node);
}

/// Cuts the trees that ask for it; what their boxes are then is what later ones are compared with.
void TriangleTrees::cut_and_refit()
{
    cut_trees();
    refit();
    for (Tree& tree : trees_) {
        if (tree.is_to_cut) tree.built_cost = tree.areas.cost();
        tree.is_to_cut = false;
    }
}

/// Refits; cuts anew what has become too wide.
void TriangleTrees::take_positions(const PairSearch& search)
{
    features_.check(search);
    features_.take_motion(search.x0, search.x1);
    refit();
    std::int64_t bad_count = 0;
    for (Tree& tree : trees_) {
        tree.is_to_cut = tree.areas.cost() > kWorstGrowth * tree.built_cost;
        if (tree.is_to_cut) ++bad_count;
    }
    if (bad_count > 0) cut_and_refit();
    rebuild_count_ += bad_count;
}

/// Trees in order of where their paths begin along the axis on which they lie farthest apart.
void TriangleTrees::order_trees(const PairSearch& search)
{
    const double infinity = std::numeric_limits<double>::infinity();
    int axis = 0;
    double widest = -infinity;
    for (int k = 0; k < 3; ++k) {
        double first = infinity, last = -infinity;
        for (const Tree& tree : trees_) {
            const double middle = node(tree.root).lowest(k) + node(tree.root).highest(k);
            first = std::min(first, middle), last = std::max(last, middle);
        }
        if (last - first > widest) widest = last - first, axis = k;
    }
    for (Tree& tree : trees_) {
        const Node& root = node(tree.root);
        const double reach = search.reach[static_cast<std::size_t>(tree.body)];
        tree.from = root.lowest(axis) - kSweepSlack * (reach + std::max(0.0, -root.least_motion(axis)));
        tree.to = root.highest(axis) + kSweepSlack * (reach + std::max(0.0, root.most_motion(axis)));
    }
    for (std::size_t i = 0; i < by_start_.size(); ++i) by_start_[i] = static_cast<std::int32_t>(i);
    // What is not a number goes first, so that the order is one.
    const auto start = [&](std::int32_t t) {
        const double from = trees_[static_cast<std::size_t>(t)].from;
        return std::isnan(from) ? -infinity : from;
    };
    std::sort(by_start_.begin(), by_start_.end(),
              [&](std::int32_t a, std::int32_t b) { return start(a) != start(b) ? start(a) < start(b) : a < b; });
}

/// Walks the upper parts of all trees that can meet; what is left are visits of about equal size.
void TriangleTrees::list_visits(const PairSearch& search)
{
    visits_.clear();
    upper_counters_ = {};
    order_trees(search);
    const auto most_faces =
        std::max(kFewestVisitFaces, static_cast<std::int32_t>(features_.face_count()) / kVisitShare);
    const auto enter = [&](const Tree& i, const Tree& j) {
        const float reach = rounded_reach(search.pair_reach(i.body, j.body));
        if (i.root != j.root) {
            ++upper_counters_.box_tests;
            if (!overlap(node(i.root), node(j.root), reach)) return;
        }
        upper_counters_.box_tests += walk({i.root, j.root, reach}, most_faces, [&](std::int32_t a, std::int32_t b) {
            visits_.push_back({a, b, reach});
        });
    };
    for (std::size_t i = 0; i < by_start_.size(); ++i) {
        const Tree& tree = trees_[static_cast<std::size_t>(by_start_[i])];
        if (search.counts(tree.body, tree.body)) enter(tree, tree);
        for (std::size_t j = i + 1; j < by_start_.size(); ++j) {
            const Tree& other = trees_[static_cast<std::size_t>(by_start_[j])];
            if (other.from > tree.to) break;
            if (search.counts(tree.body, other.body)) enter(tree, other);
        }
    }
}

/// Calls found(a, b) for nodes of overlapping boxes that have no more than `most_faces` faces between them, or
/// are both leaves; a may be b. Returns the number of box tests. The boxes it starts with must overlap.
template <class Found>
std::int64_t TriangleTrees::walk(const Visit& from, std::int32_t most_faces, Found&& found) const
{
    struct Waiting {
        std::int32_t a, b;
    };
    std::array<Waiting, kMostWaiting> stack;
    std::array<Waiting, kBatch> batch;
    std::size_t waiting = 0;
    std::int64_t tests = 0;
    stack[waiting++] = {from.a, from.b};
    // Written whether near or not: no processor can guess which.
    const auto push_if_near = [&](std::int32_t a, std::int32_t b) {
        ++tests;
        stack[waiting] = {a, b};
        waiting += overlap(node(a), node(b), from.reach) ? 1 : 0;
    };
    while (waiting > 0) {
        const std::size_t taken = std::min(waiting, kBatch);
        waiting -= taken;
        PLIANT_ASSERT(waiting + 4 * kBatch <= kMostWaiting, "a walk leaves few nodes behind on each level");
        std::copy_n(stack.begin() + static_cast<std::ptrdiff_t>(waiting), taken, batch.begin());
        for (std::size_t i = 0; i < taken; ++i) {
            const auto [a, b] = batch[i];
            const Node &na = node(a), &nb = node(b);
            const std::int32_t left_a = child(na), left_b = child(nb);
            if (left_a < 0 && left_b < 0) {
                if (a != b) found(a, b);
            } else if (face_count(na) + face_count(nb) <= most_faces) {
                found(a, b);
            } else if (a == b) {
                stack[waiting++] = {left_a, left_a};
                stack[waiting++] = {left_a + 1, left_a + 1};
                push_if_near(left_a, left_a + 1);
            } else if (left_b < 0 || (left_a >= 0 && na.motion[kSizeLane] > kMuchLarger * nb.motion[kSizeLane])) {
                push_if_near(left_a, b);
                push_if_near(left_a + 1, b);
            } else if (left_a < 0 || nb.motion[kSizeLane] > kMuchLarger * na.motion[kSizeLane]) {
                push_if_near(a, left_b);
                push_if_near(a, left_b + 1);
            } else {
                push_if_near(left_a, left_b);
                push_if_near(left_a, left_b + 1);
                push_if_near(left_a + 1, left_b);
                push_if_near(left_a + 1, left_b + 1);
            }
        }
    }
    return tests;
}

/// Calls found(leaf, leaf) for all pairs of faces that a visit leads to.
template <class Found>
SearchCounters TriangleTrees::visit_faces(const Visit& visit, Found&& found) const
{
    SearchCounters counters;
    counters.box_tests = walk(visit, 0, [&](std::int32_t a, std::int32_t b) {
        ++counters.face_pairs;
        found(node(a), node(b));
    });
    return counters;
}

SearchCounters TriangleTrees::find(std::vector<SurfacePair>& pairs, const PairSearch& search)
{
    take_positions(search);
    list_visits(search);
    features_.list_neighbours(search);
    const std::size_t parts = features_.neighbour_part_count(search);
    SearchCounters total = found_pairs_.collect(
        pairs, visits_.size() + parts, [&](std::vector<SurfacePair>& found, std::size_t task) -> SearchCounters {
            if (task < parts) return features_.offer_neighbours(found, task, search), SearchCounters{};
            const Visit& visit = visits_[task - parts];
            return visit_faces(visit, [&](const Node& a, const Node& b) {
                if (features_.face(face(a)).is_neighbour(features_.face(face(b)))) return;
                features_.offer(found, face(a), a, face(b), b, visit.reach);
            });
        });
    return total += upper_counters_;
}

SearchCounters TriangleTrees::find_face_pairs(std::vector<std::array<std::int32_t, 2>>& pairs, const PairSearch& search)
{
    take_positions(search);
    list_visits(search);
    SearchCounters total = found_faces_.collect(
        pairs, visits_.size(), [&](std::vector<std::array<std::int32_t, 2>>& found, std::size_t task) {
            return visit_faces(visits_[task], [&](const Node& a, const Node& b) {
                found.push_back({std::min(face(a), face(b)), std::max(face(a), face(b))});
            });
        });
    return total += upper_counters_;
}

std::vector<TreeBox> TriangleTrees::boxes(std::int32_t body) const
{
    std::vector<TreeBox> found;
    const auto tree = std::find_if(trees_.begin(), trees_.end(), [&](const Tree& t) { return t.body == body; });
    if (tree == trees_.end()) return found;
    std::vector<std::pair<std::int32_t, int>> waiting{{tree->root, 0}};
    while (!waiting.empty()) {
        const auto [n, depth] = waiting.back();
        waiting.pop_back();
        const Node& here = node(n);
        TreeBox box{.depth = depth, .is_leaf = is_leaf(here)};
        for (int k = 0; k < 3; ++k) {
            box.lowest[k] = here.lowest(k), box.highest[k] = here.highest(k);
            box.swept_lowest[k] = here.lowest(k) + std::min(0.0, here.least_motion(k));
            box.swept_highest[k] = here.highest(k) + std::max(0.0, here.most_motion(k));
        }
        found.push_back(box);
        if (box.is_leaf) continue;
        waiting.emplace_back(child(here) + 1, depth + 1);
        waiting.emplace_back(child(here), depth + 1);
    }
    return found;
}

}  // namespace pliant
