// SPDX-License-Identifier: MIT
#pragma once

// One run of a comparison: a world from its start to its end in this process, nothing recorded.
//
// A trial is looked at after whole numbers of the solver's steps, as near to the scene's frames as they come,
// so that a step longer than a frame is taken as it was asked for. Where the step divides
// the frame these are the frames of `pliant run`, to the bit.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <pliant/scene/scene.h>
#include <pliant/world/world.h>

namespace pliant {

/// The times at which a trial of the scene is looked at, from 0 to the duration [s].
std::vector<double> sample_times(const Scene&);

/// What a run came to. A failure is a result: what was measured before it is kept.
struct Trial {
    std::string status = "ok";  ///< ok, warning, or the kind of failure
    std::string message;        ///< words for anything but ok
    bool failed = false;        ///< it did not reach its end
    bool interrupted = false;   ///< it was stopped from outside: of no use
    std::int64_t steps = 0;
    double sim_s = 0;                          ///< [s] simulated time reached
    double step_s = 0;                         ///< [s] machine time per step, measuring excluded
    std::vector<double> times;                 ///< [s] of the samples
    std::vector<std::vector<double>> columns;  ///< one per measure asked for, each as long as times

    /// [s] mean length of the steps taken, 0 when there was none.
    double step_taken() const { return steps > 0 ? sim_s / static_cast<double>(steps) : 0; }
    /// [s] machine time per second of simulated time.
    double work() const { return sim_s > 0 ? step_s * static_cast<double>(steps) / sim_s : 0; }
};

struct TrialOptions {
    std::vector<std::string> measures;       ///< the columns
    std::function<void(double)> progress{};  ///< called with the part done, 0 to 1
    const std::atomic<bool>* stop = nullptr;
    /// Short runs are stepped again, up to this many times, and the fastest is kept: what disturbs a
    /// machine only ever adds time.
    int timings = 5;
};

/// Runs a copy of the world through the times. Measures of other names are NaN.
Trial run_trial(const World& start, const std::vector<double>& times, const TrialOptions& options);

}  // namespace pliant
