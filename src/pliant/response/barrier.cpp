// SPDX-License-Identifier: MIT
#include <pliant/response/barrier.h>

#include <algorithm>
#include <cmath>

#include <pliant/base/parallel.h>
#include <pliant/model/held.h>
#include <pliant/response/plane_rows.h>

namespace pliant {

namespace {

constexpr double kFrame = 1.0 / 60;                     // [s] whose inertia stiffness is measured by
constexpr double kRate = kInertia / (kFrame * kFrame);  // [1/s^2]
constexpr double kDrag = 5;  // [1] most stiffness along the way of what slides, over the inertia of a step
constexpr double kGrip = 5;  // [1] of friction's spring over that of the lighter side
constexpr std::size_t kContactsPerChunk = 64;

Vec3 along(const Vec3& v, const Vec3& normal)
{
    return v - normal * dot(v, normal);
}

Vec3 weighted(std::span<const Vec3> x, const std::array<std::int32_t, 4>& point, const std::array<double, 4>& weight)
{
    Vec3 sum;
    for (std::size_t k = 0; k < 4 && point[k] >= 0; ++k) sum += x[point[k]] * weight[k];
    return sum;
}

std::size_t first_of_second(std::uint64_t key)
{
    if ((key & kPlaneKey) != 0 && key >> 63 == 0) return 1;
    return SurfacePair::from_key(key).kind == PairKind::vertex_face ? 1 : 2;
}

}  // namespace

bool barrier_acts(const Model& model, const State& state)
{
    return state.contact.response == ContactResponse::barrier && state.contact.enabled &&
           !model.contact_surface.vertices.empty();
}

BarrierForce barrier_force(double distance, double thickness, double k)
{
    const double gap = thickness - distance;
    if (!(gap > 0)) return {};
    if (distance >= 0.5 * thickness) return {0.5 * k * gap * gap, k * gap, k};
    const double half = 0.5 * thickness, scale = k * half * half, pressed = kPressed * k * half;
    const double log = std::log(half / distance), nearer = half / distance - 1;
    return {scale * (log + 0.5) + pressed * (half * half / distance - distance - 2 * half * log),
            scale / distance + pressed * nearer * nearer,
            (scale + 2 * pressed * nearer * half) / (distance * distance)};
}

double unbalanced_share(double left, double driving, const Model& model, const State& from, const State& to, double h)
{
    double weight2 = 0, inertia2 = 0;
    const double g2 = from.world.gravity_enabled ? norm2(from.world.gravity) : 0;
    const auto add = [&](std::int32_t node, double mass) {
        weight2 += mass * mass * g2;
        inertia2 += mass * mass * norm2(to.x[node] - from.x[node]) / (h * h * h * h);
    };
    for (std::int32_t i = 0; i < model.free_count; ++i) add(i, model.mass[i]);
    for (std::int32_t f = 0; f < model.frame_count; ++f)
        if (from.held[model.frame_node(f)] != 7) add(model.frame_node(f), model.frame_mass[f].mass);
    const double scale = std::max({driving, std::sqrt(weight2), std::sqrt(inertia2)});
    return scale > 0 ? left / scale : 0;
}

BarrierContacts::BarrierContacts(const Model& model, std::span<const Vec3> x)
    : model_(model)
    , search_(model.contact_surface, x)
    , frame_part_(static_cast<std::size_t>(model.frame_count))
{
    // A rigid body rests on a handful of its points, however many it has.
    constexpr double kCorners = 8;
    for (std::size_t f = 0; f < frame_part_.size(); ++f) frame_part_[f] = model.frame_mass[f].mass / kCorners;
}

void BarrierContacts::begin_step(const State& from, double h, std::span<const double> resistance)
{
    from_ = &from, h_ = h, resistance_ = resistance;
    gravity_ = from.world.gravity_enabled ? norm(from.world.gravity) : 0;
    bodies_.look(model_, from);
    least_gap_ = bodies_.most_thickness();
    search_.go_on(bodies_.view(), from.contact.broad_phase);
    ahead_ = {};
    contacts_.clear();
    touching_count_ = 0;
}

void BarrierContacts::collect_planes(std::span<const Vec3> x)
{
    bodies_.for_planes(model_, [&](std::size_t s, std::int32_t point, std::int32_t body, double thickness) {
        const Shape& plane = model_.shapes[s];
        const std::int32_t node = model_.frame_node(plane.frame);
        const double distance = dot(x[point] - x[node], x[node + 2]);
        if (!(distance < thickness)) return;
        Contact c{.key = kPlaneKey | static_cast<std::uint64_t>(s) << 32 | static_cast<std::uint64_t>(point)};
        c.point[0] = point, c.weight[0] = 1;
        c.normal = x[node + 2], c.distance = distance, c.thickness = thickness;
        c.body_a = body, c.body_b = plane.body, c.plane = static_cast<std::int32_t>(s);
        contacts_.push_back(c);
    });
}

BarrierContacts::Contact BarrierContacts::contact_of(const Meeting& m) const
{
    const CollisionSurface& surface = model_.contact_surface;
    const bool is_face = m.pair.kind == PairKind::vertex_face;
    Contact c{.key = m.pair.key(), .point = m.point, .weight = m.weight, .normal = m.normal};
    c.distance = m.distance, c.thickness = m.thickness;
    c.body_a = is_face ? surface.vertex_body[m.pair.a] : surface.edge_body[m.pair.a];
    c.body_b = is_face ? surface.face_body[m.pair.b] : surface.edge_body[m.pair.b];
    return c;
}

BarrierContacts::Side BarrierContacts::side_of(const Contact& c, std::size_t first, std::size_t last,
                                               std::int32_t body) const
{
    if (bodies_.is_fixed[body] != 0) return {HUGE_VAL, HUGE_VAL};
    if (model_.bodies[body].is_rigid()) return {frame_part_[model_.bodies[body].frame], HUGE_VAL};
    Side side;
    for (std::size_t k = first; k < last; ++k) {
        side.mass += model_.mass[c.point[k]];
        if (!resistance_.empty()) side.resistance += resistance_[c.point[k]];
    }
    const auto points = static_cast<double>(last - first);
    return {side.mass / points, side.resistance / points};
}

// They depend on the pair, not on where it touches.
BarrierContacts::PairScale BarrierContacts::scale_of(const Contact& c) const
{
    const std::size_t middle = first_of_second(c.key);
    const Side a = side_of(c, 0, middle, c.body_a);
    const Side b = c.plane >= 0 ? Side{HUGE_VAL, HUGE_VAL} : side_of(c, middle, 4, c.body_b);
    const double lighter = std::min(a.mass, b.mass), softer = std::min(a.resistance, b.resistance);
    const double mean = std::isfinite(a.mass) && std::isfinite(b.mass) ? std::sqrt(a.mass * b.mass) : lighter;
    const double inertia = std::max(kRate, kWeight * gravity_ / c.thickness) * mean;
    return {std::max(inertia, std::isfinite(softer) ? kElastic * softer : 0), lighter};
}

// ---- friction --------------------------------------------------------------------------------------------------------

// What a contact was in the last step: the same pair, or the same vertex at a neighbouring face of the same body.
const Touch* BarrierContacts::touch_of(const Contact& c, std::span<const Vec3> x) const
{
    const std::vector<Touch>& touches = from_->touches;
    const auto before = [](const Touch& touch, std::uint64_t key) { return touch.key < key; };
    const auto found = std::lower_bound(touches.begin(), touches.end(), c.key, before);
    if (found != touches.end() && found->key == c.key) return &*found;
    if (c.plane >= 0 || first_of_second(c.key) != 1) return nullptr;
    const std::uint64_t first = c.key & ~std::uint64_t{0xffffffff};
    const Touch* best = nullptr;
    double nearest = c.thickness;
    for (auto t = std::lower_bound(touches.begin(), touches.end(), first, before);
         t != touches.end() && (t->key & ~std::uint64_t{0xffffffff}) == first; ++t) {
        if (model_.contact_surface.face_body[SurfacePair::from_key(t->key).b] != c.body_b) continue;
        const double way = norm(along(weighted(x, t->node, t->weight), c.normal) - along(t->anchor, c.normal));
        if (way < nearest) nearest = way, best = &*t;
    }
    return best;
}

// A place in the coordinates of a plane.
Vec3 BarrierContacts::plane_anchor(const Contact& c, std::span<const Vec3> x, const Vec3& point) const
{
    const std::int32_t node = model_.frame_node(model_.shapes[c.plane].frame);
    const Vec3 r = point - x[node];
    return {dot(r, x[node + 1]), dot(r, x[node + 2]), dot(r, x[node + 3])};
}

// How far the two sides have slid from where friction has no force. A contact that is new counts from the start of the step.
Vec3 BarrierContacts::offset_of(const Contact& c, std::span<const Vec3> x) const
{
    if (c.plane >= 0) {
        const std::int32_t p = c.point[0], node = model_.frame_node(model_.shapes[c.plane].frame);
        const Vec3 X = c.touch != nullptr ? c.touch->anchor : plane_anchor(c, from_->x, from_->x[p]);
        return along(x[p] - frame_point(ConstFrameNodes(&x[node], 4), X), c.normal);
    }
    if (c.touch != nullptr) return along(weighted(x, c.touch->node, c.touch->weight) - c.touch->anchor, c.normal);
    return along(weighted(x, c.point, c.weight) - weighted(from_->x, c.point, c.weight), c.normal);
}

// [N] What the cone is made of: the force of the step before where it was of the same size. What a solve leaves over makes
// forces of single contacts flicker, and what slips in the moment of a weak one does not come back.
double BarrierContacts::pressure_of(const Contact& c)
{
    constexpr double kFlicker = 1.5;
    const double now = c.push.lambda;
    return c.touch == nullptr ? now : std::clamp(c.touch->force, now / kFlicker, now * kFlicker);
}

void BarrierContacts::finish(Contact& c, std::span<const Vec3> x) const
{
    const PairScale scale = scale_of(c);
    c.k = scale.stiffness;
    // Measured from the gap that is always left; what begins within that is pushed out of it.
    const double least = kLeastGap * c.thickness;
    c.push = barrier_force(std::max(c.distance - least, kLeastGap * least), c.thickness - least, c.k);
    c.friction = from_->bodies[c.body_a].friction * from_->bodies[c.body_b].friction;
    if (!(c.friction > 0)) return;
    c.touch = touch_of(c, x);
    c.offset = offset_of(c, x);
    const double pressure = pressure_of(c);
    // Stiff enough that the elastic way stays below mu times a tenth of the thickness. Beyond that as the lighter side can
    // follow: a heavy one would make every micron that a solver leaves over a slip.
    c.tangent = kGrip * std::max(kRate * scale.lighter_mass, 2 * pressure / c.thickness);
    const double way = norm(c.offset), most = c.friction * pressure;
    c.grip = c.tangent * way <= most ? c.tangent : most / way;
    // What slides is dragged with one force however far. Force over way never leads too far, but near to sticking it is far too
    // stiff to get there; inertia is enough to keep from wild ways. Contacts that have just begun are held harder.
    c.drag = c.touch != nullptr ? std::min(c.grip, kDrag * scale.lighter_mass / (h_ * h_)) : c.grip;
}

// ---- terms -----------------------------------------------------------------------------------------------------------

BarrierRow BarrierContacts::row_of(const Contact& c, std::span<const Vec3> x) const
{
    BarrierRow row{.force = c.normal * c.push.lambda - c.offset * c.grip};
    row.stiffness = outer(c.normal, c.normal) * (c.push.curvature - c.grip) + identity3<double>() * c.grip;
    if (c.grip < c.tangent) row.stiffness += outer(c.offset, c.offset) * ((c.drag - c.grip) / norm2(c.offset));
    const std::size_t middle = first_of_second(c.key);
    bool moves[2] = {false, false};
    for (std::size_t k = 0; k < 4 && c.point[k] >= 0; ++k) {
        const std::int32_t p = c.point[k];
        const std::size_t side = k < middle ? 0 : 1;
        if (p < model_.free_count) {
            if (from_->held[p] == 7) continue;
            row.at.vertex[k] = p, row.at.weight[k] = c.weight[k];
            moves[side] = true;
            continue;
        }
        const std::int32_t frame = model_.bodies[side == 0 ? c.body_a : c.body_b].frame;
        const std::int32_t node = model_.frame_node(frame);
        if (from_->held[node] == 7 && from_->held[node + 1] == 7) continue;
        row.at.frame[side] = frame, row.at.share[side] += c.weight[k];
        row.at.arm[side] += (x[p] - x[node]) * c.weight[k];
    }
    row.is_one_sided = row.at.frame[0] < 0 && row.at.frame[1] < 0 && !(moves[0] && moves[1]);
    return row;
}

// As if the linear part of its force went on beyond the thickness.
BarrierRow BarrierContacts::expected_row_of(Contact& c, std::span<const Vec3> x) const
{
    c.k = scale_of(c).stiffness;
    c.push = {.energy = 0, .lambda = c.k * (c.thickness - c.distance), .curvature = c.k};
    BarrierRow row = row_of(c, x);
    std::swap(row.force, row.pull);
    return row;
}

void BarrierContacts::evaluate(std::span<const Vec3> x, Rows which)
{
    search_.find_touching(touching_, x);
    expected_.clear();
    if (which == Rows::expected_as_well) search_.find_expected(expected_, x);
    contacts_.clear();
    collect_planes(x);
    const std::size_t planes = contacts_.size();
    touching_count_ = planes + touching_.size();
    contacts_.resize(touching_count_ + expected_.size());
    rows_.resize(contacts_.size());
    parallel_for(contacts_.size(), kContactsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            Contact& c = contacts_[i];
            if (i >= touching_count_) {
                c = contact_of(expected_[i - touching_count_]);
                rows_[i] = expected_row_of(c, x);
                continue;
            }
            if (i >= planes) c = contact_of(touching_[i - planes]);
            finish(c, x);
            rows_[i] = row_of(c, x);
        }
    });
    energy_ = 0;
    for (const Contact& c : contacts_) energy_ += c.push.energy;
}

