// SPDX-License-Identifier: MIT

// pliant replay: a take run again with all that was done to it, and compared frame by frame.

#include <memory>
#include <optional>

#include <fmt/format.h>

#include <pliant/base/json_write.h>
#include <pliant/base/parallel.h>
#include <pliant/record/replay.h>
#include <pliant/world/build.h>

#include "output.h"
#include "progress.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

struct Options {
    std::string take;
    int threads = 0;
    bool json = false, quiet = false;
};

Scene scene_in(const Recording& take)
{
    const RecordingHeader& header = take.header();
    SceneRead read = parse_scene(header.scene_text, header.scene_path);
    if (!read.problems.empty()) throw Error(std::move(read.problems));
    return std::move(read.scene);
}

void print_words(const ReplayReport& report)
{
    if (!report.message.empty()) fmt::print("{}\n", report.message);
    const std::string what = fmt::format("{} frames, {} actions", report.frames, report.actions);
    if (!report.first_difference) return fmt::print("{}: the same to the last bit\n", what);
    fmt::print("{}: differs from frame {} on, by up to {:.3g} m\n", what, *report.first_difference, report.furthest);
}

void print_json(const ReplayReport& report)
{
    std::string text;
    JsonWriter json(text);
    json.begin_object().member("frames", report.frames).member("actions", report.actions);
    json.member("same", !report.first_difference.has_value()).key("first_difference");
    report.first_difference ? json.value(*report.first_difference) : json.null();
    json.member("furthest", report.furthest).member("message", report.message).end_object();
    fmt::print("{}\n", text);
}

int replay_take(const Options& options)
{
    set_thread_count(options.threads);
    const Recording take = Recording::open(options.take);
    if (take.frame_count() == 0) throw Error(Problem{.file = options.take, .message = "has no frames yet"});
    const Scene scene = scene_in(take);
    World world = build(scene);
    if (world.model->id != take.header().model_id)
        say("note: this program builds another model of the scene than the one that was recorded");
    ProgressLine progress(options.quiet);
    const ReplayReport report = replay(world, scene, take, [&](const Frame& frame) {
        if (progress.is_due()) progress.show(fmt::format("frame {} of {}", frame.index, take.frame_count() - 1));
    });
    progress.clear();
    options.json ? print_json(report) : print_words(report);
    return report.first_difference ? kSimulationFailed : kOk;
}

}  // namespace

void setup_replay(CLI::App& app, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand(
        "replay", "Run a take again, with all that was done to it by hand, and compare every frame.\n\n"
                  "  pliant replay take.plrec\n\n"
                  "Frames are compared by the hash of their whole state. Exit code 1 when one differs.\n");
    verb->add_option("take", options->take, "the recording")->required();
    verb->add_option("--threads", options->threads, "threads to use; all cores by default; never changes the result")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N");
    verb->add_flag("--json", options->json, "the result as JSON");
    verb->add_flag("-q,--quiet", options->quiet, "no talk");
    verb->callback([options, &exit_code] { exit_code = replay_take(*options); });
}

}  // namespace pliant::cli
