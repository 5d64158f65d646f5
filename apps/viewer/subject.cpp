// SPDX-License-Identifier: MIT
#include "subject.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/base/json.h>
#include <pliant/base/json_write.h>
#include <pliant/contact/contact_log.h>
#include <pliant/scene/scene_json.h>

namespace pliant::viewer {

namespace {

namespace fs = std::filesystem;

bool has_tetrahedra(const std::string& path)
{
    const std::string kind = fs::path(path).extension().string();
    return kind == ".msh" || kind == ".node" || kind == ".ele" || kind == ".veg" || kind == ".vtk";
}

// A scene of meshes as they are, rubber where they have tetrahedra, cloth where they have only faces. They move when the
// scene is played.
Scene scene_of_meshes(const std::vector<std::string>& paths)
{
    std::string text;
    JsonWriter json(text);
    json.begin_object().member("description", "Meshes that fall").key("bodies").begin_object();
    for (std::size_t p = 0; p < paths.size(); ++p) {
        json.key(fmt::format("mesh_{}", p + 1)).begin_object();
        json.member("kind", has_tetrahedra(paths[p]) ? "solid" : "cloth").key("mesh").begin_object();
        json.member("file", fs::absolute(paths[p]).string()).end_object();
        if (has_tetrahedra(paths[p]))
            json.key("material").begin_object().member("young", 1e5).member("poisson", 0.4).member("density", 1000.0);
        else
            json.key("cloth").begin_object().member("fabric", "cotton");
        json.end_object().end_object();
    }
    json.end_object().end_object();
    SceneRead read = parse_scene(text, paths.front());
    if (!read.problems.empty()) throw Error(std::move(read.problems));
    return std::move(read.scene);
}

std::string described(const std::string& scene_text)
{
    const Json scene = parse_json(scene_text, "").value;
    const Json* text = scene.find("description");
    return text != nullptr && text->is_string() ? text->text : std::string();
}

}  // namespace

bool is_mesh(const std::string& path)
{
    const std::string kind = fs::path(path).extension().string();
    return kind != ".plrec" && kind != ".json";
}

Subject::Subject(const std::vector<std::string>& paths) : path_(paths.front()), title_(fs::path(path_).stem().string())
{
    if (is_mesh(path_))
        open_scene(scene_of_meshes(paths));
    else if (fs::path(path_).extension() == ".json")
        open_scene(load_scene(path_));
    else
        open_take();
}

void Subject::open_take()
{
    take_ = std::make_unique<Recording>(Recording::open(path_));
    if (take_->frame_count() == 0)
        throw Error(Problem{.file = path_, .message = "has no frames yet", .cure = "pliant run --resume, or wait"});
    description_ = described(take_->header().scene_text);
    start_ = now_ = std::make_shared<Frame>(take_->frame(0));
}

void Subject::open_scene(Scene scene)
{
    description_ = scene.description;
    session_ = std::make_unique<Session>(std::move(scene));
    start_ = now_ = session_->shown().frame;
}

const Topology& Subject::topology() const
{
    return session_ ? session_->model().topology : take_->header().topology;
}

const std::string& Subject::scene_text() const
{
    return session_ ? session_->scene().text : take_->header().scene_text;
}

std::shared_ptr<const Frame> Subject::take_frame()
{
    const auto now = Clock::now();
    const std::chrono::duration<double> passed = now - last_look_;
    last_look_ = now;
    const auto last = static_cast<double>(take_->frame_count() - 1);
    if (is_playing_) position_ += passed.count() * speed_ * topology().frame_rate;
    if (position_ >= last) position_ = last, is_playing_ = false;
    const auto wanted = static_cast<std::int64_t>(position_);
    return wanted == now_->index ? now_ : std::make_shared<Frame>(take_->frame(wanted));
}

std::shared_ptr<const Frame> Subject::frame()
{
    std::shared_ptr<const Frame> next = take_          ? take_frame()
                                        : sought_ >= 0 ? session_->frame_near(sought_)
                                                       : session_->shown().frame;
    if (next != now_) before_ = std::exchange(now_, std::move(next));
    return now_;
}

std::shared_ptr<const ContactLog> Subject::contacts() const
{
    if (session_) return sought_ >= 0 ? nullptr : session_->shown().contacts;
    std::optional<ContactLog> log = take_->contacts(static_cast<std::int64_t>(position_));
    return log ? std::make_shared<ContactLog>(std::move(*log)) : nullptr;
}

TimeLine Subject::time_line() const
{
    if (take_) return {0, take_->frame_count() - 1, static_cast<std::int64_t>(position_), is_playing_, speed_};
    const SessionStatus status = session_->status();
    return {status.first_frame, status.last_frame, now_->index, status.is_playing, status.speed};
}

void Subject::play()
{
    sought_ = -1;
    if (session_) return session_->play();
    if (position_ >= static_cast<double>(take_->frame_count() - 1)) position_ = 0;
    last_look_ = Clock::now(), is_playing_ = true;
}

void Subject::pause()
{
    is_playing_ = false;
    if (session_) session_->pause();
}

void Subject::step(int frames)
{
    const TimeLine line = time_line();
    if (session_ && frames == 1 && line.shown >= line.last) {
        sought_ = -1;
        return session_->step_once();
    }
    seek(line.shown + frames);
}

void Subject::set_speed(double speed)
{
    speed_ = speed;
    if (session_) session_->set_speed(speed);
}

void Subject::seek(std::int64_t frame)
{
    const TimeLine line = time_line();
    frame = std::clamp(frame, line.first, line.last);
    pause();
    if (take_)
        position_ = static_cast<double>(frame);
    else
        sought_ = frame >= line.last ? -1 : frame;
}

void Subject::measure_history(std::size_t measure, std::vector<float>& values) const
{
    if (session_) return session_->measure_history(measure, values);
    values.clear();
    for (const double value : take_->measure(topology().measures[measure])) values.push_back(static_cast<float>(value));
}

}  // namespace pliant::viewer
