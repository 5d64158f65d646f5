// SPDX-License-Identifier: MIT
#include "session.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/contact/contact_log.h>
#include <pliant/world/build.h>
#include <pliant/world/measures.h>
#include <pliant/world/step.h>

namespace pliant::viewer {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kHistoryBytes = 400u << 20, kSnapshotBytes = 200u << 20;

struct DoneAction {
    double time = 0;         // [s] of the world when it was done
    std::int64_t frame = 0;  // the last frame then
    Action action;
    RecordedInput recorded;
};

struct KeptState {
    std::int64_t frame = 0;
    Snapshot world;
};

std::size_t bytes_of(const Frame& frame)
{
    std::size_t bytes = (frame.x.size() + frame.v.size()) * sizeof(Vec3) + frame.measures.size() * sizeof(double);
    for (const auto& field : frame.fields) bytes += field.size() * sizeof(double);
    return bytes;
}

std::vector<LiveValue> live_values(const World& world)
{
    std::vector<LiveValue> values;
    for (const LivePath& path : world.model->live_paths) values.push_back(live_value(world.state, path.target));
    return values;
}

// Keeps frames a steady distance apart on the clock; who falls behind starts anew instead of hurrying.
class Pace {
public:
    void restart() { next_ = Clock::now(); }
    Clock::time_point next() const { return next_; }
    void advance(double seconds)
    {
        constexpr auto kPatience = std::chrono::milliseconds(100);
        next_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
        if (Clock::now() - next_ > kPatience) restart();
    }

private:
    Clock::time_point next_ = Clock::now();
};

// Frames of the last second.
class Rate {
public:
    void count()
    {
        const auto now = Clock::now();
        times_.push_back(now);
        while (now - times_.front() > std::chrono::seconds(1)) times_.pop_front();
    }
    double value() const
    {
        if (times_.size() < 2) return 0;
        const std::chrono::duration<double> span = times_.back() - times_.front();
        return span.count() > 0 ? static_cast<double>(times_.size() - 1) / span.count() : 0;
    }

private:
    std::deque<Clock::time_point> times_;
};

// What to do next besides stepping.
struct Orders {
    bool plays = false, steps = false, quits = false;
    std::optional<bool> reset{};  // with parameters kept or not
    std::optional<std::int64_t> rewind{};
    std::vector<Action> actions{};
    double speed = 1;
    bool watches = false;  // what contact does

    bool has_work() const { return plays || steps || quits || reset || rewind || !actions.empty(); }
};

}  // namespace

struct Session::Parts {
    Scene scene;
    World world;
    Snapshot start;
    std::vector<std::string> notes;

    mutable std::mutex mutex;  // guards everything below
    std::condition_variable changed;
    Orders orders;
    Shown shown;
    SessionStatus status;
    std::deque<std::shared_ptr<const Frame>> history;
    std::size_t history_bytes = 0;
    std::vector<DoneAction> done;
    Pace pace;

    // The thread's own.
    std::deque<KeptState> states;
    Rate rate;
    std::thread thread;

    explicit Parts(Scene s) : scene(std::move(s))
    {
        Build built = try_build(scene);
        if (!built.problems.empty()) throw Error(std::move(built.problems));
        world = std::move(built.world);
        notes = std::move(built.notes);
        show(std::make_shared<Frame>(sample(world, {}, 0)));
        start = snapshot(world);
        states.push_back({0, start});
        thread = std::thread([this] { live(); });
    }

    ~Parts()
    {
        {
            const std::lock_guard lock(mutex);
            orders.quits = true;
        }
        changed.notify_one();
        thread.join();
    }

    void live()
    {
        while (true) {
            Orders now = take_orders();
            if (now.quits) return;
            if (now.reset) start_again(*now.reset);
            if (now.rewind) go_back(*now.rewind);
            for (const Action& action : now.actions) act(action);
            if (!now.actions.empty()) show_parameters();
            if (now.watches != (world.scratch.contact_log != nullptr))
                world.scratch.contact_log = now.watches ? std::make_shared<ContactLog>() : nullptr;
            if (now.plays || now.steps) advance(now);
        }
    }

