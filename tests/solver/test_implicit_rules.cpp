// SPDX-License-Identifier: MIT

// Implicit rules beyond fixed steps: bdf2 and its history, steps chosen by tolerance, the three linear solvers, matrices
// that are kept over steps, and the memory all this is said to take.

#include <pliant/solver/implicit.h>

#include <gtest/gtest.h>

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <pliant/base/parallel.h>
#include <pliant/solver/forces.h>
#include <pliant/solver/implicit_scratch.h>
#include <pliant/solver/solver.h>
#include <pliant/solver/solver_memory.h>
#include <pliant/solver/stability.h>

#include "base/counted_new.h"
#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::world_of;

// A soft cantilever that bends far under its weight.
constexpr std::string_view kCantilever = R"({ "world": { "gravity": [0, -9.81, 0] },
    "solver": { "kind": "bdf2", "step": 0.01, "accuracy": 1e-10, "tolerance": 1e-4 },
    "bodies": { "b": { "kind": "solid", "mesh": { "tet_block": [3, 1, 1], "size": [1, 0.3, 0.3] },
        "material": { "young": 2e4, "poisson": 0.3, "density": 200, "shear_viscosity": 20 },
        "pins": [{ "select": "left" }] } } })";

constexpr SolverKind kRules[] = {SolverKind::implicit_euler, SolverKind::trapezoidal, SolverKind::implicit_midpoint,
                                 SolverKind::bdf2};

double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, norm(a[i] - b[i]));
    return worst;
}

// Steps of given lengths, without frames, contacts and judgement.
State advanced(World world, SolverKind kind, const std::vector<double>& lengths)
{
    world.state.solver.kind = kind;
    State to = world.state;
    for (const double h : lengths) {
        EXPECT_TRUE(advance(to, *world.model, world.state, h, world.scratch).accepted);
        world.state = to;
    }
    return world.state;
}

// Short and long steps by turns, as an adaptive run may take them; `ratio` is long over short.
std::vector<double> uneven(double time, int pairs, double ratio)
{
    std::vector<double> lengths;
    for (int i = 0; i < pairs; ++i)
        for (const double share : {1 / (1 + ratio), ratio / (1 + ratio)}) lengths.push_back(time / pairs * share);
    return lengths;
}

const std::vector<Vec3>& exact_cantilever()
{
    static const std::vector<Vec3> x =
        advanced(world_of(kCantilever), SolverKind::rk4, std::vector<double>(4000, 0.2 / 4000)).x;
    return x;
}

TEST(Bdf2, HasOrderTwoOnANonlinearSolidWithEvenAndUnevenSteps)
{
    for (const double ratio : {1.0, 1.5, 2.3}) {
        double error[2];
        for (int i = 0; i < 2; ++i)
            error[i] = distance(advanced(world_of(kCantilever), SolverKind::bdf2, uneven(0.2, 50 << i, ratio)).x,
                                exact_cantilever());
        EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.15) << ratio << ": " << error[0];
        EXPECT_LT(error[1], 2e-3);
    }
}

TEST(Bdf2, AStepThatGrowsTooFastIsImplicitEulers)
{
    World world = world_of(kCantilever);
    world.state = advanced(copy_of(world), SolverKind::bdf2, {0.01, 0.01});
    for (const auto& [h, is_euler] : {std::pair{0.02, false}, {0.03, true}}) {
        const std::uint64_t one = hash(advanced(copy_of(world), SolverKind::bdf2, {h}));
        State euler = advanced(copy_of(world), SolverKind::implicit_euler, {h});
        euler.solver.kind = SolverKind::bdf2;
        EXPECT_EQ(one == hash(euler), is_euler) << h;
    }
}

TEST(Bdf2, DampsTheFastAndKeepsTheSlowAtHugeSteps)
{
    // An oscillator of 1 rad/s, x = 1.5 at the start and rest length 1.
    const auto swing = [](SolverKind kind, double h, int steps) {
        World world = world_of(test::kOscillator);
        world.state.live[0] = Spring{.k_s = 0.5};
        const State end = advanced(std::move(world), kind, std::vector<double>(static_cast<std::size_t>(steps), h));
        return std::hypot(end.x[1].x - 1, end.v[1].x);
    };
    EXPECT_LT(swing(SolverKind::bdf2, 1e4, 5), 1e-2) << "L-stable: gone in a few steps";
    EXPECT_GT(swing(SolverKind::trapezoidal, 1e4, 5), 0.4) << "only A-stable: stays";
    EXPECT_GT(swing(SolverKind::bdf2, 0.02, 314), 0.499) << "a period of 314 steps loses hardly anything";
    EXPECT_LT(swing(SolverKind::implicit_euler, 0.02, 314), 0.48);
}

