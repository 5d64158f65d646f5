// SPDX-License-Identifier: MIT
#pragma once

// A JSON reader that remembers lines, since errors in scenes must name them.
//
// Reads RFC 8259 in UTF-8 and, beyond it, // and /* */ comments and trailing commas. Reading never
// throws: it returns what could be understood and every problem found.
// Lives here: the value tree, the reader, paths into the tree. Not here: writing (json_write.h), what
// the members mean (scene/).

#include <pliant/base/error.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// Deepest nesting of arrays and objects that is read or made.
inline constexpr int kMaxJsonDepth = 200;

struct JsonMember;

/// One value of a JSON tree. Members keep the order of the file.
struct Json {
    enum class Kind { null, boolean, number, string, array, object };

    Kind kind = Kind::null;
    bool boolean = false;             ///< if kind is boolean
    double number = 0;                ///< if kind is number
    std::string text;                 ///< a string's characters; a number as written, or "" if computed
    std::vector<Json> items;          ///< if kind is array
    std::vector<JsonMember> members;  ///< if kind is object; keys are unique
    int line = 0;                     ///< from 1; 0 when the value is not from a file
    int column = 0;                   ///< from 1, in characters; 0 likewise

    static Json of(bool);
    static Json of(double);
    static Json of(int);
    static Json of(std::string_view);
    static Json of(const char*);
    static Json array();
    static Json object();

    bool is_null() const { return kind == Kind::null; }
    bool is_boolean() const { return kind == Kind::boolean; }
    bool is_number() const { return kind == Kind::number; }
    bool is_string() const { return kind == Kind::string; }
    bool is_array() const { return kind == Kind::array; }
    bool is_object() const { return kind == Kind::object; }

    /// The value, if it is of that kind.
    std::optional<bool> as_boolean() const;
    std::optional<double> as_number() const;
    std::optional<std::string_view> as_string() const;

    /// The exact whole number, if it is one and fits: 3, 3.0 and 3e0, but not 3.5 or 1e30.
    std::optional<std::int64_t> as_integer() const;

    /// The member's value, or null if there is none or this is no object.
    const Json* find(std::string_view key) const;
    Json* find(std::string_view key);

    /// The member itself, for the place of its key.
    const JsonMember* find_member(std::string_view key) const;

    /// Replaces the member or appends it; the value must be an object.
    Json& set(std::string_view key, Json value);

    /// Same value, wherever it was written; the order of members matters.
    friend bool operator==(const Json& a, const Json& b);
};

struct JsonMember {
    std::string key;
    Json value;
    int line = 0;    ///< of the key, from 1
    int column = 0;  ///< of the key, from 1
};

/// "null", "a boolean", "a number", "a string", "an array", "an object": for messages.
const char* described(Json::Kind);

struct JsonRead {
    Json value;                     ///< what could be understood
    std::vector<Problem> problems;  ///< empty if the text is good
};

/// Reads a whole text; `file` only names it in problems.
JsonRead parse_json(std::string_view text, const std::string& file);

/// A value of `--set key=value`: JSON if it parses as JSON, otherwise a plain string. Has no lines.
Json parse_value_or_string(std::string_view text);

/// base + '/' + key, with '~' written ~0 and '/' written ~1 (RFC 6901).
std::string pointer_child(const std::string& base, std::string_view key);
std::string pointer_child(const std::string& base, std::size_t index);

/// Sets the value at a path such as "bodies.box.gas.enabled" or "inputs.0.time", making missing objects
/// on the way; an array's index may be its size, which appends. False, with `root` untouched and the
/// reason in `problem` if given, when the path is empty or would lead through something else.
bool set_path(Json& root, std::string_view dotted_path, const Json& value, Problem* problem = nullptr);

}  // namespace pliant
