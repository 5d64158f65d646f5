// SPDX-License-Identifier: MIT
// Any bytes can be read as a scene; one that has no problems is written and read again to the same scene.

#include <pliant/scene/scene_json.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace pliant;

namespace {

void check_problems(const SceneRead& read)
{
    for (const Problem& problem : read.problems) {
        PLIANT_ASSERT(!problem.message.empty(), "every problem has a message");
        PLIANT_ASSERT(problem.line >= 1 || problem.file.starts_with("--set "), "every problem has a place");
    }
}

void check_text(std::string_view text)
{
    const SceneRead read = parse_scene(text, "fuzz");
    check_problems(read);
    if (!read.problems.empty()) return;
    const std::string written = to_json_text(read.scene);
    const SceneRead again = parse_scene(written, "again");
    PLIANT_ASSERT(again.problems.empty(), "what was written must be readable");
    PLIANT_ASSERT(to_json_text(again.scene) == written, "writing must be stable");
}

// The first line as --set, the rest as the scene; what is kept of a good one reads again.
void check_override(std::string_view text)
{
    const std::size_t line_end = text.find('\n');
    if (line_end == std::string_view::npos) return;
    const auto change = parse_override(text.substr(0, line_end));
    if (!change) return;
    const SceneRead read = parse_scene(text.substr(line_end + 1), "fuzz", {*change});
    check_problems(read);
    if (read.problems.empty())
        PLIANT_ASSERT(parse_scene(read.scene.text, "kept").problems.empty(), "the kept text must be readable");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_text(text);
    check_override(text);
    return 0;
}