Vec3 BarrierContacts::force_ahead(std::size_t row) const
{
    const Contact& c = contacts_[row];
    Vec3 moves;
    for (std::size_t k = 0; k < 4 && c.point[k] >= 0; ++k) moves += ahead_[c.point[k]] * c.weight[k];
    if (c.plane >= 0) {
        const std::int32_t node = model_.frame_node(model_.shapes[c.plane].frame);
        moves -= ahead_[node];
    }
    return rows_[row].stiffness * moves * -1.0;
}

// ---- limit -----------------------------------------------------------------------------------------------------------

// A vertex and a plane that moves: the height is quadratic in time, above its least Bernstein coefficient.
double BarrierContacts::plane_share(std::span<const Vec3> x0, std::span<const Vec3> x1) const
{
    double share = 1;
    bodies_.for_planes(model_, [&](std::size_t s, std::int32_t p, std::int32_t, double thickness) {
        const std::int32_t node = model_.frame_node(model_.shapes[s].frame);
        const Vec3 r0 = x0[p] - x0[node], r1 = x1[p] - x1[node], n0 = x0[node + 2], n1 = x1[node + 2];
        const double start = dot(r0, n0), middle = 0.5 * (dot(r0, n1) + dot(r1, n0)), end = dot(r1, n1);
        const double kept = safe_gap(thickness).kept_of(start);
        // On the first part t of the way the coefficients are start, (1-t) start + t middle, and the height itself.
        const auto is_safe = [&](double t) {
            const double next = (1 - t) * start + t * middle;
            return next >= kept && (1 - t) * ((1 - t) * start + t * middle) + t * ((1 - t) * middle + t * end) >= kept;
        };
        while (share > 0 && !is_safe(share)) {
            const double linear = start > end ? (start - kept) / (start - end) * (1 - 1e-9) : 0;
            share = linear > 0 && linear < share && is_safe(linear) ? linear : share > 1e-12 ? 0.5 * share : 0;
        }
    });
    return share;
}

