// SPDX-License-Identifier: MIT
#include "widgets.h"

#include <imgui.h>

namespace pliant::viewer {

void Widgets::note(const std::string& name)
{
    if (!ImGui::IsItemVisible()) return;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    places_[name] = {low.x, low.y, high.x, high.y};
}

bool Widgets::button(const char* label)
{
    const bool is_pressed = ImGui::Button(label);
    note(label);
    return is_pressed;
}

bool Widgets::small_button(const char* label)
{
    const bool is_pressed = ImGui::SmallButton(label);
    note(label);
    return is_pressed;
}

bool Widgets::checkbox(const char* label, bool* value)
{
    const bool is_changed = ImGui::Checkbox(label, value);
    note(label);
    return is_changed;
}

bool Widgets::radio(const char* label, bool is_chosen)
{
    const bool is_pressed = ImGui::RadioButton(label, is_chosen);
    note(label);
    return is_pressed;
}

bool Widgets::slider(const std::string& name, const char* label, double* value, double low, double high,
                     const char* format)
{
    const bool is_changed = ImGui::SliderScalar(label, ImGuiDataType_Double, value, &low, &high, format);
    note(name);
    return is_changed;
}

bool Widgets::slider(const std::string& name, const char* label, int* value, int low, int high, const char* format)
{
    const bool is_changed = ImGui::SliderInt(label, value, low, high, format);
    note(name);
    return is_changed;
}

}  // namespace pliant::viewer
