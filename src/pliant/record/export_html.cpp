// SPDX-License-Identifier: MIT
// HTML: one page that plays the take in any browser, from disk, without a network.
//
// It carries a description in JSON, packed arrays (record/page_frames.h, docs/formats.md) and the embedded script of
// page/. Measures are float32, positions are kept to kPagePrecision of the size of what is seen.
#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/base/json.h>
#include <pliant/base/json_write.h>
#include <pliant/base/markup.h>
#include <pliant/record/export_job.h>
#include <pliant/record/measure_kinds.h>
#include <pliant/record/output_file.h>
#include <pliant/record/packed_text.h>
#include <pliant/record/page_frames.h>
#include <pliant/record/page_script.h>
#include <pliant/record/page_survey.h>

namespace pliant {

namespace {

// Positions of one chunk; small ones show something soon, large ones pack better.
constexpr std::size_t kChunkPlaces = 400'000;

[[noreturn]] void refuse(const ExportJob& job, std::string message, std::string cure, ErrorKind kind)
{
    throw Error(Problem{job.path.string(), 0, "", std::move(message), std::move(cure)}, kind);
}

// Evenly spread, the first and the last among them, as many as a browser can hold.
std::vector<std::int64_t> page_frames(const ExportJob& job, std::size_t point_count, std::size_t most_places,
                                      std::vector<std::string>& notes)
{
    const std::size_t all = job.frames.size(), most = most_places / point_count;
    if (all <= most) return job.frames;
    if (most < 2)
        refuse(job,
               fmt::format("{} points are too many for a page, which holds {} in all frames", point_count, most_places),
               "choose one body by --body, or export .vtu", ErrorKind::usage);
    std::vector<std::int64_t> frames;
    for (std::size_t i = 0; i < most; ++i) frames.push_back(job.frames[i * (all - 1) / (most - 1)]);
    notes.push_back(fmt::format("a page holds {} points in all its frames: {} of {} frames were taken, evenly spread; "
                                "--body and --every choose otherwise",
                                most_places, most, all));
    return frames;
}

/// What is written; the frames are added to it one after the other.
struct Page {
    const ExportJob& job;
    std::vector<std::int64_t> frames;
    ExportBody all;  ///< the bodies joined
    PageSurvey survey;
    std::vector<std::string> measures;
    OutputFile file;
};

std::vector<std::string> measures_of(const ExportJob& job)
{
    std::vector<std::string> names = job.recording.header().topology.measures;
    if (!job.body.empty())
        std::erase_if(names, [&job](const std::string& name) { return !name.starts_with(job.body + '.'); });
    return names;
}

std::string text_of(const Json& scene, std::string_view key)
{
    const Json* value = scene.find(key);
    return value != nullptr && value->is_string() ? value->text : std::string();
}

void write_bodies(JsonWriter& json, const ExportJob& job)
{
    const std::vector<BodyRange>& ranges = job.recording.header().topology.bodies;
    json.key("bodies").begin_array();
    for (const ExportBody& body : job.bodies) {
        const auto range = std::find_if(ranges.begin(), ranges.end(),
                                        [&body](const BodyRange& candidate) { return candidate.name == body.name; });
        json.begin_object().member("name", body.name).member("kind", range->kind);
        json.member("index", range - ranges.begin()).member("points", body.points.size());
        json.member("triangles", body.triangles.size()).member("lines", body.lines.size()).end_object();
    }
    json.end_array();
}

void write_fields(JsonWriter& json, const std::vector<PageField>& fields)
{
    json.key("fields").begin_array();
    for (const PageField& field : fields)
        json.begin_object()
            .member("name", field.name)
            .member("unit", field.unit)
            .member("low", field.range.low)
            .member("high", field.range.high)
            .end_object();
    json.end_array();
}

void write_measures(JsonWriter& json, const std::vector<std::string>& names)
{
    json.key("measures").begin_array();
    for (const std::string& name : names) {
        const MeasureKind& kind = measure_kind(name);
        json.begin_object().member("name", name).member("quantity", std::string(kind.quantity));
        json.member("unit", std::string(kind.unit)).member("sentence", std::string(kind.sentence)).end_object();
    }
    json.end_array();
}

// Times of all frames, and what was said of those that were not simply ok.
void write_times(JsonWriter& json, const Page& page)
{
    std::vector<double> times;
    const std::vector<double> recorded = page.job.recording.times();
    for (const std::int64_t frame : page.frames) times.push_back(recorded[static_cast<std::size_t>(frame)]);
    json.member("times", std::span<const double>(times));
}

void write_vector(JsonWriter& json, std::string_view key, const Vec3& v)
{
    json.key(key).value(std::span<const double>(std::array{v.x, v.y, v.z}));
}

struct Remark {
    std::size_t frame;
    std::string status, message;
};

std::string description_of(const Page& page, std::span<const Remark> remarks)
{
    const RecordingHeader& header = page.job.recording.header();
    const Json scene = parse_json(header.scene_text, page.job.recording.path()).value;
    std::string text;
    JsonWriter json(text, JsonStyle::compact);
    json.begin_object().member("format", 1).member("version", header.version);
    json.member("name", std::filesystem::path(header.scene_path).stem().string());
    json.member("description", text_of(scene, "description"));
    json.member("up", std::string(1, header.topology.up));
    write_vector(json, "origin", page.survey.grid.origin);
    json.member("step", page.survey.grid.step).member("size", page.survey.size);
    write_vector(json, "low", page.survey.low), write_vector(json, "high", page.survey.high);
    json.key("planes").begin_array();
    for (const std::array<double, 4>& plane : scene_planes(page.job.recording))
        json.value(std::span<const double>(plane));
    json.end_array();
    write_bodies(json, page.job);
    write_fields(json, page.survey.fields);
    write_measures(json, page.measures);
    write_times(json, page);
    json.key("remarks").begin_array();
    for (const Remark& remark : remarks)
        json.begin_object()
            .member("frame", remark.frame)
            .member("status", remark.status)
            .member("message", remark.message)
            .end_object();
    json.end_array().end_object();
    return text;
}

// Inside a script element nothing may look like its end; in JSON '<' only stands in strings.
std::string script_safe(const std::string& json)
{
    std::string safe;
    for (const char c : json) c == '<' ? safe += "\\u003c" : safe += c;
    return safe;
}

void write_packed(Page& page, std::string_view name, std::span<const std::byte> bytes)
{
    page.file.write(fmt::format("<script type=\"text/plain\" data-pliant=\"{}\">", name));
    page.file.write(packed_text(bytes));
    page.file.write("</script>\n");
}

// Triangles of all bodies, then lines; each index as its difference from the one before.
void write_mesh(Page& page)
{
    std::vector<std::uint32_t> misses;
    std::uint32_t last = 0;
    const auto add = [&](const auto& elements) {
        for (const auto& element : elements)
            for (const std::int32_t index : element) {
                const auto number = static_cast<std::uint32_t>(index);
                misses.push_back(zigzag(number - last));
                last = number;
            }
    };
    add(page.all.triangles), add(page.all.lines);
    std::vector<std::byte> bytes;
    append_planes(bytes, misses);
    write_packed(page, "mesh", bytes);
}

void write_measure_values(Page& page)
{
    std::vector<std::uint32_t> bits;
    for (const std::string& name : page.measures) {
        const std::vector<double> values = page.job.recording.measure(name);
        for (const std::int64_t frame : page.frames)
            bits.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(values[static_cast<std::size_t>(frame)])));
    }
    std::vector<std::byte> bytes;
    append_planes(bytes, bits);
    write_packed(page, "measures", bytes);
}

