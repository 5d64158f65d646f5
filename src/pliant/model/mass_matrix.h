// SPDX-License-Identifier: MIT
#pragma once

// Consistent mass: kinetic energy 1/2 v . M v of elements whose inside moves with their shape functions, instead of
// masses gathered at the nodes (E-13). One number per pair of nodes, since every direction has the same inertia.
//
// Linear tetrahedra: m/10 on the diagonal, m/20 between corners. Quadratic ones: the integrals of products of
// their shape functions, m/420 times small whole numbers. Rows of nodes without such elements have their lumped mass alone.
// Symbols: M [kg], v [m/s], f [N], D lumped masses [kg].
// Reference: seed 002, section 3.3; Zienkiewicz and Taylor, The Finite Element Method.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/base/types.h>

namespace pliant {

/// Whole symmetric matrix in compressed rows, columns ascending.
struct MassMatrix {
    std::vector<std::int64_t> row_start;  ///< #free vertices + 1, or empty: all masses are lumped
    std::vector<std::int32_t> column;
    std::vector<double> value;
    std::vector<double> row_sum;  ///< [kg] what each node weighs; of quadratic elements' corners negative
    double least_share = 1;       ///< [1] smallest eigenvalue of D^-1 M over all elements: bounds explicit steps

    bool empty() const { return row_start.empty(); }
    std::int32_t row_count() const { return static_cast<std::int32_t>(row_start.size()) - 1; }
};

/// Collects elements, then makes the matrix.
class MassMatrixBuilder {
public:
    void add_linear_tet(const std::array<std::int32_t, 4>& nodes, double mass);
    void add_quadratic_tet(const std::array<std::int32_t, 10>& nodes, double mass);
    bool empty() const { return entries_.empty(); }

    /// Rows that no element reached get lumped[row].
    MassMatrix matrix(std::span<const double> lumped) const;

private:
    struct Entry {
        std::int32_t row = 0, column = 0;
        double value = 0;
    };
    std::vector<Entry> entries_;
    double least_share_ = 1;
};

/// out = M v.
void multiply(std::span<Vec3> out, const MassMatrix& M, std::span<const Vec3> v);

/// 1/2 v . M v over the rows first … first + count, whose columns stay within them [J].
double kinetic_energy(const MassMatrix& M, std::span<const Vec3> v, std::int32_t first, std::int32_t count);

/// Sum of M v over these rows [kg m/s].
Vec3 momentum(const MassMatrix& M, std::span<const Vec3> v, std::int32_t first, std::int32_t count);

/// Working memory of solve_mass, #free vertices each.
struct MassSolve {
    std::vector<Vec3> r, p, q;
};

/// Turns forces into accelerations in place, M a = f without the held coordinates (bits x y z per node), by conjugate
/// gradients to the last digits: D^-1 M has condition 5 (linear) to 18 (quadratic), whatever the mesh.
void solve_mass(std::span<Vec3> force, const MassMatrix& M, std::span<const std::uint8_t> held, MassSolve& memory);

}  // namespace pliant
