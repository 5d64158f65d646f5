// SPDX-License-Identifier: MIT
#pragma once

// A take as pictures: where one looks from, what its colours mean, and one frame after the other.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pliant/record/recording.h>

#include "camera.h"
#include "overlay.h"
#include "painter.h"
#include "picture.h"

namespace pliant::viewer {

/// What a picture shall show. Angles in degrees, lengths in metres; what is not given follows from the take.
struct ViewOptions {
    int width = 1280, height = 720;
    DrawStyle style = DrawStyle::solid;
    double azimuth = 35, elevation = 20, view_angle = 35;
    std::optional<std::array<double, 3>> target;
    std::optional<double> distance, ground;
    std::string field;                           ///< a field of the take, or speed; empty: bodies have colours
    std::optional<std::array<double, 2>> range;  ///< of its colours
    std::vector<std::string> plots;              ///< measures
    bool has_time = true;
};

class TakeView {
public:
    /// The take must outlive it.
    TakeView(const Recording& take, ViewOptions options);
    ~TakeView();
    TakeView(const TakeView&) = delete;
    TakeView& operator=(const TakeView&) = delete;

    /// The k-th recorded frame.
    void draw(Picture& picture, std::int64_t frame);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace pliant::viewer
