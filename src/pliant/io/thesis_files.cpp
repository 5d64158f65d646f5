// SPDX-License-Identifier: MIT
#include <pliant/io/thesis_files.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <pliant/io/mesh_builder.h>
#include <pliant/io/tet_builder.h>
#include <pliant/io/text_words.h>
#include <pliant/io/whole_file.h>

namespace pliant {

namespace {

// What a record holds is said once, by fields(); readers and writers are what it is said to.

template <class Visitor>
void fields(Visitor& visit, Vec3& v)
{
    visit(v.x), visit(v.y), visit(v.z);
}

template <class Visitor>
void fields(Visitor& visit, ThesisVertex& vertex)
{
    visit.number(":");
    fields(visit, vertex.position), fields(visit, vertex.velocity);
}

template <class Visitor>
void fields(Visitor& visit, ThesisTet& tet)
{
    visit.number(" :");
    for (auto& row : tet.rest.m)
        for (double& entry : row) visit(entry);
    visit.check(determinant(tet.rest) > 0, "the rest matrix has no positive determinant",
                "swap two corners and their columns, or remove the flat tetrahedron");
    visit.end_line();
    for (std::int32_t& corner : tet.corners) visit(corner);
    visit.end_line();
    visit(tet.density), visit(tet.bulk), visit(tet.shear), visit(tet.volume_damping), visit(tet.shape_damping);
}

template <class Visitor>
void fields(Visitor& visit, ThesisTexture& texture)
{
    fields(visit, texture.ambient), fields(visit, texture.diffuse);
    fields(visit, texture.specular), fields(visit, texture.transmitted);
    visit(texture.refraction), visit(texture.phong);
}

template <class Visitor>
void fields(Visitor& visit, ThesisFace& face)
{
    for (std::int32_t& corner : face.corners) visit(corner);
    visit(face.texture);
    for (double* const coefficient : {&face.static_friction, &face.dynamic_friction, &face.restitution}) {
        visit(*coefficient);
        visit.check(*coefficient >= 0 && *coefficient <= 1, "a coefficient of the surface is outside 0 to 1",
                    "friction and restitution lie from 0 to 1");
    }
}

template <class Visitor>
void fields(Visitor& visit, std::int32_t& vertex)
{
    visit(vertex);
}

template <class Visitor>
void fields(Visitor& visit, ThesisLight& light)
{
    for (double& coordinate : light.position) visit(coordinate);
    fields(visit, light.colour);
}

template <class Visitor>
void fields(Visitor& visit, ThesisEnergy& energy)
{
    visit(energy.t), visit(energy.kinetic), visit(energy.elastic), visit(energy.gravitational);
    visit(energy.dissipated_power);
}

/// What a part between "begin" and "end" is called, what it counts, and its list of records.
template <class Part>
struct PartWords;

template <>
struct PartWords<ThesisState> {
    static constexpr const char* type = "state";
    static constexpr const char* count = "vertices";
    static constexpr auto records = &ThesisState::vertices;
};
template <>
struct PartWords<ThesisTopology> {
    static constexpr const char* type = "topology";
    static constexpr const char* count = "tetrahedrons";
    static constexpr auto records = &ThesisTopology::tets;
};
template <>
struct PartWords<ThesisTextures> {
    static constexpr const char* type = "textures";
    static constexpr const char* count = "textures";
    static constexpr auto records = &ThesisTextures::textures;
};
template <>
struct PartWords<ThesisSurface> {
    static constexpr const char* type = "surface";
    static constexpr const char* count = "faces";
    static constexpr auto records = &ThesisSurface::faces;
};
template <>
struct PartWords<ThesisConstraints> {
    static constexpr const char* type = "constraints";
    static constexpr const char* count = "constraints";
    static constexpr auto records = &ThesisConstraints::fixed;
};
template <>
struct PartWords<ThesisLights> {
    static constexpr const char* type = "lights";
    static constexpr const char* count = "lights";
    static constexpr auto records = &ThesisLights::lights;
};
template <>
struct PartWords<ThesisEnergies> {
    static constexpr const char* type = "energies";
    static constexpr const char* count = "states";
    static constexpr auto records = &ThesisEnergies::states;
};

/// Lines that are not blank, with the problems found in them.
class ThesisLines {
public:
    ThesisLines(std::string_view bytes, const std::string& file_name)
        : lines_(without_byte_order_mark(bytes))
        , file_name_(file_name)
    {
    }

