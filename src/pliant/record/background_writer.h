// SPDX-License-Identifier: MIT
#pragma once

// A recording written by a thread of its own, so that stepping does not wait for the disk.
//
// At most kMostWaiting frames wait; then add() blocks. What goes wrong while writing is thrown by the
// next add() or by drain(). After drain() everything added is in the file.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <pliant/contact/contact_log.h>
#include <pliant/model/frame.h>
#include <pliant/record/recording.h>

namespace pliant {

class BackgroundWriter {
public:
    static constexpr std::size_t kMostWaiting = 8;

    /// The writer must outlive this and must not be used by others until drain() has returned.
    explicit BackgroundWriter(RecordingWriter& writer);
    ~BackgroundWriter();
    BackgroundWriter(const BackgroundWriter&) = delete;
    BackgroundWriter& operator=(const BackgroundWriter&) = delete;

    /// Hands over a frame and, if given, the snapshot and the contact log that belong to it.
    void add(Frame frame, std::optional<std::vector<std::byte>> snapshot,
             std::optional<ContactLog> contacts = std::nullopt);

    /// Waits until everything is written; throws what went wrong.
    void drain();

private:
    struct Job {
        Frame frame;
        std::optional<std::vector<std::byte>> snapshot;
        std::optional<ContactLog> contacts;
    };

    void work();
    void write(const Job& job);

    RecordingWriter& writer_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> waiting_;
    bool is_writing_ = false, is_over_ = false;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace pliant
