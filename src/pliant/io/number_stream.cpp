// SPDX-License-Identifier: MIT
#include <pliant/io/number_stream.h>

#include <algorithm>

#include <fmt/format.h>

#include <pliant/io/byte_order.h>
#include <pliant/io/mesh_builder.h>
#include <pliant/io/text_words.h>

namespace pliant {

void NumberSource::complain(std::string complaint)
{
    if (complaint_.empty()) complaint_ = std::move(complaint);
}

/// The next bytes, or nullptr after complaining.
const char* NumberSource::take(int size)
{
    start_ = at_;
    if (remaining() < size) {
        complain("the file ends here");
        return nullptr;
    }
    at_ += static_cast<std::size_t>(size);
    return bytes_.data() + start_;
}

std::string_view NumberSource::word()
{
    while (at_ < bytes_.size() && is_blank(bytes_[at_]))
        if (bytes_[at_++] == '\n') ++line_;
    start_ = at_;
    while (at_ < bytes_.size() && !is_blank(bytes_[at_])) ++at_;
    return bytes_.substr(start_, at_ - start_);
}

std::int64_t NumberSource::word_as_whole()
{
    if (failed()) return 0;
    const std::string_view found = word();
    Integer integer = integer_of(found);
    if (found.empty())
        complain("the file ends here");
    else if (!integer.complaint.empty())
        complain(std::move(integer.complaint));
    return failed() ? 0 : integer.value;
}

std::int64_t NumberSource::whole(int size)
{
    if (failed()) return 0;
    if (!binary_) return word_as_whole();
    const char* const at = take(size);
    if (at == nullptr) return 0;
    return size == 4 ? number_at<std::int32_t>(at, order_) : number_at<std::int64_t>(at, order_);
}

double NumberSource::real(int size)
{
    if (failed()) return 0;
    if (binary_) {
        const char* const at = take(size);
        if (at == nullptr) return 0;
        return size == 4 ? double{number_at<float>(at, order_)} : number_at<double>(at, order_);
    }
    const std::string_view found = word();
    Number number = number_of(found);
    if (found.empty())
        complain("the file ends here");
    else if (!number.complaint.empty())
        complain(std::move(number.complaint));
    return failed() ? 0 : number.value;
}

std::string_view NumberSource::rest_of_line()
{
    start_ = at_;
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    std::string_view line = bytes_.substr(at_, end - at_);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (end < bytes_.size()) ++line_;
    at_ = std::min(end + 1, bytes_.size());
    return line;
}

bool NumberSource::skip_behind(std::string_view mark)
{
    for (std::size_t at = bytes_.find(mark, at_); at != std::string_view::npos; at = bytes_.find(mark, at + 1)) {
        const std::size_t end = at + mark.size();
        const bool begins_line = at == 0 || bytes_[at - 1] == '\n';
        if (!begins_line || (end < bytes_.size() && !is_blank(bytes_[end]))) continue;
        line_ += static_cast<int>(std::count(bytes_.begin() + static_cast<std::ptrdiff_t>(at_),
                                             bytes_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        start_ = at;
        at_ = end;
        return true;
    }
    return false;
}

void NumberSource::move_to(std::int64_t byte)
{
    if (byte < 0 || byte > static_cast<std::int64_t>(bytes_.size()))
        complain(fmt::format("points to byte {} of a file of {} bytes", byte, bytes_.size()));
    else
        at_ = static_cast<std::size_t>(byte);
}

FilePlace NumberSource::place(const char* kind, std::int64_t number) const
{
    if (binary_) return {0, static_cast<std::int64_t>(start_), kind, number};
    return {line_, -1, kind, number};
}

std::int64_t NumberSource::most_records(int numbers) const
{
    // A number of text is at least a digit and a blank, and the last blank may be missing.
    return binary_ ? remaining() / (4 * numbers) : (remaining() + 1) / (2 * numbers);
}

bool is_believable(TetBuilder& builder, const NumberSource& source, const char* what, std::int64_t count, int numbers)
{
    const std::int64_t most = source.most_records(numbers);
    if (count >= 0 && count <= most) return true;
    builder.problem(source.place(what),
                    count < 0 ? fmt::format("their number is {}, expected none or more", count)
                              : fmt::format("the file promises {}, but {} bytes can hold {} at most", count,
                                            source.remaining(), most),
                    "the file is cut off or its counts are wrong; export the mesh again");
    return false;
}

void tell_damage(TetBuilder& builder, const NumberSource& source, const char* kind, std::int64_t number)
{
    builder.problem(source.place(kind, number), source.complaint(),
                    "the file is cut off or damaged; export or copy it again");
}

void NumberSink::whole(std::int64_t number, int size)
{
    if (!binary_)
        append_number(bytes_, number), bytes_ += ' ';
    else if (size == 4)
        append_little(bytes_, static_cast<std::int32_t>(number));
    else
        append_little(bytes_, number);
}

void NumberSink::real(double number)
{
    if (binary_)
        append_little(bytes_, number);
    else
        append_number(bytes_, number), bytes_ += ' ';
}

void NumberSink::end_line()
{
    if (binary_) return;
    if (!bytes_.empty() && bytes_.back() == ' ')
        bytes_.back() = '\n';
    else
        bytes_ += '\n';
}

}  // namespace pliant
