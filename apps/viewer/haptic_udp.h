// SPDX-License-Identifier: MIT
#pragma once

// Devices whose drivers are other processes: they speak UDP, see haptic_packet.h and docs/haptics.md.
//
// A UdpPort is one socket with places for four devices. The first packet with a new label takes a free place; from then on
// only packets of that sender count for it, until it has been silent for a tenth of a second. Then it is lost: its force
// is zero, it is told so once, and whoever comes back with the label, from anywhere, has it again. A new label takes the
// place that has been lost longest if none is free. Who may send is not asked: the socket listens to this machine
// unless told otherwise.

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>

#include <netinet/in.h>

#include "haptic_packet.h"

namespace pliant::viewer {

inline constexpr double kSilence = 0.1;  ///< [s] after which a device is lost
inline constexpr std::size_t kUdpDevices = 4;

/// Packets that came, by what became of them.
struct UdpCounts {
    std::uint64_t taken = 0;
    std::uint64_t malformed = 0;  ///< wrong size, magic, version or numbers
    std::uint64_t late = 0;       ///< doubled or overtaken by newer ones
    std::uint64_t missing = 0;    ///< gaps in the sequence
    std::uint64_t foreign = 0;    ///< a label that another sender has
    std::uint64_t refused = 0;    ///< no place free
    std::uint64_t unsent = 0;     ///< answers that the system did not take
};

class UdpPort;

class UdpDevice : public HapticDevice {
public:
    /// Empty until a packet came. Not while a servo runs: see HapticLoop::status.
    std::string_view label() const override { return text_of(last_.label); }
    Vec3 workspace() const override { return last_.workspace; }
    double greatest_force() const override { return last_.greatest_force; }
    HapticState read(double now) override;
    void apply(const HapticReply& reply) override;

private:
    friend class UdpPort;

    bool is_taken() const { return last_.label[0] != '\0'; }
    bool is_lost(double now) const { return !is_taken() || now - heard_ > kSilence; }
    void answer(const ForcePacket& packet);

    UdpPort* port_ = nullptr;
    ReadingPacket last_;
    sockaddr_in sender_{};
    double heard_ = -1e300;      // [s] of the servo's clock
    std::uint64_t arrival_ = 0;  // [ns] of the system's clock
    bool has_news_ = false, was_present_ = false;
};

class UdpPort {
public:
    /// `port` 0 takes any free one. Throws Error if the address cannot be had.
    explicit UdpPort(std::uint16_t port = kHapticPort, const std::string& address = "127.0.0.1");
    ~UdpPort();
    UdpPort(const UdpPort&) = delete;
    UdpPort& operator=(const UdpPort&) = delete;

    std::span<std::unique_ptr<UdpDevice>> devices() { return devices_; }
    std::uint16_t number() const { return number_; }
    UdpCounts counts() const;

private:
    friend class UdpDevice;

    void receive(double now);
    void take(const ReadingPacket& packet, const sockaddr_in& sender, std::uint64_t arrival, double now);
    UdpDevice* place_for(const HapticLabel& label, double now);
    void send(std::span<const std::byte> bytes, const sockaddr_in& receiver);

    struct Counters {
        std::atomic<std::uint64_t> taken{0}, malformed{0}, late{0}, missing{0}, foreign{0}, refused{0}, unsent{0};
    };

    int socket_ = -1;
    std::uint16_t number_ = 0;
    double received_ = -1e300;
    std::array<std::unique_ptr<UdpDevice>, kUdpDevices> devices_;
    Counters counters_;
};

}  // namespace pliant::viewer