TEST(Bdf2, IsStableOnAStiffSolidAtStepsFarBeyondItsPeriods)
{
    World world =
        world_of(kCantilever, {{"bodies.b.material.young", "1e9"}, {"bodies.b.material.shear_viscosity", "0"}});
    const State end = advanced(copy_of(world), SolverKind::bdf2, std::vector<double>(40, 0.5));
    for (std::size_t i = 0; i < end.x.size(); ++i) {
        EXPECT_LT(norm(end.v[i]), 1e-3);
        EXPECT_LT(norm(end.x[i] - world.state.x[i]), 1e-3);
    }
}

TEST(Bdf2, StartsAnewAfterAnInput)
{
    World world = world_of(kCantilever);
    ASSERT_EQ(step_to(world, 0.05).status, Status::ok);
    ASSERT_GT(world.state.history.before_h, 0);
    test::set(world, "world.gravity", LiveValue{.number = {0, 9.81, 0}});
    EXPECT_EQ(world.state.history.before_h, 0);
    World euler = copy_of(world);
    euler.state.solver.kind = SolverKind::implicit_euler;
    ASSERT_EQ(step_to(world, 0.06).status, Status::ok);
    ASSERT_EQ(step_to(euler, 0.06).status, Status::ok);
    EXPECT_EQ(world.state.x, euler.state.x);
    ASSERT_EQ(step_to(world, 0.07).status, Status::ok);
    ASSERT_EQ(step_to(euler, 0.07).status, Status::ok);
    EXPECT_NE(world.state.x, euler.state.x);
}

TEST(Bdf2, AmplificationOfTheStabilityTableIsThatOfTheRealRule)
{
    for (const double h : {1e-3, 0.3, 1.0, 30.0, 1e3})
        for (const double d : {0.0, 1.0, 100.0}) EXPECT_LE(amplification(SolverKind::bdf2, 7, d, h), 1 + 1e-12);
    // Growth per step over many steps of the oscillator, w2 = k/m = 80, d = c/m = 1.2.
    const double h = 0.1;
    World world = world_of(test::kOscillator);
    const auto size = [&](std::size_t steps) {
        const State end = advanced(copy_of(world), SolverKind::bdf2, std::vector<double>(steps, h));
        return std::hypot((end.x[1].x - 1) * std::sqrt(80.0), end.v[1].x);
    };
    const double found = std::pow(size(60) / size(20), 1.0 / 40);
    EXPECT_NEAR(found, amplification(SolverKind::bdf2, 80, 1.2, h), 0.01);
}

struct Ride {
    double error = 0;  // [m]
    std::int64_t steps = 0;
    int retries = 0;
};

TEST(AdaptiveImplicit, GlobalErrorFollowsTheTolerance)
{
    for (const SolverKind kind : kRules) {
        std::vector<Ride> rides;
        for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
            World world = world_of(kCantilever);
            world.state.solver.kind = kind, world.state.solver.adaptive = true;
            world.state.solver.tolerance = tolerance, world.state.solver.step = 0.1;
            if (kind == SolverKind::implicit_euler) world.state.solver.tolerance *= 10;
            ASSERT_EQ(step_to(world, 0.2).status, Status::ok);
            rides.push_back({distance(world.state.x, exact_cantilever()), world.state.step, 0});
        }
        for (std::size_t i = 1; i < rides.size(); ++i) {
            const double factor = rides[i - 1].error / rides[i].error;
            EXPECT_GT(factor, 3) << name_of(kind) << " " << rides[i].error << " in " << rides[i].steps;
            EXPECT_LT(factor, 40) << name_of(kind) << " " << rides[i].error << " in " << rides[i].steps;
            const double more = static_cast<double>(rides[i].steps) / static_cast<double>(rides[i - 1].steps);
            EXPECT_GT(more, kind == SolverKind::implicit_euler ? 4 : 2) << name_of(kind);
        }
    }
}

