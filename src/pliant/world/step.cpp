// SPDX-License-Identifier: MIT
#include <pliant/world/step.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <pliant/base/error.h>
#include <pliant/model/held_motion.h>
#include <pliant/model/points.h>
#include <pliant/response/barrier.h>
#include <pliant/response/bridson.h>
#include <pliant/response/impulses.h>
#include <pliant/response/mesh_collision.h>
#include <pliant/response/projection.h>
#include <pliant/response/thesis_springs.h>
#include <pliant/solver/contact_velocity.h>
#include <pliant/solver/forces.h>
#include <pliant/solver/solver.h>
#include <pliant/solver/stability.h>
#include <pliant/world/after_integration.h>
#include <pliant/world/events.h>
#include <pliant/world/inputs.h>
#include <pliant/world/made_energy.h>
#include <pliant/world/measures.h>

namespace pliant {

namespace {

// Steps between two estimates of the stability limit. Rates change as fast as shapes do, which is
// slowly in units of stable steps.
constexpr std::int64_t kStepsPerEstimate = 16;

// Parts that one step may be cut into before the scene is called hopeless for its solver.
constexpr double kMostSubsteps = 1e6;

double stability_limit(World& world)
{
    State& state = world.state;
    History& history = state.history;
    if (history.rates_step < 0 || state.step - history.rates_step >= kStepsPerEstimate) {
        const Rates rates = rate_bounds(*world.model, state, world.scratch);
        history.rates_step = state.step;
        history.stiffness_rate = rates.stiffness;
        history.damping_rate = rates.damping;
        history.stable_step = stable_step(state.solver.kind, rates.stiffness, rates.damping);
    }
    return history.stable_step;
}

// Share of the limit for substeps auto. Fast modes that ring on must also keep their energy, which an
// integrator near its limit eats; where damping kills them within a period, stability is all they need.
double share_of_limit(const State& state)
{
    constexpr double kRinging = 0.4;
    const double fastest = std::sqrt(state.history.stiffness_rate);
    const double damping_ratio = fastest > 0 ? state.history.damping_rate / (2 * fastest) : 1;
    return state.solver.safety * std::clamp(damping_ratio, kRinging, 1.0);
}

// The step ahead: its length, and the limit it was judged by.
struct Length {
    double h = 0, limit = 0;
    bool hopeless = false;
};

// When the step loop must stop on the way: at inputs and keyframes.
double next_stop(const World& world, double end)
{
    return std::min({end, next_input_time(world), next_keyframe_time(*world.model, world.state.time)});
}

// Steps of the solver that contacts let pass in one go.
int parts_of_collision_step(const World& w)
{
    return surfaces_meet(*w.model, w.state) ? w.state.contact.substeps : 1;
}

// Equal parts up to the next frame, input or keyframe, each no longer than the solver's step and, when asked,
// than the share of the stability limit.
Length next_length(World& world, double end)
{
    const State& state = world.state;
    const double ahead = next_stop(world, end) - state.time;
    Length length{.limit = stability_limit(world)};
    double longest = state.solver.step;
    const bool is_adaptive =
        state.solver.kind == SolverKind::rkf45 || (state.solver.adaptive && is_implicit(state.solver.kind));
    if (is_adaptive) {
        // Its error tells it more than the limit does: a step that grows is a step of large error.
        length.limit = std::numeric_limits<double>::infinity();
        if (state.history.adaptive_step > 0) longest = std::min(longest, state.history.adaptive_step);
    } else if (state.solver.substeps.is_auto())
        longest = std::min(longest, share_of_limit(state) * length.limit);
    else
        longest /= state.solver.substeps.value;
    longest = std::min(longest, longest_touching_step(*world.model, state));
    const int parts_of_step = parts_of_collision_step(world);
    longest *= parts_of_step, length.limit *= parts_of_step;
    if (state.history.collision_step > 0) longest = std::min(longest, state.history.collision_step);
    length.hopeless = !(longest > state.solver.step / kMostSubsteps);
    // A hair of tolerance: 0.025 s must be ten steps of 0.0025 s, not eleven.
    const double parts = length.hopeless ? 1 : std::ceil(ahead / longest * (1 - 1e-9));
    length.h = ahead / std::max(1.0, parts);
    return length;
}

Issue at_point(IssueKind kind, const Model& model, std::int32_t node, double value)
{
    Issue issue{.kind = kind, .value = value};
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const Body& body = model.bodies[b];
        const bool in_frame =
            body.is_rigid() && node >= model.frame_node(body.frame) && node < model.frame_node(body.frame) + 4;
        if (!in_frame && !body.owns_point(node)) continue;
        issue.body = static_cast<std::int32_t>(b);
        issue.vertex = in_frame ? 0 : node - body.first_point;
    }
    return issue;
}

// Finite, and nothing jumped across the scene many times over in one step.
Attempt judge(const State& to, const Model& model, const State& from)
{
    constexpr double kLongestJump = 10;
    const double jump2 = kLongestJump * kLongestJump * model.size * model.size;
    for (std::int32_t i = 0; i < model.node_count(); ++i) {
        const double moved2 = norm2(to.x[i] - from.x[i]);
        if (moved2 <= jump2 && is_finite(to.v[i])) continue;
        const bool finite = is_finite(to.x[i]) && is_finite(to.v[i]);
        return {.accepted = false,
                .issue = at_point(finite ? IssueKind::unstable : IssueKind::non_finite, model, i, std::sqrt(moved2))};
    }
    return {};
}

// Energy of the proposal before contacts changed it, which the response left in sum_x and sum_v.
double energy_before_contact(World& w, State& to)
{
    const auto swap = [&] {
        std::swap_ranges(w.scratch.sum_x.begin(), w.scratch.sum_x.end(), to.x.begin());
        std::swap_ranges(w.scratch.sum_v.begin(), w.scratch.sum_v.end(), to.v.begin());
        if (w.model->cavities_reach_bound) place_bound_points(to.x, to.v, *w.model);
    };
    swap();
    const double energy = energies(*w.model, to).total();
    swap();
    return energy;
}

// [J] Work of the contact forces that the integrator was told to expect, along its way.
double expected_work(const World& w)
{
    double work = 0;
    for (std::size_t i = 0; i < w.scratch.contact_force.size(); ++i)
        work += dot(w.scratch.contact_force[i], w.scratch.sum_x[i] - w.state.x[i]);
    return work;
}

// Surfaces of all bodies. What contacts changed of the energy is booked, whichever way: energy.dissipated that falls is
// energy that they gave.
int meet_surfaces(World& w, State& to, double h, Attempt& attempt)
{
    SurfaceWork work;
    const Attempt corrected = correct_by_bridson(to, *w.model, w.state, h, w.scratch, work);
    attempt.accepted = corrected.accepted, attempt.retry_h = corrected.retry_h;
    if (!corrected.accepted) attempt.issue = corrected.issue;
    if (!corrected.accepted || work.contacts == 0) return 0;
    if (const Attempt updated = update_contact_velocities(to, *w.model, w.state, h, w.scratch); !updated.accepted) {
        attempt.accepted = false, attempt.issue = updated.issue;
        return 0;
    }
    const double lost = energy_before_contact(w, to) - expected_work(w) - energies(*w.model, to).total() + work.carried;
    const double rubbed = std::clamp(work.friction, 0.0, std::max(0.0, lost));
    to.ledger.external += work.carried;
    to.ledger.friction += rubbed;
    to.ledger.impact += lost - rubbed;
    return work.contacts;
}

// The response that the scene asks for; it may refuse the attempt. Returns the number of contacts.
int collide(World& w, State& to, double h, Attempt& attempt)
{
    const Model& model = *w.model;
    if (barrier_acts(model, w.state)) return static_cast<int>(to.tally.near);
    if (surfaces_meet(model, w.state)) return meet_surfaces(w, to, h, attempt);
    if (!solids_meet(model, w.state)) {
        to.touches.clear();
        return correct_by_projection(to, model, w.state, h, w.scratch) + meet_meshes(to, model, w.state, h, w.scratch);
    }
    if (w.state.contact.response == ContactResponse::thesis_springs)
        return correct_by_projection(to, model, w.state, h, w.scratch) + meet_meshes(to, model, w.state, h, w.scratch) +
               update_contact_springs(to, model, w.state, h, w.scratch);
    int contacts = meet_meshes(to, model, w.state, h, w.scratch);
    const Attempt corrected = correct_by_impulses(to, model, w.state, h, w.scratch, contacts);
    attempt.accepted = corrected.accepted, attempt.retry_h = corrected.retry_h, attempt.issue = corrected.issue;
    return contacts;
}

// The integrator, as often as contacts let it.
Attempt advance_to_contacts(World& w, State& to, double h)
{
    const int parts = parts_of_collision_step(w);
    if (parts == 1) return advance(to, *w.model, w.state, h, w.scratch);
    State& middle = w.scratch.middle;
    middle = w.state;
    Attempt attempt;
    for (int part = 0; part < parts; ++part) {
        attempt = advance(to, *w.model, middle, h / parts, w.scratch);
        if (!attempt.accepted) {
            attempt.retry_h *= parts;
            break;
        }
        if (part + 1 < parts) middle = to;
    }
    return attempt;
}

// Energy that the step made of nothing: a shorter one where it is much, down to this share of solver.step; otherwise it is
// taken back. False: the step is to be tried again.
bool give_back_made_energy(World& w, State& to, double h, const CarryingWork& hands, Attempt& attempt)
{
    constexpr double kShortest = 0.2;
    if (to.tally.near == 0) return true;
    const MadeEnergy made = made_energy(to, *w.model, w.state, hands);
    if (made.is_much && h > kShortest * w.state.solver.step) {
        attempt.accepted = false, attempt.retry_h = h / 2;
        attempt.issue = {.kind = IssueKind::not_converged, .value = h / 2};
        return false;
    }
    if (!w.scratch.pieces) w.scratch.pieces.make(*w.model);
    take_back(to, *w.model, made.energy, *w.scratch.pieces);
    return true;
}

Attempt try_step(World& w, State& to, double h, StepReport& report)
{
    const Model& model = *w.model;
    Attempt attempt;
    expect_touches(w.scratch, model, w.state);
    expect_surface_touches(w.scratch, model, w.state);
    {
        StageTimer timer(w.scratch.profile, Stage::integrate);
        attempt = advance_to_contacts(w, to, h);
    }
    if (attempt.accepted && !model.holds.empty()) hold_lengths(to, model, w.state, w.scratch);
    if (attempt.accepted) {
        StageTimer timer(w.scratch.profile, Stage::collide);
        const int contacts = collide(w, to, h, attempt);
        report.contacts = std::max(report.contacts, contacts);
        // Velocities that contacts turned say nothing about the accelerations to come.
        if (contacts > 0) to.history.before_h = 0;
        // Drag that waited for this is in the matrix from now on.
        if (to.touched != w.state.touched) to.history.matrix_h = 0;
    }
    w.scratch.contact_force.clear();
    StageTimer timer(w.scratch.profile, Stage::judge);
    if (attempt.accepted)
        if (const Attempt judged = judge(to, model, w.state); !judged.accepted) attempt = judged;
    if (attempt.accepted) {
        const CarryingWork hands = book_carrying_work(to, model, w.state, h, w.scratch);
        book_external_work(to, model, w.state, h);
        if (barrier_acts(model, w.state) && !give_back_made_energy(w, to, h, hands, attempt)) return attempt;
        if (w.state.solver.kind == SolverKind::static_balance) close_static_account(to, model, w.state);
        give_way(to, model, h);
        if (model.watches_rest) measure_rest(to, model, w.state, h);
    }
    return attempt;
}

void take_issue(StepReport& report, Issue issue, const Length& length)
{
    // A limit that was kept is no cure.
    issue.limit = length.h > length.limit || length.hopeless ? length.limit : std::numeric_limits<double>::infinity();
    report.issue = issue;
    report.status = Status::failed;
}

void warn_if_too_long(StepReport& report, const Length& length)
{
    if (report.status != Status::ok || length.h <= length.limit) return;
    report.status = Status::warning;
    report.issue = {.kind = IssueKind::step_too_long, .value = length.h, .limit = length.limit};
}

// The node that moves farthest within h, as the place of an instability.
Issue at_fastest_node(const World& w, double h)
{
    std::int32_t fastest = 0;
    for (std::int32_t i = 1; i < w.model->free_count; ++i)
        if (norm2(w.state.v[i]) > norm2(w.state.v[fastest])) fastest = i;
    return at_point(IssueKind::unstable, *w.model, fastest, norm(w.state.v[fastest]) * h);
}

// Proposes steps, shorter and shorter, until one is accepted or none can be.
void try_and_shorten(World& w, Length& length, StepReport& report)
{
    for (;;) {
        const Attempt attempt = try_step(w, w.scratch.to, length.h, report);
        report.iterations += attempt.iterations;
        report.residual = attempt.residual;
        report.unbalanced = std::max(report.unbalanced, attempt.unbalanced);
        if (attempt.accepted) return;
        if (!(attempt.retry_h > 0)) {
            // A cavity turned inside out by a step beyond the limit is an instability: its fastest vertex tells.
            const bool is_explosion = attempt.issue.kind == IssueKind::inverted && length.h > length.limit;
            take_issue(report, is_explosion ? at_fastest_node(w, length.h) : attempt.issue, length);
            return;
        }
        ++report.retries;
        length.h = attempt.retry_h;
        if (attempt.issue.kind == IssueKind::penetrating && surfaces_meet(*w.model, w.state)) {
            w.state.history.collision_step = attempt.retry_h;
            ++w.state.tally.halvings;
        }
        // Otherwise an adaptive solver would take the next step for one cut short by a frame, and hope again.
        w.state.history.adaptive_step = std::min(w.state.history.adaptive_step, attempt.retry_h);
    }
}

// Shortens the proposed step to where the first event lies, just behind it.
std::optional<Happening> end_at_event(World& w, Length& length, StepReport& report)
{
    if (w.model->events.empty()) return {};
    // Tries are few: the place within a long step is not exact, within a short one it is.
    constexpr int kMostTries = 4;
    constexpr double kBehind = 1e-9, kShortest = 1e-6;
    std::optional<Happening> happening = first_event(w, w.state, w.scratch.to);
    for (int i = 0; happening && i < kMostTries; ++i) {
        const double way = happening->time - w.state.time;
        if (way >= length.h * (1 - kBehind)) break;
        length.h = std::max(way * (1 + kBehind), kShortest * std::min(length.h, w.state.solver.step));
        try_and_shorten(w, length, report);
        if (report.failed()) return {};
        if (const auto again = first_event(w, w.state, w.scratch.to)) happening = again;
    }
    return happening;
}

// Copies the proposal into the same memory. The last part of an interval ends on `stop` exactly,
// whatever rounding did on the way.
void accept(World& w, double stop, double h)
{
    State& to = w.scratch.to;
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(stop);
    if (std::abs(to.time - stop) < std::max(1e-9 * h, rounding)) to.time = stop;
    w.state = to;
    // A step that crossings cut short becomes longer again, doubled in four steps.
    constexpr double kRegrowth = 1.189207115002721;
    double& longest = w.state.history.collision_step;
    if (longest > 0) longest = longest * kRegrowth < w.state.solver.step ? longest * kRegrowth : 0;
    turn_at_keyframe(w.state, *w.model);
}

}  // namespace

