// SPDX-License-Identifier: MIT
#pragma once

// What all mesh readers share: taking in vertices, polygons and lines with every check, and telling
// problems with their place.
//
// Readers say how many vertices the file has before they give polygons, so that a wrong index is
// reported at its own line. A bad vertex is still counted, so that later ones keep their numbers.

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/io/mesh_file.h>

namespace pliant {

/// Where in the file something stands; the words are only put together when there is a problem.
struct Place {
    int line = 0;              ///< from 1; 0 in binary files
    const char* kind = "";     ///< "face", "vertex" …
    std::int64_t number = -1;  ///< which one, as the format counts; -1 none
};

class MeshBuilder {
public:
    /// first_index: 1 where the format counts vertices from one (OBJ), else 0.
    MeshBuilder(const std::string& file_name, int first_index);

    void problem(const Place&, std::string message, std::string cure = "");
    void note(std::string sentence) { read_.notes.push_back(std::move(sentence)); }

    /// How many vertices polygons and lines may name; memory is only reserved for `affordable`.
    void expect_vertices(std::int64_t count, std::size_t affordable);

    void vertex(const Vec3&, const Place&);
    /// Corners count from zero. Fewer than three, repeated or unknown corners are problems.
    void polygon(std::span<const std::int64_t> corners, const Place&);
    void line(std::int64_t a, std::int64_t b, const Place&);

    std::size_t vertex_count() const { return read_.mesh.vertices.size(); }
    bool has_problems() const { return problem_count_ > 0; }
    TriMesh& mesh() { return read_.mesh; }

    /// Last checks (nothing there?), notes, and the result.
    MeshRead finish();

private:
    bool indices_exist(std::span<const std::int64_t> indices, const Place&);
    bool indices_differ(std::span<const std::int64_t> indices, const Place&);

    MeshRead read_;
    std::string file_name_;
    int first_index_;
    std::int64_t vertex_limit_ = 0;
    std::size_t problem_count_ = 0;
    std::size_t split_polygons_ = 0;
    std::vector<std::int64_t> sorted_;  // scratch of indices_differ
};

/// A file's own words fit for a message: in quotes, shortened, without control characters.
std::string in_quotes(std::string_view words);

/// The answer of a reader that ran out of memory.
MeshRead memory_problem(const std::string& file_name);

/// Runs a reader's body; the only exceptions it can meet are those of running out of memory.
template <class Body>
MeshRead read_safely(const std::string& file_name, int first_index, const Body& body)
{
    try {
        MeshBuilder builder(file_name, first_index);
        body(builder);
        return builder.finish();
    } catch (const std::exception&) {
        return memory_problem(file_name);
    }
}

}  // namespace pliant
