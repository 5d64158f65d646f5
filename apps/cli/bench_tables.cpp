// SPDX-License-Identifier: MIT

// The measurements of `pliant bench`.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>

#include <unistd.h>

#include <fmt/format.h>

#include <pliant/base/hash.h>
#include <pliant/energy/energy.h>
#include <pliant/energy/gas.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/topology.h>
#include <pliant/record/run.h>
#include <pliant/scene/scene_json.h>
#include <pliant/solver/solver.h>
#include <pliant/world/build.h>
#include <pliant/world/step.h>

#include "bench.h"
#include "verbs.h"

namespace pliant::cli {

double seconds_of(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string number(double value)
{
    return fmt::format("{:.4g}", value);
}

namespace {

// The shortest of several runs: whatever else the machine does only adds time.
double best_seconds(int repeats, const std::function<void()>& work)
{
    double best = seconds_of(work);
    for (int r = 1; r < repeats; ++r) best = std::min(best, seconds_of(work));
    return best;
}

// A square sheet of springs, pinned at its rim, shaken by gravity: only forces and integration.
Scene sheet_scene(int side)
{
    Scene scene;
    BodyScene sheet;
    sheet.mesh.grid = {side, side};
    sheet.mesh.size = {1, 1};
    sheet.mass = 1;
    sheet.springs = {.k_s = 100, .k_d = 0};
    sheet.pins.push_back({.select = {.group = "rim"}});
    scene.bodies.emplace_back("sheet", sheet);
    scene.solver.kind = SolverKind::rk4;
    return scene;
}

double resident_bytes()
{
    long pages = 0, resident = 0;
    if (FILE* statm = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(statm, "%ld %ld", &pages, &resident) != 2) resident = 0;
        std::fclose(statm);
    }
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

BenchTable bench_scenes(const BenchSettings& settings)
{
    BenchTable table{.name = "scenes",
                     .sentence = "microseconds per sub-step, whole and by stage; the best of all repeats"};
    table.columns = {"scene", "threads", "steps", "us_per_step"};
    for (std::size_t s = 0; s < kStageCount; ++s) table.columns.emplace_back(name(static_cast<Stage>(s)));
    table.columns.emplace_back("hash");
    std::vector<std::string> scenes = settings.scenes;
    if (scenes.empty())
        for (const char* file : {"pneumatic_box.json", "pneumatic_box_drop.json", "balloon.json"}) {
            const std::string path = std::string(PLIANT_SCENES) + "/" + file;
            if (std::filesystem::exists(path)) scenes.push_back(path);
        }
    for (const std::string& path : scenes) {
        const Scene scene = load_scene(path, parse_overrides(settings.overrides));
        RunSummary best;
        for (int r = 0; r < settings.repeats; ++r) {
            World world = build(scene);
            RunSummary summary = run(world, scene);
            if (r == 0 || summary.profile[Stage::step] < best.profile[Stage::step]) best = std::move(summary);
        }
        const double per_step = 1e6 / static_cast<double>(best.substeps);
        std::vector<std::string> row{std::filesystem::path(path).stem().string(), std::to_string(settings.threads),
                                     std::to_string(best.substeps), number(best.profile[Stage::step] * per_step)};
        for (const double seconds : best.profile.seconds) row.push_back(number(seconds * per_step));
        row.push_back(hex(best.hash));
        table.rows.push_back(std::move(row));
    }
    return table;
}

BenchTable bench_growth(const BenchSettings& settings)
{
    BenchTable table{
        .name = "growth",
        .sentence =
            "RK4 on a square spring sheet: nanoseconds per vertex and step must stay flat, memory under 400 bytes"};
    table.columns = {"vertices", "threads", "ns_per_vertex_step", "bytes_per_vertex"};
    for (const double wanted : {1e3, 1e4, 1e5, 1e6, 1e7}) {
        if (wanted > settings.largest * 1.001) break;
        const int side = static_cast<int>(std::lround(std::sqrt(wanted)));
        const double vertices = 1.0 * side * side;
        const double before = resident_bytes();
        World world = build(sheet_scene(side));
        const int steps = static_cast<int>(std::max(3.0, 2e5 / vertices));
        const double h = 1e-4 / side;
        const auto work = [&] {
            for (int s = 0; s < steps; ++s) {
                advance(world.scratch.to, *world.model, world.state, h, world.scratch);
                world.state = world.scratch.to;
            }
        };
        work();
        const double seconds = best_seconds(settings.repeats, work);
        const double bytes = (resident_bytes() - before) / vertices;
        // Below a few pages the resident size says nothing.
        table.rows.push_back({fmt::format("{:.0f}", vertices), std::to_string(settings.threads),
                              number(1e9 * seconds / steps / vertices), vertices >= 1e5 ? number(bytes) : "-"});
    }
    return table;
}

namespace {

// Seed 004's ball: edge springs and radial springs, drag, nothing to touch.
Scene ball_scene(int stages, int frequency)
{
    Scene scene;
    BodyScene ball;
    ball.kind = SceneBodyKind::simplex;
    ball.mesh.simplex_sphere = {stages, frequency};
    ball.mesh.radius = 1;
    ball.mass = 54;
    ball.springs.k_s = 2;
    ball.radial = RadialScene{.live = {.k_r = 3.2}, .center = CenterKind::centroid};
    ball.live.drag = 1e-4;
    scene.bodies.emplace_back("ball", ball);
    scene.world.live.gravity = {};
    scene.solver.kind = SolverKind::semi_implicit_euler;
    scene.solver.step = 1e-4;
    scene.solver.substeps = {1};
    return scene;
}

}  // namespace

BenchTable bench_simplex(const BenchSettings& settings)
{
    BenchTable table{.name = "simplex",
                     .sentence =
                         "a semi-implicit step of seed 004's ball: integration alone, and the whole step with its "
                         "checks; nanoseconds per vertex must stay flat"};
    table.columns = {"vertices",           "threads",         "build_s", "us_per_step", "whole_us_per_step",
                     "ns_per_vertex_step", "bytes_per_vertex"};
    constexpr std::pair<int, int> kSizes[] = {{4, 3}, {7, 5}, {10, 8}, {27, 8}, {80, 8}, {251, 8}};
    for (const auto& size : kSizes) {
        const int stages = size.first, frequency = size.second;
        const double vertices = 2.0 * frequency * (stages - 1) * (stages - 1);
        if (vertices > settings.largest * 1.001) break;
        const double before = resident_bytes();
        World world;
        const double build_s = seconds_of([&] { world = build(ball_scene(stages, frequency)); });
        for (Vec3& v : world.state.v) v = {0.1, 0, 0};
        world.state.x[0] *= 1.01;
        const int steps = static_cast<int>(std::max(3.0, 1e6 / vertices));
        const double h = world.state.solver.step;
        const auto integrate = [&] {
            for (int s = 0; s < steps; ++s) advance(world.scratch.to, *world.model, world.state, h, world.scratch);
        };
        const auto whole = [&] { step_to(world, world.state.time + steps * h); };
        integrate();
        const double alone = best_seconds(settings.repeats, integrate) / steps;
        const double all = best_seconds(settings.repeats, whole) / steps;
        const double bytes = (resident_bytes() - before) / vertices;
        table.rows.push_back({fmt::format("{:.0f}", vertices), std::to_string(settings.threads), number(build_s),
                              number(1e6 * alone), number(1e6 * all), number(1e9 * alone / vertices),
                              vertices >= 1e5 ? number(bytes) : "-"});
    }
    return table;
}

namespace {

// B4 of shared/benchmarks.md: a clamped beam released under gravity, n x n/5 x n/5 cells of six tetrahedra.
Scene beam_scene(int n, TetElements elements, double young)
{
    Scene scene;
    BodyScene beam;
    beam.kind = SceneBodyKind::solid;
    beam.elements = elements;
    beam.mesh.tet_block = {n, std::max(1, n / 5), std::max(1, n / 5)};
    beam.mesh.size = {1, 0.2, 0.2};
    beam.material.young = young, beam.material.poisson = 0.3, beam.material.density = 200;
    beam.pins.push_back({.name = "clamp", .select = {.group = "left"}});
    scene.bodies.emplace_back("beam", beam);
    scene.solver.kind = SolverKind::implicit_euler;
    scene.solver.step = 1.0 / 60;
    scene.solver.accuracy = 6e-3;  // at 60 steps a second: the last iteration moves a tenth of a millimetre at most
    return scene;
}

}  // namespace

BenchTable bench_solids(const BenchSettings& settings)
{
    BenchTable table{
        .name = "solids",
        .sentence =
            "implicit Euler steps of 1/60 s of the beam B4 (to a tenth of a millimetre): milliseconds per step, "
            "Newton iterations per step, bytes per tetrahedron"};
    table.columns = {"element", "cells",     "tets",     "nodes",  "young",        "linear_solver",
                     "threads", "median_ms", "worst_ms", "newton", "bytes_per_tet"};
    struct Case {
        TetElements elements;
        int n;
        double young;
        LinearSolver linear = LinearSolver::automatic;
    };
    constexpr TetElements T10 = TetElements::quadratic, T4 = TetElements::linear;
    for (const Case& c :
         {Case{T10, 10, 1e6}, Case{T10, 20, 1e6}, Case{T10, 20, 1e5}, Case{T4, 20, 1e6}, Case{T4, 40, 1e6},
          Case{T4, 75, 1e6}, Case{T4, 75, 1e6, LinearSolver::cholesky}, Case{T4, 160, 1e6}}) {
        const double cells = 1.0 * c.n * std::max(1, c.n / 5) * std::max(1, c.n / 5), tets = 6 * cells;
        if (tets > settings.largest * 1.001) break;
        const double before = resident_bytes();
        Scene scene = beam_scene(c.n, c.elements, c.young);
        scene.solver.linear_solver = c.linear;
        World world = build(scene);
        std::vector<double> times;
        int newton = 0;
        const int steps = tets > 3e4 ? 8 : 40;
        for (int s = 0; s < steps; ++s)
            times.push_back(seconds_of([&] { newton += step_to(world, (s + 1) / 60.0).iterations; }));
        const double bytes = (resident_bytes() - before) / tets;
        times.erase(times.begin());  // the first step makes the patterns and levels
        std::sort(times.begin(), times.end());
        table.rows.push_back({c.elements == T10 ? "quadratic" : "linear", std::to_string(c.n), number(tets),
                              std::to_string(world.model->free_count), number(c.young),
                              std::string(enum_names(c.linear)[static_cast<std::size_t>(c.linear)]),
                              std::to_string(settings.threads), number(1e3 * times[times.size() / 2]),
                              number(1e3 * times.back()), number(1.0 * newton / steps),
                              tets > 1e4 ? number(bytes) : "-"});
    }
    return table;
}

BenchTable bench_kernels(const BenchSettings& settings)
{
    BenchTable table{.name = "kernels", .sentence = "nanoseconds per element, data in cache and out of it"};
    table.columns = {"kernel", "elements", "ns_per_element"};
    for (const int side : {22, 100, 1000}) {
        const TriMesh mesh = grid(side, side, 1, 1);
        const auto count = static_cast<std::int32_t>(mesh.vertices.size());
        const std::vector<Spring::Rest<double>> rest(mesh.lines.size(), {1.0 / side, 0.0});
        const auto springs = make_elements<Spring>(mesh.lines, rest, count);
        const Cavity faces{.faces = make_stencils<3>(mesh.triangles, count)};
        std::vector<Vec3> force(count), v(count),
            windows(std::max(springs.stencils.window_size, faces.faces.window_size));
        const int rounds = std::max(1, 4'000'000 / static_cast<int>(mesh.lines.size()));
        const auto add = [&](const char* kernel, std::size_t elements, const std::function<void()>& once) {
            const double s = best_seconds(settings.repeats, [&] {
                for (int r = 0; r < rounds; ++r) once();
            });
            table.rows.push_back(
                {kernel, std::to_string(elements), number(1e9 * s / rounds / static_cast<double>(elements))});
        };
        add("spring_force", mesh.lines.size(), [&] {
            subtract_gradient<Spring>(force, springs, {100, 5, 0, 0}, mesh.vertices, v, windows);
        });
        add("volume_gradient", mesh.triangles.size(),
            [&] { add_volume_gradient(force, faces, mesh.vertices, windows); });
    }
    return table;
}

BenchTable bench_recording(const BenchSettings& settings)
{
    BenchTable table{.name = "recording",
                     .sentence =
                         "the default box at 60 frames a second, not recorded and recorded; added is the share"};
    table.columns = {"scene", "plain_s", "recorded_s", "added_percent"};
    const Scene scene = load_scene(std::string(PLIANT_SCENES) + "/pneumatic_box.json", {});
    const std::string path =
        (std::filesystem::temp_directory_path() / fmt::format("pliant-bench-{}.plrec", getpid())).string();
    double plain = 1e300, recorded = 1e300;
    // Turn and turn about, so that both see the same disturbances.
    for (int r = 0; r < settings.repeats; ++r) {
        World world = build(scene);
        plain = std::min(plain, seconds_of([&] { run(world, scene); }));
        World again = build(scene);
        recorded = std::min(
            recorded, seconds_of([&] {
                RecordingWriter writer = RecordingWriter::create(
                    path, {scene.text, scene.file, PLIANT_VERSION, again.model->id, again.model->topology}, true);
                const RunSummary summary = run(again, scene, {.writer = &writer});
                writer.finish(to_json(summary));
            }));
        std::filesystem::remove(path);
    }
    table.rows.push_back({"pneumatic_box", number(plain), number(recorded), number(100 * (recorded / plain - 1))});
    return table;
}

}  // namespace pliant::cli
