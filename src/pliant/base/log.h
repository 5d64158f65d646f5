// SPDX-License-Identifier: MIT
#pragma once

// Messages to whoever listens. There is no global log: a Log is passed by reference, and a default one
// drops everything. Not thread-safe unless its sink is.

#include <functional>
#include <string_view>
#include <utility>

namespace pliant {

enum class LogLevel { debug, info, warning, error };

constexpr const char* name(LogLevel level)
{
    switch (level) {
    case LogLevel::debug:
        return "debug";
    case LogLevel::info:
        return "info";
    case LogLevel::warning:
        return "warning";
    case LogLevel::error:
        return "error";
    }
    return "unknown";
}

class Log {
public:
    using Sink = std::function<void(LogLevel, std::string_view)>;

    Log() = default;
    explicit Log(Sink sink) : sink_(std::move(sink)) {}

    /// False if nobody listens, so that costly messages need not be made.
    bool is_heard() const { return static_cast<bool>(sink_); }

    void write(LogLevel level, std::string_view message) const
    {
        if (sink_) sink_(level, message);
    }
    void debug(std::string_view message) const { write(LogLevel::debug, message); }
    void info(std::string_view message) const { write(LogLevel::info, message); }
    void warning(std::string_view message) const { write(LogLevel::warning, message); }
    void error(std::string_view message) const { write(LogLevel::error, message); }

private:
    Sink sink_;
};

}  // namespace pliant
