// SPDX-License-Identifier: MIT
#pragma once

// The viewer without its window: what is open, where one looks from, which tool the mouse is, and what it does to the
// world. window.cpp feeds it events; panels.cpp draws its panels.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exhibit.h"
#include "film.h"
#include "gallery.h"
#include "haptics.h"
#include "widgets.h"

namespace pliant::viewer {

enum class Tool { pull, pick, push, paint };

/// A hand of the mouse that holds something until the button goes up.
struct Drag {
    std::size_t exhibit = 0;
    Vec3 grabbed;  ///< [m] where the cursor was
    Vec3 facing;   ///< normal of the plane that the cursor moves in
};

struct CursorPlace {
    std::size_t exhibit = 0;
    double u = 0, v = 0;  ///< -1 to 1 from left to right and from below
};

/// Pixels at the borders of the window that panels cover.
struct Margins {
    int left = 0, right = 0, lower = 0;
};

struct Rates {
    double draw = 0;         ///< pictures a second
    double first_frame = 0;  ///< [s] from the start of the program to the first picture
};

class App {
public:
    /// Needs a current context, now and until it goes.
    explicit App(const std::string& scenes_folder);

    /// Shows a scene, take or mesh, alone or beside what is shown. What is wrong with it becomes the message.
    bool open(const std::string& path, bool beside = false) { return open(std::vector{path}, beside); }
    /// The same; several meshes are one scene.
    bool open(const std::vector<std::string>& paths, bool beside);
    void close_second();
    void open_neighbour(int step);  ///< of the gallery

    bool is_empty() const { return exhibits_.empty(); }
    std::size_t count() const { return exhibits_.size(); }
    Exhibit& exhibit(std::size_t i) { return *exhibits_[i]; }
    Exhibit& active() { return *exhibits_[active_]; }

    void update();
    void draw_scene(int width, int height);
    void fit_camera();

    // What the mouse does; places in pixels from the upper left corner.
    void press(double x, double y, bool shift, bool ctrl);
    void move(double x, double y);
    void release();
    bool is_dragging() const { return drag_.has_value(); }
    bool grabs_nothing() const { return !drag_ && !is_painting_ && !has_picked_; }
    void set_pivot(double x, double y);
    void inspect(double x, double y);
    void zoom(double x, double y, double factor);

    // What happens to the running world.
    void toggle_play();
    void reset(bool keep_parameters);
    /// Lets go of bodies that the scene holds; when none is held, holds those again that it held at first.
    void drop();
    bool has_held_bodies();
    void change(const Control& control, const LiveValue& value);
    void pull_selection(const Vec3& way);
    void push_selection();
    void hold_selection();
    void release_all();
    void toggle_haptics();
    void clear_selection() { selection_.clear(), region_count_ = 0; }

    void take_screenshot();
    void toggle_film();
    void save_take();
    /// After the scene was drawn, before the panels are.
    void capture();

    Area area_of(std::size_t exhibit) const;
    /// What is left of the window beside panels.
    Area view_area() const;
    std::optional<CursorPlace> place_of(double x, double y) const;

    Camera camera;
    Look look;
    ColourOptions colour;
    MarkOptions marks;
    Tool tool = Tool::pull;
    int rings = 0;          ///< around the point that is taken
    double push_force = 1;  ///< [N]
    bool by_face = false;   ///< pick all corners of a face
    bool has_clip = false, has_checker = false, shows_point_ids = false, shows_face_ids = false;
    double clip_share = 0.5;
    int clip_axis = 0;
    bool shows_panels = true, shows_gallery = false, shows_help = false, wants_full_screen = false;
    std::string message, search;
    std::string inspected;           ///< what the right button found
    std::vector<std::string> plots;  ///< measures
    std::vector<float> plotted;      ///< values of the one just drawn
    Margins margins;
    Rates rates;
    Widgets widgets;
    Gallery gallery;
    Haptics haptics;
    bool mouse_is_haptic = true;  ///< when haptics start

    const std::vector<std::int32_t>& selection() const { return selection_; }
    int region_count() const { return region_count_; }
    std::size_t active_index() const { return active_; }
    bool is_filming() const { return film_ != nullptr; }
    int width() const { return width_; }
    int height() const { return height_; }

private:
    std::optional<Hit> hit_at(const CursorPlace& place);
    std::vector<std::int32_t> region_of(const Exhibit& exhibit, const Hit& hit) const;
    bool is_movable(const Exhibit& exhibit, const Hit& hit) const;
    void toggle_hold(const Hit& hit);
    void paint(const Hit& hit);
    void begin_drag(const CursorPlace& place, const Hit& hit);
    Marks hand_marks(std::size_t exhibit) const;
    void post(Action action);
    void serve_haptics();

    std::vector<std::unique_ptr<Exhibit>> exhibits_;
    std::size_t active_ = 0;
    std::optional<Drag> drag_;
    bool is_painting_ = false;
    bool has_picked_ = false;       // with the last press
    std::int32_t next_hand_ = 100;  // of points that are held
    std::vector<std::int32_t> selection_;
    int region_count_ = 0, width_ = 0, height_ = 0;
    std::unique_ptr<Film> film_;
    std::int64_t filmed_frame_ = -1;
    Area filmed_area_;
    bool wants_screenshot_ = false;
};

}  // namespace pliant::viewer
