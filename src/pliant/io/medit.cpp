// SPDX-License-Identifier: MIT

// Medit .mesh (text) and .meshb (binary of either byte order, versions 1 to 4), also called Gamma mesh format.
// Reference: P. Frey, MEDIT: an interactive mesh visualization software, INRIA RT-0253, 2001; L. Maréchal, libMeshb.
//
// A file is a list of keywords with their data: words in text, numbers in binary, where each is followed by the
// position of the next. Vertices count from one and carry a reference number, elements carry one behind their corners.
// Version 1 stores floats; version 3 has positions and version 4 all whole numbers of 8 bytes.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <pliant/io/byte_order.h>
#include <pliant/io/mesh_builder.h>
#include <pliant/io/number_stream.h>
#include <pliant/io/text_words.h>
#include <pliant/io/vertex_marks.h>

namespace pliant {

namespace {

enum class Content { vertices, tets, faces, volumes };

struct Keyword {
    const char* name;
    std::int64_t code;  ///< in binary files
    Content content;
    int corners;
};

constexpr Keyword kKeywords[] = {
    {"Vertices", 4, Content::vertices, 0},   {"Tetrahedra", 8, Content::tets, 4},
    {"TetrahedraP2", 30, Content::tets, 10}, {"Triangles", 6, Content::faces, 3},
    {"TrianglesP2", 24, Content::faces, 6},  {"Quadrilaterals", 7, Content::faces, 4},
    {"Prisms", 9, Content::volumes, 6},      {"Pentahedra", 9, Content::volumes, 6},
    {"Hexahedra", 10, Content::volumes, 8},  {"Hexaedra", 10, Content::volumes, 8},
    {"Pyramids", 49, Content::volumes, 5},
};

constexpr std::int64_t kDimensionCode = 3, kEndCode = 54;

struct MeditFile {
    TetBuilder& builder;
    NumberSource source;
    int whole_size = 4, real_size = 8, position_size = 4;  ///< bytes of binary numbers
    std::int64_t last_label = 0;
    MarkedVertices references, surfaces;
};

bool read_vertices(MeditFile& medit, std::int64_t count)
{
    NumberSource& source = medit.source;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t label = ++medit.last_label;
        Vec3 point;
        point.x = source.real(medit.real_size);
        const FilePlace place = source.place("vertex", label);
        point.y = source.real(medit.real_size), point.z = source.real(medit.real_size);
        const std::int64_t reference = source.whole(medit.whole_size);
        if (source.failed()) return tell_damage(medit.builder, source, "vertex", label), false;
        medit.builder.vertex(label, point, place);
        if (reference != 0) medit.references[reference].push_back(label);
    }
    return true;
}

bool read_elements(MeditFile& medit, const Keyword& keyword, std::int64_t count)
{
    NumberSource& source = medit.source;
    std::vector<std::int64_t> labels(static_cast<std::size_t>(keyword.corners));
    const char* const kind = keyword.content == Content::tets ? "tetrahedron" : "element";
    for (std::int64_t i = 1; i <= count; ++i) {
        FilePlace place;
        for (std::size_t c = 0; c < labels.size(); ++c) {
            labels[c] = source.whole(medit.whole_size);
            if (c == 0) place = source.place(kind, i);
        }
        const std::int64_t reference = source.whole(medit.whole_size);
        if (source.failed()) return tell_damage(medit.builder, source, kind, i), false;
        if (keyword.content == Content::tets) medit.builder.tet(labels, reference, place);
        if (keyword.content == Content::faces && reference != 0) {
            std::vector<std::int64_t>& surface = medit.surfaces[reference];
            surface.insert(surface.end(), labels.begin(), labels.end());
        }
    }
    if (keyword.content == Content::faces) medit.builder.pass_by_faces(count);
    if (keyword.content == Content::volumes) medit.builder.pass_by_volumes(count);
    return true;
}

/// The data behind a keyword; false when reading cannot go on.
bool read_data(MeditFile& medit, const Keyword& keyword)
{
    NumberSource& source = medit.source;
    const std::int64_t count = source.whole(medit.whole_size);
    if (source.failed()) return tell_damage(medit.builder, source, keyword.name), false;
    const int numbers = keyword.content == Content::vertices ? 4 : keyword.corners + 1;
    if (!is_believable(medit.builder, source, keyword.name, count, numbers)) return false;
    return keyword.content == Content::vertices ? read_vertices(medit, count) : read_elements(medit, keyword, count);
}

bool dimension_is_three(MeditFile& medit, std::int64_t dimension)
{
    NumberSource& source = medit.source;
    if (source.failed()) return tell_damage(medit.builder, source, "Dimension"), false;
    if (dimension == 3) return true;
    medit.builder.problem(source.place("Dimension"), fmt::format("found {}, expected 3", dimension),
                          "a volume mesh has three coordinates a vertex; export it in 3D");
    return false;
}

void read_text(MeditFile& medit)
{
    NumberSource& source = medit.source;
    source.word();
    const std::int64_t version = source.word_as_whole();
    if (source.failed() || version < 0 || version > 4)
        return medit.builder.problem(source.place("MeshVersionFormatted"), "expected a version from 1 to 4 behind it",
                                     "the first line of a .mesh file reads: MeshVersionFormatted 2");
    for (std::string_view word = source.word(); !word.empty(); word = source.word()) {
        const bool is_letter = (word[0] >= 'A' && word[0] <= 'Z') || (word[0] >= 'a' && word[0] <= 'z');
        if (word[0] == '#' || word == "Identifier" || word == "Geometry") {
            source.rest_of_line();
        } else if (word == "Dimension") {
            if (!dimension_is_three(medit, source.word_as_whole())) return;
        } else if (word == "End") {
            return;
        } else if (is_letter) {
            // Words of a keyword that is not known here are numbers, which the loop passes by.
            const auto* const keyword = std::find_if(std::begin(kKeywords), std::end(kKeywords),
                                                     [&](const Keyword& k) { return word == k.name; });
            if (keyword != std::end(kKeywords) && !read_data(medit, *keyword)) return;
        }
    }
    medit.builder.problem(source.place("End"), "the file ends without the keyword End",
                          "the file is cut off; export or copy it again");
}

/// The binary file's version, which decides the sizes of numbers; false when there is no such version.
bool read_binary_head(MeditFile& medit, std::endian order)
{
    NumberSource& source = medit.source;
    source.set_binary(order);
    source.whole(4);
    const std::int64_t version = source.whole(4);
    if (source.failed() || version < 1 || version > 4) {
        medit.builder.problem(source.place("header"), fmt::format("found version {}, expected 1 to 4", version),
                              "is this really a .meshb file? export it again");
        return false;
    }
    medit.real_size = version == 1 ? 4 : 8;
    medit.position_size = version >= 3 ? 8 : 4;
    medit.whole_size = version == 4 ? 8 : 4;
    return true;
}

/// Steps over a keyword that is not known here; positions must go forward, or reading would never end.
bool skip_to(MeditFile& medit, std::int64_t next, std::int64_t remaining_before)
{
    NumberSource& source = medit.source;
    source.move_to(next);
    if (!source.failed() && source.remaining() < remaining_before) return true;
    source.complain(fmt::format("the position of the next keyword is {}, which lies before this one", next));
    return tell_damage(medit.builder, source, "keyword"), false;
}

void read_binary(MeditFile& medit, std::endian order)
{
    NumberSource& source = medit.source;
    if (!read_binary_head(medit, order)) return;
    while (true) {
        const std::int64_t code = source.whole(4);
        // Not every writer puts a position behind the end.
        if (code == kEndCode) return;
        const std::int64_t next = source.whole(medit.position_size);
        if (source.failed())
            return medit.builder.problem(source.place("End"), "the file ends without the keyword End",
                                         "the file is cut off; export or copy it again");
        const auto* const keyword =
            std::find_if(std::begin(kKeywords), std::end(kKeywords), [&](const Keyword& k) { return code == k.code; });
        if (code == kDimensionCode) {
            if (!dimension_is_three(medit, source.whole(4))) return;
        } else if (keyword == std::end(kKeywords)) {
            if (!skip_to(medit, next, source.remaining() + 1)) return;
        } else if (!read_data(medit, *keyword)) {
            return;
        }
    }
}

/// The byte order of a binary file, which begins with a one of four bytes.
std::optional<std::endian> binary_order(std::string_view bytes)
{
    if (bytes.size() < 4) return std::nullopt;
    const auto one = number_at<std::int32_t>(bytes.data());
    if (one == 1) return std::endian::little;
    if (one == 0x01000000) return std::endian::big;
    return std::nullopt;
}

}  // namespace

