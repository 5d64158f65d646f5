// SPDX-License-Identifier: MIT
#pragma once

// Bodies of tetrahedra in one index space, at rest or moving over a step, for tests of contact.

#include <cstdint>
#include <vector>

#include <pliant/contact/gap_roots.h>
#include <pliant/contact/surface_pairs.h>
#include <pliant/mesh/tet_mesh.h>
#include <pliant/mesh/tet_topology.h>

namespace pliant::test {

struct Bodies {
    std::vector<Vec3> x;
    std::vector<Triangle> faces;
    std::vector<std::int32_t> face_body;
    std::vector<Tet> tets;

    void add(const TetMesh& mesh, std::int32_t body, const Vec3& shift = {}, const Mat3& turn = identity3<double>())
    {
        const auto first = static_cast<std::int32_t>(x.size());
        for (Triangle face : boundary_faces(mesh.tets, mesh.vertices.size())) {
            for (std::int32_t& node : face) node += first;
            faces.push_back(face), face_body.push_back(body);
        }
        for (Tet tet : mesh.tets) {
            for (std::int32_t& node : tet) node += first;
            tets.push_back(tet);
        }
        for (const Vec3& vertex : mesh.vertices) x.push_back(turn * vertex + shift);
    }
    CollisionSurface surface(EdgeBack back = EdgeBack::owning_tet) const
    {
        return collision_surface(faces, face_body, tets, x.size(), back);
    }
};

/// Bodies that begin a step at x.
struct MovingBodies : Bodies {
    std::vector<Vec3> v0, x1, v1;
    double h = 1;
    PathKind path = PathKind::hermite;

    void add(const TetMesh& mesh, std::int32_t body, const Vec3& shift = {})
    {
        Bodies::add(mesh, body, shift);
        x1 = x;
        v0.resize(x.size()), v1.resize(x.size());
    }
    void add_node(const Vec3& at)
    {
        x.push_back(at), x1.push_back(at);
        v0.emplace_back(), v1.emplace_back();
    }
    /// Uniform motion of some nodes.
    void set_velocity(std::size_t begin, std::size_t end, const Vec3& v)
    {
        for (std::size_t i = begin; i < end; ++i) v0[i] = v1[i] = v, x1[i] = x[i] + v * h;
    }
    StepMotion motion() const { return {x, v0, x1, v1, h, path}; }
};

}  // namespace pliant::test
