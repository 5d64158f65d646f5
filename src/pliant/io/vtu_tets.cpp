// SPDX-License-Identifier: MIT

// VTU, VTK's unstructured grid in XML: tetrahedra (cell type 10) and quadratic ones (24). See vtu_arrays.h.
//
// Taken: all pieces, one behind the other, as pliant, ParaView and meshio write them. Regions are the first of the cell
// arrays in kRegionNames; groups are point arrays "group:NAME", whose vertices are those with a number that is not zero.
// Written: text, or raw appended data with lengths of 8 bytes.

#include <algorithm>

#include <fmt/format.h>

#include <pliant/base/markup.h>
#include <pliant/io/byte_order.h>
#include <pliant/io/mesh_builder.h>
#include <pliant/io/text_words.h>
#include <pliant/io/vtu_arrays.h>

namespace pliant {

namespace {

constexpr std::int64_t kTetrahedron = 10, kQuadraticTetrahedron = 24;
constexpr std::string_view kGroupPrefix = "group:";

/// pliant's own, those that meshio makes of Gmsh's, Medit's and TetGen's, and pliant's recordings of bodies.
constexpr const char* kRegionNames[] = {"region", "gmsh:physical", "medit:ref", "tetgen:ref", "body"};

/// Dimension of a cell of a VTK type, as far as the documented types go.
int dimension_of(std::int64_t type)
{
    constexpr std::int64_t kVolumes[] = {11, 12, 13, 14, 15, 16, 25, 26, 27, 29,
                                         32, 33, 37, 42, 71, 72, 73, 74, 78, 79};
    constexpr std::int64_t kFaces[] = {5, 6, 7, 8, 9, 22, 23, 28, 30, 34, 36, 69, 70, 76, 77};
    if (std::find(std::begin(kVolumes), std::end(kVolumes), type) != std::end(kVolumes)) return 3;
    return std::find(std::begin(kFaces), std::end(kFaces), type) != std::end(kFaces) ? 2 : 1;
}

struct PieceReader {
    TetBuilder& builder;
    const VtuFile& file;
    const VtuPiece& piece;
    std::int64_t first_point;  ///< label of the piece's first

