// SPDX-License-Identifier: MIT

// pliant bench: measure, print, and keep as CSV by machine.

#include "bench.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include <pliant/base/parallel.h>

#include "verbs.h"

namespace pliant::cli {

namespace {

struct Options {
    BenchSettings settings;
    std::vector<std::string> only;
    std::string results = "bench/results";
    bool save = false;
};

// "amd-epyc-7b13-2cores": results of different machines are kept apart.
std::string machine_name()
{
    std::ifstream info("/proc/cpuinfo");
    std::string line, model = "unknown";
    while (std::getline(info, line))
        if (line.starts_with("model name")) {
            model = line.substr(line.find(':') + 2);
            break;
        }
    std::string name;
    for (const char c : model)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!name.empty() && name.back() != '-')
            name += '-';
    while (!name.empty() && name.back() == '-') name.pop_back();
    return fmt::format("{}-{}cores", name, std::thread::hardware_concurrency());
}

void print(const BenchTable& table)
{
    std::vector<std::size_t> width;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        width.push_back(table.columns[c].size());
        for (const auto& row : table.rows) width[c] = std::max(width[c], row[c].size());
    }
    fmt::print("{}: {}\n", table.name, table.sentence);
    const auto print_row = [&](const std::vector<std::string>& row) {
        for (std::size_t c = 0; c < row.size(); ++c) fmt::print("  {:>{}}", row[c], width[c]);
        fmt::print("\n");
    };
    print_row(table.columns);
    for (const auto& row : table.rows) print_row(row);
    fmt::print("\n");
    std::fflush(stdout);
}

void save(const BenchTable& table, const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    const std::filesystem::path path = folder / (table.name + ".csv");
    std::ofstream out(path);
    const auto write_row = [&](const std::vector<std::string>& row) {
        for (std::size_t c = 0; c < row.size(); ++c) out << (c == 0 ? "" : ",") << row[c];
        out << '\n';
    };
    write_row(table.columns);
    for (const auto& row : table.rows) write_row(row);
    out.flush();
    if (!out)
        throw Error(Problem{.file = path.string(),
                            .message = "cannot be written",
                            .cure = "choose another folder with --results"},
                    ErrorKind::cannot_access);
    fmt::print(stderr, "wrote {}\n", path.string());
}

// By its name, or by that of the group it belongs to: "cloth" takes cloth_hang, cloth_size and so on.
bool is_named(const std::string& measurement, const std::string& wanted)
{
    return measurement == wanted || measurement.starts_with(wanted + '_');
}

int bench(const Options& options)
{
    set_thread_count(options.settings.threads);
    const std::vector<std::pair<std::string, std::function<BenchTable(const BenchSettings&)>>> all{
        {"scenes", bench_scenes},
        {"growth", bench_growth},
        {"simplex", bench_simplex},
        {"solids", bench_solids},
        {"animations", bench_animations},
        {"kernels", bench_kernels},
        {"recording", bench_recording},
        {"cloth_hang", bench_cloth_hang},
        {"cloth_interactive", bench_cloth_interactive},
        {"cloth_browser", bench_cloth_browser},
        {"cloth_size", bench_cloth_size},
        {"cloth_kernels", bench_cloth_kernels},
        {"contact_search", bench_contact_search},
        {"contact_growth", bench_contact_growth},
        {"contact_queries", bench_contact_queries},
        {"contact_shares", bench_contact_shares},
        {"contact_realtime", bench_contact_realtime},
        {"contact_sphere", bench_contact_sphere},
        {"contact_yardstick", bench_contact_yardstick},
        {"contact_solvers", bench_contact_solvers},
        {"contact_steps", bench_contact_steps}};
    std::vector<std::string> names;
    for (const auto& [name, measure] : all) names.push_back(name);
    for (const std::string& wanted : options.only)
        if (std::none_of(names.begin(), names.end(), [&](const auto& name) { return is_named(name, wanted); }))
            throw Error(Problem{.message = fmt::format("there is no measurement '{}'", wanted),
                                .cure = suggestion(wanted, names)},
                        ErrorKind::usage);
    for (const auto& [name, measure] : all) {
        const auto asks_for_it = [&own = name](const std::string& wanted) { return is_named(own, wanted); };
        if (!options.only.empty() && std::none_of(options.only.begin(), options.only.end(), asks_for_it)) continue;
        const BenchTable table = measure(options.settings);
        print(table);
        if (options.save) save(table, std::filesystem::path(options.results) / machine_name());
    }
    return kOk;
}

}  // namespace

void tell_row(const BenchTable& table, std::size_t rows)
{
    fmt::print(stderr, "{} {} of {}: {}\n", table.name, table.rows.size(), rows, fmt::join(table.rows.back(), ","));
}

void setup_bench(CLI::App& app, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("bench", "Measure speed and memory.\n\n"
                                    "  pliant bench                          everything, many minutes\n"
                                    "  pliant bench --only scenes --scene my.json\n"
                                    "  pliant bench --save                   keep CSV under bench/results/MACHINE\n");
    verb->add_option("--only", options->only,
                     "some of: scenes, growth, simplex, solids, animations, kernels, recording, cloth (which is "
                     "cloth_hang, cloth_interactive, cloth_browser, cloth_size, cloth_kernels), contact (which is "
                     "contact_search, contact_growth, contact_queries, contact_shares, contact_realtime, "
                     "contact_sphere, contact_yardstick, contact_solvers, contact_steps)")
        ->delimiter(',')
        ->allow_extra_args(false);
    verb->add_option("--scene", options->settings.scenes,
                     "scene files for the scenes, contact_shares and contact_yardstick tables, may be repeated")
        ->allow_extra_args(false);
    verb->add_option("--set", options->settings.overrides,
                     "path=value for those scenes, the sheet of cloth_hang and the drapes of contact_solvers and "
                     "contact_steps; may be repeated")
        ->allow_extra_args(false);
    verb->add_option("--threads", options->settings.threads, "threads to use, one by default")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    verb->add_option("--repeats", options->settings.repeats, "the best of so many runs counts")
        ->check(CLI::Range(1, 1000))
        ->type_name("N");
    verb->add_option(
            "--largest", options->settings.largest,
            "vertices of the largest mesh; given, the slowest of cloth_hang and contact_yardstick are measured too")
        ->check(CLI::Range(1e3, 1e8))
        ->type_name("N");
    verb->add_option("--results", options->results, "folder for CSV files");
    verb->add_flag("--save", options->save, "write CSV files");
    verb->callback([options, verb, &exit_code] {
        options->settings.is_largest_given = verb->count("--largest") > 0;
        exit_code = bench(*options);
    });
}

}  // namespace pliant::cli
