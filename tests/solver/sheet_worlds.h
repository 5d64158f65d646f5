// SPDX-License-Identifier: MIT
#pragma once

// Small sheets for tests of solvers that sweep: a grid in the plane y = 0, hung by two corners or free, made of springs or of
// any triangles and hinges that a test asks for.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pliant/solver/solver.h>

#include "world/small_scenes.h"

namespace pliant::test {

struct SheetOptions {
    int side = 7;  ///< vertices
    std::string springs = R"({ "k_s": 0 })";
    std::string pins = R"([{ "select": [0] }, { "select": [6] }])";
    std::string more;  ///< members of the body, each with a comma before it
};

inline World sheet_world(const SheetOptions& options = {})
{
    const std::string side = std::to_string(options.side);
    World world = world_of(R"({ "world": { "gravity": [0, -9.81, 0] },
        "solver": { "kind": "implicit_euler", "step": 0.01, "substeps": 1, "accuracy": 1e-13 },
        "bodies": { "sheet": { "kind": "springs", "mesh": { "grid": [)" +
                           side + ", " + side + R"(], "size": [1, 1] }, "mass": 0.2, "springs": )" + options.springs +
                           R"(, "pins": )" + options.pins + options.more + " } } }");
    // Not quite flat and not at rest, so that nothing is symmetric by chance.
    for (std::int32_t i = 0; i < world.model->free_count; ++i) {
        if (world.state.held[i] != 0) continue;
        world.state.x[i].y += 0.01 * std::sin(7.0 * i);
        world.state.v[i] += Vec3{0.3 * std::sin(3.0 * i), 0.2 * std::cos(5.0 * i), 0.1 * std::sin(11.0 * i)};
    }
    return world;
}

/// The same world with one more term.
template <class E>
World with_term(World world, std::vector<std::array<std::int32_t, E::nodes>> nodes, std::vector<RestOf<E, double>> rest,
                const E& live)
{
    auto model = std::make_shared<Model>(*world.model);
    model->terms.emplace_back(make_elements<E>(nodes, rest, model->free_count));
    model->inner_start.push_back(world.state.inner.size());
    // What elements remember differs from one to the next.
    const std::size_t inner = inner_count(std::get<Elements<E>>(model->terms.back()));
    for (std::size_t k = 0; k < inner; ++k) world.state.inner.push_back(0.01 * std::sin(2.0 * static_cast<double>(k)));
    world.state.live.emplace_back(live);
    world.model = std::move(model);
    world.scratch = {};
    size_scratch(world.scratch, *world.model, world.state);
    return world;
}

/// Triangles of the grid as a membrane, flat in x and z at rest.
template <class Measure>
World with_membrane(World world, const Membrane<Measure>& live)
{
    std::vector<std::array<std::int32_t, 3>> nodes;
    std::vector<TriangleRest<double>> rest;
    const auto& X = world.model->start_x;
    for (const Triangle& t : world.model->topology.triangles) {
        const double u1 = X[t[1]].x - X[t[0]].x, v1 = X[t[1]].z - X[t[0]].z;
        const double u2 = X[t[2]].x - X[t[0]].x, v2 = X[t[2]].z - X[t[0]].z, det = u1 * v2 - u2 * v1;
        TriangleRest<double> r{{{}, {v2 / det, -u2 / det}, {-v1 / det, u1 / det}}, std::abs(det) / 2};
        for (int k = 0; k < 2; ++k) r.b[0][k] = -r.b[1][k] - r.b[2][k];
        nodes.push_back(t), rest.push_back(r);
    }
    return with_term<Membrane<Measure>>(std::move(world), nodes, rest, live);
}

/// The two triangles at every inner edge: ends of the edge, then the corners opposite.
inline std::vector<std::array<std::int32_t, 4>> hinges(const Model& model)
{
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> opposite;
    std::vector<std::array<std::int32_t, 4>> out;
    for (const Triangle& t : model.topology.triangles)
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
            opposite[{a, b}] = c;
            if (const auto other = opposite.find({b, a}); other != opposite.end())
                out.push_back({b, a, other->second, c});
        }
    return out;
}

inline World with_hinges(World world, const Hinge& live)
{
    const auto nodes = hinges(*world.model);
    return with_term<Hinge>(std::move(world), nodes, {nodes.size(), {0.0, 1.0, 0.0}}, live);
}

/// Springs along all edges that remember a permanent extension.
inline World with_plastic_springs(World world, double k_s)
{
    std::vector<std::array<std::int32_t, 2>> nodes;
    std::vector<Spring::Rest<double>> rest;
    const auto& X = world.model->start_x;
    for (const auto& h : hinges(*world.model)) {
        nodes.push_back({h[0], h[1]});
        rest.push_back({norm(X[h[0]] - X[h[1]]), 0.0});
    }
    PlasticSpring live;
    live.k_s = k_s;
    return with_term<PlasticSpring>(std::move(world), nodes, rest, live);
}

/// Stencils of the edges that cut squares in two, where 1 1 -1 -1 vanishes on flat sheets.
inline World with_quadratic_bending(World world, const QuadraticBending& live)
{
    std::vector<std::array<std::int32_t, 4>> nodes;
    const auto& X = world.model->start_x;
    for (const auto& h : hinges(*world.model))
        if (norm(X[h[0]] + X[h[1]] - X[h[2]] - X[h[3]]) < 1e-9) nodes.push_back(h);
    EXPECT_FALSE(nodes.empty());
    const StencilRest<double> rest{{1, 1, -1, -1}, 30, 0};
    return with_term<QuadraticBending>(std::move(world), nodes, {nodes.size(), rest}, live);
}

/// One step of length h by a solver.
inline State one_step(World world, SolverKind kind, double h, std::int32_t iterations = 1)
{
    world.state.solver.kind = kind;
    world.state.solver.iterations = iterations;
    State to = world.state;
    EXPECT_TRUE(advance(to, *world.model, world.state, h, world.scratch).accepted);
    return to;
}

inline State many_steps(World world, SolverKind kind, double h, int steps, std::int32_t iterations = 1)
{
    world.state.solver.kind = kind;
    world.state.solver.iterations = iterations;
    State to = world.state;
    for (int k = 0; k < steps; ++k) {
        EXPECT_TRUE(advance(to, *world.model, world.state, h, world.scratch).accepted) << k;
        world.state = to;
    }
    return world.state;
}

inline double distance(const State& a, const State& b)
{
    double worst = 0;
    for (std::size_t i = 0; i < a.x.size(); ++i) worst = std::max(worst, norm(a.x[i] - b.x[i]));
    return worst;
}

inline Vec3 momentum(const Model& model, const State& state)
{
    Vec3 sum;
    for (std::int32_t i = 0; i < model.free_count; ++i) sum += state.v[i] * model.mass[i];
    return sum;
}

/// A ball of springs, blown up by a gas.
inline World balloon_world(const std::string& gas)
{
    World world = world_of(R"({ "world": { "gravity": [0, -9.81, 0] },
        "solver": { "kind": "implicit_euler", "step": 0.01, "substeps": 1, "accuracy": 1e-13 },
        "bodies": { "ball": { "kind": "springs", "mesh": { "icosphere": 2, "radius": 0.3 }, "mass": 1,
            "springs": { "k_s": 200, "k_d": 0.5 }, "pins": [{ "select": [0] }], "gas": )" +
                           gas + " } } }");
    for (std::int32_t i = 0; i < world.model->free_count; ++i)
        if (world.state.held[i] == 0) world.state.v[i] += Vec3{0.3 * std::sin(3.0 * i), 0.2 * std::cos(5.0 * i), -1};
    return world;
}

/// Sheets of every kind of term, undamped and damped.
inline std::vector<std::pair<std::string, World>> sheets_of_all_kinds()
{
    const auto plain = [] { return sheet_world(); };
    GreenMembrane green{.stretch_u = 60, .stretch_v = 90, .poisson = 0.3, .shear = 25};
    ThreadMembrane thread{.stretch_u = 60, .stretch_v = 90, .poisson = 0.3, .shear = 25};
    std::vector<std::pair<std::string, World>> all;
    all.emplace_back("springs", sheet_world({.springs = R"({ "k_s": 40 })"}));
    all.emplace_back("damped springs", sheet_world({.springs = R"({ "k_s": 40, "k_d": 0.3 })"}));
    all.emplace_back("springs in a medium",
                     sheet_world({.springs = R"({ "k_s": 40 })", .more = R"(, "damping": 5, "drag": 0.01)"}));
    all.emplace_back("plastic springs", with_plastic_springs(sheet_world({.springs = R"({ "k_s": 20 })"}), 30));
    all.emplace_back("membrane", with_membrane(plain(), green));
    all.emplace_back("thread membrane", with_membrane(plain(), thread));
    green.damping_time = 0.01, green.shear_damping = 0.2;
    all.emplace_back("damped membrane", with_membrane(plain(), green));
    all.emplace_back("membrane and hinges",
                     with_hinges(with_membrane(plain(), green), {.bend_u = 2e-3, .bend_damping_time = 0.01}));
    all.emplace_back("membrane and stencils", with_quadratic_bending(with_membrane(plain(), thread),
                                                                     {.bend_u = 1e-3, .bend_damping_time = 0.02}));
    all.emplace_back(
        "held along single axes",
        with_membrane(
            sheet_world(
                {.pins =
                     R"([{ "select": [0], "axes": "xy" }, { "select": [6], "axes": "y" }, { "select": [48], "axes": "xyz" }])"}),
            green));
    return all;
}

}  // namespace pliant::test
