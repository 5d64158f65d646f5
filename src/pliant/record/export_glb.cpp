// SPDX-License-Identifier: MIT
// GLB: binary glTF 2.0. Each body is a mesh whose morph targets are the frames after the first
// (displacements of positions and normals); an animation lets the weight of one target after the
// other rise to 1, so that between two frames positions are interpolated linearly.
// glTF has y up: a scene with z up gets a rotated root node.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/record/export_job.h>
#include <pliant/record/output_file.h>

namespace pliant {

namespace {

constexpr std::size_t kMaxFrames = 120;  // viewers hold all targets in memory
constexpr double kMaxBytes = 4e9;        // lengths in the file are 32 bits
constexpr int kFloat = 5126, kUnsignedInt = 5125, kArrayBuffer = 34962, kElementBuffer = 34963;

constexpr std::array<std::array<double, 3>, 6> kColors{{{0.25, 0.47, 0.75},
                                                        {0.90, 0.55, 0.20},
                                                        {0.35, 0.65, 0.35},
                                                        {0.80, 0.30, 0.30},
                                                        {0.55, 0.40, 0.70},
                                                        {0.60, 0.60, 0.60}}};

/// Items of a JSON array, counted.
struct JsonList {
    std::string items;
    int count = 0;

    int add(const std::string& item)
    {
        items += (count == 0 ? "" : ",\n") + item;
        return count++;
    }
};

/// The binary chunk with its views and accessors.
struct GlbData {
    std::vector<std::byte> bytes;
    JsonList views, accessors;

    int add(std::span<const std::byte> data, int target, std::string accessor)
    {
        const std::string target_text = target == 0 ? "" : fmt::format(",\"target\":{}", target);
        const int view = views.add(fmt::format("{{\"buffer\":0,\"byteOffset\":{},\"byteLength\":{}{}}}", bytes.size(),
                                               data.size(), target_text));
        bytes.insert(bytes.end(), data.begin(), data.end());
        return accessors.add(fmt::format("{{\"bufferView\":{},{}}}", view, accessor));
    }

    int add_vectors(const std::vector<Vec3f>& values)
    {
        Vec3f low = values.front(), high = low;
        for (const Vec3f& value : values)
            for (std::size_t i = 0; i < 3; ++i)
                low[i] = std::min(low[i], value[i]), high[i] = std::max(high[i], value[i]);
        // As doubles: the shortest text of a float is another number when read as a double.
        const auto text = [](const Vec3f& a) {
            return fmt::format("[{},{},{}]", double{a[0]}, double{a[1]}, double{a[2]});
        };
        return add(std::as_bytes(std::span(values)), kArrayBuffer,
                   fmt::format("\"componentType\":{},\"count\":{},\"type\":\"VEC3\",\"min\":{},\"max\":{}", kFloat,
                               values.size(), text(low), text(high)));
    }

    int add_scalars(const std::vector<float>& values)
    {
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        return add(std::as_bytes(std::span(values)), 0,
                   fmt::format("\"componentType\":{},\"count\":{},\"type\":\"SCALAR\",\"min\":[{}],\"max\":[{}]",
                               kFloat, values.size(), double{*low}, double{*high}));
    }

