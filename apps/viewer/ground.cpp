// SPDX-License-Identifier: MIT
#include "ground.h"

#include <pliant/base/json.h>

namespace pliant::viewer {

std::optional<double> ground_of(const std::string& scene_text, char up)
{
    const Json scene = parse_json(scene_text, "").value;
    const Json* colliders = scene.find("colliders");
    if (colliders == nullptr) return {};
    const std::size_t k = up == 'z' ? 2 : 1;
    for (const JsonMember& member : colliders->members) {
        const Json* plane = member.value.find("plane");
        if (plane == nullptr || plane->items.size() != 4 || !(plane->items[k].number > 0)) continue;
        if (plane->items[(k + 1) % 3].number == 0 && plane->items[(k + 2) % 3].number == 0)
            return plane->items[3].number / plane->items[k].number;
    }
    return {};
}

}  // namespace pliant::viewer
