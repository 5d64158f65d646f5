// SPDX-License-Identifier: MIT
#include <pliant/response/particle_response.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include <pliant/base/parallel.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/surface_tree.h>

namespace pliant {
namespace {

constexpr double kEps = 1e-4;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr ParticleRule kRules[] = {ParticleRule::thesis_a, ParticleRule::thesis_b, ParticleRule::thesis_c,
                                   ParticleRule::coulomb};

Vec3 random_in_cube(std::mt19937& random, double half)
{
    std::uniform_real_distribution<double> coordinate(-half, half);
    return {coordinate(random), coordinate(random), coordinate(random)};
}

void expect_near(const Vec3& a, const Vec3& b, double tolerance)
{
    EXPECT_LT(norm(a - b), tolerance) << a.x << " " << a.y << " " << a.z;
}

/// A floor at y = 0.
StaticTriangles floor_alone()
{
    const TriMesh mesh = grid(2, 2, 10, 10);
    const std::vector<StaticObject> objects{{mesh.vertices, mesh.triangles}};
    return StaticTriangles(objects);
}

/// A valley along z: planes that rise from x = 0 at this angle on both sides, closed below by nothing.
StaticTriangles valley(double angle)
{
    const double c = 5 * std::cos(angle), s = 5 * std::sin(angle);
    const std::vector<Vec3> vertices{{0, 0, -5}, {0, 0, 5}, {c, s, -5}, {c, s, 5}, {-c, s, -5}, {-c, s, 5}};
    const std::vector<Triangle> triangles{{0, 1, 3}, {0, 3, 2}, {0, 4, 5}, {0, 5, 1}};
    const std::vector<StaticObject> objects{{vertices, triangles}};
    return StaticTriangles(objects);
}

ParticleMove moved(ParticleRule rule, const StaticTriangles& obstacles, const ParticleStep& step, double friction = 0,
                   int sweeps = 4)
{
    const std::vector<double> frictions(obstacles.object_count(), friction);
    SweepCounters counters;
    return respond(step, obstacles, {rule, kEps, sweeps, frictions}, counters);
}

// From (0, 1, 0) through the floor at (1, 0, 0) to (1.5, -0.5, 0), in 0.1 s.
const ParticleStep kFall{{0, 1, 0}, {1.5, -0.5, 0}, {15, -15, 0}, 0.1};

TEST(ParticleResponse, ThesisRulesAreTheirFormulas)
{
    const StaticTriangles floor = floor_alone();
    const ParticleMove a = moved(ParticleRule::thesis_a, floor, kFall);
    expect_near(a.position, {1 - kEps / std::sqrt(2), kEps / std::sqrt(2), 0}, 1e-14);
    const ParticleMove b = moved(ParticleRule::thesis_b, floor, kFall);
    expect_near(b.position, {1.5, kEps, 0}, 1e-14);
    const ParticleMove c = moved(ParticleRule::thesis_c, floor, kFall);
    expect_near(c.position, {1, kEps, 0}, 1e-14);
    for (const ParticleMove& move : {a, b, c}) {
        expect_near(move.velocity, (move.position - kFall.p0) / kFall.h, 1e-12);
        EXPECT_EQ(move.hits, 1);
        EXPECT_FALSE(move.stayed);
        EXPECT_NEAR(move.normal_loss + move.friction_loss, 0.5 * (norm2(kFall.v) - norm2(move.velocity)), 1e-10);
    }
    EXPECT_NEAR(b.friction_loss, 0, 1e-10);
    EXPECT_NEAR(c.friction_loss, 0.5 * (15 * 15 - 10 * 10), 1e-10);
}

TEST(ParticleResponse, CoulombLiesBetweenSlidingAndSticking)
{
    const StaticTriangles floor = floor_alone();
    expect_near(moved(ParticleRule::coulomb, floor, kFall, 0).position,
                moved(ParticleRule::thesis_b, floor, kFall).position, 1e-15);
    for (const double mu : {1.0, 7.0, kInfinity})  // all of the tangential part is lost from mu = 1 on
        expect_near(moved(ParticleRule::coulomb, floor, kFall, mu).position, {1 - kEps, kEps, 0}, 1e-15);
    EXPECT_LT(norm(moved(ParticleRule::coulomb, floor, kFall, kInfinity).position -
                   moved(ParticleRule::thesis_c, floor, kFall).position),
              1.01 * kEps);
    const ParticleMove half = moved(ParticleRule::coulomb, floor, kFall, 0.4);
    expect_near(half.position, {1 - kEps + 0.6 * (0.5 + kEps), kEps, 0}, 1e-14);
    expect_near(half.velocity, {15 - 0.4 * 15, 0, 0}, 1e-13);
    EXPECT_NEAR(half.normal_loss, 0.5 * 15 * 15, 1e-10);
    EXPECT_NEAR(half.friction_loss, 0.5 * (15 * 15 - 9 * 9), 1e-10);
    expect_near(moved(ParticleRule::coulomb, floor, kFall, kInfinity).velocity, {}, 1e-15);
}

TEST(ParticleResponse, VelocityIsLeftAloneUnlessItApproaches)
{
    EXPECT_EQ(velocity_after_hit({3, 1, 2}, {0, 1, 0}, 0.5), (Vec3{3, 1, 2}));
    EXPECT_EQ(velocity_after_hit({3, 0, 2}, {0, 1, 0}, kInfinity), (Vec3{3, 0, 2}));
    expect_near(velocity_after_hit({3, -2, 4}, {0, 1, 0}, 0.5), {3 * 0.8, 0, 4 * 0.8}, 1e-15);
    EXPECT_EQ(velocity_after_hit({3, -2, 4}, {0, 1, 0}, 2.5), Vec3{});
}

// One that rests nearer to the face than eps stays where it is; one that starts on the face is lifted a little.
TEST(ParticleResponse, CoulombLeavesRestingParticlesAtTheirHeight)
{
    const StaticTriangles floor = floor_alone();
    const ParticleStep rests{{0, 1e-5, 0}, {3e-4, -1e-4, 0}, {0.3, -0.11, 0}, 1e-3};
    expect_near(moved(ParticleRule::coulomb, floor, rests, 1).position, {3e-4 - 1.1e-4, 1e-5, 0}, 1e-17);
    expect_near(moved(ParticleRule::coulomb, floor, rests, 3).position, rests.p0, 1e-17);
    const ParticleStep touches{{0, 0, 0}, {0, -1e-4, 0}, {0, -0.1, 0}, 1e-3};
    const ParticleMove move = moved(ParticleRule::coulomb, floor, touches);
    EXPECT_NEAR(move.position.y, 1e-6 * kEps, 1e-20);
    EXPECT_EQ(move.hits, 1);
}

TEST(ParticleResponse, WorksFromBothSides)
{
    const StaticTriangles floor = floor_alone();
    for (const ParticleRule rule : kRules) {
        const ParticleMove above = moved(rule, floor, {{0.1, 1, 0.2}, {0.1, -1, 0.2}, {0, -20, 0}, 0.1});
        const ParticleMove below = moved(rule, floor, {{0.1, -1, 0.2}, {0.1, 1, 0.2}, {0, 20, 0}, 0.1});
        EXPECT_NEAR(above.position.y, kEps, 1e-15);
        EXPECT_NEAR(below.position.y, -kEps, 1e-15);
    }
}

TEST(ParticleResponse, MovesAsProposedWhereNothingIsHit)
{
    const StaticTriangles floor = floor_alone();
    for (const ParticleRule rule : kRules) {
        const ParticleMove move = moved(rule, floor, {{0, 1, 0}, {1, 0.5, 0}, {1, 2, 3}, 0.1}, 0.5);
        EXPECT_EQ(move.position, (Vec3{1, 0.5, 0}));
        EXPECT_EQ(move.velocity, (Vec3{1, 2, 3}));
        EXPECT_EQ(move.hits, 0);
        EXPECT_EQ(move.normal_loss, 0);
    }
}

// A block on a slope of 30 degrees, released: tan 30 = 0.577. With mu = 0.7 it stays, with mu = 0.3 it slides
// with g (sin - mu cos), with mu = 0 with g sin.
TEST(ParticleResponse, CoulombFrictionHoldsAndSlidesOnASlope)
{
    const double angle = std::numbers::pi / 6, g = 9.81, h = 1e-3, duration = 0.5;
    const StaticTriangles slopes = valley(angle);
    for (const double mu : {0.0, 0.3, 0.7}) {
        const Vec3 down{-std::cos(angle), -std::sin(angle), 0}, normal{-std::sin(angle), std::cos(angle), 0};
        Vec3 p = Vec3{3.0 * std::cos(angle), 3.0 * std::sin(angle), 0.1} + normal * kEps, v;
        const Vec3 start = p;
        for (int step = 0; step < std::lround(duration / h); ++step) {
            v.y -= g * h;
            const ParticleMove move = moved(ParticleRule::coulomb, slopes, {p, p + v * h, v, h}, mu);
            p = move.position, v = move.velocity;
        }
        const double a = std::max(0.0, g * (std::sin(angle) - mu * std::cos(angle)));
        // Holding allows the one fall through eps.
        EXPECT_NEAR(dot(down, p - start), 0.5 * a * duration * duration, a == 0 ? kEps : 0.003) << mu;
        EXPECT_NEAR(dot(down, v), a * duration, a == 0 ? 1e-12 : 0.01);
        EXPECT_GT(dot(normal, p - start), -kEps) << "below the slope";
        EXPECT_LT(dot(normal, p - start), 1e-12) << "lifted";
    }
}

// Falls into valleys of every width: never behind a face, and sliding on along the crease rather than stopping.
TEST(ParticleResponse, StaysInACorner)
{
    for (const double degrees : {10.0, 30.0, 45.0, 60.0, 80.0, 88.0})
        for (const ParticleRule rule : kRules) {
            const double angle = degrees * std::numbers::pi / 180, h = 0.01;
            const StaticTriangles walls = valley(angle);
            Vec3 p{0.01 * std::cos(angle), 1, -2}, v{0.3, -3, 2};
            for (int step = 0; step < 200; ++step) {
                v.y -= 9.81 * h;
                const ParticleMove move = moved(rule, walls, {p, p + v * h, v, h}, 0);
                p = move.position, v = move.velocity;
                if (std::abs(p.z) > 4.9) break;
                const double depth = p.y * std::cos(angle) - std::abs(p.x) * std::sin(angle);
                ASSERT_GT(depth, 0) << degrees << " degrees, rule " << static_cast<int>(rule) << ", step " << step;
            }
            if (rule == ParticleRule::coulomb) {
                EXPECT_NEAR(v.z, 2, 1e-9) << degrees << " degrees";  // no friction: as fast along it as before
                EXPECT_GT(p.z, 1.9);
            }
            if (rule == ParticleRule::thesis_c) {  // sticks again and again
                EXPECT_LT(p.z, 1);
            }
        }
}

// The thesis sweeps once: the correction from one face goes through the other.
TEST(ParticleResponse, OneSweepAloneFailsInACorner)
{
    const StaticTriangles walls = valley(std::numbers::pi / 3);
    const ParticleStep step{{0.02, 0.5, 0}, {1, -1, 0}, {98, -150, 0}, 0.01};
    const auto depth = [](const Vec3& p) { return p.y * 0.5 - std::abs(p.x) * std::sin(std::numbers::pi / 3); };
    EXPECT_LT(depth(moved(ParticleRule::thesis_b, walls, step, 0, 1).position), 0);
    EXPECT_GT(depth(moved(ParticleRule::thesis_b, walls, step, 0, 4).position), 0);
    SweepCounters counters;
    respond(step, walls, {ParticleRule::thesis_b, kEps, 1, {}}, counters);
    EXPECT_EQ(counters.segments, 1);
}

// Particles shaken wildly in a closed box and inside a torus stay in, and those outside stay out.
TEST(ParticleResponse, NothingPassesAClosedSurface)
{
    std::mt19937 random(5);
    for (const bool round : {false, true}) {
        const TriMesh mesh = round ? torus(1, 0.4, 24, 12) : box({1, 1, 1}, {2, 2, 2});
        const std::vector<StaticObject> objects{{mesh.vertices, mesh.triangles}};
        const StaticTriangles obstacles(objects, {.octree = {.height = 5}});
        const SurfaceTree inside_test(mesh);
        for (const ParticleRule rule : kRules)
            for (int particle = 0; particle < 40; ++particle) {
                Vec3 p = particle % 2 == 0 ? Vec3{round ? 1.0 : 0.1, 0.02, 0.03} : Vec3{1.6, 0.1, 0.2};
                const bool was_inside = inside_test.encloses(p);
                ASSERT_EQ(was_inside, particle % 2 == 0);
                const double mu = particle % 3 == 0 ? 0 : 0.4;
                for (int step = 0; step < 100; ++step) {
                    // Pulled towards the middle when outside, so that most ways hit.
                    const Vec3 pull = was_inside ? Vec3{} : p * -0.5;
                    const Vec3 way = random_in_cube(random, step % 4 == 0 ? 2 : 0.1) + pull;
                    p = moved(rule, obstacles, {p, p + way, way / 0.01, 0.01}, mu).position;
                }
                ASSERT_EQ(inside_test.encloses(p), was_inside) << static_cast<int>(rule) << " " << particle;
            }
    }
}

TEST(ParticleResponse, ReportsNumbersThatAreNotFinite)
{
    const StaticTriangles floor = floor_alone();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const ParticleStep& step :
         {ParticleStep{{0, 1, 0}, {0, nan, 0}, {}, 0.1}, ParticleStep{{nan, 1, 0}, {0, -1, 0}, {}, 0.1},
          ParticleStep{{0, 1, 0}, {0, -kInfinity, 0}, {}, 0.1},
          ParticleStep{{0, 1, 0}, {0, -1, 0}, {nan, 0, 0}, 0.1}}) {
        const ParticleMove move = moved(ParticleRule::coulomb, floor, step);
        EXPECT_FALSE(move.finite);
        EXPECT_EQ(move.hits, 0);
    }
}

/// Many particles above and in a box that stands on a floor.
struct Crowd {
    std::vector<Vec3> x_before, x, v, impulse;
    std::vector<double> mass;
    std::vector<std::uint8_t> held;

