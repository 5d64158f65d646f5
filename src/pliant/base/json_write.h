// SPDX-License-Identifier: MIT
#pragma once

// Writing JSON: a streaming writer and the text of a tree.
//
// Numbers are written with the fewest digits that read back to the same bits; what is not finite
// becomes null, since JSON has no word for it. Bytes that are not UTF-8 become U+FFFD.

#include <pliant/base/json.h>

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

enum class JsonStyle {
    compact,  ///< no spaces, one line
    pretty    ///< two spaces of indentation, short arrays on one line where asked
};

/// Appends JSON to a string. Calls must nest properly; misuse is an assertion.
class JsonWriter {
public:
    explicit JsonWriter(std::string& out, JsonStyle style = JsonStyle::pretty)
        : out_(out)
        , pretty_(style == JsonStyle::pretty)
    {
    }

    JsonWriter& begin_object();
    JsonWriter& end_object();
    /// An array with one item per line, or all of it on one line.
    JsonWriter& begin_array(bool on_one_line = false);
    JsonWriter& end_array();
    JsonWriter& key(std::string_view);

    JsonWriter& null();
    JsonWriter& value(double);
    JsonWriter& value(std::string_view);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
    JsonWriter& value(const Json&);
    /// An array of numbers, on one line.
    JsonWriter& value(std::span<const double>);

    template <std::same_as<bool> B>
    JsonWriter& value(B truth)
    {
        return raw(truth ? "true" : "false");
    }
    template <std::integral I>
    requires(!std::same_as<I, bool>) JsonWriter& value(I number) { return raw(std::to_string(number)); }

    /// key(k) then value(v).
    template <class T>
    JsonWriter& member(std::string_view k, const T& v)
    {
        key(k);
        return value(v);
    }

private:
    struct Level {
        bool is_object;
        bool on_one_line;
        bool is_empty;
    };

    JsonWriter& raw(std::string_view token);
    JsonWriter& begin(char bracket, Level level);
    JsonWriter& end(char bracket, bool is_object);
    void before_value();
    void separate(Level& level);
    void new_line();

    std::string& out_;
    bool pretty_;
    bool after_key_ = false;
    std::vector<Level> levels_;
};

/// The characters as a JSON string, with its quotes.
std::string quoted(std::string_view text);

std::string to_text(const Json& value, bool pretty = true);

}  // namespace pliant
