// SPDX-License-Identifier: MIT
#include <pliant/io/tet_builder.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace pliant {

namespace {

constexpr std::size_t kMaxProblems = 20;  // told in full; the rest is counted

constexpr std::int64_t kMaxIndex = std::numeric_limits<std::int32_t>::max();

/// "tetrahedron 7, byte 1234": the line has a field of its own.
std::string words_of(const FilePlace& place)
{
    std::string words = place.kind;
    if (place.number >= 0) words += ' ' + std::to_string(place.number);
    if (place.byte >= 0) words += (words.empty() ? "byte " : ", byte ") + std::to_string(place.byte);
    return words;
}

/// "7 (line 12)", with as much of it as is known.
std::string number_words(std::int64_t number, const FilePlace& place)
{
    if (place.byte >= 0) return fmt::format("{} (byte {})", number, place.byte);
    return place.line > 0 ? fmt::format("{} (line {})", number, place.line) : fmt::format("{}", number);
}

/// Six times the volume in units of the longest coordinate difference, which keeps it from overflowing, and the
/// size below which it is rounding only.
struct RelativeVolume {
    double value = 0;
    double rounding = 0;
};

RelativeVolume relative_volume(const std::vector<Vec3>& x, const Tet& t)
{
    const auto at = [&](int corner) { return x[static_cast<std::size_t>(t[static_cast<std::size_t>(corner)])]; };
    std::array<Vec3, 3> edges;
    double longest = 0;
    for (int k = 0; k < 3; ++k) {
        Vec3& edge = edges[static_cast<std::size_t>(k)];
        edge = at(k + 1) - at(0);
        longest = std::max({longest, std::abs(edge.x), std::abs(edge.y), std::abs(edge.z)});
    }
    if (longest == 0 || !std::isfinite(longest)) return {std::nan(""), 0};
    for (Vec3& edge : edges) edge = edge / longest;
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
    return {determinant(from_columns(edges[0], edges[1], edges[2])),
            4 * kEpsilon * norm(edges[0]) * norm(edges[1]) * norm(edges[2])};
}

}  // namespace

void TetBuilder::problem(const FilePlace& place, std::string message, std::string cure)
{
    if (problem_count_++ >= kMaxProblems) return;
    read_.problems.push_back({.file = file_name_,
                              .line = place.line,
                              .where = words_of(place),
                              .message = std::move(message),
                              .cure = std::move(cure)});
}

void TetBuilder::use_label_map()
{
    const std::size_t count = vertex_count();
    labels_.resize(count);
    for (std::size_t v = 0; v < count; ++v) labels_[v] = first_label_ + static_cast<std::int64_t>(v);
    for (std::size_t v = 0; v < count; ++v) by_label_.emplace(labels_[v], static_cast<std::int32_t>(v));
}

void TetBuilder::vertex(std::int64_t label, const Vec3& point, const FilePlace& place)
{
    const std::size_t index = vertex_count();
    if (index >= static_cast<std::size_t>(kMaxIndex)) {
        if (index == static_cast<std::size_t>(kMaxIndex)) problem(place, "more than 2147483647 vertices", "split it");
        return;
    }
    if (index == 0) first_label_ = label;
    // Labels are any 64-bit numbers, so neither a difference nor a successor may be taken without care.
    const bool next =
        index == 0 || (label > first_label_ && label - 1 == label_of(static_cast<std::int32_t>(index) - 1));
    if (labels_.empty() && !next) use_label_map();
    if (!labels_.empty()) {
        labels_.push_back(label);
        if (!by_label_.emplace(label, static_cast<std::int32_t>(index)).second)
            problem(place, fmt::format("the vertex number {} is given twice", label), "number the vertices anew");
    }
    if (!is_finite(point))
        problem(place, fmt::format("the coordinates are {} {} {}, expected finite numbers", point.x, point.y, point.z),
                "export the mesh again");
    in_lines_ = place.byte < 0;
    vertex_positions_.push_back(in_lines_ ? place.line : place.byte);
    read_.mesh.vertices.push_back(point);
}

std::int64_t TetBuilder::index_of(std::int64_t label) const
{
    if (!labels_.empty()) {
        const auto found = by_label_.find(label);
        return found == by_label_.end() ? -1 : found->second;
    }
    const auto count = static_cast<std::int64_t>(vertex_count());
    return label >= first_label_ && label <= first_label_ + (count - 1) ? label - first_label_ : -1;
}

std::int64_t TetBuilder::label_of(std::int32_t vertex) const
{
    return labels_.empty() ? first_label_ + vertex : labels_[static_cast<std::size_t>(vertex)];
}

std::string TetBuilder::vertex_words(std::int32_t vertex) const
{
    const std::int64_t position = vertex_positions_[static_cast<std::size_t>(vertex)];
    const FilePlace place = in_lines_ ? FilePlace{static_cast<int>(position)} : FilePlace{0, position};
    return number_words(label_of(vertex), place);
}