// A mass on a soft spring that is struck after a long calm: the spring is made 400 times as stiff.
constexpr std::string_view kCalmThenFast = R"({ "world": { "gravity": [0, 0, 0] },
    "solver": { "kind": "bdf2", "step": 1, "substeps": 1, "accuracy": 1e-9 },
    "bodies": { "chain": { "kind": "springs", "mesh": { "chain": 2, "to": [1.5, 0, 0] }, "mass": 1,
        "springs": { "k_s": 0.05, "rest_length": 1 }, "pins": [{ "select": "start" }] } },
    "inputs": [{ "time": 9, "set": { "bodies.chain.springs.k_s": 200 } }] })";

Ride calm_then_fast(SolverKind kind, double step, double tolerance)
{
    World world = world_of(kCalmThenFast);
    world.state.solver.kind = kind, world.state.solver.step = step;
    if (tolerance > 0) world.state.solver.adaptive = true, world.state.solver.tolerance = tolerance;
    const StepReport report = step_to(world, 10);
    EXPECT_EQ(report.status, Status::ok) << explain(report.issue, *world.model);
    // Exact: w = sqrt(0.1) up to 9 s, then sqrt(400).
    const double a = std::sqrt(0.1), b = 20;
    const double x = 0.5 * std::cos(9 * a), v = -0.5 * a * std::sin(9 * a);
    const double exact = 1 + x * std::cos(b) + v / b * std::sin(b);
    return {std::abs(world.state.x[1].x - exact), world.state.step, report.retries};
}

void expect_fewer_than_equal_steps(SolverKind kind)
{
    const Ride adaptive = calm_then_fast(kind, 1, 1e-3);
    Ride even;
    for (double step = 0.1; step > 1e-5; step /= 2)
        if (even = calm_then_fast(kind, step, 0); even.error <= adaptive.error) break;
    EXPECT_LT(adaptive.error, 0.02) << name_of(kind);
    EXPECT_LT(3 * adaptive.steps, even.steps) << name_of(kind) << " " << adaptive.error << " " << even.error;
}

TEST(AdaptiveImplicit, TakesFewerStepsThanEqualOnesOfTheSameError)
{
    for (const SolverKind kind : {SolverKind::trapezoidal, SolverKind::implicit_midpoint})
        expect_fewer_than_equal_steps(kind);
}

// The next five wait for repairs of the step control, see the issues named with them.
// Smoothed twice: what implicit_euler, and with it bdf2's start, damps away is taken for settled.
TEST(AdaptiveImplicit, Bdf2TakesFewerStepsThanEqualOnesOfTheSameError)
{
    expect_fewer_than_equal_steps(SolverKind::bdf2);
}

TEST(AdaptiveImplicit, EulerFollowsASpringThatSwingsFast)
{
    EXPECT_LT(calm_then_fast(SolverKind::implicit_euler, 1, 1e-2).error, 0.1);
}

// Hopes again: a rejected step leaves the hope that was rejected.
TEST(AdaptiveImplicit, RejectionsAreRare)
{
    for (const SolverKind kind : {SolverKind::trapezoidal, SolverKind::implicit_midpoint, SolverKind::bdf2}) {
        const Ride ride = calm_then_fast(kind, 1, 1e-3);
        EXPECT_LT(10 * ride.retries, ride.steps) << name_of(kind);
    }
}

// Stale matrix: a guess that is good at once is smoothed by a matrix of other steps.
TEST(AdaptiveImplicit, SlowMotionDoesNotEndInEverShorterSteps)
{
    World world = world_of(kCalmThenFast, {{"inputs", "[]"}});
    world.state.solver.kind = SolverKind::implicit_euler, world.state.solver.adaptive = true;
    world.state.solver.tolerance = 1e-5;
    EXPECT_EQ(step_to(world, 0.1).status, Status::ok);
    EXPECT_LT(world.state.step, 1000);
}

// Tiny start: the start of order one is held to the tolerance of order two.
TEST(AdaptiveImplicit, Bdf2GoesOnAfterAnInputAtTightTolerances)
{
    EXPECT_LT(calm_then_fast(SolverKind::bdf2, 1, 1e-4).error, 2e-3);
}

