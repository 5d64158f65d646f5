// SPDX-License-Identifier: MIT

// The V-cycle of the multigrid, and the dense solve at its end.

#include <pliant/solver/linear/multigrid.h>

#include <algorithm>
#include <cmath>

#include <pliant/model/held.h>

namespace pliant {

namespace {

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

}  // namespace

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
    const std::size_t n = 3 * static_cast<std::size_t>(A.row_count());
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

namespace {

// r -= A^T z for one block: what the block's mirror image below the diagonal gives.
void subtract_mirrored(Vec3& r, const Mat3& a, const Vec3& z)
{
    r.x -= a.m[0][0] * z.x + a.m[1][0] * z.y + a.m[2][0] * z.z;
    r.y -= a.m[0][1] * z.x + a.m[1][1] * z.y + a.m[2][1] * z.z;
    r.z -= a.m[0][2] * z.x + a.m[1][2] * z.y + a.m[2][2] * z.z;
}

// r - (what lies behind the diagonal of row i) z.
Vec3 without_upper(Vec3 r, const BlockMatrix& A, std::int32_t i, std::span<const Vec3> z)
{
    for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k) r -= A.block[k] * z[A.column[k]];
    return r;
}

}  // namespace

void Multigrid::sweep_forward(std::size_t l, const BlockMatrix& A, std::span<Vec3> z, std::span<const Vec3> r)
{
    // From zero: what lies below the diagonal is taken out as it is met.
    std::vector<Vec3>& rest = residual_[l];
    std::copy(r.begin(), r.end(), rest.begin());
    for (std::int32_t i = 0; i < A.row_count(); ++i) {
        z[i] = inverse_[l][i] * rest[i];
        for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k)
            subtract_mirrored(rest[A.column[k]], A.block[k], z[i]);
    }
}

void Multigrid::correct(std::size_t l, const BlockMatrix& A, std::span<Vec3> z)
{
    // What the forward sweep left is what lies behind the diagonal.
    Level& next = levels_[l];
    std::fill(next.r.begin(), next.r.end(), Vec3{});
    const auto held = held_at(l);
    for (std::int32_t i = 0; i < A.row_count(); ++i) {
        Vec3 left = without_upper({}, A, i, z);
        if (!held.empty()) left = masked(left, held[i]);
        for (int p = 0; p < kParents; ++p) next.r[next.parent[i][p]] += left * next.weight[i][p];
    }
    cycle(l + 1, next.matrix, next.z, next.r);
    for (std::int32_t i = 0; i < A.row_count(); ++i) {
        Vec3 correction;
        for (int p = 0; p < kParents; ++p) correction += next.z[next.parent[i][p]] * next.weight[i][p];
        z[i] += held.empty() ? correction : masked(correction, held[i]);
    }
}

void Multigrid::sweep_backward(std::size_t l, const BlockMatrix& A, std::span<Vec3> z, std::span<const Vec3> r)
{
    // z_i = D^-1 (r_i - what the others give), what lies before the diagonal from the present z.
    std::vector<Vec3>& rest = residual_[l];
    std::copy(r.begin(), r.end(), rest.begin());
    for (std::int32_t i = 0; i < A.row_count(); ++i)
        for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k)
            subtract_mirrored(rest[A.column[k]], A.block[k], z[i]);
    for (std::int32_t i = A.row_count(); i-- > 0;) z[i] = inverse_[l][i] * without_upper(rest[i], A, i, z);
}

void Multigrid::cycle(std::size_t l, const BlockMatrix& A, std::span<Vec3> z, std::span<const Vec3> r)
{
    if (l == levels_.size() && l > 0 && !cholesky_.empty()) return solve_last(z, r);
    sweep_forward(l, A, z, r);
    if (l < levels_.size()) correct(l, A, z);
    sweep_backward(l, A, z, r);
}

void Multigrid::apply(std::span<Vec3> z, const BlockMatrix& A, std::span<const Vec3> r)
{
    cycle(0, A, z, r);
}

}  // namespace pliant
