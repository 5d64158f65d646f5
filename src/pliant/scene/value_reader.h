// SPDX-License-Identifier: MIT
#pragma once

// From a JSON tree into structs with describe(): one read() per type of member.
//
// A value that is wrong leaves the member as it was and adds a problem; reading goes on. Lines of all
// members are noted in Scene::lines, 0 for what came from --set. Not here: what the values mean
// together (scene_check.h).

#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <pliant/base/json.h>
#include <pliant/scene/scene.h>
#include <pliant/scene/wording.h>

namespace pliant {

class ValueReader {
public:
    /// `problems` may hold some already; a place that has one gets no second.
    /// A tree that lost parts to syntax errors is not asked for what is missing.
    ValueReader(Scene& scene, std::vector<Problem>& problems, bool is_complete);

    void read_scene(const Json& root);

private:
    template <Described T>
    void read(const Field& field, T& to, const Json& json, const std::string& pointer);
    template <NamedEnum E>
    void read(const Field& field, E& to, const Json& json, const std::string& pointer);
    template <class T>
    void read(const Field& field, std::optional<T>& to, const Json& json, const std::string& pointer);
    template <class T>
    void read(const Field& field, std::vector<T>& to, const Json& json, const std::string& pointer);
    template <class T>
    void read(const Field& field, Named<T>& to, const Json& json, const std::string& pointer);
    template <std::size_t N>
    void read(const Field& field, std::array<std::int32_t, N>& to, const Json& json, const std::string& pointer);

    void read(const Field& field, bool& to, const Json& json, const std::string& pointer);
    void read(const Field& field, double& to, const Json& json, const std::string& pointer);
    void read(const Field& field, std::int32_t& to, const Json& json, const std::string& pointer);
    void read(const Field& field, std::string& to, const Json& json, const std::string& pointer);
    void read(const Field& field, Vec3& to, const Json& json, const std::string& pointer);
    void read(const Field& field, AutoCount& to, const Json& json, const std::string& pointer);

    // What a scene writes in its own way.
    void read(const Field& field, MeshSource& to, const Json& json, const std::string& pointer);
    void read(const Field& field, Select& to, const Json& json, const std::string& pointer);
    void read(const Field& field, std::vector<InputValue>& to, const Json& json, const std::string& pointer);
    void read(const Field& field, Bounds& to, const Json& json, const std::string& pointer);

    template <class T>
    void read_members(T& to, const Json& json, const std::string& pointer, std::vector<std::string> allowed = {});
    void read_region(Select& to, const Json& json, const std::string& pointer);
    std::optional<InputValue> input_value(const JsonMember& member, const std::string& pointer);
    double bound(const Json& json, double open_end, const std::string& pointer);

    void note(const std::string& pointer, const Json& json) { scene_.lines[pointer] = json.line; }
    void note_item(const std::string& pointer, const Json& item, const Json& list);
    void check_name(const JsonMember& member, const std::string& pointer);
    void check_keys(const Json& json, const std::vector<std::string>& names, const std::string& pointer);
    void wrong(const Json& json, const std::string& pointer, const std::string& expected, std::string cure = "");
    void missing(const Field& field, const Json& holder, const std::string& pointer);
    void complain(int line, const std::string& pointer, std::string message, std::string cure);

    Scene& scene_;
    std::vector<Problem>& problems_;
    std::set<std::string> places_;  ///< that have a problem already
    bool is_complete_;
};

template <class T>
void ValueReader::read_members(T& to, const Json& json, const std::string& pointer, std::vector<std::string> allowed)
{
    describe(
        [&](const Field& field, auto& member) {
            allowed.emplace_back(field.name);
            const Json* value = json.find(field.name);
            const std::string place = pointer_child(pointer, field.name);
            if (!value) {
                if (field.need == Need::required) missing(field, json, place);
                return;
            }
            note(place, *value);
            read(field, member, *value, place);
        },
        to);
    check_keys(json, allowed, pointer);
}

template <Described T>
void ValueReader::read(const Field&, T& to, const Json& json, const std::string& pointer)
{
    if (!json.is_object()) return wrong(json, pointer, "an object");
    read_members(to, json, pointer);
}

template <NamedEnum E>
void ValueReader::read(const Field&, E& to, const Json& json, const std::string& pointer)
{
    const std::vector<std::string> names = names_of(E{});
    for (std::size_t i = 0; json.is_string() && i < names.size(); ++i)
        if (json.text == names[i]) return void(to = static_cast<E>(i));
    const std::string nearest = json.is_string() ? nearest_name(json.text, names) : "";
    wrong(json, pointer, "one of: " + listed(names), nearest.empty() ? "" : "did you mean '" + nearest + "'?");
}

template <class T>
void ValueReader::read(const Field& field, std::optional<T>& to, const Json& json, const std::string& pointer)
{
    to.reset();
    if (json.is_null()) return;
    read(field, to.emplace(), json, pointer);
}

template <class T>
void ValueReader::read(const Field& field, std::vector<T>& to, const Json& json, const std::string& pointer)
{
    if (!json.is_array()) return wrong(json, pointer, "an array", "write [ ] around it");
    to.clear();
    for (std::size_t i = 0; i < json.items.size(); ++i) {
        const std::string place = pointer_child(pointer, i);
        note_item(place, json.items[i], json);
        read(field, to.emplace_back(), json.items[i], place);
    }
}

template <class T>
void ValueReader::read(const Field& field, Named<T>& to, const Json& json, const std::string& pointer)
{
    if (!json.is_object()) return wrong(json, pointer, "an object of named members");
    to.clear();
    for (const JsonMember& member : json.members) {
        const std::string place = pointer_child(pointer, member.key);
        note(place, member.value);
        if constexpr (Described<T>) check_name(member, pointer);
        read(field, to.emplace_back(member.key, T{}).second, member.value, place);
    }
}

template <std::size_t N>
void ValueReader::read(const Field& field, std::array<std::int32_t, N>& to, const Json& json,
                       const std::string& pointer)
{
    if (!json.is_array() || json.items.size() != N)
        return wrong(json, pointer, "an array of " + std::to_string(N) + " vertex indices");
    for (std::size_t i = 0; i < N; ++i) read(field, to[i], json.items[i], pointer_child(pointer, i));
}

}  // namespace pliant
