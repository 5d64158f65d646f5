// SPDX-License-Identifier: MIT

// Contact logs in recordings: the same there and back, takes without them, damage; what a run keeps (seeds/001 E-06), and
// the files made of it.

#include <pliant/contact/contact_log.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <pliant/io/mesh_file.h>
#include <pliant/record/database.h>
#include <pliant/record/export_contacts.h>
#include <pliant/record/recording.h>
#include <pliant/record/run.h>
#include <pliant/world/intersection_measure.h>
#include <record/sample_recording.h>
#include <world/small_scenes.h>

namespace pliant {
namespace {

// ---- there and back -------------------------------------------------------------------------------------------------

Meeting sample_meeting(PairKind kind, double distance)
{
    return {.pair = {kind, 3, 7},
            .point = {2, 3, 4, 5},
            .weight = {1, -0.25, -0.5, -0.25},
            .normal = {0, 0.6, -0.8},
            .distance = distance,
            .time = 0.375,
            .start_distance = 2 * distance,
            .thickness = 0.003};
}

// A log of the sample's nine points with something in every part of it.
ContactLog sample_log()
{
    ContactLog log;
    log.time = 0.25, log.h = 0.125;
    log.counters = {.searches = 2, .box_tests = 300, .candidates = 50, .hits = 3, .near = 1};
    log.passes = 17;
    log.seconds = {.search = 0.1, .near = 0.2, .hits = 0.3, .rows = 0.4, .zones = 0.5};
    log.reach = {0.001, 0.002, 0};
    log.broad = {{PairKind::vertex_face, {6, 2, 3, 4}}, {PairKind::edge_edge, {6, 7, 2, 3}}};
    log.near = {sample_meeting(PairKind::vertex_face, 0.002), sample_meeting(PairKind::edge_edge, 0.001)};
    log.impacts = {{sample_meeting(PairKind::edge_edge, 1e-5), 0}, {sample_meeting(PairKind::vertex_face, 1e-6), 1}};
    log.planes = {{.point = 5, .body = 2, .round = -1, .normal = {0, 1, 0}, .distance = 0.0005, .thickness = 0.002},
                  {.point = 6, .body = 2, .round = 1, .normal = {0, 1, 0}, .distance = 0.1, .time = 0.5}};
    log.boxes = {{0, {{-1, -2, -3}, {0.1, 0.2, 0.3}, {-1.1, -2.1, -3.1}, {0.4, 0.5, 0.6}, 0, false}},
                 {0, {{-1, -2, -3}, {0, 0, 0}, {-1, -2, -3}, {0.1, 0.1, 0.1}, 1, true}}};
    log.zone = {-1, -1, 0, 0, -1, -1, 1, 1, -1};
    log.start = sample_frame(1).x, log.uncorrected = sample_frame(2).x;
    log.rounds = {log.uncorrected, log.uncorrected, log.uncorrected};
    log.rounds[1][3] = log.rounds[2][3] = {1.0 / 3, -0.0, 5e-324};
    log.rounds[2][8] = {1, 2, 3};
    return log;
}

Recording recording_with(const TemporaryDirectory& directory, const ContactLog& log)
{
    RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), sample_header(), true);
    for (std::int64_t k = 0; k < 3; ++k) writer.add_frame(sample_frame(k));
    writer.add_contacts(1, log);
    writer.add_contacts(2, log);
    writer.finish("{}");
    return Recording::open(directory.file("take.plrec"));
}

void expect_same(const Meeting& a, const Meeting& b)
{
    EXPECT_EQ(a.pair, b.pair);
    EXPECT_EQ(a.point, b.point);
    EXPECT_EQ(a.weight, b.weight);
    EXPECT_EQ(a.normal, b.normal);
    EXPECT_EQ((std::array{a.distance, a.time, a.start_distance, a.thickness}),
              (std::array{b.distance, b.time, b.start_distance, b.thickness}));
}

TEST(ContactLogs, MeetingsAndMeshesComeBackToTheBit)
{
    const TemporaryDirectory directory;
    const ContactLog log = sample_log();
    const auto read = recording_with(directory, log).contacts(1);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->broad, log.broad);
    ASSERT_EQ(read->near.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) expect_same(read->near[i], log.near[i]);
    ASSERT_EQ(read->impacts.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) expect_same(read->impacts[i].meeting, log.impacts[i].meeting);
    EXPECT_EQ(read->impacts[1].round, 1);
    EXPECT_EQ(read->start, log.start);
    EXPECT_EQ(read->uncorrected, log.uncorrected);
    ASSERT_EQ(read->rounds, log.rounds);
    EXPECT_TRUE(std::signbit(read->rounds[1][3][1]));
    EXPECT_EQ(read->zone, log.zone);
    EXPECT_EQ(read->reach, log.reach);
}

