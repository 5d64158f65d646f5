// SPDX-License-Identifier: MIT
#include <pliant/constraint/constraint_system.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {

namespace {

// Below this share of its diagonal a pivot is rounding: the row says nothing new.
constexpr double kDependent = 1e-9;
// A dependent row may ask for something else by this share of what is asked for at all.
constexpr double kAgrees = 1e-6;

void mask_slope(Vec3& slope, std::uint8_t held)
{
    for (int k = 0; k < 3; ++k)
        if (held >> k & 1) slope[k] = 0;
}

// Pivoted Cholesky decomposition of the scaled matrix, in place.
class Elimination {
public:
    explicit Elimination(ConstraintSystem& system)
        : s_(system)
        , k_(system.count)
        , scale_(system.scale)
        , order_(system.order)
        , factor_(system.work)
        , z_(system.forward)
    {
        for (auto* numbers : {&scale_, &z_}) numbers->resize(k_);
        factor_.resize(k_ * k_);
        order_.resize(k_);
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        for (std::size_t i = 0; i < k_; ++i) {
            const double d = s_.schur[i * k_ + i];
            scale_[i] = d > 0 ? 1 / std::sqrt(d) : 0;
        }
        for (std::size_t i = 0; i < k_; ++i)
            for (std::size_t j = 0; j < k_; ++j) factor_[i * k_ + j] = s_.schur[i * k_ + j] * scale_[i] * scale_[j];
    }

    bool run()
    {
        decompose();
        forward();
        std::fill(s_.lambda.begin(), s_.lambda.begin() + static_cast<std::ptrdiff_t>(k_), 0.0);
        for (std::size_t i = rank_; i-- > 0;) {
            double sum = z_[i];
            for (std::size_t j = i + 1; j < rank_; ++j) sum -= at(j, i) * solution(j);
            solution(i) = sum / at(i, i);
        }
        const bool agrees = check_left_out();
        for (std::size_t i = 0; i < k_; ++i) s_.lambda[i] *= scale_[i];
        return agrees;
    }

private:
    double& at(std::size_t i, std::size_t j) { return factor_[order_[i] * k_ + order_[j]]; }
    double& solution(std::size_t i) { return s_.lambda[order_[i]]; }

    // Right-looking: after step i the rest of the matrix has its part taken out.
    void decompose()
    {
        for (rank_ = 0; rank_ < k_; ++rank_) {
            std::size_t best = rank_;
            for (std::size_t i = rank_ + 1; i < k_; ++i)
                if (at(i, i) > at(best, best)) best = i;
            std::swap(order_[rank_], order_[best]);
            if (!(at(rank_, rank_) > kDependent)) return;
            const double pivot = std::sqrt(at(rank_, rank_));
            at(rank_, rank_) = pivot;
            for (std::size_t i = rank_ + 1; i < k_; ++i) at(i, rank_) /= pivot;
            for (std::size_t i = rank_ + 1; i < k_; ++i)
                for (std::size_t j = rank_ + 1; j <= i; ++j) {
                    at(i, j) -= at(i, rank_) * at(j, rank_);
                    at(j, i) = at(i, j);
                }
        }
    }

    void forward()
    {
        for (std::size_t i = 0; i < k_; ++i) {
            double sum = s_.rhs[order_[i]] * scale_[order_[i]];
            largest_ = std::max(largest_, std::abs(sum));
            for (std::size_t j = 0; j < std::min(i, rank_); ++j) sum -= at(i, j) * z_[j];
            z_[i] = i < rank_ ? sum / at(i, i) : sum;
        }
    }

    // What is left of a left-out row's wish must be rounding.
    bool check_left_out()
    {
        s_.redundant = s_.conflicting = s_.other = -1;
        for (std::size_t i = rank_; i < k_; ++i) {
            const bool agrees = scale_[order_[i]] > 0 ? std::abs(z_[i]) <= kAgrees * largest_
                                                      : std::abs(s_.rhs[order_[i]]) <= kAgrees * largest_;
            std::int32_t& place = agrees ? s_.redundant : s_.conflicting;
            if (place >= 0 || (agrees && s_.conflicting >= 0)) continue;
            place = s_.rows[order_[i]].constraint;
            std::size_t nearest = 0;
            for (std::size_t j = 1; j < rank_; ++j)
                if (std::abs(at(i, j)) > std::abs(at(i, nearest))) nearest = j;
            s_.other = rank_ > 0 ? s_.rows[order_[nearest]].constraint : -1;
        }
        return s_.conflicting < 0;
    }

