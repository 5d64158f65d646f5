// SPDX-License-Identifier: MIT
#pragma once

// From structs with describe() to a JSON tree: one of() per type of member. The reverse of value_reader.h.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <pliant/base/json.h>
#include <pliant/scene/scene.h>

namespace pliant {

struct ValueWriter {
    static Json of(bool value) { return Json::of(value); }
    static Json of(double value) { return Json::of(value); }
    static Json of(std::int32_t value) { return Json::of(static_cast<double>(value)); }
    static Json of(const std::string& value) { return Json::of(std::string_view(value)); }
    static Json of(const AutoCount& value) { return value.is_auto() ? Json::of("auto") : of(value.value); }
    static Json of(const Vec3& value) { return of(std::vector<double>{value.x, value.y, value.z}); }
    static Json of(const Select& value);
    static Json of(const std::vector<InputValue>& value);
    static Json of(const Bounds& value);

    template <NamedEnum E>
    static Json of(E value)
    {
        return Json::of(name_of(value));
    }

    template <class T>
    static Json of(const std::optional<T>& value)
    {
        return value ? of(*value) : Json{};
    }

    template <std::size_t N>
    static Json of(const std::array<std::int32_t, N>& value)
    {
        return of(std::vector<std::int32_t>(value.begin(), value.end()));
    }

    template <class T>
    static Json of(const std::vector<T>& value)
    {
        Json json = Json::array();
        for (const T& item : value) json.items.push_back(of(item));
        return json;
    }

    template <class T>
    static Json of(const Named<T>& value)
    {
        Json json = Json::object();
        for (const auto& [name, item] : value) json.set(name, of(item));
        return json;
    }

    /// Members with their default values are left out.
    template <Described T>
    static Json of(const T& value)
    {
        std::vector<Json> defaults;
        T plain{}, copy = value;
        describe([&](const Field&, auto& member) { defaults.push_back(of(member)); }, plain);
        Json json = Json::object();
        std::size_t index = 0;
        describe(
            [&](const Field& field, auto& member) {
                Json written = of(member);
                if (field.need == Need::required || !(written == defaults[index])) json.set(field.name, written);
                ++index;
            },
            copy);
        return json;
    }
};

}  // namespace pliant
