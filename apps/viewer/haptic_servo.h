// SPDX-License-Identifier: MIT
#pragma once

// The thread that runs a haptic loop a thousand times a second, and what it measures of itself.
//
// It sleeps until absolute times, so that lateness does not add up; ticks that are missed altogether are counted and left
// out. It asks the system for real-time scheduling and says whether it got it: without it, a loaded machine makes ticks
// late by milliseconds. Stopping, however it comes about, ends with zero force.

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "haptic_loop.h"

namespace pliant::viewer {

/// Mean, 99 of 100, and worst [s].
struct Durations {
    double mean = 0, p99 = 0, worst = 0;
};

/// Counts durations by microseconds; one thread adds while any reads.
class DurationCounts {
public:
    void add(double seconds);
    Durations durations() const;

private:
    static constexpr std::size_t kBins = 20000;  // the last holds all that is longer

    std::array<std::atomic<std::uint32_t>, kBins> bins_{};
    std::atomic<std::uint64_t> count_{0};
    std::atomic<double> sum_{0}, worst_{0};
};

struct ServoMeasures {
    std::uint64_t ticks = 0, missed = 0;
    double rate = 0;       ///< ticks a second since the start
    Durations lateness;    ///< of a tick's begin: the jitter
    Durations cost;        ///< of a tick
    Durations latency;     ///< from the hand's reading to the force that answers it
    std::string schedule;  ///< "real time …" or why not
};

class HapticServo {
public:
    /// The loop has its devices and outlives the servo.
    explicit HapticServo(HapticLoop& loop, double period = 1e-3) : loop_(loop), period_(period) {}
    ~HapticServo() { stop(); }
    HapticServo(const HapticServo&) = delete;
    HapticServo& operator=(const HapticServo&) = delete;

    void start();
    void stop();
    bool is_running() const { return thread_.joinable(); }
    ServoMeasures measures() const;

    /// The clock that ticks are told [s].
    static double clock();

private:
    void run();

    HapticLoop& loop_;
    double period_;
    std::thread thread_;
    std::atomic<bool> is_asked_to_stop_{false};
    std::atomic<std::uint64_t> ticks_{0}, missed_{0};
    std::atomic<double> begin_{0}, last_{0};
    std::atomic<int> schedule_error_{-1};  // of the system; -1: not asked yet
    DurationCounts lateness_, cost_, latency_;
};

}  // namespace pliant::viewer
