// SPDX-License-Identifier: MIT

// Panels that steer: controls, touch, time line, record, gallery, help.

#include "panels.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <imgui.h>

namespace pliant::viewer {

namespace {

constexpr float kSideWidth = 330, kLineHeight = 74;

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

// A column at one side of the window, over the time line.
void place_column(const App& app, bool is_right)
{
    const auto width = static_cast<float>(app.width()), height = static_cast<float>(app.height());
    ImGui::SetNextWindowPos({is_right ? width - kSideWidth : 0, 0}, ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize({kSideWidth, height - kLineHeight}, ImGuiCond_FirstUseEver);
}

void draw_session_state(App& app)
{
    const Session* session = app.active().subject().session();
    const double time = app.active().frame().time;
    if (session == nullptr) return ImGui::Text("%.3f s, a take", time);
    const SessionStatus status = session->status();
    ImGui::Text("%.2f s, simulates %.0f, draws %.0f a second", time, status.frames_per_second, app.rates.draw);
    if (status.message.empty()) return;
    ImGui::PushStyleColor(ImGuiCol_Text, {0.80F, 0.10F, 0.10F, 1});
    ImGui::TextWrapped("%s", status.message.c_str());
    ImGui::PopStyleColor();
    if (status.has_failed && app.widgets.button("Back to the last second"))
        app.active().subject().session()->rewind_to(status.last_frame - 1);
}

}  // namespace

void draw_controls(App& app)
{
    Widgets& w = app.widgets;
    if (w.button("Gallery")) app.shows_gallery = !app.shows_gallery;
    ImGui::SameLine();
    if (w.button("Help")) app.shows_help = !app.shows_help;
    if (app.is_empty()) return;
    Subject& subject = app.active().subject();
    ImGui::SameLine();
    ImGui::TextUnformatted(subject.title().c_str());
    const bool plays = subject.time_line().is_playing;
    if (w.button(plays ? "Pause" : "Play")) app.toggle_play();
    ImGui::SameLine();
    if (w.button("Step"))
        for (std::size_t e = 0; e < app.count(); ++e) app.exhibit(e).subject().step(1);
    ImGui::SameLine();
    if (w.button("Reset")) app.reset(true);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("back to the start; parameters stay as they are set (R)");
    ImGui::SameLine();
    if (w.button("Restore")) app.reset(false);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("back to the start and to the parameters of the scene");
    ImGui::SameLine();
    if (w.button("Fit")) app.fit_camera();
    if (app.has_held_bodies()) {
        ImGui::SameLine();
        if (w.button("Drop")) app.drop();
    }
    double speed = subject.time_line().speed;
    constexpr double kSlowest = 0.01, kFastest = 10;
    if (ImGui::SliderScalar("speed", ImGuiDataType_Double, &speed, &kSlowest, &kFastest, "%.2f",
                            ImGuiSliderFlags_Logarithmic))
        for (std::size_t e = 0; e < app.count(); ++e) app.exhibit(e).subject().set_speed(speed);
    w.note("speed");
    if (app.count() == 1 && w.button("Beside: the same again")) app.open(subject.path(), true);
    if (app.count() == 2 && w.button("Only this one")) app.close_second();
    if (app.count() == 2)
        ImGui::Text("A | B: sliders are of %s; click into a picture to change", app.active_index() == 0 ? "A" : "B");
    draw_session_state(app);
}

void draw_touch(App& app)
{
    Widgets& w = app.widgets;
    if (app.is_empty() || app.active().subject().session() == nullptr) {
        ImGui::TextWrapped("A take cannot be touched: open the scene to do so.");
        return;
    }
    if (w.radio("Pull", app.tool == Tool::pull)) app.tool = Tool::pull;
    ImGui::SameLine();
    if (w.radio("Push", app.tool == Tool::push)) app.tool = Tool::push;
    ImGui::SameLine();
    if (w.radio("Pick", app.tool == Tool::pick)) app.tool = Tool::pick;
    ImGui::SameLine();
    if (w.radio("Paint holds", app.tool == Tool::paint)) app.tool = Tool::paint;
    w.slider("rings", "rings", &app.rings, 0, 12);
    w.checkbox("whole faces", &app.by_face);
    constexpr double kLeast = 1e-3, kMost = 1e4;
    ImGui::SliderScalar("force [N]", ImGuiDataType_Double, &app.push_force, &kLeast, &kMost, "%.3g",
                        ImGuiSliderFlags_Logarithmic);
    w.note("force");
    ImGui::Text("%d points picked in %d regions", static_cast<int>(app.selection().size()), app.region_count());
    if (w.button("Hold them")) app.hold_selection();
    ImGui::SameLine();
    if (w.button("Push them")) app.push_selection();
    ImGui::SameLine();
    if (w.button("Lift them")) app.pull_selection(app.camera.up_axis() * (0.25 * app.active().bounds().radius()));
    if (w.button("Forget picks")) app.clear_selection();
    ImGui::SameLine();
    if (w.button("Let all go")) app.release_all();
}

void draw_haptics(App& app)
{
    Widgets& w = app.widgets;
    Haptics& haptics = app.haptics;
    if (w.button(haptics.is_running() ? "End haptics" : "Start haptics")) app.toggle_haptics();
    ImGui::SameLine();
    w.checkbox("mouse is a hand", &app.mouse_is_haptic);
    w.slider("touch stiffness", "stiffness", &haptics.touch.stiffness, 50, 2000, "%.0f N/m");
    w.slider("touch friction", "friction", &haptics.touch.static_friction, 0, 1.5, "%.2f");
    haptics.touch.dynamic_friction = 0.8 * haptics.touch.static_friction;
    if (!haptics.is_running()) return;
    const ServoMeasures m = haptics.measures();
    ImGui::Text("%.0f ticks a second, %llu missed", m.rate, static_cast<unsigned long long>(m.missed));
    ImGui::Text("late %.0f us, 99 %% %.0f us, worst %.1f ms", 1e6 * m.lateness.mean, 1e6 * m.lateness.p99,
                1e3 * m.lateness.worst);
    ImGui::Text("answers after %.2f ms, 99 %% %.2f ms", 1e3 * m.latency.mean, 1e3 * m.latency.p99);
    ImGui::TextWrapped("%s; %s", m.schedule.c_str(), haptics.port_words().c_str());
    for (const HapticStatus& status : haptics.statuses()) {
        if (status.label.empty()) continue;
        ImGui::BulletText("%s: %s, %.2f N", status.label.c_str(),
                          !status.is_present   ? "lost"
                          : status.is_touching ? "touches"
                                               : "free",
                          norm(status.force));
    }
}

void draw_record(App& app)
{
    Widgets& w = app.widgets;
    if (w.button("Screenshot")) app.take_screenshot();
    ImGui::SameLine();
    if (w.button(app.is_filming() ? "End film" : "Film")) app.toggle_film();
    ImGui::SameLine();
    if (w.button("Save take")) app.save_take();
    if (w.button("Copy camera")) {
        const Camera& c = app.camera;
        constexpr double kDegrees = 57.29577951308232;
        ImGui::SetClipboardText(
            fmt::format("--azimuth {:.1f} --elevation {:.1f} --target {:.4g},{:.4g},{:.4g} --distance {:.4g}",
                        c.azimuth * kDegrees, c.elevation * kDegrees, c.target.x, c.target.y, c.target.z, c.distance)
                .c_str());
        app.message = "the camera is in the clipboard, as options of pliant render";
    }
    if (!app.is_empty())
        if (const Session* session = app.active().subject().session())
            ImGui::Text("%d actions done by hand", static_cast<int>(session->status().action_count));
}

void draw_time_line(App& app)
{
    if (app.is_empty()) return;
    const auto width = static_cast<float>(app.width()), height = static_cast<float>(app.height());
    ImGui::SetNextWindowPos({0, height - kLineHeight}, ImGuiCond_Always);
    ImGui::SetNextWindowSize({width, kLineHeight}, ImGuiCond_Always);
    ImGui::Begin("Timeline", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings);
    Subject& subject = app.active().subject();
    const TimeLine line = subject.time_line();
    int shown = static_cast<int>(line.shown);
    ImGui::SetNextItemWidth(width - 260);
    if (app.widgets.slider("frame", "##frame", &shown, static_cast<int>(line.first), static_cast<int>(line.last),
                           "frame %d"))
        for (std::size_t e = 0; e < app.count(); ++e) app.exhibit(e).subject().seek(shown);
    ImGui::SameLine();
    if (subject.session() != nullptr && !line.is_playing && line.shown < line.last) {
        if (app.widgets.button("Go on from here")) {
            for (std::size_t e = 0; e < app.count(); ++e)
                if (Session* session = app.exhibit(e).subject().session()) session->rewind_to(line.shown);
            for (std::size_t e = 0; e < app.count(); ++e) app.exhibit(e).subject().show_newest();
        }
    } else {
        ImGui::Text("%.3f s", app.active().frame().time);
    }
    ImGui::TextUnformatted(app.message.empty() ? "H for help" : app.message.c_str());
    ImGui::End();
}

void draw_gallery(App& app)
{
    if (!app.shows_gallery && !app.is_empty()) return;
    app.gallery.draw_next();
    const auto width = static_cast<float>(app.width()), height = static_cast<float>(app.height());
    ImGui::SetNextWindowPos({0.06F * width, 0.05F * height}, ImGuiCond_Always);
    ImGui::SetNextWindowSize({0.88F * width, 0.88F * height}, ImGuiCond_Always);
    ImGui::Begin("Scenes", app.is_empty() ? nullptr : &app.shows_gallery,
                 ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize);
    char text[128] = "";
    app.search.copy(text, sizeof text - 1);
    if (ImGui::InputTextWithHint("##search", "find a scene; or drop a scene, take or mesh on this window", text,
                                 sizeof text))
        app.search = text;
    app.widgets.note("search");
    if (!app.message.empty()) ImGui::TextWrapped("%s", app.message.c_str());
    ImGui::BeginChild("entries");
    const float column = kThumbnailWidth + 24;
    const int columns = std::max(1, static_cast<int>(ImGui::GetContentRegionAvail().x / column));
    std::string chosen;
    int placed = 0;
    for (const GalleryEntry& entry : app.gallery.entries()) {
        if (lower(entry.name + " " + entry.sentence).find(lower(app.search)) == std::string::npos) continue;
        if (placed++ % columns != 0) ImGui::SameLine();
        ImGui::BeginGroup();
        ImGui::PushID(entry.name.c_str());
        const auto picture =
            reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(static_cast<GLuint>(entry.picture)));
        const ImVec2 size{kThumbnailWidth, kThumbnailHeight};
        const bool is_pressed = entry.picture != 0 ? ImGui::ImageButton(picture, size, {0, 1}, {1, 0}, 2)
                                                   : ImGui::Button(entry.has_failed ? "no picture" : "…", size);
        app.widgets.note("scene " + entry.name);
        if (is_pressed) chosen = entry.path;
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + kThumbnailWidth);
        ImGui::TextUnformatted(entry.name.c_str());
        const std::string sentence = entry.sentence.substr(0, 90) + (entry.sentence.size() > 90 ? "..." : "");
        ImGui::TextDisabled("%s", sentence.c_str());
        ImGui::PopTextWrapPos();
        ImGui::PopID();
        ImGui::EndGroup();
    }
    ImGui::EndChild();
    ImGui::End();
    if (!chosen.empty()) app.open(chosen);
}

