// SPDX-License-Identifier: MIT
#pragma once

// What happens in one tick of the haptic loop, for all devices: read the hand, move the proxy, push the hand.
//
// The loop knows no clock and no thread, so that tests run it by times of their own; haptic_servo.h gives it both.
// Who calls what: the servo tick() and let_go(); the session offer() after each frame and drain() before each step; the
// window set_mapping(), set_touch() and status(). These may all run at once; tick() waits for none of them and allocates
// nothing.
// The force on the hand is k (proxy - hand) - b (velocity of the hand relative to the surface), never pulling into the
// surface, at most the device's greatest. A spring that is only read every T gives back k v T z more than it took over a depth
// z at speed v; b >= k T / 2 takes that away (J. Colgate and J. Brown, Factors affecting the Z-width of a haptic display,
// 1994). The body gets the same force with the other sign.
// Symbols: k stiffness [N/m], b damping [N s/m], both of the hand; T period [s].

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "haptic_device.h"
#include "haptic_patch.h"
#include "haptic_proxy.h"
#include "haptic_workspace.h"

namespace pliant::viewer {

/// How things feel; lengths are of the hand.
struct TouchSettings {
    double stiffness = 400;       ///< [N/m]
    double damping = 0.4;         ///< [N s/m]; from stiffness * period / 2 on a wall gives no energy
    double static_friction = 0;   ///< pull over pressure
    double dynamic_friction = 0;  ///< while sliding, not above the static one
    double proxy_radius = 0.001;  ///< [m]
    double patch_radius = 0.03;   ///< surfaces up to there are given to the loop with each frame [m]
    double ramp = 0.25;           ///< time in which the force comes up after a start [s]
};

/// What a hand did to one triangle since the last drain.
struct HapticContact {
    std::string device;
    std::int32_t body = -1;          ///< of Topology::bodies
    Triangle points{-1, -1, -1};     ///< its corners
    std::array<double, 3> weight{};  ///< of the corners; their mean, weighted by the push
    Vec3 force;                      ///< on the body, scene axes, mean over `seconds` [N]
    double seconds = 0;              ///< since the last drain
    Vec3 proxy;                      ///< where it is now, scene [m]
    std::uint32_t buttons = 0;       ///< now
};

/// A device as the window shows it.
struct HapticStatus {
    std::string label;
    bool is_present = false;  ///< false: lost or not yet there
    Vec3 workspace;           ///< [m] of the hand
    double greatest_force = 0;
    Vec3 hand;                ///< device axes [m]
    Vec3 device, proxy;       ///< in the scene [m]
    double proxy_radius = 0;  ///< in the scene [m]
    Quaternion orientation;   ///< device axes
    Vec3 force;               ///< on the hand, device axes [N]
    std::uint32_t buttons = 0;
    bool is_touching = false, is_starting = false, is_limited = false;
    std::int32_t body = -1;  ///< touched, or -1
    Triangle points{-1, -1, -1};
    std::int32_t nearest = -1;  ///< of the points, to where it is touched
    double latency = 0;         ///< from the hand's reading to the tick that answers it [s]
    double patch_age = 0;       ///< since the newest frame's surface came [s]
    std::uint64_t unsound = 0;  ///< readings or forces that were not finite and went no further

    HandSeen seen() const { return {hand, buttons, is_touching, points, nearest}; }
};

/// Spring and damper from the hand to the proxy, as the hand feels it; all arguments in one set of axes.
struct SpringForce {
    Vec3 force;
    double limit = 1;  ///< what the greatest force left of it
};
SpringForce spring_force(const TouchSettings& touch, const Vec3& offset, const Vec3& velocity, double greatest);

class HapticChannel;

class HapticLoop {
public:
    explicit HapticLoop(const TouchSettings& touch = {}, PatchMotion motion = PatchMotion::interpolate);
    ~HapticLoop();

    /// Before the first tick. The device is not owned and outlives the loop.
    std::size_t add(HapticDevice& device);
    std::size_t device_count() const { return channels_.size(); }

    void tick(double now);
    /// Zero force for all.
    void let_go();

    void set_touch(const TouchSettings& touch);
    /// How the device's workspace lies in the scene. While it changes, forces come up anew.
    void set_mapping(std::size_t device, const HapticMapping& mapping);
    /// A new scene, or none (empty topology): what can be touched.
    void set_scene(const Topology& topology, std::span<const Vec3> x);
    /// Cuts what each device is near to out of the frame. While a simulation waits, the same frame again, some thirty times
    /// a second: a hand that leaves its patch waits for the next.
    void offer(const Frame& frame);
    /// All touches since the last drain; forces are means, so that force * seconds is the impulse.
    std::vector<HapticContact> drain();
    HapticStatus status(std::size_t device) const;
    /// The longest that an answered reading waited, of the last tick [s]. For the servo.
    double longest_age() const { return longest_age_; }

private:
    PatchMotion motion_;
    TouchSettings first_touch_;
    std::vector<std::unique_ptr<HapticChannel>> channels_;
    std::unique_ptr<PatchCutter> cutter_;
    std::uint64_t scenes_ = 0;
    double longest_age_ = 0;
};

}  // namespace pliant::viewer
