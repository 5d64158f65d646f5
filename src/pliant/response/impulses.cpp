// SPDX-License-Identifier: MIT
#include <pliant/response/impulses.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <pliant/contact/search.h>
#include <pliant/contact/surface_contacts.h>
#include <pliant/model/points.h>
#include <pliant/response/correction.h>
#include <pliant/response/impulse_scratch.h>

namespace pliant {

namespace {

// Searches of one step before it is given up.
constexpr int kMostRounds = 20;
// Searches after which lumps grow by whole bodies.
constexpr int kPatience = 4;
// Contacts of one step before it is given up, for each vertex.
constexpr std::size_t kMostRows = 16;
// Corrections that contradict each other grow without bound: energy or ways this much larger than before are no
// contact.
constexpr double kWildEnergy = 1.1, kWildWay = 4;
// A step this much shorter than asked for is short enough for lumps.
constexpr double kShortest = 1.0 / 64;
// Overlaps of less than the thickness are undone at this share of the thickness a step, so that nothing is flung.
constexpr double kRecovery = 1.0 / 8;
// Passes end when no contact moves anything by more than this share of the thickness.
constexpr double kStill = 1e-4;

bool is_of_surfaces(const Contact& c)
{
    return c.a.frame < 0 && c.b.frame < 0;
}

Contact contact_of(const Touch& touch, const CollisionSurface& surface)
{
    Contact c = make_contact(surface, SurfacePair::from_key(touch.key), touch.node, touch.weight);
    c.normal = touch.normal;
    return c;
}

double longest_step(const State& from)
{
    constexpr double kLongestPhase = 3;
    const double rate = std::sqrt(from.history.stiffness_rate);
    const double longest = rate > 0 ? kLongestPhase / rate : std::numeric_limits<double>::infinity();
    return std::max(longest, kShortest * from.solver.step);
}

class Impulses {
public:
    Impulses(State& to, const Model& model, const State& from, double h, Scratch& scratch)
        : to_(to)
        , model_(model)
        , from_(from)
        , h_(h)
        , memory_(*scratch.impulses)
        , contacts_(scratch.contacts)
        , rows_(scratch.contact_rows)
        , thickness_(contact_thickness(model, from))
        , way_(way_of_force(from.solver.kind))
        , correction_(to, model, from, h, memory_.free_x, memory_.free_v)
    {
        contacts_.clear(), rows_.clear();
        memory_.known_pairs.clear(), memory_.known_shapes.clear();
    }

    Attempt run()
    {
        take_touches();
        Attempt attempt;
        for (int round = 0;; ++round) {
            // What is not finite is somebody else's to report.
            if (!search()) return attempt;
            if (const auto meeting = round == 0 ? first_meeting() : std::nullopt) return end_at(*meeting);
            const std::size_t known = rows_.size();
            add_found();
            if (rows_.size() == known && (round > 0 || rows_.empty())) break;
            if (const double longest = longest_step(from_); h_ > 1.001 * longest) return too_long(longest);
            const bool is_hopeless = round == kMostRounds || rows_.size() > kMostRows * model_.surface.vertices.size();
            if (round == kMostRounds && memory_.search.hits().empty()) break;
            if (!is_hopeless) solve();
            if (!is_hopeless && !is_wild()) continue;
            if (0.5 * h_ >= kShortest * from_.solver.step) return give_up();
            move_lumps();
            break;
        }
        finish();
        return attempt;
    }

private:
    // Under rkf45 a step ends where bodies meet first, as in the thesis (E-63). What meets again within the shortest
    // time between two events rests: its impulses come at the end of the step.
    std::optional<double> first_meeting() const
    {
        constexpr double kShortestEvent = 1e-2, kAtTheEnd = 1e-3;
        if (from_.solver.kind != SolverKind::rkf45) return {};
        for (const PairHit& hit : memory_.search.crossings()) {
            if (is_known(memory_.known_pairs, hit.pair.key())) continue;
            const bool is_event = hit.time > kShortestEvent * from_.solver.step && hit.time < (1 - kAtTheEnd) * h_;
            return is_event ? std::optional(hit.time) : std::nullopt;
        }
        return {};
    }

