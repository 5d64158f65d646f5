// SPDX-License-Identifier: MIT
#include <pliant/record/vtu_output.h>

#include <fmt/format.h>

#include <pliant/base/markup.h>
#include <pliant/record/output_file.h>

namespace pliant {

void VtuOutput::begin(double time, std::size_t points, std::size_t cells)
{
    text("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
         "header_type=\"UInt64\">\n<UnstructuredGrid>\n<FieldData>\n");
    text("<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">");
    text(fmt::format("{}</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", time, points,
                     cells));
}

void VtuOutput::add(const std::string& type, const std::string& name, int components, std::span<const std::byte> bytes)
{
    text(fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
                     "offset=\"{}\"/>\n",
                     type, markup_text(name), components, offset_));
    arrays_.push_back(bytes);
    offset_ += sizeof(std::uint64_t) + bytes.size();
}

void VtuOutput::grid(const std::vector<Vec3>& points, const VtuCells& cells)
{
    text("<Points>\n");
    array("Float64", "Points", 3, points);
    text("</Points>\n<Cells>\n");
    add("Int64", "connectivity", 1, std::as_bytes(cells.connectivity));
    add("Int64", "offsets", 1, std::as_bytes(cells.offsets));
    add("UInt8", "types", 1, std::as_bytes(cells.types));
    text("</Cells>\n</Piece>\n</UnstructuredGrid>\n");
}

void VtuOutput::write(const std::string& path) const
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

}  // namespace pliant
