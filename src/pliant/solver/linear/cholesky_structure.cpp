// SPDX-License-Identifier: MIT
#include <pliant/solver/linear/cholesky_structure.h>

#include <algorithm>
#include <numeric>

#include <pliant/solver/linear/cholesky_panels.h>
#include <pliant/solver/linear/nested_dissection.h>

namespace pliant {

namespace {

using Integers = std::vector<std::int32_t>;

// Subtrees dearer than this share of the whole are split further, so that several threads find enough to do.
constexpr double kTaskShare = 1.0 / 32;

Integers inverse_of(std::span<const std::int32_t> order)
{
    Integers place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::int32_t>(i);
    return place;
}

// Parent of a column: the first row below its diagonal that is not zero, -1 for a root.
Integers elimination_tree(const NodeGraph& graph, std::span<const std::int32_t> order,
                          std::span<const std::int32_t> place)
{
    Integers parent(order.size(), -1), ancestor(order.size(), -1);
    for (std::int32_t row = 0; row < graph.node_count(); ++row)
        for (const std::int32_t node : graph.of(order[row]))
            for (std::int32_t i = place[node]; i >= 0 && i < row;) {
                const std::int32_t next = ancestor[i];
                ancestor[i] = row;
                if (next < 0) parent[i] = row;
                i = next;
            }
    return parent;
}

// Columns such that each subtree is a run that ends with its root, children in the order of their numbers.
Integers postorder(std::span<const std::int32_t> parent)
{
    const auto count = static_cast<std::int32_t>(parent.size());
    Integers first_child(parent.size(), -1), sibling(parent.size(), -1), order, stack;
    order.reserve(parent.size());
    for (std::int32_t i = count; i-- > 0;)
        if (parent[i] >= 0) sibling[i] = first_child[parent[i]], first_child[parent[i]] = i;
    for (std::int32_t root = 0; root < count; ++root) {
        if (parent[root] >= 0) continue;
        stack.push_back(root);
        while (!stack.empty()) {
            const std::int32_t i = stack.back(), child = first_child[i];
            if (child >= 0) {
                first_child[i] = sibling[child];
                stack.push_back(child);
            } else {
                order.push_back(i);
                stack.pop_back();
            }
        }
    }
    return order;
}

// Nodes in each column of L, the diagonal included: row by row, the columns on the ways from its neighbours to it.
Integers column_counts(const NodeGraph& graph, std::span<const std::int32_t> order, std::span<const std::int32_t> place,
                       std::span<const std::int32_t> parent)
{
    Integers count(order.size(), 1), seen_by(order.size(), -1);
    for (std::int32_t row = 0; row < graph.node_count(); ++row) {
        seen_by[row] = row;
        for (const std::int32_t node : graph.of(order[row]))
            for (std::int32_t i = place[node]; i < row && seen_by[i] != row; i = parent[i])
                ++count[i], seen_by[i] = row;
    }
    return count;
}

std::int64_t entries_of_columns(std::span<const std::int32_t> count)
{
    std::int64_t sum = 0;
    for (const std::int32_t c : count) sum += 9 * (std::int64_t{c} - 1) + 6;
    return sum;
}

// Whether panels joined to `width` nodes may hold this share of zeros: a few wide panels beat many thin exact ones.
bool is_worth_joining(std::int32_t width, double zeros)
{
    return width <= 4 || zeros < (width <= 8 ? 0.5 : width <= 16 ? 0.25 : width <= 32 ? 0.1 : 0.05);
}

}  // namespace

std::int64_t factor_nonzeros(const BlockMatrix& pattern, std::span<const std::int32_t> order)
{
    const NodeGraph graph = graph_of(pattern);
    const Integers place = inverse_of(order);
    return entries_of_columns(column_counts(graph, order, place, elimination_tree(graph, order, place)));
}

CholeskyStructure::CholeskyStructure(const BlockMatrix& pattern, std::span<const Vec3> x)
{
    const NodeGraph graph = graph_of(pattern);
    order_ = nested_dissection(graph, x);
    analyse(pattern, graph);
}

CholeskyStructure::CholeskyStructure(const BlockMatrix& pattern, std::span<const std::int32_t> order)
    : order_(order.begin(), order.end())
{
    analyse(pattern, graph_of(pattern));
}

void CholeskyStructure::analyse(const BlockMatrix& pattern, const NodeGraph& graph)
{
    Integers place = inverse_of(order_);
    {
        const Integers parent = elimination_tree(graph, order_, place);
        Integers moved = postorder(parent);
        for (std::int32_t& i : moved) i = order_[i];
        order_ = std::move(moved);
    }
    place = inverse_of(order_);
    const Integers parent = elimination_tree(graph, order_, place);
    const Integers count = column_counts(graph, order_, place, parent);
    nonzeros_ = entries_of_columns(count);
    list_rows(graph, place, join_columns(parent, count));
    list_pulls();
    list_entries(pattern, place);
    count_operations();
    choose_tasks();
    rows_.shrink_to_fit(), panels_.shrink_to_fit();
}

// Columns that differ by their own row only are one supernode; then each takes in the subtrees just before it, as long
// as that brings few zeros. Only neighbours join, so no column has to move.
std::vector<CholeskyStructure::Supernode> CholeskyStructure::join_columns(std::span<const std::int32_t> parent,
                                                                          std::span<const std::int32_t> count)
{
    std::vector<Supernode> joined;
    const auto columns = static_cast<std::int32_t>(parent.size());
    const auto stored = [](std::int64_t width, std::int64_t rows) { return width * (width + 1) / 2 + width * rows; };
    for (std::int32_t j = 0; j < columns;) {
        Supernode top{j, 0, 0, 0};
        for (bool same = true; same; ++j) {
            ++top.width, top.nonzeros += count[j], top.row_count = count[j] - 1;
            same = parent[j] == j + 1 && count[j] == count[j + 1] + 1;
        }
        while (!joined.empty()) {
            const Supernode& below = joined.back();
            const std::int32_t up = parent[top.first - 1], width = below.width + top.width;
            if (up < 0 || up >= top.first + top.width) break;
            const auto size = static_cast<double>(stored(width, top.row_count));
            const auto filled = static_cast<double>(below.nonzeros + top.nonzeros);
            if (!is_worth_joining(width, 1 - filled / size)) break;
            top = {below.first, width, top.row_count, below.nonzeros + top.nonzeros};
            joined.pop_back();
        }
        joined.push_back(top);
    }
    return joined;
}

std::size_t CholeskyStructure::allocated_bytes() const
{
    const auto size = [](const auto& list) { return list.capacity() * sizeof(list[0]); };
    return size(order_) + size(panels_) + size(panel_of_) + size(rows_) + size(pull_start_) + size(entry_start_) +
           size(pulls_) + size(entries_) + size(work_) + size(tasks_) + size(top_);
}

std::size_t CholeskyStructure::bytes(std::size_t scalar_size) const
{
    std::int64_t columns = 0;  // of slices
    for (const Panel& panel : panels_)
        columns +=
            3 * panel.width * (slice_count(panel.width, scalar_size) + slice_count(panel.row_count, scalar_size));
    const std::size_t nodes = order_.size();
    const std::size_t slots = (tasks_.size() + 1) * nodes * sizeof(std::int32_t);
    const std::size_t partial_sums = top_.empty() ? 0 : kMaxChunks * kMostColumns * kLaneBytes;
    return static_cast<std::size_t>(columns) * kSliceBytes + allocated_bytes() + slots + partial_sums +
           3 * nodes * scalar_size + panels_.size() * sizeof(std::int64_t);
}

// Rows of a supernode: its own columns, then those below from A and from the children. Then cuts it into panels.
void CholeskyStructure::list_rows(const NodeGraph& graph, std::span<const std::int32_t> place,
                                  const std::vector<Supernode>& supernodes)
{
    Integers seen_by(order_.size(), -1), first_child(supernodes.size(), -1), sibling(supernodes.size(), -1);
    Integers supernode_of(order_.size());
    std::vector<std::int64_t> start(supernodes.size() + 1, 0);
    for (std::size_t s = 0; s < supernodes.size(); ++s)
        for (std::int32_t j = 0; j < supernodes[s].width; ++j)
            supernode_of[supernodes[s].first + j] = static_cast<std::int32_t>(s);
    for (std::size_t s = 0; s < supernodes.size(); ++s) {
        const auto self = static_cast<std::int32_t>(s);
        const Supernode& supernode = supernodes[s];
        const std::int32_t end = supernode.first + supernode.width;
        for (std::int32_t j = supernode.first; j < end; ++j) rows_.push_back(j);
        const std::size_t below = rows_.size();
        const auto add = [&](std::int32_t row) {
            if (row >= end && seen_by[row] != self) seen_by[row] = self, rows_.push_back(row);
        };
        for (std::int32_t j = supernode.first; j < end; ++j)
            for (const std::int32_t node : graph.of(order_[j])) add(place[node]);
        for (std::int32_t child = first_child[s]; child >= 0; child = sibling[child])
            for (std::int64_t k = start[child] + supernodes[child].width; k < start[child + 1]; ++k) add(rows_[k]);
        std::sort(rows_.begin() + static_cast<std::ptrdiff_t>(below), rows_.end());
        start[s + 1] = static_cast<std::int64_t>(rows_.size());
        if (below < rows_.size()) {
            const std::int32_t up = supernode_of[rows_[below]];
            sibling[s] = first_child[up], first_child[up] = self;
        }
        split(supernode, start[s]);
        PLIANT_ASSERT(start[s + 1] - start[s] == supernode.width + supernode.row_count, "rows were counted otherwise");
    }
}

// The odd width comes first, so that rows of the others start where slices of the first do.
void CholeskyStructure::split(const Supernode& supernode, std::int64_t first_row)
{
    for (std::int32_t done = 0; done < supernode.width;) {
        const std::int32_t left = supernode.width - done;
        std::int32_t width = left;
        if (left > kWidestPanel) width = done > 0 ? kUsualPanel : left % kUsualPanel;
        if (width < kUsualPanel / 2 && left > kWidestPanel) width += kUsualPanel;
        const std::int32_t end = done + width;
        panels_.push_back(
            {supernode.first + done, width, supernode.width - end + supernode.row_count, first_row + end});
        done = end;
    }
}

void CholeskyStructure::list_pulls()
{
    panel_of_.resize(order_.size());
    const auto count = static_cast<std::int32_t>(panels_.size());
    for (std::int32_t p = 0; p < count; ++p) std::fill_n(panel_of_.begin() + panels_[p].first, panels_[p].width, p);
    const auto for_each_run = [&](auto&& visit) {
        for (std::int32_t p = 0; p < count; ++p) {
            const auto below = rows(panels_[p]);
            for (std::size_t first = 0, end = 0; first < below.size(); first = end) {
                const std::int32_t up = panel_of_[below[first]];
                while (end < below.size() && below[end] < panels_[up].end()) ++end;
                visit(up, Pull{p, static_cast<std::int32_t>(first), static_cast<std::int32_t>(end)});
            }
        }
    };
    pull_start_.assign(panels_.size() + 1, 0);
    for_each_run([&](std::int32_t up, const Pull&) { ++pull_start_[up + 1]; });
    std::partial_sum(pull_start_.begin(), pull_start_.end(), pull_start_.begin());
    pulls_.resize(static_cast<std::size_t>(pull_start_.back()));
    std::vector<std::int64_t> next(pull_start_.begin(), pull_start_.end() - 1);
    for_each_run([&](std::int32_t up, const Pull& pull) { pulls_[next[up]++] = pull; });
}

void CholeskyStructure::list_entries(const BlockMatrix& pattern, std::span<const std::int32_t> place)
{
    const auto for_each_block = [&](auto&& visit) {
        for (std::int32_t i = 0; i < pattern.row_count(); ++i)
            for (std::int64_t k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
                const std::int32_t a = place[i], b = place[pattern.column[k]];
                // A holds (i, j); below the diagonal of L stands the later of the two, as its row.
                visit(std::max(a, b), std::min(a, b), k, b > a);
            }
    };
    entry_start_.assign(panels_.size() + 1, 0);
    for_each_block(
        [&](std::int32_t, std::int32_t column, std::int64_t, bool) { ++entry_start_[panel_of_[column] + 1]; });
    std::partial_sum(entry_start_.begin(), entry_start_.end(), entry_start_.begin());
    entries_.resize(static_cast<std::size_t>(entry_start_.back()));
    std::vector<std::int64_t> next(entry_start_.begin(), entry_start_.end() - 1);
    for_each_block([&](std::int32_t row, std::int32_t column, std::int64_t block, bool transposed) {
        const std::int32_t p = panel_of_[column];
        const Panel& panel = panels_[p];
        const auto below = rows(panel);
        const std::int32_t slot =
            row < panel.end()
                ? row - panel.first
                : panel.width +
                      static_cast<std::int32_t>(std::lower_bound(below.begin(), below.end(), row) - below.begin());
        entries_[next[p]++] = {block, slot, column - panel.first, transposed};
    });
}

void CholeskyStructure::count_operations()
{
    work_.assign(panels_.size(), 0);
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(panels_.size()); ++p) {
        const double width = 3.0 * panels_[p].width, below = 3.0 * panels_[p].row_count;
        work_[p] = width * width * width / 3 + width * width * below;
        for (const Pull& pull : pulls(p)) {
            const Panel& from = panels_[pull.from];
            const double columns = 3.0 * (pull.end - pull.first), rows_on = 3.0 * (from.row_count - pull.end);
            work_[p] += 2 * 3.0 * from.width * columns * (columns / 2 + rows_on);
        }
        operations_ += work_[p];
    }
}

