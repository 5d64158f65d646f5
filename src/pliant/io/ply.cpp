// SPDX-License-Identifier: MIT

// Polygon File Format (Stanford PLY): text, binary little and big endian.
//
// Taken: vertex x y z, face vertex_indices (or vertex_index), edge vertex1 vertex2, of any type, in
// any order. Everything else is passed by. Binary files give byte-exact problems without lines.

#include <cmath>

#include <fmt/format.h>

#include <pliant/io/byte_order.h>
#include <pliant/io/mesh_builder.h>
#include <pliant/io/ply_header.h>
#include <pliant/io/text_words.h>

namespace pliant {

namespace {

/// Numbers of a text body. next() returns NaN and sets `complaint` when there is none.
class TextNumbers {
public:
    TextNumbers(std::string_view text, int line) : words_(text, line) {}

    double next(PlyType)
    {
        const std::string_view word = words_.next();
        Number number = number_of(word);
        if (number.complaint.empty()) return number.value;
        complaint = word.empty() ? "the file ends here" : std::move(number.complaint);
        return std::nan("");
    }
    /// How many numbers can follow at most: a digit and a blank each.
    std::size_t most(PlyType) const { return (words_.remaining() + 1) / 2; }
    std::size_t remaining() const { return words_.remaining(); }
    int line() const { return words_.line(); }
    static std::size_t size(PlyType) { return 2; }

    std::string complaint;

private:
    Words words_;
};

/// Numbers of a binary body.
class BinaryNumbers {
public:
    BinaryNumbers(std::string_view bytes, std::endian order) : bytes_(bytes), order_(order) {}

    double next(PlyType type)
    {
        if (remaining() < size(type)) {
            complaint = "the file ends here";
            return std::nan("");
        }
        const char* at = bytes_.data() + at_;
        at_ += size(type);
        switch (type) {
        case PlyType::int8:
            return number_at<std::int8_t>(at, order_);
        case PlyType::uint8:
            return number_at<std::uint8_t>(at, order_);
        case PlyType::int16:
            return number_at<std::int16_t>(at, order_);
        case PlyType::uint16:
            return number_at<std::uint16_t>(at, order_);
        case PlyType::int32:
            return number_at<std::int32_t>(at, order_);
        case PlyType::uint32:
            return number_at<std::uint32_t>(at, order_);
        case PlyType::float32:
            return number_at<float>(at, order_);
        case PlyType::float64:
            return number_at<double>(at, order_);
        }
        return std::nan("");
    }
    std::size_t most(PlyType type) const { return remaining() / size(type); }
    std::size_t remaining() const { return bytes_.size() - at_; }
    int line() const { return 0; }
    static std::size_t size(PlyType type) { return size_of(type); }

