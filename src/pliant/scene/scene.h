// SPDX-License-Identifier: MIT
#pragma once

// Scene: what a person wrote, as plain structs with defaults. No solver arrays in it.
//
// Every struct describes itself once (base/describe.h); reading, the schema and the manual come from
// that. Bodies and colliders keep the order of the file. Units are SI.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pliant/base/describe.h>
#include <pliant/base/error.h>
#include <pliant/parameters/live.h>
#include <pliant/scene/body_scene.h>
#include <pliant/scene/compare_scene.h>
#include <pliant/scene/constraint_scene.h>

namespace pliant {

/// Something fixed that bodies meet.
struct ColliderScene {
    std::optional<MeshSource> mesh;
    std::vector<double> plane;
    RigidShapeScene rigid;
    std::vector<RigidPartScene> parts;
    Vec3 position{};
    Vec3 rotate_axis{0, 1, 0};
    double rotate_degrees = 0;
    double restitution = 1, friction = 1;
    Vec3 motion{}, spin{};
    PathScene path;
};

template <class V>
void describe(V&& visit, ColliderScene& c)
{
    visit(Field{"mesh", "", 0, 0,
                "a triangle mesh: vertices of bodies meet it while it does not move, spheres and boxes do not"},
          c.mesh);
    visit(Field{"plane", "1", -1e9, 1e9, "normal x, y, z and offset d: the solid side is n . x < d"}, c.plane);
    describe(visit, c.rigid);
    visit(Field{"parts", "", 0, 0, "several shapes that are one collider"}, c.parts);
    visit(Field{"position", "m", -1e9, 1e9, "centre of a shape, or shift of a mesh"}, c.position);
    visit(Field{"rotate_axis", "1", -1, 1, "axis of rotation, before it is shifted"}, c.rotate_axis);
    visit(Field{"rotate_degrees", "deg", -3600, 3600, "angle of rotation"}, c.rotate_degrees);
    visit(Field{"restitution", "1", 0, 1, "factor on the body's restitution", Change::live}, c.restitution);
    visit(Field{"friction", "1", 0, 100, "factor on the body's friction", Change::live}, c.friction);
    visit(Field{"motion", "m/s", -1e9, 1e9, "velocity that it moves with, whatever it meets", Change::live}, c.motion);
    visit(Field{"spin", "rad/s", -1e9, 1e9, "angular velocity about its position, whatever it meets", Change::live},
          c.spin);
    describe(visit, c.path);
}

enum class UpAxis : std::int32_t { y, z };
constexpr std::array<std::string_view, 2> enum_names(UpAxis)
{
    return {"y", "z"};
}

enum class Until : std::int32_t { duration, rest };
constexpr std::array<std::string_view, 2> enum_names(Until)
{
    return {"duration", "rest"};
}

struct WorldScene {
    WorldLive live;
    Until until = Until::duration;
    double rest_force = 1e-5, rest_energy = 1e-11;
    double duration = 5, frame_rate = 60;
    UpAxis up = UpAxis::y;
};

template <class V>
void describe(V&& visit, WorldScene& w)
{
    describe(visit, w.live);
    visit(Field{"duration", "s", 0, 1e9, "how long the run goes on, at most when it ends at rest"}, w.duration);
    visit(Field{"until", "", 0, 0, "rest: the run ends when every vertex is at rest and no input is left"}, w.until);
    visit(Field{"rest_force", "N", 1e-300, 1e12, "until rest: largest force that no vertex may have left over"},
          w.rest_force);
    visit(Field{"rest_energy", "J", 1e-300, 1e12, "until rest: largest kinetic energy of a vertex"}, w.rest_energy);
    visit(Field{"frame_rate", "1/s", 1e-6, 1e9, "frames per second of simulated time; steps end at frames"},
          w.frame_rate);
    visit(Field{"up", "", 0, 0, "which axis points up, written into exports"}, w.up);
}

struct ProbeScene {
    std::string body;
    std::int32_t vertex = 0;
    std::optional<Vec3> at;
};

template <class V>
void describe(V&& visit, ProbeScene& p)
{
    visit(Field{"body", "", 0, 0, "the body", Change::fixed, Need::required}, p.body);
    visit(Field{"vertex", "1", 0, 2e9, "index of the vertex within the body"}, p.vertex);
    visit(Field{"at", "m", -1e9, 1e9, "instead of vertex: a point; the nearest vertex at the start is taken"}, p.at);
}

struct RecordScene {
    std::int32_t every = 1, snapshot_every = 60;
    bool fields = true, intersections = false, contacts = false;
    Named<ProbeScene> probes;
};

template <class V>
void describe(V&& visit, RecordScene& r)
{
    visit(Field{"every", "1", 1, 1e9, "frames between two recorded ones"}, r.every);
    visit(Field{"snapshot_every", "1", 1, 1e9, "recorded frames between two full-precision snapshots"},
          r.snapshot_every);
    visit(Field{"fields", "", 0, 1, "stress and strain at every vertex of solids"}, r.fields);
    visit(
        Field{"intersections", "", 0, 1,
              "measure in every recorded frame how often surfaces cut each other or themselves: exact, and takes time"},
        r.intersections);
    visit(
        Field{"contacts", "", 0, 1,
              "keep with every recorded frame what response bridson saw and did in the step before it: pairs, impacts, "
              "boxes, the mesh of every round; takes time and room, `pliant contacts` shows it"},
        r.contacts);
    visit(Field{"probes", "", 0, 0, "vertices to measure as NAME.x, NAME.y, NAME.z"}, r.probes);
}

/// A value for a live parameter, as written.
struct InputValue {
    std::string path, text;
    std::vector<double> numbers;  ///< a number, a switch as 0 or 1, or a vector
    std::string word;             ///< a name such as "euler"
    int line = 0;
};

/// Changes of live parameters at a time. In a scene "set" maps paths to values.
struct InputScene {
    double time = 0;
    std::vector<InputValue> set;
};

template <class V>
void describe(V&& visit, InputScene& i)
{
    visit(Field{"time", "s", 0, 1e9, "when", Change::fixed, Need::required}, i.time);
    visit(Field{"set", "", 0, 0, "paths of live parameters and their new values", Change::fixed, Need::required},
          i.set);
}

/// Changes of live parameters when something happens.
struct EventScene {
    std::string when;
    std::vector<InputValue> set;
    bool repeats = false;
    EventLive live;
};

template <class V>
void describe(V&& visit, EventScene& e)
{
    visit(Field{"when", "", 0, 0, "a condition over points and time t, such as \"ball.y < 0.1 and t > 2\"",
                Change::fixed, Need::required},
          e.when);
    visit(Field{"set", "", 0, 0, "paths of live parameters and their new values", Change::fixed, Need::required},
          e.set);
    visit(Field{"repeats", "", 0, 1, "happens again whenever the condition becomes true anew"}, e.repeats);
    describe(visit, e.live);
}

/// Bounds on a measure: the last value, or .min, .max, .first, .mean (of the last `window` seconds).
struct Bounds {
    double low = 0, high = 0;
};

struct Scene {
    std::string description;
    WorldScene world;
    SolverLive solver;
    ContactLive contact;
    Named<BodyScene> bodies;
    Named<ColliderScene> colliders;
    Named<ProbeScene> points;
    Named<ConstraintScene> constraints;
    Named<EventScene> events;
    std::vector<InputScene> inputs;
    RecordScene record;
    Named<Bounds> expect;
    CompareScene compare;

