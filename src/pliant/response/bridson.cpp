// SPDX-License-Identifier: MIT
#include <pliant/response/bridson.h>

#include <algorithm>
#include <cmath>

#include <pliant/model/points.h>
#include <pliant/response/bridson_log.h>
#include <pliant/response/bridson_scratch.h>
#include <pliant/response/impulses.h>
#include <pliant/response/plane_rows.h>

namespace pliant {

namespace {

// [1] Repulsion opens a gap by at most this share of the overlap in a step (2.92).
constexpr double kLargestPush = 0.1;
// [1] What would cross is kept this share of the thickness apart, as far as it began so.
constexpr double kStopShare = 0.1;
// [1] Sweeps end when nothing moves by more than this share of the smallest distance that pairs keep. Rigid bodies carry a
// row's rest to all others of theirs, so they are swept until it is rounding.
constexpr double kStill = 1e-4, kStillRigid = 1e-7;

bool is_finite_motion(const State& to, std::int32_t points)
{
    for (std::int32_t i = 0; i < points; ++i)
        if (!is_finite(to.x[i]) || !is_finite(to.v[i])) return false;
    return true;
}

std::int32_t frame_of(const Model& model, std::int32_t bound_point)
{
    return model.bound[static_cast<std::size_t>(bound_point) - static_cast<std::size_t>(model.node_count())].frame;
}

class Bridson {
public:
    Bridson(State& to, const Model& model, const State& from, double h, Scratch& scratch)
        : to_(to)
        , model_(model)
        , from_(from)
        , options_(from.contact)
        , h_(h)
        , memory_(*scratch.bridson)
        , rows_(memory_.rows)
        , log_(scratch.contact_log.get())
        , profile_(scratch.profile)
    {
        scratch.sum_x.assign(to.x.begin(), to.x.begin() + model.node_count());
        scratch.sum_v.assign(to.v.begin(), to.v.begin() + model.node_count());
        free_x_ = scratch.sum_x, free_v_ = scratch.sum_v;
        way_ = way_of_force(from.solver.kind);
    }

    // Times are told whatever comes of it.
    Attempt run(SurfaceWork& work)
    {
        const Attempt attempt = correct(work);
        own_ += memory_.search.profile();
        profile_ += own_;
        log_.tell_cost(memory_.search.counters(), passes_, own_);
        log_.end(memory_.search, model_, from_);
        return attempt;
    }

private:
    Attempt correct(SurfaceWork& work)
    {
        look_at_bodies();
        rows_.begin(to_, model_, from_);
        if (options_.strain_limit > 0) memory_.limits.begin(model_, from_, free_x_, options_.strain_limit);
        log_.begin(from_, to_, h_);
        if (options_.repulsion)
            repel();
        else
            release_touches();
        log_.add_round(to_);
        Attempt attempt;
        if (options_.collisions && !stop_crossings()) attempt = resolve_what_is_left();
        count();
        if (!attempt.accepted) return attempt;
        if (!has_zones_) turn_velocities();
        keep_touches();
        const SurfaceRows::Work done = rows_.book(h_);
        work.friction = done.friction, work.carried = done.carried;
        work.contacts = static_cast<int>(rows_.size());
        place_bound_points(to_.x, to_.v, model_);
        log_.add_round(to_);
        return attempt;
    }

    void look_at_bodies()
    {
        memory_.bodies.look(model_, from_);
        least_ = std::min(model_.size, memory_.bodies.least_half());
        memory_.search.begin_step(memory_.bodies.view(), options_.broad_phase, options_.crossing_search);
    }

    // Few rows, far apart in what they hold: a stack of rigid bodies wants more sweeps than a sheet.
    int most_passes() const { return (has_free_frames_ ? 10 : 1) * options_.iterations; }
    double still() const { return (has_free_frames_ ? kStillRigid : kStill) * kSeparation * least_; }

    // ---- rows --------------------------------------------------------------------------------------------------------

