// SPDX-License-Identifier: MIT

// pliant export: a take as files for other programs.

#include <memory>

#include <fmt/format.h>

#include <pliant/record/export.h>

#include "output.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

struct Options {
    std::string take, output;
    ExportOptions how;
    bool quiet = false;
};

int export_take(const Options& options)
{
    const Exported exported = export_recording(Recording::open(options.take), options.output, options.how);
    if (options.quiet) return kOk;
    for (const std::string& note : exported.notes) say(fmt::format("note: {}", note));
    const std::size_t count = exported.files.size();
    if (count > 4)
        say(fmt::format("wrote {} files, {} to {}", count, exported.files.front(), exported.files.back()));
    else
        for (const std::string& file : exported.files) say(fmt::format("wrote {}", file));
    if (count > 0) say(fmt::format("next: open {} (what reads it: pliant export --help)", exported.files.front()));
    return kOk;
}

std::string kinds_text()
{
    std::string text = "Kinds, by the extension of OUT:\n";
    for (const ExportKind& kind : export_kinds()) text += fmt::format("  .{:<6} {}\n", kind.name, kind.sentence);
    return text;
}

}  // namespace

void setup_export(CLI::App& app, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("export", "Write a take as files for other programs.\n\n"
                                                  "  pliant export take.plrec -o take.glb\n"
                                                  "  pliant export take.plrec -o take.usda --every 2\n"
                                                  "  pliant export take.plrec -o lid.pc2 --body box --first 60\n\n" +
                                                      kinds_text());
    verb->add_option("take", options->take, "the recording")->required();
    verb->add_option("-o,--output", options->output, "the file to write; its extension says the kind")
        ->required()
        ->type_name("OUT");
    verb->add_option("--every", options->how.every, "take every N-th frame");
    verb->add_option("--first", options->how.first, "first frame, counted from 0");
    verb->add_option("--last", options->how.last, "last frame");
    verb->add_option("--body", options->how.body, "only this body")->type_name("NAME");
    verb->add_flag("-f,--force", options->how.overwrite, "overwrite files");
    verb->add_flag("-q,--quiet", options->quiet, "no talk");
    verb->callback([options, &exit_code] { exit_code = export_take(*options); });
}

}  // namespace pliant::cli
