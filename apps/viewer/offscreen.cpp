// SPDX-License-Identifier: MIT
#include "offscreen.h"

#include <algorithm>

#include <epoxy/egl.h>
#include <fmt/format.h>

#include <pliant/base/error.h>

#include "gl_objects.h"

namespace pliant::viewer {

namespace {

constexpr int kSamples = 4;

[[noreturn]] void refuse(const char* what)
{
    throw Error(Problem{.message = fmt::format("cannot draw without a display: {} (EGL error 0x{:x})", what,
                                               static_cast<unsigned>(eglGetError())),
                        .cure = "install a driver, for example Mesa's: apt install libegl1 libgl1-mesa-dri"},
                ErrorKind::cannot_access);
}

// A display that belongs to no screen; LIBGL_ALWAYS_SOFTWARE and the like choose the driver as for any program.
class Context {
public:
    Context()
    {
        if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
            refuse("EGL has no platform without a surface");
        display_ = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        if (display_ == EGL_NO_DISPLAY || eglInitialize(display_, nullptr, nullptr) == EGL_FALSE)
            refuse("no EGL display");
        if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE) refuse("EGL has no OpenGL");
        const EGLint wanted[] = {
            EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
        context_ = eglCreateContext(display_, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
        if (context_ == EGL_NO_CONTEXT) refuse("the driver has no OpenGL 3.3");
        if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_FALSE)
            refuse("the driver cannot draw without a surface");
    }
    // The display stays: it is one for the whole process, and ending it would unload the driver.
    ~Context()
    {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, context_);
    }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

private:
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
};

/// Colour, and depth where things are drawn.
struct Canvas {
    GlFramebuffer framebuffer;
    GlRenderbuffer colour, depth;

    Canvas(int width, int height, int samples) : framebuffer(make_framebuffer()), colour(make_renderbuffer())
    {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        attach(colour, GL_RGB8, GL_COLOR_ATTACHMENT0, width, height, samples);
        if (samples > 0) {
            depth = make_renderbuffer();
            attach(depth, GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT, width, height, samples);
        }
        check_framebuffer("a picture of this size");
    }

private:
    static void attach(const GlRenderbuffer& buffer, GLenum format, GLenum place, int width, int height, int samples)
    {
        glBindRenderbuffer(GL_RENDERBUFFER, buffer);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer);
    }
};

}  // namespace

struct Offscreen::Parts {
    Context context;
    int width, height;
    Canvas drawn, resolved;

    Parts(int w, int h) : width(w), height(h), drawn(w, h, kSamples), resolved(w, h, 0) {}
};

Offscreen::Offscreen(int width, int height) : parts_(std::make_unique<Parts>(width, height)) {}
Offscreen::~Offscreen() = default;

void Offscreen::begin()
{
    glBindFramebuffer(GL_FRAMEBUFFER, parts_->drawn.framebuffer);
    glViewport(0, 0, parts_->width, parts_->height);
}

void Offscreen::read(Picture& picture)
{
    const int width = parts_->width, height = parts_->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, parts_->drawn.framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, parts_->resolved.framebuffer);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, parts_->resolved.framebuffer);
    read_pixels(picture, {0, 0, width, height});
}

}  // namespace pliant::viewer
