// SPDX-License-Identifier: MIT
#pragma once

// A small take for the tests of this room: a cloth of two triangles whose frame nodes (points 0, 1)
// belong to no triangle, a rope of three points and two lines, a plane without any points.
// Numbers are random with a fixed seed. Positions [m].

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <pliant/base/error.h>
#include <pliant/record/recording.h>

namespace pliant {

/// A directory of its own, gone with the object.
class TemporaryDirectory {
public:
    TemporaryDirectory()
    {
        // In memory where there is such a place: these tests flush hundreds of databases.
        const std::string parent = std::filesystem::is_directory("/dev/shm") ? "/dev/shm/" : testing::TempDir();
        std::string name = parent + "pliant_record_XXXXXX";
        path_ = mkdtemp(name.data());
    }
    ~TemporaryDirectory()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    std::string file(const std::string& name) const { return path_ + '/' + name; }
    std::size_t file_count() const
    {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
    }

private:
    std::string path_;
};

inline RecordingHeader sample_header()
{
    RecordingHeader header;
    header.scene_text = "{\"world\": {}} // a comment, \xC3\xA4";
    header.scene_path = "scenes/sample.json";
    header.version = "0.1.0";
    header.model_id = 0xfedcba9876543210U;
    Topology& topology = header.topology;
    topology.point_count = 9;
    topology.bodies = {{.name = "cloth", .kind = "springs", .point_count = 6, .triangle_count = 2},
                       {.name = "my rope",
                        .kind = "springs",
                        .first_point = 6,
                        .point_count = 3,
                        .first_triangle = 2,
                        .line_count = 2},
                       {.name = "floor", .kind = "collider", .first_point = 9, .first_triangle = 2, .first_line = 2}};
    topology.triangles = {Triangle{2, 3, 4}, Triangle{2, 4, 5}};
    topology.lines = {Edge{6, 7}, Edge{7, 8}};
    topology.measures = {"energy.kinetic", "energy.total", "cloth.volume"};
    topology.fields = {"strain", "pressure"};
    topology.stages = {"solve", "contact"};
    topology.frame_rate = 50;
    return header;
}

/// Frame `index` of the sample; always the same.
inline Frame sample_frame(std::int64_t index)
{
    std::mt19937_64 random(static_cast<std::uint64_t>(index) + 1);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    Frame frame;
    frame.index = index;
    frame.time = static_cast<double>(index) / 50;
    frame.step = index * 4;
    for (int i = 0; i < 9; ++i) {
        frame.x.push_back({number(random), number(random), number(random)});
        frame.v.push_back({number(random), number(random), number(random)});
    }
    for (int i = 0; i < 3; ++i) frame.measures.push_back(number(random) * 1e-7);
    frame.fields.resize(2);
    for (int i = 0; i < 9; ++i) frame.fields[0].push_back(number(random));
    frame.stage_seconds = {0.25 + static_cast<double>(index), 0.5};
    frame.hash = random();
    frame.substeps = 4, frame.retries = 1, frame.iterations = 17;
    if (index == 2) frame.status = "warning", frame.message = "slow \"solve\"";
    return frame;
}

/// Writes a finished take of `frame_count` frames and opens it.
inline Recording sample_recording(const TemporaryDirectory& directory, std::int64_t frame_count, char up = 'y')
{
    RecordingHeader header = sample_header();
    header.topology.up = up;
    RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), header, true);
    for (std::int64_t k = 0; k < frame_count; ++k) writer.add_frame(sample_frame(k));
    writer.finish("{}");
    return Recording::open(directory.file("take.plrec"));
}

/// What the Error thrown by `action` says, with its kind in front; "" when it throws nothing.
template <class Action>
std::string error_of(const Action& action)
{
    try {
        action();
    } catch (const Error& error) {
        const char* kinds[] = {"usage: ", "bad_input: ", "cannot_access: "};
        return kinds[static_cast<int>(error.kind())] + std::string(error.what());
    }
    return "";
}

inline bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

inline std::string contents(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void replace_contents(const std::string& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

}  // namespace pliant
