// SPDX-License-Identifier: MIT
// Writing JSON, and random trees there and back.

#include <pliant/base/json_write.h>

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace pliant {
namespace {

TEST(JsonWriter, writes_compactly)
{
    std::string out;
    JsonWriter writer(out, JsonStyle::compact);
    writer.begin_object().member("a", 1).member("b", true).key("c").begin_array();
    writer.value("x").value(std::string("y")).null().value(-0.5).end_array();
    writer.member("d", std::numeric_limits<std::int64_t>::max()).end_object();
    EXPECT_EQ(out, R"({"a":1,"b":true,"c":["x","y",null,-0.5],"d":9223372036854775807})");
}

TEST(JsonWriter, writes_prettily_with_short_arrays_on_one_line)
{
    std::string out;
    JsonWriter writer(out);
    writer.begin_object();
    writer.member("gravity", std::array<double, 3>{0, -9.81, 0});
    writer.key("empty").begin_object().end_object();
    writer.key("none").begin_array().end_array();
    writer.key("list").begin_array();
    writer.begin_object().member("a", 1).end_object();
    writer.value(2);
    writer.end_array().end_object();
    EXPECT_EQ(out, "{\n  \"gravity\": [0, -9.81, 0],\n  \"empty\": {},\n  \"none\": [],\n  \"list\": [\n"
                   "    {\n      \"a\": 1\n    },\n    2\n  ]\n}");
}

TEST(JsonWriter, writes_numbers_shortest_and_what_is_not_finite_as_null)
{
    const double infinity = std::numeric_limits<double>::infinity();
    std::string out;
    JsonWriter(out, JsonStyle::compact).value(std::array{0.1, 1e300, -0.0, 1.0 / 3, infinity, std::nan("")});
    EXPECT_EQ(out, "[0.1,1e+300,-0,0.3333333333333333,null,null]");
}

TEST(JsonWriter, escapes_strings_and_replaces_what_is_not_utf8)
{
    EXPECT_EQ(quoted("a\"b\\c\n\t\x01/\x7f€"), "\"a\\\"b\\\\c\\n\\t\\u0001/\x7f€\"");
    EXPECT_EQ(quoted(std::string_view("\0", 1)), "\"\\u0000\"");
    EXPECT_EQ(quoted("gr\xf6\xdf"), "\"gr��\"");
}

TEST(JsonWriter, keeps_numbers_as_they_were_written)
{
    const char* text = "[1.50,1E2,12345678901234567890,-0]";
    EXPECT_EQ(to_text(parse_json(text, "f").value, false), text);
}

TEST(JsonWriterDeathTest, stops_when_calls_do_not_nest)
{
    std::string out;
    EXPECT_DEATH(JsonWriter(out).begin_object().value(1), "keys");
    EXPECT_DEATH(JsonWriter(out).begin_array().key("a"), "keys");
    EXPECT_DEATH(JsonWriter(out).begin_array().end_object(), "match");
}

class RandomTree {
public:
    explicit RandomTree(unsigned seed) : random_(seed) {}

    Json make(int depth)
    {
        switch (below(depth > 0 ? 6 : 4)) {
        case 0:
            return {};
        case 1:
            return Json::of(below(2) == 0);
        case 2:
            return Json::of(number());
        case 3:
            return Json::of(std::string_view(characters()));
        case 4:
            return array(depth);
        default:
            return object(depth);
        }
    }

private:
    int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

    double number()
    {
        if (below(2) == 0) return below(1000) - 500;
        const double any = std::bit_cast<double>(random_());
        return std::isfinite(any) ? any : 0.25;
    }

    std::string characters()
    {
        static const char* const kPieces[] = {"a", "\"", "\\", "/", "\n", "\t", "\x01", "é", "€", "𝄞", " ", "//"};
        std::string text;
        for (int i = below(8); i > 0; --i) text += kPieces[below(12)];
        return text;
    }

    Json array(int depth)
    {
        Json json = Json::array();
        for (int i = below(5); i > 0; --i) json.items.push_back(make(depth - 1));
        return json;
    }

    Json object(int depth)
    {
        Json json = Json::object();
        for (int i = below(5); i > 0; --i) json.set(characters(), make(depth - 1));
        return json;
    }

    std::mt19937_64 random_;
};

TEST(JsonWriter, writes_random_trees_that_read_back_equal_and_write_the_same_again)
{
    for (unsigned seed = 0; seed < 2000; ++seed) {
        const Json tree = RandomTree(seed).make(5);
        for (const bool pretty : {false, true}) {
            const std::string text = to_text(tree, pretty);
            const JsonRead read = parse_json(text, "random");
            ASSERT_TRUE(read.problems.empty()) << to_string(read.problems[0]) << '\n' << text;
            ASSERT_EQ(read.value, tree) << text;
            ASSERT_EQ(to_text(read.value, pretty), text);
        }
    }
}

// Any text with any bytes changed, cut or doubled must be read without harm.
TEST(Json, survives_random_damage)
{
    std::mt19937 random(11);
    for (unsigned seed = 0; seed < 3000; ++seed) {
        std::string text = to_text(RandomTree(seed).make(4), seed % 2 == 0);
        for (int i = 0; i < 3 && !text.empty(); ++i) {
            const std::size_t at = random() % text.size();
            if (random() % 3 == 0)
                text.erase(at, 1 + random() % 3);
            else if (random() % 2 == 0)
                text[at] = static_cast<char>(random());
            else
                text.insert(at, text, at, 4);
        }
        const JsonRead read = parse_json(text, "damaged");
        for (const Problem& problem : read.problems) EXPECT_GE(problem.line, 1);
        if (!read.problems.empty()) continue;
        ASSERT_EQ(parse_json(to_text(read.value), "again").value, read.value) << text;
    }
}

}  // namespace
}  // namespace pliant
