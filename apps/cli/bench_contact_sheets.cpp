// SPDX-License-Identifier: MIT

// Sheets for the measurements of contact. Symbols: s, t material coordinates [m], from 0.

#include <algorithm>
#include <cmath>

#include <pliant/mesh/shapes.h>

#include "bench_contact.h"

namespace pliant::cli {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kEdge = 0.01, kThickness = 0.003;  // [m]
// [m] Turns of a roll and sheets of a stack are pressed together a little.
constexpr double kSpacing = 0.95 * kThickness;
constexpr int kStackHeight = 10;

/// A place in the plane that a sheet is bent in.
struct Place {
    double x = 0, y = 0;
};

// Langbein and Leopold's meander: its direction swings as a sine of the way along it. At this angle loops nearly touch.
std::vector<Place> meander(int count)
{
    constexpr double kLength = 0.2, kSwing = 2.08;  // [m] along one loop, [rad]
    constexpr int kParts = 64;
    std::vector<Place> places(1);
    Place at;
    for (int i = 1; i < count; ++i) {
        for (int part = 0; part < kParts; ++part) {
            const double s = (i - 1 + (part + 0.5) / kParts) * kEdge;
            const double direction = kSwing * std::cos(2 * kPi * s / kLength);
            at.x += std::cos(direction) * kEdge / kParts, at.y += std::sin(direction) * kEdge / kParts;
        }
        places.push_back(at);
    }
    return places;
}

// Archimedes' spiral r = c angle, from an angle where it is wide enough for the edges; steps of equal chord.
std::vector<Place> spiral(int count)
{
    constexpr double kInner = 0.03, kGrowth = kSpacing / (2 * kPi);  // [m], [m/rad]
    std::vector<Place> places;
    double angle = kInner / kGrowth;
    for (int i = 0; i < count; ++i) {
        const double r = kGrowth * angle;
        places.push_back({r * std::cos(angle), r * std::sin(angle)});
        angle += kEdge / std::hypot(r, kGrowth);
    }
    return places;
}

std::vector<Place> line(int count, double height)
{
    std::vector<Place> places;
    for (int i = 0; i < count; ++i) places.push_back({i * kEdge, height});
    return places;
}

// Way of a vertex: all fall alike; three waves along the sheet bring layers nearer or farther.
Vec3 way(double s, double t, double wave)
{
    constexpr double kFall = 2.0 / 240;  // [m]
    return {wave * std::sin(17 * s + 3 * t), wave * std::sin(13 * s + 11 * t) - kFall,
            0.5 * wave * std::sin(29 * t - 5 * s)};
}

void add_sheet(MovingSheets& sheets, std::vector<Triangle>& faces, std::vector<std::int32_t>& face_body,
               const std::vector<Place>& places, double wave)
{
    const int side = static_cast<int>(places.size());
    const auto first = static_cast<std::int32_t>(sheets.x0.size());
    const double size = (side - 1) * kEdge;
    for (const Triangle& f : grid(side, side, size, size, {.diagonals = GridDiagonals::alternating}).triangles)
        faces.push_back({f[0] + first, f[1] + first, f[2] + first});
    face_body.resize(faces.size(), static_cast<std::int32_t>(sheets.half.size()));
    const double phase = static_cast<double>(sheets.half.size());
    for (int j = 0; j < side; ++j)
        for (int i = 0; i < side; ++i) {
            const Place& place = places[static_cast<std::size_t>(i)];
            sheets.x0.push_back({place.x, place.y, j * kEdge});
            sheets.x1.push_back(sheets.x0.back() + way(i * kEdge + phase, j * kEdge, wave));
        }
    sheets.half.push_back(0.5 * kThickness), sheets.self.push_back(1), sheets.held.push_back(0);
}

std::vector<Place> profile(SheetShape shape, int side)
{
    if (shape == SheetShape::pleated) return meander(side);
    return shape == SheetShape::rolled ? spiral(side) : line(side, 0);
}

}  // namespace

MovingSheets moving_sheets(SheetShape shape, double triangles, double wave)
{
    const int count = shape == SheetShape::stacked ? kStackHeight : 1;
    const int side = std::max(2, 1 + static_cast<int>(std::lround(std::sqrt(triangles / (2 * count)))));
    MovingSheets sheets;
    std::vector<Triangle> faces;
    std::vector<std::int32_t> face_body;
    for (int k = 0; k < count; ++k)
        add_sheet(sheets, faces, face_body, count > 1 ? line(side, k * kSpacing) : profile(shape, side), wave);
    sheets.surface = collision_surface(faces, face_body, {}, sheets.x0.size(), EdgeBack::surface_normals);
    return sheets;
}

}  // namespace pliant::cli