    RowSide side_of(const Meeting& m, std::size_t first, std::size_t last, double sign) const
    {
        RowSide side;
        const auto bound = [&](std::int32_t p) -> const BoundPoint& {
            return model_.bound[static_cast<std::size_t>(p) - static_cast<std::size_t>(model_.node_count())];
        };
        const bool is_frame = m.point[first] >= model_.node_count();
        if (is_frame) side.frame = bound(m.point[first]).frame;
        for (std::size_t i = first; i < last; ++i) {
            if (is_frame)
                side.X += bound(m.point[i]).X * (sign * m.weight[i]);
            else
                side.point[i - first] = m.point[i], side.weight[i - first] = sign * m.weight[i];
        }
        return side;
    }

    SurfaceRow row_of(const Meeting& m) const
    {
        const bool is_face = m.pair.kind == PairKind::vertex_face;
        const std::size_t middle = is_face ? 1 : 2;
        SurfaceRow row{.a = side_of(m, 0, middle, 1), .b = side_of(m, middle, 4, -1), .normal = m.normal};
        const CollisionSurface& surface = model_.contact_surface;
        row.a.body = is_face ? surface.vertex_body[m.pair.a] : surface.edge_body[m.pair.a];
        row.b.body = is_face ? surface.face_body[m.pair.b] : surface.edge_body[m.pair.b];
        row.key = m.pair.key(), row.point = m.point, row.weight = m.weight;
        for (std::size_t k = middle; k < 4; ++k) row.weight[k] = -m.weight[k];
        return row;
    }

    // Mass of the particle that stands for a side (2.96, 2.99); infinite is 0 here, as its inverse.
    double particle_inverse_mass(const RowSide& side) const
    {
        if (side.frame >= 0) {
            const std::int32_t node = model_.frame_node(side.frame);
            return from_.held[node] != 0 ? 0 : 1 / model_.frame_mass[side.frame].mass;
        }
        double mass = 0;
        for (std::size_t k = 0; k < 3 && side.point[k] >= 0; ++k) {
            if (from_.held[side.point[k]] != 0) return 0;
            mass += side.weight[k] * model_.mass[side.point[k]];
        }
        return mass > 0 ? 1 / mass : 0;
    }

    // A contact that stuck is held at the two points and the offset where it began to, so that what sweeps leave over does
    // not add up to creep.
    void add_near(SurfaceRow row, double distance, double thickness)
    {
        const Touch* touch = touch_of(row.key);
        const bool stuck = touch != nullptr && touch->side > 0;
        const Vec3 normal = row.normal;
        if (stuck) row = row_of(*touch), row.normal = normal;
        if (stuck && is_of_plane(row)) row.b.X = touch->anchor;
        const double overlap = thickness - distance;
        const double spring =
            h_ * h_ * options_.k * overlap * (particle_inverse_mass(row.a) + particle_inverse_mass(row.b));
        const Vec3 start = rows_.position(from_.x, row.a) - rows_.position(from_.x, row.b);
        row.rub_from = !stuck ? start : is_of_plane(row) ? Vec3{} : touch->anchor;
        row.target = overlap > 0 ? dot(start, normal) + std::min(spring, kLargestPush * overlap) : thickness;
        row.start_gap = distance;
        const Vec3 u = point_velocity(from_.v, row.a) - point_velocity(from_.v, row.b);
        row.goes_on = dot(u, row.normal) >= -slow();
        add(row, row.goes_on ? touch : nullptr);
    }

    const Touch* touch_of(std::uint64_t key) const
    {
        const auto found = std::lower_bound(from_.touches.begin(), from_.touches.end(), key,
                                            [](const Touch& touch, std::uint64_t k) { return touch.key < k; });
        return found != from_.touches.end() && found->key == key ? &*found : nullptr;
    }

