// SPDX-License-Identifier: MIT
// Recordings there and back, killed writers, resumed takes.
#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>

#include <sys/wait.h>
#include <unistd.h>

#include <pliant/record/recording.h>
#include <record/sample_recording.h>

namespace pliant {
namespace {

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_same(const Frame& a, const Frame& b)
{
    EXPECT_EQ(a.index, b.index);
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.step, b.step);
    EXPECT_TRUE(same_bits(a.x, b.x));
    EXPECT_TRUE(same_bits(a.v, b.v));
    EXPECT_TRUE(same_bits(a.measures, b.measures));
    EXPECT_TRUE(same_bits(a.stage_seconds, b.stage_seconds));
    ASSERT_EQ(a.fields.size(), b.fields.size());
    for (std::size_t i = 0; i < a.fields.size(); ++i) EXPECT_TRUE(same_bits(a.fields[i], b.fields[i]));
    EXPECT_EQ(a.hash, b.hash);
    EXPECT_EQ(a.substeps, b.substeps);
    EXPECT_EQ(a.retries, b.retries);
    EXPECT_EQ(a.iterations, b.iterations);
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(a.message, b.message);
}

std::vector<std::byte> some_state(std::size_t size, int value)
{
    return std::vector<std::byte>(size, static_cast<std::byte>(value));
}

TEST(Recording, GivesBackEveryFrameToTheBit)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 5);
    ASSERT_EQ(recording.frame_count(), 5);
    for (std::int64_t k = 0; k < 5; ++k) {
        expect_same(recording.frame(k), sample_frame(k));
        EXPECT_TRUE(same_bits(recording.positions(k), sample_frame(k).x));
    }
}

TEST(Recording, KeepsOddNumbersInPositionsAndMeasures)
{
    const TemporaryDirectory directory;
    Frame frame = sample_frame(0);
    frame.x[0] = {-0.0, std::numeric_limits<double>::denorm_min(), std::nan("7")};
    frame.measures = {std::numeric_limits<double>::infinity(), std::nan(""), 5e-324};
    {
        RecordingWriter writer = RecordingWriter::create(directory.file("a.plrec"), sample_header(), false);
        writer.add_frame(frame);
    }
    const Frame back = Recording::open(directory.file("a.plrec")).frame(0);
    EXPECT_TRUE(same_bits(frame.x, back.x));
    EXPECT_EQ(back.measures[0], std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(back.measures[1]));
    EXPECT_EQ(back.measures[2], 5e-324);
}

TEST(Recording, GivesBackItsHeader)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 1, 'z');
    const RecordingHeader& header = recording.header();
    const RecordingHeader expected = sample_header();
    EXPECT_EQ(header.scene_text, expected.scene_text);
    EXPECT_EQ(header.scene_path, expected.scene_path);
    EXPECT_EQ(header.version, expected.version);
    EXPECT_EQ(header.model_id, expected.model_id);
    EXPECT_EQ(header.topology.triangles, expected.topology.triangles);
    EXPECT_EQ(header.topology.lines, expected.topology.lines);
    EXPECT_EQ(header.topology.measures, expected.topology.measures);
    EXPECT_EQ(header.topology.fields, expected.topology.fields);
    EXPECT_EQ(header.topology.stages, expected.topology.stages);
    EXPECT_EQ(header.topology.frame_rate, 50);
    EXPECT_EQ(header.topology.up, 'z');
    ASSERT_EQ(header.topology.bodies.size(), 3U);
    EXPECT_EQ(header.topology.bodies[1].name, "my rope");
    EXPECT_EQ(header.topology.bodies[1].first_point, 6);
    EXPECT_EQ(header.topology.bodies[1].line_count, 2);
}

TEST(Recording, GivesSeriesOfMeasuresTimesAndStages)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 4);
    const std::vector<double> total = recording.measure("energy.total");
    const std::vector<double> times = recording.times();
    const std::vector<std::vector<double>> seconds = recording.stage_seconds();
    ASSERT_EQ(total.size(), 4U);
    ASSERT_EQ(times.size(), 4U);
    ASSERT_EQ(seconds.size(), 2U);
    for (std::size_t k = 0; k < 4; ++k) {
        const Frame frame = sample_frame(static_cast<std::int64_t>(k));
        EXPECT_EQ(total[k], frame.measures[1]);
        EXPECT_EQ(times[k], frame.time);
        EXPECT_EQ(seconds[0][k], frame.stage_seconds[0]);
    }
}

TEST(Recording, NamesTheNearestMeasureWhenOneIsUnknown)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 1);
    const std::string words = error_of([&] { recording.measure("energy.totl"); });
    EXPECT_TRUE(contains(words, "bad_input: ")) << words;
    EXPECT_TRUE(contains(words, "did you mean 'energy.total'?")) << words;
}

TEST(Recording, RefusesFramesThatAreNotThere)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 2);
    EXPECT_TRUE(contains(error_of([&] { recording.frame(2); }), "has no frame 2 (it has 2"));
    EXPECT_TRUE(contains(error_of([&] { recording.frame(-1); }), "has no frame -1"));
}

TEST(Recording, IsOneFileOnceFinished)
{
    const TemporaryDirectory directory;
    RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), sample_header(), false);
    writer.add_frame(sample_frame(0));
    EXPECT_FALSE(Recording::open(directory.file("take.plrec")).is_finished());
    writer.finish("{\"status\": \"ok\"}");
    EXPECT_EQ(directory.file_count(), 1U);
    const Recording recording = Recording::open(directory.file("take.plrec"));
    EXPECT_TRUE(recording.is_finished());
    EXPECT_EQ(recording.summary(), "{\"status\": \"ok\"}");
    EXPECT_EQ(directory.file_count(), 1U);
}

