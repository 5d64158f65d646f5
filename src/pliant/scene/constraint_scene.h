// SPDX-License-Identifier: MIT
#pragma once

// Constraints as a scene writes them; world/build_constraints.cpp turns them into formulas.

#include <optional>
#include <string>
#include <vector>

#include <pliant/parameters/live.h>
#include <pliant/scene/body_scene.h>

namespace pliant {

enum class ConstraintKind : std::int32_t {
    formula,
    plane,
    sphere,
    quadric,
    attach,
    distance,
    incompressible,
    rigid,
    path
};
constexpr std::array<std::string_view, 9> enum_names(ConstraintKind)
{
    return {"formula", "plane", "sphere", "quadric", "attach", "distance", "incompressible", "rigid", "path"};
}

/// Where a point on a path is, and how fast, at a time.
struct PathKnot {
    double time = 0;
    Vec3 at{};
    std::optional<Vec3> velocity;
};

template <class V>
void describe(V&& visit, PathKnot& k)
{
    visit(Field{"time", "s", 0, 1e9, "when", Change::fixed, Need::required}, k.time);
    visit(Field{"at", "m", -1e9, 1e9, "where", Change::fixed, Need::required}, k.at);
    visit(Field{"velocity", "m/s", -1e9, 1e9,
                "how fast; left out, the slope through the knots before and after, zero at both ends"},
          k.velocity);
}

/// An equation that the motion obeys.
struct ConstraintScene {
    ConstraintKind kind = ConstraintKind::formula;
    std::string formula;
    std::vector<std::string> points;
    std::vector<double> numbers;
    std::vector<PathKnot> path;
    std::string body;
    Select select;
    double from = 0, to = 1e9;
    double stabilisation = 100, breaks_at = 0;
    ConstraintLive live;
};

template <class V>
void describe(V&& visit, ConstraintScene& c)
{
    visit(
        Field{
            "kind", "", 0, 0,
            "formula: of your own; plane, sphere, quadric: a point stays on it; attach: a point stays on a vertex, "
            "edge "
            "or face; distance: between two points; incompressible, rigid: tetrahedra of a body; path: a point is led"},
        c.kind);
    visit(Field{"formula", "", 0, 0,
                "kept at zero, over points (a.x), their velocities (a.vx), time t: \"distance(a, b) - 0.3\""},
          c.formula);
    visit(
        Field{"points", "", 0, 0,
              "the vertices it is about, by names of points or as body[index]; attach: the one that is attached first"},
        c.points);
    visit(Field{"numbers", "1", -1e12, 1e12,
                "plane: a b c d of a x + b y + c z + d; sphere: centre and radius; quadric: ten of a x2 + b y2 + c z2 "
                "+ d xy "
                "+ e xz + f yz + g x + h y + i z + j; attach: weights; distance: length, as it is at the start when "
                "left out"},
          c.numbers);
    visit(Field{"path", "", 0, 0, "path: places and times, joined by cubic curves (Hermite)"}, c.path);
    visit(Field{"body", "", 0, 0, "incompressible, rigid: the solid"}, c.body);
    visit(Field{"select", "", 0, 0, "incompressible, rigid: its vertices; tetrahedra with all corners among them"},
          c.select);
    visit(Field{"from", "s", 0, 1e9, "when it begins to hold"}, c.from);
    visit(Field{"to", "s", 0, 1e9, "when it is let go"}, c.to);
    visit(Field{"stabilisation", "1/s", 0, 1e6,
                "rate at which a violated one returns: as (A + B t) exp(-rate t) under explicit solvers"},
          c.stabilisation);
    visit(Field{"breaks_at", "N", 0, 1e12, "reaction at which it gives way for good; 0 never"}, c.breaks_at);
    describe(visit, c.live);
}

}  // namespace pliant
