// SPDX-License-Identifier: MIT

// How stiff contacts of response barrier are, what of a search serves again, and who cannot move.

#include <pliant/response/barrier.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "response/barrier_probe.h"

namespace pliant {
namespace {

using test::BarrierProbe, test::grid_mesh, test::scene_of, test::sheet, test::triangle_mesh;

// ---- stiffness ------------------------------------------------------------------------------------------------------

// A triangle at some height over a plane; half the thickness is the triangle's.
BarrierProbe over_plane(double height)
{
    return BarrierProbe(
        scene_of(sheet("a", triangle_mesh({-0.1, height, -0.05}, {0.02, height, 0.11}, {0.1, height, -0.04}), {}),
                 R"("floor": { "plane": [0, 1, 0, 0] })"));
}

constexpr double kReach = 0.01, kFloor = kLeastGap * kReach;

TEST(BarrierStiffness, IsThatOfInertiaOrAShareOfWhatTheMaterialResistsWhicheverIsMore)
{
    for (const double resists : {0.0, 1.0, 1e4}) {
        BarrierProbe probe = over_plane(0.75 * kReach);
        const std::vector<double> resistance(3, resists);
        probe.contacts().begin_step(probe.state(), 1.0 / 60, resistance);
        probe.contacts().evaluate(probe.x());
        ASSERT_EQ(probe.contacts().rows().size(), 3U);
        for (const BarrierRow& row : probe.contacts().rows()) {
            const double inertia = kInertia * probe.model().mass[row.at.vertex[0]] * 3600;
            EXPECT_NEAR(row.stiffness.m[1][1], std::max(inertia, kElastic * resists), 1e-9 * row.stiffness.m[1][1]);
        }
    }
}

TEST(BarrierStiffness, CarriesTheWeightWithinAnyThickness)
{
    BarrierProbe probe = over_plane(0.75 * kReach);
    probe.state().world.gravity = {0, -1000, 0};
    probe.contacts().begin_step(probe.state(), 1.0 / 60);
    probe.contacts().evaluate(probe.x());
    ASSERT_EQ(probe.contacts().rows().size(), 3U);
    for (const BarrierRow& row : probe.contacts().rows()) {
        const double weight = probe.model().mass[row.at.vertex[0]] * 1000;
        EXPECT_NEAR(row.stiffness.m[1][1], kWeight * weight / kReach, 1e-9 * row.stiffness.m[1][1]);
    }
}

// Two sheets, of which the upper one resists more: what touches is as stiff as the lower one has it.
TEST(BarrierStiffness, IsThatOfTheSofterSide)
{
    BarrierProbe probe(
        scene_of(sheet("a", grid_mesh(3, 0.2), {}) + ", " +
                 sheet("b", triangle_mesh({0, 0, 0}, {-0.05, 0.3, 0.01}, {0.05, 0.3, -0.01}), {0.03, 0.015, 0.02})));
    std::vector<double> resistance(9, 2e4);
    resistance.resize(12, 5e5);
    probe.contacts().begin_step(probe.state(), 1.0 / 60, resistance);
    probe.contacts().evaluate(probe.x());
    ASSERT_EQ(probe.contacts().rows().size(), 1U);
    EXPECT_NEAR(probe.contacts().rows()[0].stiffness.m[1][1], kElastic * 2e4, 1e-6 * kElastic * 2e4);
}

// Distances count from the gap that no way goes below; a start within it is pushed out by a force that is large and finite.
TEST(BarrierStiffness, CountsFromTheGapThatIsAlwaysLeft)
{
    double last = 0;
    for (const double height : {0.5 * kReach, 0.01 * kReach, 2 * kFloor, 1.01 * kFloor, 0.5 * kFloor, 1e-9}) {
        BarrierProbe probe = over_plane(height);
        probe.contacts().begin_step(probe.state(), 1.0 / 60);
        probe.contacts().evaluate(probe.x());
        ASSERT_EQ(probe.contacts().rows().size(), 3U) << height;
        double sum = 0, expected = 0;
        for (const BarrierRow& row : probe.contacts().rows()) {
            const double k = kInertia * probe.model().mass[row.at.vertex[0]] * 3600;
            sum += row.force.y;
            expected += barrier_force(height - kFloor, kReach - kFloor, k).lambda;
        }
        EXPECT_TRUE(std::isfinite(sum));
        EXPECT_GE(sum, last) << height;
        if (height > kFloor) {
            EXPECT_NEAR(sum, expected, 1e-9 * expected) << height;
        }
        last = sum;
    }
}

// ---- what was looked for serves -------------------------------------------------------------------------------------

std::vector<Vec3> sorted_forces(const BarrierContacts& contacts)
{
    std::vector<Vec3> forces;
    for (const BarrierRow& row : contacts.rows()) forces.push_back(row.force);
    std::sort(forces.begin(), forces.end(),
              [](const Vec3& a, const Vec3& b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); });
    return forces;
}

// A sheet slides far over another; the way is cut shorter and shorter, as crossings would. Each look sees what a search that knows of no way sees.
TEST(BarrierSearch, OnAPlannedWaySeesWhatAFreshOneSees)
{
    const std::string text =
        scene_of(sheet("a", grid_mesh(9, 0.4), {}) + ", " + sheet("b", grid_mesh(7, 0.3), {0.01, 0.018, 0.007}));
    BarrierProbe probe(text);
    probe.contacts().begin_step(probe.state(), 1.0 / 60);
    const std::vector<Vec3> start = probe.x();
    std::vector<Vec3> end = start;
    for (std::size_t i = 81; i < end.size(); ++i)
        if (static_cast<std::int32_t>(i) < probe.model().free_count) end[i] += Vec3{0.11, -0.006, 0.05};
    ASSERT_EQ(probe.contacts().make_safe(start, end), 1) << "nothing is in the way";
    const std::int64_t searches = probe.contacts().search().counters().searches;
    for (const double share : {1.0, 0.9, 0.6, 0.35, 0.1, 0.0}) {
        std::vector<Vec3> x = start;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += (end[i] - start[i]) * share;
        BarrierProbe fresh(text);
        fresh.x() = x;
        for (BarrierProbe* p : {&probe, &fresh}) {
            if (p == &fresh) p->contacts().begin_step(p->state(), 1.0 / 60);
            p->contacts().evaluate(x);
        }
        ASSERT_GT(fresh.contacts().rows().size(), 10U) << share;
        EXPECT_EQ(sorted_forces(probe.contacts()), sorted_forces(fresh.contacts())) << share;
    }
    EXPECT_EQ(probe.contacts().search().counters().searches, searches) << "the way was looked at before";
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

// What is held on rails gives way along them: it is not fixed, whichever response asks.
TEST(ContactBodiesOf, AHeldBodyOnRailsAreNotFixed)
{
    for (const char* rails : {"", R"("slides": [0, 0, 1],)"}) {
        BarrierProbe probe(scene_of(sheet("a", grid_mesh(3, 0.2), {}) +
                                    fmt::format(R"(, "box": {{ "kind": "rigid", "box": [0.1, 0.1, 0.1], "mass": 1,
            "position": [0, 0.5, 0], {} "held": true }})",
                                                rails)));
        ContactBodies bodies;
        bodies.look(probe.model(), probe.state());
        EXPECT_EQ(bodies.is_fixed[1] != 0, std::string(rails).empty());
        EXPECT_EQ(bodies.is_fixed[0], 0);
    }
}

}  // namespace
}  // namespace pliant
