// SPDX-License-Identifier: MIT
#pragma once

// Force feedback in the window: devices, their loop and its thread, and what they do to the scene that is shown.
//
// The servo pushes hands a thousand times a second against the newest surface it was offered; what it pushed the body with
// since the last picture goes to the session as actions, so that touches of a device are recorded and replay like those
// of the mouse.

#include <memory>
#include <string>
#include <vector>

#include "exhibit.h"
#include "haptic_loop.h"
#include "haptic_mouse.h"
#include "haptic_servo.h"
#include "haptic_udp.h"

namespace pliant::viewer {

class Haptics {
public:
    Haptics();
    ~Haptics();

    /// With the mouse as a device, and drivers of others on a port of this machine. An Error when the port cannot be had.
    void start(bool with_mouse, std::uint16_t port = kHapticPort);
    void stop();
    bool is_running() const { return parts_ != nullptr; }
    bool has_mouse() const;

    /// Once a picture: gives the loop what is shown, and the session what hands did.
    void serve(Exhibit& exhibit, Camera& camera, const Area& area);
    /// Where the mouse is in the picture, -1 to 1; depth by the wheel [m of the hand].
    void move_mouse(double u, double v, double depth_way);
    void set_mouse_buttons(std::uint32_t buttons);

    /// Cursors and forces.
    void add_marks(Marks& marks, const Camera& camera, int height) const;
    std::vector<HapticStatus> statuses() const;
    ServoMeasures measures() const;
    std::string port_words() const;
    std::vector<std::int32_t> picked() const;

    TouchSettings touch;  ///< as the panel has it; taken over by serve()
    HandSettings hand;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace pliant::viewer
