// SPDX-License-Identifier: MIT
#pragma once

// The header of a PLY file: which elements follow, how many, with which properties.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/io/mesh_builder.h>

namespace pliant {

enum class PlyEncoding { ascii, binary_little_endian, binary_big_endian };

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
std::size_t size_of(PlyType);

struct PlyProperty {
    std::string name;
    PlyType type = PlyType::float64;
    std::optional<PlyType> count_type;  ///< of a list
};

struct PlyElement {
    std::string name;
    std::int64_t count = 0;
    std::vector<PlyProperty> properties;

    /// Index of the property of that name, or -1.
    int find(std::string_view property) const;
};

struct PlyHeader {
    PlyEncoding encoding = PlyEncoding::ascii;
    std::vector<PlyElement> elements;
    std::size_t body_offset = 0;  ///< byte at which the elements start
    int body_line = 0;            ///< its line, for ascii

    const PlyElement* find(std::string_view element) const;
};

/// Nothing after telling the problem.
std::optional<PlyHeader> read_ply_header(MeshBuilder&, std::string_view bytes);

}  // namespace pliant
