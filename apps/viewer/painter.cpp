// SPDX-License-Identifier: MIT
#include "painter.h"

#include <cmath>
#include <cstddef>

#include "shaders.h"

namespace pliant::viewer {

namespace {

constexpr int kShadowSide = 2048;
constexpr float kPaper[3] = {0.965F, 0.965F, 0.97F};

void set(GLint place, const Mat4& matrix)
{
    glUniformMatrix4fv(place, 1, GL_FALSE, matrix.data());
}

void set(GLint place, const Vec3& v)
{
    glUniform3f(place, static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z));
}

Vec3 unit(const Vec3& v)
{
    return v / norm(v);
}

// From over the left shoulder of whoever looks, so that shadows are seen.
Vec3 towards_sun(const Camera& camera)
{
    const Vec3 up = camera.up_axis(), back = unit(camera.eye() - camera.target);
    const Vec3 flat = unit(back - up * dot(back, up) + cross(up, back) * 1e-6);
    return unit(up * 1.0 + flat * 0.35 + cross(flat, up) * 0.55);
}

void set_field(const GlProgram& program, const Look& look)
{
    glUniform1i(uniform(program, "has_field"), look.has_field ? 1 : 0);
    glUniform2f(uniform(program, "range"), static_cast<float>(look.field_low), static_cast<float>(look.field_high));
    glUniform3fv(uniform(program, "stops"), kColourStops, kColours[0].data());
}

template <std::size_t N>
void upload(const GlBuffer& buffer, const std::vector<std::array<std::uint32_t, N>>& elements)
{
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(elements.size() * sizeof elements[0]),
                 elements.data(), GL_STATIC_DRAW);
}

template <std::size_t N>
void draw_elements(GLenum kind, const GlBuffer& buffer, const std::vector<std::array<std::uint32_t, N>>& elements)
{
    if (elements.empty()) return;
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glDrawElements(kind, static_cast<GLsizei>(N * elements.size()), GL_UNSIGNED_INT, nullptr);
}

void vertex_part(GLuint place, GLint count, GLsizei stride, std::size_t offset)
{
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, count, GL_FLOAT, GL_FALSE, stride, reinterpret_cast<const void*>(offset));
}

// 1, 2 or 5 times a power of ten, near to a tenth of the size.
double grid_cell(double size)
{
    const double ten = std::pow(10.0, std::floor(std::log10(0.2 * size)));
    const double share = 0.2 * size / ten;
    return ten * (share < 2 ? 1 : share < 5 ? 2 : 5);
}

}  // namespace

Painter::Painter(const SurfaceMesh& mesh)
    : mesh_(mesh)
    , surface_(make_program(kSurfaceVertex, std::string(kSunlight) + kSurfaceFragment))
    , ground_(make_program(kGroundVertex, std::string(kSunlight) + kGroundFragment))
    , edge_(make_program(kEdgeVertex, kEdgeFragment))
    , shadow_(make_program(kShadowVertex, kShadowFragment))
    , array_(make_vertex_array())
    , empty_(make_vertex_array())
    , vertices_(make_buffer())
    , colours_(make_buffer())
    , triangles_(make_buffer())
    , edges_(make_buffer())
    , lines_(make_buffer())
    , shadow_map_(make_texture())
    , shadow_canvas_(make_framebuffer())
{
    glBindVertexArray(array_);
    glBindBuffer(GL_ARRAY_BUFFER, vertices_);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(mesh.point.size() * sizeof(DrawnVertex)), nullptr,
                 GL_STREAM_DRAW);
    constexpr auto kStride = static_cast<GLsizei>(sizeof(DrawnVertex));
    vertex_part(0, 3, kStride, offsetof(DrawnVertex, place));
    vertex_part(1, 3, kStride, offsetof(DrawnVertex, normal));
    vertex_part(2, 1, kStride, offsetof(DrawnVertex, value));
    glBindBuffer(GL_ARRAY_BUFFER, colours_);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(mesh.colour.size() * sizeof(Rgb)), mesh.colour.data(),
                 GL_STATIC_DRAW);
    vertex_part(3, 3, sizeof(Rgb), 0);
    upload(triangles_, mesh.triangles), upload(edges_, mesh.edges), upload(lines_, mesh.lines);

    glBindTexture(GL_TEXTURE_2D, shadow_map_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, kShadowSide, kShadowSide, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                 nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_canvas_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow_map_, 0);
    glDrawBuffer(GL_NONE), glReadBuffer(GL_NONE);
    check_framebuffer("shadows");
}

void Painter::set_frame(std::span<const Vec3> x, std::span<const double> values)
{
    if (mesh_.point.empty()) return;
    glBindBuffer(GL_ARRAY_BUFFER, vertices_);
    const auto bytes = static_cast<GLsizeiptr>(mesh_.point.size() * sizeof(DrawnVertex));
    auto* memory = static_cast<DrawnVertex*>(
        glMapBufferRange(GL_ARRAY_BUFFER, 0, bytes, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT));
    place_vertices({memory, mesh_.point.size()}, mesh_, x, values, normals_);
    glUnmapBuffer(GL_ARRAY_BUFFER);
}

// Edges alone cast none.
void Painter::draw_shadows(const Mat4& light, bool have_surfaces)
{
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_canvas_);
    glViewport(0, 0, kShadowSide, kShadowSide);
    glClear(GL_DEPTH_BUFFER_BIT);
    glUseProgram(shadow_);
    set(uniform(shadow_, "light"), light);
    glBindVertexArray(array_);
    if (have_surfaces) draw_elements(GL_TRIANGLES, triangles_, mesh_.triangles);
}

