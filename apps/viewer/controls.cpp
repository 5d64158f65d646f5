// SPDX-License-Identifier: MIT
#include "controls.h"

#include <pliant/world/inputs.h>

namespace pliant::viewer {

namespace {

template <class T>
ControlKind kind_of(const T&)
{
    if constexpr (std::is_same_v<T, bool>) return ControlKind::onoff;
    if constexpr (NamedEnum<T>) return ControlKind::choice;
    if constexpr (std::is_same_v<T, Vec3>) return ControlKind::vector;
    if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, AutoCount>) return ControlKind::count;
    return ControlKind::number;
}

template <class T>
void describe_member(Control& control, const Field& field, const T& member)
{
    control.unit = field.unit, control.sentence = field.sentence;
    control.min = field.min, control.max = field.max;
    control.kind = kind_of(member);
    control.start = to_live(member);
    if constexpr (NamedEnum<T>)
        for (const std::string_view name : enum_names(T{})) control.choices.emplace_back(name);
}

}  // namespace

std::vector<Control> make_controls(const Model& model, const State& state)
{
    std::vector<Control> controls;
    for (std::size_t p = 0; p < model.live_paths.size(); ++p) {
        const LivePath& live = model.live_paths[p];
        const std::size_t dot = live.path.rfind('.');
        Control control{.target = static_cast<std::int32_t>(p),
                        .path = live.path,
                        .group = live.path.substr(0, dot),
                        .name = live.path.substr(dot + 1)};
        visit_live(state, live.target, [&](const auto& parameters) {
            auto copy = parameters;
            describe(
                [&](const Field& field, auto& member) {
                    if constexpr (LiveMember<std::remove_reference_t<decltype(member)>>)
                        if (live.target.member == field.name) describe_member(control, field, member);
                },
                copy);
        });
        controls.push_back(std::move(control));
    }
    return controls;
}

}  // namespace pliant::viewer
