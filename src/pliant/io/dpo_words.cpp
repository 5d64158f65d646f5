// SPDX-License-Identifier: MIT
#include <pliant/io/dpo_words.h>

#include <fmt/format.h>

#include <pliant/io/text_words.h>

namespace pliant {

namespace {

bool parts_words(char c)
{
    return is_blank(c) || std::string_view("[](),=:").find(c) != std::string_view::npos;
}

}  // namespace

void DpoProblems::add(int line, std::string where, std::string message, std::string cure)
{
    constexpr std::size_t kInFull = 20;
    if (++count_ <= kInFull)
        problems_.push_back({.file = file_name_,
                             .line = line,
                             .where = std::move(where),
                             .message = std::move(message),
                             .cure = std::move(cure)});
}

std::vector<Problem> DpoProblems::take()
{
    if (count_ > problems_.size())
        problems_.push_back({.file = file_name_,
                             .message = fmt::format("{} more problems", count_ - problems_.size()),
                             .cure = "correct those above first"});
    return std::move(problems_);
}

std::string_view DpoWords::next()
{
    while (!rest_.empty() && parts_words(rest_.front())) rest_.remove_prefix(1);
    std::size_t length = 0;
    while (length < rest_.size() && !parts_words(rest_[length])) ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
}

bool looks_like_number(std::string_view word)
{
    const std::size_t first = word.find_first_not_of("+-.");
    return first != std::string_view::npos && word[first] >= '0' && word[first] <= '9';
}

}  // namespace pliant