TEST(AdaptiveImplicit, StiffModesDoNotForceShortSteps)
{
    for (const SolverKind kind : kRules) {
        World world = world_of(kCantilever, {{"bodies.b.pins", "[]"}, {"bodies.b.material.young", "1e9"}});
        world.state.solver.kind = kind, world.state.solver.adaptive = true;
        world.state.solver.step = 0.1, world.state.solver.tolerance = 1e-3;
        // A speck of noise in the fast modes.
        for (std::size_t i = 0; i < world.state.v.size(); ++i)
            world.state.v[i].x = 1e-6 * std::sin(static_cast<double>(7 * i));
        const double explicit_steps =
            1 / stable_step(SolverKind::velocity_verlet,
                            rate_bounds(*world.model, world.state, world.scratch).stiffness, 0);
        ASSERT_EQ(step_to(world, 1).status, Status::ok);
        EXPECT_GT(explicit_steps, 1e4);
        // implicit_euler is of order one: its error of free fall, g h^2/2 a step, is real.
        const std::int64_t enough = kind == SolverKind::implicit_euler ? 12000 : 200;
        EXPECT_LT(world.state.step, enough) << name_of(kind);
        EXPECT_NEAR(test::measure(world, "b.center.y"), -9.81 / 2, 5e-3) << name_of(kind);
    }
}

TEST(LinearSolvers, GiveTheSameMotion)
{
    std::vector<Vec3> first;
    for (const LinearSolver linear :
         {LinearSolver::automatic, LinearSolver::block_jacobi, LinearSolver::multigrid, LinearSolver::cholesky}) {
        World world = world_of(kCantilever, {{"bodies.b.mesh.tet_block", "[8, 2, 2]"}});
        world.state.solver.linear_solver = linear, world.state.solver.accuracy = 1e-8;
        ASSERT_EQ(step_to(world, 0.2).status, Status::ok);
        if (first.empty()) first = world.state.x;
        EXPECT_LT(distance(world.state.x, first), 1e-8) << static_cast<int>(linear);
    }
}

TEST(LinearSolvers, GiveTheSameMotionWithAGasAndVerticesThatSlide)
{
    std::vector<Vec3> first;
    for (const LinearSolver linear : {LinearSolver::block_jacobi, LinearSolver::multigrid, LinearSolver::cholesky}) {
        World world = world_of(test::kSmallBox, {{"bodies.ball.held", "true"}});
        world.state.solver.kind = SolverKind::implicit_midpoint, world.state.solver.linear_solver = linear;
        world.state.solver.step = 0.01, world.state.solver.accuracy = 1e-9, world.state.contact.enabled = false;
        for (std::size_t i = 0; i < 64; ++i)
            if (world.state.held[i] == 0) world.state.held[i] = static_cast<std::uint8_t>(i % 5 == 0 ? i % 7 : 0);
        ASSERT_EQ(step_to(world, 0.5).status, Status::ok);
        if (first.empty()) first = world.state.x;
        EXPECT_LT(distance(world.state.x, first), 1e-7) << static_cast<int>(linear);
    }
    EXPECT_GT(distance(first, world_of(test::kSmallBox).state.x), 0.1);
}

// Goes on from bytes in a fresh world, and without any scratch, to the same bits.
void expect_same_bits_after_reload(double frame_time, const std::vector<Override>& set, const std::string& what)
{
    World world = world_of(kCantilever, set);
    for (int frame = 1; frame <= 7; ++frame) ASSERT_EQ(step_to(world, frame * frame_time).status, Status::ok) << what;
    const auto bytes = save(world.state, world.model->id);
    World fresh = world_of(kCantilever, set), forgetful = copy_of(world);
    load(fresh.state, bytes, fresh.model->id);
    for (int frame = 8; frame <= 20; ++frame) {
        forgetful.scratch.implicit.reset();
        for (World* w : {&world, &fresh, &forgetful})
            ASSERT_EQ(step_to(*w, frame * frame_time).status, Status::ok) << what;
        ASSERT_EQ(hash(fresh.state), hash(world.state)) << what << ", loaded, frame " << frame;
        ASSERT_EQ(hash(forgetful.state), hash(world.state)) << what << ", without scratch, frame " << frame;
    }
}

