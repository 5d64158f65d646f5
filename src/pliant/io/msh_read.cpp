// SPDX-License-Identifier: MIT

// Gmsh MSH, versions 2 to 2.2 and 4.1, text and binary of either byte order.
// Reference: Gmsh reference manual, chapter "Gmsh file formats", sections "MSH file format" and (legacy) version 2.
//
// Taken: $MeshFormat, $PhysicalNames, $Entities, $Nodes, $Elements; all other sections are passed by. Version 2 gives
// each element its physical number; version 4 gives each block of elements its entity, and $Entities the physical
// numbers of that. Physical numbers may carry the sign of an orientation, which says nothing here.

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <pliant/io/mesh_builder.h>
#include <pliant/io/number_stream.h>
#include <pliant/io/text_words.h>

namespace pliant {

namespace {

/// A physical group or an elementary entity: dimension 0 to 3, and number.
struct MshTag {
    std::int64_t dimension = 0;
    std::int64_t number = 0;
    friend bool operator<(const MshTag& a, const MshTag& b)
    {
        return a.dimension != b.dimension ? a.dimension < b.dimension : a.number < b.number;
    }
};

struct MshFile {
    TetBuilder& builder;
    NumberSource source;
    int version = 0;                                        ///< 2 or 4
    bool has_nodes = false;                                 ///< $Nodes was read
    std::map<MshTag, std::string> names;                    ///< of physical groups
    std::map<MshTag, std::vector<std::int64_t>> physicals;  ///< version 4: physical numbers of an entity
    std::map<MshTag, std::optional<std::size_t>> groups;    ///< number in the builder; nothing for plain regions
    bool several_regions = false;                           ///< told that an entity is of several physical volumes
};

/// What the manual's table of element types says that is needed here.
struct ElementType {
    int nodes = 0;  ///< 0: unknown
    int dimension = 0;
};

ElementType element_type(std::int64_t type)
{
    constexpr ElementType kTypes[] = {{},      {2, 1},  {3, 2},  {4, 2},  {4, 3},  {8, 3},  {6, 3},  {5, 3},
                                      {3, 1},  {6, 2},  {9, 2},  {10, 3}, {27, 3}, {18, 3}, {14, 3}, {1, 0},
                                      {8, 2},  {20, 3}, {15, 3}, {13, 3}, {9, 2},  {10, 2}, {12, 2}, {15, 2},
                                      {15, 2}, {21, 2}, {4, 1},  {5, 1},  {6, 1},  {20, 3}, {35, 3}, {56, 3}};
    constexpr auto kCount = static_cast<std::int64_t>(std::size(kTypes));
    if (type == 92) return {64, 3};
    if (type == 93) return {125, 3};
    return type >= 0 && type < kCount ? kTypes[type] : ElementType{};
}

/// A physical number without the sign of its orientation.
std::int64_t physical_from(std::int64_t tag)
{
    return tag < 0 && tag >= -std::int64_t{INT32_MAX} ? -tag : tag;
}

constexpr std::int64_t kTetrahedron = 4, kQuadraticTetrahedron = 11;
constexpr std::size_t kMostNodes = 125;

/// The group of a physical number. Volumes without a name are regions and nothing else.
std::optional<std::size_t> group_of(MshFile& msh, const MshTag& tag)
{
    const auto [found, is_new] = msh.groups.emplace(tag, std::nullopt);
    if (!is_new) return found->second;
    constexpr const char* kKinds[] = {"point", "curve", "surface", "volume"};
    const auto name = msh.names.find(tag);
    if (name != msh.names.end())
        found->second = msh.builder.group(name->second);
    else if (tag.dimension < 3)
        found->second = msh.builder.group(fmt::format("{}_{}", kKinds[tag.dimension], tag.number));
    return found->second;
}

bool read_format(MshFile& msh)
{
    NumberSource& source = msh.source;
    const std::string_view version = source.word();
    msh.version = version == "2.2" || version == "2.1" || version == "2" || version == "2.0" ? 2
                  : version == "4.1"                                                         ? 4
                                                                                             : 0;
    if (msh.version == 0) {
        msh.builder.problem(source.place("$MeshFormat"),
                            fmt::format("found version {}, expected 2.2 or 4.1", in_quotes(version)),
                            "convert it: gmsh old.msh -save -format msh41 -o new.msh");
        return false;
    }
    const std::int64_t type = source.word_as_whole(), size = source.word_as_whole();
    if (source.failed()) return tell_damage(msh.builder, source, "$MeshFormat"), false;
    if (type < 0 || type > 1 || size != 8) {
        msh.builder.problem(source.place("$MeshFormat"),
                            fmt::format("found file type {} and data size {}, expected 0 or 1, and 8", type, size),
                            "save it again with Gmsh on a 64-bit machine");
        return false;
    }
    if (type == 0) return true;
    source.rest_of_line();
    source.set_binary(std::endian::little);
    const std::int64_t one = source.whole(4);
    if (one == 0x01000000) source.set_binary(std::endian::big);
    if (one == 1 || one == 0x01000000) return true;
    msh.builder.problem(source.place("$MeshFormat"), fmt::format("the mark of the byte order is {}, expected 1", one),
                        "the file is cut off, or was copied as if it were text; copy it again");
    return false;
}

/// `dimension number "name"`, text in binary files too.
bool read_names(MshFile& msh)
{
    NumberSource& source = msh.source;
    const std::int64_t count = source.word_as_whole();
    for (std::int64_t i = 0; i < count && !source.failed(); ++i) {
        const MshTag tag{source.word_as_whole(), source.word_as_whole()};
        const std::string_view line = source.rest_of_line();
        const std::size_t open = line.find('"'), close = line.rfind('"');
        if (open == std::string_view::npos || close == open || tag.dimension < 0 || tag.dimension > 3)
            source.complain(
                fmt::format("found {}, expected a dimension, a number and a name in quotes", in_quotes(line)));
        if (source.failed()) break;
        msh.names[tag] = line.substr(open + 1, close - open - 1);
        group_of(msh, tag);
    }
    if (!source.failed()) return true;
    return tell_damage(msh.builder, source, "$PhysicalNames"), false;
}

/// Version 4: entities with their bounding boxes, physical numbers and, but for points, boundaries.
bool read_entities(MshFile& msh)
{
    NumberSource& source = msh.source;
    std::int64_t counts[4];
    for (std::int64_t& count : counts) count = source.whole(8);
    for (int dimension = 0; dimension < 4 && !source.failed(); ++dimension) {
        if (!is_believable(msh.builder, source, "$Entities", counts[dimension], 5)) return false;
        for (std::int64_t i = 0; i < counts[dimension] && !source.failed(); ++i) {
            const MshTag entity{dimension, source.whole(4)};
            for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) source.real();
            const std::int64_t physicals = source.whole(8);
            if (!is_believable(msh.builder, source, "$Entities", physicals, 1)) return false;
            for (std::int64_t k = 0; k < physicals; ++k)
                msh.physicals[entity].push_back(physical_from(source.whole(4)));
            const std::int64_t bounds = dimension == 0 ? 0 : source.whole(8);
            if (!is_believable(msh.builder, source, "$Entities", bounds, 1)) return false;
            for (std::int64_t k = 0; k < bounds; ++k) source.whole(4);
        }
    }
    if (!source.failed()) return true;
    return tell_damage(msh.builder, source, "$Entities"), false;
}

bool read_node(MshFile& msh, std::int64_t label, int parameters)
{
    NumberSource& source = msh.source;
    Vec3 point;
    point.x = source.real();
    const FilePlace place = source.place("vertex", label);
    point.y = source.real(), point.z = source.real();
    for (int k = 0; k < parameters; ++k) source.real();
    if (source.failed()) return tell_damage(msh.builder, source, "vertex", label), false;
    msh.builder.vertex(label, point, place);
    return true;
}

bool read_nodes_2(MshFile& msh)
{
    NumberSource& source = msh.source;
    const std::int64_t count = source.word_as_whole();
    if (source.is_binary()) source.rest_of_line();
    if (source.failed()) return tell_damage(msh.builder, source, "$Nodes"), false;
    if (!is_believable(msh.builder, source, "$Nodes", count, 4)) return false;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t label = source.whole(4);
        if (!read_node(msh, label, 0)) return false;
    }
    return true;
}

