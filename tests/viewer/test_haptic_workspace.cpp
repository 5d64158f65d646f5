// SPDX-License-Identifier: MIT

// The hand's space in the view, and what buttons do there.

#include "viewer/haptic_workspace.h"

#include "viewer/haptic_sample.h"

namespace pliant::viewer {
namespace {

const Vec3 kOmni{0.16, 0.12, 0.07};

Vec3 seen(const Mat4& matrix, const Vec3& p)
{
    double out[4];
    for (std::size_t row = 0; row < 4; ++row)
        out[row] = matrix[row] * p.x + matrix[4 + row] * p.y + matrix[8 + row] * p.z + matrix[12 + row];
    return Vec3{out[0], out[1], out[2]} / out[3];
}

TEST(HapticWorkspace, MovesOnTheScreenAsTheHandMoves)
{
    for (const double azimuth : {0.0, 1.0, -2.5})
        for (const double elevation : {-0.5, 0.0, 0.35, 1.5})
            for (const char up : {'y', 'z'}) {
                const Camera camera{
                    .target = {1, 2, 3}, .distance = 4, .azimuth = azimuth, .elevation = elevation, .up = up};
                const HapticMapping mapping = fit_workspace(camera, 1.5, kOmni);
                Bounds bounds;
                bounds.add(Vec3{0, 1, 2}), bounds.add(Vec3{2, 3, 4});
                const Mat4 picture = view_projection(camera, 1.5, bounds);
                const Vec3 middle = seen(picture, mapping.to_scene({}));
                const Vec3 right = seen(picture, mapping.to_scene({0.02, 0, 0}));
                const Vec3 above = seen(picture, mapping.to_scene({0, 0.02, 0}));
                const Vec3 near = seen(picture, mapping.to_scene({0, 0, 0.02}));
                EXPECT_NEAR(middle.x, 0, 1e-5);
                EXPECT_GT(right.x, middle.x + 0.05);
                EXPECT_NEAR(right.y, middle.y, 1e-5);
                EXPECT_GT(above.y, middle.y + 0.05);
                EXPECT_NEAR(above.x, middle.x, 1e-5);
                EXPECT_LT(near.z, middle.z);
                // The workspace's front at the target's depth is as large as the view lets it be.
                const Vec3 corner = seen(picture, mapping.to_scene({0.08, 0.06, 0}));
                EXPECT_NEAR(std::max(corner.x, corner.y), 1, 1e-4);
                const Vec3 anywhere{0.013, -0.04, 0.02};
                expect_near(mapping.to_hand(mapping.to_scene(anywhere)), anywhere, 1e-12);
                expect_near(seen(mapping.matrix(), anywhere), mapping.to_scene(anywhere), 1e-5);
                EXPECT_NEAR(norm(mapping.turned_to_hand({1, 2, 3})), norm(Vec3{1, 2, 3}), 1e-12);
            }
}

TEST(HapticCursor, IsTwentyPixelsWideWhereverItIs)
{
    const Camera camera{.target = {0, 0, 0}, .distance = 3};
    Bounds bounds;
    bounds.add(Vec3{-1, -1, -1}), bounds.add(Vec3{1, 1, 1});
    const Mat4 picture = view_projection(camera, 1.5, bounds);
    const HapticMapping mapping = fit_workspace(camera, 1.5, kOmni);
    for (const Vec3& at : {Vec3{}, Vec3{0.5, 0.2, -0.3}, Vec3{-0.4, -0.3, 0.8}}) {
        const double radius = cursor_radius(camera, at, 600);
        const Vec3 rise = column(mapping.axes, 1) * radius;
        EXPECT_NEAR((seen(picture, at + rise).y - seen(picture, at - rise).y) * 300, 20, 0.01);
    }
}

TEST(HapticHand, TurnsByWaysSinceThePressAndNeverJumps)
{
    HapticHand hand(sheet(2, 1).topology, {.turn = 10});
    EXPECT_FALSE(hand.see({.position = {0.05, 0.01, 0}}).has_turned);
    // Pressing, however far from the middle, turns nothing.
    EXPECT_FALSE(hand.see({.position = {0.06, 0.03, 0.02}, .buttons = kFirstButton}).has_turned);
    const HandDone right = hand.see({.position = {0.07, 0.03, 0.02}, .buttons = kFirstButton});
    EXPECT_TRUE(right.has_turned);
    expect_near(right.angles, {0, 0.1, 0}, 1e-12);
    expect_near(right.turn * Vec3{0, 0, 1}, {std::sin(0.1), 0, std::cos(0.1)}, 1e-12);
    expect_near(hand.see({.position = {0.07, 0.04, 0.02}, .buttons = kFirstButton}).angles, {0, 0, 0.1}, 1e-12);
    expect_near(hand.see({.position = {0.07, 0.04, 0.03}, .buttons = kFirstButton}).angles, {0.1, 0, 0}, 1e-12);
    EXPECT_FALSE(hand.see({.position = {0.08, 0.04, 0.03}}).has_turned);
    EXPECT_FALSE(hand.see({.position = {-0.08, 0, 0}, .buttons = kFirstButton}).has_turned);
    hand.set({.turn_by = TurnBy::trackball, .turn = 10});
    expect_near(hand.see({.position = {-0.08, 0.01, 0.02}, .buttons = kFirstButton}).angles, {-0.1, 0, 0.2}, 1e-12);
}

TEST(HapticHand, TurnsTheSceneAboutAxesOfTheView)
{
    const Camera camera{.azimuth = 1.2, .elevation = 0.3};
    const HapticMapping mapping = fit_workspace(camera, 1, kOmni);
    HapticHand hand(sheet(2, 1).topology, {.turn = 10});
    hand.see({.buttons = kFirstButton});
    const Mat3 turn = in_scene(hand.see({.position = {0.03, 0, 0}, .buttons = kFirstButton}).turn, mapping);
    const Vec3 rise = column(mapping.axes, 1), front = column(mapping.axes, 2);
    expect_near(turn * rise, rise, 1e-12);
    EXPECT_GT(dot(turn * front, column(mapping.axes, 0)), 0.29);
}

HandSeen touch(const TouchScene& scene, std::size_t triangle, std::int32_t nearest,
               std::uint32_t buttons = kSecondButton)
{
    return {.buttons = buttons, .is_touching = true, .points = scene.topology.triangles[triangle], .nearest = nearest};
}

TEST(HapticHand, PicksFacesIntoOneRegionAPress)
{
    const TouchScene scene = sheet(4, 1);
    HapticHand hand(scene.topology, {});
    EXPECT_FALSE(hand.see(touch(scene, 0, 0, 0)).has_picked);
    EXPECT_TRUE(hand.see(touch(scene, 0, 0)).has_picked);
    EXPECT_FALSE(hand.see(touch(scene, 0, 0)).has_picked);
    EXPECT_TRUE(hand.see(touch(scene, 1, 0)).has_picked);
    EXPECT_EQ(hand.picked(), (std::vector<std::int32_t>{0, 1, 5, 6}));
    EXPECT_EQ(hand.regions().size(), 1U);
    // In the air with the button down nothing happens; a second press begins a second region.
    HandSeen air = touch(scene, 9, 7);
    air.is_touching = false;
    EXPECT_FALSE(hand.see(air).has_picked);
    hand.see({});
    hand.see(touch(scene, 31, 24));
    ASSERT_EQ(hand.regions().size(), 2U);
    EXPECT_EQ(hand.regions()[1], (std::vector<std::int32_t>{18, 23, 24}));
    EXPECT_EQ(hand.picked().size(), 7U);
    hand.clear();
    EXPECT_TRUE(hand.picked().empty());
    hand.see(touch(scene, 31, 24));
    EXPECT_EQ(hand.picked().size(), 3U);
}

TEST(HapticHand, PicksTheNearestPointAndRingsAboutIt)
{
    const TouchScene scene = sheet(6, 1);
    const Neighbours neighbours(scene.topology);
    const std::int32_t middle = 24;
    EXPECT_EQ(neighbours.rings(middle, 0), (std::vector<std::int32_t>{24}));
    EXPECT_EQ(neighbours.rings(middle, 1), (std::vector<std::int32_t>{16, 17, 23, 24, 25, 31, 32}));
    EXPECT_EQ(neighbours.rings(middle, 2).size(), 19U);
    EXPECT_EQ(neighbours.rings(middle, 100).size(), 49U);
    HapticHand hand(scene.topology, {.pick_by = PickBy::rings, .rings = 2});
    hand.see(touch(scene, 0, middle));
    EXPECT_EQ(hand.picked(), neighbours.rings(middle, 2));
}

}  // namespace
}  // namespace pliant::viewer