    /// Steps to the next line with words; false at the end of the file.
    bool next()
    {
        while (lines_.next())
            if (!Words(lines_.line()).next().empty()) return true;
        return false;
    }
    std::string_view line() const { return lines_.line(); }
    std::size_t remaining() const { return lines_.remaining(); }

    /// Tells the problem; only the first twenty are kept.
    void problem(std::string where, std::string message, std::string cure)
    {
        constexpr std::size_t kMaxProblems = 20;
        if (problems.size() < kMaxProblems)
            problems.push_back({.file = file_name_,
                                .line = lines_.number(),
                                .where = std::move(where),
                                .message = std::move(message),
                                .cure = std::move(cure)});
    }

    std::vector<Problem> problems;

private:
    Lines lines_;
    std::string file_name_;
};

/// Words of a line, of which '=' and ':' are some also without blanks round them.
class MarkedWords {
public:
    explicit MarkedWords(std::string_view line) : rest_(line) {}

    std::string_view next()
    {
        while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
        std::size_t length = 0;
        while (length < rest_.size() && !is_blank(rest_[length]) && !is_mark(rest_[length])) ++length;
        if (length == 0 && !rest_.empty()) length = 1;
        const std::string_view word = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return word;
    }

private:
    static bool is_mark(char c) { return c == '=' || c == ':'; }
    std::string_view rest_;
};

/// Fills a record from its lines. The first complaint counts.
class RecordReader {
public:
    RecordReader(ThesisLines& lines, std::int64_t number) : lines_(lines), number_(number), words_(lines.line()) {}

    void number(const char*)
    {
        const Integer found = integer_of(words_.next());
        if (!found.complaint.empty() || words_.next() != ":")
            complain("found no number with a colon at the beginning", "a record begins as in: 0: 1 2 3");
        else if (found.value != number_)
            complain(fmt::format("found number {}, expected {}", found.value, number_), "records count 0, 1, 2 …");
    }
    void operator()(double& value)
    {
        const Number found = number_of(words_.next());
        if (!found.complaint.empty())
            complain(found.complaint, "complete the line, or export the file again");
        else if (!std::isfinite(found.value))
            complain(fmt::format("found {}, expected a finite number", found.value), "");
        value = found.value;
    }
    void operator()(std::int32_t& value)
    {
        const Integer found = integer_of(words_.next());
        if (!found.complaint.empty())
            complain(found.complaint, "complete the line, or export the file again");
        else if (found.value < 0 || found.value > INT32_MAX)
            complain(fmt::format("found {}, expected a number from 0", found.value), "all numbering starts at 0");
        else
            value = static_cast<std::int32_t>(found.value);
    }
    void check(bool holds, const char* message, const char* cure)
    {
        if (!holds) complain(message, cure);
    }
    void end_line()
    {
        const std::string_view more = words_.next();
        if (!more.empty()) complain(fmt::format("found {}, expected the end of the line", in_quotes(more)), "");
        if (!lines_.next()) complain("the file ends within the record", "it is cut off; copy it again");
        words_ = MarkedWords(lines_.line());
    }
    void finish()
    {
        const std::string_view more = words_.next();
        if (!more.empty()) complain(fmt::format("found {}, expected the end of the line", in_quotes(more)), "");
    }

private:
    void complain(std::string message, std::string cure)
    {
        if (!complained_) lines_.problem(fmt::format("record {}", number_), std::move(message), std::move(cure));
        complained_ = true;
    }