    // Just behind the moment, so that the next try sees the crossing at its end.
    static Attempt end_at(double meeting)
    {
        constexpr double kBehind = 1e-6;
        return {.accepted = false, .retry_h = meeting * (1 + kBehind)};
    }

    bool search()
    {
        const StepMotion motion = straight_motion(std::span(from_.x).first(free_count()), free_part_of(to_.x), h_);
        return memory_.search.find(motion, thickness_);
    }
    std::size_t free_count() const { return static_cast<std::size_t>(model_.free_count); }
    std::span<const Vec3> free_part_of(const std::vector<Vec3>& x) const { return std::span(x).first(free_count()); }

    void take_touches()
    {
        for (const Touch& touch : from_.touches) {
            Contact c = contact_of(touch, model_.surface);
            Vec3 apart;
            for (std::size_t k = 0; k < 3; ++k) {
                if (c.a.point[k] >= 0) apart += to_.x[c.a.point[k]] * c.a.weight[k];
                if (c.b.point[k] >= 0) apart -= to_.x[c.b.point[k]] * c.b.weight[k];
            }
            c.gap = dot(apart, c.normal) - thickness_;
            ContactRow row = correction_.make_row(c, false);
            row.lambda = touch.force * h_;
            row.slip = row.carried = touch.slip * h_;
            row.push = row.lambda * way_ * h_;
            add(c, row, false);
            memory_.known_pairs.push_back(c.key);
        }
    }

    void add(Contact& c, ContactRow& row, bool is_hit)
    {
        if (is_of_surfaces(c)) {
            // Whatever starts too near goes apart slowly; what crosses must at least come out.
            const double start = correction_.start_gap(c, row) + kRecovery * thickness_;
            c.gap -= std::clamp(start, is_hit ? -0.5 * thickness_ : -2 * thickness_, 0.0);
        }
        if (!row.is_impact) row.acting_time = way_ * h_;
        contacts_.push_back(c);
        rows_.push_back(row);
    }

    static bool is_known(const std::vector<std::uint64_t>& known, std::uint64_t key)
    {
        return std::binary_search(known.begin(), known.end(), key);
    }

    // A pair that crosses although it has a row gets another one with its new normal; others get one only once.
    void add_found()
    {
        for (const Contact& hit : memory_.search.hits()) take(hit, true);
        for (const Contact& near : memory_.search.near())
            if (!is_known(memory_.known_pairs, near.key)) take(near, false);
        if (!model_.shapes.empty()) {
            find_contacts(memory_.shapes, query_of(to_, model_));
            for (const Contact& c : memory_.shapes)
                if (!is_known(memory_.known_shapes, c.key)) take(c, false);
        }
        note_known();
    }

    void take(const Contact& found, bool is_hit)
    {
        Contact c = found;
        ContactRow row = correction_.make_row(c);
        add(c, row, is_hit);
    }

    void note_known()
    {
        memory_.known_pairs.clear(), memory_.known_shapes.clear();
        for (const Contact& c : contacts_)
            (is_of_surfaces(c) ? memory_.known_pairs : memory_.known_shapes).push_back(c.key);
        std::sort(memory_.known_pairs.begin(), memory_.known_pairs.end());
        std::sort(memory_.known_shapes.begin(), memory_.known_shapes.end());
    }

    void solve()
    {
        for (int pass = 0; pass < from_.contact.iterations; ++pass) {
            double moved = 0;
            for (std::size_t i = 0; i < rows_.size(); ++i) {
                moved = std::max(moved, correction_.hold_apart(contacts_[i], rows_[i]));
                const double before = rows_[i].lambda;
                correction_.push_apart(contacts_[i], rows_[i]);
                correction_.rub(contacts_[i], rows_[i]);
                moved = std::max(moved, std::abs(rows_[i].lambda - before) * rows_[i].inverse_mass * h_);
            }
            if (moved < kStill * thickness_) break;
        }
        for (std::size_t i = 0; i < rows_.size(); ++i) correction_.carry(contacts_[i], rows_[i]);
    }

