// SPDX-License-Identifier: MIT
#include <pliant/record/export_job.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/base/json.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>
#include <pliant/world/inputs.h>

namespace pliant {

namespace {

[[noreturn]] void refuse(std::string message, std::string cure, ErrorKind kind, const Recording& recording)
{
    throw Error(Problem{recording.path(), 0, "", std::move(message), std::move(cure)}, kind);
}

// Replaces the indices by positions in the sorted list of the indices that occur.
template <class Element>
void compact(ExportBody& body, std::vector<Element>& elements)
{
    for (const Element& element : elements) body.points.insert(body.points.end(), element.begin(), element.end());
    std::sort(body.points.begin(), body.points.end());
    body.points.erase(std::unique(body.points.begin(), body.points.end()), body.points.end());
    for (Element& element : elements)
        for (std::int32_t& point : element)
            point = static_cast<std::int32_t>(std::lower_bound(body.points.begin(), body.points.end(), point) -
                                              body.points.begin());
}

ExportBody drawable_part(const Topology& topology, const BodyRange& range)
{
    ExportBody body;
    body.name = range.name;
    const auto triangles = topology.triangles.begin() + range.first_triangle;
    body.triangles.assign(triangles, triangles + range.triangle_count);
    const auto lines = topology.lines.begin() + range.first_line;
    if (body.triangles.empty()) body.lines.assign(lines, lines + range.line_count);
    compact(body, body.triangles);
    if (body.triangles.empty()) compact(body, body.lines);
    return body;
}

// The same bodies, with the same ranges of points and the same surfaces.
bool is_same_topology(const Topology& a, const Topology& b)
{
    const auto is_same_body = [](const BodyRange& p, const BodyRange& q) {
        return p.name == q.name && p.kind == q.kind && p.first_point == q.first_point && p.point_count == q.point_count;
    };
    return a.point_count == b.point_count && a.triangles == b.triangles && a.lines == b.lines &&
           std::equal(a.bodies.begin(), a.bodies.end(), b.bodies.begin(), b.bodies.end(), is_same_body);
}

// Whether the recorded start state has its points where the rebuilt one has them.
bool starts_at(const Recording& recording, const World& world)
{
    if (recording.frame_count() == 0) return false;
    const Frame start = recording.frame(0);
    if (start.index != 0) return false;
    const double tolerance = 1e-9 * world.model->size;
    return std::equal(start.x.begin(), start.x.end(), world.state.x.begin(), world.state.x.end(),
                      [tolerance](const Vec3& a, const Vec3& b) { return norm(a - b) <= tolerance; });
}

// Another version may build another model of the same scene (more live parameters, say): what counts here are the
// points. Everything else of a solid follows from them and the scene.
void check_is_recorded_model(const Recording& recording, const World& world, std::vector<std::string>& notes)
{
    const RecordingHeader& header = recording.header();
    const bool has_its_id = world.model->id == header.model_id;
    if (!is_same_topology(header.topology, world.model->topology) || !(has_its_id || starts_at(recording, world)))
        refuse("the recorded scene builds other points now, so tetrahedra and stresses would be wrong",
               "restore the mesh files as they were, or run the scene again; .ply and .obj export the surface",
               ErrorKind::bad_input, recording);
    if (!has_its_id)
        notes.push_back(fmt::format("recorded by pliant {}, which made another model of the same points: stresses are "
                                    "those of this version's materials",
                                    header.version));
}

LiveValue recorded_value(const Recording& recording, const RecordedInput& input)
{
    const JsonRead read = parse_json(input.value, recording.path());
    const std::vector<Json> single{read.value};
    const std::vector<Json>& items = read.value.is_array() ? read.value.items : single;
    LiveValue value;
    const bool has_good_size = !items.empty() && items.size() <= value.number.size();
    if (!read.problems.empty() || !has_good_size ||
        !std::all_of(items.begin(), items.end(), [](const Json& item) { return item.is_number(); }))
        refuse(fmt::format("the recorded input of '{}' is no number: {}", input.target, input.value), "",
               ErrorKind::bad_input, recording);
    for (const Json& item : items) value.number[static_cast<std::size_t>(value.count++)] = item.number;
    return value;
}

std::vector<Input> recorded_inputs(const Recording& recording, const Model& model)
{
    std::vector<Input> inputs;
    for (const RecordedInput& recorded : recording.inputs()) {
        const std::int32_t target = find_live_path(model, recorded.target);
        if (target < 0)
            refuse(fmt::format("a recorded input changes '{}', which the scene does not have", recorded.target),
                   "run the scene again", ErrorKind::bad_input, recording);
        inputs.push_back({recorded.time, target, recorded_value(recording, recorded)});
    }
    std::stable_sort(inputs.begin(), inputs.end(), [](const Input& a, const Input& b) { return a.time < b.time; });
    return inputs;
}

}  // namespace

std::vector<std::int64_t> chosen_frames(const Recording& recording, const ExportOptions& options)
{
    const std::int64_t count = recording.frame_count();
    if (count == 0) refuse("has no frames to export", "", ErrorKind::bad_input, recording);
    if (options.every < 1)
        refuse(fmt::format("every {} frames makes no sense", options.every), "at least 1", ErrorKind::usage, recording);
    const std::int64_t last = options.last == -1 ? count - 1 : options.last;
    if (options.first < 0 || last < options.first || last >= count)
        refuse(fmt::format("frames {} to {} were asked for", options.first, last),
               fmt::format("it has frames 0 to {}", count - 1), ErrorKind::usage, recording);
    std::vector<std::int64_t> frames;
    for (std::int64_t frame = options.first; frame <= last; frame += options.every) frames.push_back(frame);
    return frames;
}

std::vector<ExportBody> chosen_bodies(const Recording& recording, const std::string& name)
{
    const Topology& topology = recording.header().topology;
    std::vector<ExportBody> bodies;
    std::vector<std::string> names;
    for (const BodyRange& range : topology.bodies) {
        names.push_back(range.name);
        if (!name.empty() && range.name != name) continue;
        ExportBody body = drawable_part(topology, range);
        if (!body.points.empty()) bodies.push_back(std::move(body));
    }
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
        refuse(fmt::format("has no body '{}'", name), suggestion(name, names), ErrorKind::usage, recording);
    if (bodies.empty() && !name.empty())
        refuse(fmt::format("body '{}' has neither triangles nor lines to export", name), "", ErrorKind::usage,
               recording);
    if (bodies.empty())
        refuse("no body has triangles or lines to export", "csv exports the measures", ErrorKind::bad_input, recording);
    return bodies;
}

ExportBody joined_body(std::span<const ExportBody> bodies)
{
    ExportBody all;
    const auto append = [](auto& elements, auto added, std::int32_t first) {
        for (auto& element : added)
            for (std::int32_t& point : element) point += first;
        elements.insert(elements.end(), added.begin(), added.end());
    };
    for (const ExportBody& body : bodies) {
        const auto first = static_cast<std::int32_t>(all.points.size());
        append(all.triangles, body.triangles, first);
        append(all.lines, body.lines, first);
        all.points.insert(all.points.end(), body.points.begin(), body.points.end());
    }
    return all;
}

std::vector<Vec3f> body_positions(const ExportJob& job, std::int64_t frame, const ExportBody& body)
{
    const std::vector<Vec3> x = job.recording.positions(frame);
    std::vector<Vec3f> positions;
    positions.reserve(body.points.size());
    for (const std::int32_t point : body.points) {
        const Vec3& p = x[static_cast<std::size_t>(point)];
        const double largest = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
        if (!is_finite(p) || largest > double{std::numeric_limits<float>::max()})
            refuse(fmt::format("point {} of frame {} is nowhere: ({}, {}, {})", point, frame, p.x, p.y, p.z),
                   "export the frames before it", ErrorKind::bad_input, job.recording);
        positions.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    }
    return positions;
}

std::optional<RebuiltTake> rebuilt_take(const Recording& recording, std::vector<std::string>& notes)
{
    const RecordingHeader& header = recording.header();
    SceneRead read = parse_scene(header.scene_text, header.scene_path);
    Build built;
    if (read.problems.empty()) built = try_build(read.scene);
    const std::vector<Problem>& problems = read.problems.empty() ? built.problems : read.problems;
    if (!problems.empty()) {
        notes.push_back(fmt::format("solids are exported as surfaces, without stresses in cells, since the recorded "
                                    "scene cannot be built again: {}; put the missing file back, or export from the "
                                    "directory in which the scene was run",
                                    to_string(problems.front())));
        return std::nullopt;
    }
    check_is_recorded_model(recording, built.world, notes);
    RebuiltTake take{std::move(built.world), {}};
    take.inputs = recorded_inputs(recording, *take.world.model);
    return take;
}

void show_frame(RebuiltTake& take, const Frame& frame)
{
    State& state = take.world.state;
    state.x = frame.x, state.v = frame.v, state.time = frame.time;
    // The start state is recorded before any input acts, be it one at time zero.
    if (frame.step == 0) return;
    for (; take.next_input < take.inputs.size(); ++take.next_input) {
        const Input& input = take.inputs[take.next_input];
        if (input.time > frame.time) break;
        const LiveTarget& live = take.world.model->live_paths[static_cast<std::size_t>(input.target)].target;
        visit_live(state, live, [&](auto& parameters) { set_live(parameters, live.member, input.value); });
    }
}

std::vector<Vec3f> vertex_normals(std::span<const Vec3f> positions, std::span<const Triangle> triangles)
{
    const auto at = [&positions](std::int32_t i) {
        const Vec3f& p = positions[static_cast<std::size_t>(i)];
        return Vec3{p[0], p[1], p[2]};
    };
    std::vector<Vec3> sums(positions.size());
    for (const Triangle& t : triangles) {
        const Vec3 area = cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0]));
        for (const std::int32_t i : t) sums[static_cast<std::size_t>(i)] += area;
    }
    std::vector<Vec3f> normals;
    normals.reserve(sums.size());
    for (const Vec3& sum : sums) {
        const double length = norm(sum);
        const bool is_usable = length > 1e-150 && std::isfinite(length);
        const Vec3 n = is_usable ? sum / length : Vec3{0, 1, 0};
        normals.push_back({static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)});
    }
    return normals;
}

std::string numbered_path(const ExportJob& job, std::int64_t frame, const std::string& extension)
{
    if (job.frames.size() == 1) return sibling_path(job, extension);
    return (job.path.parent_path() / fmt::format("{}_{:04}{}", job.path.stem().string(), frame, extension)).string();
}

std::string sibling_path(const ExportJob& job, const std::string& extension)
{
    return std::filesystem::path(job.path).replace_extension(extension).string();
}

std::string quoted(const std::string& text)
{
    std::string result = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            result += '\\', result += c;
        else if (code < 0x20)
            result += fmt::format("\\u{:04x}", code);
        else
            result += c;
    }
    return result + '"';
}

}  // namespace pliant
