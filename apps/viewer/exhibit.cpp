// SPDX-License-Identifier: MIT
#include "exhibit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <pliant/contact/contact_log.h>

#include "ground.h"

namespace pliant::viewer {

namespace {

constexpr Rgb kNormal{0.20F, 0.45F, 0.85F}, kVelocity{0.85F, 0.35F, 0.10F}, kAcceleration{0.55F, 0.20F, 0.65F};
constexpr Rgb kCentroid{0.15F, 0.55F, 0.30F}, kBox{0.35F, 0.35F, 0.40F}, kBroad{0.60F, 0.60F, 0.60F};
constexpr Rgb kNear{0.90F, 0.65F, 0.05F}, kImpact{0.85F, 0.10F, 0.15F}, kUncorrected{0.75F, 0.25F, 0.55F};

bool is_shown(const Topology& topology, int body, std::span<const std::int32_t> points)
{
    if (body < 0 || body >= static_cast<int>(topology.bodies.size())) return true;
    const BodyRange& range = topology.bodies[static_cast<std::size_t>(body)];
    return std::any_of(points.begin(), points.end(), [&](std::int32_t p) {
        return p >= range.first_point && p < range.first_point + range.point_count;
    });
}

std::span<const double> masses_of(const Subject& subject)
{
    return subject.session() != nullptr ? std::span<const double>(subject.session()->model().mass)
                                        : std::span<const double>();
}

// The two things of a pair, joined from middle to middle.
void add_pair(Marks& marks, PairKind kind, std::span<const std::int32_t, 4> point, std::span<const Vec3> x,
              const Rgb& colour)
{
    for (const std::int32_t p : point)
        if (p < 0 || p >= static_cast<std::int32_t>(x.size())) return;
    const auto at = [&](std::size_t k) { return x[static_cast<std::size_t>(point[k])]; };
    if (kind == PairKind::vertex_face) {
        marks.add_line(at(0), (at(1) + at(2) + at(3)) / 3.0, colour);
        for (std::size_t k = 1; k <= 3; ++k) marks.add_line(at(k), at(k % 3 + 1), colour);
        return;
    }
    marks.add_line(at(0), at(1), colour), marks.add_line(at(2), at(3), colour);
    marks.add_line((at(0) + at(1)) / 2.0, (at(2) + at(3)) / 2.0, colour);
}

}  // namespace

Exhibit::Exhibit(const std::vector<std::string>& paths)
    : subject_(paths)
    , frame_(subject_.frame())
    , mesh_(make_surface_mesh(subject_.topology(), frame_->x))
    , painter_(mesh_)
    , neighbours_(subject_.topology())
    , fields_(subject_.topology(), *frame_, masses_of(subject_))
    , seen_(mesh_.point)
    , ground_(ground_of(subject_.scene_text(), subject_.topology().up))
{
    if (const Session* session = subject_.session())
        controls_ = make_controls(session->model(), session->start_state());
    std::sort(seen_.begin(), seen_.end());
    seen_.erase(std::unique(seen_.begin(), seen_.end()), seen_.end());
    find_bounds();
    painter_.set_frame(frame_->x, {});
}

// They only grow, lest shadows and clipping planes jump.
void Exhibit::find_bounds()
{
    for (const std::int32_t p : seen_) bounds_.add(frame_->x[static_cast<std::size_t>(p)]);
}

void Exhibit::update(const ColourOptions& colour)
{
    std::shared_ptr<const Frame> next = subject_.frame();
    if (next == frame_ && colour.field == shown_field_) return;
    frame_ = std::move(next);
    shown_field_ = colour.field;
    find_bounds();
    if (colour.field.empty()) return painter_.set_frame(frame_->x, {});
    const std::vector<double>& values = fields_.find(colour.field, *frame_, subject_.frame_before().get());
    low_ = 1e300, high_ = -1e300;
    for (const std::int32_t p : seen_)
        if (std::isfinite(values[p])) low_ = std::min(low_, values[p]), high_ = std::max(high_, values[p]);
    if (!(low_ <= high_)) low_ = 0, high_ = 1;
    painter_.set_frame(frame_->x, values);
}

void Exhibit::draw(const Camera& camera, Look look, const ColourOptions& colour, const MarkOptions& marks,
                   const Marks& more, const Area& area)
{
    look.up = topology().up, look.ground = ground_;
    look.has_field = !colour.field.empty();
    if (look.has_field) look.field_low = colour.has_range ? colour.low : low_;
    if (look.has_field) look.field_high = colour.has_range ? colour.high : high_;
    painter_.draw(camera, look, bounds_, area);
    const Mat4 view = view_projection(camera, area.aspect(), bounds_);
    find_marks(marks);
    const auto width = static_cast<float>(marks.line_width);
    glViewport(area.x, area.y, area.width, area.height);
    mark_painter_.draw(marks_, view, width, true);
    mark_painter_.draw(more, view, 2 * width, false);
}

void Exhibit::find_marks(const MarkOptions& options)
{
    marks_.clear();
    if (options.velocities || options.accelerations) add_point_marks(options);
    if (options.normals || options.centroids) add_face_marks(options);
    if (options.needs_contacts()) add_contact_marks(options);
}

void Exhibit::add_point_marks(const MarkOptions& options)
{
    const Frame* before = subject_.frame_before().get();
    const bool has_before = before != nullptr && before->v.size() == frame_->v.size() && frame_->time > before->time;
    // A tenth of a second of motion; a hundredth for accelerations, which are larger.
    for (const std::int32_t p : seen_) {
        const Vec3& at = frame_->x[p];
        if (options.velocities) marks_.add_arrow(at, frame_->v[p] * (0.1 * options.arrow_length), kVelocity);
        if (options.accelerations && has_before)
            marks_.add_arrow(
                at, (frame_->v[p] - before->v[p]) * (0.01 * options.arrow_length / (frame_->time - before->time)),
                kAcceleration);
    }
}

void Exhibit::add_face_marks(const MarkOptions& options)
{
    for (const Triangle& t : topology().triangles) {
        const Vec3 &a = frame_->x[t[0]], &b = frame_->x[t[1]], &c = frame_->x[t[2]];
        const Vec3 n = cross(b - a, c - a), middle = (a + b + c) / 3.0;
        const double twice_area = norm(n);
        if (!(twice_area > 0)) continue;
        const double size = std::sqrt(twice_area);
        if (options.normals)
            marks_.add_line(middle, middle + n * (0.5 * options.arrow_length * size / twice_area), kNormal);
        if (options.centroids) marks_.add_cross(middle, 0.08 * size, kCentroid);
    }
}

void Exhibit::add_contact_marks(const MarkOptions& options)
{
    const std::shared_ptr<const ContactLog> log = subject_.contacts();
    if (!log) return;
    const auto show = [&](std::size_t id, PairKind kind, std::span<const std::int32_t, 4> points) {
        const bool is_kind = kind == PairKind::vertex_face ? options.vertex_face : options.edge_edge;
        return is_kind && std::cmp_greater_equal(id, options.first_pair) &&
               std::cmp_less_equal(id, options.last_pair) && is_shown(topology(), options.contact_body, points);
    };
    if (options.boxes)
        for (const LoggedBox& logged : log->boxes)
            if (logged.box.depth >= options.box_from && logged.box.depth <= options.box_to &&
                (options.contact_body < 0 || options.contact_body == logged.body))
                marks_.add_box(logged.box.lowest, logged.box.highest, kBox);
    for (std::size_t id = 0; options.broad && id < log->broad.size(); ++id)
        if (const BroadPair& pair = log->broad[id]; show(id, pair.kind, pair.point))
            add_pair(marks_, pair.kind, pair.point, log->start, kBroad);
    for (std::size_t id = 0; options.near && id < log->near.size(); ++id)
        if (const Meeting& meeting = log->near[id]; show(id, meeting.pair.kind, meeting.point))
            add_pair(marks_, meeting.pair.kind, meeting.point, log->start, kNear);
    for (std::size_t id = 0; options.impacts && id < log->impacts.size(); ++id)
        if (const Meeting& meeting = log->impacts[id].meeting; show(id, meeting.pair.kind, meeting.point))
            add_pair(marks_, meeting.pair.kind, meeting.point, log->start, kImpact);
    if (options.uncorrected && log->uncorrected.size() == frame_->x.size())
        for (const auto& edge : mesh_.edges) {
            const std::int32_t a = mesh_.point[edge[0]], b = mesh_.point[edge[1]];
            marks_.add_line(log->uncorrected[a], log->uncorrected[b], kUncorrected);
        }
}

}  // namespace pliant::viewer
