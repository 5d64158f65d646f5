// SPDX-License-Identifier: MIT

// Newton's method with response barrier: contacts are terms of the objective, rigid bodies are unknowns, and every
// iteration goes along a way that crosses nothing (contact_way.h).
//
// The iteration begins where the step does. What is held moves with it: what it has ahead is part of the first direction,
// and of what the others feel of it. A way that crossings cut short is not counted, as often as the budget says: otherwise
// sheets would brake in the air. Matrices are projected, and where a step slams into contacts the next iteration sees
// them, so there is no search along the direction; only where forces push back along the way is it shortened.
// Whatever is left over when the budget ends is told (Attempt::unbalanced), and the state is as free of crossings as any.
// References: evidence-contact-solver sections 2..4.

#include <algorithm>
#include <cmath>

#include <pliant/solver/newton.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

// Iterations of a linear solve that goes nowhere; directions need not be sharp.
constexpr int kMostLinear = 300;
constexpr double kLinearTolerance = 0.03;
// Iterations after which levels without contacts are given up.
constexpr int kPatience = 50;
// A step ends when an iteration moves nothing by more than this share of the smallest thickness, nor by more than this
// share of what gravity does in a step (or solver.accuracy, if that is more).
constexpr double kStill = 0.02, kStillFall = 0.001;
// Steps that crossings cut short of more than this share of their longest way are halved, down to this share of
// solver.step.
constexpr double kMostMissing = 0.25, kShortestCut = 0.2;

}  // namespace

double Newton::step_length() const
{
    return rule_.end_time - from_.time;
}

void Newton::add_contact_forces()
{
    ContactWay& way = memory_.way;
    way.set_frame_forces(memory_.downhill, to_.x, scratch_.force);
    contacts_->evaluate(to_.x, BarrierContacts::Rows::expected_as_well);
    for (const BarrierRow& row : contacts_->rows()) way.add_row_force(memory_.downhill, row.at, row.force);
    hold_downhill();
}

void Newton::hold_downhill()
{
    const auto held = memory_.way.held();
    for (std::size_t i = 0; i < held.size(); ++i) memory_.downhill[i] = masked(memory_.downhill[i], held[i]);
}

// Before held coordinates are cut out of the matrix: contacts of one side, whose vertices elements join, the pull of what is
// expected, and what the others feel of the way that held ones have ahead.
void Newton::add_contact_stiffness()
{
    for (const BarrierRow& row : contacts_->rows()) {
        if (!row.is_one_sided) continue;
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = i; j < 4; ++j) {
                const std::int32_t a = row.at.vertex[i], b = row.at.vertex[j];
                if (a < 0 || b < 0) continue;
                const std::int64_t place = memory_.matrix.find(std::min(a, b), std::max(a, b));
                PLIANT_ASSERT(place >= 0, "vertices of one face share an element");
                memory_.matrix.block[static_cast<std::size_t>(place)] +=
                    row.stiffness * (row.at.weight[i] * row.at.weight[j]);
            }
    }
    ContactWay& way = memory_.way;
    for (const BarrierRow& row : contacts_->rows()) way.add_row_force(memory_.downhill, row.at, row.pull);
    hold_downhill();
    if (!way.is_carried()) return;
    const auto ahead = way.look_ahead(to_);
    std::copy_n(ahead.begin(), free_, memory_.trial.begin());
    multiply(memory_.behind, memory_.matrix, memory_.trial, memory_.linear.windows);
    for (std::size_t i = 0; i < free_; ++i) memory_.downhill[i] -= memory_.behind[i];
    const auto rows = contacts_->rows();
    for (std::size_t r = 0; r < rows.size(); ++r)
        way.add_row_force(memory_.downhill, rows[r].at, contacts_->force_ahead(r));
    hold_downhill();
}

void Newton::set_contact_product()
{
    ContactWay& way = memory_.way;
    const auto frames = way.has_free_frames() ? way.frame_inertia(to_.x) : std::span<const FrameBlock>();
    memory_.product.set(contacts_->rows(), free_, frames, way.held());
}

