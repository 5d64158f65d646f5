// SPDX-License-Identifier: MIT

// Terms of response barrier: the energy of a distance, its gradient over all contacts, one contact a place, friction that
// sticks and slides.

#include <pliant/response/barrier.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "response/barrier_probe.h"

namespace pliant {
namespace {

using test::BarrierProbe, test::box_body, test::grid_mesh, test::random_vector, test::scene_of, test::sheet,
    test::triangle_mesh;

// ---- energy of a distance -------------------------------------------------------------------------------------------

constexpr double kThickness = 0.01, kK = 30;

BarrierForce at(double distance)
{
    return barrier_force(distance, kThickness, kK);
}

TEST(BarrierForce, IsNothingBeyondTheThickness)
{
    for (const double d : {kThickness, 1.001 * kThickness, 1.0}) {
        EXPECT_EQ(at(d).energy, 0);
        EXPECT_EQ(at(d).lambda, 0);
        EXPECT_EQ(at(d).curvature, 0);
    }
}

TEST(BarrierForce, AndItsSlopeBeginContinuously)
{
    const BarrierForce inside = at(kThickness * (1 - 1e-9));
    EXPECT_NEAR(inside.energy, 0, 1e-17 * kK);
    EXPECT_NEAR(inside.lambda, 0, 1.01e-9 * kK * kThickness);
}

TEST(BarrierForce, PassesToItsSteepPartWithValueSlopeAndCurvature)
{
    const double middle = 0.5 * kThickness;
    const BarrierForce above = at(middle), below = at(middle * (1 - 1e-12));
    EXPECT_NEAR(below.energy, above.energy, 1e-10 * above.energy);
    EXPECT_NEAR(below.lambda, above.lambda, 1e-10 * above.lambda);
    EXPECT_NEAR(below.curvature, above.curvature, 1e-10 * above.curvature);
    EXPECT_NEAR(above.lambda, 0.5 * kK * kThickness, 1e-12 * kK * kThickness);
}

TEST(BarrierForce, HasTheDerivativesOfItsEnergy)
{
    for (const double share : {1e-6, 1e-3, 0.1, 0.3, 0.49, 0.51, 0.7, 0.99}) {
        const double d = share * kThickness, e = 1e-4 * d;
        const BarrierForce here = at(d), more = at(d + e), less = at(d - e);
        EXPECT_NEAR((less.energy - more.energy) / (2 * e), here.lambda, 1e-6 * here.lambda + 1e-4 * e * here.curvature)
            << share;
        EXPECT_NEAR((less.lambda - more.lambda) / (2 * e), here.curvature, 1e-6 * here.curvature) << share;
    }
}

TEST(BarrierForce, GrowsWithoutBoundAsTheGapCloses)
{
    BarrierForce last = at(kThickness);
    for (double d = 0.99 * kThickness; d > 1e-100; d *= 0.7) {
        const BarrierForce here = at(d);
        ASSERT_TRUE(std::isfinite(here.energy) && std::isfinite(here.lambda)) << d;
        ASSERT_GT(here.energy, last.energy) << d;
        ASSERT_GT(here.lambda, last.lambda) << d;
        ASSERT_GE(here.curvature, last.curvature) << d;
        last = here;
    }
    EXPECT_GT(last.energy, 100 * kK * kThickness * kThickness);
    EXPECT_GT(last.lambda, 1e150);
}

// ---- scenes ---------------------------------------------------------------------------------------------------------

double energy_at(BarrierProbe& probe, std::span<const Vec3> x)
{
    probe.contacts().evaluate(x);
    return probe.contacts().energy();
}

// Two icosahedra, two boxes and a plane within their thickness of each other here and there. All vertices of an icosahedron
// have the same mass, so the stiffness of a contact does not depend on where its nearest points are.
std::string crowd()
{
    const auto ball = [](const std::string& name, const Vec3& place) {
        return sheet(name, R"({ "icosphere": 0, "radius": 0.1 })", place);
    };
    return scene_of(ball("a", {}) + ", " + ball("b", {0.013, 0.183, 0.007}) + ", " +
                        box_body("box", {0.148, 0.02, 0.01}) + ", " + box_body("other", {0.16, 0.095, 0.01}),
                    R"("floor": { "plane": [0, 1, 0, -0.105] })");
}

// Moves everything a little by chance, along a way that crosses nothing.
void shake(BarrierProbe& probe, double size, std::mt19937& random)
{
    std::vector<Vec3> x = probe.x();
    for (std::int32_t i = 0; i < probe.model().free_count; ++i) x[i] += random_vector(random, size);
    for (const Body& body : probe.model().bodies)
        if (body.kind == BodyKind::rigid)
            probe.move_frame(x, body.frame, random_vector(random, size), random_vector(random, 10 * size));
    probe.follow_frames(x);
    probe.contacts().make_safe(probe.x(), x);
    std::array<Vec3, 4> unused{};
    for (const Body& body : probe.model().bodies)
        if (body.is_rigid())
            make_rigid(FrameNodes(&x[static_cast<std::size_t>(probe.model().frame_node(body.frame))], 4), unused);
    probe.follow_frames(x);
    probe.x() = x;
    probe.place();
}

// ---- gradient -------------------------------------------------------------------------------------------------------

struct Gradient {
    std::vector<Vec3> vertex;        // #free
    std::vector<Vec3> centre, turn;  // #frames
};

Gradient forces_of(BarrierProbe& probe)
{
    Gradient sum;
    sum.vertex.resize(static_cast<std::size_t>(probe.model().free_count));
    sum.centre.resize(static_cast<std::size_t>(probe.model().frame_count)), sum.turn = sum.centre;
    for (const BarrierRow& row : probe.contacts().rows()) {
        for (std::size_t k = 0; k < 4; ++k)
            if (row.at.vertex[k] >= 0)
                sum.vertex[static_cast<std::size_t>(row.at.vertex[k])] += row.force * row.at.weight[k];
        for (std::size_t s = 0; s < 2; ++s)
            if (row.at.frame[s] >= 0) {
                sum.centre[static_cast<std::size_t>(row.at.frame[s])] += row.force * row.at.share[s];
                sum.turn[static_cast<std::size_t>(row.at.frame[s])] += cross(row.at.arm[s], row.force);
            }
    }
    return sum;
}

class Gradients : public testing::TestWithParam<unsigned> {
protected:
    void SetUp() override
    {
        std::mt19937 random(GetParam());
        probe.contacts().begin_step(probe.state(), 1.0 / 60);
        shake(probe, 0.002, random);
        probe.contacts().begin_step(probe.state(), 1.0 / 60);
        probe.contacts().evaluate(probe.x());
        forces = forces_of(probe);
        for (const BarrierRow& row : probe.contacts().rows()) scale = std::max(scale, norm(row.force));
    }
    // Closest points jump where contacts come and go; within 1e-7 m of a shaken place that hardly happens.
    static constexpr double kStep = 1e-8;

