// SPDX-License-Identifier: MIT
#pragma once

// The tables of a recording and the part of it that is written once: for this room only.
//
// The tables are documented in recording.h. Lives here: creating them, telling a recording from
// another file, the header there and back.

#include <bit>
#include <span>

#include <pliant/record/database.h>
#include <pliant/record/recording.h>

namespace pliant {

static_assert(std::endian::native == std::endian::little, "blobs are little-endian");

void create_tables(const Database& database);

/// Throws unless the database is a recording this version can read.
void check_is_recording(const Database& database);

void write_header(const Database& database, const RecordingHeader& header);

/// Reads and checks: ranges and indices are inside their arrays.
RecordingHeader read_header(const Database& database);

/// Throws "damaged" with what was found.
[[noreturn]] void recording_damaged(const Database& database, const std::string& what);

/// The bytes of an array of plain numbers.
template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values)
{
    return std::as_bytes(std::span<const T>(values));
}

}  // namespace pliant
