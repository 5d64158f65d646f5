// SPDX-License-Identifier: MIT
#pragma once

// Positions and fields of a take as the few bytes that a page carries: for this room only.
//
// Positions are whole multiples of a step from an origin. Each is predicted from the frames before in whole numbers, so
// that decoding is exact, and what the prediction missed is kept. Fields are one byte each: 0 is no number, 1 to 255
// divide the range. docs/formats.md (Pages) has the bytes of a chunk; page/src/frames.ts reads them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <pliant/base/types.h>

namespace pliant {

/// Where whole numbers are: origin + step * number, in metres. A position is at most step / 2 off along each axis.
struct PageGrid {
    Vec3 origin;
    double step = 1;  ///< [m]
};

/// What is farther from the origin than this many steps is nowhere, like what is not a number.
inline constexpr std::int32_t kFarthestStep = 1 << 27;

/// The values that the codes 1 and 255 of a field stand for; low < high.
struct PageRange {
    double low = 0, high = 1;
};

/// How a body's numbers in one frame are predicted: `order` frames before it (0 to 3, a polynomial through them), and
/// whether each miss is told as its difference from the miss of the point before.
struct Prediction {
    int order = 0;
    bool is_spatial = false;

    std::uint8_t code() const { return static_cast<std::uint8_t>(2 * order + (is_spatial ? 1 : 0)); }
};

/// Takes frames one after the other and gives their bytes, some frames in each chunk.
class PageFrames {
public:
    /// `points` of each body, one body after the other.
    PageFrames(std::vector<std::size_t> points, const PageGrid& grid, std::vector<PageRange> ranges);

    /// Positions and field values of all points; a field without values in this frame is empty.
    void add(std::span<const Vec3> x, std::span<const std::vector<double>> fields);

    std::size_t frames_in_chunk() const { return chunk_frames_; }
    /// The bytes of the frames since the last call; the next frames are told from them.
    std::vector<std::byte> take_chunk();

    std::size_t nowhere_count() const { return nowhere_count_; }  ///< points of all frames together
    std::size_t nowhere_frames() const { return nowhere_frames_; }

private:
    using Numbers = std::array<std::vector<std::uint32_t>, 3>;  ///< along each axis; two's complement

    Numbers numbers_of(std::span<const Vec3> x);
    void add_body(const Numbers& now, std::size_t first, std::size_t count);
    void add_field(std::size_t field, std::span<const double> values);

    std::vector<std::size_t> points_;
    std::size_t point_count_ = 0;
    PageGrid grid_;
    std::vector<PageRange> ranges_;
    std::vector<Numbers> before_;                         ///< up to three frames, the last one first
    std::vector<std::vector<std::uint8_t>> field_codes_;  ///< of the frame before

    std::size_t chunk_frames_ = 0;
    std::vector<std::uint8_t> modes_;
    std::vector<std::uint32_t> nowhere_;  ///< pairs: frame of the chunk, point
    std::vector<std::uint32_t> misses_;   ///< frame by frame, axis by axis; zigzag
    std::vector<std::vector<std::uint8_t>> field_misses_;
    std::size_t nowhere_count_ = 0, nowhere_frames_ = 0;
};

/// 0, -1, 1, -2 … become 0, 1, 2, 3 …
constexpr std::uint32_t zigzag(std::uint32_t number)
{
    return (number << 1) ^ (0U - (number >> 31));
}

/// All lowest bytes first, then the next ones, up to the highest: equal bytes come together.
void append_planes(std::vector<std::byte>& bytes, std::span<const std::uint32_t> numbers);

}  // namespace pliant
