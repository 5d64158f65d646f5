// SPDX-License-Identifier: MIT

// Snapshots: a copy of State is all that a world remembers.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include <pliant/base/error.h>
#include <pliant/solver/stability.h>

#include "world/scene_files.h"
#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::world_of;

// A change of a live parameter that every scene has, chosen by chance; the same for the same numbers.
void change_something(World& world, std::mt19937& random)
{
    const auto& paths = world.model->live_paths;
    for (int tries = 0; tries < 100; ++tries) {
        const std::size_t p = random() % paths.size();
        const LiveTarget& target = paths[p].target;
        const std::string& path = paths[p].path;
        // Enough kinds of parameters, and none that ends the run.
        if (target.group == LiveGroup::solver || path.ends_with(".held") || path.ends_with("law")) continue;
        LiveValue value = live_value(world.state, target);
        for (double& number : value.number) number *= 0.875;
        apply_input(world, static_cast<std::int32_t>(p), value);
        return;
    }
}

// A step of the scene at hand, a dozen sub-steps where steps are short.
double some_steps(World& world)
{
    if (stands_any_step(world.state.solver.kind)) return world.state.solver.step;
    World probe = copy_of(world);
    step(probe, std::min(1e-6, world.state.solver.step));
    const History& h = probe.state.history;
    const double limit = stable_step(world.state.solver.kind, h.stiffness_rate, h.damping_rate);
    return 12 * std::min(world.state.solver.step, std::max(limit, 1e-9) * world.state.solver.safety);
}

// Runs with changes, noting hashes; then goes back to a snapshot and must repeat them.
void check_snapshots(World world, unsigned seed, int steps)
{
    const double dt = some_steps(world);
    std::mt19937 random(seed);
    const int at = static_cast<int>(random() % static_cast<unsigned>(steps - 2));
    std::vector<std::uint64_t> hashes;
    std::vector<unsigned> seeds;
    Snapshot kept;
    const auto advance_one = [&](World& w, unsigned step_seed) {
        std::mt19937 local(step_seed);
        if (local() % 3 == 0) change_something(w, local);
        return step(w, dt);
    };
    for (int i = 0; i < steps; ++i) {
        if (i == at) kept = snapshot(world);
        seeds.push_back(static_cast<unsigned>(random()));
        const StepReport report = advance_one(world, seeds.back());
        hashes.push_back(hash(world.state));
        if (report.failed()) break;
    }
    if (static_cast<int>(hashes.size()) <= at) return;
    // Into the same world, whose scratch and state went on; and into a copy with a scratch of its own.
    World copy = copy_of(world);
    for (World* w : {&world, &copy}) {
        restore(*w, kept);
        EXPECT_EQ(hash(w->state), hash(kept.state));
        for (std::size_t i = static_cast<std::size_t>(at); i < hashes.size(); ++i) {
            advance_one(*w, seeds[i]);
            ASSERT_EQ(hash(w->state), hashes[i]) << "step " << i << " after a snapshot at " << at;
        }
    }
}

TEST(Snapshot, RestoredAtAnyStepARunRepeatsItselfToTheBit)
{
    for (const auto scene : {test::kSmallBox, test::kSoftBall, test::kPendulum, test::kOscillator})
        for (unsigned seed = 1; seed <= 4; ++seed) check_snapshots(world_of(scene), seed, 24);
}

class SceneSnapshot : public testing::TestWithParam<std::string> {};

TEST_P(SceneSnapshot, RepeatsItself)
{
    const SceneRead read = read_scene(test::scene_path(GetParam()));
    ASSERT_TRUE(read.problems.empty());
    Build built = try_build(read.scene);
    ASSERT_TRUE(built.problems.empty());
    const auto seed = static_cast<unsigned>(std::hash<std::string>{}(GetParam()));
    check_snapshots(std::move(built.world), seed, 8);
}

INSTANTIATE_TEST_SUITE_P(Gallery, SceneSnapshot, testing::ValuesIn(test::scene_files()), test::scene_label);

TEST(Snapshot, SavedBytesCarryARunIntoAnotherProcessWorld)
{
    World world = world_of(test::kSmallBox);
    for (int i = 0; i < 10; ++i) step(world, 1.0 / 60);
    const auto bytes = save(world.state, world.model->id);
    World fresh = world_of(test::kSmallBox);  // as a program does that resumes
    load(fresh.state, bytes, fresh.model->id);
    for (int i = 0; i < 20; ++i) {
        step(world, 1.0 / 60), step(fresh, 1.0 / 60);
        ASSERT_EQ(hash(fresh.state), hash(world.state));
    }
}

TEST(Snapshot, OfAnotherModelIsRefused)
{
    World box = world_of(test::kSmallBox), ball = world_of(test::kSoftBall);
    const Snapshot of_box = snapshot(box);
    const std::uint64_t before = hash(ball.state);
    EXPECT_THROW(restore(ball, of_box), Error);
    EXPECT_EQ(hash(ball.state), before);
    try {
        restore(ball, of_box);
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("another scene"), std::string::npos);
    }
    // Another mesh, another mass, another stiffness of rest: other models.
    for (const Override& change : std::vector<Override>{{"bodies.box.mesh.size", "[1.5, 0.76, 1.5]"},
                                                        {"bodies.box.mass", "9"},
                                                        {"bodies.box.springs.rest_scale", "0.9"},
                                                        {"bodies.ball.sphere", "0.26"}}) {
        World other = world_of(test::kSmallBox, {change});
        EXPECT_NE(other.model->id, box.model->id) << change.path;
    }
    // Live parameters are State: the model stays the same.
    EXPECT_EQ(world_of(test::kSmallBox, {{"bodies.box.springs.k_s", "90"}}).model->id, box.model->id);
}

// Otherwise a snapshot would go on with its cursor in another list of inputs.
TEST(Snapshot, OtherPinsOrInputsAreAnotherModel)
{
    const World world = world_of(test::kPendulum);
    EXPECT_NE(world_of(test::kPendulum, {{"bodies.chain.pins.0.select", "[3]"}}).model->id, world.model->id);
    EXPECT_NE(
        world_of(test::kPendulum, {{"inputs", R"([{"time": 1, "set": {"world.gravity": [0, 0, 0]}}])"}}).model->id,
        world.model->id);
}

TEST(Snapshot, CopiesShareTheModelAndNothingElse)
{
    World world = world_of(test::kSmallBox);
    step(world, 0.05);
    World copy = copy_of(world);
    EXPECT_EQ(copy.model.get(), world.model.get());
    const std::uint64_t before = hash(world.state);
    step(copy, 0.1);
    EXPECT_EQ(hash(world.state), before);
    EXPECT_NE(hash(copy.state), before);
    step(world, 0.1);
    EXPECT_EQ(hash(copy.state), hash(world.state));
}

}  // namespace
}  // namespace pliant
