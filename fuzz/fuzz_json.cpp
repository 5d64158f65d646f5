// SPDX-License-Identifier: MIT
// Any bytes can be read; what was read without problems is written and read again to the same tree.

#include <pliant/base/json.h>
#include <pliant/base/json_write.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace pliant;

namespace {

void check_text(std::string_view text)
{
    const JsonRead read = parse_json(text, "fuzz");
    for (const Problem& problem : read.problems) {
        PLIANT_ASSERT(problem.line >= 1, "every problem has a line");
        PLIANT_ASSERT(!problem.message.empty(), "every problem has a message");
    }
    if (!read.problems.empty()) return;
    for (const bool pretty : {false, true}) {
        const std::string written = to_text(read.value, pretty);
        const JsonRead again = parse_json(written, "again");
        PLIANT_ASSERT(again.problems.empty(), "what was written must be readable");
        PLIANT_ASSERT(again.value == read.value, "what was written must be equal");
        PLIANT_ASSERT(to_text(again.value, pretty) == written, "writing must be stable");
    }
}

// The first line as a path, the rest as the tree it leads into.
void check_path(std::string_view text)
{
    const std::size_t line_end = text.find('\n');
    if (line_end == std::string_view::npos) return;
    JsonRead read = parse_json(text.substr(line_end + 1), "fuzz");
    const Json before = read.value;
    const Json value = parse_value_or_string(text.substr(0, line_end));
    if (!set_path(read.value, text.substr(0, line_end), value))
        PLIANT_ASSERT(read.value == before, "a refused path changes nothing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_text(text);
    check_path(text);
    return 0;
}
