// SPDX-License-Identifier: MIT

// TetGen .node and .ele: text, one record a line, # begins a comment.
// Reference: H. Si, TetGen: a quality tetrahedral mesh generator, user's manual, chapter "File formats".
//
//   .node   count 3 attributes markers     then   number x y z [attributes] [marker]
//   .ele    count nodes attributes         then   number corners [attributes]
// Numbers begin with 0 or 1, as the first vertex does. Ten nodes: the corners, then the middles of edges. The first
// attribute of a tetrahedron is its region, a marker that is not zero a group of vertices.

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <pliant/io/mesh_builder.h>
#include <pliant/io/number_stream.h>
#include <pliant/io/text_words.h>
#include <pliant/io/vertex_marks.h>

namespace pliant {

namespace {

/// The next line that says something, without its comment.
std::optional<std::string_view> next_statement(Lines& lines)
{
    while (lines.next()) {
        const std::string_view line = lines.line().substr(0, lines.line().find('#'));
        if (!Words(line).next().empty()) return line;
    }
    return std::nullopt;
}

/// The first line: numbers of which those left out are zero.
struct Counts {
    std::int64_t values[4] = {0, 0, 0, 0};
};

std::optional<Counts> read_counts(TetBuilder& builder, Lines& lines, const char* example)
{
    const std::optional<std::string_view> statement = next_statement(lines);
    Words words(statement.value_or(""));
    Counts counts;
    std::string complaint = statement ? "" : "the file is empty, expected its counts";
    for (std::int64_t& value : counts.values) {
        const std::string_view word = words.next();
        if (word.empty()) break;
        Integer integer = integer_of(word);
        if (complaint.empty()) complaint = std::move(integer.complaint);
        if (complaint.empty() && integer.value < 0) complaint = fmt::format("found {}, expected none or more", word);
        value = integer.value;
    }
    const auto most = static_cast<std::int64_t>((lines.remaining() + 1) / 8);  // "0 1 2 3\n" is the shortest record
    if (complaint.empty() && counts.values[0] > most)
        complaint = fmt::format("the file promises {} records, but {} bytes can hold {} at most", counts.values[0],
                                lines.remaining(), most);
    // Records are lines, so what does not fit into the file cannot be in them.
    for (const std::int64_t value : counts.values)
        if (complaint.empty() && value > static_cast<std::int64_t>(lines.remaining()) + 4)
            complaint = fmt::format("the file promises {} numbers a line, which is more than it holds", value);
    if (complaint.empty()) return counts;
    builder.problem({lines.number(), -1, "counts"}, std::move(complaint),
                    fmt::format("the first line reads: {}", example));
    return std::nullopt;
}

void tell_cut_off(TetBuilder& builder, const Lines& lines, std::int64_t read, std::int64_t promised)
{
    builder.problem({lines.number(), -1, "records"}, fmt::format("the file ends after {} of {}", read, promised),
                    "the file is cut off; export or copy it again");
}

void read_node(TetBuilder& builder, MarkedVertices& markers, Words words, const Counts& counts, int line)
{
    Integer label = integer_of(words.next());
    const FilePlace place{line, -1, "vertex", label.value};
    if (!label.complaint.empty())
        return builder.problem(place, std::move(label.complaint), "a vertex reads: 1 0.5 1 -2");
    Point point = next_point(words);
    if (!point.complaint.empty())
        return builder.problem(place, std::move(point.complaint), "a vertex reads: 1 0.5 1 -2");
    for (std::int64_t a = 0; a < counts.values[2]; ++a) words.next();
    builder.vertex(label.value, point.value, place);
    if (counts.values[3] == 0) return;
    Integer marker = integer_of(words.next());
    if (!marker.complaint.empty())
        return builder.problem(place, "its boundary marker: " + marker.complaint,
                               "the first line promises a marker at the end of each line");
    if (marker.value != 0) markers[marker.value].push_back(label.value);
}

bool read_nodes(TetBuilder& builder, MarkedVertices& markers, std::string_view bytes)
{
    Lines lines(without_byte_order_mark(bytes));
    const std::optional<Counts> counts = read_counts(builder, lines, "8 3 0 0");
    if (!counts) return false;
    if (counts->values[1] != 3) {
        builder.problem({lines.number(), -1, "counts"},
                        fmt::format("found dimension {}, expected 3", counts->values[1]),
                        "a .node file of Triangle is flat; TetGen's has three coordinates a vertex");
        return false;
    }
    for (std::int64_t i = 0; i < counts->values[0]; ++i) {
        const std::optional<std::string_view> statement = next_statement(lines);
        if (!statement) return tell_cut_off(builder, lines, i, counts->values[0]), false;
        read_node(builder, markers, Words(*statement), *counts, lines.number());
    }
    return !builder.has_problems();
}

/// The region, or nothing when the attribute is no whole number and so means something else.
std::optional<std::int64_t> region_from(double attribute)
{
    constexpr double kMost = 2147483647.0;
    if (!(std::abs(attribute) <= kMost) || attribute != std::floor(attribute)) return std::nullopt;
    return static_cast<std::int64_t>(attribute);
}

/// False when the attribute is no region.
bool read_tet(TetBuilder& builder, std::vector<std::int64_t>& labels, Words words, const Counts& counts, int line)
{
    Integer number = integer_of(words.next());
    const FilePlace place{line, -1, "tetrahedron", number.value};
    labels.clear();
    for (std::int64_t c = 0; c < counts.values[1] && number.complaint.empty(); ++c) {
        const Integer corner = integer_of(words.next());
        number.complaint = corner.complaint;
        labels.push_back(corner.value);
    }
    std::optional<std::int64_t> region = 0;
    if (number.complaint.empty() && counts.values[2] > 0) {
        const Number attribute = number_of(words.next());
        number.complaint = attribute.complaint;
        region = region_from(attribute.value);
    }
    if (!number.complaint.empty())
        builder.problem(place, std::move(number.complaint),
                        fmt::format("the first line promises {} corners and {} attributes behind the number",
                                    counts.values[1], counts.values[2]));
    else
        builder.tet(labels, region.value_or(0), place);
    return region.has_value();
}

void read_elements(TetBuilder& builder, std::string_view bytes)
{
    Lines lines(without_byte_order_mark(bytes));
    const std::optional<Counts> counts = read_counts(builder, lines, "12 4 0");
    if (!counts) return;
    if (counts->values[1] != 4 && counts->values[1] != 10)
        return builder.problem({lines.number(), -1, "counts"},
                               fmt::format("found {} nodes an element, expected 4 or 10", counts->values[1]),
                               counts->values[1] == 3 ? "an .ele file of Triangle is a surface; TetGen fills it"
                                                      : "export the mesh again");
    if (counts->values[2] > 0) builder.keep_zero_regions();
    std::vector<std::int64_t> labels;
    bool are_regions = true;
    for (std::int64_t i = 0; i < counts->values[0]; ++i) {
        const std::optional<std::string_view> statement = next_statement(lines);
        if (!statement) return tell_cut_off(builder, lines, i, counts->values[0]);
        if (!read_tet(builder, labels, Words(*statement), *counts, lines.number())) are_regions = false;
    }
    if (are_regions) return;
    builder.note("the attributes of tetrahedra are not whole numbers and so no regions; they were passed by");
    builder.forget_regions();
}

}  // namespace

TetRead read_tetgen(const NamedBytes& node, const NamedBytes& ele)
{
    return read_tets_safely(node.file_name, [&](TetBuilder& builder) {
        MarkedVertices markers;
        if (!read_nodes(builder, markers, node.bytes)) return;
        add_groups(builder, "marker", markers);
        builder.set_file(ele.file_name);
        read_elements(builder, ele.bytes);
    });
}

TetgenText tetgen_text(const TetMesh& mesh)
{
    const std::vector<std::int32_t> marks = vertex_marks(mesh, "marker").marks;
    const bool any_mark = std::any_of(marks.begin(), marks.end(), [](std::int32_t m) { return m != 0; });
    TetgenText text;
    text.node = fmt::format("{} 3 0 {}\n", mesh.vertices.size(), any_mark ? 1 : 0);
    NumberSink nodes(text.node, false);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        nodes.whole(static_cast<std::int64_t>(v), 4);
        for (int k = 0; k < 3; ++k) nodes.real(mesh.vertices[v][k]);
        if (any_mark) nodes.whole(marks[v], 4);
        nodes.end_line();
    }
    text.ele = fmt::format("{} 4 {}\n", mesh.tets.size(), mesh.region.empty() ? 0 : 1);
    NumberSink elements(text.ele, false);
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
        elements.whole(static_cast<std::int64_t>(e), 4);
        for (const std::int32_t v : mesh.tets[e]) elements.whole(v, 4);
        if (!mesh.region.empty()) elements.whole(mesh.region[e], 4);
        elements.end_line();
    }
    return text;
}

}  // namespace pliant
