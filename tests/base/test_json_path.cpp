// SPDX-License-Identifier: MIT
// Making and changing JSON trees: pointers, dotted paths, values given on the command line.

#include <pliant/base/json.h>
#include <pliant/base/json_write.h>

#include <gtest/gtest.h>

namespace pliant {
namespace {

std::string text_after_setting(const char* text, std::string_view path, const Json& value)
{
    Json root = parse_json(text, "f").value;
    EXPECT_TRUE(set_path(root, path, value)) << path;
    return to_text(root, false);
}

TEST(JsonPointer, escapes_tildes_and_slashes)
{
    EXPECT_EQ(pointer_child("", "a"), "/a");
    EXPECT_EQ(pointer_child("/a", "b/c~d"), "/a/b~1c~0d");
    EXPECT_EQ(pointer_child("/a", std::size_t{3}), "/a/3");
    EXPECT_EQ(pointer_child("", ""), "/");
}

TEST(JsonPath, replaces_what_is_there)
{
    EXPECT_EQ(text_after_setting(R"({"a": {"b": 1, "c": 2}})", "a.b", Json::of(false)), R"({"a":{"b":false,"c":2}})");
    EXPECT_EQ(text_after_setting(R"({"a": {"b": 1}})", "a", Json::of("x")), R"({"a":"x"})");
}

TEST(JsonPath, makes_missing_objects)
{
    EXPECT_EQ(text_after_setting("{}", "bodies.box.gas.enabled", Json::of(false)),
              R"({"bodies":{"box":{"gas":{"enabled":false}}}})");
    EXPECT_EQ(text_after_setting(R"({"a": null})", "a.b", Json::of(1)), R"({"a":{"b":1}})");
}

TEST(JsonPath, finds_items_by_number_and_appends_one)
{
    EXPECT_EQ(text_after_setting(R"({"inputs": [{"time": 1}]})", "inputs.0.time", Json::of(2.5)),
              R"({"inputs":[{"time":2.5}]})");
    EXPECT_EQ(text_after_setting("[1]", "1", Json::of(2)), "[1,2]");
    EXPECT_EQ(text_after_setting(R"({"in": []})", "in.0.time", Json::of(1)), R"({"in":[{"time":1}]})");
}

TEST(JsonPath, allows_anything_but_a_dot_in_keys)
{
    EXPECT_EQ(text_after_setting("{}", "a b/c~.0", Json::of(1)), R"({"a b/c~":{"0":1}})");
}

TEST(JsonPath, refuses_what_it_cannot_do_and_leaves_the_tree_alone)
{
    const char* text = R"({"a": 1, "list": [1, 2], "s": "x"})";
    const Json before = parse_json(text, "f").value;
    const std::string too_deep = [] {
        std::string path = "x";
        for (int i = 0; i < kMaxJsonDepth; ++i) path += ".x";
        return path;
    }();
    for (const std::string& path :
         {std::string("a.b"), std::string("list.3"), std::string("list.x"), std::string("list.-1"), std::string(""),
          std::string("new..b"), std::string("new.b."), std::string("s.t.u"), too_deep}) {
        Json root = before;
        Problem problem;
        EXPECT_FALSE(set_path(root, path, Json::of(1), &problem)) << path;
        EXPECT_NE(problem.message.find("cannot set '" + path + "'"), std::string::npos) << problem.message;
        EXPECT_EQ(root, before);
    }
    Json root = before;
    Problem problem;
    set_path(root, "s.t.u", Json::of(1), &problem);
    EXPECT_EQ(to_string(problem), "/s: cannot set 's.t.u': there is a string");
    EXPECT_FALSE(set_path(root, "list.9.b", Json::of(1)));
}

TEST(JsonPath, takes_values_as_json_or_else_as_text)
{
    EXPECT_EQ(parse_value_or_string("false"), Json::of(false));
    EXPECT_EQ(parse_value_or_string("1e3"), Json::of(1000));
    EXPECT_EQ(parse_value_or_string("\"12\""), Json::of("12"));
    EXPECT_EQ(parse_value_or_string("auto"), Json::of("auto"));
    EXPECT_EQ(parse_value_or_string(""), Json::of(""));
    EXPECT_EQ(parse_value_or_string("a b.obj"), Json::of("a b.obj"));
    EXPECT_EQ(parse_value_or_string("[0, -9.81, 0]").items.size(), 3u);
    EXPECT_EQ(parse_value_or_string("[1").text, "[1");
}

TEST(JsonPath, gives_no_lines_to_values_that_are_not_from_a_file)
{
    const Json json = parse_value_or_string(R"({"a": [1]})");
    EXPECT_EQ(json.line, 0);
    EXPECT_EQ(json.members[0].line, 0);
    EXPECT_EQ(json.members[0].value.items[0].line, 0);
}

TEST(Json, sets_members_of_an_object)
{
    Json json = Json::object();
    json.set("a", Json::of(1));
    json.set("b", Json::array()).items.push_back(Json::of("x"));
    json.set("a", Json::of(true));
    EXPECT_EQ(to_text(json, false), R"({"a":true,"b":["x"]})");
}

TEST(Json, describes_kinds_in_words)
{
    EXPECT_STREQ(described(Json::Kind::number), "a number");
    EXPECT_STREQ(described(Json::Kind::object), "an object");
}

}  // namespace
}  // namespace pliant