void draw_help(App& app)
{
    if (!app.shows_help) return;
    ImGui::SetNextWindowPos({static_cast<float>(app.width()) / 2 - 270, 60}, ImGuiCond_Appearing);
    ImGui::Begin("Help", &app.shows_help, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    ImGui::TextUnformatted("P or space    play and pause            O           one frame\n"
                           "R             back to the start         , .         a frame back, a frame on\n"
                           "[ ]           scene before, next one    Ctrl+O      find a scene\n"
                           "1 2 3 4       solid, wires, both, clear F           fit the view\n"
                           "Tab           hide the panels           F11         full screen\n"
                           "S             screenshot                B           back to the last second\n"
                           "H             this text                 Ctrl+Q      quit\n\n"
                           "left drag on a body      pull it (or push, pick, paint: see Touch)\n"
                           "left drag elsewhere      turn the view; right drag always does\n"
                           "middle or Ctrl+right     move the view; wheel zooms to the cursor\n"
                           "right held + W A S D Q E fly\n"
                           "double click             turn about that place\n"
                           "Shift+click              hold a vertex or a rigid body, again: let it go\n"
                           "Ctrl+click               pick a region; right click: what is this?");
    ImGui::End();
}

void draw_panels(App& app)
{
    app.widgets.begin();
    draw_ids(app);
    app.margins = {};
    if (app.shows_panels && !app.is_empty() && !app.shows_gallery) {
        app.margins = {static_cast<int>(kSideWidth), static_cast<int>(kSideWidth), static_cast<int>(kLineHeight)};
        place_column(app, false);
        ImGui::Begin("Controls");
        draw_controls(app);
        if (ImGui::CollapsingHeader("Touch", ImGuiTreeNodeFlags_DefaultOpen)) draw_touch(app);
        const bool has_haptics = ImGui::CollapsingHeader("Haptics");
        app.widgets.note("Haptics");
        if (has_haptics) draw_haptics(app);
        if (ImGui::CollapsingHeader("Record", ImGuiTreeNodeFlags_DefaultOpen)) draw_record(app);
        const bool is_open = ImGui::CollapsingHeader("Parameters", ImGuiTreeNodeFlags_DefaultOpen);
        app.widgets.note("Parameters");
        if (is_open) draw_parameters(app);
        ImGui::End();
        place_column(app, true);
        ImGui::Begin("View");
        if (ImGui::CollapsingHeader("Look", ImGuiTreeNodeFlags_DefaultOpen)) draw_look(app);
        if (ImGui::CollapsingHeader("Measures", ImGuiTreeNodeFlags_DefaultOpen)) draw_measures(app);
        if (ImGui::CollapsingHeader("Profile")) draw_profile(app);
        if (ImGui::CollapsingHeader("Information")) draw_information(app);
        ImGui::End();
        draw_time_line(app);
    }
    draw_gallery(app);
    draw_help(app);
}

}  // namespace pliant::viewer
