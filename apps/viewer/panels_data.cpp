// SPDX-License-Identifier: MIT

// Panels that show and tune: parameters, measures, profile, look, information, ids.

#include <algorithm>
#include <cfloat>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "panels.h"

namespace pliant::viewer {

namespace {

// A slider's ends: those of the parameter where they are near, else some times what the scene says.
std::pair<double, double> slider_range(const Control& control, double now)
{
    constexpr double kNear = 1000;
    double low = control.min, high = control.max;
    const double size = std::max(std::abs(control.start.number[0]), std::abs(now));
    if (!(high <= kNear)) high = std::min(control.max, size > 0 ? 4 * size : 1);
    if (!(low >= -kNear)) low = std::max(control.min, -(size > 0 ? 4 * size : 1));
    return {low, high};
}

bool draw_number(App& app, const Control& control, LiveValue& value)
{
    const auto [low, high] = slider_range(control, value.number[0]);
    const std::string format = control.unit.empty() || control.unit == "1" ? "%.4g" : "%.4g " + control.unit;
    if (!app.widgets.slider(control.path, control.name.c_str(), &value.number[0], low, high, format.c_str()))
        return false;
    value.number[0] = std::clamp(value.number[0], control.min, control.max);
    return true;
}

bool draw_count(App& app, const Control& control, LiveValue& value)
{
    int number = static_cast<int>(value.number[0]);
    const auto [low, high] = slider_range(control, value.number[0]);
    if (!app.widgets.slider(control.path, control.name.c_str(), &number, static_cast<int>(low), static_cast<int>(high)))
        return false;
    value.number[0] = std::clamp(static_cast<double>(number), control.min, control.max);
    return true;
}

bool draw_choice(App& app, const Control& control, LiveValue& value)
{
    const auto now = static_cast<std::size_t>(value.number[0]);
    bool is_changed = false;
    const bool is_open =
        ImGui::BeginCombo(control.name.c_str(), now < control.choices.size() ? control.choices[now].c_str() : "?");
    app.widgets.note(control.path);
    if (!is_open) return false;
    for (std::size_t c = 0; c < control.choices.size(); ++c)
        if (ImGui::Selectable(control.choices[c].c_str(), c == now)) {
            value.number[0] = static_cast<double>(c);
            is_changed = true;
        }
    ImGui::EndCombo();
    return is_changed;
}

bool draw_vector(App& app, const Control& control, LiveValue& value)
{
    const bool is_changed = ImGui::InputScalarN(control.name.c_str(), ImGuiDataType_Double, value.number.data(), 3,
                                                nullptr, nullptr, "%.4g", ImGuiInputTextFlags_EnterReturnsTrue);
    app.widgets.note(control.path);
    for (double& number : value.number) number = std::clamp(number, control.min, control.max);
    return is_changed;
}

bool draw_switch(App& app, const Control& control, LiveValue& value)
{
    bool is_on = value.number[0] != 0;
    const bool is_changed = ImGui::Checkbox(control.name.c_str(), &is_on);
    app.widgets.note(control.path);
    value = to_live(is_on);
    return is_changed;
}

void draw_control(App& app, const Control& control, LiveValue value)
{
    const LiveValue before = value;
    ImGui::PushID(control.path.c_str());
    bool is_changed = false;
    switch (control.kind) {
    case ControlKind::number:
        is_changed = draw_number(app, control, value);
        break;
    case ControlKind::count:
        is_changed = draw_count(app, control, value);
        break;
    case ControlKind::onoff:
        is_changed = draw_switch(app, control, value);
        break;
    case ControlKind::vector:
        is_changed = draw_vector(app, control, value);
        break;
    case ControlKind::choice:
        is_changed = draw_choice(app, control, value);
        break;
    }
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
        ImGui::SetTooltip("%s\n%s%s%s", control.path.c_str(), control.sentence.c_str(),
                          control.unit.empty() ? "" : "  in ", control.unit.c_str());
    if (is_changed && !(value == before)) app.change(control, value);
    if (!(before == control.start)) {
        ImGui::SameLine();
        if (app.widgets.small_button("reset")) app.change(control, control.start);
        app.widgets.note("reset " + control.path);
    }
    ImGui::PopID();
}

void draw_arrows(App& app)
{
    Widgets& w = app.widgets;
    MarkOptions& m = app.marks;
    w.checkbox("velocities", &m.velocities), ImGui::SameLine(), w.checkbox("accelerations", &m.accelerations);
    w.checkbox("normals", &m.normals), ImGui::SameLine(), w.checkbox("centroids", &m.centroids);
    w.checkbox("vertex ids", &app.shows_point_ids), ImGui::SameLine(), w.checkbox("face ids", &app.shows_face_ids);
    w.slider("length", "length", &m.arrow_length, 0.05, 10, "%.2f");
    w.slider("width", "width", &m.line_width, 1, 5, "%.1f");
}

void draw_contact_marks(App& app)
{
    Widgets& w = app.widgets;
    MarkOptions& m = app.marks;
    w.checkbox("bounding trees", &m.boxes), ImGui::SameLine(), w.checkbox("near pairs", &m.near);
    w.checkbox("broad pairs", &m.broad), ImGui::SameLine(), w.checkbox("impacts", &m.impacts);
    w.checkbox("uncorrected next state", &m.uncorrected);
    if (m.boxes)
        w.slider("from depth", "from depth", &m.box_from, 0, 20), w.slider("to depth", "to depth", &m.box_to, 0, 20);
    w.checkbox("vertex-face", &m.vertex_face), ImGui::SameLine(), w.checkbox("edge-edge", &m.edge_edge);
    ImGui::InputInt("first pair", &m.first_pair), ImGui::InputInt("last pair", &m.last_pair);
    const std::vector<BodyRange>& bodies = app.active().topology().bodies;
    const char* now = m.contact_body < 0 || m.contact_body >= static_cast<int>(bodies.size())
                          ? "all bodies"
                          : bodies[static_cast<std::size_t>(m.contact_body)].name.c_str();
    if (m.needs_contacts() && ImGui::BeginCombo("of", now)) {
        if (ImGui::Selectable("all bodies", m.contact_body < 0)) m.contact_body = -1;
        for (std::size_t b = 0; b < bodies.size(); ++b)
            if (ImGui::Selectable(bodies[b].name.c_str(), m.contact_body == static_cast<int>(b)))
                m.contact_body = static_cast<int>(b);
        ImGui::EndCombo();
    }
    if (m.needs_contacts() && !app.active().subject().contacts())
        ImGui::TextWrapped("nothing met in the last step, or contact.response is not bridson");
}

void draw_colours(App& app)
{
    const std::string label = app.colour.field.empty() ? "bodies" : app.colour.field;
    const bool is_open = ImGui::BeginCombo("colour by", label.c_str());
    app.widgets.note("colour by");
    if (is_open) {
        if (ImGui::Selectable("bodies", app.colour.field.empty())) app.colour.field.clear();
        app.widgets.note("colour bodies");
        for (const ColourField& field : app.active().fields()) {
            if (ImGui::Selectable(field.label.c_str(), app.colour.field == field.name))
                app.colour = {.field = field.name};
            app.widgets.note("colour " + field.name);
        }
        ImGui::EndCombo();
    }
    if (app.colour.field.empty()) return;
    ColourOptions& c = app.colour;
    if (app.widgets.checkbox("keep the range", &c.has_range) && c.has_range)
        c.low = app.active().field_low(), c.high = app.active().field_high();
    if (c.has_range) ImGui::InputDouble("from", &c.low), ImGui::InputDouble("to", &c.high);
    const double low = c.has_range ? c.low : app.active().field_low(),
                 high = c.has_range ? c.high : app.active().field_high();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, step = width / (kColourStops - 1);
    for (std::size_t s = 0; s + 1 < kColourStops; ++s) {
        const auto colour = [](const Rgb& rgb) { return ImGui::ColorConvertFloat4ToU32({rgb[0], rgb[1], rgb[2], 1}); };
        const float left = at.x + step * static_cast<float>(s);
        ImGui::GetWindowDrawList()->AddRectFilledMultiColor({left, at.y}, {left + step, at.y + 12}, colour(kColours[s]),
                                                            colour(kColours[s + 1]), colour(kColours[s + 1]),
                                                            colour(kColours[s]));
    }
    ImGui::Dummy({width, 14});
    ImGui::Text("%.4g to %.4g", low, high);
}

}  // namespace

void draw_parameters(App& app)
{
    if (app.is_empty()) return;
    const Session* session = app.active().subject().session();
    if (session == nullptr) return ImGui::TextWrapped("A take has no parameters to turn.");
    const Shown shown = session->shown();
    std::string group;
    bool is_open = false;
    ImGui::PushItemWidth(150);
    for (const Control& control : app.active().controls()) {
        if (control.group != group) {
            group = control.group;
            is_open = ImGui::CollapsingHeader(group.c_str());
            app.widgets.note("group " + group);
        }
        if (is_open) draw_control(app, control, shown.live[static_cast<std::size_t>(control.target)]);
    }
    ImGui::PopItemWidth();
}

void draw_measures(App& app)
{
    if (app.is_empty()) return;
    const std::vector<std::string>& names = app.active().topology().measures;
    if (app.plots.empty())
        for (const char* name : {"energy.total", "energy.kinetic"})
            if (std::find(names.begin(), names.end(), name) != names.end()) app.plots.emplace_back(name);
    const bool is_open = ImGui::BeginCombo("plot", "add or remove");
    app.widgets.note("plot");
    if (is_open) {
        for (const std::string& name : names) {
            const auto at = std::find(app.plots.begin(), app.plots.end(), name);
            if (!ImGui::Selectable(name.c_str(), at != app.plots.end(), ImGuiSelectableFlags_DontClosePopups)) continue;
            at == app.plots.end() ? static_cast<void>(app.plots.push_back(name))
                                  : static_cast<void>(app.plots.erase(at));
        }
        ImGui::EndCombo();
    }
    std::vector<float>& values = app.plotted;
    for (const std::string& name : app.plots) {
        const auto at = std::find(names.begin(), names.end(), name);
        if (at == names.end()) continue;
        const auto index = static_cast<std::size_t>(at - names.begin());
        app.active().subject().measure_history(index, values);
        const double now = index < app.active().frame().measures.size() ? app.active().frame().measures[index] : 0;
        const std::string text = fmt::format("{} = {:.5g}", name, now);
        ImGui::PlotLines(("##" + name).c_str(), values.data(), static_cast<int>(values.size()), 0, text.c_str(),
                         FLT_MAX, FLT_MAX, {ImGui::GetContentRegionAvail().x, 64});
    }
}

void draw_profile(App& app)
{
    if (app.is_empty()) return;
    const Frame& frame = app.active().frame();
    const std::vector<std::string>& stages = app.active().topology().stages;
    const double longest =
        frame.stage_seconds.empty() ? 0 : *std::max_element(frame.stage_seconds.begin(), frame.stage_seconds.end());
    for (std::size_t s = 0; s < std::min(stages.size(), frame.stage_seconds.size()); ++s) {
        if (frame.stage_seconds[s] < 1e-3 * longest || !(longest > 0)) continue;
        const std::string text = fmt::format("{} {:.2f} ms", stages[s], 1e3 * frame.stage_seconds[s]);
        ImGui::ProgressBar(static_cast<float>(frame.stage_seconds[s] / longest), {-1, 0}, text.c_str());
    }
    ImGui::Text("%d steps, %d tried again, %d iterations", frame.substeps, frame.retries, frame.iterations);
}

void draw_look(App& app)
{
    if (app.is_empty()) return;
    Widgets& w = app.widgets;
    DrawStyle& style = app.look.style;
    if (w.radio("Solid", style == DrawStyle::solid)) style = DrawStyle::solid;
    ImGui::SameLine();
    if (w.radio("Wires", style == DrawStyle::wireframe)) style = DrawStyle::wireframe;
    ImGui::SameLine();
    if (w.radio("Both", style == DrawStyle::overlay)) style = DrawStyle::overlay;
    ImGui::SameLine();
    if (w.radio("Clear", style == DrawStyle::transparent)) style = DrawStyle::transparent;
    draw_colours(app);
    w.checkbox("checker", &app.has_checker), ImGui::SameLine(), w.checkbox("cut open", &app.has_clip);
    if (app.has_clip) {
        w.slider("cut at", "at", &app.clip_share, 0, 1, "%.3f");
        for (int axis = 0; axis < 3; ++axis) {
            if (axis > 0) ImGui::SameLine();
            if (w.radio(std::string(1, "xyz"[axis]).c_str(), app.clip_axis == axis)) app.clip_axis = axis;
        }
    }
    LightKind& light = app.look.light;
    if (w.radio("Sun", light == LightKind::sun)) light = LightKind::sun;
    ImGui::SameLine();
    if (w.radio("Lamp", light == LightKind::lamp)) light = LightKind::lamp;
    ImGui::SameLine();
    if (w.radio("Spot", light == LightKind::spot)) light = LightKind::spot;
    if (ImGui::TreeNode("Arrows and ids")) draw_arrows(app), ImGui::TreePop();
    if (ImGui::TreeNode("Contact")) draw_contact_marks(app), ImGui::TreePop();
}

void draw_information(App& app)
{
    if (app.is_empty()) return;
    Exhibit& exhibit = app.active();
    ImGui::TextWrapped("%s", exhibit.subject().description().c_str());
    ImGui::Text("%d points, %d faces", exhibit.topology().point_count,
                static_cast<int>(exhibit.topology().triangles.size()));
    for (const BodyRange& body : exhibit.topology().bodies)
        ImGui::BulletText("%s: %s, %d points", body.name.c_str(), body.kind.c_str(), body.point_count);
    if (const Session* session = exhibit.subject().session())
        for (const std::string& note : session->notes()) ImGui::TextWrapped("%s", note.c_str());
    ImGui::Text("frame %lld, hash %016llx", static_cast<long long>(exhibit.frame().index),
                static_cast<unsigned long long>(exhibit.frame().hash));
    ImGui::Text("first picture after %.2f s", app.rates.first_frame);
    if (!app.inspected.empty()) ImGui::Separator(), ImGui::TextUnformatted(app.inspected.c_str());
}

void draw_ids(App& app)
{
    if (app.is_empty()) return;
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    for (std::size_t e = 0; e < app.count(); ++e) {
        Exhibit& exhibit = app.exhibit(e);
        const Area area = app.area_of(e);
        const Mat4 view = view_projection(app.camera, area.aspect(), exhibit.bounds());
        const auto write = [&](const Vec3& at, std::int32_t number, ImU32 colour) {
            const auto place = project(view, at);
            if (!place || std::abs((*place)[0]) > 1 || std::abs((*place)[1]) > 1) return;
            list->AddText({static_cast<float>(area.x + (0.5 + 0.5 * (*place)[0]) * area.width),
                           static_cast<float>((0.5 - 0.5 * (*place)[1]) * area.height)},
                          colour, std::to_string(number).c_str());
        };
        const Topology& topology = exhibit.topology();
        const std::vector<Vec3>& x = exhibit.frame().x;
        for (const BodyRange& body : topology.bodies) {
            if (app.shows_point_ids)
                for (std::int32_t p = 0; p < body.point_count; ++p)
                    write(x[body.first_point + p], p, IM_COL32(20, 60, 140, 255));
            if (!app.shows_face_ids) continue;
            for (std::int32_t t = 0; t < body.triangle_count; ++t) {
                const Triangle& face = topology.triangles[body.first_triangle + t];
                write((x[face[0]] + x[face[1]] + x[face[2]]) / 3.0, t, IM_COL32(140, 40, 30, 255));
            }
        }
    }
    if (!app.inspected.empty() && !app.shows_gallery) {
        ImGui::SetNextWindowPos({static_cast<float>(app.width()) / 2 - 110, 10}, ImGuiCond_Appearing);
        bool is_open = true;
        ImGui::Begin("What is this", &is_open, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
        ImGui::TextUnformatted(app.inspected.c_str());
        ImGui::End();
        if (!is_open) app.inspected.clear();
    }
}

}  // namespace pliant::viewer