    ConstraintSystem& s_;
    std::size_t k_, rank_ = 0;
    std::vector<double>& scale_;
    std::vector<std::size_t>& order_;
    std::vector<double>&factor_, &z_;
    double largest_ = 0;
};

}  // namespace

void gather_rows(ConstraintSystem& system, std::span<const Constraint> all, std::span<const std::uint8_t> enabled,
                 const FormulaPoint& at, std::span<const std::uint8_t> held)
{
    system.count = 0;
    for (std::size_t c = 0; c < all.size(); ++c) {
        if (enabled[c] == 0) continue;
        for (std::size_t r = 0; r < all[c].rows.size(); ++r) {
            if (system.rows.size() == system.count) system.rows.emplace_back();
            ActiveRow& active = system.rows[system.count++];
            const ConstraintRow& row = all[c].rows[r];
            active.constraint = static_cast<std::int32_t>(c), active.row = static_cast<std::int32_t>(r);
            active.slope.resize(row.nodes.size());
            active.at = evaluate(row, at, active.slope);
            active.target = active.at.target(row.on_velocity, all[c].xi);
            for (std::size_t i = 0; i < row.nodes.size(); ++i)
                mask_slope(active.slope[i], held[static_cast<std::size_t>(row.nodes[i])]);
        }
    }
    for (auto* numbers : {&system.rhs, &system.lambda}) numbers->resize(system.count);
    system.schur.resize(system.count * system.count);
}

double times(const ConstraintSystem& system, std::span<const Constraint> all, std::size_t r,
             std::span<const Vec3> vector)
{
    const auto& nodes = system.row_of(all, r).nodes;
    double sum = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        sum += dot(system.rows[r].slope[i], vector[static_cast<std::size_t>(nodes[i])]);
    return sum;
}

void add_forces(std::span<Vec3> force, const ConstraintSystem& system, std::span<const Constraint> all, double factor)
{
    for (std::size_t r = 0; r < system.count; ++r) {
        const auto& nodes = system.row_of(all, r).nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            force[static_cast<std::size_t>(nodes[i])] += system.rows[r].slope[i] * (factor * system.lambda[r]);
    }
}

void make_schur(ConstraintSystem& system, std::span<const Constraint> all)
{
    for (std::size_t r = 0; r < system.count; ++r)
        for (std::size_t s = 0; s < system.count; ++s)
            system.schur[r * system.count + s] = times(system, all, r, system.response[s]);
}

bool solve_schur(ConstraintSystem& system)
{
    return Elimination(system).run();
}

void solve_general(ConstraintSystem& system)
{
    const std::size_t k = system.count;
    std::vector<double>&A = system.work, &x = system.lambda;
    A = system.schur;
    x = system.rhs;
    double largest = 0;
    for (const double a : A) largest = std::max(largest, std::abs(a));
    for (std::size_t c = 0; c < k; ++c) {
        std::size_t best = c;
        for (std::size_t i = c + 1; i < k; ++i)
            if (std::abs(A[i * k + c]) > std::abs(A[best * k + c])) best = i;
        if (best != c) {
            std::swap_ranges(&A[best * k], &A[best * k] + k, &A[c * k]);
            std::swap(x[best], x[c]);
        }
        if (!(std::abs(A[c * k + c]) > kDependent * largest)) {
            A[c * k + c] = largest > 0 ? largest : 1;
            x[c] = 0;
            for (std::size_t j = c + 1; j < k; ++j) A[c * k + j] = 0;
        }
        for (std::size_t i = c + 1; i < k; ++i) {
            const double factor = A[i * k + c] / A[c * k + c];
            for (std::size_t j = c; j < k; ++j) A[i * k + j] -= factor * A[c * k + j];
            x[i] -= factor * x[c];
        }
    }
    for (std::size_t i = k; i-- > 0;) {
        for (std::size_t j = i + 1; j < k; ++j) x[i] -= A[i * k + j] * x[j];
        x[i] /= A[i * k + i];
    }
}

}  // namespace pliant