    // Waits for something to do; while playing, for the time of the next frame.
    Orders take_orders()
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return orders.has_work(); });
        const auto is_urgent = [&] { return !orders.plays || orders.quits || orders.reset || orders.rewind; };
        if (orders.plays) changed.wait_until(lock, pace.next(), is_urgent);
        Orders now = orders;
        orders.steps = false, orders.reset.reset(), orders.rewind.reset(), orders.actions.clear();
        return now;
    }

    void advance(const Orders& now)
    {
        const double seconds = 1 / scene.world.frame_rate;
        if (!step_frame()) return stop_playing();
        rate.count();
        const std::lock_guard lock(mutex);
        pace.advance(seconds / now.speed);
        status.frames_per_second = rate.value();
        if (now.steps) orders.plays = status.is_playing = false;
    }

    void stop_playing()
    {
        const std::lock_guard lock(mutex);
        orders.plays = status.is_playing = false;
    }

    // One frame's worth of steps; false when it failed.
    bool step_frame()
    {
        std::int64_t& index = world.state.history.frame;
        if (world.scratch.contact_log) world.scratch.contact_log->clear();
        const StepReport report = step_to(world, static_cast<double>(index + 1) / scene.world.frame_rate);
        if (report.failed()) {
            note_failure(report.issue);
            return false;
        }
        ++index;
        show(std::make_shared<Frame>(sample(world, report, 1 / scene.world.frame_rate)));
        keep_state();
        return true;
    }

    void note_failure(const Issue& issue)
    {
        const std::lock_guard lock(mutex);
        status.has_failed = true;
        status.message = explain(issue, *world.model);
        const bool has_point = issue.body >= 0 && issue.vertex >= 0;
        status.bad_point = has_point ? world.model->bodies[issue.body].first_point + issue.vertex : -1;
    }

    void keep_state()
    {
        const auto every = std::max<std::int64_t>(1, std::llround(scene.world.frame_rate));
        if (world.state.history.frame % every != 0) return;
        states.push_back({world.state.history.frame, snapshot(world)});
        const std::size_t most =
            std::max<std::size_t>(2, kSnapshotBytes / (world.state.x.size() * 6 * sizeof(Vec3) + 1));
        // The start is kept whatever comes.
        if (states.size() > most) states.erase(states.begin() + 1);
    }

    void show(std::shared_ptr<const Frame> frame)
    {
        std::vector<LiveValue> live = live_values(world);
        std::shared_ptr<const ContactLog> contacts;
        if (world.scratch.contact_log && world.scratch.contact_log->is_filled())
            contacts = std::make_shared<ContactLog>(*world.scratch.contact_log);
        const std::lock_guard lock(mutex);
        history_bytes += bytes_of(*frame);
        history.push_back(frame);
        while (history_bytes > kHistoryBytes && history.size() > 1) {
            history_bytes -= bytes_of(*history.front());
            history.pop_front();
        }
        shown = {std::move(frame), std::move(live), world.state.grips, std::move(contacts)};
        status.first_frame = history.front()->index, status.last_frame = history.back()->index;
    }

    void show_parameters()
    {
        std::vector<LiveValue> live = live_values(world);
        const std::lock_guard lock(mutex);
        shown.live = std::move(live), shown.grips = world.state.grips;
    }

    void act(const Action& action)
    {
        try {
            const DoneAction entry{world.state.time, world.state.history.frame, action, recorded(world, action)};
            perform(world, action);
            const std::lock_guard lock(mutex);
            done.push_back(entry);
            status.action_count = static_cast<std::int64_t>(done.size());
        } catch (const Error& error) {
            const std::lock_guard lock(mutex);
            status.message = error.what();
        }
    }

    // Parameters as they were set last, in the order of the first change.
    std::vector<Action> kept_changes() const
    {
        std::vector<Action> kept;
        for (const DoneAction& entry : done) {
            const auto* change = std::get_if<LiveChange>(&entry.action);
            if (change == nullptr) continue;
            const auto same = std::find_if(kept.begin(), kept.end(), [&](const Action& action) {
                return std::get<LiveChange>(action).target == change->target;
            });
            if (same == kept.end())
                kept.push_back(entry.action);
            else
                *same = entry.action;
        }
        return kept;
    }

    void start_again(bool keep_parameters)
    {
        const std::vector<Action> kept = keep_parameters ? kept_changes() : std::vector<Action>{};
        restore(world, states.front().world);
        states.erase(states.begin() + 1, states.end());
        forget_after(-1);
        for (const Action& action : kept) act(action);
        show(std::make_shared<Frame>(sample(world, {}, 0)));
    }

    // Frames and actions after this one never happened.
    void forget_after(std::int64_t frame)
    {
        const std::lock_guard lock(mutex);
        while (!history.empty() && history.back()->index > frame) {
            history_bytes -= bytes_of(*history.back());
            history.pop_back();
        }
        std::erase_if(done, [&](const DoneAction& entry) { return entry.frame > frame; });
        status.has_failed = false, status.bad_point = -1, status.message.clear();
        status.action_count = static_cast<std::int64_t>(done.size());
        pace.restart();
    }

    // From the last State at or before the frame, with everything done again on the way.
    void go_back(std::int64_t frame)
    {
        frame = std::clamp<std::int64_t>(frame, 0, world.state.history.frame);
        while (states.size() > 1 && states.back().frame > frame) states.pop_back();
        const std::int64_t from = states.back().frame;
        std::vector<DoneAction> again;
        {
            const std::lock_guard lock(mutex);
            for (const DoneAction& entry : done)
                if (entry.frame >= from && entry.frame < frame) again.push_back(entry);
        }
        restore(world, states.back().world);
        forget_after(from - 1);
        std::size_t next = 0;
        while (true) {
            for (; next < again.size() && again[next].frame == world.state.history.frame; ++next)
                act(again[next].action);
            if (world.state.history.frame >= frame) break;
            if (world.state.history.frame == from) show(std::make_shared<Frame>(sample(world, {}, 0)));
            if (!step_frame()) return;
        }
        if (frame == from) show(std::make_shared<Frame>(sample(world, {}, 0)));
    }

    template <class Change>
    void order(Change&& change)
    {
        {
            const std::lock_guard lock(mutex);
            change(orders);
        }
        changed.notify_one();
    }
};

