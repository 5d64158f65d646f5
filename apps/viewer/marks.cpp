// SPDX-License-Identifier: MIT
#include "marks.h"

#include <cmath>
#include <cstddef>

#include "shaders.h"

namespace pliant::viewer {

void Marks::add_end(const Vec3& at, const Rgb& colour)
{
    ends_.push_back({{static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)}, colour});
}

void Marks::add_line(const Vec3& a, const Vec3& b, const Rgb& colour)
{
    if (!is_finite(a) || !is_finite(b)) return;
    add_end(a, colour), add_end(b, colour);
}

void Marks::add_arrow(const Vec3& from, const Vec3& way, const Rgb& colour)
{
    const Vec3 tip = from + way;
    add_line(from, tip, colour);
    const Vec3 aside = std::abs(way.x) < 0.9 * norm(way) ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 across = cross(way, aside);
    const double length = norm(across);
    if (!(length > 0)) return;
    const Vec3 wing = across * (0.08 * norm(way) / length);
    for (const double side : {-1.0, 1.0}) add_line(tip, tip - way * 0.2 + wing * side, colour);
}

void Marks::add_cross(const Vec3& at, double size, const Rgb& colour)
{
    for (int k = 0; k < 3; ++k) {
        Vec3 arm;
        arm[k] = size;
        add_line(at - arm, at + arm, colour);
    }
}

void Marks::add_box(const Vec3& low, const Vec3& high, const Rgb& colour)
{
    const auto corner = [&](int c) {
        return Vec3{(c & 1) != 0 ? high.x : low.x, (c & 2) != 0 ? high.y : low.y, (c & 4) != 0 ? high.z : low.z};
    };
    for (int c = 0; c < 8; ++c)
        for (const int bit : {1, 2, 4})
            if ((c & bit) == 0) add_line(corner(c), corner(c | bit), colour);
}

MarkPainter::MarkPainter()
    : program_(make_program(kMarkVertex, kEdgeFragment))
    , array_(make_vertex_array())
    , ends_(make_buffer())
{
    glBindVertexArray(array_);
    glBindBuffer(GL_ARRAY_BUFFER, ends_);
    glEnableVertexAttribArray(0), glEnableVertexAttribArray(3);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Marks::End), nullptr);
    glVertexAttribPointer(3, 3, GL_FLOAT, GL_FALSE, sizeof(Marks::End),
                          reinterpret_cast<const void*>(offsetof(Marks::End, colour)));
}

void MarkPainter::draw(const Marks& marks, const Mat4& view, float width, bool is_hidden_behind)
{
    if (marks.is_empty()) return;
    glUseProgram(program_);
    glUniformMatrix4fv(uniform(program_, "view"), 1, GL_FALSE, view.data());
    glUniform1f(uniform(program_, "opacity"), 1);
    glBindVertexArray(array_);
    glBindBuffer(GL_ARRAY_BUFFER, ends_);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(marks.ends_.size() * sizeof marks.ends_[0]),
                 marks.ends_.data(), GL_STREAM_DRAW);
    if (!is_hidden_behind) glDisable(GL_DEPTH_TEST);
    glLineWidth(width);
    glDrawArrays(GL_LINES, 0, static_cast<GLsizei>(marks.ends_.size()));
    glLineWidth(1);
    glEnable(GL_DEPTH_TEST);
}

}  // namespace pliant::viewer
