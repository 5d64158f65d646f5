// SPDX-License-Identifier: MIT

// Making the levels of the multigrid: lattices over the nodes, and their matrices.

#include <algorithm>
#include <cmath>

#include <pliant/base/parallel.h>
#include <pliant/solver/linear/multigrid.h>

namespace pliant {

namespace {

// Nodes of the last level, whose matrix is factored as a dense one.
constexpr std::int32_t kMostDenseNodes = 80;
constexpr int kMostLevels = 12;

// A block without the rows and columns of held coordinates.
Mat3 masked(Mat3 a, std::uint8_t row, std::uint8_t column)
{
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            if (row >> r & 1 || column >> c & 1) a.m[r][c] = 0;
    return a;
}

double longest_edge(const BlockMatrix& A, std::span<const Vec3> x, double& mean)
{
    double longest = 0, sum = 0;
    std::int64_t count = 0;
    for (std::int32_t i = 0; i < A.row_count(); ++i)
        for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k) {
            const double length = norm(x[i] - x[A.column[k]]);
            longest = std::max(longest, length), sum += length, ++count;
        }
    mean = count > 0 ? sum / static_cast<double>(count) : 0;
    return longest;
}

// Lattice cell of a point and its place within it, 0 … 1.
struct Cell {
    std::array<std::int32_t, 3> low;
    Vec3 inside;
};

Cell cell_of(const Vec3& x, const Vec3& origin, double spacing)
{
    Cell cell{};
    for (int k = 0; k < 3; ++k) {
        const double at = (x[k] - origin[k]) / spacing;
        cell.low[k] = static_cast<std::int32_t>(std::floor(at));
        cell.inside[k] = at - cell.low[k];
    }
    return cell;
}

// Corners of no weight at all (a node on a lattice plane) would be empty rows.
double corner_weight(const Cell& cell, int corner)
{
    double w = 1;
    for (int k = 0; k < 3; ++k) w *= (corner >> k & 1) ? cell.inside[k] : 1 - cell.inside[k];
    return w > 1e-9 ? w : 0.0;
}

std::array<std::int32_t, 3> corner_of(const Cell& cell, int corner)
{
    return {cell.low[0] + (corner & 1), cell.low[1] + (corner >> 1 & 1), cell.low[2] + (corner >> 2 & 1)};
}

// Number of a lattice point in the sorted list of those in use, -1 for others.
std::int32_t number_of(const std::vector<std::array<std::int32_t, 3>>& corners, const std::array<std::int32_t, 3>& at)
{
    const auto found = std::lower_bound(corners.begin(), corners.end(), at);
    return found != corners.end() && *found == at ? static_cast<std::int32_t>(found - corners.begin()) : -1;
}

// Place of lattice point `to` in the stencil around `from`, and back.
int stencil_code(const std::array<std::int32_t, 3>& from, const std::array<std::int32_t, 3>& to, int reach)
{
    int at = 0;
    for (int k = 2; k >= 0; --k) at = at * reach + (to[k] - from[k] + reach / 2);
    return at;
}

std::array<std::int32_t, 3> stencil_point(const std::array<std::int32_t, 3>& from, int code, int reach)
{
    return {from[0] + code % reach - reach / 2, from[1] + code / reach % reach - reach / 2,
            from[2] + code / (reach * reach) - reach / 2};
}

void add_scaled(Mat3& to, const Mat3& a, double w)
{
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) to.m[r][c] += w * a.m[r][c];
}

}  // namespace

Multigrid::Multigrid(const BlockMatrix& pattern, std::span<const Vec3> x)
{
    double mean = 0;
    const double longest = longest_edge(pattern, x, mean);
    // Cells as wide as the longest coupling keep every coarse stencil within two steps.
    double spacing = std::max(longest * 1.0001, 1.5 * mean);
    std::vector<Vec3> points(x.begin(), x.end());
    const BlockMatrix* fine = &pattern;
    levels_.reserve(kMostLevels);
    while (fine->row_count() > kMostDenseNodes && levels_.size() < kMostLevels && spacing > 0) {
        Level next = coarsen(*fine, points, spacing);
        if (next.matrix.row_count() >= fine->row_count()) break;
        points.clear();
        for (const auto& corner : next.corner)
            points.push_back(Vec3{1.0 * corner[0], 1.0 * corner[1], 1.0 * corner[2]} * spacing);
        spacing *= 2;
        levels_.push_back(std::move(next));
        fine = &levels_.back().matrix;
    }
    inverse_.resize(levels_.size() + 1), residual_.resize(levels_.size() + 1);
    for (std::size_t l = 0; l <= levels_.size(); ++l) {
        const BlockMatrix& A = l == 0 ? pattern : levels_[l - 1].matrix;
        inverse_[l].resize(A.row_count()), residual_[l].resize(A.row_count());
    }
    const std::int32_t last = fine->row_count();
    if (last <= 4 * kMostDenseNodes) cholesky_.resize(9 * static_cast<std::size_t>(last) * last);
    held_.resize(pattern.row_count());
}

