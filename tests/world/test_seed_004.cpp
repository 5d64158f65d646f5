// SPDX-License-Identifier: MIT

// Acceptance of seed 004 (E1 … E13) where one scene file cannot say it alone. What a scene can say is in
// its `expect`.

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <pliant/lab/oscillator.h>
#include <pliant/solver/forces.h>
#include <pliant/solver/stability.h>
#include <pliant/world/inputs.h>

#include "world/history.h"
#include "world/seed_004_tables.h"
#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::History, test::history, test::overrides;

constexpr std::array<const char*, 4> kMethods{"finite_differences", "euler", "heun", "rk4"};

TEST(Seed004, E1AllValuesAndErrorsOfTheTablesToANano)
{
    int values = 0;
    for (const test::Table& table : test::kTables) {
        const std::string name = std::string("oscillator_") + table.regime;
        const Scene scene = load_scene(std::string(PLIANT_SCENES) + "/" + name + ".json");
        const auto exact = find_oscillator(build(scene));
        ASSERT_TRUE(exact);
        for (std::size_t m = 0; m < kMethods.size(); ++m) {
            const std::vector<double> x = history(name, {std::string("solver.kind=") + kMethods[m]}).column("mass.x");
            ASSERT_EQ(x.size(), 281u);
            for (const test::TableRow& row : table.rows) {
                const int state = row.k - 1;  // every row of the thesis is one step late
                const double truth = exact->position(0.05 * state).x;
                EXPECT_NEAR(x[state], row.value[m + 1], 1e-9) << table.regime << " " << kMethods[m] << " " << row.k;
                EXPECT_NEAR(truth - x[state], row.error[m], 1e-9) << table.regime << " " << kMethods[m] << " " << row.k;
                if (m == 0) {
                    EXPECT_NEAR(truth, row.value[0], 1e-9);
                    ++values;
                }
                ++values;
            }
        }
    }
    EXPECT_EQ(values, 210);
}

double largest_error(const std::string& kind, double h)
{
    const History run = history("oscillator_under", {"solver.kind=" + kind, fmt::format("solver.step={}", h),
                                                     fmt::format("world.frame_rate={}", 1 / h), "solver.substeps=1"});
    const auto exact = find_oscillator(build(load_scene(std::string(PLIANT_SCENES) + "/oscillator_under.json")));
    const std::vector<double> x = run.column("mass.x");
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - exact->position(run.time[i]).x));
    return worst;
}

TEST(Seed004, E1E2ErrorsFallWithTheOrderThatEachIntegratorStates)
{
    for (const SolverKind kind :
         {SolverKind::finite_differences, SolverKind::semi_implicit_euler, SolverKind::central_differences,
          SolverKind::euler, SolverKind::heun, SolverKind::midpoint, SolverKind::velocity_verlet,
          SolverKind::position_verlet, SolverKind::rk4, SolverKind::implicit_euler, SolverKind::trapezoidal}) {
        const std::string name(name_of(kind));
        const double h = kind == SolverKind::rk4 ? 0.05 : 0.00625;
        const double order = std::log2(largest_error(name, h) / largest_error(name, h / 2));
        EXPECT_NEAR(order, integrator_facts(kind).order, 0.1) << name;
    }
    // The dossier's own measurements at h = 0.05.
    EXPECT_NEAR(largest_error("finite_differences", 0.05), 0.228, 5e-4);
    EXPECT_NEAR(largest_error("central_differences", 0.05), 5.44e-3, 5e-6);
    EXPECT_NEAR(largest_error("euler", 0.05), 0.261, 5e-4);
    EXPECT_NEAR(largest_error("heun", 0.05), 5.00e-3, 5e-6);
    EXPECT_NEAR(largest_error("rk4", 0.05), 1.45e-6, 5e-9);
}