    static Attempt too_long(double longest)
    {
        return {.accepted = false, .retry_h = longest, .issue = {.kind = IssueKind::not_converged}};
    }

    // Contact takes energy, never gives any, and moves nothing farther than things moved by themselves.
    bool is_wild() const
    {
        double start = 0, free = 0, end = 0, farthest = 0, moved = 0;
        for (std::size_t i = 0; i < free_count(); ++i) {
            start += model_.mass[i] * norm2(from_.v[i]);
            free += model_.mass[i] * norm2(memory_.free_v[i]);
            end += model_.mass[i] * norm2(to_.v[i]);
            farthest = std::max(farthest, norm2(memory_.free_x[i] - from_.x[i]));
            moved = std::max(moved, norm2(to_.x[i] - memory_.free_x[i]));
        }
        return !(end <= kWildEnergy * std::max(start, free)) ||
               !(std::sqrt(moved) <= kWildWay * std::sqrt(farthest) + 2 * thickness_) || crushes();
    }

    // Whether some tetrahedron is squeezed to a fraction of what it was (W-08): the integrator has no say in
    // corrections. One that is flat already is left to its law.
    bool crushes() const
    {
        constexpr double kLeastShare = 0.25, kFlat = 0.1;
        const auto volume = [](const Tet& t, const std::vector<Vec3>& x) {
            return dot(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]), x[t[3]] - x[t[0]]);
        };
        return std::any_of(model_.surface.tets.begin(), model_.surface.tets.end(), [&](const Tet& t) {
            const double before = std::min(volume(t, from_.x), volume(t, memory_.free_x));
            return before > kFlat * volume(t, model_.start_x) && !(volume(t, to_.x) > kLeastShare * before);
        });
    }

    Attempt give_up() const
    {
        const Contact& worst = memory_.search.hits().empty() ? contacts_.front() : memory_.search.hits().front();
        const std::int32_t node = std::max(0, worst.a.point[0]);
        const std::int32_t body = worst.a.body;
        return {.accepted = false,
                .retry_h = 0.5 * h_,
                .issue = {.kind = IssueKind::penetrating,
                          .body = body,
                          .vertex = node - model_.bodies[static_cast<std::size_t>(body)].first_point}};
    }

    // Back to the proposal, with all that touches in lumps. They only grow, so this ends: at the latest with everything
    // in one. What still crosses then is carried into each other by whoever holds it.
    void move_lumps()
    {
        to_.x = memory_.free_x, to_.v = memory_.free_v;
        Lumps& lumps = memory_.lumps;
        lumps.clear();
        for (const Contact& c : contacts_)
            if (is_of_surfaces(c)) lumps.join(c);
        contacts_.clear(), rows_.clear();
        bool has_grown = true;
        for (int round = 0; has_grown; ++round) {
            has_grown = false;
            to_.ledger.impact += lumps.move(to_, model_, from_);
            if (!search()) break;
            for (const Contact& hit : memory_.search.hits()) {
                has_grown |= lumps.join(hit);
                if (round > kPatience) has_grown |= join_surfaces(hit);
            }
        }
        to_.tally.held += lumps.count();
    }

    // All vertices on the surface of two bodies.
    bool join_surfaces(const Contact& hit)
    {
        bool has_grown = false;
        for (std::size_t v = 0; v < model_.surface.vertices.size(); ++v)
            if (model_.surface.vertex_body[v] == hit.a.body || model_.surface.vertex_body[v] == hit.b.body)
                has_grown |= memory_.lumps.join(hit.a.point[0], model_.surface.vertices[v]);
        return has_grown;
    }

