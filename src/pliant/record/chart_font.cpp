// SPDX-License-Identifier: MIT

// From text to pen strokes, and how wide text is.

#include <pliant/record/chart_font.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace pliant::charting {

namespace {

constexpr double kRaisedScale = 0.66;  // of ² and its like
constexpr double kRaisedBy = 6.6;      // [glyph units]
constexpr double kSquareness = 2.35;   // exponent of the superellipse: 2 is round, more is squarer
constexpr double kBoldSpread = 0.7;    // [glyph units] that each bold letter is wider

bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0u) == 0x80u;
}

bool is_allowed(char32_t c)
{
    if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
    return (c < 0xD800 || c > 0xDFFF) && c != 0xFFFE && c != 0xFFFF && c <= 0x10FFFF;
}

// ², ³, ⁻ and their like are small digits, raised.
char32_t raised_digit(char32_t code)
{
    if (code == U'\u00b9') return U'1';
    if (code == U'\u00b2') return U'2';
    if (code == U'\u00b3') return U'3';
    if (code == U'\u2070' || (code >= U'\u2074' && code <= U'\u2079')) return code - U'\u2070' + U'0';
    if (code == U'\u207b') return U'\u2212';
    return code == U'\u207f' ? U'n' : U'\0';
}

struct Placed {
    const Glyph* glyph = nullptr;
    double scale = 1.0;
    double raise = 0.0;
    double advance() const { return scale * glyph->advance; }
};

Placed placed_glyph(char32_t code)
{
    if (code == U'\u00a0' || code == U'\u2009' || code == U'\t' || code == U'\n') code = U' ';
    if (const char32_t digit = raised_digit(code)) return {find_glyph(digit), kRaisedScale, kRaisedBy};
    const Glyph* glyph = find_glyph(code);
    return {glyph ? glyph : find_glyph(U'\ufffd'), 1.0, 0.0};
}

void add_arc(std::vector<Spot>& path, const double (&v)[6])
{
    const int pieces = std::max(3, static_cast<int>(std::ceil(std::abs(v[5] - v[4]) / 12.0)));
    for (int i = 0; i <= pieces; ++i) {
        const double angle = (v[4] + (v[5] - v[4]) * i / pieces) * std::numbers::pi / 180.0;
        const double c = std::cos(angle), s = std::sin(angle), power = 2.0 / kSquareness;
        path.push_back({v[0] + v[2] * std::copysign(std::pow(std::abs(c), power), c),
                        v[1] + v[3] * std::copysign(std::pow(std::abs(s), power), s)});
    }
}

// Reads the little language of chart_glyphs.cpp.
std::vector<std::vector<Spot>> glyph_strokes(const char* at)
{
    std::vector<std::vector<Spot>> strokes;
    double v[6] = {0, 0, 0, 0, 0, 360};
    int count = 0;
    for (char command = ' ';;) {
        while (*at == ' ') ++at;
        if (*at == '\0') return strokes;
        if (*at >= 'A' && *at <= 'Z') {
            command = *at++;
            if (command == 'M' || command == 'O' || strokes.empty()) strokes.emplace_back();
            count = 0;
            continue;
        }
        char* end = nullptr;
        v[count++] = std::strtod(at, &end);
        at = end;
        const int wanted = command == 'A' ? 6 : command == 'O' ? 4 : 2;
        if (count < wanted) continue;
        count = 0;
        if (command == 'O') v[4] = 0, v[5] = 360;
        if (wanted == 2)
            strokes.back().push_back({v[0], v[1]});
        else
            add_arc(strokes.back(), v);
        // What follows a whole ellipse without M starts anew.
        if (command == 'O') {
            while (*at == ' ') ++at;
            if (*at == 'A' || *at == 'L') strokes.emplace_back();
        }
    }
}

}  // namespace

std::vector<char32_t> characters(std::string_view text)
{
    std::vector<char32_t> codes;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        char32_t code = length == 1 ? lead : lead & (0xFFu >> (length + 1));
        bool is_valid = lead < 0x80 || (lead >= 0xC2 && lead < 0xF5);
        std::size_t used = 1;
        for (; is_valid && used < length; ++used) {
            const bool goes_on = i + used < text.size() && is_continuation(static_cast<unsigned char>(text[i + used]));
            if (!goes_on)
                is_valid = false;
            else
                code = (code << 6) | (static_cast<unsigned char>(text[i + used]) & 0x3Fu);
        }
        const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
        if (!is_valid) used = 1;
        codes.push_back(is_valid && !is_overlong && is_allowed(code) ? code : U'\ufffd');
        i += used;
    }
    return codes;
}

std::string utf8(const std::vector<char32_t>& codes)
{
    std::string text;
    for (const char32_t c : codes) {
        const auto tail = [&](int shift) { text += static_cast<char>(0x80u | ((c >> shift) & 0x3Fu)); };
        if (c < 0x80)
            text += static_cast<char>(c);
        else if (c < 0x800)
            text += static_cast<char>(0xC0u | (c >> 6)), tail(0);
        else if (c < 0x10000)
            text += static_cast<char>(0xE0u | (c >> 12)), tail(6), tail(0);
        else
            text += static_cast<char>(0xF0u | (c >> 18)), tail(12), tail(6), tail(0);
    }
    return text;
}

double text_width(std::string_view text, bool bold)
{
    double width = 0.0;
    for (const char32_t code : characters(text)) width += placed_glyph(code).advance() + (bold ? kBoldSpread : 0.0);
    return width / kGlyphUnitsPerEm;
}

std::vector<std::vector<Spot>> text_strokes(std::string_view text, bool bold)
{
    std::vector<std::vector<Spot>> strokes;
    double pen = bold ? 0.5 * kBoldSpread : 0.0;
    for (const char32_t code : characters(text)) {
        const Placed placed = placed_glyph(code);
        for (std::vector<Spot>& stroke : glyph_strokes(placed.glyph->path)) {
            for (Spot& spot : stroke)
                spot = {(pen + placed.scale * spot.x) / kGlyphUnitsPerEm,
                        (placed.raise + placed.scale * spot.y) / kGlyphUnitsPerEm};
            strokes.push_back(std::move(stroke));
        }
        pen += placed.advance() + (bold ? kBoldSpread : 0.0);
    }
    return strokes;
}

std::string shortened(const std::string& text, double size, double width)
{
    if (size * text_width(text) <= width) return text;
    std::vector<char32_t> codes = characters(text);
    while (!codes.empty() && size * text_width(utf8(codes) + "…") > width) codes.pop_back();
    while (!codes.empty() && codes.back() == U' ') codes.pop_back();
    return utf8(codes) + "…";
}

std::vector<std::string> wrapped(const std::string& text, double size, bool bold, double width)
{
    std::vector<std::string> lines;
    std::string line;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t space = std::min(text.find(' ', i), text.size());
        const std::string word = text.substr(i, space - i);
        const std::string longer = line.empty() ? word : line + ' ' + word;
        if (!line.empty() && size * text_width(longer, bold) > width)
            lines.push_back(line), line = word;
        else
            line = longer;
        i = space + 1;
    }
    if (!line.empty()) lines.push_back(line);
    return lines;
}

}  // namespace pliant::charting
