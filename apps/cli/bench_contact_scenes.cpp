// SPDX-License-Identifier: MIT

// Contact in whole steps: which share of a step it takes, whether a sheet runs in real time, and a sheet on a sphere beside
// another engine, both looked at by the same independent judge.

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <pliant/base/profile.h>
#include <pliant/record/run.h>
#include <pliant/world/build.h>

#include "bench.h"
#include "bench_cloth.h"
#include "bench_judge.h"
#include "bench_peer.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

// The fastest of several runs of a scene; nothing is recorded.
RunSummary best_run(const Scene& scene, int repeats)
{
    RunSummary best;
    for (int r = 0; r < repeats; ++r) {
        World world = build(scene);
        RunSummary summary = run(world, scene);
        if (r == 0 || summary.profile[Stage::step] < best.profile[Stage::step]) best = std::move(summary);
    }
    return best;
}

std::vector<std::string> share_row(const std::string& name, const RunSummary& summary, int threads)
{
    const Profile& profile = summary.profile;
    const double step = profile[Stage::step];
    const auto percent = [&](double seconds) { return number(100 * seconds / step); };
    const double rest =
        step - profile[Stage::integrate] - profile[Stage::collide] - profile[Stage::judge] - profile[Stage::inputs];
    const auto frames = static_cast<double>(std::max<std::int64_t>(summary.frames - 1, 1));
    return {name,
            std::to_string(threads),
            number(1e3 * step / frames),
            percent(profile[Stage::integrate]),
            percent(profile[Stage::collide]),
            percent(profile[Stage::judge]),
            percent(profile[Stage::inputs]),
            percent(rest),
            summary.failed                         ? summary.status
            : profile[Stage::collide] < 0.5 * step ? "met"
                                                   : "missed"};
}

}  // namespace

BenchTable bench_contact_shares(const BenchSettings& settings)
{
    BenchTable table{
        .name = "contact_shares",
        .sentence = "milliseconds of steps per frame and per cent of them by stage; contact under half is wanted in "
                    "shirt_on_table. The first row is the thesis' profile (E-16), whose other four branches have "
                    "no names"};
    table.columns = {"scene",         "threads",        "ms_per_frame", "dynamics_percent", "contact_percent",
                     "judge_percent", "inputs_percent", "rest_percent", "verdict"};
    table.rows.push_back({"thesis E-16", "1", "-", "20.84", "20.04 + 20.29 + 8.09 + 3.57", "-", "-", "-", "-"});
    std::vector<std::string> scenes = settings.scenes;
    if (scenes.empty())
        for (const char* file : {"shirt_on_table.json", "cloth_on_table.json", "drape.json"})
            scenes.push_back(std::string(PLIANT_SCENES) + "/" + file);
    for (const std::string& path : scenes) {
        const Scene scene = load_scene(path, parse_overrides(settings.overrides));
        const RunSummary summary = best_run(scene, std::min(settings.repeats, 2));
        table.rows.push_back(share_row(std::filesystem::path(path).stem().string(), summary, settings.threads));
    }
    return table;
}

BenchTable bench_contact_realtime(const BenchSettings& settings)
{
    BenchTable table{.name = "contact_realtime",
                     .sentence =
                         "cloth_on_table with 30 x 30 vertices: simulated seconds per second of steps; 1 is wanted, "
                         "and no frame longer than it lasts"};
    table.columns = {"vertices", "threads",   "median_ms",    "worst_ms",
                     "frame_ms", "real_time", "late_percent", "verdict"};
    for (const int side : {15, 30, 45}) {
        Scene scene = shipped_scene("cloth_on_table.json", {});
        for (auto& [name, body] : scene.bodies)
            if (body.kind == SceneBodyKind::cloth) body.mesh.grid = {side, side};
        World world = build(scene);
        const FrameTimes times = time_frames(world, scene.world.frame_rate, scene.world.duration);
        const Summary summary = summarize(times.seconds);
        const double frame = 1 / scene.world.frame_rate;
        const auto late = static_cast<double>(
            std::count_if(times.seconds.begin(), times.seconds.end(), [&](double s) { return s > frame; }));
        table.rows.push_back({std::to_string(side * side), std::to_string(settings.threads), number(times.median_ms()),
                              number(times.worst_ms()), number(1e3 * frame), number(frame / summary.mean),
                              number(100 * late / static_cast<double>(times.seconds.size())),
                              !times.failure.empty()  ? times.failure
                              : summary.mean <= frame ? "met"
                                                      : "missed"});
    }
    return table;
}

