// SPDX-License-Identifier: MIT
#include "window.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <utility>

#include <epoxy/gl.h>

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <pliant/base/error.h>
#include <pliant/base/hash.h>
#include <pliant/base/json_write.h>

#include "app.h"
#include "panels.h"

namespace pliant::viewer {

namespace {

using Clock = std::chrono::steady_clock;

// GLFW's callbacks have no other place to leave things at: there is one window.
std::string last_glfw_error;
std::vector<std::string> dropped_files;

void remember_error(int, const char* text)
{
    last_glfw_error = text;
}

double seconds_since(Clock::time_point then)
{
    return std::chrono::duration<double>(Clock::now() - then).count();
}

// A key that went down.
struct Key {
    int key = 0;
    bool with_ctrl = false;
};

// GLFW, the window and ImGui, taken down in order.
class Display {
public:
    Display(int width, int height, const std::string& layout) : layout_(layout)
    {
        glfwSetErrorCallback(remember_error);
        if (glfwInit() == GLFW_FALSE)
            throw Error(Problem{.message = fmt::format("there is no display to open a window on: {}", last_glfw_error),
                                .cure = "pliant render makes pictures and films without one; over ssh use ssh -X"},
                        ErrorKind::cannot_access);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
        window_ = glfwCreateWindow(width, height, "pliant", nullptr, nullptr);
        if (window_ == nullptr) {
            glfwTerminate();
            throw Error(Problem{.message = fmt::format("no window with OpenGL 3.3 can be made: {}", last_glfw_error),
                                .cure = "update the graphics driver, or try LIBGL_ALWAYS_SOFTWARE=1 pliant view"},
                        ErrorKind::cannot_access);
        }
        glfwMakeContextCurrent(window_);
        glfwSwapInterval(1);
        // Before ImGui's own, which calls it; a key that goes down and up between two pictures counts.
        glfwSetWindowUserPointer(window_, &keys_);
        glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int, int action, int with) {
            auto& keys = *static_cast<std::vector<Key>*>(glfwGetWindowUserPointer(window));
            if (action == GLFW_PRESS) keys.push_back({key, (with & GLFW_MOD_CONTROL) != 0});
        });
        start_imgui();
    }
    ~Display()
    {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
        glfwDestroyWindow(window_);
        glfwTerminate();
    }
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;

    GLFWwindow* window() const { return window_; }
    /// Keys that went down since they were asked for last.
    std::vector<Key> take_keys() { return std::exchange(keys_, {}); }

private:
    void start_imgui()
    {
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = layout_.empty() ? nullptr : layout_.c_str();
        ImGui::StyleColorsLight();
        ImGuiStyle& style = ImGui::GetStyle();
        style.WindowRounding = 0, style.FrameRounding = 3, style.GrabRounding = 3, style.WindowBorderSize = 0;
        style.Colors[ImGuiCol_WindowBg].w = 0.94F;
        ImGui_ImplGlfw_InitForOpenGL(window_, true);
        ImGui_ImplOpenGL3_Init("#version 330 core");
    }

    std::string layout_;
    GLFWwindow* window_ = nullptr;
    std::vector<Key> keys_;
};

// What the mouse is doing to the view.
struct MouseState {
    double x = 0, y = 0, pressed_x = 0, pressed_y = 0;
    double last_press = -1;  // [s]
    bool turns = false, pans = false;
};

class Window {
public:
    explicit Window(const WindowOptions& options)
        : options_(options)
        , display_(options.width, options.height, options.layout)
        , app_(options.scenes)
    {
        glfwSetDropCallback(display_.window(), [](GLFWwindow*, int count, const char** paths) {
            dropped_files.assign(paths, paths + count);
        });
        if (!open_all(options.files)) throw Error(Problem{.message = app_.message});
        app_.shows_gallery = app_.is_empty();
        if (options.plays && !app_.is_empty()) app_.toggle_play();
    }

