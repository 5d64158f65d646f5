// SPDX-License-Identifier: MIT
#pragma once

// A whole run: frame after frame, recorded, summed up and judged by the scene's expectations.

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <pliant/base/profile.h>
#include <pliant/model/report.h>
#include <pliant/record/recording.h>
#include <pliant/scene/scene.h>
#include <pliant/world/world.h>

namespace pliant {

/// One measure over a run.
struct MeasureSummary {
    std::string name;
    double first = 0, last = 0;
    double min = std::numeric_limits<double>::infinity(), max = -std::numeric_limits<double>::infinity();
    double mean = 0;  ///< of the last kMeanWindow seconds
};

/// [s] of simulated time at the end of a run that MeasureSummary::mean is taken over.
inline constexpr double kMeanWindow = 2;

struct Expectation {
    std::string name;  ///< a measure, maybe with .first .min .max .mean
    double low = 0, high = 0, found = 0;
    bool met = false;
};

struct RunSummary {
    std::string status = "ok";  ///< ok, warning, interrupted, or the kind of failure
    std::string message;        ///< words for anything but ok
    std::uint64_t hash = 0;     ///< of the last state
    std::int64_t frames = 0;    ///< recorded frames in all, the start included
    std::int64_t substeps = 0;
    double sim_s = 0;   ///< [s] simulated time reached
    double wall_s = 0;  ///< [s] this run took
    Profile profile;
    double last_record_s = 0;  ///< [s] that writing the last frame took
    std::vector<MeasureSummary> measures;
    std::vector<Expectation> expect;
    std::vector<std::string> notes;  ///< advice.h
    double unbalanced = 0;  ///< [1] what each frame's last step under barrier left of its driving forces, in the mean
    bool failed = false;    ///< the simulation did not reach its end
    bool interrupted = false;
    bool at_rest = false;  ///< world.until rest: it ended because everything was at rest

    bool expectations_met() const;
};

/// How far a run has come.
struct Progress {
    double time = 0, duration = 0;
    std::int64_t frame = 0, frames = 0;
};

struct RunOptions {
    RecordingWriter* writer = nullptr;                ///< nothing is recorded without
    std::function<void(const Progress&)> progress{};  ///< called after every frame
    const std::atomic<bool>* stop = nullptr;          ///< set from a signal handler: ends after the frame
    const Recording* earlier = nullptr;               ///< a take that is being resumed: its frames count too
};

/// Runs the world from where it is to the end of the scene.
RunSummary run(World&, const Scene&, const RunOptions& = {});

/// Index of the last frame of a scene.
std::int64_t last_frame(const Scene&);

/// The summary as the JSON object of `pliant run --json`; peak memory is the process' own.
std::string to_json(const RunSummary&);

/// Peak resident memory of this process [MiB].
double peak_memory();

}  // namespace pliant
