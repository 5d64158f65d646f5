// SPDX-License-Identifier: MIT
#pragma once

// The window of the viewer: GLFW for the window and its events, Dear ImGui for panels, OpenGL 3.3 for the scene.

#include <atomic>
#include <string>
#include <vector>

namespace pliant::viewer {

struct WindowOptions {
    std::vector<std::string> files;  ///< one to show, or two side by side; none: the gallery
    std::string scenes;              ///< folder of the gallery
    std::string report;              ///< file that is told what the window shows and where its widgets are; empty: none
    std::string layout;              ///< file that remembers panels between runs; empty: none
    int width = 1440, height = 900;
    bool plays = false;                       ///< at once
    const std::atomic<bool>* stop = nullptr;  ///< set from a signal handler: closes the window
};

/// Shows the window until it is closed. An Error says what is missing: a display, OpenGL 3.3.
void run_window(const WindowOptions& options);

}  // namespace pliant::viewer
