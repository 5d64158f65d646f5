// SPDX-License-Identifier: MIT
#include <pliant/io/vertex_marks.h>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <pliant/io/text_words.h>

namespace pliant {

namespace {

/// N of "prefix_N", or 0.
std::int32_t number_in(const std::string& name, const std::string& prefix)
{
    if (name.size() <= prefix.size() + 1 || name.compare(0, prefix.size() + 1, prefix + '_') != 0) return 0;
    const Integer number = integer_of(std::string_view(name).substr(prefix.size() + 1));
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    const bool usable = number.complaint.empty() && number.value >= -kMost && number.value <= kMost &&
                        name == fmt::format("{}_{}", prefix, number.value);
    return usable ? static_cast<std::int32_t>(number.value) : 0;
}

}  // namespace

void add_groups(TetBuilder& builder, const std::string& prefix, const MarkedVertices& marked)
{
    for (const auto& [number, labels] : marked)
        builder.add_to_group(builder.group(fmt::format("{}_{}", prefix, number)), labels, {});
}

VertexMarks vertex_marks(const TetMesh& mesh, const std::string& prefix)
{
    VertexMarks result{std::vector<std::int32_t>(mesh.vertices.size(), 0), {}};
    for (const VertexGroup& group : mesh.groups) {
        const std::int32_t number = number_in(group.name, prefix);
        const bool is_free = std::all_of(group.vertices.begin(), group.vertices.end(), [&](std::int32_t v) {
            return result.marks[static_cast<std::size_t>(v)] == 0;
        });
        if (number == 0 || !is_free || group.vertices.empty())
            result.left_out.push_back(group.name);
        else
            for (const std::int32_t v : group.vertices) result.marks[static_cast<std::size_t>(v)] = number;
    }
    return result;
}

}  // namespace pliant