    BarrierProbe probe{crowd()};
    Gradient forces;
    double scale = 0;
};

TEST_P(Gradients, OfVerticesAreTheDifferencesOfTheEnergy)
{
    ASSERT_GT(probe.contacts().rows().size(), 5U);
    for (std::int32_t i = 0; i < probe.model().free_count; ++i)
        for (int k = 0; k < 3; ++k) {
            std::vector<Vec3> more = probe.x(), less = probe.x();
            more[i][k] += kStep, less[i][k] -= kStep;
            const double slope = (energy_at(probe, less) - energy_at(probe, more)) / (2 * kStep);
            EXPECT_NEAR(forces.vertex[static_cast<std::size_t>(i)][k], slope, 2e-4 * scale) << i << " " << k;
        }
}

TEST_P(Gradients, OfRigidBodiesAreTheDifferencesByCentreAndTurn)
{
    for (const Body& body : probe.model().bodies) {
        if (body.kind != BodyKind::rigid) continue;
        for (int k = 0; k < 6; ++k) {
            Vec3 way, turn;
            (k < 3 ? way : turn)[k % 3] = kStep;
            std::vector<Vec3> more = probe.x(), less = probe.x();
            probe.move_frame(more, body.frame, way, turn), probe.move_frame(less, body.frame, -way, -turn);
            probe.follow_frames(more), probe.follow_frames(less);
            const double slope = (energy_at(probe, less) - energy_at(probe, more)) / (2 * kStep);
            const auto f = static_cast<std::size_t>(body.frame);
            EXPECT_NEAR((k < 3 ? forces.centre : forces.turn)[f][k % 3], slope, 2e-4 * scale) << body.name << " " << k;
        }
    }
}

TEST_P(Gradients, StiffnessIsPositiveAndSymmetric)
{
    for (const BarrierRow& row : probe.contacts().rows()) {
        std::vector<std::vector<double>> matrix(3, std::vector<double>(3));
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                matrix[i][j] = row.stiffness.m[i][j];
                EXPECT_NEAR(row.stiffness.m[i][j], row.stiffness.m[j][i], 1e-12 * row.stiffness.m[i][i] + 1e-9);
            }
        const auto values = test::eigenvalues(matrix);
        EXPECT_GT(values.back(), 0);
        EXPECT_GE(values.front(), -1e-12 * values.back());
    }
}

INSTANTIATE_TEST_SUITE_P(Barrier, Gradients, testing::Range(1U, 6U));

// Nothing but bodies that are free: no plane takes anything.
TEST(BarrierRows, GiveNoForceAndNoTorqueInAll)
{
    BarrierProbe probe(scene_of(
        sheet("a", grid_mesh(5, 0.2), {}, 0.5) + ", " + sheet("b", grid_mesh(4, 0.17), {0.013, 0.013, 0.007}, 0.5) +
        ", " + box_body("box", {0.01, 0.055, 0.01}, 0.5) + ", " + box_body("other", {0.03, 0.129, 0.03}, 0.5)));
    std::mt19937 random(3);
    probe.contacts().begin_step(probe.state(), 1.0 / 60);
    shake(probe, 0.002, random);
    const Gradient sum =
        (probe.contacts().begin_step(probe.state(), 1.0 / 60), probe.contacts().evaluate(probe.x()), forces_of(probe));
    Vec3 force, torque;
    double scale = 0;
    for (std::size_t i = 0; i < sum.vertex.size(); ++i) {
        force += sum.vertex[i], torque += cross(probe.x()[i], sum.vertex[i]);
        scale += norm(sum.vertex[i]);
    }
    for (std::size_t f = 0; f < sum.centre.size(); ++f) {
        const Vec3 centre = probe.x()[static_cast<std::size_t>(probe.model().frame_node(static_cast<std::int32_t>(f)))];
        force += sum.centre[f], torque += cross(centre, sum.centre[f]) + sum.turn[f];
    }
    ASSERT_GT(scale, 0);
    EXPECT_LT(norm(force), 1e-12 * scale);
    EXPECT_LT(norm(torque), 1e-12 * scale);
}

// ---- one contact a place --------------------------------------------------------------------------------------------

// A small triangle stands on its tip, 0.01 m above some place of what lies below; thickness 0.02 m.
class Places : public testing::Test {
protected:
    static std::string tip(const Vec3& place)
    {
        return sheet("tip", triangle_mesh({0, 0, 0}, {-0.05, 0.3, 0.01}, {0.05, 0.3, -0.01}), place + Vec3{0, 0.01, 0});
    }
    static std::size_t contacts_of(const std::string& below, const Vec3& place)
    {
        BarrierProbe probe(scene_of(tip(place) + ", " + below));
        probe.contacts().begin_step(probe.state(), 1.0 / 60);
        probe.contacts().evaluate(probe.x());
        for (const BarrierRow& row : probe.contacts().rows()) EXPECT_GT(norm(row.force), 0);
        return probe.contacts().rows().size();
    }
    const std::string flat = sheet("flat", grid_mesh(5, 0.4), {});
    // Six faces round a summit, steep enough that only the summit is near.
    const std::string hill =
        sheet("hill", R"({ "vertices": [[0, 0, 0], [0.1, -0.1, 0], [0.05, -0.1, 0.09], [-0.05, -0.1, 0.09],
        [-0.1, -0.1, 0], [-0.05, -0.1, -0.09], [0.05, -0.1, -0.09]],
        "triangles": [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 5, 4], [0, 6, 5], [0, 1, 6]] })",
              {});
    // A ridge along x.
    const std::string roof =
        sheet("roof", R"({ "vertices": [[-0.2, 0, 0], [0.2, 0, 0], [0, -0.15, 0.2], [0, -0.15, -0.2]],
        "triangles": [[0, 2, 1], [0, 1, 3]] })",
              {});
};

