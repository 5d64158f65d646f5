// SPDX-License-Identifier: MIT

// Scenes of dpoSimulator become scenes that read without a problem and say what the folder said.

#include <gtest/gtest.h>

#include <pliant/base/json_write.h>
#include <pliant/scene/dpo_import.h>
#include <pliant/scene/scene_json.h>

namespace pliant {
namespace {

const std::string kSample = std::string(PLIANT_SOURCE) + "/tests/data/dpo_hanging";

Scene imported(const DpoScene& from, const DpoImportOptions& options = {})
{
    SceneRead read = parse_scene(to_text(import_dpo(from, "s", options).scene), "s.json");
    for (const Problem& problem : read.problems) ADD_FAILURE() << to_string(problem);
    return std::move(read.scene);
}

std::vector<std::string> changes_of(const InputScene& input)
{
    std::vector<std::string> changes;
    for (const InputValue& value : input.set) {
        std::string numbers;
        for (const double number : value.numbers) numbers += " " + std::to_string(number).substr(0, 4);
        changes.push_back(value.path + numbers);
    }
    return changes;
}

TEST(DpoImport, WorldIsThatOfTheFolder)
{
    const Scene scene = imported(load_dpo(kSample));
    EXPECT_EQ(scene.world.live.gravity, (Vec3{0, 0, -9.81}));
    EXPECT_EQ(scene.world.up, UpAxis::z);
    EXPECT_EQ(scene.world.frame_rate, 100);
    EXPECT_EQ(scene.solver.step, 0.01);
    EXPECT_EQ(scene.world.duration, 5);
    EXPECT_EQ(name_of(scene.contact.response), "bridson");
}

TEST(DpoImport, ClothHasDensityThicknessAndPins)
{
    const Scene scene = imported(load_dpo(kSample));
    ASSERT_EQ(scene.bodies.size(), 1u);
    const auto& [name, sheet] = scene.bodies[0];
    EXPECT_EQ(name, "dpo_sheet");
    EXPECT_EQ(sheet.kind, SceneBodyKind::cloth);
    EXPECT_EQ(sheet.mesh.file, "s_dpo_sheet.obj");
    EXPECT_EQ(sheet.cloth.fabric, "cotton");
    EXPECT_EQ(sheet.cloth.density, 1);
    EXPECT_EQ(sheet.live.thickness, 0.003);
    EXPECT_EQ(sheet.live.friction, 0);
    ASSERT_EQ(sheet.pins.size(), 2u);
    EXPECT_EQ(sheet.pins[0].select.vertices, std::vector<std::int32_t>{0});
    EXPECT_TRUE(sheet.pins[0].live.enabled);
    EXPECT_EQ(sheet.pins[1].name, "dpo_sheet_v10");
    EXPECT_EQ(sheet.pins[1].select.vertices, std::vector<std::int32_t>{10});
    EXPECT_FALSE(sheet.pins[1].live.enabled);
}

// E-18, and the block's own table between its times.
TEST(DpoImport, TablesBecomeInputs)
{
    const Scene scene = imported(load_dpo(kSample));
    ASSERT_EQ(scene.inputs.size(), 4u);
    const std::string v0 = "bodies.dpo_sheet.pins.dpo_sheet_v0.", v10 = "bodies.dpo_sheet.pins.dpo_sheet_v10.";
    using Changes = std::vector<std::string>;
    EXPECT_EQ(scene.inputs[0].time, 0.5);
    EXPECT_EQ(changes_of(scene.inputs[0]), Changes{"colliders.rig_block.motion 0.20 0.00 0.00"});
    EXPECT_EQ(scene.inputs[1].time, 1);
    EXPECT_EQ(changes_of(scene.inputs[1]),
              (Changes{v0 + "motion 0.00 0.00 0.10", "colliders.rig_block.motion 0.00 0.00 0.00"}));
    EXPECT_EQ(scene.inputs[2].time, 2);
    EXPECT_EQ(changes_of(scene.inputs[2]), Changes{v0 + "enabled 0.00"});
    EXPECT_EQ(scene.inputs[3].time, 2.5);
    EXPECT_EQ(changes_of(scene.inputs[3]), (Changes{v0 + "enabled 1.00", v0 + "motion -0.1 0.10 0.00",
                                                    v10 + "enabled 1.00", v10 + "motion -0.1 0.10 0.00"}));
}

TEST(DpoImport, WhatHoldsAtTheStartIsNoInput)
{
    DpoScene from = load_dpo(kSample);
    from.bodies[0].velocities.blocks = {{.time = 0, .vectors = {{3, {0, 0, 0.5}}}}};
    from.bodies[1].velocities.blocks = {{.time = 0, .vectors = {{0, {0, 1, 0}}}}};
    const Scene scene = imported(from);
    EXPECT_TRUE(scene.inputs.empty());
    EXPECT_EQ(scene.bodies[0].second.pins.at(0).live.motion, (Vec3{0, 0, 0.5}));
    EXPECT_EQ(scene.colliders[0].second.motion, (Vec3{0, 1, 0}));
}

TEST(DpoImport, TablesMayBeginLater)
{
    DpoScene from = load_dpo(kSample);
    from.bodies[0].velocities.blocks = {{.time = 9, .vectors = {{3, {}}}}};
    const Scene scene = imported(from);
    EXPECT_FALSE(scene.bodies[0].second.pins.at(0).live.enabled);
    EXPECT_EQ(changes_of(scene.inputs.back()), std::vector<std::string>{"bodies.dpo_sheet.pins.dpo_sheet_v3.enabled "
                                                                        "1.00"});
    EXPECT_EQ(scene.world.duration, 11);
}

TEST(DpoImport, OptionsChooseWhatFilesDoNotSay)
{
    const DpoScene from = load_dpo(kSample);
    const Scene scene = imported(from, {.freecloth = true, .friction = 0.3, .duration = 1.5});
    const BodyScene& sheet = scene.bodies[0].second;
    EXPECT_EQ(sheet.cloth.model, ClothModel::baraff_witkin);
    EXPECT_EQ(sheet.cloth.stretch, 100);
    EXPECT_EQ(sheet.cloth.shear, 10);
    EXPECT_EQ(sheet.cloth.bend, 1e-5);
    EXPECT_EQ(sheet.cloth.density, 1);
    EXPECT_EQ(sheet.live.damping, 0.1);
    EXPECT_EQ(sheet.live.friction, 0.3);
    EXPECT_EQ(scene.world.duration, 1.5);
    EXPECT_EQ(imported(from, {.fabric = "silk"}).bodies[0].second.cloth.fabric, "silk");
}

TEST(DpoImport, NotesTellWhatIsLost)
{
    DpoScene from = load_dpo(kSample);
    from.bodies[1].parameters.mass = 2;
    std::string notes;
    for (const std::string& note : import_dpo(from, "s", {}).notes) notes += note + "\n";
    for (const char* words : {"dpo_sheet: 54 corners were welded into 16 vertices", "its colour 0 0 0.9 is left out",
                              "rig_block: its mass of 2 kg", "stiffness of cotton", "ends after 5 s"})
        EXPECT_NE(notes.find(words), std::string::npos) << words << " in: " << notes;
}

}  // namespace
}  // namespace pliant
