// SPDX-License-Identifier: MIT

// Lovász' proof as an algorithm. Colour faces in reverse breadth-first order from a root: every face but
// the root still has an uncoloured neighbour when its turn comes, so at most two colours are taken. The
// root is safe when it has a missing neighbour, or two neighbours that were given the same colour first;
// those two must not touch, and the rest must stay connected without them.

#include <pliant/mesh/face_colouring.h>

#include <algorithm>

#include <pliant/mesh/edge_groups.h>
#include <pliant/mesh/topology.h>

namespace pliant {

namespace {

constexpr std::uint8_t kNoColour = 3;
// A root fails only where cutting out two faces splits the surface; a few trials nearly always find one.
constexpr int kRootTrials = 64;

struct RootChoice {
    std::int32_t root;
    std::int32_t twins[2];  // neighbours that get one colour first; -1 when not needed
};

IndexRows face_neighbours(std::span<const Triangle> triangles)
{
    std::vector<Edge> pairs;
    const EdgeGroups groups(triangles, used_vertex_range(triangles));
    groups.for_each_edge([&](Edge, std::span<const EdgeSide> sides) {
        for (std::size_t i = 0; i < sides.size(); ++i)
            for (std::size_t j = i + 1; j < sides.size(); ++j) {
                const auto [low, high] = std::minmax({sides[i].half_edge / 3, sides[j].half_edge / 3});
                if (low != high) pairs.push_back({low, high});
            }
    });
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return vertex_neighbours(pairs, triangles.size());
}

class Painter {
public:
    explicit Painter(const IndexRows& neighbours)
        : neighbours_(neighbours)
        , colour_(neighbours.size(), kNoColour)
        , visit_of_(neighbours.size(), 0)
    {
    }

    void paint_piece_of(std::int32_t face)
    {
        const std::vector<std::int32_t> piece = breadth_first({face, {-1, -1}});
        const RootChoice choice = choose_root(piece);
        for (const std::int32_t twin : choice.twins)
            if (twin >= 0) colour_[static_cast<std::size_t>(twin)] = 0;
        const std::vector<std::int32_t> order = breadth_first(choice);
        for (auto next = order.rbegin(); next != order.rend(); ++next) paint(*next);
    }

    bool is_painted(std::size_t face) const { return colour_[face] != kNoColour; }
    std::vector<std::uint8_t> take_colours() { return std::move(colour_); }

private:
    std::span<const std::int32_t> neighbours(std::int32_t face) const
    {
        return neighbours_[static_cast<std::size_t>(face)];
    }

    /// Faces reached from the root without entering its twins.
    std::vector<std::int32_t> breadth_first(const RootChoice& choice)
    {
        ++visit_;
        for (const std::int32_t twin : choice.twins)
            if (twin >= 0) visit_of_[static_cast<std::size_t>(twin)] = visit_;
        std::vector<std::int32_t> reached{choice.root};
        visit_of_[static_cast<std::size_t>(choice.root)] = visit_;
        for (std::size_t i = 0; i < reached.size(); ++i)
            for (const std::int32_t next : neighbours(reached[i])) {
                if (visit_of_[static_cast<std::size_t>(next)] == visit_) continue;
                visit_of_[static_cast<std::size_t>(next)] = visit_;
                reached.push_back(next);
            }
        return reached;
    }

    bool touch(std::int32_t a, std::int32_t b) const
    {
        return std::binary_search(neighbours(a).begin(), neighbours(a).end(), b);
    }

    RootChoice choose_root(const std::vector<std::int32_t>& piece)
    {
        for (const std::int32_t face : piece)
            if (neighbours(face).size() < 3) return {face, {-1, -1}};
        int trials = 0;
        for (const std::int32_t face : piece) {
            const auto around = neighbours(face);
            for (std::size_t skipped = 0; skipped < 3; ++skipped) {
                const RootChoice choice{face, {around[(skipped + 1) % 3], around[(skipped + 2) % 3]}};
                if (touch(choice.twins[0], choice.twins[1])) continue;
                if (breadth_first(choice).size() + 2 == piece.size()) return choice;
                if (++trials == kRootTrials) return {piece[0], {-1, -1}};
            }
        }
        return {piece[0], {-1, -1}};
    }

    /// The colour that clashes with the fewest neighbours, the lowest of those.
    void paint(std::int32_t face)
    {
        std::array<int, 4> taken{};
        for (const std::int32_t other : neighbours(face)) ++taken[colour_[static_cast<std::size_t>(other)]];
        const auto best = std::min_element(taken.begin(), taken.begin() + kNoColour);
        colour_[static_cast<std::size_t>(face)] = static_cast<std::uint8_t>(best - taken.begin());
    }

    const IndexRows& neighbours_;
    std::vector<std::uint8_t> colour_;
    std::vector<std::int32_t> visit_of_;  // the last breadth-first walk that met each face
    std::int32_t visit_ = 0;
};

}  // namespace

FaceColouring three_colouring(std::span<const Triangle> triangles)
{
    const IndexRows neighbours = face_neighbours(triangles);
    Painter painter(neighbours);
    for (std::size_t face = 0; face < triangles.size(); ++face)
        if (!painter.is_painted(face)) painter.paint_piece_of(static_cast<std::int32_t>(face));
    FaceColouring result{painter.take_colours()};
    for (std::size_t face = 0; face < triangles.size(); ++face)
        for (const std::int32_t other : neighbours[face])
            if (static_cast<std::size_t>(other) > face &&
                result.colour[face] == result.colour[static_cast<std::size_t>(other)])
                ++result.clashes;
    return result;
}

}  // namespace pliant