void expect_same_bits_of_all_solvers(double frame_time, const char* adaptive)
{
    for (const SolverKind kind : kRules)
        for (const char* linear : {"block_jacobi", "multigrid", "cholesky"}) {
            const std::string name(name_of(kind));
            expect_same_bits_after_reload(frame_time,
                                          {{"solver.kind", name},
                                           {"solver.linear_solver", linear},
                                           {"solver.adaptive", adaptive},
                                           {"solver.tolerance", "0.01"},
                                           {"solver.accuracy", "1e-5"}},
                                          name + " " + linear + " adaptive " + adaptive);
        }
}

TEST(KeptMatrices, AreMadeAgainToTheBitForStepsOfOneLength)
{
    expect_same_bits_of_all_solvers(1.0 / 64, "false");
}

// Frames of 1/60 s, whose differences are not all the same number. Issue "matrix of another step": remade with the
// present step's length instead of the remembered one.
TEST(KeptMatrices, AreMadeAgainToTheBitForStepsThatDifferInTheirLastDigits)
{
    for (const char* adaptive : {"false", "true"}) expect_same_bits_of_all_solvers(1.0 / 60, adaptive);
}

// Matrix of other parameters: positions and step are compared, what else the matrix was made of is not.
TEST(KeptMatrices, BelongToTheirParameters)
{
    for (const auto& [path, value] : {std::pair{"bodies.b.material.young", 1e5}, {"bodies.b.damping", 40.0}}) {
        World world = world_of(kCantilever, {{"solver.kind", "implicit_midpoint"}, {"solver.accuracy", "1e-3"}});
        const Snapshot start = snapshot(world);
        step(world, 1.0 / 64);
        const Snapshot later = snapshot(world);
        ASSERT_GT(later.state.history.matrix_h, 0) << "the matrix is kept";
        // Another future from the same start, whose first matrix is made at the same positions.
        restore(world, start);
        test::set(world, path, to_live(value));
        step(world, 1.0 / 64);
        restore(world, later);
        World fresh = copy_of(world);
        step(world, 1.0 / 64), step(fresh, 1.0 / 64);
        EXPECT_EQ(hash(world.state), hash(fresh.state)) << path;
    }
}

// Drag that begins: the first contact changes the matrix without an input.
TEST(KeptMatrices, AreGivenUpWhenDragBegins)
{
    const std::vector<Override> set{
        {"bodies.b.pins", "[]"},     {"bodies.b.drag_waits", "true"},
        {"bodies.b.damping", "20"},  {"solver.kind", "implicit_midpoint"},
        {"solver.accuracy", "1e-3"}, {"colliders", R"({ "floor": { "plane": [0, 1, 0, -0.2] } })"}};
    World world = world_of(kCantilever, set);
    int frame = 1;
    for (; frame <= 64 && world.state.touched[0] == 0; ++frame) step_to(world, frame / 64.0);
    ASSERT_EQ(world.state.touched[0], 1);
    ASSERT_GT(world.state.history.matrix_h, 0) << "the matrix is kept";
    World fresh = copy_of(world);
    for (int more = 0; more < 8; ++more, ++frame) {
        step_to(world, frame / 64.0), step_to(fresh, frame / 64.0);
        ASSERT_EQ(hash(world.state), hash(fresh.state)) << frame;
    }
}

TEST(ImplicitSteps, AllocateNothingAfterWarmingUpAndHaveTheSameBitsForAnyThreads)
{
    for (const SolverKind kind : kRules)
        for (const LinearSolver linear : {LinearSolver::block_jacobi, LinearSolver::multigrid, LinearSolver::cholesky})
            for (const char* mass_kind : {"lumped", "consistent"}) {
                std::uint64_t hashes[2];
                for (const int threads : {1, 2}) {
                    set_thread_count(threads);
                    World world = world_of(
                        kCantilever, {{"bodies.b.mass_kind", mass_kind}, {"bodies.b.mesh.tet_block", "[6, 2, 2]"}});
                    world.state.solver.kind = kind, world.state.solver.linear_solver = linear;
                    world.state.solver.adaptive = true, world.state.solver.tolerance = 0.1;
                    world.state.solver.accuracy = 1e-4;
                    for (int i = 0; i < 4; ++i) step(world, 1.0 / 60);
                    const long before = allocation_count();
                    for (int i = 0; i < 4; ++i) step(world, 1.0 / 60);
                    EXPECT_EQ(allocation_count(), before) << name_of(kind) << " " << mass_kind << " " << threads;
                    hashes[threads - 1] = hash(world.state);
                }
                EXPECT_EQ(hashes[0], hashes[1]) << name_of(kind) << " " << mass_kind;
            }
    set_thread_count(0);
}

