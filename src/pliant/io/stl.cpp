// SPDX-License-Identifier: MIT

// Stereolithography (STL), text and binary.
//
// The word "solid" decides nothing: many binary files begin with it. A file is binary when its size
// is 84 + 50 n bytes for the count n at byte 80; otherwise text if it reads like text. STL has no
// shared vertices: corners with exactly equal coordinates are welded and a note says how many.

#include <limits>

#include <fmt/format.h>

#include <pliant/io/byte_order.h>
#include <pliant/io/mesh_builder.h>
#include <pliant/io/text_words.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/weld.h>

namespace pliant {

namespace {

constexpr std::size_t kHeaderSize = 84;  // 80 bytes of anything, then the number of facets
constexpr std::size_t kFacetSize = 50;   // normal, three corners as floats, two bytes of anything

std::uint32_t facet_count(std::string_view bytes)
{
    return number_at<std::uint32_t>(bytes.data() + 80);
}

bool has_binary_size(std::string_view bytes)
{
    return bytes.size() >= kHeaderSize && bytes.size() == kHeaderSize + kFacetSize * std::uint64_t{facet_count(bytes)};
}

bool reads_like_text(std::string_view bytes)
{
    Words words(bytes);
    if (!equals_ignoring_case(words.next(), "solid")) return false;
    // A binary header that says "solid" has no second line with a facet in it.
    Lines lines(bytes);
    for (int i = 0; i < 8 && lines.next(); ++i) {
        const std::string_view word = Words(lines.line()).next();
        if (equals_ignoring_case(word, "facet") || equals_ignoring_case(word, "endsolid")) return true;
    }
    return bytes.size() < kHeaderSize;
}

void add_facet(TriMesh& mesh)
{
    const auto end = static_cast<std::int32_t>(mesh.vertices.size());
    mesh.triangles.push_back({end - 3, end - 2, end - 1});
}

bool has_room(const MeshBuilder& builder)
{
    return builder.vertex_count() + 3 <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
}

void read_binary(MeshBuilder& builder, std::string_view bytes)
{
    if (bytes.size() < kHeaderSize)
        return builder.problem({},
                               fmt::format("{} bytes, expected at least 84 of binary STL or the "
                                           "word solid",
                                           bytes.size()),
                               "is this really an STL file? export or copy it again");
    const std::uint64_t promised = facet_count(bytes);
    const std::uint64_t present = (bytes.size() - kHeaderSize) / kFacetSize;
    if (promised > present)
        return builder.problem({},
                               fmt::format("the header promises {} facets, but the file holds {}", promised, present),
                               "the file is cut off or is no STL; export or copy it again");
    builder.mesh().vertices.reserve(3 * promised);
    builder.mesh().triangles.reserve(promised);
    for (std::uint64_t f = 0; f < promised && has_room(builder); ++f) {
        const char* facet = bytes.data() + kHeaderSize + f * kFacetSize;
        for (std::size_t corner = 1; corner <= 3; ++corner) {
            const char* x = facet + 12 * corner;
            builder.vertex({number_at<float>(x), number_at<float>(x + 4), number_at<float>(x + 8)},
                           {0, "facet", static_cast<std::int64_t>(f)});
        }
        add_facet(builder.mesh());
    }
    if (!has_binary_size(bytes))
        builder.note(fmt::format("{} bytes after the last facet were left unread",
                                 bytes.size() - kHeaderSize - promised * kFacetSize));
}

/// Facets of a text file, one line after the other.
class TextFacets {
public:
    explicit TextFacets(MeshBuilder& builder) : builder_(builder) {}