TEST(ContactLogs, PlanesCountersAndTimesComeBack)
{
    const TemporaryDirectory directory;
    const ContactLog log = sample_log();
    const auto read = recording_with(directory, log).contacts(2);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->time, log.time);
    EXPECT_EQ(read->h, log.h);
    EXPECT_EQ(read->counters.searches, 2);
    EXPECT_EQ(read->counters.box_tests, 300);
    EXPECT_EQ(read->counters.candidates, 50);
    EXPECT_EQ(read->counters.hits, 3);
    EXPECT_EQ(read->counters.near, 1);
    EXPECT_EQ(read->passes, 17);
    EXPECT_EQ(read->seconds.search, 0.1);
    EXPECT_EQ(read->seconds.rows, 0.4);
    EXPECT_EQ(read->seconds.zones, 0.5);
    ASSERT_EQ(read->planes.size(), 2U);
    EXPECT_EQ(read->planes[0].round, -1);
    EXPECT_EQ(read->planes[1].point, 6);
    EXPECT_EQ(read->planes[1].body, 2);
    EXPECT_EQ(read->planes[1].time, 0.5);
    EXPECT_EQ(read->planes[0].normal, (Vec3{0, 1, 0}));
}

// Boxes are for display and kept as floats, but never smaller than they were.
TEST(ContactLogs, BoxesHoldWhatTheyHeld)
{
    const TemporaryDirectory directory;
    const ContactLog log = sample_log();
    const auto read = recording_with(directory, log).contacts(1);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->boxes.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        const TreeBox &was = log.boxes[i].box, &is = read->boxes[i].box;
        EXPECT_EQ(is.depth, was.depth);
        EXPECT_EQ(is.is_leaf, was.is_leaf);
        for (int k = 0; k < 3; ++k) {
            EXPECT_LE(is.lowest[k], was.lowest[k]);
            EXPECT_GE(is.highest[k], was.highest[k]);
            EXPECT_LE(is.swept_lowest[k], was.swept_lowest[k]);
            EXPECT_GE(is.swept_highest[k], was.swept_highest[k]);
            EXPECT_NEAR(is.swept_highest[k], was.swept_highest[k], 1e-6);
            EXPECT_NEAR(is.lowest[k], was.lowest[k], 1e-6);
        }
    }
}

TEST(ContactLogs, CountsAreReadWithoutTheArrays)
{
    const TemporaryDirectory directory;
    const std::vector<ContactCounts> counts = recording_with(directory, sample_log()).contact_counts();
    ASSERT_EQ(counts.size(), 2U);
    EXPECT_EQ(counts[0].frame, 1);
    EXPECT_EQ(counts[1].frame, 2);
    const ContactCounts& c = counts[0];
    EXPECT_EQ(c.broad, 2);
    EXPECT_EQ(c.near, 2);
    EXPECT_EQ(c.impacts, 2);
    EXPECT_EQ(c.near_planes, 1);
    EXPECT_EQ(c.plane_impacts, 1);
    EXPECT_EQ(c.rounds(), 1);
    EXPECT_EQ(c.zones, 2);
    EXPECT_EQ(c.gap, 0.0005);
    EXPECT_DOUBLE_EQ(c.seconds, 1.5);
}

// ---- takes without, and damage --------------------------------------------------------------------------------------

TEST(ContactLogs, TakesWithoutThemStayAsTheyWere)
{
    const TemporaryDirectory directory;
    const Recording take = sample_recording(directory, 2);
    EXPECT_FALSE(take.contacts(1));
    EXPECT_TRUE(take.contact_counts().empty());
    const Database database(directory.file("take.plrec"), DatabaseAccess::read);
    EXPECT_EQ(database.integer("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'contact%'"), 0);
}

TEST(ContactLogs, FramesThatAreDroppedTakeTheirsWithThem)
{
    const TemporaryDirectory directory;
    recording_with(directory, sample_log());
    RecordingWriter writer = RecordingWriter::resume(directory.file("take.plrec"));
    writer.drop_after(1);
    writer.add_frame(sample_frame(2));
    writer.finish("{}");
    const Recording take = Recording::open(directory.file("take.plrec"));
    EXPECT_TRUE(take.contacts(1));
    EXPECT_FALSE(take.contacts(2));
    EXPECT_EQ(take.contact_counts().size(), 1U);
}

std::string words_after(const char* sql)
{
    const TemporaryDirectory directory;
    recording_with(directory, sample_log());
    const std::string path = directory.file("take.plrec");
    Database(path, DatabaseAccess::append).execute(sql);
    return error_of([&] {
        const Recording take = Recording::open(path);
        (void)take.contact_counts();
        (void)take.contacts(1);
    });
}

