// SPDX-License-Identifier: MIT
#include <pliant/contact/spatial_hash.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include <pliant/base/parallel.h>

namespace pliant {

namespace {

constexpr std::size_t kFaceGrain = 1024;
// Faces that are looked for at once.
constexpr std::size_t kFaceBlock = 256;
// Paths are made longer by more than the rounding of a box test, cells larger by more than that of a division.
constexpr double kPathSlack = 1 + 0x1p-18;
constexpr double kCellSlack = 1 + 0x1p-18;
// Size of a cell on the middle level over the geometric mean of the boxes' sizes: most faces are kept there.
constexpr double kUsualCell = 1.25;
constexpr int kMiddleLevel = 24;
// Cells farther out share coordinates, which costs tests but loses nothing.
constexpr double kFarthestCell = 0x1p30;
// Bits of a cell's number for each coordinate; cells 2^19 apart have the same, those that a face asks for do not.
constexpr unsigned kCoordinateBits = 19;

std::uint64_t cell_number(const std::array<std::int32_t, 3>& at, int level)
{
    constexpr std::uint64_t mask = (std::uint64_t{1} << kCoordinateBits) - 1;
    auto number = static_cast<std::uint64_t>(level);
    for (const std::int32_t coordinate : at)
        number =
            number << kCoordinateBits | (static_cast<std::uint64_t>(static_cast<std::uint32_t>(coordinate)) & mask);
    return number;
}

}  // namespace

SpatialHash::SpatialHash(const CollisionSurface& surface)
    : features_(surface)
    , boxes_(surface.faces.size())
    , paths_(surface.faces.size())
    , homes_(surface.faces.size())
    , entries_(surface.faces.size())
    , slot_bits_(static_cast<unsigned>(std::bit_width(2 * surface.faces.size() + 1)))
{
    begins_.resize((std::size_t{1} << slot_bits_) + 1);
}

Vec3 SpatialHash::mean_motion(const PairSearch& search) const
{
    const std::span<const std::int32_t> nodes = features_.nodes();
    if (nodes.empty()) return {};
    const Vec3 sum = parallel_sum<Vec3>(nodes.size(), kFaceGrain, [&](std::size_t begin, std::size_t end) {
        Vec3 part;
        for (const std::int32_t node : nodes.subspan(begin, end - begin))
            part += search.x1[static_cast<std::size_t>(node)] - search.x0[static_cast<std::size_t>(node)];
        return part;
    });
    const Vec3 mean = sum / static_cast<double>(nodes.size());
    return is_finite(mean) ? mean : Vec3{};
}

/// Boxes of all faces, and of their paths as seen from the frame that moves with the mean.
void SpatialHash::take_paths(const PairSearch& search)
{
    const Vec3 mean = mean_motion(search);
    parallel_for(paths_.size(), kFaceGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto f = static_cast<std::int32_t>(i);
            const MovingBox& box = boxes_[i] = features_.face_box(f);
            const double reach = search.reach[static_cast<std::size_t>(features_.face(f).body)];
            for (int k = 0; k < 3; ++k) {
                const double back = std::max(0.0, mean[k] - box.least_motion(k));
                const double forth = std::max(0.0, box.most_motion(k) - mean[k]);
                const double lowest = box.lowest(k) - kPathSlack * (reach + back);
                const double highest = box.highest(k) + kPathSlack * (reach + forth);
                const bool is_path = std::isfinite(lowest) && std::isfinite(highest);
                paths_[i].lowest[static_cast<std::size_t>(k)] = is_path ? lowest : 0;
                paths_[i].highest[static_cast<std::size_t>(k)] = is_path ? highest : 0;
            }
        }
    });
}

/// Sizes of cells from the mean size of paths; the level of each face from its own.
void SpatialHash::choose_levels()
{
    const auto size = [](const Path& path) {
        return std::max({path.highest[0] - path.lowest[0], path.highest[1] - path.lowest[1],
                         path.highest[2] - path.lowest[2], std::numeric_limits<double>::min()});
    };
    const double logarithms = parallel_sum<double>(paths_.size(), kFaceGrain, [&](std::size_t begin, std::size_t end) {
        double part = 0;
        for (std::size_t i = begin; i < end; ++i) part += std::log2(size(paths_[i]));
        return part;
    });
    const double mean = std::exp2(logarithms / static_cast<double>(paths_.size()));
    const double usual = std::isfinite(mean) ? kUsualCell * mean : 1;
    // The last level is one cell for all that is too large.
    std::array<double, kLevels - 1> largest_kept{};
    per_cell_[kLevels - 1] = 0;
    for (int level = 0; level + 1 < kLevels; ++level) {
        const double cell = std::ldexp(usual, level - kMiddleLevel);
        per_cell_[static_cast<std::size_t>(level)] = 1 / cell;
        largest_kept[static_cast<std::size_t>(level)] = cell / kCellSlack;
    }
    parallel_for(paths_.size(), kFaceGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto found = std::lower_bound(largest_kept.begin(), largest_kept.end(), size(paths_[i]));
            paths_[i].level = static_cast<std::int32_t>(found - largest_kept.begin());
            homes_[i] = home(paths_[i]);
        }
    });
}