    void add_hit(SurfaceRow row, double distance, double thickness, double start_distance, double time)
    {
        row.target = std::max(distance, std::min(start_distance, kStopShare * thickness));
        const Vec3 start = rows_.position(from_.x, row.a) - rows_.position(from_.x, row.b);
        const Vec3 end = rows_.position(to_.x, row.a) - rows_.position(to_.x, row.b);
        row.rub_from = start + (end - start) * time;
        row.start_gap = start_distance;
        add(row, nullptr);
    }

    // A contact that goes on begins with what it gave in the last step. Free vertices have got that from the integrator;
    // for rigid bodies that move it is given here.
    void add(SurfaceRow& row, const Touch* touch)
    {
        const BodyLive &a = from_.bodies[row.a.body], &b = from_.bodies[row.b.body];
        row.friction = a.friction * b.friction;
        row.bounce = bounce_of(row, a.restitution * b.restitution);
        if (touch != nullptr) {
            row.lambda = touch->force * h_, row.slip = touch->slip * h_;
            // Solvers that take all of a force's way at once move frames by half of it, as they fall.
            const double way = has_free_frame(row) && way_ == 1 && !moves_frames_fully() ? 0.5 : way_;
            row.push = row.lambda * way * h_, row.drag = row.slip * (way * h_);
        }
        rows_.add(row);
        has_free_frames_ |= has_free_frame(row);
        if (touch != nullptr && has_free_frame(row)) rows_.give_expected(rows_.rows().back());
    }

    // Contacts of the last step that are near no longer: what was expected of them is taken back, as far as they
    // would come nearer than they are.
    void release_touches()
    {
        memory_.known.clear();
        for (const SurfaceRow& row : rows_.rows()) memory_.known.push_back(row.key);
        std::sort(memory_.known.begin(), memory_.known.end());
        for (const Touch& touch : from_.touches) {
            if (std::binary_search(memory_.known.begin(), memory_.known.end(), touch.key)) continue;
            SurfaceRow row = row_of(touch);
            if (has_free_frame(row)) continue;
            row.rub_from = rows_.position(from_.x, row.a) - rows_.position(from_.x, row.b);
            row.target = dot(row.rub_from, row.normal);
            row.start_gap = model_.size;
            add(row, &touch);
        }
    }

    SurfaceRow row_of(const Touch& touch) const
    {
        if ((touch.key & kPlaneKey) != 0)
            return plane_row_at(static_cast<std::size_t>((touch.key & ~kPlaneKey) >> 32), touch.node[0], from_.x);
        Meeting m{.pair = SurfacePair::from_key(touch.key), .point = touch.node, .weight = touch.weight};
        for (std::size_t k = m.pair.kind == PairKind::vertex_face ? 1 : 2; k < 4; ++k) m.weight[k] = -m.weight[k];
        m.normal = touch.normal;
        return row_of(m);
    }

    // What rests at the end.
    void keep_touches()
    {
        to_.touches.clear();
        for (const SurfaceRow& row : rows_.rows()) {
            if (!row.goes_on || !(row.lambda > 0) || row.bounce > 0) continue;
            const bool sticks = SurfaceRows::sticks(row);
            to_.touches.push_back({.key = row.key,
                                   .node = row.point,
                                   .weight = row.weight,
                                   .normal = row.normal,
                                   .force = row.lambda / h_,
                                   .slip = row.slip / h_,
                                   .side = sticks ? 1.0 : 0.0,
                                   .anchor = sticks ? anchor_of(row) : Vec3{}});
        }
        std::sort(to_.touches.begin(), to_.touches.end(), [](const Touch& a, const Touch& b) { return a.key < b.key; });
    }
    // Only the part along the surface: the rest would turn with the bodies. On a plane it is the place itself.
    static Vec3 anchor_of(const SurfaceRow& row)
    {
        return is_of_plane(row) ? row.b.X : row.rub_from - row.normal * dot(row.rub_from, row.normal);
    }
    static bool is_of_plane(const SurfaceRow& row) { return row.point[1] < 0; }
    bool moves_frames_fully() const
    {
        const SolverKind kind = from_.solver.kind;
        return kind == SolverKind::semi_implicit_euler || kind == SolverKind::finite_differences ||
               kind == SolverKind::projection;
    }
    bool has_free_frame(const SurfaceRow& row) const
    {
        const auto moves = [&](const RowSide& side) {
            return side.frame >= 0 && from_.held[model_.frame_node(side.frame)] == 0;
        };
        return moves(row.a) || moves(row.b);
    }

