// SPDX-License-Identifier: MIT
#include <pliant/io/dpo_files.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include <fmt/format.h>

#include <pliant/io/dpo_words.h>
#include <pliant/io/mesh_builder.h>
#include <pliant/io/mesh_file.h>
#include <pliant/io/text_words.h>
#include <pliant/io/whole_file.h>

namespace pliant {

namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// `lower` stands somewhere in the text, whatever the case there.
bool names(std::string_view text, std::string_view lower)
{
    for (std::size_t at = 0; at + lower.size() <= text.size(); ++at)
        if (equals_ignoring_case(text.substr(at, lower.size()), lower)) return true;
    return false;
}

bool begins_with(std::string_view text, std::string_view lower)
{
    return text.size() >= lower.size() && equals_ignoring_case(text.substr(0, lower.size()), lower);
}

/// A value that a file must have.
struct DpoValue {
    const char* name;
    const char* key;  ///< what its label has in it, and no other label
    int count;        ///< numbers
    double low, high;
    const char* range;  ///< in words
};

/// "label = value" lines in the order of `wanted`; the numbers of all of them, one after the other.
class ValueLines {
public:
    ValueLines(std::string_view bytes, std::span<const DpoValue> wanted, DpoProblems& problems)
        : lines_(without_byte_order_mark(bytes))
        , wanted_(wanted)
        , problems_(problems)
    {
    }

    std::vector<double> read()
    {
        while (lines_.next()) take_line(lines_.line());
        for (; found_ < wanted_.size(); ++found_)
            problems_.add(lines_.number(), wanted_[found_].name, "the file ends without it",
                          fmt::format("add a line: {} = {}", wanted_[found_].name, wanted_[found_].range));
        return std::move(numbers_);
    }

private:
    void take_line(std::string_view line)
    {
        const std::size_t equals = std::min(line.find('='), line.size());
        const std::string_view label = trimmed(line.substr(0, equals));
        if (equals == line.size() || std::none_of(label.begin(), label.end(), is_letter)) return;
        const std::string_view value = line.substr(equals + 1);
        const bool has_number = looks_like_number(DpoWords(value).next());
        if (found_ == wanted_.size()) {
            if (has_number)
                problems_.add(
                    lines_.number(), "",
                    fmt::format("found {} behind the last value, {}", in_quotes(trimmed(line)), wanted_.back().name),
                    "remove the line");
            return;
        }
        if (!has_number && !names(label, wanted_[found_].key)) return;
        check_order(label);
        take_value(value);
        ++found_;
    }

    void check_order(std::string_view label)
    {
        const DpoValue& due = wanted_[found_];
        if (names(label, due.key)) return;
        for (const DpoValue& other : wanted_)
            if (names(label, other.key)) {
                std::string order;
                for (const DpoValue& each : wanted_) order += fmt::format("{}{}", order.empty() ? "" : ", ", each.name);
                problems_.add(lines_.number(), due.name,
                              fmt::format("found {}, expected {}", in_quotes(label), due.name), "in order: " + order);
                return;
            }
    }

    void take_value(std::string_view text)
    {
        const DpoValue& due = wanted_[found_];
        DpoWords words(text);
        std::string complaint;
        for (int k = 0; k < due.count; ++k) {
            Number number = number_of(words.next());
            if (number.complaint.empty() && !(number.value >= due.low && number.value <= due.high))
                number.complaint = fmt::format("found {}, expected {}", number.value, due.range);
            if (complaint.empty()) complaint = std::move(number.complaint);
            numbers_.push_back(number.value);
        }
        // A unit may follow, one more number is a mistake.
        const std::string_view more = words.next();
        if (complaint.empty() && looks_like_number(more))
            complaint = fmt::format("found {} behind the value, expected the end of the line", in_quotes(more));
        if (!complaint.empty())
            problems_.add(lines_.number(), due.name, std::move(complaint),
                          fmt::format("it reads: {} = {}", due.name, due.range));
    }

    Lines lines_;
    std::span<const DpoValue> wanted_;
    DpoProblems& problems_;
    std::size_t found_ = 0;
    std::vector<double> numbers_;
};

/// File names behind the marker, taken three at a time.
class ListLines {
public:
    ListLines(std::string_view bytes, DpoProblems& problems)
        : lines_(without_byte_order_mark(bytes))
        , problems_(problems)
    {
    }

