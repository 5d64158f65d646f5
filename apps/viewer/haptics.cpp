// SPDX-License-Identifier: MIT
#include "haptics.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace pliant::viewer {

namespace {

constexpr std::int32_t kFirstDeviceHand = 10;  // three hands for each device: one a corner of what it touches
constexpr Rgb kCursor{0.10F, 0.55F, 0.25F}, kForce{0.85F, 0.15F, 0.15F};

bool is_same(const Camera& a, const Camera& b)
{
    return a.target == b.target && a.distance == b.distance && a.azimuth == b.azimuth && a.elevation == b.elevation;
}

}  // namespace

struct Haptics::Parts {
    MouseDevice mouse;
    std::optional<UdpPort> port;
    HapticLoop loop;
    std::optional<HapticServo> servo;
    bool has_mouse = false;
    const Exhibit* shown = nullptr;
    std::vector<HapticHand> hands;         // index for index with the loop's devices
    std::vector<HapticMapping> mappings;   // likewise
    std::vector<std::uint8_t> is_pushing;  // likewise
    Camera mapped;
    bool is_mapped = false;
    Vec3 mouse_place;

    Parts(bool with_mouse, std::uint16_t number, const TouchSettings& touch) : loop(touch), has_mouse(with_mouse)
    {
        if (with_mouse) loop.add(mouse);
        port.emplace(number);
        for (const auto& device : port->devices()) loop.add(*device);
        mappings.resize(loop.device_count()), is_pushing.resize(loop.device_count());
        servo.emplace(loop);
        servo->start();
    }

    void show(Exhibit& exhibit, const HandSettings& settings)
    {
        if (shown == &exhibit) return;
        shown = &exhibit, is_mapped = false;
        loop.set_scene(exhibit.topology(), exhibit.frame().x);
        hands.clear();
        for (std::size_t d = 0; d < loop.device_count(); ++d) hands.emplace_back(exhibit.topology(), settings);
    }

    void map(const Camera& camera, double aspect)
    {
        for (std::size_t d = 0; d < loop.device_count(); ++d) {
            const Vec3 workspace = loop.status(d).workspace;
            if (!(workspace.x > 0)) continue;
            const HapticMapping next = fit_workspace(camera, aspect, workspace);
            if (is_mapped && is_same(mapped, camera) && mappings[d] == next) continue;
            mappings[d] = next;
            loop.set_mapping(d, next);
        }
        mapped = camera, is_mapped = true;
    }

    // Forces of a device as pushes on the corners of what it touches, by their weights.
    void post(Session& session, const Topology& topology)
    {
        std::vector<std::uint8_t> pushes(is_pushing.size());
        for (const HapticContact& contact : loop.drain()) {
            const std::size_t device = index_of(contact.device);
            const bool is_fixed = contact.body < 0 || topology.bodies[contact.body].kind == "collider";
            if (device >= pushes.size() || is_fixed) continue;
            pushes[device] = 1;
            for (std::size_t k = 0; k < 3; ++k)
                session.post(HandAction{.deed = HandDeed::push,
                                        .hand = hand_of(device, k),
                                        .points = {contact.points[k]},
                                        .vector = contact.force * contact.weight[k]});
        }
        for (std::size_t d = 0; d < pushes.size(); ++d)
            if (is_pushing[d] != 0 && pushes[d] == 0)
                for (std::size_t k = 0; k < 3; ++k)
                    session.post(HandAction{.deed = HandDeed::release, .hand = hand_of(d, k)});
        is_pushing = pushes;
    }

    static std::int32_t hand_of(std::size_t device, std::size_t corner)
    {
        return kFirstDeviceHand + static_cast<std::int32_t>(3 * device + corner);
    }

    std::size_t index_of(const std::string& label) const
    {
        for (std::size_t d = 0; d < loop.device_count(); ++d)
            if (loop.status(d).label == label) return d;
        return loop.device_count();
    }

    // The first button turns the view as the hand goes, the second picks what is touched.
    void use_buttons(Camera& camera, const HandSettings& settings)
    {
        for (std::size_t d = 0; d < hands.size(); ++d) {
            hands[d].set(settings);
            const HandDone done = hands[d].see(loop.status(d).seen());
            if (done.has_turned) camera.orbit(done.angles.y, done.angles.x);
        }
    }
};

Haptics::Haptics() = default;
Haptics::~Haptics() = default;

void Haptics::start(bool with_mouse, std::uint16_t port)
{
    stop();
    parts_ = std::make_unique<Parts>(with_mouse, port, touch);
}

void Haptics::stop()
{
    parts_.reset();
}

bool Haptics::has_mouse() const
{
    return parts_ && parts_->has_mouse;
}

void Haptics::serve(Exhibit& exhibit, Camera& camera, const Area& area)
{
    if (!parts_) return;
    parts_->show(exhibit, hand);
    parts_->loop.set_touch(touch);
    parts_->map(camera, area.aspect());
    parts_->loop.offer(exhibit.frame());
    if (Session* session = exhibit.subject().session()) parts_->post(*session, exhibit.topology());
    parts_->use_buttons(camera, hand);
}

void Haptics::move_mouse(double u, double v, double depth_way)
{
    if (!has_mouse()) return;
    const Vec3 workspace = parts_->mouse.workspace();
    Vec3& place = parts_->mouse_place;
    place = {0.5 * u * workspace.x, 0.5 * v * workspace.y,
             std::clamp(place.z + depth_way, -0.5 * workspace.z, 0.5 * workspace.z)};
    parts_->mouse.move_to(place);
}

void Haptics::set_mouse_buttons(std::uint32_t buttons)
{
    if (has_mouse()) parts_->mouse.set_buttons(buttons);
}

void Haptics::add_marks(Marks& marks, const Camera& camera, int height) const
{
    for (const HapticStatus& status : statuses()) {
        if (!status.is_present) continue;
        const double radius = cursor_radius(camera, status.proxy, height);
        marks.add_cross(status.proxy, radius, kCursor);
        if (status.is_touching) marks.add_line(status.proxy, status.device, kForce);
    }
}

std::vector<HapticStatus> Haptics::statuses() const
{
    std::vector<HapticStatus> all;
    for (std::size_t d = 0; parts_ && d < parts_->loop.device_count(); ++d) all.push_back(parts_->loop.status(d));
    return all;
}

ServoMeasures Haptics::measures() const
{
    return parts_ ? parts_->servo->measures() : ServoMeasures{};
}

std::string Haptics::port_words() const
{
    if (!parts_) return {};
    const UdpCounts counts = parts_->port->counts();
    return fmt::format("UDP port {}: {} readings, {} refused", parts_->port->number(), counts.taken,
                       counts.malformed + counts.late + counts.foreign + counts.refused);
}

std::vector<std::int32_t> Haptics::picked() const
{
    std::vector<std::int32_t> all;
    for (std::size_t d = 0; parts_ && d < parts_->hands.size(); ++d) {
        const std::vector<std::int32_t> more = parts_->hands[d].picked();
        all.insert(all.end(), more.begin(), more.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

}  // namespace pliant::viewer
