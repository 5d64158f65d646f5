// SPDX-License-Identifier: MIT
#pragma once

// Parallel loops that give the same bits for any thread count.
//
// A loop over `count` items is cut into chunks whose size depends on count and grain only. Threads
// take chunks in any order; what is summed is summed per chunk, then over the chunks in their order.
// Lives here: thread count, parallel_for, parallel_sum. Not here: colouring, private windows.
//
// Bodies must not throw (the program would be terminated). A loop inside a body runs inline, with the
// same chunks. After the first loop nothing is allocated by a call. Several threads may start loops at
// once; set_thread_count must not be called while any loop runs.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace pliant {

/// No loop is cut into more chunks than this, so that partial sums fit on the stack.
inline constexpr std::size_t kMaxChunks = 256;

/// How many threads the loops use, the caller included; 0 means all cores, 1 runs everything inline.
void set_thread_count(int count);

/// The number of threads in use, at least 1.
int thread_count();

/// Items per chunk (the last chunk may be shorter); independent of the thread count.
constexpr std::size_t chunk_size(std::size_t count, std::size_t grain)
{
    const std::size_t smallest = count / kMaxChunks + (count % kMaxChunks != 0 ? 1 : 0);
    return std::max({grain, smallest, std::size_t{1}});
}

/// Number of chunks, at most kMaxChunks; 0 for an empty loop.
constexpr std::size_t chunk_count(std::size_t count, std::size_t grain)
{
    const std::size_t size = chunk_size(count, grain);
    return count / size + (count % size != 0 ? 1 : 0);
}

/// A reference to a callable taking a chunk's number; it does not own what it refers to.
struct ChunkTask {
    void* callable;
    void (*call)(void* callable, std::size_t chunk);
};

/// Calls the task once for each chunk in [0, chunks), on several threads; returns when all are done.
void run_chunks(std::size_t chunks, ChunkTask task);

/// Calls body(begin, end, chunk) for every chunk of [0, count).
template <class F>
void parallel_for(std::size_t count, std::size_t grain, F&& body)
{
    const std::size_t size = chunk_size(count, grain);
    if (count <= size) {
        if (count != 0) body(std::size_t{0}, count, std::size_t{0});
        return;
    }
    const auto run_chunk = [&](std::size_t chunk) noexcept {
        const std::size_t begin = chunk * size;
        body(begin, begin + std::min(size, count - begin), chunk);
    };
    using RunChunk = decltype(run_chunk);
    run_chunks(chunk_count(count, grain),
               {const_cast<void*>(static_cast<const void*>(std::addressof(run_chunk))),
                [](void* callable, std::size_t chunk) { (*static_cast<RunChunk*>(callable))(chunk); }});
}

/// Sum of body(begin, end) over all chunks, added in the order of the chunks; T{} for an empty loop.
template <class T, class F>
T parallel_sum(std::size_t count, std::size_t grain, F&& body)
{
    if (count == 0) return T{};
    const std::size_t chunks = chunk_count(count, grain);
    if (chunks == 1) return body(std::size_t{0}, count);
    T partial[kMaxChunks];
    parallel_for(count, grain,
                 [&](std::size_t begin, std::size_t end, std::size_t chunk) { partial[chunk] = body(begin, end); });
    for (std::size_t chunk = 1; chunk < chunks; ++chunk) partial[0] += partial[chunk];
    return partial[0];
}

}  // namespace pliant
