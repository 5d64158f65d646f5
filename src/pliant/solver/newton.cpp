// SPDX-License-Identifier: MIT
#include <pliant/solver/newton.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include <pliant/solver/air.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

constexpr int kMostIterations = 60, kMostHalvings = 12, kIterationsPerRefresh = 4;
// A kept matrix that shrinks the way by less than this in an iteration is made anew; so is one of this age, and after
// a step that took more than kFewIterations with it.
constexpr double kGoodShrinking = 0.25;
constexpr std::int64_t kOldest = 30;
constexpr int kFewIterations = 3;

double inner(std::span<const Vec3> a, std::span<const Vec3> b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
    return sum;
}

// Whether the constant part is still that of the parameters.
bool is_current(const ConstantPart& constant, const State& state, double c)
{
    if (!constant.is_made) return false;
    for (std::size_t i = 0; i < constant.terms.size(); ++i) {
        const QuadraticBending& live = std::get<QuadraticBending>(state.live[constant.terms[i]]);
        if (!(constant.live[i] == live) || (is_damped(live) && constant.c != c)) return false;
    }
    return true;
}

// While it lives, the matrix has the blocks that contacts outside of it put on the diagonal: for preconditioners.
class DiagonalWithContacts {
public:
    explicit DiagonalWithContacts(ImplicitScratch& memory) : memory_(memory) { add(1); }
    ~DiagonalWithContacts() { add(-1); }
    DiagonalWithContacts(const DiagonalWithContacts&) = delete;
    DiagonalWithContacts& operator=(const DiagonalWithContacts&) = delete;

private:
    void add(int sign)
    {
        std::vector<Mat3>& without = memory_.diagonal_without_contacts;
        if (sign > 0) without.clear();
        for (std::size_t i = 0; i < memory_.contact_diagonal.size(); ++i) {
            Mat3& block = memory_.matrix.diagonal(static_cast<std::int32_t>(i));
            if (sign > 0)
                without.push_back(block), block += memory_.contact_diagonal[i];
            else
                block = without[i];
        }
    }
    ImplicitScratch& memory_;
};

// Sheets alone: what aggregation is made for.
bool is_cloth(const Model& model)
{
    const auto is_sheet = [](const Body& body) { return body.sheet >= 0 || body.is_rigid(); };
    return !model.sheets.empty() && std::all_of(model.bodies.begin(), model.bodies.end(), is_sheet);
}

}  // namespace

Newton::Newton(State& to, const Model& model, const State& from, Scratch& scratch, const Rule& rule)
    : to_(to)
    , model_(model)
    , from_(from)
    , scratch_(scratch)
    , memory_(*scratch.implicit)
    , rule_(rule)
    , free_(static_cast<std::size_t>(model.free_count))
{
    if (rule.is_static() || !barrier_acts(model, from)) return;
    if (!scratch.barrier) scratch.barrier.make(model, from.x);
    contacts_ = scratch.barrier.get();
}

Attempt Newton::run()
{
    Attempt attempt;
    // A last way of d leaves velocities wrong by c d, which a second of motion adds up.
    const double enough = from_.solver.accuracy * model_.size * (rule_.is_static() ? 1.0 : std::min(1.0, 1 / rule_.c));
    const double holds = 1e-10 * model_.size;
    if (is_constrained()) start_constraints();
    if (!evaluate()) return failed(attempt);
    double shrinking = 0;
    for (; attempt.iterations < kMostIterations; ++attempt.iterations) {
        if (largest_downhill() <= rounding() && violation() <= holds) break;
        if (!prepare_matrix(attempt.iterations, shrinking)) return failed(attempt);
        if ((is_fresh_ || attempt.iterations == 0) && !make_responses()) return failed(attempt);
        if (!solve()) return failed(attempt);
        constrain_direction();
        double moved = walk(inner(memory_.downhill, memory_.direction));
        if (!(moved >= 0) && !is_fresh_) {
            // An old matrix may point nowhere: back to where it started, with a new one.
            for (std::size_t i = 0; i < free_; ++i) to_.x[i] = memory_.trial[i];
            walk_multipliers(0);
            if (!evaluate() || !prepare_matrix(attempt.iterations, 1) || !make_responses() || !solve())
                return failed(attempt);
            constrain_direction();
            moved = walk(inner(memory_.downhill, memory_.direction));
        }
        if (!(moved >= 0)) return failed(attempt);
        shrinking = attempt.iterations == 0 ? 0 : moved / attempt.residual;
        attempt.residual = moved;
        is_fresh_ = false;
        if (moved <= enough && violation() <= holds) {
            ++attempt.iterations;
            break;
        }
    }
    if (attempt.iterations == kMostIterations) return failed(attempt);
    remember_age(attempt.iterations);
    keep_multipliers();
    return attempt;
}

