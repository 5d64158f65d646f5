// SPDX-License-Identifier: MIT
#include <pliant/record/recording.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include <fmt/core.h>

#include <pliant/base/error.h>
#include <pliant/record/contact_store.h>
#include <pliant/record/database.h>
#include <pliant/record/recording_header.h>

namespace pliant {

namespace {

template <class T>
std::vector<T> array_of(const Database& database, std::span<const std::byte> blob, std::size_t count)
{
    if (blob.size() != count * sizeof(T))
        recording_damaged(database, fmt::format("an array has {} bytes instead of {}", blob.size(), count * sizeof(T)));
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), blob.data(), blob.size());
    return values;
}

std::size_t position_of(const std::vector<std::int64_t>& frames, std::int64_t frame)
{
    const auto found = std::lower_bound(frames.begin(), frames.end(), frame);
    return found != frames.end() && *found == frame ? static_cast<std::size_t>(found - frames.begin()) : frames.size();
}

}  // namespace

struct Recording::Parts {
    explicit Parts(const std::string& path) : database(path, DatabaseAccess::read) {}

    Database database;
    RecordingHeader header;
    std::vector<std::int64_t> frames;  // Frame::index by position, growing
    std::vector<double> times;

    std::size_t point_count() const { return static_cast<std::size_t>(header.topology.point_count); }
    std::int64_t frame_index(std::int64_t position) const;
    void load_frame_list();
    Frame frame_row(std::int64_t index) const;
    void load_values(Frame& frame) const;
    void load_fields(Frame& frame) const;
};

std::int64_t Recording::Parts::frame_index(std::int64_t position) const
{
    if (position < 0 || position >= static_cast<std::int64_t>(frames.size()))
        throw Error(Problem{database.path(), 0, "", fmt::format("has no frame {}", position),
                            fmt::format("it has {}, counted from 0", frames.size())},
                    ErrorKind::bad_input);
    return frames[static_cast<std::size_t>(position)];
}

void Recording::Parts::load_frame_list()
{
    frames.clear();
    times.clear();
    Statement row(database, "SELECT frame, time FROM frames ORDER BY frame");
    while (row.step()) {
        if (!frames.empty() && row.integer(0) <= frames.back()) recording_damaged(database, "frames are out of order");
        if (!std::isfinite(row.real(1)))
            recording_damaged(database, fmt::format("frame {} has no time", row.integer(0)));
        frames.push_back(row.integer(0));
        times.push_back(row.real(1));
    }
}

Frame Recording::Parts::frame_row(std::int64_t index) const
{
    Statement row(database, "SELECT time, step, hash, status, message, substeps, retries, iterations, x, v "
                            "FROM frames WHERE frame = ?");
    row.bind(1, index);
    if (!row.step()) recording_damaged(database, fmt::format("frame {} is gone", index));
    Frame frame;
    frame.index = index;
    frame.time = row.real(0);
    frame.step = row.integer(1);
    const std::string hash = row.text(2);
    std::from_chars(hash.data(), hash.data() + hash.size(), frame.hash, 16);
    frame.status = row.text(3);
    frame.message = row.text(4);
    frame.substeps = static_cast<int>(row.integer(5));
    frame.retries = static_cast<int>(row.integer(6));
    frame.iterations = static_cast<int>(row.integer(7));
    frame.x = array_of<Vec3>(database, row.blob(8), point_count());
    frame.v = array_of<Vec3>(database, row.blob(9), point_count());
    return frame;
}

void Recording::Parts::load_values(Frame& frame) const
{
    const auto load = [&](const char* sql, std::vector<double>& values, std::size_t count) {
        values.assign(count, std::numeric_limits<double>::quiet_NaN());
        Statement row(database, sql);
        row.bind(1, frame.index);
        bool any = false;
        while (row.step()) {
            const std::int64_t i = row.integer(0);
            if (i < 0 || i >= static_cast<std::int64_t>(count)) recording_damaged(database, "a value without a name");
            values[static_cast<std::size_t>(i)] = row.real(1);
            any = true;
        }
        return any;
    };
    const Topology& topology = header.topology;
    load("SELECT measure, value FROM measure_values WHERE frame = ?", frame.measures, topology.measures.size());
    if (!load("SELECT stage, seconds FROM profile WHERE frame = ?", frame.stage_seconds, topology.stages.size()))
        frame.stage_seconds.clear();
}

void Recording::Parts::load_fields(Frame& frame) const
{
    frame.fields.resize(header.topology.fields.size());
    Statement row(database, "SELECT field, data FROM field_values WHERE frame = ?");
    row.bind(1, frame.index);
    while (row.step()) {
        const std::int64_t i = row.integer(0);
        if (i < 0 || i >= static_cast<std::int64_t>(frame.fields.size()))
            recording_damaged(database, "a field without a name");
        frame.fields[static_cast<std::size_t>(i)] = array_of<double>(database, row.blob(1), point_count());
    }
}

