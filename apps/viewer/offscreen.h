// SPDX-License-Identifier: MIT
#pragma once

// Drawing without a window or a display: a context by EGL on no surface, and pixels to read.

#include <memory>

#include "picture.h"

namespace pliant::viewer {

/// A current OpenGL context and a multisampled canvas. One at a time in a thread; an Error says what is missing.
class Offscreen {
public:
    Offscreen(int width, int height);
    ~Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;

    /// Makes the canvas the place that is drawn on.
    void begin();
    /// What was drawn since.
    void read(Picture& picture);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace pliant::viewer
