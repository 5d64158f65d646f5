// SPDX-License-Identifier: MIT

// Bound points, and the state as hash and bytes.

#include <gtest/gtest.h>

#include <functional>

#include <pliant/base/error.h>
#include <pliant/model/points.h>

#include "energy/derivatives.h"
#include "world/small_scenes.h"

namespace pliant {
namespace {

TEST(BoundPoints, FollowTheirFrameRigidly)
{
    World world = test::world_of(test::kSmallBox);
    const Model& m = *world.model;
    State& s = world.state;
    std::mt19937 random(1);
    const Mat3 R = test::random_rotation(random);
    const Vec3 centre{1, 2, 3}, w{0.2, -1, 2}, u{4, 5, 6};
    const std::int32_t node = m.frame_node(0);
    s.x[node] = centre, s.v[node] = u;
    for (int k = 0; k < 3; ++k) s.x[node + 1 + k] = column(R, k), s.v[node + 1 + k] = cross(w, column(R, k));
    place_bound_points(s.x, s.v, m);
    for (std::size_t b = 0; b < m.bound.size(); ++b) {
        if (m.bound[b].frame != 0) continue;
        const std::size_t p = m.node_count() + b;
        EXPECT_LT(norm(s.x[p] - (centre + R * m.bound[b].X)), 1e-14);
        EXPECT_LT(norm(s.v[p] - (u + cross(w, R * m.bound[b].X))), 1e-14);
    }
}

TEST(BoundPoints, ForcesOnThemDoTheSameWorkOnTheirFrame)
{
    World world = test::world_of(test::kSmallBox);
    const Model& m = *world.model;
    std::mt19937 random(2);
    std::vector<Vec3> x(m.point_count()), v(m.point_count()), force(m.point_count());
    for (std::int32_t i = 0; i < m.node_count(); ++i)
        x[i] = test::random_vector(random, 1), v[i] = test::random_vector(random, 1);
    place_bound_points(x, v, m);
    double power = 0, on_nodes = 0;
    for (std::int32_t i = m.node_count(); i < m.point_count(); ++i)
        force[i] = test::random_vector(random, 1), power += dot(force[i], v[i]);
    gather_bound_forces(force, m);
    for (std::int32_t i = 0; i < m.node_count(); ++i) on_nodes += dot(force[i], v[i]);
    EXPECT_NEAR(on_nodes, power, 1e-12 * static_cast<double>(m.bound.size()));
}

// Calls f with every scalar of the state, one after the other, as a way to change it.
struct EveryScalar {
    std::vector<std::pair<std::string, std::function<void()>>>& changes;