    // Speed after an impact: what a step of free fall can bring is resting.
    double bounce_of(const SurfaceRow& row, double restitution) const
    {
        if (restitution == 0) return 0;
        const double u = dot(point_velocity(free_v_, row.a) - point_velocity(free_v_, row.b), row.normal);
        return u < -slow() ? -restitution * u : 0;
    }
    // [m/s] Slower approaches are no impacts: what a step of free fall brings, or a hundredth of a thickness a step.
    double slow() const
    {
        const double fall = from_.world.gravity_enabled ? 2 * norm(from_.world.gravity) * h_ : 0;
        return std::max(fall, 0.01 * least_ / h_);
    }

    Vec3 point_velocity(std::span<const Vec3> v, const RowSide& side) const
    {
        if (side.frame < 0) return rows_.position(v, side);
        return frame_point(ConstFrameNodes(&v[model_.frame_node(side.frame)], 4), side.X);
    }

    // ---- planes ------------------------------------------------------------------------------------------------------

    PlaneGap gap_to(std::size_t plane, std::int32_t point) const { return plane_gap(model_, from_, to_, plane, point); }
    SurfaceRow plane_row_at(std::size_t plane, std::int32_t point, std::span<const Vec3> x) const
    {
        return plane_row(model_, plane, point, x, to_.x);
    }

    void repel_planes()
    {
        memory_.bodies.for_planes(model_, [&](std::size_t plane, std::int32_t point, std::int32_t, double thickness) {
            const PlaneGap gap = gap_to(plane, point);
            if (!(gap.start >= 0 && gap.start < kNear * thickness)) return;
            add_near(plane_row_at(plane, point, from_.x), gap.start, thickness);
            log_.add_near_plane({.point = point,
                                 .body = model_.shapes[plane].body,
                                 .normal = gap.normal,
                                 .distance = gap.start,
                                 .thickness = thickness});
        });
    }

    // Vertices that end too near a plane. One that began behind it stays there, as all that begins crossing.
    std::size_t stop_at_planes()
    {
        std::size_t found = 0;
        memory_.bodies.for_planes(model_, [&](std::size_t plane, std::int32_t point, std::int32_t, double thickness) {
            const PlaneGap gap = gap_to(plane, point);
            const double least = std::min(kSeparation * thickness, 0.5 * gap.start);
            if (gap.start < 0 || gap.end >= least) return;
            ++found;
            const double fall = gap.start - gap.end;
            const double time = fall > 0 ? std::clamp((gap.start - least) / fall, 0.0, 1.0) : 0;
            add_hit(plane_row_at(plane, point, to_.x), least, thickness, gap.start, time);
            log_.add_plane_impact({.point = point,
                                   .body = model_.shapes[plane].body,
                                   .normal = gap.normal,
                                   .distance = gap.start,
                                   .time = time,
                                   .thickness = thickness});
        });
        return found;
    }

    // ---- stages ------------------------------------------------------------------------------------------------------

    void repel()
    {
        memory_.search.find_near(memory_.near, from_.x, to_.x);
        for (const Meeting& m : memory_.near) add_near(row_of(m), m.distance, m.thickness);
        repel_planes();
        release_touches();
        if (options_.order == ContactOrder::thesis_first_only) keep_nearest();
        solve();
        log_.add_near(memory_.near);
    }

