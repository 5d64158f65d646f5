// SPDX-License-Identifier: MIT
#pragma once

// What leaves the engine: a Frame per recorded instant and the Topology they all share.
//
// Recorder, exporters, viewer and Python read these and nothing else of the engine. Positions stay
// double: rounding can make or hide an intersection.

#include <cstdint>
#include <string>
#include <vector>

#include <pliant/base/types.h>

namespace pliant {

/// One body's ranges into the shared arrays. Indices of triangles and lines are global points.
struct BodyRange {
    std::string name;
    std::string kind;  ///< "springs", "rigid", "collider" …
    std::int32_t first_point = 0, point_count = 0;
    std::int32_t first_triangle = 0, triangle_count = 0;
    std::int32_t first_line = 0, line_count = 0;
};

/// What does not change during a run.
struct Topology {
    std::int32_t point_count = 0;
    std::vector<BodyRange> bodies;
    std::vector<Triangle> triangles;
    std::vector<Edge> lines;
    std::vector<std::string> measures;  ///< names, index for index with Frame::measures
    std::vector<std::string> fields;    ///< names of per-point scalars, index for index with Frame::fields
    std::vector<std::string> stages;    ///< names, index for index with Frame::stage_seconds
    double frame_rate = 60;             ///< [1/s] of simulated time
    char up = 'y';                      ///< 'y' or 'z'
};

/// One recorded instant.
struct Frame {
    std::int64_t index = 0;                         ///< from 0, the start state
    double time = 0;                                ///< [s]
    std::int64_t step = 0;                          ///< accepted sub-steps since the start
    std::vector<Vec3> x;                            ///< #points [m]
    std::vector<Vec3> v;                            ///< #points [m/s]
    std::vector<double> measures;                   ///< #Topology::measures, SI
    std::vector<std::vector<double>> fields;        ///< #Topology::fields, each #points (may be empty)
    std::vector<double> stage_seconds;              ///< wall time by stage spent since the frame before
    std::uint64_t hash = 0;                         ///< of the State at this instant
    int substeps = 0, retries = 0, iterations = 0;  ///< since the frame before
    std::string status = "ok";                      ///< "ok", "warning" or the kind of failure
    std::string message;                            ///< words for a warning or failure, else empty
};

}  // namespace pliant