/// The blocks of a section hold what its first line promises, or the file is damaged.
bool block_sum_agrees(MshFile& msh, const char* section, std::int64_t promised, std::int64_t found)
{
    if (promised == found) return true;
    msh.builder.problem(msh.source.place(section),
                        fmt::format("the section promises {} in all, its blocks hold {}", promised, found),
                        "the file is damaged; export or copy it again");
    return false;
}

bool read_nodes_4(MshFile& msh)
{
    NumberSource& source = msh.source;
    const std::int64_t blocks = source.whole(8), promised = source.whole(8);
    source.whole(8), source.whole(8);  // smallest and largest label
    std::int64_t found = 0;
    std::vector<std::int64_t> labels;
    for (std::int64_t b = 0; b < blocks; ++b) {
        const std::int64_t dimension = source.whole(4);
        source.whole(4);
        const bool parametric = source.whole(4) != 0;
        const std::int64_t count = source.whole(8);
        if (source.failed()) return tell_damage(msh.builder, source, "$Nodes"), false;
        if (!is_believable(msh.builder, source, "$Nodes", count, 4)) return false;
        labels.clear();
        for (std::int64_t i = 0; i < count; ++i) labels.push_back(source.whole(8));
        const int parameters = parametric ? static_cast<int>(std::clamp<std::int64_t>(dimension, 0, 3)) : 0;
        for (const std::int64_t label : labels)
            if (!read_node(msh, label, parameters)) return false;
        found += count;
    }
    if (source.failed()) return tell_damage(msh.builder, source, "$Nodes"), false;
    return block_sum_agrees(msh, "$Nodes", promised, found);
}

