// SPDX-License-Identifier: MIT
#pragma once

// A first look at all frames of a page: how large things are, where they are, what their fields range over. For this
// room only.
//
// One explosion must not take the precision of everything before it: sizes are the middle ones of all frames, and what
// is thousands of sizes away is left out.

#include <string>
#include <vector>

#include <pliant/record/export_job.h>
#include <pliant/record/page_frames.h>

namespace pliant {

/// A field that the page can colour by.
struct PageField {
    std::string name, unit;  ///< unit "1" for pure numbers
    PageRange range;
    int index = -1;  ///< in Frame::fields; -1 for the speed, which follows from Frame::v
};

struct PageSurvey {
    PageGrid grid;
    double size = 1;  ///< [m] the middle one of the frames' diagonals
    Vec3 low, high;   ///< [m] of what is worth looking at, over all frames
    std::vector<PageField> fields;
};

/// Positions are kept to this share of the size: a step of the grid is twice that.
inline constexpr double kPagePrecision = 1e-5;

/// `points`: of all bodies, one after the other, as indices into Frame::x.
PageSurvey page_survey(const Recording& recording, std::span<const std::int64_t> frames,
                       std::span<const std::int32_t> points);

/// Of the points, of one field in one frame; empty when the frame has none.
std::vector<double> field_values(const PageField& field, const Frame& frame, std::span<const std::int32_t> points);

/// Fixed planes of the recorded scene as normal and offset: the solid side is n . x < d.
std::vector<std::array<double, 4>> scene_planes(const Recording& recording);

}  // namespace pliant
