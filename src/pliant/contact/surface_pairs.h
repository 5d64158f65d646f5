// SPDX-License-Identifier: MIT
#pragma once

// What may collide: vertices, edges and faces on the surface of all bodies, and which pairs of them count.
//
// Two kinds of pairs are looked at, vertex-face and edge-edge; any other touch is one of these a moment
// later. Left out for good are pairs that share a node and pairs whose four nodes are one tetrahedron, since they
// touch always. A pair in contact may be muted. Elements are numbered in their lists; keys order pairs by kind, then
// first, then second element, so that no order of search can be seen in a result.
// Reference: seeds/002 E-76, E-77, E-84, E-86, corrections W-17, W-23.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/mesh/tet_mesh.h>

namespace pliant {

enum class PairKind : std::uint8_t { vertex_face, edge_edge };

/// A vertex and a face, or two edges with a < b, as places in the lists of a CollisionSurface.
struct SurfacePair {
    PairKind kind = PairKind::vertex_face;
    std::int32_t a = 0;
    std::int32_t b = 0;

    constexpr std::uint64_t key() const
    {
        return static_cast<std::uint64_t>(kind) << 63 | static_cast<std::uint64_t>(a) << 32 |
               static_cast<std::uint64_t>(b);
    }
    static constexpr SurfacePair from_key(std::uint64_t key)
    {
        return {static_cast<PairKind>(key >> 63), static_cast<std::int32_t>(key >> 32 & 0x7fffffffU),
                static_cast<std::int32_t>(key & 0xffffffffU)};
    }
    friend constexpr bool operator==(const SurfacePair&, const SurfacePair&) = default;
};

/// How the point m behind an edge is found that tells on which side of it its body lies.
///   owning_tet:      middle of the opposite edge in a tetrahedron that has the edge, the lowest-numbered one (the
///                    thesis); edges without a tetrahedron use the next
///   surface_normals: half the edge's length behind its middle, against the sum of the unit normals of its faces; that
///                    halves the angle between them, so it is right however tetrahedra are cut (W-17)
enum class EdgeBack : std::uint8_t { owning_tet, surface_normals };

/// The surface of all bodies of a scene in one index space of nodes.
struct CollisionSurface {
    std::vector<std::int32_t> vertices;  ///< nodes on the surface, ascending
    std::vector<Edge> edges;             ///< nodes, lower first, in lexicographic order
    std::vector<Triangle> faces;         ///< nodes, counter-clockwise from outside, as given
    std::vector<std::int32_t> vertex_body, edge_body, face_body;
    std::vector<std::int32_t> vertex_of_node;  ///< #nodes: place in `vertices`, or -1 inside

    std::vector<Edge> tet_behind;                        ///< #edges: nodes whose middle is m; -1 for normals
    std::vector<std::array<std::int32_t, 2>> edge_face;  ///< #edges: its faces; second is -1 at a border

    std::vector<Tet> tets;               ///< as given
    std::vector<std::int32_t> tet_body;  ///< #tets: body of the surface around it, -1 without one
    std::vector<Tet> sorted_tets;        ///< nodes ascending in each, then lexicographic: for always_touches()

    std::size_t node_count() const { return vertex_of_node.size(); }

    /// m_v m_f + m_e (m_e - 1) / 2
    std::uint64_t possible_pair_count() const;
};

/// Finds the elements. `face_body` goes index for index with `faces`; `tets` may be empty, or name the volume behind
/// some or all faces. Bodies share no nodes. Throws Error where a node does not exist or an element names one twice.
CollisionSurface collision_surface(std::span<const Triangle> faces, std::span<const std::int32_t> face_body,
                                   std::span<const Tet> tets, std::size_t node_count,
                                   EdgeBack back = EdgeBack::owning_tet);

/// The four nodes of a pair: vertex and corners of the face, or the ends of both edges.
std::array<std::int32_t, 4> pair_nodes(const CollisionSurface& surface, const SurfacePair& pair);

/// Does the pair share a node, or lie in one tetrahedron? Such a pair never counts.
bool always_touches(const CollisionSurface& surface, const SurfacePair& pair);

/// Are both elements of one body?
inline bool is_within_body(const CollisionSurface& surface, const SurfacePair& pair)
{
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    return pair.kind == PairKind::vertex_face ? surface.vertex_body[a] == surface.face_body[b]
                                              : surface.edge_body[a] == surface.edge_body[b];
}

/// Pairs that count when nothing is muted ("pairs to test" of the thesis), found without looking at each.
std::uint64_t relevant_pair_count(const CollisionSurface& surface);

/// One bit for each possible pair. Rows start at whole words, so that bits in order are pairs in order of key.
class PairBits {
public:
    PairBits() = default;
    explicit PairBits(const CollisionSurface& surface);