TEST_F(Places, OverTheMiddleOfAFaceCountsOnce)
{
    EXPECT_EQ(contacts_of(flat, {0.033, 0, 0.016}), 1U);
}

TEST_F(Places, OverAnEdgeOfAFlatSheetCountsOnce)
{
    EXPECT_EQ(contacts_of(flat, {0.05, 0, 0}), 1U) << "along an edge";
    EXPECT_EQ(contacts_of(flat, {0.05, 0, 0.05}), 1U) << "along a diagonal";
}

TEST_F(Places, OverAVertexOfAFlatSheetCountsOnce)
{
    EXPECT_EQ(contacts_of(flat, {0, 0, 0}), 1U);
    EXPECT_EQ(contacts_of(flat, {0.1, 0, 0.1}), 1U);
}

TEST_F(Places, OverTheRimOfASheetCountsOnce)
{
    EXPECT_EQ(contacts_of(flat, {0.203, 0, 0.03}), 1U) << "beside an edge";
    EXPECT_EQ(contacts_of(flat, {0.203, 0, 0.203}), 1U) << "beside a corner";
}

TEST_F(Places, OverARidgeOrASummitCountOnce)
{
    EXPECT_EQ(contacts_of(roof, {0.01, 0, 0}), 1U);
    EXPECT_EQ(contacts_of(hill, {0, 0, 0}), 1U);
    EXPECT_EQ(contacts_of(hill, {0.002, 0, 0.001}), 1U);
}

