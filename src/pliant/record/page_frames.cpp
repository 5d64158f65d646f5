// SPDX-License-Identifier: MIT
#include <pliant/record/page_frames.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace pliant {

namespace {

constexpr std::size_t kMostOrder = 3;

// What the frames before lead to expect of a number; wraps around like the reader's arithmetic.
std::uint32_t predicted(std::span<const std::uint32_t* const> before, std::size_t order, std::size_t at)
{
    switch (order) {
    case 0:
        return 0;
    case 1:
        return before[0][at];
    case 2:
        return 2 * before[0][at] - before[1][at];
    default:
        return 3 * before[0][at] - 3 * before[1][at] + before[2][at];
    }
}

// Calls take(zigzag miss) for each of a body's numbers along one axis.
template <class Take>
void for_each_miss(Prediction mode, std::span<const std::uint32_t* const> before, const std::uint32_t* now,
                   std::size_t first, std::size_t count, const Take& take)
{
    std::uint32_t last = 0;
    for (std::size_t i = first; i < first + count; ++i) {
        const std::uint32_t miss = now[i] - predicted(before, static_cast<std::size_t>(mode.order), i);
        take(zigzag(mode.is_spatial ? miss - last : miss));
        last = miss;
    }
}

void append_word(std::vector<std::byte>& bytes, std::uint32_t word)
{
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>(word >> shift & 0xFFU));
}

std::uint8_t code_of(double value, const PageRange& range)
{
    if (!std::isfinite(value)) return 0;
    const double share = std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0);
    return static_cast<std::uint8_t>(1 + std::lround(254 * share));
}

}  // namespace

PageFrames::PageFrames(std::vector<std::size_t> points, const PageGrid& grid, std::vector<PageRange> ranges)
    : points_(std::move(points))
    , grid_(grid)
    , ranges_(std::move(ranges))
{
    for (const std::size_t count : points_) point_count_ += count;
    field_codes_.assign(ranges_.size(), std::vector<std::uint8_t>(point_count_, 0));
    field_misses_.resize(ranges_.size());
}

// What is nowhere stays where it was.
PageFrames::Numbers PageFrames::numbers_of(std::span<const Vec3> x)
{
    Numbers now;
    if (before_.empty())
        now.fill(std::vector<std::uint32_t>(point_count_, 0));
    else
        now = before_.front();
    std::size_t lost = 0;
    for (std::size_t p = 0; p < point_count_; ++p) {
        const Vec3 place = (x[p] - grid_.origin) / grid_.step;
        const double largest = std::max({std::abs(place.x), std::abs(place.y), std::abs(place.z)});
        if (!is_finite(place) || !(largest < kFarthestStep)) {
            nowhere_.push_back(static_cast<std::uint32_t>(chunk_frames_));
            nowhere_.push_back(static_cast<std::uint32_t>(p));
            ++lost;
            continue;
        }
        for (int k = 0; k < 3; ++k)
            now[static_cast<std::size_t>(k)][p] = static_cast<std::uint32_t>(std::lround(place[k]));
    }
    nowhere_count_ += lost, nowhere_frames_ += lost > 0 ? 1 : 0;
    return now;
}

// Under the prediction that leaves the fewest bits.
void PageFrames::add_body(const Numbers& now, std::size_t first, std::size_t count)
{
    std::array<std::array<const std::uint32_t*, kMostOrder>, 3> before{};
    for (std::size_t f = 0; f < before_.size(); ++f)
        for (std::size_t k = 0; k < 3; ++k) before[k][f] = before_[f][k].data();
    Prediction best;
    std::uint64_t least = ~std::uint64_t{0};
    for (int order = before_.empty() ? 0 : 1; order <= static_cast<int>(before_.size()); ++order)
        for (const bool is_spatial : {false, true}) {
            std::uint64_t bits = 0;
            for (std::size_t k = 0; k < 3; ++k)
                for_each_miss({order, is_spatial}, before[k], now[k].data(), first, count,
                              [&bits](std::uint32_t miss) { bits += static_cast<unsigned>(std::bit_width(miss)); });
            if (bits < least) least = bits, best = {order, is_spatial};
        }
    modes_.push_back(best.code());
    const std::size_t frame = misses_.size() - 3 * point_count_;
    for (std::size_t k = 0; k < 3; ++k) {
        std::uint32_t* out = &misses_[frame + k * point_count_ + first];
        for_each_miss(best, before[k], now[k].data(), first, count, [&out](std::uint32_t miss) { *out++ = miss; });
    }
}

void PageFrames::add_field(std::size_t field, std::span<const double> values)
{
    std::vector<std::uint8_t>& last = field_codes_[field];
    for (std::size_t p = 0; p < point_count_; ++p) {
        const std::uint8_t code = values.empty() ? 0 : code_of(values[p], ranges_[field]);
        field_misses_[field].push_back(static_cast<std::uint8_t>(code - last[p]));
        last[p] = code;
    }
}

void PageFrames::add(std::span<const Vec3> x, std::span<const std::vector<double>> fields)
{
    Numbers now = numbers_of(x);
    misses_.resize(misses_.size() + 3 * point_count_);
    std::size_t first = 0;
    for (const std::size_t count : points_) {
        if (count > 0) add_body(now, first, count);
        first += count;
    }
    for (std::size_t f = 0; f < ranges_.size(); ++f) add_field(f, fields[f]);
    before_.insert(before_.begin(), std::move(now));
    if (before_.size() > kMostOrder) before_.pop_back();
    ++chunk_frames_;
}

std::vector<std::byte> PageFrames::take_chunk()
{
    std::vector<std::byte> bytes;
    append_word(bytes, static_cast<std::uint32_t>(chunk_frames_));
    append_word(bytes, static_cast<std::uint32_t>(nowhere_.size() / 2));
    for (const std::uint32_t number : nowhere_) append_word(bytes, number);
    for (const std::uint8_t mode : modes_) bytes.push_back(std::byte{mode});
    append_planes(bytes, misses_);
    for (std::vector<std::uint8_t>& misses : field_misses_) {
        const std::span<const std::byte> raw = std::as_bytes(std::span(misses));
        bytes.insert(bytes.end(), raw.begin(), raw.end());
        misses.clear();
    }
    modes_.clear(), nowhere_.clear(), misses_.clear();
    chunk_frames_ = 0;
    return bytes;
}

void append_planes(std::vector<std::byte>& bytes, std::span<const std::uint32_t> numbers)
{
    bytes.reserve(bytes.size() + 4 * numbers.size());
    for (int shift = 0; shift < 32; shift += 8)
        for (const std::uint32_t number : numbers) bytes.push_back(static_cast<std::byte>(number >> shift & 0xFFU));
}

}  // namespace pliant