    bool test(const SurfacePair& pair) const { return (words_[word(pair)] >> column(pair) % 64 & 1) != 0; }
    void set(const SurfacePair& pair) { words_[word(pair)] |= std::uint64_t{1} << column(pair) % 64; }
    void reset(const SurfacePair& pair) { words_[word(pair)] &= ~(std::uint64_t{1} << column(pair) % 64); }
    void set_all(bool value);

    std::size_t row_count() const { return row_start_.size() - 1; }
    std::span<const std::uint64_t> row(std::size_t r) const
    {
        return std::span(words_).subspan(row_start_[r], row_start_[r + 1] - row_start_[r]);
    }
    /// The pair of a bit of a row.
    SurfacePair pair(std::size_t row, std::size_t column) const;

private:
    // Rows are vertices, columns faces; then edges against the edges behind them.
    std::size_t row_of(const SurfacePair& pair) const
    {
        return static_cast<std::size_t>(pair.a) + (pair.kind == PairKind::edge_edge ? vertex_count_ : 0);
    }
    static std::size_t column(const SurfacePair& pair)
    {
        return static_cast<std::size_t>(pair.kind == PairKind::edge_edge ? pair.b - pair.a - 1 : pair.b);
    }
    std::size_t word(const SurfacePair& pair) const { return row_start_[row_of(pair)] + column(pair) / 64; }

    std::size_t vertex_count_ = 0;
    std::vector<std::size_t> row_start_{0};  // #rows + 1, in words
    std::vector<std::uint64_t> words_;
};

/// A set of pairs by key, in a table that only grows: nothing is allocated once it was as full before.
class PairSet {
public:
    /// True if the pair was not yet there.
    bool insert(std::uint64_t key);
    /// True if the pair was there.
    bool erase(std::uint64_t key);
    bool contains(std::uint64_t key) const;
    void clear();
    std::size_t size() const { return size_; }

    /// All keys behind `keys`, in no order.
    void append_to(std::vector<std::uint64_t>& keys) const;

private:
    std::size_t home(std::uint64_t key) const;
    std::size_t find(std::uint64_t key) const;
    void grow();

    std::vector<std::uint64_t> slots_;  // a power of two, at most half full; kEmpty where free
    std::size_t size_ = 0;
};

/// How sets of pairs are kept.
///   bit_tables: a bit for each possible pair, as in the thesis: fast, but their number is quadratic
///   hash_sets:  only those pairs that differ from the rule
///   automatic:  tables up to kMostTabledPairs possible pairs (128 KiB a table; all scenes of the thesis), sets above
enum class PairStore : std::uint8_t { automatic, bit_tables, hash_sets };
inline constexpr std::uint64_t kMostTabledPairs = std::uint64_t{1} << 20;

/// bit_tables or hash_sets.
PairStore chosen_store(PairStore store, const CollisionSurface& surface);

/// Which pairs count now. The surface must outlive it.
class PairRelevance {
public:
    explicit PairRelevance(const CollisionSurface& surface, PairStore store = PairStore::automatic);

    /// From now on pairs within one body never count.
    void ignore_self();

    bool is_relevant(const SurfacePair& pair) const;

    /// A muted pair does not count until it is unmuted; muting twice is muting once.
    void mute(const SurfacePair& pair);
    void unmute(const SurfacePair& pair);

    /// Mutes all vertex-face pairs of surface vertex `vertex`, beside what is muted pair by pair (E-93).
    void mute_vertex(std::int32_t vertex) { vertex_is_muted_[static_cast<std::size_t>(vertex)] = 1; }
    void unmute_vertex(std::int32_t vertex) { vertex_is_muted_[static_cast<std::size_t>(vertex)] = 0; }
    void unmute_all();

    /// The bits of pairs that count, but for muted vertices; nothing without bit tables.
    const PairBits* table() const { return has_table_ ? &relevant_ : nullptr; }

private:
    void fill_table();
    bool is_ignored(const SurfacePair& pair) const { return ignores_self_ && is_within_body(*surface_, pair); }

    const CollisionSurface* surface_;
    bool has_table_;
    bool ignores_self_ = false;
    PairBits relevant_;  // with bit tables
    PairSet muted_;      // with hash sets
    std::vector<std::uint8_t> vertex_is_muted_;
};

}  // namespace pliant
