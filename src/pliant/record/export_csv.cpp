// SPDX-License-Identifier: MIT
// CSV: a row per frame, "time" [s] and every measure (SI), doubles in their shortest exact form.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/record/export_job.h>
#include <pliant/record/output_file.h>

namespace pliant {

namespace {

std::string csv_cell(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string cell = "\"";
    for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
    return cell + '"';
}

// With a body chosen: only the measures that are about it.
std::vector<std::string> chosen_measures(const ExportJob& job)
{
    const Topology& topology = job.recording.header().topology;
    if (job.body.empty()) return topology.measures;
    std::vector<std::string> names;
    for (const std::string& name : topology.measures)
        if (name.starts_with(job.body + '.')) names.push_back(name);
    if (names.empty())
        throw Error(Problem{job.recording.path(), 0, "", fmt::format("no measure is about '{}'", job.body), ""},
                    ErrorKind::usage);
    return names;
}

}  // namespace

Exported export_csv(const ExportJob& job)
{
    const std::string path = job.path.string();
    check_may_write(std::span(&path, 1), job.overwrite);
    const std::vector<std::string> names = chosen_measures(job);
    std::vector<std::vector<double>> columns{job.recording.times()};
    std::string header = "time";
    for (const std::string& name : names) {
        header += ',' + csv_cell(name);
        columns.push_back(job.recording.measure(name));
    }

    OutputFile file(path);
    file.write(header + '\n');
    fmt::memory_buffer row;
    for (const std::int64_t frame : job.frames) {
        row.clear();
        for (const std::vector<double>& column : columns)
            fmt::format_to(std::back_inserter(row), "{}{}", row.size() == 0 ? "" : ",",
                           column[static_cast<std::size_t>(frame)]);
        row.push_back('\n');
        file.write(std::string_view(row.data(), row.size()));
    }
    file.commit();
    return {{path}, {}};
}

}  // namespace pliant