TEST(ContactLogs, DamageIsToldInWords)
{
    EXPECT_EQ(words_after("SELECT 1"), "");
    const auto expect_words = [](const char* sql, const char* words) {
        const std::string told = words_after(sql);
        EXPECT_TRUE(contains(told, "bad_input: ") && contains(told, words)) << sql << "\n" << told;
    };
    expect_words("UPDATE contact_steps SET version = 9", "format 9");
    expect_words("UPDATE contact_steps SET h = 0", "no length");
    expect_words("UPDATE contact_steps SET meshes = 4", "'round.003.points' is missing");
    expect_words("UPDATE contact_steps SET meshes = 1", "there is a round 1");
    expect_words("DELETE FROM contact_arrays WHERE name = 'near.places'", "'near.places' is missing");
    expect_words("UPDATE contact_arrays SET data = x'00' WHERE name = 'start'", "'start' has 1 bytes");
    expect_words("UPDATE contact_arrays SET data = zeroblob(24) WHERE name = 'start'", "1 rows instead of 9");
    expect_words("UPDATE contact_arrays SET data = x'0700000000000000000000000000000000000000' WHERE name = 'broad'",
                 "kind of pairs 7");
    expect_words("UPDATE contact_arrays SET data = x'00000000ffffffff000000000000000000000000' WHERE name = 'broad'",
                 "there is a point -1");
    expect_words("UPDATE contact_arrays SET data = x'09000000' WHERE name = 'round.001.points'", "there is a point 9");
    expect_words("DROP TABLE contact_arrays", "names of the tables of contact logs");
    expect_words(
        "DROP TABLE contact_arrays; CREATE VIEW contact_arrays AS SELECT 1 AS frame, 'reach' AS name, x'' AS data",
        "names of the tables of contact logs");
}

// ---- what a run keeps -----------------------------------------------------------------------------------------------

// A ball at 10 m/s against the corner of a sheet that lies still, a frame a step of 2 ms. Limits of strain, which hand on to
// neighbours what contacts move, are off.
constexpr const char* kBallAndSheet = R"({ "world": { "gravity": [0, 0, 0], "duration": 0.008, "frame_rate": 500 },
    "solver": { "kind": "implicit_euler", "step": 0.002, "substeps": 1 },
    "contact": { "response": "bridson", "thickness": 0.004, "strain_limit": 0 }, "record": { "contacts": true },
    "bodies": {
        "sheet": { "kind": "cloth", "mesh": { "grid": [13, 13], "size": [0.3, 0.3] },
            "cloth": { "density": 0.2, "stretch": 200, "bend": 1e-4 } },
        "ball": { "kind": "rigid", "sphere": 0.02, "mass": 0.05, "position": [0.1, 0.05, 0.1],
            "velocity": [0, -10, 0] } } })";

class RecordedRun : public testing::Test {
protected:
    RecordedRun()
    {
        const Scene scene = parse_scene(kBallAndSheet, "test.json").scene;
        World world = test::world_of(kBallAndSheet);
        RecordingHeader header{.scene_text = kBallAndSheet, .topology = world.model->topology};
        RecordingWriter writer = RecordingWriter::create(directory_.file("take.plrec"), header, true);
        const RunSummary summary = run(world, scene, {.writer = &writer});
        EXPECT_FALSE(summary.failed) << summary.message;
        writer.finish("{}");
        take_.emplace(Recording::open(directory_.file("take.plrec")));
        for (std::int64_t f = 1; f < take_->frame_count() && log_.impacts.empty(); ++f)
            if (auto log = take_->contacts(f)) log_ = std::move(*log), frame_ = f;
    }

    std::size_t intersections(const std::vector<Vec3>& x) const
    {
        const AuditSurfaces surfaces = audit_surfaces(take_->header().topology);
        IntersectionSearch search(surfaces);
        Intersections found;
        EXPECT_TRUE(search.find(found, x));
        return found.count();
    }

    TemporaryDirectory directory_;
    std::optional<Recording> take_;
    ContactLog log_;  // of the first frame with an impact
    std::int64_t frame_ = 0;
};

TEST_F(RecordedRun, EveryFrameButTheStartHasTheLogOfItsStep)
{
    EXPECT_FALSE(take_->contacts(0));
    EXPECT_EQ(take_->contact_counts().size(), static_cast<std::size_t>(take_->frame_count() - 1));
    for (std::int64_t f = 1; f < take_->frame_count(); ++f) {
        const auto log = take_->contacts(f);
        ASSERT_TRUE(log);
        EXPECT_EQ(log->start, take_->positions(f - 1));
        EXPECT_EQ(log->rounds.back(), take_->positions(f));
        EXPECT_NEAR(log->time, take_->times()[static_cast<std::size_t>(f - 1)], 1e-12);
        EXPECT_NEAR(log->h, 0.002, 1e-12);
        EXPECT_GT(log->seconds.search, 0);
    }
}

