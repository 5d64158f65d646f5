// SPDX-License-Identifier: MIT

// Meshes of cloth and of what it is laid on, as a scene asks for them: sizes, placing, material coordinates.

#include <gtest/gtest.h>

#include <pliant/mesh/measure.h>
#include <pliant/mesh/shapes.h>
#include <pliant/world/builder.h>

namespace pliant {
namespace {

TriMesh mesh_of(const MeshSource& source)
{
    const Scene scene;
    Builder builder{scene};
    TriMesh mesh = make_mesh(builder, source, "/mesh");
    for (const Problem& problem : builder.problems) ADD_FAILURE() << to_string(problem);
    return mesh;
}

TEST(BuildMesh, MakesClothAsTheGeneratorsDo)
{
    const TriMesh disc_mesh = mesh_of({.disc = 5, .radius = 0.15, .inner_radius = 0.09});
    EXPECT_EQ(disc_mesh.vertices, disc(0.15, 5).vertices);
    EXPECT_EQ(disc_mesh.find_group("inner")->vertices.size(), 37u);
    const TriMesh shirt = mesh_of({.t_shirt = 12, .size = {0.5, 0.7}});
    EXPECT_EQ(shirt.vertices, t_shirt(0.5, 0.7, 12).vertices);
    EXPECT_EQ(shirt.uv, t_shirt(0.5, 0.7, 12).uv);
    const TriMesh crossed = mesh_of({.grid = {3, 3}, .size = {1, 1}, .diagonals = Diagonals::cross});
    EXPECT_EQ(crossed.triangles.size(), 16u);
    EXPECT_EQ(mesh_of({.grid = {3, 3}, .size = {1, 1}, .diagonals = Diagonals::alternating}).triangles,
              grid(3, 3, 1, 1, {.diagonals = GridDiagonals::alternating}).triangles);
}

TEST(BuildMesh, MakesPropsOfTheirSizes)
{
    const TriMesh desk = mesh_of({.table = {12, 4}, .size = {1.2, 0.75, 0.8}, .leg_radius = 0.03, .board = 0.05});
    const Vec3 size = bounding_box(desk.vertices).size();
    EXPECT_NEAR(size.x, 1.2, 1e-15);
    EXPECT_NEAR(size.y, 0.75, 1e-15);
    EXPECT_NEAR(size.z, 0.8, 1e-15);
    EXPECT_EQ(desk.vertices, table(1.2, 0.8, 0.75, {0.05, 0.03, 12, 4}).vertices);
    EXPECT_EQ(mesh_of({.bottle = {12, 16}, .radius = 0.04, .height = 0.3}).vertices,
              bottle(0.04, 0.3, 12, 16).vertices);
    EXPECT_EQ(mesh_of({.hare = 6, .height = 0.4}).vertices, hare(6, 0.4).vertices);
}

TEST(BuildMesh, MakesWhatTortureScenesNeed)
{
    EXPECT_EQ(mesh_of({.stairs = 4, .size = {2, 1.2, 1}}).vertices, stairs(4, 2, 1.2, 1).vertices);
    EXPECT_EQ(mesh_of({.funnel = {16, 12}, .radius = 0.2, .height = 0.3, .inner_radius = 0.05, .wall = 0.01}).vertices,
              funnel(0.2, 0.3, {.spout_radius = 0.05, .wall = 0.01, .segments = 16, .rings = 12}).vertices);
    EXPECT_EQ(mesh_of({.octopus = 24, .height = 0.3}).vertices, octopus(24, 0.3).vertices);
    const TriMesh strip = mesh_of({.knot_strip = {130, 3}, .size = {1.2, 0.015}, .diagonals = Diagonals::alternating});
    const TriMesh expected = knot_strip(1.2, 0.015, 130, 3, GridDiagonals::alternating);
    EXPECT_EQ(strip.vertices, expected.vertices);
    EXPECT_EQ(strip.triangles, expected.triangles);
    EXPECT_EQ(strip.uv, expected.uv);
    EXPECT_EQ(strip.find_group("last_end")->vertices, expected.find_group("last_end")->vertices);
}

TEST(BuildMesh, SaysWhereAGeneratorRefuses)
{
    const Scene scene;
    Builder builder{scene};
    const TriMesh mesh =
        make_mesh(builder, {.funnel = {16, 12}, .radius = 1, .height = 1, .wall = 0.5}, "/bodies/hopper/mesh");
    EXPECT_TRUE(mesh.vertices.empty());
    ASSERT_EQ(builder.problems.size(), 1u);
    EXPECT_EQ(builder.problems[0].where, "/bodies/hopper/mesh");
    EXPECT_NE(builder.problems[0].message.find("the wall is 0.5 thick"), std::string::npos);
}

TEST(BuildMesh, MaterialCoordinatesFollowTheScaleOnly)
{
    const TriMesh mesh = mesh_of({.grid = {3, 3},
                                  .size = {2, 1},
                                  .scale = 0.01,
                                  .rotate_axis = {1, 0, 0},
                                  .rotate_degrees = 90,
                                  .translate = {5, 6, 7}});
    EXPECT_EQ(mesh.uv.front(), (Uv{0, 0}));
    EXPECT_EQ(mesh.uv.back(), (Uv{0.02, 0.01}));
}

}  // namespace
}  // namespace pliant