TEST(Recording, CanBeReadWhileItIsWritten)
{
    const TemporaryDirectory directory;
    RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), sample_header(), false);
    Recording recording = Recording::open(directory.file("take.plrec"));
    EXPECT_EQ(recording.frame_count(), 0);
    writer.add_frame(sample_frame(0));
    writer.add_frame(sample_frame(1));
    EXPECT_EQ(recording.frame_count(), 0);
    recording.refresh();
    EXPECT_EQ(recording.frame_count(), 2);
    expect_same(recording.frame(1), sample_frame(1));
    writer.finish("{}");
    EXPECT_TRUE(recording.is_finished());
    expect_same(recording.frame(0), sample_frame(0));
}

TEST(Recording, KeepsEveryReturnedFrameWhenItsWriterIsKilled)
{
    const TemporaryDirectory directory;
    int channel[2];
    ASSERT_EQ(pipe(channel), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), sample_header(), false);
        for (std::int64_t k = 0;; ++k) {
            writer.add_frame(sample_frame(k));
            if (write(channel[1], &k, sizeof k) != sizeof k) _exit(1);
        }
    }
    close(channel[1]);
    std::int64_t written = -1;
    while (written < 200 && read(channel[0], &written, sizeof written) == sizeof written) {}
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(channel[0], &written, sizeof written) == sizeof written) {}
    close(channel[0]);

    ASSERT_GE(written, 200);
    const Recording recording = Recording::open(directory.file("take.plrec"));
    EXPECT_FALSE(recording.is_finished());
    ASSERT_GE(recording.frame_count(), written + 1);
    for (const std::int64_t k : {std::int64_t{0}, written / 2, written})
        expect_same(recording.frame(k), sample_frame(k));
}

TEST(Recording, KeepsOnlyTheLastTwoSnapshotsUnlessTold)
{
    const TemporaryDirectory directory;
    for (const bool keep_all : {false, true}) {
        RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), sample_header(), true);
        writer.keep_all_snapshots(keep_all);
        for (std::int64_t k = 0; k < 4; ++k) {
            writer.add_frame(sample_frame(k));
            writer.add_snapshot(k, some_state(1000, static_cast<int>(k)));
        }
        // Without the frames after 1, the last snapshot is that of frame 1, if it was kept.
        writer.drop_after(1);
        const std::optional<SnapshotBlob> last = Recording::open(directory.file("take.plrec")).last_snapshot();
        ASSERT_EQ(last.has_value(), keep_all);
        if (keep_all) {
            EXPECT_EQ(last->frame_index, 1);
            EXPECT_EQ(last->state, some_state(1000, 1));
        }
    }
}

TEST(Recording, GoesOnFromASnapshotAsIfNothingHadHappened)
{
    const TemporaryDirectory directory;
    const std::string path = directory.file("take.plrec");
    {
        RecordingWriter writer = RecordingWriter::create(path, sample_header(), false);
        writer.add_input({0.0, "gripper", "1"});
        for (std::int64_t k = 0; k < 5; ++k) {
            writer.add_frame(sample_frame(k));
            writer.add_input({static_cast<double>(k) / 50, "pin", "[" + std::to_string(k) + "]"});
            if (k == 2) writer.add_snapshot(k, some_state(10, 7));
        }
        writer.finish("{\"first\": 1}");
    }
    RecordingWriter writer = RecordingWriter::resume(path);
    const std::optional<SnapshotBlob> snapshot = Recording::open(path).last_snapshot();
    ASSERT_TRUE(snapshot.has_value());
    EXPECT_EQ(snapshot->frame_index, 2);
    EXPECT_EQ(writer.last_frame_index(), 4);
    writer.drop_after(2);
    EXPECT_EQ(writer.last_frame_index(), 2);
    for (std::int64_t k = 3; k < 7; ++k) writer.add_frame(sample_frame(k));

    const Recording recording = Recording::open(path);
    EXPECT_FALSE(recording.is_finished());
    EXPECT_EQ(recording.summary(), "");
    ASSERT_EQ(recording.frame_count(), 7);
    for (std::int64_t k = 0; k < 7; ++k) expect_same(recording.frame(k), sample_frame(k));
    // Inputs that came after frame 2 are forgotten with the frames they led to.
    const std::vector<RecordedInput> inputs = recording.inputs();
    ASSERT_EQ(inputs.size(), 3U);
    EXPECT_EQ(inputs[0].target, "gripper");
    EXPECT_EQ(inputs[2].value, "[1]");
    EXPECT_EQ(inputs[2].time, 1.0 / 50);
}

TEST(Recording, AllowsDroppedFrames)
{
    const TemporaryDirectory directory;
    RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), sample_header(), false);
    for (const std::int64_t k : {0, 3, 7}) writer.add_frame(sample_frame(k));
    const Recording recording = Recording::open(directory.file("take.plrec"));
    ASSERT_EQ(recording.frame_count(), 3);
    expect_same(recording.frame(2), sample_frame(7));
    EXPECT_EQ(recording.measure("cloth.volume")[1], sample_frame(3).measures[2]);
}

}  // namespace
}  // namespace pliant
