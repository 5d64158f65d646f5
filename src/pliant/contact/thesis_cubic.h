// SPDX-License-Identifier: MIT
#pragma once

// Continuous detection as the thesis of dpoSimulator does it, for comparison with ccd.h. It misses collisions.
//
// Four points that meet are in one plane: the volume p(t) = A t^3 + B t^2 + C t + D of the moving points is zero. Its
// extrema cut the step into intervals; where the ends of one have different signs a secant runs to the root, and there
// the nearest place decides whether the elements meet. Kept as they are:
//   W-09, W-10  the first root ends the search, even where the elements do not meet there
//   W-11        a zero at the end of an interval is no change of sign; a secant may leave its interval; numbers are
//               floats; without a cubic term there is no formula for extrema and the step is not cut
//   W-12        no tolerance, neither in time nor at borders
// What the thesis does not say: it names an accuracy and a limit of the secant, not their values (kThesisAccuracy,
// kThesisMostSecants); where the secant does not end it raises an error, here that is an outcome.
// Symbols: h length of the step, t time, both in the unit that the velocities are per; [m^3] for p.
// Reference: seeds/001 sections 3.6, 3.8, 3.9, flow chart I.

#include <array>
#include <cstdint>
#include <optional>

#include <pliant/contact/ccd.h>

namespace pliant {

struct ThesisCubic {
    float A = 0, B = 0, C = 0, D = 0;

    float operator()(float t) const { return ((A * t + B) * t + C) * t + D; }
};

inline constexpr float kThesisAccuracy = 1e-6F;  ///< of the secant, as a share of h
inline constexpr int kThesisMostSecants = 30;

enum class ThesisOutcome : std::uint8_t {
    none,          ///< no change of sign, or a root where the elements do not meet
    root,          ///< found
    not_converged  ///< the secant did not come to an end: the thesis stops there with an error
};

struct ThesisRoot {
    ThesisOutcome outcome = ThesisOutcome::none;
    float t = 0;
};

/// (2.50), (2.51) for a step of length h.
ThesisCubic thesis_cubic(PairKind kind, const PairPath& path, float h = 1);

/// First root in [0, h] that the thesis would find.
ThesisRoot thesis_first_root(const ThesisCubic& cubic, float h);

/// Root and inside test; t is the share of the step.
ThesisRoot thesis_impact(PairKind kind, const PairPath& path);

/// The same for callers that take an error for nothing found.
std::optional<double> thesis_time_of_impact(PairKind kind, const PairPath& path);

}  // namespace pliant
