// SPDX-License-Identifier: MIT
#include <pliant/io/vtu_arrays.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <zlib.h>

#include <pliant/io/byte_order.h>
#include <pliant/io/mesh_builder.h>
#include <pliant/io/text_words.h>

namespace pliant {

namespace {

constexpr const char* kDamaged = "the file is cut off or damaged; export or copy it again";

/// One tag: <name inside> with what follows it.
struct XmlTag {
    std::string_view name, inside;
    bool closes = false;  ///< </name>
    bool alone = false;   ///< <name/>
    std::size_t start = 0, end = 0;
};

/// The next tag at or behind `at`; comments and declarations are passed by.
std::optional<XmlTag> next_tag(std::string_view xml, std::size_t at)
{
    while ((at = xml.find('<', at)) != std::string_view::npos) {
        const bool comment = xml.substr(at, 4) == "<!--";
        if (!comment && xml.substr(at, 2) != "<?" && xml.substr(at, 2) != "<!") break;
        at = xml.find(comment ? "-->" : ">", at);
        if (at == std::string_view::npos) return std::nullopt;
    }
    if (at == std::string_view::npos) return std::nullopt;
    XmlTag tag;
    tag.start = at;
    char quote = 0;
    for (++at; at < xml.size() && (quote != 0 || xml[at] != '>'); ++at) {
        if (quote == 0 && (xml[at] == '"' || xml[at] == '\''))
            quote = xml[at];
        else if (xml[at] == quote)
            quote = 0;
    }
    if (at >= xml.size()) return std::nullopt;
    tag.end = at + 1;
    std::string_view body = xml.substr(tag.start + 1, at - tag.start - 1);
    tag.closes = !body.empty() && body.front() == '/';
    if (tag.closes) body.remove_prefix(1);
    tag.alone = !body.empty() && body.back() == '/';
    if (tag.alone) body.remove_suffix(1);
    tag.name = Words(body).next();
    tag.inside = body.substr(static_cast<std::size_t>(tag.name.data() - body.data()) + tag.name.size());
    return tag;
}

std::string without_escapes(std::string_view text)
{
    constexpr std::pair<std::string_view, char> kEscapes[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    std::string plain;
    for (std::size_t i = 0; i < text.size();) {
        const auto* const escape = std::find_if(std::begin(kEscapes), std::end(kEscapes), [&](const auto& e) {
            return text.substr(i, e.first.size()) == e.first;
        });
        const bool found = escape != std::end(kEscapes);
        plain += found ? escape->second : text[i];
        i += found ? escape->first.size() : 1;
    }
    return plain;
}

/// The value of an attribute, or "" when it is missing.
std::string attribute(const XmlTag& tag, std::string_view name)
{
    std::string_view rest = tag.inside;
    while (true) {
        const std::size_t equals = rest.find('=');
        if (equals == std::string_view::npos) return "";
        const std::size_t open = rest.find_first_of("\"'", equals);
        if (open == std::string_view::npos) return "";
        const std::size_t close = rest.find(rest[open], open + 1);
        if (close == std::string_view::npos) return "";
        if (Words(rest.substr(0, equals)).next() == name)
            return without_escapes(rest.substr(open + 1, close - open - 1));
        rest.remove_prefix(close + 1);
    }
}

/// Line numbers of places that go forward.
class LineCounter {
public:
    explicit LineCounter(std::string_view text) : text_(text) {}
    int line_at(std::size_t place)
    {
        for (; at_ < place && at_ < text_.size(); ++at_)
            if (text_[at_] == '\n') ++line_;
        return line_;
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
};

/// A count or an offset; -1 for what is none.
std::int64_t count_from(const std::string& text)
{
    const Integer integer = integer_of(text);
    return integer.complaint.empty() && integer.value >= 0 ? integer.value : -1;
}

/// What VTKFile says about the whole file; false after telling that it cannot be read here.
bool read_head(TetBuilder& builder, VtuFile& file, const XmlTag& tag, int line)
{
    const std::string type = attribute(tag, "type"), compressor = attribute(tag, "compressor");
    if (attribute(tag, "byte_order") == "BigEndian") file.order = std::endian::big;
    if (attribute(tag, "header_type") == "UInt64") file.length_size = 8;
    file.zlib = compressor == "vtkZLibDataCompressor";
    if (type != "UnstructuredGrid")
        builder.problem(
            {line, -1, "VTKFile"},
            fmt::format("found a {}, expected an UnstructuredGrid", type.empty() ? "file of no type" : type),
            "save it as an unstructured grid (.vtu)");
    else if (!compressor.empty() && !file.zlib)
        builder.problem({line, -1, "VTKFile"},
                        fmt::format("found the compressor {}, expected none or zlib", compressor),
                        "save it without compression");
    return !builder.has_problems();
}

VtuArray array_from(std::string_view bytes, const XmlTag& tag, const std::string& section, int line)
{
    VtuArray array{section, attribute(tag, "Name"), attribute(tag, "type"), attribute(tag, "format"), 0, {}, line};
    if (array.format.empty()) array.format = "ascii";
    array.offset = count_from(attribute(tag, "offset"));
    if (!tag.alone) array.text = bytes.substr(tag.end, std::min(bytes.find('<', tag.end), bytes.size()) - tag.end);
    return array;
}

void read_appended(VtuFile& file, std::string_view bytes, const XmlTag& tag)
{
    file.appended_base64 = attribute(tag, "encoding") == "base64";
    const std::size_t underscore = bytes.find('_', tag.end);
    if (underscore != std::string_view::npos) file.appended = bytes.substr(underscore + 1);
}

/// Bytes of an array one after another. Base64 may be one stream or several: each ends with its padding.
class ArrayBytes {
public:
    ArrayBytes(std::string_view source, bool base64) : source_(source), base64_(base64) {}

    /// Appends the next `count` bytes; false when there are not so many.
    bool take(std::string& bytes, std::uint64_t count)
    {
        const std::uint64_t most = base64_ ? source_.size() - at_ + pending_.size() : source_.size() - at_;
        if (count > most) return false;
        if (!base64_) {
            bytes.append(source_.substr(at_, count));
            at_ += count;
            return true;
        }
        bytes.reserve(bytes.size() + count);
        for (; count > 0; --count) {
            if (pending_.empty() && !decode_four()) return false;
            bytes += pending_.back();
            pending_.pop_back();
        }
        return true;
    }
    std::size_t at() const { return at_; }

private:
    static int sextet(char c)
    {
        if (c >= 'A' && c <= 'Z') return c - 'A';
        if (c >= 'a' && c <= 'z') return c - 'a' + 26;
        if (c >= '0' && c <= '9') return c - '0' + 52;
        return c == '+' ? 62 : c == '/' ? 63 : -1;
    }

    /// Four characters to one to three bytes, last first in pending_.
    bool decode_four()
    {
        std::uint32_t bits = 0;
        int characters = 0, padding = 0;
        for (; characters < 4 && at_ < source_.size(); ++at_) {
            const char c = source_[at_];
            if (is_blank(c)) continue;
            const int value = c == '=' ? 0 : sextet(c);
            if (value < 0 || (padding > 0 && c != '=')) return false;
            padding += c == '=' ? 1 : 0;
            bits = bits << 6 | static_cast<std::uint32_t>(value);
            ++characters;
        }
        if (characters < 4 || padding > 2) return false;
        for (int k = padding; k < 3; ++k) pending_ += static_cast<char>(bits >> (8 * k) & 0xff);
        return true;
    }

    std::string_view source_;
    std::size_t at_ = 0;
    bool base64_;
    std::string pending_;
};

std::optional<std::uint64_t> next_length(const VtuFile& file, ArrayBytes& source)
{
    std::string bytes;
    if (!source.take(bytes, static_cast<std::uint64_t>(file.length_size))) return std::nullopt;
    return file.length_size == 8 ? number_at<std::uint64_t>(bytes.data(), file.order)
                                 : number_at<std::uint32_t>(bytes.data(), file.order);
}

/// Appends a block that unpacks to exactly `size` bytes. Deflate packs 1032 to 1 at most, so a size beyond that is
/// a lie and not allocated.
bool unpack_block(std::string& bytes, const std::string& packed, std::uint64_t size)
{
    if (size > packed.size() * 1032 + 64) return false;
    const std::size_t before = bytes.size();
    bytes.resize(before + size);
    uLongf unpacked = size;
    const int result = uncompress(reinterpret_cast<Bytef*>(bytes.data() + before), &unpacked,
                                  reinterpret_cast<const Bytef*>(packed.data()), packed.size());
    return result == Z_OK && unpacked == size;
}

/// The array's bytes out of compressed blocks; nothing when it is damaged.
std::optional<std::string> unpacked_bytes(const VtuFile& file, ArrayBytes& source)
{
    const auto blocks = next_length(file, source), block_size = next_length(file, source),
               last_size = next_length(file, source);
    if (!blocks || !block_size || !last_size) return std::nullopt;
    std::vector<std::uint64_t> packed_sizes;
    for (std::uint64_t b = 0; b < *blocks; ++b) {
        const auto size = next_length(file, source);
        if (!size) return std::nullopt;
        packed_sizes.push_back(*size);
    }
    std::string bytes;
    for (std::size_t b = 0; b < packed_sizes.size(); ++b) {
        const bool is_partial = b + 1 == packed_sizes.size() && *last_size > 0;
        std::string packed;
        if (!source.take(packed, packed_sizes[b])) return std::nullopt;
        if (!unpack_block(bytes, packed, is_partial ? *last_size : *block_size)) return std::nullopt;
    }
    return bytes;
}

struct NumberType {
    int size = 0;  ///< 0: unknown
    char kind = 'i';
};

NumberType number_type(const std::string& name)
{
    constexpr std::pair<const char*, NumberType> kTypes[] = {
        {"Int8", {1, 'i'}},   {"UInt8", {1, 'u'}}, {"Int16", {2, 'i'}},  {"UInt16", {2, 'u'}},  {"Int32", {4, 'i'}},
        {"UInt32", {4, 'u'}}, {"Int64", {8, 'i'}}, {"UInt64", {8, 'u'}}, {"Float32", {4, 'f'}}, {"Float64", {8, 'f'}}};
    for (const auto& [known, type] : kTypes)
        if (name == known) return type;
    return {};
}

/// -1, which names no vertex, for what is no whole number.
std::int64_t whole_from(double number)
{
    constexpr double kLargest = 9e15;  // doubles below it hold every whole number
    return std::abs(number) < kLargest && number == std::floor(number) ? static_cast<std::int64_t>(number) : -1;
}

template <class T, class Stored>
T converted(Stored number)
{
    if constexpr (std::is_same_v<T, std::int64_t> && std::is_floating_point_v<Stored>)
        return whole_from(double{number});
    else
        return static_cast<T>(number);
}

template <class T>
T stored_number(const char* at, const NumberType& type, std::endian order)
{
    const bool is_signed = type.kind == 'i';
    if (type.kind == 'f')
        return type.size == 4 ? converted<T>(number_at<float>(at, order)) : converted<T>(number_at<double>(at, order));
    switch (type.size) {
    case 1:
        return is_signed ? static_cast<T>(number_at<std::int8_t>(at)) : static_cast<T>(number_at<std::uint8_t>(at));
    case 2:
        return is_signed ? static_cast<T>(number_at<std::int16_t>(at, order))
                         : static_cast<T>(number_at<std::uint16_t>(at, order));
    case 4:
        return is_signed ? static_cast<T>(number_at<std::int32_t>(at, order))
                         : static_cast<T>(number_at<std::uint32_t>(at, order));
    default:
        return is_signed ? static_cast<T>(number_at<std::int64_t>(at, order))
                         : static_cast<T>(number_at<std::uint64_t>(at, order));
    }
}

template <class T>
std::string read_ascii(VtuNumbers<T>& numbers, const VtuFile& file, const VtuArray& array)
{
    LineCounter counter(file.whole);
    Words words(array.text, counter.line_at(static_cast<std::size_t>(array.text.data() - file.whole.data())));
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        Number number = number_of(word);
        numbers.line = words.line();
        if (!number.complaint.empty()) return std::move(number.complaint);
        numbers.values.push_back(converted<T>(number.value));
        numbers.lines.push_back(words.line());
    }
    return "";
}

/// Where the bytes of a binary array are; nothing when its offset points nowhere.
std::optional<ArrayBytes> source_of(const VtuFile& file, const VtuArray& array)
{
    if (array.format != "appended") return ArrayBytes(array.text, true);
    if (array.offset < 0 || array.offset > static_cast<std::int64_t>(file.appended.size())) return std::nullopt;
    return ArrayBytes(file.appended.substr(static_cast<std::size_t>(array.offset)), file.appended_base64);
}

template <class T>
std::string read_binary(VtuNumbers<T>& numbers, const VtuFile& file, const VtuArray& array, const NumberType& type)
{
    std::optional<ArrayBytes> source = source_of(file, array);
    if (!source) return fmt::format("its offset is outside the {} bytes of appended data", file.appended.size());
    std::optional<std::string> bytes;
    if (file.zlib) {
        bytes = unpacked_bytes(file, *source);
        if (!bytes) return "its compressed blocks end early or are damaged";
    } else {
        const std::optional<std::uint64_t> length = next_length(file, *source);
        if (!length) return "ends before its length";
        if (array.format == "appended" && !file.appended_base64) {
            const std::size_t start = static_cast<std::size_t>(file.appended.data() - file.whole.data());
            numbers.first_byte = static_cast<std::int64_t>(start + source->at()) + array.offset;
            numbers.stride = type.size;
        }
        bytes.emplace();
        if (!source->take(*bytes, *length))
            return fmt::format("promises {} bytes, which the file does not hold", *length);
    }
    const auto size = static_cast<std::size_t>(type.size);
    if (bytes->size() % size != 0) return fmt::format("holds {} bytes, expected a multiple of {}", bytes->size(), size);
    numbers.values.reserve(bytes->size() / size);
    for (std::size_t at = 0; at < bytes->size(); at += size)
        numbers.values.push_back(stored_number<T>(bytes->data() + at, type, file.order));
    return "";
}

template <class T>
VtuNumbers<T> numbers_of(TetBuilder& builder, const VtuFile& file, const VtuArray& array)
{
    VtuNumbers<T> numbers;
    numbers.line = array.line;
    const NumberType type = number_type(array.type);
    std::string complaint;
    if (type.size == 0)
        complaint = fmt::format("its type is {}, expected one such as Float64 or Int64", in_quotes(array.type));
    else
        complaint =
            array.format == "ascii" ? read_ascii(numbers, file, array) : read_binary(numbers, file, array, type);
    numbers.ok = complaint.empty();
    if (!numbers.ok)
        builder.problem({numbers.line, -1, "DataArray"},
                        fmt::format("{} of {}: {}", in_quotes(array.name), array.section, complaint), kDamaged);
    return numbers;
}

}  // namespace

const VtuArray* VtuPiece::find(std::string_view section, std::string_view name) const
{
    for (const VtuArray& array : arrays)
        if (array.section == section && array.name == name) return &array;
    return nullptr;
}

VtuFile scan_vtu(TetBuilder& builder, std::string_view bytes)
{
    VtuFile file;
    file.whole = bytes;
    LineCounter counter(bytes);
    std::string section;
    bool known = false, ended = false;
    for (auto tag = next_tag(bytes, 0); tag && !ended; tag = next_tag(bytes, tag->end)) {
        const int line = counter.line_at(tag->start);
        if (tag->name == "VTKFile" && !tag->closes) {
            known = true;
            if (!read_head(builder, file, *tag, line)) return file;
        } else if (tag->name == "AppendedData") {
            read_appended(file, bytes, *tag);
            ended = true;
        } else if (tag->name == "Piece" && !tag->closes) {
            file.pieces.push_back({count_from(attribute(*tag, "NumberOfPoints")),
                                   count_from(attribute(*tag, "NumberOfCells")),
                                   line,
                                   {}});
        } else if (tag->name == "DataArray" && !tag->closes) {
            if (!file.pieces.empty() && !section.empty())
                file.pieces.back().arrays.push_back(array_from(bytes, *tag, section, line));
        } else if (tag->name == "Points" || tag->name == "Cells" || tag->name == "PointData" ||
                   tag->name == "CellData") {
            section = tag->closes || tag->alone ? "" : std::string(tag->name);
        } else if (tag->name == "VTKFile") {
            ended = true;
        }
    }
    if (!known)
        builder.problem({1, -1, "header"}, "found no element VTKFile", "is this really a VTU file?");
    else if (!ended)
        builder.problem({counter.line_at(bytes.size()), -1, "VTKFile"}, "the file ends inside the element VTKFile",
                        kDamaged);
    if (builder.has_problems()) file.pieces.clear();
    return file;
}

VtuNumbers<double> vtu_reals(TetBuilder& builder, const VtuFile& file, const VtuArray& array)
{
    return numbers_of<double>(builder, file, array);
}

VtuNumbers<std::int64_t> vtu_wholes(TetBuilder& builder, const VtuFile& file, const VtuArray& array)
{
    return numbers_of<std::int64_t>(builder, file, array);
}

}  // namespace pliant