    void note(const std::string& what, std::function<void()> change) const { changes.emplace_back(what, change); }
    void operator()(double& value) const
    {
        note("double", [&value] { value = std::nextafter(value, 1e300); });
    }
    void operator()(std::int64_t& value) const
    {
        note("int64", [&value] { ++value; });
    }
    void operator()(std::int32_t& value) const
    {
        note("int32", [&value] { ++value; });
    }
    void operator()(std::uint8_t& value) const
    {
        note("byte", [&value] { value ^= 1; });
    }
    void operator()(bool& value) const
    {
        note("switch", [&value] { value = !value; });
    }
    void operator()(Vec3& value) const
    {
        note("vector", [&value] { value.z = std::nextafter(value.z, 1e300); });
    }
    void operator()(AutoCount& value) const { (*this)(value.value); }
    template <NamedEnum T>
    void operator()(T& value) const
    {
        note("name", [&value] { value = static_cast<T>(static_cast<int>(value) ^ 1); });
    }
    template <Described T>
    void operator()(T& value) const
    {
        describe([this](const Field&, auto& member) { (*this)(member); }, value);
    }
    void operator()(Energy& value) const
    {
        std::visit([this](auto& energy) { (*this)(energy); }, value);
    }
    void operator()(Touch& touch) const
    {
        note("key", [&touch] { ++touch.key; });
        (*this)(touch.node[3]), (*this)(touch.weight[3]), (*this)(touch.normal), (*this)(touch.force);
        (*this)(touch.slip), (*this)(touch.side);
    }
    void operator()(Grip& grip) const
    {
        (*this)(grip.hand), (*this)(grip.point), (*this)(grip.is_held), (*this)(grip.start), (*this)(grip.place);
        (*this)(grip.force), (*this)(grip.k), (*this)(grip.d);
    }
    template <class T>
    void operator()(std::vector<T>& values) const
    {
        if (values.empty()) return;
        (*this)(values.front());
        if (values.size() > 1) (*this)(values.back());
    }
};

TEST(State, HashChangesWithTheLastBitOfAnyMember)
{
    World world = test::world_of(test::kSmallBox);
    step(world, 0.01);
    world.state.touches.emplace_back();
    world.state.grips.emplace_back();
    const std::uint64_t before = hash(world.state);
    std::vector<std::pair<std::string, std::function<void()>>> changes;
    visit_state(world.state, EveryScalar{changes});
    ASSERT_GT(changes.size(), 60u);
    const State kept = world.state;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        changes[i].second();
        EXPECT_NE(hash(world.state), before) << "member " << i << ", a " << changes[i].first;
        world.state = kept;
    }
    EXPECT_EQ(hash(world.state), before);
}

// What moves leaves it alone, whatever is changed about a material does not.
TEST(State, HashOfMaterialsChangesWithParametersAndInnerVariablesAlone)
{
    World world = test::world_of(test::kSmallBox);
    world.state.inner = {1.0, 2.0};
    const std::uint64_t before = hash_of_materials(world.state);
    step(world, 0.01);
    EXPECT_EQ(hash_of_materials(world.state), before);
    std::get<Spring>(world.state.live[0]).k_s *= 1.0000001;
    EXPECT_NE(hash_of_materials(world.state), before);
    std::get<Spring>(world.state.live[0]).k_s /= 1.0000001;
    world.state.inner[1] = 3;
    EXPECT_NE(hash_of_materials(world.state), before);
}

TEST(State, VisitsEveryMember)
{
    // A member added to State and forgotten in visit_state leaves a gap: no member needs padding.
    std::size_t visited = 0;
    const State state;
    visit_state(state, [&](const auto& member) { visited += sizeof(member); });
    EXPECT_EQ(visited, sizeof(State));
}

TEST(State, SavedBytesLoadBackToTheSameHash)
{
    for (const auto scene : {test::kSmallBox, test::kSoftBall}) {
        World world = test::world_of(scene);
        step(world, 0.05);
        const auto bytes = save(world.state, world.model->id);
        World other = test::world_of(scene);
        ASSERT_NE(hash(other.state), hash(world.state));
        load(other.state, bytes, other.model->id);
        EXPECT_EQ(hash(other.state), hash(world.state));
        EXPECT_EQ(save(other.state, other.model->id), bytes);
    }
}

TEST(State, RefusesBytesThatAreForeignOrCutShort)
{
    World world = test::world_of(test::kSmallBox), other = test::world_of(test::kSoftBall);
    step(world, 0.01);
    const auto bytes = save(world.state, world.model->id);
    const std::uint64_t before = hash(other.state);
    EXPECT_THROW(load(other.state, bytes, other.model->id), Error);
    EXPECT_THROW(load(other.state, bytes, world.model->id), Error);  // even under a wrong name: sizes differ
    EXPECT_EQ(hash(other.state), before);
    World same = test::world_of(test::kSmallBox);
    const std::uint64_t fresh = hash(same.state);
    for (std::size_t length = 0; length < bytes.size(); length += length < 200 ? 1 : 97) {
        EXPECT_THROW(load(same.state, std::span(bytes).first(length), same.model->id), Error) << length;
        ASSERT_EQ(hash(same.state), fresh) << "a refused snapshot must not leave traces";
    }
    EXPECT_THROW(load(same.state, {}, same.model->id), Error);
}

TEST(State, RefusesBytesAfterTheEnd)
{
    World world = test::world_of(test::kPendulum);
    auto bytes = save(world.state, world.model->id);
    bytes.push_back(std::byte{1});
    EXPECT_THROW(load(world.state, bytes, world.model->id), Error);
}

}  // namespace
}  // namespace pliant