Recording::Recording(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

Recording Recording::open(const std::string& path)
{
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    const auto refuse = [&path](const char* message, ErrorKind kind) {
        throw Error(Problem{path, 0, "", message, ""}, kind);
    };
    if (!std::filesystem::exists(status)) refuse("does not exist", ErrorKind::cannot_access);
    if (std::filesystem::is_directory(status)) refuse("is a directory, not a recording", ErrorKind::cannot_access);
    auto parts = std::make_unique<Parts>(path);
    check_is_recording(parts->database);
    parts->header = read_header(parts->database);
    parts->load_frame_list();
    return Recording(std::move(parts));
}

const std::string& Recording::path() const
{
    return parts_->database.path();
}

const RecordingHeader& Recording::header() const
{
    return parts_->header;
}

std::int64_t Recording::frame_count() const
{
    return static_cast<std::int64_t>(parts_->frames.size());
}

bool Recording::is_finished() const
{
    return parts_->database.integer("SELECT value FROM meta WHERE key = 'finished'") == 1;
}

std::string Recording::summary() const
{
    Statement row(parts_->database, "SELECT value FROM meta WHERE key = 'summary'");
    return row.step() ? row.text(0) : std::string();
}

Frame Recording::frame(std::int64_t index) const
{
    Frame frame = parts_->frame_row(parts_->frame_index(index));
    parts_->load_values(frame);
    parts_->load_fields(frame);
    return frame;
}

std::vector<Vec3> Recording::positions(std::int64_t index) const
{
    Statement row(parts_->database, "SELECT x FROM frames WHERE frame = ?");
    row.bind(1, parts_->frame_index(index));
    if (!row.step()) recording_damaged(parts_->database, fmt::format("frame {} is gone", index));
    return array_of<Vec3>(parts_->database, row.blob(0), parts_->point_count());
}

std::vector<double> Recording::times() const
{
    return parts_->times;
}

std::vector<double> Recording::measure(const std::string& name) const
{
    const std::vector<std::string>& names = parts_->header.topology.measures;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        throw Error(Problem{path(), 0, "", fmt::format("has no measure '{}'", name), suggestion(name, names)},
                    ErrorKind::bad_input);
    std::vector<double> values(parts_->frames.size(), std::numeric_limits<double>::quiet_NaN());
    Statement row(parts_->database, "SELECT frame, value FROM measure_values WHERE measure = ?");
    row.bind(1, static_cast<std::int64_t>(found - names.begin()));
    while (row.step()) {
        const std::size_t k = position_of(parts_->frames, row.integer(0));
        if (k < values.size()) values[k] = row.real(1);
    }
    return values;
}

std::vector<std::vector<double>> Recording::stage_seconds() const
{
    const std::size_t stage_count = parts_->header.topology.stages.size();
    std::vector<std::vector<double>> seconds(stage_count, std::vector<double>(parts_->frames.size(), 0.0));
    Statement row(parts_->database, "SELECT frame, stage, seconds FROM profile");
    while (row.step()) {
        const std::size_t k = position_of(parts_->frames, row.integer(0));
        const std::int64_t stage = row.integer(1);
        if (k < parts_->frames.size() && stage >= 0 && stage < static_cast<std::int64_t>(stage_count))
            seconds[static_cast<std::size_t>(stage)][k] = row.real(2);
    }
    return seconds;
}

std::optional<SnapshotBlob> Recording::last_snapshot() const
{
    Statement row(parts_->database, "SELECT frame, state FROM snapshots ORDER BY frame DESC LIMIT 1");
    if (!row.step()) return std::nullopt;
    const std::span<const std::byte> state = row.blob(1);
    return SnapshotBlob{row.integer(0), {state.begin(), state.end()}};
}

std::vector<RecordedInput> Recording::inputs() const
{
    std::vector<RecordedInput> inputs;
    Statement row(parts_->database, "SELECT time, target, value FROM inputs ORDER BY input");
    while (row.step()) inputs.push_back({row.real(0), row.text(1), row.text(2)});
    return inputs;
}

std::optional<ContactLog> Recording::contacts(std::int64_t index) const
{
    return read_contacts(parts_->database, parts_->frame_index(index), parts_->header.topology);
}

std::vector<ContactCounts> Recording::contact_counts() const
{
    return read_contact_counts(parts_->database);
}

void Recording::refresh()
{
    parts_->load_frame_list();
}

}  // namespace pliant
