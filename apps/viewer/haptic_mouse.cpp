// SPDX-License-Identifier: MIT
#include "haptic_mouse.h"

#include <algorithm>
#include <utility>

namespace pliant::viewer {

MouseDevice::MouseDevice(MouseSettings settings) : settings_(std::move(settings)) {}

Vec3 MouseDevice::inside(const Vec3& position) const
{
    Vec3 kept;
    for (int k = 0; k < 3; ++k) {
        const double half = 0.5 * settings_.workspace[k];
        kept[k] = std::clamp(position[k], -half, half);
    }
    return kept;
}

void MouseDevice::move_to(const Vec3& position)
{
    if (!is_finite(position)) return;
    const std::lock_guard lock(mutex_);
    fed_.position = inside(position);
}

void MouseDevice::move_by(const Vec3& way)
{
    if (!is_finite(way)) return;
    const std::lock_guard lock(mutex_);
    fed_.position = inside(fed_.position + way);
}

void MouseDevice::set_buttons(std::uint32_t buttons)
{
    const std::lock_guard lock(mutex_);
    fed_.buttons = buttons;
}

void MouseDevice::set_present(bool is_present)
{
    const std::lock_guard lock(mutex_);
    fed_.is_present = is_present;
}

HapticState MouseDevice::read(double now)
{
    if (const std::unique_lock lock(mutex_, std::try_to_lock); lock.owns_lock()) seen_ = fed_;
    if (!seen_.is_present) {
        was_present_ = false;
        return {};
    }
    if (!was_present_) hand_ = seen_.position, force_ = {}, velocity_.forget(), last_ = now;
    was_present_ = true;
    const double dt = std::max(0.0, now - last_);
    // Never faster than half way a tick, whatever give and stiffness make of the loop through the force.
    const double share = std::min(0.5, dt / (dt + settings_.follow));
    hand_ += (seen_.position + force_ * settings_.give - hand_) * share;
    last_ = now;
    return {.is_present = true, .position = hand_, .velocity = velocity_.next(hand_, now), .buttons = seen_.buttons};
}

}  // namespace pliant::viewer
