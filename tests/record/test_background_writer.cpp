// SPDX-License-Identifier: MIT

// Recordings written by a thread of their own.

#include <pliant/record/background_writer.h>

#include <pliant/record/recording.h>

#include "record/sample_recording.h"

namespace pliant {
namespace {

TEST(BackgroundWriter, KeepsEveryFrameInOrderOnceDrained)
{
    const TemporaryDirectory directory;
    RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), sample_header(), false);
    constexpr std::int64_t kFrames = 100;  // many more than may wait
    BackgroundWriter background(writer);
    for (std::int64_t i = 0; i < kFrames; ++i) {
        std::optional<std::vector<std::byte>> snapshot;
        if (i % 10 == 0) snapshot.emplace(3, static_cast<std::byte>(i));
        background.add(sample_frame(i), std::move(snapshot));
    }
    background.drain();
    const Recording take = Recording::open(directory.file("take.plrec"));
    ASSERT_EQ(take.frame_count(), kFrames);
    for (std::int64_t i = 0; i < kFrames; ++i) EXPECT_EQ(take.frame(i).x, sample_frame(i).x);
    EXPECT_EQ(take.last_snapshot()->frame_index, 90);
}

TEST(BackgroundWriter, WritesWhatWaitsBeforeItGoes)
{
    const TemporaryDirectory directory;
    RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), sample_header(), false);
    {
        BackgroundWriter background(writer);
        for (std::int64_t i = 0; i < 5; ++i) background.add(sample_frame(i), {});
    }
    EXPECT_EQ(Recording::open(directory.file("take.plrec")).frame_count(), 5);
}

TEST(BackgroundWriter, ThrowsWhatWentWrongToWhoeverAsksNext)
{
    const TemporaryDirectory directory;
    const std::string path = directory.file("take.plrec");
    RecordingWriter writer = RecordingWriter::create(path, sample_header(), false);
    writer.add_frame(sample_frame(0));
    {
        // A number taken by somebody else stands for a disk that refuses: any error of the database will do.
        RecordingWriter other = RecordingWriter::resume(path);
        other.add_frame(sample_frame(7));
    }
    BackgroundWriter background(writer);
    background.add(sample_frame(7), {});  // this frame number is taken by now
    EXPECT_THROW(background.drain(), Error);
    EXPECT_THROW(background.add(sample_frame(8), {}), Error);
}

}  // namespace
}  // namespace pliant
