// SPDX-License-Identifier: MIT
#include "app.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include <pliant/base/error.h>

namespace pliant::viewer {

namespace {

namespace fs = std::filesystem;

constexpr std::int32_t kMouseHand = 0, kPushHand = 1, kSelectionHand = 2, kFirstHoldHand = 100;
constexpr Rgb kHand{0.90F, 0.20F, 0.25F}, kHeld{0.10F, 0.35F, 0.80F}, kSelected{0.95F, 0.60F, 0.05F};

// A body that the scene itself holds.
bool is_held_at_first(const Control& control)
{
    return control.name == "held" && control.group.starts_with("bodies.") && control.start.number[0] != 0;
}

// A name that no file has yet: name.png, name_2.png …
std::string free_name(const std::string& stem, const std::string& ending)
{
    std::string name = stem + ending;
    for (int k = 2; fs::exists(name); ++k) name = fmt::format("{}_{}{}", stem, k, ending);
    return name;
}

}  // namespace

App::App(const std::string& scenes_folder) : gallery(scenes_folder) {}

bool App::open(const std::vector<std::string>& paths, bool beside)
{
    try {
        auto next = std::make_unique<Exhibit>(paths);
        drag_.reset();
        clear_selection();
        if (!beside) haptics.stop(), exhibits_.clear();
        if (exhibits_.size() == 2) exhibits_.pop_back();
        exhibits_.push_back(std::move(next));
        active_ = exhibits_.size() - 1;
        next_hand_ = kFirstHoldHand;
        message.clear(), inspected.clear();
        shows_gallery = false;
        if (!beside) plots.clear(), colour = {}, fit_camera();
        return true;
    } catch (const std::exception& error) {
        message = error.what();
        return false;
    }
}

void App::close_second()
{
    if (exhibits_.size() < 2) return;
    haptics.stop();
    exhibits_.erase(exhibits_.begin() + static_cast<std::ptrdiff_t>(1 - active_));
    active_ = 0;
}

void App::open_neighbour(int step)
{
    const auto count = static_cast<int>(gallery.entries().size());
    if (count == 0) return;
    const int now = is_empty() ? -1 : gallery.find(active().subject().path());
    const int next = now < 0 ? 0 : (now + step + count) % count;
    open(gallery.entries()[static_cast<std::size_t>(next)].path);
}

void App::fit_camera()
{
    if (is_empty()) return;
    camera.up = active().topology().up;
    camera.fit(active().bounds(), width_ > 0 && height_ > 0 ? area_of(active_).aspect() : 1.6);
}

void App::update()
{
    for (const auto& exhibit : exhibits_) {
        exhibit->update(colour);
        if (Session* session = exhibit->subject().session()) session->watch_contacts(marks.needs_contacts());
    }
    if (is_empty()) return;
    if (width_ > 0) serve_haptics();
    const Bounds& bounds = active().bounds();
    look.checker = has_checker ? 0.08 * bounds.radius() : 0;
    look.clip.reset();
    if (!has_clip) return;
    ClipPlane plane;
    plane.normal[clip_axis] = 1;
    plane.offset = bounds.low[clip_axis] + clip_share * (bounds.high[clip_axis] - bounds.low[clip_axis]);
    look.clip = plane;
}

// What devices pick adds up with what the mouse picked.
void App::serve_haptics()
{
    if (!haptics.is_running()) return;
    haptics.serve(active(), camera, area_of(active_));
    const std::vector<std::int32_t> more = haptics.picked();
    std::vector<std::int32_t> all;
    std::set_union(selection_.begin(), selection_.end(), more.begin(), more.end(), std::back_inserter(all));
    selection_ = std::move(all);
}

void App::toggle_haptics()
{
    try {
        haptics.is_running() ? haptics.stop() : haptics.start(mouse_is_haptic);
    } catch (const std::exception& error) {
        message = error.what();
    }
}

Area App::view_area() const
{
    constexpr int kLeast = 64;
    const Margins& m = margins;
    if (width_ < m.left + m.right + kLeast || height_ < m.lower + kLeast) return {0, 0, width_, height_};
    return {m.left, m.lower, width_ - m.left - m.right, height_ - m.lower};
}

Area App::area_of(std::size_t exhibit) const
{
    Area area = view_area();
    area.width /= std::max(1, static_cast<int>(exhibits_.size()));
    area.x += static_cast<int>(exhibit) * area.width;
    return area;
}

void App::draw_scene(int width, int height)
{
    width_ = std::max(width, 16), height_ = std::max(height, 16);
    for (std::size_t e = 0; e < exhibits_.size(); ++e)
        exhibits_[e]->draw(camera, look, colour, marks, hand_marks(e), area_of(e));
}

Marks App::hand_marks(std::size_t e) const
{
    Marks drawn;
    Exhibit& exhibit = *exhibits_[e];
    const Frame& frame = exhibit.frame();
    const double size = 0.02 * exhibit.bounds().radius();
    if (Session* session = exhibit.subject().session()) {
        for (const Grip& grip : session->shown().grips) {
            const Vec3& at = frame.x[grip.point];
            drawn.add_cross(at, 0.6 * size, grip.is_held != 0 ? kHeld : kHand);
            if (grip.k > 0) drawn.add_line(at, grip.place, kHand);
            if (norm(grip.force) > 0) drawn.add_arrow(at, grip.force * (6 * size / norm(grip.force)), kHand);
        }
        const SessionStatus status = session->status();
        if (status.bad_point >= 0) drawn.add_cross(frame.x[status.bad_point], 2 * size, kHand);
    }
    if (e == active_) haptics.add_marks(drawn, camera, height_);
    if (e == active_)
        for (const std::int32_t p : selection_) drawn.add_cross(frame.x[p], 0.5 * size, kSelected);
    return drawn;
}

std::optional<CursorPlace> App::place_of(double x, double y) const
{
    for (std::size_t e = 0; e < exhibits_.size(); ++e) {
        const Area area = area_of(e);
        if (x < area.x || x >= area.x + area.width || y >= area.height) continue;
        return CursorPlace{e, 2 * (x - area.x) / area.width - 1, 1 - 2 * y / area.height};
    }
    return std::nullopt;
}

std::optional<Hit> App::hit_at(const CursorPlace& place)
{
    Exhibit& at = exhibit(place.exhibit);
    return viewer::pick(at.topology(), at.frame().x,
                        ray_through(camera, place.u, place.v, area_of(place.exhibit).aspect()));
}

bool App::is_movable(const Exhibit& exhibit, const Hit& hit) const
{
    return hit.body >= 0 && exhibit.topology().bodies[static_cast<std::size_t>(hit.body)].kind != "collider";
}

std::vector<std::int32_t> App::region_of(const Exhibit& exhibit, const Hit& hit) const
{
    const BodyRange& body = exhibit.topology().bodies[static_cast<std::size_t>(hit.body)];
    std::vector<std::int32_t> points;
    if (by_face && hit.triangle >= 0) {
        const Triangle& t = exhibit.topology().triangles[static_cast<std::size_t>(hit.triangle)];
        points.assign(t.begin(), t.end());
    } else {
        points = exhibit.neighbours().rings(hit.point, rings);
    }
    std::erase_if(points,
                  [&](std::int32_t p) { return p < body.first_point || p >= body.first_point + body.point_count; });
    return points;
}

void App::post(Action action)
{
    if (Session* session = is_empty() ? nullptr : active().subject().session()) session->post(std::move(action));
}

void App::press(double x, double y, bool shift, bool ctrl)
{
    const std::optional<CursorPlace> place = place_of(x, y);
    has_picked_ = false;
    if (!place) return;
    active_ = place->exhibit;
    const std::optional<Hit> hit = hit_at(*place);
    if (!hit || !is_movable(active(), *hit)) return;
    if (ctrl || tool == Tool::pick) {
        const std::vector<std::int32_t> region = region_of(active(), *hit);
        std::vector<std::int32_t> all;
        std::set_union(selection_.begin(), selection_.end(), region.begin(), region.end(), std::back_inserter(all));
        selection_ = std::move(all);
        ++region_count_;
        has_picked_ = true;
        return;
    }
    if (active().subject().session() == nullptr) return;
    if (shift) return toggle_hold(*hit);
    if (tool == Tool::paint) {
        is_painting_ = true;
        return paint(*hit);
    }
    begin_drag(*place, *hit);
}

void App::begin_drag(const CursorPlace& place, const Hit& hit)
{
    drag_ = Drag{place.exhibit, hit.at, camera.axes().back};
    const std::vector<std::int32_t> region = region_of(active(), hit);
    if (tool == Tool::pull) return post(make_pull(active().subject().session()->model(), kMouseHand, region));
    post(HandAction{.deed = HandDeed::push, .hand = kMouseHand, .points = region, .vector = hit.normal * -push_force});
}

void App::move(double x, double y)
{
    const std::optional<CursorPlace> place = place_of(x, y);
    if (!place) return;
    if (is_painting_) {
        const std::optional<Hit> hit = hit_at(*place);
        if (hit && is_movable(active(), *hit)) paint(*hit);
        return;
    }
    if (!drag_ || tool != Tool::pull || place->exhibit != drag_->exhibit) return;
    const Ray ray = ray_through(camera, place->u, place->v, area_of(place->exhibit).aspect());
    const double along = dot(ray.way, drag_->facing);
    if (std::abs(along) < 1e-6) return;
    const Vec3 now = ray.from + ray.way * (dot(drag_->grabbed - ray.from, drag_->facing) / along);
    post(HandAction{.deed = HandDeed::move, .hand = kMouseHand, .vector = now - drag_->grabbed});
}

void App::release()
{
    if (drag_) post(HandAction{.deed = HandDeed::release, .hand = kMouseHand});
    drag_.reset();
    is_painting_ = false;
}

// Of a rigid body the whole is held, of others the point.
void App::toggle_hold(const Hit& hit)
{
    const Session& session = *active().subject().session();
    const BodyRange& body = active().topology().bodies[static_cast<std::size_t>(hit.body)];
    if (hit.point >= session.model().free_count) {
        const std::int32_t target = find_live_path(session.model(), fmt::format("bodies.{}.held", body.name));
        if (target < 0) return;
        const bool is_held = session.shown().live[static_cast<std::size_t>(target)].number[0] != 0;
        return post(LiveChange{target, to_live(!is_held)});
    }
    for (const Grip& grip : session.shown().grips)
        if (grip.point == hit.point && grip.is_held != 0)
            return post(HandAction{.deed = HandDeed::release, .hand = grip.hand});
    post(HandAction{.deed = HandDeed::hold, .hand = next_hand_++, .points = region_of(active(), hit)});
}

void App::paint(const Hit& hit)
{
    const Session& session = *active().subject().session();
    if (hit.point >= session.model().free_count) return;
    for (const Grip& grip : session.shown().grips)
        if (grip.point == hit.point && grip.is_held != 0) return;
    post(HandAction{.deed = HandDeed::hold, .hand = next_hand_++, .points = region_of(active(), hit)});
}

void App::pull_selection(const Vec3& way)
{
    const Session* session = is_empty() ? nullptr : active().subject().session();
    if (session == nullptr || selection_.empty()) return;
    post(make_pull(session->model(), kSelectionHand, selection_));
    post(HandAction{.deed = HandDeed::move, .hand = kSelectionHand, .vector = way});
}

void App::push_selection()
{
    if (selection_.empty()) return;
    post(HandAction{
        .deed = HandDeed::push, .hand = kPushHand, .points = selection_, .vector = camera.axes().back * -push_force});
}

void App::hold_selection()
{
    if (!selection_.empty()) post(HandAction{.deed = HandDeed::hold, .hand = next_hand_++, .points = selection_});
}

void App::release_all()
{
    const Session* session = is_empty() ? nullptr : active().subject().session();
    if (session == nullptr) return;
    std::vector<std::int32_t> hands;
    for (const Grip& grip : session->shown().grips) hands.push_back(grip.hand);
    std::sort(hands.begin(), hands.end());
    hands.erase(std::unique(hands.begin(), hands.end()), hands.end());
    for (const std::int32_t hand : hands) post(HandAction{.deed = HandDeed::release, .hand = hand});
}

void App::set_pivot(double x, double y)
{
    const std::optional<CursorPlace> place = place_of(x, y);
    const std::optional<Hit> hit = place ? hit_at(*place) : std::nullopt;
    if (!hit) return;
    // The eye stays; only what it turns about changes.
    camera.distance = dot(camera.eye() - hit->at, camera.axes().back);
    camera.target = hit->at;
}

void App::inspect(double x, double y)
{
    const std::optional<CursorPlace> place = place_of(x, y);
    const std::optional<Hit> hit = place ? hit_at(*place) : std::nullopt;
    inspected.clear();
    if (!hit || hit->body < 0) return;
    Exhibit& at = exhibit(place->exhibit);
    const BodyRange& body = at.topology().bodies[static_cast<std::size_t>(hit->body)];
    const Vec3 &p = at.frame().x[hit->point], &v = at.frame().v[hit->point];
    inspected = fmt::format("{} ({})\nvertex {}\nposition {:.4f} {:.4f} {:.4f} m\nvelocity {:.4f} {:.4f} {:.4f} m/s",
                            body.name, body.kind, hit->point - body.first_point, p.x, p.y, p.z, v.x, v.y, v.z);
    if (hit->triangle >= 0) inspected += fmt::format("\nface {}", hit->triangle - body.first_triangle);
}

void App::zoom(double x, double y, double factor)
{
    const std::optional<CursorPlace> place = place_of(x, y);
    if (place) camera.zoom(factor, place->u, place->v, area_of(place->exhibit).aspect());
}

void App::toggle_play()
{
    if (is_empty()) return;
    const bool plays = active().subject().time_line().is_playing;
    for (const auto& exhibit : exhibits_) plays ? exhibit->subject().pause() : exhibit->subject().play();
}

void App::reset(bool keep_parameters)
{
    for (const auto& exhibit : exhibits_) {
        if (Session* session = exhibit->subject().session()) session->reset(keep_parameters);
        exhibit->subject().seek(exhibit->subject().time_line().first);
    }
    message.clear();
}

bool App::has_held_bodies()
{
    const auto& controls = is_empty() ? std::vector<Control>{} : active().controls();
    return std::any_of(controls.begin(), controls.end(), is_held_at_first);
}

void App::drop()
{
    const Session* session = is_empty() ? nullptr : active().subject().session();
    if (session == nullptr) return;
    const std::vector<LiveValue> now = session->shown().live;
    const auto is_held = [&](const Control& c) { return is_held_at_first(c) && now[c.target].number[0] != 0; };
    const auto& controls = active().controls();
    const bool lets_go = std::any_of(controls.begin(), controls.end(), is_held);
    for (const Control& control : controls)
        if (is_held_at_first(control)) change(control, to_live(!lets_go));
}

void App::change(const Control& control, const LiveValue& value)
{
    post(LiveChange{control.target, value});
}

void App::take_screenshot()
{
    wants_screenshot_ = true;
}

void App::toggle_film()
{
    try {
        if (film_) {
            film_->finish();
            message = "wrote " + film_->described();
            film_.reset();
            return;
        }
        if (is_empty()) return;
        const std::string stem = active().subject().title();
        // Films have even sides, the same from the first picture to the last.
        filmed_area_ = view_area();
        filmed_area_.width -= filmed_area_.width % 2, filmed_area_.height -= filmed_area_.height % 2;
        if (has_ffmpeg()) {
            film_ = film_by_ffmpeg(free_name(stem, ".mp4"), std::min(60.0, active().topology().frame_rate),
                                   filmed_area_.width, filmed_area_.height);
        } else {
            film_ = film_of_pictures(free_name(stem + "_frames", ""));
            message = "ffmpeg is not installed (apt install ffmpeg): the film is a folder of pictures";
        }
        filmed_frame_ = -1;
    } catch (const std::exception& error) {
        message = error.what();
        film_.reset();
    }
}

void App::save_take()
{
    const Session* session = is_empty() ? nullptr : active().subject().session();
    if (session == nullptr) return;
    try {
        const std::string path = free_name(active().subject().title(), ".plrec");
        session->save_take(path, false);
        message = fmt::format("wrote {}; pliant replay {} does it all again", path, path);
    } catch (const std::exception& error) {
        message = error.what();
    }
}

void App::capture()
{
    const bool films = film_ && !is_empty() && active().frame().index != filmed_frame_;
    if (!films && !wants_screenshot_) return;
    Picture picture;
    read_pixels(picture, film_ ? filmed_area_ : view_area());
    try {
        if (films) film_->add(picture), filmed_frame_ = active().frame().index;
        if (wants_screenshot_) {
            const std::string path = free_name(is_empty() ? "pliant" : active().subject().title(), ".png");
            write_png(path, picture);
            message = "wrote " + path;
        }
    } catch (const std::exception& error) {
        message = error.what();
        film_.reset();
    }
    wants_screenshot_ = false;
}

}  // namespace pliant::viewer