/// Sorts the faces by slot, counting first.
void SpatialHash::fill_table()
{
    std::fill(begins_.begin(), begins_.end(), 0);
    std::fill(used_.begin(), used_.end(), 0);
    for (std::size_t i = 0; i < homes_.size(); ++i) {
        ++begins_[slot(homes_[i])];
        ++used_[static_cast<std::size_t>(paths_[i].level)];
    }
    // Ends of the slots, which filling from the back turns into their begins; faces come in ascending order.
    for (std::size_t s = 1; s < begins_.size(); ++s) begins_[s] += begins_[s - 1];
    for (std::size_t i = homes_.size(); i-- > 0;)
        entries_[static_cast<std::size_t>(--begins_[slot(homes_[i])])] = {homes_[i], static_cast<std::int32_t>(i)};
}

std::int32_t SpatialHash::cell_coordinate(double x, int level) const
{
    const double cells = x * per_cell_[static_cast<std::size_t>(level)];
    return static_cast<std::int32_t>(std::floor(std::clamp(cells, -kFarthestCell, kFarthestCell)));
}

std::uint64_t SpatialHash::home(const Path& path) const
{
    return cell_number({cell_coordinate(path.lowest[0], path.level), cell_coordinate(path.lowest[1], path.level),
                        cell_coordinate(path.lowest[2], path.level)},
                       path.level);
}

std::size_t SpatialHash::slot(std::uint64_t cell) const
{
    // Fibonacci hashing: 2^64 over the golden ratio; the upper bits are the best mixed.
    return static_cast<std::size_t>((cell ^ cell >> 29) * 0x9e3779b97f4a7c15U >> (64 - slot_bits_));
}

/// Calls found(face) for the faces kept in cells of the level where the path can meet them.
template <class Found>
void SpatialHash::visit_cells(const Path& path, int level, Found&& found) const
{
    std::array<std::int32_t, 3> first{}, last{};
    for (std::size_t k = 0; k < 3; ++k) {
        first[k] = cell_coordinate(path.lowest[k], level) - 1;
        last[k] = cell_coordinate(path.highest[k], level);
    }
    for (std::int32_t x = first[0]; x <= last[0]; ++x)
        for (std::int32_t y = first[1]; y <= last[1]; ++y)
            for (std::int32_t z = first[2]; z <= last[2]; ++z) {
                const std::uint64_t cell = cell_number({x, y, z}, level);
                const std::size_t s = slot(cell);
                for (std::int32_t i = begins_[s]; i < begins_[s + 1]; ++i) {
                    const Entry& entry = entries_[static_cast<std::size_t>(i)];
                    if (entry.cell == cell) found(entry.face);
                }
            }
}

/// The pairs of a face with those on coarser levels and with lower-numbered ones on its own.
SearchCounters SpatialHash::search_face(std::vector<SurfacePair>& found, std::int32_t f, const PairSearch& search) const
{
    SearchCounters counters;
    const FaceElements& here = features_.face(f);
    const MovingBox& box = boxes_[static_cast<std::size_t>(f)];
    const Path& path = paths_[static_cast<std::size_t>(f)];
    for (int level = path.level; level < kLevels; ++level) {
        if (used_[static_cast<std::size_t>(level)] == 0) continue;
        visit_cells(path, level, [&](std::int32_t g) {
            const FaceElements& other = features_.face(g);
            if ((level == path.level && g >= f) || !search.counts(here.body, other.body)) return;
            ++counters.box_tests;
            const MovingBox& other_box = boxes_[static_cast<std::size_t>(g)];
            const float reach = rounded_reach(search.pair_reach(here.body, other.body));
            if (!overlap(box, other_box, reach)) return;
            ++counters.face_pairs;
            if (!here.is_neighbour(other)) features_.offer(found, f, box, g, other_box, reach);
        });
    }
    return counters;
}

SearchCounters SpatialHash::find(std::vector<SurfacePair>& pairs, const PairSearch& search)
{
    features_.check(search);
    features_.take_motion(search.x0, search.x1);
    features_.list_neighbours(search);
    take_paths(search);
    choose_levels();
    fill_table();
    const std::size_t parts = features_.neighbour_part_count(search);
    const std::size_t blocks = (paths_.size() + kFaceBlock - 1) / kFaceBlock;
    return found_.collect(pairs, parts + blocks, [&](std::vector<SurfacePair>& found, std::size_t task) {
        SearchCounters counters;
        if (task < parts) {
            features_.offer_neighbours(found, task, search);
            return counters;
        }
        const std::size_t begin = (task - parts) * kFaceBlock, end = std::min(begin + kFaceBlock, paths_.size());
        for (std::size_t f = begin; f < end; ++f) counters += search_face(found, static_cast<std::int32_t>(f), search);
        return counters;
    });
}

}  // namespace pliant
