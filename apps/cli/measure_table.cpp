// SPDX-License-Identifier: MIT
#include "measure_table.h"

#include <fmt/format.h>

namespace pliant::cli {

std::string bare_value(const std::string& json)
{
    const bool is_single = json.starts_with('[') && json.ends_with(']') && json.find(',') == std::string::npos;
    return is_single ? json.substr(1, json.size() - 2) : json;
}

std::string measures_markdown()
{
    std::string text = "\n## Measures\n\n"
                       "What every frame of a recording holds, what `expect` bounds and `pliant plot` draws. BODY, PIN "
                       "and PROBE stand for their names in the scene.\n\n"
                       "| measure | unit | what it is |\n|---|---|---|\n";
    for (const MeasureKind& kind : measure_kinds()) {
        std::string shown(kind.shown);
        for (std::size_t at = 0; (at = shown.find('|', at)) != std::string::npos; at += 2) shown.insert(at, "\\");
        text += fmt::format("| `{}` | {} | {} |\n", shown, kind.unit == "1" ? "" : kind.unit, kind.sentence);
    }
    return text;
}

}  // namespace pliant::cli
