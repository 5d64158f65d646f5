// SPDX-License-Identifier: MIT
#include "take_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <pliant/base/error.h>

#include "ground.h"
#include "offscreen.h"

namespace pliant::viewer {

namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;
constexpr std::int64_t kLooks = 25;  // frames that bounds and ranges are taken from

// Evenly from the first to the last.
std::vector<std::int64_t> some_frames(const Recording& take)
{
    std::vector<std::int64_t> frames;
    const std::int64_t count = take.frame_count(), looks = std::min(count, kLooks);
    for (std::int64_t i = 0; i < looks; ++i) frames.push_back(looks == 1 ? 0 : i * (count - 1) / (looks - 1));
    return frames;
}

// Points that belong to what is drawn; planes and frames have others.
std::vector<std::int32_t> seen_points(const SurfaceMesh& mesh)
{
    std::vector<std::int32_t> points = mesh.point;
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
}

}  // namespace

struct TakeView::Parts {
    const Recording& take;
    ViewOptions options;
    SurfaceMesh mesh;
    Offscreen canvas;
    Painter painter;
    Camera camera;
    Look look;
    Bounds bounds;
    Chart chart;
    std::vector<double> values;

    Parts(const Recording& t, ViewOptions o)
        : take(t)
        , options(std::move(o))
        , mesh(make_surface_mesh(t.header().topology, t.positions(0)))
        , canvas(options.width, options.height)
        , painter(mesh)
    {
        look.style = options.style, look.up = camera.up = take.header().topology.up;
        look.ground = options.ground ? options.ground : ground_of(take.header().scene_text, take.header().topology.up);
        find_bounds();
        place_camera();
        if (!options.field.empty()) find_range();
        for (const std::string& name : options.plots) add_plot(name);
    }

    void find_bounds()
    {
        const std::vector<std::int32_t> points = seen_points(mesh);
        for (const std::int64_t f : some_frames(take)) {
            const std::vector<Vec3> x = take.positions(f);
            for (const std::int32_t p : points) bounds.add(x[static_cast<std::size_t>(p)]);
        }
        if (bounds.is_empty())
            throw Error(Problem{.file = take.path(), .message = "has nothing to draw: no body has faces or lines"});
    }

    void place_camera()
    {
        camera.azimuth = options.azimuth * kDegree, camera.elevation = options.elevation * kDegree;
        camera.view_angle = options.view_angle * kDegree;
        camera.fit(bounds, static_cast<double>(options.width) / options.height);
        if (options.target) camera.target = {(*options.target)[0], (*options.target)[1], (*options.target)[2]};
        if (options.distance) camera.distance = *options.distance;
    }

    // Values of all points, or an Error that names what there is.
    void find_values(const Frame& frame)
    {
        const std::vector<std::string>& names = take.header().topology.fields;
        const auto found = std::find(names.begin(), names.end(), options.field);
        if (found != names.end()) {
            const auto f = static_cast<std::size_t>(found - names.begin());
            values = f < frame.fields.size() ? frame.fields[f] : std::vector<double>{};
            values.resize(frame.x.size());
            return;
        }
        if (options.field != "speed") {
            std::vector<std::string> known = names;
            known.emplace_back("speed");
            throw Error(Problem{.file = take.path(),
                                .message = fmt::format("has no field '{}'", options.field),
                                .cure = fmt::format("it has {}", fmt::join(known, ", "))},
                        ErrorKind::usage);
        }
        values.resize(frame.v.size());
        std::transform(frame.v.begin(), frame.v.end(), values.begin(), [](const Vec3& v) { return norm(v); });
    }

    void find_range()
    {
        look.has_field = true;
        double low = 1e300, high = -1e300;
        const std::vector<std::int32_t> points = seen_points(mesh);
        for (const std::int64_t f : some_frames(take)) {
            find_values(take.frame(f));
            for (const std::int32_t p : points) {
                const double value = values[static_cast<std::size_t>(p)];
                if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
            }
        }
        look.field_low = options.range ? (*options.range)[0] : low;
        look.field_high = options.range ? (*options.range)[1] : std::max(high, std::nextafter(low, 1e300));
    }

    void add_plot(const std::string& name)
    {
        const std::vector<double> times = take.times();
        Panel panel{.x_label = "time [s]", .y_label = name};
        panel.series.push_back({.name = "", .x = times, .y = take.measure(name)});
        panel.events.push_back({});
        chart.panels.push_back(std::move(panel));
    }
};

TakeView::TakeView(const Recording& take, ViewOptions options)
    : parts_(std::make_unique<Parts>(take, std::move(options)))
{
}
TakeView::~TakeView() = default;

void TakeView::draw(Picture& picture, std::int64_t frame_number)
{
    Parts& p = *parts_;
    const Frame frame = p.take.frame(frame_number);
    p.values.clear();
    if (p.look.has_field) p.find_values(frame);
    p.painter.set_frame(frame.x, p.values);
    p.canvas.begin();
    p.painter.draw(p.camera, p.look, p.bounds, {0, 0, p.options.width, p.options.height});
    p.canvas.read(picture);
    if (p.look.has_field) {
        const std::string label = p.options.field == "speed" ? "speed [m/s]" : p.options.field;
        draw_legend(picture, {label, p.look.field_low, p.look.field_high});
    }
    if (!p.chart.panels.empty()) {
        for (Panel& panel : p.chart.panels) panel.events.front().value = frame.time;
        draw_chart(picture, p.chart);
    }
    if (p.options.has_time) draw_note(picture, fmt::format("{:.2f} s", frame.time));
}

}  // namespace pliant::viewer