    /// The array, which a grid must have; nullptr after telling that it is missing.
    const VtuArray* required(const char* section, const char* name) const
    {
        const VtuArray* const array = piece.find(section, name);
        if (array == nullptr)
            builder.problem({piece.line, -1, "Piece"}, fmt::format("has no array '{}' in {}", name, section),
                            "the file is damaged; export it again");
        return array;
    }
    /// Tells when an array does not hold what the piece promises.
    bool has_size(const char* what, std::size_t found, std::int64_t promised) const
    {
        if (promised >= 0 && found == static_cast<std::size_t>(promised)) return true;
        builder.problem({piece.line, -1, "Piece"},
                        fmt::format("promises {} numbers in '{}', which holds {}", promised, what, found),
                        "the file is damaged; export it again");
        return false;
    }
};

/// A number of points or cells that may be multiplied without overflow.
std::int64_t small_count(std::int64_t count)
{
    return count < INT32_MAX ? count : -1;
}

bool read_points(const PieceReader& reader)
{
    // The one array of Points need not be called that.
    const auto& arrays = reader.piece.arrays;
    const auto array =
        std::find_if(arrays.begin(), arrays.end(), [](const VtuArray& a) { return a.section == "Points"; });
    if (array == arrays.end()) return reader.required("Points", "Points") != nullptr;
    const VtuNumbers<double> x = vtu_reals(reader.builder, reader.file, *array);
    const std::int64_t promised = small_count(reader.piece.points);
    if (!x.ok || !reader.has_size("Points", x.values.size(), promised < 0 ? -1 : 3 * promised)) return false;
    for (std::size_t i = 0; i + 2 < x.values.size(); i += 3) {
        const std::int64_t label = reader.first_point + static_cast<std::int64_t>(i / 3);
        reader.builder.vertex(label, {x.values[i], x.values[i + 1], x.values[i + 2]}, x.place(i, "point", label));
    }
    return true;
}

/// Regions of the piece's cells, or none.
std::vector<std::int64_t> read_regions(const PieceReader& reader)
{
    for (const char* name : kRegionNames) {
        const VtuArray* const array = reader.piece.find("CellData", name);
        if (array == nullptr) continue;
        VtuNumbers<std::int64_t> regions = vtu_wholes(reader.builder, reader.file, *array);
        if (!regions.ok || !reader.has_size(name, regions.values.size(), reader.piece.cells)) return {};
        if (std::string_view(name) != kRegionNames[0])
            reader.builder.note(fmt::format("the cell array '{}' was taken for the regions", name));
        reader.builder.keep_zero_regions();
        return std::move(regions.values);
    }
    return {};
}

void take_cell(const PieceReader& reader, std::int64_t type, std::span<const std::int64_t> labels, std::int64_t region,
               const FilePlace& place)
{
    const bool is_quadratic = type == kQuadraticTetrahedron;
    if (type != kTetrahedron && !is_quadratic) {
        const int dimension = dimension_of(type);
        if (dimension == 3) reader.builder.pass_by_volumes(1);
        if (dimension == 2) reader.builder.pass_by_faces(1);
        return;
    }
    const std::size_t expected = is_quadratic ? 10 : 4;
    if (labels.size() != expected)
        return reader.builder.problem(place, fmt::format("has {} corners, expected {}", labels.size(), expected),
                                      "the file is damaged; export it again");
    reader.builder.tet(labels, region, place);
}

/// Points of a cell count within their piece; false after telling of one that is not there.
bool labels_from(std::vector<std::int64_t>& labels, const PieceReader& reader, std::span<const std::int64_t> points,
                 const FilePlace& place)
{
    labels.clear();
    for (const std::int64_t point : points) {
        if (point < 0 || point >= reader.piece.points) {
            reader.builder.problem(
                place, fmt::format("names point {}, but its piece has points 0 to {}", point, reader.piece.points - 1),
                "correct the index, or export the mesh again");
            return false;
        }
        labels.push_back(point + reader.first_point);
    }
    return true;
}

bool read_cells(const PieceReader& reader)
{
    const VtuArray* const arrays[3] = {reader.required("Cells", "connectivity"), reader.required("Cells", "offsets"),
                                       reader.required("Cells", "types")};
    if (arrays[0] == nullptr || arrays[1] == nullptr || arrays[2] == nullptr) return false;
    const auto connectivity = vtu_wholes(reader.builder, reader.file, *arrays[0]);
    const auto offsets = vtu_wholes(reader.builder, reader.file, *arrays[1]);
    const auto types = vtu_wholes(reader.builder, reader.file, *arrays[2]);
    if (!connectivity.ok || !offsets.ok || !types.ok) return false;
    if (!reader.has_size("offsets", offsets.values.size(), reader.piece.cells) ||
        !reader.has_size("types", types.values.size(), reader.piece.cells))
        return false;
    const std::vector<std::int64_t> regions = read_regions(reader);
    if (reader.builder.has_problems()) return false;

    std::vector<std::int64_t> labels;
    std::int64_t begin = 0;
    for (std::size_t c = 0; c < types.values.size(); ++c) {
        const std::int64_t end = offsets.values[c];
        if (end < begin || end > static_cast<std::int64_t>(connectivity.values.size())) {
            reader.builder.problem(
                offsets.place(c, "cell", static_cast<std::int64_t>(c)),
                fmt::format("its offset is {}, expected {} to {}", end, begin, connectivity.values.size()),
                "the file is damaged; export it again");
            return false;
        }
        const FilePlace place =
            connectivity.place(static_cast<std::size_t>(begin), "cell", static_cast<std::int64_t>(c));
        const auto first = connectivity.values.begin();
        if (labels_from(labels, reader, {first + begin, first + end}, place))
            take_cell(reader, types.values[c], labels, regions.empty() ? 0 : regions[c], place);
        begin = end;
    }
    return true;
}

bool read_groups(const PieceReader& reader)
{
    std::vector<std::int64_t> labels;
    for (const VtuArray& array : reader.piece.arrays) {
        if (array.section != "PointData" || array.name.compare(0, kGroupPrefix.size(), kGroupPrefix) != 0) continue;
        const auto marks = vtu_wholes(reader.builder, reader.file, array);
        if (!marks.ok || !reader.has_size(array.name.c_str(), marks.values.size(), reader.piece.points)) return false;
        labels.clear();
        for (std::size_t v = 0; v < marks.values.size(); ++v)
            if (marks.values[v] != 0) labels.push_back(reader.first_point + static_cast<std::int64_t>(v));
        const std::size_t group = reader.builder.group(array.name.substr(kGroupPrefix.size()));
        reader.builder.add_to_group(group, labels, {array.line});
    }
    return true;
}

/// Arrays as text in place, or as raw bytes behind the XML, which names them by their offset.
class VtuWriter {
public:
    explicit VtuWriter(bool binary) : binary_(binary) {}