    std::string file;                  ///< path as given; "" when made in code
    std::map<std::string, int> lines;  ///< JSON pointer → line, for messages
    std::string text;                  ///< the scene as read, overrides applied

    /// A problem at a place of the scene, with the line of that place or of what holds it.
    Problem problem(const std::string& pointer, std::string message, std::string cure = "") const;
};

template <class V>
void describe(V&& visit, Scene& s)
{
    visit(Field{"description", "", 0, 0, "one sentence about the scene"}, s.description);
    visit(Field{"world", "", 0, 0, "gravity, duration, frames"}, s.world);
    visit(Field{"solver", "", 0, 0, "how time goes on"}, s.solver);
    visit(Field{"contact", "", 0, 0, "how bodies meet"}, s.contact);
    visit(Field{"bodies", "", 0, 0, "what moves by forces, by name", Change::fixed, Need::required}, s.bodies);
    visit(Field{"colliders", "", 0, 0, "what is fixed, by name"}, s.colliders);
    visit(Field{"points", "", 0, 0, "vertices by names that formulas use"}, s.points);
    visit(Field{"constraints", "", 0, 0, "equations that the motion obeys, by name"}, s.constraints);
    visit(Field{"events", "", 0, 0, "changes of live parameters when a condition becomes true, by name"}, s.events);
    visit(Field{"inputs", "", 0, 0, "changes of live parameters during the run"}, s.inputs);
    visit(Field{"record", "", 0, 0, "what is kept"}, s.record);
    visit(Field{"expect", "", 0, 0, "bounds [low, high] on measures at the end of the run, by name"}, s.expect);
    visit(Field{"compare", "", 0, 0, "what `pliant compare` varies when its command line does not say"}, s.compare);
}

}  // namespace pliant
