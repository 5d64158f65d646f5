// SPDX-License-Identifier: MIT
#pragma once

// Newton's method on what an implicit rule minimises,
//   1/2 |x - y|^2_M / s^2 + E(x) + D(v),   v = c (x - z),
// see implicit.h for the rules.
//
// The matrix is the projected Hessian M/s^2 + K + c C, filled through scatter maps; a gas adds its s dV dV^T as a border row. What
// is not in it (curvature of a gas, coupling through a moving centre) costs iterations, not accuracy. Nor does it have
// to be of the present positions: filling it costs several evaluations of all forces, so a matrix is kept, over
// iterations and steps, as long as each iteration shrinks the way by kGoodShrinking. State remembers the positions it was
// made at, so a world restored from a snapshot makes the same one again and goes on with the same bits.
// Steps along the direction are halved while the force along it still points back. It ends when an iteration
// changes no velocity by more than solver.accuracy of the scene's size per second (static: no position by that share of the
// size).
//
// Constraints are equations beside: their forces -lambda J^T act at the stage, they hold at the end of the step. With
// W = A^-1 J^T, made once with each matrix, an iteration takes the free direction and takes out of it what would break the
// linearised constraints; multipliers go on from those of the last step (newton_constraints.cpp).

#include <span>

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>
#include <pliant/response/barrier.h>
#include <pliant/solver/forces.h>
#include <pliant/solver/implicit_scratch.h>

namespace pliant {

/// From this solver.accuracy on a guess by the last acceleration is noise, and sheets' directions need not be sharp.
inline constexpr double kLooseAccuracy = 1e-2;

struct Rule {
    double inertia = 0;                   ///< 1/s^2 [1/s^2]
    double c = 0;                         ///< [1/s]
    double reach = 1;                     ///< [1] the end of the step is reach * x + (1 - reach) * x at its start
    double stage_time = 0, end_time = 0;  ///< [s]

    bool is_static() const { return c == 0; }
};

class Newton {
public:
    /// y and z of the rule are in the scratch's ImplicitScratch.
    Newton(State& to, const Model& model, const State& from, Scratch& scratch, const Rule& rule);

    /// From the guess in to.x to the minimum; leaves v of the stage in to.v.
    Attempt run();

    /// With response barrier: from where the step begins, with contacts and rigid bodies among the unknowns, on ways that
    /// cross nothing, in a bounded number of iterations. See newton_contact.cpp.
    Attempt run_in_contact();
    void end_contacts(double h);
    bool meets() const { return contacts_ != nullptr; }

    /// One linear solve from the guess in to.x, taken as it is.
    Attempt run_once();

    /// Takes what the stiff modes make of an error out of it: e = (M/s^2 + K + c C)^-1 M/s^2 e, after run().
    void smooth(std::span<Vec3> error);

    double dissipated_power() const { return sum_.dissipated_power; }

    /// Work of the constraints on the way from `from` to `to` [J], after run().
    double constraint_work(std::span<const Vec3> to, std::span<const Vec3> from) const;

private:
    bool evaluate();
    double largest_downhill() const;
    double rounding() const;
    bool prepare_matrix(int iteration, double shrinking);
    bool can_keep_matrix() const;
    bool fill_matrix_at(std::span<const Vec3> x, double h, bool levels, int iteration);
    bool make_preconditioner(bool levels, int iteration);
    void start_matrix();
    void shift_matrix();
    void add_energies(std::span<const Vec3> x);
    void add_inertia();
    void add_drag();
    void add_grips();
    void add_air();
    void linearise_air();
    void add_radial(std::size_t index, std::span<const Vec3> x);
    void fill_borders();
    bool solve();
    double step_length() const;
    void add_contact_forces();
    void hold_downhill();
    void add_contact_stiffness();
    void set_contact_product();
    void find_contact_diagonal();
    LinearResult solve_contacts_once(int most_iterations);
    bool solve_contacts();
    bool join_levels();
    double size_of_downhill() const;
    double longest_way() const;
    double little_way() const;
    double still_enough() const;
    bool leads_on_little() const;
    double along_direction() const;
    bool step_back(double slope);
    double iterate_in_contact(int iteration);
    bool is_constrained() const { return !model_.constraints.empty(); }
    void start_constraints();
    void stiffen_constrained_nodes();
    void evaluate_constraints();
    bool make_responses();
    void constrain_direction();
    void walk_multipliers(double part);
    double violation() const;
    double row_violation(std::size_t r) const;
    std::int32_t worst_constraint() const;
    void keep_multipliers();
    double walk(double slope);
    void remember_age(int iterations);
    Attempt failed(Attempt attempt) const;

    State& to_;
    const Model& model_;
    const State& from_;
    Scratch& scratch_;
    ImplicitScratch& memory_;
    Rule rule_;
    Rule matrix_rule_;  // that of the step for which the matrix was made
    std::size_t free_;
    BarrierContacts* contacts_ = nullptr;  // with response barrier
    ForceSum sum_;
    bool is_prepared_ = false;  // there is a matrix of this step
    double shift_ = 0;  // [1] static: share of the largest diagonal that is added to all, where the rest is singular
    bool is_fresh_ = false;         // the matrix is that of the present positions
    bool is_little_ahead_ = false;  // of the direction that was found last, with contacts
};

}  // namespace pliant