TEST(Seed004, FehlbergKeepsItsToleranceAndItsStepsGrowWithTheFourthRoot)
{
    double steps[2], errors[2];
    const double tolerance[2] = {1e-6, 1e-10};
    for (int i = 0; i < 2; ++i) {
        const History run = history("oscillator_under", {"solver.kind=rkf45", "solver.step=10", "world.frame_rate=0.5",
                                                         fmt::format("solver.tolerance={}", tolerance[i])});
        const auto exact = find_oscillator(build(load_scene(std::string(PLIANT_SCENES) + "/oscillator_under.json")));
        steps[i] = static_cast<double>(run.end.step);
        errors[i] = 0;
        for (std::size_t f = 0; f < run.time.size(); ++f)
            errors[i] = std::max(errors[i], std::abs(run.column("mass.x")[f] - exact->position(run.time[f]).x));
        // Errors per second of at most the tolerance times the size (5 m), over the 14 s, damped on the way.
        EXPECT_LT(errors[i], tolerance[i] * 5 * 14) << steps[i];
    }
    EXPECT_NEAR(std::log(errors[0] / errors[1]) / std::log(steps[1] / steps[0]), 4, 0.8);
    EXPECT_LT(steps[0], 100);  // fixed steps of 0.05 s would be 280
}

TEST(Seed004, E3ThreeRegimes)
{
    // k = m = 1, F = 15, beta = 3, 2, 1: limit 15, overshoot of 16.3 % only for the last.
    const auto run = [](const char* beta) {
        return history("oscillator_under",
                       {"bodies.oscillator.springs.k_s=1", std::string("bodies.oscillator.drag=") + beta,
                        "solver.step=0.002", "world.frame_rate=500", "world.duration=40"});
    };
    for (const char* beta : {"3", "2"}) {
        const std::vector<double> x = run(beta).column("mass.x");
        EXPECT_NEAR(x.back(), 15, 1e-4);
        EXPECT_LE(*std::max_element(x.begin(), x.end()), 15);
    }
    const History last = run("1");
    const std::vector<double> x = last.column("mass.x");
    const auto peak = std::max_element(x.begin(), x.end());
    EXPECT_NEAR(*peak, 17.446, 1e-3);
    EXPECT_NEAR(last.time[peak - x.begin()], 3.628, 2e-3);
}

TEST(Seed004, E4StopsAtRestAndNotInPassing)
{
    Scene scene = load_scene(std::string(PLIANT_SCENES) + "/oscillator_under.json",
                             overrides({"solver.kind=finite_differences", "world.until=rest", "world.duration=50"}));
    World world = build(scene);
    const RunSummary summary = run(world, scene);
    EXPECT_TRUE(summary.at_rest);
    EXPECT_GT(summary.sim_s, 23);
    EXPECT_LT(summary.sim_s, 27);
    EXPECT_NEAR(world.state.x[1].x, 7.5, 1e-5);
    // The thesis' own rule looks at two balances of forces, which also a crossing has: 20.90 s.
    const History whole = history("oscillator_under", {"solver.kind=finite_differences", "world.duration=50"});
    const std::vector<double> x = whole.column("mass.x");
    std::size_t i = 1;
    const auto imbalance = [&](std::size_t k) { return std::abs(15 - 2 * x[k]); };
    while (2 * std::max(imbalance(i), imbalance(i - 1)) >= 1e-5) ++i;
    EXPECT_NEAR(whole.time[i], 20.90, 0.051);
}

TEST(Seed004, E5LengthsStayWithinTheBandOfTheProcedure)
{
    const std::vector<std::string> setting{"bodies.oscillator.loads.0.force=[6,0,0]", "bodies.oscillator.drag=1",
                                           "solver.kind=finite_differences", "world.duration=40"};
    const auto lengths = [&](std::vector<std::string> more) {
        more.insert(more.begin(), setting.begin(), setting.end());
        History run = history("oscillator_under", more);
        std::vector<double> l = run.column("mass.x");
        for (double& value : l) value += 5;
        return std::pair(run.time, l);
    };
    const auto [time, free] = lengths({});
    const auto free_peak = std::max_element(free.begin(), free.end());
    EXPECT_NEAR(*free_peak, 8.90, 0.005);
    EXPECT_NEAR(time[free_peak - free.begin()], 2.30, 0.051);
    EXPECT_NEAR(*std::min_element(free.begin() + 60, free.end()), 7.730, 0.002);
    const char* kHold = R"(bodies.oscillator.springs.limits={"low":0.3,"high":1.7,"rule":"thesis_hold"})";
    const auto held = lengths({kHold}).second;
    const auto peak = std::max_element(held.begin(), held.end());
    EXPECT_NEAR(*peak, 8.481, 0.001);
    EXPECT_NEAR(time[peak - held.begin()], 1.70, 1e-9);
    EXPECT_EQ(*peak, *(peak + 1)) << "held for a step";
    EXPECT_NEAR(*std::min_element(held.begin() + 60, held.end()), 7.856, 0.002);
    EXPECT_NEAR(held.back(), 8, 1e-4);
    // The band of the prose is never left.
    EXPECT_EQ(lengths({R"(bodies.oscillator.springs.limits={"low":0.2,"high":2,"rule":"thesis_hold"})"}).second, free);
    // The modern limit keeps it near the band too, without stopping it.
    const auto stiff = lengths({R"(bodies.oscillator.springs.limits={"low":0.3,"high":1.7,"k_limit":400})"}).second;
    EXPECT_LT(*std::max_element(stiff.begin(), stiff.end()), 8.6);
    EXPECT_GT(*std::max_element(stiff.begin(), stiff.end()), 8.5);
    EXPECT_NEAR(stiff.back(), 8, 1e-4);
}