    void finish()
    {
        to_.tally.resting = 0;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            correction_.book(contacts_[i], rows_[i]);
            if (rows_[i].lambda > 0 && !rows_[i].is_impact) ++to_.tally.resting;
        }
        keep_touches();
        place_bound_points(to_.x, to_.v, model_);
    }

    // What still touches at the end, with the force that it carries on its own: an impact is over.
    void keep_touches()
    {
        to_.touches.clear();
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (!is_of_surfaces(contacts_[i])) continue;
            const ContactRow& row = rows_[i];
            const double goes_on = row.is_impact ? std::min(row.workless, row.lambda) : row.lambda;
            if (!(goes_on > 0)) continue;
            const SurfacePair pair = SurfacePair::from_key(contacts_[i].key);
            const auto now = contact_between(model_.surface, pair, to_.x);
            if (!now || !(now->gap < 2 * thickness_) || !(dot(now->normal, contacts_[i].normal) > 0)) continue;
            to_.touches.push_back({.key = now->key,
                                   .node = pair_nodes(model_.surface, pair),
                                   .weight = pair_weights(*now),
                                   .normal = now->normal,
                                   .force = goes_on / h_,
                                   .slip = row.slip * (goes_on / (row.lambda * h_))});
        }
        std::sort(to_.touches.begin(), to_.touches.end(),
                  [](const Touch& a, const Touch& b) { return a.key != b.key ? a.key < b.key : a.force < b.force; });
        join_doubles();
    }

    // Rows of one pair with several normals become one touch.
    void join_doubles()
    {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < to_.touches.size(); ++i) {
            if (kept > 0 && to_.touches[kept - 1].key == to_.touches[i].key) {
                to_.touches[kept - 1].force += to_.touches[i].force;
                to_.touches[kept - 1].slip += to_.touches[i].slip;
            } else
                to_.touches[kept++] = to_.touches[i];
        }
        to_.touches.resize(kept);
    }

    State& to_;
    const Model& model_;
    const State& from_;
    double h_;
    ImpulseScratch& memory_;
    std::vector<Contact>& contacts_;
    std::vector<ContactRow>& rows_;
    double thickness_, way_;
    Correction correction_;
};

}  // namespace

bool solids_meet(const Model& model, const State& from)
{
    return from.contact.enabled && !model.surface.faces.empty();
}

double way_of_force(SolverKind kind)
{
    switch (kind) {
    case SolverKind::euler:
        return 0;
    case SolverKind::semi_implicit_euler:
    case SolverKind::finite_differences:
    case SolverKind::implicit_euler:
    case SolverKind::bdf2:
    case SolverKind::linearly_implicit_euler:
    case SolverKind::xpbd:
    case SolverKind::vbd:
    case SolverKind::projection:
        return 1;
    default:
        return 0.5;
    }
}

double contact_thickness(const Model& model, const State& from)
{
    return from.contact.thickness > 0 ? from.contact.thickness : model.surface_thickness;
}

double longest_touching_step(const Model& model, const State& from)
{
    const bool has_solids = std::any_of(model.bodies.begin(), model.bodies.end(),
                                        [](const Body& body) { return body.kind == BodyKind::solid; });
    const bool is_limited = from.contact.enabled && has_solids &&
                            from.contact.response != ContactResponse::thesis_springs &&
                            from.contact.response != ContactResponse::barrier && !from.touches.empty();
    return is_limited ? longest_step(from) : std::numeric_limits<double>::infinity();
}

void expect_touches(Scratch& scratch, const Model& model, const State& from)
{
    scratch.contact_force.clear();
    if (!solids_meet(model, from) || from.touches.empty()) return;
    if (from.contact.response != ContactResponse::impulses) return;
    scratch.contact_force.resize(static_cast<std::size_t>(model.free_count));
    for (const Touch& touch : from.touches) {
        const std::size_t of_a = nodes_of_first(SurfacePair::from_key(touch.key));
        const Vec3 force = touch.normal * touch.force + touch.slip;
        for (std::size_t k = 0; k < 4; ++k)
            scratch.contact_force[static_cast<std::size_t>(touch.node[k])] +=
                force * (k < of_a ? touch.weight[k] : -touch.weight[k]);
    }
}

Attempt correct_by_impulses(State& to, const Model& model, const State& from, double h, Scratch& scratch, int& contacts)
{
    ImpulseScratch& memory = impulse_scratch(scratch, model, from);
    memory.free_x = to.x;
    memory.free_v = to.v;
    const Attempt attempt = Impulses(to, model, from, h, scratch).run();
    contacts = static_cast<int>(scratch.contacts.size());
    return attempt;
}

}  // namespace pliant
