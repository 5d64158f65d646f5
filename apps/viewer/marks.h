// SPDX-License-Identifier: MIT
#pragma once

// Lines and dots drawn over a scene: arrows, boxes, crosses, what hands hold.

#include <span>
#include <vector>

#include "camera.h"
#include "colour_map.h"
#include "gl_objects.h"

namespace pliant::viewer {

/// A list of coloured line segments, made anew whenever what it shows changes.
class Marks {
public:
    void clear() { ends_.clear(); }
    bool is_empty() const { return ends_.empty(); }
    void add_line(const Vec3& a, const Vec3& b, const Rgb& colour);
    /// With a head of a fifth of its length.
    void add_arrow(const Vec3& from, const Vec3& way, const Rgb& colour);
    /// Three lines through a point, each twice `size` long.
    void add_cross(const Vec3& at, double size, const Rgb& colour);
    void add_box(const Vec3& low, const Vec3& high, const Rgb& colour);

private:
    friend class MarkPainter;
    struct End {
        float place[3];
        Rgb colour;
    };
    void add_end(const Vec3& at, const Rgb& colour);
    std::vector<End> ends_;
};

class MarkPainter {
public:
    /// Needs a current context, now and until it goes.
    MarkPainter();

    /// Over what is on the framebuffer; hidden by it or not.
    void draw(const Marks& marks, const Mat4& view, float width, bool is_hidden_behind);

private:
    GlProgram program_;
    GlVertexArray array_;
    GlBuffer ends_;
};

}  // namespace pliant::viewer