    void run()
    {
        while (glfwWindowShouldClose(display_.window()) == GLFW_FALSE && !(options_.stop && options_.stop->load())) {
            // Nothing moves by itself while all is paused: wait for somebody.
            is_busy() ? glfwPollEvents() : glfwWaitEventsTimeout(0.05);
            draw();
        }
        if (app_.is_filming()) app_.toggle_film();
    }

private:
    // Meshes together, others side by side.
    bool open_all(const std::vector<std::string>& files)
    {
        if (!files.empty() && std::all_of(files.begin(), files.end(), is_mesh)) return app_.open(files, false);
        for (std::size_t f = 0; f < std::min<std::size_t>(files.size(), 2); ++f)
            if (!app_.open(files[f], f > 0)) return false;
        return true;
    }

    bool is_busy()
    {
        if (drawn_ < 3 || app_.is_dragging() || app_.haptics.is_running()) return true;
        for (std::size_t e = 0; e < app_.count(); ++e)
            if (app_.exhibit(e).subject().time_line().is_playing) return true;
        return false;
    }

    void draw()
    {
        ImGui_ImplOpenGL3_NewFrame();
        ImGui_ImplGlfw_NewFrame();
        ImGui::NewFrame();
        int width = 0, height = 0;
        glfwGetFramebufferSize(display_.window(), &width, &height);
        // Where panels are is known after the first picture.
        if (drawn_ <= 1) {
            app_.draw_scene(width, height);
            app_.fit_camera();
        }
        if (!dropped_files.empty()) open_all(std::exchange(dropped_files, {}));
        handle_mouse();
        keys_ = display_.take_keys();
        handle_keys();
        app_.update();
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glViewport(0, 0, width, height);
        glClearColor(0.93F, 0.93F, 0.94F, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        app_.draw_scene(width, height);
        app_.capture();
        glViewport(0, 0, width, height);
        draw_panels(app_);
        ImGui::Render();
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        glfwSwapBuffers(display_.window());
        count_picture();
        if (!options_.report.empty()) write_report();
    }

    void count_picture()
    {
        const double passed = seconds_since(last_draw_);
        last_draw_ = Clock::now();
        if (drawn_++ == 0) app_.rates.first_frame = seconds_since(start_);
        constexpr double kShare = 0.1;
        if (passed > 0) app_.rates.draw += kShare * (1 / passed - app_.rates.draw);
    }

    void handle_mouse()
    {
        const ImGuiIO& io = ImGui::GetIO();
        const double x = io.MousePos.x, y = io.MousePos.y;
        if (!io.WantCaptureMouse && app_.haptics.has_mouse()) return feed_haptics(x, y);
        if (!io.WantCaptureMouse) {
            if (io.MouseWheel != 0) app_.zoom(x, y, std::pow(0.88, io.MouseWheel));
            if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) press_left(x, y);
            if (ImGui::IsMouseClicked(ImGuiMouseButton_Right) || ImGui::IsMouseClicked(ImGuiMouseButton_Middle)) {
                mouse_.pressed_x = x, mouse_.pressed_y = y;
                mouse_.pans = ImGui::IsMouseClicked(ImGuiMouseButton_Middle) || io.KeyCtrl;
                mouse_.turns = !mouse_.pans;
            }
        }
        drag_view(x, y);
        if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) app_.release(), mouse_.turns = mouse_.pans = false;
        if (ImGui::IsMouseReleased(ImGuiMouseButton_Middle)) mouse_.pans = false;
        if (ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
            const bool stayed = std::hypot(x - mouse_.pressed_x, y - mouse_.pressed_y) < 4;
            if (mouse_.turns && stayed && !io.WantCaptureMouse) app_.inspect(x, y);
            mouse_.turns = mouse_.pans = false;
        }
        mouse_.x = x, mouse_.y = y;
    }

    // The mouse is a hand in the scene: the wheel moves it in depth, the right button picks.
    void feed_haptics(double x, double y)
    {
        constexpr double kDepthPerNotch = 0.004;
        const ImGuiIO& io = ImGui::GetIO();
        if (const auto place = app_.place_of(x, y))
            app_.haptics.move_mouse(place->u, place->v, -io.MouseWheel * kDepthPerNotch);
        app_.haptics.set_mouse_buttons((io.MouseDown[ImGuiMouseButton_Middle] ? kFirstButton : 0) |
                                       (io.MouseDown[ImGuiMouseButton_Right] ? kSecondButton : 0));
        mouse_.x = x, mouse_.y = y;
    }

    void press_left(double x, double y)
    {
        const ImGuiIO& io = ImGui::GetIO();
        // With a key held each of two quick clicks counts: hold, and let go again.
        const bool is_plain = !io.KeyShift && !io.KeyCtrl;
        if (is_plain && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return app_.set_pivot(x, y);
        app_.press(x, y, io.KeyShift, io.KeyCtrl);
        mouse_.turns = app_.grabs_nothing() && is_plain;
    }

    void drag_view(double x, double y)
    {
        const double dx = x - mouse_.x, dy = y - mouse_.y, height = std::max(1, app_.height());
        if (dx == 0 && dy == 0) return;
        app_.move(x, y);
        if (mouse_.turns) app_.camera.orbit(4 * dx / height, 4 * dy / height);
        if (mouse_.pans) app_.camera.pan(dx / height, -dy / height);
    }

    bool is_pressed(int wanted, bool with_ctrl = false) const
    {
        return std::any_of(keys_.begin(), keys_.end(),
                           [&](const Key& key) { return key.key == wanted && key.with_ctrl == with_ctrl; });
    }

    void handle_keys()
    {
        const ImGuiIO& io = ImGui::GetIO();
        if (io.WantTextInput) return;
        if (is_pressed(GLFW_KEY_O, true)) app_.shows_gallery = !app_.shows_gallery;
        if (is_pressed(GLFW_KEY_Q, true)) glfwSetWindowShouldClose(display_.window(), GLFW_TRUE);
        if (ImGui::IsMouseDown(ImGuiMouseButton_Right)) return fly(io.DeltaTime);
        if (is_pressed(GLFW_KEY_H)) app_.shows_help = !app_.shows_help;
        if (is_pressed(GLFW_KEY_TAB) || is_pressed(GLFW_KEY_M)) app_.shows_panels = !app_.shows_panels;
        if (is_pressed(GLFW_KEY_F11)) toggle_full_screen();
        if (is_pressed(GLFW_KEY_ESCAPE)) app_.shows_help = app_.shows_gallery = false;
        if (is_pressed(GLFW_KEY_LEFT_BRACKET)) app_.open_neighbour(-1);
        if (is_pressed(GLFW_KEY_RIGHT_BRACKET)) app_.open_neighbour(1);
        if (!app_.is_empty()) handle_scene_keys();
    }

    void handle_scene_keys()
    {
        Subject& subject = app_.active().subject();
        if (is_pressed(GLFW_KEY_P) || is_pressed(GLFW_KEY_SPACE)) app_.toggle_play();
        if (is_pressed(GLFW_KEY_O)) subject.step(1);
        if (is_pressed(GLFW_KEY_R)) app_.reset(true);
        if (is_pressed(GLFW_KEY_COMMA)) subject.step(-1);
        if (is_pressed(GLFW_KEY_PERIOD)) subject.step(1);
        if (is_pressed(GLFW_KEY_F)) app_.fit_camera();
        if (is_pressed(GLFW_KEY_S)) app_.take_screenshot();
        if (is_pressed(GLFW_KEY_B) && subject.session() != nullptr)
            subject.session()->rewind_to(subject.time_line().last - std::lround(app_.active().topology().frame_rate));
        for (int style = 0; style < 4; ++style)
            if (is_pressed(GLFW_KEY_1 + style)) app_.look.style = static_cast<DrawStyle>(style);
    }

    void fly(double seconds)
    {
        const auto down = [](int key) { return ImGui::IsKeyDown(key) ? 1.0 : 0.0; };
        const double ahead = down(GLFW_KEY_W) - down(GLFW_KEY_S), right = down(GLFW_KEY_D) - down(GLFW_KEY_A);
        const double rise = down(GLFW_KEY_E) - down(GLFW_KEY_Q);
        app_.camera.fly(ahead * seconds, right * seconds, rise * seconds);
    }

    void toggle_full_screen()
    {
        GLFWwindow* window = display_.window();
        if (glfwGetWindowMonitor(window) != nullptr)
            return glfwSetWindowMonitor(window, nullptr, 60, 60, options_.width, options_.height, GLFW_DONT_CARE);
        GLFWmonitor* monitor = glfwGetPrimaryMonitor();
        if (monitor == nullptr) return;
        const GLFWvidmode* mode = glfwGetVideoMode(monitor);
        glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    }

    // Whole or not at all, so that who reads it never sees half of it.
    void write_report()
    {
        std::string text;
        JsonWriter json(text);
        json.begin_object();
        json.member("pictures", drawn_).member("draw_rate", app_.rates.draw);
        json.member("first_picture_s", app_.rates.first_frame).member("message", app_.message);
        json.member("gallery", app_.shows_gallery).member("inspected", app_.inspected);
        json.member("scenes", app_.gallery.entries().size()).member("picked", app_.selection().size());
        if (!app_.is_empty()) write_subject(json);
        json.key("devices").begin_array();
        for (const HapticStatus& status : app_.haptics.statuses())
            if (status.is_present)
                json.begin_object().member("label", status.label).member("touches", status.is_touching).end_object();
        json.end_array().member("servo_rate", app_.haptics.measures().rate);
        json.key("widgets").begin_object();
        for (const auto& [name, place] : app_.widgets.places()) {
            const std::array<double, 4> corners{place[0], place[1], place[2], place[3]};
            json.key(name).value(std::span<const double>(corners));
        }
        json.end_object().end_object();
        const std::string part = options_.report + ".part";
        std::ofstream(part) << text;
        std::rename(part.c_str(), options_.report.c_str());
    }

    void write_subject(JsonWriter& json)
    {
        Subject& subject = app_.active().subject();
        const TimeLine line = subject.time_line();
        const Frame& frame = app_.active().frame();
        json.member("scene", subject.title()).member("playing", line.is_playing).member("frame", frame.index);
        json.member("last_frame", line.last).member("time", frame.time).member("hash", hex(frame.hash));
        json.member("shown", app_.count());
        if (const Session* session = subject.session()) {
            const SessionStatus status = session->status();
            json.member("rate", status.frames_per_second).member("actions", status.action_count);
            json.member("grips", session->shown().grips.size()).member("failure", status.message);
        }
        write_bodies(json);
    }

    // Where the first point of each body is on the screen.
    void write_bodies(JsonWriter& json)
    {
        const Area area = app_.area_of(app_.active_index());
        const Mat4 view = view_projection(app_.camera, area.aspect(), app_.active().bounds());
        json.key("bodies").begin_object();
        for (const BodyRange& body : app_.active().topology().bodies) {
            if (body.point_count == 0) continue;
            const std::int32_t middle = body.first_point + body.point_count / 2;
            const Vec3& x = app_.active().frame().x[middle];
            const auto at = project(view, x);
            if (!at) continue;
            const std::array<double, 5> place{area.x + (0.5 + 0.5 * (*at)[0]) * area.width,
                                              (0.5 - 0.5 * (*at)[1]) * area.height, x.x, x.y, x.z};
            json.key(body.name).value(std::span<const double>(place));
        }
        json.end_object();
    }

    const WindowOptions& options_;
    Clock::time_point start_ = Clock::now(), last_draw_ = start_;
    Display display_;
    App app_;
    MouseState mouse_;
    std::vector<Key> keys_;
    std::int64_t drawn_ = 0;
};

}  // namespace

void run_window(const WindowOptions& options)
{
    Window(options).run();
}

}  // namespace pliant::viewer
