// SPDX-License-Identifier: MIT
#pragma once

// One scene under several solvers, steps or settings, and how far each run is from the truth.
//
// Every combination of the variations is run (lab/trial.h) and one measure of it is held against a reference: the
// exact solution where the scene is a linear oscillator (lab/oscillator.h), else a finer run. The
// error of a run is |value - reference| at the times the run was looked at; it is judged by the swing
// of the reference, its highest minus its lowest value.
// The observed order of a method is the slope of log(largest error) over log(step taken), through the
// runs that are within a tenth of the swing and not yet at rounding.

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/lab/trial.h>
#include <pliant/lab/variation.h>

namespace pliant {

/// A run as a whole. exploded: it failed, or its error outgrew kExplosion swings, more than any shift in time explains.
enum class Verdict : std::int32_t { exact, close, inaccurate, exploded };
constexpr std::array<std::string_view, 4> enum_names(Verdict)
{
    return {"exact to 1 %", "within 10 %", "inaccurate", "exploded"};
}

inline constexpr double kExplosion = 2;

/// What runs of the same physics are compared with.
struct Reference {
    Settings physics;            ///< the varied settings, but for the solver's, that it belongs to
    bool is_exact = false;       ///< a formula, not a run
    std::vector<double> times;   ///< [s] frames, and whenever one of its runs was looked at
    std::vector<double> values;  ///< of the measure
    std::vector<double> totals;  ///< [J] energy.total
    double swing = 0;            ///< highest minus lowest value
};

struct ComparedRun {
    Settings settings;
    std::string name;            ///< for tables and legends
    std::size_t reference = 0;   ///< index into Comparison::references
    Trial trial;                 ///< its columns are: measure, energy.error, energy.total
    std::vector<double> errors;  ///< |value - reference| at trial.times; NaN where the reference is not known
    double largest_error = 0, end_error = 0;
    double relative_error = 0;  ///< largest_error over the swing
    double largest_energy_error = 0;
    Verdict verdict = Verdict::exact;

    const std::vector<double>& values() const { return trial.columns[0]; }
    const std::vector<double>& energy_errors() const { return trial.columns[1]; }
    const std::vector<double>& totals() const { return trial.columns[2]; }
};

/// Runs that differ in the numeric parameter only.
struct Method {
    std::string name;               ///< "" when nothing but the parameter is varied
    std::vector<std::size_t> runs;  ///< indices into Comparison::runs, in the order of the list
    double slope = 0;               ///< of log(error) over log(parameter); NaN when there is none
    std::size_t fitted = 0;         ///< runs that the slope was taken through
};

struct Comparison {
    std::string scene, description;
    std::vector<Override> set;
    std::vector<Variation> variations;
    std::string measure;
    std::string unit;             ///< of the measure; "" or "1" for pure numbers, filled in by who knows
    std::string reference_words;  ///< which reference was taken, as a sentence
    std::vector<std::string> notes;
    std::vector<Reference> references;
    std::vector<ComparedRun> runs;
    std::optional<std::size_t> parameter;  ///< the variation that is numeric, has three values or more and is the axis
    std::vector<Method> methods;           ///< by parameter; empty without one
    bool interrupted = false;

    /// The parameter is a length of steps: slopes are orders, and the axis is the step taken.
    bool is_by_step() const;
    /// The run's place on the axis of the parameter.
    double parameter_of(const ComparedRun&) const;
    bool all_failed() const;
};

struct ComparisonProgress {
    std::size_t run = 0, runs = 0;  ///< run counts from 1, references first
    double part = 0;                ///< of the run, 0 to 1
    std::string name;
};

struct ComparisonPlan {
    std::string scene;                  ///< path of the scene
    std::vector<Override> set;          ///< changes for all runs
    std::vector<Variation> variations;  ///< at least one
    std::string measure;                ///< "" chooses the coordinate that moves most
    std::optional<Settings> reference;  ///< of the reference run, instead of the exact solution
    std::function<void(const ComparisonProgress&)> progress{};
    const std::atomic<bool>* stop = nullptr;  ///< set from a signal handler: ends with the finished runs
};

/// Runs everything. Throws Error when a scene cannot be read or built, or there is no such measure; a run that fails
/// is a result.
Comparison compare(const ComparisonPlan&);

}  // namespace pliant