bool TetBuilder::corners_from(Tet& corners, std::span<const std::int64_t> labels, const FilePlace& place)
{
    for (std::size_t c = 0; c < labels.size(); ++c) {
        const std::int64_t index = index_of(labels[c]);
        if (index < 0) {
            const auto count = static_cast<std::int64_t>(vertex_count());
            const std::string known = count == 0         ? "no vertices are given before it"
                                      : !labels_.empty() ? "the file has no vertex of that number"
                                                         : fmt::format("the file has vertices {} to {}", first_label_,
                                                                       first_label_ + (count - 1));
            problem(place, fmt::format("names vertex {}, but {}", labels[c], known),
                    "correct the index, or export the mesh again");
            return false;
        }
        if (c < 4)
            corners[c] = static_cast<std::int32_t>(index);
        else
            is_middle_[static_cast<std::size_t>(index)] = true;
    }
    return true;
}

bool TetBuilder::corners_differ(const Tet& corners, const FilePlace& place)
{
    Tet sorted = corners;
    std::sort(sorted.begin(), sorted.end());
    const auto* const twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice == sorted.end()) return true;
    problem(place, fmt::format("degenerate: names vertex {} more than once", label_of(*twice)),
            "remove it, or give it four distinct corners");
    return false;
}

bool TetBuilder::orient(Tet& corners, const FilePlace& place)
{
    const RelativeVolume volume = relative_volume(read_.mesh.vertices, corners);
    if (!(std::abs(volume.value) > volume.rounding)) {
        // A vertex that is not finite has been told of already.
        for (const std::int32_t c : corners)
            if (!is_finite(read_.mesh.vertices[static_cast<std::size_t>(c)])) return false;
        problem(place,
                fmt::format("degenerate: vertices {}, {}, {}, {} lie in one plane, its volume is zero",
                            label_of(corners[0]), label_of(corners[1]), label_of(corners[2]), label_of(corners[3])),
                "remove it, or mesh the surface again with a bound on the quality");
        return false;
    }
    if (volume.value > 0) return true;
    std::swap(corners[2], corners[3]);
    if (turned_++ == 0) first_turned_ = number_words(place.number, place);
    return true;
}

void TetBuilder::tet(std::span<const std::int64_t> labels, std::int64_t region, const FilePlace& place)
{
    if (labels.size() > 4) {
        is_middle_.resize(vertex_count());
        ++quadratic_;
    }
    Tet corners{};
    if (!corners_from(corners, labels, place) || !corners_differ(corners, place) || !orient(corners, place)) return;
    if (region < -kMaxIndex || region > kMaxIndex) {
        problem(place, fmt::format("its region is {}, expected a number below 2147483648", region),
                "number the regions 1, 2, 3 …");
        return;
    }
    read_.mesh.tets.push_back(corners);
    read_.mesh.region.push_back(static_cast<std::int32_t>(region));
    tet_places_.push_back(place);
}

std::size_t TetBuilder::group(const std::string& name)
{
    const auto [found, is_new] = group_numbers_.emplace(name, read_.mesh.groups.size());
    if (is_new) read_.mesh.groups.push_back({name, {}});
    return found->second;
}

void TetBuilder::add_to_group(std::size_t group, std::span<const std::int64_t> labels, const FilePlace& place)
{
    for (const std::int64_t label : labels) {
        const std::int64_t index = index_of(label);
        if (index < 0) {
            problem(place, fmt::format("names vertex {}, which the file does not have", label),
                    "correct the index, or export the mesh again");
            return;
        }
        read_.mesh.groups[group].vertices.push_back(static_cast<std::int32_t>(index));
    }
}

void TetBuilder::check_not_empty()
{
    if (other_volumes_ > 0)
        problem(
            {},
            fmt::format("the file holds {} hexahedra, prisms or pyramids, expected tetrahedra only", other_volumes_),
            "split them into tetrahedra in the program that made the mesh");
    if (has_problems() || !read_.mesh.tets.empty()) return;
    if (faces_ > 0)
        problem({}, fmt::format("the file holds {} triangles but no tetrahedra: a surface, expected a volume", faces_),
                fmt::format("fill it first: pliant mesh tetrahedralize {} filled.msh", file_name_));
    else if (vertex_count() > 0)
        problem({}, fmt::format("empty mesh: {} vertices, but no tetrahedra", vertex_count()),
                "export the mesh with its volume elements");
    else
        problem({}, "empty mesh: no vertices found", "is this really a mesh of that format?");
}

void TetBuilder::check_repeated_tets()
{
    const std::vector<Tet>& tets = read_.mesh.tets;
    std::vector<std::array<std::int32_t, 5>> keys(tets.size());
    for (std::size_t e = 0; e < tets.size(); ++e) {
        Tet sorted = tets[e];
        std::sort(sorted.begin(), sorted.end());
        keys[e] = {sorted[0], sorted[1], sorted[2], sorted[3], static_cast<std::int32_t>(e)};
    }
    std::sort(keys.begin(), keys.end());
    for (std::size_t k = 1; k < keys.size(); ++k) {
        if (!std::equal(keys[k].begin(), keys[k].begin() + 4, keys[k - 1].begin())) continue;
        const FilePlace& first = tet_places_[static_cast<std::size_t>(keys[k - 1][4])];
        problem(tet_places_[static_cast<std::size_t>(keys[k][4])],
                fmt::format("has the same corners as {} {}", first.kind, number_words(first.number, first)),
                "remove one of the two");
    }
}

