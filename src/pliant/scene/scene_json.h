// SPDX-License-Identifier: MIT
#pragma once

// Scenes from JSON text and back.
//
// Reading goes over describe(): strict keys, types, ranges and names are checked, and every problem of
// the text is collected with its line, its JSON pointer, what was found, what was expected and a cure.
// A scene that was read without problems has also passed check_scene(). No mesh is built or opened here.

#include <string>
#include <string_view>
#include <vector>

#include <pliant/scene/scene.h>

namespace pliant {

/// What could be understood, and everything that is wrong with it.
struct SceneRead {
    Scene scene;
    std::vector<Problem> problems;  ///< empty if the scene is good
};

/// A change of a scene from outside the file: --set bodies.box.mass=3. The value is JSON or plain words.
struct Override {
    std::string path, value;
};

/// "path=value" in two; nothing when there is no '=' or no path.
std::optional<Override> parse_override(std::string_view text);

/// Never throw. `file` names the text in problems and is where relative paths start from.
SceneRead parse_scene(std::string_view text, const std::string& file, const std::vector<Override>& overrides = {});
SceneRead read_scene(const std::string& path, const std::vector<Override>& overrides = {});

/// The scene, or an Error with all problems; of kind cannot_access when the file cannot be read.
Scene load_scene(const std::string& path, const std::vector<Override>& overrides = {});

/// A path written in the scene, as seen from the working directory: relative ones start at the scene's file.
std::string resolve_path(const Scene& scene, const std::string& path);

/// The scene as JSON text that reads back to the same scene; members with default values are left out.
std::string to_json_text(const Scene& scene);

}  // namespace pliant
