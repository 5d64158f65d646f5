// SPDX-License-Identifier: MIT
#include <pliant/model/mass_matrix.h>

#include <algorithm>
#include <cmath>

#include <pliant/base/parallel.h>

namespace pliant {

namespace {

constexpr std::size_t kRowsPerChunk = 4096;

// Which edges of a quadratic tetrahedron are which: as in QuadraticTet::kEdges.
constexpr int kEdges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};

bool has_corner(int edge, int corner)
{
    return kEdges[edge][0] == corner || kEdges[edge][1] == corner;
}

// 420/m times the integral of the product of two shape functions.
double quadratic_weight(int i, int j)
{
    if (i > j) std::swap(i, j);
    if (j < 4) return i == j ? 6 : 1;
    if (i < 4) return has_corner(j - 4, i) ? -4 : -6;
    if (i == j) return 32;
    const bool meet = has_corner(i - 4, kEdges[j - 4][0]) || has_corner(i - 4, kEdges[j - 4][1]);
    return meet ? 16 : 8;
}

Vec3 without_held(const Vec3& a, std::uint8_t held)
{
    return {held & 1 ? 0 : a.x, held & 2 ? 0 : a.y, held & 4 ? 0 : a.z};
}

Vec3 row_product(const MassMatrix& M, std::size_t row, std::span<const Vec3> v)
{
    Vec3 sum;
    for (std::int64_t e = M.row_start[row]; e < M.row_start[row + 1]; ++e) sum += v[M.column[e]] * M.value[e];
    return sum;
}

double inner(std::span<const Vec3> a, std::span<const Vec3> b)
{
    return parallel_sum<double>(a.size(), kRowsPerChunk, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += dot(a[i], b[i]);
        return sum;
    });
}

double diagonal(const MassMatrix& M, std::size_t row)
{
    const auto begin = M.column.begin() + M.row_start[row], end = M.column.begin() + M.row_start[row + 1];
    const auto at = std::lower_bound(begin, end, static_cast<std::int32_t>(row));
    return M.value[static_cast<std::size_t>(at - M.column.begin())];
}

}  // namespace

void MassMatrixBuilder::add_linear_tet(const std::array<std::int32_t, 4>& nodes, double mass)
{
    constexpr double kLinear = 0.2;
    least_share_ = std::min(least_share_, kLinear);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) entries_.push_back({nodes[i], nodes[j], mass / (i == j ? 10 : 20)});
}

void MassMatrixBuilder::add_quadratic_tet(const std::array<std::int32_t, 10>& nodes, double mass)
{
    constexpr double kQuadratic = 9.0 / 70;
    least_share_ = std::min(least_share_, kQuadratic);
    for (int i = 0; i < 10; ++i)
        for (int j = 0; j < 10; ++j) entries_.push_back({nodes[i], nodes[j], mass * quadratic_weight(i, j) / 420});
}

MassMatrix MassMatrixBuilder::matrix(std::span<const double> lumped) const
{
    std::vector<Entry> entries = entries_;
    std::vector<std::uint8_t> reached(lumped.size(), 0);
    for (const Entry& entry : entries) reached[static_cast<std::size_t>(entry.row)] = 1;
    for (std::size_t i = 0; i < lumped.size(); ++i)
        if (reached[i] == 0) entries.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(i), lumped[i]});
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    MassMatrix M;
    M.least_share = least_share_;
    M.row_start.assign(lumped.size() + 1, 0);
    for (std::size_t e = 0; e < entries.size(); ++e) {
        const bool is_same =
            e > 0 && entries[e].row == entries[e - 1].row && entries[e].column == entries[e - 1].column;
        if (is_same)
            M.value.back() += entries[e].value;
        else
            M.column.push_back(entries[e].column), M.value.push_back(entries[e].value);
        M.row_start[static_cast<std::size_t>(entries[e].row) + 1] = static_cast<std::int64_t>(M.column.size());
    }
    M.row_sum.assign(lumped.size(), 0.0);
    for (std::size_t i = 0; i < lumped.size(); ++i)
        for (std::int64_t e = M.row_start[i]; e < M.row_start[i + 1]; ++e) M.row_sum[i] += M.value[e];
    return M;
}

void multiply(std::span<Vec3> out, const MassMatrix& M, std::span<const Vec3> v)
{
    parallel_for(static_cast<std::size_t>(M.row_count()), kRowsPerChunk,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (std::size_t i = begin; i < end; ++i) out[i] = row_product(M, i, v);
                 });
}

double kinetic_energy(const MassMatrix& M, std::span<const Vec3> v, std::int32_t first, std::int32_t count)
{
    double sum = 0;
    for (std::int32_t i = first; i < first + count; ++i)
        sum += 0.5 * dot(v[i], row_product(M, static_cast<std::size_t>(i), v));
    return sum;
}

Vec3 momentum(const MassMatrix& M, std::span<const Vec3> v, std::int32_t first, std::int32_t count)
{
    Vec3 sum;
    for (std::int32_t i = first; i < first + count; ++i) sum += row_product(M, static_cast<std::size_t>(i), v);
    return sum;
}

void solve_mass(std::span<Vec3> force, const MassMatrix& M, std::span<const std::uint8_t> held, MassSolve& memory)
{
    constexpr int kMostIterations = 400;
    constexpr double kLastDigits = 1e-15;
    const auto count = static_cast<std::size_t>(M.row_count());
    for (auto* vector : {&memory.r, &memory.p, &memory.q}) vector->resize(count);
    // z = D^-1 r is not kept: it is made where it is used.
    const auto precondition = [&](std::size_t i) { return memory.r[i] / diagonal(M, i); };
    for (std::size_t i = 0; i < count; ++i) memory.r[i] = without_held(force[i], held[i]), force[i] = {};
    double rz = 0;
    for (std::size_t i = 0; i < count; ++i) memory.p[i] = precondition(i), rz += dot(memory.r[i], memory.p[i]);
    const double enough = kLastDigits * kLastDigits * rz;
    for (int k = 0; k < kMostIterations && rz > enough; ++k) {
        multiply(memory.q, M, memory.p);
        for (std::size_t i = 0; i < count; ++i) memory.q[i] = without_held(memory.q[i], held[i]);
        const double along = rz / inner(memory.p, memory.q);
        double next = 0;
        for (std::size_t i = 0; i < count; ++i) {
            force[i] += memory.p[i] * along;
            memory.r[i] -= memory.q[i] * along;
            next += dot(memory.r[i], precondition(i));
        }
        const double turn = next / rz;
        for (std::size_t i = 0; i < count; ++i) memory.p[i] = precondition(i) + memory.p[i] * turn;
        rz = next;
    }
}

}  // namespace pliant