/// Writes all chunks; gives what frames had to say.
std::vector<Remark> write_frames(Page& page, std::vector<std::string>& notes)
{
    std::vector<std::size_t> points;
    for (const ExportBody& body : page.job.bodies) points.push_back(body.points.size());
    std::vector<PageRange> ranges;
    for (const PageField& field : page.survey.fields) ranges.push_back(field.range);
    PageFrames frames(points, page.survey.grid, ranges);
    const std::size_t chunk = std::max<std::size_t>(1, kChunkPlaces / page.all.points.size());
    std::vector<Remark> remarks;
    for (std::size_t i = 0; i < page.frames.size(); ++i) {
        const Frame frame = page.job.recording.frame(page.frames[i]);
        std::vector<Vec3> x;
        for (const std::int32_t p : page.all.points) x.push_back(frame.x[static_cast<std::size_t>(p)]);
        std::vector<std::vector<double>> values;
        for (const PageField& field : page.survey.fields) values.push_back(field_values(field, frame, page.all.points));
        frames.add(x, values);
        if (frame.status != "ok" || !frame.message.empty()) remarks.push_back({i, frame.status, frame.message});
        if (frames.frames_in_chunk() == chunk || i + 1 == page.frames.size())
            write_packed(page, "frames", frames.take_chunk());
    }
    if (frames.nowhere_count() > 0)
        notes.push_back(fmt::format("points that are not numbers or thousands of sizes away, {} in {} frames, stay "
                                    "where they last were; the page says so there",
                                    frames.nowhere_count(), frames.nowhere_frames()));
    return remarks;
}

