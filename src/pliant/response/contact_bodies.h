// SPDX-License-Identifier: MIT
#pragma once

// Bodies as the responses between surfaces see them in a step: how thick, who meets itself, who cannot move.

#include <cstdint>
#include <vector>

#include <pliant/contact/surface_search.h>
#include <pliant/model/model.h>
#include <pliant/model/state.h>

namespace pliant {

/// [m] Thickness of a body's surface: its own, else contact.thickness where it deforms, else the automatic one.
double surface_thickness(const Model& model, const State& state, std::size_t body);

struct ContactBodies {
    std::vector<double> half;                        ///< #bodies [m] of their thickness
    std::vector<std::uint8_t> meets_self, is_fixed;  ///< #bodies

    void look(const Model& model, const State& from);
    SurfaceBodies view() const { return {half, meets_self, is_fixed}; }

    /// [m] Half of the smallest thickness, infinite where nobody has one; and the largest thickness.
    double least_half() const;
    double most_thickness() const;

    /// Calls visit(shape, point, body, thickness) for every vertex that may meet a plane.
    template <class Visit>
    void for_planes(const Model& model, Visit&& visit) const
    {
        const CollisionSurface& surface = model.contact_surface;
        for (std::size_t s = 0; s < model.shapes.size(); ++s) {
            const Shape& plane = model.shapes[s];
            if (plane.kind != ShapeKind::plane) continue;
            for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
                const std::int32_t body = surface.vertex_body[v];
                if (is_fixed[body] != 0 && is_fixed[plane.body] != 0) continue;
                visit(s, surface.vertices[v], body, half[body] + half[plane.body]);
            }
        }
    }
};

}  // namespace pliant
