// SPDX-License-Identifier: MIT
#pragma once

// The newest value from one thread to another, without waiting on either side.
//
// Three slots: one is being written, one is being read, the third changes hands by one atomic exchange. The reader never
// waits, never allocates and never frees, which a lock or a shared pointer would make it do at times. Values that nobody
// read in time are overwritten: the latest wins. One writing and one reading thread; what a writer finds in its draft
// is an older value whose memory it may reuse.

#include <array>
#include <atomic>
#include <cstdint>

namespace pliant::viewer {

template <class T>
class LatestValue {
public:
    LatestValue() = default;
    explicit LatestValue(const T& first) : slots_{first, first, first} {}

    /// For the writer: what publish() hands over next.
    T& draft() { return slots_[writer_]; }
    void publish() { writer_ = shared_.exchange(writer_ | kFresh, std::memory_order_acq_rel) & kSlot; }
    void publish(const T& value)
    {
        draft() = value;
        publish();
    }

    /// For the reader: takes the newest value; false if there is none since the last call.
    bool refresh()
    {
        if ((shared_.load(std::memory_order_relaxed) & kFresh) == 0) return false;
        reader_ = shared_.exchange(reader_, std::memory_order_acq_rel) & kSlot;
        return true;
    }
    /// Stays as it is until the next refresh().
    const T& latest() const { return slots_[reader_]; }

private:
    static constexpr std::uint32_t kSlot = 3, kFresh = 4;

    std::array<T, 3> slots_{};
    std::uint32_t writer_ = 0, reader_ = 1;
    std::atomic<std::uint32_t> shared_{2};
};

}  // namespace pliant::viewer
