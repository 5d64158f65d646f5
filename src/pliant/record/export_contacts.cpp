// SPDX-License-Identifier: MIT
#include <pliant/record/export_contacts.h>

#include <filesystem>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/io/mesh_file.h>
#include <pliant/record/output_file.h>
#include <pliant/record/vtu_output.h>

namespace pliant {

namespace {

namespace fs = std::filesystem;

enum class Drawn : std::int32_t {
    broad,
    near_face,
    near_edges,
    near_plane,
    way_to_face,
    face_met,
    edges_met,
    edges_joined,
    way_to_plane
};

// Cells that share no points, with their fields.
struct Drawing {
    std::vector<Vec3> points;
    std::vector<std::int64_t> connectivity, offsets;
    std::vector<std::uint8_t> types;
    std::vector<std::int32_t> drawn, round;
    std::vector<double> time, distance, thickness;
    std::vector<Vec3> normal;
};

/// What a cell tells besides its points.
struct Told {
    Drawn drawn = Drawn::broad;
    std::int32_t round = -1;
    double time = 0, distance = 0, thickness = 0;
    Vec3 normal;
};

class Draughtsman {
public:
    explicit Draughtsman(const ContactLog& log) : log_(log) {}

    Drawing draw()
    {
        for (const BroadPair& pair : log_.broad) draw_broad(pair);
        for (const Meeting& m : log_.near) draw_near(m);
        for (const LoggedImpact& impact : log_.impacts)
            if (impact.meeting.pair.kind == PairKind::vertex_face)
                draw_face_impact(impact);
            else
                draw_edge_impact(impact);
        for (const PlaneMeeting& m : log_.planes) draw_plane(m);
        return std::move(drawing_);
    }

private:
    void add(std::span<const Vec3> points, const Told& told)
    {
        for (const Vec3& x : points) {
            drawing_.connectivity.push_back(static_cast<std::int64_t>(drawing_.points.size()));
            drawing_.points.push_back(x);
        }
        drawing_.offsets.push_back(static_cast<std::int64_t>(drawing_.connectivity.size()));
        drawing_.types.push_back(points.size() == 3 ? kVtkTriangle : kVtkLine);
        drawing_.drawn.push_back(static_cast<std::int32_t>(told.drawn));
        drawing_.round.push_back(told.round);
        drawing_.time.push_back(told.time);
        drawing_.distance.push_back(told.distance);
        drawing_.thickness.push_back(told.thickness);
        drawing_.normal.push_back(told.normal);
    }
    void add_line(const Vec3& a, const Vec3& b, const Told& told) { add(std::array{a, b}, told); }
    void add_face(const std::array<Vec3, 4>& x, const Told& told) { add(std::span(x).subspan(1), told); }

    static Told told(const Meeting& m, Drawn drawn, std::int32_t round)
    {
        return {drawn, round, m.time, m.distance, m.thickness, m.normal};
    }

    std::array<Vec3, 4> places(const std::array<std::int32_t, 4>& point, const std::vector<Vec3>& x) const
    {
        std::array<Vec3, 4> found;
        for (std::size_t k = 0; k < 4; ++k) found[k] = x[static_cast<std::size_t>(point[k])];
        return found;
    }
    // On the straight way to the mesh that was searched.
    std::array<Vec3, 4> places_then(const LoggedImpact& impact) const
    {
        std::array<Vec3, 4> x = places(impact.meeting.point, log_.start);
        const auto end = places(impact.meeting.point, log_.rounds[static_cast<std::size_t>(impact.round)]);
        for (std::size_t k = 0; k < 4; ++k) x[k] += (end[k] - x[k]) * impact.meeting.time;
        return x;
    }

    // Where the two elements are nearest.
    static std::array<Vec3, 2> feet(const Meeting& m, const std::array<Vec3, 4>& x)
    {
        const std::size_t of_first = m.pair.kind == PairKind::vertex_face ? 1 : 2;
        std::array<Vec3, 2> found;
        for (std::size_t k = 0; k < 4; ++k)
            if (k < of_first)
                found[0] += x[k] * m.weight[k];
            else
                found[1] -= x[k] * m.weight[k];
        return found;
    }

    void draw_broad(const BroadPair& pair)
    {
        const auto x = places(pair.point, log_.start);
        if (pair.kind == PairKind::vertex_face)
            add_line(x[0], (x[1] + x[2] + x[3]) / 3, {.drawn = Drawn::broad});
        else
            add_line((x[0] + x[1]) / 2, (x[2] + x[3]) / 2, {.drawn = Drawn::broad});
    }

    void draw_near(const Meeting& m)
    {
        const auto [a, b] = feet(m, places(m.point, log_.start));
        add_line(a, b, told(m, m.pair.kind == PairKind::vertex_face ? Drawn::near_face : Drawn::near_edges, -1));
    }

