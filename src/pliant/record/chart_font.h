// SPDX-License-Identifier: MIT
#pragma once

// A small stroke font, so that pictures need no font file.
//
// Each glyph is a few lines and arcs of a pen; its width makes the weight. The same widths guide
// the layout of SVG, whose real fonts differ a little.
// Units: 1 em = the size of the text; y up from the baseline.

#include <pliant/record/chart_drawing.h>

#include <string>
#include <string_view>
#include <vector>

namespace pliant::charting {

/// How to draw one character; see chart_glyphs.cpp for the language of `path`.
struct Glyph {
    char32_t code = 0;
    double advance = 0.0;  ///< [1/21 em]
    const char* path = "";
};

/// The glyph of a character, or nullptr.
const Glyph* find_glyph(char32_t code);

constexpr double kGlyphUnitsPerEm = 21.0;
constexpr double kPen = 0.082;      ///< [em] width of the pen
constexpr double kBoldPen = 0.118;  ///< [em]

/// Characters of UTF-8 text; what is not UTF-8, or not allowed in XML, becomes U+FFFD.
std::vector<char32_t> characters(std::string_view text);

/// The inverse of `characters`.
std::string utf8(const std::vector<char32_t>& codes);

/// Width for size 1 em.
double text_width(std::string_view text, bool bold = false);

/// Pen strokes of the text for size 1 em, starting at x = 0 on the baseline.
std::vector<std::vector<Spot>> text_strokes(std::string_view text, bool bold = false);

/// The text, or its beginning and "…" if it is wider than `width` at this size.
std::string shortened(const std::string& text, double size, double width);

/// The text broken at spaces into lines not wider than `width`, where words allow.
std::vector<std::string> wrapped(const std::string& text, double size, bool bold, double width);

}  // namespace pliant::charting
