// SPDX-License-Identifier: MIT

// Sheets that land on each other under response barrier: they fall as fast as they should, gain no energy, and levels of the
// linear solve that know contacts change no bit that they should not.

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <pliant/base/parallel.h>
#include <pliant/model/state.h>
#include <pliant/solver/forces.h>
#include <pliant/solver/implicit_scratch.h>

#include "world/barrier_scenes.h"
#include "world/momenta.h"

namespace pliant {
namespace {

using test::crossings, test::kGravity, test::momenta_of, test::run, test::scene_of, test::world_of;

constexpr double kStep = 1.0 / 60;

// More vertices than one run of a sweep over levels has.
std::string stack(const std::string& contact = "", const std::string& solver = R"("kind": "implicit_euler")")
{
    const std::string sheets =
        R"("sheets": { "kind": "cloth", "friction": 0.5, "thickness": 0.006, "position": [0, 0.22, 0],
        "mesh": { "grid": [10, 10], "size": [1, 1], "copies": 12, "spacing": [0, 0.01, 0] },
        "cloth": { "density": 0.2, "stretch": 1000, "bend": 1e-5 } })";
    const std::string roll =
        R"("roll": { "cylinder": [0.2, 1.4], "rotate_axis": [0, 0, 1], "rotate_degrees": 90, "facets": 24 })";
    return scene_of(sheets, roll, {0, -kGravity, 0}, solver + R"(, "step": 0.016666666666666666)", contact);
}

// The mean velocity after each of 12 steps, as momentum.
std::vector<double> falls(const World& start)
{
    World w = start;
    std::vector<double> speed;
    double energy = energies(*w.model, w.state).total();
    const double scale = energy;
    for (int i = 0; i < 12; ++i) {
        run(w, kStep);
        const double now = energies(*w.model, w.state).total();
        EXPECT_LT(now - energy, 1e-9 * scale) << "at " << w.state.time;
        energy = now;
        speed.push_back(momenta_of(w).linear.y);
    }
    EXPECT_GT(w.state.tally.near, 1000);
    EXPECT_EQ(crossings(w), 0U);
    return speed;
}

// Several land in a step. All wait for the first that meets something: where iterations end before all have met what they
// will, what is still falling is braked in the air.
TEST(BarrierStack, FallsAsFastAsItShould)
{
    const std::vector<double> converged = falls(world_of(stack(R"(, "budget": 40)")));
    const std::vector<double> speed = falls(world_of(stack()));
    for (std::size_t i = 0; i < speed.size(); ++i)
        EXPECT_NEAR(speed[i], converged[i], 0.12 * std::abs(converged[i])) << i;
}

// Two looks at contacts a step are few for as many sheets: those that are not expected brake the others by a third.
TEST(BarrierStack, FallsAsFastUnderSweeps)
{
    const std::vector<double> converged = falls(world_of(stack(R"(, "budget": 40)")));
    const auto swept = [](const char* sweeps) {
        return falls(world_of(stack("", fmt::format(R"("kind": "vbd", "iterations": {})", sweeps))));
    };
    const std::vector<double> few = swept("16"), many = swept("80");
    for (std::size_t i = 0; i < converged.size(); ++i) {
        EXPECT_NEAR(few[i], converged[i], 0.27 * std::abs(converged[i])) << i;
        EXPECT_NEAR(many[i], converged[i], 0.06 * std::abs(converged[i])) << i;
    }
}

bool has_contacts_in_levels(const World& w)
{
    return w.scratch.implicit->is_grouped && w.scratch.implicit->aggregation().is_joined();
}

TEST(BarrierStack, WithContactsInItsLevelsHasTheSameBitsForOneAndTwoThreads)
{
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2}) {
        set_thread_count(threads);
        World w = world_of(stack());
        for (int i = 0; i < 12; ++i) run(w, kStep);
        EXPECT_TRUE(has_contacts_in_levels(w));
        hashes.push_back(hash(w.state));
    }
    set_thread_count(0);
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(BarrierStack, WithContactsInItsLevelsGoesOnFromSavedBytesToTheSameBits)
{
    World w = world_of(stack());
    for (int i = 0; i < 9; ++i) run(w, kStep);
    World fresh = world_of(stack());
    load(fresh.state, save(w.state, w.model->id), fresh.model->id);
    for (int i = 0; i < 3; ++i) {
        run(w, kStep), run(fresh, kStep);
        ASSERT_EQ(hash(w.state), hash(fresh.state)) << i;
    }
    EXPECT_TRUE(has_contacts_in_levels(fresh));
}

}  // namespace
}  // namespace pliant