StepReport step_to(World& w, double end)
{
    PLIANT_ASSERT(std::isfinite(end), "a step ends at a finite time");
    w.scratch.profile = {};
    StepReport report;
    Length length;
    {
        StageTimer whole(w.scratch.profile, Stage::step);
        std::fill(w.state.pin_impulse.begin(), w.state.pin_impulse.end(), Vec3{});
        apply_due_inputs(w);
        while (w.state.time < end && !report.failed()) {
            length = next_length(w, end);
            if (length.hopeless) {
                take_issue(report, {.kind = IssueKind::unstable, .value = length.h}, length);
                break;
            }
            warn_if_too_long(report, length);
            try_and_shorten(w, length, report);
            if (report.failed()) break;
            const std::optional<Happening> happening = end_at_event(w, length, report);
            if (report.failed()) break;
            if (happening) w.scratch.before = w.state;
            accept(w, next_stop(w, end), length.h);
            if (happening) report.events += let_happen(w, w.scratch.before, *happening);
            ++report.substeps;
            apply_due_inputs(w);
        }
    }
    if (!report.failed()) {
        StageTimer timer(w.scratch.profile, Stage::measure);
        update_energy_account(w);
        if (const std::int32_t node = overstretched_node(*w.model, w.state); node >= 0)
            take_issue(report, at_point(IssueKind::unstable, *w.model, node, -1), length);
    }
    report.time = w.state.time;
    report.profile = w.scratch.profile;
    return report;
}

StepReport step(World& world, double dt)
{
    return step_to(world, world.state.time + dt);
}

}  // namespace pliant
