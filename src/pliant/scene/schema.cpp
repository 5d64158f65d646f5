// SPDX-License-Identifier: MIT
#include <pliant/scene/schema.h>

// A visitor over describe() that builds JSON Schema; one of() per type of member, as in value_reader.h.

#include <cmath>

#include <pliant/base/json_write.h>
#include <pliant/scene/fabrics.h>
#include <pliant/scene/presets.h>
#include <pliant/scene/scene.h>
#include <pliant/scene/value_writer.h>
#include <pliant/scene/wording.h>

namespace pliant {

namespace {

Json typed(const char* type)
{
    Json json = Json::object();
    json.set("type", Json::of(type));
    return json;
}

Json list_of(Json item)
{
    Json json = typed("array");
    json.set("items", std::move(item));
    return json;
}

Json list_of(Json item, int count)
{
    Json json = list_of(std::move(item));
    json.set("minItems", Json::of(count));
    json.set("maxItems", Json::of(count));
    return json;
}

Json any_of(std::vector<Json> choices)
{
    Json list = Json::array(), json = Json::object();
    list.items = std::move(choices);
    json.set("anyOf", std::move(list));
    return json;
}

Json number_type(const char* type, const Field& field)
{
    Json json = typed(type);
    if (has_range(field) && std::isfinite(field.min)) json.set("minimum", Json::of(field.min));
    if (has_range(field) && std::isfinite(field.max)) json.set("maximum", Json::of(field.max));
    return json;
}

Json strings(const std::vector<std::string>& names)
{
    Json list = Json::array();
    for (const std::string& name : names) list.items.push_back(Json::of(std::string_view(name)));
    return list;
}

Json with_members(Json properties, Json required)
{
    Json json = typed("object");
    json.set("properties", std::move(properties));
    if (!required.items.empty()) json.set("required", std::move(required));
    json.set("additionalProperties", Json::of(false));
    return json;
}

/// Unit and range as people read them, and as programs do.
void annotate(Json& schema, const Field& field)
{
    const std::string_view unit = field.unit;
    std::string text = field.sentence;
    if (!unit.empty() && unit != "1") text += " [" + std::string(unit) + ']';
    schema.set("title", Json::of(field.name));
    schema.set("description", Json::of(std::string_view(text)));
    if (!unit.empty()) schema.set("x-unit", Json::of(unit));
    if (field.change == Change::live) schema.set("x-live", Json::of(true));
}

struct SchemaOf {
    static Json of(const Field&, bool) { return typed("boolean"); }
    static Json of(const Field& field, double) { return number_type("number", field); }
    static Json of(const Field& field, std::int32_t) { return number_type("integer", field); }
    static Json of(const Field&, const std::string&) { return typed("string"); }
    static Json of(const Field& field, const Vec3&) { return list_of(number_type("number", field), 3); }

    static Json of(const Field& field, const AutoCount&)
    {
        Json word = Json::object();
        word.set("const", Json::of("auto"));
        return any_of({number_type("integer", field), word});
    }

    static Json of(const Field&, const MeshSource&)
    {
        Json path = typed("string");
        path.set("description", Json::of("path of a mesh file"));
        return any_of({path, members<MeshSource>()});
    }

    static Json of(const Field&, const Select&)
    {
        Json group = typed("string");
        group.set("minLength", Json::of(1));
        Json indices = list_of(number_type("integer", Field{"", "1", 0, 2e9})), regions = list_of(members<Region>());
        indices.set("minItems", Json::of(1));
        regions.set("minItems", Json::of(1));
        return any_of({group, indices, members<Region>(), regions});
    }

    static Json of(const Field&, const std::vector<InputValue>&)
    {
        Json json = typed("object");
        json.set("additionalProperties",
                 any_of({typed("number"), typed("boolean"), typed("string"), list_of(typed("number"), 3)}));
        return json;
    }

    static Json of(const Field&, const Bounds&) { return list_of(any_of({typed("number"), typed("null")}), 2); }

    template <NamedEnum E>
    static Json of(const Field&, E)
    {
        Json json = Json::object();
        json.set("enum", strings(names_of(E{})));
        return json;
    }

    template <class T>
    static Json of(const Field& field, const std::optional<T>&)
    {
        return any_of({of(field, T{}), typed("null")});
    }

    template <std::size_t N>
    static Json of(const Field& field, const std::array<std::int32_t, N>&)
    {
        return list_of(number_type("integer", field), static_cast<int>(N));
    }

    template <class T>
    static Json of(const Field& field, const std::vector<T>&)
    {
        return list_of(of(field, T{}));
    }

    template <class T>
    static Json of(const Field& field, const Named<T>&)
    {
        Json json = typed("object"), name = Json::object();
        name.set("pattern", Json::of(Described<T> ? R"(^[^./\\]{1,100}$)" : "."));
        json.set("propertyNames", std::move(name));
        json.set("additionalProperties", of(field, T{}));
        return json;
    }

    template <Described T>
    static Json of(const Field&, const T&)
    {
        return members<T>();
    }

    template <class T>
    static Json members()
    {
        T plain{};
        Json properties = Json::object(), required = Json::array();
        describe(
            [&](const Field& field, auto& member) {
                Json schema = of(field, member);
                annotate(schema, field);
                set_default(schema, field, ValueWriter::of(member));
                properties.set(field.name, std::move(schema));
                if (field.need == Need::required) required.items.push_back(Json::of(field.name));
            },
            plain);
        return with_members(std::move(properties), std::move(required));
    }

    static void set_default(Json& schema, const Field& field, const Json& value)
    {
        const bool is_plain = !value.is_object() && !value.is_null() && (!value.is_array() || !value.items.empty()) &&
                              (!value.is_string() || !value.text.empty());
        if (field.need == Need::optional && is_plain) schema.set("default", value);
    }
};

/// The values that a key of a part of bodies can take.
void set_names(Json& scene, const char* part, const char* key, const std::vector<std::string>& names)
{
    Json* at = &scene;
    for (const char* step : {"properties", "bodies", "additionalProperties", "properties", part, "properties", key}) {
        at = at->find(step);
        PLIANT_ASSERT(at, "bodies have such a part");
    }
    at->set("enum", strings(names));
}

/// Presets and fabrics are lists that describe() cannot know; other names are refused when a scene is checked.
void add_preset_names(Json& scene)
{
    std::vector<std::string> materials, cloths;
    for (const Preset& preset : presets()) materials.emplace_back(preset.name);
    for (const Fabric& fabric : fabrics()) cloths.emplace_back(fabric.name);
    set_names(scene, "material", "preset", materials);
    set_names(scene, "cloth", "fabric", cloths);
}

}  // namespace

std::string scene_schema()
{
    Json scene = SchemaOf::members<Scene>();
    add_preset_names(scene);
    scene.find("properties")->set("$schema", typed("string"));
    Json root = Json::object();
    root.set("$schema", Json::of("https://json-schema.org/draft/2020-12/schema"));
    root.set("title", Json::of("pliant scene"));
    root.set("description",
             Json::of("A scene of pliant: what bends, what it touches, how long to run. All units are SI."));
    for (JsonMember& member : scene.members) root.set(member.key, std::move(member.value));
    return to_text(root) + '\n';
}

}  // namespace pliant
