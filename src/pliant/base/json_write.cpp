// SPDX-License-Identifier: MIT
#include <pliant/base/json_write.h>

#include <pliant/base/text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

bool is_scalar(const Json& json)
{
    return !json.is_array() && !json.is_object();
}

void append_escaped(std::string& out, char c)
{
    static constexpr std::string_view kMeanings = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
    const std::size_t letter = kMeanings.find(c);
    if (letter != std::string_view::npos)
        out += {'\\', kLetters[letter]};
    else
        out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
}

void append_quoted(std::string& out, std::string_view text)
{
    out += '"';
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const char c = text[0];
        if (length == 0)
            out += "\xef\xbf\xbd";
        else if (c == '"' || c == '\\' || (length == 1 && c < 0x20))
            append_escaped(out, c);
        else
            out += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(1, length));
    }
    out += '"';
}

}  // namespace

std::string quoted(std::string_view text)
{
    std::string out;
    append_quoted(out, text);
    return out;
}

void JsonWriter::new_line()
{
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
}

// What stands before the next item or key of a level.
void JsonWriter::separate(Level& level)
{
    if (!level.is_empty) out_ += ',';
    if (pretty_ && !level.on_one_line)
        new_line();
    else if (pretty_ && !level.is_empty)
        out_ += ' ';
    level.is_empty = false;
}

void JsonWriter::before_value()
{
    if (levels_.empty()) return;
    Level& level = levels_.back();
    PLIANT_ASSERT(level.is_object == after_key_, "members of objects, and only they, have keys");
    if (!level.is_object) separate(level);
    after_key_ = false;
}

JsonWriter& JsonWriter::raw(std::string_view token)
{
    before_value();
    out_ += token;
    return *this;
}

JsonWriter& JsonWriter::begin(char bracket, Level level)
{
    before_value();
    out_ += bracket;
    // Inside a line everything stays on that line.
    level.on_one_line = level.on_one_line || (!levels_.empty() && levels_.back().on_one_line);
    levels_.push_back(level);
    return *this;
}

JsonWriter& JsonWriter::end(char bracket, bool is_object)
{
    PLIANT_ASSERT(!levels_.empty() && levels_.back().is_object == is_object && !after_key_, "ends must match begins");
    const Level level = levels_.back();
    levels_.pop_back();
    if (pretty_ && !level.on_one_line && !level.is_empty) new_line();
    out_ += bracket;
    return *this;
}

JsonWriter& JsonWriter::begin_object()
{
    return begin('{', {.is_object = true, .on_one_line = false, .is_empty = true});
}

JsonWriter& JsonWriter::end_object()
{
    return end('}', true);
}

JsonWriter& JsonWriter::begin_array(bool on_one_line)
{
    return begin('[', {.is_object = false, .on_one_line = on_one_line, .is_empty = true});
}

JsonWriter& JsonWriter::end_array()
{
    return end(']', false);
}

JsonWriter& JsonWriter::key(std::string_view text)
{
    PLIANT_ASSERT(!levels_.empty() && levels_.back().is_object && !after_key_, "keys belong to objects");
    separate(levels_.back());
    append_quoted(out_, text);
    out_ += pretty_ ? ": " : ":";
    after_key_ = true;
    return *this;
}

JsonWriter& JsonWriter::null()
{
    return raw("null");
}

JsonWriter& JsonWriter::value(double number)
{
    return std::isfinite(number) ? raw(shortest(number)) : null();
}

JsonWriter& JsonWriter::value(std::string_view text)
{
    before_value();
    append_quoted(out_, text);
    return *this;
}

JsonWriter& JsonWriter::value(std::span<const double> numbers)
{
    begin_array(true);
    for (const double number : numbers) value(number);
    return end_array();
}

JsonWriter& JsonWriter::value(const Json& json)
{
    switch (json.kind) {
    case Json::Kind::null:
        return null();
    case Json::Kind::boolean:
        return value(json.boolean);
    case Json::Kind::number:
        return json.text.empty() ? value(json.number) : raw(json.text);
    case Json::Kind::string:
        return value(json.text);
    case Json::Kind::array:
        begin_array(std::all_of(json.items.begin(), json.items.end(), is_scalar));
        for (const Json& item : json.items) value(item);
        return end_array();
    case Json::Kind::object:
        break;
    }
    begin_object();
    for (const JsonMember& member : json.members) key(member.key).value(member.value);
    return end_object();
}

std::string to_text(const Json& value, bool pretty)
{
    std::string out;
    JsonWriter(out, pretty ? JsonStyle::pretty : JsonStyle::compact).value(value);
    return out;
}

}  // namespace pliant
