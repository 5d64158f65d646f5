// SPDX-License-Identifier: MIT
#include <pliant/record/recording.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/record/contact_store.h>
#include <pliant/record/database.h>
#include <pliant/record/recording_header.h>

namespace pliant {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& message)
{
    throw Error(Problem{path, 0, "", message, ""}, ErrorKind::cannot_access);
}

// Takes away the file that is in the way, with the companions SQLite may have left beside it.
void make_room(const std::string& path, bool overwrite)
{
    if (path.empty()) refuse(path, "a recording needs a file name");
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) refuse(path, "is a directory");
    if (fs::exists(status) && !fs::is_regular_file(status)) refuse(path, "is not a regular file");
    if (fs::exists(status) && !overwrite) refuse(path, "exists; use --force or another -o");
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
        fs::remove(path + suffix, error);
        if (error) refuse(path + suffix, "cannot be replaced: " + error.message());
    }
}

// WAL appends every transaction to one file, without a flush to the disk: after the death of this
// process all of it is there, after a power cut a whole number of frames is. Flushes come with
// checkpoints, every 16 MB or at the end: each costs as much as a hundred frames.
constexpr const char* kJournal =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000";

}  // namespace

struct RecordingWriter::Parts {
    explicit Parts(const std::string& path, DatabaseAccess access) : database(path, access) {}

    Database database;
    std::int64_t last_index = -1;
    std::size_t point_count = 0, measure_count = 0, field_count = 0, stage_count = 0;
    bool keep_all_snapshots = false, has_contacts = false;

    // Prepared once the tables exist.
    struct Statements {
        explicit Statements(const Database& database)
            : frame(database, "INSERT INTO frames VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            , measure(database, "INSERT INTO measure_values VALUES(?, ?, ?)")
            , field(database, "INSERT INTO field_values VALUES(?, ?, ?)")
            , profile(database, "INSERT INTO profile VALUES(?, ?, ?)")
        {
        }
        Statement frame, measure, field, profile;
    };
    std::unique_ptr<Statements> statements;