TetRead read_medit(std::string_view bytes, const std::string& file_name)
{
    return read_tets_safely(file_name, [&](TetBuilder& builder) {
        const std::string_view text = without_byte_order_mark(bytes);
        const std::optional<std::endian> order = binary_order(bytes);
        MeditFile medit{.builder = builder, .source = NumberSource(order ? bytes : text)};
        const std::string_view first = Words(text).next();
        if (order)
            read_binary(medit, *order);
        else if (first == "MeshVersionFormatted")
            read_text(medit);
        else
            builder.problem({1, -1, "header"}, fmt::format("found {}, expected MeshVersionFormatted", in_quotes(first)),
                            "is this a Medit file? The first line reads: MeshVersionFormatted 2");
        if (builder.has_problems()) return;
        add_groups(builder, "reference", medit.references);
        add_groups(builder, "surface", medit.surfaces);
    });
}

std::string medit_bytes(const TetMesh& mesh)
{
    const std::vector<std::int32_t> references = vertex_marks(mesh, "reference").marks;
    std::string text = fmt::format("MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n", mesh.vertices.size());
    NumberSink sink(text, false);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        for (int k = 0; k < 3; ++k) sink.real(mesh.vertices[v][k]);
        sink.whole(references[v], 4), sink.end_line();
    }
    text += fmt::format("Tetrahedra\n{}\n", mesh.tets.size());
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
        for (const std::int32_t v : mesh.tets[e]) sink.whole(std::int64_t{v} + 1, 4);
        sink.whole(mesh.region.empty() ? 0 : mesh.region[e], 4), sink.end_line();
    }
    return text + "End\n";
}

