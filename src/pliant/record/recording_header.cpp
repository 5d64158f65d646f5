// SPDX-License-Identifier: MIT
#include <pliant/record/recording_header.h>

#include <charconv>
#include <cstring>
#include <filesystem>

#include <fmt/core.h>

#include <pliant/base/error.h>

namespace pliant {

namespace {

constexpr std::int64_t kApplicationId = 0x504C4E54;  // "PLNT"
constexpr std::int64_t kFormatVersion = 1;

// Rows that only ever grow at the end and are looked up by frame: WITHOUT ROWID keeps them in one
// tree. Blobs come last, so that the numbers before them are read without walking over the blobs.
constexpr const char* kTables = R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY, value);
CREATE TABLE bodies(body INTEGER PRIMARY KEY, name TEXT, kind TEXT, first_point INTEGER,
    point_count INTEGER, first_triangle INTEGER, triangle_count INTEGER, first_line INTEGER,
    line_count INTEGER);
CREATE TABLE topology(name TEXT PRIMARY KEY, data BLOB);
CREATE TABLE frames(frame INTEGER PRIMARY KEY, time REAL, step INTEGER, hash TEXT, status TEXT,
    message TEXT, substeps INTEGER, retries INTEGER, iterations INTEGER, x BLOB, v BLOB);
CREATE TABLE measures(measure INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE measure_values(frame INTEGER, measure INTEGER, value REAL,
    PRIMARY KEY(frame, measure)) WITHOUT ROWID;
CREATE TABLE fields(field INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE field_values(frame INTEGER, field INTEGER, data BLOB,
    PRIMARY KEY(frame, field)) WITHOUT ROWID;
CREATE TABLE stages(stage INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE profile(frame INTEGER, stage INTEGER, seconds REAL,
    PRIMARY KEY(frame, stage)) WITHOUT ROWID;
CREATE TABLE inputs(input INTEGER PRIMARY KEY, after_frame INTEGER, time REAL, target TEXT, value TEXT);
CREATE TABLE snapshots(frame INTEGER PRIMARY KEY, state BLOB);
CREATE VIEW series AS SELECT frames.frame, frames.time, measures.name, measure_values.value
    FROM frames JOIN measure_values ON measure_values.frame = frames.frame
    JOIN measures ON measures.measure = measure_values.measure;
)sql";

// Real tables only (a view could produce rows without end), and nothing that runs by itself.
constexpr const char* kCountTables = R"sql(
SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name IN ('meta',
    'bodies', 'topology', 'frames', 'measures', 'measure_values', 'fields', 'field_values', 'stages',
    'profile', 'inputs', 'snapshots')
)sql";
constexpr std::int64_t kTableCount = 12;

template <class Value>
void put(const Database& database, std::string_view key, const Value& value)
{
    Statement(database, "INSERT INTO meta VALUES(?, ?)").bind(1, key).bind(2, value).run();
}

void write_names(const Database& database, const char* table, const std::vector<std::string>& names)
{
    Statement insert(database, fmt::format("INSERT INTO {} VALUES(?, ?)", table).c_str());
    for (std::size_t i = 0; i < names.size(); ++i)
        insert.bind(1, static_cast<std::int64_t>(i)).bind(2, std::string_view(names[i])).run();
}

void write_bodies(const Database& database, const std::vector<BodyRange>& bodies)
{
    Statement insert(database, "INSERT INTO bodies VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const BodyRange& body = bodies[i];
        insert.bind(1, static_cast<std::int64_t>(i)).bind(2, std::string_view(body.name));
        insert.bind(3, std::string_view(body.kind));
        int parameter = 4;
        for (const std::int32_t number : {body.first_point, body.point_count, body.first_triangle, body.triangle_count,
                                          body.first_line, body.line_count})
            insert.bind(parameter++, std::int64_t{number});
        insert.run();
    }
}

std::string text_of(const Database& database, std::string_view key)
{
    Statement select(database, "SELECT value FROM meta WHERE key = ?");
    select.bind(1, key);
    return select.step() ? select.text(0) : std::string();
}

double number_of(const Database& database, std::string_view key)
{
    Statement select(database, "SELECT value FROM meta WHERE key = ?");
    select.bind(1, key);
    if (!select.step()) recording_damaged(database, fmt::format("'{}' is missing", key));
    return select.real(0);
}

std::vector<std::string> read_names(const Database& database, const char* table)
{
    std::vector<std::string> names;
    Statement select(database, fmt::format("SELECT * FROM {} ORDER BY 1", table).c_str());
    while (select.step()) {
        if (select.integer(0) != static_cast<std::int64_t>(names.size()))
            recording_damaged(database, fmt::format("a row of '{}' is missing", table));
        names.push_back(select.text(1));
    }
    return names;
}

// A number that counts or indexes something: 0 to 2^31-1.
std::int32_t read_count(const Database& database, const Statement& row, int column)
{
    const std::int64_t value = row.integer(column);
    if (value < 0 || value > INT32_MAX) recording_damaged(database, fmt::format("a count is {}", value));
    return static_cast<std::int32_t>(value);
}

std::vector<BodyRange> read_bodies(const Database& database)
{
    std::vector<BodyRange> bodies;
    Statement row(database, "SELECT name, kind, first_point, point_count, first_triangle, "
                            "triangle_count, first_line, line_count FROM bodies ORDER BY body");
    while (row.step()) {
        BodyRange body{.name = row.text(0), .kind = row.text(1)};
        int column = 2;
        for (std::int32_t* number : {&body.first_point, &body.point_count, &body.first_triangle, &body.triangle_count,
                                     &body.first_line, &body.line_count})
            *number = read_count(database, row, column++);
        bodies.push_back(std::move(body));
    }
    return bodies;
}

template <class Element>
std::vector<Element> read_elements(const Database& database, std::string_view name, std::int32_t point_count)
{
    Statement select(database, "SELECT data FROM topology WHERE name = ?");
    select.bind(1, name);
    if (!select.step()) recording_damaged(database, fmt::format("the {} are missing", name));
    const std::span<const std::byte> data = select.blob(0);
    if (data.size() % sizeof(Element) != 0)
        recording_damaged(database, fmt::format("the {} are {} bytes long", name, data.size()));
    std::vector<Element> elements(data.size() / sizeof(Element));
    if (!data.empty()) std::memcpy(elements.data(), data.data(), data.size());
    for (const Element& element : elements)
        for (const std::int32_t point : element)
            if (point < 0 || point >= point_count)
                recording_damaged(database, fmt::format("one of the {} uses point {} of {}", name, point, point_count));
    return elements;
}

void check_bodies(const Database& database, const Topology& topology)
{
    const auto fits = [](std::int32_t first, std::int32_t count, std::size_t size) {
        return static_cast<std::size_t>(first) + static_cast<std::size_t>(count) <= size;
    };
    for (const BodyRange& body : topology.bodies)
        if (!fits(body.first_point, body.point_count, static_cast<std::size_t>(topology.point_count)) ||
            !fits(body.first_triangle, body.triangle_count, topology.triangles.size()) ||
            !fits(body.first_line, body.line_count, topology.lines.size()))
            recording_damaged(database, fmt::format("body '{}' reaches beyond the arrays", body.name));
}

Topology read_topology(const Database& database)
{
    Topology topology;
    const double point_count = number_of(database, "point_count");
    if (!(point_count >= 0 && point_count <= INT32_MAX)) recording_damaged(database, "the count of points is wrong");
    topology.point_count = static_cast<std::int32_t>(point_count);
    topology.frame_rate = number_of(database, "frame_rate");
    if (!(topology.frame_rate > 0 && topology.frame_rate < 1e12))
        recording_damaged(database, "the frame rate is wrong");
    topology.up = text_of(database, "up") == "z" ? 'z' : 'y';
    topology.bodies = read_bodies(database);
    topology.triangles = read_elements<Triangle>(database, "triangles", topology.point_count);
    topology.lines = read_elements<Edge>(database, "lines", topology.point_count);
    topology.measures = read_names(database, "measures");
    topology.fields = read_names(database, "fields");
    topology.stages = read_names(database, "stages");
    check_bodies(database, topology);
    return topology;
}

// SQLite reads a page that is partly missing as zeros. Without a companion the file is all there is.
bool is_cut_short(const Database& database)
{
    const std::int64_t expected = database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size");
    std::error_code missing;
    const std::uintmax_t companion = std::filesystem::file_size(database.path() + "-wal", missing);
    if (!missing && companion > 0) return false;
    return static_cast<std::int64_t>(std::filesystem::file_size(database.path(), missing)) < expected;
}

}  // namespace

void recording_damaged(const Database& database, const std::string& what)
{
    throw Error(Problem{database.path(), 0, "", "the recording is damaged: " + what, ""}, ErrorKind::bad_input);
}

void create_tables(const Database& database)
{
    database.execute(kTables);
    database.execute(fmt::format("PRAGMA application_id = {}", kApplicationId).c_str());
    database.execute(fmt::format("PRAGMA user_version = {}", kFormatVersion).c_str());
}

void check_is_recording(const Database& database)
{
    if (database.integer("PRAGMA application_id") != kApplicationId)
        throw Error(Problem{database.path(), 0, "", "is not a pliant recording", ""}, ErrorKind::bad_input);
    const std::int64_t version = database.integer("PRAGMA user_version");
    if (version > kFormatVersion)
        throw Error(Problem{database.path(), 0, "",
                            fmt::format("was recorded by a newer pliant (format {}, this one reads up to {})", version,
                                        kFormatVersion),
                            "update pliant"},
                    ErrorKind::bad_input);
    if (version < 1 || database.integer(kCountTables) != kTableCount) recording_damaged(database, "tables are missing");
    if (database.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") != 0)
        recording_damaged(database, "it holds triggers");
    if (is_cut_short(database)) recording_damaged(database, "its end is missing");
}

void write_header(const Database& database, const RecordingHeader& header)
{
    const Topology& topology = header.topology;
    put(database, "scene_text", std::string_view(header.scene_text));
    put(database, "scene_path", std::string_view(header.scene_path));
    put(database, "version", std::string_view(header.version));
    put(database, "model_id", std::string_view(fmt::format("{:016x}", header.model_id)));
    put(database, "point_count", std::int64_t{topology.point_count});
    put(database, "frame_rate", topology.frame_rate);
    put(database, "up", std::string_view(&topology.up, 1));
    put(database, "finished", std::int64_t{0});
    write_bodies(database, topology.bodies);
    Statement insert(database, "INSERT INTO topology VALUES(?, ?)");
    insert.bind(1, std::string_view("triangles")).bind(2, bytes_of(topology.triangles)).run();
    insert.bind(1, std::string_view("lines")).bind(2, bytes_of(topology.lines)).run();
    write_names(database, "measures", topology.measures);
    write_names(database, "fields", topology.fields);
    write_names(database, "stages", topology.stages);
}

RecordingHeader read_header(const Database& database)
{
    RecordingHeader header;
    header.scene_text = text_of(database, "scene_text");
    header.scene_path = text_of(database, "scene_path");
    header.version = text_of(database, "version");
    const std::string id = text_of(database, "model_id");
    std::from_chars(id.data(), id.data() + id.size(), header.model_id, 16);
    header.topology = read_topology(database);
    return header;
}

}  // namespace pliant
