// SPDX-License-Identifier: MIT
// POV-Ray 3.7: one scene per frame, every body a smooth mesh2 with a texture of its own, camera and lights that
// stay put over all frames, a floor below. Coordinates are the scene's, right-handed (the camera's `right` is negative).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <pliant/record/export_job.h>
#include <pliant/record/output_file.h>

namespace pliant {

namespace {

struct Box {
    Vec3 low, high;
};

// Everything that is seen in any of the frames.
Box seen(const ExportJob& job)
{
    constexpr double kFar = std::numeric_limits<double>::infinity();
    Box box{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
    for (const std::int64_t frame : job.frames)
        for (const ExportBody& body : job.bodies)
            for (const Vec3f& x : body_positions(job, frame, body))
                for (int k = 0; k < 3; ++k) {
                    box.low[k] = std::min(box.low[k], double{x[k]});
                    box.high[k] = std::max(box.high[k], double{x[k]});
                }
    return box;
}

std::string vector_text(const Vec3& v)
{
    return fmt::format("<{:.6g}, {:.6g}, {:.6g}>", v.x, v.y, v.z);
}

// A point given by how far it is to the right, up and towards the viewer, in the scene's axes.
Vec3 placed(const Vec3& middle, bool z_is_up, double right, double up, double nearer)
{
    return middle + (z_is_up ? Vec3{right, -nearer, up} : Vec3{right, up, nearer});
}

std::string stage_text(const ExportJob& job)
{
    const Box box = seen(job);
    const bool z_is_up = job.recording.header().topology.up == 'z';
    const Vec3 middle = (box.low + box.high) * 0.5;
    const double size = std::max(norm(box.high - box.low), 1e-9);
    const char* up = z_is_up ? "z" : "y";
    const double floor = (z_is_up ? box.low.z : box.low.y) - 1e-3 * size;
    return fmt::format(
        "#version 3.7;\nglobal_settings {{ assumed_gamma 1.0 }}\nbackground {{ rgb <0.93, 0.94, 0.96> }}\n"
        "camera {{\n  location {}\n  sky {}\n  right -x*image_width/image_height\n  angle 35\n  look_at {}\n}}\n"
        "light_source {{ {} rgb 0.9 area_light x*{:.6g}, {}*{:.6g}, 4, 4 adaptive 1 }}\n"
        "light_source {{ {} rgb 0.35 shadowless }}\n"
        "plane {{ {}, {:.6g} pigment {{ rgb 0.85 }} finish {{ ambient 0.1 diffuse 0.7 }} }}\n",
        vector_text(placed(middle, z_is_up, 0.5 * size, 0.6 * size, 1.9 * size)), up, vector_text(middle),
        vector_text(placed(middle, z_is_up, -1.5 * size, 3 * size, 2 * size)), 0.5 * size, z_is_up ? "y" : "z",
        0.5 * size, vector_text(placed(middle, z_is_up, 2 * size, size, 2 * size)), up, floor);
}

// Colours that stay apart for people who see fewer of them (Okabe and Ito).
std::string texture_text(std::size_t body)
{
    constexpr std::array<std::array<double, 3>, 6> kColours{{{0.00, 0.45, 0.70},
                                                             {0.84, 0.37, 0.00},
                                                             {0.00, 0.62, 0.45},
                                                             {0.80, 0.47, 0.65},
                                                             {0.90, 0.62, 0.00},
                                                             {0.35, 0.70, 0.90}}};
    const auto& [r, g, b] = kColours[body % kColours.size()];
    return fmt::format("  texture {{ pigment {{ rgb <{}, {}, {}> }} finish {{ ambient 0.1 diffuse 0.75 phong 0.4 "
                       "phong_size 40 }} }}\n",
                       r, g, b);
}

std::string list_text(const char* name, const std::vector<Vec3f>& values)
{
    std::string text = fmt::format("  {} {{ {}", name, values.size());
    for (const Vec3f& v : values) text += fmt::format(",\n    <{}, {}, {}>", v[0], v[1], v[2]);
    return text + "\n  }\n";
}

std::string mesh_text(const ExportBody& body, const std::vector<Vec3f>& positions, std::size_t index)
{
    std::string text = fmt::format("// {}\nmesh2 {{\n", body.name);
    text += list_text("vertex_vectors", positions);
    text += list_text("normal_vectors", vertex_normals(positions, body.triangles));
    text += fmt::format("  face_indices {{ {}", body.triangles.size());
    for (const Triangle& t : body.triangles) text += fmt::format(",\n    <{}, {}, {}>", t[0], t[1], t[2]);
    return text + "\n  }\n" + texture_text(index) + "}\n";
}

// Lines are drawn as thin rods.
std::string rods_text(const ExportBody& body, const std::vector<Vec3f>& positions, double radius, std::size_t index)
{
    std::string text = fmt::format("// {}\nunion {{\n", body.name);
    for (const auto& [a, b] : body.lines) {
        if (positions[a] == positions[b]) continue;  // a cylinder needs a length
        text += fmt::format("  cylinder {{ <{}, {}, {}>, <{}, {}, {}>, {:.6g} }}\n", positions[a][0], positions[a][1],
                            positions[a][2], positions[b][0], positions[b][1], positions[b][2], radius);
    }
    return text + texture_text(index) + "}\n";
}

}  // namespace

Exported export_pov(const ExportJob& job)
{
    Exported exported;
    for (const std::int64_t frame : job.frames) exported.files.push_back(numbered_path(job, frame, ".pov"));
    check_may_write(exported.files, job.overwrite);
    const std::string stage = stage_text(job);
    const Box box = seen(job);
    const double rod = 0.002 * std::max(norm(box.high - box.low), 1e-9);
    for (std::size_t k = 0; k < job.frames.size(); ++k) {
        OutputFile file(exported.files[k]);
        file.write(stage);
        for (std::size_t b = 0; b < job.bodies.size(); ++b) {
            const std::vector<Vec3f> positions = body_positions(job, job.frames[k], job.bodies[b]);
            file.write(job.bodies[b].triangles.empty() ? rods_text(job.bodies[b], positions, rod, b)
                                                       : mesh_text(job.bodies[b], positions, b));
        }
        file.commit();
    }
    exported.notes.push_back(fmt::format("render with: povray +W1280 +H720 +A {}", exported.files.front()));
    return exported;
}

}  // namespace pliant
