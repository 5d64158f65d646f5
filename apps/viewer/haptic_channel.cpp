// SPDX-License-Identifier: MIT
#include "haptic_channel.h"

#include <algorithm>
#include <cmath>

namespace pliant::viewer {

void PushSum::add(const Entry& entry)
{
    const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(count_);
    auto found = std::find_if(entries_.begin(), end, [&](const Entry& e) { return e.triangle == entry.triangle; });
    if (found == end && count_ < entries_.size()) {
        entries_[count_++] = entry;
        return;
    }
    // More triangles than places: the last one takes the impulse of those that follow, so that none is lost.
    if (found == end) --found;
    found->impulse += entry.impulse, found->size += entry.size;
    for (std::size_t k = 0; k < 3; ++k)
        found->weight[k] += found->triangle == entry.triangle ? entry.weight[k] : entry.size / 3;
}

void PushSum::add(const PushSum& other)
{
    for (const Entry& entry : other.entries()) add(entry);
    seconds_ += other.seconds_;
}

HapticChannel::HapticChannel(HapticDevice& device, const TouchSettings& touch, PatchMotion motion)
    : device_(device)
    , touch_(touch)
    , surface_(motion)
{
}

void HapticChannel::set_mapping(const HapticMapping& mapping)
{
    if (was_told_ && told_ == mapping) return;
    told_ = mapping, was_told_ = true;
    mapping_.publish(mapping);
}

void HapticChannel::offer(PatchCutter& cutter, const Frame& frame)
{
    Vec3 center;
    double radius = 0;
    {
        const std::lock_guard lock(mutex_);
        center = shared_.status.proxy, radius = shared_.patch_radius;
    }
    cutter.cut(patch_.draft(), frame, center, radius);
    patch_.publish();
}

void HapticChannel::take_news(double now)
{
    touch_.refresh();
    // The view turned: the hand is elsewhere in the scene at once, and must not be thrown.
    if (mapping_.refresh()) begun_ = now;
    if (patch_.refresh()) {
        const bool goes_on = surface_.adopt(patch_.latest(), now);
        // Something else is there now: the hand begins anew, at no force.
        if (!goes_on && has_patch_) is_on_ = false;
        has_patch_ = true;
        proxy_.find_again(surface_);
    }
    surface_.advance(now);
    const TouchSettings& touch = touch_.latest();
    proxy_.set({touch.proxy_radius * mapping_.latest().scale, touch.static_friction, touch.dynamic_friction});
}

void HapticChannel::begin(double now, const Vec3& device)
{
    is_on_ = true, begun_ = now;
    proxy_.place(device);
}

void HapticChannel::lose()
{
    is_on_ = false;
    reply_ = {};
}

void HapticChannel::tick(double now)
{
    dt_ = has_ticked_ ? std::max(0.0, now - last_) : 0;
    has_ticked_ = true, last_ = now;
    take_news(now);
    state_ = device_.read(now);
    if (state_.is_present && !state_.is_sound()) ++shown_.status.unsound, state_.is_present = false;
    pushes_.pass(dt_);
    if (state_.is_present) {
        const Vec3 device = mapping_.latest().to_scene(state_.position);
        if (!is_on_) begin(now, device);
        reply_ = feel(now);
        device_.apply(reply_);
    } else if (is_on_) {
        lose();
        device_.apply(reply_);
    }
    share(now);
}

HapticReply HapticChannel::feel(double now)
{
    const HapticMapping& mapping = mapping_.latest();
    const TouchSettings& touch = touch_.latest();
    const Vec3 device = mapping.to_scene(state_.position);
    const ProxyResult& proxy = proxy_.follow(surface_, device);
    HapticReply reply{.proxy = mapping.to_hand(proxy.position), .is_touching = proxy.touch_count > 0};
    if (!is_finite(reply.proxy)) {
        ++shown_.status.unsound;
        proxy_.place(device);
        return {.proxy = state_.position};
    }
    const double ramp = touch.ramp > 0 ? std::clamp((now - begun_) / touch.ramp, 0.0, 1.0) : 1;
    reply.is_starting = ramp < 1;
    if (!reply.is_touching) return reply;
    Vec3 surface;
    for (const ProxyTouch& t : proxy.touched())
        surface += surface_.velocity(static_cast<std::size_t>(t.triangle), t.weight) * t.part;
    const Vec3 relative = state_.velocity - mapping.turned_to_hand(surface) / mapping.scale;
    const SpringForce spring = spring_force(touch, reply.proxy - state_.position, relative, device_.greatest_force());
    reply.force = spring.force * ramp, reply.is_limited = spring.limit < 1;
    if (!is_finite(reply.force)) {
        ++shown_.status.unsound;
        return {.proxy = state_.position};
    }
    keep_pushes(proxy, spring, ramp);
    return reply;
}

// Each touched triangle takes the spring's force on its own plane and its part of the damping.
void HapticChannel::keep_pushes(const ProxyResult& proxy, const SpringForce& spring, double ramp)
{
    const HapticMapping& mapping = mapping_.latest();
    const double k = touch_.latest().stiffness * spring.limit / mapping.scale;
    Vec3 rest = mapping.turned_to_scene(spring.force) * -1.0;
    for (const ProxyTouch& touch : proxy.touched()) rest -= touch.push * k;
    for (const ProxyTouch& touch : proxy.touched()) {
        const auto t = static_cast<std::size_t>(touch.triangle);
        const PatchTriangle& triangle = surface_.triangles()[t];
        PushSum::Entry entry{.triangle = triangle.id, .body = triangle.body, .points = surface_.ids(t)};
        entry.impulse = (touch.push * k + rest * touch.part) * (ramp * mapping.force_scale * dt_);
        entry.size = norm(entry.impulse);
        for (std::size_t i = 0; i < 3; ++i) entry.weight[i] = touch.weight[i] * entry.size;
        pushes_.add(entry);
    }
    keep_nearest(proxy.touches[0]);
}

void HapticChannel::keep_nearest(const ProxyTouch& touch)
{
    const auto t = static_cast<std::size_t>(touch.triangle);
    const MovingSurface::Corners x = surface_.corners(t, surface_.share_now());
    const Vec3 at = x[0] * touch.weight[0] + x[1] * touch.weight[1] + x[2] * touch.weight[2];
    std::size_t nearest = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (norm2(x[k] - at) < norm2(x[nearest] - at)) nearest = k;
    shown_.status.points = surface_.ids(t), shown_.status.nearest = shown_.status.points[nearest];
    shown_.status.body = surface_.triangles()[t].body;
}

void HapticChannel::share(double now)
{
    HapticStatus& s = shown_.status;
    const HapticMapping& mapping = mapping_.latest();
    s.is_present = is_on_;
    if (!reply_.is_touching) s.body = s.nearest = -1, s.points = {-1, -1, -1};
    if (is_on_) {
        s.hand = state_.position, s.orientation = state_.orientation, s.buttons = state_.buttons;
        s.device = mapping.to_scene(state_.position), s.proxy = proxy_.result().position;
        s.workspace = device_.workspace(), s.greatest_force = device_.greatest_force(), s.latency = state_.age;
        shown_.label = haptic_label(device_.label());
    } else {
        s.buttons = 0;
    }
    s.force = reply_.force, s.proxy_radius = proxy_.settings().radius, s.patch_age = now - surface_.arrival();
    s.is_touching = reply_.is_touching, s.is_starting = reply_.is_starting, s.is_limited = reply_.is_limited;
    shown_.patch_radius = touch_.latest().patch_radius * mapping.scale;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return;
    shared_ = shown_;
    shared_pushes_.add(pushes_);
    pushes_.clear();
}

void HapticChannel::let_go()
{
    if (is_on_) device_.apply({.proxy = state_.position});
    lose();
    const std::lock_guard lock(mutex_);
    shared_.status.is_present = shared_.status.is_touching = false;
    shared_.status.force = {};
}

HapticStatus HapticChannel::status() const
{
    const std::lock_guard lock(mutex_);
    HapticStatus status = shared_.status;
    status.label = text_of(shared_.label);
    return status;
}

void HapticChannel::drain(std::vector<HapticContact>& contacts)
{
    PushSum pushes;
    HapticStatus now;
    {
        const std::lock_guard lock(mutex_);
        pushes = shared_pushes_;
        shared_pushes_.clear();
        now = shared_.status, now.label = text_of(shared_.label);
    }
    for (const PushSum::Entry& entry : pushes.entries()) {
        if (!(entry.size > 0) || !(pushes.seconds() > 0)) continue;
        HapticContact contact{now.label, entry.body, entry.points, entry.weight};
        for (double& weight : contact.weight) weight /= entry.size;
        contact.force = entry.impulse / pushes.seconds(), contact.seconds = pushes.seconds();
        contact.proxy = now.proxy, contact.buttons = now.buttons;
        contacts.push_back(contact);
    }
}

}  // namespace pliant::viewer
