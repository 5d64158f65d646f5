// SPDX-License-Identifier: MIT
#include <pliant/scene/value_reader.h>

// Members that a scene writes in its own way: meshes, selections, values of inputs, bounds.

#include <pliant/base/json_write.h>

namespace pliant {

void ValueReader::read(const Field&, MeshSource& to, const Json& json, const std::string& pointer)
{
    if (json.is_string()) return void(to.file = json.text);
    if (!json.is_object()) return wrong(json, pointer, "the path of a mesh file, or an object");
    read_members(to, json, pointer);
}

void ValueReader::read(const Field&, Select& to, const Json& json, const std::string& pointer)
{
    if (json.is_string() && !json.text.empty()) return void(to.group = json.text);
    if (json.is_array() && !json.items.empty()) return read(Field{"select", "1", 0, 2e9}, to.vertices, json, pointer);
    if (json.is_object()) return read_select_box(to, json, pointer);
    wrong(json, pointer,
          "vertices: a group's name, \"all\", an array of indices, or {\"low\": [x, y, z], \"high\": [x, y, z]}");
}

void ValueReader::read_select_box(Select& to, const Json& json, const std::string& pointer)
{
    to.by_box = true;
    const auto corner = [&](const Field& field, Vec3& value) {
        const std::string place = pointer_child(pointer, field.name);
        const Json* found = json.find(field.name);
        if (!found) return missing(field, json, place);
        note(place, *found);
        read(field, value, *found, place);
    };
    corner(Field{"low", "m", -1e9, 1e9, "smallest x, y, z of the selected vertices"}, to.low);
    corner(Field{"high", "m", -1e9, 1e9, "largest x, y, z of the selected vertices"}, to.high);
    check_keys(json, {"low", "high"}, pointer);
    for (int i = 0; i < 3; ++i)
        if (to.low[i] > to.high[i])
            return complain(json.line, pointer, "the low corner is above the high one", "swap their coordinates");
}

void ValueReader::read(const Field&, std::vector<InputValue>& to, const Json& json, const std::string& pointer)
{
    if (!json.is_object()) return wrong(json, pointer, "an object of paths and values");
    for (const JsonMember& member : json.members) {
        const std::string place = pointer_child(pointer, member.key);
        note(place, member.value);
        if (auto value = input_value(member, place)) to.push_back(std::move(*value));
    }
}

std::optional<InputValue> ValueReader::input_value(const JsonMember& member, const std::string& pointer)
{
    const Json& json = member.value;
    const bool is_path = member.key.find('.') != std::string::npos && member.key.front() != '.' &&
                         member.key.back() != '.' && member.key.find("..") == std::string::npos;
    if (!is_path)
        complain(member.line, pointer,
                 "found " + found_text(Json::of(member.key)) + ", expected a path of names with dots",
                 "such as bodies.box.gas.enabled");
    InputValue value{.path = member.key, .text = to_text(json, false), .numbers = {}, .word = {}, .line = json.line};
    bool is_good = json.is_number() || json.is_boolean() || json.is_string();
    if (json.is_number()) value.numbers = {json.number};
    if (json.is_boolean()) value.numbers = {json.boolean ? 1.0 : 0.0};
    if (json.is_string()) value.word = json.text;
    if (json.is_array() && json.items.size() == 3) {
        is_good = true;
        for (const Json& item : json.items) {
            is_good = is_good && item.is_number();
            value.numbers.push_back(item.number);
        }
    }
    if (!is_good) wrong(json, pointer, "a number, true or false, a name, or [x, y, z]");
    return is_good && is_path ? std::optional(std::move(value)) : std::nullopt;
}

void ValueReader::read(const Field&, Bounds& to, const Json& json, const std::string& pointer)
{
    if (!json.is_array() || json.items.size() != 2)
        return wrong(json, pointer, "[low, high]", "null leaves an end open");
    to.low = bound(json.items[0], -kNoLimit, pointer_child(pointer, 0));
    to.high = bound(json.items[1], kNoLimit, pointer_child(pointer, 1));
    if (to.low > to.high) complain(json.line, pointer, "found a low end above the high one", "write [low, high]");
}

double ValueReader::bound(const Json& json, double open_end, const std::string& pointer)
{
    if (json.is_number()) return json.number;
    if (!json.is_null()) wrong(json, pointer, "a number, or null for no bound");
    return open_end;
}

}  // namespace pliant
