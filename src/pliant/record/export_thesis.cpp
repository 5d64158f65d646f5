// SPDX-License-Identifier: MIT
// Files of the thesis of seed 002, in its units (cm, g, s): .en, a record of energies per frame as its program `energy`
// wrote them, and .st, a state per frame as its simulator did.
//
// W of .en is a power, and recordings hold what was lost since the start: its slope through the frames beside.
#include <algorithm>

#include <pliant/io/thesis_files.h>
#include <pliant/record/export_job.h>
#include <pliant/record/output_file.h>

namespace pliant {

namespace {

constexpr double kErgs = 1e7, kCentimetres = 100;

// Slope of a column at a frame, through its neighbours.
double slope_at(const std::vector<double>& time, const std::vector<double>& value, std::size_t frame)
{
    const std::size_t before = frame > 0 ? frame - 1 : 0, behind = std::min(frame + 1, time.size() - 1);
    return behind > before ? (value[behind] - value[before]) / (time[behind] - time[before]) : 0;
}

}  // namespace

Exported export_en(const ExportJob& job)
{
    const std::string path = job.path.string();
    check_may_write(std::span(&path, 1), job.overwrite);
    Exported result{{path}, {"W is the slope of the dissipated energy through the neighbouring frames"}};
    const std::vector<double> time = job.recording.times();
    const auto column = [&](const char* name) {
        const auto& names = job.recording.header().topology.measures;
        if (std::find(names.begin(), names.end(), name) != names.end()) return job.recording.measure(name);
        result.notes.push_back(std::string("the take has no ") + name + ": written as 0");
        return std::vector<double>(time.size(), 0.0);
    };
    const std::vector<double> kinetic = column("energy.kinetic"), elastic = column("energy.elastic"),
                              gravitational = column("energy.gravitational"), lost = column("energy.dissipated");
    ThesisEnergies energies;
    for (const std::int64_t number : job.frames) {
        const auto frame = static_cast<std::size_t>(number);
        energies.states.push_back({.t = time[frame],
                                   .kinetic = kinetic[frame] * kErgs,
                                   .elastic = elastic[frame] * kErgs,
                                   .gravitational = gravitational[frame] * kErgs,
                                   .dissipated_power = slope_at(time, lost, frame) * kErgs});
    }
    write_thesis(path, energies);
    return result;
}

Exported export_st(const ExportJob& job)
{
    const std::string path = job.path.string();
    check_may_write(std::span(&path, 1), job.overwrite);
    ThesisStates states;
    for (const std::int64_t number : job.frames) {
        const Frame frame = job.recording.frame(number);
        ThesisState state{.t = frame.time};
        for (const BodyRange& body : job.recording.header().topology.bodies) {
            if (!job.body.empty() && body.name != job.body) continue;
            for (std::int32_t p = body.first_point; p < body.first_point + body.point_count; ++p) {
                const auto point = static_cast<std::size_t>(p);
                state.vertices.push_back({frame.x[point] * kCentimetres, frame.v[point] * kCentimetres});
            }
        }
        states.states.push_back(std::move(state));
    }
    write_thesis(path, states);
    return {{path}, {}};
}

}  // namespace pliant
