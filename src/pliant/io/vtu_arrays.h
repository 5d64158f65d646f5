// SPDX-License-Identifier: MIT
#pragma once

// The XML of a VTU file: its pieces and their data arrays, and the numbers in those. For vtu_tets.cpp.
// Reference: VTK file formats, kitware's page "VTK XML formats".
//
// Arrays stand in the text (format ascii, or binary: base64), or behind it in AppendedData (raw or base64). Binary
// arrays begin with their length in bytes, or, where VTKFile names a compressor, with the number of blocks, the size
// of a block, the size of the last one (0: full) and the compressed sizes. Lengths are UInt32 or UInt64.

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/io/tet_builder.h>

namespace pliant {

struct VtuArray {
    std::string section;    ///< Points, Cells, PointData, CellData
    std::string name;       ///< without XML escapes
    std::string type;       ///< Float64, Int32 …
    std::string format;     ///< ascii, binary, appended
    std::int64_t offset;    ///< in the appended data
    std::string_view text;  ///< what stands between the tags
    int line;               ///< of the tag
};

struct VtuPiece {
    std::int64_t points = 0, cells = 0;  ///< as promised
    int line = 0;
    std::vector<VtuArray> arrays;

    /// The array, or nullptr.
    const VtuArray* find(std::string_view section, std::string_view name) const;
};

struct VtuFile {
    std::vector<VtuPiece> pieces;
    std::string_view whole;     ///< the file, to count bytes from
    std::string_view appended;  ///< behind the underscore
    bool appended_base64 = false;
    bool zlib = false;
    int length_size = 4;  ///< bytes of lengths
    std::endian order = std::endian::little;
};

/// Pieces and arrays of the file. Tells what is no VTU file or cannot be read here; has no pieces then.
VtuFile scan_vtu(TetBuilder&, std::string_view bytes);

/// Numbers of an array with their places.
template <class T>
struct VtuNumbers {
    std::vector<T> values;
    std::vector<int> lines;        ///< of each number, in ascii
    std::int64_t first_byte = -1;  ///< in raw data
    std::int64_t stride = 0;       ///< bytes from one to the next, in raw data
    int line = 0;                  ///< of the array, otherwise
    bool ok = false;

    FilePlace place(std::size_t index, const char* kind, std::int64_t number) const
    {
        if (index < lines.size()) return {lines[index], -1, kind, number};
        if (first_byte < 0) return {line, -1, kind, number};
        return {0, first_byte + static_cast<std::int64_t>(index) * stride, kind, number};
    }
};

/// All numbers of the array; tells what cannot be read. Whole numbers from floating point ones must be whole.
VtuNumbers<double> vtu_reals(TetBuilder&, const VtuFile&, const VtuArray&);
VtuNumbers<std::int64_t> vtu_wholes(TetBuilder&, const VtuFile&, const VtuArray&);

}  // namespace pliant