Attempt Newton::run_once()
{
    Attempt attempt;
    attempt.iterations = 1;
    // The matrix must be that of the guess: there is no second look.
    if (!evaluate() || !prepare_matrix(0, 1)) return failed(attempt);
    linearise_air();
    if (!solve()) return failed(attempt);
    double longest = 0;
    for (std::size_t i = 0; i < free_; ++i) {
        to_.x[i] += memory_.direction[i];
        longest = std::max(longest, norm2(memory_.direction[i]));
    }
    attempt.residual = std::sqrt(longest);
    to_.history.matrix_h = 0;
    return evaluate() && std::isfinite(longest) ? attempt : failed(attempt);
}

void Newton::smooth(std::span<Vec3> error)
{
    if (model_.mass_matrix.empty()) {
        for (std::size_t i = 0; i < free_; ++i) memory_.downhill[i] = error[i] * model_.mass[i];
    } else
        multiply(memory_.downhill, model_.mass_matrix, error);
    for (std::size_t i = 0; i < free_; ++i)
        memory_.downhill[i] = masked(memory_.downhill[i] * rule_.inertia, from_.held[i]);
    // A guess that was good enough left no matrix of this step.
    if (!is_prepared_ && !prepare_matrix(0, 0)) return;
    if (!solve()) return;
    for (std::size_t i = 0; i < free_; ++i) error[i] = memory_.direction[i];
}

// Velocities and the negative gradient at to.x; false when some cavity is not open.
bool Newton::evaluate()
{
    for (std::size_t i = 0; i < free_; ++i) to_.v[i] = (to_.x[i] - memory_.z[i]) * rule_.c;
    if (meets())
        memory_.way.place_velocities(to_);
    else
        place_stage(to_, model_);
    scratch_.time = rule_.stage_time;
    sum_ = forces(scratch_, model_, from_, to_.x, to_.v);
    if (sum_.bad_cavity >= 0) return false;
    if (model_.mass_matrix.empty()) {
        for (std::size_t i = 0; i < free_; ++i) {
            const Vec3 pull = (memory_.y[i] - to_.x[i]) * (model_.mass[i] * rule_.inertia);
            memory_.downhill[i] = masked(scratch_.force[i] + pull, from_.held[i]);
        }
        if (meets()) add_contact_forces();
        evaluate_constraints();
        return true;
    }
    for (std::size_t i = 0; i < free_; ++i) memory_.behind[i] = (memory_.y[i] - to_.x[i]) * rule_.inertia;
    multiply(memory_.downhill, model_.mass_matrix, memory_.behind);
    for (std::size_t i = 0; i < free_; ++i)
        memory_.downhill[i] = masked(scratch_.force[i] + memory_.downhill[i], from_.held[i]);
    if (meets()) add_contact_forces();
    evaluate_constraints();
    return true;
}

double Newton::largest_downhill() const
{
    double worst = 0;
    for (std::size_t i = 0; i < free_; ++i) {
        const double size = norm2(memory_.downhill[i]);
        if (!(size <= worst)) worst = size;
    }
    return std::sqrt(worst);
}

// Large forces that balance leave their rounding behind, however still everything is.
double Newton::rounding() const
{
    const double stiffest = from_.history.stiffness_rate + rule_.inertia;
    double heaviest = 0;
    for (std::size_t i = 0; i < free_; ++i) heaviest = std::max(heaviest, model_.mass[i]);
    return 1e-15 * stiffest * heaviest * model_.size;
}

bool Newton::can_keep_matrix() const
{
    // A sheet folds: its matrix of a moment ago leads astray. Internal variables and the air are part of the matrix and not
    // remembered.
    return model_.sheets.empty() && from_.history.matrix_h > 0 && from_.history.matrix_age < kOldest &&
           from_.inner.empty() && std::abs(rule_.c * from_.history.matrix_h - 1) < 1e-3;
}

