// SPDX-License-Identifier: MIT

// pliant check-contacts: what cuts what in a take, by the judge that shares nothing with the simulation.

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <pliant/base/json_write.h>
#include <pliant/base/parallel.h>
#include <pliant/record/take_audit.h>

#include "output.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

struct Options {
    std::string take, frames;
    std::size_t list = 0;
    int threads = 0;
    bool json = false, quiet = false;
};

struct FrameRange {
    std::int64_t first = 0, last = 0;  ///< both are looked at
};

/// A frame where something was found.
struct BadFrame {
    std::int64_t frame = 0;
    double time = 0;  ///< [s]
    std::size_t edges = 0, vertices = 0;
};

/// One intersection as people see it: vertices and faces counted within their bodies.
struct Listed {
    std::int64_t frame = 0;
    std::string body_a, body_b;
    std::vector<std::int32_t> vertices;  ///< two of an edge, or one behind a plane
    std::int32_t face = -1;              ///< -1 for a plane
};

struct Verdict {
    FrameRange range;
    std::size_t faces = 0, planes = 0;
    std::size_t edges = 0, vertices = 0;
    std::vector<BadFrame> bad_frames;
    std::vector<Listed> listed;  ///< at least the first one

    std::size_t count() const { return edges + vertices; }
    std::int64_t frame_count() const { return range.last - range.first + 1; }
};

// "a:b", "a:", ":b" or one frame; nothing means all.
std::optional<FrameRange> parsed_range(const std::string& text, std::int64_t count)
{
    const auto number = [](std::string_view word, std::int64_t otherwise) -> std::optional<std::int64_t> {
        if (word.empty()) return otherwise;
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
        return value;
    };
    const std::string_view view = text;
    const std::size_t colon = view.find(':');
    const auto first = number(view.substr(0, colon), 0);
    const auto last = colon == std::string_view::npos && !view.empty() ? first
                      : colon == std::string_view::npos                ? std::optional<std::int64_t>(count - 1)
                                                                       : number(view.substr(colon + 1), count - 1);
    if (!first || !last || *first < 0 || *last < *first || *last >= count) return std::nullopt;
    return FrameRange{*first, *last};
}

FrameRange chosen_range(const Recording& take, const std::string& text)
{
    if (take.frame_count() == 0)
        throw Error(
            Problem{.file = take.path(), .message = "holds no frame yet", .cure = "pliant run --resume, or --force"});
    const auto range = parsed_range(text, take.frame_count());
    if (!range)
        throw Error(Problem{.file = take.path(),
                            .message = fmt::format("--frames {} is no range of its frames", text),
                            .cure = fmt::format("a:b with 0 <= a <= b <= {}, for example 0:{}", take.frame_count() - 1,
                                                take.frame_count() - 1)},
                    ErrorKind::usage);
    return *range;
}

class Clerk {
public:
    Clerk(const Topology& topology, std::size_t most) : topology_(topology), most_(most) {}

    void list(std::vector<Listed>& listed, std::int64_t frame, const Intersections& found) const
    {
        for (const EdgeThroughFace& pair : found.edges) {
            if (listed.size() >= most_) return;
            const BodyRange &a = body(pair.body_a), &b = body(pair.body_b);
            listed.push_back({frame,
                              a.name,
                              b.name,
                              {pair.edge[0] - a.first_point, pair.edge[1] - a.first_point},
                              pair.face - b.first_triangle});
        }
        for (const VertexThroughPlane& vertex : found.vertices) {
            if (listed.size() >= most_) return;
            const BodyRange& a = body(vertex.body);
            listed.push_back({frame, a.name, body(vertex.plane_body).name, {vertex.vertex - a.first_point}, -1});
        }
    }

private:
    const BodyRange& body(std::int32_t index) const { return topology_.bodies[static_cast<std::size_t>(index)]; }

    const Topology& topology_;
    std::size_t most_;
};

Verdict judge(const Recording& take, const Options& options)
{
    TakeAudit audit(take);
    Verdict verdict{.range = chosen_range(take, options.frames),
                    .faces = audit.surfaces().faces.size(),
                    .planes = audit.plane_count()};
    if (!audit.has_surfaces()) return verdict;
    const Clerk clerk(take.header().topology, std::max<std::size_t>(options.list, 1));
    const std::vector<double> times = take.times();
    for (std::int64_t frame = verdict.range.first; frame <= verdict.range.last; ++frame) {
        const Intersections& found = audit.look_at(frame);
        if (found.count() == 0) continue;
        verdict.edges += found.edges.size();
        verdict.vertices += found.vertices.size();
        verdict.bad_frames.push_back(
            {frame, times[static_cast<std::size_t>(frame)], found.edges.size(), found.vertices.size()});
        clerk.list(verdict.listed, frame, found);
    }
    return verdict;
}

