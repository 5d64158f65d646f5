// SPDX-License-Identifier: MIT
// A driver of a force-feedback arm as a process of its own, without an arm: a hand that circles and goes down until it is
// pushed back. Shows all that a real driver needs; the bytes are explained in docs/haptics.md.
//
//   example_haptic_client [--seconds N] [--port N] [--label NAME]

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace {

// Packets are little-endian. So are the machines that this example is written for.
static_assert(std::endian::native == std::endian::little);

struct Reading {
    char magic[4] = {'P', 'L', 'H', 'D'};
    std::uint16_t version = 1, size = 152;
    std::uint32_t sequence = 0, buttons = 0;
    std::uint64_t time = 0;  // [ns]
    double position[3]{}, velocity[3]{};
    double orientation[4] = {1, 0, 0, 0};
    double workspace[3] = {0.16, 0.12, 0.07};
    double greatest_force = 3.3;
    char label[16]{};
};
static_assert(sizeof(Reading) == 152);

struct Force {
    char magic[4];
    std::uint16_t version, size;
    std::uint32_t sequence, flags;
    std::uint64_t time, held;
    double force[3], proxy[3];
    char label[16];
};
static_assert(sizeof(Force) == 96);

std::uint64_t nanoseconds()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1000000000U + static_cast<std::uint64_t>(time.tv_nsec);
}

// Circles of 20 mm once in two seconds, between 40 mm above and 40 mm below the middle of the workspace.
void move_hand(Reading& hand, double t)
{
    const double turn = 3.14159265, down = 0.7853981634;
    hand.position[0] = 0.02 * std::cos(turn * t), hand.velocity[0] = -0.02 * turn * std::sin(turn * t);
    hand.position[1] = 0.04 * std::cos(down * t), hand.velocity[1] = -0.04 * down * std::sin(down * t);
    hand.position[2] = 0.02 * std::sin(turn * t), hand.velocity[2] = 0.02 * turn * std::cos(turn * t);
}

int socket_to(std::uint16_t port)
{
    sockaddr_in name{};
    name.sin_family = AF_INET, name.sin_port = htons(port), name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int made = socket(AF_INET, SOCK_DGRAM, 0);
    const timeval wait{0, 20000};
    setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    if (connect(made, reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) std::perror("connect");
    return made;
}

struct Totals {
    long sent = 0, answered = 0;
    double mean = 0, worst = 0;  // of the round trip [ms]
};

void print(const Reading& hand, const Force& answer, double trip)
{
    std::printf("hand %6.1f %6.1f %6.1f mm  force %6.2f %6.2f %6.2f N  round trip %.2f ms, of it %.2f ms in pliant%s\n",
                1e3 * hand.position[0], 1e3 * hand.position[1], 1e3 * hand.position[2], answer.force[0],
                answer.force[1], answer.force[2], trip, 1e-6 * static_cast<double>(answer.held),
                (answer.flags & 1) != 0 ? "  touching" : "");
}

Totals run(int to, Reading hand, double seconds)
{
    Totals totals;
    const std::uint64_t begin = nanoseconds();
    for (double t = 0; t < seconds; t = 1e-9 * static_cast<double>(nanoseconds() - begin)) {
        move_hand(hand, t);
        ++hand.sequence, hand.time = nanoseconds();
        if (send(to, &hand, sizeof hand, 0) == sizeof hand) ++totals.sent;
        Force answer;
        // An arm would get its motors' force here, and none whenever no answer comes.
        if (recv(to, &answer, sizeof answer, 0) != sizeof answer || std::memcmp(answer.magic, "PLHF", 4) != 0) continue;
        const double trip = 1e-6 * static_cast<double>(nanoseconds() - answer.time);
        totals.mean += (trip - totals.mean) / static_cast<double>(++totals.answered);
        totals.worst = std::fmax(totals.worst, trip);
        if (totals.answered % 250 == 1) print(hand, answer, trip);
    }
    return totals;
}

}  // namespace

int main(int argc, char** argv)
{
    double seconds = 5;
    int port = 47474;
    Reading hand;
    std::string label = "example";
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string option = argv[i];
        if (option == "--seconds") seconds = std::atof(argv[i + 1]);
        if (option == "--port") port = std::atoi(argv[i + 1]);
        if (option == "--label") label = argv[i + 1];
    }
    label.copy(hand.label, sizeof hand.label);
    const int to = socket_to(static_cast<std::uint16_t>(port));
    const Totals totals = run(to, hand, seconds);
    close(to);
    std::printf("%ld readings, %ld answers, round trip %.2f ms mean, %.2f ms worst\n", totals.sent, totals.answered,
                totals.mean, totals.worst);
    if (totals.answered == 0) std::printf("nobody answers at port %d: start pliant with haptics first\n", port);
    return totals.answered > 0 ? 0 : 1;
}
