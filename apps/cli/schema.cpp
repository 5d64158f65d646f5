// SPDX-License-Identifier: MIT

// pliant schema: the format of scene files, for editors and for people.

#include <memory>

#include <fmt/format.h>

#include <pliant/scene/manual.h>
#include <pliant/scene/schema.h>

#include "measure_table.h"
#include "verbs.h"

namespace pliant::cli {

void setup_schema(CLI::App& app, int& exit_code)
{
    auto manual = std::make_shared<bool>(false);
    CLI::App* verb =
        app.add_subcommand("schema", "Print the format of scene files as JSON Schema or as a manual.\n\n"
                                     "  pliant schema > pliant.schema.json\n"
                                     "  pliant schema --manual > scene-format.md\n\n"
                                     "An editor that knows JSON Schema then completes and checks scenes.\n");
    verb->add_flag("--manual", *manual, "print the manual's page (Markdown) instead, with all keys and measures");
    verb->callback([manual, &exit_code] {
        const std::string text = *manual ? scene_format_markdown() + measures_markdown() : scene_schema();
        fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
        exit_code = kOk;
    });
}

}  // namespace pliant::cli
