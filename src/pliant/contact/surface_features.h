// SPDX-License-Identifier: MIT
#pragma once

// Which face owns which vertex and edge, and the pairs of elements that two faces have to offer.
//
// Each vertex and each edge belongs to the lowest-numbered of its faces. Two faces offer the pairs of an owned
// vertex with the other face and of owned edges with each other, so over all pairs of faces every pair of elements
// comes once ("shared tests done once", seeds/001). Two elements that meet lie in the boxes of their owners, whose
// pair a search over faces therefore finds. A face owns one vertex in two and three edges in two on average.
//
// Most faces whose boxes overlap are neighbours in the mesh (on a flat sheet three of four). What neighbours have to
// offer never changes, so it is listed once and gone through without a search. Neighbours are faces that share
// a joint, that is a vertex with no more than kLargestFan faces: lists grow with the square of a fan.
// References: seeds/001 C-29, C-34; evidence-contact-solver sections 1, 4.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/contact/moving_box.h>
#include <pliant/contact/pair_search.h>
#include <pliant/contact/surface_pairs.h>
#include <pliant/mesh/topology.h>

namespace pliant {

/// The elements of one face as places in the lists of the surface. Edge c runs from corner c to corner c + 1.
struct FaceElements {
    std::array<std::int32_t, 3> vertex{};
    std::array<std::int32_t, 3> edge{};
    std::array<std::int32_t, 3> joint{};  ///< vertex[c] if it is a joint, a negative number of its own otherwise
    std::int32_t body = 0;
    std::uint8_t owned_vertices = 0;  ///< bit c: this face owns vertex[c]
    std::uint8_t owned_edges = 0;     ///< bit c: this face owns edge[c]

    bool has_vertex(std::int32_t v) const { return vertex[0] == v || vertex[1] == v || vertex[2] == v; }
    bool is_neighbour(const FaceElements& other) const
    {
        // Counted, not asked one by one: nine guesses would be wrong too often.
        int shared = 0;
        for (const std::int32_t v : joint)
            for (const std::int32_t w : other.joint) shared += v == w ? 1 : 0;
        return shared != 0;
    }
};

/// Vertices with more faces are no joints.
inline constexpr std::size_t kLargestFan = 32;

/// Owners of all elements, and the boxes of the vertices over a step. Keeps nothing of the surface.
class SurfaceFeatures {
public:
    explicit SurfaceFeatures(const CollisionSurface& surface);

    std::size_t face_count() const { return faces_.size(); }
    const FaceElements& face(std::int32_t f) const { return faces_[static_cast<std::size_t>(f)]; }
    /// Point of each vertex, as CollisionSurface::vertices.
    std::span<const std::int32_t> nodes() const { return nodes_; }

    /// One more than the highest number of a body; there may be gaps.
    std::int32_t body_count() const { return body_count_; }

    /// Makes the boxes of the vertices. All boxes below are of the last call.
    void take_motion(std::span<const Vec3> x0, std::span<const Vec3> x1);

    const MovingBox& vertex_box(std::int32_t v) const { return boxes_[static_cast<std::size_t>(v)]; }
    MovingBox face_box(std::int32_t f) const
    {
        const FaceElements& e = face(f);
        return united(united(vertex_box(e.vertex[0]), vertex_box(e.vertex[1])), vertex_box(e.vertex[2]));
    }

    /// Appends what faces f and g, which are no neighbours, have to offer. Boxes are those of the faces, the reach is that
    /// of the pair as rounded_reach() gives it.
    void offer(std::vector<SurfacePair>& pairs, std::int32_t f, const MovingBox& f_box, std::int32_t g,
               const MovingBox& g_box, float reach) const;

    /// Lists what neighbours have to offer in the bodies whose pairs count; bodies that were listed stay so.
    void list_neighbours(const PairSearch& search);

    /// Parts of the lists of neighbours that can be gone through in parallel.
    std::size_t neighbour_part_count(const PairSearch& search) const;

    /// Appends the pairs of neighbours in one part.
    void offer_neighbours(std::vector<SurfacePair>& pairs, std::size_t part, const PairSearch& search) const;

    /// Stops the program unless the spans fit the surface: a mistake of the caller.
    void check(const PairSearch& search) const;

private:
    /// What neighbours in one body have to offer, as places: vertex and face, edge and edge.
    struct Neighbours {
        std::vector<std::array<std::int32_t, 2>> vertex_face, edge_edge;
        bool is_listed = false;
    };

    void own_elements(const CollisionSurface& surface);
    void mark_joints();
    void list_neighbours_of(std::int32_t f);
    void list_pair(Neighbours& lists, std::int32_t f, std::int32_t g) const;
    MovingBox edge_box(std::int32_t e) const
    {
        const Edge& ends = edges_[static_cast<std::size_t>(e)];
        return united(vertex_box(ends[0]), vertex_box(ends[1]));
    }

    std::vector<FaceElements> faces_;
    std::vector<std::int32_t> nodes_;     // #vertices: as CollisionSurface::vertices
    std::vector<Edge> edges_;             // #edges: places of its vertices
    std::vector<MovingBox> boxes_;        // #vertices
    IndexRows fans_;                      // #vertices: its faces
    std::vector<Neighbours> neighbours_;  // #bodies
    std::size_t node_count_ = 0;
    std::int32_t body_count_ = 0;
};

}  // namespace pliant
