// SPDX-License-Identifier: MIT
#include <pliant/base/profile.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace pliant {

namespace {

bool counter_ticks_evenly()
{
#if defined(__x86_64__)
    // Leaf 0x80000007, bit 8 of edx: the counter neither stops nor changes speed.
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007u, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
#else
    return false;
#endif
}

using SteadyClock = std::chrono::steady_clock;

struct Reading {
    SteadyClock::time_point time;
    std::uint64_t ticks;
};

// Both clocks at once: the tightest of a few tries, since the system may put the thread aside in between.
Reading simultaneous_reading(const FastClock& clock)
{
    Reading best{};
    std::uint64_t smallest_gap = ~std::uint64_t{0};
    for (int i = 0; i < 9; ++i) {
        const std::uint64_t before = clock.ticks();
        const auto time = SteadyClock::now();
        const std::uint64_t gap = clock.ticks() - before;
        if (gap < smallest_gap) best = {time, before + gap / 2}, smallest_gap = gap;
    }
    return best;
}

// Linear interpolation between the two order statistics around fraction * (n - 1).
double quantile(const std::vector<double>& sorted, double fraction)
{
    const double position = fraction * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

}  // namespace

const char* name(Stage stage)
{
    static constexpr std::array<const char*, kStageCount> names = {
        "inputs", "gravity", "elements", "volume", "pressure", "forces", "integrate", "matrix", "linear", "collide",
        "search", "near",    "hits",     "rows",   "zones",    "judge",  "measure",   "record", "step"};
    const auto index = static_cast<std::size_t>(stage);
    return index < names.size() ? names[index] : "unknown";
}

Profile& Profile::operator+=(const Profile& other)
{
    for (std::size_t i = 0; i < kStageCount; ++i) seconds[i] += other.seconds[i];
    return *this;
}

FastClock calibrated_clock()
{
    FastClock clock;
    if (!counter_ticks_evenly()) return clock;
    clock.counts_cycles = true;
    // Two milliseconds between readings good to some 50 ns: right to about 5e-5.
    constexpr auto long_enough = std::chrono::milliseconds(2);
    const Reading start = simultaneous_reading(clock);
    while (SteadyClock::now() - start.time < long_enough) {}
    const Reading end = simultaneous_reading(clock);
    const double seconds = std::chrono::duration<double>(end.time - start.time).count();
    clock.seconds_per_tick = seconds / static_cast<double>(end.ticks - start.ticks);
    return clock;
}

Summary summarize(std::vector<double> sample)
{
    if (sample.empty()) return {};
    std::sort(sample.begin(), sample.end());
    const double sum = std::accumulate(sample.begin(), sample.end(), 0.0);
    return {.min = sample.front(),
            .q1 = quantile(sample, 0.25),
            .median = quantile(sample, 0.5),
            .q3 = quantile(sample, 0.75),
            .max = sample.back(),
            .mean = sum / static_cast<double>(sample.size()),
            .sum = sum};
}

}  // namespace pliant