TEST(Seed004, E6OvershootsTheCubeNearFourAndAHalfSeconds)
{
    const History run = history("sphere_to_cube");
    const std::vector<double> radius = run.column("ball.radius.max");
    const auto peak = std::max_element(radius.begin(), radius.end());
    EXPECT_NEAR(*peak, 1.749, 0.01);
    EXPECT_NEAR(run.time[peak - radius.begin()], 4.6, 0.15);
    EXPECT_NEAR(run.column("ball.goal.rms").front(), 0.183, 0.001);
    EXPECT_NEAR(run.column("ball.goal.rms").back(), 0.021, 0.002);
    EXPECT_NEAR(radius.back(), 1.633, 0.01);
}

TEST(Seed004, E7BounceKeepsSpeedAndShapeInFlightAndMomentumWithTheWall)
{
    for (const char* name : {"bounce_low", "bounce_medium"}) {
        const History run = history(name);
        const std::vector<double> contacts = run.column("contacts"), width = run.column("ball.size.x"),
                                  momentum = run.column("momentum.x"), impulse = run.column("wall.impulse.x"),
                                  total = run.column("energy.total"), low = run.column("ball.center.x");
        const auto first =
            std::find_if(contacts.begin(), contacts.end(), [](double c) { return c > 0; }) - contacts.begin();
        ASSERT_GT(first, 10);
        const double scale = momentum[0];
        for (std::ptrdiff_t i = 0; i < first; ++i) {
            EXPECT_NEAR(momentum[i], scale, 1e-12 * scale) << name;
            EXPECT_NEAR(width[i], width[0], 1e-12) << name;
            EXPECT_NEAR(total[i], total[0], 1e-12 * total[0]) << name;
        }
        // Until the wall is met the drag sleeps; afterwards it brakes: undo it by the energy it took.
        const History free = history(name, {"bodies.ball.drag=0"});
        const std::vector<double> p = free.column("momentum.x"), J = free.column("wall.impulse.x");
        for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i] + J[i], scale, 1e-9 * scale) << name;
        EXPECT_LT(p.back(), -0.05 * scale) << "it comes back";
        for (std::size_t i = 1; i < total.size(); ++i)
            EXPECT_LT(total[i], total[0] * (1 + 1e-9)) << name << " energy never grows beyond the start";
        const std::vector<double> high = run.column("ball.size.x");
        EXPECT_LT(*std::min_element(high.begin(), high.end()), 1.5) << name;
    }
}

TEST(Seed004, E7DossierNumbersWithTheThesisCentre)
{
    // A centroid whose reactions are lost, as the dossier's checks had it: width 1.15 and restitution 0.35 for
    // the low ball, width 1.18 for the medium one.
    const auto widths_and_speeds = [](const char* name) {
        const History run = history(name, {"bodies.ball.radial.center=thesis_centroid"});
        const std::vector<double> width = run.column("ball.size.x"), v = run.column("ball.velocity.x");
        return std::pair(*std::min_element(width.begin(), width.end()), *std::min_element(v.begin(), v.end()) / v[0]);
    };
    const auto [low_width, low_back] = widths_and_speeds("bounce_low");
    EXPECT_NEAR(low_width, 1.15, 0.03);
    EXPECT_NEAR(low_back, -0.35, 0.02);
    EXPECT_NEAR(widths_and_speeds("bounce_medium").first, 1.18, 0.02);
}

