// SPDX-License-Identifier: MIT
#pragma once

// How panels of a Cholesky factor lie in memory, and the small dense products over them.
//
// A panel is kept in slices of 96 bytes height: 12 rows of doubles or 24 of floats, that is 4 or 8 nodes. Within a slice
// the rows of one column are neighbours, columns follow one another. Slices are therefore at once the storage, the left
// factor of products (three registers of rows) and the right one (three scalars of a node), and nothing is ever packed.
// The columns' own rows fill the first slices, rows below start at a new one; what remains of a slice is zero.
// Products are fused where the machine has fused multiply-add; every entry sums over columns in their order, so its bits
// do not depend on which slices are worked on together.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#ifdef __FMA__
#include <immintrin.h>
#endif

namespace pliant {

inline constexpr std::int32_t kUsualPanel = 32;   ///< nodes; a multiple of the nodes of a slice
inline constexpr std::int32_t kWidestPanel = 48;  ///< less than one and a half of it remain whole
inline constexpr int kMostColumns = 3 * kWidestPanel;
inline constexpr std::size_t kSliceBytes = 96, kLaneBytes = 32;

/// Nodes whose rows are one slice.
constexpr std::int32_t nodes_per_slice(std::size_t scalar_size)
{
    return static_cast<std::int32_t>(kSliceBytes / scalar_size / 3);
}

constexpr std::int64_t slice_count(std::int64_t nodes, std::size_t scalar_size)
{
    const std::int64_t per_slice = nodes_per_slice(scalar_size);
    return (nodes + per_slice - 1) / per_slice;
}

template <class S>
struct LaneStorage;
template <>
struct LaneStorage<double> {
    using Values = double __attribute__((vector_size(32)));
    static Values all(double a) { return Values{a, a, a, a}; }
};
template <>
struct LaneStorage<float> {
    using Values = float __attribute__((vector_size(32)));
    static Values all(float a) { return Values{a, a, a, a, a, a, a, a}; }
};

// a * b + c. Named by hand: a loop of std::fma over lanes falls back to scalars wherever g++ 12 loses sight of it.
#ifdef __FMA__
inline LaneStorage<double>::Values multiply_add(LaneStorage<double>::Values a, LaneStorage<double>::Values b,
                                                LaneStorage<double>::Values c)
{
    return _mm256_fmadd_pd(a, b, c);
}
inline LaneStorage<float>::Values multiply_add(LaneStorage<float>::Values a, LaneStorage<float>::Values b,
                                               LaneStorage<float>::Values c)
{
    return _mm256_fmadd_ps(a, b, c);
}
#else
template <class Values>
inline Values multiply_add(Values a, Values b, Values c)
{
    return a * b + c;
}
#endif

/// A third of a slice's column: what fits a register.
template <class S>
struct Lanes {
    using Values = typename LaneStorage<S>::Values;
    static constexpr int width = kLaneBytes / sizeof(S);
    Values values{};

    static Lanes load(const S* from)
    {
        Lanes lanes;
        std::memcpy(&lanes.values, from, kLaneBytes);
        return lanes;
    }
    void store(S* to) const { std::memcpy(to, &values, kLaneBytes); }

    void add_product(const Lanes& a, S b) { values = multiply_add(a.values, LaneStorage<S>::all(b), values); }
    void add_product(const Lanes& a, const Lanes& b) { values = multiply_add(a.values, b.values, values); }
};

/// One column of a slice.
template <class S>
struct SliceColumn {
    Lanes<S> low, middle, high;
    static constexpr int width = Lanes<S>::width, height = 3 * width;

    static SliceColumn load(const S* from)
    {
        return {Lanes<S>::load(from), Lanes<S>::load(from + width), Lanes<S>::load(from + 2 * width)};
    }
    void store(S* to) const { low.store(to), middle.store(to + width), high.store(to + 2 * width); }
    void add_product(const SliceColumn& a, S b)
    {
        low.add_product(a.low, b), middle.add_product(a.middle, b), high.add_product(a.high, b);
    }
    void scale(S factor) { low.values *= factor, middle.values *= factor, high.values *= factor; }
    /// this - b
    void subtract(const SliceColumn& b)
    {
        low.values -= b.low.values, middle.values -= b.middle.values, high.values -= b.high.values;
    }
};

/// A slice's share of the three columns of a node.
template <class S>
struct Tile {
    SliceColumn<S> x, y, z;

