// SPDX-License-Identifier: MIT
// Recordings that cannot be written, are something else, or are broken: always words, never worse.
#include <csignal>
#include <random>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pliant/record/database.h>
#include <pliant/record/recording.h>
#include <record/sample_recording.h>

namespace pliant {
namespace {

// Uses all of a recording; a damaged one may only throw Error.
void read_all(const std::string& path)
{
    const Recording recording = Recording::open(path);
    for (std::int64_t k = 0; k < recording.frame_count(); ++k) recording.frame(k);
    for (const std::string& name : recording.header().topology.measures) recording.measure(name);
    recording.stage_seconds();
    recording.last_snapshot();
    recording.inputs();
    recording.summary();
}

// What reading says after `sql` was done to a sound take.
std::string words_after(const char* sql)
{
    const TemporaryDirectory directory;
    sample_recording(directory, 3);
    const std::string path = directory.file("take.plrec");
    Database(path, DatabaseAccess::append).execute(sql);
    return error_of([&] { read_all(path); });
}

TEST(RecordingDamage, ExistingFilesAreKeptWithoutForce)
{
    const TemporaryDirectory directory;
    const std::string path = directory.file("take.plrec");
    sample_recording(directory, 1);
    const std::string before = contents(path);
    const std::string words = error_of([&] { RecordingWriter::create(path, sample_header(), false); });
    EXPECT_TRUE(contains(words, "cannot_access: ")) << words;
    EXPECT_TRUE(contains(words, "exists; use --force or another -o")) << words;
    EXPECT_EQ(contents(path), before);
}

TEST(RecordingDamage, OverwritingReplacesAKilledTakeAndItsCompanion)
{
    const TemporaryDirectory directory;
    const std::string path = directory.file("take.plrec");
    replace_contents(path, "something else");
    replace_contents(path + "-wal", "left behind");
    RecordingWriter writer = RecordingWriter::create(path, sample_header(), true);
    writer.add_frame(sample_frame(0));
    writer.finish("{}");
    EXPECT_EQ(Recording::open(path).frame_count(), 1);
}

TEST(RecordingDamage, PathsThatCannotBeWrittenAreNamed)
{
    const TemporaryDirectory directory;
    const auto create = [](const std::string& path) {
        return error_of([&] { RecordingWriter::create(path, sample_header(), true); });
    };
    EXPECT_TRUE(contains(create(directory.file("no/such/take.plrec")), "cannot_access: "))
        << create(directory.file("no/such/take.plrec"));
    EXPECT_TRUE(contains(create(directory.file("no/such/take.plrec")), "No such file or directory"));
    EXPECT_TRUE(contains(create("/proc/take.plrec"), "cannot_access: ")) << create("/proc/take.plrec");
    EXPECT_TRUE(contains(create(directory.file("")), "is a directory"));
    EXPECT_TRUE(contains(create("/dev/null"), "is not a regular file"));
    EXPECT_TRUE(contains(create(""), "needs a file name"));
}

TEST(RecordingDamage, MissingFilesAndDirectoriesAreNotOpened)
{
    const TemporaryDirectory directory;
    const std::string path = directory.file("none.plrec");
    EXPECT_TRUE(contains(error_of([&] { Recording::open(path); }), "cannot_access: " + path + ": does not exist"));
    EXPECT_TRUE(contains(error_of([&] { RecordingWriter::resume(path); }), "does not exist"));
    EXPECT_TRUE(contains(error_of([&] { Recording::open(directory.file("")); }), "is a directory"));
    EXPECT_EQ(directory.file_count(), 0U);
}

TEST(RecordingDamage, OtherFilesAreNotRecordings)
{
    const TemporaryDirectory directory;
    const std::string path = directory.file("take.plrec");
    for (const std::string& text : {std::string(), std::string("{\"world\": 1}"), std::string(5000, 'x')}) {
        replace_contents(path, text);
        EXPECT_TRUE(
            contains(error_of([&] { Recording::open(path); }), "bad_input: " + path + ": is not a pliant recording"));
        EXPECT_TRUE(contains(error_of([&] { RecordingWriter::resume(path); }), "is not a pliant recording"));
        EXPECT_EQ(contents(path), text);
    }
    const std::string other = directory.file("other.db");
    Database(other, DatabaseAccess::create).execute("CREATE TABLE frames(a)");
    EXPECT_TRUE(contains(error_of([&] { Recording::open(other); }), "is not a pliant recording"));
}

TEST(RecordingDamage, NewerFormatsAskForAnUpdate)
{
    const std::string words = words_after("PRAGMA user_version = 99");
    EXPECT_TRUE(contains(words, "newer pliant (format 99, this one reads up to 1) (update pliant)")) << words;
}

TEST(RecordingDamage, ArraysOfWrongSizeAreRefused)
{
    EXPECT_EQ(words_after("SELECT 1"), "");
    for (const char* sql : {"UPDATE frames SET x = zeroblob(24) WHERE frame = 1",
                            "UPDATE frames SET v = NULL",
                            "UPDATE frames SET x = 'text'",
                            "UPDATE frames SET time = NULL",
                            "UPDATE frames SET time = 9e999",
                            "UPDATE field_values SET data = zeroblob(8)",
                            "UPDATE field_values SET field = 77",
                            "UPDATE measure_values SET measure = 9999 WHERE measure = 0",
                            "UPDATE profile SET stage = -5 WHERE stage = 0",
                            "UPDATE topology SET data = zeroblob(7)",
                            "UPDATE topology SET data = x'FFFFFF7FFFFFFF7FFFFFFF7F'",
                            "DELETE FROM topology",
                            "DELETE FROM meta WHERE key = 'point_count'",
                            "UPDATE meta SET value = 2000000000 WHERE key = 'point_count'",
                            "UPDATE meta SET value = -1 WHERE key = 'point_count'",
                            "UPDATE meta SET value = 0 WHERE key = 'frame_rate'",
                            "UPDATE bodies SET first_triangle = -1",
                            "UPDATE bodies SET triangle_count = 2147483647",
                            "UPDATE bodies SET point_count = 3000000000",
                            "UPDATE measures SET measure = 1000000 WHERE measure = 1",
                            "DROP TABLE profile",
                            "DROP TABLE frames; CREATE VIEW frames AS SELECT 1 AS frame",
                            "CREATE TRIGGER t AFTER INSERT ON frames BEGIN DELETE FROM frames; END"}) {
        const std::string words = words_after(sql);
        EXPECT_TRUE(contains(words, "bad_input: ") && contains(words, "damaged")) << sql << ": " << words;
    }
}

TEST(RecordingDamage, ATruncatedFileIsDamagedNotACrash)
{
    const TemporaryDirectory directory;
    sample_recording(directory, 40);
    const std::string whole = contents(directory.file("take.plrec"));
    for (std::size_t size = 1; size < whole.size(); size += whole.size() / 37) {
        const std::string path = directory.file("cut.plrec");
        replace_contents(path, whole.substr(0, size));
        EXPECT_TRUE(contains(error_of([&] { read_all(path); }), "bad_input: ")) << size;
    }
}

TEST(RecordingDamage, FlippedBytesNeverDoMoreThanThrow)
{
    const TemporaryDirectory directory;
    sample_recording(directory, 10);
    const std::string whole = contents(directory.file("take.plrec")), path = directory.file("bad.plrec");
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        std::string text = whole;
        for (int i = 0; i < 20; ++i) text[random() % text.size()] = static_cast<char>(random());
        replace_contents(path, text);
        error_of([&] { read_all(path); });
        error_of([&] {
            RecordingWriter writer = RecordingWriter::resume(path);
            writer.drop_after(5);
        });
        std::filesystem::remove(path + "-wal");
        std::filesystem::remove(path + "-shm");
        std::filesystem::remove(path + "-journal");
    }
}

// Runs in a child process, where files may not grow beyond 200 kB: as on a full disk, some frame
// does not fit. The exit status says whether that was an Error of the right kind.
int fill_the_disk(const std::string& path)
{
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200000, 200000};
    setrlimit(RLIMIT_FSIZE, &limit);
    RecordingWriter writer = RecordingWriter::create(path, sample_header(), false);
    for (std::int64_t k = 0; k < 1000; ++k) {
        const std::string words = error_of([&] { writer.add_frame(sample_frame(k)); });
        if (!words.empty()) return k > 10 && contains(words, "cannot_access: ") ? 0 : 1;
    }
    return 2;
}

TEST(RecordingDamage, AFullDiskIsAnErrorAndKeepsTheFramesBefore)
{
    const TemporaryDirectory directory;
    const std::string path = directory.file("take.plrec");
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(fill_the_disk(path));
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    const Recording recording = Recording::open(path);
    EXPECT_GT(recording.frame_count(), 10);
    EXPECT_EQ(error_of([&] { read_all(path); }), "");
}

TEST(RecordingDamage, TwoWritersOfOneTakeAreTold)
{
    const TemporaryDirectory directory;
    RecordingWriter first = RecordingWriter::create(directory.file("take.plrec"), sample_header(), false);
    RecordingWriter second = RecordingWriter::resume(directory.file("take.plrec"));
    first.add_frame(sample_frame(0));
    const std::string words = error_of([&] { second.add_frame(sample_frame(0)); });
    EXPECT_TRUE(contains(words, "another program is writing")) << words;
}

}  // namespace
}  // namespace pliant
