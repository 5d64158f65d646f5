// SPDX-License-Identifier: MIT
#include <pliant/record/output_file.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <pliant/base/error.h>

namespace pliant {

namespace fs = std::filesystem;

namespace {

// Pipes and devices are written as they are: nothing to replace, nothing to rename.
bool is_stream(const std::string& path)
{
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    return fs::is_other(status) || fs::is_fifo(status) || fs::is_character_file(status) || fs::is_socket(status);
}

}  // namespace

OutputFile::OutputFile(std::string path)
    : path_(std::move(path))
    , written_path_(is_stream(path_) ? path_ : path_ + ".part")
{
    file_ = std::fopen(written_path_.c_str(), "wb");
    if (file_ == nullptr) fail(errno);
}

OutputFile::~OutputFile()
{
    if (file_ == nullptr) return;
    std::fclose(file_);
    std::error_code ignored;
    if (written_path_ != path_) fs::remove(written_path_, ignored);
}

void OutputFile::write(std::string_view text)
{
    write(std::as_bytes(std::span<const char>(text.data(), text.size())));
}

void OutputFile::write(std::span<const std::byte> bytes)
{
    if (bytes.empty()) return;
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail(errno);
}

void OutputFile::commit()
{
    if (std::fflush(file_) != 0) fail(errno);
    const int closed = std::fclose(std::exchange(file_, nullptr));
    const int renamed =
        closed != 0 || written_path_ == path_ ? closed : std::rename(written_path_.c_str(), path_.c_str());
    if (renamed == 0) return;
    const int error_number = errno;
    std::error_code ignored;
    if (written_path_ != path_) fs::remove(written_path_, ignored);
    fail(error_number);
}

void OutputFile::fail(int error_number) const
{
    const std::string reason = error_number == ENOSPC ? "the disk is full" : std::strerror(error_number);
    throw Error(Problem{path_, 0, "", "cannot be written: " + reason, ""}, ErrorKind::cannot_access);
}

void check_may_write(std::span<const std::string> paths, bool overwrite)
{
    std::vector<Problem> problems;
    for (const std::string& path : paths) {
        std::error_code ignored;
        if (fs::is_directory(path, ignored))
            problems.push_back({path, 0, "", "is a directory", ""});
        else if (!overwrite && fs::exists(path, ignored) && !is_stream(path))
            problems.push_back({path, 0, "", "exists; use --force or another -o", ""});
    }
    // A sequence that is in the way is one problem, not a thousand.
    if (problems.size() > 3) {
        problems[2] = {"", 0, "", "and " + std::to_string(problems.size() - 2) + " more files exist", ""};
        problems.resize(3);
    }
    if (!problems.empty()) throw Error(std::move(problems), ErrorKind::cannot_access);
}

}  // namespace pliant
