// SPDX-License-Identifier: MIT
#include "overlay.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <pliant/record/chart_drawing.h>
#include <pliant/record/chart_font.h>
#include <pliant/record/chart_look.h>
#include <pliant/record/chart_raster.h>

#include "colour_map.h"

namespace pliant::viewer {

namespace {

using charting::Canvas, charting::Colour, charting::Drawing, charting::Fill, charting::Text;

// Where the bytes of a pixel begin.
std::size_t place_of(int x, int y, int width)
{
    return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
}

// Lays paper with something on it over a part of the picture; what is behind shows through a little.
void lay(Picture& picture, const Canvas& paper, int left, int top)
{
    constexpr int kShare = 230, kWhole = 256;
    for (int j = 0; j < paper.height(); ++j)
        for (int i = 0; i < paper.width(); ++i) {
            const int x = left + i, y = top + j;
            if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) continue;
            for (std::size_t k = 0; k < 3; ++k) {
                auto& pixel = picture.rgb[place_of(x, y, picture.width) + k];
                const int ink = paper.pixels()[place_of(i, j, paper.width()) + k];
                pixel = static_cast<std::uint8_t>((ink * kShare + pixel * (kWhole - kShare)) / kWhole);
            }
        }
}

// Text as high as a film of this size wants it.
double text_size(const Picture& picture)
{
    return std::clamp(picture.height / 40.0, 10.0, 36.0);
}

Colour colour_at(double share)
{
    const Rgb c = colour_of(share);
    const auto byte = [](float part) { return static_cast<std::uint8_t>(std::lround(255 * part)); };
    return {byte(c[0]), byte(c[1]), byte(c[2])};
}

}  // namespace

void draw_note(Picture& picture, const std::string& text)
{
    const double size = text_size(picture), margin = 0.5 * size;
    Drawing paper{.width = static_cast<int>(charting::text_width(text) * size + 2 * margin),
                  .height = static_cast<int>(1.8 * size)};
    paper.add(Text{.text = text, .at = {margin, 1.25 * size}, .size = size, .colour = charting::kInk});
    const int border = static_cast<int>(size);
    lay(picture, charting::rasterised(paper, 1), border, picture.height - border - paper.height);
}

void draw_legend(Picture& picture, const Legend& legend)
{
    constexpr int kTicks = 5, kBands = 64;
    const double size = text_size(picture), bar = 0.5 * picture.height, top = 2.6 * size;
    std::vector<std::string> numbers;
    double widest = charting::text_width(legend.label) - 2.4;
    for (int i = 0; i < kTicks; ++i) {
        numbers.push_back(fmt::format("{:.3g}", legend.low + (legend.high - legend.low) * i / (kTicks - 1)));
        widest = std::max(widest, charting::text_width(numbers.back()));
    }
    Drawing paper{.width = static_cast<int>((widest + 3.4) * size), .height = static_cast<int>(bar + top + size)};
    paper.add(Text{.text = legend.label, .at = {0.5 * size, 1.5 * size}, .size = size, .colour = charting::kInk});
    for (int i = 0; i < kBands; ++i)
        paper.add(Fill{
            .box = {0.7 * size, top + bar * (kBands - 1 - i) / kBands, 1.9 * size, top + bar * (kBands - i) / kBands},
            .colour = colour_at((i + 0.5) / kBands)});
    for (int i = 0; i < kTicks; ++i) {
        const double y = top + bar * (kTicks - 1 - i) / (kTicks - 1);
        paper.add(Text{.text = numbers[static_cast<std::size_t>(i)],
                       .at = {2.4 * size, y + 0.35 * size},
                       .size = size,
                       .colour = charting::kInk});
    }
    const int border = static_cast<int>(size);
    lay(picture, charting::rasterised(paper, 1), picture.width - border - paper.width,
        (picture.height - paper.height) / 2);
}

void draw_chart(Picture& picture, Chart chart)
{
    constexpr int kLeast = 240;
    chart.width = std::max(kLeast, picture.width / 3), chart.height = chart.width * 3 / 5;
    const int border = static_cast<int>(text_size(picture));
    lay(picture, charting::rasterised(charting::layout(chart), 1), border, border);
}

}  // namespace pliant::viewer
