// SPDX-License-Identifier: MIT
#pragma once

// Where surfaces cross each other, as contours, and which side of a contour is the wrong one.
//
// An edge through a face is a point of the contour along which two surfaces cross. Two points are neighbours when both are of
// one pair of crossing faces, so that contours are the connected sets of points. A contour runs over two branches of
// surface, of two bodies or of one. On each branch it has two sides; both are flooded from the contour outwards, as far as
// the edges go, and the side that ends first is the wrong one: a tip that was poked through, a strip, a cap. It need not be cut off
// by the contour: what is nearer to one side of it belongs to that side. How far the flood came is the depth of the piece.
// Not here: exact decisions (audit/), moving anything (untangle.h).
// Symbols: x positions [m]; P point of the edge in the face, n unit normal of the face, R sum of the unit directions in which the
// contour leaves P over the faces of the edge.
// Reference: D. Baraff, A. Witkin, M. Kass, Untangling cloth, ACM TOG 22 (2003) 862-870, whose floods stop at closed contours.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/audit/intersections.h>
#include <pliant/base/types.h>
#include <pliant/mesh/topology.h>

namespace pliant {

/// An edge through a face: how they lie, and what is wrong about it.
struct Crossing {
    Edge edge{};
    std::int32_t face = 0;  ///< into AuditSurfaces::faces
    std::int32_t contour = 0;
    double along = 0;                ///< share of the way from the first end to P
    std::array<double, 3> weight{};  ///< of the corners: sum weight x = P; none negative
    Vec3 normal;                     ///< n; zero for a face without area
    Vec3 leaves;                     ///< R
    bool is_flat = false;            ///< the edge lies in the plane of the face, or as good as
    std::int32_t upper_end = 0;      ///< 0 or 1: the end that n points to
    std::int32_t wrong_end = -1;     ///< 0 or 1: that end is of a wrong piece; -1 where none of the two is
};

/// A side of a contour that is to go back to where the other is.
struct WrongPiece {
    std::int32_t contour = 0;
    double depth = 0;                    ///< [m] along edges, from the contour to its farthest vertex
    std::vector<std::int32_t> vertices;  ///< from the contour outwards
};

class CrossingContours {
public:
    /// The surfaces must outlive it; lengths are taken at x.
    CrossingContours(const AuditSurfaces& surfaces, std::span<const Vec3> x);

    /// Replaces what the last call left by what belongs to these intersections at x.
    void sort_out(std::span<const EdgeThroughFace> found, std::span<const Vec3> x);

    /// Index for index with what was given.
    std::span<const Crossing> crossings() const { return crossings_; }
    /// Of the branches of each contour the shallower, or both where they are about as deep; in the order of contours.
    std::span<const WrongPiece> pieces() const { return pieces_; }
    /// Size of a contour without a wrong piece: edges run through each other's faces, but no vertex is beyond [m]; else 0.
    double open_size(std::int32_t contour) const { return open_size_[contour]; }

    /// Part of the surfaces that a point belongs to: connected by edges.
    std::int32_t component(std::int32_t point) const { return component_[point]; }

private:
    struct Way {
        std::int32_t to, edge;
    };
    /// Where a flood is to go on.
    struct Front {
        double distance;
        std::int32_t point, side;
    };
    /// A set of crossings of one contour and one branch.
    struct Branch {
        std::int32_t contour;
        std::vector<std::int32_t> members;  // by edges, and along them
    };

    static constexpr std::int32_t kNoSides = -1, kDeeper = -2;
    struct WrongEnd {
        std::int32_t crossing, end;
    };
    struct Verdict {
        std::int32_t side = kNoSides;  // the wrong one
        WrongPiece piece{};
        std::vector<WrongEnd> wrong_ends{};
    };

    void list_ways(std::span<const Vec3> x);
    void number_components();
    std::int32_t edge_number(const Edge& edge) const;
    void place(Crossing& crossing, std::span<const Vec3> x) const;
    Vec3 leaving(const Crossing& crossing, std::int32_t edge, std::span<const Vec3> x) const;
    void join_contours();
    double size_of(std::span<const Branch> both, std::span<const Vec3> x) const;
    void start_flood(const Branch& branch);
    static bool comes_later(const Front& a, const Front& b);
    void push_front(const Front& front);
    std::int32_t flood(double limit);
    Verdict verdict_on(const Branch& branch, double limit);
    void judge(std::span<const Branch> both);

    const AuditSurfaces* surfaces_;
    std::vector<std::int32_t> by_ends_;    // edges sorted by their ends
    IndexRows edge_faces_;                 // #edges: its faces
    std::vector<std::size_t> way_begin_;   // #points + 1
    std::vector<Way> ways_;                // along edges
    std::vector<double> lengths_;          // #edges [m]
    double mean_length_ = 0;               // of edges [m]
    std::vector<std::int32_t> component_;  // #points

    std::vector<Crossing> crossings_;
    std::vector<std::int32_t> number_;  // #crossings: edge
    std::vector<Branch> branches_;      // two a contour
    std::vector<WrongPiece> pieces_;
    std::vector<double> open_size_;  // #contours [m]

    // Of a flood; points and edges are not reset but at the next one.
    std::vector<std::int8_t> side_;     // #points: 0 or 1, -1 where it has not been
    std::vector<std::uint8_t> is_cut_;  // #edges
    std::vector<Front> fronts_;         // a heap
    std::array<std::size_t, 2> open_{};
    std::array<double, 2> depth_{};
    std::array<std::vector<std::int32_t>, 2> reached_;
    std::vector<std::int32_t> cut_edges_;
};

}  // namespace pliant