// Offset geometric contact: no vertex goes farther than a share of its distance to whatever it may meet.
double BarrierContacts::limit_each(std::span<const Vec3> x0, std::span<Vec3> x1)
{
    search_.find_bounds(bounds_, x0, bodies_.most_thickness());
    double least = plane_share(x0, x1);
    const double planes = least;
    std::vector<double>& share = bounds_;
    for (std::size_t p = 0; p < x0.size(); ++p) {
        const double way = norm(x1[p] - x0[p]);
        share[p] = way * planes > bounds_[p] ? bounds_[p] / way : planes;
    }
    const auto free = static_cast<std::size_t>(model_.free_count),
               nodes = static_cast<std::size_t>(model_.node_count());
    for (std::size_t b = 0; b < model_.bound.size(); ++b)
        for (std::size_t k = 0; k < 4; ++k) {
            double& of_node = share[static_cast<std::size_t>(model_.frame_node(model_.bound[b].frame)) + k];
            of_node = std::min(of_node, share[nodes + b]);
        }
    for (std::size_t i = free; i < nodes; i += 4)
        share[i] = share[i + 1] = share[i + 2] = share[i + 3] =
            std::min({share[i], share[i + 1], share[i + 2], share[i + 3]});
    for (std::size_t b = 0; b < model_.bound.size(); ++b)
        share[nodes + b] = share[static_cast<std::size_t>(model_.frame_node(model_.bound[b].frame))];
    for (std::size_t p = 0; p < x0.size(); ++p) {
        if (share[p] < 1) x1[p] = x0[p] + (x1[p] - x0[p]) * share[p];
        least = std::min(least, share[p]);
    }
    // Vertices that stay behind may be in the way of a plane that does not.
    const double together = plane_share(x0, x1);
    if (together < 1)
        for (std::size_t p = 0; p < x0.size(); ++p) x1[p] = x0[p] + (x1[p] - x0[p]) * together;
    return least * together;
}