/// One element, whatever the version; its region is its first physical volume.
void take_element(MshFile& msh, std::int64_t type, std::span<const std::int64_t> labels,
                  std::span<const std::int64_t> physicals, const FilePlace& place)
{
    const ElementType kind = element_type(type);
    if (type == kTetrahedron || type == kQuadraticTetrahedron)
        msh.builder.tet(labels, physicals.empty() ? 0 : physicals[0], place);
    else if (kind.dimension == 3)
        msh.builder.pass_by_volumes(1);
    else if (kind.dimension == 2)
        msh.builder.pass_by_faces(1);
    if (kind.dimension == 3 && physicals.size() > 1 && !msh.several_regions) {
        msh.builder.note("some tetrahedra are in several physical volumes; the first one is their region");
        msh.several_regions = true;
    }
    for (const std::int64_t physical : physicals) {
        if (physical == 0) continue;
        const std::optional<std::size_t> group = group_of(msh, {kind.dimension, physical});
        if (group) msh.builder.add_to_group(*group, labels, place);
    }
}

bool type_is_known(MshFile& msh, std::int64_t type)
{
    if (element_type(type).nodes > 0) return true;
    msh.builder.problem(msh.source.place("$Elements"), fmt::format("found elements of type {}, which is unknown", type),
                        "mesh with elements of order 1 or 2, and save without other views");
    return false;
}

/// Labels of an element's nodes; false after telling that they are unreadable.
bool read_labels(MshFile& msh, std::vector<std::int64_t>& labels, std::int64_t type, int size, std::int64_t element)
{
    labels.clear();
    for (int k = 0; k < element_type(type).nodes; ++k) labels.push_back(msh.source.whole(size));
    if (!msh.source.failed()) return true;
    return tell_damage(msh.builder, msh.source, "element", element), false;
}

/// Version 2: type, count and number of tags stand before each element in text, before each block in binary.
bool read_elements_2(MshFile& msh)
{
    NumberSource& source = msh.source;
    const bool binary = source.is_binary();
    const std::int64_t count = source.word_as_whole();
    if (binary) source.rest_of_line();
    if (source.failed()) return tell_damage(msh.builder, source, "$Elements"), false;
    if (!is_believable(msh.builder, source, "$Elements", count, 2)) return false;
    std::vector<std::int64_t> labels;
    labels.reserve(kMostNodes);
    for (std::int64_t done = 0; done < count;) {
        std::int64_t element = binary ? 0 : source.whole(4);
        FilePlace place = source.place("element", element);
        const std::int64_t type = source.whole(4), in_block = binary ? source.whole(4) : 1, tags = source.whole(4);
        if (source.failed()) return tell_damage(msh.builder, source, "$Elements"), false;
        if (!type_is_known(msh, type) || !is_believable(msh.builder, source, "tags", tags, 1)) return false;
        if (in_block < 1 || in_block > count - done) return block_sum_agrees(msh, "$Elements", count, done + in_block);
        for (std::int64_t i = 0; i < in_block; ++i, ++done) {
            if (binary) {
                element = source.whole(4);
                place = source.place("element", element);
            }
            std::int64_t physical = 0;
            for (std::int64_t t = 0; t < tags; ++t) {
                const std::int64_t tag = source.whole(4);
                if (t == 0) physical = physical_from(tag);
            }
            if (!read_labels(msh, labels, type, 4, element)) return false;
            take_element(msh, type, labels, {&physical, 1}, place);
        }
    }
    return true;
}

