// SPDX-License-Identifier: MIT

// The canvas, and how each kind of item is drawn on it.

#include <pliant/record/chart_font.h>
#include <pliant/record/chart_raster.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace pliant::charting {

namespace {

Spot scaled(Spot a, double s)
{
    return {s * a.x, s * a.y};
}

double distance_to_segment(Spot p, Spot a, Spot b)
{
    const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    const double t = length2 > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0.0;
    const double s = std::clamp(t, 0.0, 1.0);
    return std::hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

void cover_path(Canvas& canvas, const std::vector<Spot>& path, double radius)
{
    if (path.size() == 1) canvas.cover_segment(path[0], path[0], radius);
    for (std::size_t i = 1; i < path.size(); ++i) canvas.cover_segment(path[i - 1], path[i], radius);
}

// Cuts a path into the pieces where the pen is down.
std::vector<std::vector<Spot>> dashed_path(const std::vector<Spot>& path, const std::vector<double>& dash)
{
    std::vector<std::vector<Spot>> pieces(1, {path.front()});
    std::size_t phase = 0;
    double left = dash[0];
    for (std::size_t i = 1; i < path.size(); ++i) {
        Spot from = path[i - 1];
        double length = std::hypot(path[i].x - from.x, path[i].y - from.y);
        while (length > left) {
            const double t = left / length;
            from = {from.x + t * (path[i].x - from.x), from.y + t * (path[i].y - from.y)};
            length -= left;
            if (phase % 2 == 0)
                pieces.back().push_back(from);
            else
                pieces.push_back({from});
            ++phase;
            left = std::max(0.1, dash[phase % dash.size()]);
        }
        left -= length;
        if (phase % 2 == 0) pieces.back().push_back(path[i]);
    }
    return pieces;
}

std::vector<Spot> marker_corners(MarkerShape shape, Spot centre, double r)
{
    const auto around = [&](int count, double first, double radius) {
        std::vector<Spot> corners;
        for (int i = 0; i < count; ++i) {
            const double angle = (first + 360.0 * i / count) * std::numbers::pi / 180.0;
            corners.push_back({centre.x + radius * std::cos(angle), centre.y - radius * std::sin(angle)});
        }
        return corners;
    };
    if (shape == MarkerShape::square) return around(4, 45.0, 1.27 * r);
    if (shape == MarkerShape::diamond) return around(4, 0.0, 1.25 * r);
    if (shape == MarkerShape::triangle) return around(3, 90.0, 1.35 * r);
    return around(32, 0.0, r);
}

void draw(Canvas& canvas, const Fill& item, double s)
{
    canvas.fill({s * item.box.left, s * item.box.top, s * item.box.right, s * item.box.bottom}, item.colour);
}

void draw(Canvas& canvas, const Stroke& item, double s)
{
    std::vector<Spot> path;
    for (const Spot spot : item.path) path.push_back(scaled(spot, s));
    std::vector<double> dash;
    for (const double length : item.dash) dash.push_back(s * length);
    if (path.empty()) return;
    if (dash.empty())
        cover_path(canvas, path, 0.5 * s * item.width);
    else
        for (const std::vector<Spot>& piece : dashed_path(path, dash)) cover_path(canvas, piece, 0.5 * s * item.width);
    canvas.paint(item.colour);
}

void draw(Canvas& canvas, const Marks& item, double s)
{
    const double r = s * item.radius, pen = 0.24 * r;
    for (const Spot at : item.at) {
        const Spot p = scaled(at, s);
        if (item.shape == MarkerShape::cross) {
            canvas.cover_segment({p.x - r, p.y - r}, {p.x + r, p.y + r}, pen);
            canvas.cover_segment({p.x - r, p.y + r}, {p.x + r, p.y - r}, pen);
        } else if (item.shape == MarkerShape::plus) {
            canvas.cover_segment({p.x - 1.3 * r, p.y}, {p.x + 1.3 * r, p.y}, pen);
            canvas.cover_segment({p.x, p.y - 1.3 * r}, {p.x, p.y + 1.3 * r}, pen);
        } else {
            canvas.cover_convex(marker_corners(item.shape, p, r));
        }
    }
    canvas.paint(item.colour);
}

void draw(Canvas& canvas, const Text& item, double s)
{
    const double size = s * item.size;
    const double part = item.anchor == Anchor::start ? 0.0 : item.anchor == Anchor::middle ? 0.5 : 1.0;
    const double shift = part * text_width(item.text, item.bold);
    for (std::vector<Spot>& stroke : text_strokes(item.text, item.bold)) {
        for (Spot& spot : stroke) {
            const double along = size * (spot.x - shift), up = size * spot.y;
            spot = item.upward ? Spot{s * item.at.x - up, s * item.at.y - along}
                               : Spot{s * item.at.x + along, s * item.at.y - up};
        }
        cover_path(canvas, stroke, 0.5 * size * (item.bold ? kBoldPen : kPen));
    }
    canvas.paint(item.colour);
}

}  // namespace

Canvas::Canvas(int width, int height)
    : width_(width)
    , height_(height)
    , pixels_(static_cast<std::size_t>(width) * height * 3, 255)
    , coverage_(static_cast<std::size_t>(width) * height, 0.0f)
    , touched_{width, height, 0, 0}
{
}

Canvas::PixelBox Canvas::pixels_of(Box box) const
{
    const auto held = [](double value, int limit) {
        return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(limit)));
    };
    return {held(std::floor(box.left), width_), held(std::floor(box.top), height_), held(std::ceil(box.right), width_),
            held(std::ceil(box.bottom), height_)};
}

