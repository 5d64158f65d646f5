// SPDX-License-Identifier: MIT
#pragma once

// A VTU file in the making: an unstructured grid with arrays in appended raw binary, before each its length as UInt64.
// For this room only. The XML part names arrays by their offset in the appended part, which follows in the same order.
// Reference: VTK file formats, kitware's page "VTK XML formats".

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/base/types.h>

namespace pliant {

inline constexpr std::uint8_t kVtkLine = 3, kVtkTriangle = 5, kVtkTetra = 10, kVtkHexahedron = 12,
                              kVtkQuadraticTetra = 24;

/// Cells by their points; offsets are where each ends in connectivity.
struct VtuCells {
    std::span<const std::int64_t> connectivity, offsets;
    std::span<const std::uint8_t> types;
};

/// Arrays are not copied: they must outlive write().
class VtuOutput {
public:
    /// Up to where PointData and CellData belong.
    void begin(double time, std::size_t points, std::size_t cells);
    void text(std::string_view xml) { xml_ += xml; }

    template <class T>
    void array(const std::string& type, const std::string& name, int components, const std::vector<T>& values)
    {
        add(type, name, components, std::as_bytes(std::span<const T>(values)));
    }

    /// Points and cells, and the end of the grid.
    void grid(const std::vector<Vec3>& points, const VtuCells& cells);
    void write(const std::string& path) const;

private:
    void add(const std::string& type, const std::string& name, int components, std::span<const std::byte> bytes);

    std::string xml_;
    std::vector<std::span<const std::byte>> arrays_;
    std::uint64_t offset_ = 0;
};

}  // namespace pliant
