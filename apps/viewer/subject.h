// SPDX-License-Identifier: MIT
#pragma once

// What is looked at: a scene that runs, or a take that is played. Both have a topology, frames and a time line.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <pliant/record/recording.h>

#include "session.h"

namespace pliant::viewer {

/// Neither a scene nor a take.
bool is_mesh(const std::string& path);

struct TimeLine {
    std::int64_t first = 0, last = 0, shown = 0;  ///< indices of frames
    bool is_playing = false;
    double speed = 1;
};

class Subject {
public:
    /// A scene (.json), a take (.plrec) or one or more meshes, by the endings of their names. An Error says what is wrong.
    explicit Subject(const std::vector<std::string>& paths);

    const std::string& path() const { return path_; }
    const std::string& title() const { return title_; }
    const std::string& description() const { return description_; }
    const Topology& topology() const;
    const std::string& scene_text() const;
    Session* session() { return session_.get(); }
    const Session* session() const { return session_.get(); }

    /// The frame to show now, the one before it where it is known, and the first one.
    std::shared_ptr<const Frame> frame();
    std::shared_ptr<const Frame> frame_before() const { return before_; }
    const Frame& start() const { return *start_; }

    /// What contact did in the last step before the frame, where that is known.
    std::shared_ptr<const ContactLog> contacts() const;

    TimeLine time_line() const;
    void play();
    void pause();
    void step(int frames);
    void set_speed(double speed);
    /// Shows a frame of the past; a session is paused and goes on from where it is when played.
    void seek(std::int64_t frame);
    void show_newest() { sought_ = -1; }
    /// A measure in all frames of the time line.
    void measure_history(std::size_t measure, std::vector<float>& values) const;

private:
    void open_take();
    void open_scene(Scene scene);
    std::shared_ptr<const Frame> take_frame();

    using Clock = std::chrono::steady_clock;
    std::string path_, title_, description_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<Recording> take_;
    std::shared_ptr<const Frame> start_, now_, before_;
    std::int64_t sought_ = -1;         // frame of a session's past that is shown, -1: the newest
    bool is_playing_ = false;          // of a take
    double speed_ = 1, position_ = 0;  // of a take, in frames
    Clock::time_point last_look_ = Clock::now();
};

}  // namespace pliant::viewer