// Subtrees just small enough become tasks, small neighbours share one; the panels above are the top.
void CholeskyStructure::choose_tasks()
{
    const auto count = static_cast<std::int32_t>(panels_.size());
    const double most = operations_ * kTaskShare;
    Integers parent(panels_.size(), -1), first = natural_order(count);
    std::vector<double> subtree = work_;
    for (std::int32_t p = 0; p < count; ++p) {
        if (panels_[p].row_count == 0) continue;
        const std::int32_t up = parent[p] = panel_of_[rows(panels_[p])[0]];
        subtree[up] += subtree[p];
        first[up] = std::min(first[up], first[p]);
    }
    std::vector<std::pair<double, Range>> chosen;
    for (std::int32_t p = 0; p < count; ++p) {
        if (subtree[p] > most)
            top_.push_back(p);
        else if (parent[p] >= 0 && subtree[parent[p]] <= most)
            continue;
        else if (!chosen.empty() && chosen.back().second.end == first[p] && chosen.back().first + subtree[p] <= most)
            chosen.back().first += subtree[p], chosen.back().second.end = p + 1;
        else
            chosen.push_back({subtree[p], {first[p], p + 1}});
    }
    std::stable_sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [work, range] : chosen) tasks_.push_back(range);
}

}  // namespace pliant
