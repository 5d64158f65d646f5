// SPDX-License-Identifier: MIT
#include <pliant/scene/scene_json.h>

// Scene to text, through describe().

#include <pliant/base/json_write.h>
#include <pliant/scene/value_writer.h>

namespace pliant {

Json ValueWriter::of(const Select& value)
{
    if (!value.group.empty()) return of(value.group);
    if (value.regions.empty()) return of(value.vertices);
    return value.regions.size() == 1 ? of(value.regions.front()) : of(value.regions);
}

Json ValueWriter::of(const std::vector<InputValue>& value)
{
    Json json = Json::object();
    for (const InputValue& input : value) json.set(input.path, parse_value_or_string(input.text));
    return json;
}

// An open end is infinite, which JSON writes as null.
Json ValueWriter::of(const Bounds& value)
{
    return of(std::vector<double>{value.low, value.high});
}

std::string to_json_text(const Scene& scene)
{
    return to_text(ValueWriter::of(scene)) + '\n';
}

}  // namespace pliant
