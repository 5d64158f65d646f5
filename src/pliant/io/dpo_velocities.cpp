// SPDX-License-Identifier: MIT

// Tables of velocities of dpoSimulator: numbers count, whatever lines they stand on.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <pliant/io/dpo_words.h>
#include <pliant/io/mesh_builder.h>
#include <pliant/io/text_words.h>

namespace pliant {

namespace {

constexpr double kLargest = 1e9;  // what scenes take, of velocities [m/s] and times [s]

/// The numbers of a table of velocities; the four words that label them must stand where they belong.
class TableNumbers {
public:
    TableNumbers(std::string_view bytes, DpoProblems& problems)
        : lines_(without_byte_order_mark(bytes))
        , words_("")
        , problems_(problems)
    {
    }

    /// The number behind `label`, or behind other numbers where it is null; nothing at the end of the file or after
    /// telling what is wrong.
    std::optional<double> next(const char* name, const char* label)
    {
        std::string_view word = next_word();
        for (; !word.empty() && !looks_like_number(word); word = next_word())
            if (!may_stand_here(word, label)) {
                complain(name, fmt::format("found {}, expected {}", in_quotes(word), name));
                return std::nullopt;
            }
        if (word.empty()) return std::nullopt;
        const Number number = number_of(word);
        if (number.complaint.empty() && std::isfinite(number.value)) return number.value;
        complain(name, number.complaint);
        return std::nullopt;
    }

    /// The same, for numbers that cannot be missing.
    std::optional<double> expect(const char* name, const char* label)
    {
        const std::optional<double> number = next(name, label);
        if (!number && !failed_) complain(name, fmt::format("the file ends, expected {}", name));
        return number;
    }

    /// A whole number from 0 up to `most`, which cannot be missing.
    std::optional<std::int64_t> expect_whole(const char* name, const char* label, std::int64_t most)
    {
        const std::optional<double> number = expect(name, label);
        if (!number) return std::nullopt;
        if (*number == std::floor(*number) && *number >= 0 && *number <= static_cast<double>(most))
            return static_cast<std::int64_t>(*number);
        complain(name, fmt::format("found {}, expected a whole number from 0 to {}", *number, most));
        return std::nullopt;
    }

    void complain(const char* name, std::string message)
    {
        failed_ = true;
        problems_.add(lines_.number(), name, std::move(message),
                      "a block reads: Time 0, Number of constraint vectors 1, VertexId 0 Vector [ 0 0 0.1 ]");
    }

    bool failed() const { return failed_; }
    int line() const { return lines_.number(); }

private:
    static bool may_stand_here(std::string_view word, const char* label)
    {
        if (!label) return false;
        for (const char* other : {"time", "number", "vertexid", "vector"})
            if (equals_ignoring_case(word, other)) return std::string_view(label) == other;
        return true;
    }

    std::string_view next_word()
    {
        std::string_view word = words_.next();
        while (word.empty() && lines_.next()) {
            words_ = DpoWords(lines_.line());
            word = words_.next();
        }
        return word;
    }

    Lines lines_;
    DpoWords words_;
    DpoProblems& problems_;
    bool failed_ = false;
};

/// Blocks of the table, with what no number alone can tell.
class TableReader {
public:
    TableReader(std::string_view bytes, DpoKind kind, std::int64_t vertex_count, DpoProblems& problems)
        : numbers_(bytes, problems)
        , kind_(kind)
        , vertex_count_(vertex_count)
        , problems_(problems)
    {
    }

    DpoVelocities read()
    {
        while (const std::optional<double> time = numbers_.next("Time", "time"))
            if (!read_block(*time)) break;
        if (table_.blocks.empty() && !numbers_.failed())
            problems_.add(numbers_.line(), "", "the table has no block",
                          "for no constraints: Time 0, Number of constraint vectors 0");
        return std::move(table_);
    }

private:
    bool read_block(double time)
    {
        check_time(time);
        table_.blocks.push_back({.time = time, .vectors = {}});
        const std::optional<std::int64_t> count =
            numbers_.expect_whole("Number of constraint vectors", "number", std::numeric_limits<std::int32_t>::max());
        if (!count) return false;
        if (kind_ == DpoKind::rigid && *count > 1)
            problems_.add(numbers_.line(), "Number of constraint vectors",
                          fmt::format("found {}, expected 1: a rigid body moves as a whole", *count),
                          "keep one vertex, its velocity is that of the body");
        for (std::int64_t i = 0; i < *count; ++i)
            if (!read_vector()) return false;
        order_vertices();
        return true;
    }

    bool read_vector()
    {
        const std::optional<std::int64_t> vertex =
            numbers_.expect_whole("VertexId", "vertexid", std::numeric_limits<std::int32_t>::max());
        if (!vertex) return false;
        if (*vertex >= vertex_count_)
            problems_.add(numbers_.line(), "VertexId",
                          fmt::format("found {}, but the mesh has {} vertices", *vertex, vertex_count_),
                          "vertices count from 0 in the order in which the mesh file first names them");
        DpoVector vector{.vertex = static_cast<std::int32_t>(*vertex), .velocity = {}};
        for (int k = 0; k < 3; ++k) {
            const std::optional<double> speed = numbers_.expect("Vector", k == 0 ? "vector" : nullptr);
            if (!speed) return false;
            if (std::abs(*speed) > kLargest)
                problems_.add(numbers_.line(), "Vector", fmt::format("found {} m/s, expected at most 1e9", *speed),
                              "velocities are metres per second");
            vector.velocity[k] = *speed;
        }
        table_.blocks.back().vectors.push_back(vector);
        return true;
    }

    void check_time(double time)
    {
        if (time < 0 || time > kLargest)
            problems_.add(numbers_.line(), "Time", fmt::format("found {} s, expected 0 to 1e9", time),
                          "the run begins at Time 0");
        else if (!table_.blocks.empty() && time <= table_.blocks.back().time)
            problems_.add(
                numbers_.line(), "Time",
                fmt::format("found {} s behind a block of {} s, expected a later one", time, table_.blocks.back().time),
                "put the blocks in the order of their times, each time once");
    }

    void order_vertices()
    {
        std::vector<DpoVector>& vectors = table_.blocks.back().vectors;
        std::sort(vectors.begin(), vectors.end(),
                  [](const DpoVector& a, const DpoVector& b) { return a.vertex < b.vertex; });
        const auto twice =
            std::adjacent_find(vectors.begin(), vectors.end(),
                               [](const DpoVector& a, const DpoVector& b) { return a.vertex == b.vertex; });
        if (twice != vectors.end())
            problems_.add(numbers_.line(), "VertexId", fmt::format("{} has two vectors in this block", twice->vertex),
                          "remove one of them");
    }

    TableNumbers numbers_;
    DpoKind kind_;
    std::int64_t vertex_count_;
    DpoProblems& problems_;
    DpoVelocities table_;
};

}  // namespace

DpoRead<DpoVelocities> read_dpo_velocities(std::string_view bytes, const std::string& file_name, DpoKind kind,
                                           std::int64_t vertex_count)
{
    DpoProblems problems(file_name);
    DpoVelocities table = TableReader(bytes, kind, vertex_count, problems).read();
    return finished(std::move(table), problems);
}

}  // namespace pliant
