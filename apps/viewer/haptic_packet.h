// SPDX-License-Identifier: MIT
#pragma once

// The bytes that a driver process and the servo exchange; docs/haptics.md has the same as a table.
//
// Little-endian, fixed sizes, version 1. A driver sends where its hand is, 152 bytes; each is answered with a force, 96
// bytes. What is not a packet, not this version, or not believable is no reading: parse says why.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "haptic_device.h"

namespace pliant::viewer {

inline constexpr std::uint16_t kHapticVersion = 1;
inline constexpr std::uint16_t kHapticPort = 47474;
inline constexpr std::size_t kReadingBytes = 152, kForceBytes = 96, kLabelBytes = 16;

/// UTF-8, padded with zeros.
using HapticLabel = std::array<char, kLabelBytes>;

HapticLabel haptic_label(std::string_view text);
std::string_view text_of(const HapticLabel& label);

/// Driver to servo.
struct ReadingPacket {
    std::uint32_t sequence = 0;  ///< one more each packet
    std::uint32_t buttons = 0;
    std::uint64_t time = 0;  ///< of the driver's clock, only echoed [ns]
    Vec3 position, velocity;
    Quaternion orientation;
    Vec3 workspace{0.16, 0.12, 0.07};
    double greatest_force = 3.3;
    HapticLabel label{};
};

/// Servo to driver.
struct ForcePacket {
    static constexpr std::uint32_t kTouching = 1, kStarting = 2, kLimited = 4, kLost = 8;

    std::uint32_t sequence = 0;  ///< echoed
    std::uint32_t flags = 0;
    std::uint64_t time = 0;  ///< echoed [ns]
    std::uint64_t held = 0;  ///< from the arrival of the reading to this answer [ns]
    Vec3 force, proxy;
    HapticLabel label{};  ///< echoed
};

enum class PacketFault { none, size, magic, version, number, label };

std::array<std::byte, kReadingBytes> to_bytes(const ReadingPacket& packet);
std::array<std::byte, kForceBytes> to_bytes(const ForcePacket& packet);
PacketFault parse(ReadingPacket& packet, std::span<const std::byte> bytes);
PacketFault parse(ForcePacket& packet, std::span<const std::byte> bytes);

}  // namespace pliant::viewer
