// SPDX-License-Identifier: MIT
#include "haptic_loop.h"

#include <algorithm>
#include <cmath>

#include "haptic_channel.h"

namespace pliant::viewer {

SpringForce spring_force(const TouchSettings& touch, const Vec3& offset, const Vec3& velocity, double greatest)
{
    const double length = norm(offset);
    if (!(length > 0)) return {};
    const Vec3 out = offset / length;
    Vec3 force = offset * touch.stiffness - velocity * touch.damping;
    // A hand that leaves fast is not held back.
    if (const double pull = dot(force, out); pull < 0) force -= out * pull;
    const double size = norm(force);
    const double limit = size > greatest ? greatest / size : 1;
    return {force * limit, limit};
}

HapticLoop::HapticLoop(const TouchSettings& touch, PatchMotion motion) : motion_(motion), first_touch_(touch) {}

HapticLoop::~HapticLoop() = default;

std::size_t HapticLoop::add(HapticDevice& device)
{
    channels_.push_back(std::make_unique<HapticChannel>(device, first_touch_, motion_));
    return channels_.size() - 1;
}

void HapticLoop::tick(double now)
{
    longest_age_ = 0;
    for (const auto& channel : channels_) {
        channel->tick(now);
        longest_age_ = std::max(longest_age_, channel->age());
    }
}

void HapticLoop::let_go()
{
    for (const auto& channel : channels_) channel->let_go();
}

void HapticLoop::set_touch(const TouchSettings& touch)
{
    for (const auto& channel : channels_) channel->set_touch(touch);
}

void HapticLoop::set_mapping(std::size_t device, const HapticMapping& mapping)
{
    channels_[device]->set_mapping(mapping);
}

void HapticLoop::set_scene(const Topology& topology, std::span<const Vec3> x)
{
    cutter_ = std::make_unique<PatchCutter>(topology, x, ++scenes_);
}

void HapticLoop::offer(const Frame& frame)
{
    if (!cutter_) return;
    for (const auto& channel : channels_) channel->offer(*cutter_, frame);
}

std::vector<HapticContact> HapticLoop::drain()
{
    std::vector<HapticContact> contacts;
    for (const auto& channel : channels_) channel->drain(contacts);
    return contacts;
}

HapticStatus HapticLoop::status(std::size_t device) const
{
    return channels_[device]->status();
}

}  // namespace pliant::viewer
