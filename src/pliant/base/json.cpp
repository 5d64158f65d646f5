// SPDX-License-Identifier: MIT
#include <pliant/base/json.h>

// The value tree and paths into it; the reader itself is in json_read.cpp.

#include <pliant/base/text.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace pliant {

Json Json::of(bool truth)
{
    Json json;
    json.kind = Kind::boolean;
    json.boolean = truth;
    return json;
}

Json Json::of(double value)
{
    Json json;
    json.kind = Kind::number;
    json.number = value;
    return json;
}

Json Json::of(int value)
{
    return of(static_cast<double>(value));
}

Json Json::of(std::string_view characters)
{
    Json json;
    json.kind = Kind::string;
    json.text = characters;
    return json;
}

Json Json::of(const char* characters)
{
    return of(std::string_view(characters));
}

Json Json::array()
{
    Json json;
    json.kind = Kind::array;
    return json;
}

Json Json::object()
{
    Json json;
    json.kind = Kind::object;
    return json;
}

std::optional<bool> Json::as_boolean() const
{
    return is_boolean() ? std::optional(boolean) : std::nullopt;
}

std::optional<double> Json::as_number() const
{
    return is_number() ? std::optional(number) : std::nullopt;
}

std::optional<std::string_view> Json::as_string() const
{
    return is_string() ? std::optional<std::string_view>(text) : std::nullopt;
}

std::optional<std::int64_t> Json::as_integer() const
{
    if (!is_number()) return {};
    if (const auto exact = to_integer(text)) return exact;
    // A computed double is what it is; of a written one, only up to 2^53 every whole number is exact.
    const double limit = text.empty() ? 0x1p63 : 0x1p53 + 1;
    const bool is_whole = std::fabs(number) < limit && number == std::trunc(number);
    return is_whole ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

const JsonMember* Json::find_member(std::string_view key) const
{
    const auto has_key = [&](const JsonMember& member) { return member.key == key; };
    const auto found = std::find_if(members.begin(), members.end(), has_key);
    return found == members.end() ? nullptr : &*found;
}

const Json* Json::find(std::string_view key) const
{
    const JsonMember* member = find_member(key);
    return member ? &member->value : nullptr;
}

Json* Json::find(std::string_view key)
{
    return const_cast<Json*>(std::as_const(*this).find(key));
}

Json& Json::set(std::string_view key, Json value)
{
    PLIANT_ASSERT(is_object(), "only objects have members");
    if (Json* old = find(key)) return *old = std::move(value);
    members.push_back({std::string(key), std::move(value)});
    return members.back().value;
}

bool operator==(const Json& a, const Json& b)
{
    if (a.kind != b.kind) return false;
    switch (a.kind) {
    case Json::Kind::null:
        return true;
    case Json::Kind::boolean:
        return a.boolean == b.boolean;
    case Json::Kind::number:
        return a.number == b.number && a.as_integer() == b.as_integer();
    case Json::Kind::string:
        return a.text == b.text;
    case Json::Kind::array:
        return a.items == b.items;
    case Json::Kind::object:
        break;
    }
    const auto is_same = [](const JsonMember& m, const JsonMember& n) { return m.key == n.key && m.value == n.value; };
    return std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(), is_same);
}

const char* described(Json::Kind kind)
{
    switch (kind) {
    case Json::Kind::null:
        return "null";
    case Json::Kind::boolean:
        return "a boolean";
    case Json::Kind::number:
        return "a number";
    case Json::Kind::string:
        return "a string";
    case Json::Kind::array:
        return "an array";
    case Json::Kind::object:
        return "an object";
    }
    return "unknown";
}

std::string pointer_child(const std::string& base, std::string_view key)
{
    std::string pointer = base + '/';
    for (const char c : key) {
        if (c == '~')
            pointer += "~0";
        else if (c == '/')
            pointer += "~1";
        else
            pointer += c;
    }
    return pointer;
}

std::string pointer_child(const std::string& base, std::size_t index)
{
    return base + '/' + std::to_string(index);
}

namespace {

std::vector<std::string_view> split_at_dots(std::string_view path)
{
    std::vector<std::string_view> keys;
    for (std::size_t begin = 0;;) {
        const std::size_t dot = path.find('.', begin);
        keys.push_back(path.substr(begin, dot - begin));
        if (dot == std::string_view::npos) return keys;
        begin = dot + 1;
    }
}

/// The place named by key inside node, made if it is missing; null and a reason if it cannot be.
Json* place_inside(Json& node, std::string_view key, std::string& reason)
{
    if (key.empty()) return reason = "a name in the path is empty", nullptr;
    if (node.is_null()) node = Json::object();
    if (node.is_object()) {
        Json* member = node.find(key);
        return member ? member : &node.set(key, Json{});
    }
    if (!node.is_array()) return reason = fmt::format("there is {}", described(node.kind)), nullptr;
    std::size_t index = 0;
    const char* const end = key.data() + key.size();
    const auto [stop, error] = std::from_chars(key.data(), end, index);
    if (error != std::errc{} || stop != end || index > node.items.size()) {
        reason = fmt::format("there is an array of {}, '{}' is no index of it", node.items.size(), key);
        return nullptr;
    }
    if (index == node.items.size()) node.items.emplace_back();
    return &node.items[index];
}

}  // namespace

bool set_path(Json& root, std::string_view dotted_path, const Json& value, Problem* problem)
{
    const std::vector<std::string_view> keys = split_at_dots(dotted_path);
    Json changed = root;
    Json* place = &changed;
    std::string pointer, reason;
    if (keys.size() > kMaxJsonDepth) reason = "the path is too long", place = nullptr;
    for (std::size_t i = 0; place && i < keys.size(); ++i) {
        place = place_inside(*place, keys[i], reason);
        if (place) pointer = pointer_child(pointer, keys[i]);
    }
    if (!place) {
        if (problem) {
            const std::string what = fmt::format("cannot set '{}': {}", dotted_path, reason);
            *problem = {.file = {}, .line = 0, .where = pointer, .message = what, .cure = {}};
        }
        return false;
    }
    *place = value;
    root = std::move(changed);
    return true;
}

}  // namespace pliant
