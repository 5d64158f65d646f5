// SPDX-License-Identifier: MIT
#include <pliant/record/contact_store.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/record/recording_header.h>

namespace pliant {

namespace {

constexpr std::int64_t kLogVersion = 1;

constexpr const char* kTables = R"sql(
CREATE TABLE IF NOT EXISTS contact_steps(frame INTEGER PRIMARY KEY, version INTEGER, time REAL, h REAL,
    searches INTEGER, box_tests INTEGER, candidates INTEGER, within_thickness INTEGER, crossings INTEGER,
    passes INTEGER, broad INTEGER, near INTEGER, impacts INTEGER, near_planes INTEGER, plane_impacts INTEGER,
    meshes INTEGER, zones INTEGER, gap REAL, search_s REAL, near_s REAL, hits_s REAL, rows_s REAL, zones_s REAL);
CREATE TABLE IF NOT EXISTS contact_arrays(frame INTEGER, name TEXT, data BLOB,
    PRIMARY KEY(frame, name)) WITHOUT ROWID;
)sql";

constexpr const char* kCountNames =
    "SELECT count(*) FROM sqlite_schema WHERE name IN ('contact_steps', 'contact_arrays')";
constexpr const char* kCountTables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND "
                                     "name IN ('contact_steps', 'contact_arrays')";

// One row of each array, as stored.
using PairPlace = std::array<std::int32_t, 7>;    // kind, elements a and b, four points
using ImpactPlace = std::array<std::int32_t, 8>;  // round, then a PairPlace
using MeetingNumbers = std::array<double, 11>;    // weights, normal, distance, time, start distance, thickness
using BroadPlace = std::array<std::int32_t, 5>;   // kind, four points
using PlanePlace = std::array<std::int32_t, 3>;   // round, point, body of the plane
using PlaneNumbers = std::array<double, 6>;       // normal, distance, time, thickness
using BoxPlace = std::array<std::int32_t, 3>;     // body, depth, 1 for a leaf
using BoxCorners = std::array<float, 12>;         // lowest, highest, swept lowest, swept highest
using ZonePlace = std::array<std::int32_t, 2>;    // point, zone

std::string points_name(std::size_t round)
{
    return fmt::format("round.{:03}.points", round);
}
std::string places_name(std::size_t round)
{
    return fmt::format("round.{:03}.x", round);
}

// ---- to rows ---------------------------------------------------------------------------------------------------------

PairPlace place_of(const Meeting& m)
{
    return {static_cast<std::int32_t>(m.pair.kind), m.pair.a, m.pair.b, m.point[0], m.point[1], m.point[2], m.point[3]};
}

MeetingNumbers numbers_of(const Meeting& m)
{
    return {m.weight[0], m.weight[1], m.weight[2], m.weight[3],      m.normal[0], m.normal[1],
            m.normal[2], m.distance,  m.time,      m.start_distance, m.thickness};
}

// A box for display must hold what it held: rounded away from its middle.
float rounded_down(double value)
{
    const auto rounded = static_cast<float>(value);
    return static_cast<double>(rounded) > value ? std::nextafter(rounded, -std::numeric_limits<float>::infinity())
                                                : rounded;
}

BoxCorners corners_of(const TreeBox& box)
{
    BoxCorners corners{};
    for (std::size_t k = 0; k < 3; ++k) {
        const int axis = static_cast<int>(k);
        corners[k] = rounded_down(box.lowest[axis]), corners[k + 3] = -rounded_down(-box.highest[axis]);
        corners[k + 6] = rounded_down(box.swept_lowest[axis]);
        corners[k + 9] = -rounded_down(-box.swept_highest[axis]);
    }
    return corners;
}

bool same_bits(const Vec3& a, const Vec3& b)
{
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    return bits(a.x) == bits(b.x) && bits(a.y) == bits(b.y) && bits(a.z) == bits(b.z);
}

// ---- writing ---------------------------------------------------------------------------------------------------------

class LogWriter {
public:
    LogWriter(const Database& database, std::int64_t frame)
        : database_(database)
        , insert_(database, "INSERT OR REPLACE INTO contact_arrays VALUES(?, ?, ?)")
        , frame_(frame)
    {
    }

    void write(const ContactLog& log)
    {
        write_step(log);
        array("reach", log.reach);
        write_meetings(log);
        write_planes(log);
        write_boxes(log);
        array("start", log.start);
        array("uncorrected", log.uncorrected);
        const std::vector<Vec3>* before = &log.uncorrected;
        for (std::size_t r = 0; r < log.rounds.size(); before = &log.rounds[r++])
            write_round(r, log.rounds[r], *before);
    }

private:
    template <class T>
    void array(const std::string& name, const std::vector<T>& values)
    {
        insert_.bind(1, frame_).bind(2, std::string_view(name)).bind(3, bytes_of(values)).run();
    }

