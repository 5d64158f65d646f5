// SPDX-License-Identifier: MIT
#include "output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/base/text.h>

namespace pliant::cli {

namespace {

// Characters, not bytes: units have raised digits.
std::size_t width_of(std::string_view text)
{
    std::size_t width = 0;
    while (!text.empty()) text.remove_prefix(std::max<std::size_t>(1, utf8_length(text))), ++width;
    return width;
}

[[noreturn]] void refuse(const std::string& path, int error_number)
{
    throw Error(Problem{.file = path, .message = fmt::format("cannot be written: {}", std::strerror(error_number))},
                ErrorKind::cannot_access);
}

}  // namespace

std::string Table::text() const
{
    std::vector<std::size_t> widths(alignment_.size(), 0);
    for (const auto& row : rows_)
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string gap(widths[c] - width_of(row[c]), ' ');
            line += "  " + (alignment_[c] == 'r' ? gap + row[c] : row[c] + gap);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

void say(const std::string& line)
{
    std::fflush(stdout);
    fmt::print(stderr, "{}\n", line);
}

void check_may_write(const std::string& path, bool force)
{
    std::error_code ignored;
    if (force || !std::filesystem::is_regular_file(path, ignored)) return;
    throw Error(Problem{.file = path, .message = "exists already", .cure = "use --force, or another name"},
                ErrorKind::cannot_access);
}

void write_text(const std::string& path, std::string_view text, bool force)
{
    check_may_write(path, force);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) refuse(path, errno);
    // A full disk may show only when the last bytes leave.
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
    const int write_error = errno;
    if (std::fclose(file) != 0 || !written) refuse(path, written ? errno : write_error);
}

}  // namespace pliant::cli
