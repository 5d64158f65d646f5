// SPDX-License-Identifier: MIT
#include "haptic_packet.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace pliant::viewer {

namespace {

constexpr std::uint32_t kReadingMagic = 0x44484c50, kForceMagic = 0x46484c50;  // "PLHD", "PLHF"

// Writes number after number, the lowest byte first on every machine.
class ByteWriter {
public:
    explicit ByteWriter(std::span<std::byte> bytes) : bytes_(bytes) {}

    void put(std::uint64_t number, std::size_t size)
    {
        for (std::size_t i = 0; i < size; ++i) bytes_[at_++] = static_cast<std::byte>(number >> (8 * i) & 0xff);
    }
    void put(double number) { put(std::bit_cast<std::uint64_t>(number), 8); }
    void put(const Vec3& v) { put(v.x), put(v.y), put(v.z); }
    void put(const HapticLabel& label)
    {
        for (const char c : label) bytes_[at_++] = static_cast<std::byte>(c);
    }

private:
    std::span<std::byte> bytes_;
    std::size_t at_ = 0;
};

class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::uint64_t number(std::size_t size)
    {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i) value |= std::to_integer<std::uint64_t>(bytes_[at_++]) << (8 * i);
        return value;
    }
    std::uint32_t word() { return static_cast<std::uint32_t>(number(4)); }
    double real() { return std::bit_cast<double>(number(8)); }
    Vec3 vector()
    {
        Vec3 v;
        v.x = real(), v.y = real(), v.z = real();
        return v;
    }
    HapticLabel label()
    {
        HapticLabel read;
        for (char& c : read) c = static_cast<char>(bytes_[at_++]);
        return read;
    }

private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

void put_head(ByteWriter& out, std::uint32_t magic, std::size_t size)
{
    out.put(magic, 4), out.put(kHapticVersion, 2), out.put(size, 2);
}

PacketFault fault_of_head(ByteReader& in, std::span<const std::byte> bytes, std::uint32_t magic, std::size_t size)
{
    if (bytes.size() < 8) return PacketFault::size;
    if (in.word() != magic) return PacketFault::magic;
    if (in.number(2) != kHapticVersion) return PacketFault::version;
    return bytes.size() == size && in.number(2) == size ? PacketFault::none : PacketFault::size;
}

bool is_below(const Vec3& v, double limit)
{
    return is_finite(v) && std::abs(v.x) <= limit && std::abs(v.y) <= limit && std::abs(v.z) <= limit;
}

// What an arm on a table can mean: metres, not kilometres.
bool is_believable(const ReadingPacket& packet)
{
    const Quaternion& q = packet.orientation;
    const double turn2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    const Vec3& size = packet.workspace;
    return is_below(packet.position, 10) && is_below(packet.velocity, 100) && turn2 > 0.25 && turn2 < 4 &&
           is_below(size, 10) && std::min({size.x, size.y, size.z}) >= 1e-3 && packet.greatest_force > 0 &&
           packet.greatest_force <= 100;
}

// Printable, and nothing but zeros after the first.
bool is_label(const HapticLabel& label)
{
    const auto end = std::find(label.begin(), label.end(), '\0');
    return end != label.begin() && std::all_of(end, label.end(), [](char c) { return c == '\0'; }) &&
           std::none_of(label.begin(), end, [](char c) { return (c >= 0 && c < 33) || c == 127; });
}

}  // namespace

HapticLabel haptic_label(std::string_view text)
{
    HapticLabel label{};
    std::copy_n(text.begin(), std::min(text.size(), kLabelBytes), label.begin());
    return label;
}

std::string_view text_of(const HapticLabel& label)
{
    return {label.data(), static_cast<std::size_t>(std::find(label.begin(), label.end(), '\0') - label.begin())};
}

std::array<std::byte, kReadingBytes> to_bytes(const ReadingPacket& packet)
{
    std::array<std::byte, kReadingBytes> bytes;
    ByteWriter out(bytes);
    put_head(out, kReadingMagic, kReadingBytes);
    out.put(packet.sequence, 4), out.put(packet.buttons, 4), out.put(packet.time, 8);
    out.put(packet.position), out.put(packet.velocity);
    const Quaternion& q = packet.orientation;
    out.put(q.w), out.put(q.x), out.put(q.y), out.put(q.z);
    out.put(packet.workspace), out.put(packet.greatest_force), out.put(packet.label);
    return bytes;
}

std::array<std::byte, kForceBytes> to_bytes(const ForcePacket& packet)
{
    std::array<std::byte, kForceBytes> bytes;
    ByteWriter out(bytes);
    put_head(out, kForceMagic, kForceBytes);
    out.put(packet.sequence, 4), out.put(packet.flags, 4), out.put(packet.time, 8), out.put(packet.held, 8);
    out.put(packet.force), out.put(packet.proxy), out.put(packet.label);
    return bytes;
}

PacketFault parse(ReadingPacket& packet, std::span<const std::byte> bytes)
{
    ByteReader in(bytes);
    if (const PacketFault fault = fault_of_head(in, bytes, kReadingMagic, kReadingBytes); fault != PacketFault::none)
        return fault;
    packet.sequence = in.word(), packet.buttons = in.word(), packet.time = in.number(8);
    packet.position = in.vector(), packet.velocity = in.vector();
    Quaternion& q = packet.orientation;
    q.w = in.real(), q.x = in.real(), q.y = in.real(), q.z = in.real();
    packet.workspace = in.vector(), packet.greatest_force = in.real(), packet.label = in.label();
    if (!is_believable(packet)) return PacketFault::number;
    return is_label(packet.label) ? PacketFault::none : PacketFault::label;
}

PacketFault parse(ForcePacket& packet, std::span<const std::byte> bytes)
{
    ByteReader in(bytes);
    if (const PacketFault fault = fault_of_head(in, bytes, kForceMagic, kForceBytes); fault != PacketFault::none)
        return fault;
    packet.sequence = in.word(), packet.flags = in.word(), packet.time = in.number(8), packet.held = in.number(8);
    packet.force = in.vector(), packet.proxy = in.vector(), packet.label = in.label();
    if (!is_below(packet.force, 100) || !is_below(packet.proxy, 1e6)) return PacketFault::number;
    return is_label(packet.label) ? PacketFault::none : PacketFault::label;
}

}  // namespace pliant::viewer
