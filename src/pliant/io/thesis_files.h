// SPDX-License-Identifier: MIT
#pragma once

// The seven text formats of the system of 1997 (seed 002, E-117 to E-123), numbers as its programs had them: CGS units.
//
//   .st state        vertices = n, t = seconds; i: px py pz vx vy vz       several states may follow one another
//   .tp topology     tetrahedrons = m; i : a11 a12 a13 a21 … a33 / p1 p2 p3 p4 / ρ α β η1 η2    on three lines
//   .tx textures     textures = n; ambient, diffuse, specular, transmitted RGB, index of refraction, Phong exponent
//   .su surface      faces = n; a b c texture μ1 μ2 e
//   .co constraints  constraints = n; vertex
//   .li lights       lights = n; x y z w R G B
//   .en energies     states = s; t K P G W
//
// A file begins with "begin TYPE (format of yy-mm-dd)" and ends with "end TYPE". All numbering starts at 0.
// Where the dossier is silent, we chose:
//   * the words behind the type are kept as they stand, since the thesis itself places the parenthesis differently;
//     files of our own carry kThesisFormat, whose date is that of the defence;
//   * blank lines may stand anywhere, '=' and ':' need no blanks round them, header fields come in any order;
//   * a line holds one record (or one of the three lines of a tetrahedron) and nothing else;
//   * .st and .tp records must be numbered 0, 1, 2 … in order;
//   * coefficients of .su must lie in 0 to 1 (E-100), rest matrices must have a positive determinant (E-08).
// Written numbers are the shortest that read back to the same bits, so files written here are read and written again
// byte for byte, and files of other origin keep their values.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/base/error.h>
#include <pliant/io/tet_file.h>

namespace pliant {

inline constexpr const char* kThesisFormat = "(format of 97-03-14)";

struct ThesisVertex {
    Vec3 position;  ///< cm
    Vec3 velocity;  ///< cm/s
};
struct ThesisState {
    std::string format = kThesisFormat;
    double t = 0;  ///< s
    std::vector<ThesisVertex> vertices;
};
struct ThesisStates {
    std::vector<ThesisState> states;
};

struct ThesisTet {
    Mat3 rest;                  ///< A: columns p2 - p1, p3 - p1, p4 - p1 at rest, cm
    Tet corners{};              ///< vertices of the .st file
    double density = 0;         ///< ρ, g/cm³
    double bulk = 0;            ///< α, dyn/cm²
    double shear = 0;           ///< β, dyn/cm²
    double volume_damping = 0;  ///< η1, poise (the thesis prints joule/s, W-09)
    double shape_damping = 0;   ///< η2, poise
};
struct ThesisTopology {
    std::string format = kThesisFormat;
    std::vector<ThesisTet> tets;
};

struct ThesisTexture {
    Vec3 ambient, diffuse, specular, transmitted;  ///< red, green, blue
    double refraction = 1;                         ///< index
    double phong = 1;                              ///< exponent
};
struct ThesisTextures {
    std::string format = kThesisFormat;
    std::vector<ThesisTexture> textures;
};

struct ThesisFace {
    Triangle corners{};        ///< counter-clockwise seen from outside
    std::int32_t texture = 0;  ///< number in the .tx file
    double static_friction = 0, dynamic_friction = 0, restitution = 0;
};
struct ThesisSurface {
    std::string format = kThesisFormat;
    std::vector<ThesisFace> faces;
};

struct ThesisConstraints {
    std::string format = kThesisFormat;
    std::vector<std::int32_t> fixed;  ///< vertices
};

struct ThesisLight {
    std::array<double, 4> position{};  ///< homogeneous; w = 0 is a direction
    Vec3 colour;
};
struct ThesisLights {
    std::string format = kThesisFormat;
    std::vector<ThesisLight> lights;
};

struct ThesisEnergy {
    double t = 0;                                        ///< s
    double kinetic = 0, elastic = 0, gravitational = 0;  ///< K, P, G, erg
    double dissipated_power = 0;                         ///< W, erg/s
};
struct ThesisEnergies {
    std::string format = kThesisFormat;
    std::vector<ThesisEnergy> states;
};

template <class File>
struct ThesisRead {
    File file;                      ///< empty when there are problems
    std::vector<Problem> problems;  ///< all that makes the file unusable

    bool ok() const { return problems.empty(); }
};

/// The file in memory as one of the seven: ThesisStates, ThesisTopology … Never throws; file_name is only used in
/// messages.
template <class File>
ThesisRead<File> read_thesis(std::string_view bytes, const std::string& file_name);

/// The file at `path`; throws Error with all problems.
template <class File>
File load_thesis(const std::string& path);

template <class File>
std::string thesis_text(const File& file);

/// Writes the file over what was there. Throws Error: bad_input when a number is not finite, cannot_access when the
/// disk refuses.
template <class File>
void write_thesis(const std::string& path, const File& file);

/// The volume mesh of a body in its state: the region of a tetrahedron is its material, numbered from 1 in the order of
/// appearance (none when all are of one material), the group "fixed" the constraints. File names are for messages.
TetRead tets_from_thesis(const ThesisTopology&, const ThesisState&, const ThesisConstraints&,
                         const std::string& file_name);

}  // namespace pliant