    void text(std::string_view xml) { xml_ += xml; }

    template <class T>
    void array(const char* type, const std::string& name, int components, std::span<const T> numbers)
    {
        xml_ += fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" ", type, markup_text(name),
                            components);
        if (binary_) {
            xml_ += fmt::format("format=\"appended\" offset=\"{}\"/>\n", appended_.size());
            append_little(appended_, static_cast<std::uint64_t>(numbers.size_bytes()));
            for (const T number : numbers) append_little(appended_, number);
            return;
        }
        xml_ += "format=\"ascii\">\n";
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if constexpr (std::is_same_v<T, double>)
                append_number(xml_, numbers[i]);
            else
                append_number(xml_, static_cast<std::int64_t>(numbers[i]));
            xml_ += (i + 1) % static_cast<std::size_t>(components) == 0 ? '\n' : ' ';
        }
        xml_ += "</DataArray>\n";
    }

    std::string bytes() const
    {
        if (!binary_) return xml_ + "</VTKFile>\n";
        return xml_ + "<AppendedData encoding=\"raw\">\n_" + appended_ + "\n</AppendedData>\n</VTKFile>\n";
    }

private:
    bool binary_;
    std::string xml_, appended_;
};

void add_point_data(VtuWriter& writer, const TetMesh& mesh)
{
    writer.text("<PointData>\n");
    std::vector<std::uint8_t> marks;
    for (const VertexGroup& group : mesh.groups) {
        marks.assign(mesh.vertices.size(), 0);
        for (const std::int32_t v : group.vertices) marks[static_cast<std::size_t>(v)] = 1;
        writer.array<std::uint8_t>("UInt8", std::string(kGroupPrefix) + group.name, 1, marks);
    }
    writer.text("</PointData>\n");
}

void add_cells(VtuWriter& writer, const TetMesh& mesh)
{
    std::vector<std::int64_t> connectivity, offsets;
    for (const Tet& t : mesh.tets) {
        connectivity.insert(connectivity.end(), t.begin(), t.end());
        offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
    }
    const std::vector<std::uint8_t> types(mesh.tets.size(), kTetrahedron);
    writer.text("<Cells>\n");
    writer.array<std::int64_t>("Int64", "connectivity", 1, connectivity);
    writer.array<std::int64_t>("Int64", "offsets", 1, offsets);
    writer.array<std::uint8_t>("UInt8", "types", 1, types);
    writer.text("</Cells>\n");
}

}  // namespace

TetRead read_vtu_tets(std::string_view bytes, const std::string& file_name)
{
    return read_tets_safely(file_name, [&](TetBuilder& builder) {
        const VtuFile file = scan_vtu(builder, without_byte_order_mark(bytes));
        std::vector<PieceReader> readers;
        // All points first, so that labels are known; labels of pieces follow each other.
        for (const VtuPiece& piece : file.pieces) {
            readers.push_back({builder, file, piece, static_cast<std::int64_t>(builder.vertex_count())});
            if (!read_points(readers.back())) return;
        }
        for (const PieceReader& reader : readers)
            if (!read_cells(reader) || !read_groups(reader)) return;
    });
}

std::string vtu_tets_bytes(const TetMesh& mesh, const TetWriteOptions& options)
{
    VtuWriter writer(options.binary);
    writer.text(fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                            "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
                            "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
                            mesh.vertices.size(), mesh.tets.size()));
    add_point_data(writer, mesh);
    writer.text("<CellData>\n");
    if (!mesh.region.empty()) writer.array<std::int32_t>("Int32", kRegionNames[0], 1, mesh.region);
    writer.text("</CellData>\n<Points>\n");
    std::vector<double> coordinates;
    for (const Vec3& x : mesh.vertices) coordinates.insert(coordinates.end(), {x.x, x.y, x.z});
    writer.array<double>("Float64", "Points", 3, coordinates);
    writer.text("</Points>\n");
    add_cells(writer, mesh);
    writer.text("</Piece>\n</UnstructuredGrid>\n");
    return writer.bytes();
}

}  // namespace pliant
