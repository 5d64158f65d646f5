// SPDX-License-Identifier: MIT
#include "haptic_workspace.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace pliant::viewer {

namespace {

// Rows of the camera's rotation: right, up and backwards of the view, in the scene.
Mat3 view_axes(const Camera& camera)
{
    const Mat4 view = look_at(camera.eye(), camera.target, camera.up_axis());
    Vec3 right{view[0], view[4], view[8]}, back{view[2], view[6], view[10]};
    back = normalized(back);  // the matrix is in single precision
    right = normalized(right - back * dot(back, right));
    return from_columns(right, cross(back, right), back);
}

Mat3 rotation(const Vec3& angles)
{
    const double angle = norm(angles);
    if (angle == 0) return identity3<double>();
    const Vec3 n = angles / angle;
    const Mat3 across{{{0, -n.z, n.y}, {n.z, 0, -n.x}, {-n.y, n.x, 0}}};
    return identity3<double>() + across * std::sin(angle) + across * across * (1 - std::cos(angle));
}

}  // namespace

Mat4 HapticMapping::matrix() const
{
    Mat4 matrix{};
    for (std::size_t row = 0; row < 3; ++row) {
        const int r = static_cast<int>(row);
        for (std::size_t c = 0; c < 3; ++c)
            matrix[4 * c + row] = static_cast<float>(axes(r, static_cast<int>(c)) * scale);
        matrix[12 + row] = static_cast<float>(origin[r]);
    }
    matrix[15] = 1;
    return matrix;
}

HapticMapping fit_workspace(const Camera& camera, double aspect, const Vec3& workspace, double force_scale)
{
    const double height = 2 * camera.distance * std::tan(0.5 * camera.view_angle), width = height * aspect;
    return {view_axes(camera), std::min(width / workspace.x, height / workspace.y), camera.target, force_scale};
}

double cursor_radius(const Camera& camera, const Vec3& point, int height, double pixels)
{
    const Vec3 forward = normalized(camera.target - camera.eye());
    const double depth = std::max(dot(point - camera.eye(), forward), 1e-6 * camera.distance);
    return 0.5 * pixels * 2 * depth * std::tan(0.5 * camera.view_angle) / height;
}

Mat3 in_scene(const Mat3& turn, const HapticMapping& mapping)
{
    return mapping.axes * turn * transpose(mapping.axes);
}

HandDone HapticHand::see(const HandSeen& seen)
{
    HandDone done;
    turn(done, seen);
    pick(done, seen);
    last_ = seen;
    return done;
}

// Only between two looks that both saw the button down, so that pressing it turns nothing.
void HapticHand::turn(HandDone& done, const HandSeen& seen) const
{
    if ((seen.buttons & last_.buttons & kFirstButton) == 0) return;
    const Vec3 way = seen.position - last_.position;
    const Vec3 about = settings_.turn_by == TurnBy::thesis ? Vec3{way.z, way.x, way.y} : Vec3{-way.y, way.x, way.z};
    done.angles = about * settings_.turn;
    if (!is_finite(done.angles)) done.angles = {};
    done.turn = rotation(done.angles);
    done.has_turned = norm2(done.angles) > 0;
}

void HapticHand::pick(HandDone& done, const HandSeen& seen)
{
    if ((seen.buttons & kSecondButton) == 0) has_region_ = false;
    if ((seen.buttons & kSecondButton) == 0 || !seen.is_touching || seen.nearest < 0) return;
    std::vector<std::int32_t> found(seen.points.begin(), seen.points.end());
    if (settings_.pick_by == PickBy::rings) found = neighbours_.rings(seen.nearest, settings_.rings);
    std::sort(found.begin(), found.end());
    if (!has_region_) regions_.emplace_back();
    has_region_ = true;
    std::vector<std::int32_t> joined;
    std::vector<std::int32_t>& region = regions_.back();
    std::set_union(region.begin(), region.end(), found.begin(), found.end(), std::back_inserter(joined));
    done.has_picked = joined.size() > region.size();
    region = std::move(joined);
}

std::vector<std::int32_t> HapticHand::picked() const
{
    std::vector<std::int32_t> all;
    for (const auto& region : regions_) all.insert(all.end(), region.begin(), region.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

}  // namespace pliant::viewer