TEST_F(Places, WhereAnEdgeCrossesAnEdgeCountOnce)
{
    // A roof upside down, its ridge along z, 0.01 m above the other's.
    const std::string trough =
        sheet("trough", R"({ "vertices": [[0, 0.01, -0.2], [0, 0.01, 0.2], [0.2, 0.16, 0], [-0.2, 0.16, 0]],
        "triangles": [[0, 1, 2], [0, 3, 1]] })",
              {0.01, 0, 0.02});
    BarrierProbe probe(scene_of(trough + ", " + roof));
    probe.contacts().begin_step(probe.state(), 1.0 / 60);
    probe.contacts().evaluate(probe.x());
    EXPECT_EQ(probe.contacts().rows().size(), 1U);
}

// The end of one edge is just beyond the other: the vertex there is not the nearest place of its own sheet.
TEST_F(Places, WhereAnEdgeCrossesAnEdgeNearItsEndCountOnce)
{
    const std::string trough =
        sheet("trough", R"({ "vertices": [[0, 0.01, -0.2], [0, 0.01, 0.003], [0.2, 0.16, -0.1], [-0.2, 0.16, -0.1]],
        "triangles": [[0, 1, 2], [0, 3, 1]] })",
              {0.01, 0, 0});
    BarrierProbe probe(scene_of(trough + ", " + roof));
    probe.contacts().begin_step(probe.state(), 1.0 / 60);
    probe.contacts().evaluate(probe.x());
    EXPECT_EQ(probe.contacts().rows().size(), 1U);
}

// Beside the rim of what lies on it a vertex of a flat ground is no bump: it pushes up, not sideways.
TEST_F(Places, OfAFlatGroundPushUpwardsOnly)
{
    const std::string block =
        sheet("block", triangle_mesh({-0.1, 0.0075, -0.05}, {0.02, 0.0075, 0.11}, {0.1, 0.0075, -0.04}), {});
    BarrierProbe probe(scene_of(block, R"("ground": { "mesh": { "grid": [16, 16], "size": [1, 1] } })"));
    probe.contacts().begin_step(probe.state(), 1.0 / 60);
    probe.contacts().evaluate(probe.x());
    Vec3 sum;
    for (const BarrierRow& row : probe.contacts().rows())
        sum += row.force * (row.at.weight[0] + row.at.weight[1] + row.at.weight[2] + row.at.weight[3]);
    EXPECT_GT(sum.y, 0);
    EXPECT_LT(std::hypot(sum.x, sum.z), 1e-6 * sum.y);
}