    DpoBodyList read()
    {
        if (!skip_prose()) {
            problems_.add(0, "", "found no line that begins the list", "write: Start the list from here:");
            return {};
        }
        while (lines_.next()) {
            const std::string_view line = trimmed(lines_.line());
            if (begins_with(line, "end") && !is_a_name(line)) break;
            if (!line.empty()) take_name(line);
        }
        if (due_ != Due::mesh) complain_of_missing();
        if (list_.bodies.empty())
            problems_.add(lines_.number(), "", "the list is empty",
                          "add three lines for a body X: dpo_X (or rig_X), par_X, vel_X");
        return std::move(list_);
    }

private:
    enum class Due { mesh, parameters, velocities };

    bool skip_prose()
    {
        while (lines_.next())
            if (begins_with(trimmed(lines_.line()), "start the list")) return true;
        return false;
    }

    static bool is_a_name(std::string_view line) { return line.find('_') != std::string_view::npos; }

    void take_name(std::string_view name)
    {
        if (name.find_first_of(" \t") != std::string_view::npos)
            return problems_.add(lines_.number(), "", fmt::format("found {}, expected one file name", in_quotes(name)),
                                 "one name a line, parts joined by '_' as in dpo_cloth");
        if (name.find_first_of("./\\") != std::string_view::npos)
            return problems_.add(lines_.number(), "",
                                 fmt::format("found {}, expected a name without extension or folder", in_quotes(name)),
                                 "files of bodies lie beside body_list, such as dpo_cloth");
        const std::string_view prefix = name.substr(0, 4);
        if ((prefix != "dpo_" && prefix != "rig_" && prefix != "par_" && prefix != "vel_") || name.size() == 4)
            return problems_.add(lines_.number(), "",
                                 fmt::format("found {}, expected dpo_, rig_, par_ or vel_ and a name", in_quotes(name)),
                                 "a cloth X has the files dpo_X, par_X, vel_X, a rigid body rig_X, par_X, vel_X");
        prefix == "dpo_" || prefix == "rig_" ? begin_body(name) : add_to_body(name);
    }

    void begin_body(std::string_view name)
    {
        if (due_ != Due::mesh) complain_of_missing();
        for (const DpoListed& other : list_.bodies)
            if (other.mesh == name)
                problems_.add(lines_.number(), "", fmt::format("{} is in the list already", in_quotes(name)),
                              "remove it, or copy its three files under another name");
        const std::string body(name.substr(4));
        list_.bodies.push_back({.kind = name.front() == 'd' ? DpoKind::cloth : DpoKind::rigid,
                                .mesh = std::string(name),
                                .parameters = "par_" + body,
                                .velocities = "vel_" + body});
        due_ = Due::parameters;
    }

    void add_to_body(std::string_view name)
    {
        const std::string expected = due_ == Due::mesh ? "dpo_ or rig_ of the next body" : due_name();
        if (name != expected) {
            problems_.add(lines_.number(), "", fmt::format("found {}, expected {}", in_quotes(name), expected),
                          "each body has three lines, in the order dpo_X (or rig_X), par_X, vel_X");
            // The two files a body needs may come in the wrong order; that is said once.
            if (due_ == Due::mesh) return;
        }
        due_ = due_ == Due::parameters ? Due::velocities : Due::mesh;
    }

    const std::string& due_name() const
    {
        return due_ == Due::parameters ? list_.bodies.back().parameters : list_.bodies.back().velocities;
    }

    void complain_of_missing()
    {
        problems_.add(lines_.number(), "",
                      fmt::format("{} is not followed by {}", list_.bodies.back().mesh, due_name()),
                      due_ == Due::parameters
                          ? "add its line and file: density, mass, thickness and colour"
                          : "add its line and file; for no constraints: Time 0, Number of constraint vectors 0");
        due_ = Due::mesh;
    }

    Lines lines_;
    DpoProblems& problems_;
    DpoBodyList list_;
    Due due_ = Due::mesh;
};

/// Files of a folder, and the problems of all of them.
class DpoFolder {
public:
    explicit DpoFolder(std::string folder) : folder_(std::move(folder)) {}