    std::string complaint;

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    std::endian order_;
};

/// One element's row: its plain numbers, and the list of the property that was asked for.
struct Row {
    std::vector<double> numbers;  ///< #properties; lists hold their length
    std::vector<double> list;
};

/// False, with the source's complaint set, when the row is cut off or no number.
template <class Source>
bool read_row(Row& row, Source& source, const PlyElement& element, int wanted_list)
{
    row.numbers.resize(element.properties.size());
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
        const PlyProperty& property = element.properties[p];
        row.numbers[p] = source.next(property.count_type.value_or(property.type));
        if (!source.complaint.empty()) return false;
        if (!property.count_type) continue;
        const double length = row.numbers[p];
        if (!(length >= 0 && length == std::floor(length))) {
            source.complaint = fmt::format("a list of length {}", length);
            return false;
        }
        if (length > static_cast<double>(source.most(property.type))) {
            source.complaint = fmt::format("a list of length {}, longer than the rest of the file", length);
            return false;
        }
        const bool wanted = static_cast<int>(p) == wanted_list;
        if (wanted) row.list.clear();
        for (auto left = static_cast<std::size_t>(length); left > 0; --left) {
            const double item = source.next(property.type);
            if (!source.complaint.empty()) return false;
            if (wanted) row.list.push_back(item);
        }
    }
    return true;
}

/// -1, which names no vertex, for what is no whole number.
std::int64_t index_from(double number)
{
    constexpr double kLargest = 9e15;  // doubles below it hold every whole number
    return std::abs(number) < kLargest && number == std::floor(number) ? static_cast<std::int64_t>(number) : -1;
}

/// What the reader wants from an element, as indices of its properties.
struct Wanted {
    enum class Kind { nothing, vertex, face, edge } kind = Kind::nothing;
    std::size_t x = 0, y = 0, z = 0;
    std::size_t first = 0, second = 0;
    int list = -1;
};

const char* name_of(Wanted::Kind kind)
{
    constexpr const char* kNames[] = {"element", "vertex", "face", "edge"};
    return kNames[static_cast<std::size_t>(kind)];
}

/// Complains when a vertex, face or edge lacks what makes it one.
Wanted wanted_from(MeshBuilder& builder, const PlyElement& element)
{
    const auto plain = [&](const char* name) {
        const int p = element.find(name);
        return p >= 0 && !element.properties[static_cast<std::size_t>(p)].count_type ? p : -1;
    };
    Wanted wanted;
    if (element.name == "vertex") {
        const int x = plain("x"), y = plain("y"), z = plain("z");
        if (x < 0 || y < 0 || z < 0)
            builder.problem({0, "header"}, "element vertex without the properties x, y and z",
                            "export the mesh with positions");
        else
            wanted = {Wanted::Kind::vertex, std::size_t(x), std::size_t(y), std::size_t(z), 0, 0, -1};
    } else if (element.name == "face") {
        for (const char* name : {"vertex_indices", "vertex_index"}) {
            const int p = element.find(name);
            if (p >= 0 && element.properties[static_cast<std::size_t>(p)].count_type)
                wanted = {Wanted::Kind::face, 0, 0, 0, 0, 0, p};
        }
        if (wanted.kind == Wanted::Kind::nothing)
            builder.problem({0, "header"}, "element face without the list vertex_indices",
                            "export the mesh with its faces' corners");
    } else if (element.name == "edge") {
        const int a = plain("vertex1"), b = plain("vertex2");
        if (a < 0 || b < 0)
            builder.note("element edge without vertex1 and vertex2 was passed by");
        else
            wanted = {Wanted::Kind::edge, 0, 0, 0, std::size_t(a), std::size_t(b), -1};
    } else {
        builder.note(fmt::format("element {} was passed by", in_quotes(element.name)));
    }
    return wanted;
}

void take_row(MeshBuilder& builder, std::vector<std::int64_t>& corners, const Row& row, const Wanted& wanted,
              const Place& place)
{
    if (wanted.kind == Wanted::Kind::vertex) {
        builder.vertex({row.numbers[wanted.x], row.numbers[wanted.y], row.numbers[wanted.z]}, place);
    } else if (wanted.kind == Wanted::Kind::face) {
        corners.clear();
        for (const double corner : row.list) corners.push_back(index_from(corner));
        builder.polygon(corners, place);
    } else if (wanted.kind == Wanted::Kind::edge) {
        builder.line(index_from(row.numbers[wanted.first]), index_from(row.numbers[wanted.second]), place);
    }
}

/// A promise that the rest of the file cannot keep is told before anything is allocated.
template <class Source>
bool is_believable(MeshBuilder& builder, const Source& source, const PlyElement& element)
{
    std::size_t shortest_row = 0;
    for (const PlyProperty& property : element.properties)
        shortest_row += Source::size(property.count_type.value_or(property.type));
    const auto most = static_cast<std::int64_t>((source.remaining() + 1) / shortest_row);
    if (element.count <= most) return true;
    builder.problem({source.line(), "element"},
                    fmt::format("the header promises {} of {}, but {} bytes can hold {} at most", element.count,
                                in_quotes(element.name), source.remaining(), most),
                    "the file is cut off or its header is wrong; export the mesh again");
    return false;
}

/// False when nothing behind this element can be read.
template <class Source>
bool read_elements(MeshBuilder& builder, Source& source, const PlyElement& element)
{
    if (element.count == 0) return true;
    const Wanted wanted = wanted_from(builder, element);
    if (builder.has_problems()) return false;
    if (element.properties.empty()) return true;
    if (!is_believable(builder, source, element)) return false;
    if (wanted.kind == Wanted::Kind::vertex)
        builder.expect_vertices(element.count, static_cast<std::size_t>(element.count));
    Row row;
    std::vector<std::int64_t> corners;
    for (std::int64_t i = 0; i < element.count; ++i) {
        const bool whole = read_row(row, source, element, wanted.list);
        const Place place{source.line(), name_of(wanted.kind), i};
        if (!whole) {
            builder.problem(place, fmt::format("of {}: {}", element.count, source.complaint),
                            "the file is cut off or damaged; export or copy it again");
            return false;
        }
        take_row(builder, corners, row, wanted, place);
    }
    return true;
}

template <class Source>
void read_body(MeshBuilder& builder, Source source, const PlyHeader& header)
{
    const PlyElement* vertices = header.find("vertex");
    // Faces may come before the vertices they name.
    builder.expect_vertices(vertices ? vertices->count : 0, 0);
    for (const PlyElement& element : header.elements)
        if (!read_elements(builder, source, element)) return;
}

}  // namespace

MeshRead read_ply(std::string_view bytes, const std::string& file_name)
{
    return read_safely(file_name, 0, [&](MeshBuilder& builder) {
        const auto header = read_ply_header(builder, bytes);
        if (!header) return;
        const std::string_view body = bytes.substr(header->body_offset);
        if (header->encoding == PlyEncoding::ascii)
            read_body(builder, TextNumbers(body, header->body_line), *header);
        else if (header->encoding == PlyEncoding::binary_little_endian)
            read_body(builder, BinaryNumbers(body, std::endian::little), *header);
        else
            read_body(builder, BinaryNumbers(body, std::endian::big), *header);
    });
}

}  // namespace pliant
