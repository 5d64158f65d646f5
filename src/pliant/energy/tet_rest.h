// SPDX-License-Identifier: MIT
#pragma once

// Rest geometry of tetrahedra, linear (4 nodes) and quadratic with straight sides (10 nodes).
//
// Either kind is described by the gradients b_i of its four corner weights L_i and its volume; b comes from rest
// positions or from a rest matrix of the element's own (columns: edges from corner 0 to corners 1, 2, 3), so rest
// shapes of neighbours need not fit and a body can be pre-stressed (E-05).
// An element's material is the body's live material times factors kept here, so one live number (Young's
// modulus) still turns the whole body, and bodies of one material keep ones. Factors are of bulk and shear modulus,
// which are never zero, unlike Lame's lambda. A body of many materials takes the largest of each number over its
// elements as the live value, and fractions of it here.
// Symbols: b [1/m], volume [m^3], L_i corner weights (barycentric coordinates), A rest matrix [m].

#include <array>

#include <pliant/base/types.h>

namespace pliant {

template <class S>
struct TetRest {
    Vec3T<S> b[4];          ///< [1/m] gradients of the corner weights; their sum is zero
    S volume{};             ///< [m^3]
    S bulk{1.0};            ///< [1] this element's bulk modulus over the body's
    S shear{1.0};           ///< [1] the same for the shear modulus
    S bulk_viscosity{1.0};  ///< [1] the same for the viscosities
    S shear_viscosity{1.0};
};

/// Rest state of the tetrahedron whose edges from corner 0 are the columns of A. Its determinant, six times
/// the volume, must be positive: tet_quality names the tetrahedra where it is not.
inline TetRest<double> tet_rest(const Mat3& A)
{
    const Mat3 inv = inverse(A);
    TetRest<double> rest;
    for (int i = 0; i < 3; ++i) rest.b[i + 1] = {inv.m[i][0], inv.m[i][1], inv.m[i][2]};
    rest.b[0] = -(rest.b[1] + rest.b[2] + rest.b[3]);
    rest.volume = determinant(A) / 6;
    return rest;
}

/// Rest state of the tetrahedron with these corners.
inline TetRest<double> tet_rest(const std::array<Vec3, 4>& X)
{
    return tet_rest(from_columns(X[1] - X[0], X[2] - X[0], X[3] - X[0]));
}

/// Four nodes, one strain per element.
struct LinearTet {
    static constexpr int nodes = 4, points = 1;

    /// Gradient of the shape function of a node at an integration point [1/m].
    template <class S>
    static Vec3T<S> gradient(const Vec3T<S> (&b)[4], int, int node)
    {
        return b[node];
    }
};

/// Ten nodes: corners, then the middles of the edges in the order of kEdges. Four integration points of equal
/// weight, exact for the quadratic strain energy of straight-sided elements.
struct QuadraticTet {
    static constexpr int nodes = 10, points = 4;
    static constexpr int kEdges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};

    /// Corner weight L_i at an integration point: (5 + 3 sqrt 5)/20 at its own corner, (5 - sqrt 5)/20 at the others.
    static constexpr double weight(int point, int corner)
    {
        return point == corner ? 0.58541019662496852 : 0.13819660112501050;
    }

    // Shape functions L_i (2 L_i - 1) of corners and 4 L_i L_j of edges.
    template <class S>
    static Vec3T<S> gradient(const Vec3T<S> (&b)[4], int point, int node)
    {
        if (node < 4) return b[node] * S(4 * weight(point, node) - 1);
        const auto& [i, j] = kEdges[node - 4];
        return b[j] * S(4 * weight(point, i)) + b[i] * S(4 * weight(point, j));
    }
};

}  // namespace pliant
