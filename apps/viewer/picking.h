// SPDX-License-Identifier: MIT
#pragma once

// What is under the cursor: the first face or line on a line of sight, and regions of points around it.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <pliant/model/frame.h>

#include "camera.h"

namespace pliant::viewer {

struct Hit {
    std::int32_t body = -1;      ///< index into Topology::bodies
    std::int32_t triangle = -1;  ///< -1 where a line without faces was hit
    std::int32_t point = -1;     ///< the corner nearest to the place
    Vec3 at, normal;             ///< [m]; the normal points to the eye
    double distance = 0;         ///< [m] from the eye
};

/// The nearest face; without one, the point of a line within `reach` radians of the line of sight.
std::optional<Hit> pick(const Topology& topology, std::span<const Vec3> x, const Ray& ray, double reach = 0.015);

/// Who is whose neighbour along edges of faces and lines.
class Neighbours {
public:
    explicit Neighbours(const Topology& topology);

    /// The point and all within so many edges of it, in ascending order.
    std::vector<std::int32_t> rings(std::int32_t point, int count) const;

private:
    std::vector<std::int32_t> start_, neighbour_;
};

}  // namespace pliant::viewer
