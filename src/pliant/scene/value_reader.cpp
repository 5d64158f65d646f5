// SPDX-License-Identifier: MIT
#include <pliant/scene/value_reader.h>

// Plain members (switches, numbers, texts, vectors), keys, names, and how problems are made.

#include <limits>

#include <pliant/base/text.h>

namespace pliant {

namespace {

// Enough for anybody to work on, and garbage does not fill the memory.
constexpr std::size_t kMaxProblems = 1000;

std::string number_cure(const Json& json)
{
    if (json.is_string() && to_number(json.text)) return "write " + json.text + " without quotes";
    return json.is_array() && json.items.size() == 1 ? "write it without brackets" : "";
}

bool is_good_in_names(char c)
{
    return c != '.' && c != '/' && c != '\\' && static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
}

}  // namespace

ValueReader::ValueReader(Scene& scene, std::vector<Problem>& problems, bool is_complete)
    : scene_(scene)
    , problems_(problems)
    , is_complete_(is_complete)
{
    for (const Problem& problem : problems) places_.insert(problem.where);
}

void ValueReader::read_scene(const Json& root)
{
    note("", root);
    if (!root.is_object()) return wrong(root, "", "an object", "a scene begins with { and ends with }");
    read_members(scene_, root, "", {"$schema"});
}

void ValueReader::read(const Field&, bool& to, const Json& json, const std::string& pointer)
{
    const bool is_almost = json.is_number() && (json.number == 0 || json.number == 1);
    if (!json.is_boolean())
        return wrong(json, pointer, "true or false",
                     is_almost ? (json.number == 1 ? "write true" : "write false") : "");
    to = json.boolean;
}

void ValueReader::read(const Field& field, double& to, const Json& json, const std::string& pointer)
{
    if (!json.is_number() || !is_in_range(field, json.number))
        return wrong(json, pointer, "a number" + range_text(field), number_cure(json));
    to = json.number;
}

void ValueReader::read(const Field& field, std::int32_t& to, const Json& json, const std::string& pointer)
{
    using Limits = std::numeric_limits<std::int32_t>;
    const auto whole = json.as_integer();
    const bool fits = whole && *whole >= Limits::min() && *whole <= Limits::max();
    if (!fits || !is_in_range(field, static_cast<double>(*whole)))
        return wrong(json, pointer, "a whole number" + range_text(field), number_cure(json));
    to = static_cast<std::int32_t>(*whole);
}

void ValueReader::read(const Field&, std::string& to, const Json& json, const std::string& pointer)
{
    if (!json.is_string()) return wrong(json, pointer, "a text", "write it in double quotes");
    to = json.text;
}

void ValueReader::read(const Field& field, Vec3& to, const Json& json, const std::string& pointer)
{
    if (!json.is_array() || json.items.size() != 3)
        return wrong(json, pointer, "[x, y, z], each a number" + range_text(field));
    for (int i = 0; i < 3; ++i) {
        const auto at = static_cast<std::size_t>(i);
        read(field, to[i], json.items[at], pointer_child(pointer, at));
    }
}

void ValueReader::read(const Field& field, AutoCount& to, const Json& json, const std::string& pointer)
{
    const auto whole = json.as_integer();
    const bool is_auto = json.is_string() && json.text == "auto";
    const bool is_count = whole && *whole >= 1 && *whole <= std::numeric_limits<std::int32_t>::max() &&
                          is_in_range(field, static_cast<double>(*whole));
    if (!is_auto && !is_count)
        return wrong(json, pointer, "\"auto\" or a whole number" + range_text(field), number_cure(json));
    to.value = is_auto ? 0 : static_cast<std::int32_t>(*whole);
}

// Items on the line of their list are found through it, so that big lists stay small.
void ValueReader::note_item(const std::string& pointer, const Json& item, const Json& list)
{
    if (item.is_object() || item.line != list.line) note(pointer, item);
}

void ValueReader::check_name(const JsonMember& member, const std::string& pointer)
{
    const std::string place = pointer_child(pointer, member.key);
    bool is_good = !member.key.empty() && member.key.size() <= 100;
    for (const char c : member.key) is_good = is_good && is_good_in_names(c);
    if (is_good) return;
    complain(member.line, place,
             "found " + found_text(Json::of(member.key)) + " as a name, expected 1 to 100 characters",
             "a name has no '.', '/', '\\' or control characters; use '_'");
}

void ValueReader::check_keys(const Json& json, const std::vector<std::string>& names, const std::string& pointer)
{
    const std::set<std::string> known(names.begin(), names.end());
    for (const JsonMember& member : json.members) {
        if (known.count(member.key)) continue;
        complain(member.line, pointer_child(pointer, member.key), "unknown key " + found_text(Json::of(member.key)),
                 suggestion(member.key, names));
    }
}

void ValueReader::wrong(const Json& json, const std::string& pointer, const std::string& expected, std::string cure)
{
    complain(json.line, pointer, "found " + found_text(json) + ", expected " + expected, std::move(cure));
}

void ValueReader::missing(const Field& field, const Json& holder, const std::string& pointer)
{
    if (!is_complete_) return;
    complain(holder.line, pointer, std::string("the key \"") + field.name + "\" is missing",
             std::string("add it: ") + field.sentence);
}

void ValueReader::complain(int line, const std::string& pointer, std::string message, std::string cure)
{
    if (problems_.size() >= kMaxProblems || !places_.insert(pointer).second) return;
    if (problems_.size() == kMaxProblems - 1) message = "too many problems, the rest is not shown", cure.clear();
    const std::string file = line > 0 ? scene_.file : override_name(pointer);
    problems_.push_back({file, line, pointer, std::move(message), std::move(cure)});
}

}  // namespace pliant