    DpoScene read()
    {
        DpoScene scene;
        scene.world = file_in<DpoWorld>("world_parameters/world_parameters", read_dpo_world);
        const auto list = file_in<DpoBodyList>("bodies/body_list", read_dpo_body_list);
        for (const DpoListed& listed : list.bodies) scene.bodies.push_back(body_in(listed, scene.notes));
        if (!problems_.empty()) throw Error(std::move(problems_), kind_);
        return scene;
    }

private:
    template <class File, class Reader>
    File file_in(const std::string& name, const Reader& reader)
    {
        const std::string path = folder_ + "/" + name;
        FileRead file = whole_file(path);
        if (file.problem) {
            if (file.problem->cure == "check the path")
                file.problem->cure = "a scene folder holds world_parameters/world_parameters and bodies/body_list";
            refuse({std::move(*file.problem)}, file.kind);
            return {};
        }
        DpoRead<File> read = reader(file.bytes, path);
        refuse(std::move(read.problems), ErrorKind::bad_input);
        return std::move(read.file);
    }

    DpoBody body_in(const DpoListed& listed, std::vector<std::string>& notes)
    {
        DpoBody body{.name = listed.mesh, .kind = listed.kind, .mesh = {}, .parameters = {}, .velocities = {}};
        body.mesh = file_in<TriMesh>("bodies/" + listed.mesh, [&](std::string_view bytes, const std::string& path) {
            MeshRead read = read_stl(bytes, path);
            for (const std::string& note : read.notes) notes.push_back(fmt::format("{}: {}", listed.mesh, note));
            return DpoRead<TriMesh>{std::move(read.mesh), std::move(read.problems)};
        });
        body.parameters =
            file_in<DpoParameters>("bodies/" + listed.parameters, [&](std::string_view bytes, const std::string& path) {
                return read_dpo_parameters(bytes, path, listed.kind);
            });
        // A mesh that could not be read says nothing about its vertices.
        const std::int64_t count = body.mesh.vertices.empty() ? std::numeric_limits<std::int64_t>::max()
                                                              : static_cast<std::int64_t>(body.mesh.vertices.size());
        body.velocities =
            file_in<DpoVelocities>("bodies/" + listed.velocities, [&](std::string_view bytes, const std::string& path) {
                return read_dpo_velocities(bytes, path, listed.kind, count);
            });
        return body;
    }

    void refuse(std::vector<Problem> problems, ErrorKind kind)
    {
        if (!problems.empty() && problems_.empty()) kind_ = kind;
        problems_.insert(problems_.end(), std::make_move_iterator(problems.begin()),
                         std::make_move_iterator(problems.end()));
    }

    std::string folder_;
    std::vector<Problem> problems_;
    ErrorKind kind_ = ErrorKind::bad_input;  // of the first of them
};

}  // namespace

DpoRead<DpoWorld> read_dpo_world(std::string_view bytes, const std::string& file_name)
{
    constexpr std::array kValues = {DpoValue{"Gravity", "grav", 1, 0, 1e6, "0 to 1e6 (m/s2, downwards)"},
                                    DpoValue{"Framerate", "frame", 1, 1e-6, 1e9, "1e-6 to 1e9 (frames per second)"}};
    DpoProblems problems(file_name);
    std::vector<double> n = ValueLines(bytes, kValues, problems).read();
    n.resize(2);
    return finished(DpoWorld{.gravity = n[0], .frame_rate = n[1]}, problems);
}

DpoRead<DpoBodyList> read_dpo_body_list(std::string_view bytes, const std::string& file_name)
{
    DpoProblems problems(file_name);
    DpoBodyList list = ListLines(bytes, problems).read();
    return finished(std::move(list), problems);
}

DpoRead<DpoParameters> read_dpo_parameters(std::string_view bytes, const std::string& file_name, DpoKind kind)
{
    const bool is_cloth = kind == DpoKind::cloth;
    const std::array values = {
        DpoValue{"Density", "density", 1, is_cloth ? 1e-9 : 0, 1e6,
                 is_cloth ? "1e-9 to 1e6 (kg/m2; cloth needs a mass)" : "0 to 1e6 (kg/m2)"},
        DpoValue{"Mass", "mass", 1, 0, 1e12, "0 to 1e12 (kg; 0 is infinite)"},
        DpoValue{"Thickness", "thick", 1, 0, 1e3, "0 to 1000 (m)"},
        DpoValue{"Diffuse colour", "colo", 3, 0, 1, "red, green, blue, each 0 to 1"},
    };
    DpoProblems problems(file_name);
    std::vector<double> n = ValueLines(bytes, values, problems).read();
    n.resize(6);
    return finished(DpoParameters{.density = n[0], .mass = n[1], .thickness = n[2], .colour = {n[3], n[4], n[5]}},
                    problems);
}

DpoScene load_dpo(const std::string& folder)
{
    return DpoFolder(folder).read();
}

}  // namespace pliant
