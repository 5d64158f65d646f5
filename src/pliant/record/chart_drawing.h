// SPDX-License-Identifier: MIT
#pragma once

// A laid out chart: what to draw where, with no word on how.
//
// The page measures `width` by `height` units, x to the right, y down. A back end walks through
// `items` in order; later items cover earlier ones. The paper is white. Nothing needs clipping.
// Lives here: the draw list. Not here: choosing places (chart_layout.cpp), pixels (chart_raster).

#include <pliant/record/chart.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pliant::charting {

struct Colour {
    std::uint8_t r = 0, g = 0, b = 0;
    friend constexpr bool operator==(const Colour&, const Colour&) = default;
};

/// A place on the page.
struct Spot {
    double x = 0.0, y = 0.0;
};

/// A rectangle of the page, top above bottom: top < bottom.
struct Box {
    double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0;
    double width() const { return right - left; }
    double height() const { return bottom - top; }
};

/// A rectangle in one colour.
struct Fill {
    Box box{};
    Colour colour{};
};

/// A polyline with round caps and joins. A path of one spot is a dot.
struct Stroke {
    std::vector<Spot> path{};
    Colour colour{};
    double width = 1.0;
    std::vector<double> dash{};  ///< lengths on, off, on, off …; empty is solid
};

/// The same marker at many places.
struct Marks {
    std::vector<Spot> at{};
    MarkerShape shape = MarkerShape::circle;  ///< not automatic
    double radius = 3.5;
    Colour colour{};
};

enum class Anchor { start, middle, end };

/// One line of text; `at` is the anchored point of its baseline.
struct Text {
    std::string text{};
    Spot at{};
    Anchor anchor = Anchor::start;
    double size = 12.0;  ///< em, in units of the page
    Colour colour{};
    bool bold = false;
    bool upward = false;  ///< reads from bottom to top
};

using Item = std::variant<Fill, Stroke, Marks, Text>;

struct Drawing {
    int width = 0;
    int height = 0;
    std::string title{};
    std::vector<Item> items{};

    /// Built in place: moving a temporary Item makes GCC 12 warn of members it never reads.
    template <class Shape>
    void add(Shape shape)
    {
        items.emplace_back(std::in_place_type<Shape>, std::move(shape));
    }
};

/// Places everything. Throws Error when the chart contradicts itself.
Drawing layout(const Chart&);

}  // namespace pliant::charting
