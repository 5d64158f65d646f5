// SPDX-License-Identifier: MIT

// pliant run: simulate a scene and record it.

#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <pliant/base/hash.h>
#include <pliant/base/parallel.h>
#include <pliant/record/export.h>
#include <pliant/record/run.h>
#include <pliant/world/build.h>

#include "output.h"
#include "progress.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

struct Options {
    std::string scene, output;
    std::vector<std::string> set, exports;
    int threads = 0;
    bool json = false, quiet = false, force = false, resume = false, no_record = false;
};

// A bar with the time left on a terminal, plain numbers otherwise.
void show_progress(ProgressLine& line, const Progress& p)
{
    if (!line.is_due()) return;
    const double done = p.frames > 0 ? static_cast<double>(p.frame) / static_cast<double>(p.frames) : 1;
    const double left = done > 0 ? line.spent() / done * (1 - done) : 0;
    constexpr int kWidth = 30;
    const int full = static_cast<int>(done * kWidth);
    const std::string bar =
        line.on_terminal() ? fmt::format("[{:#<{}}{:.<{}}] ", "", full, "", kWidth - full) : std::string();
    line.show(fmt::format("{}{:3.0f} %  {:.2f} s of {:g} s, {:.0f} s left", bar, 100 * done, p.time, p.duration, left));
}

std::string default_output(const std::string& scene)
{
    return std::filesystem::path(scene).stem().string() + ".plrec";
}

// The scene of a take that is resumed is the one stored in it.
Scene scene_of(const Options& options, const std::string& output)
{
    if (!options.resume) return load_scene(options.scene, parse_overrides(options.set));
    const RecordingHeader header = Recording::open(output).header();
    SceneRead read = parse_scene(header.scene_text, header.scene_path);
    if (!read.problems.empty()) throw Error(std::move(read.problems));
    return std::move(read.scene);
}

struct Take {
    std::optional<RecordingWriter> writer;
    std::optional<Recording> earlier;
};

Take start_take(const Options& options, const Scene& scene, const std::string& output, World& world)
{
    Take take;
    if (options.no_record) return take;
    if (!options.resume) {
        const RecordingHeader header{scene.text, scene.file, PLIANT_VERSION, world.model->id, world.model->topology};
        take.writer = RecordingWriter::create(output, header, options.force);
        return take;
    }
    const std::optional<SnapshotBlob> snapshot = Recording::open(output).last_snapshot();
    if (!snapshot)
        throw Error(Problem{
            .file = output, .message = "the take has no snapshot to go on from", .cure = "run it again with --force"});
    load(world.state, snapshot->state, world.model->id);
    take.writer = RecordingWriter::resume(output);
    take.writer->drop_after(snapshot->frame_index);
    take.earlier = Recording::open(output);
    return take;
}

void print_summary(const RunSummary& s, const Options& options, const std::string& output)
{
    fmt::print("{}: {:g} s simulated in {:.2f} s, {} frames, {} steps, hash {}\n", s.status, s.sim_s, s.wall_s,
               s.frames, s.substeps, hex(s.hash));
    if (!s.message.empty()) fmt::print("{}\n", s.message);
    for (const Expectation& e : s.expect)
        fmt::print("  {} {} = {:.6g}, expected {:g} to {:g}\n", e.met ? "ok    " : "MISSED", e.name, e.found, e.low,
                   e.high);
    if (!options.quiet)
        for (const std::string& note : s.notes) fmt::print(stderr, "note: {}\n", note);
    if (!options.no_record && !options.quiet)
        say(fmt::format("recorded in {0}; next: pliant plot {0} energy -o energy.svg, or pliant info {0}", output));
}

int exit_code_of(const RunSummary& summary)
{
    if (summary.failed) return kSimulationFailed;
    if (summary.interrupted) return kInterrupted;
    return summary.expectations_met() ? kOk : kExpectNotMet;
}

void export_take(const Options& options, const std::string& output)
{
    if (options.exports.empty() || options.no_record) return;
    const Recording take = Recording::open(output);
    for (const std::string& kind : options.exports) {
        const Exported exported = export_recording(take, export_kind_path(kind, output), {.overwrite = options.force});
        if (options.quiet) continue;
        for (const std::string& file : exported.files) fmt::print(stderr, "wrote {}\n", file);
        for (const std::string& note : exported.notes) fmt::print(stderr, "note: {}\n", note);
    }
}

int run_scene(const Options& options)
{
    set_thread_count(options.threads);
    const std::string output = !options.output.empty() ? options.output
                               : options.resume        ? options.scene
                                                       : default_output(options.scene);
    const Scene scene = scene_of(options, output);
    Build built = try_build(scene);
    if (!built.problems.empty()) throw Error(std::move(built.problems));
    if (!options.quiet)
        for (const std::string& note : built.notes) fmt::print(stderr, "note: {}\n", note);
    Take take = start_take(options, scene, output, built.world);
    catch_interrupts();
    ProgressLine progress(options.quiet);
    RunOptions run_options{.writer = take.writer ? &*take.writer : nullptr,
                           .progress = [&](const Progress& p) { show_progress(progress, p); },
                           .stop = &interrupted,
                           .earlier = take.earlier ? &*take.earlier : nullptr};
    const RunSummary summary = run(built.world, scene, run_options);
    progress.clear();
    if (take.writer && !summary.interrupted) take.writer->finish(to_json(summary));
    take = {};
    if (options.json)
        fmt::print("{}\n", to_json(summary));
    else
        print_summary(summary, options, output);
    if (!summary.failed && !summary.interrupted) export_take(options, output);
    return exit_code_of(summary);
}

}  // namespace

void setup_run(CLI::App& app, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("run", "Simulate a scene and record it.\n\n"
                                               "  pliant run scenes/pneumatic_box.json -o take.plrec\n"
                                               "  pliant run scene.json --set world.gravity=[0,-20,0] --json\n"
                                               "  pliant run --resume take.plrec\n");
    verb->add_option("scene", options->scene, "the scene file (with --resume: the take)")->required();
    verb->add_option("-o,--output", options->output, "the recording to write; SCENE.plrec in this folder by default");
    verb->add_option("--set", options->set, "path=value: change a value of the scene, may be repeated")
        ->allow_extra_args(false);
    verb->add_option("--export", options->exports, "also export: pc2, glb, usda, vtu, ply, csv …")
        ->delimiter(',')
        ->allow_extra_args(false);
    verb->add_option("--threads", options->threads, "threads to use; all cores by default; never changes the result")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N");
    verb->add_flag("--json", options->json, "print the summary as JSON");
    verb->add_flag("-q,--quiet", options->quiet, "no progress, no talk");
    verb->add_flag("-f,--force", options->force, "overwrite files");
    verb->add_flag("--resume", options->resume, "go on with an unfinished take from its last snapshot");
    verb->add_flag("--no-record", options->no_record, "do not write a recording");
    verb->callback([options, &exit_code] { exit_code = run_scene(*options); });
}

}  // namespace pliant::cli
