// SPDX-License-Identifier: MIT
#pragma once

// Where the time of a step goes, and five-number summaries for tables of measurements.
//
// A StageTimer adds the time of its own life to one stage of a Profile; it costs two readings of the
// processor's time stamp counter. Stages may nest: `step` holds all the others. A Profile belongs to
// one thread. Lives here: stages, profile, timer, summary. Not here: printing.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace pliant {

enum class Stage : int {
    inputs,     ///< scripted motion, pins, parameters that change with time
    gravity,    ///< body forces
    elements,   ///< springs, triangles, tetrahedra, bending
    volume,     ///< volumes of cavities
    pressure,   ///< gas forces
    forces,     ///< everything that adds up to a force
    integrate,  ///< the time integrator or the minimisation
    matrix,     ///< filling matrices and preconditioners, within it
    linear,     ///< solving with them
    collide,    ///< contact geometry and responses
    search,     ///< broad phase of responses bridson and barrier: candidates
    near,       ///< what of these is near
    hits,       ///< what of these crosses
    rows,       ///< contacts solved: repulsion, impulses, velocities
    zones,      ///< impact zones, their searches left out
    judge,      ///< the checks behind StepReport
    measure,    ///< energies, momentum, probes
    record,     ///< writing frames
    step,       ///< the whole step
    count       ///< not a stage: their number
};

inline constexpr std::size_t kStageCount = static_cast<std::size_t>(Stage::count);

/// "inputs", "gravity", …
const char* name(Stage);

/// Seconds spent in each stage since the profile was made.
struct Profile {
    std::array<double, kStageCount> seconds{};

    double& operator[](Stage stage) { return seconds[static_cast<std::size_t>(stage)]; }
    double operator[](Stage stage) const { return seconds[static_cast<std::size_t>(stage)]; }
    Profile& operator+=(const Profile& other);
};

/// The fastest monotonic clock of this machine: the time stamp counter where it ticks evenly.
struct FastClock {
    bool counts_cycles = false;      ///< true: ticks are processor cycles; false: nanoseconds
    double seconds_per_tick = 1e-9;  ///< [s]

    std::uint64_t ticks() const
    {
#if defined(__x86_64__)
        if (counts_cycles) return __rdtsc();
#endif
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
    }
};

/// Measures the clock once (a few milliseconds, on the first call of fast_clock).
FastClock calibrated_clock();

inline const FastClock& fast_clock()
{
    static const FastClock clock = calibrated_clock();
    return clock;
}

/// Adds its own lifetime to one stage.
struct StageTimer {
    StageTimer(Profile& profile, Stage stage) : clock_(fast_clock()), seconds_(profile[stage]), start_(clock_.ticks())
    {
    }
    ~StageTimer()
    {
        // A counter read on another core may lag by a few ticks: never add a negative time.
        const auto ticks = static_cast<std::int64_t>(clock_.ticks() - start_);
        if (ticks > 0) seconds_ += static_cast<double>(ticks) * clock_.seconds_per_tick;
    }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

private:
    const FastClock& clock_;
    double& seconds_;
    std::uint64_t start_;
};

/// Five-number summary, with mean and sum; all zero for an empty sample.
struct Summary {
    double min = 0, q1 = 0, median = 0, q3 = 0, max = 0, mean = 0, sum = 0;
};

/// Quartiles by linear interpolation between order statistics (NumPy's default).
Summary summarize(std::vector<double> sample);

}  // namespace pliant