std::string meshb_bytes(const TetMesh& mesh)
{
    // Version 3: whole numbers of 4 bytes, positions of 8, so that the file may be longer than 2 GiB.
    const std::vector<std::int32_t> references = vertex_marks(mesh, "reference").marks;
    std::string bytes;
    NumberSink sink(bytes, true);
    sink.whole(1, 4), sink.whole(3, 4);
    const auto begin = [&](std::int64_t code, std::size_t data_size) {
        sink.whole(code, 4);
        sink.whole(static_cast<std::int64_t>(bytes.size() + 8 + data_size), 8);
    };
    begin(kDimensionCode, 4), sink.whole(3, 4);
    begin(4, 4 + mesh.vertices.size() * 28), sink.whole(static_cast<std::int64_t>(mesh.vertices.size()), 4);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        for (int k = 0; k < 3; ++k) sink.real(mesh.vertices[v][k]);
        sink.whole(references[v], 4);
    }
    begin(8, 4 + mesh.tets.size() * 20), sink.whole(static_cast<std::int64_t>(mesh.tets.size()), 4);
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
        for (const std::int32_t v : mesh.tets[e]) sink.whole(std::int64_t{v} + 1, 4);
        sink.whole(mesh.region.empty() ? 0 : mesh.region[e], 4);
    }
    sink.whole(kEndCode, 4), sink.whole(0, 8);
    return bytes;
}

}  // namespace pliant
