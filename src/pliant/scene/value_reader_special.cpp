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
    if (json.is_object()) return read_region(to, json, pointer);
    if (json.is_array() && !json.items.empty() && json.items.front().is_object()) {
        for (std::size_t i = 0; i < json.items.size(); ++i) {
            const std::string place = pointer_child(pointer, i);
            note_item(place, json.items[i], json);
            if (!json.items[i].is_object()) return wrong(json.items[i], place, "a region as the others of this list");
            read_region(to, json.items[i], place);
        }
        return;
    }
    if (json.is_array() && !json.items.empty()) return read(Field{"select", "1", 0, 2e9}, to.vertices, json, pointer);
    wrong(json, pointer,
          "vertices: a group's name, \"all\", an array of indices, a region such as {\"low\": [x, y, z], \"high\": "
          "[x, y, z]} or {\"around\": [x, y, z], \"rings\": 2}, or an array of regions");
}

void ValueReader::read_region(Select& to, const Json& json, const std::string& pointer)
{
    Region& region = to.regions.emplace_back();
    read_members(region, json, pointer);
    const bool is_box = json.find("low") || json.find("high"), is_rings = region.around || region.vertex,
               is_faces = !region.faces.empty() || !region.faces_at.empty();
    if (is_box + is_rings + is_faces != 1)
        return complain(json.line, pointer, "a region is one of: a box, rings, faces",
                        "give low and high; or around (or vertex) and rings; or faces or faces_at");
    if (is_box && !(region.low && region.high)) {
        const char* other = region.low ? "high" : "low";
        if (json.find(other)) return;  // it has its own problem
        return missing(Field{other, "m", -1e9, 1e9, "the other corner of the box"}, json,
                       pointer_child(pointer, other));
    }
    if (region.around && region.vertex)
        return complain(json.line, pointer, "found both around and vertex", "keep one of them");
    if (region.rings != 0 && !is_rings)
        return complain(json.line, pointer, "rings need a middle", "give around or vertex");
    for (int i = 0; is_box && i < 3; ++i)
        if ((*region.low)[i] > (*region.high)[i])
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
