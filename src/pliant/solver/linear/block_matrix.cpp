// SPDX-License-Identifier: MIT
#include <pliant/solver/linear/block_matrix.h>

#include <algorithm>

namespace pliant {

namespace {

// Blocks of one task of a product: enough to outweigh handing it out, few enough to share evenly.
constexpr std::int64_t kBlocksPerTask = 8192;

// Cuts the rows into runs of about `blocks_per_chunk` blocks, with the nodes each run writes to.
void cut_rows(BlockMatrix& A, std::int64_t blocks_per_chunk)
{
    A.chunks.clear();
    A.window_size = 0;
    for (std::int32_t row = 0; row < A.row_count();) {
        Chunk chunk{row, row, row, row + 1, A.window_size};
        const std::int64_t first = A.row_start[row];
        for (; row < A.row_count() && A.row_start[row] - first < blocks_per_chunk; ++row)
            chunk.end_node = std::max(chunk.end_node, A.column[A.row_start[row + 1] - 1] + 1);
        chunk.end_block = row;
        A.window_size += static_cast<std::size_t>(chunk.end_node - chunk.first_node);
        A.chunks.push_back(chunk);
    }
    if (A.chunks.size() == 1) A.window_size = 0;
}

// What one run of rows adds to y: its own rows, and through the transposed blocks the rows below.
void multiply_rows(Vec3* y, std::int32_t first_node, const BlockMatrix& A, const Chunk& chunk, std::span<const Vec3> x)
{
    for (std::int32_t row = chunk.first_block; row < chunk.end_block; ++row) {
        const Vec3 xr = x[row];
        Vec3 sum = A.diagonal(row) * xr;
        for (std::int64_t k = A.row_start[row] + 1; k < A.row_start[row + 1]; ++k) {
            const Mat3& a = A.block[k];
            const std::int32_t c = A.column[k];
            sum += a * x[c];
            Vec3& below = y[c - first_node];
            below.x += a.m[0][0] * xr.x + a.m[1][0] * xr.y + a.m[2][0] * xr.z;
            below.y += a.m[0][1] * xr.x + a.m[1][1] * xr.y + a.m[2][1] * xr.z;
            below.z += a.m[0][2] * xr.x + a.m[1][2] * xr.y + a.m[2][2] * xr.z;
        }
        y[row - first_node] += sum;
    }
}

}  // namespace

std::int64_t BlockMatrix::find(std::int32_t row, std::int32_t col) const
{
    const auto begin = column.begin() + row_start[row], end = column.begin() + row_start[row + 1];
    const auto at = std::lower_bound(begin, end, col);
    return at != end && *at == col ? at - column.begin() : -1;
}

void set_zero(BlockMatrix& A)
{
    std::fill(A.block.begin(), A.block.end(), Mat3{});
}

void add_mass(BlockMatrix& A, std::span<const double> mass, double scale)
{
    for (std::int32_t row = 0; row < A.row_count(); ++row)
        for (int k = 0; k < 3; ++k) A.diagonal(row).m[k][k] += scale * mass[row];
}

void cut_out_held(BlockMatrix& A, std::span<const std::uint8_t> held)
{
    for (std::int32_t i = 0; i < A.row_count(); ++i)
        for (std::int64_t k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
            const std::int32_t j = A.column[k];
            if (held[i] == 0 && held[j] == 0) continue;
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    if (held[i] >> r & 1 || held[j] >> c & 1) A.block[k].m[r][c] = i == j && r == c ? 1 : 0;
        }
}

void multiply(std::span<Vec3> y, const BlockMatrix& A, std::span<const Vec3> x, std::span<Vec3> windows)
{
    std::fill(y.begin(), y.end(), Vec3{});
    if (A.chunks.empty()) return;
    if (A.chunks.size() == 1) return multiply_rows(y.data(), 0, A, A.chunks[0], x);
    parallel_for(A.chunks.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t c = begin; c < end; ++c) {
            const Chunk& chunk = A.chunks[c];
            Vec3* window = windows.data() + chunk.window;
            std::fill(window, window + (chunk.end_node - chunk.first_node), Vec3{});
            multiply_rows(window, chunk.first_node, A, chunk, x);
        }
    });
    add_windows(y, A.chunks, windows);
}

BlockMatrix BlockPattern::matrix() const
{
    auto pairs = pairs_;
    pairs.reserve(pairs.size() + static_cast<std::size_t>(node_count_));
    for (std::int32_t i = 0; i < node_count_; ++i) pairs.emplace_back(i, i);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());

    BlockMatrix A;
    A.row_start.assign(static_cast<std::size_t>(node_count_) + 1, 0);
    A.column.reserve(pairs.size());
    for (const auto& [row, column] : pairs) ++A.row_start[row + 1], A.column.push_back(column);
    for (std::int32_t i = 0; i < node_count_; ++i) A.row_start[i + 1] += A.row_start[i];
    A.block.resize(pairs.size());
    // A numbering so scattered that the windows outgrow four times the nodes gets fewer, larger chunks.
    std::int64_t per_chunk = std::max(kBlocksPerTask, static_cast<std::int64_t>(pairs.size()) / 256 + 1);
    cut_rows(A, per_chunk);
    while (A.window_size > 4 * static_cast<std::size_t>(node_count_) && A.chunks.size() > 1)
        cut_rows(A, per_chunk *= 2);
    return A;
}

}  // namespace pliant
