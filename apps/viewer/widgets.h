// SPDX-License-Identifier: MIT
#pragma once

// Buttons, switches and sliders that remember where they are, so that scripts can click them by name: a window started with
// --report tells a file what it shows and where its widgets are.

#include <array>
#include <map>
#include <string>

namespace pliant::viewer {

class Widgets {
public:
    /// Forgets all places: a new picture begins.
    void begin() { places_.clear(); }

    bool button(const char* label);
    bool small_button(const char* label);
    bool checkbox(const char* label, bool* value);
    bool radio(const char* label, bool is_chosen);
    /// A slider over a range, wide or logarithmic as fits; the name is what scripts call it.
    bool slider(const std::string& name, const char* label, double* value, double low, double high, const char* format);
    bool slider(const std::string& name, const char* label, int* value, int low, int high, const char* format = "%d");

    /// Remembers the place of the last thing drawn.
    void note(const std::string& name);

    /// Left, upper, right and lower border in pixels.
    const std::map<std::string, std::array<float, 4>>& places() const { return places_; }

private:
    std::map<std::string, std::array<float, 4>> places_;
};

}  // namespace pliant::viewer