    ThesisLines& lines_;
    std::int64_t number_;
    MarkedWords words_;
    bool complained_ = false;
};

class RecordWriter {
public:
    RecordWriter(std::string& text, std::size_t number) : text_(text), number_(number) {}

    void number(const char* colon)
    {
        append_number(text_, static_cast<std::int64_t>(number_));
        text_ += colon;
        text_ += ' ';
    }
    void operator()(double value) { append_number(text_, value), text_ += ' '; }
    void operator()(std::int32_t value) { append_number(text_, std::int64_t{value}), text_ += ' '; }
    void check(bool, const char*, const char*) const {}
    void end_line() { text_.back() = '\n'; }

private:
    std::string& text_;
    std::size_t number_;
};

/// Looks for numbers that cannot be written.
class FiniteCheck {
public:
    void number(const char*) const {}
    void operator()(double value) { all_finite = all_finite && std::isfinite(value); }
    void operator()(std::int32_t) {}
    void check(bool, const char*, const char*) const {}
    void end_line() const {}

    bool all_finite = true;
};

constexpr const char* kCutOff = "the file is cut off or damaged; copy it again";

/// "begin TYPE …" on the present line; the words behind the type, or nothing after telling what is wrong.
std::optional<std::string> format_from(ThesisLines& lines, const char* type)
{
    Words words(lines.line());
    const std::string_view begin = words.next(), found = words.next();
    if (begin != "begin" || found != type) {
        lines.problem("header", fmt::format("found {}, expected: begin {}", in_quotes(lines.line()), type),
                      fmt::format("the first line reads: begin {} {}", type, kThesisFormat));
        return std::nullopt;
    }
    const auto behind = static_cast<std::size_t>(found.data() + found.size() - lines.line().data());
    std::string_view format = lines.line().substr(behind);
    while (!format.empty() && is_blank(format.front())) format.remove_prefix(1);
    while (!format.empty() && is_blank(format.back())) format.remove_suffix(1);
    return std::string(format);
}

/// "name = value" on the next line: the value of that field, or nothing after telling what is wrong.
struct Field {
    std::string_view name, value;
};
std::optional<Field> next_field(ThesisLines& lines, const std::string& expected)
{
    if (lines.next()) {
        MarkedWords words(lines.line());
        const std::string_view name = words.next(), equals = words.next(), value = words.next();
        if (equals == "=" && !value.empty() && words.next().empty()) return Field{name, value};
    }
    lines.problem("header", fmt::format("found {}, expected: {}", in_quotes(lines.line()), expected), kCutOff);
    return std::nullopt;
}

/// The fields before the records: how many there are, and for a state its time.
template <class Part>
std::optional<std::int64_t> read_fields(ThesisLines& lines, Part& part)
{
    constexpr bool has_time = std::is_same_v<Part, ThesisState>;
    const char* const count_name = PartWords<Part>::count;
    std::optional<std::int64_t> count;
    for (int k = 0; k < (has_time ? 2 : 1); ++k) {
        const std::optional<Field> field = next_field(lines, fmt::format("{} = n", count_name));
        if (!field) return std::nullopt;
        if constexpr (has_time) {
            if (field->name == "t") {
                const Number time = number_of(field->value);
                part.t = time.value;
                if (!time.complaint.empty() || !std::isfinite(time.value))
                    lines.problem("t", fmt::format("found {}, expected seconds", in_quotes(field->value)), "");
                continue;
            }
        }
        const Integer number = integer_of(field->value);
        if (field->name != count_name || !number.complaint.empty() || number.value < 0) {
            lines.problem("header", fmt::format("found {}, expected: {} = n", in_quotes(lines.line()), count_name), "");
            return std::nullopt;
        }
        count = number.value;
    }
    if (!count) lines.problem("header", fmt::format("found no count, expected: {} = n", count_name), "");
    return count;
}

/// One part from its first line, on which `lines` stands, to its last; false when reading cannot go on.
template <class Part>
bool read_part(ThesisLines& lines, Part& part)
{
    const char* const type = PartWords<Part>::type;
    const std::optional<std::string> format = format_from(lines, type);
    if (!format) return false;
    part.format = *format;
    const std::optional<std::int64_t> count = read_fields(lines, part);
    if (!count) return false;
    // The shortest record is a digit and the end of its line.
    if (*count > static_cast<std::int64_t>(lines.remaining() / 2)) {
        lines.problem("header",
                      fmt::format("promises {} {}, which {} bytes cannot hold", *count, PartWords<Part>::count,
                                  lines.remaining()),
                      kCutOff);
        return false;
    }
    auto& records = part.*PartWords<Part>::records;
    for (std::int64_t i = 0; i < *count; ++i) {
        if (!lines.next() || Words(lines.line()).next() == "end") {
            lines.problem("records", fmt::format("end after {} of {}", i, *count), kCutOff);
            return false;
        }
        RecordReader reader(lines, i);
        fields(reader, records.emplace_back());
        reader.finish();
    }
    const bool more = lines.next();
    Words words(more ? lines.line() : "");
    if (words.next() == "end" && words.next() == type && words.next().empty()) return true;
    lines.problem("end", fmt::format("found {}, expected: end {}", more ? in_quotes(lines.line()) : "nothing", type),
                  more ? "correct the count in the header, or the last line" : kCutOff);
    return false;
}

void read_file(ThesisLines& lines, ThesisStates& file)
{
    while (lines.next())
        if (!read_part(lines, file.states.emplace_back())) return;
    if (file.states.empty()) lines.problem("header", "the file is empty, expected: begin state", kCutOff);
}

template <class File>
void read_file(ThesisLines& lines, File& file)
{
    if (!lines.next()) {
        lines.problem("header", fmt::format("the file is empty, expected: begin {}", PartWords<File>::type), kCutOff);
        return;
    }
    if (read_part(lines, file) && lines.next())
        lines.problem("end", fmt::format("found {} behind the end", in_quotes(lines.line())), "remove it");
}

template <class Part>
void add_part(std::string& text, const Part& part)
{
    text += fmt::format("begin {}{}{}\n", PartWords<Part>::type, part.format.empty() ? "" : " ", part.format);
    const auto& records = part.*PartWords<Part>::records;
    text += fmt::format("{} = {}\n", PartWords<Part>::count, records.size());
    if constexpr (std::is_same_v<Part, ThesisState>) {
        text += "t = ";
        append_number(text, part.t);
        text += '\n';
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
        RecordWriter writer(text, i);
        auto record = records[i];  // fields() is written for records that may be changed
        fields(writer, record);
        writer.end_line();
    }
    text += fmt::format("end {}\n", PartWords<Part>::type);
}

template <class Part>
bool is_finite_part(const Part& part)
{
    FiniteCheck check;
    if constexpr (std::is_same_v<Part, ThesisState>) check(part.t);
    for (auto record : part.*PartWords<Part>::records) fields(check, record);
    return check.all_finite;
}

bool is_finite_part(const ThesisStates& file)
{
    return std::all_of(file.states.begin(), file.states.end(), [](const ThesisState& s) { return is_finite_part(s); });
}

}  // namespace

template <class File>
ThesisRead<File> read_thesis(std::string_view bytes, const std::string& file_name)
{
    ThesisRead<File> read;
    try {
        ThesisLines lines(bytes, file_name);
        read_file(lines, read.file);
        read.problems = std::move(lines.problems);
    } catch (const std::exception&) {
        read.problems = {{.file = file_name,
                          .line = 0,
                          .where = "",
                          .message = "not enough memory to read the file",
                          .cure = "use a machine with more memory"}};
    }
    if (!read.ok()) read.file = {};
    return read;
}

template <class File>
File load_thesis(const std::string& path)
{
    FileRead bytes = whole_file(path);
    if (bytes.problem) throw Error(*bytes.problem, bytes.kind);
    ThesisRead<File> read = read_thesis<File>(bytes.bytes, path);
    if (!read.ok()) throw Error(std::move(read.problems));
    return std::move(read.file);
}

template <class File>
std::string thesis_text(const File& file)
{
    std::string text;
    if constexpr (std::is_same_v<File, ThesisStates>)
        for (const ThesisState& state : file.states) add_part(text, state);
    else
        add_part(text, file);
    return text;
}

template <class File>
void write_thesis(const std::string& path, const File& file)
{
    if (!is_finite_part(file))
        throw Error(Problem{.file = path,
                            .line = 0,
                            .where = "",
                            .message = "cannot be written: a number is not finite",
                            .cure = "did the simulation fail?"});
    write_whole_file(path, thesis_text(file));
}

template ThesisRead<ThesisStates> read_thesis(std::string_view, const std::string&);
template ThesisRead<ThesisTopology> read_thesis(std::string_view, const std::string&);
template ThesisRead<ThesisTextures> read_thesis(std::string_view, const std::string&);
template ThesisRead<ThesisSurface> read_thesis(std::string_view, const std::string&);
template ThesisRead<ThesisConstraints> read_thesis(std::string_view, const std::string&);
template ThesisRead<ThesisLights> read_thesis(std::string_view, const std::string&);
template ThesisRead<ThesisEnergies> read_thesis(std::string_view, const std::string&);

template ThesisStates load_thesis(const std::string&);
template ThesisTopology load_thesis(const std::string&);
template ThesisTextures load_thesis(const std::string&);
template ThesisSurface load_thesis(const std::string&);
template ThesisConstraints load_thesis(const std::string&);
template ThesisLights load_thesis(const std::string&);
template ThesisEnergies load_thesis(const std::string&);

template std::string thesis_text(const ThesisStates&);
template std::string thesis_text(const ThesisTopology&);
template std::string thesis_text(const ThesisTextures&);
template std::string thesis_text(const ThesisSurface&);
template std::string thesis_text(const ThesisConstraints&);
template std::string thesis_text(const ThesisLights&);
template std::string thesis_text(const ThesisEnergies&);

template void write_thesis(const std::string&, const ThesisStates&);
template void write_thesis(const std::string&, const ThesisTopology&);
template void write_thesis(const std::string&, const ThesisTextures&);
template void write_thesis(const std::string&, const ThesisSurface&);
template void write_thesis(const std::string&, const ThesisConstraints&);
template void write_thesis(const std::string&, const ThesisLights&);
template void write_thesis(const std::string&, const ThesisEnergies&);

TetRead tets_from_thesis(const ThesisTopology& topology, const ThesisState& state, const ThesisConstraints& constraints,
                         const std::string& file_name)
{
    return read_tets_safely(file_name, [&](TetBuilder& builder) {
        for (std::size_t v = 0; v < state.vertices.size(); ++v)
            builder.vertex(static_cast<std::int64_t>(v), state.vertices[v].position,
                           {0, -1, "vertex", static_cast<std::int64_t>(v)});
        std::map<std::array<double, 5>, std::int64_t> materials;
        for (std::size_t e = 0; e < topology.tets.size(); ++e) {
            const ThesisTet& tet = topology.tets[e];
            const std::array material{tet.density, tet.bulk, tet.shear, tet.volume_damping, tet.shape_damping};
            const auto next = static_cast<std::int64_t>(materials.size()) + 1;
            const std::int64_t region = materials.emplace(material, next).first->second;
            const std::array<std::int64_t, 4> corners{tet.corners[0], tet.corners[1], tet.corners[2], tet.corners[3]};
            builder.tet(corners, region, {0, -1, "tetrahedron", static_cast<std::int64_t>(e)});
        }
        if (materials.size() < 2) builder.forget_regions();
        if (constraints.fixed.empty()) return;
        const std::vector<std::int64_t> fixed(constraints.fixed.begin(), constraints.fixed.end());
        builder.add_to_group(builder.group("fixed"), fixed, {0, -1, "constraints"});
    });
}

}  // namespace pliant
