// SPDX-License-Identifier: MIT
#include <pliant/record/page_survey.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <pliant/base/json.h>

namespace pliant {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A frame this many times the middle size, or the first one's, is an explosion and not looked at.
constexpr double kStillWhole = 10, kMostGrowth = 100;

struct Box {
    Vec3 low{kInfinity, kInfinity, kInfinity}, high{-kInfinity, -kInfinity, -kInfinity};

    bool is_empty() const { return !(low.x <= high.x); }
    double diagonal() const { return is_empty() ? 0 : norm(high - low); }
    void add(const Vec3& point)
    {
        for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], point[k]), high[k] = std::max(high[k], point[k]);
    }
};

Box box_of(std::span<const Vec3> x, std::span<const std::int32_t> points)
{
    Box box;
    for (const std::int32_t p : points)
        if (is_finite(x[static_cast<std::size_t>(p)])) box.add(x[static_cast<std::size_t>(p)]);
    return box;
}

// Of a scene that is one point, or nowhere, any size will do.
double middle_size(const std::vector<Box>& boxes)
{
    std::vector<double> sizes;
    for (const Box& box : boxes)
        if (!box.is_empty() && std::isfinite(box.diagonal())) sizes.push_back(box.diagonal());
    if (sizes.empty()) return 1;
    const double first = sizes.front();
    std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2), sizes.end());
    const double middle = sizes[sizes.size() / 2];
    const double size = first > 0 ? std::min(middle, kMostGrowth * first) : middle;
    return size > 0 ? size : 1;
}

Box seen_box(const std::vector<Box>& boxes, double size)
{
    Box seen;
    for (const Box& box : boxes)
        if (!box.is_empty() && box.diagonal() <= kStillWhole * size) seen.add(box.low), seen.add(box.high);
    if (seen.is_empty()) seen.add({0, 0, 0});
    return seen;
}

std::vector<PageField> fields_of(const Topology& topology)
{
    std::vector<PageField> fields;
    for (std::size_t f = 0; f < topology.fields.size(); ++f) {
        const std::string& name = topology.fields[f];
        const bool is_pressure = name.find("stress") != std::string::npos || name == "pressure";
        fields.push_back({name, is_pressure ? "Pa" : "1", {kInfinity, -kInfinity}, static_cast<int>(f)});
    }
    const auto is_speed = [](const PageField& field) { return field.name == "speed"; };
    if (std::none_of(fields.begin(), fields.end(), is_speed))
        fields.push_back({"speed", "m/s", {kInfinity, -kInfinity}, -1});
    return fields;
}

void widen(PageField& field, const Frame& frame, std::span<const std::int32_t> points)
{
    for (const double value : field_values(field, frame, points))
        if (std::isfinite(value)) field.range = {std::min(field.range.low, value), std::max(field.range.high, value)};
}

// What has no number anywhere is no field; what has but one gets a range around it.
void settle(std::vector<PageField>& fields)
{
    std::erase_if(fields, [](const PageField& field) { return !(field.range.low <= field.range.high); });
    for (PageField& field : fields)
        if (!(field.range.low < field.range.high))
            field.range.high = field.range.low + std::abs(field.range.low) + 1e-9;
}

}  // namespace

PageSurvey page_survey(const Recording& recording, std::span<const std::int64_t> frames,
                       std::span<const std::int32_t> points)
{
    PageSurvey survey;
    survey.fields = fields_of(recording.header().topology);
    std::vector<Box> boxes;
    for (const std::int64_t index : frames) {
        const Frame frame = recording.frame(index);
        boxes.push_back(box_of(frame.x, points));
        for (PageField& field : survey.fields) widen(field, frame, points);
    }
    settle(survey.fields);
    survey.size = middle_size(boxes);
    const Box seen = seen_box(boxes, survey.size);
    survey.low = seen.low, survey.high = seen.high;
    survey.grid = {(seen.low + seen.high) * 0.5, 2 * kPagePrecision * survey.size};
    return survey;
}

std::vector<double> field_values(const PageField& field, const Frame& frame, std::span<const std::int32_t> points)
{
    std::vector<double> values;
    const auto f = static_cast<std::size_t>(field.index);
    if (field.index >= 0 && (f >= frame.fields.size() || frame.fields[f].size() != frame.x.size())) return values;
    values.reserve(points.size());
    for (const std::int32_t p : points) {
        const auto point = static_cast<std::size_t>(p);
        values.push_back(field.index < 0 ? norm(frame.v[point]) : frame.fields[f][point]);
    }
    return values;
}

std::vector<std::array<double, 4>> scene_planes(const Recording& recording)
{
    std::vector<std::array<double, 4>> planes;
    const Json scene = parse_json(recording.header().scene_text, recording.path()).value;
    const Json* colliders = scene.find("colliders");
    if (colliders == nullptr) return planes;
    for (const JsonMember& member : colliders->members) {
        const Json* plane = member.value.find("plane");
        const bool is_moved = member.value.find("motion") != nullptr || member.value.find("path") != nullptr ||
                              member.value.find("spin") != nullptr;
        if (plane == nullptr || plane->items.size() != 4 || is_moved) continue;
        const Vec3 normal{plane->items[0].number, plane->items[1].number, plane->items[2].number};
        const double length = norm(normal);
        if (!(length > 0) || !std::isfinite(length)) continue;
        planes.push_back({normal.x / length, normal.y / length, normal.z / length, plane->items[3].number / length});
    }
    return planes;
}

}  // namespace pliant
