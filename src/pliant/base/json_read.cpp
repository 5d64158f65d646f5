// SPDX-License-Identifier: MIT
#include <pliant/base/json.h>

// The JSON reader: recursive descent over the tokens of json_scan.
//
// What is understandable though wrong (a bad escape, a missing comma, an unquoted key, a key given
// twice) is reported and read on; where the structure is lost, reading stops with that problem.

#include <pliant/base/json_scan.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pliant {

namespace {

bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool begins_number(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
}

/// Advice for a bare word: the JSON word meant by one of another language, or quotes.
std::string word_cure(std::string_view word)
{
    std::string lower;
    for (const char c : word) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lower == "nan" || lower == "inf" || lower == "infinity") return "numbers must be finite";
    if (lower == "true" || lower == "yes" || lower == "on") return "write true";
    if (lower == "false" || lower == "no" || lower == "off") return "write false";
    if (lower == "null" || lower == "none" || lower == "nil") return "write null";
    return "strings take double quotes";
}

class Reader {
public:
    Reader(std::string_view text, const std::string& file) : scan_(text, file) {}

    JsonRead read()
    {
        JsonRead result{document(), {}};
        result.problems = scan_.take_problems();
        return result;
    }

private:
    Json document()
    {
        scan_.skip_space();
        if (scan_.at_end()) {
            scan_.stop(scan_.place(), "the file is empty", "a JSON value such as {} is expected");
            return {};
        }
        Json root = value();
        scan_.skip_space();
        if (!scan_.at_end()) scan_.stop(scan_.place(), "expected the end of the file, found " + scan_.found());
        return root;
    }

    Json value()
    {
        const JsonPlace start = scan_.place();
        Json json = value_of_any_kind(start);
        json.line = start.line;
        json.column = start.column;
        return json;
    }

    Json value_of_any_kind(JsonPlace start)
    {
        const char first = scan_.next();
        if (first == '"') return Json::of(std::string_view(scan_.take_string()));
        if (first == '{' || first == '[') return nested(first, start);
        if (begins_number(first)) return scan_.take_number();
        if (is_letter(first)) return literal(start);
        const std::string cure = first == '\'' ? "strings take double quotes" : "";
        scan_.stop(start, "expected a value, found " + scan_.found(), cure);
        return {};
    }

    Json literal(JsonPlace start)
    {
        const std::string found = scan_.found();
        const std::string_view word = scan_.take_word();
        if (word == "true" || word == "false") return Json::of(word == "true");
        if (word == "null") return {};
        const std::string message = "expected a value, found " + found;
        // Outside of everything, this is another kind of file.
        depth_ == 0 ? scan_.stop(start, message, word_cure(word)) : scan_.complain(start, message, word_cure(word));
        return {};
    }

    Json nested(char bracket, JsonPlace start)
    {
        if (depth_ == kMaxJsonDepth) {
            scan_.stop(start, fmt::format("arrays and objects nest deeper than {}", kMaxJsonDepth));
            return {};
        }
        ++depth_;
        Json json = bracket == '{' ? object(start) : array(start);
        --depth_;
        return json;
    }

    Json array(JsonPlace start)
    {
        Json json = Json::array();
        scan_.take('[');
        while (has_more(']', "array", start)) {
            const std::size_t parent = scan_.pointer.size();
            scan_.pointer += '/' + std::to_string(json.items.size());
            json.items.push_back(value());
            scan_.pointer.resize(parent);
            take_comma(']');
        }
        return json;
    }

    Json object(JsonPlace start)
    {
        Json json = Json::object();
        scan_.take('{');
        while (has_more('}', "object", start)) {
            json.members.push_back(member());
            take_comma('}');
        }
        drop_duplicates(json.members);
        return json;
    }

