// SPDX-License-Identifier: MIT
#include <pliant/scene/wording.h>

// Text of numbers, ranges, values and places; nothing here knows what a scene is.

#include <algorithm>
#include <cmath>

#include <pliant/base/json_write.h>
#include <pliant/base/text.h>

namespace pliant {

std::string number_text(double value)
{
    std::string text = shortest(value);
    const std::size_t exponent = text.find_first_of("0123456789", text.find('e') + 1);
    if (text.find('e') == std::string::npos || exponent == std::string::npos) return text;
    text.erase(exponent, std::min(text.find_first_not_of('0', exponent), text.size() - 1) - exponent);
    if (const std::size_t plus = text.find("e+"); plus != std::string::npos) text.erase(plus + 1, 1);
    return text;
}

bool has_range(const Field& field)
{
    return field.min < field.max;
}

bool is_in_range(const Field& field, double value)
{
    return !has_range(field) || (value >= field.min && value <= field.max);
}

std::string range_text(const Field& field)
{
    const std::string_view unit = field.unit;
    const std::string suffix = unit.empty() || unit == "1" ? "" : ' ' + std::string(unit);
    const bool has_low = has_range(field) && std::isfinite(field.min);
    const bool has_high = has_range(field) && std::isfinite(field.max);
    if (has_low && has_high) return " from " + number_text(field.min) + " to " + number_text(field.max) + suffix;
    if (has_low) return " of at least " + number_text(field.min) + suffix;
    if (has_high) return " of at most " + number_text(field.max) + suffix;
    return suffix.empty() ? "" : " in" + suffix;
}

namespace {

std::string shortened(std::string_view text)
{
    constexpr std::size_t longest = 40;
    if (text.size() <= longest) return quoted(text);
    std::size_t end = 0;
    for (std::size_t length = 1; end < longest && length > 0; end += length) length = utf8_length(text.substr(end));
    return quoted(std::string(text.substr(0, end)) + "...");
}

}  // namespace

std::string found_text(const Json& json)
{
    switch (json.kind) {
    case Json::Kind::null:
        return "null";
    case Json::Kind::boolean:
        return json.boolean ? "true" : "false";
    case Json::Kind::number:
        return json.text.empty() || json.text.size() > 40 ? number_text(json.number) : json.text;
    case Json::Kind::string:
        return shortened(json.text);
    case Json::Kind::array:
        return "an array of " + std::to_string(json.items.size());
    case Json::Kind::object:
        return "an object";
    }
    return "something";
}

std::string listed(const std::vector<std::string>& names)
{
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return list;
}

std::string dotted_path(const std::string& pointer)
{
    std::string path;
    for (std::size_t i = pointer.starts_with('/') ? 1 : 0; i < pointer.size(); ++i) {
        const bool is_escape = pointer[i] == '~' && i + 1 < pointer.size();
        if (is_escape)
            path += pointer[++i] == '1' ? '/' : '~';
        else
            path += pointer[i] == '/' ? '.' : pointer[i];
    }
    return path;
}

std::string override_name(const std::string& pointer)
{
    return "--set " + dotted_path(pointer);
}

}  // namespace pliant
