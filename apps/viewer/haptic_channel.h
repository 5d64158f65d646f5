// SPDX-License-Identifier: MIT
#pragma once

// One device in the haptic loop: its surface, its proxy, and what it shares with the other threads.
//
// What comes in comes through mailboxes; what goes out, pushes on triangles and the status, is kept by the servo until it
// finds the lock of the shared copy free. So the servo never waits, and no impulse is lost.

#include <array>
#include <mutex>
#include <vector>

#include "haptic_loop.h"
#include "haptic_mailbox.h"
#include "haptic_packet.h"

namespace pliant::viewer {

/// Pushes on triangles, added up over time.
class PushSum {
public:
    struct Entry {
        std::int32_t triangle = -1, body = -1;
        Triangle points{-1, -1, -1};
        std::array<double, 3> weight{};  // times size
        Vec3 impulse;                    // [N s]
        double size = 0;                 // sum of |impulse|
    };

    void add(const Entry& entry);
    void add(const PushSum& other);
    void pass(double seconds) { seconds_ += seconds; }
    void clear() { count_ = 0, seconds_ = 0; }
    std::span<const Entry> entries() const { return {entries_.data(), count_}; }
    double seconds() const { return seconds_; }

private:
    std::array<Entry, 16> entries_{};
    std::size_t count_ = 0;
    double seconds_ = 0;
};

class HapticChannel {
public:
    HapticChannel(HapticDevice& device, const TouchSettings& touch, PatchMotion motion);

    // The servo's.
    void tick(double now);
    void let_go();
    double age() const { return state_.is_present ? state_.age : 0; }

    // The others'.
    void set_touch(const TouchSettings& touch) { touch_.publish(touch); }
    void set_mapping(const HapticMapping& mapping);
    void offer(PatchCutter& cutter, const Frame& frame);
    void drain(std::vector<HapticContact>& contacts);
    HapticStatus status() const;

private:
    // As HapticStatus, but without text that would allocate.
    struct Shown {
        HapticStatus status;
        HapticLabel label{};
        double patch_radius = 0;  // in the scene [m]
    };

    void take_news(double now);
    void lose();
    void begin(double now, const Vec3& device);
    HapticReply feel(double now);
    void keep_pushes(const ProxyResult& proxy, const SpringForce& spring, double ramp);
    void keep_nearest(const ProxyTouch& touch);
    void share(double now);

    HapticDevice& device_;
    LatestValue<TouchSettings> touch_;
    LatestValue<HapticMapping> mapping_;
    LatestValue<Patch> patch_;
    HapticMapping told_;  // the last that set_mapping() was given; the window's own
    bool was_told_ = false;

    // The servo's own.
    MovingSurface surface_;
    HapticProxy proxy_;
    HapticState state_;
    HapticReply reply_;
    PushSum pushes_;
    Shown shown_;
    double begun_ = 0, last_ = 0, dt_ = 0;
    bool is_on_ = false, has_ticked_ = false, has_patch_ = false;

    mutable std::mutex mutex_;  // of the shared copies; the servo only tries it
    PushSum shared_pushes_;
    Shown shared_;
};

}  // namespace pliant::viewer
