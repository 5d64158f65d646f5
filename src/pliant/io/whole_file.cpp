// SPDX-License-Identifier: MIT
#include <pliant/io/whole_file.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include <pliant/io/mesh_builder.h>

namespace pliant {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

FileRead unreadable(const std::string& path, std::string message, std::string cure)
{
    return {"", Problem{.file = path, .line = 0, .where = "", .message = std::move(message), .cure = std::move(cure)},
            ErrorKind::cannot_access};
}

/// "did you mean 'cube.msh'?" from the files beside the missing one, or a plain hint.
std::string neighbour_hint(const std::filesystem::path& path)
{
    constexpr std::size_t kMostFiles = 1000;
    std::vector<std::string> names;
    std::error_code error;
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    std::filesystem::directory_iterator file(folder, error);
    for (; !error && file != std::filesystem::directory_iterator(); file.increment(error)) {
        if (names.size() >= kMostFiles) break;
        names.push_back(file->path().filename().string());
    }
    const std::string nearest = nearest_name(path.filename().string(), names);
    return nearest.empty() ? "check the path" : "did you mean " + in_quotes(nearest) + "?";
}

[[noreturn]] void refuse_to_write(const std::string& path, int error, const char* cure)
{
    throw Error(Problem{.file = path,
                        .line = 0,
                        .where = "",
                        .message = fmt::format("cannot be written: {}", std::strerror(error)),
                        .cure = cure},
                ErrorKind::cannot_access);
}

}  // namespace

FileRead whole_file(const std::string& path)
{
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found)
        return unreadable(path, "no such file", neighbour_hint(path));
    if (error) return unreadable(path, "cannot be read: " + error.message(), "check the path");
    if (std::filesystem::is_directory(status)) return unreadable(path, "is a directory, expected a file", "");
    if (!std::filesystem::is_regular_file(status))
        return unreadable(path, "is a device or pipe, expected a file", "copy it to a file first");
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) return unreadable(path, "cannot be read: " + error.message(), "");
    const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file)
        return unreadable(path, fmt::format("cannot be read: {}", std::strerror(errno)), "check the permissions");
    FileRead read;
    read.bytes.resize(size);
    read.bytes.resize(std::fread(read.bytes.data(), 1, read.bytes.size(), file.get()));
    if (std::ferror(file.get())) return unreadable(path, "cannot be read to its end", "check the disk");
    if (read.bytes.empty()) {
        read = unreadable(path, "the file is empty", "export it again");
        read.kind = ErrorKind::bad_input;
    }
    return read;
}

void write_whole_file(const std::string& path, std::string_view bytes)
{
    File file(std::fopen(path.c_str(), "wb"), &std::fclose);
    if (!file) refuse_to_write(path, errno, "does the folder exist, and may you write there?");
    // A full disk may only show when the buffer is flushed or the file closed.
    const bool written =
        std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() && std::fflush(file.get()) == 0;
    const int write_error = errno;
    if (!written) refuse_to_write(path, write_error, "the file is incomplete; free some space");
    if (std::fclose(file.release()) != 0) refuse_to_write(path, errno, "the file is incomplete; free some space");
}

}  // namespace pliant
