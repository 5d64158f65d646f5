// SPDX-License-Identifier: MIT
#include <pliant/scene/manual.h>

// A visitor over describe() that writes the manual's tables. The introduction is in manual_intro.cpp.

#include <map>

#include <pliant/base/json_write.h>
#include <pliant/scene/fabrics.h>
#include <pliant/scene/manual_intro.h>
#include <pliant/scene/presets.h>
#include <pliant/scene/scene.h>
#include <pliant/scene/value_writer.h>
#include <pliant/scene/wording.h>

namespace pliant {

namespace {

/// A cell of a table may hold anything but a bar or a line break.
std::string cell(std::string_view text)
{
    std::string result;
    for (const char c : text) c == '|' ? result += "\\|" : result += c == '\n' ? ' ' : c;
    return result;
}

std::string code(const std::string& text)
{
    return text.empty() ? "" : '`' + text + '`';
}

struct TypeText {
    static std::string of(bool) { return "true or false"; }
    static std::string of(double) { return "number"; }
    static std::string of(std::int32_t) { return "whole number"; }
    static std::string of(const std::string&) { return "text"; }
    static std::string of(const Vec3&) { return "[x, y, z]"; }
    static std::string of(const AutoCount&) { return "whole number or `\"auto\"`"; }
    static std::string of(const MeshSource&) { return "path of a file, or object"; }
    static std::string of(const Select&) { return "group, `\"all\"`, indices, region or list of regions"; }
    static std::string of(const Bounds&) { return "[low, high]"; }
    static std::string of(const std::vector<InputValue>&) { return "values by path"; }
    static std::string of(const std::vector<Vec3>&) { return "list of [x, y, z]"; }
    static std::string of(const std::vector<Triangle>&) { return "list of [a, b, c]"; }
    static std::string of(const std::vector<Edge>&) { return "list of [a, b]"; }

    template <NamedEnum E>
    static std::string of(E)
    {
        std::string text;
        for (const std::string& name : names_of(E{})) text += (text.empty() ? "`\"" : ", `\"") + name + "\"`";
        return text;
    }

    template <class T>
    static std::string of(const std::optional<T>&)
    {
        return of(T{});
    }

    template <class T>
    static std::string of(const std::vector<T>&)
    {
        return "list of " + of(T{}) + "s";
    }

    template <class T>
    static std::string of(const Named<T>&)
    {
        return (Described<T> ? "objects" : of(T{})) + " by name";
    }

    template <Described T>
    static std::string of(const T&)
    {
        return "object";
    }
};

std::string range_cell(const Field& field)
{
    if (!has_range(field) || std::string_view(field.unit).empty()) return "";
    return number_text(field.min) + " to " + number_text(field.max);
}

std::string default_cell(const Field& field, const Json& value)
{
    if (field.need == Need::required) return "**required**";
    const bool is_empty = value.is_object() || value.is_null() || (value.is_array() && value.items.empty()) ||
                          (value.is_string() && value.text.empty());
    if (is_empty) return "";
    return code(value.is_number() ? number_text(value.number) : to_text(value));
}

/// Rows of one object, then the tables of the objects inside it.
class Tables {
public:
    template <class T>
    void add(const std::string& path)
    {
        std::string rows;
        T plain{};
        describe(
            [&](const Field& field, auto& member) {
                const std::string unit = std::string_view(field.unit) == "1" ? "" : field.unit;
                rows += "| `" + std::string(field.name) + "` | " + cell(TypeText::of(member)) + " | " + unit + " | " +
                        range_cell(field) + " | " + cell(default_cell(field, ValueWriter::of(member))) + " | " +
                        (field.change == Change::live ? "live" : "") + " | " + cell(field.sentence) + " |\n";
            },
            plain);
        text += "\n### " + (path.empty() ? "The scene" : code(path)) + "\n";
        // What is written in the same way in several places is explained once.
        if (const auto [at, is_new] = first_.emplace(rows, path); !is_new) {
            text += "\nThe keys of " + code(at->second) + ".\n";
            return;
        }
        text +=
            "\n| key | type | unit | range | default | inputs | what it is |\n|---|---|---|---|---|---|---|\n" + rows;
        describe([&](const Field& field,
                     auto& member) { add_inner(path.empty() ? field.name : path + '.' + field.name, member); },
                 plain);
    }

    std::string text;

private:
    std::map<std::string, std::string> first_;  // rows of a table and where they first stood

    template <class T>
    void add_inner(const std::string&, const T&)
    {
    }
    template <Described T>
    void add_inner(const std::string& path, const T&)
    {
        add<T>(path);
    }
    template <Described T>
    void add_inner(const std::string& path, const std::optional<T>&)
    {
        add<T>(path);
    }
    template <Described T>
    void add_inner(const std::string& path, const std::vector<T>&)
    {
        add<T>(path + ".N");
    }
    template <Described T>
    void add_inner(const std::string& path, const Named<T>&)
    {
        add<T>(path + ".NAME");
    }
};

std::string preset_table()
{
    std::string text =
        "\n## Named materials\n\n"
        "Typical values for thin sheets at small strains; samples differ by a factor of two and more. What a "
        "scene writes beside `preset` wins.\n\n"
        "| preset | what | young [Pa] | thickness [m] | density [kg/m3] | damping_time [s] | source |\n"
        "|---|---|---|---|---|---|---|\n";
    for (const Preset& p : presets())
        text += "| `" + std::string(p.name) + "` | " + cell(p.sentence) + " | " + number_text(p.young) + " | " +
                number_text(p.thickness) + " | " + number_text(p.density) + " | " + number_text(p.damping_time) +
                " | " + cell(p.source) + " |\n";
    return text;
}

std::string fabric_table()
{
    std::string text = "\n## Named fabrics\n\n"
                       "For `cloth.fabric`: numbers of sheets, per width. `poisson` is how much the weft narrows when "
                       "the warp is pulled. "
                       "What a scene writes in `cloth` wins.\n\n"
                       "| fabric | what | density [kg/m2] | stretch_u, stretch_v [N/m] | poisson | shear [N/m] | "
                       "bend_u, bend_v [N m] | "
                       "thickness [m] | damping_time [s] | source |\n|---|---|---|---|---|---|---|---|---|---|\n";
    for (const Fabric& f : fabrics()) {
        text += "| `" + std::string(f.name) + "` | " + cell(f.sentence) + " | " + number_text(f.density) + " | ";
        text += number_text(f.stretch_u) + ", " + number_text(f.stretch_v) + " | " + number_text(f.poisson) + " | ";
        text += number_text(f.shear) + " | " + number_text(f.bend_u) + ", " + number_text(f.bend_v) + " | ";
        text += number_text(f.thickness) + " | " + number_text(f.damping_time) + " | " + cell(f.source) + " |\n";
    }
    return text;
}

}  // namespace

std::string scene_format_markdown()
{
    Tables tables;
    tables.add<Scene>("");
    return std::string(manual_intro()) + "\n## Every key\n" + tables.text + preset_table() + fabric_table();
}

}  // namespace pliant
