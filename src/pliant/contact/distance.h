// SPDX-License-Identifier: MIT
#pragma once

// How far a vertex is from a face, and an edge from an edge: the nearest points and the vector between them.
//
// The nearest points are weights of the four points of a pair. Points of an edge are (1 - s) x_first + s x_second
// everywhere (W-01). Every case has an answer: faces without area, edges without length, parallel edges (the middle of
// where they run side by side), points on each other. Nothing is divided by a determinant that is rounding only.
// Symbols: p vertex, a b c corners; a0 a1, b0 b1 ends of edges [m]; s, t shares along the edges.
// References: seeds/001 sections 3.6 and 3.7, corrections W-01, W-13, W-14; C. Ericson, Real-Time Collision Detection
// (2005), 5.1.

#include <array>

#include <pliant/base/types.h>
#include <pliant/contact/surface_pairs.h>

namespace pliant {

struct PairDistance {
    /// Of the four points; positive for the first element, negative for the second, so sum weight_i x_i = apart.
    /// A weight of a point that does not matter, since the nearest point lies on the border, is exactly zero.
    std::array<double, 4> weight{};
    Vec3 apart;            ///< from the nearest point of the second element to that of the first [m]
    double distance2 = 0;  ///< |apart|^2 [m^2]
    /// The nearest points lie inside both elements. Otherwise one is on a border, where other pairs see them too: a
    /// response that adds up forces over pairs counts each such place once.
    bool interior = false;
};

PairDistance vertex_face_distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);
PairDistance edge_edge_distance(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);

/// Of the four points of a pair, in the order of pair_nodes().
PairDistance pair_distance(PairKind kind, const std::array<Vec3, 4>& x);

}  // namespace pliant