TEST(Seed004, E7TooMuchDampingSticks)
{
    const History run = history("bounce_low", {"bodies.ball.drag=1", "world.duration=60"});
    EXPECT_GT(run.column("ball.velocity.x").back(), -0.01);
    EXPECT_GT(run.column("ball.center.x").back(), 0.5);
}

TEST(Seed004, E8WallsCloseToTheGapAndTheBallRecovers)
{
    const History run = history("two_walls");
    const std::vector<double> width = run.column("ball.size.x");
    EXPECT_NEAR(run.at("ball.size.x", 14), 0.34, 1e-9);
    EXPECT_NEAR(run.at("ball.volume", 14) / run.column("ball.volume").front(), 0.49, 0.03);
    EXPECT_NEAR(run.at("ball.size.y", 14), 1, 0.05) << "hardly any bulging";
    for (const double w : width) EXPECT_GT(w, 0.34 - 1e-9);
    const double recovered = run.at("ball.radius.min", 19 + 23) / 0.5;
    EXPECT_GT(recovered, 0.999);
}

double mean_radius(const std::string& name, const std::vector<std::string>& set = {})
{
    return history(name, set).column("ball.finger.radius.mean").back();
}

TEST(Seed004, E9LiteralOutwardForcesMakeBumps)
{
    // The dossier's vertex is not known; one vertex alone depends on where it is.
    EXPECT_NEAR(mean_radius("push_point", {"bodies.ball.loads.0.push=-0.7"}), 1.321, 0.03);
    EXPECT_NEAR(mean_radius("push_rings5", {"bodies.ball.loads.0.push=-0.1"}), 1.287, 0.03);
    EXPECT_NEAR(mean_radius("push_ring1", {"bodies.ball.loads.0.push=-0.1"}), 1.195, 0.03);
}

TEST(Seed004, E9RecoversWhenReleased)
{
    const std::vector<std::string> released{R"(inputs=[{"time":60,"set":{"bodies.ball.loads.finger.enabled":false}}])",
                                            "world.until=duration", "world.duration=100"};
    const History run = history("push_point", released);
    EXPECT_GT(1 - run.at("ball.radius.min", 60), 0.3);
    EXPECT_LT(1 - run.column("ball.radius.min").back(), 1e-3);
}

TEST(Seed004, E10RingsHaveTheSizesOfAHexagonalNet)
{
    const int expected[] = {1, 4, 10, 19, 31, 46};
    for (int n = 0; n < 6; ++n) {
        const Scene scene = load_scene(std::string(PLIANT_SCENES) + "/push_point.json",
                                       overrides({fmt::format("bodies.ball.loads.0.select.rings={}", n)}));
        EXPECT_EQ(build(scene).model->loads[0].nodes.size(), static_cast<std::size_t>(expected[n])) << n;
    }
}

TEST(Seed004, E11ResetRestoresTheShapeExactly)
{
    const Scene scene = load_scene(std::string(PLIANT_SCENES) + "/pick_faces.json");
    World world = build(scene);
    const Snapshot start = snapshot(world);
    EXPECT_EQ(step_to(world, 20).status, Status::ok);
    EXPECT_GT(norm(world.state.x[world.model->loads[0].nodes[0]] - start.state.x[world.model->loads[0].nodes[0]]),
              0.01);
    restore(world, start);
    EXPECT_EQ(hash(world.state), hash(start.state));
}

TEST(Seed004, ExplicitEulerExplodesWhereTheThesisStepsAreFineForFiniteDifferences)
{
    // Section 6.3: at the steps of the thesis explicit Euler is unstable in these scenes.
    for (const char* name : {"bounce_low", "bounce_medium", "push_point", "pick_faces"}) {
        EXPECT_FALSE(history(name, {"world.duration=10", "world.until=duration"}).last.failed()) << name;
        const History euler =
            history(name, {"solver.kind=euler", "world.until=duration", "world.duration=300", "world.frame_rate=2"});
        const std::vector<double> total = euler.column("energy.total");
        EXPECT_TRUE(euler.last.failed() || total.back() > 10 * std::abs(total.front()) + 1) << name;
    }
}