void Multigrid::list_below(Level& level, const BlockMatrix& fine)
{
    level.below_start.assign(static_cast<std::size_t>(fine.row_count()) + 1, 0);
    for (std::int32_t i = 0; i < fine.row_count(); ++i)
        for (std::int64_t k = fine.row_start[i] + 1; k < fine.row_start[i + 1]; ++k)
            ++level.below_start[fine.column[k] + 1];
    for (std::int32_t i = 0; i < fine.row_count(); ++i) level.below_start[i + 1] += level.below_start[i];
    level.below_block.resize(level.below_start.back()), level.below_row.resize(level.below_start.back());
    std::vector<std::int64_t> next(level.below_start.begin(), level.below_start.end() - 1);
    for (std::int32_t i = 0; i < fine.row_count(); ++i)
        for (std::int64_t k = fine.row_start[i] + 1; k < fine.row_start[i + 1]; ++k) {
            const std::int64_t at = next[fine.column[k]]++;
            level.below_block[at] = k, level.below_row[at] = i;
        }
}

// The lattice points in use, and how every node hangs on those of its cell.
void Multigrid::hang_nodes(Level& level, std::span<const Vec3> x, double spacing)
{
    for (const Vec3& point : x) {
        const Cell cell = cell_of(point, {}, spacing);
        level.home.push_back(cell.low);
        for (int c = 0; c < kParents; ++c)
            if (corner_weight(cell, c) > 0) level.corner.push_back(corner_of(cell, c));
    }
    std::sort(level.corner.begin(), level.corner.end());
    level.corner.erase(std::unique(level.corner.begin(), level.corner.end()), level.corner.end());
    for (const Vec3& point : x) {
        const Cell cell = cell_of(point, {}, spacing);
        auto& parent = level.parent.emplace_back();
        auto& weight = level.weight.emplace_back();
        for (int c = 0; c < kParents; ++c) {
            weight[c] = corner_weight(cell, c);
            parent[c] = weight[c] > 0 ? number_of(level.corner, corner_of(cell, c)) : 0;
        }
    }
}

// The pattern of the coarse matrix: lattice points meet where nodes that hang on them are coupled.
void Multigrid::make_pattern(Level& level, const BlockMatrix& fine)
{
    const std::size_t count = level.corner.size();
    level.place.assign(count * kStencil, -1);
    BlockPattern pattern(static_cast<std::int32_t>(count));
    const auto meet = [&](std::int32_t I, std::int32_t J) {
        const int code = stencil_code(level.corner[I], level.corner[J], kReach);
        std::int64_t& place = level.place[static_cast<std::size_t>(I) * kStencil + static_cast<std::size_t>(code)];
        if (place < 0 && I != J) pattern.add_pair(I, J);
        place = 0;
    };
    for (std::int32_t i = 0; i < fine.row_count(); ++i)
        for (std::int64_t k = fine.row_start[i]; k < fine.row_start[i + 1]; ++k)
            for (int a = 0; a < kParents; ++a)
                for (int b = 0; b < kParents; ++b) {
                    const std::int32_t j = fine.column[k], I = level.parent[i][a], J = level.parent[j][b];
                    if (level.weight[i][a] > 0 && level.weight[j][b] > 0) meet(std::min(I, J), std::max(I, J));
                }
    level.matrix = pattern.matrix();
    for (std::size_t I = 0; I < count; ++I)
        for (std::int64_t k = level.matrix.row_start[I]; k < level.matrix.row_start[I + 1]; ++k) {
            const int code = stencil_code(level.corner[I], level.corner[level.matrix.column[k]], kReach);
            level.place[I * kStencil + static_cast<std::size_t>(code)] = k;
        }
}

