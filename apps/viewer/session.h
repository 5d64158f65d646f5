// SPDX-License-Identifier: MIT
#pragma once

// A simulation in a thread of its own, and the only one who touches its World.
//
// Whoever looks takes the newest Frame from a mailbox (older ones that nobody took are never drawn); whoever touches posts
// Actions, which are done before the next frame and stamped with the world's time. Frames, a State every second and all
// actions are remembered, so that one can look back, go on from the past, and keep the whole as a take that replays to
// the last bit. What a step cannot do pauses the session and is said in words; it never ends the program.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pliant/record/actions.h>
#include <pliant/scene/scene.h>
#include <pliant/world/world.h>

namespace pliant {
struct ContactLog;
}

namespace pliant::viewer {

/// What the thread last said: a frame, and the parameters and grips that belong to it.
struct Shown {
    std::shared_ptr<const Frame> frame;
    std::vector<LiveValue> live;  ///< #Model::live_paths
    std::vector<Grip> grips;
    std::shared_ptr<const ContactLog> contacts;  ///< of the last step, where they are watched and response bridson acts
};

struct SessionStatus {
    bool is_playing = false, has_failed = false, is_at_end = false;
    std::string message;                           ///< words for a failed step or an action that was refused
    std::int32_t bad_point = -1;                   ///< of the failed step
    double frames_per_second = 0;                  ///< simulated frames in a second of the clock
    double speed = 1;                              ///< of simulated time, where the machine keeps up
    std::int64_t first_frame = 0, last_frame = 0;  ///< remembered
    std::int64_t action_count = 0;
};

class Session {
public:
    /// Builds the world, paused at its start; an Error says what is wrong with the scene.
    explicit Session(Scene scene);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const Scene& scene() const;
    const Model& model() const;
    const State& start_state() const;
    const std::vector<std::string>& notes() const;  ///< of the build

    void play();
    void pause();
    /// One frame, then pause.
    void step_once();
    void set_speed(double speed);
    /// Back to the start; parameters that were changed stay changed, or not.
    void reset(bool keep_parameters);
    /// Goes on from a frame that is remembered; what came after is forgotten.
    void rewind_to(std::int64_t frame);
    void post(Action action);
    /// Whether to keep what contact did in the last step; takes time.
    void watch_contacts(bool watches);

    Shown shown() const;
    SessionStatus status() const;
    /// A remembered frame, the nearest one.
    std::shared_ptr<const Frame> frame_near(std::int64_t index) const;
    /// A measure in all remembered frames.
    void measure_history(std::size_t measure, std::vector<float>& values) const;

    /// Writes what is remembered as a take. An Error when it cannot be written.
    void save_take(const std::string& path, bool overwrite) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace pliant::viewer
