// SPDX-License-Identifier: MIT
#include "gl_objects.h"

#include <algorithm>

#include <vector>

#include <fmt/format.h>

#include <pliant/base/error.h>

namespace pliant::viewer {

namespace {

[[noreturn]] void refuse(const std::string& message)
{
    throw Error(Problem{.message = message, .cure = "a driver with OpenGL 3.3 is needed; Mesa's llvmpipe has it"},
                ErrorKind::cannot_access);
}

GLuint compile(GLenum kind, const std::string& text)
{
    const GLuint shader = glCreateShader(kind);
    const char* source = text.c_str();
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    GLint done = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done != 0) return shader;
    std::vector<char> log(4096, '\0');
    glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()) - 1, nullptr, log.data());
    glDeleteShader(shader);
    refuse(fmt::format("the OpenGL driver refuses a shader: {}", log.data()));
}

}  // namespace

void give_buffer(GLuint name)
{
    glDeleteBuffers(1, &name);
}
void give_vertex_array(GLuint name)
{
    glDeleteVertexArrays(1, &name);
}
void give_texture(GLuint name)
{
    glDeleteTextures(1, &name);
}
void give_framebuffer(GLuint name)
{
    glDeleteFramebuffers(1, &name);
}
void give_renderbuffer(GLuint name)
{
    glDeleteRenderbuffers(1, &name);
}
void give_program(GLuint name)
{
    glDeleteProgram(name);
}

GlBuffer make_buffer()
{
    GLuint name = 0;
    glGenBuffers(1, &name);
    return GlBuffer(name);
}
GlVertexArray make_vertex_array()
{
    GLuint name = 0;
    glGenVertexArrays(1, &name);
    return GlVertexArray(name);
}
GlTexture make_texture()
{
    GLuint name = 0;
    glGenTextures(1, &name);
    return GlTexture(name);
}
GlFramebuffer make_framebuffer()
{
    GLuint name = 0;
    glGenFramebuffers(1, &name);
    return GlFramebuffer(name);
}
GlRenderbuffer make_renderbuffer()
{
    GLuint name = 0;
    glGenRenderbuffers(1, &name);
    return GlRenderbuffer(name);
}

GlProgram make_program(const std::string& vertex_text, const std::string& fragment_text)
{
    const GLuint vertex = compile(GL_VERTEX_SHADER, vertex_text);
    const GLuint fragment = compile(GL_FRAGMENT_SHADER, fragment_text);
    GlProgram program(glCreateProgram());
    glAttachShader(program, vertex), glAttachShader(program, fragment);
    glLinkProgram(program);
    glDeleteShader(vertex), glDeleteShader(fragment);
    GLint done = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    if (done == 0) refuse("the OpenGL driver cannot join two shaders");
    return program;
}

GLint uniform(const GlProgram& program, const char* name)
{
    return glGetUniformLocation(program, name);
}

void check_framebuffer(const char* what)
{
    const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE)
        refuse(fmt::format("the OpenGL driver has no memory to draw {} (status 0x{:x})", what, status));
}

void read_pixels(Picture& picture, const Area& area)
{
    const int width = area.width, height = area.height;
    picture.width = width, picture.height = height;
    const std::size_t row = 3 * static_cast<std::size_t>(width);
    picture.rgb.resize(row * static_cast<std::size_t>(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(area.x, area.y, width, height, GL_RGB, GL_UNSIGNED_BYTE, picture.rgb.data());
    // OpenGL begins with the lowest row.
    for (std::size_t low = 0, high = static_cast<std::size_t>(height) - 1; low < high; ++low, --high)
        std::swap_ranges(picture.rgb.begin() + static_cast<std::ptrdiff_t>(low * row),
                         picture.rgb.begin() + static_cast<std::ptrdiff_t>((low + 1) * row),
                         picture.rgb.begin() + static_cast<std::ptrdiff_t>(high * row));
}

}  // namespace pliant::viewer
