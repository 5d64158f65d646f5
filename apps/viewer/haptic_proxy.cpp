// SPDX-License-Identifier: MIT
#include "haptic_proxy.h"

#include <algorithm>
#include <cmath>

#include <pliant/contact/distance.h>

namespace pliant::viewer {

namespace {

using Corners = MovingSurface::Corners;

constexpr double kHit = 1e-8, kTouch = 1e-6;  // gaps that count as none, in radii
constexpr double kParallel = 1e-10;           // approach per way that is rounding
constexpr double kSamePlane = 1 - 1e-6;       // cosine between normals of one plane
constexpr int kWays = 16, kPushes = 12, kNewton = 40, kMoves = 64;
constexpr double kShortestMove = 1e-7;  // in radii

struct Nearest {
    double distance;
    Vec3 normal;
    std::array<double, 3> weight;
    bool is_on_face;
};

Vec3 face_normal(const Corners& x)
{
    const Vec3 normal = cross(x[1] - x[0], x[2] - x[0]);
    const double length = norm(normal);
    return length > 0 ? normal / length : Vec3{0, 1, 0};
}

Nearest nearest(const Vec3& p, const Corners& x)
{
    const PairDistance pair = vertex_face_distance(p, x[0], x[1], x[2]);
    const double distance = std::sqrt(pair.distance2);
    const Vec3 normal = distance > 0 ? pair.apart / distance : face_normal(x);
    return {distance, normal, {-pair.weight[1], -pair.weight[2], -pair.weight[3]}, pair.interior};
}

// A closed body does not hold back what is inside of it.
bool is_behind(const Vec3& p, const Corners& x, const PatchTriangle& triangle)
{
    return !triangle.has_two_sides && dot(p - x[0], cross(x[1] - x[0], x[2] - x[0])) < 0;
}

bool overlap(const MovingSurface::Box& box, const Vec3& low, const Vec3& high)
{
    return box.low.x <= high.x && box.high.x >= low.x && box.low.y <= high.y && box.high.y >= low.y &&
           box.low.z <= high.z && box.high.z >= low.z;
}

// Where the triangle beside a touched one lies in the same plane, the ball meets its border at no height.
bool continues(std::span<const TouchedPlane> planes, const Nearest& found)
{
    return !found.is_on_face && std::any_of(planes.begin(), planes.end(), [&](const TouchedPlane& plane) {
        return dot(plane.normal, found.normal) > kSamePlane;
    });
}

// The share of the way that ends where the ball touches the triangle; `free` if it does not before that.
double share_until_touch(const Corners& x, const Vec3& p, const Vec3& way, double radius,
                         std::span<const TouchedPlane> planes, double free)
{
    const double length = norm(way);
    double share = 0;
    for (int k = 0; k < kNewton; ++k) {
        const Nearest found = nearest(p + way * share, x);
        const double gap = found.distance - radius, rate = dot(found.normal, way);
        if (rate >= -kParallel * length) return free;
        if (gap <= kHit * radius) return continues(planes, found) ? free : share;
        share += gap / -rate;
        if (share >= free) return free;
    }
    return share;
}

bool is_allowed(std::span<const TouchedPlane> planes, const Vec3& way, double length)
{
    return std::all_of(planes.begin(), planes.end(),
                       [&](const TouchedPlane& plane) { return dot(plane.normal, way) >= -1e-9 * length; });
}

// The pressures of three planes that stop the wanted way, or false.
bool stopping_pressures(std::array<double, 3>& pressure, const Vec3& a, const Vec3& b, const Vec3& c,
                        const Vec3& wanted)
{
    const Mat3 normals = from_columns(a, b, c);
    if (std::abs(determinant(normals)) < 1e-9) return false;
    const Vec3 solved = inverse(normals) * -wanted;
    pressure = {solved.x, solved.y, solved.z};
    return solved.x >= 0 && solved.y >= 0 && solved.z >= 0;
}

bool bend_at_one(AllowedWay& allowed, std::span<const TouchedPlane> planes, const Vec3& wanted, double length)
{
    for (std::size_t i = 0; i < planes.size(); ++i) {
        const double pressure = -dot(planes[i].normal, wanted);
        if (pressure <= 0) continue;
        const Vec3 way = wanted + planes[i].normal * pressure;
        if (!is_allowed(planes, way, length)) continue;
        allowed = {way, 1, {static_cast<int>(i)}, {pressure}};
        return true;
    }
    return false;
}

bool bend_at_two(AllowedWay& allowed, std::span<const TouchedPlane> planes, const Vec3& wanted, double length)
{
    for (std::size_t i = 0; i < planes.size(); ++i)
        for (std::size_t j = i + 1; j < planes.size(); ++j) {
            const Vec3 &a = planes[i].normal, &b = planes[j].normal;
            const double c = dot(a, b), s2 = 1 - c * c, wa = -dot(a, wanted), wb = -dot(b, wanted);
            if (s2 < 1e-9) continue;
            const double pa = (wa - c * wb) / s2, pb = (wb - c * wa) / s2;
            const Vec3 way = wanted + a * pa + b * pb;
            if (pa < 0 || pb < 0 || !is_allowed(planes, way, length)) continue;
            allowed = {way, 2, {static_cast<int>(i), static_cast<int>(j)}, {pa, pb}};
            return true;
        }
    return false;
}

void stop_at_three(AllowedWay& allowed, std::span<const TouchedPlane> planes, const Vec3& wanted)
{
    allowed = {};
    for (std::size_t i = 0; i < planes.size(); ++i)
        for (std::size_t j = i + 1; j < planes.size(); ++j)
            for (std::size_t k = j + 1; k < planes.size(); ++k) {
                std::array<double, 3> pressure;
                if (!stopping_pressures(pressure, planes[i].normal, planes[j].normal, planes[k].normal, wanted))
                    continue;
                allowed = {{}, 3, {static_cast<int>(i), static_cast<int>(j), static_cast<int>(k)}, pressure};
                return;
            }
    // Rounding left no exact answer: staying is always allowed, and the plane most pressed on takes the force.
    const auto most = std::min_element(planes.begin(), planes.end(), [&](const TouchedPlane& a, const TouchedPlane& b) {
        return dot(a.normal, wanted) < dot(b.normal, wanted);
    });
    allowed = {{}, 1, {static_cast<int>(most - planes.begin())}, {norm(wanted)}};
}

}  // namespace

AllowedWay allowed_way(std::span<const TouchedPlane> planes, const Vec3& wanted)
{
    const double length = norm(wanted);
    AllowedWay allowed{.way = wanted};
    if (is_allowed(planes, wanted, length)) return allowed;
    if (bend_at_one(allowed, planes, wanted, length) || bend_at_two(allowed, planes, wanted, length)) return allowed;
    stop_at_three(allowed, planes, wanted);
    return allowed;
}

HapticProxy::HapticProxy()
{
    nearby_.reserve(kGreatestPatch);
}

void HapticProxy::place(const Vec3& position)
{
    result_ = {.position = position};
    anchor_ = {-1, -1, -1};
}

void HapticProxy::find_again(const MovingSurface& surface)
{
    if (result_.touch_count == 0) return;
    const auto triangles = surface.triangles();
    for (std::size_t t = 0; t < triangles.size(); ++t)
        if (surface.ids(t) == anchor_) {
            result_.touches[0].triangle = static_cast<std::int32_t>(t), result_.touch_count = 1;
            return;
        }
    result_.touch_count = 0;
}

const ProxyResult& HapticProxy::follow(const MovingSurface& surface, const Vec3& device)
{
    move_with(surface);
    go_towards(surface, within_reach(surface, device));
    report(surface, device);
    return result_;
}

void HapticProxy::gather(const MovingSurface& surface, const Vec3& center, double radius)
{
    nearby_.clear();
    const Vec3 far{radius, radius, radius}, low = center - far, high = center + far;
    const auto boxes = surface.boxes();
    for (std::size_t t = 0; t < boxes.size(); ++t)
        if (overlap(boxes[t], low, high)) nearby_.push_back(static_cast<std::int32_t>(t));
}

// Parts shorter than the way from the ball's middle to the surface: no triangle gets to the other side of it.
void HapticProxy::move_with(const MovingSurface& surface)
{
    const double moved = surface.share_now() - surface.share_before();
    if (moved <= 0 && result_.touch_count == 0) return;
    gather(surface, result_.position, 3 * settings_.radius);
    double travel = 0;
    for (const std::int32_t t : nearby_) travel = std::max(travel, surface.travel(static_cast<std::size_t>(t)) * moved);
    // Whatever is not a number is one part; it goes no further than the loop.
    const double wanted = std::ceil(travel / (0.4 * settings_.radius));
    const int parts = wanted > 1 ? static_cast<int>(std::min(wanted, double{kMoves})) : 1;
    double share = surface.share_before();
    for (int i = 1; i <= parts; ++i) {
        const double next = surface.share_before() + moved * i / parts;
        if (result_.touch_count > 0) {
            const ProxyTouch& touch = result_.touches[0];
            const auto triangle = static_cast<std::size_t>(touch.triangle);
            const Corners before = surface.corners(triangle, share), after = surface.corners(triangle, next);
            Vec3 way;
            for (std::size_t k = 0; k < 3; ++k) way += (after[k] - before[k]) * touch.weight[k];
            plane_count_ = 0;
            result_.position += way * sweep(surface, next, way);
        }
        push_off(surface, next);
        share = next;
    }
}

void HapticProxy::push_off(const MovingSurface& surface, double share)
{
    plane_count_ = 0;
    for (int push = 0; push < kPushes; ++push) {
        double least = settings_.radius * (1 - kTouch);
        Vec3 normal;
        for (const std::int32_t t : nearby_) {
            const auto triangle = static_cast<std::size_t>(t);
            const Corners x = surface.corners(triangle, share);
            if (is_behind(result_.position, x, surface.triangles()[triangle])) continue;
            const Nearest found = nearest(result_.position, x);
            if (found.distance < least) least = found.distance, normal = found.normal;
        }
        if (norm2(normal) == 0) return;
        const Vec3 way = normal * (settings_.radius - least);
        result_.position += way * sweep(surface, share, way);
    }
}

// The share of the way until the first touch.
double HapticProxy::sweep(const MovingSurface& surface, double share, const Vec3& way) const
{
    const Vec3& p = result_.position;
    const double r = settings_.radius;
    const std::span<const TouchedPlane> planes{planes_.data(), plane_count_};
    double free = 1;
    for (const std::int32_t t : nearby_) {
        const auto triangle = static_cast<std::size_t>(t);
        const Vec3 end = p + way * free, far{r, r, r};
        const Vec3 low{std::min(p.x, end.x), std::min(p.y, end.y), std::min(p.z, end.z)};
        const Vec3 high{std::max(p.x, end.x), std::max(p.y, end.y), std::max(p.z, end.z)};
        if (!overlap(surface.boxes()[triangle], low - far, high + far)) continue;
        const Corners x = surface.corners(triangle, share);
        if (is_behind(p, x, surface.triangles()[triangle])) continue;
        free = share_until_touch(x, p, way, r, planes, free);
    }
    return free;
}

void HapticProxy::add_plane(const TouchedPlane& plane)
{
    for (std::size_t i = 0; i < plane_count_; ++i)
        if (dot(planes_[i].normal, plane.normal) > kSamePlane && !(planes_[i].is_on_face && plane.is_on_face)) {
            if (plane.is_on_face) planes_[i] = plane;
            return;
        }
    if (plane_count_ < kPlanes) planes_[plane_count_++] = plane;
}

void HapticProxy::touch_planes(const MovingSurface& surface, double share)
{
    plane_count_ = 0;
    const double r = settings_.radius;
    const Vec3 far{r * (1 + kTouch), r * (1 + kTouch), r * (1 + kTouch)};
    const Vec3 low = result_.position - far, high = result_.position + far;
    for (const std::int32_t t : nearby_) {
        const auto triangle = static_cast<std::size_t>(t);
        if (!overlap(surface.boxes()[triangle], low, high)) continue;
        const Corners x = surface.corners(triangle, share);
        if (is_behind(result_.position, x, surface.triangles()[triangle])) continue;
        const Nearest found = nearest(result_.position, x);
        if (found.distance <= r * (1 + kTouch)) add_plane({t, found.weight, found.normal, found.is_on_face});
    }
}

// Beyond its reach a patch does not know what is there: the ball waits at the border for the next one.
Vec3 HapticProxy::within_reach(const MovingSurface& surface, const Vec3& device) const
{
    const double reach = surface.reach() - settings_.radius;
    const Vec3 from = result_.position - surface.center(), way = device - result_.position;
    if (!std::isfinite(reach) || norm2(from + way) <= reach * reach) return device;
    if (reach <= 0 || norm2(from) >= reach * reach) return result_.position;
    const double a = norm2(way), b = dot(from, way), c = norm2(from) - reach * reach;
    return result_.position + way * ((-b + std::sqrt(b * b - a * c)) / a);
}

// The share of the allowed way that friction leaves. Whether the ball slides is decided at the first touch of a tick: having
// slid as far as the narrower cone asks, it would else be at rest at once.
double HapticProxy::slip(const AllowedWay& allowed, const Vec3& wanted, bool is_first)
{
    const double pressed = norm(wanted - allowed.way), length = norm(allowed.way);
    const double held = (result_.is_sliding ? settings_.dynamic_friction : settings_.static_friction) * pressed;
    if (held <= 0) return 1;
    if (is_first) result_.is_sliding = length > held * (1 + 1e-6);
    return result_.is_sliding ? std::max(0.0, 1 - settings_.dynamic_friction * pressed / length) : 0;
}

void HapticProxy::go_towards(const MovingSurface& surface, const Vec3& device)
{
    const double share = surface.share_now(), shortest = kShortestMove * settings_.radius;
    gather(surface, device, norm(device - result_.position) + settings_.radius * (1 + kTouch));
    bool is_first = true;
    for (int i = 0; i < kWays; ++i) {
        touch_planes(surface, share);
        const Vec3 wanted = device - result_.position;
        const AllowedWay allowed = allowed_way({planes_.data(), plane_count_}, wanted);
        const Vec3 way = allowed.count > 0 ? allowed.way * slip(allowed, wanted, is_first) : allowed.way;
        if (allowed.count > 0) is_first = false;
        if (norm(way) <= shortest && plane_count_ > 0) return;
        const double free = sweep(surface, share, way);
        result_.position += way * free;
        if (free == 1 && allowed.count == 0) {
            result_.position = device;
            return;
        }
    }
}

void HapticProxy::report(const MovingSurface& surface, const Vec3& device)
{
    touch_planes(surface, surface.share_now());
    const Vec3 wanted = device - result_.position;
    const AllowedWay allowed = allowed_way({planes_.data(), plane_count_}, wanted);
    result_.touch_count = norm2(wanted) > 0 ? allowed.count : 0;
    if (result_.touch_count == 0) {
        result_.is_sliding = false;
        return;
    }
    double whole = 0;
    for (int i = 0; i < allowed.count; ++i) whole += allowed.pressure[static_cast<std::size_t>(i)];
    for (std::size_t i = 0; i < static_cast<std::size_t>(allowed.count); ++i) {
        const TouchedPlane& plane = planes_[static_cast<std::size_t>(allowed.plane[i])];
        const double part = whole > 0 ? allowed.pressure[i] / whole : 1.0 / allowed.count;
        const Vec3 push = allowed.way * part - plane.normal * allowed.pressure[i];
        result_.touches[i] = {plane.triangle, plane.weight, plane.normal, push, part};
    }
    anchor_ = surface.ids(static_cast<std::size_t>(result_.touches[0].triangle));
}

}  // namespace pliant::viewer
