// SPDX-License-Identifier: MIT
#pragma once

// Draws a frame of a take with OpenGL: lit surfaces with shadows, a ground, edges, colours by a field.
//
// One copy of the mesh a frame: vertices are written straight into the graphics memory.

#include <optional>
#include <span>
#include <vector>

#include "camera.h"
#include "gl_objects.h"
#include "surface_mesh.h"

namespace pliant::viewer {

enum class DrawStyle { solid, wireframe, overlay, transparent };
enum class LightKind { sun, lamp, spot };

/// What is beyond it is not drawn.
struct ClipPlane {
    Vec3 normal;
    double offset = 0;  ///< [m]
};

/// How things look, whoever looks from wherever.
struct Look {
    DrawStyle style = DrawStyle::solid;
    bool has_field = false;  ///< vertices are coloured by their values
    double field_low = 0, field_high = 1;
    std::optional<double> ground;  ///< [m] height of a ground to stand on
    char up = 'y';
    LightKind light = LightKind::sun;  ///< a lamp or a spot shines from over the left shoulder of whoever looks
    double checker = 0;                ///< [m] side of the squares on surfaces; 0: none
    std::optional<ClipPlane> clip{};
};

class Painter {
public:
    /// Needs a current context, now and until it goes. The mesh must outlive it.
    explicit Painter(const SurfaceMesh& mesh);

    void set_frame(std::span<const Vec3> x, std::span<const double> values);

    /// On the framebuffer that is bound; `bounds` hold all that casts shadows.
    void draw(const Camera& camera, const Look& look, const Bounds& bounds, const Area& area);

private:
    void draw_shadows(const Mat4& light, bool have_surfaces);
    void draw_ground(const Camera& camera, const Look& look, const Bounds& bounds, const Mat4& view, const Mat4& light);
    void draw_surfaces(const Camera& camera, const Look& look, const Mat4& view, const Mat4& light);
    void set_lights(const Camera& camera, const Look& look);
    void draw_edges(const Look& look, const Mat4& view);

    const SurfaceMesh& mesh_;
    GlProgram surface_, ground_, edge_, shadow_;
    GlVertexArray array_, empty_;
    GlBuffer vertices_, colours_, triangles_, edges_, lines_;
    GlTexture shadow_map_;
    GlFramebuffer shadow_canvas_;
    std::vector<Vec3> normals_;
};

}  // namespace pliant::viewer
