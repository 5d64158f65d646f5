// SPDX-License-Identifier: MIT
#pragma once

// Movements of a hand as a text file: to replay them in tests, and to record any device.
//
// One reading a line, `time x y z [buttons]` in seconds, metres and bits, times rising; # begins a comment. Before the
// readings may stand `label NAME`, `workspace WIDTH HEIGHT DEPTH` [m] and `force GREATEST` [N]. Between readings the
// hand moves straight; before the first and after the last there is no device.

#include <string>
#include <vector>

#include "haptic_device.h"

namespace pliant::viewer {

struct TraceReading {
    double time = 0;
    Vec3 position;
    std::uint32_t buttons = 0;
};

struct HapticTrace {
    std::string label = "trace";
    Vec3 workspace{0.16, 0.12, 0.07};
    double greatest_force = 3.3;
    std::vector<TraceReading> readings;
};

/// Throws Error with every line that is wrong.
HapticTrace load_trace(const std::string& path);
HapticTrace parse_trace(const std::string& text, const std::string& path);
void save_trace(const std::string& path, const HapticTrace& trace);
std::string trace_text(const HapticTrace& trace);

/// Replays a trace from the first read() on.
class TraceDevice : public HapticDevice {
public:
    explicit TraceDevice(HapticTrace trace) : trace_(std::move(trace)) {}

    std::string_view label() const override { return trace_.label; }
    Vec3 workspace() const override { return trace_.workspace; }
    double greatest_force() const override { return trace_.greatest_force; }
    HapticState read(double now) override;
    void apply(const HapticReply& reply) override { reply_ = reply; }

    const HapticReply& reply() const { return reply_; }

private:
    HapticTrace trace_;
    HapticReply reply_;
    double begin_ = 0;
    std::size_t next_ = 0;  // reading after the present time
    bool has_begun_ = false;
};

/// Passes everything on and keeps what was read, until its memory is full.
class RecordingDevice : public HapticDevice {
public:
    RecordingDevice(HapticDevice& device, double seconds, double rate = 1000);

    std::string_view label() const override { return device_->label(); }
    Vec3 workspace() const override { return device_->workspace(); }
    double greatest_force() const override { return device_->greatest_force(); }
    HapticState read(double now) override;
    void apply(const HapticReply& reply) override { device_->apply(reply); }

    /// What was read so far; not while a servo runs. Times are from the first reading.
    HapticTrace trace() const;
    bool is_full() const { return readings_.size() == readings_.capacity(); }

private:
    HapticDevice* device_;
    std::vector<TraceReading> readings_;
};

}  // namespace pliant::viewer
