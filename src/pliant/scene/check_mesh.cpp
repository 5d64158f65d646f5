// SPDX-License-Identifier: MIT
#include <pliant/scene/checks.h>

// Checks of mesh sources: one source, the numbers it needs, nothing that it does not use.

#include <algorithm>
#include <array>
#include <optional>

#include <pliant/base/json.h>
#include <pliant/scene/wording.h>

namespace pliant {

namespace {

constexpr double kMaxVertices = 2e7;

/// How one source is written.
struct Source {
    const char* name;
    bool is_given;
    std::size_t found, counts;             ///< entries found and needed; 0 needed when it is no list
    std::size_t sizes;                     ///< entries needed in "size"
    std::array<std::int32_t, 3> smallest;  ///< of the entries
    const char* example;
};

std::vector<Source> sources(const MeshSource& m)
{
    return {
        {"file", !m.file.empty(), 0, 0, 0, {}, "\"body.obj\""},
        {"grid", !m.grid.empty(), m.grid.size(), 2, 2, {2, 2, 0}, "\"grid\": [20, 20], \"size\": [1, 1]"},
        {"box", !m.box.empty(), m.box.size(), 3, 3, {1, 1, 1}, "\"box\": [4, 4, 4], \"size\": [1, 1, 1]"},
        {"icosphere", m.icosphere.has_value(), 0, 0, 0, {}, "\"icosphere\": 3"},
        {"uv_sphere", !m.uv_sphere.empty(), m.uv_sphere.size(), 2, 0, {3, 2, 0}, "\"uv_sphere\": [24, 12]"},
        {"cylinder", !m.cylinder.empty(), m.cylinder.size(), 2, 0, {3, 1, 0}, "\"cylinder\": [24, 8]"},
        {"torus", !m.torus.empty(), m.torus.size(), 2, 0, {3, 3, 0}, "\"torus\": [32, 16]"},
        {"simplex_sphere",
         !m.simplex_sphere.empty(),
         m.simplex_sphere.size(),
         2,
         0,
         {2, 3, 0},
         "\"simplex_sphere\": [10, 8]"},
        {"simplex_cylinder",
         !m.simplex_cylinder.empty(),
         m.simplex_cylinder.size(),
         2,
         0,
         {3, 1, 0},
         "\"simplex_cylinder\": [24, 8]"},
        {"simplex_torus",
         !m.simplex_torus.empty(),
         m.simplex_torus.size(),
         2,
         0,
         {3, 3, 0},
         "\"simplex_torus\": [32, 16]"},
        {"tet_block",
         !m.tet_block.empty(),
         m.tet_block.size(),
         3,
         3,
         {1, 1, 1},
         "\"tet_block\": [10, 2, 2], \"size\": [1, 0.2, 0.2]"},
        {"tet_ball", m.tet_ball != 0, 0, 0, 0, {}, "\"tet_ball\": 4"},
        {"tet_cylinder",
         !m.tet_cylinder.empty(),
         m.tet_cylinder.size(),
         3,
         0,
         {3, 1, 1},
         "\"tet_cylinder\": [8, 2, 6]"},
        {"tet_torus", !m.tet_torus.empty(), m.tet_torus.size(), 3, 0, {3, 3, 1}, "\"tet_torus\": [20, 8, 1]"},
        {"disc", m.disc != 0, 0, 0, 0, {}, "\"disc\": 20, \"radius\": 0.15"},
        {"t_shirt", m.t_shirt != 0, 0, 0, 2, {}, "\"t_shirt\": 40, \"size\": [0.52, 0.72]"},
        {"table", !m.table.empty(), m.table.size(), 2, 3, {3, 1, 0}, "\"table\": [32, 16], \"size\": [1.2, 0.75, 0.8]"},
        {"bottle",
         !m.bottle.empty(),
         m.bottle.size(),
         2,
         0,
         {3, 8, 0},
         "\"bottle\": [48, 64], \"radius\": 0.04, \"height\": 0.3"},
        {"knot_strip",
         !m.knot_strip.empty(),
         m.knot_strip.size(),
         2,
         2,
         {128, 3, 0},
         "\"knot_strip\": [200, 4], \"size\": [1.2, 0.015]"},
        {"stairs", m.stairs != 0, 0, 0, 3, {}, "\"stairs\": 8, \"size\": [2, 1.2, 1]"},
        {"funnel",
         !m.funnel.empty(),
         m.funnel.size(),
         2,
         0,
         {3, 8, 0},
         "\"funnel\": [48, 32], \"radius\": 0.2, \"inner_radius\": 0.04, \"height\": 0.3"},
        {"octopus", m.octopus != 0, 0, 0, 0, {}, "\"octopus\": 40, \"height\": 0.3"},
        {"hare", m.hare != 0, 0, 0, 0, {}, "\"hare\": 22, \"height\": 0.4"},
        {"lidded_box", m.lidded_box != 0, 0, 0, 3, {}, "\"lidded_box\": 20, \"size\": [2, 1, 2]"},
        {"chain", m.chain != 0, 0, 0, 0, {}, "\"chain\": 10, \"from\": [0, 0, 0], \"to\": [1, 0, 0]"},
        {"vertices", !m.vertices.empty(), 0, 0, 0, {}, "\"vertices\": [[0, 0, 0], [1, 0, 0]], \"lines\": [[0, 1]]"},
    };
}

const std::vector<std::int32_t>& counts_of(const MeshSource& m, const std::string& source)
{
    if (source == "grid") return m.grid;
    if (source == "box") return m.box;
    if (source == "uv_sphere") return m.uv_sphere;
    if (source == "table") return m.table;
    if (source == "bottle") return m.bottle;
    if (source == "funnel") return m.funnel;
    if (source == "knot_strip") return m.knot_strip;
    if (source == "tet_block") return m.tet_block;
    if (source == "tet_cylinder") return m.tet_cylinder;
    if (source == "tet_torus") return m.tet_torus;
    if (source == "simplex_sphere") return m.simplex_sphere;
    if (source == "simplex_cylinder") return m.simplex_cylinder;
    if (source == "simplex_torus") return m.simplex_torus;
    return source == "cylinder" ? m.cylinder : m.torus;
}

std::optional<Source> only_source(Checks& checks, const MeshSource& mesh, const std::string& pointer)
{
    std::optional<Source> only;
    std::vector<std::string> given, known;
    for (const Source& source : sources(mesh)) {
        known.emplace_back(source.name);
        if (source.is_given) given.emplace_back(source.name), only = source;
    }
    if (given.size() == 1) return only;
    const std::string expected = ", expected exactly one of: " + listed(known);
    if (given.empty())
        checks.add(pointer, "there is no mesh" + expected, "such as " + std::string(sources(mesh)[1].example));
    else
        checks.add(pointer, "found " + listed(given) + expected, "keep one of them");
    return {};
}

void check_numbers(Checks& checks, const MeshSource& mesh, const Source& source, const std::string& pointer)
{
    const std::string cure = std::string("such as ") + source.example;
    const std::string place = pointer_child(pointer, source.name);
    if (source.sizes > 0 && mesh.size.size() != source.sizes)
        checks.add(pointer + "/size",
                   "found " + entries(mesh.size.size()) + ", " + source.name + " needs " +
                       std::to_string(source.sizes) + " lengths",
                   cure);
    if (source.counts == 0) return;
    if (source.found != source.counts)
        return checks.add(place, "found " + entries(source.found) + ", expected " + entries(source.counts), cure);
    for (std::size_t i = 0; i < source.counts; ++i)
        if (const auto count = counts_of(mesh, source.name)[i]; count < source.smallest[i])
            checks.add(pointer_child(place, i),
                       "found " + std::to_string(count) + ", expected at least " + std::to_string(source.smallest[i]),
                       cure);
}

double vertex_count(const MeshSource& m)
{
    const auto product = [](const std::vector<std::int32_t>& n) { return n.size() == 2 ? double(n[0]) * n[1] : 0.0; };
    double count = product(m.uv_sphere) + product(m.cylinder) + product(m.torus) + product(m.bottle);
    count += (product(m.grid) + product(m.knot_strip)) * (m.diagonals == Diagonals::cross ? 2 : 1);
    count += 4 * product(m.table) + 2 * product(m.funnel) + 4.0 * m.octopus * m.octopus;
    count += 3.0 * m.disc * m.disc + 10.0 * m.hare * m.hare;
    if (m.size.size() == 3) count += 4.0 * m.stairs * m.stairs * (m.size[2] / m.size[0] + 1);
    if (m.size.size() == 2) count += 2 * (m.size[1] / m.size[0] + 1) * m.t_shirt * m.t_shirt;
    count += 2 * (product(m.simplex_cylinder) + product(m.simplex_torus));
    if (m.simplex_sphere.size() == 2)
        count += 2.0 * m.simplex_sphere[1] * (m.simplex_sphere[0] - 1.0) * (m.simplex_sphere[0] - 1.0);
    if (m.box.size() == 3)
        count += 2.0 * (double(m.box[0]) * m.box[1] + double(m.box[1]) * m.box[2] + double(m.box[2]) * m.box[0]);
    return count * m.copies;
}

void check_shape(Checks& checks, const MeshSource& mesh, const Source& source, const std::string& pointer)
{
    const std::string name = source.name;
    const std::string place = pointer_child(pointer, name), cure = std::string("such as ") + source.example;
    if (vertex_count(mesh) > kMaxVertices)
        checks.add(place, "about " + number_text(vertex_count(mesh)) + " vertices asked for, at most 2e7 are built",
                   "use smaller counts");
    struct Single {
        const char* name;
        std::int32_t found, smallest;
    };
    for (const Single& single :
         {Single{"chain", mesh.chain, 2}, Single{"lidded_box", mesh.lidded_box, 2}, Single{"disc", mesh.disc, 1},
          Single{"t_shirt", mesh.t_shirt, 8}, Single{"stairs", mesh.stairs, 1}, Single{"hare", mesh.hare, 4},
          Single{"octopus", mesh.octopus, 24}})
        if (name == single.name && single.found < single.smallest)
            checks.add(place,
                       "found " + std::to_string(single.found) + ", expected at least " +
                           std::to_string(single.smallest),
                       cure);
    if (name == "chain" && mesh.from == mesh.to) checks.add(pointer + "/to", "the chain ends where it begins", cure);
    if ((name == "torus" || name == "simplex_torus" || name == "tet_torus") && mesh.minor_radius >= mesh.radius)
        checks.add(pointer + "/minor_radius", "the tube is as thick as the ring: the torus has no hole",
                   "make minor_radius smaller than radius");
}

/// Lengths that make no cloth and no table.
void check_proportions(Checks& checks, const MeshSource& mesh, const Source& source, const std::string& pointer)
{
    const std::string name = source.name, cure = std::string("such as ") + source.example;
    if (name == "disc" && mesh.inner_radius >= mesh.radius)
        checks.add(pointer + "/inner_radius", "the inner part is as large as the disc",
                   "make inner_radius smaller than radius");
    if (name == "t_shirt" && mesh.size.size() == 2 && mesh.size[1] < 0.8 * mesh.size[0])
        checks.add(pointer + "/size", "the sleeves would hang below the hem: a height below 0.8 of the width", cure);
    if (name != "table" || mesh.size.size() != 3) return;
    if (mesh.board >= mesh.size[1])
        checks.add(pointer + "/board", "the board is as thick as the table is high, which leaves nothing for legs",
                   "make board smaller than the second length of size");
    if (5 * mesh.leg_radius >= std::min(mesh.size[0], mesh.size[2]))
        checks.add(pointer + "/leg_radius", "the legs meet under the table",
                   "make leg_radius smaller than a fifth of the shorter side");
}

/// Lengths that make no strip that can be tied, and no funnel.
void check_slenderness(Checks& checks, const MeshSource& mesh, const Source& source, const std::string& pointer)
{
    const std::string name = source.name, cure = std::string("such as ") + source.example;
    if (name == "knot_strip" && mesh.size.size() == 2 && mesh.size[0] * (1 + 1e-12) < 70 * mesh.size[1])
        checks.add(pointer + "/size", "the knot would stretch the strip: a length below 70 widths", cure);
    if (name != "funnel") return;
    if (mesh.inner_radius >= mesh.radius)
        checks.add(pointer + "/inner_radius", "the spout is as wide as the mouth",
                   "make inner_radius smaller than radius");
    if (mesh.wall >= 0.6 * mesh.height)
        checks.add(pointer + "/wall", "the wall is thicker than the spout is long", "make wall smaller");
}

/// A member that only some sources use, written beside another source, would quietly do nothing.
void check_unused(Checks& checks, const Source& source, const std::string& pointer)
{
    struct Use {
        const char* member;
        std::vector<std::string> by;
    };
    const std::array<Use, 14> uses{
        {{"size", {"grid", "box", "lidded_box", "tet_block", "t_shirt", "knot_strip", "table", "stairs"}},
         {"radius",
          {"icosphere", "uv_sphere", "cylinder", "torus", "disc", "bottle", "funnel", "simplex_sphere",
           "simplex_cylinder", "simplex_torus", "tet_ball", "tet_cylinder", "tet_torus"}},
         {"height", {"cylinder", "simplex_cylinder", "tet_cylinder", "bottle", "funnel", "hare", "octopus"}},
         {"inner_radius", {"disc", "funnel"}},
         {"leg_radius", {"table"}},
         {"board", {"table"}},
         {"wall", {"funnel"}},
         {"minor_radius", {"torus", "simplex_torus", "tet_torus"}},
         {"diagonals", {"grid", "knot_strip"}},
         {"from", {"chain"}},
         {"to", {"chain"}},
         {"triangles", {"vertices"}},
         {"lines", {"vertices"}},
         {"cut", {"tet_block"}}}};
    for (const Use& use : uses) {
        bool is_used = !checks.is_written(pointer_child(pointer, use.member));
        for (const std::string& name : use.by) is_used = is_used || name == source.name;
        if (!is_used)
            checks.add(pointer_child(pointer, use.member), std::string("is not used by ") + source.name,
                       "remove it; it belongs to: " + listed(use.by));
    }
}

template <class Element>
void check_indices(Checks& checks, const std::vector<Element>& elements, std::size_t vertices,
                   const std::string& pointer)
{
    for (std::size_t i = 0; i < elements.size(); ++i)
        for (const std::int32_t index : elements[i]) {
            if (index >= 0 && static_cast<std::size_t>(index) < vertices) continue;
            checks.add(pointer_child(pointer, i),
                       "found vertex " + std::to_string(index) + ", but there are only " + std::to_string(vertices),
                       "vertices are counted from 0");
            break;
        }
}

}  // namespace

bool has_source(const MeshSource& mesh)
{
    const std::vector<Source> all = sources(mesh);
    return std::any_of(all.begin(), all.end(), [](const Source& source) { return source.is_given; });
}

void check_rotation(Checks& checks, const Vec3& axis, double degrees, const std::string& pointer)
{
    if (degrees != 0 && !(norm2(axis) > 0))
        checks.add(pointer + "/rotate_axis", "found an axis of no length", "such as [0, 1, 0]");
}

/// Copies of surfaces, one beside the other.
void check_copies(Checks& checks, const MeshSource& mesh, const std::string& pointer)
{
    if (mesh.copies > 1 && mesh.spacing == Vec3{})
        checks.add(pointer + "/copies", "copies would lie in each other", "write \"spacing\": [0, 0.01, 0], say");
    const bool is_solid = !mesh.tet_block.empty() || !mesh.tet_cylinder.empty() || !mesh.tet_torus.empty() ||
                          mesh.tet_ball > 0 || mesh.fill > 0;
    if (mesh.copies > 1 && is_solid)
        checks.add(pointer + "/copies", "tetrahedra are not repeated", "write a body for each");
}

void check_mesh(Checks& checks, const MeshSource& mesh, const std::string& pointer)
{
    const std::optional<Source> source = only_source(checks, mesh, pointer);
    if (!source) return;
    check_numbers(checks, mesh, *source, pointer);
    check_shape(checks, mesh, *source, pointer);
    check_proportions(checks, mesh, *source, pointer);
    check_slenderness(checks, mesh, *source, pointer);
    check_unused(checks, *source, pointer);
    check_rotation(checks, mesh.rotate_axis, mesh.rotate_degrees, pointer);
    check_copies(checks, mesh, pointer);
    if (mesh.vertices.empty()) return;
    check_indices(checks, mesh.triangles, mesh.vertices.size(), pointer + "/triangles");
    check_indices(checks, mesh.lines, mesh.vertices.size(), pointer + "/lines");
}

}  // namespace pliant