Session::Session(Scene scene) : parts_(std::make_unique<Parts>(std::move(scene))) {}
Session::~Session() = default;

const Scene& Session::scene() const
{
    return parts_->scene;
}
const Model& Session::model() const
{
    return *parts_->world.model;
}
const State& Session::start_state() const
{
    return parts_->start.state;
}
const std::vector<std::string>& Session::notes() const
{
    return parts_->notes;
}

void Session::play()
{
    parts_->order([&](Orders& orders) {
        if (!orders.plays) parts_->pace.restart();
        orders.plays = parts_->status.is_playing = !parts_->status.has_failed;
    });
}

void Session::pause()
{
    parts_->order([&](Orders& orders) { orders.plays = parts_->status.is_playing = false; });
}

void Session::step_once()
{
    parts_->order([&](Orders& orders) {
        orders.plays = parts_->status.is_playing = false;
        orders.steps = !parts_->status.has_failed;
    });
}

void Session::set_speed(double speed)
{
    parts_->order([&](Orders& orders) { orders.speed = parts_->status.speed = speed; });
}

void Session::reset(bool keep_parameters)
{
    parts_->order([&](Orders& orders) { orders.reset = keep_parameters; });
}

void Session::rewind_to(std::int64_t frame)
{
    parts_->order([&](Orders& orders) {
        orders.plays = parts_->status.is_playing = false;
        orders.rewind = frame;
    });
}

void Session::post(Action action)
{
    parts_->order([&](Orders& orders) { orders.actions.push_back(std::move(action)); });
}

void Session::watch_contacts(bool watches)
{
    parts_->order([&](Orders& orders) { orders.watches = watches; });
}

Shown Session::shown() const
{
    const std::lock_guard lock(parts_->mutex);
    return parts_->shown;
}

SessionStatus Session::status() const
{
    const std::lock_guard lock(parts_->mutex);
    return parts_->status;
}

std::shared_ptr<const Frame> Session::frame_near(std::int64_t index) const
{
    const std::lock_guard lock(parts_->mutex);
    const auto& history = parts_->history;
    const auto at = std::lower_bound(history.begin(), history.end(), index,
                                     [](const auto& frame, std::int64_t wanted) { return frame->index < wanted; });
    return at == history.end() ? history.back() : *at;
}

void Session::measure_history(std::size_t measure, std::vector<float>& values) const
{
    const std::lock_guard lock(parts_->mutex);
    values.clear();
    for (const auto& frame : parts_->history)
        values.push_back(measure < frame->measures.size() ? static_cast<float>(frame->measures[measure]) : 0);
}

void Session::save_take(const std::string& path, bool overwrite) const
{
    std::vector<std::shared_ptr<const Frame>> frames;
    std::vector<DoneAction> done;
    {
        const std::lock_guard lock(parts_->mutex);
        frames.assign(parts_->history.begin(), parts_->history.end());
        done = parts_->done;
    }
    const Model& m = model();
    RecordingWriter writer =
        RecordingWriter::create(path, {scene().text, scene().file, PLIANT_VERSION, m.id, m.topology}, overwrite);
    std::size_t next = 0;
    const auto add_actions_before = [&](std::int64_t frame) {
        for (; next < done.size() && done[next].frame < frame; ++next) writer.add_input(done[next].recorded);
    };
    bool is_first = true;
    for (const auto& frame : frames) {
        if (!is_first) add_actions_before(frame->index);
        writer.add_frame(*frame);
        if (std::exchange(is_first, false)) add_scene_inputs(writer, m);
    }
    add_actions_before(frames.back()->index + 1);
    writer.finish("{}");
}

}  // namespace pliant::viewer
