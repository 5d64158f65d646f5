// SPDX-License-Identifier: MIT
#include "haptic_trace.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include <pliant/base/error.h>

namespace pliant::viewer {

namespace {

class TraceReader {
public:
    explicit TraceReader(std::string path) : path_(std::move(path)) {}

    void read(std::string line)
    {
        ++line_;
        line.resize(std::min(line.size(), line.find('#')));
        std::istringstream words(line);
        std::string first;
        if (!(words >> first)) return;
        if (first == "label" || first == "workspace" || first == "force")
            read_setting(first, words);
        else
            read_reading(line);
    }

    HapticTrace finish()
    {
        if (problems_.empty() && trace_.readings.empty()) refuse("no readings", "write lines of: time x y z [buttons]");
        if (!problems_.empty()) throw Error(problems_);
        return std::move(trace_);
    }

private:
    void refuse(const std::string& message, const std::string& cure)
    {
        problems_.push_back({.file = path_, .line = line_, .message = message, .cure = cure});
    }

    void read_setting(const std::string& name, std::istringstream& words)
    {
        std::string rest;
        if (name == "label") {
            if (!(words >> trace_.label)) refuse("label without a name", "write: label left_hand");
        } else if (name == "force") {
            if (!(words >> trace_.greatest_force) || !(trace_.greatest_force > 0))
                refuse("force must be a number above zero", "write the greatest force in newtons: force 3.3");
        } else {
            Vec3& size = trace_.workspace;
            if (!(words >> size.x >> size.y >> size.z) || !(size.x > 0 && size.y > 0 && size.z > 0))
                refuse("workspace must be three lengths above zero", "write metres: workspace 0.16 0.12 0.07");
        }
        words.clear();
        if (words >> rest) refuse(fmt::format("'{}' is too much", rest), "one setting a line");
    }

    void read_reading(const std::string& line)
    {
        std::istringstream words(line);
        TraceReading reading;
        std::string rest;
        if (!(words >> reading.time >> reading.position.x >> reading.position.y >> reading.position.z)) {
            refuse(fmt::format("'{}' is no reading", line), "write: time x y z [buttons], in seconds and metres");
            return;
        }
        if (!(words >> reading.buttons)) words.clear();
        if (words >> rest) refuse(fmt::format("'{}' is too much", rest), "write: time x y z [buttons]");
        if (!trace_.readings.empty() && !(reading.time > trace_.readings.back().time))
            refuse(fmt::format("time {} is not after {}", reading.time, trace_.readings.back().time), "let times rise");
        trace_.readings.push_back(reading);
    }

    std::string path_;
    int line_ = 0;
    HapticTrace trace_;
    std::vector<Problem> problems_;
};

}  // namespace

HapticTrace parse_trace(const std::string& text, const std::string& path)
{
    TraceReader reader(path);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) reader.read(line);
    return reader.finish();
}

HapticTrace load_trace(const std::string& path)
{
    std::ifstream file(path);
    if (!file)
        throw Error(Problem{.file = path, .message = "cannot be read", .cure = "is the path right?"},
                    ErrorKind::cannot_access);
    return parse_trace({std::istreambuf_iterator<char>(file), {}}, path);
}

std::string trace_text(const HapticTrace& trace)
{
    std::string text =
        fmt::format("# time [s], x y z [m], buttons\nlabel {}\nworkspace {} {} {}\nforce {}\n", trace.label,
                    trace.workspace.x, trace.workspace.y, trace.workspace.z, trace.greatest_force);
    for (const TraceReading& reading : trace.readings) {
        const Vec3& x = reading.position;
        fmt::format_to(std::back_inserter(text), "{} {} {} {} {}\n", reading.time, x.x, x.y, x.z, reading.buttons);
    }
    return text;
}

void save_trace(const std::string& path, const HapticTrace& trace)
{
    std::ofstream file(path);
    file << trace_text(trace);
    file.close();
    if (!file)
        throw Error(
            Problem{.file = path, .message = "cannot be written", .cure = "is there room, and may you write there?"},
            ErrorKind::cannot_access);
}

HapticState TraceDevice::read(double now)
{
    const std::vector<TraceReading>& readings = trace_.readings;
    if (!has_begun_ && !readings.empty()) has_begun_ = true, begin_ = now - readings.front().time;
    const double time = now - begin_;
    while (next_ < readings.size() && readings[next_].time <= time) ++next_;
    if (next_ == 0 || readings.empty() || time > readings.back().time) return {};
    const TraceReading& from = readings[next_ - 1];
    if (next_ == readings.size()) return {.is_present = true, .position = from.position, .buttons = from.buttons};
    const TraceReading& to = readings[next_];
    const Vec3 velocity = (to.position - from.position) / (to.time - from.time);
    return {.is_present = true,
            .position = from.position + velocity * (time - from.time),
            .velocity = velocity,
            .buttons = from.buttons};
}

RecordingDevice::RecordingDevice(HapticDevice& device, double seconds, double rate) : device_(&device)
{
    readings_.reserve(static_cast<std::size_t>(std::max(1.0, seconds * rate)));
}

HapticState RecordingDevice::read(double now)
{
    const HapticState state = device_->read(now);
    if (state.is_present && !is_full()) readings_.push_back({now, state.position, state.buttons});
    return state;
}

HapticTrace RecordingDevice::trace() const
{
    HapticTrace trace{std::string(label()), workspace(), greatest_force(), readings_};
    if (readings_.empty()) return trace;
    for (TraceReading& reading : trace.readings) reading.time -= readings_.front().time;
    return trace;
}

}  // namespace pliant::viewer