// Pairs that the proposed way leaves farther apart than their thickness: as expected ones their springs would pull.
void BarrierContacts::release_expected(std::span<const Vec3> x1)
{
    released_.clear();
    for (const Contact& c : contacts_)
        if (c.plane < 0 && dot(c.normal, weighted(x1, c.point, c.weight)) > c.thickness) released_.push_back(c.key);
    std::sort(released_.begin(), released_.end());
    if (!released_.empty()) search_.release(released_);
}

double BarrierContacts::make_safe(std::span<const Vec3> x0, std::span<Vec3> x1)
{
    release_expected(x1);
    if (from_->contact.limit == WayLimit::each_vertex) return limit_each(x0, x1);
    const double share = std::min(plane_share(x0, x1), search_.safe_share(x0, x1));
    if (share < 1)
        for (std::size_t p = 0; p < x0.size(); ++p) x1[p] = x0[p] + (x1[p] - x0[p]) * share;
    return share;
}

// ---- the end of a step -----------------------------------------------------------------------------------------------

Touch BarrierContacts::touch_after(const Contact& c, std::span<const Vec3> x) const
{
    const bool sticks = c.grip == c.tangent;
    Touch touch{.key = c.key, .node = c.point, .weight = c.weight, .normal = c.normal, .force = c.push.lambda};
    touch.slip = c.offset * -c.grip, touch.side = sticks ? 1 : 0;
    if (sticks && c.touch != nullptr) {
        touch.node = c.touch->node, touch.weight = c.touch->weight, touch.anchor = c.touch->anchor;
        return touch;
    }
    const Vec3 left = c.tangent > 0 ? c.offset * (c.grip / c.tangent) : Vec3{};
    touch.anchor = c.plane >= 0 ? plane_anchor(c, x, x[c.point[0]] - left) : -left;
    return touch;
}