// Somewhere between and around, whatever the place: the force hardly changes over a flat sheet.
TEST_F(Places, OfAFlatSheetAreAllAlike)
{
    std::mt19937 random(4);
    std::uniform_real_distribution<double> uniform(-0.18, 0.18);
    for (int i = 0; i < 40; ++i) {
        const Vec3 place{uniform(random), 0, uniform(random)};
        EXPECT_EQ(contacts_of(flat, place), 1U) << place.x << " " << place.z;
    }
}

// Over an edge two faces and several edges see the tip, and one of them counts. Those that stopped a way count as well until
// the step ends: what nobody pushes back would stop the next one too.
TEST_F(Places, ThatStoppedAWayCountByAllWhoDidUntilTheStepEnds)
{
    BarrierProbe probe(scene_of(tip({0.05, 0, 0}) + ", " + flat));
    probe.contacts().begin_step(probe.state(), 1.0 / 60);
    probe.contacts().evaluate(probe.x());
    EXPECT_EQ(probe.contacts().rows().size(), 1U);
    std::vector<Vec3> to = probe.x();
    for (std::int32_t i = 0; i < 3; ++i) to[i].y -= 0.1;
    EXPECT_LT(probe.contacts().make_safe(probe.x(), to), 0.1);
    probe.contacts().evaluate(to);
    EXPECT_GT(probe.contacts().rows().size(), 1U);
    probe.contacts().begin_step(probe.state(), 1.0 / 60);
    probe.contacts().evaluate(to);
    EXPECT_EQ(probe.contacts().rows().size(), 1U);
}

// ---- friction -------------------------------------------------------------------------------------------------------

// A triangle lies 1/4 of its thickness inside the reach of what is below; its vertices are moved by hand, step by step.
class Friction : public testing::TestWithParam<const char*> {
protected:
    static constexpr double kMu = 0.5;
    static constexpr double kGap = 0.0075;

    static std::string text(const std::string& ground)
    {
        const std::string block =
            sheet("block", triangle_mesh({-0.1, 0, -0.05}, {0.02, 0, 0.11}, {0.1, 0, -0.04}), {0, kGap, 0}, kMu);
        if (ground == "plane") return scene_of(block, R"("ground": { "plane": [0, 1, 0, 0], "friction": 1 })");
        if (ground == "box")
            return scene_of(block, R"("ground": { "box": [1, 0.2, 1], "position": [0, -0.1, 0], "friction": 1 })");
        return scene_of(block, R"("ground": { "mesh": { "grid": [4, 4], "size": [1, 1] }, "friction": 1 })");
    }

    // One step whose end is `way` from where it began; the sums of normal and tangential forces.
    struct Forces {
        double normal = 0;
        Vec3 tangent;
    };
    Forces step(const Vec3& way)
    {
        probe.contacts().begin_step(probe.state(), 1.0 / 60);
        State to = probe.state();
        for (std::int32_t i = 0; i < probe.model().free_count; ++i) to.x[i] += way;
        probe.contacts().evaluate(to.x);
        Forces sum;
        for (const BarrierRow& row : probe.contacts().rows()) {
            // On the block, whichever element it is.
            const Vec3 force = row.force * (row.at.weight[0] + row.at.weight[1] + row.at.weight[2] + row.at.weight[3]);
            sum.normal += force.y;
            sum.tangent += {force.x, 0, force.z};
        }
        probe.contacts().end_step(to, 0.01);
        probe.state() = to;
        return sum;
    }

    BarrierProbe probe{text(GetParam())};
};

TEST_P(Friction, GrowsWithTheOffsetBelowTheCone)
{
    const Forces first = step({1e-6, 0, 0}), second = step({1e-6, 0, 2e-6});
    ASSERT_GT(first.normal, 0);
    ASSERT_LT(norm(second.tangent), kMu * second.normal);
    EXPECT_LT(first.tangent.x, 0);
    EXPECT_NEAR(first.tangent.z, 0, 1e-12 * first.normal);
    EXPECT_NEAR(second.tangent.x, 2 * first.tangent.x, 1e-6 * std::abs(first.tangent.x));
    EXPECT_NEAR(second.tangent.z, 2 * first.tangent.x, 1e-6 * std::abs(first.tangent.x));
    // Back where it began there is none: nothing was lost, nothing crept.
    EXPECT_LT(norm(step({-2e-6, 0, -2e-6}).tangent), 1e-9 * first.normal);
    EXPECT_EQ(probe.state().ledger.friction, 0);
}