    void write_step(const ContactLog& log)
    {
        const ContactCounts c = contact_counts(log);
        Statement row(database_, "INSERT OR REPLACE INTO contact_steps "
                                 "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        row.bind(1, frame_).bind(2, kLogVersion).bind(3, log.time).bind(4, log.h);
        int parameter = 5;
        for (const std::int64_t count : {log.counters.searches, log.counters.box_tests, log.counters.candidates,
                                         log.counters.near, log.counters.hits, log.passes, c.broad, c.near, c.impacts,
                                         c.near_planes, c.plane_impacts, c.meshes, c.zones})
            row.bind(parameter++, count);
        row.bind(parameter++, c.gap);
        const ContactTimes& s = log.seconds;
        for (const double seconds : {s.search, s.near, s.hits, s.rows, s.zones}) row.bind(parameter++, seconds);
        row.run();
    }

    void write_meetings(const ContactLog& log)
    {
        std::vector<BroadPlace> broad;
        for (const BroadPair& pair : log.broad)
            broad.push_back(
                {static_cast<std::int32_t>(pair.kind), pair.point[0], pair.point[1], pair.point[2], pair.point[3]});
        array("broad", broad);
        std::vector<PairPlace> near;
        std::vector<MeetingNumbers> numbers;
        for (const Meeting& m : log.near) near.push_back(place_of(m)), numbers.push_back(numbers_of(m));
        array("near.places", near);
        array("near.numbers", numbers);
        std::vector<ImpactPlace> impacts;
        numbers.clear();
        for (const LoggedImpact& impact : log.impacts) {
            const PairPlace p = place_of(impact.meeting);
            impacts.push_back({impact.round, p[0], p[1], p[2], p[3], p[4], p[5], p[6]});
            numbers.push_back(numbers_of(impact.meeting));
        }
        array("impacts.places", impacts);
        array("impacts.numbers", numbers);
    }

    void write_planes(const ContactLog& log)
    {
        std::vector<PlanePlace> places;
        std::vector<PlaneNumbers> numbers;
        for (const PlaneMeeting& m : log.planes) {
            places.push_back({m.round, m.point, m.body});
            numbers.push_back({m.normal[0], m.normal[1], m.normal[2], m.distance, m.time, m.thickness});
        }
        array("planes.places", places);
        array("planes.numbers", numbers);
        std::vector<ZonePlace> zones;
        for (std::size_t p = 0; p < log.zone.size(); ++p)
            if (log.zone[p] >= 0) zones.push_back({static_cast<std::int32_t>(p), log.zone[p]});
        array("zones", zones);
    }

    void write_boxes(const ContactLog& log)
    {
        std::vector<BoxPlace> places;
        std::vector<BoxCorners> corners;
        for (const LoggedBox& b : log.boxes) {
            places.push_back({b.body, b.box.depth, b.box.is_leaf ? 1 : 0});
            corners.push_back(corners_of(b.box));
        }
        array("boxes.places", places);
        array("boxes.corners", corners);
    }

    void write_round(std::size_t round, const std::vector<Vec3>& x, const std::vector<Vec3>& before)
    {
        std::vector<std::int32_t> points;
        std::vector<Vec3> places;
        for (std::size_t p = 0; p < x.size(); ++p)
            if (!same_bits(x[p], before[p])) points.push_back(static_cast<std::int32_t>(p)), places.push_back(x[p]);
        array(points_name(round), points);
        array(places_name(round), places);
    }

    const Database& database_;
    Statement insert_;
    std::int64_t frame_;
};

// ---- reading ---------------------------------------------------------------------------------------------------------

class LogReader {
public:
    LogReader(const Database& database, std::int64_t frame, const Topology& topology)
        : database_(database)
        , topology_(topology)
        , frame_(frame)
    {
    }

    std::optional<ContactLog> read()
    {
        if (!read_step()) return std::nullopt;
        log_.reach = array<double>("reach");
        if (log_.reach.size() != topology_.bodies.size()) damaged("the reaches of bodies are not one each");
        read_rounds();
        read_meetings();
        read_planes();
        read_boxes();
        return std::move(log_);
    }

private:
    [[noreturn]] void damaged(const std::string& what) const
    {
        recording_damaged(database_, fmt::format("in the contact log of frame {}, {}", frame_, what));
    }