// Two bodies may touch without being glued, so this is no problem; but it is often an accident.
void TetBuilder::note_coinciding_vertices()
{
    const std::vector<Vec3>& x = read_.mesh.vertices;
    std::vector<std::int32_t> order(x.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](std::int32_t v) {
        const Vec3& p = x[static_cast<std::size_t>(v)];
        return std::array{p.x, p.y, p.z};
    };
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        const auto ka = key(a), kb = key(b);
        return ka != kb ? ka < kb : a < b;
    });
    std::int64_t count = 0;
    std::string first;
    for (std::size_t k = 1; k < order.size(); ++k) {
        if (key(order[k]) != key(order[k - 1])) continue;
        if (count++ == 0) first = fmt::format("{} and {}", vertex_words(order[k - 1]), vertex_words(order[k]));
    }
    if (count > 0)
        note(fmt::format("{} vertices stand exactly where another one stands, such as {}; weld them unless the parts "
                         "are meant to come apart",
                         count, first));
}

void TetBuilder::leave_out_isolated_vertices()
{
    TetMesh& mesh = read_.mesh;
    constexpr std::int32_t kUnused = -1;
    std::vector<std::int32_t> renumbered(mesh.vertices.size(), kUnused);
    for (const Tet& t : mesh.tets)
        for (const std::int32_t v : t) renumbered[static_cast<std::size_t>(v)] = 0;
    is_middle_.resize(mesh.vertices.size());
    std::int32_t kept = 0;
    std::int64_t isolated = 0;
    std::string first;
    for (std::size_t v = 0; v < renumbered.size(); ++v) {
        if (renumbered[v] == kUnused) {
            if (!is_middle_[v] && isolated++ == 0) first = vertex_words(static_cast<std::int32_t>(v));
            continue;
        }
        mesh.vertices[static_cast<std::size_t>(kept)] = mesh.vertices[v];
        renumbered[v] = kept++;
    }
    mesh.vertices.resize(static_cast<std::size_t>(kept));
    for (Tet& t : mesh.tets)
        for (std::int32_t& v : t) v = renumbered[static_cast<std::size_t>(v)];
    for (VertexGroup& group : mesh.groups) {
        for (std::int32_t& v : group.vertices) v = renumbered[static_cast<std::size_t>(v)];
        std::erase(group.vertices, kUnused);
        std::sort(group.vertices.begin(), group.vertices.end());
        group.vertices.erase(std::unique(group.vertices.begin(), group.vertices.end()), group.vertices.end());
    }
    if (isolated > 0)
        note(fmt::format("{} vertices belong to no tetrahedron and were left out, the first is {}; the others are "
                         "numbered anew",
                         isolated, first));
}

void TetBuilder::note_counts()
{
    if (turned_ > 0)
        note(fmt::format("{} of {} tetrahedra were inside out and were turned round, the first is {}", turned_,
                         tet_count(), first_turned_));
    if (quadratic_ > 0)
        note(fmt::format("{} tetrahedra have ten nodes; their corners were kept, curved edges became straight",
                         quadratic_));
    if (faces_ > 0) note(fmt::format("{} triangles or other faces were passed by", faces_));
}

TetRead TetBuilder::finish()
{
    TetMesh& mesh = read_.mesh;
    if (mesh.tets.size() > static_cast<std::size_t>(kMaxIndex))
        problem({}, "more than 2147483647 tetrahedra", "split the mesh into several files");
    check_not_empty();
    if (!has_problems()) check_repeated_tets();
    if (!has_problems()) {
        note_counts();
        note_coinciding_vertices();
        leave_out_isolated_vertices();
        const bool all_zero =
            std::all_of(mesh.region.begin(), mesh.region.end(), [](std::int32_t r) { return r == 0; });
        if (forget_regions_ || (all_zero && !keep_zero_regions_)) mesh.region.clear();
    }
    if (problem_count_ > kMaxProblems)
        read_.problems.push_back({.file = file_name_,
                                  .line = 0,
                                  .where = "",
                                  .message = fmt::format("and {} more problems", problem_count_ - kMaxProblems),
                                  .cure = ""});
    if (has_problems()) mesh = {};
    return std::move(read_);
}

TetRead tet_memory_problem(const std::string& file_name)
{
    TetRead read;
    read.problems.push_back({.file = file_name,
                             .line = 0,
                             .where = "",
                             .message = "not enough memory to read the mesh",
                             .cure = "use a machine with more memory, or a coarser mesh"});
    return read;
}

}  // namespace pliant
