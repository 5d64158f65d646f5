// SPDX-License-Identifier: MIT
#include <pliant/world/formulas.h>

#include <charconv>

#include <fmt/format.h>

#include <pliant/constraint/constraint.h>

namespace pliant {

namespace {

PointVariables variables_of(std::int32_t node)
{
    return {position_variable(node), velocity_variable(node)};
}

// "box[12]" as a name and a number.
std::optional<std::pair<std::string, std::int32_t>> split_index(std::string_view name)
{
    const std::size_t open = name.rfind('[');
    if (open == std::string_view::npos || !name.ends_with(']')) return {};
    std::int32_t index = 0;
    const char* end = name.data() + name.size() - 1;
    const auto read = std::from_chars(name.data() + open + 1, end, index);
    if (read.ec != std::errc() || read.ptr != end) return {};
    return std::pair{std::string(name.substr(0, open)), index};
}

}  // namespace

std::int32_t vertex_of(Builder& b, const ProbeScene& point, const std::string& pointer)
{
    const std::int32_t index = b.find_body(point.body);
    if (index < 0) {
        b.complain(pointer + "/body", fmt::format("there is no body '{}'", point.body));
        return -1;
    }
    const Body& body = b.model.bodies[static_cast<std::size_t>(index)];
    if (point.vertex >= body.point_count) {
        b.complain(pointer + "/vertex", fmt::format("vertex {} is out of range", point.vertex),
                   fmt::format("body '{}' has {} vertices, numbered from 0", point.body, body.point_count));
        return -1;
    }
    if (!point.at) return body.first_point + point.vertex;
    std::int32_t nearest = body.first_point;
    const auto distance = [&](std::int32_t v) { return norm2(b.state.x[static_cast<std::size_t>(v)] - *point.at); };
    for (std::int32_t v = body.first_point + 1; v < body.first_point + body.point_count; ++v)
        if (distance(v) < distance(nearest)) nearest = v;
    return nearest;
}

std::optional<std::int32_t> named_vertex(const Builder& b, std::string_view name)
{
    if (const auto at = b.points.find(std::string(name)); at != b.points.end()) return at->second;
    const auto indexed = split_index(name);
    if (!indexed) return {};
    const std::int32_t index = b.find_body(indexed->first);
    if (index < 0) return {};
    const Body& body = b.model.bodies[static_cast<std::size_t>(index)];
    if (body.is_rigid() || indexed->second < 0 || indexed->second >= body.point_count) return {};
    return body.first_point + indexed->second;
}

Symbols formula_symbols(const Builder& b)
{
    Symbols symbols;
    for (const char* name : {"t", "time"}) symbols.numbers.push_back({name, kTimeVariable, VariableKind::time});
    for (const auto& [name, node] : b.points) symbols.points.push_back({name, variables_of(node)});
    symbols.find_point = [&b](std::string_view name) -> std::optional<PointVariables> {
        const auto node = named_vertex(b, name);
        return node ? std::optional(variables_of(*node)) : std::nullopt;
    };
    return symbols;
}

void complain(Builder& b, const std::string& pointer, const std::vector<Problem>& problems)
{
    for (const Problem& problem : problems) b.complain(pointer, problem.message, problem.cure);
}

}  // namespace pliant
