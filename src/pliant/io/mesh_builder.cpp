// SPDX-License-Identifier: MIT
#include <pliant/io/mesh_builder.h>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace pliant {

namespace {

constexpr std::size_t kMaxProblems = 20;  // told in full; the rest is counted

constexpr std::int64_t kMaxVertices = std::numeric_limits<std::int32_t>::max();

}  // namespace

MeshBuilder::MeshBuilder(const std::string& file_name, int first_index)
    : file_name_(file_name)
    , first_index_(first_index)
{
}

void MeshBuilder::problem(const Place& place, std::string message, std::string cure)
{
    if (problem_count_++ >= kMaxProblems) return;
    std::string where = place.kind;
    if (place.number >= 0) where += ' ' + std::to_string(place.number);
    read_.problems.push_back({.file = file_name_,
                              .line = place.line,
                              .where = std::move(where),
                              .message = std::move(message),
                              .cure = std::move(cure)});
}

void MeshBuilder::expect_vertices(std::int64_t count, std::size_t affordable)
{
    vertex_limit_ = std::min(count, kMaxVertices);
    read_.mesh.vertices.reserve(std::min(static_cast<std::size_t>(vertex_limit_), affordable));
}

void MeshBuilder::vertex(const Vec3& point, const Place& place)
{
    if (!is_finite(point))
        problem(place, fmt::format("the coordinates are {} {} {}, expected finite numbers", point.x, point.y, point.z),
                "export the mesh again; a modelling program can find the vertex");
    read_.mesh.vertices.push_back(point);
}

bool MeshBuilder::indices_exist(std::span<const std::int64_t> indices, const Place& place)
{
    for (const std::int64_t index : indices) {
        if (index >= 0 && index < vertex_limit_) continue;
        const std::string known = vertex_limit_ == 0 ? "the file has no vertices"
                                                     : fmt::format("the file has vertices {} to {}", first_index_,
                                                                   vertex_limit_ - 1 + first_index_);
        problem(place, fmt::format("names vertex {}, but {}", index + first_index_, known),
                fmt::format("correct the index (the first vertex is {})", first_index_));
        return false;
    }
    return true;
}

bool MeshBuilder::indices_differ(std::span<const std::int64_t> indices, const Place& place)
{
    sorted_.assign(indices.begin(), indices.end());
    std::sort(sorted_.begin(), sorted_.end());
    const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end());
    if (twice == sorted_.end()) return true;
    problem(place, fmt::format("degenerate: names vertex {} more than once", *twice + first_index_),
            "remove it, or give it distinct corners");
    return false;
}

void MeshBuilder::polygon(std::span<const std::int64_t> corners, const Place& place)
{
    if (corners.size() < 3) {
        problem(place, fmt::format("has {} corners, expected at least 3", corners.size()),
                "remove it, or complete its corners");
        return;
    }
    if (!indices_exist(corners, place) || !indices_differ(corners, place)) return;
    if (corners.size() > 3) ++split_polygons_;
    const auto first = static_cast<std::int32_t>(corners[0]);
    for (std::size_t i = 2; i < corners.size(); ++i)
        read_.mesh.triangles.push_back(
            {first, static_cast<std::int32_t>(corners[i - 1]), static_cast<std::int32_t>(corners[i])});
}

void MeshBuilder::line(std::int64_t a, std::int64_t b, const Place& place)
{
    const std::int64_t ends[2] = {a, b};
    if (!indices_exist(ends, place) || !indices_differ(ends, place)) return;
    read_.mesh.lines.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
}

MeshRead MeshBuilder::finish()
{
    const TriMesh& mesh = read_.mesh;
    if (mesh.vertices.size() > static_cast<std::size_t>(kMaxVertices))
        problem({}, "more than 2147483647 vertices", "split the mesh into several files");
    if (!has_problems() && mesh.vertices.empty())
        problem({}, "empty mesh: no vertices found", "is this really a mesh of that format?");
    if (!has_problems() && mesh.triangles.empty() && mesh.lines.empty())
        problem({}, fmt::format("empty mesh: {} vertices, but no faces and no lines", mesh.vertices.size()),
                "export the mesh with its faces; point clouds have no surface");
    if (split_polygons_ > 0)
        note(fmt::format("{} polygons with more than three corners were split into triangles", split_polygons_));
    if (problem_count_ > kMaxProblems)
        read_.problems.push_back({.file = file_name_,
                                  .line = 0,
                                  .where = "",
                                  .message = fmt::format("and {} more problems", problem_count_ - kMaxProblems),
                                  .cure = ""});
    if (has_problems()) read_.mesh = {};
    return std::move(read_);
}

std::string in_quotes(std::string_view words)
{
    constexpr std::size_t kLongest = 40;
    std::string text = "'";
    for (const char c : words.substr(0, kLongest)) {
        const auto byte = static_cast<unsigned char>(c);
        text += byte < 32 || byte > 126 ? '?' : c;
    }
    return text + (words.size() > kLongest ? "…'" : "'");
}

MeshRead memory_problem(const std::string& file_name)
{
    MeshRead read;
    read.problems.push_back({.file = file_name,
                             .line = 0,
                             .where = "",
                             .message = "not enough memory to read the mesh",
                             .cure = "use a machine with more memory, or a coarser mesh"});
    return read;
}

}  // namespace pliant
