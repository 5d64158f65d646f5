// SPDX-License-Identifier: MIT
#include <pliant/solver/linear/multigrid.h>

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

// Nodes of the last level, whose matrix is factored as a dense one.
constexpr std::int32_t kMostDenseNodes = 80;
constexpr int kMostLevels = 12;

Vec3 masked(const Vec3& a, std::uint8_t held)
{
    return {held & 1 ? 0 : a.x, held & 2 ? 0 : a.y, held & 4 ? 0 : a.z};
}

// A block without the rows and columns of held coordinates.
Mat3 masked(Mat3 a, std::uint8_t row, std::uint8_t column)
{
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            if (row >> r & 1 || column >> c & 1) a.m[r][c] = 0;
    return a;
}

// Inverse of a diagonal block; a coarse point that hardly any node hangs on gets no correction along the directions
// that nothing resists.
bool invert(Mat3& to, const Mat3& a)
{
    const double size = a.m[0][0] + a.m[1][1] + a.m[2][2];
    to = {};
    if (!(size > 0)) return size == 0;
    const double second = a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0], det = determinant(a);
    constexpr double kTiny = 1e-12;
    if (a.m[0][0] > kTiny * size && second > kTiny * size * size * kTiny && det > kTiny * kTiny * size * size * size) {
        to = inverse(a);
        return true;
    }
    Mat3 more = a;
    for (int k = 0; k < 3; ++k) more.m[k][k] += 1e-6 * size;
    if (!(determinant(more) > 0)) return false;
    to = inverse(more);
    return true;
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

Multigrid::Level Multigrid::coarsen(const BlockMatrix& fine, std::span<const Vec3> x, double spacing) const
{
    Level level;
    std::vector<Cell> cells;
    std::vector<std::array<std::int32_t, 3>> corners;
    for (const Vec3& point : x) {
        const Cell cell = cells.emplace_back(cell_of(point, {}, spacing));
        for (int c = 0; c < kParents; ++c)
            corners.push_back({cell.low[0] + (c & 1), cell.low[1] + (c >> 1 & 1), cell.low[2] + (c >> 2 & 1)});
    }
    // Corners of no weight at all (a node on a lattice plane) would be empty rows.
    const auto weight_of = [&](const Cell& cell, int c) {
        double w = 1;
        for (int k = 0; k < 3; ++k) w *= (c >> k & 1) ? cell.inside[k] : 1 - cell.inside[k];
        return w > 1e-9 ? w : 0.0;
    };
    for (std::size_t i = 0; i < x.size(); ++i)
        for (int c = 0; c < kParents; ++c)
            if (weight_of(cells[i], c) > 0) level.corner.push_back(corners[i * kParents + c]);
    std::sort(level.corner.begin(), level.corner.end());
    level.corner.erase(std::unique(level.corner.begin(), level.corner.end()), level.corner.end());
    const auto number = [&](const std::array<std::int32_t, 3>& corner) {
        const auto at = std::lower_bound(level.corner.begin(), level.corner.end(), corner);
        return at != level.corner.end() && *at == corner ? static_cast<std::int32_t>(at - level.corner.begin()) : -1;
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
        auto& parent = level.parent.emplace_back();
        auto& weight = level.weight.emplace_back();
        for (int c = 0; c < kParents; ++c) {
            weight[c] = weight_of(cells[i], c);
            parent[c] = weight[c] > 0 ? number(corners[i * kParents + c]) : 0;
        }
        level.home.push_back(cells[i].low);
    }
    // Which corners meet: those of two coupled nodes.
    const auto code = [&](std::int32_t I, std::int32_t J) {
        int at = 0;
        for (int k = 2; k >= 0; --k) at = at * kReach + (level.corner[J][k] - level.corner[I][k] + 2);
        return at;
    };
    const std::size_t count = level.corner.size();
    std::vector<std::uint8_t> meets(count * kStencil, 0);
    for (std::int32_t i = 0; i < fine.row_count(); ++i)
        for (std::int64_t k = fine.row_start[i]; k < fine.row_start[i + 1]; ++k)
            for (int a = 0; a < kParents; ++a)
                for (int b = 0; b < kParents; ++b) {
                    const std::int32_t I = level.parent[i][a], J = level.parent[fine.column[k]][b];
                    if (level.weight[i][a] == 0 || level.weight[fine.column[k]][b] == 0) continue;
                    meets[std::min(I, J) * kStencil + static_cast<std::size_t>(code(std::min(I, J), std::max(I, J)))] =
                        1;
                }
    BlockPattern pattern(static_cast<std::int32_t>(count));
    level.place.assign(count * kStencil, -1);
    for (std::size_t I = 0; I < count; ++I)
        for (int s = 0; s < kStencil; ++s) {
            if (meets[I * kStencil + s] == 0) continue;
            const std::array<std::int32_t, 3> corner{level.corner[I][0] + s % kReach - 2,
                                                     level.corner[I][1] + s / kReach % kReach - 2,
                                                     level.corner[I][2] + s / (kReach * kReach) - 2};
            const std::int32_t J = number(corner);
            if (J != static_cast<std::int32_t>(I)) pattern.add_pair(static_cast<std::int32_t>(I), J);
        }
    level.matrix = pattern.matrix();
    for (std::size_t I = 0; I < count; ++I)
        for (std::int64_t k = level.matrix.row_start[I]; k < level.matrix.row_start[I + 1]; ++k)
            level.place[I * kStencil +
                        static_cast<std::size_t>(code(static_cast<std::int32_t>(I), level.matrix.column[k]))] = k;
    level.z.resize(count), level.r.resize(count);
    level.parts.resize(kParts * level.matrix.block.size());
    list_below(level, fine);
    return level;
}