Multigrid::Level Multigrid::coarsen(const BlockMatrix& fine, std::span<const Vec3> x, double spacing)
{
    Level level;
    hang_nodes(level, x, spacing);
    make_pattern(level, fine);
    level.z.resize(level.corner.size()), level.r.resize(level.corner.size());
    level.parts.resize(kParts * level.matrix.block.size());
    list_below(level, fine);
    return level;
}

// P^T (A P), row by row: a row of A P is a lattice stencil around the cell of its node, small enough for the cache.
class Multigrid::Galerkin {
public:
    Galerkin(const Level& level, const BlockMatrix& fine, std::span<const std::uint8_t> held, std::span<Mat3> coarse)
        : level_(level)
        , fine_(fine)
        , held_(held)
        , coarse_(coarse)
    {
    }

    void add_row(std::int32_t i)
    {
        if (held_of(i) == 7) return;
        for (std::int64_t k = fine_.row_start[i]; k < fine_.row_start[i + 1]; ++k)
            add_to_product(i, fine_.column[k], fine_.block[k], false);
        for (std::int64_t k = level_.below_start[i]; k < level_.below_start[i + 1]; ++k)
            add_to_product(i, level_.below_row[k], fine_.block[level_.below_block[k]], true);
        for (int s = 0; s < kStencil; ++s)
            if (is_used_[s] != 0) spread(i, s), is_used_[s] = 0;
    }

private:
    std::uint8_t held_of(std::int32_t i) const { return held_.empty() ? std::uint8_t{0} : held_[i]; }

    void add_to_product(std::int32_t i, std::int32_t j, const Mat3& block, bool is_below)
    {
        const std::uint8_t held_i = held_of(i), held_j = held_of(j);
        if (held_j == 7) return;
        Mat3 a = is_below ? transpose(block) : block;
        if (held_i != 0 || held_j != 0) a = masked(a, held_i, held_j);
        const int low = stencil_code(level_.home[i], level_.home[j], kReach);
        for (int q = 0; q < kParents; ++q) {
            const double w = level_.weight[j][q];
            if (w == 0) continue;
            const int at = low + (q & 1) + kReach * (q >> 1 & 1) + kReach * kReach * (q >> 2 & 1);
            if (is_used_[at] == 0) product_[at] = {}, is_used_[at] = 1;
            add_scaled(product_[at], a, w);
        }
    }

    void spread(std::int32_t i, int s)
    {
        const std::array<std::int32_t, 3> at = stencil_point(level_.home[i], s, kReach);
        for (int p = 0; p < kParents; ++p) {
            const std::int32_t I = level_.parent[i][p];
            // Corners are numbered in the order of their places: the upper half is what lies behind.
            if (level_.weight[i][p] == 0 || at < level_.corner[I]) continue;
            const std::size_t entry =
                static_cast<std::size_t>(I) * kStencil + stencil_code(level_.corner[I], at, kReach);
            add_scaled(coarse_[level_.place[entry]], product_[s], level_.weight[i][p]);
        }
    }

    const Level& level_;
    const BlockMatrix& fine_;
    std::span<const std::uint8_t> held_;
    std::span<Mat3> coarse_;
    std::array<Mat3, kStencil> product_;
    std::array<std::uint8_t, kStencil> is_used_{};
};

void Multigrid::fill(Level& level, const BlockMatrix& fine, std::span<const std::uint8_t> held)
{
    // Parts of fixed extent with a matrix of their own each, added in order: the same bits for any thread count.
    const std::size_t blocks = level.matrix.block.size(), rows = static_cast<std::size_t>(fine.row_count());
    std::fill(level.parts.begin(), level.parts.end(), Mat3{});
    parallel_for(kParts, 1, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t part = begin; part < end; ++part) {
            Galerkin galerkin(level, fine, held, std::span(level.parts).subspan(part * blocks, blocks));
            for (std::size_t i = rows * part / kParts; i < rows * (part + 1) / kParts; ++i)
                galerkin.add_row(static_cast<std::int32_t>(i));
        }
    });
    for (std::size_t k = 0; k < blocks; ++k) {
        Mat3 sum = level.parts[k];
        for (std::size_t part = 1; part < kParts; ++part) sum += level.parts[part * blocks + k];
        level.matrix.block[k] = sum;
    }
}

}  // namespace pliant
