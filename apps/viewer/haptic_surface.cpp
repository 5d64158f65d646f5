// SPDX-License-Identifier: MIT
#include "haptic_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant::viewer {

namespace {

constexpr double kShortest = 1e-3, kLongest = 0.1;  // [s] a patch takes no less and no more

Vec3 between(const Vec3& a, const Vec3& b, double share)
{
    return a + (b - a) * share;
}

}  // namespace

MovingSurface::MovingSurface(PatchMotion motion) : motion_(motion), reach_(std::numeric_limits<double>::infinity())
{
    triangles_.reserve(kGreatestPatch), boxes_.reserve(kGreatestPatch);
    points_.reserve(3 * kGreatestPatch), shown_.reserve(3 * kGreatestPatch);
}

// Lately, so that one late frame does not slow the surface down.
void MovingSurface::time_interval(double now, double simulated)
{
    if (!is_empty_) {
        const double lately = std::clamp(now - arrival_, kShortest, kLongest);
        interval_ += 0.2 * (lately - interval_);
        rate_ = std::clamp((simulated - simulated_) / lately, 0.0, 10.0);
    }
    begin_ = is_empty_ ? now : advanced_;
    is_empty_ = false, arrival_ = now, simulated_ = simulated;
}

// Both lists rise by id, so one pass finds the points that were here before.
void MovingSurface::join(const Patch& patch)
{
    const double ahead = interval_ * rate_;  // [s] of the simulation
    points_.clear();
    std::size_t old = 0;
    for (const PatchPoint& point : patch.points) {
        while (old < shown_.size() && shown_[old].id < point.id) ++old;
        const Vec3 to = motion_ == PatchMotion::predict ? point.x + point.v * ahead : point.x;
        if (old < shown_.size() && shown_[old].id == point.id)
            points_.push_back({point.id, shown_[old].from, to, shown_[old].v_from, point.v * rate_});
        else
            points_.push_back({point.id, to - point.v * ahead, to, point.v * rate_, point.v * rate_});
    }
}

void MovingSurface::enclose()
{
    boxes_.clear();
    for (const PatchTriangle& triangle : triangles_) {
        Box box{points_[static_cast<std::size_t>(triangle.corner[0])].to, {}};
        box.high = box.low;
        for (const std::int32_t corner : triangle.corner) {
            const Point& point = points_[static_cast<std::size_t>(corner)];
            for (int k = 0; k < 3; ++k) {
                box.low[k] = std::min({box.low[k], point.from[k], point.to[k]});
                box.high[k] = std::max({box.high[k], point.from[k], point.to[k]});
            }
        }
        boxes_.push_back(box);
    }
}

bool MovingSurface::adopt(const Patch& patch, double now)
{
    const bool goes_on = !is_empty_ && patch.scene == scene_ && patch.time >= simulated_;
    if (!goes_on) points_.clear(), is_empty_ = true;
    scene_ = patch.scene;
    for (Point& point : points_) {
        point.from = between(point.from, point.to, share_now_);
        point.v_from = between(point.v_from, point.v_to, share_now_);
    }
    shown_.swap(points_);
    time_interval(now, patch.time);
    join(patch);
    triangles_.assign(patch.triangles.begin(), patch.triangles.end());
    enclose();
    center_ = patch.center, reach_ = patch.reach;
    share_before_ = share_now_ = 0;
    return goes_on;
}

void MovingSurface::advance(double now)
{
    share_before_ = share_now_;
    share_now_ = motion_ == PatchMotion::hold ? 1 : std::clamp((now - begin_) / interval_, share_now_, 1.0);
    advanced_ = now;
}

MovingSurface::Corners MovingSurface::corners(std::size_t triangle, double share) const
{
    Corners x;
    for (std::size_t k = 0; k < 3; ++k) {
        const Point& point = points_[static_cast<std::size_t>(triangles_[triangle].corner[k])];
        x[k] = between(point.from, point.to, share);
    }
    return x;
}

Vec3 MovingSurface::velocity(std::size_t triangle, const std::array<double, 3>& weight) const
{
    Vec3 sum;
    for (std::size_t k = 0; k < 3; ++k) {
        const Point& point = points_[static_cast<std::size_t>(triangles_[triangle].corner[k])];
        sum += between(point.v_from, point.v_to, share_now_) * weight[k];
    }
    return sum;
}

double MovingSurface::travel(std::size_t triangle) const
{
    double longest2 = 0;
    for (const std::int32_t corner : triangles_[triangle].corner) {
        const Point& point = points_[static_cast<std::size_t>(corner)];
        longest2 = std::max(longest2, norm2(point.to - point.from));
    }
    return std::sqrt(longest2);
}

Triangle MovingSurface::ids(std::size_t triangle) const
{
    Triangle ids;
    for (std::size_t k = 0; k < 3; ++k) ids[k] = points_[static_cast<std::size_t>(triangles_[triangle].corner[k])].id;
    return ids;
}

}  // namespace pliant::viewer
