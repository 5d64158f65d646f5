// SPDX-License-Identifier: MIT
#include <pliant/io/ply_header.h>

#include <algorithm>

#include <fmt/format.h>

#include <pliant/io/text_words.h>

namespace pliant {

namespace {

constexpr std::size_t kMaxElements = 1000;  // real files have three or four

std::optional<PlyType> type_named(std::string_view name)
{
    struct Named {
        std::string_view name, other_name;
        PlyType type;
    };
    static constexpr Named kTypes[] = {{"char", "int8", PlyType::int8},        {"uchar", "uint8", PlyType::uint8},
                                       {"short", "int16", PlyType::int16},     {"ushort", "uint16", PlyType::uint16},
                                       {"int", "int32", PlyType::int32},       {"uint", "uint32", PlyType::uint32},
                                       {"float", "float32", PlyType::float32}, {"double", "float64", PlyType::float64}};
    for (const Named& known : kTypes)
        if (name == known.name || name == known.other_name) return known.type;
    return std::nullopt;
}

std::optional<PlyEncoding> encoding_named(std::string_view name)
{
    if (name == "ascii") return PlyEncoding::ascii;
    if (name == "binary_little_endian") return PlyEncoding::binary_little_endian;
    if (name == "binary_big_endian") return PlyEncoding::binary_big_endian;
    return std::nullopt;
}

/// Lines of the header. The first line's end is every line's end, since behind the header there may
/// be bytes that look like the other kind.
class HeaderLines {
public:
    explicit HeaderLines(std::string_view bytes) : bytes_(bytes)
    {
        const std::size_t end = bytes.substr(0, 16).find_first_of("\r\n");
        if (end == std::string_view::npos) return;
        end_ = bytes.substr(end, 2) == "\r\n" ? "\r\n" : bytes.substr(end, 1);
    }

    bool next()
    {
        if (end_.empty() || at_ >= bytes_.size()) return false;
        const std::size_t end = bytes_.find(end_, at_);
        if (end == std::string_view::npos) return false;
        line_ = bytes_.substr(at_, end - at_);
        at_ = end + end_.size();
        ++number_;
        return true;
    }
    std::string_view line() const { return line_; }
    int number() const { return number_; }
    std::size_t offset() const { return at_; }

private:
    std::string_view bytes_, end_, line_;
    std::size_t at_ = 0;
    int number_ = 0;
};

// Each reader of a line returns what is wrong with it, or an empty string.

std::string read_format(PlyHeader& header, Words& words)
{
    const std::string_view name = words.next();
    const auto encoding = encoding_named(name);
    if (!encoding)
        return fmt::format("format {}, expected ascii, binary_little_endian or binary_big_endian", in_quotes(name));
    header.encoding = *encoding;
    return {};
}

std::string read_element(PlyHeader& header, Words& words)
{
    PlyElement element;
    element.name = words.next();
    if (element.name.empty()) return "an element without a name";
    if (header.elements.size() >= kMaxElements) return fmt::format("more than {} elements", kMaxElements);
    if (header.find(element.name)) return fmt::format("element {} twice", in_quotes(element.name));
    const Integer count = integer_of(words.next());
    if (!count.complaint.empty() || count.value < 0)
        return fmt::format("element {} without its count, expected a number from 0", in_quotes(element.name));
    element.count = count.value;
    header.elements.push_back(std::move(element));
    return {};
}

std::string read_property(PlyHeader& header, Words& words)
{
    if (header.elements.empty()) return "a property before the first element";
    PlyProperty property;
    std::string_view type = words.next();
    if (type == "list") {
        const std::string_view count = words.next();
        property.count_type = type_named(count);
        if (!property.count_type || *property.count_type >= PlyType::float32)
            return fmt::format("list counted by {}, expected an integer type such as uchar", in_quotes(count));
        type = words.next();
    }
    const auto known = type_named(type);
    if (!known)
        return fmt::format("type {}, expected one of char uchar short ushort int uint float double", in_quotes(type));
    property.type = *known;
    property.name = words.next();
    if (property.name.empty()) return "a property without a name";
    header.elements.back().properties.push_back(std::move(property));
    return {};
}

std::string read_line(PlyHeader& header, std::string_view line)
{
    Words words(line);
    const std::string_view keyword = words.next();
    if (keyword.empty() || keyword == "comment" || keyword == "obj_info") return {};
    if (keyword == "format") return read_format(header, words);
    if (keyword == "element") return read_element(header, words);
    if (keyword == "property") return read_property(header, words);
    return fmt::format("found {}, expected format, element, property, comment or end_header", in_quotes(keyword));
}

}  // namespace

std::size_t size_of(PlyType type)
{
    constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return kSizes[static_cast<std::size_t>(type)];
}

int PlyElement::find(std::string_view property) const
{
    for (std::size_t i = 0; i < properties.size(); ++i)
        if (properties[i].name == property) return static_cast<int>(i);
    return -1;
}

const PlyElement* PlyHeader::find(std::string_view element) const
{
    const auto found =
        std::find_if(elements.begin(), elements.end(), [&](const PlyElement& e) { return e.name == element; });
    return found == elements.end() ? nullptr : &*found;
}

std::optional<PlyHeader> read_ply_header(MeshBuilder& builder, std::string_view bytes)
{
    constexpr const char* kCure = "is this really a PLY file? export or copy it again";
    HeaderLines lines(bytes);
    if (!lines.next() || Words(lines.line()).next() != "ply") {
        builder.problem({1, "header"},
                        fmt::format("starts with {}, expected the line ply", in_quotes(bytes.substr(0, 8))), kCure);
        return std::nullopt;
    }
    PlyHeader header;
    while (lines.next()) {
        if (Words(lines.line()).next() == "end_header") {
            header.body_offset = lines.offset();
            header.body_line = lines.number() + 1;
            return header;
        }
        std::string complaint = read_line(header, lines.line());
        if (complaint.empty()) continue;
        builder.problem({lines.number(), "header"}, std::move(complaint), kCure);
        return std::nullopt;
    }
    builder.problem({lines.number(), "header"}, "the file ends without the line end_header", kCure);
    return std::nullopt;
}

}  // namespace pliant
