// SPDX-License-Identifier: MIT
// What is generated from describe(): schema, manual; and presets and starters.

#include <filesystem>
#include <set>

#include <scene/scene_texts.h>

#include <pliant/base/json.h>
#include <pliant/scene/manual.h>
#include <pliant/scene/presets.h>
#include <pliant/scene/schema.h>
#include <pliant/scene/starters.h>

namespace pliant {
namespace {

/// Every key of a struct and of the structs inside it; a key given twice is a mistake in describe().
class Keys {
public:
    template <Described T>
    void add()
    {
        T plain{};
        std::set<std::string> own;
        describe(
            [&](const Field& field, auto& member) {
                EXPECT_TRUE(own.insert(field.name).second) << field.name;
                EXPECT_NE(std::string(field.sentence), "") << field.name;
                all.insert(field.name);
                add_inner(member);
            },
            plain);
    }
    std::set<std::string> all;

private:
    template <class T>
    void add_inner(const T&)
    {
    }
    template <Described T>
    void add_inner(const T&)
    {
        add<T>();
    }
    template <Described T>
    void add_inner(const std::vector<T>&)
    {
        add<T>();
    }
    template <Described T>
    void add_inner(const std::optional<T>&)
    {
        add<T>();
    }
    template <Described T>
    void add_inner(const Named<T>&)
    {
        add<T>();
    }
};

std::set<std::string> all_keys()
{
    Keys keys;
    keys.add<Scene>();
    return keys.all;
}

TEST(SceneSchema, is_json_that_knows_every_key)
{
    const std::string text = scene_schema();
    const JsonRead read = parse_json(text, "schema");
    ASSERT_TRUE(read.problems.empty()) << all_of(read.problems);
    EXPECT_EQ(read.value.find("$schema")->text, "https://json-schema.org/draft/2020-12/schema");
    EXPECT_GT(all_keys().size(), 60u);
    for (const std::string& key : all_keys()) EXPECT_NE(text.find('"' + key + "\": {"), std::string::npos) << key;
}

TEST(SceneSchema, tells_types_ranges_units_and_what_is_live)
{
    const Json schema = parse_json(scene_schema(), "schema").value;
    const Json* bodies = schema.find("properties")->find("bodies");
    const Json* body = bodies->find("additionalProperties");
    EXPECT_FALSE(body->find("additionalProperties")->boolean);
    EXPECT_EQ(body->find("required")->items.at(0).text, "kind");
    const Json* mass = body->find("properties")->find("mass");
    EXPECT_EQ(mass->find("type")->text, "number");
    EXPECT_EQ(mass->find("maximum")->number, 1e12);
    EXPECT_EQ(mass->find("x-unit")->text, "kg");
    EXPECT_EQ(mass->find("x-live"), nullptr);
    EXPECT_TRUE(body->find("properties")->find("held")->find("x-live")->boolean);
    EXPECT_EQ(body->find("properties")->find("kind")->find("enum")->items.size(), 5u);
    EXPECT_EQ(body->find("properties")->find("mesh")->find("anyOf")->items.size(), 2u);
    EXPECT_EQ(schema.find("properties")->find("solver")->find("properties")->find("step")->find("default")->number,
              0.0025);
}

TEST(SceneManual, has_a_table_row_for_every_key_and_preset)
{
    const std::string text = scene_format_markdown();
    for (const std::string& key : all_keys()) EXPECT_NE(text.find("| `" + key + "` |"), std::string::npos) << key;
    for (const Preset& preset : presets())
        EXPECT_NE(text.find("| `" + std::string(preset.name) + "` |"), std::string::npos) << preset.name;
    EXPECT_NE(text.find("### `bodies.NAME.pins.N`"), std::string::npos);
    EXPECT_NE(text.find("| `step` | number | s | 1e-12 to 1000 | `0.0025` | live |"), std::string::npos);
}

TEST(SceneManual, shows_a_scene_that_can_be_read)
{
    const std::string text = scene_format_markdown();
    const std::size_t begin = text.find("```json\n") + 8;
    const SceneRead read = parse_scene(text.substr(begin, text.find("```", begin) - begin), "manual");
    EXPECT_TRUE(read.problems.empty()) << all_of(read.problems);
}

TEST(Presets, have_values_of_thin_sheets_and_a_source)
{
    ASSERT_GE(presets().size(), 6u);
    std::set<std::string_view> names;
    for (const Preset& preset : presets()) {
        EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
        EXPECT_EQ(find_preset(preset.name), &preset);
        EXPECT_GT(preset.young, 1e5) << preset.name;
        EXPECT_LT(preset.young, 1e10) << preset.name;
        EXPECT_GT(preset.density * preset.thickness, 0.01) << preset.name;
        EXPECT_LT(preset.density * preset.thickness, 2) << preset.name;
        EXPECT_GT(preset.damping_time, 0) << preset.name;
        EXPECT_LT(preset.damping_time, 0.1) << preset.name;
        EXPECT_FALSE(preset.source.empty() || preset.sentence.empty()) << preset.name;
    }
    EXPECT_EQ(find_preset("cheese"), nullptr);
}

TEST(Presets, fill_what_a_scene_leaves_out)
{
    const Preset& latex = *find_preset("latex");
    const Material material = resolved({.preset = "latex", .young = 2e6});
    EXPECT_EQ(material.young, 2e6);
    EXPECT_EQ(material.thickness, latex.thickness);
    EXPECT_EQ(material.density, latex.density);
    EXPECT_EQ(material.damping_time, latex.damping_time);
    EXPECT_EQ(resolved({.preset = "", .young = 3}).density, 0);
    EXPECT_EQ(resolved({.preset = "cheese", .young = 3}).density, 0);
}

TEST(Starters, are_scenes_without_problems)
{
    ASSERT_EQ(starters().size(), 5u);
    for (const Starter& starter : starters()) {
        const auto text = starter_scene(starter.kind);
        ASSERT_TRUE(text);
        const SceneRead read = parse_scene(*text, std::string(starter.kind));
        EXPECT_TRUE(read.problems.empty()) << all_of(read.problems);
        EXPECT_NE(text->find("//"), std::string::npos);
    }
    EXPECT_FALSE(starter_scene("castle"));
}

TEST(Scenes, of_the_repository_have_no_problems_and_can_be_written)
{
    for (const auto& entry : std::filesystem::directory_iterator(PLIANT_SCENES)) {
        if (entry.path().extension() != ".json") continue;
        const SceneRead read = read_scene(entry.path().string());
        EXPECT_TRUE(read.problems.empty()) << all_of(read.problems);
        const SceneRead again = parse_scene(to_json_text(read.scene), "again");
        EXPECT_TRUE(again.problems.empty()) << all_of(again.problems);
        EXPECT_EQ(to_json_text(again.scene), to_json_text(read.scene));
    }
}

}  // namespace
}  // namespace pliant