TEST(Seed004, E13PlasticineOfTheThesisOnlyCreepsBackWhileRealPlasticityKeepsItsDent)
{
    const std::vector<std::string> push{"bodies.ball.springs.k_s=0.01",
                                        "bodies.ball.radial.k_r=0.01",
                                        "bodies.ball.drag=1",
                                        "world.until=duration",
                                        "solver.step=0.05",
                                        R"(inputs=[{"time":20,"set":{"bodies.ball.loads.finger.enabled":false}}])"};
    const auto dent = [&](const char* duration) {
        std::vector<std::string> set = push;
        set.push_back(std::string("world.duration=") + duration);
        const History run = history("push_point", set);
        return (1 - run.column("ball.radius.min").back()) / (1 - run.at("ball.radius.min", 20));
    };
    const double after_a_minute = dent("80"), later = dent("600");
    EXPECT_GT(after_a_minute, 0.2);
    EXPECT_LT(later, 0.05);
}

TEST(Seed004, E13SpringsThatYieldKeepTheirDent)
{
    const auto dents = [](const char* yield) {
        const History run =
            history("push_ring1", {std::string("bodies.ball.radial.yield_strain=") + yield, "world.until=duration",
                                   "world.duration=160", "world.frame_rate=2",
                                   R"(inputs=[{"time":40,"set":{"bodies.ball.loads.finger.enabled":false}}])"});
        EXPECT_LT(run.column("energy.error").back(), 1e-2) << yield;
        return std::array{1 - run.at("ball.radius.min", 40), 1 - run.at("ball.radius.min", 120),
                          1 - run.column("ball.radius.min").back()};
    };
    const auto elastic = dents("0"), plastic = dents("0.1");
    EXPECT_GT(elastic[0], 0.2);
    EXPECT_LT(elastic[2], 1e-3);
    EXPECT_GT(plastic[2], 0.05);
    EXPECT_NEAR(plastic[2], plastic[1], 0.02 * plastic[1]) << "it stays";
}

// One spring pulled by a constant force: what is left when the force goes.
double permanent_set(const char* plastic, double force)
{
    World world = test::world_of(fmt::format(R"({{
        "world": {{ "gravity": [0, 0, 0] }}, "solver": {{ "kind": "rk4", "step": 0.01 }},
        "bodies": {{ "wire": {{ "kind": "springs", "mesh": {{ "chain": 2, "to": [1, 0, 0] }}, "mass": 2, "drag": 20,
            "springs": {{ "k_s": 100, "plastic": {} }}, "pins": [{{ "select": "start" }}],
            "loads": [{{ "name": "pull", "select": "end", "force": [{}, 0, 0] }}] }} }},
        "inputs": [{{ "time": 10, "set": {{ "bodies.wire.loads.pull.enabled": false }} }}] }})",
                                             plastic, force));
    EXPECT_EQ(step_to(world, 20).status, Status::ok);
    EXPECT_LT(find_measure(*world.model, measures(world, 0, 0), "energy.error"), 1e-2);
    return world.state.x[1].x - 1;
}

TEST(PlasticSpring, SetIsWhatGoesBeyondTheYieldStrainLessTheHardening)
{
    EXPECT_NEAR(permanent_set(R"({"yield_strain": 0.1})", 9), 0, 1e-6) << "below the yield";
    // e = F/k = 0.2 must be y L + K p with K = H / (1 - H) = 1: p = 0.1.
    EXPECT_NEAR(permanent_set(R"({"yield_strain": 0.1, "hardening": 0.5})", 20), 0.1, 1e-3);
    EXPECT_NEAR(permanent_set(R"({"yield_strain": 0.1, "hardening": 0.5})", -20), -0.1, 1e-3);
    // Creep under a constant force goes on at the rate e/T: 0.1 in every T.
    EXPECT_NEAR(permanent_set(R"({"creep_time": 50})", 10), 0.1 * 10 / 50, 2e-3);
}

