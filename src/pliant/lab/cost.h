// SPDX-License-Identifier: MIT
#pragma once

// One scene under several models, solvers or sizes, and what each run costs: machine time per frame, whole and by stage.
//
// Runs go one after the other; who wants times that mean something gives them one thread. With one thread, what the
// machine does for others meanwhile is taken out of every frame: the frame's times are scaled to the processor time it
// had. A run that takes less than kLongEnough is repeated and the fastest is kept: disturbances only ever add time.
// A run that fails has no time.
//
//   model         forces, or corrections of positions, by elements, gravity and gas
//   integration   the rest of the integrator: moving vertices, matrices and their solution
//   collision     finding contacts and answering them
//   other         checks, inputs, the length of the next step

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pliant/base/profile.h>
#include <pliant/lab/comparison.h>

namespace pliant {

/// Machine time by the stages of seed 003's Figure 5.2 [s].
struct StageSeconds {
    double model = 0, integration = 0, collision = 0, other = 0;

    double total() const { return model + integration + collision + other; }
};

/// The parts of a profile; they add up to its Stage::step.
StageSeconds stage_seconds(const Profile& profile);

struct CostRun {
    Settings settings;
    std::string name;           ///< for tables and legends
    std::string status = "ok";  ///< ok, warning, or the kind of failure
    std::string message;        ///< words for anything but ok
    bool failed = false;
    std::int32_t particles = 0;  ///< vertices that move by forces
    std::int64_t frames = 0, steps = 0;
    StageSeconds per_frame;            ///< [s] mean over the frames
    double median_s = 0, worst_s = 0;  ///< [s] of a frame
    double axis = 0;                   ///< its place on the axis; NaN without one
    double ratio = 0;                  ///< its time over that of the fastest run at the same place
};

/// Runs that differ in their place on the axis only.
struct CostCurve {
    std::string name;               ///< "" when nothing else is varied
    std::vector<std::size_t> runs;  ///< indices into CostComparison::runs, failed ones left out
    double slope = 0;               ///< of log(time) over log(axis); NaN when there is none
};

struct CostComparison {
    std::string scene, description;
    std::vector<Override> set;
    std::vector<Variation> variations;
    std::optional<std::size_t> axis_variation;  ///< the numeric one, else the one that changes the number of particles
    std::string axis_label;                     ///< its path, or "particles"
    int threads = 1;
    std::vector<CostRun> runs;
    std::vector<CostCurve> curves;
    double disturbed = 0;  ///< [1] share of all frames' wall time that the machine spent on others; it is taken out
    bool interrupted = false;

    bool all_failed() const;
};

/// [s] Runs shorter than this are repeated, at most kMostRepeats times.
inline constexpr double kLongEnough = 1;
inline constexpr int kMostRepeats = 5;

/// Runs everything; measure and reference of the plan are not looked at. Throws Error when a scene cannot be read or
/// built; a run that fails is a result.
CostComparison compare_costs(const ComparisonPlan& plan);

}  // namespace pliant