    explicit Crowd(std::size_t count) : impulse(count), held(count)
    {
        std::mt19937 random(9);
        std::uniform_real_distribution<double> kilograms(0.1, 2);
        for (std::size_t i = 0; i < count; ++i) {
            x_before.push_back(random_in_cube(random, 1) + Vec3{0, 1.2, 0});
            v.push_back(random_in_cube(random, 40));
            x.push_back(x_before.back() + v.back() * 0.01);
            mass.push_back(kilograms(random));
        }
    }
    SweptParticles all() { return {x, v, x_before, mass, held, impulse, 0, static_cast<std::int32_t>(x.size())}; }
};

StaticTriangles box_on_floor(TriangleSearch search = TriangleSearch::octree_per_object)
{
    const TriMesh floor = grid(2, 2, 10, 10);
    TriMesh block = box({1, 1, 1}, {3, 3, 3});
    for (Vec3& vertex : block.vertices) vertex.y += 0.501;
    const std::vector<StaticObject> objects{{floor.vertices, floor.triangles}, {block.vertices, block.triangles}};
    return StaticTriangles(objects, {.search = search, .octree = {.height = 6}});
}

TEST(SweepParticles, GivesTheSameBitsForAnyThreadCountAndSearch)
{
    const std::vector<double> friction{0.3, 0.6};
    const ParticleResponseOptions options{.friction = friction};
    std::vector<Crowd> crowds;
    std::vector<ParticleSweep> sweeps;
    const int before = thread_count();
    for (const int threads : {1, 2, 5})
        for (const auto search : {TriangleSearch::octree_per_object, TriangleSearch::brute_force}) {
            set_thread_count(threads);
            crowds.emplace_back(3000);
            sweeps.push_back(sweep_particles(crowds.back().all(), 0.01, box_on_floor(search), options));
        }
    set_thread_count(before);
    EXPECT_GT(sweeps[0].corrected, 300);
    for (std::size_t i = 1; i < crowds.size(); ++i) {
        EXPECT_EQ(crowds[i].x, crowds[0].x);
        EXPECT_EQ(crowds[i].v, crowds[0].v);
        EXPECT_EQ(crowds[i].impulse, crowds[0].impulse);
        EXPECT_EQ(sweeps[i].normal_loss, sweeps[0].normal_loss);
        EXPECT_EQ(sweeps[i].friction_loss, sweeps[0].friction_loss);
        EXPECT_EQ(sweeps[i].shift, sweeps[0].shift);
        EXPECT_EQ(sweeps[i].counters, sweeps[i % 2].counters);
    }
    EXPECT_EQ(sweeps[1].counters.checks, sweeps[1].counters.segments * (2 + 108));
}

TEST(SweepParticles, BooksWhatItTakes)
{
    const std::vector<double> friction{0.3, 0.6};
    for (const ParticleRule rule : kRules) {
        Crowd crowd(2000);
        const Crowd old = crowd;
        const ParticleSweep sweep =
            sweep_particles(crowd.all(), 0.01, box_on_floor(), {.rule = rule, .friction = friction});
        double lost = 0;
        std::int64_t changed = 0;
        Vec3 shift;
        for (std::size_t i = 0; i < crowd.x.size(); ++i) {
            lost += 0.5 * crowd.mass[i] * (norm2(old.v[i]) - norm2(crowd.v[i]));
            shift += (crowd.x[i] - old.x[i]) * crowd.mass[i];
            if (crowd.x[i] != old.x[i]) ++changed;
            ASSERT_LT(norm(crowd.impulse[i] - (crowd.v[i] - old.v[i]) * crowd.mass[i]), 1e-12);
        }
        EXPECT_EQ(sweep.corrected, changed);
        EXPECT_GE(sweep.counters.hits, changed);
        EXPECT_NEAR(sweep.normal_loss + sweep.friction_loss, lost, 1e-9 * std::abs(lost));
        EXPECT_GT(sweep.friction_loss, rule == ParticleRule::thesis_b ? -1e-6 * lost : 0.01 * lost);
        EXPECT_LT(norm(sweep.shift - shift), 1e-12 * norm(shift));
    }
}

TEST(SweepParticles, LeavesHeldOnesAndOthersAlone)
{
    Crowd crowd(64);
    for (std::size_t i = 0; i < 64; ++i) {
        crowd.x_before[i] = {2, 0.1, 0}, crowd.x[i] = {2.2, -0.1, 0}, crowd.v[i] = {20, -20, 0};
        crowd.held[i] = i % 3 == 0 ? 7 : i % 3 == 1 ? 1 : 0;
    }
    SweptParticles some = crowd.all();
    some.first = 10, some.count = 30;
    const std::vector<double> friction{kInfinity, 0};
    const ParticleSweep sweep = sweep_particles(some, 0.01, box_on_floor(), {.friction = friction});
    EXPECT_EQ(sweep.corrected, 20);
    EXPECT_EQ(sweep.counters.segments, 40);  // each is swept again after its hit
    for (std::size_t i = 0; i < 64; ++i) {
        const bool is_looked_at = i >= 10 && i < 40 && i % 3 != 0;
        ASSERT_NEAR(crowd.x[i].y, is_looked_at ? kEps : -0.1, 1e-15);
        ASSERT_NEAR(crowd.x[i].x, is_looked_at && i % 3 == 2 ? 2.1 - kEps : 2.2, 1e-14) << i;
        ASSERT_EQ(crowd.v[i].x, is_looked_at && i % 3 == 2 ? 0 : 20);
    }
    EXPECT_NEAR(
        sweep.normal_loss + sweep.friction_loss,
        0.5 * 400 *
            [&] {
                double sum = 0;  // all of it where x is free, half where it is held
                for (std::size_t i = 10; i < 40; ++i) sum += crowd.mass[i] * (i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : 2);
                return sum;
            }(),
        1e-9);
}

TEST(SweepParticles, ReportsTheFirstThatIsNotFinite)
{
    Crowd crowd(1000);
    crowd.x[700].y = std::numeric_limits<double>::quiet_NaN();
    crowd.v[300].z = kInfinity;
    const Vec3 proposed = crowd.x[300];
    const ParticleSweep sweep = sweep_particles(crowd.all(), 0.01, box_on_floor(), {});
    EXPECT_EQ(sweep.not_finite, 2);
    EXPECT_EQ(sweep.first_bad, 300);
    EXPECT_EQ(crowd.x[300], proposed);
    EXPECT_TRUE(std::isfinite(sweep.normal_loss));
}

TEST(SweepParticles, TakesNothing)
{
    const ParticleSweep sweep = sweep_particles({}, 0.01, floor_alone(), {});
    EXPECT_EQ(sweep.corrected, 0);
    EXPECT_EQ(sweep.first_bad, -1);
}

}  // namespace
}  // namespace pliant
