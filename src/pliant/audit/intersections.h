// SPDX-License-Identifier: MIT
#pragma once

// What cuts what in one frame: every edge that meets a face, every vertex behind a plane. An independent judge of contact.
//
// What counts as an intersection:
//   * an edge and a face, of one body or of two, that have no vertex in common and at least one point (edge_face.h): crossing,
//     touching with an end, a side or a corner, overlapping in one plane; decided exactly for the doubles given;
//   * a vertex strictly behind a plane, n . (x - p) < 0, decided exactly; a vertex on the plane is on its free side.
// Each pair counts once. So two faces that cross are two intersections, and a vertex on a face is as many as it has edges.
// Edges are those of the faces; a body without faces (a rope) has its lines. Two things that are both fixed are not compared: where
// they stand is written in the scene, no step decides it.
//
// Lives here: the judge alone, and it shares no geometry with what it judges: only base and mesh (index work) are seen from this
// room. Units: x [m].

#include <array>
#include <span>
#include <vector>

#include <pliant/audit/face_tree.h>
#include <pliant/base/parallel.h>
#include <pliant/base/types.h>

namespace pliant {

/// One body, its faces and lines in global points.
struct AuditBody {
    std::int32_t first_point = 0, point_count = 0;
    std::span<const Triangle> faces;
    std::span<const Edge> lines;  ///< its edges where it has no faces
    bool is_fixed = false;
};

/// All bodies of a scene, in one index space of points.
struct AuditSurfaces {
    struct Points {
        std::int32_t first, count;
    };
    std::vector<Triangle> faces;           ///< body after body
    std::vector<std::int32_t> face_body;   ///< index for index with faces
    std::vector<Edge> edges;               ///< each once, body after body, lower vertex first
    std::vector<std::int32_t> edge_body;   ///< index for index with edges
    std::vector<Points> points;            ///< #bodies
    std::vector<std::uint8_t> fixed_body;  ///< #bodies: 1 where nothing moves it but the scene

    void add(const AuditBody& body);
};

/// The space n . (x - point) < 0 is solid.
struct AuditPlane {
    std::int32_t body = 0;
    Vec3 point, normal;
};

struct EdgeThroughFace {
    std::int32_t body_a = 0;
    Edge edge{};
    std::int32_t body_b = 0;
    std::int32_t face = 0;  ///< into AuditSurfaces::faces

    friend bool operator==(const EdgeThroughFace&, const EdgeThroughFace&) = default;
};

struct VertexThroughPlane {
    std::int32_t body = 0, vertex = 0;
    std::int32_t plane_body = 0;

    friend bool operator==(const VertexThroughPlane&, const VertexThroughPlane&) = default;
};

struct Intersections {
    std::vector<EdgeThroughFace> edges;        ///< in the order of edges, then faces
    std::vector<VertexThroughPlane> vertices;  ///< in the order of planes, then vertices

    std::size_t count() const { return edges.size() + vertices.size(); }
};

/// Finds them; keeps its memory from frame to frame. The same for any number of threads.
class IntersectionSearch {
public:
    /// The surfaces must outlive the search.
    explicit IntersectionSearch(const AuditSurfaces& surfaces) : surfaces_(&surfaces) {}

    /// False, and nothing found, where a point or a plane is not finite: then nothing can be said.
    bool find(Intersections& found, std::span<const Vec3> x, std::span<const AuditPlane> planes = {});

private:
    void look_at_edge(std::vector<EdgeThroughFace>& found, std::size_t edge, std::span<const Vec3> x) const;

    const AuditSurfaces* surfaces_;
    FaceTree tree_;
    std::array<std::vector<EdgeThroughFace>, kMaxChunks> of_chunk_;
};

}  // namespace pliant
