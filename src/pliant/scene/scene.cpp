// SPDX-License-Identifier: MIT
#include <pliant/scene/scene.h>

// Places of a scene: lines for messages, paths of files it names.

#include <filesystem>
#include <utility>

#include <pliant/scene/scene_json.h>
#include <pliant/scene/wording.h>

namespace pliant {

Problem Scene::problem(const std::string& pointer, std::string message, std::string cure) const
{
    Problem result{.file = file, .line = 0, .where = pointer, .message = std::move(message), .cure = std::move(cure)};
    std::string place = pointer;
    auto found = lines.find(place);
    while (found == lines.end() && !place.empty()) {
        place.resize(place.find_last_of('/') == std::string::npos ? 0 : place.find_last_of('/'));
        found = lines.find(place);
    }
    if (found == lines.end()) return result;
    if (found->second > 0)
        result.line = found->second;
    else
        result.file = override_name(place);
    return result;
}

std::string resolve_path(const Scene& scene, const std::string& path)
{
    const std::filesystem::path written(path);
    if (scene.file.empty() || scene.file == "-" || written.is_absolute()) return path;
    return (std::filesystem::path(scene.file).parent_path() / written).string();
}

}  // namespace pliant