// Why the run ended early, if it did: no frame says so, since the failing step was not kept.
void add_failure(std::vector<Remark>& remarks, const Page& page)
{
    const Recording& recording = page.job.recording;
    if (page.frames.back() + 1 != recording.frame_count()) return;
    const Json summary = parse_json(recording.summary(), recording.path()).value;
    const std::string status = text_of(summary, "status"), message = text_of(summary, "message");
    const bool is_told = !remarks.empty() && remarks.back().message == message;
    if (!status.empty() && status != "ok" && status != "warning" && !is_told)
        remarks.push_back({page.frames.size() - 1, "the run ended here, " + status, message});
}

void write_page(Page& page, const PageScript& script, std::vector<std::string>& notes)
{
    const std::string name = std::filesystem::path(page.job.recording.header().scene_path).stem().string();
    page.file.write(fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                                "<meta name=\"generator\" content=\"pliant {}\">\n<title>{} · pliant</title>\n"
                                "</head>\n<body>\n<noscript>This page plays a simulation by JavaScript, which is "
                                "switched off here.</noscript>\n",
                                markup_text(page.job.recording.header().version), markup_text(name)));
    write_mesh(page);
    write_measure_values(page);
    std::vector<Remark> remarks = write_frames(page, notes);
    add_failure(remarks, page);
    page.file.write("<script type=\"application/json\" data-pliant=\"take\">");
    page.file.write(script_safe(description_of(page, remarks)));
    page.file.write("</script>\n<script>\n");
    for (const std::string_view piece : script.pieces) page.file.write(piece);
    page.file.write("</script>\n</body>\n</html>\n");
    page.file.commit();
}

}  // namespace

Exported export_html(const ExportJob& job)
{
    return export_page(job, page_script());
}

Exported export_page(const ExportJob& job, const PageScript& script, std::size_t most_places)
{
    Exported exported{{job.path.string()}, {}};
    check_may_write(exported.files, job.overwrite);
    if (script.pieces.empty())
        refuse(job, fmt::format("this pliant was built without its page: {}", script.problem),
               "install npm and build again, 'make page' in pliant's sources; or export .glb",
               ErrorKind::cannot_access);
    ExportBody all = joined_body(job.bodies);
    const std::vector<std::int64_t> frames = page_frames(job, all.points.size(), most_places, exported.notes);
    PageSurvey survey = page_survey(job.recording, frames, all.points);
    Page page{job, frames, std::move(all), std::move(survey), measures_of(job), OutputFile(exported.files[0])};
    write_page(page, script, exported.notes);
    return exported;
}

}  // namespace pliant
