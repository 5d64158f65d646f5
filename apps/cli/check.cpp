// SPDX-License-Identifier: MIT

// pliant check: every problem of a scene, without running it.

#include <memory>

#include <fmt/format.h>

#include <pliant/world/build.h>

#include "verbs.h"

namespace pliant::cli {

namespace {

struct Options {
    std::vector<std::string> scenes, set;
};

// Problems of reading and of building; the second only when the first leaves something to build.
std::vector<Problem> problems_of(const std::string& path, const std::vector<Override>& overrides,
                                 std::vector<std::string>& notes)
{
    SceneRead read = read_scene(path, overrides);
    if (!read.problems.empty()) return std::move(read.problems);
    Build built = try_build(read.scene);
    notes = std::move(built.notes);
    return std::move(built.problems);
}

int check(const Options& options)
{
    int code = kOk;
    for (const std::string& path : options.scenes) {
        std::vector<std::string> notes;
        std::vector<Problem> problems = problems_of(path, parse_overrides(options.set), notes);
        for (const std::string& note : notes) fmt::print("{}: note: {}\n", path, note);
        for (const Problem& problem : problems) fmt::print("{}\n", to_string(problem));
        if (problems.empty())
            fmt::print("{}: good\n", path);
        else
            fmt::print("{}: {} problem{}\n", path, problems.size(), problems.size() == 1 ? "" : "s"), code = kBadInput;
    }
    return code;
}

}  // namespace

void setup_check(CLI::App& app, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("check", "Report every problem of a scene with line, place, and cure.\n\n"
                                                 "  pliant check my_scene.json\n");
    verb->add_option("scenes", options->scenes, "scene files")->required();
    verb->add_option("--set", options->set, "path=value: change a value of the scene, may be repeated")
        ->allow_extra_args(false);
    verb->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace pliant::cli
