// SPDX-License-Identifier: MIT
#pragma once

// How the hand's space lies in the scene, and what the buttons of a stylus do.
//
// Lengths of the hand times `scale` are lengths of the scene, the same in all directions; the axes are the camera's, so a
// hand that goes right goes right on the screen. Stiffness is meant as the hand feels it [N per metre of the hand]; in
// the scene that is stiffness / scale. A newton on the hand is `force_scale` newtons on the body, so one joule of the
// hand is scale * force_scale joules of the scene.
// Seed 004: H-65 (fit), H-66 (cursor), H-68 (turning), H-69 to H-72 (picking). H-68 took angles from where the
// proxy is, so the scene jumped when the button went down; here only ways since then turn it.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/model/frame.h>

#include "camera.h"
#include "haptic_device.h"
#include "picking.h"

namespace pliant::viewer {

struct HapticMapping {
    Mat3 axes = identity3<double>();  ///< columns: the hand's x, y, z in the scene
    double scale = 1;                 ///< metres of the scene per metre of the hand
    Vec3 origin;                      ///< of the scene, where the middle of the workspace is
    double force_scale = 1;           ///< newtons on the body per newton on the hand

    Vec3 to_scene(const Vec3& position) const { return origin + axes * position * scale; }
    Vec3 to_hand(const Vec3& position) const { return transpose(axes) * (position - origin) / scale; }
    Vec3 velocity_to_scene(const Vec3& v) const { return axes * v * scale; }
    /// Of the scene's force directions, whatever the sizes.
    Vec3 turned_to_hand(const Vec3& vector) const { return transpose(axes) * vector; }
    Vec3 turned_to_scene(const Vec3& vector) const { return axes * vector; }
    /// From the hand to the scene as one matrix: the thesis' VIEWTOUCH and TOUCHWORKSPACE.
    Mat4 matrix() const;

    friend bool operator==(const HapticMapping&, const HapticMapping&) = default;
};

/// The greatest uniform scale at which the workspace's front fits into the view, at the depth of the camera's target.
HapticMapping fit_workspace(const Camera& camera, double aspect, const Vec3& workspace, double force_scale = 1);

/// [m] of a ball at `point` that is seen `pixels` wide on a picture `height` pixels high.
double cursor_radius(const Camera& camera, const Vec3& point, int height, double pixels = 20);

enum class PickBy { face, rings };

/// What way of the hand turns the scene about which axis of the view.
enum class TurnBy {
    thesis,    ///< x about y, y about z, z about x, as in H-68
    trackball  ///< x about y, y about x (the front goes with the hand), z about z
};

struct HandSettings {
    PickBy pick_by = PickBy::face;
    int rings = 1;
    TurnBy turn_by = TurnBy::thesis;
    double turn = 39.3;  ///< [rad/m] of the hand: half a turn for half the width of 160 mm
};

/// What the hand is seen to do, once a picture.
struct HandSeen {
    Vec3 position;  ///< device axes [m]
    std::uint32_t buttons = 0;
    bool is_touching = false;
    Triangle points{-1, -1, -1};  ///< of the touched triangle
    std::int32_t nearest = -1;    ///< of them, to the touched point
};

struct HandDone {
    Mat3 turn = identity3<double>();  ///< in axes of the view, to be multiplied from the left; see in_scene()
    Vec3 angles;                      ///< the same about the view's x, y, z [rad], small
    bool has_turned = false, has_picked = false;
};

/// The turn in axes of the scene: acts on positions about the camera's target.
Mat3 in_scene(const Mat3& turn, const HapticMapping& mapping);

/// First button held: turns the scene. Second button held while touching: picks points; each press begins a region and
/// regions add up. A state machine without a clock or a device.
class HapticHand {
public:
    HapticHand(const Topology& topology, const HandSettings& settings) : neighbours_(topology), settings_(settings) {}

    HandDone see(const HandSeen& seen);
    void set(const HandSettings& settings) { settings_ = settings; }

    std::span<const std::vector<std::int32_t>> regions() const { return regions_; }
    /// Of all regions, each point once, rising.
    std::vector<std::int32_t> picked() const;
    void clear() { regions_.clear(), has_region_ = false; }

private:
    void turn(HandDone& done, const HandSeen& seen) const;
    void pick(HandDone& done, const HandSeen& seen);

    Neighbours neighbours_;
    HandSettings settings_;
    std::vector<std::vector<std::int32_t>> regions_;  // each rising
    HandSeen last_;
    bool has_region_ = false;  // of the present press
};

}  // namespace pliant::viewer