namespace {

void add_scaled(Mat3& to, const Mat3& a, double w)
{
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) to.m[r][c] += w * a.m[r][c];
}

// Place of lattice point `to` in the stencil around `from`.
int stencil_code(const std::array<std::int32_t, 3>& from, const std::array<std::int32_t, 3>& to, int reach)
{
    int at = 0;
    for (int k = 2; k >= 0; --k) at = at * reach + (to[k] - from[k] + reach / 2);
    return at;
}

}  // namespace

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
        const std::array<std::int32_t, 3> at{level_.home[i][0] + s % kReach - 2,
                                             level_.home[i][1] + s / kReach % kReach - 2,
                                             level_.home[i][2] + s / (kReach * kReach) - 2};
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

std::span<const std::uint8_t> Multigrid::held_at(std::size_t level) const
{
    return level == 0 ? std::span<const std::uint8_t>(held_) : std::span<const std::uint8_t>{};
}

std::int32_t Multigrid::refresh(const BlockMatrix& A, std::span<const std::uint8_t> held, bool coarse_too)
{
    std::fill(held_.begin(), held_.end(), std::uint8_t{0});
    std::copy(held.begin(), held.end(), held_.begin());
    for (std::size_t l = 0; l <= (coarse_too ? levels_.size() : 0); ++l) {
        const BlockMatrix& fine = l == 0 ? A : levels_[l - 1].matrix;
        for (std::int32_t i = 0; i < fine.row_count(); ++i)
            if (!invert(inverse_[l][i], fine.diagonal(i)) && l == 0) return i;
        if (coarse_too && l < levels_.size()) fill(levels_[l], fine, held_at(l));
    }
    if (coarse_too) factor_last();
    return -1;
}

void Multigrid::factor_last()
{
    if (cholesky_.empty() || levels_.empty()) return;
    const BlockMatrix& A = levels_.back().matrix;
    const auto n = static_cast<std::size_t>(3 * A.row_count());
    std::fill(cholesky_.begin(), cholesky_.end(), 0.0);
    double largest = 0;
    for (std::int32_t i = 0; i < A.row_count(); ++i)
        for (std::int64_t k = A.row_start[i]; k < A.row_start[i + 1]; ++k)
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) {
                    // Lower half: the transposed of what is stored.
                    cholesky_[(3 * static_cast<std::size_t>(A.column[k]) + c) * n + 3 * i + r] = A.block[k].m[r][c];
                    if (A.column[k] == i && r == c) largest = std::max(largest, A.block[k].m[r][c]);
                }
    for (std::size_t j = 0; j < n; ++j) {
        double* row = &cholesky_[j * n];
        double pivot = row[j];
        for (std::size_t k = 0; k < j; ++k) pivot -= row[k] * row[k];
        // Directions that nothing resists are left alone.
        const bool is_used = pivot > 1e-13 * largest;
        row[j] = is_used ? std::sqrt(pivot) : 0;
        for (std::size_t i = j + 1; i < n; ++i) {
            double* below = &cholesky_[i * n];
            double sum = below[j];
            for (std::size_t k = 0; k < j; ++k) sum -= below[k] * row[k];
            below[j] = is_used ? sum / row[j] : 0;
        }
    }
}