bool read_element_block(MshFile& msh, std::vector<std::int64_t>& labels, std::int64_t& found)
{
    NumberSource& source = msh.source;
    const MshTag entity{source.whole(4), source.whole(4)};
    const std::int64_t type = source.whole(4), count = source.whole(8);
    if (source.failed()) return tell_damage(msh.builder, source, "$Elements"), false;
    if (!type_is_known(msh, type) || !is_believable(msh.builder, source, "$Elements", count, 2)) return false;
    const auto physicals = msh.physicals.find(entity);
    const std::span<const std::int64_t> of_entity =
        physicals == msh.physicals.end() ? std::span<const std::int64_t>() : physicals->second;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t element = source.whole(8);
        const FilePlace place = source.place("element", element);
        if (!read_labels(msh, labels, type, 8, element)) return false;
        take_element(msh, type, labels, of_entity, place);
    }
    found += count;
    return true;
}

bool read_elements_4(MshFile& msh)
{
    NumberSource& source = msh.source;
    const std::int64_t blocks = source.whole(8), promised = source.whole(8);
    source.whole(8), source.whole(8);  // smallest and largest number
    std::int64_t found = 0;
    std::vector<std::int64_t> labels;
    for (std::int64_t b = 0; b < blocks; ++b)
        if (!read_element_block(msh, labels, found)) return false;
    if (source.failed()) return tell_damage(msh.builder, source, "$Elements"), false;
    return block_sum_agrees(msh, "$Elements", promised, found);
}

bool ends_with(MshFile& msh, const std::string& section)
{
    const std::string_view end = msh.source.word();
    if (end == "$End" + section) return true;
    msh.builder.problem(
        msh.source.place("section"),
        fmt::format("found {}, expected $End{}", end.empty() ? "the end of the file" : in_quotes(end), section),
        "the file is cut off or its counts are wrong; export or copy it again");
    return false;
}

/// The body of a section up to its end; false when reading cannot go on.
bool read_section(MshFile& msh, const std::string& section)
{
    NumberSource& source = msh.source;
    if (section == "MeshFormat") return read_format(msh) && ends_with(msh, section);
    source.rest_of_line();
    if (section == "PhysicalNames") return read_names(msh) && ends_with(msh, section);
    if (section == "Entities" && msh.version == 4) return read_entities(msh) && ends_with(msh, section);
    if (section == "Nodes") {
        msh.has_nodes = true;
        return (msh.version == 2 ? read_nodes_2(msh) : read_nodes_4(msh)) && ends_with(msh, section);
    }
    if (section == "Elements" && !msh.has_nodes) {
        msh.builder.problem(source.place("$Elements"), "stands before $Nodes, expected it behind",
                            "export the mesh again");
        return false;
    }
    if (section == "Elements")
        return (msh.version == 2 ? read_elements_2(msh) : read_elements_4(msh)) && ends_with(msh, section);
    if (section == "PartitionedEntities")
        msh.builder.note("$PartitionedEntities was passed by: tetrahedra of partitions have no region");
    if (source.skip_behind("$End" + section)) return true;
    msh.builder.problem(source.place("section"), fmt::format("${} has no end", section),
                        "the file is cut off; export or copy it again");
    return false;
}

void read_sections(MshFile& msh)
{
    for (std::string_view word = msh.source.word(); !word.empty(); word = msh.source.word()) {
        if (msh.version == 0 && word != "$MeshFormat")
            return msh.builder.problem(msh.source.place("header"),
                                       fmt::format("found {}, expected $MeshFormat", in_quotes(word)),
                                       "is this a Gmsh file? Files of version 1 can be converted: "
                                       "gmsh old.msh -save -format msh41 -o new.msh");
        if (word[0] != '$' || word.size() < 2)
            return msh.builder.problem(msh.source.place("section"),
                                       fmt::format("found {}, expected a section such as $Nodes", in_quotes(word)),
                                       "the file is damaged; export or copy it again");
        if (!read_section(msh, std::string(word.substr(1)))) return;
    }
}

}  // namespace

TetRead read_msh(std::string_view bytes, const std::string& file_name)
{
    return read_tets_safely(file_name, [&](TetBuilder& builder) {
        MshFile msh{.builder = builder, .source = NumberSource(without_byte_order_mark(bytes))};
        read_sections(msh);
    });
}

}  // namespace pliant
