// SPDX-License-Identifier: MIT

// pliant new: scenes to start from.

#include <memory>

#include <fmt/format.h>

#include <pliant/scene/starters.h>

#include "output.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

struct Options {
    std::string kind, output;
    bool force = false, quiet = false;
};

int list_kinds(const Options& options)
{
    Table table("ll");
    for (const Starter& starter : starters()) table.add({std::string(starter.kind), std::string(starter.sentence)});
    fmt::print("{}", table.text());
    if (!options.quiet) say(fmt::format("next: pliant new {} -o my_scene.json", starters().front().kind));
    return kOk;
}

int write_starter(const Options& options)
{
    const std::optional<std::string> text = starter_scene(options.kind);
    if (!text) {
        std::vector<std::string> kinds;
        for (const Starter& starter : starters()) kinds.emplace_back(starter.kind);
        throw Error(Problem{.message = fmt::format("there is no scene '{}' to start from", options.kind),
                            .cure = suggestion(options.kind, kinds)},
                    ErrorKind::usage);
    }
    if (options.output.empty()) {
        fmt::print("{}", *text);
        return kOk;
    }
    write_text(options.output, *text, options.force);
    if (!options.quiet) say(fmt::format("wrote {0}; next: edit it, pliant check {0}, pliant run {0}", options.output));
    return kOk;
}

}  // namespace

void setup_new(CLI::App& app, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("new", "Print a scene to start from; without a kind: list the kinds.\n\n"
                                               "  pliant new\n"
                                               "  pliant new pneumatic > my_scene.json\n"
                                               "  pliant new balloon -o my_balloon.json\n");
    std::string kinds;
    for (const Starter& starter : starters()) kinds += (kinds.empty() ? "" : "|") + std::string(starter.kind);
    verb->add_option("kind", options->kind, "the kind of scene: " + kinds)->type_name(kinds);
    verb->add_option("-o,--output", options->output, "write to this file instead of standard output")
        ->type_name("SCENE");
    verb->add_flag("-f,--force", options->force, "overwrite the file");
    verb->add_flag("-q,--quiet", options->quiet, "no talk");
    verb->callback(
        [options, &exit_code] { exit_code = options->kind.empty() ? list_kinds(*options) : write_starter(*options); });
}

}  // namespace pliant::cli
