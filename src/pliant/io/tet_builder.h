// SPDX-License-Identifier: MIT
#pragma once

// What all readers of volume meshes share: taking in vertices and tetrahedra with every check, and telling problems
// with their place. The same for surfaces is mesh_builder.h.
//
// Vertices have labels, the numbers under which the file's elements name them; they need not be consecutive.
// Readers give all vertices first, so that a wrong label is reported at its own line.

#include <array>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <pliant/io/tet_file.h>

namespace pliant {

/// Where in the file something stands; the words are only put together when there is a problem.
struct FilePlace {
    int line = 0;              ///< from 1; 0 in binary files
    std::int64_t byte = -1;    ///< from 0; -1 in text files
    const char* kind = "";     ///< "tetrahedron", "vertex" …
    std::int64_t number = -1;  ///< which one, as the file counts; -1 none
};

class TetBuilder {
public:
    explicit TetBuilder(std::string file_name) : file_name_(std::move(file_name)) {}

    /// Problems from now on are of this file: meshes in two files.
    void set_file(std::string file_name) { file_name_ = std::move(file_name); }

    void problem(const FilePlace&, std::string message, std::string cure = "");
    void note(std::string sentence) { read_.notes.push_back(std::move(sentence)); }
    bool has_problems() const { return problem_count_ > 0; }

    void vertex(std::int64_t label, const Vec3&, const FilePlace&);
    /// Four labels, or ten, of which the first four are the corners.
    void tet(std::span<const std::int64_t> labels, std::int64_t region, const FilePlace&);

    /// The number of the group of that name, which is made when it is new.
    std::size_t group(const std::string& name);
    void add_to_group(std::size_t group, std::span<const std::int64_t> labels, const FilePlace&);

    /// Elements that are not taken: triangles (and other faces), cells of volume that are no tetrahedra.
    void pass_by_faces(std::int64_t count) { faces_ += count; }
    void pass_by_volumes(std::int64_t count) { other_volumes_ += count; }

    /// The format can tell "all regions are zero" from "no regions".
    void keep_zero_regions() { keep_zero_regions_ = true; }
    void forget_regions() { forget_regions_ = true; }

    std::size_t vertex_count() const { return read_.mesh.vertices.size(); }
    std::size_t tet_count() const { return read_.mesh.tets.size(); }

    /// Last checks, notes, and the result.
    TetRead finish();

private:
    std::int64_t index_of(std::int64_t label) const;
    std::int64_t label_of(std::int32_t vertex) const;
    std::string vertex_words(std::int32_t vertex) const;
    void use_label_map();
    bool corners_from(Tet& corners, std::span<const std::int64_t> labels, const FilePlace&);
    bool corners_differ(const Tet& corners, const FilePlace&);
    bool orient(Tet& corners, const FilePlace&);
    void check_not_empty();
    void check_repeated_tets();
    void note_coinciding_vertices();
    void leave_out_isolated_vertices();
    void note_counts();

    TetRead read_;
    std::string file_name_;
    std::size_t problem_count_ = 0;
    std::int64_t first_label_ = 0;      // labels are consecutive from here …
    std::vector<std::int64_t> labels_;  // … or, when this is not empty, these
    std::unordered_map<std::int64_t, std::int32_t> by_label_;
    std::vector<std::int64_t> vertex_positions_;  // line or byte of each vertex
    std::vector<FilePlace> tet_places_;
    std::vector<bool> is_middle_;  // vertex of a 10-node tetrahedron that is no corner
    bool in_lines_ = true;
    bool keep_zero_regions_ = false, forget_regions_ = false;
    std::int64_t faces_ = 0, other_volumes_ = 0, turned_ = 0, quadratic_ = 0;
    std::string first_turned_;
    std::unordered_map<std::string, std::size_t> group_numbers_;
};

/// The answer of a reader that ran out of memory.
TetRead tet_memory_problem(const std::string& file_name);

/// Runs a reader's body; the only exceptions it can meet are those of running out of memory.
template <class Body>
TetRead read_tets_safely(const std::string& file_name, const Body& body)
{
    try {
        TetBuilder builder(file_name);
        body(builder);
        return builder.finish();
    } catch (const std::exception&) {
        return tet_memory_problem(file_name);
    }
}

}  // namespace pliant