    void draw_face_impact(const LoggedImpact& impact)
    {
        const Meeting& m = impact.meeting;
        const auto start = places(m.point, log_.start), then = places_then(impact);
        add_line(start[0], then[0], told(m, Drawn::way_to_face, impact.round));
        add_face(then, told(m, Drawn::face_met, impact.round));
    }

    void draw_edge_impact(const LoggedImpact& impact)
    {
        const Meeting& m = impact.meeting;
        const auto then = places_then(impact);
        add_line(then[0], then[1], told(m, Drawn::edges_met, impact.round));
        add_line(then[2], then[3], told(m, Drawn::edges_met, impact.round));
        const auto [a, b] = feet(m, places(m.point, log_.start));
        add_line(a, b, told(m, Drawn::edges_joined, impact.round));
    }

    void draw_plane(const PlaneMeeting& m)
    {
        const auto p = static_cast<std::size_t>(m.point);
        const Vec3 start = log_.start[p];
        Told plane{.round = m.round, .time = m.time, .distance = m.distance, .thickness = m.thickness};
        plane.normal = m.normal, plane.drawn = m.round < 0 ? Drawn::near_plane : Drawn::way_to_plane;
        if (m.round < 0) return add_line(start, start - m.normal * m.distance, plane);
        const Vec3 end = log_.rounds[static_cast<std::size_t>(m.round)][p];
        add_line(start, start + (end - start) * m.time, plane);
    }

