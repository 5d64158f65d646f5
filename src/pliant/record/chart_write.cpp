// SPDX-License-Identifier: MIT

// Charts to disk: the kind of file by its extension, and what can go wrong.

#include <pliant/base/error.h>
#include <pliant/record/chart.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace pliant {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& message, const std::string& cure, ErrorKind kind)
{
    Problem problem;
    problem.file = path;
    problem.message = message;
    problem.cure = cure;
    throw Error(problem, kind);
}

[[noreturn]] void refuse_write(const std::string& path, int reason)
{
    refuse(path, std::string("cannot write: ") + std::strerror(reason), "", ErrorKind::cannot_access);
}

// A full disk may show only when the last bytes leave, so flush and close are asked too.
void write_bytes(const std::string& path, const std::string& bytes, bool overwrite)
{
    std::FILE* file = std::fopen(path.c_str(), overwrite ? "wb" : "wbx");
    if (!file && errno == EEXIST)
        refuse(path, "the file exists", "allow overwriting, or choose another name", ErrorKind::cannot_access);
    if (!file) refuse_write(path, errno);
    int reason = 0;
    if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) reason = errno;
    if (std::fflush(file) != 0 && reason == 0) reason = errno;
    if (std::fclose(file) != 0 && reason == 0) reason = errno;
    if (reason == 0) return;
    std::error_code ignored;  // half a picture helps nobody
    if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
    refuse_write(path, reason);
}

std::string extension_of(const std::string& path)
{
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

}  // namespace

void write_chart_png(const std::string& path, const Chart& chart)
{
    write_bytes(path, chart_png(chart), true);
}

void write_chart(const std::string& path, const Chart& chart, bool overwrite)
{
    const std::string extension = extension_of(path);
    if (extension == ".svg") return write_bytes(path, chart_svg(chart), overwrite);
    if (extension == ".png") return write_bytes(path, chart_png(chart), overwrite);
    const std::string found =
        extension.empty() ? "a chart needs an extension" : "unknown kind of chart '" + extension + "'";
    refuse(path, found, "one of: .svg, .png", ErrorKind::bad_input);
}

}  // namespace pliant
