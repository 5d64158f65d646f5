// SPDX-License-Identifier: MIT
// VTU: one unstructured grid per frame (appended raw binary: before each array its length as
// UInt64), all bodies in it. Points and velocity in double, the recorded fields, the body's number
// per cell. Beside them NAME.pvd and NAME.vtu.series, which give ParaView the times.
//
// Solids are tetrahedra with all their points, so that they can be cut, and their cells have stress [Pa] and strain
// [1]: the recorded scene is built again for its materials (export_job.h). Cells of other bodies have zeros there.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/base/markup.h>
#include <pliant/record/export_job.h>
#include <pliant/record/output_file.h>
#include <pliant/record/vtu_output.h>
#include <pliant/world/solid_fields.h>

namespace pliant {

namespace {

// The cells of one solid: a run of the grid's cells, index for index with the tetrahedra of its term.
struct SolidCells {
    std::string name;
    std::size_t term = 0, first_cell = 0;
};

// What is the same in every frame.
struct Grid {
    std::vector<std::int32_t> points;  ///< indices into Frame::x
    std::vector<std::int64_t> connectivity, offsets;
    std::vector<std::uint8_t> types;
    std::vector<std::int32_t> bodies;  ///< number of each cell's body
    std::vector<SolidCells> solids;
};

template <class Nodes>
void append_cell(Grid& grid, const Nodes& nodes, std::int64_t shift, std::uint8_t type, std::size_t body)
{
    for (const std::int32_t point : nodes) grid.connectivity.push_back(shift + point);
    grid.offsets.push_back(static_cast<std::int64_t>(grid.connectivity.size()));
    grid.types.push_back(type);
    grid.bodies.push_back(static_cast<std::int32_t>(body));
}

void append_surface(Grid& grid, const ExportBody& body, std::size_t number)
{
    const auto first = static_cast<std::int64_t>(grid.points.size());
    for (const Triangle& triangle : body.triangles) append_cell(grid, triangle, first, kVtkTriangle, number);
    for (const Edge& line : body.lines) append_cell(grid, line, first, kVtkLine, number);
    grid.points.insert(grid.points.end(), body.points.begin(), body.points.end());
}

void append_solid(Grid& grid, const Model& model, const Body& body, std::size_t number)
{
    const auto term = static_cast<std::size_t>(body.term);
    const SolidTets tets = solid_tets(model, term);
    const auto nodes_per_tet = static_cast<std::size_t>(tets.nodes_per_tet);
    const std::uint8_t type = nodes_per_tet == 10 ? kVtkQuadraticTetra : kVtkTetra;
    const auto shift = static_cast<std::int64_t>(grid.points.size()) - body.first_point;
    grid.solids.push_back({body.name, term, grid.types.size()});
    for (std::size_t t = 0; t < tets.count(); ++t)
        append_cell(grid, std::span(tets.nodes).subspan(t * nodes_per_tet, nodes_per_tet), shift, type, number);
    grid.points.resize(grid.points.size() + static_cast<std::size_t>(body.point_count));
    std::iota(grid.points.end() - body.point_count, grid.points.end(), body.first_point);
}

// The body of that name if it is a solid, else nullptr.
const Body* find_solid(const Model& model, const std::string& name)
{
    const auto at = std::find_if(model.bodies.begin(), model.bodies.end(),
                                 [&](const Body& body) { return body.kind == BodyKind::solid && body.name == name; });
    return at == model.bodies.end() ? nullptr : &*at;
}

Grid grid_of(std::span<const ExportBody> bodies, const std::optional<RebuiltTake>& take)
{
    Grid grid;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const Body* solid = take ? find_solid(*take->world.model, bodies[b].name) : nullptr;
        if (solid)
            append_solid(grid, *take->world.model, *solid, b);
        else
            append_surface(grid, bodies[b], b);
    }
    return grid;
}

bool has_solids(const ExportJob& job)
{
    const std::vector<BodyRange>& bodies = job.recording.header().topology.bodies;
    return std::any_of(bodies.begin(), bodies.end(), [&](const BodyRange& body) {
        return body.kind == name_of(BodyKind::solid) && (job.body.empty() || job.body == body.name);
    });
}

// Per cell; zero where the cell is no tetrahedron of a solid.
struct CellStresses {
    std::vector<SymmetricTensor> cauchy_stress, green_strain;
    std::vector<double> von_mises;
};

bool is_finite(const TetFields& fields)
{
    const auto is_good = [](double value) { return std::isfinite(value); };
    return std::all_of(fields.cauchy_stress.begin(), fields.cauchy_stress.end(), is_good) &&
           std::all_of(fields.green_strain.begin(), fields.green_strain.end(), is_good);
}

CellStresses cell_stresses(const ExportJob& job, const Grid& grid, const World& world, std::int64_t frame)
{
    const std::size_t count = grid.types.size();
    CellStresses cells{std::vector<SymmetricTensor>(count), std::vector<SymmetricTensor>(count),
                       std::vector<double>(count)};
    for (const SolidCells& solid : grid.solids) {
        if (remembers_its_past(*world.model, solid.term)) continue;
        const std::vector<TetFields> tets = tet_fields(*world.model, world.state, solid.term);
        for (std::size_t t = 0; t < tets.size(); ++t) {
            if (!is_finite(tets[t]))
                throw Error(Problem{
                    job.recording.path(), 0, "",
                    fmt::format("tetrahedron {} of '{}' has no finite stress in frame {}", t, solid.name, frame),
                    "export the frames before it"});
            const std::size_t cell = solid.first_cell + t;
            cells.cauchy_stress[cell] = tets[t].cauchy_stress, cells.green_strain[cell] = tets[t].green_strain;
            cells.von_mises[cell] = von_mises(tets[t].cauchy_stress);
        }
    }
    return cells;
}

template <class T>
std::vector<T> gathered(const std::vector<T>& values, const std::vector<std::int32_t>& points)
{
    std::vector<T> result;
    result.reserve(points.size());
    for (const std::int32_t point : points) result.push_back(values[static_cast<std::size_t>(point)]);
    return result;
}

// Per point of the grid.
struct PointField {
    std::string name;
    std::vector<double> values;
};

std::vector<PointField> point_fields(const ExportJob& job, const Grid& grid, const Frame& frame,
                                     const std::optional<RebuiltTake>& take)
{
    std::vector<PointField> result;
    const auto append = [&](const std::vector<std::string>& names, const std::vector<std::vector<double>>& fields) {
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (!fields[i].empty()) result.push_back({names[i], gathered(fields[i], grid.points)});
    };
    const std::vector<std::string>& recorded = job.recording.header().topology.fields;
    append(recorded, frame.fields);
    if (grid.solids.empty()) return result;
    // Takes of versions before these fields get them here.
    const std::vector<std::string> names = solid_field_names(*take->world.model);
    if (std::find_first_of(recorded.begin(), recorded.end(), names.begin(), names.end()) == recorded.end())
        append(names, solid_fields(*take->world.model, take->world.state));
    return result;
}

void write_vtu(const ExportJob& job, const Grid& grid, const Frame& frame, std::optional<RebuiltTake>& take,
               const std::string& path)
{
    if (take) show_frame(*take, frame);
    const std::vector<Vec3> x = gathered(frame.x, grid.points), v = gathered(frame.v, grid.points);
    const std::vector<PointField> fields = point_fields(job, grid, frame, take);
    CellStresses cells;
    if (!grid.solids.empty()) cells = cell_stresses(job, grid, take->world, frame.index);

    VtuOutput file;
    file.begin(frame.time, x.size(), grid.types.size());
    file.text("<PointData Vectors=\"velocity\">\n");
    file.array("Float64", "velocity", 3, v);
    for (const PointField& field : fields) file.array("Float64", field.name, 1, field.values);
    file.text("</PointData>\n<CellData Scalars=\"body\">\n");
    file.array("Int32", "body", 1, grid.bodies);
    if (!grid.solids.empty()) {
        file.array("Float64", "cauchy_stress", 6, cells.cauchy_stress);
        file.array("Float64", "green_strain", 6, cells.green_strain);
        file.array("Float64", "von_mises", 1, cells.von_mises);
    }
    file.text("</CellData>\n");
    file.grid(x, {grid.connectivity, grid.offsets, grid.types});
    file.write(path);
}

std::string file_name(const std::string& path)
{
    return std::filesystem::path(path).filename().string();
}

void write_pvd(const std::string& path, std::span<const std::string> files, const std::vector<double>& times)
{
    OutputFile file(path);
    file.write("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
               "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (std::size_t k = 0; k < files.size(); ++k)
        file.write(fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", times[k],
                               markup_text(file_name(files[k]))));
    file.write("</Collection>\n</VTKFile>\n");
    file.commit();
}

void write_series(const std::string& path, std::span<const std::string> files, const std::vector<double>& times)
{
    OutputFile file(path);
    file.write("{\"file-series-version\": \"1.0\", \"files\": [\n");
    for (std::size_t k = 0; k < files.size(); ++k)
        file.write(fmt::format("{{\"name\": {}, \"time\": {}}}{}\n", quoted(file_name(files[k])), times[k],
                               k + 1 < files.size() ? "," : ""));
    file.write("]}\n");
    file.commit();
}

void note_solids(std::vector<std::string>& notes, const Grid& grid, const Model& model)
{
    if (grid.solids.empty()) return;
    notes.emplace_back(
        "solids are tetrahedra; their cells have cauchy_stress [Pa], green_strain [1] and von_mises [Pa]");
    for (const SolidCells& solid : grid.solids)
        if (remembers_its_past(model, solid.term))
            notes.push_back(fmt::format("the stress of '{}' depends on its past, which frames do not hold: its cells "
                                        "have zeros, the point field 'stress' was recorded",
                                        solid.name));
}

}  // namespace

