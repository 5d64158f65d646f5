// SPDX-License-Identifier: MIT
#include "haptic_udp.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <pliant/base/error.h>

namespace pliant::viewer {

namespace {

constexpr int kPacketsPerTick = 64;  // a flood must not stop the loop

std::uint64_t nanoseconds(const timespec& time)
{
    return static_cast<std::uint64_t>(time.tv_sec) * 1000000000U + static_cast<std::uint64_t>(time.tv_nsec);
}

// Of the clock by which the system stamps packets.
std::uint64_t system_time()
{
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return nanoseconds(time);
}

// When the system got the packet, however long it lay in the socket.
std::uint64_t arrival_of(msghdr& message)
{
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) continue;
        timespec stamp{};
        std::memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
        return nanoseconds(stamp);
    }
    return system_time();
}

bool is_same(const sockaddr_in& a, const sockaddr_in& b)
{
    return a.sin_addr.s_addr == b.sin_addr.s_addr && a.sin_port == b.sin_port;
}

[[noreturn]] void refuse(const std::string& address, std::uint16_t port, const std::string& what,
                         const std::string& cure)
{
    throw Error(Problem{.where = fmt::format("{}:{}", address, port), .message = what, .cure = cure},
                ErrorKind::cannot_access);
}

int bound_socket(std::uint16_t port, const std::string& address)
{
    sockaddr_in name{};
    name.sin_family = AF_INET, name.sin_port = htons(port);
    if (inet_pton(AF_INET, address.c_str(), &name.sin_addr) != 1)
        refuse(address, port, "is no address to listen at", "write four numbers: 127.0.0.1 for this machine only");
    const int made = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (made < 0) refuse(address, port, fmt::format("no socket: {}", std::strerror(errno)), "");
    const int on = 1;
    setsockopt(made, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    if (bind(made, reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) {
        const std::string why = std::strerror(errno);
        close(made);
        refuse(address, port, fmt::format("cannot listen: {}", why), "is another viewer running? Take another port");
    }
    return made;
}

}  // namespace

HapticState UdpDevice::read(double now)
{
    port_->receive(now);
    if (is_lost(now)) {
        if (was_present_) answer({.flags = ForcePacket::kLost});
        was_present_ = has_news_ = false;
        return {};
    }
    was_present_ = true;
    const std::uint64_t time = system_time();
    return {.is_present = true,
            .position = last_.position,
            .velocity = last_.velocity,
            .orientation = last_.orientation,
            .buttons = last_.buttons,
            .age = has_news_ && time > arrival_ ? 1e-9 * static_cast<double>(time - arrival_) : 0};
}

// Every reading is answered once, the newest of a tick for all of it.
void UdpDevice::apply(const HapticReply& reply)
{
    if (!has_news_) return;
    has_news_ = false;
    answer({.flags = (reply.is_touching ? ForcePacket::kTouching : 0U) |
                     (reply.is_starting ? ForcePacket::kStarting : 0U) |
                     (reply.is_limited ? ForcePacket::kLimited : 0U),
            .force = reply.force,
            .proxy = reply.proxy});
}

void UdpDevice::answer(const ForcePacket& packet)
{
    ForcePacket full = packet;
    const std::uint64_t time = system_time();
    full.sequence = last_.sequence, full.time = last_.time, full.label = last_.label;
    full.held = time > arrival_ ? time - arrival_ : 0;
    port_->send(to_bytes(full), sender_);
}

UdpPort::UdpPort(std::uint16_t port, const std::string& address) : socket_(bound_socket(port, address))
{
    sockaddr_in name{};
    socklen_t size = sizeof name;
    getsockname(socket_, reinterpret_cast<sockaddr*>(&name), &size);
    number_ = ntohs(name.sin_port);
    for (auto& device : devices_) {
        device = std::make_unique<UdpDevice>();
        device->port_ = this;
    }
}

UdpPort::~UdpPort()
{
    close(socket_);
}

UdpCounts UdpPort::counts() const
{
    return {counters_.taken,   counters_.malformed, counters_.late,  counters_.missing,
            counters_.foreign, counters_.refused,   counters_.unsent};
}

// Once a tick for all devices of the port.
void UdpPort::receive(double now)
{
    if (now == received_) return;
    received_ = now;
    for (int i = 0; i < kPacketsPerTick; ++i) {
        std::array<std::byte, kReadingBytes + 1> bytes;  // one more, to see that it is too long
        alignas(cmsghdr) std::array<char, 128> control;
        sockaddr_in sender{};
        iovec part{bytes.data(), bytes.size()};
        msghdr message{};
        message.msg_name = &sender, message.msg_namelen = sizeof sender;
        message.msg_iov = &part, message.msg_iovlen = 1;
        message.msg_control = control.data(), message.msg_controllen = control.size();
        const ssize_t size = recvmsg(socket_, &message, MSG_DONTWAIT);
        if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
        if (size < 0) continue;  // such as the refusal of an earlier answer
        ReadingPacket packet;
        if (parse(packet, std::span(bytes).first(static_cast<std::size_t>(size))) == PacketFault::none)
            take(packet, sender, arrival_of(message), now);
        else
            ++counters_.malformed;
    }
}

UdpDevice* UdpPort::place_for(const HapticLabel& label, double now)
{
    UdpDevice* best = nullptr;
    for (const auto& device : devices_) {
        if (device->last_.label == label) return device.get();
        if (device->is_lost(now) && (best == nullptr || device->heard_ < best->heard_)) best = device.get();
    }
    return best;
}

void UdpPort::take(const ReadingPacket& packet, const sockaddr_in& sender, std::uint64_t arrival, double now)
{
    UdpDevice* device = place_for(packet.label, now);
    if (device == nullptr) {
        ++counters_.refused;
        return;
    }
    if (!device->is_lost(now)) {
        if (!is_same(device->sender_, sender)) {
            ++counters_.foreign;
            return;
        }
        // Numbers may wrap round: what is less than half a round ahead is newer.
        const std::uint32_t ahead = packet.sequence - device->last_.sequence;
        if (ahead == 0 || ahead > 0x7fffffff) {
            ++counters_.late;
            return;
        }
        counters_.missing += ahead - 1;
    }
    ++counters_.taken;
    device->last_ = packet, device->sender_ = sender, device->arrival_ = arrival;
    device->heard_ = now, device->has_news_ = true;
}

void UdpPort::send(std::span<const std::byte> bytes, const sockaddr_in& receiver)
{
    const ssize_t sent = sendto(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                                reinterpret_cast<const sockaddr*>(&receiver), sizeof receiver);
    if (sent != static_cast<ssize_t>(bytes.size())) ++counters_.unsent;
}

}  // namespace pliant::viewer
