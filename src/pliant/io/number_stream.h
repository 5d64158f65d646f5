// SPDX-License-Identifier: MIT
#pragma once

// Numbers one after another, out of and into files that come as text or as binary: MSH, Medit.
//
// The same reading code serves both: it names the size a number has in binary, and text ignores it. A source that
// met something unreadable says so in complaint() and from then on gives zeros, so that callers look once a record.

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include <pliant/io/tet_builder.h>

namespace pliant {

class NumberSource {
public:
    explicit NumberSource(std::string_view bytes) : bytes_(bytes) {}

    /// From here on numbers are binary; words stay words.
    void set_binary(std::endian order) { binary_ = true, order_ = order; }
    bool is_binary() const { return binary_; }

    /// A signed whole number of 4 or 8 bytes.
    std::int64_t whole(int size);
    /// A floating point number of 4 or 8 bytes.
    double real(int size = 8);
    /// The next word of text, or an empty view at the end.
    std::string_view word();
    /// A whole number as text, also within binary files.
    std::int64_t word_as_whole();
    /// The rest of the line; steps behind its end.
    std::string_view rest_of_line();
    /// Steps behind the next place where `mark` begins a line; false, without moving, when there is none.
    bool skip_behind(std::string_view mark);
    /// Steps to a byte of a binary file; complains when it lies outside.
    void move_to(std::int64_t byte);

    bool failed() const { return !complaint_.empty(); }
    const std::string& complaint() const { return complaint_; }
    void complain(std::string complaint);

    /// Where the last number or word began.
    FilePlace place(const char* kind, std::int64_t number = -1) const;
    std::int64_t remaining() const { return static_cast<std::int64_t>(bytes_.size() - at_); }

    /// How many records of that many numbers of at least four bytes can follow at most.
    std::int64_t most_records(int numbers) const;

private:
    const char* take(int size);

    std::string_view bytes_;
    std::size_t at_ = 0, start_ = 0;
    int line_ = 1;
    bool binary_ = false;
    std::endian order_ = std::endian::little;
    std::string complaint_;
};

/// Tells of a count that the rest of the file cannot hold, before anything is allocated on its word; false then.
bool is_believable(TetBuilder&, const NumberSource&, const char* what, std::int64_t count, int numbers);

/// Tells the source's complaint at its place, with what to do about a damaged file. Only the first time counts.
void tell_damage(TetBuilder&, const NumberSource&, const char* kind, std::int64_t number = -1);

/// Appends numbers to `bytes`: binary little endian, or as words of a line.
class NumberSink {
public:
    NumberSink(std::string& bytes, bool binary) : bytes_(bytes), binary_(binary) {}

    void whole(std::int64_t number, int size);
    void real(double number);
    /// Ends a line of text; nothing in binary.
    void end_line();

private:
    std::string& bytes_;
    bool binary_;
};

}  // namespace pliant
