// SPDX-License-Identifier: MIT

// Drivers in other processes: packets, what is not one, who may send, silence, and a whole servo over loopback.

#include "viewer/haptic_udp.h"

#include <chrono>
#include <cstring>
#include <random>
#include <thread>

#include <arpa/inet.h>
#include <pliant/base/error.h>
#include <sys/socket.h>
#include <unistd.h>

#include "viewer/haptic_sample.h"
#include "viewer/haptic_servo.h"

namespace pliant::viewer {
namespace {

// A driver as another process would be one.
class Client {
public:
    explicit Client(std::uint16_t port) : socket_(socket(AF_INET, SOCK_DGRAM, 0))
    {
        sockaddr_in name{};
        name.sin_family = AF_INET, name.sin_port = htons(port), name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
        const timeval wait{0, 200000};
        setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    }
    ~Client() { close(socket_); }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    void send(std::span<const std::byte> bytes) const { ::send(socket_, bytes.data(), bytes.size(), 0); }
    void send(std::uint32_t sequence, const Vec3& position, const char* label = "arm") const
    {
        send(to_bytes({.sequence = sequence,
                       .time = 1000 + sequence,
                       .position = position,
                       .greatest_force = 3.3,
                       .label = haptic_label(label)}));
    }
    bool receive(ForcePacket& packet, bool waits = true) const
    {
        std::array<std::byte, 256> bytes;
        const ssize_t size = recv(socket_, bytes.data(), bytes.size(), waits ? 0 : MSG_DONTWAIT);
        return size > 0 && parse(packet, std::span(bytes).first(static_cast<std::size_t>(size))) == PacketFault::none;
    }

private:
    int socket_;
};

ReadingPacket full_packet()
{
    return {7,
            3,
            123456789012345,
            {0.01, -0.02, 0.03},
            {1, 2, 3},
            {0.5, 0.5, -0.5, 0.5},
            {0.16, 0.12, 0.07},
            3.3,
            haptic_label("left arm's")};
}

TEST(HapticPacket, ComesBackAsItWasAndHasTheDocumentedBytes)
{
    ReadingPacket packet = full_packet(), again;
    packet.label = haptic_label("left_arm");
    const auto bytes = to_bytes(packet);
    ASSERT_EQ(parse(again, bytes), PacketFault::none);
    EXPECT_EQ(again.sequence, 7U);
    EXPECT_EQ(again.buttons, 3U);
    EXPECT_EQ(again.time, 123456789012345U);
    EXPECT_EQ(again.position, packet.position);
    EXPECT_EQ(again.velocity, packet.velocity);
    EXPECT_EQ(again.orientation.y, -0.5);
    EXPECT_EQ(again.workspace, packet.workspace);
    EXPECT_EQ(text_of(again.label), "left_arm");
    EXPECT_EQ(std::memcmp(bytes.data(), "PLHD", 4), 0);
    EXPECT_EQ(std::to_integer<int>(bytes[4]), 1);
    EXPECT_EQ(std::to_integer<int>(bytes[6]), 152);
    EXPECT_EQ(std::to_integer<int>(bytes[8]), 7);
    EXPECT_EQ(std::memcmp(bytes.data() + 136, "left_arm", 9), 0);
    ForcePacket force{9, 5, 11, 12, {1, 2, 3}, {4, 5, 6}, haptic_label("x")}, force_again;
    const auto force_bytes = to_bytes(force);
    ASSERT_EQ(parse(force_again, force_bytes), PacketFault::none);
    EXPECT_EQ(force_again.force, force.force);
    EXPECT_EQ(force_again.proxy, force.proxy);
    EXPECT_EQ(force_again.held, 12U);
    EXPECT_EQ(std::memcmp(force_bytes.data(), "PLHF", 4), 0);
    EXPECT_EQ(parse(again, force_bytes), PacketFault::magic);
}

TEST(HapticPacket, RefusesWhatIsNotBelievable)
{
    ReadingPacket packet;
    const auto fault = [&](auto change) {
        ReadingPacket changed = full_packet();
        changed.label = haptic_label("arm");
        change(changed);
        return parse(packet, to_bytes(changed));
    };
    EXPECT_EQ(fault([](ReadingPacket&) {}), PacketFault::none);
    EXPECT_EQ(fault([](ReadingPacket& p) { p.position.x = std::nan(""); }), PacketFault::number);
    EXPECT_EQ(fault([](ReadingPacket& p) { p.position.y = 1e6; }), PacketFault::number);
    EXPECT_EQ(fault([](ReadingPacket& p) { p.velocity.z = -1e300; }), PacketFault::number);
    EXPECT_EQ(fault([](ReadingPacket& p) { p.orientation = {0, 0, 0, 0}; }), PacketFault::number);
    EXPECT_EQ(fault([](ReadingPacket& p) { p.workspace.x = 0; }), PacketFault::number);
    EXPECT_EQ(fault([](ReadingPacket& p) { p.greatest_force = -1; }), PacketFault::number);
    EXPECT_EQ(fault([](ReadingPacket& p) { p.greatest_force = 1e9; }), PacketFault::number);
    EXPECT_EQ(fault([](ReadingPacket& p) { p.label = {}; }), PacketFault::label);
    EXPECT_EQ(fault([](ReadingPacket& p) { p.label = haptic_label("a\x1b[2J"); }), PacketFault::label);
    EXPECT_EQ(fault([](ReadingPacket& p) { p.label[9] = 'x'; }), PacketFault::label);
    auto bytes = to_bytes(full_packet());
    bytes[4] = std::byte{2};
    EXPECT_EQ(parse(packet, bytes), PacketFault::version);
    EXPECT_EQ(parse(packet, std::span(bytes).first(5)), PacketFault::size);
    EXPECT_EQ(parse(packet, {}), PacketFault::size);
}

TEST(HapticPacket, NoBytesWhateverBreakTheReader)
{
    std::mt19937 random(5);
    for (int trial = 0; trial < 20000; ++trial) {
        auto bytes = to_bytes(full_packet());
        for (int i = 0; i < 1 + trial % 40; ++i)
            bytes[random() % bytes.size()] = static_cast<std::byte>(random() & 0xff);
        ReadingPacket packet;
        const std::size_t size = trial % 3 == 0 ? random() % bytes.size() : bytes.size();
        if (parse(packet, std::span(bytes).first(size)) != PacketFault::none) continue;
        EXPECT_TRUE(is_finite(packet.position) && is_finite(packet.velocity));
        EXPECT_FALSE(text_of(packet.label).empty());
    }
}

TEST(UdpPort, TakesTheNewestReadingAndCountsTheRest)
{
    UdpPort port(0);
    UdpDevice& device = *port.devices()[0];
    Client arm(port.number()), thief(port.number());
    EXPECT_FALSE(device.read(0).is_present);
    arm.send(5, {0.01, 0, 0}), arm.send(7, {0.02, 0, 0}), arm.send(6, {0.5, 0, 0}), arm.send(7, {0.5, 0, 0});
    thief.send(100, {0.6, 0, 0});
    const std::array<std::byte, 4> rubbish{};
    arm.send(rubbish);
    arm.send(std::array<std::byte, 400>{});
    const HapticState state = device.read(0.001);
    ASSERT_TRUE(state.is_present);
    EXPECT_EQ(state.position, (Vec3{0.02, 0, 0}));
    EXPECT_EQ(device.label(), "arm");
    const UdpCounts counts = port.counts();
    EXPECT_EQ(counts.taken, 2U);
    EXPECT_EQ(counts.missing, 1U);
    EXPECT_EQ(counts.late, 2U);
    EXPECT_EQ(counts.foreign, 1U);
    EXPECT_EQ(counts.malformed, 2U);
    device.apply({.force = {0, 1.5, 0}, .proxy = {1, 2, 3}, .is_touching = true});
    ForcePacket answer;
    ASSERT_TRUE(arm.receive(answer));
    EXPECT_EQ(answer.sequence, 7U);
    EXPECT_EQ(answer.time, 1007U);
    EXPECT_EQ(answer.flags, ForcePacket::kTouching);
    EXPECT_EQ(answer.force, (Vec3{0, 1.5, 0}));
    device.apply({});
    EXPECT_FALSE(arm.receive(answer, false)) << "one answer to one reading";
    EXPECT_FALSE(thief.receive(answer, false));
}

TEST(UdpPort, LosesASilentDeviceTellsItAndTakesItBack)
{
    UdpPort port(0);
    UdpDevice& device = *port.devices()[0];
    Client arm(port.number()), other(port.number());
    arm.send(1, {0.01, 0, 0});
    EXPECT_TRUE(device.read(1).is_present);
    device.apply({.force = {1, 0, 0}});
    EXPECT_TRUE(device.read(1.09).is_present);
    EXPECT_FALSE(device.read(1.11).is_present);
    ForcePacket answer;
    ASSERT_TRUE(arm.receive(answer));
    ASSERT_TRUE(arm.receive(answer));
    EXPECT_EQ(answer.flags, ForcePacket::kLost);
    EXPECT_EQ(answer.force, (Vec3{}));
    // From elsewhere and with numbers that begin anew: the driver was started again.
    other.send(0, {0.03, 0, 0});
    EXPECT_EQ(device.read(1.2).position, (Vec3{0.03, 0, 0}));
    // Numbers wrap round.
    other.send(0xfffffff0U, {0.5, 0, 0}), other.send(5, {0.04, 0, 0});
    EXPECT_EQ(device.read(1.21).position, (Vec3{0.04, 0, 0}));
}

TEST(UdpPort, HasPlacesForFourLabelsAndGivesAwayTheLongestLost)
{
    UdpPort port(0);
    Client arm(port.number());
    for (const char* label : {"a", "b", "c", "d", "e"}) arm.send(1, {0.01, 0, 0}, label);
    for (std::size_t i = 0; i < kUdpDevices; ++i) EXPECT_TRUE(port.devices()[i]->read(0).is_present);
    EXPECT_EQ(port.devices()[2]->label(), "c");
    EXPECT_EQ(port.counts().refused, 1U);
    for (const char* label : {"a", "c", "d"}) arm.send(2, {0.02, 0, 0}, label);
    port.devices()[0]->read(0.09);
    arm.send(1, {0.05, 0, 0}, "e");
    EXPECT_FALSE(port.devices()[0]->read(0.3).is_present);
    EXPECT_EQ(port.devices()[1]->label(), "e");
    EXPECT_TRUE(port.devices()[1]->read(0.3).is_present);
}

TEST(UdpPort, SaysWhyItCannotListen)
{
    UdpPort port(0);
    EXPECT_THROW(UdpPort(port.number()), Error);
    EXPECT_THROW(UdpPort(0, "localhost"), Error);
    EXPECT_THROW(UdpPort(0, "203.0.113.7"), Error);
}

// No packet, and a packet with a label that is not the sender's.
void send_rubbish(const Client& hostile, int i)
{
    std::array<std::byte, kReadingBytes> rubbish;
    rubbish.fill(static_cast<std::byte>(i));
    hostile.send(rubbish);
    hostile.send(100000, {0.5, 0.5, 0.5});
}

// Sends the hand above a sheet and then into it; gives the last answer, or false if anybody was held up so long in between
// that the arm counted as lost, as happens on loaded machines.
bool push_in(const Client& arm, const Client& hostile, HapticLoop& loop, const TouchScene& scene, ForcePacket& answer,
             std::uint32_t& sequence)
{
    double last = HapticServo::clock();
    for (int i = 0; i < 200; ++i) {
        arm.send(++sequence, {0.01, i < 100 ? 0.02 : -0.003, 0.02});
        if (i % 10 == 5) loop.offer(scene.frame);
        if (i > 0) send_rubbish(hostile, i);
        const bool has_answer = arm.receive(answer);
        const double now = HapticServo::clock();
        if (!has_answer || answer.flags == ForcePacket::kLost || now - last > 0.5 * kSilence) return false;
        last = now;
    }
    return true;
}

// The whole of it, by the real clock; nothing but its meaning is judged.
TEST(HapticServo, PushesAnArmOverLoopbackAndLetsItGoWhenItIsSilent)
{
    UdpPort port(0);
    HapticLoop loop({.proxy_radius = 0.002, .patch_radius = 1, .ramp = 0});
    for (const auto& device : port.devices()) loop.add(*device);
    TouchScene scene = sheet(10, 1);
    loop.set_scene(scene.topology, scene.frame.x);
    HapticServo servo(loop);
    servo.start();
    Client arm(port.number()), hostile(port.number());
    ForcePacket answer;
    std::uint32_t sequence = 0;
    bool is_in = false;
    for (int attempt = 0; attempt < 50 && !is_in; ++attempt) {
        is_in = push_in(arm, hostile, loop, scene, answer, sequence);
    }
    ASSERT_TRUE(is_in) << "no 200 readings without a gap of 50 ms in 50 attempts";
    // A hand at rest 3 mm deep: 5 mm to the proxy, straight up.
    EXPECT_EQ(answer.flags, ForcePacket::kTouching);
    expect_near(answer.force, {0, 400 * 0.005, 0}, 1e-6);
    expect_near(answer.proxy, {0.01, 0.002, 0.02}, 1e-8);
    const std::uint64_t held = answer.held;
    EXPECT_GT(held, 0U);
    EXPECT_GE(port.counts().malformed, 190U);
    EXPECT_GE(port.counts().foreign, 190U);
    EXPECT_TRUE(loop.status(0).is_present);
    EXPECT_EQ(loop.status(0).label, "arm");
    EXPECT_FALSE(loop.drain().empty());
    const ServoMeasures measures = servo.measures();
    EXPECT_GT(measures.latency.worst, 0);
    EXPECT_FALSE(measures.schedule.empty());
    for (int i = 0; i < 200 && loop.status(0).is_present; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(loop.status(0).is_present);
    EXPECT_EQ(loop.status(0).force, (Vec3{}));
    bool is_told = false;
    while (arm.receive(answer)) is_told = is_told || answer.flags == ForcePacket::kLost;
    EXPECT_TRUE(is_told);
    servo.stop();
    std::printf("servo: %.0f ticks/s, late by %.0f us mean, %.0f us 99 %%, %.0f us worst, missed %llu of %llu; %s\n",
                measures.rate, 1e6 * measures.lateness.mean, 1e6 * measures.lateness.p99, 1e6 * measures.lateness.worst,
                static_cast<unsigned long long>(measures.missed), static_cast<unsigned long long>(measures.ticks),
                measures.schedule.c_str());
}

#ifdef PLIANT_HAPTIC_CLIENT
TEST(HapticServo, ServesTheExampleOfADriver)
{
    UdpPort port(0);
    HapticLoop loop({.ramp = 0});
    for (const auto& device : port.devices()) loop.add(*device);
    TouchScene scene = sheet(10, 1);
    loop.set_scene(scene.topology, scene.frame.x);
    HapticServo servo(loop);
    servo.start();
    const std::string command =
        PLIANT_HAPTIC_CLIENT " --seconds 0.5 --label demo --port " + std::to_string(port.number());
    FILE* driver = popen(command.c_str(), "r");
    ASSERT_NE(driver, nullptr);
    std::string said;
    for (int c = std::fgetc(driver); c != EOF; c = std::fgetc(driver)) said += static_cast<char>(c);
    EXPECT_EQ(pclose(driver), 0) << said;
    EXPECT_NE(said.find("round trip"), std::string::npos) << said;
    EXPECT_EQ(loop.status(0).label, "demo");
    EXPECT_GT(port.counts().taken, 0U);
    EXPECT_EQ(port.counts().malformed, 0U);
    std::printf("%s", said.c_str());
}
#endif

TEST(HapticServo, LeavesNoForceBehindWhenItStops)
{
    PuppetDevice device;
    HapticLoop loop({.proxy_radius = 0.005, .patch_radius = 1, .ramp = 0});
    loop.add(device);
    TouchScene scene = sheet(4, 1);
    loop.set_scene(scene.topology, scene.frame.x);
    device.state.position = {0, 0.001, 0};
    {
        HapticServo servo(loop);
        servo.start();
        for (int i = 0; i < 500 && loop.status(0).force.y == 0; ++i) {
            loop.offer(scene.frame);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        EXPECT_GT(loop.status(0).force.y, 0.5);
        EXPECT_GT(servo.measures().ticks, 0U);
    }
    EXPECT_EQ(device.reply.force, (Vec3{}));
    EXPECT_FALSE(loop.status(0).is_present);
}

}  // namespace
}  // namespace pliant::viewer