bool Newton::prepare_matrix(int iteration, double shrinking)
{
    is_prepared_ = true;
    if (!rule_.is_static()) {
        if (iteration > 0 && shrinking < kGoodShrinking && !is_cloth(model_)) return true;
        if (iteration == 0 && shrinking == 0 && can_keep_matrix())
            return memory_.is_filled_at(from_.matrix_x, from_.history.matrix_h) ||
                   fill_matrix_at(from_.matrix_x, from_.history.matrix_h, from_.history.matrix_levels != 0, 0);
    }
    // Short steps are ruled by inertia: a handful of plain iterations costs less than setting up the coarse levels.
    constexpr double kInertial = 300;
    const bool levels = !(from_.history.stiffness_rate < kInertial * rule_.inertia);
    is_fresh_ = true;
    const double h = rule_.is_static() ? 0 : 1 / rule_.c;
    const auto at = std::span<const Vec3>(to_.x).first(free_);
    // A slack sheet resists nothing across itself: a little stiffness against everything leads on.
    constexpr double kFirstShift = 1e-8, kLargestShift = 1e-2;
    bool is_filled = fill_matrix_at(at, h, levels, iteration);
    while (!is_filled && rule_.is_static() && shift_ < kLargestShift) {
        shift_ = std::max(kFirstShift, 10 * shift_);
        is_filled = fill_matrix_at(at, h, levels, iteration);
    }
    if (!is_filled) return false;
    to_.matrix_x.assign(to_.x.begin(), to_.x.begin() + model_.free_count);
    to_.history.matrix_h = h;
    to_.history.matrix_age = 0;
    to_.history.matrix_levels = levels ? 1 : 0;
    return true;
}

// All from h alone, so that a matrix made again for a step that differs in its last digits is the same to the bit.
bool Newton::fill_matrix_at(std::span<const Vec3> x, double h, bool levels, int iteration)
{
    matrix_rule_ = h > 0 ? Rule{1 / h * (1 / h), 1 / h} : Rule{};
    StageTimer timer(scratch_.profile, Stage::matrix);
    const auto held = std::span(from_.held).first(free_);
    start_matrix();
    add_inertia();
    add_energies(x);
    for (std::size_t r = 0; r < model_.radials.size(); ++r) add_radial(r, x);
    add_drag();
    add_grips();
    if (!rule_.is_static()) add_air();
    if (rule_.is_static() && is_constrained()) stiffen_constrained_nodes();
    if (shift_ > 0) shift_matrix();
    if (meets()) add_contact_stiffness();
    cut_out_held(memory_.matrix, held);
    memory_.contact_diagonal.clear();
    if (meets()) set_contact_product(), find_contact_diagonal();
    memory_.is_filled = true;
    memory_.filled_x.assign(x.begin(), x.end());
    memory_.filled_h = h;
    return make_preconditioner(levels, iteration);
}

bool Newton::make_preconditioner(bool levels, int iteration)
{
    const auto held = std::span(from_.held).first(free_);
    memory_.preconditioner = nullptr;
    memory_.is_grouped = false;
    const LinearSolver kind = from_.solver.linear_solver;
    // Where a factor is small it beats coarse levels, all the more as it is kept over steps.
    constexpr std::size_t kSmall = 1000;
    if (kind == LinearSolver::cholesky || (kind == LinearSolver::automatic && levels && free_ <= kSmall)) {
        memory_.preconditioner = &memory_.cholesky();
        const DiagonalWithContacts with_contacts(memory_);
        return memory_.cholesky().factor(memory_.matrix) < 0;
    }
    if (kind == LinearSolver::aggregation || (kind == LinearSolver::automatic && is_cloth(model_))) {
        for (std::size_t i = 0; i < free_; ++i)
            memory_.inertia[i] = held[i] == 0 ? model_.mass[i] * matrix_rule_.inertia : 0;
        memory_.preconditioner = &memory_.aggregation();
        memory_.is_grouped = true;
        // Fewer contacts are solved sooner than they are put into levels.
        constexpr double kMany = 0.3;
        if (meets() && (memory_.joins_levels ||
                        static_cast<double>(memory_.product.row_count()) > kMany * static_cast<double>(free_)))
            return join_levels();
        return memory_.aggregation().refresh(memory_.matrix, memory_.inertia, held, memory_.contact_diagonal) < 0;
    }
    if (kind == LinearSolver::block_jacobi || (kind == LinearSolver::automatic && !levels)) return true;
    memory_.preconditioner = &memory_.multigrid();
    const DiagonalWithContacts with_contacts(memory_);
    const bool coarse_too = !rule_.is_static() || iteration % kIterationsPerRefresh == 0;
    return memory_.multigrid().refresh(memory_.matrix, held, coarse_too) < 0;
}

