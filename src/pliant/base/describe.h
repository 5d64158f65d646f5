// SPDX-License-Identifier: MIT
#pragma once

// One description of every parameter, many uses.
//
// A parameter struct T offers `template <class V> void describe(V&& visit, T& t)` that calls
// visit(Field{...}, t.member) once per member. Scene reading with range checks, the JSON schema, the
// manual's tables, live inputs, snapshots and hashes are visitors over it: nothing else lists the
// members of a parameter struct.

#include <array>
#include <concepts>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <pliant/base/types.h>

namespace pliant {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Whether an input may change the member during a run.
enum class Change { fixed, live };

/// Whether a scene must give the member.
enum class Need { optional, required };

/// What is known about one member of a parameter struct.
struct Field {
    const char* name;           ///< the JSON key
    const char* unit = "";      ///< SI, "1" for pure numbers, "" for switches, names and texts
    double min = -kNoLimit;     ///< smallest valid value
    double max = kNoLimit;      ///< largest valid value
    const char* sentence = "";  ///< what it is and what changes when you turn it
    Change change = Change::fixed;
    Need need = Need::optional;
};

/// An enum whose values are spelled in JSON offers `constexpr auto enum_names(E)`, found by ADL.
template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E e)
{
    enum_names(e);
};

template <NamedEnum E>
constexpr std::string_view name_of(E value)
{
    return enum_names(E{})[static_cast<std::size_t>(value)];
}

/// A count that a scene may leave to the program: a number from 1, or "auto".
struct AutoCount {
    std::int32_t value = 0;  ///< 0 stands for "auto"
    bool is_auto() const { return value == 0; }
    friend bool operator==(const AutoCount&, const AutoCount&) = default;
};

struct AnyVisitor {
    template <class T>
    void operator()(const Field&, T&) const
    {
    }
};

/// A struct with a describe() of its own.
template <class T>
concept Described = std::is_class_v<T> && requires(T& t)
{
    describe(AnyVisitor{}, t);
};

/// The value of one live member as numbers: switches 0 or 1, names by index, vectors by component.
struct LiveValue {
    std::array<double, 3> number{};
    std::int32_t count = 0;
    friend bool operator==(const LiveValue&, const LiveValue&) = default;
};

inline LiveValue to_live(double v)
{
    return {{v, 0, 0}, 1};
}
inline LiveValue to_live(bool v)
{
    return {{v ? 1.0 : 0.0, 0, 0}, 1};
}
inline LiveValue to_live(std::int32_t v)
{
    return {{static_cast<double>(v), 0, 0}, 1};
}
inline LiveValue to_live(const AutoCount& v)
{
    return to_live(v.value);
}
inline LiveValue to_live(const Vec3& v)
{
    return {{v.x, v.y, v.z}, 3};
}
template <NamedEnum E>
LiveValue to_live(E v)
{
    return to_live(static_cast<std::int32_t>(v));
}

inline void from_live(double& to, const LiveValue& v)
{
    to = v.number[0];
}
inline void from_live(bool& to, const LiveValue& v)
{
    to = v.number[0] != 0;
}
inline void from_live(std::int32_t& to, const LiveValue& v)
{
    to = static_cast<std::int32_t>(v.number[0]);
}
inline void from_live(AutoCount& to, const LiveValue& v)
{
    from_live(to.value, v);
}
inline void from_live(Vec3& to, const LiveValue& v)
{
    to = {v.number[0], v.number[1], v.number[2]};
}
template <NamedEnum E>
void from_live(E& to, const LiveValue& v)
{
    to = static_cast<E>(static_cast<int>(v.number[0]));
}

/// A member type that fits into a LiveValue.
template <class T>
concept LiveMember = requires(T& t, const LiveValue& v)
{
    to_live(t);
    from_live(t, v);
};

/// Sets the member of that name; false when there is none.
template <Described T>
bool set_live(T& object, std::string_view member, const LiveValue& value)
{
    bool found = false;
    describe(
        [&](const Field& field, auto& slot) {
            if constexpr (LiveMember<std::remove_reference_t<decltype(slot)>>)
                if (member == field.name) from_live(slot, value), found = true;
        },
        object);
    return found;
}

}  // namespace pliant