    // Steps over the closing bracket; complains if the file ends before it.
    bool has_more(char bracket, const char* what, JsonPlace start)
    {
        scan_.skip_space();
        if (scan_.take(bracket)) return false;
        if (!scan_.at_end()) return true;
        scan_.stop(start, fmt::format("the {} that begins here is not closed", what),
                   fmt::format("close it with {}", bracket));
        return false;
    }

    void take_comma(char bracket)
    {
        scan_.skip_space();
        if (scan_.take(',') || scan_.next_is(bracket) || scan_.at_end()) return;
        const std::string message = fmt::format("expected ',' or '{}', found {}", bracket, scan_.found());
        const char next = scan_.next();
        const bool is_forgotten = next == '"' || (bracket == ']' && (next == '{' || next == '['));
        if (is_forgotten)
            scan_.complain(scan_.place(), message, "a comma is missing");
        else
            scan_.stop(scan_.place(), message);
    }

    JsonMember member()
    {
        JsonMember result;
        const JsonPlace start = scan_.place();
        result.key = key(start);
        result.line = start.line;
        result.column = start.column;
        const std::size_t parent = scan_.pointer.size();
        scan_.pointer += pointer_child("", result.key);
        scan_.skip_space();
        if (!scan_.take(':')) scan_.stop(scan_.place(), "expected ':' after a key, found " + scan_.found());
        scan_.skip_space();
        result.value = value();
        scan_.pointer.resize(parent);
        return result;
    }

    std::string key(JsonPlace start)
    {
        if (scan_.next_is('"')) return scan_.take_string();
        const std::string message = "expected a key in double quotes, found " + scan_.found();
        if (!is_letter(scan_.next())) return scan_.stop(start, message), std::string{};
        std::string word(scan_.take_word());
        scan_.complain(start, message, fmt::format("write \"{}\"", word));
        return word;
    }

    // The first of several members with one key stays; sorted, since objects may be large.
    void drop_duplicates(std::vector<JsonMember>& members)
    {
        std::vector<const JsonMember*> sorted;
        for (const JsonMember& member : members) sorted.push_back(&member);
        std::sort(sorted.begin(), sorted.end(), [](const JsonMember* a, const JsonMember* b) {
            const int order = a->key.compare(b->key);
            return order != 0 ? order < 0 : a < b;
        });
        const auto has_same_key = [](auto* a, auto* b) { return a->key == b->key; };
        if (std::adjacent_find(sorted.begin(), sorted.end(), has_same_key) == sorted.end()) return;
        std::vector<bool> is_duplicate(members.size());
        const JsonMember* first = nullptr;
        for (const JsonMember* member : sorted) {
            if (first && first->key == member->key) {
                is_duplicate[static_cast<std::size_t>(member - members.data())] = true;
                complain_about_duplicate(*member, *first);
            } else {
                first = member;
            }
        }
        std::size_t index = 0;
        std::erase_if(members, [&](const JsonMember&) { return is_duplicate[index++]; });
    }

    void complain_about_duplicate(const JsonMember& member, const JsonMember& first)
    {
        const std::string parent = std::exchange(scan_.pointer, pointer_child(scan_.pointer, member.key));
        scan_.complain({member.line, member.column},
                       fmt::format("the key is given twice: on line {} and on line {}", first.line, member.line),
                       "remove one of them");
        scan_.pointer = parent;
    }

    JsonScanner scan_;
    int depth_ = 0;
};

void forget_places(Json& json)
{
    json.line = json.column = 0;
    for (Json& item : json.items) forget_places(item);
    for (JsonMember& member : json.members) {
        member.line = member.column = 0;
        forget_places(member.value);
    }
}

}  // namespace

JsonRead parse_json(std::string_view text, const std::string& file)
{
    return Reader(text, file).read();
}

Json parse_value_or_string(std::string_view text)
{
    JsonRead read = parse_json(text, "");
    if (!read.problems.empty()) return Json::of(text);
    forget_places(read.value);
    return std::move(read.value);
}

}  // namespace pliant
