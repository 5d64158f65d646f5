// SPDX-License-Identifier: MIT

// The four animations of seed 002, in the implicit mode of their scenes, beside what they took in 1997.

#include "bench.h"

#include <filesystem>

#include <fmt/format.h>

#include <pliant/record/run.h>
#include <pliant/scene/scene_json.h>
#include <pliant/solver/implicit_scratch.h>
#include <pliant/solver/linear/nested_dissection.h>
#include <pliant/world/build.h>

namespace pliant::cli {

namespace {

// Wall time over simulated time in 1997, on one processor of a SPARC 1000.
struct Animation {
    const char* name;
    double in_1997;
};
constexpr Animation kAnimations[] = {{"torus", 1297}, {"elast", 6891}, {"loop", 8769}, {"gizmo", 8851}};

std::size_t tetrahedra(const Model& model)
{
    std::size_t count = 0;
    for (const Term& term : model.terms)
        std::visit(
            [&](const auto& elements) {
                using E = typename std::decay_t<decltype(elements)>::Parameters;
                if constexpr (SolidEnergy<E>) count += static_cast<std::size_t>(elements.stencils.count);
            },
            term);
    return count;
}

}  // namespace

BenchTable bench_animations(const BenchSettings& settings)
{
    BenchTable table{.name = "animations",
                     .sentence = "the four animations of seed 002 as their scenes are, contact on: simulated over "
                                 "machine time, and the same in 1997"};
    // S7 of the dossier: how full the consistent mass matrix and the lower half of its Cholesky factor are; coordinates of
    // different axes do not meet in them, hence the thirds.
    table.columns = {"scene",           "tets",    "vertices",     "simulated_s",        "machine_s",
                     "times_real_time", "in_1997", "mass_percent", "factor_as_numbered", "factor_dissected"};
    for (const Animation& animation : kAnimations) {
        const std::string path = std::string(PLIANT_SCENES) + "/" + animation.name + ".json";
        if (!std::filesystem::exists(path)) continue;
        const Scene scene = load_scene(path, {});
        World world = build(scene);
        const std::size_t tets = tetrahedra(*world.model);
        const std::int32_t vertices = world.model->free_count;
        const BlockMatrix pattern = newton_pattern(*world.model);
        const NodeGraph graph = graph_of(pattern);
        const double square = 1.0 * vertices * vertices;
        const auto percent = [](double share) { return number(100.0 / 3 * share); };
        const double filled = 2.0 * static_cast<double>(pattern.block.size()) - vertices;
        const double natural = static_cast<double>(factor_nonzeros(pattern, natural_order(vertices))) / 9;
        const double dissected =
            static_cast<double>(factor_nonzeros(pattern, nested_dissection(graph, world.model->start_x))) / 9;
        const double seconds = seconds_of([&] { run(world, scene); });
        table.rows.push_back({animation.name, std::to_string(tets), std::to_string(vertices), number(world.state.time),
                              number(seconds), number(world.state.time / seconds),
                              fmt::format("1/{:.0f}", animation.in_1997), percent(filled / square),
                              percent(2 * natural / square), percent(2 * dissected / square)});
    }
    (void)settings;
    return table;
}

}  // namespace pliant::cli
