// SPDX-License-Identifier: MIT
#pragma once

// Anti-aliased drawing into pixels.
//
// A shape first gathers coverage in [0, 1] for each pixel, from its distance to the pixel's centre;
// overlapping parts of one shape take the larger coverage, so joins show no seams. `paint` then
// blends one colour through the coverage. Pixel (i, j) covers [i, i+1] x [j, j+1], y down.

#include <pliant/record/chart_drawing.h>

#include <cstdint>
#include <vector>

namespace pliant::charting {

class Canvas {
public:
    Canvas(int width, int height);

    int width() const { return width_; }
    int height() const { return height_; }
    /// width * height * 3 bytes, RGB, the top row first.
    const std::vector<std::uint8_t>& pixels() const { return pixels_; }

    /// Covers the points nearer than `radius` to the segment from a to b.
    void cover_segment(Spot a, Spot b, double radius);
    /// Covers a convex polygon of either orientation.
    void cover_convex(const std::vector<Spot>& corners);
    /// Blends the colour over what is covered, and forgets the coverage.
    void paint(Colour);

    /// Fills whole pixels, borders rounded.
    void fill(Box, Colour);

private:
    struct PixelBox {
        int left, top, right, bottom;  // right and bottom excluded
    };
    PixelBox pixels_of(Box) const;
    void cover(int i, int j, double coverage);
    void touch(PixelBox);

    int width_;
    int height_;
    std::vector<std::uint8_t> pixels_;
    std::vector<float> coverage_;
    PixelBox touched_;
};

/// The drawing in pixels, `scale` of them for each unit.
Canvas rasterised(const Drawing&, int scale);

}  // namespace pliant::charting
