// SPDX-License-Identifier: MIT

// A laid out chart as SVG 1.1: no scripts, no style sheets, any viewer reads it.

#include <pliant/base/markup.h>
#include <pliant/record/chart_drawing.h>
#include <pliant/record/chart_font.h>

#include <fmt/core.h>

#include <map>

namespace pliant {

namespace charting {

namespace {

// At most two decimals, without trailing zeros.
std::string number(double value)
{
    std::string text = fmt::format("{:.2f}", value);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string hex(Colour c)
{
    return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b);
}

// One marker as the data of a path: corners about its centre, joined unless they are two bars.
std::string marker_data(MarkerShape shape, Spot p, double r)
{
    static const std::map<MarkerShape, std::vector<Spot>> kCorners = {
        {MarkerShape::square, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}},
        {MarkerShape::diamond, {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}}},
        {MarkerShape::triangle, {{0, -1.35}, {1.17, 0.675}, {-1.17, 0.675}}},
        {MarkerShape::cross, {{-1, -1}, {1, 1}, {-1, 1}, {1, -1}}},
        {MarkerShape::plus, {{-1.3, 0}, {1.3, 0}, {0, -1.3}, {0, 1.3}}}};
    const auto corners = kCorners.find(shape);
    if (corners == kCorners.end())  // a circle is a dot of the pen
        return fmt::format("M{} {}h.01", number(p.x), number(p.y));
    const bool is_bars = shape == MarkerShape::cross || shape == MarkerShape::plus;
    std::string data;
    for (std::size_t i = 0; i < corners->second.size(); ++i) {
        const Spot& corner = corners->second[i];
        const char command = i == 0 || (is_bars && i == 2) ? 'M' : 'L';
        data += fmt::format("{}{} {}", command, number(p.x + r * corner.x), number(p.y + r * corner.y));
    }
    if (!is_bars) data += 'z';
    return data;
}

std::string element(const Fill& item)
{
    return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
                       "shape-rendering=\"crispEdges\"/>\n",
                       number(item.box.left), number(item.box.top), number(item.box.width()), number(item.box.height()),
                       hex(item.colour));
}

std::string element(const Stroke& item)
{
    std::string points, dash;
    for (const Spot& spot : item.path) {
        if (!points.empty()) points += ' ';
        points += number(spot.x) + ',' + number(spot.y);
    }
    if (item.path.size() == 1)
        return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", number(item.path[0].x),
                           number(item.path[0].y), number(0.5 * item.width), hex(item.colour));
    for (const double length : item.dash) dash += fmt::format("{}{}", dash.empty() ? "" : " ", number(length));
    if (!dash.empty()) dash = fmt::format(" stroke-dasharray=\"{}\"", dash);
    return fmt::format("<polyline points=\"{}\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", points, hex(item.colour),
                       number(item.width), dash);
}

std::string element(const Marks& item)
{
    std::string data;
    for (const Spot& spot : item.at) data += marker_data(item.shape, spot, item.radius);
    const bool is_dot = item.shape == MarkerShape::circle;
    if (is_dot || item.shape == MarkerShape::cross || item.shape == MarkerShape::plus)
        return fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>\n", data, hex(item.colour),
                           number((is_dot ? 2.0 : 0.48) * item.radius));
    return fmt::format("<path d=\"{}\" fill=\"{}\"/>\n", data, hex(item.colour));
}

std::string element(const Text& item)
{
    const std::string x = number(item.at.x), y = number(item.at.y);
    std::string more;
    if (item.anchor != Anchor::start)
        more += item.anchor == Anchor::middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
    if (item.bold) more += " font-weight=\"bold\"";
    if (item.upward) more += fmt::format(" transform=\"rotate(-90 {} {})\"", x, y);
    return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" stroke=\"none\"{}>{}</text>\n", x, y,
                       number(item.size), hex(item.colour), more, markup_text(utf8(characters(item.text))));
}

std::string svg_of(const Drawing& drawing)
{
    std::string svg = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    svg += fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                       "viewBox=\"0 0 {0} {1}\" role=\"img\">\n",
                       drawing.width, drawing.height);
    if (!drawing.title.empty()) svg += "<title>" + markup_text(utf8(characters(drawing.title))) + "</title>\n";
    svg += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    svg += "<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\" "
           "font-family=\"'Helvetica Neue', "
           "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n";
    for (const Item& item : drawing.items) svg += std::visit([](const auto& shape) { return element(shape); }, item);
    return svg + "</g>\n</svg>\n";
}

}  // namespace

}  // namespace charting

std::string chart_svg(const Chart& chart)
{
    return charting::svg_of(charting::layout(chart));
}

}  // namespace pliant