void Newton::add_inertia()
{
    BlockMatrix& A = memory_.matrix;
    if (model_.mass_matrix.empty()) return add_mass(A, std::span(model_.mass).first(free_), matrix_rule_.inertia);
    for (std::size_t e = 0; e < memory_.mass_place.size(); ++e)
        if (memory_.mass_place[e] >= 0)
            A.block[static_cast<std::size_t>(memory_.mass_place[e])] +=
                identity3<double>() * (model_.mass_matrix.value[e] * matrix_rule_.inertia);
}

// Zero, or what does not depend on positions: it is made once and copied.
void Newton::start_matrix()
{
    ConstantPart& constant = memory_.constant;
    if (constant.terms.empty()) return set_zero(memory_.matrix);
    if (!is_current(constant, from_, matrix_rule_.c)) {
        set_zero(memory_.matrix);
        constant.live.clear();
        for (const std::size_t t : constant.terms) {
            constant.live.push_back(std::get<QuadraticBending>(from_.live[t]));
            const auto& elements = std::get<Elements<QuadraticBending>>(model_.terms[t]);
            add_hessian(memory_.matrix, std::get<ScatterMap<4>>(memory_.maps[t]), elements,
                        std::get<QuadraticBending>(from_.live[t]), from_.x, {1, matrix_rule_.c});
        }
        constant.block = memory_.matrix.block;
        constant.c = matrix_rule_.c;
        constant.is_made = true;
        return;
    }
    memory_.matrix.block = constant.block;
}

void Newton::shift_matrix()
{
    double largest = 0;
    for (std::int32_t i = 0; i < memory_.matrix.row_count(); ++i)
        for (int k = 0; k < 3; ++k) largest = std::max(largest, memory_.matrix.diagonal(i).m[k][k]);
    for (std::int32_t i = 0; i < memory_.matrix.row_count(); ++i)
        memory_.matrix.diagonal(i) += identity3<double>() * (shift_ * largest);
}

void Newton::add_energies(std::span<const Vec3> x)
{
    for (std::size_t t = 0; t < model_.terms.size(); ++t)
        std::visit(
            [&](const auto& elements) {
                using E = typename std::decay_t<decltype(elements)>::Parameters;
                if constexpr (StencilEnergy<E>) return;
                const E& live = std::get<E>(from_.live[t]);
                const auto& map = std::get<ScatterMap<E::nodes>>(memory_.maps[t]);
                add_hessian(memory_.matrix, map, elements, live, x, {1, is_damped(live) ? matrix_rule_.c : 0},
                            inner_of(model_, from_, t));
            },
            model_.terms[t]);
}

void Newton::add_drag()
{
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        const BodyDrag drag = body_drag(from_, b);
        if (!drag.acts() || model_.bodies[b].is_rigid()) continue;
        const NodeRange range = mass_nodes(model_, model_.bodies[b]);
        for (std::int32_t i = range.first; i < range.first + range.count; ++i)
            memory_.matrix.diagonal(i) +=
                identity3<double>() * (matrix_rule_.c * (drag.drag + drag.damping * model_.mass[i]));
    }
}

void Newton::add_grips()
{
    for (const Grip& grip : from_.grips)
        if (grip.point < model_.free_count && grip.is_held == 0)
            memory_.matrix.diagonal(grip.point) += identity3<double>() * (grip.k + matrix_rule_.c * grip.d);
}

void Newton::add_air()
{
    for_each_air_block(model_, from_, from_.x, from_.v, [&](std::int32_t node, const Mat3& block) {
        memory_.matrix.diagonal(node) += block * matrix_rule_.c;
    });
}

// The guess of a single linear solve is at rest; the air is linear only about the velocity that there is.
void Newton::linearise_air()
{
    if (model_.sheets.empty()) return;
    for (auto* values : {&scratch_.sum_x, &scratch_.sum_v, &memory_.trial})
        std::fill(values->begin(), values->end(), Vec3{});
    add_air_forces(memory_.trial, model_, from_, from_.x, scratch_.sum_v);
    add_air_forces(scratch_.sum_x, model_, from_, from_.x, from_.v);
    for_each_air_block(model_, from_, from_.x, from_.v, [&](std::int32_t node, const Mat3& block) {
        scratch_.sum_x[static_cast<std::size_t>(node)] += block * from_.v[static_cast<std::size_t>(node)];
    });
    for (std::size_t i = 0; i < free_; ++i)
        memory_.downhill[i] += masked(scratch_.sum_x[i] - memory_.trial[i], from_.held[i]);
}