    const ContactLog& log_;
    Drawing drawing_;
};

void write_drawing(const std::string& path, const Drawing& d, double time)
{
    VtuOutput file;
    file.begin(time, d.points.size(), d.types.size());
    file.text("<CellData Scalars=\"drawn\">\n");
    file.array("Int32", "drawn", 1, d.drawn);
    file.array("Int32", "round", 1, d.round);
    file.array("Float64", "time", 1, d.time);
    file.array("Float64", "distance", 1, d.distance);
    file.array("Float64", "thickness", 1, d.thickness);
    file.array("Float64", "normal", 3, d.normal);
    file.text("</CellData>\n");
    file.grid(d.points, {d.connectivity, d.offsets, d.types});
    file.write(path);
}

// Corners in the order of a VTK hexahedron.
void add_box(std::vector<Vec3>& points, const Vec3& low, const Vec3& high)
{
    for (const double z : {low[2], high[2]}) {
        points.push_back({low[0], low[1], z}), points.push_back({high[0], low[1], z});
        points.push_back({high[0], high[1], z}), points.push_back({low[0], high[1], z});
    }
}

void write_boxes(const std::string& path, const ContactLog& log, const ContactExport& how)
{
    std::vector<Vec3> points;
    std::vector<std::int64_t> connectivity, offsets;
    std::vector<std::uint8_t> types;
    std::vector<std::int32_t> body, depth, leaf;
    for (const LoggedBox& b : log.boxes) {
        if (b.box.depth < how.least_depth || b.box.depth > how.most_depth) continue;
        const double reach = how.extent == BoxExtent::inflated ? log.reach[static_cast<std::size_t>(b.body)] : 0;
        const Vec3 more{reach, reach, reach};
        if (how.extent == BoxExtent::start)
            add_box(points, b.box.lowest, b.box.highest);
        else
            add_box(points, b.box.swept_lowest - more, b.box.swept_highest + more);
        while (connectivity.size() < points.size())
            connectivity.push_back(static_cast<std::int64_t>(connectivity.size()));
        offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
        types.push_back(kVtkHexahedron);
        body.push_back(b.body), depth.push_back(b.box.depth), leaf.push_back(b.box.is_leaf ? 1 : 0);
    }
    VtuOutput file;
    file.begin(log.time, points.size(), types.size());
    file.text("<CellData Scalars=\"depth\">\n");
    file.array("Int32", "depth", 1, depth);
    file.array("Int32", "body", 1, body);
    file.array("Int32", "leaf", 1, leaf);
    file.text("</CellData>\n");
    file.grid(points, {connectivity, offsets, types});
    file.write(path);
}

// Faces of one body or of all, and their points.
struct Part {
    std::vector<std::int32_t> points;  // of the scene, growing
    std::vector<Triangle> triangles;   // places in `points`
};

Part part_of(const Topology& topology, const std::string& body)
{
    std::vector<std::int32_t> place(static_cast<std::size_t>(topology.point_count), -1);
    std::vector<Triangle> chosen;
    std::vector<std::string> names;
    for (const BodyRange& range : topology.bodies) {
        names.push_back(range.name);
        if (!body.empty() && range.name != body) continue;
        const auto first = topology.triangles.begin() + range.first_triangle;
        chosen.insert(chosen.end(), first, first + range.triangle_count);
    }
    if (chosen.empty())
        throw Error(Problem{.message = body.empty() ? "no body of the take has triangles, so there is no mesh to write"
                                                    : fmt::format("there is no body '{}' with triangles", body),
                            .cure = body.empty() ? "" : suggestion(body, names)},
                    ErrorKind::usage);
    for (const Triangle& t : chosen)
        for (const std::int32_t p : t) place[static_cast<std::size_t>(p)] = 0;
    Part part;
    for (std::size_t p = 0; p < place.size(); ++p) {
        if (place[p] < 0) continue;
        place[p] = static_cast<std::int32_t>(part.points.size());
        part.points.push_back(static_cast<std::int32_t>(p));
    }
    const auto at = [&](std::int32_t p) { return place[static_cast<std::size_t>(p)]; };
    for (const Triangle& t : chosen) part.triangles.push_back({at(t[0]), at(t[1]), at(t[2])});
    return part;
}

std::vector<Vec3> gathered(const std::vector<Vec3>& x, const Part& part)
{
    std::vector<Vec3> found;
    found.reserve(part.points.size());
    for (const std::int32_t p : part.points) found.push_back(x[static_cast<std::size_t>(p)]);
    return found;
}

// `before` is the mesh that displacements are counted from.
void write_mesh_vtu(const std::string& path, const Part& part, const ContactLog& log, const std::vector<Vec3>& now,
                    const std::vector<Vec3>& before)
{
    const std::vector<Vec3> x = gathered(now, part), from = gathered(before, part);
    std::vector<Vec3> displacement(x.size());
    std::vector<std::int32_t> zone(x.size(), -1);
    for (std::size_t i = 0; i < x.size(); ++i) {
        displacement[i] = x[i] - from[i];
        if (!log.zone.empty()) zone[i] = log.zone[static_cast<std::size_t>(part.points[i])];
    }
    std::vector<std::int64_t> connectivity, offsets;
    for (const Triangle& t : part.triangles) {
        connectivity.insert(connectivity.end(), t.begin(), t.end());
        offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
    }
    const std::vector<std::uint8_t> types(part.triangles.size(), kVtkTriangle);
    VtuOutput file;
    file.begin(log.time, x.size(), types.size());
    file.text("<PointData Vectors=\"displacement\">\n");
    file.array("Float64", "displacement", 3, displacement);
    file.array("Int32", "zone", 1, zone);
    file.text("</PointData>\n");
    file.grid(x, {connectivity, offsets, types});
    file.write(path);
}

void make_folder(const std::string& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw Error(Problem{.file = folder, .message = "cannot be made a folder: " + error.message()},
                    ErrorKind::cannot_access);
}

std::string path_in(const std::string& folder, const std::string& name)
{
    return (fs::path(folder) / name).string();
}

}  // namespace

std::vector<LoggedMesh> logged_meshes(const ContactLog& log)
{
    std::vector<LoggedMesh> meshes{{"start", &log.start}, {"uncorrected", &log.uncorrected}};
    for (std::size_t r = 0; r < log.rounds.size(); ++r)
        meshes.push_back({fmt::format("round_{:02}", r), &log.rounds[r]});
    return meshes;
}

Exported export_contact_stl(const Topology& topology, const ContactLog& log, const std::string& folder,
                            const ContactExport& how)
{
    const Part part = part_of(topology, how.body);
    Exported exported;
    const std::vector<LoggedMesh> meshes = logged_meshes(log);
    for (const LoggedMesh& mesh : meshes) exported.files.push_back(path_in(folder, mesh.name + ".stl"));
    check_may_write(exported.files, how.overwrite);
    make_folder(folder);
    for (std::size_t m = 0; m < meshes.size(); ++m) {
        const TriMesh mesh{.vertices = gathered(*meshes[m].x, part), .triangles = part.triangles};
        write_mesh(exported.files[m], mesh, {.binary = false});
    }
    return exported;
}

Exported export_contact_vtu(const Topology& topology, const ContactLog& log, const std::string& folder,
                            const ContactExport& how)
{
    const Part part = part_of(topology, how.body);
    Exported exported{{path_in(folder, "pairs.vtu"), path_in(folder, "boxes.vtu")}, {}};
    const std::vector<LoggedMesh> meshes = logged_meshes(log);
    for (const LoggedMesh& mesh : meshes) exported.files.push_back(path_in(folder, mesh.name + ".vtu"));
    check_may_write(exported.files, how.overwrite);
    make_folder(folder);
    write_drawing(exported.files[0], Draughtsman(log).draw(), log.time);
    write_boxes(exported.files[1], log, how);
    for (std::size_t m = 0; m < meshes.size(); ++m)
        write_mesh_vtu(exported.files[m + 2], part, log, *meshes[m].x, *meshes[m == 0 ? 0 : m - 1].x);
    if (log.boxes.empty()) exported.notes.emplace_back("boxes.vtu is empty: the step was searched without trees");
    return exported;
}

}  // namespace pliant