    bool read_step()
    {
        Statement row(database_, "SELECT version, time, h, searches, box_tests, candidates, within_thickness, "
                                 "crossings, passes, meshes, search_s, near_s, hits_s, rows_s, zones_s FROM "
                                 "contact_steps WHERE frame = ?");
        row.bind(1, frame_);
        if (!row.step()) return false;
        if (row.integer(0) != kLogVersion)
            throw Error(Problem{.file = database_.path(),
                                .message = fmt::format("its contact logs are of format {}, this pliant reads {}",
                                                       row.integer(0), kLogVersion),
                                .cure = "update pliant, or run the scene again"});
        log_.time = row.real(1), log_.h = row.real(2);
        if (!std::isfinite(log_.time) || !(log_.h > 0)) damaged("the step has no time or no length");
        log_.counters = {row.integer(3), row.integer(4), row.integer(5), row.integer(7), row.integer(6)};
        log_.passes = row.integer(8);
        round_count_ = row.integer(9);
        log_.seconds = {row.real(10), row.real(11), row.real(12), row.real(13), row.real(14)};
        return true;
    }

    template <class T>
    std::vector<T> array(const std::string& name) const
    {
        Statement row(database_, "SELECT data FROM contact_arrays WHERE frame = ? AND name = ?");
        row.bind(1, frame_).bind(2, std::string_view(name));
        if (!row.step()) damaged(fmt::format("the array '{}' is missing", name));
        const std::span<const std::byte> data = row.blob(0);
        if (data.size() % sizeof(T) != 0) damaged(fmt::format("the array '{}' has {} bytes", name, data.size()));
        std::vector<T> values(data.size() / sizeof(T));
        if (!data.empty()) std::memcpy(values.data(), data.data(), data.size());
        return values;
    }

    template <class T>
    std::vector<T> array(const std::string& name, std::size_t count) const
    {
        std::vector<T> values = array<T>(name);
        if (values.size() != count)
            damaged(fmt::format("the array '{}' has {} rows instead of {}", name, values.size(), count));
        return values;
    }

    std::int32_t point(std::int32_t p) const
    {
        if (p < 0 || p >= topology_.point_count) damaged(fmt::format("there is a point {}", p));
        return p;
    }
    std::int32_t body(std::int32_t b) const
    {
        if (b < 0 || static_cast<std::size_t>(b) >= topology_.bodies.size())
            damaged(fmt::format("there is a body {}", b));
        return b;
    }
    std::int32_t round(std::int32_t r, std::int32_t least) const
    {
        if (r < least || r >= round_count_) damaged(fmt::format("there is a round {}", r));
        return r;
    }
    PairKind kind(std::int32_t k) const
    {
        if (k != 0 && k != 1) damaged(fmt::format("there is a kind of pairs {}", k));
        return static_cast<PairKind>(k);
    }

    Meeting meeting(const PairPlace& p, const MeetingNumbers& n) const
    {
        Meeting m{.pair = {kind(p[0]), p[1], p[2]}};
        for (std::size_t k = 0; k < 4; ++k) m.point[k] = point(p[k + 3]), m.weight[k] = n[k];
        m.normal = {n[4], n[5], n[6]};
        m.distance = n[7], m.time = n[8], m.start_distance = n[9], m.thickness = n[10];
        return m;
    }

    void read_meetings()
    {
        for (const BroadPlace& p : array<BroadPlace>("broad"))
            log_.broad.push_back({kind(p[0]), {point(p[1]), point(p[2]), point(p[3]), point(p[4])}});
        const auto near = array<PairPlace>("near.places");
        const auto near_numbers = array<MeetingNumbers>("near.numbers", near.size());
        for (std::size_t i = 0; i < near.size(); ++i) log_.near.push_back(meeting(near[i], near_numbers[i]));
        const auto impacts = array<ImpactPlace>("impacts.places");
        const auto numbers = array<MeetingNumbers>("impacts.numbers", impacts.size());
        for (std::size_t i = 0; i < impacts.size(); ++i) {
            const ImpactPlace& p = impacts[i];
            log_.impacts.push_back({meeting({p[1], p[2], p[3], p[4], p[5], p[6], p[7]}, numbers[i]), round(p[0], 0)});
        }
    }

    void read_planes()
    {
        const auto places = array<PlanePlace>("planes.places");
        const auto numbers = array<PlaneNumbers>("planes.numbers", places.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            const PlaneNumbers& n = numbers[i];
            log_.planes.push_back({.point = point(places[i][1]),
                                   .body = body(places[i][2]),
                                   .round = round(places[i][0], -1),
                                   .normal = {n[0], n[1], n[2]},
                                   .distance = n[3],
                                   .time = n[4],
                                   .thickness = n[5]});
        }
        const auto zones = array<ZonePlace>("zones");
        if (!zones.empty()) log_.zone.assign(static_cast<std::size_t>(topology_.point_count), -1);
        for (const ZonePlace& z : zones) log_.zone[static_cast<std::size_t>(point(z[0]))] = z[1];
    }

