// SPDX-License-Identifier: MIT
#pragma once

// Whole files in and out of memory, with what may go wrong in words.

#include <optional>
#include <string>
#include <string_view>

#include <pliant/base/error.h>

namespace pliant {

struct FileRead {
    std::string bytes;
    std::optional<Problem> problem;         ///< why there are no bytes
    ErrorKind kind = ErrorKind::bad_input;  ///< of the problem: bad_input when the file is empty
};

/// The file at `path`. Folders, devices, missing, unreadable and empty files are problems. Throws only std::bad_alloc.
FileRead whole_file(const std::string& path);

/// Writes the file over what was there. Throws Error of kind cannot_access when the disk refuses.
void write_whole_file(const std::string& path, std::string_view bytes);

}  // namespace pliant
