// SPDX-License-Identifier: MIT
// VTU: one unstructured grid per frame (appended raw binary: before each array its length as
// UInt64), all bodies in it. Points and velocity in double, the recorded fields, the body's number
// per cell. Beside them NAME.pvd and NAME.vtu.series, which give ParaView the times.
#include <iterator>

#include <fmt/format.h>

#include <pliant/record/export_job.h>
#include <pliant/record/output_file.h>

namespace pliant {

namespace {

constexpr std::uint8_t kVtkLine = 3, kVtkTriangle = 5;

std::string xml_escaped(const std::string& text)
{
    std::string result;
    for (const char c : text) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"')
            result += "&quot;";
        else
            result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return result;
}

// What is the same in every frame.
struct Cells {
    std::vector<std::int64_t> connectivity, offsets;
    std::vector<std::uint8_t> types;
    std::vector<std::int32_t> bodies;
};

Cells cells_of(std::span<const ExportBody> bodies)
{
    Cells cells;
    std::int64_t first = 0;
    const auto append = [&](const auto& elements, std::uint8_t type, std::int32_t body) {
        for (const auto& element : elements) {
            for (const std::int32_t point : element) cells.connectivity.push_back(first + point);
            cells.offsets.push_back(static_cast<std::int64_t>(cells.connectivity.size()));
            cells.types.push_back(type);
            cells.bodies.push_back(body);
        }
    };
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        append(bodies[b].triangles, kVtkTriangle, static_cast<std::int32_t>(b));
        append(bodies[b].lines, kVtkLine, static_cast<std::int32_t>(b));
        first += static_cast<std::int64_t>(bodies[b].points.size());
    }
    return cells;
}

// The XML part names arrays by their offset in the appended part, which follows in the same order.
class VtuFile {
public:
    void text(std::string_view xml) { xml_ += xml; }

    template <class T>
    void array(const std::string& type, const std::string& name, int components, const std::vector<T>& values)
    {
        xml_ += fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" "
                            "format=\"appended\" offset=\"{}\"/>\n",
                            type, xml_escaped(name), components, offset_);
        arrays_.push_back(std::as_bytes(std::span<const T>(values)));
        offset_ += sizeof(std::uint64_t) + arrays_.back().size();
    }

    void write(const std::string& path) const
    {
        OutputFile file(path);
        file.write(xml_);
        file.write("<AppendedData encoding=\"raw\">\n_");
        for (const std::span<const std::byte> array : arrays_) {
            const std::uint64_t length = array.size();
            file.write_values(std::span<const std::uint64_t>(&length, 1));
            file.write(array);
        }
        file.write("\n</AppendedData>\n</VTKFile>\n");
        file.commit();
    }

private:
    std::string xml_;
    std::vector<std::span<const std::byte>> arrays_;
    std::uint64_t offset_ = 0;
};

template <class T>
std::vector<T> gathered(const std::vector<T>& values, const std::vector<std::int32_t>& points)
{
    std::vector<T> result;
    result.reserve(points.size());
    for (const std::int32_t point : points) result.push_back(values[static_cast<std::size_t>(point)]);
    return result;
}

void write_vtu(const ExportJob& job, const ExportBody& all, const Cells& cells, const Frame& frame,
               const std::string& path)
{
    const std::vector<Vec3> x = gathered(frame.x, all.points), v = gathered(frame.v, all.points);
    const std::vector<std::string>& names = job.recording.header().topology.fields;
    std::vector<std::vector<double>> fields;
    for (const std::vector<double>& field : frame.fields)
        fields.push_back(field.empty() ? std::vector<double>() : gathered(field, all.points));

    VtuFile file;
    file.text("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
              "byte_order=\"LittleEndian\" "
              "header_type=\"UInt64\">\n<UnstructuredGrid>\n<FieldData>\n");
    file.text("<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">");
    file.text(fmt::format("{}</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
                          frame.time, x.size(), cells.types.size()));
    file.text("<PointData Vectors=\"velocity\">\n");
    file.array("Float64", "velocity", 3, v);
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (!fields[i].empty()) file.array("Float64", names[i], 1, fields[i]);
    file.text("</PointData>\n<CellData Scalars=\"body\">\n");
    file.array("Int32", "body", 1, cells.bodies);
    file.text("</CellData>\n<Points>\n");
    file.array("Float64", "Points", 3, x);
    file.text("</Points>\n<Cells>\n");
    file.array("Int64", "connectivity", 1, cells.connectivity);
    file.array("Int64", "offsets", 1, cells.offsets);
    file.array("UInt8", "types", 1, cells.types);
    file.text("</Cells>\n</Piece>\n</UnstructuredGrid>\n");
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
                               xml_escaped(file_name(files[k]))));
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

}  // namespace

Exported export_vtu(const ExportJob& job)
{
    Exported exported{{sibling_path(job, ".pvd"), sibling_path(job, ".vtu.series")}, {}};
    for (const std::int64_t frame : job.frames) exported.files.push_back(numbered_path(job, frame, ".vtu"));
    check_may_write(exported.files, job.overwrite);

    const ExportBody all = joined_body(job.bodies);
    const Cells cells = cells_of(job.bodies);
    const std::span<const std::string> grids = std::span(exported.files).subspan(2);
    std::vector<double> times;
    for (std::size_t k = 0; k < job.frames.size(); ++k) {
        const Frame frame = job.recording.frame(job.frames[k]);
        times.push_back(frame.time);
        write_vtu(job, all, cells, frame, grids[k]);
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