Exported export_vtu(const ExportJob& job)
{
    Exported exported{{sibling_path(job, ".pvd"), sibling_path(job, ".vtu.series")}, {}};
    for (const std::int64_t frame : job.frames) exported.files.push_back(numbered_path(job, frame, ".vtu"));
    check_may_write(exported.files, job.overwrite);

    std::optional<RebuiltTake> take;
    if (has_solids(job)) take = rebuilt_take(job.recording, exported.notes);
    const Grid grid = grid_of(job.bodies, take);
    if (take) note_solids(exported.notes, grid, *take->world.model);
    const std::span<const std::string> grids = std::span(exported.files).subspan(2);
    std::vector<double> times;
    for (std::size_t k = 0; k < job.frames.size(); ++k) {
        const Frame frame = job.recording.frame(job.frames[k]);
        times.push_back(frame.time);
        write_vtu(job, grid, frame, take, grids[k]);
    }
    std::string names;
    for (std::size_t b = 0; b < job.bodies.size(); ++b)
        names += fmt::format("{}{} {}", b == 0 ? "" : ", ", b, job.bodies[b].name);
    exported.notes.push_back("the cell field 'body' is: " + names);
    write_pvd(exported.files[0], grids, times);
    write_series(exported.files[1], grids, times);
    return exported;
}

}  // namespace pliant
