// SPDX-License-Identifier: MIT
#include <pliant/base/markup.h>

#include <string>

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Markup, makes_marks_harmless)
{
    EXPECT_EQ(markup_text("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
    EXPECT_EQ(markup_text("&lt;"), "&amp;lt;") << "what looks escaped already is text, too";
}

TEST(Markup, keeps_letters_of_all_languages_and_lines)
{
    EXPECT_EQ(markup_text("Größe 3 µm\n\tx"), "Größe 3 µm\n\tx");
}

TEST(Markup, has_no_characters_that_xml_forbids)
{
    EXPECT_EQ(markup_text(std::string("a\0b\x1b[1m", 7)), "a b [1m");
}

}  // namespace
}  // namespace pliant