std::string block_of(int cells, const char* elements, const std::string& memory, const char* kind = "implicit_euler")
{
    return fmt::format(R"({{ "solver": {{ "kind": "{}", {} }},
        "bodies": {{ "b": {{ "kind": "solid", "elements": "{}", "mesh": {{ "tet_block": [{}, {}, {}], "size": [1, 1, 1] }},
            "material": {{ "young": 1e5, "density": 1000 }} }} }} }})",
                       kind, memory, elements, cells, cells, cells);
}

// [B] that the allocator has given out and not got back.
double taken()
{
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

// What the implicit solvers really take, over what they are said to take; 0 where the allocator does not tell.
double memory_ratio(int cells, const char* elements)
{
    World world = world_of(block_of(cells, elements, R"("memory": 1e12)"));
    const double before = taken();
    world.scratch.implicit.make(*world.model);
    world.scratch.implicit->multigrid();
    return (taken() - before) / (implicit_memory(*world.model) - explicit_memory(*world.model));
}

TEST(SolverMemory, IsWhatIsAllocated)
{
    for (const char* elements : {"linear", "quadratic"})
        for (const int cells : {5, 10, 20}) {
            const double ratio = memory_ratio(cells, elements);
            if (ratio == 0) GTEST_SKIP() << "this allocator does not tell";
            EXPECT_NEAR(ratio, 1, 0.35) << elements << cells;
        }
}

TEST(SolverMemory, OfTheCholeskyFactorIsWhatIsAllocated)
{
    World world = world_of(block_of(8, "quadratic", R"("memory": 1e12)"));
    world.scratch.implicit.make(*world.model);
    const double before = taken();
    world.scratch.implicit->cholesky();
    // Doubles are made when floats are refused.
    const Cholesky full(CholeskyStructure(newton_pattern(*world.model), std::span<const Vec3>(world.model->start_x)));
    const double found = taken() - before;
    if (found == 0) GTEST_SKIP() << "this allocator does not tell";
    EXPECT_NEAR(found / cholesky_memory(*world.model), 1, 0.35);
}

std::string refusal(const std::string& scene)
{
    const SceneRead read = parse_scene(scene, "scene.json");
    EXPECT_TRUE(read.problems.empty());
    std::string all;
    for (const Problem& problem : try_build(read.scene).problems) all += to_string(problem) + "\n";
    return all;
}

TEST(SolverMemory, ARunThatWouldNotFitIsRefusedWithNeedLimitAndCure)
{
    const World world = world_of(block_of(6, "quadratic", R"("memory": 1e12)"));
    const double need = implicit_memory(*world.model);
    const auto gigabytes = [](double bytes) { return fmt::format("{:.3g} GB", bytes / 1e9); };
    const std::string iterative = refusal(block_of(6, "quadratic", fmt::format(R"("memory": {})", 0.9 * need)));
    for (const std::string& words :
         {std::string("/solver/kind"), gigabytes(need), gigabytes(0.9 * need), std::string("allowed by solver.memory"),
          std::string("an explicit solver"), gigabytes(explicit_memory(*world.model))})
        EXPECT_NE(iterative.find(words), std::string::npos) << words << " in " << iterative;
    const std::string fits = fmt::format(R"("memory": {})", 1.1 * need);
    EXPECT_EQ(refusal(block_of(6, "quadratic", fits)), "");
    const std::string factor = refusal(block_of(6, "quadratic", fits + R"(, "linear_solver": "cholesky")"));
    for (const std::string& words : {std::string("/solver/linear_solver"), std::string("multigrid takes about"),
                                     gigabytes(need + cholesky_memory(*world.model))})
        EXPECT_NE(factor.find(words), std::string::npos) << words << " in " << factor;
    // Explicit solvers never need it.
    EXPECT_EQ(refusal(block_of(6, "quadratic", R"("memory": 1)", "rk4")), "");
}

}  // namespace
}  // namespace pliant
