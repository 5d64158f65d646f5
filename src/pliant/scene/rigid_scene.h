// SPDX-License-Identifier: MIT
#pragma once

// Shapes of rigid things and the paths they are carried along, as a scene writes them.

#include <optional>
#include <vector>

#include <pliant/base/describe.h>
#include <pliant/rigid/path.h>
#include <pliant/scene/mesh_source.h>

namespace pliant {

/// One shape by the key that is given; a mesh has its key where the shape is used.
struct RigidShapeScene {
    double sphere = 0;
    std::vector<double> box, capsule, cylinder;
    std::optional<MeshSource> hull;
    std::int32_t facets = 0;
    bool facets_outside = false;
};

template <class V>
void describe(V&& visit, RigidShapeScene& s)
{
    visit(Field{"sphere", "m", 0, 1e9, "a rigid sphere: its radius"}, s.sphere);
    visit(Field{"box", "m", 1e-9, 1e9, "a rigid box: its edge lengths"}, s.box);
    visit(Field{"capsule", "m", 1e-9, 1e9, "a rigid capsule along y: radius, and length of its straight part"},
          s.capsule);
    visit(Field{"cylinder", "m", 1e-9, 1e9, "a rigid cylinder along y: radius and length"}, s.cylinder);
    visit(Field{"hull", "", 0, 0, "a mesh whose convex hull is the rigid shape"}, s.hull);
    visit(Field{"facets", "1", 0, 4096,
                "flat sides round a sphere, capsule or cylinder where it is met by its triangles; 0 takes 20 for "
                "a sphere, else 32"},
          s.facets);
    visit(
        Field{
            "facets_outside", "", 0, 0,
            "facets touch the round shape from outside, so that nothing off them is inside it; else corners lie on it"},
        s.facets_outside);
}

/// One part of a compound, in its coordinates.
struct RigidPartScene {
    std::optional<MeshSource> mesh;
    RigidShapeScene shape;
    double mass = 0, density = 0;
    Vec3 position{}, rotate_axis{0, 1, 0};
    double rotate_degrees = 0;
};

template <class V>
void describe(V&& visit, RigidPartScene& p)
{
    visit(Field{"mesh", "", 0, 0, "a closed triangle mesh"}, p.mesh);
    describe(visit, p.shape);
    visit(Field{"mass", "kg", 0, 1e12, "of this part; 0 takes the density"}, p.mass);
    visit(Field{"density", "kg/m3", 0, 1e9, "of this part; 0 takes that of the whole body"}, p.density);
    visit(Field{"position", "m", -1e9, 1e9, "of the part in the compound"}, p.position);
    visit(Field{"rotate_axis", "1", -1, 1, "axis of rotation, before it is shifted"}, p.rotate_axis);
    visit(Field{"rotate_degrees", "deg", -3600, 3600, "angle of rotation"}, p.rotate_degrees);
}

/// Where a path is at a time.
struct KeyframeScene {
    double time = 0;
    Vec3 position{}, rotate_axis{0, 1, 0};
    double rotate_degrees = 0;
};

template <class V>
void describe(V&& visit, KeyframeScene& k)
{
    visit(Field{"time", "s", 0, 1e9, "when", Change::fixed, Need::required}, k.time);
    visit(Field{"position", "m", -1e9, 1e9, "shift from where it is at the start"}, k.position);
    visit(Field{"rotate_axis", "1", -1, 1, "axis of the turn from how it is at the start"}, k.rotate_axis);
    visit(Field{"rotate_degrees", "deg", -1e9, 1e9, "angle of that turn; may be many turns"}, k.rotate_degrees);
}

/// How something is carried while it is held.
struct PathScene {
    std::vector<KeyframeScene> keys;
    PathProfile profile = PathProfile::smooth;
};

template <class V>
void describe(V&& visit, PathScene& p)
{
    visit(Field{"path", "", 0, 0,
                "keyframes that it is carried along while it is held, from rest at time 0; added to motion"},
          p.keys);
    visit(Field{"profile", "", 0, 0,
                "between keyframes: smooth goes from rest to rest without jerks, linear with constant velocities"},
          p.profile);
}

}  // namespace pliant