TEST(Radial, MomentumIsKeptByACentroidAndByAFreeCentre)
{
    for (const char* center : {"centroid", "free"}) {
        World world = test::world_of(fmt::format(R"({{ "world": {{ "gravity": [0, 0, 0] }},
            "solver": {{ "kind": "rk4", "step": 0.01 }},
            "bodies": {{ "ball": {{ "kind": "simplex", "mesh": {{ "simplex_sphere": [4, 3] }}, "mass": 2,
                "springs": {{ "k_s": 5 }}, "radial": {{ "k_r": 7, "k_d": 0.1, "center": "{}" }},
                "velocity": [1, 2, 3], "angular_velocity": [0, 1, 0.5] }} }} }})",
                                                 center));
        world.state.x[3] *= 1.3, world.state.x[40] *= 0.6;
        start_energy_account(world);
        const auto sums = [&] {
            Vec3 p, L;
            for (std::int32_t i = 0; i < world.model->free_count; ++i)
                p += world.state.v[i] * world.model->mass[i],
                    L += cross(world.state.x[i], world.state.v[i]) * world.model->mass[i];
            return std::pair(p, L);
        };
        const auto [p, L] = sums();
        EXPECT_EQ(step_to(world, 5).status, Status::ok);
        EXPECT_LT(norm(sums().first - p), 1e-12 * norm(p)) << center;
        EXPECT_LT(norm(sums().second - L), 1e-6 * norm(L)) << center;
        EXPECT_LT(find_measure(*world.model, measures(world, 0, 0), "energy.error"), 1e-4) << center;
    }
}

TEST(SimplexShape, HoldsARestShapeWithoutRadialSprings)
{
    // Any dual at rest is at rest, also skewed ones whose feet lie outside their circumcircles.
    for (const char* mesh :
         {R"({ "icosphere": 2, "dual": true })",
          R"({ "torus": [20, 10], "radius": 1, "minor_radius": 0.4, "dual": true })",
          R"({ "box": [3, 2, 4], "size": [1, 2, 3], "dual": true })", R"({ "simplex_cylinder": [12, 6] })",
          R"({ "simplex_torus": [24, 12], "radius": 1, "minor_radius": 0.4 })"}) {
        World world = test::world_of(fmt::format(R"({{ "world": {{ "gravity": [0, 0, 0] }},
            "solver": {{ "kind": "rk4", "step": 0.005 }},
            "bodies": {{ "body": {{ "kind": "simplex", "mesh": {}, "mass": 1, "drag": 0.004,
                "springs": {{ "k_s": 5 }}, "shape": {{ "k_shape": 5 }} }} }} }})",
                                                 mesh));
        const std::vector<Vec3> start = world.state.x;
        EXPECT_LT(energies(*world.model, world.state).elastic, 1e-20) << mesh;
        // Squeezed by a tenth and let go it comes back.
        for (Vec3& x : world.state.x) x.x *= 0.9;
        const double squeezed = energies(*world.model, world.state).elastic;
        EXPECT_EQ(step_to(world, 20).status, Status::ok) << mesh;
        EXPECT_LT(energies(*world.model, world.state).elastic, 1e-3 * squeezed) << mesh;
    }
}

TEST(MovingWall, DoesTheWorkThatTheBodyGets)
{
    // A plate pushes a free particle from rest: momentum from the impulse, energy from the wall's work.
    World world = test::world_of(R"({ "world": { "gravity": [0, 0, 0] }, "solver": { "kind": "rk4", "step": 0.01 },
        "bodies": { "dust": { "kind": "springs", "mesh": { "chain": 2, "to": [0, 1, 0] }, "mass": 3 } },
        "colliders": { "wall": { "plane": [1, 0, 0, -0.5], "motion": [2, 0, 0] } } })");
    EXPECT_EQ(step_to(world, 1).status, Status::ok);
    EXPECT_NEAR(world.state.v[0].x, 2, 1e-12);
    const std::vector<double> now = measures(world, 0, 0);
    EXPECT_NEAR(find_measure(*world.model, now, "wall.impulse.x"), -6, 1e-12);
    EXPECT_NEAR(find_measure(*world.model, now, "energy.external"), 12, 1e-9) << "force times way of the wall";
    EXPECT_NEAR(find_measure(*world.model, now, "energy.dissipated"), 6, 1e-9) << "an inelastic impact";
    EXPECT_LT(find_measure(*world.model, now, "energy.error"), 1e-9);
}

}  // namespace
}  // namespace pliant
