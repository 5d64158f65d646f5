// SPDX-License-Identifier: MIT
#include <pliant/base/log.h>

#include <gtest/gtest.h>

#include <string>

namespace pliant {
namespace {

TEST(Log, drops_everything_by_default)
{
    const Log log;
    EXPECT_FALSE(log.is_heard());
    log.error("nobody hears this");
}

TEST(Log, hands_level_and_message_to_its_sink)
{
    std::string heard;
    const Log log([&](LogLevel level, std::string_view message) {
        heard += std::string(name(level)) + ": " + std::string(message) + '\n';
    });
    log.debug("a");
    log.info("b");
    log.warning("c");
    log.error("d");
    EXPECT_TRUE(log.is_heard());
    EXPECT_EQ(heard, "debug: a\ninfo: b\nwarning: c\nerror: d\n");
}

}  // namespace
}  // namespace pliant
