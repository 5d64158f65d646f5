// SPDX-License-Identifier: MIT
#pragma once

// A mouse as a force-feedback device: what it cannot push, it shows.
//
// The window feeds where the mouse is in the workspace; wheel or a key give depth. The hand that the servo sees follows the
// mouse within some hundredths of a second and gives way to the force, so the cursor trails behind the mouse, towards the
// proxy: force is seen as lag. At rest the hand is off the mouse by give * force.
// References: A. Lécuyer et al., Pseudo-haptic feedback: can isometric input devices simulate force feedback? (2000).

#include <mutex>
#include <string>

#include "haptic_device.h"

namespace pliant::viewer {

struct MouseSettings {
    std::string label = "mouse";
    Vec3 workspace{0.16, 0.12, 0.07};  ///< [m]
    double greatest_force = 3.3;       ///< [N]
    double follow = 0.02;              ///< the hand is behind the mouse by this time [s]
    double give = 0.005;               ///< the hand gives way by this per newton [m/N]
};

class MouseDevice : public HapticDevice {
public:
    explicit MouseDevice(MouseSettings settings = {});

    /// From the window, any thread: where the mouse is, kept inside the workspace; what it does not change stays.
    void move_to(const Vec3& position);
    void move_by(const Vec3& way);
    void set_buttons(std::uint32_t buttons);
    /// The mouse left the window or came back.
    void set_present(bool is_present);

    std::string_view label() const override { return settings_.label; }
    Vec3 workspace() const override { return settings_.workspace; }
    double greatest_force() const override { return settings_.greatest_force; }
    HapticState read(double now) override;
    void apply(const HapticReply& reply) override { force_ = reply.force; }

private:
    struct Fed {
        Vec3 position;
        std::uint32_t buttons = 0;
        bool is_present = true;
    };

    Vec3 inside(const Vec3& position) const;

    MouseSettings settings_;
    std::mutex mutex_;  // of fed_; the servo only tries it
    Fed fed_;
    // The servo's own.
    Fed seen_;
    Vec3 hand_, force_;
    VelocityEstimate velocity_;
    double last_ = 0;
    bool was_present_ = false;
};

}  // namespace pliant::viewer
