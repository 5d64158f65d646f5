// SPDX-License-Identifier: MIT
#include <pliant/record/background_writer.h>

#include <utility>

namespace pliant {

BackgroundWriter::BackgroundWriter(RecordingWriter& writer) : writer_(writer), thread_([this] { work(); }) {}

BackgroundWriter::~BackgroundWriter()
{
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void BackgroundWriter::add(Frame frame, std::optional<std::vector<std::byte>> snapshot,
                           std::optional<ContactLog> contacts)
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting || failure_; });
    if (failure_) std::rethrow_exception(failure_);
    waiting_.push_back({std::move(frame), std::move(snapshot), std::move(contacts)});
    lock.unlock();
    changed_.notify_all();
}

void BackgroundWriter::drain()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return (waiting_.empty() && !is_writing_) || failure_; });
    if (failure_) std::rethrow_exception(failure_);
}

// Ends when told to and nothing waits, or at the first failure: frames after a gap are worth nothing.
void BackgroundWriter::work()
{
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return !waiting_.empty() || is_over_; });
        if (waiting_.empty()) return;
        const Job job = std::move(waiting_.front());
        waiting_.pop_front();
        is_writing_ = true;
        lock.unlock();
        std::exception_ptr failure;
        try {
            write(job);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        is_writing_ = false;
        failure_ = failure;
        changed_.notify_all();
        if (failure_) return;
    }
}

void BackgroundWriter::write(const Job& job)
{
    writer_.add_frame(job.frame);
    if (job.contacts) writer_.add_contacts(job.frame.index, *job.contacts);
    if (job.snapshot) writer_.add_snapshot(job.frame.index, *job.snapshot);
}

}  // namespace pliant
