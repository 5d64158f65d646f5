// SPDX-License-Identifier: MIT
#include <pliant/base/parallel.h>

// Two back ends behind run_chunks: oneTBB (PLIANT_USE_TBB) and a small pool of our own, for the thread
// sanitizer and for platforms without TBB. Both let threads take chunks; neither decides their borders.

#include <mutex>
#include <thread>

#ifdef PLIANT_USE_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <optional>
#else
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <vector>
#endif

namespace pliant {

namespace {

// True while this thread runs a chunk: loops started there stay on the thread.
thread_local bool inside_chunk = false;

void run_here(std::size_t begin, std::size_t end, ChunkTask task)
{
    const bool was_inside = inside_chunk;
    inside_chunk = true;
    for (std::size_t chunk = begin; chunk < end; ++chunk) task.call(task.callable, chunk);
    inside_chunk = was_inside;
}

int core_count()
{
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

#ifdef PLIANT_USE_TBB

class Threads {
public:
    Threads() { resize(core_count()); }

    int count() const { return count_; }

    void resize(int count)
    {
        if (count == count_) return;
        count_ = count;
        arena_.terminate();
        limit_.reset();
        if (count == 1) return;
        // The limit may also lie above the number of cores, where TBB would stop by itself.
        limit_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count));
        arena_.initialize(count);
    }

    void run(std::size_t chunks, ChunkTask task)
    {
        arena_.execute([&] {
            tbb::parallel_for(
                tbb::blocked_range<std::size_t>(0, chunks),
                [task](const tbb::blocked_range<std::size_t>& range) { run_here(range.begin(), range.end(), task); });
        });
    }

private:
    int count_ = 0;
    std::optional<tbb::global_control> limit_;
    tbb::task_arena arena_;
};

#else

class Threads {
public:
    Threads() { resize(core_count()); }
    ~Threads() { resize(1); }

    int count() const { return static_cast<int>(workers_.size()) + 1; }

    void resize(int count)
    {
        if (count == this->count()) return;
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        wake_.notify_all();
        for (std::thread& worker : workers_) worker.join();
        workers_.clear();
        stopping_ = false;
        for (int i = 1; i < count; ++i) workers_.emplace_back([this] { work(); });
    }

    void run(std::size_t chunks, ChunkTask task)
    {
        // Another thread's loop has the pool: waiting for it would be slower than working here.
        const std::unique_lock owner(owner_, std::try_to_lock);
        if (!owner) return run_here(0, chunks, task);
        open(chunks, task);
        take_chunks();
        close();
    }

private:
    void open(std::size_t chunks, ChunkTask task)
    {
        {
            const std::lock_guard lock(mutex_);
            task_ = task;
            chunks_ = chunks;
            next_chunk_.store(0, std::memory_order_relaxed);
            is_open_ = true;
            ++loop_;
        }
        wake_.notify_all();
    }

    // Waits for the workers that came; those that wake up later find the loop closed.
    void close()
    {
        std::unique_lock lock(mutex_);
        is_open_ = false;
        done_.wait(lock, [this] { return busy_workers_ == 0; });
    }

    void take_chunks()
    {
        for (;;) {
            const std::size_t chunk = next_chunk_.fetch_add(1, std::memory_order_relaxed);
            if (chunk >= chunks_) return;
            run_here(chunk, chunk + 1, task_);
        }
    }

    void work()
    {
        std::uint64_t last_loop = 0;
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [&] { return stopping_ || (is_open_ && loop_ != last_loop); });
            if (stopping_) return;
            last_loop = loop_;
            ++busy_workers_;
            lock.unlock();
            take_chunks();
            lock.lock();
            if (--busy_workers_ == 0) done_.notify_one();
        }
    }

    std::mutex owner_;  // held by the thread whose loop runs
    std::mutex mutex_;  // guards everything below
    std::condition_variable wake_, done_;
    ChunkTask task_{};
    std::size_t chunks_ = 0;
    std::atomic<std::size_t> next_chunk_ = 0;
    std::uint64_t loop_ = 0;
    int busy_workers_ = 0;
    bool is_open_ = false;
    bool stopping_ = false;
    std::vector<std::thread> workers_;
};

#endif

Threads& threads()
{
    static Threads instance;
    return instance;
}

}  // namespace

void set_thread_count(int count)
{
    threads().resize(count > 0 ? count : core_count());
}

int thread_count()
{
    return threads().count();
}

void run_chunks(std::size_t chunks, ChunkTask task)
{
    if (inside_chunk || chunks < 2 || threads().count() == 1)
        run_here(0, chunks, task);
    else
        threads().run(chunks, task);
}

}  // namespace pliant