// The block of a vertex on its radial spring, without what a compressed one takes away across.
void Newton::add_radial(std::size_t index, std::span<const Vec3> x)
{
    const RadialSprings& springs = model_.radials[index];
    const Radial& live = from_.radials[index];
    const std::span<const double> extension = extension_of(model_, from_, index);
    if (!live.enabled) return;
    const Vec3 c = center(springs, x);
    for (std::size_t i = 0; i < springs.rest.size(); ++i) {
        const Vec3 r = x[springs.first + i] - c;
        const double length = norm(r);
        if (!(length > 0)) continue;
        const Vec3 n = r / length;
        const double across = std::max(0.0, live.k_r * (1 - (springs.rest[i] + extension[i]) / length));
        memory_.matrix.diagonal(springs.first + static_cast<std::int32_t>(i)) +=
            identity3<double>() * across + outer(n, n) * (live.k_r - across + matrix_rule_.c * live.k_d);
        if (springs.kind == CenterKind::free)
            memory_.matrix.diagonal(springs.center_point) += identity3<double>() * live.k_r;
    }
}

void Newton::fill_borders()
{
    for (std::size_t c = 0; c < model_.cavities.size(); ++c) {
        BorderRow& row = memory_.borders[c];
        std::fill(row.gradient.begin(), row.gradient.end(), Vec3{});
        row.stiffness = 0;
        if (!from_.gas[c].enabled) continue;
        const double V = add_volume_gradient(row.gradient, model_.cavities[c], to_.x, scratch_.windows);
        row.stiffness = std::max(0.0, gas_stiffness(from_.gas[c], V));
        for (std::size_t i = 0; i < free_; ++i) row.gradient[i] = masked(row.gradient[i], from_.held[i]);
    }
}

bool Newton::solve()
{
    StageTimer timer(scratch_.profile, Stage::linear);
    fill_borders();
    // Directions need not be sharp: what one misses, the next iteration sees.
    // What groups leave is rough and dies out; what block Jacobi leaves is smooth, the very motion that is seen.
    const bool is_rough = memory_.is_grouped && from_.solver.accuracy >= kLooseAccuracy;
    const LinearOptions options{.tolerance = is_rough ? 0.1 : 1e-2, .most_iterations = 2000};
    const auto direction = std::span(memory_.direction).first(free_);
    const auto downhill = std::span<const Vec3>(memory_.downhill).first(free_);
    if (memory_.borders.empty() && memory_.is_grouped)
        return memory_.aggregation().solve(direction, downhill, options).status != LinearStatus::indefinite;
    const LinearResult solved = bordered_conjugate_gradients(direction, memory_.matrix, memory_.borders, downhill,
                                                             memory_.preconditioner, options, memory_.linear);
    return solved.status != LinearStatus::indefinite;
}

// Goes along the direction as far as the force along it does not point back by more than half of what it
// was; returns the longest way of a vertex [m], or -1.
double Newton::walk(double slope)
{
    for (std::size_t i = 0; i < free_; ++i) memory_.trial[i] = to_.x[i];
    double part = 1;
    for (int halving = 0; halving < kMostHalvings; ++halving, part /= 2) {
        double longest = 0;
        for (std::size_t i = 0; i < free_; ++i) {
            const Vec3 way = memory_.direction[i] * part;
            to_.x[i] = memory_.trial[i] + way;
            longest = std::max(longest, norm2(way));
        }
        walk_multipliers(part);
        if (!std::isfinite(longest) || !evaluate()) continue;
        const double back = -inner(memory_.downhill, memory_.direction);
        // Back to a broken constraint the way may lead uphill.
        if (is_constrained() && !(slope > 0)) return std::sqrt(longest);
        if (back <= 0.5 * slope) return std::sqrt(longest);
        if (!(slope > 0)) return -1;
    }
    return -1;
}

// A matrix that was made in this step has age zero; one that needed many iterations is given up.
void Newton::remember_age(int iterations)
{
    if (rule_.is_static()) return;
    to_.history.matrix_age += 1;
    if (iterations > kFewIterations) to_.history.matrix_h = 0;
}

Attempt Newton::failed(Attempt attempt) const
{
    attempt.accepted = false;
    attempt.issue = sum_.bad_cavity >= 0 ? inverted(model_, sum_).issue : Issue{.kind = IssueKind::not_converged};
    attempt.issue.constraint = worst_constraint();
    return attempt;
}

}  // namespace pliant