    void read_boxes()
    {
        const auto places = array<BoxPlace>("boxes.places");
        const auto corners = array<BoxCorners>("boxes.corners", places.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            const BoxCorners& c = corners[i];
            log_.boxes.push_back({body(places[i][0]),
                                  {.lowest = {c[0], c[1], c[2]},
                                   .highest = {c[3], c[4], c[5]},
                                   .swept_lowest = {c[6], c[7], c[8]},
                                   .swept_highest = {c[9], c[10], c[11]},
                                   .depth = places[i][1],
                                   .is_leaf = places[i][2] != 0}});
        }
    }

    void read_rounds()
    {
        const auto points = static_cast<std::size_t>(topology_.point_count);
        log_.start = array<Vec3>("start", points);
        log_.uncorrected = array<Vec3>("uncorrected", points);
        std::vector<Vec3> x = log_.uncorrected;
        for (std::size_t r = 0; static_cast<std::int64_t>(r) < round_count_; ++r) {
            const auto moved = array<std::int32_t>(points_name(r));
            const auto places = array<Vec3>(places_name(r), moved.size());
            for (std::size_t i = 0; i < moved.size(); ++i) x[static_cast<std::size_t>(point(moved[i]))] = places[i];
            log_.rounds.push_back(x);
        }
    }

    const Database& database_;
    const Topology& topology_;
    std::int64_t frame_;
    std::int64_t round_count_ = 0;
    ContactLog log_;
};

}  // namespace

void create_contact_tables(const Database& database)
{
    database.execute(kTables);
}

bool has_contact_tables(const Database& database)
{
    const std::int64_t tables = database.integer(kCountTables);
    if (tables != database.integer(kCountNames) || tables == 1)
        recording_damaged(database, "what has the names of the tables of contact logs are no such tables");
    return tables == 2;
}

void write_contacts(const Database& database, std::int64_t frame, const ContactLog& log)
{
    LogWriter(database, frame).write(log);
}

void drop_contacts_after(const Database& database, std::int64_t frame)
{
    if (!has_contact_tables(database)) return;
    for (const char* sql : {"DELETE FROM contact_steps WHERE frame > ?", "DELETE FROM contact_arrays WHERE frame > ?"})
        Statement(database, sql).bind(1, frame).run();
}

std::optional<ContactLog> read_contacts(const Database& database, std::int64_t frame, const Topology& topology)
{
    if (!has_contact_tables(database)) return std::nullopt;
    return LogReader(database, frame, topology).read();
}

std::vector<ContactCounts> read_contact_counts(const Database& database)
{
    std::vector<ContactCounts> all;
    if (!has_contact_tables(database)) return all;
    Statement row(database, "SELECT frame, time, h, broad, near, impacts, near_planes, plane_impacts, meshes, zones, "
                            "gap, search_s + near_s + hits_s + rows_s + zones_s FROM contact_steps ORDER BY frame");
    while (row.step())
        all.push_back({.frame = row.integer(0),
                       .time = row.real(1),
                       .h = row.real(2),
                       .broad = row.integer(3),
                       .near = row.integer(4),
                       .impacts = row.integer(5),
                       .near_planes = row.integer(6),
                       .plane_impacts = row.integer(7),
                       .meshes = row.integer(8),
                       .zones = row.integer(9),
                       .gap = row.real(10),
                       .seconds = row.real(11)});
    return all;
}

ContactCounts contact_counts(const ContactLog& log)
{
    ContactCounts c{.time = log.time, .h = log.h};
    c.broad = static_cast<std::int64_t>(log.broad.size());
    c.near = static_cast<std::int64_t>(log.near.size());
    c.impacts = static_cast<std::int64_t>(log.impacts.size());
    c.gap = std::numeric_limits<double>::quiet_NaN();
    for (const Meeting& m : log.near) c.gap = std::fmin(c.gap, m.distance);
    for (const PlaneMeeting& m : log.planes) {
        ++(m.round < 0 ? c.near_planes : c.plane_impacts);
        if (m.round < 0) c.gap = std::fmin(c.gap, m.distance);
    }
    c.meshes = static_cast<std::int64_t>(log.rounds.size());
    std::vector<std::int32_t> zones;
    for (const std::int32_t zone : log.zone)
        if (zone >= 0) zones.push_back(zone);
    std::sort(zones.begin(), zones.end());
    c.zones = std::unique(zones.begin(), zones.end()) - zones.begin();
    const ContactTimes& s = log.seconds;
    c.seconds = s.search + s.near + s.hits + s.rows + s.zones;
    return c;
}

}  // namespace pliant
