// SPDX-License-Identifier: MIT
#include <pliant/solver/xpbd.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include <pliant/solver/descent.h>
#include <pliant/solver/forces.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

// One step.
class XpbdStep {
public:
    XpbdStep(State& to, const Model& model, const State& from, double h, Scratch& scratch)
        : to_(to)
        , model_(model)
        , from_(from)
        , h_(h)
        , scratch_(scratch)
        , memory_(descent_memory(scratch, model))
    {
    }

    Attempt run()
    {
        memory_.make_projected(model_);
        begin_descent(to_, model_, from_, h_, scratch_, DescentGuess::goal);
        prepare_gases();
        const int sweeps = from_.solver.iterations;
        const ProjectedNodes nodes{memory_.x, memory_.start, inverse_mass()};
        for (int k = 0; k < sweeps; ++k) {
            project_terms(nodes, {h_, k == 0});
            for (std::size_t c = 0; c < model_.cavities.size(); ++c)
                if (const ForceSum gas = project_gas(c); gas.bad_cavity >= 0) return inverted(model_, gas);
        }
        end_descent(to_, model_, from_, h_, scratch_);
        return {.iterations = sweeps};
    }

private:
    // Only where some vertex is held along some axes and free along others.
    std::span<const Particle> inverse_mass() const
    {
        const auto is_partly = [&](std::int32_t i) { return from_.held[i] != 0 && from_.held[i] != 7; };
        return std::any_of(scratch_.held_nodes.begin(), scratch_.held_nodes.end(), is_partly)
                   ? std::span<const Particle>(memory_.inverse_mass)
                   : std::span<const Particle>();
    }

    void project_terms(const ProjectedNodes& nodes, const ProjectionSweep& sweep)
    {
        StageTimer timer(scratch_.profile, Stage::elements);
        for (std::size_t t = 0; t < memory_.projected.size(); ++t)
            if (memory_.acts[t] != 0)
                std::visit([&](auto& term) { project_term(term, t, nodes, sweep); }, memory_.projected[t]);
    }

    template <class E>
    void project_term(ProjectedTerm<E>& term, std::size_t t, const ProjectedNodes& nodes, const ProjectionSweep& sweep)
    {
        const bool keeps_books = from_.solver.iterations > 1 || !nodes.inverse_mass.empty();
        term.done.resize(keeps_books ? term.elements.blocks.size() : 0);
        project(nodes, term.elements, std::get<E>(from_.live[t]), std::span(term.done), sweep,
                inner_of(model_, from_, t));
    }

    template <class E>
    void project_term(RefusedTerm<E>&, std::size_t, const ProjectedNodes&, const ProjectionSweep&)
    {
    }

    bool is_row(std::size_t cavity) const
    {
        return from_.gas[cavity].enabled && from_.gas[cavity].law != GasLaw::thesis_fourfold;
    }

    void prepare_gases()
    {
        for (GasRow& row : memory_.gases) {
            row.gauge = 0;
            std::fill(row.force.begin(), row.force.end(), Vec3{});
        }
    }

    // As the visit of an element with one row (energy/project.h): its stress is the pressure over that outside.
    ForceSum project_gas(std::size_t cavity)
    {
        if (!is_row(cavity)) return {};
        const Gas& gas = from_.gas[cavity];
        GasRow& row = memory_.gases[cavity];
        double V = 0;
        show_particles(to_, model_, memory_);
        if (!measure_gas(V, to_, model_, scratch_, cavity))
            return {.bad_cavity = static_cast<std::int32_t>(cavity), .bad_volume = V};
        const double share = share_of_turn(row), s = std::max(0.0, gas_stiffness(gas, V));
        double response = 0, lag = 0;
        for (std::int32_t i = 0; i < model_.free_count; ++i) {
            const Vec3 moved = mobility(i, row.gradient[i]);
            response += dot(moved, row.gradient[i]);
            lag += dot(moved, row.force[i] - row.gradient[i] * row.gauge);
        }
        const double change = (pressure(gas, V) - gas.outside - row.gauge + share * s * lag) / (1 + s * response);
        for (std::int32_t i = 0; i < model_.free_count; ++i) {
            const Vec3 turn = row.force[i] - row.gradient[i] * row.gauge;
            const Vec3 force = row.gradient[i] * change - turn * share;
            row.force[i] += force;
            memory_.x[i].set(memory_.x[i].vector() + mobility(i, force));
        }
        row.gauge += change;
        return {};
    }

    // h^2 M^-1 f.
    Vec3 mobility(std::int32_t i, const Vec3& f) const
    {
        const Particle& w = memory_.inverse_mass[i];
        return {h_ * h_ * w.x * f.x, h_ * h_ * w.y * f.y, h_ * h_ * w.z * f.z};
    }

    // A vertex whose share of the surface is a^2 turns its force by F dx/a when a neighbour moves by dx.
    double share_of_turn(const GasRow& row) const
    {
        double most = 0;
        for (std::int32_t i = 0; i < model_.free_count; ++i) {
            const double area = norm(row.gradient[i]);
            if (area > 0) most = std::max(most, norm(mobility(i, row.force[i])) / std::sqrt(area));
        }
        return 1 / (1 + most);
    }

    State& to_;
    const Model& model_;
    const State& from_;
    double h_;
    Scratch& scratch_;
    DescentScratch& memory_;
};

}  // namespace

Attempt advance_xpbd(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    return XpbdStep(to, model, from, h, scratch).run();
}

std::string xpbd_obstacle(const Model& model)
{
    if (std::string obstacle = descent_obstacle(model); !obstacle.empty()) return obstacle;
    for (std::size_t t = 0; t < model.terms.size(); ++t) {
        const bool is_projectable =
            std::visit([]<class E>(const Elements<E>&) { return ProjectableEnergy<E>; }, model.terms[t]);
        if (!is_projectable)
            return fmt::format("the material of body \"{}\" is not made of strain rows, which xpbd needs; use "
                               "implicit_euler, bdf2 or vbd",
                               owner_of_term(model, t));
    }
    return {};
}

}  // namespace pliant
