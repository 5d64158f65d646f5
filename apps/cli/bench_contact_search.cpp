// SPDX-License-Identifier: MIT

// Contact, geometry alone: broad and narrow phase of many triangles, how they grow, and single queries of continuous detection.

#include <algorithm>
#include <limits>

#include <malloc.h>

#include <fmt/format.h>

#include <pliant/base/profile.h>
#include <pliant/contact/ccd.h>
#include <pliant/contact/thesis_cubic.h>

#include "bench.h"
#include "bench_contact.h"

namespace pliant::cli {

namespace {

/// Machine times of one search [s], the best of several, and what it found.
struct SearchCost {
    double broad = 0, near = 0, crossing = 0;
    double bytes = 0;  ///< of the search and of what it found
    SurfaceSearchCounters counters;

    double all() const { return broad + near + crossing; }
};

double allocated_bytes()
{
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

// What a step of `bridson` asks for that moves nothing: pairs that are near, then those that cross.
SearchCost search_cost(const MovingSheets& sheets, BroadPhase broad_phase, int repeats)
{
    constexpr double kNever = std::numeric_limits<double>::infinity();
    double with_broad = kNever, near_alone = kNever, crossing = kNever;
    const double before = allocated_bytes();
    SurfaceSearch search(sheets.surface, sheets.x0);
    std::vector<Meeting> near, hits;
    SearchCost cost;
    // The first round makes tables and takes memory.
    for (int r = 0; r <= repeats; ++r) {
        search.begin_step(sheets.bodies(), broad_phase, CrossingSearch::conservative);
        const double first = seconds_of([&] { search.find_near(near, sheets.x0, sheets.x1); });
        const double second = seconds_of([&] { search.find_hits(hits, sheets.x0, sheets.x1); });
        cost.counters = search.counters();
        // The candidates are known by now: this is the narrow phase alone.
        const double third = seconds_of([&] { search.find_near(near, sheets.x0, sheets.x1); });
        if (r == 0) cost.bytes = allocated_bytes() - before;
        if (r == 0) continue;
        with_broad = std::min(with_broad, first), crossing = std::min(crossing, second);
        near_alone = std::min(near_alone, third);
    }
    cost.broad = std::max(0.0, with_broad - near_alone), cost.near = near_alone, cost.crossing = crossing;
    return cost;
}

std::vector<std::string> search_row(SheetShape shape, const MovingSheets& sheets, BroadPhase broad_phase,
                                    const SearchCost& cost, int threads)
{
    const auto count = [](std::int64_t n) { return std::to_string(n); };
    return {std::string(name_of(shape)),       std::to_string(sheets.surface.faces.size()),
            std::string(name_of(broad_phase)), std::to_string(threads),
            number(1e3 * cost.broad),          number(1e3 * cost.near),
            number(1e3 * cost.crossing),       number(1e3 * cost.all()),
            count(cost.counters.box_tests),    count(cost.counters.candidates),
            count(cost.counters.near),         count(cost.counters.hits)};
}

}  // namespace

BenchTable bench_contact_search(const BenchSettings& settings)
{
    BenchTable table{.name = "contact_search",
                     .sentence =
                         "milliseconds for all pairs of 100 000 triangles that are near or cross in a step: boxes, "
                         "distances, times of impact; 60 for all on two cores are wanted"};
    table.columns = {"shape",  "triangles", "broad_phase", "threads", "broad_ms", "near_ms", "crossing_ms",
                     "all_ms", "box_tests", "candidates",  "near",    "hits",     "verdict"};
    for (const SheetShape shape : {SheetShape::flat, SheetShape::pleated, SheetShape::rolled, SheetShape::stacked}) {
        const MovingSheets sheets = moving_sheets(shape, 1e5);
        for (const BroadPhase broad_phase : {BroadPhase::trees, BroadPhase::hash}) {
            const SearchCost cost = search_cost(sheets, broad_phase, settings.repeats);
            table.rows.push_back(search_row(shape, sheets, broad_phase, cost, settings.threads));
            table.rows.back().emplace_back(cost.all() < 0.06 ? "met" : "missed");
        }
    }
    return table;
}

BenchTable bench_contact_growth(const BenchSettings& settings)
{
    BenchTable table{.name = "contact_growth",
                     .sentence =
                         "the same per triangle from 10^3 to 10^6 of them, a pleated sheet: nearly the same numbers in "
                         "all rows are wanted"};
    table.columns = {"triangles", "broad_phase", "threads", "ns_per_triangle",    "broad_ns",
                     "box_tests", "candidates",  "near",    "bytes_per_triangle", "times_of_smallest"};
    for (const BroadPhase broad_phase : {BroadPhase::trees, BroadPhase::hash}) {
        double smallest = 0;
        for (const double wanted : {1e3, 1e4, 1e5, 1e6}) {
            if (0.5 * wanted > settings.largest) break;
            const MovingSheets sheets = moving_sheets(SheetShape::pleated, wanted);
            const SearchCost cost = search_cost(sheets, broad_phase, settings.repeats);
            const auto triangles = static_cast<double>(sheets.surface.faces.size());
            const double ns = 1e9 * cost.all() / triangles;
            if (smallest == 0) smallest = ns;
            const auto each = [&](std::int64_t n) { return number(static_cast<double>(n) / triangles); };
            table.rows.push_back({std::to_string(sheets.surface.faces.size()), std::string(name_of(broad_phase)),
                                  std::to_string(settings.threads), number(ns), number(1e9 * cost.broad / triangles),
                                  each(cost.counters.box_tests), each(cost.counters.candidates),
                                  each(cost.counters.near), number(cost.bytes / triangles), number(ns / smallest)});
        }
    }
    return table;
}

namespace {

/// Queries that cost about the same.
struct QuerySet {
    std::string name;
    PairKind kind = PairKind::vertex_face;
    std::vector<PairPath> paths;
};

constexpr double kQuerySeparation = kSeparation * 0.003;  // [m]

PairPath path_of(const MovingSheets& sheets, const SurfacePair& pair)
{
    PairPath path;
    const auto nodes = pair_nodes(sheets.surface, pair);
    for (std::size_t k = 0; k < 4; ++k)
        path.x0[k] = sheets.x0[static_cast<std::size_t>(nodes[k])],
        path.x1[k] = sheets.x1[static_cast<std::size_t>(nodes[k])];
    return path;
}

// What a broad phase hands over, by how much has to be done: refused at once, looked at, met.
std::vector<QuerySet> query_sets()
{
    constexpr double kShaken = 0.002;  // [m] so that turns meet
    const MovingSheets sheets = moving_sheets(SheetShape::rolled, 2e4, kShaken);
    SurfaceSearch search(sheets.surface, sheets.x0);
    std::vector<Meeting> near;
    search.begin_step(sheets.bodies(), BroadPhase::trees, CrossingSearch::conservative);
    search.find_near(near, sheets.x0, sheets.x1);
    std::vector<QuerySet> sets;
    for (const PairKind kind : {PairKind::vertex_face, PairKind::edge_edge})
        for (const char* name : {"far", "close", "meeting"}) sets.push_back({name, kind, {}});
    for (const SurfacePair& pair : search.candidates()) {
        const PairPath path = path_of(sheets, pair);
        const std::size_t hard = quick_miss(pair.kind, path, kQuerySeparation)        ? 0
                                 : !time_of_impact(pair.kind, path, kQuerySeparation) ? 1
                                                                                      : 2;
        sets[3 * static_cast<std::size_t>(pair.kind) + hard].paths.push_back(path);
    }
    return sets;
}

// Median, upper quartile and most of single queries [ns]: the best of several rounds over the whole set, so that each
// finds the processor as others have left it.
template <class Query>
Summary query_times(const QuerySet& set, int repeats, Query&& query)
{
    const FastClock& clock = fast_clock();
    std::vector<double> best(set.paths.size(), std::numeric_limits<double>::infinity());
    double empty = std::numeric_limits<double>::infinity(), sum = 0;
    for (int r = 0; r < std::max(repeats, 3); ++r)
        for (std::size_t i = 0; i < best.size(); ++i) {
            const std::uint64_t start = clock.ticks();
            const auto time = query(set.kind, set.paths[i]);
            const std::uint64_t end = clock.ticks();
            const std::uint64_t after = clock.ticks();
            sum += time.value_or(1);
            best[i] = std::min(best[i], static_cast<double>(end - start));
            empty = std::min(empty, static_cast<double>(after - end));
        }
    for (double& ticks : best) ticks = 1e9 * clock.seconds_per_tick * std::max(0.0, ticks - empty);
    // Every answer counts, so that none is left out.
    if (!(sum >= 0)) best.clear();
    return summarize(best);
}

}  // namespace

BenchTable bench_contact_queries(const BenchSettings& settings)
{
    BenchTable table{.name = "contact_queries",
                     .sentence =
                         "nanoseconds of one continuous query, pairs as a broad phase gives them for a rolled sheet: "
                         "far ones are refused by the first test, close ones do not meet, beside the thesis' cubic, "
                         "which may miss; a median under 1000 is wanted"};
    table.columns = {"pairs", "kind", "queries", "median_ns", "q3_ns", "worst_ns", "cubic_median_ns", "verdict"};
    for (const QuerySet& set : query_sets()) {
        const Summary own = query_times(set, settings.repeats, [](PairKind kind, const PairPath& path) {
            return time_of_impact(kind, path, kQuerySeparation);
        });
        const Summary cubic = query_times(set, settings.repeats, [](PairKind kind, const PairPath& path) {
            return thesis_time_of_impact(kind, path);
        });
        table.rows.push_back({set.name, set.kind == PairKind::vertex_face ? "vertex_face" : "edge_edge",
                              std::to_string(set.paths.size()), number(own.median), number(own.q3), number(own.max),
                              number(cubic.median),
                              set.paths.empty()   ? "none"
                              : own.median < 1000 ? "met"
                                                  : "missed"});
    }
    return table;
}

}  // namespace pliant::cli