// Impulses of bodies and pins, friction's loss, and the work of what is carried against contacts.
void BarrierContacts::book(State& to, const Contact& c, double h) const
{
    const Vec3 force = c.normal * c.push.lambda - c.offset * c.grip;
    to.impulse[c.body_a] += force * h, to.impulse[c.body_b] -= force * h;
    to.touched[c.body_a] = to.touched[c.body_b] = 1;
    if (c.tangent > c.grip) to.ledger.friction += c.grip * norm2(c.offset) * (1 - c.grip / c.tangent);
    for (std::size_t k = 0; k < 4 && c.point[k] >= 0; ++k) {
        const std::int32_t p = c.point[k];
        const bool is_free = p < model_.free_count;
        const std::int32_t body = k < first_of_second(c.key) ? c.body_a : c.body_b;
        const std::uint8_t held = is_free ? from_->held[p] : from_->held[model_.frame_node(model_.bodies[body].frame)];
        if (held == 0) continue;
        const Vec3 pull = held_part(force, held) * c.weight[k];
        to.ledger.external -= dot(pull, to.x[p] - from_->x[p]);
        if (!is_free) continue;
        for (std::size_t pin = 0; pin < model_.pins.size(); ++pin)
            if (from_->pins[pin].enabled && model_.pins[pin].body == body &&
                std::find(model_.pins[pin].nodes.begin(), model_.pins[pin].nodes.end(), p) !=
                    model_.pins[pin].nodes.end())
                to.pin_impulse[pin] += pull * h;
    }
    if (c.plane < 0) return;
    const std::int32_t node = model_.frame_node(model_.shapes[c.plane].frame);
    to.ledger.external += dot(force, to.x[node] - from_->x[node]);
}

void BarrierContacts::end_step(State& to, double h)
{
    to.touches.clear();
    for (const Contact& c : std::span(contacts_).first(touching_count_)) {
        book(to, c, h);
        energy_ += c.tangent > 0 ? 0.5 * c.grip * c.grip / c.tangent * norm2(c.offset) : 0;
        least_gap_ = std::min(least_gap_, c.distance);
        to.touches.push_back(touch_after(c, to.x));
    }
    std::sort(to.touches.begin(), to.touches.end(), [](const Touch& a, const Touch& b) { return a.key < b.key; });
    to.tally.energy = energy_;
    to.tally.least_gap = least_gap_;
    to.tally.near = static_cast<std::int64_t>(touching_count_);
    // How often candidates were looked for depends on what is remembered from earlier steps, so it is no part of a state.
    to.tally.hits += search_.counters().hits;
}

}  // namespace pliant
