// SPDX-License-Identifier: MIT
#include "haptic_servo.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

namespace pliant::viewer {

namespace {

constexpr int kPriority = 40;  // above everything ordinary, below the system's own threads

timespec to_timespec(double seconds)
{
    const double whole = std::floor(seconds);
    return {static_cast<time_t>(whole), static_cast<long>((seconds - whole) * 1e9)};
}

void sleep_until(double time)
{
    const timespec until = to_timespec(time);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {}
}

// 0, or the system's reason for refusing.
int ask_for_real_time()
{
    // Ordinary threads are woken up to 50 microseconds late on purpose, to save power.
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    sched_param parameter{};
    parameter.sched_priority = kPriority;
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter);
}

}  // namespace

void DurationCounts::add(double seconds)
{
    const double microseconds = std::max(0.0, seconds * 1e6);
    const auto bin = static_cast<std::size_t>(std::min(microseconds, static_cast<double>(kBins - 1)));
    bins_[bin].fetch_add(1, std::memory_order_relaxed);
    sum_.store(sum_.load(std::memory_order_relaxed) + seconds, std::memory_order_relaxed);
    worst_.store(std::max(worst_.load(std::memory_order_relaxed), seconds), std::memory_order_relaxed);
    count_.fetch_add(1, std::memory_order_release);
}

Durations DurationCounts::durations() const
{
    const std::uint64_t count = count_.load(std::memory_order_acquire);
    if (count == 0) return {};
    Durations result{sum_.load() / static_cast<double>(count), 0, worst_.load()};
    std::uint64_t below = 0;
    for (std::size_t bin = 0; bin < kBins; ++bin) {
        below += bins_[bin].load(std::memory_order_relaxed);
        if (static_cast<double>(below) < 0.99 * static_cast<double>(count)) continue;
        result.p99 = std::min(result.worst, 1e-6 * static_cast<double>(bin + 1));
        break;
    }
    return result;
}

double HapticServo::clock()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void HapticServo::start()
{
    if (is_running()) return;
    is_asked_to_stop_ = false;
    thread_ = std::thread([this] { run(); });
}

void HapticServo::stop()
{
    if (!is_running()) return;
    is_asked_to_stop_ = true;
    thread_.join();
}

void HapticServo::run()
{
    schedule_error_ = ask_for_real_time();
    double next = clock();
    begin_ = next, last_ = next, ticks_ = 0, missed_ = 0;
    while (!is_asked_to_stop_.load(std::memory_order_relaxed)) {
        next += period_;
        sleep_until(next);
        const double woken = clock(), late = woken - next;
        loop_.tick(woken);
        const double done = clock();
        lateness_.add(late), cost_.add(done - woken);
        if (loop_.longest_age() > 0) latency_.add(loop_.longest_age() + done - woken);
        last_.store(woken, std::memory_order_relaxed);
        ticks_.fetch_add(1, std::memory_order_relaxed);
        if (const double behind = std::floor((done - next) / period_); behind >= 1) {
            missed_.fetch_add(static_cast<std::uint64_t>(behind), std::memory_order_relaxed);
            next += behind * period_;
        }
    }
    loop_.let_go();
}

ServoMeasures HapticServo::measures() const
{
    ServoMeasures measures{.ticks = ticks_, .missed = missed_};
    const double seconds = last_ - begin_;
    if (seconds > 0) measures.rate = static_cast<double>(measures.ticks) / seconds;
    measures.lateness = lateness_.durations(), measures.cost = cost_.durations(),
    measures.latency = latency_.durations();
    if (const int error = schedule_error_; error == 0)
        measures.schedule = fmt::format("real time (SCHED_FIFO {})", kPriority);
    else if (error > 0)
        measures.schedule = fmt::format("not real time: {}; allow it by 'ulimit -r {}' or the capability CAP_SYS_NICE",
                                        std::strerror(error), kPriority);
    return measures;
}

}  // namespace pliant::viewer