void Painter::draw_ground(const Camera& camera, const Look& look, const Bounds& bounds, const Mat4& view,
                          const Mat4& light)
{
    const double size = 4 * bounds.radius(), cell = grid_cell(bounds.radius());
    const Vec3 up = camera.up_axis();
    Vec3 center = bounds.center();
    center += up * (*look.ground - dot(center, up));
    const Vec3 side = look.up == 'z' ? Vec3{1, 0, 0} : Vec3{0, 0, 1}, ahead = cross(up, side);
    // Lines go through multiples of the cell.
    for (const Vec3& axis : {side, ahead}) center -= axis * std::fmod(dot(center, axis), cell);
    const double half = std::ceil(size / cell) * cell;
    glUseProgram(ground_);
    set(uniform(ground_, "view"), view), set(uniform(ground_, "light"), light);
    set(uniform(ground_, "center"), center), set(uniform(ground_, "side"), side * half);
    set(uniform(ground_, "ahead"), ahead * half);
    glUniform1f(uniform(ground_, "cells"), static_cast<float>(half / cell));
    glUniform1i(uniform(ground_, "shadow_map"), 0);
    glBindVertexArray(empty_);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    // Seen from below it would hide everything.
    if (dot(camera.eye(), up) > *look.ground) glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_BLEND);
}

void Painter::draw_surfaces(const Camera& camera, const Look& look, const Mat4& view, const Mat4& light)
{
    const bool is_clear = look.style == DrawStyle::transparent;
    glUseProgram(surface_);
    set(uniform(surface_, "view"), view), set(uniform(surface_, "light"), light);
    set(uniform(surface_, "eye"), camera.eye()), set(uniform(surface_, "sun"), towards_sun(camera));
    set(uniform(surface_, "sky"), camera.up_axis());
    glUniform1i(uniform(surface_, "shadow_map"), 0);
    set_field(surface_, look);
    glUniform1f(uniform(surface_, "opacity"), is_clear ? 0.35F : 1.0F);
    set_lights(camera, look);
    if (is_clear) {
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        glDepthMask(GL_FALSE);
    }
    // A little farther than they are, so that edges are not half within them.
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1, 2);
    glBindVertexArray(array_);
    draw_elements(GL_TRIANGLES, triangles_, mesh_.triangles);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

void Painter::set_lights(const Camera& camera, const Look& look)
{
    constexpr float kBright = 0.9F, kSpotCosine = 0.94F;
    const ClipPlane clip = look.clip.value_or(ClipPlane{{}, 1});
    glUniform4f(uniform(surface_, "clip"), static_cast<float>(clip.normal.x), static_cast<float>(clip.normal.y),
                static_cast<float>(clip.normal.z), static_cast<float>(clip.offset));
    glUniform1f(uniform(surface_, "checker"), static_cast<float>(look.checker));
    const Vec3 lamp = camera.target + towards_sun(camera) * camera.distance, beam = unit(camera.target - lamp);
    glUniform4f(uniform(surface_, "lamp"), static_cast<float>(lamp.x), static_cast<float>(lamp.y),
                static_cast<float>(lamp.z), look.light == LightKind::sun ? 0 : kBright);
    glUniform4f(uniform(surface_, "beam"), static_cast<float>(beam.x), static_cast<float>(beam.y),
                static_cast<float>(beam.z), look.light == LightKind::spot ? kSpotCosine : -1);
}

void Painter::draw_edges(const Look& look, const Mat4& view)
{
    glUseProgram(edge_);
    set(uniform(edge_, "view"), view);
    glBindVertexArray(array_);
    set_field(edge_, look);
    glUniform1i(uniform(edge_, "own_colour"), 1);
    glUniform1f(uniform(edge_, "opacity"), 1);
    draw_elements(GL_LINES, lines_, mesh_.lines);
    if (look.style == DrawStyle::solid || look.style == DrawStyle::transparent) return;
    const bool is_wire = look.style == DrawStyle::wireframe;
    glUniform1i(uniform(edge_, "own_colour"), is_wire ? 1 : 0);
    glUniform1f(uniform(edge_, "opacity"), is_wire ? 1.0F : 0.45F);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_elements(GL_LINES, edges_, mesh_.edges);
    glDisable(GL_BLEND);
}

void Painter::draw(const Camera& camera, const Look& look, const Bounds& bounds, const Area& area)
{
    GLint canvas = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &canvas);
    const Mat4 light = light_projection(-towards_sun(camera), bounds);
    const Mat4 view = view_projection(camera, area.aspect(), bounds);
    glEnable(GL_DEPTH_TEST);
    draw_shadows(light, look.style != DrawStyle::wireframe);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(canvas));
    glViewport(area.x, area.y, area.width, area.height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(area.x, area.y, area.width, area.height);
    glClearColor(kPaper[0], kPaper[1], kPaper[2], 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, shadow_map_);
    if (look.ground) draw_ground(camera, look, bounds, view, light);
    if (look.style != DrawStyle::wireframe) draw_surfaces(camera, look, view, light);
    draw_edges(look, view);
    glDisable(GL_SCISSOR_TEST);
}

}  // namespace pliant::viewer