    static Tile load(const S* from)
    {
        constexpr int height = SliceColumn<S>::height;
        return {SliceColumn<S>::load(from), SliceColumn<S>::load(from + height),
                SliceColumn<S>::load(from + 2 * height)};
    }
    void store(S* to) const
    {
        constexpr int height = SliceColumn<S>::height;
        x.store(to), y.store(to + height), z.store(to + 2 * height);
    }
    void subtract(const Tile& b) { x.subtract(b.x), y.subtract(b.y), z.subtract(b.z); }
};

/// Rows of slice a times the three rows of a node at b (the node's place within its slice), over `depth` columns.
template <class S>
inline Tile<S> product(const S* a, const S* b, std::int64_t depth)
{
    Tile<S> sum;
    for (std::int64_t k = 0; k < depth; ++k, a += SliceColumn<S>::height, b += SliceColumn<S>::height) {
        const auto rows = SliceColumn<S>::load(a);
        sum.x.add_product(rows, b[0]);
        sum.y.add_product(rows, b[1]);
        sum.z.add_product(rows, b[2]);
    }
    return sum;
}

/// Rows of slice a times a vector.
template <class S>
inline SliceColumn<S> product_with_vector(const S* a, const S* y, std::int64_t depth)
{
    // Two sums hide the latency of the additions.
    SliceColumn<S> even, odd;
    std::int64_t k = 0;
    for (; k + 1 < depth; k += 2, a += 2 * SliceColumn<S>::height) {
        even.add_product(SliceColumn<S>::load(a), y[k]);
        odd.add_product(SliceColumn<S>::load(a + SliceColumn<S>::height), y[k + 1]);
    }
    if (k < depth) even.add_product(SliceColumn<S>::load(a), y[k]);
    even.low.values += odd.low.values, even.middle.values += odd.middle.values, even.high.values += odd.high.values;
    return even;
}

/// sums[k] += lanes of column k of slice a times those of x.
template <class S>
inline void add_transposed_product(Lanes<S>* sums, const S* a, const S* x, std::int64_t depth)
{
    const auto v = SliceColumn<S>::load(x);
    for (std::int64_t k = 0; k < depth; ++k, a += SliceColumn<S>::height) {
        const auto column = SliceColumn<S>::load(a);
        sums[k].add_product(column.low, v.low);
        sums[k].add_product(column.middle, v.middle);
        sums[k].add_product(column.high, v.high);
    }
}

template <class S>
inline S sum_of(const Lanes<S>& lanes)
{
    S sum = lanes.values[0];
    for (int lane = 1; lane < Lanes<S>::width; ++lane) sum += lanes.values[lane];
    return sum;
}

/// A panel and its numbers. Rows are found by slot: nodes counted slice by slice, unused places included.
template <class S>
struct PanelView {
    static constexpr std::int32_t kHeight = SliceColumn<S>::height, kNodes = kHeight / 3;

    S* values = nullptr;
    std::int32_t first = 0, width = 0;
    std::span<const std::int32_t> rows;

    std::int64_t columns() const { return 3 * std::int64_t{width}; }
    std::int32_t diagonal_slices() const { return (width + kNodes - 1) / kNodes; }
    std::int32_t row_slices() const { return (static_cast<std::int32_t>(rows.size()) + kNodes - 1) / kNodes; }
    std::int32_t slices() const { return diagonal_slices() + row_slices(); }
    /// Slot of a row below, and of one of the columns: its own number.
    std::int32_t slot(std::int32_t row) const { return kNodes * diagonal_slices() + row; }
    S* slice(std::int32_t i) const { return values + i * columns() * kHeight; }
    S* node(std::int32_t slot) const { return slice(slot / kNodes) + 3 * (slot % kNodes); }
};

}  // namespace pliant