void print_frames(const Verdict& verdict)
{
    if (verdict.bad_frames.empty()) return;
    Table table("rrrr");
    table.add({"frame", "time [s]", "edges through faces", "vertices through planes"});
    for (const BadFrame& bad : verdict.bad_frames)
        table.add({std::to_string(bad.frame), fmt::format("{:.6g}", bad.time), std::to_string(bad.edges),
                   std::to_string(bad.vertices)});
    fmt::print("{}", table.text());
}

void print_list(const Verdict& verdict, std::size_t most)
{
    if (most == 0) return;
    for (const Listed& pair : verdict.listed)
        if (pair.face >= 0)
            fmt::print("frame {}: edge {}-{} of {} meets face {} of {}\n", pair.frame, pair.vertices[0],
                       pair.vertices[1], pair.body_a, pair.face, pair.body_b);
        else
            fmt::print("frame {}: vertex {} of {} is behind plane {}\n", pair.frame, pair.vertices[0], pair.body_a,
                       pair.body_b);
    if (verdict.count() > verdict.listed.size()) fmt::print("and {} more\n", verdict.count() - verdict.listed.size());
}

void print_summary(const Verdict& verdict)
{
    const auto plural = [](auto count) { return count == 1 ? "" : "s"; };
    const std::int64_t frames = verdict.frame_count();
    if (verdict.faces == 0 && verdict.planes == 0)
        return fmt::print("no body has a surface and there is no plane: nothing that could intersect\n");
    if (verdict.count() == 0) return fmt::print("{} frame{}, no intersections\n", frames, plural(frames));
    const Listed& first = verdict.listed.front();
    fmt::print("{} frame{}, {} intersection{}, first at frame {} between {} and {}\n", frames, plural(frames),
               verdict.count(), plural(verdict.count()), first.frame, first.body_a, first.body_b);
}

void write_listed(JsonWriter& json, const Listed& pair)
{
    json.begin_object().member("frame", pair.frame).member("body_a", pair.body_a).key("vertices").begin_array(true);
    for (const std::int32_t vertex : pair.vertices) json.value(vertex);
    json.end_array().member("body_b", pair.body_b);
    if (pair.face >= 0) json.member("face", pair.face);
    json.end_object();
}

void write_json(JsonWriter& json, const Verdict& verdict, const Options& options)
{
    json.begin_object().member("file", options.take).member("faces", verdict.faces).member("planes", verdict.planes);
    json.member("first_frame", verdict.range.first).member("last_frame", verdict.range.last);
    json.member("frames", verdict.frame_count()).member("intersections", verdict.count());
    json.member("edges_through_faces", verdict.edges).member("vertices_through_planes", verdict.vertices);
    json.key("first");
    if (verdict.listed.empty())
        json.null();
    else
        write_listed(json, verdict.listed.front());
    json.key("frames_with_intersections").begin_array();
    for (const BadFrame& bad : verdict.bad_frames) {
        json.begin_object().member("frame", bad.frame).member("time", bad.time);
        json.member("edges_through_faces", bad.edges).member("vertices_through_planes", bad.vertices).end_object();
    }
    json.end_array().key("list").begin_array();
    if (options.list > 0)
        for (const Listed& pair : verdict.listed) write_listed(json, pair);
    json.end_array().end_object();
}

int check_contacts(const Options& options)
{
    set_thread_count(options.threads);
    const Recording take = Recording::open(options.take);
    const Verdict verdict = judge(take, options);
    if (options.json) {
        std::string text;
        JsonWriter json(text);
        write_json(json, verdict, options);
        fmt::print("{}\n", text);
    } else {
        print_frames(verdict);
        print_list(verdict, options.list);
        print_summary(verdict);
        if (!options.quiet && verdict.count() > 0 && options.list == 0)
            say(fmt::format("next: pliant check-contacts {} --list 10 names the first of them", options.take));
    }
    return verdict.count() > 0 ? kIntersections : kOk;
}

}  // namespace

void setup_check_contacts(CLI::App& app, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand(
        "check-contacts", "Count what cuts what in the frames of a take, exactly; exit code 1 if anything does.\n\n"
                          "  pliant check-contacts take.plrec\n"
                          "  pliant check-contacts take.plrec --frames 60:120 --list 10\n");
    verb->add_option("take", options->take, "the recording")->required();
    verb->add_option("--frames", options->frames, "a:b: look at frames a to b only, counted from 0")->type_name("a:b");
    verb->add_option("--list", options->list, "name the first N intersections")->type_name("N");
    verb->add_option("--threads", options->threads, "threads to use; all cores by default; never changes the result")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N");
    verb->add_flag("--json", options->json, "print one JSON object");
    verb->add_flag("-q,--quiet", options->quiet, "no talk");
    verb->callback([options, &exit_code] { exit_code = check_contacts(*options); });
}

}  // namespace pliant::cli