// E-06: the first mesh still collides, the last does not, and they differ at the ball alone.
TEST_F(RecordedRun, LastMeshIsFreeOfIntersectionsAndDiffersOnlyWhereItMet)
{
    ASSERT_FALSE(log_.impacts.empty());
    EXPECT_GT(intersections(log_.rounds.front()), 0U);
    EXPECT_EQ(intersections(log_.rounds.back()), 0U);
    std::set<std::int32_t> met;
    for (const Meeting& m : log_.near) met.insert(m.point.begin(), m.point.end());
    for (const LoggedImpact& impact : log_.impacts)
        met.insert(impact.meeting.point.begin(), impact.meeting.point.end());
    const BodyRange& sheet = take_->header().topology.bodies[0];
    int moved = 0;
    for (std::int32_t p = sheet.first_point; p < sheet.first_point + sheet.point_count; ++p) {
        const auto i = static_cast<std::size_t>(p);
        if (log_.rounds.front()[i] == log_.rounds.back()[i]) continue;
        ++moved;
        EXPECT_TRUE(met.count(p) == 1) << "vertex " << p << " moved, but met nothing";
    }
    EXPECT_GT(moved, 0);
    EXPECT_LT(moved, sheet.point_count / 4);
}

TEST_F(RecordedRun, TreesHaveTwiceAsManyBoxesAsFacesLessOne)
{
    const Topology& topology = take_->header().topology;
    for (std::size_t b = 0; b < topology.bodies.size(); ++b) {
        const auto boxes = std::count_if(log_.boxes.begin(), log_.boxes.end(), [&](const LoggedBox& box) {
            return box.body == static_cast<std::int32_t>(b);
        });
        EXPECT_EQ(boxes, 2 * topology.bodies[b].triangle_count - 1) << topology.bodies[b].name;
    }
}

// ---- files ----------------------------------------------------------------------------------------------------------

TEST_F(RecordedRun, MeshesInStlKeepEveryBit)
{
    const Topology& topology = take_->header().topology;
    const Exported exported = export_contact_stl(topology, log_, directory_.file("meshes"), {.body = "sheet"});
    ASSERT_EQ(exported.files.size(), log_.rounds.size() + 2);
    const TriMesh last = load_mesh(exported.files.back());
    EXPECT_EQ(static_cast<std::int32_t>(last.triangles.size()), topology.bodies[0].triangle_count);
    EXPECT_EQ(static_cast<std::int32_t>(last.vertices.size()), topology.bodies[0].point_count);
    for (const Vec3& x : last.vertices)
        EXPECT_NE(std::find(log_.rounds.back().begin(), log_.rounds.back().end(), x), log_.rounds.back().end());
    EXPECT_TRUE(contains(
        error_of([&] { export_contact_stl(topology, log_, directory_.file("meshes"), {.body = "sheet"}); }), "exists"));
    EXPECT_TRUE(contains(error_of([&] { export_contact_stl(topology, log_, directory_.file("m"), {.body = "shet"}); }),
                         "did you mean 'sheet'"));
}

std::size_t cells_in(const std::string& path)
{
    const std::string text = contents(path), key = "NumberOfCells=\"";
    const std::size_t at = text.find(key);
    return at == std::string::npos ? 0 : std::stoul(text.substr(at + key.size(), 12));
}

TEST_F(RecordedRun, ParaViewGetsPairsAndBoxesOfTheDepthsAskedFor)
{
    const Topology& topology = take_->header().topology;
    const auto faces =
        static_cast<std::size_t>(std::count_if(log_.impacts.begin(), log_.impacts.end(), [](const LoggedImpact& i) {
            return i.meeting.pair.kind == PairKind::vertex_face;
        }));
    const std::size_t edges = log_.impacts.size() - faces;
    Exported exported = export_contact_vtu(topology, log_, directory_.file("all"), {});
    EXPECT_EQ(exported.files.size(), log_.rounds.size() + 4);
    EXPECT_EQ(cells_in(exported.files[0]), log_.broad.size() + log_.near.size() + 2 * faces + 3 * edges);
    EXPECT_EQ(cells_in(exported.files[1]), log_.boxes.size());
    EXPECT_EQ(cells_in(exported.files[2]), topology.triangles.size());
    exported = export_contact_vtu(topology, log_, directory_.file("roots"),
                                  {.least_depth = 0, .most_depth = 0, .extent = BoxExtent::inflated});
    EXPECT_EQ(cells_in(exported.files[1]), 2U);
}

}  // namespace
}  // namespace pliant
