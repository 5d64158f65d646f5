// SPDX-License-Identifier: MIT
#include <pliant/base/error.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace pliant {

namespace {

std::string joined(const std::vector<Problem>& problems)
{
    std::string text;
    for (const Problem& problem : problems) {
        if (!text.empty()) text += '\n';
        text += to_string(problem);
    }
    return text;
}

// Levenshtein distance; a swap of two neighbours counts one, since that is how fingers slip.
std::size_t edit_distance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = last;
        last = row;
    }
    return last[b.size()];
}

}  // namespace

std::string to_string(const Problem& problem)
{
    std::string text = problem.file;
    if (problem.line > 0) text += ':' + std::to_string(problem.line);
    if (!text.empty()) text += ": ";
    if (!problem.where.empty()) text += problem.where + ": ";
    text += problem.message;
    if (!problem.cure.empty()) text += " (" + problem.cure + ')';
    return text;
}

Error::Error(Problem problem, ErrorKind kind) : Error(std::vector<Problem>{std::move(problem)}, kind) {}

Error::Error(std::vector<Problem> problems, ErrorKind kind)
    : std::runtime_error(joined(problems))
    , problems_(std::move(problems))
    , kind_(kind)
{
}

std::string nearest_name(const std::string& word, const std::vector<std::string>& candidates)
{
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) best = candidate, best_distance = distance;
    }
    return best;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates)
{
    const std::string nearest = nearest_name(word, candidates);
    if (!nearest.empty()) return "did you mean '" + nearest + "'?";
    // A long list helps nobody: then only the names that come nearest.
    constexpr std::size_t kMostNames = 12;
    std::vector<std::string> names = candidates;
    if (names.size() > kMostNames) {
        std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
            return edit_distance(word, a) < edit_distance(word, b);
        });
        names.resize(kMostNames);
    }
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    if (list.empty()) return "";
    return (candidates.size() > kMostNames ? "some of them: " : "one of: ") + list;
}

void assertion_failed(const char* condition, const char* message, const char* file, int line)
{
    std::fprintf(stderr, "%s:%d: pliant is broken here: %s (%s)\n", file, line, message, condition);
    std::abort();
}

}  // namespace pliant