    void prepare(const Topology& topology)
    {
        statements = std::make_unique<Statements>(database);
        point_count = static_cast<std::size_t>(topology.point_count);
        measure_count = topology.measures.size();
        field_count = topology.fields.size();
        stage_count = topology.stages.size();
    }
    void check(const Frame& frame) const;
    void insert(const Frame& frame);
    void insert_values(const Frame& frame);
};

void RecordingWriter::Parts::check(const Frame& frame) const
{
    PLIANT_ASSERT(frame.index > last_index, "frames are recorded in order");
    PLIANT_ASSERT(frame.x.size() == point_count && frame.v.size() == point_count, "a frame has all points");
    PLIANT_ASSERT(frame.measures.size() == measure_count, "a frame has all measures");
    PLIANT_ASSERT(frame.fields.empty() || frame.fields.size() == field_count, "a frame has all fields or none");
    PLIANT_ASSERT(frame.stage_seconds.empty() || frame.stage_seconds.size() == stage_count,
                  "a frame has all stages or none");
    for (const std::vector<double>& field : frame.fields)
        PLIANT_ASSERT(field.empty() || field.size() == point_count, "a field has all points or none");
}

void RecordingWriter::Parts::insert(const Frame& frame)
{
    fmt::basic_memory_buffer<char, 16> hash;
    fmt::format_to(std::back_inserter(hash), "{:016x}", frame.hash);
    Statement& row = statements->frame;
    row.bind(1, frame.index).bind(2, frame.time).bind(3, frame.step);
    row.bind(4, std::string_view(hash.data(), hash.size()));
    row.bind(5, std::string_view(frame.status)).bind(6, std::string_view(frame.message));
    row.bind(7, std::int64_t{frame.substeps}).bind(8, std::int64_t{frame.retries});
    row.bind(9, std::int64_t{frame.iterations});
    row.bind(10, bytes_of(frame.x)).bind(11, bytes_of(frame.v)).run();
}

void RecordingWriter::Parts::insert_values(const Frame& frame)
{
    const auto insert_all = [&frame](Statement& row, const std::vector<double>& values) {
        row.bind(1, frame.index);
        for (std::size_t i = 0; i < values.size(); ++i)
            row.bind(2, static_cast<std::int64_t>(i)).bind(3, values[i]).run();
    };
    insert_all(statements->measure, frame.measures);
    insert_all(statements->profile, frame.stage_seconds);
    for (std::size_t i = 0; i < frame.fields.size(); ++i) {
        if (frame.fields[i].empty()) continue;
        Statement& row = statements->field;
        row.bind(1, frame.index).bind(2, static_cast<std::int64_t>(i)).bind(3, bytes_of(frame.fields[i])).run();
    }
}

RecordingWriter::RecordingWriter(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&&) noexcept = default;
RecordingWriter::~RecordingWriter() = default;

RecordingWriter RecordingWriter::create(const std::string& path, const RecordingHeader& header, bool overwrite)
{
    make_room(path, overwrite);
    auto parts = std::make_unique<Parts>(path, DatabaseAccess::create);
    const Database& database = parts->database;
    database.execute(kJournal);
    Transaction transaction(database);
    create_tables(database);
    write_header(database, header);
    transaction.commit();
    // From here on the file says what it is, even without its companion.
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    parts->prepare(header.topology);
    return RecordingWriter(std::move(parts));
}

RecordingWriter RecordingWriter::resume(const std::string& path)
{
    if (!fs::exists(path)) refuse(path, "does not exist");
    if (fs::is_directory(path)) refuse(path, "is a directory");
    auto parts = std::make_unique<Parts>(path, DatabaseAccess::append);
    const Database& database = parts->database;
    check_is_recording(database);
    parts->prepare(read_header(database).topology);
    database.execute(kJournal);
    database.execute("UPDATE meta SET value = 0 WHERE key = 'finished'; DELETE FROM meta WHERE key = 'summary'");
    parts->last_index = database.integer("SELECT coalesce(max(frame), -1) FROM frames");
    return RecordingWriter(std::move(parts));
}

void RecordingWriter::add_frame(const Frame& frame)
{
    parts_->check(frame);
    Transaction transaction(parts_->database);
    parts_->insert(frame);
    parts_->insert_values(frame);
    transaction.commit();
    parts_->last_index = frame.index;
}

void RecordingWriter::add_input(const RecordedInput& input)
{
    Statement row(parts_->database, "INSERT INTO inputs(after_frame, time, target, value) VALUES(?, ?, ?, ?)");
    row.bind(1, parts_->last_index).bind(2, input.time);
    row.bind(3, std::string_view(input.target)).bind(4, std::string_view(input.value)).run();
}

void RecordingWriter::add_snapshot(std::int64_t frame_index, std::span<const std::byte> state)
{
    Transaction transaction(parts_->database);
    Statement(parts_->database, "INSERT OR REPLACE INTO snapshots VALUES(?, ?)")
        .bind(1, frame_index)
        .bind(2, state)
        .run();
    if (!parts_->keep_all_snapshots)
        parts_->database.execute("DELETE FROM snapshots WHERE frame NOT IN "
                                 "(SELECT frame FROM snapshots ORDER BY frame DESC LIMIT 2)");
    transaction.commit();
}

void RecordingWriter::keep_all_snapshots(bool keep_all)
{
    parts_->keep_all_snapshots = keep_all;
}

void RecordingWriter::add_contacts(std::int64_t frame_index, const ContactLog& log)
{
    PLIANT_ASSERT(log.start.size() == parts_->point_count, "a log has all points");
    Transaction transaction(parts_->database);
    if (!parts_->has_contacts) create_contact_tables(parts_->database);
    write_contacts(parts_->database, frame_index, log);
    transaction.commit();
    parts_->has_contacts = true;
}

void RecordingWriter::drop_after(std::int64_t frame_index)
{
    const Database& database = parts_->database;
    Transaction transaction(database);
    for (const char* sql : {"DELETE FROM frames WHERE frame > ?", "DELETE FROM measure_values WHERE frame > ?",
                            "DELETE FROM field_values WHERE frame > ?", "DELETE FROM profile WHERE frame > ?",
                            "DELETE FROM snapshots WHERE frame > ?", "DELETE FROM inputs WHERE after_frame >= ?"})
        Statement(database, sql).bind(1, frame_index).run();
    drop_contacts_after(database, frame_index);
    transaction.commit();
    parts_->last_index = database.integer("SELECT coalesce(max(frame), -1) FROM frames");
}

void RecordingWriter::finish(const std::string& summary_json)
{
    const Database& database = parts_->database;
    Transaction transaction(database);
    Statement(database, "INSERT OR REPLACE INTO meta VALUES('summary', ?)")
        .bind(1, std::string_view(summary_json))
        .run();
    database.execute("UPDATE meta SET value = 1 WHERE key = 'finished'");
    transaction.commit();
    // Somebody who is reading just now keeps the companion file alive; nothing is lost by that.
    if (!database.try_execute("PRAGMA journal_mode = DELETE", 100))
        database.try_execute("PRAGMA wal_checkpoint(TRUNCATE)", 100);
}

const std::string& RecordingWriter::path() const
{
    return parts_->database.path();
}

std::int64_t RecordingWriter::last_frame_index() const
{
    return parts_->last_index;
}

}  // namespace pliant
