// SPDX-License-Identifier: MIT
#include <pliant/response/impact_zones.h>

#include <algorithm>
#include <cmath>

#include <pliant/mesh/transform.h>
#include <pliant/rigid/frame.h>

namespace pliant {

namespace {

constexpr std::uint8_t kAllHeld = 7;

Mat3 point_inertia(double mass, const Vec3& r)
{
    const double r2 = norm2(r);
    Mat3 I;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) I(i, j) = mass * ((i == j ? r2 : 0) - r[i] * r[j]);
    return I;
}

// A zone that is a line or a point has no inertia about itself, nor momentum: a little keeps the inverse finite.
Vec3 rotation_of(Mat3 inertia, const Vec3& momentum)
{
    constexpr double kLittle = 1e-9;
    const double trace = inertia(0, 0) + inertia(1, 1) + inertia(2, 2);
    if (!(trace > 0)) return {};
    for (int i = 0; i < 3; ++i) inertia(i, i) += kLittle * trace;
    return inverse(inertia) * momentum;
}

Vec3 turned(const Vec3& rotation, const Vec3& r)
{
    const double angle = norm(rotation);
    return angle > 0 ? rotation_matrix(rotation / angle, angle) * r : r;
}

}  // namespace

void ImpactZones::begin(const State& to, const Model& model, const State& from)
{
    model_ = &model, from_ = &from;
    const auto nodes = static_cast<std::ptrdiff_t>(model.node_count());
    planned_x_.assign(to.x.begin(), to.x.begin() + nodes);
    planned_v_.assign(to.v.begin(), to.v.begin() + nodes);
    parent_.assign(planned_x_.size(), -1);
    zones_.resize(planned_x_.size());
    members_.clear();
}

std::int32_t ImpactZones::member_of(std::int32_t point) const
{
    if (point < model_->node_count()) return point;
    return model_->frame_node(
        model_->bound[static_cast<std::size_t>(point) - static_cast<std::size_t>(model_->node_count())].frame);
}

std::int32_t ImpactZones::root(std::int32_t node) const
{
    while (parent_[node] != node) node = parent_[node];
    return node;
}

void ImpactZones::add_member(std::int32_t node)
{
    if (parent_[node] >= 0) return;
    parent_[node] = node;
    members_.push_back(node);
}

bool ImpactZones::join(std::int32_t first_point, std::int32_t second_point)
{
    const std::int32_t a = member_of(first_point), b = member_of(second_point);
    add_member(a), add_member(b);
    const std::int32_t ra = root(a), rb = root(b);
    if (ra == rb) return false;
    // The lower one stays, so that the order of joining cannot be seen; paths are kept short.
    const std::int32_t low = std::min(ra, rb);
    parent_[ra] = parent_[rb] = parent_[a] = parent_[b] = low;
    return true;
}

bool ImpactZones::join(const Meeting& meeting)
{
    bool has_grown = false;
    for (std::size_t i = 1; i < 4; ++i) has_grown |= join(meeting.point[0], meeting.point[i]);
    return has_grown;
}

bool ImpactZones::are_together(const Meeting& meeting) const
{
    const std::int32_t zone = zone_of(meeting.point[0]);
    return zone >= 0 && std::all_of(meeting.point.begin(), meeting.point.end(),
                                    [&](std::int32_t point) { return zone_of(point) == zone; });
}

std::int32_t ImpactZones::zone_of(std::int32_t point) const
{
    const std::int32_t member = member_of(point);
    return parent_[member] >= 0 ? root(member) : -1;
}

void ImpactZones::sum_masses()
{
    for (const std::int32_t node : members_) zones_[root(node)] = {};
    for (const std::int32_t node : members_) {
        Zone& zone = zones_[root(node)];
        const double m = is_frame(node) ? model_->frame_mass[(node - model_->free_count) / 4].mass : model_->mass[node];
        zone.mass += m;
        zone.center += from_->x[node] * m;
        zone.way += (planned_x_[node] - from_->x[node]) * m;
        zone.velocity += planned_v_[node] * m;
    }
    for (const std::int32_t node : members_)
        if (root(node) == node) {
            Zone& zone = zones_[node];
            zone.center *= 1 / zone.mass, zone.way *= 1 / zone.mass, zone.velocity *= 1 / zone.mass;
        }
}