namespace {

// [1] Facets round the sphere: with as many, they lie 0.2 mm inside a radius of 0.3 m.
constexpr int kFacetsOfSphere = 80;

/// Deepest point [mm], frames with intersections, most of them in a frame, strain [%], verdict.
std::vector<std::string> findings(const ContactJudge& judge)
{
    const bool is_valid = judge.is_finite() && judge.frames_cut() == 0;
    return {number(1e3 * judge.deepest()), std::to_string(judge.frames_cut()),
            std::to_string(judge.most_intersections()), number(100 * judge.strain()), is_valid ? "valid" : "invalid"};
}

Scene drape_scene(int side)
{
    Scene scene = shipped_scene("drape.json", {{"bodies.sheet.mesh.grid", grid_text(side)}, {"expect", "{}"}});
    for (auto& [name, collider] : scene.colliders)
        if (collider.rigid.sphere > 0) collider.rigid.facets = kFacetsOfSphere;
    return scene;
}

void add_drape_row(BenchTable& table, const std::string& program, int side, int threads, const FrameTimes& times,
                   const ContactJudge& judge)
{
    std::vector<std::string> row{program, std::to_string(side), std::to_string(threads), number(times.median_ms()),
                                 number(times.worst_ms())};
    for (std::string& finding : findings(judge)) row.push_back(std::move(finding));
    if (!times.failure.empty()) row.back() = times.failure;
    table.rows.push_back(std::move(row));
}

// The same mesh, sphere, friction and frames for another engine.
PeerDrape peer_of(const Scene& scene, const World& world, const ContactJudge& judge)
{
    const Model& model = *world.model;
    PeerDrape drape{.centre = judge.centre(),
                    .radius = judge.radius(),
                    .gravity = world.state.world.gravity,
                    .frame_rate = scene.world.frame_rate,
                    .duration = scene.world.duration};
    drape.friction = 1, drape.thickness = scene.contact.thickness;
    for (const BodyLive& body : world.state.bodies)
        drape.friction *= body.friction, drape.thickness = std::max(drape.thickness, body.thickness);
    const auto sheet = judge.free_of(world.state);
    drape.sheet.vertices.assign(sheet.begin(), sheet.end());
    for (std::int32_t i = 0; i < model.free_count; ++i) drape.mass += model.mass[i];
    for (const Triangle& t : model.topology.triangles)
        if (std::max({t[0], t[1], t[2]}) < model.free_count) drape.sheet.triangles.push_back(t);
    return drape;
}

/// Settings of Bullet's soft body: as it comes, then as one would tune it for this scene.
struct BulletChoice {
    const char* name;
    int steps_per_frame;
    double distance_cell;  ///< [m]
};
constexpr BulletChoice kBulletChoices[] = {
    {"bullet as it comes", 1, 0}, {"bullet cells of 15 mm", 1, 0.015}, {"bullet cells of 15 mm 4 steps", 4, 0.015}};

void add_bullet_rows(BenchTable& table, const Scene& scene, int side)
{
    const World world = build(scene);
    for (const BulletChoice& choice : kBulletChoices) {
        ContactJudge judge(world);
        PeerDrape drape = peer_of(scene, world, judge);
        drape.steps_per_frame = choice.steps_per_frame, drape.distance_cell = choice.distance_cell;
        const auto times = drape_in_bullet(drape, [&](std::span<const Vec3> sheet) { judge.look(sheet); });
        if (!times) {
            table.rows.push_back({"bullet: not installed (tools/setup bench)", std::to_string(side), "1", "-", "-", "-",
                                  "-", "-", "-", "-"});
            return;
        }
        add_drape_row(table, choice.name, side, 1, *times, judge);
    }
}

}  // namespace

BenchTable bench_contact_sphere(const BenchSettings& settings)
{
    BenchTable table{
        .name = "contact_sphere",
        .sentence =
            "yardstick B2, a sheet falls on a sphere: milliseconds per frame of 1/60 s over 2 s, deepest "
            "point of the sheet inside the round sphere, intersections with its facets and of the sheet with itself "
            "by the audit; beside Bullet's soft body, which does not look at itself"};
    table.columns = {"program",        "side",       "threads",    "median_ms",
                     "worst_ms",       "deepest_mm", "frames_cut", "most_intersections",
                     "strain_percent", "verdict"};
    for (const int side : {50, 100}) {
        if (side * side > settings.largest) break;
        const Scene scene = drape_scene(side);
        World world = build(scene);
        ContactJudge judge(world);
        const FrameTimes times = time_frames(world, scene.world.frame_rate, scene.world.duration,
                                             [&](World& now) { judge.look(now.state); });
        add_drape_row(table, fmt::format("pliant {}", name_of(scene.contact.response)), side, settings.threads, times,
                      judge);
        add_bullet_rows(table, scene, side);
    }
    return table;
}

}  // namespace pliant::cli