    void take(Words words, int line)
    {
        const std::string_view keyword = words.next();
        if (keyword.empty() || equals_ignoring_case(keyword, "outer") || equals_ignoring_case(keyword, "endloop"))
            return;
        if (equals_ignoring_case(keyword, "vertex"))
            take_corner(words, line);
        else if (equals_ignoring_case(keyword, "facet"))
            corners_ = 0, facet_line_ = line;
        else if (equals_ignoring_case(keyword, "endfacet"))
            end_facet();
        else if (equals_ignoring_case(keyword, "endsolid"))
            ended_ = true;
        else if (equals_ignoring_case(keyword, "solid"))
            ended_ = false;
        else
            builder_.problem({line},
                             fmt::format("unknown word {}, expected facet, vertex, endsolid …", in_quotes(keyword)),
                             "is this really an STL file?");
    }
    bool is_complete() const { return ended_ && facet_line_ == 0; }

private:
    void take_corner(Words& words, int line)
    {
        Point point = next_point(words);
        if (!point.complaint.empty())
            builder_.problem({line, "vertex"}, std::move(point.complaint), "a corner reads: vertex 0.5 1 -2");
        builder_.vertex(point.value, {line, "vertex"});
        ++corners_;
    }

    void end_facet()
    {
        if (corners_ == 3)
            add_facet(builder_.mesh());
        else
            builder_.problem({facet_line_, "facet"}, fmt::format("has {} corners, expected 3", corners_),
                             "STL holds triangles only");
        corners_ = 0, facet_line_ = 0;
    }

    MeshBuilder& builder_;
    int corners_ = 0;
    int facet_line_ = 0;  // where the open facet starts; 0 between facets
    bool ended_ = false;
};

void read_text(MeshBuilder& builder, std::string_view text)
{
    TextFacets facets(builder);
    Lines lines(text);
    while (has_room(builder) && lines.next()) facets.take(Words(lines.line()), lines.number());
    if (!facets.is_complete())
        builder.problem({lines.number()}, "the file ends without endsolid",
                        "the file is cut off; export or copy it again");
}

void weld_corners(MeshBuilder& builder)
{
    const std::size_t corners = builder.vertex_count();
    const WeldReport report = weld(builder.mesh(), 0);
    builder.note(fmt::format("{} corners were welded into {} vertices", corners, report.map.kept));
    if (report.dropped_triangles > 0)
        builder.note(fmt::format("{} triangles with coinciding corners were left out", report.dropped_triangles));
}

}  // namespace

MeshRead read_stl(std::string_view bytes, const std::string& file_name)
{
    return read_safely(file_name, 0, [&](MeshBuilder& builder) {
        const std::string_view text = without_byte_order_mark(bytes);
        if (!has_binary_size(bytes) && reads_like_text(text))
            read_text(builder, text);
        else
            read_binary(builder, bytes);
        if (!has_room(builder))
            builder.problem({}, "more than 2147483647 corners", "split the mesh into several files");
        if (!builder.has_problems()) weld_corners(builder);
    });
}

namespace {

std::string text_stl(const TriMesh& mesh, const std::vector<Vec3>& normals)
{
    std::string text = "solid pliant\n";
    const auto add_point = [&](const char* words, const Vec3& x) {
        text += words;
        for (int k = 0; k < 3; ++k) text += ' ', append_number(text, x[k]);
        text += '\n';
    };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        add_point("facet normal", normals[t]);
        text += "outer loop\n";
        for (const std::int32_t v : mesh.triangles[t]) add_point("vertex", mesh.vertices[static_cast<std::size_t>(v)]);
        text += "endloop\nendfacet\n";
    }
    return text + "endsolid pliant\n";
}

std::string binary_stl(const TriMesh& mesh, const std::vector<Vec3>& normals)
{
    std::string bytes = "binary STL written by pliant";
    bytes.resize(80, ' ');
    bytes.reserve(kHeaderSize + kFacetSize * mesh.triangles.size());
    append_little(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
    const auto add_point = [&](const Vec3& x) {
        for (int k = 0; k < 3; ++k) append_little(bytes, static_cast<float>(x[k]));
    };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        add_point(normals[t]);
        for (const std::int32_t v : mesh.triangles[t]) add_point(mesh.vertices[static_cast<std::size_t>(v)]);
        append_little(bytes, std::uint16_t{0});
    }
    return bytes;
}

}  // namespace

std::string stl_bytes(const TriMesh& mesh, const MeshWriteOptions& options)
{
    const std::vector<Vec3> normals = face_normals(mesh.vertices, mesh.triangles);
    return options.binary ? binary_stl(mesh, normals) : text_stl(mesh, normals);
}

}  // namespace pliant