void ImpactZones::sum_moments()
{
    for (const std::int32_t node : members_) {
        Zone& zone = zones_[root(node)];
        const Vec3 r = from_->x[node] - zone.center, way = planned_x_[node] - from_->x[node];
        double m = model_->mass[node];
        if (is_frame(node)) {
            const std::int32_t f = (node - model_->free_count) / 4;
            const ConstFrameNodes start(&from_->x[node], 4);
            m = model_->frame_mass[f].mass;
            const Mat3 I = inertia(model_->frame_mass[f], start);
            std::array<Vec3, 4> ways;
            for (std::int32_t k = 0; k < 4; ++k) ways[k] = planned_x_[node + k] - from_->x[node + k];
            zone.spin += I * angular_velocity(start, ways);
            zone.spin_rate +=
                I * angular_velocity(ConstFrameNodes(&planned_x_[node], 4), ConstFrameNodes(&planned_v_[node], 4));
            zone.inertia += I;
        }
        zone.spin += cross(r, way) * m;
        zone.spin_rate += cross(planned_x_[node] - zone.center - zone.way, planned_v_[node]) * m;
        zone.inertia += point_inertia(m, r);
    }
    constexpr double kHalfTurn = 3;
    for (const std::int32_t node : members_)
        if (root(node) == node) {
            Zone& zone = zones_[node];
            zone.spin = rotation_of(zone.inertia, zone.spin);
            // Beyond half a turn straight ways would pass through the centre: such a zone only shifts.
            if (!(norm(zone.spin) < kHalfTurn)) zone.spin = {};
            // The inertia turns with the zone.
            zone.spin_rate = turned(zone.spin, rotation_of(zone.inertia, turned(-zone.spin, zone.spin_rate)));
        }
}

// Where a zone with a carrier goes: with its frame, or as far as its held vertex.
Vec3 ImpactZones::carried_to(const Zone& zone, const Vec3& x) const
{
    const std::int32_t node = zone.carrier;
    if (!is_frame(node)) return x + (planned_x_[node] - from_->x[node]);
    const Vec3 r = x - from_->x[node];
    const Vec3 X{dot(r, from_->x[node + 1]), dot(r, from_->x[node + 2]), dot(r, from_->x[node + 3])};
    return frame_point(ConstFrameNodes(&planned_x_[node], 4), X);
}

void ImpactZones::find_carriers()
{
    for (const std::int32_t node : members_) {
        if (from_->held[node] != kAllHeld) continue;
        Zone& zone = zones_[root(node)];
        // A frame tells more than a vertex: it turns.
        if (zone.carrier < 0 || (is_frame(node) && !is_frame(zone.carrier))) zone.carrier = node;
    }
    for (const std::int32_t node : members_) {
        if (from_->held[node] != kAllHeld) continue;
        Zone& zone = zones_[root(node)];
        const double tolerance = 1e-9 * model_->size;
        zone.is_torn |= norm(carried_to(zone, from_->x[node]) - planned_x_[node]) > tolerance;
    }
}

void ImpactZones::move_member(State& to, std::int32_t node, const Zone& zone, double h) const
{
    const std::uint8_t held = from_->held[node];
    if (held == kAllHeld) return;
    const Vec3 center = zone.center + zone.way;
    const auto place = [&](const Vec3& x) {
        return zone.carrier >= 0 ? carried_to(zone, x) : center + turned(zone.spin, x - zone.center);
    };
    to.x[node] = place(from_->x[node]);
    to.v[node] = zone.carrier >= 0 ? (to.x[node] - from_->x[node]) / h
                                   : zone.velocity + cross(zone.spin_rate, to.x[node] - center);
    // Coordinates that are held go their own way.
    for (int k = 0; k < 3; ++k)
        if (held >> k & 1) to.x[node][k] = planned_x_[node][k], to.v[node][k] = planned_v_[node][k];
    if (!is_frame(node)) return;
    const Vec3 origin = from_->x[node];
    for (std::int32_t k = 1; k < 4; ++k) {
        const Vec3 axis = place(origin + from_->x[node + k]) - to.x[node];
        to.v[node + k] = zone.carrier >= 0 ? (axis - from_->x[node + k]) / h : cross(zone.spin_rate, axis);
        to.x[node + k] = axis;
    }
}

std::int32_t ImpactZones::move(State& to, double h)
{
    sum_masses();
    sum_moments();
    find_carriers();
    for (const std::int32_t node : members_)
        if (const Zone& zone = zones_[root(node)]; zone.is_torn) return node;
    for (const std::int32_t node : members_) move_member(to, node, zones_[root(node)], h);
    return -1;
}

}  // namespace pliant