void Canvas::touch(PixelBox box)
{
    touched_ = {std::min(touched_.left, box.left), std::min(touched_.top, box.top), std::max(touched_.right, box.right),
                std::max(touched_.bottom, box.bottom)};
}

void Canvas::cover(int i, int j, double coverage)
{
    float& held = coverage_[static_cast<std::size_t>(j) * width_ + i];
    held = std::max(held, static_cast<float>(coverage));
}

void Canvas::cover_segment(Spot a, Spot b, double radius)
{
    const double reach = radius + 0.5, strength = std::min(1.0, 2.0 * radius);
    const PixelBox box = pixels_of({std::min(a.x, b.x) - reach, std::min(a.y, b.y) - reach, std::max(a.x, b.x) + reach,
                                    std::max(a.y, b.y) + reach});
    touch(box);
    for (int j = box.top; j < box.bottom; ++j) {
        // Only the part of the segment within reach of this row can cover it.
        const double y = j + 0.5, dy = b.y - a.y;
        double t0 = 0.0, t1 = 1.0;
        if (std::abs(dy) > 1.0e-9) {
            const double u = (y - reach - a.y) / dy, v = (y + reach - a.y) / dy;
            t0 = std::clamp(std::min(u, v), 0.0, 1.0), t1 = std::clamp(std::max(u, v), 0.0, 1.0);
        }
        const double x0 = a.x + t0 * (b.x - a.x), x1 = a.x + t1 * (b.x - a.x);
        const PixelBox row = pixels_of({std::min(x0, x1) - reach, y, std::max(x0, x1) + reach, y});
        for (int i = row.left; i < row.right; ++i) {
            const double distance = distance_to_segment({i + 0.5, y}, a, b);
            cover(i, j, strength * std::clamp(reach - distance, 0.0, 1.0));
        }
    }
}

void Canvas::cover_convex(const std::vector<Spot>& corners)
{
    Box box{corners[0].x, corners[0].y, corners[0].x, corners[0].y};
    double area = 0.0;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Spot a = corners[k], b = corners[(k + 1) % corners.size()];
        area += a.x * b.y - b.x * a.y;
        box = {std::min(box.left, a.x), std::min(box.top, a.y), std::max(box.right, a.x), std::max(box.bottom, a.y)};
    }
    const PixelBox pixels = pixels_of({box.left - 1, box.top - 1, box.right + 1, box.bottom + 1});
    const double side = area < 0.0 ? -1.0 : 1.0;
    touch(pixels);
    for (int j = pixels.top; j < pixels.bottom; ++j) {
        for (int i = pixels.left; i < pixels.right; ++i) {
            double depth = std::numeric_limits<double>::max();
            for (std::size_t k = 0; k < corners.size(); ++k) {
                const Spot a = corners[k], b = corners[(k + 1) % corners.size()];
                const double dx = b.x - a.x, dy = b.y - a.y;
                depth = std::min(depth, side * (dx * (j + 0.5 - a.y) - dy * (i + 0.5 - a.x)) / std::hypot(dx, dy));
            }
            cover(i, j, std::clamp(depth + 0.5, 0.0, 1.0));
        }
    }
}

void Canvas::paint(Colour colour)
{
    const std::uint8_t rgb[3] = {colour.r, colour.g, colour.b};
    for (int j = touched_.top; j < touched_.bottom; ++j) {
        for (int i = touched_.left; i < touched_.right; ++i) {
            const std::size_t k = static_cast<std::size_t>(j) * width_ + i;
            const float part = std::exchange(coverage_[k], 0.0f);
            for (std::size_t c = 0; part > 0.0f && c < 3; ++c) {
                const float old = pixels_[3 * k + c];
                pixels_[3 * k + c] =
                    static_cast<std::uint8_t>(std::lround(old + part * (static_cast<float>(rgb[c]) - old)));
            }
        }
    }
    touched_ = {width_, height_, 0, 0};
}

void Canvas::fill(Box box, Colour colour)
{
    const PixelBox pixels =
        pixels_of({std::round(box.left), std::round(box.top), std::round(box.right), std::round(box.bottom)});
    for (int j = pixels.top; j < pixels.bottom; ++j)
        for (int i = pixels.left; i < pixels.right; ++i) cover(i, j, 1.0);
    touch(pixels);
    paint(colour);
}

Canvas rasterised(const Drawing& drawing, int scale)
{
    Canvas canvas(scale * drawing.width, scale * drawing.height);
    for (const Item& item : drawing.items) std::visit([&](const auto& shape) { draw(canvas, shape, scale); }, item);
    return canvas;
}

}  // namespace pliant::charting