TEST_P(Friction, IsThatOfTheConeAboveIt)
{
    step({1e-6, 0, 0});
    for (int i = 0; i < 5; ++i) {
        const Forces sum = step({0.003, 0, 0.004});
        EXPECT_NEAR(norm(sum.tangent), kMu * sum.normal, 1e-6 * sum.normal);
        EXPECT_NEAR(sum.tangent.x / norm(sum.tangent), -0.6, 1e-3);
    }
    EXPECT_GT(probe.state().ledger.friction, 0);
}

TEST_P(Friction, LeavesAnElasticWayOfATenthOfTheThicknessAtMost)
{
    const double most = kMu * 0.01 / 10;  // a pair has half the sum of both thicknesses
    for (int i = 0; i < 50; ++i) step({0.002, i % 10 == 9 ? -1e-4 : 0, 0});
    for (int back = 0; back < 2; ++back) {
        // The force turns round within twice that way.
        const Forces before = step({});
        const Forces after = step({back == 0 ? -2.1 * most : 2.1 * most, 0, 0});
        EXPECT_LT(before.tangent.x * after.tangent.x, 0);
        EXPECT_NEAR(std::abs(after.tangent.x), kMu * after.normal, 1e-6 * after.normal);
    }
    for (const Touch& touch : probe.state().touches) {
        if (touch.node[1] < 0) continue;  // anchors of planes are places
        EXPECT_LE(norm(touch.anchor), most * (1 + 1e-9) + kGap);
    }
}

// Forces that flicker from step to step do not open the cone; what is really let go, or pressed anew, does at once but for
// a half.
TEST_P(Friction, TakesTheForceOfTheStepBeforeWhereItWasOfTheSameSize)
{
    step({0.003, 0, 0});
    const Forces pressed = step({0.003, 0, 0}), lighter = step({0.003, 4e-4, 0});
    ASSERT_LT(lighter.normal, 0.9 * pressed.normal);
    ASSERT_GT(1.5 * lighter.normal, pressed.normal);
    EXPECT_NEAR(norm(lighter.tangent), kMu * pressed.normal, 1e-3 * pressed.normal);
    const Forces loose = step({0.003, 1.6e-3, 0});
    ASSERT_LT(1.5 * loose.normal, 0.9 * lighter.normal);
    EXPECT_NEAR(norm(loose.tangent), 1.5 * kMu * loose.normal, 1e-3 * loose.normal);
    const Forces again = step({0.003, 0, 0});
    EXPECT_NEAR(norm(again.tangent), kMu * again.normal, 1e-3 * again.normal);
}

TEST_P(Friction, BooksWhatItTakes)
{
    step({1e-6, 0, 0});
    step({0.01, 0, 0});
    const double before = probe.state().ledger.friction;
    const Forces sum = step({0.01, 0, 0});
    EXPECT_NEAR(probe.state().ledger.friction - before, norm(sum.tangent) * 0.01, 0.01 * norm(sum.tangent) * 0.01);
}

// Below the cone all along, from face to face: the anchor stays where it was.
TEST_P(Friction, KeepsItsAnchorFromFaceToFace)
{
    // The first vertex just beside the diagonal below it, so that the first move crosses it.
    probe.x()[0].z = probe.x()[0].x - 1e-7;
    probe.place();
    step({});
    Vec3 offset;
    const Forces unit = step({1e-6, 0, 0});
    offset.x += 1e-6;
    for (const Vec3& way : {Vec3{3e-6, 0, 0}, Vec3{0, 0, 2e-6}, Vec3{-5e-6, 0, -1e-6}, Vec3{1e-6, 0, -1e-6}}) {
        const Forces sum = step(way);
        offset += way;
        EXPECT_LT(norm(sum.tangent - offset * (unit.tangent.x / 1e-6)), 1e-5 * norm(unit.tangent));
    }
    EXPECT_LT(norm(offset), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Barrier, Friction, testing::Values("plane", "box", "mesh"),
                         [](const auto& ground) { return std::string(ground.param); });

}  // namespace
}  // namespace pliant