    template <class Element>
    int add_indices(const std::vector<Element>& elements)
    {
        return add(std::as_bytes(std::span(elements)), kElementBuffer,
                   fmt::format("\"componentType\":{},\"count\":{},\"type\":\"SCALAR\"", kUnsignedInt,
                               elements.size() * std::tuple_size_v<Element>));
    }
};

std::vector<Vec3f> differences(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b)
{
    std::vector<Vec3f> result(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) result[i] = {a[i][0] - b[i][0], a[i][1] - b[i][1], a[i][2] - b[i][2]};
    return result;
}

bool moves(const ExportJob& job, const ExportBody& body, std::span<const std::int64_t> frames)
{
    const std::vector<Vec3f> start = body_positions(job, frames.front(), body);
    return std::any_of(frames.begin() + 1, frames.end(),
                       [&](std::int64_t frame) { return body_positions(job, frame, body) != start; });
}

// Accessors of one frame, the first or a displacement from it.
std::string attributes(GlbData& data, const std::vector<Vec3f>& positions, const std::vector<Vec3f>& normals)
{
    std::string text = fmt::format("\"POSITION\":{}", data.add_vectors(positions));
    if (!normals.empty()) text += fmt::format(",\"NORMAL\":{}", data.add_vectors(normals));
    return '{' + text + '}';
}

// The glTF mesh of a body; `frames` after the first become targets.
std::string mesh_of(GlbData& data, const ExportJob& job, const ExportBody& body, std::span<const std::int64_t> frames,
                    int material)
{
    const bool has_triangles = !body.triangles.empty();
    const auto normals_of = [&](const std::vector<Vec3f>& positions) {
        return has_triangles ? vertex_normals(positions, body.triangles) : std::vector<Vec3f>();
    };
    const std::vector<Vec3f> positions = body_positions(job, frames.front(), body), normals = normals_of(positions);
    const int indices = has_triangles ? data.add_indices(body.triangles) : data.add_indices(body.lines);
    std::string text =
        fmt::format("{{\"name\":{},\"primitives\":[{{\"attributes\":{},\"indices\":{"
                    "},\"material\":{},\"mode\":{}",
                    quoted(body.name), attributes(data, positions, normals), indices, material, has_triangles ? 4 : 1);
    JsonList targets;
    for (const std::int64_t frame : frames.subspan(1)) {
        const std::vector<Vec3f> moved = body_positions(job, frame, body);
        targets.add(attributes(data, differences(moved, positions), differences(normals_of(moved), normals)));
    }
    if (targets.count == 0) return text + "}]}";
    return text + fmt::format(",\"targets\":[{}]}}],\"weights\":[{}]}}", targets.items,
                              fmt::join(std::vector<int>(static_cast<std::size_t>(targets.count), 0), ","));
}

// One sampler for all bodies: at key k target k-1 has weight 1, the others 0.
std::string animation_of(GlbData& data, const std::vector<float>& times, const std::vector<int>& nodes)
{
    const std::size_t target_count = times.size() - 1;
    std::vector<float> weights(times.size() * target_count, 0.0F);
    for (std::size_t k = 1; k < times.size(); ++k) weights[k * target_count + k - 1] = 1.0F;
    JsonList channels;
    for (const int node : nodes)
        channels.add(fmt::format("{{\"sampler\":0,\"target\":{{\"node\":{},\"path\":\"weights\"}}}}", node));
    const int input = data.add_scalars(times), output = data.add_scalars(weights);
    return fmt::format("\"animations\":[{{\"name\":\"take\",\"channels\":[{}],\"samplers\":[{{"
                       "\"input\":{},\"output\":{},"
                       "\"interpolation\":\"LINEAR\"}}]}}],\n",
                       channels.items, input, output);
}

// At most kMaxFrames of the job's frames, evenly spread, first and last among them, with their
// times [s] from the first; a frame that is not later than the one before is left out.
std::vector<std::int64_t> clip_frames(const ExportJob& job, std::vector<float>& times)
{
    const std::size_t count = std::min(job.frames.size(), kMaxFrames);
    const std::vector<double> recorded = job.recording.times();
    std::vector<std::int64_t> frames;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t k = count < 2 ? 0 : (i * (job.frames.size() - 1) + (count - 1) / 2) / (count - 1);
        const std::int64_t frame = job.frames[k];
        const auto time = static_cast<float>(recorded[static_cast<std::size_t>(frame)] -
                                             recorded[static_cast<std::size_t>(job.frames[0])]);
        if (!times.empty() && !(time > times.back())) continue;
        times.push_back(time);
        frames.push_back(frame);
    }
    return frames;
}

void check_size(const ExportJob& job, std::size_t frame_count)
{
    double points = 0;
    for (const ExportBody& body : job.bodies) points += static_cast<double>(body.points.size());
    if (points * static_cast<double>(frame_count) * 2 * sizeof(Vec3f) < kMaxBytes) return;
    throw Error(Problem{job.path.string(), 0, "",
                        fmt::format("{} points in {} frames are too many for GLB", points, frame_count),
                        "use pc2 or usda, or fewer frames"},
                ErrorKind::usage);
}

std::string material_of(std::size_t i)
{
    const std::array<double, 3>& color = kColors[i % kColors.size()];
    return fmt::format("{{\"doubleSided\":true,\"pbrMetallicRoughness\":{{\"baseColorFactor\":[{},{},{},1],"
                       "\"metallicFactor\":0,\"roughnessFactor\":0.7}}}}",
                       color[0], color[1], color[2]);
}

std::string glb_json(GlbData& data, const ExportJob& job, std::span<const std::int64_t> frames,
                     const std::vector<float>& times)
{
    JsonList meshes, nodes, materials;
    std::vector<int> children, moving;
    for (const ExportBody& body : job.bodies) {
        const bool is_moving = moves(job, body, frames);
        const int material = materials.add(material_of(static_cast<std::size_t>(materials.count)));
        const int mesh = meshes.add(mesh_of(data, job, body, is_moving ? frames : frames.first(1), material));
        children.push_back(nodes.add(fmt::format("{{\"name\":{},\"mesh\":{}}}", quoted(body.name), mesh)));
        if (is_moving) moving.push_back(children.back());
    }
    const bool is_z_up = job.recording.header().topology.up == 'z';
    const double half = std::sqrt(0.5);
    const std::string turn = is_z_up ? fmt::format(",\"rotation\":[{},0,0,{}]", -half, half) : "";
    const int root =
        nodes.add(fmt::format("{{\"name\":\"take\",\"children\":[{}]{}}}", fmt::join(children, ","), turn));
    const std::string animation = moving.empty() ? "" : animation_of(data, times, moving);
    return fmt::format("{{\"asset\":{{\"version\":\"2.0\",\"generator\":{}}},\n\"scene\":0,"
                       "\"scenes\":[{{\"nodes\":[{}]}}],\n"
                       "\"nodes\":[{}],\n\"meshes\":[{}],\n\"materials\":[{}],\n{}\"accessors\":[{}"
                       "],\n\"bufferViews\":[{}],\n"
                       "\"buffers\":[{{\"byteLength\":{}}}]}}",
                       quoted("pliant " + job.recording.header().version), root, nodes.items, meshes.items,
                       materials.items, animation, data.accessors.items, data.views.items, data.bytes.size());
}

void write_glb(const std::string& path, std::string json, const std::vector<std::byte>& bytes)
{
    // Both chunks end on a multiple of four; the binary one does by its contents.
    while (json.size() % 4 != 0) json += ' ';
    const auto json_length = static_cast<std::uint32_t>(json.size()),
               binary_length = static_cast<std::uint32_t>(bytes.size());
    constexpr std::uint32_t kMagic = 0x46546C67, kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;
    const std::array<std::uint32_t, 5> head{kMagic, 2, 12 + 8 + json_length + 8 + binary_length, json_length,
                                            kJsonChunk};
    const std::array<std::uint32_t, 2> binary_head{binary_length, kBinaryChunk};
    OutputFile file(path);
    file.write_values(std::span<const std::uint32_t>(head));
    file.write(json);
    file.write_values(std::span<const std::uint32_t>(binary_head));
    file.write(std::span<const std::byte>(bytes));
    file.commit();
}

}  // namespace

Exported export_glb(const ExportJob& job)
{
    Exported exported{{job.path.string()}, {}};
    check_may_write(exported.files, job.overwrite);
    std::vector<float> times;
    const std::vector<std::int64_t> frames = clip_frames(job, times);
    check_size(job, frames.size());
    if (frames.size() < job.frames.size())
        exported.notes.push_back(fmt::format("GLB holds short clips only: {} of {} frames were taken, evenly spread",
                                             frames.size(), job.frames.size()));
    GlbData data;
    write_glb(exported.files[0], glb_json(data, job, frames, times), data.bytes);
    return exported;
}

}  // namespace pliant
