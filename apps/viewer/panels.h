// SPDX-License-Identifier: MIT
#pragma once

// The panels of the viewer, drawn with Dear ImGui: each shows part of the App and changes it.

#include "app.h"

namespace pliant::viewer {

/// All that are open, for a window of this size.
void draw_panels(App& app);

// One each, in the order they are drawn.
void draw_controls(App& app);
void draw_touch(App& app);
void draw_parameters(App& app);
void draw_measures(App& app);
void draw_profile(App& app);
void draw_look(App& app);
void draw_haptics(App& app);
void draw_record(App& app);
void draw_information(App& app);
void draw_time_line(App& app);
void draw_gallery(App& app);
void draw_help(App& app);
void draw_ids(App& app);

}  // namespace pliant::viewer
