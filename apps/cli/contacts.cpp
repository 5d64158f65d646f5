// SPDX-License-Identifier: MIT

// pliant contacts: what contact saw and did, of takes recorded with record.contacts.

#include "contacts.h"

#include <charconv>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <pliant/record/export_contacts.h>

#include "output.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

struct Options {
    std::string take, stl, vtu, depths, extent = "start";
    std::int64_t frame = -1;
    ContactExport how;
    bool json = false, quiet = false;
};

[[noreturn]] void refuse_usage(std::string message, std::string cure)
{
    throw Error(Problem{.message = std::move(message), .cure = std::move(cure)}, ErrorKind::usage);
}

// "a:b", "a:", ":b" or one depth.
void take_depths(ContactExport& how, const std::string& text)
{
    if (text.empty()) return;
    const auto number = [&](std::string_view word, int otherwise) {
        int value = otherwise;
        if (word.empty()) return value;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size() || value < 0)
            refuse_usage(fmt::format("--depths {} is no range of depths", text),
                         "a:b with 0 <= a <= b, for example 0:3");
        return value;
    };
    const std::string_view view = text;
    const std::size_t colon = view.find(':');
    how.least_depth = number(view.substr(0, colon), 0);
    how.most_depth = colon == std::string_view::npos ? how.least_depth : number(view.substr(colon + 1), how.most_depth);
    if (how.most_depth < how.least_depth)
        refuse_usage(fmt::format("--depths {} is no range of depths", text), "a:b with 0 <= a <= b, for example 0:3");
}

BoxExtent extent_of(const std::string& word)
{
    if (word == "start") return BoxExtent::start;
    if (word == "swept") return BoxExtent::swept;
    if (word == "inflated") return BoxExtent::inflated;
    refuse_usage(fmt::format("--boxes {}: expected start, swept or inflated", word),
                 "start: of the faces when the step starts; swept: of their paths; inflated: of paths, with reach");
}

[[noreturn]] void refuse_without_log(const Recording& take, const std::string& what)
{
    throw Error(Problem{.file = take.path(),
                        .message = what,
                        .cure = "run the scene with contact.response bridson and --set record.contacts=true"});
}

std::string counts_text(const std::vector<ContactCounts>& all)
{
    Table table("rrrrrrrrrr");
    table.add({"frame", "step [s]", "broad", "near", "planes", "gap [mm]", "impacts", "rounds", "zones", "ms"});
    for (const ContactCounts& c : all)
        table.add({std::to_string(c.frame), fmt::format("{:.6g}", c.time), std::to_string(c.broad),
                   std::to_string(c.near), std::to_string(c.near_planes),
                   std::isnan(c.gap) ? "-" : fmt::format("{:.4g}", 1000 * c.gap),
                   std::to_string(c.impacts + c.plane_impacts), std::to_string(c.rounds()), std::to_string(c.zones),
                   fmt::format("{:.3f}", 1000 * c.seconds)});
    return table.text();
}

void write_counts(JsonWriter& json, const Options& options, const std::vector<ContactCounts>& all)
{
    json.begin_object().member("file", options.take).key("frames").begin_array();
    for (const ContactCounts& c : all) {
        json.begin_object().member("frame", c.frame).member("step_start", c.time).member("step_length", c.h);
        json.member("broad", c.broad).member("near", c.near).member("near_planes", c.near_planes);
        json.member("gap", c.gap).member("impacts", c.impacts).member("plane_impacts", c.plane_impacts);
        json.member("rounds", c.rounds()).member("zones", c.zones).member("seconds", c.seconds).end_object();
    }
    json.end_array().end_object();
}

int tell_all(const Recording& take, const Options& options)
{
    if (!options.stl.empty() || !options.vtu.empty())
        refuse_usage("--stl and --vtu write the step before one frame", "say which: --frame N");
    const std::vector<ContactCounts> all = take.contact_counts();
    if (all.empty()) refuse_without_log(take, "holds no contact logs");
    if (options.json) {
        std::string text;
        JsonWriter json(text);
        write_counts(json, options, all);
        fmt::print("{}\n", text);
        return kOk;
    }
    fmt::print("the last step before each frame\n{}", counts_text(all));
    if (!options.quiet)
        say(fmt::format("next: pliant contacts {} --frame {} tells more of one of them", options.take,
                        all.back().frame));
    return kOk;
}

void write_files(const Recording& take, const ContactLog& log, const Options& options)
{
    ContactExport how = options.how;
    take_depths(how, options.depths);
    how.extent = extent_of(options.extent);
    const auto tell = [&](const Exported& exported, const std::string& folder) {
        if (options.quiet) return;
        for (const std::string& note : exported.notes) say(fmt::format("note: {}", note));
        say(fmt::format("wrote {} files into {}", exported.files.size(), folder));
    };
    const Topology& topology = take.header().topology;
    if (!options.stl.empty()) tell(export_contact_stl(topology, log, options.stl, how), options.stl);
    if (!options.vtu.empty()) tell(export_contact_vtu(topology, log, options.vtu, how), options.vtu);
}

int tell_frame(const Recording& take, const Options& options)
{
    const std::optional<ContactLog> log = take.contacts(options.frame);
    if (!log) refuse_without_log(take, fmt::format("frame {} has no contact log", options.frame));
    const LoggedFrame logged{.topology = take.header().topology,
                             .frame = options.frame,
                             .time = take.times()[static_cast<std::size_t>(options.frame)],
                             .log = *log};
    if (options.json) {
        std::string text;
        JsonWriter json(text);
        write_contacts_json(json, logged);
        fmt::print("{}\n", text);
    } else
        fmt::print("{}", contacts_text(logged));
    write_files(take, *log, options);
    if (!options.quiet && !options.json && options.stl.empty() && options.vtu.empty())
        say(fmt::format("next: pliant contacts {} --frame {} --stl meshes, or --vtu paraview, writes files",
                        options.take, options.frame));
    return kOk;
}

int contacts(const Options& options)
{
    const Recording take = Recording::open(options.take);
    return options.frame < 0 ? tell_all(take, options) : tell_frame(take, options);
}

}  // namespace

void setup_contacts(CLI::App& app, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand(
        "contacts", "Tell what contact saw and did before each frame of a take run with record.contacts.\n\n"
                    "  pliant contacts take.plrec\n"
                    "  pliant contacts take.plrec --frame 40\n"
                    "  pliant contacts take.plrec --frame 40 --stl meshes --vtu paraview --depths 0:3\n");
    verb->add_option("take", options->take, "the recording")->required();
    verb->add_option("--frame", options->frame, "the step before this frame, counted from 0")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N");
    verb->add_option("--stl", options->stl, "write the mesh of every round as STL, which keeps every bit")
        ->type_name("FOLDER");
    verb->add_option("--vtu", options->vtu, "write meshes, pairs and boxes for ParaView")->type_name("FOLDER");
    verb->add_option("--body", options->how.body, "meshes of this body only")->type_name("NAME");
    verb->add_option("--depths", options->depths, "a:b: boxes of these depths of the trees only")->type_name("a:b");
    verb->add_option("--boxes", options->extent, "boxes of faces, of their paths, or of paths with reach")
        ->type_name("start|swept|inflated");
    verb->add_flag("--json", options->json, "print one JSON object");
    verb->add_flag("-f,--force", options->how.overwrite, "overwrite files");
    verb->add_flag("-q,--quiet", options->quiet, "no talk");
    verb->callback([options, &exit_code] { exit_code = contacts(*options); });
}

}  // namespace pliant::cli