    // The thesis' serial way solves one pair a search: the nearest, then the first that crosses.
    std::span<const Meeting> hits_to_solve() const
    {
        const std::size_t most = options_.order == ContactOrder::thesis_first_only ? 1 : memory_.hits.size();
        return std::span(memory_.hits).first(std::min(most, memory_.hits.size()));
    }
    void keep_nearest()
    {
        const auto rows = rows_.rows();
        if (rows.empty()) return;
        const SurfaceRow nearest = *std::min_element(
            rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.start_gap < b.start_gap; });
        rows_.clear();
        rows_.add(nearest);
    }

    void solve()
    {
        if (rows_.size() == 0) return;
        StageTimer timer(own_, Stage::rows);
        for (int pass = 0; pass < most_passes(); ++pass) {
            ++passes_;
            double moved = rows_.sweep(options_.order);
            if (options_.strain_limit > 0) moved = std::max(moved, memory_.limits.sweep(to_));
            if (moved <= still()) break;
        }
        rows_.settle_frames();
    }

    // Searches and stops until nothing crosses. False when the rounds are used up.
    bool stop_crossings()
    {
        for (round_ = 0;; ++round_) {
            memory_.search.find_hits(memory_.hits, from_.x, to_.x);
            log_.add_impacts(memory_.hits);
            if (round_ == options_.rounds) return memory_.hits.empty() && !crosses_planes();
            for (const Meeting& m : hits_to_solve())
                add_hit(row_of(m), m.distance, m.thickness, m.start_distance, m.time);
            const std::size_t at_planes = stop_at_planes();
            if (memory_.hits.empty() && at_planes == 0) return true;
            solve();
            log_.add_round(to_);
        }
    }

    bool crosses_planes() const
    {
        bool crosses = false;
        memory_.bodies.for_planes(model_, [&](std::size_t plane, std::int32_t point, std::int32_t, double) {
            crosses |= gap_to(plane, point).passes();
        });
        return crosses;
    }

    Attempt resolve_what_is_left()
    {
        const double shortest = std::ldexp(from_.solver.step, -options_.halvings);
        if (0.5 * h_ >= shortest * (1 - 1e-9)) return refused(0.5 * h_, first_crossing());
        if (!options_.zones) return refused(0, first_crossing());
        const std::int32_t stuck = move_zones();
        return stuck >= 0 ? refused(0, stuck) : Attempt{};
    }

    std::int32_t first_crossing() const
    {
        std::int32_t first = memory_.hits.empty() ? -1 : memory_.hits.front().point[0];
        memory_.bodies.for_planes(model_, [&](std::size_t plane, std::int32_t point, std::int32_t, double) {
            if (first < 0 && gap_to(plane, point).passes()) first = point;
        });
        return first;
    }

    Attempt refused(double retry_h, std::int32_t point) const
    {
        Attempt attempt{.accepted = false, .retry_h = retry_h, .issue = {.kind = IssueKind::penetrating}};
        for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
            const Body& body = model_.bodies[b];
            const bool is_frame = body.is_rigid() && point == model_.frame_node(body.frame);
            if (!is_frame && !body.owns_point(point)) continue;
            attempt.issue.body = static_cast<std::int32_t>(b);
            attempt.issue.vertex = is_frame ? 0 : point - body.first_point;
        }
        return attempt;
    }

    // Zones grow until nothing crosses but within them. Returns a point that cannot be moved, or -1.
    std::int32_t move_zones()
    {
        ImpactZones& zones = memory_.zones;
        turn_velocities();
        zones.begin(to_, model_, from_);
        has_zones_ = true;
        for (;;) {
            bool has_grown = false;
            for (const Meeting& m : memory_.hits) has_grown |= zones.join(m);
            has_grown |= join_planes();
            if (!has_grown) break;
            if (const std::int32_t stuck = move_joined(); stuck >= 0) return stuck;
            log_.add_round(to_);
            memory_.search.find_hits(memory_.hits, from_.x, to_.x);
            log_.add_impacts(memory_.hits);
        }
        log_.add_zones(zones, to_.x.size());
        const auto left = std::find_if(memory_.hits.begin(), memory_.hits.end(),
                                       [&](const Meeting& m) { return !zones.are_together(m); });
        to_.tally.held += zones.count();
        return left == memory_.hits.end() ? -1 : left->point[0];
    }

