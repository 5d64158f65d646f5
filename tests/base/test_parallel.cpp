// SPDX-License-Identifier: MIT
// Parallel loops: every item once, the same bits for any thread count, no allocation.

#include <pliant/base/parallel.h>

#include <pliant/base/types.h>

#include "base/counted_new.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace pliant {
namespace {

const int kThreadCounts[] = {1, 2, 3, 8};

/// Runs each test with the threads it asks for and gives all cores back afterwards.
class Parallel : public testing::Test {
protected:
    ~Parallel() override { set_thread_count(0); }
};

double term(std::size_t i)
{
    return 1.0 / (1.0 + static_cast<double>(i) * 0.37) - 0.1;
}

double sum_of_terms(std::size_t count, std::size_t grain)
{
    return parallel_sum<double>(count, grain, [](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += term(i);
        return sum;
    });
}

TEST_F(Parallel, chunks_depend_on_count_and_grain_and_cover_everything)
{
    EXPECT_EQ(chunk_count(0, 10), 0u);
    EXPECT_EQ(chunk_count(1, 10), 1u);
    EXPECT_EQ(chunk_count(10, 10), 1u);
    EXPECT_EQ(chunk_count(11, 10), 2u);
    EXPECT_EQ(chunk_size(1000, 0), 4u);
    EXPECT_EQ(chunk_size(10'000'000, 64), 39063u);
    for (std::size_t count = 1; count < 3000; count += 7)
        for (const std::size_t grain : {0u, 1u, 3u, 64u, 5000u}) {
            const std::size_t chunks = chunk_count(count, grain), size = chunk_size(count, grain);
            EXPECT_LE(chunks, kMaxChunks);
            EXPECT_GE(size, grain);
            EXPECT_TRUE((chunks - 1) * size < count && chunks * size >= count);
        }
    constexpr std::size_t huge = ~std::size_t{0};
    EXPECT_EQ(chunk_count(huge, 1), kMaxChunks);
}

TEST_F(Parallel, knows_its_thread_count)
{
    set_thread_count(3);
    EXPECT_EQ(thread_count(), 3);
    set_thread_count(1);
    EXPECT_EQ(thread_count(), 1);
    set_thread_count(0);
    EXPECT_GE(thread_count(), 1);
}

TEST_F(Parallel, visits_every_item_once_with_its_chunk)
{
    for (const int threads : kThreadCounts) {
        set_thread_count(threads);
        for (const std::size_t count : {0u, 1u, 63u, 64u, 65u, 10000u, 100003u}) {
            std::vector<int> visits(count);
            parallel_for(count, 64, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                EXPECT_EQ(begin, chunk * chunk_size(count, 64));
                for (std::size_t i = begin; i < end; ++i) ++visits[i];
            });
            EXPECT_EQ(visits, std::vector<int>(count, 1));
        }
    }
}

TEST_F(Parallel, sums_have_the_same_bits_for_any_thread_count)
{
    for (const std::size_t count : {1u, 100u, 4097u, 300001u}) {
        set_thread_count(1);
        const double expected = sum_of_terms(count, 100);
        for (const int threads : kThreadCounts) {
            set_thread_count(threads);
            for (int repeat = 0; repeat < 20; ++repeat)
                EXPECT_EQ(std::bit_cast<std::uint64_t>(sum_of_terms(count, 100)),
                          std::bit_cast<std::uint64_t>(expected));
        }
    }
}

TEST_F(Parallel, sums_vectors_and_nothing)
{
    const auto body = [](std::size_t begin, std::size_t end) { return Vec3{static_cast<double>(end - begin), 1, 0}; };
    EXPECT_EQ(parallel_sum<Vec3>(1000, 10, body), (Vec3{1000, 100, 0}));
    EXPECT_EQ(parallel_sum<Vec3>(0, 10, body), Vec3{});
}

TEST_F(Parallel, nested_loops_stay_on_their_thread_and_give_the_same_bits)
{
    std::vector<double> expected;
    for (const int threads : kThreadCounts) {
        set_thread_count(threads);
        std::vector<double> sums(50);
        std::atomic<int> strangers = 0;
        parallel_for(sums.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) {
            const auto home = std::this_thread::get_id();
            for (std::size_t i = begin; i < end; ++i) {
                parallel_for(500, 10, [&](std::size_t, std::size_t, std::size_t) {
                    if (std::this_thread::get_id() != home) ++strangers;
                });
                sums[i] = sum_of_terms(1000 + i, 10);
            }
        });
        EXPECT_EQ(strangers.load(), 0);
        if (expected.empty()) expected = sums;
        EXPECT_EQ(sums, expected);
    }
}

TEST_F(Parallel, one_thread_means_the_callers)
{
    set_thread_count(1);
    const auto home = std::this_thread::get_id();
    parallel_for(1000, 1, [&](std::size_t, std::size_t, std::size_t) { EXPECT_EQ(std::this_thread::get_id(), home); });
}

TEST_F(Parallel, several_threads_really_share_the_work)
{
    set_thread_count(2);
    // Two chunks that wait for each other meet only on two threads; give up if the machine is that busy.
    std::atomic<int> arrived = 0;
    std::atomic<bool> has_met = false;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    parallel_for(2, 1, [&](std::size_t, std::size_t, std::size_t) {
        ++arrived;
        while (arrived.load() < 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
        if (std::chrono::steady_clock::now() < deadline) has_met = true;
    });
    EXPECT_TRUE(has_met.load());
}

TEST_F(Parallel, loops_may_start_from_several_threads_at_once)
{
    set_thread_count(3);
    const double expected = sum_of_terms(20000, 50);
    std::atomic<int> wrong = 0;
    const auto work = [&] {
        for (int repeat = 0; repeat < 200; ++repeat)
            if (sum_of_terms(20000, 50) != expected) ++wrong;
    };
    std::thread other(work), another(work);
    work();
    other.join();
    another.join();
    EXPECT_EQ(wrong.load(), 0);
}

TEST_F(Parallel, short_loops_in_quick_succession_lose_nothing)
{
    set_thread_count(8);
    for (int repeat = 0; repeat < 3000; ++repeat) {
        std::atomic<int> visits = 0;
        parallel_for(9, 1,
                     [&](std::size_t begin, std::size_t end, std::size_t) { visits += static_cast<int>(end - begin); });
        ASSERT_EQ(visits.load(), 9);
    }
}

TEST_F(Parallel, loops_allocate_nothing_after_the_first)
{
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        for (int repeat = 0; repeat < 10; ++repeat) sum_of_terms(100000, 100);
        const long before = allocation_count();
        double sum = 0;
        for (int repeat = 0; repeat < 50; ++repeat) sum += sum_of_terms(100000, 100);
        EXPECT_EQ(allocation_count(), before) << threads << " threads, sum " << sum;
    }
}

}  // namespace
}  // namespace pliant