void Multigrid::solve_last(std::span<Vec3> z, std::span<const Vec3> r) const
{
    const std::size_t n = 3 * z.size();
    auto* y = reinterpret_cast<double*>(z.data());
    const auto* b = reinterpret_cast<const double*>(r.data());
    for (std::size_t i = 0; i < n; ++i) {
        double sum = b[i];
        for (std::size_t k = 0; k < i; ++k) sum -= cholesky_[i * n + k] * y[k];
        y[i] = cholesky_[i * n + i] > 0 ? sum / cholesky_[i * n + i] : 0;
    }
    for (std::size_t i = n; i-- > 0;) {
        const double pivot = cholesky_[i * n + i];
        y[i] = pivot > 0 ? y[i] / pivot : 0;
        for (std::size_t k = 0; k < i; ++k) y[k] -= cholesky_[i * n + k] * y[i];
    }
}

void Multigrid::cycle(std::size_t l, const BlockMatrix& A, std::span<Vec3> z, std::span<const Vec3> r)
{
    const std::int32_t n = A.row_count();
    std::vector<Vec3>& rest = residual_[l];
    if (l == levels_.size() && l > 0 && !cholesky_.empty()) return solve_last(z, r);
    // Forward sweep from zero: what lies below the diagonal is taken out as it is met.
    std::copy(r.begin(), r.end(), rest.begin());
    for (std::int32_t i = 0; i < n; ++i) {
        const Vec3 zi = z[i] = inverse_[l][i] * rest[i];
        for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k) {
            const Mat3& a = A.block[k];
            Vec3& below = rest[A.column[k]];
            below.x -= a.m[0][0] * zi.x + a.m[1][0] * zi.y + a.m[2][0] * zi.z;
            below.y -= a.m[0][1] * zi.x + a.m[1][1] * zi.y + a.m[2][1] * zi.z;
            below.z -= a.m[0][2] * zi.x + a.m[1][2] * zi.y + a.m[2][2] * zi.z;
        }
    }
    if (l < levels_.size()) {
        // What the sweep left is what lies above the diagonal; the coarser level corrects it.
        Level& next = levels_[l];
        std::fill(next.r.begin(), next.r.end(), Vec3{});
        const auto held = held_at(l);
        for (std::int32_t i = 0; i < n; ++i) {
            Vec3 left;
            for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k) left -= A.block[k] * z[A.column[k]];
            if (!held.empty() && held[i] != 0) left = masked(left, held[i]);
            for (int p = 0; p < kParents; ++p) next.r[next.parent[i][p]] += left * next.weight[i][p];
        }
        cycle(l + 1, next.matrix, next.z, next.r);
        for (std::int32_t i = 0; i < n; ++i) {
            Vec3 correction;
            for (int p = 0; p < kParents; ++p) correction += next.z[next.parent[i][p]] * next.weight[i][p];
            z[i] += held.empty() ? correction : masked(correction, held[i]);
        }
    }
    // Backward sweep: z_i = D^-1 (r_i - what the others give), the lower part from the present z.
    std::copy(r.begin(), r.end(), rest.begin());
    for (std::int32_t i = 0; i < n; ++i)
        for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k) {
            const Mat3& a = A.block[k];
            const Vec3& zi = z[i];
            Vec3& below = rest[A.column[k]];
            below.x -= a.m[0][0] * zi.x + a.m[1][0] * zi.y + a.m[2][0] * zi.z;
            below.y -= a.m[0][1] * zi.x + a.m[1][1] * zi.y + a.m[2][1] * zi.z;
            below.z -= a.m[0][2] * zi.x + a.m[1][2] * zi.y + a.m[2][2] * zi.z;
        }
    for (std::int32_t i = n; i-- > 0;) {
        Vec3 left = rest[i];
        for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k) left -= A.block[k] * z[A.column[k]];
        z[i] = inverse_[l][i] * left;
    }
}

void Multigrid::apply(std::span<Vec3> z, const BlockMatrix& A, std::span<const Vec3> r)
{
    cycle(0, A, z, r);
}

}  // namespace pliant
