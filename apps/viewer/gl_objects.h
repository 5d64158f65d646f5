// SPDX-License-Identifier: MIT
#pragma once

// What OpenGL keeps for us, given back when its owner goes; shaders whose errors are said in words.
//
// All of it needs a current context of OpenGL 3.3 or later.

#include <string>
#include <utility>

#include <epoxy/gl.h>

#include "picture.h"

namespace pliant::viewer {

/// A name of OpenGL's with the function that takes it back.
template <void (*Give)(GLuint)>
class GlName {
public:
    GlName() = default;
    explicit GlName(GLuint name) : name_(name) {}
    GlName(GlName&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
    GlName& operator=(GlName&& other) noexcept
    {
        std::swap(name_, other.name_);
        return *this;
    }
    ~GlName()
    {
        if (name_ != 0) Give(name_);
    }
    operator GLuint() const { return name_; }

private:
    GLuint name_ = 0;
};

void give_buffer(GLuint);
void give_vertex_array(GLuint);
void give_texture(GLuint);
void give_framebuffer(GLuint);
void give_renderbuffer(GLuint);
void give_program(GLuint);

using GlBuffer = GlName<give_buffer>;
using GlVertexArray = GlName<give_vertex_array>;
using GlTexture = GlName<give_texture>;
using GlFramebuffer = GlName<give_framebuffer>;
using GlRenderbuffer = GlName<give_renderbuffer>;
using GlProgram = GlName<give_program>;

GlBuffer make_buffer();
GlVertexArray make_vertex_array();
GlTexture make_texture();
GlFramebuffer make_framebuffer();
GlRenderbuffer make_renderbuffer();

/// Compiles and links; an Error has what the driver says of it.
GlProgram make_program(const std::string& vertex_text, const std::string& fragment_text);

/// The place of a uniform; -1 where the driver has dropped it.
GLint uniform(const GlProgram& program, const char* name);

/// An Error unless the framebuffer that is bound can be drawn on.
void check_framebuffer(const char* what);

/// The part of a window or canvas that is drawn on, in pixels from its lower left corner.
struct Area {
    int x = 0, y = 0, width = 0, height = 0;
    double aspect() const { return static_cast<double>(width) / height; }
};

/// That part of the framebuffer that is bound.
void read_pixels(Picture& picture, const Area& area);

}  // namespace pliant::viewer