void Newton::find_contact_diagonal()
{
    std::vector<Mat3>& diagonal = memory_.contact_diagonal;
    diagonal.assign(free_, Mat3{});
    for (const BarrierRow& row : contacts_->rows()) {
        if (row.is_one_sided) continue;
        for (std::size_t k = 0; k < 4; ++k)
            if (const std::int32_t v = row.at.vertex[k]; v >= 0)
                diagonal[v] += row.stiffness * (row.at.weight[k] * row.at.weight[k]);
    }
    for (std::size_t i = 0; i < free_; ++i)
        for (int a = 0; a < 3; ++a)
            for (int b = 0; from_.held[i] != 0 && b < 3; ++b)
                if ((from_.held[i] >> a & 1) != 0 || (from_.held[i] >> b & 1) != 0) diagonal[i].m[a][b] = 0;
}

LinearResult Newton::solve_contacts_once(int most_iterations)
{
    const ContactProduct* product = &memory_.product;
    const LinearOptions options{
        .tolerance = kLinearTolerance, .most_iterations = most_iterations, .measures_way = true};
    const std::size_t unknowns = free_ + 2 * product->frame_count();
    const auto direction = std::span(memory_.direction).first(unknowns);
    const auto downhill = std::span<const Vec3>(memory_.downhill).first(unknowns);
    std::fill(memory_.direction.begin(), memory_.direction.end(), Vec3{});
    const bool is_plain = memory_.borders.empty() && memory_.is_grouped && product->frame_count() == 0;
    return is_plain ? memory_.aggregation().solve(direction, downhill, options, product->empty() ? nullptr : product)
                    : bordered_conjugate_gradients(direction, memory_.matrix, memory_.borders, downhill,
                                                   memory_.preconditioner, options, memory_.linear, product);
}

// Levels of sheets alone do where contacts are few. Where a solve shows that they do not, this one and the others of the
// step have levels with contacts.
bool Newton::solve_contacts()
{
    StageTimer timer(scratch_.profile, Stage::linear);
    fill_borders();
    const bool may_join = memory_.is_grouped && !memory_.aggregation().is_joined() && memory_.product.row_count() > 0;
    LinearResult solved = solve_contacts_once(may_join ? kPatience : kMostLinear);
    if (may_join && solved.status == LinearStatus::not_converged) {
        memory_.joins_levels = true;
        if (!join_levels()) return false;
        solved = solve_contacts_once(kMostLinear);
    }
    return solved.status != LinearStatus::indefinite;
}

bool Newton::join_levels()
{
    return memory_.aggregation().refresh_joined(memory_.matrix, memory_.inertia, std::span(from_.held).first(free_),
                                                memory_.product) < 0;
}

double Newton::size_of_downhill() const
{
    double sum = 0;
    for (const Vec3& v : memory_.downhill) sum += norm2(v);
    return std::sqrt(sum);
}

double Newton::along_direction() const
{
    double sum = 0;
    for (std::size_t i = 0; i < memory_.direction.size(); ++i) sum += dot(memory_.downhill[i], memory_.direction[i]);
    return sum;
}

// Where the way led so far beyond its lowest point that forces push back along it, contacts that come and go could make the
// next one lead back again, for ever. Back to where the push is nought if it grows evenly: a part of a way that
// crosses nothing crosses nothing.
bool Newton::step_back(double slope)
{
    constexpr double kMostPush = 0.5, kLeast = 0.1;
    const double push = -along_direction();
    if (!(push > kMostPush * slope) || !(slope > 0)) return true;
    memory_.way.step_back(to_, std::max(kLeast, slope / (slope + push)));
    return evaluate();
}