    std::int32_t move_joined()
    {
        StageTimer timer(own_, Stage::zones);
        const std::int32_t stuck = memory_.zones.move(to_, h_);
        if (stuck < 0) place_bound_points(to_.x, to_.v, model_);
        return stuck;
    }

    bool join_planes()
    {
        bool has_grown = false;
        memory_.bodies.for_planes(model_, [&](std::size_t plane, std::int32_t point, std::int32_t, double) {
            if (gap_to(plane, point).passes())
                has_grown |= memory_.zones.join(point, model_.frame_node(model_.shapes[plane].frame));
        });
        return has_grown;
    }

    void turn_velocities()
    {
        StageTimer timer(own_, Stage::rows);
        for (int pass = 0; pass < most_passes(); ++pass) {
            ++passes_;
            double changed = rows_.sweep_velocities();
            if (options_.strain_limit > 0) changed = std::max(changed, memory_.limits.sweep_velocities(to_));
            if (changed * h_ <= still()) break;
        }
    }

    void count()
    {
        const SurfaceSearchCounters& c = memory_.search.counters();
        to_.tally.candidates = static_cast<std::int64_t>(memory_.search.candidates().size());
        to_.tally.near = c.near;
        to_.tally.least_gap = memory_.bodies.most_thickness();
        for (const SurfaceRow& row : rows_.rows()) to_.tally.least_gap = std::min(to_.tally.least_gap, row.start_gap);
        to_.tally.hits += c.hits;
        to_.tally.rounds += round_;
        to_.tally.searches += c.searches;
    }

    State& to_;
    const Model& model_;
    const State& from_;
    const ContactLive& options_;
    double h_;
    BridsonScratch& memory_;
    SurfaceRows& rows_;
    BridsonLog log_;
    Profile& profile_;
    Profile own_;  // of this step
    std::span<const Vec3> free_x_, free_v_;
    double least_ = 0, way_ = 0;
    std::int32_t round_ = 0;
    std::int64_t passes_ = 0;
    bool has_zones_ = false, has_free_frames_ = false;
};

}  // namespace

bool surfaces_meet(const Model& model, const State& from)
{
    return from.contact.enabled && from.contact.response == ContactResponse::bridson &&
           !model.contact_surface.faces.empty();
}

void expect_surface_touches(Scratch& scratch, const Model& model, const State& from)
{
    if (!surfaces_meet(model, from) || from.touches.empty()) return;
    scratch.contact_force.assign(static_cast<std::size_t>(model.free_count), {});
    const auto is_on_free_frame = [&](std::int32_t point) {
        return point >= model.free_count && from.held[model.frame_node(frame_of(model, point))] == 0;
    };
    for (const Touch& touch : from.touches) {
        if (std::any_of(touch.node.begin(), touch.node.end(), is_on_free_frame)) continue;
        const bool is_edge =
            (touch.key & kPlaneKey) == 0 && SurfacePair::from_key(touch.key).kind == PairKind::edge_edge;
        const std::size_t of_a = is_edge ? 2 : 1;
        const Vec3 force = touch.normal * touch.force + touch.slip;
        for (std::size_t k = 0; k < 4; ++k)
            if (touch.node[k] >= 0 && touch.node[k] < model.free_count)
                scratch.contact_force[static_cast<std::size_t>(touch.node[k])] +=
                    force * (k < of_a ? touch.weight[k] : -touch.weight[k]);
    }
}

Attempt correct_by_bridson(State& to, const Model& model, const State& from, double h, Scratch& scratch,
                           SurfaceWork& work)
{
    // What is not finite is somebody else's to report.
    if (!is_finite_motion(to, model.node_count())) return {};
    if (!scratch.bridson) scratch.bridson.make(model.contact_surface, from.x);
    return Bridson(to, model, from, h, scratch).run(work);
}

}  // namespace pliant
