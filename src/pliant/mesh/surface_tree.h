// SPDX-License-Identifier: MIT
#pragma once

// How far a point is from a triangle surface, and whether it lies inside: a tree of boxes over triangles.
//
// Distances are exact. The winding number w (how often the surface goes round a point: 1 inside, 0 outside
// for a closed outward surface) is a sum of solid angles; far parts of the surface act as one dipole, which
// leaves errors of a few hundredths, harmless where a whole number is asked for. Both take logarithmic time, and
// may be asked by several threads at once.
// Symbols: n area vectors [m^2], w [1]. References: A. Van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30
// (1983) 125-126 (solid angle); G. Barill et al., Fast winding numbers, ACM Trans. Graph. 37 (2018) 43.

#include <limits>
#include <vector>

#include <pliant/mesh/tri_mesh.h>

namespace pliant {

class SurfaceTree {
public:
    /// Triangles must name vertices that exist (asserted); the tree keeps copies of their corners.
    explicit SurfaceTree(const TriMesh& surface);

    bool is_empty() const { return corners_.empty(); }

    struct Nearest {
        double distance = std::numeric_limits<double>::infinity();  ///< [m]
        Vec3 point;                                                 ///< on the surface
    };

    /// The nearest point of the surface within `reach`; an infinite distance when there is none.
    Nearest nearest(const Vec3& point, double reach = std::numeric_limits<double>::infinity()) const;

    double winding_number(const Vec3& point) const;

    /// Does a closed surface, whichever way it faces, go round the point?
    bool encloses(const Vec3& point) const { return std::abs(winding_number(point)) > 0.5; }

private:
    struct Node {
        Vec3 lowest, highest;     // box around the triangles
        Vec3 middle;              // mean of the triangles, weighted by area
        Vec3 area;                // sum of area vectors
        double radius = 0;        // no corner is farther from the middle
        std::int32_t begin = 0;   // triangles of this node
        std::int32_t end = 0;     //
        std::int32_t right = -1;  // second child; the first is the next node; -1 for a leaf
    };
    using Corners = std::array<Vec3, 3>;

    std::int32_t build(std::int32_t begin, std::int32_t end);
    void measure(Node& node) const;

    std::vector<Corners> corners_;
    std::vector<Node> nodes_;
};

/// The point of triangle a b c nearest to p.
Vec3 nearest_point_of_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace pliant
