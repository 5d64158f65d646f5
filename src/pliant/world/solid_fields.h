// SPDX-License-Identifier: MIT
#pragma once

// Stress and strain of elastic solids: per tetrahedron, and as fields over the points that are recorded.
//
// sigma = P F^T / J is the Cauchy stress, force per area as it is now, and E = (F^T F - 1)/2 Green's strain. Viscous
// stress is left out: what is told depends on positions and material only. A tetrahedron has the mean over its
// integration points. A point has the mean of the tetrahedra round it, weighted by rest volume, each taken at that
// point: constant in linear elements, extrapolated linearly from the integration points in quadratic ones. Tensors are
// averaged, scalars made of them afterwards.
// Fields: "stress" is the von Mises stress [Pa], "strain" the magnitude of the principal strain that is farthest from
// zero [1]. Points of other bodies have zero.
// Symbols: F deformation gradient, P first Piola-Kirchhoff stress [Pa], J = det F.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <pliant/model/model.h>
#include <pliant/model/state.h>

namespace pliant {

/// A symmetric tensor: xx yy zz xy yz xz, which is the order of VTK.
using SymmetricTensor = std::array<double, 6>;

double von_mises(const SymmetricTensor& stress);

/// The eigenvalue that is farthest from zero, as a magnitude.
double largest_principal(const SymmetricTensor& tensor);

struct TetFields {
    SymmetricTensor cauchy_stress{};  ///< [Pa]
    SymmetricTensor green_strain{};   ///< [1]
};

/// The nodes of all tetrahedra of a term, in global points: corners, then mid-edge nodes in the order of QuadraticTet,
/// which is that of VTK. Empty when the term is no solid.
struct SolidTets {
    int nodes_per_tet = 0;  ///< 4 or 10
    std::vector<std::int32_t> nodes;

    std::size_t count() const { return nodes.empty() ? 0 : nodes.size() / static_cast<std::size_t>(nodes_per_tet); }
};

SolidTets solid_tets(const Model& model, std::size_t term);

/// Whether the solid's stress depends on more than positions and live parameters: on what its elements remember.
bool remembers_its_past(const Model& model, std::size_t term);

/// Index for index with solid_tets(); empty when the term is no solid.
std::vector<TetFields> tet_fields(const Model& model, const State& state, std::size_t term);

/// Names of the fields of solid_fields(); none when the model has no solid.
std::vector<std::string> solid_field_names(const Model& model);

/// Values per point, index for index with solid_field_names().
std::vector<std::vector<double>> solid_fields(const Model& model, const State& state);

}  // namespace pliant
