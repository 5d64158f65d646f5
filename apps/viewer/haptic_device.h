// SPDX-License-Identifier: MIT
#pragma once

// What a force-feedback device is to the servo loop: it says where the hand is and takes a force.
//
// Device axes: x to the right, y up, z towards the user, the origin in the middle of the workspace. Lengths in metres of
// the hand, forces in newtons on the hand. read() and apply() are called by the servo thread, once each tick; they neither
// wait nor allocate. Nothing but finite numbers below the greatest force reaches apply().

#include <cmath>
#include <cstdint>
#include <string_view>

#include <pliant/base/types.h>

namespace pliant::viewer {

struct Quaternion {
    double w = 1, x = 0, y = 0, z = 0;
};

inline constexpr std::uint32_t kFirstButton = 1, kSecondButton = 2;  ///< bits of HapticState::buttons

struct HapticState {
    bool is_present = false;  ///< false: unplugged, silent or at its end
    Vec3 position, velocity;
    Quaternion orientation;
    std::uint32_t buttons = 0;
    double age = 0;  ///< how long ago the hand was read, 0 if that was answered before [s]

    bool is_sound() const
    {
        return is_finite(position) && is_finite(velocity) && std::isfinite(orientation.w) &&
               std::isfinite(orientation.x) && std::isfinite(orientation.y) && std::isfinite(orientation.z) &&
               std::isfinite(age);
    }
};

struct HapticReply {
    Vec3 force;  ///< on the hand
    Vec3 proxy;  ///< where the hand would be if it could not enter things
    bool is_touching = false;
    bool is_starting = false;  ///< the force is still being ramped up
    bool is_limited = false;   ///< it would be greater than the device's greatest
};

class HapticDevice {
public:
    HapticDevice() = default;
    HapticDevice(const HapticDevice&) = delete;
    HapticDevice& operator=(const HapticDevice&) = delete;
    virtual ~HapticDevice() = default;

    virtual std::string_view label() const = 0;
    virtual Vec3 workspace() const = 0;         ///< width, height, depth
    virtual double greatest_force() const = 0;  ///< that it can give for long
    /// `now` is the servo's clock [s], rising.
    virtual HapticState read(double now) = 0;
    virtual void apply(const HapticReply& reply) = 0;
};

/// Velocities of a device that knows positions only: differences, smoothed over some five milliseconds.
class VelocityEstimate {
public:
    Vec3 next(const Vec3& position, double now)
    {
        constexpr double kSmooth = 0.005;
        const double dt = now - time_;
        if (has_last_ && dt > 0) velocity_ += ((position - last_) / dt - velocity_) * (dt / (dt + kSmooth));
        if (!has_last_ || dt > 0) last_ = position, time_ = now, has_last_ = true;
        return velocity_;
    }
    void forget() { *this = {}; }

private:
    bool has_last_ = false;
    Vec3 last_, velocity_;
    double time_ = 0;
};

}  // namespace pliant::viewer
