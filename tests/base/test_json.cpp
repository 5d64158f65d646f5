// SPDX-License-Identifier: MIT
// The JSON reader: what it understands, where it says things are, and what it says about bad files.

#include <pliant/base/json.h>

#include <gtest/gtest.h>

#include <string>

namespace pliant {
namespace {

Json parsed(std::string_view text)
{
    JsonRead read = parse_json(text, "scene.json");
    for (const Problem& problem : read.problems) ADD_FAILURE() << to_string(problem);
    return read.value;
}

TEST(Json, reads_every_kind_of_value)
{
    const Json json = parsed(R"({"a": null, "b": true, "c": -1.5e2, "d": "x", "e": [1, 2], "f": {}})");
    ASSERT_TRUE(json.is_object());
    EXPECT_TRUE(json.find("a")->is_null());
    EXPECT_EQ(json.find("b")->as_boolean(), true);
    EXPECT_EQ(json.find("c")->as_number(), -150.0);
    EXPECT_EQ(json.find("d")->as_string(), "x");
    EXPECT_EQ(json.find("e")->items.size(), 2u);
    EXPECT_TRUE(json.find("f")->is_object());
    EXPECT_EQ(json.find("g"), nullptr);
    EXPECT_EQ(json.find("b")->as_number(), std::nullopt);
}

TEST(Json, keeps_the_order_of_members)
{
    const Json json = parsed(R"({"z": 1, "a": 2, "m": 3})");
    ASSERT_EQ(json.members.size(), 3u);
    EXPECT_EQ(json.members[0].key + json.members[1].key + json.members[2].key, "zam");
}

TEST(Json, knows_the_line_and_column_of_values_and_keys)
{
    const Json json = parsed("{\n  \"größe\": 1, \"b\":\r\n\t[true,\n null]\n}");
    EXPECT_EQ(json.line, 1);
    EXPECT_EQ(json.column, 1);
    const JsonMember& b = json.members[1];
    EXPECT_EQ(b.line, 2);
    EXPECT_EQ(b.column, 15);
    EXPECT_EQ(b.value.line, 3);
    EXPECT_EQ(b.value.column, 2);
    EXPECT_EQ(b.value.items[1].line, 4);
    EXPECT_EQ(b.value.items[1].column, 2);
}

TEST(Json, allows_comments_trailing_commas_and_a_byte_order_mark)
{
    const Json json = parsed("\xef\xbb\xbf// head\n{\"a\": [1, 2,], /* in\nside */ \"b\": 3,} // tail");
    EXPECT_EQ(json.find("a")->items.size(), 2u);
    EXPECT_EQ(json.find("b")->number, 3);
    EXPECT_EQ(json.find_member("b")->line, 3);
    EXPECT_TRUE(parsed("[]").items.empty());
    EXPECT_EQ(parsed("\xef\xbb\xbf 1").column, 2);
}

TEST(Json, reads_escapes_and_surrogate_pairs)
{
    EXPECT_EQ(parsed(R"("\"\\\/\b\f\n\r\t")").text, "\"\\/\b\f\n\r\t");
    EXPECT_EQ(parsed(R"("\u00e9\u20AC\ud834\udd1e")").text, "é€𝄞");
    EXPECT_EQ(parsed(R"("\u0000")").text, std::string(1, '\0'));
}

TEST(Json, keeps_integers_exact_beyond_two_to_the_53)
{
    EXPECT_EQ(parsed("9007199254740993").as_integer(), 9007199254740993);
    EXPECT_EQ(parsed("-9223372036854775808").as_integer(), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(parsed("3.0").as_integer(), 3);
    EXPECT_EQ(parsed("3e2").as_integer(), 300);
    EXPECT_EQ(parsed("3.5").as_integer(), std::nullopt);
    EXPECT_EQ(parsed("1e30").as_integer(), std::nullopt);
    EXPECT_EQ(parsed("9223372036854775808").as_integer(), std::nullopt);
    EXPECT_EQ(parsed("9223372036854775807").text, "9223372036854775807");
    EXPECT_FALSE(parsed("9007199254740993") == parsed("9007199254740992"));
}

TEST(Json, compares_values_and_not_places)
{
    EXPECT_EQ(parsed("{\"a\": [1.0]}"), parsed("{\n\"a\":\n[1]}"));
    EXPECT_FALSE(parsed("{\"a\": 1, \"b\": 2}") == parsed("{\"b\": 2, \"a\": 1}"));
    EXPECT_FALSE(parsed("\"1\"") == parsed("1"));
}

TEST(Json, reads_a_number_too_small_for_a_double_as_zero)
{
    EXPECT_EQ(parsed("1e-400").number, 0);
}

struct BadText {
    const char* title;
    std::string text;
    int line;
    std::string message;  ///< a part of it
    std::string where = {};
};

void PrintTo(const BadText& bad, std::ostream* out)
{
    *out << bad.title;
}

class BadJson : public testing::TestWithParam<BadText> {};

TEST_P(BadJson, is_reported_once_with_its_line)
{
    const BadText& bad = GetParam();
    const JsonRead read = parse_json(bad.text, "scene.json");
    std::string all;
    for (const Problem& problem : read.problems) all += to_string(problem) + '\n';
    ASSERT_EQ(read.problems.size(), 1u) << all;
    const Problem& problem = read.problems[0];
    EXPECT_EQ(problem.file, "scene.json");
    EXPECT_EQ(problem.line, bad.line) << all;
    EXPECT_EQ(problem.where, bad.where) << all;
    EXPECT_NE(all.find(bad.message), std::string::npos) << all;
}

std::string nested_arrays(int depth)
{
    return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

const BadText kBadTexts[] = {
    {"empty_file", "", 1, "the file is empty"},
    {"only_a_comment", "\n// nothing\n", 3, "the file is empty"},
    {"unterminated_string", "{\n\"a\": \"box\n}", 2, "string that begins here is not closed", "/a"},
    {"unterminated_string_at_the_end", "\n\"abc", 2, "is not closed"},
    {"unterminated_string_in_an_escape", "\"abc\\", 1, "is not closed"},
    {"unterminated_object", "\n{\"a\": 1,\n", 2, "the object that begins here is not closed"},
    {"unterminated_array", "[1,\n[2, 3\n", 2, "the array that begins here is not closed", "/1"},
    {"unterminated_comment", "[1,\n/* 2]", 2, "the comment that begins here is not closed"},
    {"unknown_escape", "[\n\"C:\\dir\"]", 2, "a backslash before 'dir'", "/0"},
    {"short_unicode_escape", "\"\\u12g4\"", 1, "four hexadecimal digits"},
    {"lone_high_surrogate", "\n\"\\ud834x\"", 2, "half of a surrogate pair"},
    {"lone_low_surrogate", "\"\\udd1e\"", 1, "half of a surrogate pair"},
    {"two_high_surrogates", "\"\\ud834\\u0041\"", 1, "half of a surrogate pair"},
    {"control_character", "\n\"a\tb\"", 2, "control character 0x09"},
    {"nul_byte", std::string("[1,\n\0]", 6), 2, "the control character 0x00", "/1"},
    {"leading_zero", "[\n007]", 2, "begins with 0", "/0"},
    {"leading_zero_after_minus", "-01", 1, "begins with 0"},
    {"plus_sign", "+1", 1, "begins with '+'"},
    {"no_digit_before_the_point", ".5", 1, "no digit before"},
    {"no_digit_after_the_point", "{\n\"a\":\n5.}", 3, "no digit after", "/a"},
    {"no_digit_in_the_exponent", "1e+", 1, "exponent without digits"},
    {"hexadecimal", "0x10", 1, "'0x10' is not a number"},
    {"two_points", "1.2.3", 1, "is not a number"},
    {"only_a_minus", "[-]", 1, "is not a number", "/0"},
    {"nan", "{\"mass\":\nNaN}", 2, "numbers must be finite", "/mass"},
    {"minus_infinity", "-Infinity", 1, "is not a number"},
    {"too_large", "1e999", 1, "too large for a double"},
    {"python_word", "{\"on\": True}", 1, "write true", "/on"},
    {"bare_word", "[\nauto]", 2, "strings take double quotes", "/0"},
    {"single_quotes", "['a']", 1, "strings take double quotes", "/0"},
    {"unquoted_key", "{\n mass: 1}", 2, "write \"mass\""},
    {"missing_comma_between_members", "{\"a\": 1\n\"b\": 2}", 2, "a comma is missing"},
    {"missing_comma_between_items", "[\"a\"\n\"b\"]", 2, "a comma is missing"},
    {"missing_colon", "{\"a\"\n1}", 2, "expected ':' after a key, found '1'", "/a"},
    {"equals_instead_of_colon", "{\"a\" = 1}", 1, "expected ':' after a key, found '='", "/a"},
    {"missing_value", "{\"a\":\n}", 2, "expected a value, found '}'", "/a"},
    {"two_commas", "[1,,2]", 1, "expected a value, found ','", "/1"},
    {"only_a_comma", "{,}", 1, "expected a key in double quotes, found ','"},
    {"wrong_bracket", "[1, 2\n}", 2, "expected ',' or ']', found '}'"},
    {"duplicate_key", "{\"m\": 1,\n\"n\": 2,\n\"m\": 3}", 3, "on line 1 and on line 3", "/m"},
    {"duplicate_key_with_slash", "{\"a/b\": 1,\n\"a/b\": 3}", 2, "on line 1 and on line 2", "/a~1b"},
    {"trailing_garbage", "{}\n}", 2, "expected the end of the file, found '}'"},
    {"two_values", "1 2", 1, "expected the end of the file, found '2'"},
    {"too_deep", nested_arrays(kMaxJsonDepth + 1), 1, "nest deeper than 200",
     [] {
         std::string pointer;
         for (int i = 0; i < kMaxJsonDepth; ++i) pointer += "/0";
         return pointer;
     }()},
    {"latin1",
     "{\n\"gr\xf6\xdf"
     "e\": 1}",
     2, "0xf6 is not UTF-8"},
    {"latin1_in_a_comment",
     "{\n}\n// gr\xfc\xdf"
     "e",
     3, "save the file as UTF-8"},
    {"utf16", std::string("\xff\xfe{\0}\0", 6), 1, "0xff is not UTF-8"},
    {"cut_character", "\"\xe2\x82", 1, "is not UTF-8"},
    {"not_json_at_all", "solid cube\nfacet", 1, "expected a value, found 'solid'"},
    {"strange_sign", "[\n€]", 2, "found '€'", "/0"},
};

INSTANTIATE_TEST_SUITE_P(All, BadJson, testing::ValuesIn(kBadTexts),
                         [](const auto& test) { return std::string(test.param.title); });

TEST(Json, reports_all_problems_that_do_not_lose_the_structure)
{
    const JsonRead read = parse_json("{\n\"a\": 01,\n\"b\": \"\\q\",\nc: nan,\n\"a\": 2\n}", "f");
    std::string lines;
    for (const Problem& problem : read.problems) lines += std::to_string(problem.line);
    EXPECT_EQ(lines, "23445");
    EXPECT_EQ(read.value.members.size(), 3u);
}

TEST(Json, keeps_the_first_of_several_members_with_one_key)
{
    const JsonRead read = parse_json(R"({"a": 1, "b": 2, "a": 3, "a": 4})", "f");
    EXPECT_EQ(read.problems.size(), 2u);
    ASSERT_EQ(read.value.members.size(), 2u);
    EXPECT_EQ(read.value.find("a")->number, 1);
}

TEST(Json, stops_after_fifty_problems)
{
    std::string text = "[";
    for (int i = 0; i < 1000; ++i) text += "00,";
    EXPECT_EQ(parse_json(text + "]", "f").problems.size(), 50u);
}

TEST(Json, reads_arrays_nested_up_to_the_limit)
{
    EXPECT_TRUE(parse_json(nested_arrays(kMaxJsonDepth), "f").problems.empty());
}

TEST(Json, survives_a_million_opening_brackets)
{
    EXPECT_EQ(parse_json(std::string(1'000'000, '['), "f").problems.size(), 1u);
}

TEST(Json, says_a_whole_sentence_about_a_problem)
{
    const JsonRead read = parse_json("{\n  \"bodies\": {\"box\": {\"mass\": 1.}}\n}", "box.json");
    ASSERT_EQ(read.problems.size(), 1u);
    EXPECT_EQ(to_string(read.problems[0]), "box.json:2: /bodies/box/mass: '1.' has no digit after '.', at column 30");
}

}  // namespace
}  // namespace pliant
