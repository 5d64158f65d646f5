// SPDX-License-Identifier: MIT

// The inner loops of cloth against what the machine can do: forces of each energy, and a sweep of each solver that goes
// from element to element. Bandwidth is measured here too, in the same run and with the same threads.

#include <algorithm>
#include <array>
#include <functional>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include <pliant/base/parallel.h>
#include <pliant/solver/solver.h>
#include <pliant/world/build.h>

#include "bench.h"
#include "bench_cloth.h"
#include "counted.h"

namespace pliant::cli {

namespace {

double best_of(int repeats, const std::function<void()>& work)
{
    work();
    double best = seconds_of(work);
    for (int r = 1; r < repeats; ++r) best = std::min(best, seconds_of(work));
    return best;
}

// [B/s] of a = b + c s, the triad of McCalpin's STREAM, over arrays that no cache holds; three streams are counted.
double triad_bandwidth(int repeats)
{
    constexpr std::size_t kCount = 1 << 24;
    std::vector<double> a(kCount, 0.0), b(kCount, 1.0), c(kCount, 2.0);
    const double seconds = best_of(repeats, [&] {
        parallel_for(kCount, 1 << 16, [&](std::size_t first, std::size_t end, std::size_t) {
            for (std::size_t i = first; i < end; ++i) a[i] = b[i] + 3.0 * c[i];
        });
    });
    return 3.0 * sizeof(double) * kCount / seconds;
}

template <class E>
constexpr const char* kernel_name = "";
template <>
constexpr const char* kernel_name<Spring> = "spring";
template <>
constexpr const char* kernel_name<GreenMembrane> = "st_venant_kirchhoff";
template <>
constexpr const char* kernel_name<ThreadMembrane> = "baraff_witkin";
template <>
constexpr const char* kernel_name<NeoHookeanMembrane> = "neo_hookean";
template <>
constexpr const char* kernel_name<Hinge> = "hinges";
template <>
constexpr const char* kernel_name<QuadraticBending> = "quadratic";

// Operations of the force of one element, damping included, as subtract_gradient takes it.
template <class E>
double operations_of(const E& parameters, const Elements<E>& elements, const State& state)
{
    const RestOf<E, double> one = view_detail::get_lane<E>(elements.rest[0], 0);
    RestOf<E, Counted> rest;
    static_assert(sizeof(rest) == sizeof(one), "both are arrays of scalars");
    for (std::size_t i = 0; i < sizeof(one) / sizeof(double); ++i)
        reinterpret_cast<Counted*>(&rest)[i] = reinterpret_cast<const double*>(&one)[i];
    std::array<Vec3T<Counted>, E::nodes> x, v;
    for (int i = 0; i < E::nodes; ++i) {
        const Vec3 at = state.x[elements.stencils.blocks[0].node[i][0]];
        x[i] = {at.x, at.y, at.z};
    }
    Counted::operations = 0;
    Element<E, Counted> element(parameters, rest, x);
    element.damp(v);
    for (int i = 0; i < E::nodes; ++i) element.gradient(i);
    return static_cast<double>(Counted::operations);
}

// Bytes that have to come from memory or go there however good the caches are: indices and rest geometry of
// the element, its share of positions, velocities and forces (the last read and written).
template <class E>
double bytes_of(const Elements<E>& elements, std::int32_t vertices)
{
    constexpr double kPerVertex = 4 * sizeof(Vec3);
    return sizeof(RestOf<E, double>) + E::nodes * sizeof(std::int32_t) +
           kPerVertex * vertices / static_cast<double>(elements.stencils.count);
}

struct Machine {
    double bandwidth;  ///< [B/s]
    int threads;
};

std::vector<std::string> kernel_row(const std::string& name, int side, double elements, double seconds,
                                    double operations, double bytes, const Machine& machine)
{
    const double per_element = seconds / elements;
    const auto known = [](double value, double result) { return value > 0 ? number(result) : "-"; };
    return {name,
            std::to_string(side),
            std::to_string(machine.threads),
            fmt::format("{:.0f}", elements),
            known(seconds, 1e9 * per_element),
            known(operations, operations),
            known(operations, 1e-9 * operations / per_element),
            known(bytes, 1e-9 * bytes / per_element),
            known(bytes, 100 * bytes / per_element / machine.bandwidth)};
}

Scene sheet_of(int side, ClothModel model, BendModel bending)
{
    return shipped_scene("hang.json", {{"bodies.sheet.mesh.grid", grid_text(side)},
                                       {"bodies.sheet.cloth.model", std::string(name_of(model))},
                                       {"bodies.sheet.cloth.bending", std::string(name_of(bending))},
                                       {"expect", "{}"}});
}

template <class E>
void add_force_row(BenchTable& table, const Elements<E>& elements, const E& parameters, World& world, int side,
                   const BenchSettings& settings, const Machine& machine)
{
    const State& state = world.state;
    std::vector<Vec3> force(state.x.size());
    std::span<Vec3> windows = world.scratch.windows;
    const int rounds = std::max(1, 2'000'000 / elements.stencils.count);
    const double seconds = best_of(settings.repeats, [&] {
        for (int r = 0; r < rounds; ++r)
            subtract_gradient(std::span<Vec3>(force), elements, parameters, state.x, state.v, windows);
    });
    table.rows.push_back(kernel_row(fmt::format("force {}", kernel_name<E>), side, elements.stencils.count,
                                    seconds / rounds, operations_of(parameters, elements, state),
                                    bytes_of(elements, world.model->free_count), machine));
}

// Every kind of element of a sheet; edges and corners move a little, so that nothing is zero.
void add_forces(BenchTable& table, World world, int side, const BenchSettings& settings, const Machine& machine)
{
    for (std::size_t i = 0; i < world.state.x.size(); ++i) {
        const double wave = 1e-3 * static_cast<double>(i % 7);
        world.state.x[i] += Vec3{0, wave, 0}, world.state.v[i] = {0, wave, 0};
    }
    for (std::size_t t = 0; t < world.model->terms.size(); ++t)
        std::visit(
            [&](const auto& elements) {
                using E = typename std::decay_t<decltype(elements)>::Parameters;
                if constexpr (kernel_name<E>[0] != '\0')
                    add_force_row(table, elements, std::get<E>(world.state.live[t]), world, side, settings, machine);
            },
            world.model->terms[t]);
}

// [s] of one sweep over all elements: what more sweeps add to a step. 0 when they add nothing.
double sweep_seconds(World& world, int repeats)
{
    constexpr int kMore = 8;
    const double h = 1e-4;
    const auto step_with = [&](int sweeps) {
        world.state.solver.iterations = sweeps;
        return best_of(repeats, [&] { advance(world.scratch.to, *world.model, world.state, h, world.scratch); });
    };
    const double one = step_with(1), more = step_with(1 + kMore);
    // A solver that knows no sweeps takes as long for many as for one.
    return more > 1.05 * one ? (more - one) / kMore : 0;
}

void add_sweep(BenchTable& table, SolverKind kind, ClothModel model, BendModel bending, int side,
               const BenchSettings& settings, const Machine& machine)
{
    World world = build(sheet_of(side, model, bending));
    world.state.solver.kind = kind;
    double elements = 0;
    for (const Term& term : world.model->terms)
        std::visit([&](const auto& of_kind) { elements += of_kind.stencils.count; }, term);
    table.rows.push_back(kernel_row(fmt::format("sweep {} {}+{}", name_of(kind), name_of(model), name_of(bending)),
                                    side, elements, sweep_seconds(world, settings.repeats), 0, 0, machine));
}

}  // namespace

BenchTable bench_cloth_kernels(const BenchSettings& settings)
{
    const Machine machine{triad_bandwidth(settings.repeats), settings.threads};
    BenchTable table{
        .name = "cloth_kernels",
        .sentence = fmt::format(
            "inner loops per element, operations counted by running the formula; traffic is what no cache can "
            "save, its share of the {:.1f} GB/s that a triad reaches here; sweeps: all elements once",
            1e-9 * machine.bandwidth)};
    table.columns = {"kernel",   "side",           "threads",
                     "elements", "ns_per_element", "operations",
                     "gflop_s",  "gb_s",           "percent_of_bandwidth"};
    for (const int side : {100, 500}) {
        if (side * side > settings.largest) break;
        add_forces(table, build(sheet_of(side, ClothModel::st_venant_kirchhoff, BendModel::quadratic)), side, settings,
                   machine);
        add_forces(table, build(sheet_of(side, ClothModel::baraff_witkin, BendModel::hinges)), side, settings, machine);
        add_forces(table, build(sheet_of(side, ClothModel::springs, BendModel::none)), side, settings, machine);
        add_sweep(table, SolverKind::projection, ClothModel::thesis_springs, BendModel::springs, side, settings,
                  machine);
        for (const SolverKind kind : {SolverKind::xpbd, SolverKind::vbd})
            add_sweep(table, kind, ClothModel::st_venant_kirchhoff, BendModel::quadratic, side, settings, machine);
    }
    return table;
}

}  // namespace pliant::cli
