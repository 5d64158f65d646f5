// SPDX-License-Identifier: MIT
#pragma once

// A file that appears under its name only when it is complete: for this room only.
//
// It is written as NAME.part and renamed by commit(); without commit() nothing is left. What cannot
// be written (directory, permission, full disk) is an Error of kind cannot_access.

#include <cstddef>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace pliant {

class OutputFile {
public:
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text);
    void write(std::span<const std::byte> bytes);
    template <class T>
    void write_values(std::span<const T> values)
    {
        write(std::as_bytes(values));
    }
    void commit();

private:
    [[noreturn]] void fail(int error_number) const;
    std::string path_, written_path_;
    std::FILE* file_ = nullptr;
};

/// Throws when one of the files exists already and may not be replaced, or is a directory.
void check_may_write(std::span<const std::string> paths, bool overwrite);

}  // namespace pliant