// Whether what lies ahead is little for each body in the mean, where `still_enough` asks its fastest vertex: forces work no
// more along the direction than it takes to move all of the body's mass by that much within the step.
bool Newton::leads_on_little() const
{
    const double speed = little_way() / step_length();
    for (const Body& body : model_.bodies) {
        double work = 0, mass = 0;
        const auto add = [&](std::size_t row) { work += dot(memory_.downhill[row], memory_.direction[row]); };
        if (body.is_rigid()) {
            const std::size_t row = free_ + 2 * static_cast<std::size_t>(body.frame);
            add(row), add(row + 1);
            mass = model_.mass[static_cast<std::size_t>(model_.frame_node(body.frame))];
        } else {
            const NodeRange nodes = mass_nodes(model_, body);
            for (std::int32_t i = nodes.first; i < nodes.first + nodes.count; ++i)
                add(static_cast<std::size_t>(i)), mass += model_.mass[static_cast<std::size_t>(i)];
        }
        if (!(std::abs(work) <= mass * speed * speed)) return false;
    }
    return true;
}

// One iteration; the share of its way that nothing crosses, or -1.
double Newton::iterate_in_contact(int iteration)
{
    if (!fill_matrix_at(std::span<const Vec3>(to_.x).first(free_), 1 / rule_.c, true, iteration) || !solve_contacts())
        return -1;
    const double slope = along_direction();
    is_little_ahead_ = leads_on_little();
    // What is held must not be taken back from where it has to be.
    const bool arrives = !memory_.way.has_arrived(to_);
    const double share = memory_.way.walk(to_, memory_.direction);
    return share >= 0 && evaluate() && (arrives || step_back(slope)) ? share : -1;
}

// [m] Of a vertex or centre over the step, as velocities at its start would have it.
double Newton::longest_way() const
{
    double fastest = 0;
    for (std::int32_t i = 0; i < model_.node_count(); ++i)
        if (i < model_.free_count || (i - model_.free_count) % 4 == 0) fastest = std::max(fastest, norm2(from_.v[i]));
    return std::sqrt(fastest) * step_length();
}

// [m]
double Newton::little_way() const
{
    const double h = step_length(), g = from_.world.gravity_enabled ? norm(from_.world.gravity) : 0;
    return std::max(from_.solver.accuracy * model_.size * h, kStillFall * g * h * h);
}

double Newton::still_enough() const
{
    return std::min(kStill * contacts_->least_thickness(), little_way());
}

Attempt Newton::run_in_contact()
{
    Attempt attempt;
    memory_.way.begin(to_, model_, from_, step_length(), *contacts_);
    memory_.joins_levels = false;
    // The first guess: everything goes on with its velocity, as far as nothing crosses. What Newton's method then finds is
    // small, and so is what linear solves leave of it.
    if (memory_.way.go_on_as_before(to_, memory_.direction) < 0 || !evaluate()) return failed(attempt);
    const double driving = size_of_downhill();
    const int budget = from_.contact.budget;
    const double still = still_enough();
    bool is_done = false;
    double missing = 0;
    for (int counted = 0; counted < budget && attempt.iterations < 2 * budget && !is_done; ++attempt.iterations) {
        const double share = iterate_in_contact(attempt.iterations);
        if (share < 0) return failed(attempt);
        const double went = memory_.way.longest();
        missing = share > 0 ? went / share - went : 0;
        if (share < 1)
            ++to_.tally.cuts;
        else
            ++counted;
        is_done = share == 1 && (went <= still || is_little_ahead_);
    }
    attempt.residual = memory_.way.longest();
    to_.tally.unbalanced = attempt.unbalanced =
        unbalanced_share(size_of_downhill(), driving, model_, from_, to_, step_length());
    if (!is_done) ++to_.tally.over_budget;
    to_.history.matrix_h = 0;
    bool moved = false;
    // Where much of the way is still missing when the allowance ends, everything would be braked: shorter steps, as far as
    // the cost is bounded.
    const bool brakes = missing > kMostMissing * longest_way() && step_length() > kShortestCut * from_.solver.step;
    if (!brakes && memory_.way.has_arrived(to_) && memory_.way.make_frames_rigid(to_, moved) && (!moved || evaluate()))
        return attempt;
    attempt.accepted = false;
    attempt.issue = memory_.way.stuck_issue(to_);
    return attempt;
}

void Newton::end_contacts(double h)
{
    contacts_->end_step(to_, h);
    scratch_.profile += contacts_->search().profile();
}

}  // namespace pliant
