// SPDX-License-Identifier: MIT
#include <pliant/world/untangle.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/world/crossing_contours.h>
#include <pliant/world/untangle_gap.h>
#include <pliant/world/untangle_moves.h>
#include <pliant/world/untangle_shift.h>

namespace pliant {

namespace {

constexpr int kSweeps = 4;                // over lengths, in a round
constexpr double kKeepLengths = 0.5;      // share of a length's error that a sweep takes back
constexpr double kBeyondFace = 0.02;      // of the edge: how far behind a face a vertex is put, beside the gap
constexpr double kShorten = 0.25;         // of the edge: longest step along the gradient of a contour's length
constexpr int kPatience = 25;             // rounds of parting that may pass without a better gap
constexpr double kBetter = 1e-3;          // share of what is missing of the gap: less by this much is better
constexpr double kPartingLengths = 0.03;  // share of it while what is too near is parted
constexpr double kPartingKeeps = 15;      // rounds of parting until half as much of a length's error is taken back
constexpr int kShrinkings = 30;           // of a proposal where it crosses something, before none of it is done

// Rounds until half as much of a length's error is taken back: what cannot both keep its lengths and go back is let go of.
// Where one way leads into a tangle of its own, another may not.
constexpr std::array kLettingGo{40.0, 20.0, 60.0};

class Untangler {
public:
    Untangler(std::vector<Vec3>& x, const UntangleTask& task, const UntangleOptions& options)
        : x_(x)
        , start_(x)
        , task_(task)
        , options_(options)
        , judge_(task.surfaces)
        , contours_(task.surfaces, x)
        , moves_(task, x.size())
        , lengths_(task, moves_, x)
        , gap_(task, x, options.gap)
        , neighbours_(vertex_neighbours(task.surfaces.edges, x.size()))
    {
    }

    UntangleReport run()
    {
        look(x_);
        report_.before = found_.count();
        uncross();
        if (found_.count() == 0) part();
        conclude();
        return std::move(report_);
    }

private:
    bool look(std::span<const Vec3> x)
    {
        if (!judge_.find(found_, x, task_.planes))
            throw Error(Problem{.message = "a coordinate is not finite: nothing can be untangled",
                                .cure = "mend the mesh first"});
        return found_.count() == 0;
    }

    void uncross();
    void try_to_uncross(double letting_go, int limit);
    void push_back(const Crossing& crossing);
    void lift(const Crossing& crossing);
    void shorten(const Crossing& crossing);
    void push_all();
    void push_from_planes();
    void part();
    bool take(std::vector<Vec3>& proposal);
    void shrink(std::vector<Vec3>& proposal, std::int32_t point, double share);
    void conclude();

    std::vector<Vec3>& x_;
    const std::vector<Vec3> start_;
    const UntangleTask& task_;
    const UntangleOptions& options_;
    IntersectionSearch judge_;
    CrossingContours contours_;
    UntangleMoves moves_;
    KeptLengths lengths_;
    UntangleGap gap_;
    Intersections found_;
    IndexRows neighbours_;    // along edges
    std::vector<Vec3> best_;  // with the fewest intersections so far
    std::size_t fewest_ = 0;
    std::vector<std::uint8_t> is_shrunk_;
    UntangleReport report_;
};

// The wrong end goes back through the face, until it is as far before it as it should.
void Untangler::push_back(const Crossing& crossing)
{
    const std::size_t wrong = static_cast<std::size_t>(crossing.wrong_end);
    const Triangle& face = task_.surfaces.faces[crossing.face];
    const std::int32_t vertex = crossing.edge[wrong], right = crossing.edge[1 - wrong];
    const Vec3 along = x_[right] - x_[vertex];
    const Vec3 direction = dot(crossing.normal, along) < 0 ? -crossing.normal : crossing.normal;
    const double depth = dot(direction, along) * (wrong == 0 ? crossing.along : 1 - crossing.along);
    const std::array<std::int32_t, 4> points{vertex, face[0], face[1], face[2]};
    const std::array<double, 4> c{1, -crossing.weight[0], -crossing.weight[1], -crossing.weight[2]};
    moves_.wish(points, c, direction, depth + options_.gap + kBeyondFace * norm(along));
}

// What lies in one plane has no side: by convention the piece that was named first goes down.
void Untangler::lift(const Crossing& crossing)
{
    constexpr Vec3 kUp{0.36, 0.8, 0.48};  // along no axis, so that few planes contain it
    const Triangle& face = task_.surfaces.faces[crossing.face];
    Vec3 direction = dot(crossing.normal, kUp) < 0 ? -crossing.normal : crossing.normal;
    if (norm2(direction) == 0) direction = kUp;
    if (contours_.component(crossing.edge[0]) < contours_.component(face[0])) direction = -direction;
    const std::array<std::int32_t, 5> points{crossing.edge[0], crossing.edge[1], face[0], face[1], face[2]};
    const std::array<double, 5> c{0.5, 0.5, -crossing.weight[0], -crossing.weight[1], -crossing.weight[2]};
    moves_.wish(points, c, direction, options_.gap + kBeyondFace * norm(x_[crossing.edge[1]] - x_[crossing.edge[0]]));
}

// A step down the length of a contour beyond which there is no vertex to push. With a and b displacements of edge and face at the
// point P of the contour, P moves by a - E (n . (a - b)) / (n . E), and the contour grows by -R times that.
void Untangler::shorten(const Crossing& crossing)
{
    const Triangle& face = task_.surfaces.faces[crossing.face];
    const Vec3 along = x_[crossing.edge[1]] - x_[crossing.edge[0]];
    const Vec3 of_face = (dot(crossing.leaves, along) / dot(crossing.normal, along)) * crossing.normal;
    const Vec3 of_edge = crossing.leaves - of_face;
    const double steep = std::sqrt(norm2(of_edge) + norm2(of_face));
    if (!(steep > 0) || !std::isfinite(steep)) return;
    const double step = options_.gap + std::min(contours_.open_size(crossing.contour), kShorten * norm(along));
    const std::array<double, 2> ends{1 - crossing.along, crossing.along};
    moves_.push(crossing.edge, ends, (step / steep) * of_edge);
    moves_.push(face, crossing.weight, (step / steep) * of_face);
}

void Untangler::push_from_planes()
{
    for (const VertexThroughPlane& behind : found_.vertices)
        for (const AuditPlane& plane : task_.planes) {
            if (plane.body != behind.plane_body) continue;
            const Vec3 normal = normalized(plane.normal);
            const double depth = dot(normal, plane.point - x_[behind.vertex]);
            const std::array<std::int32_t, 1> point{behind.vertex};
            const std::array<double, 1> c{1};
            moves_.wish(point, c, normal, std::max(0.0, depth) + options_.gap);
        }
}

void Untangler::push_all()
{
    contours_.sort_out(found_.edges, x_);
    for (const Crossing& crossing : contours_.crossings()) {
        if (crossing.is_flat)
            lift(crossing);
        else if (crossing.wrong_end >= 0)
            push_back(crossing);
        else if (contours_.open_size(crossing.contour) > 0)
            shorten(crossing);
    }
    for (const WrongPiece& piece : contours_.pieces()) moves_.spread(piece.vertices, neighbours_);
    push_from_planes();
}

// Rounds until nothing crosses, nobody who could move is asked to, or the limit is reached.
void Untangler::try_to_uncross(double letting_go, int limit)
{
    for (int round = 0; round < limit && found_.count() != 0; ++round) {
        moves_.clear();
        push_all();
        if (moves_.is_empty()) return;
        moves_.apply(x_, task_.surfaces);
        for (int sweep = 0; sweep < kSweeps; ++sweep) lengths_.sweep(x_, kKeepLengths * std::exp2(-round / letting_go));
        ++report_.rounds;
        look(x_);
        if (found_.count() < fewest_) fewest_ = found_.count(), best_ = x_;
    }
}

void Untangler::uncross()
{
    best_ = x_, fewest_ = found_.count();
    const bool bends = std::any_of(task_.motion.begin(), task_.motion.end(),
                                   [](UntangleMotion motion) { return motion == UntangleMotion::vertices; });
    // Without anything that bends, lengths say nothing, and all attempts are one.
    const int attempts = bends ? static_cast<int>(kLettingGo.size()) : 1;
    for (int attempt = 0; attempt <= attempts && fewest_ != 0; ++attempt) {
        x_ = start_;
        const bool is_last = attempt == attempts;
        if (is_last && !shift_whole_bodies(x_, task_, moves_, judge_)) break;
        look(x_);
        if (found_.count() < fewest_) fewest_ = found_.count(), best_ = x_;
        try_to_uncross(kLettingGo[is_last ? 0 : attempt],
                       (options_.rounds - report_.rounds) / (attempts + 1 - attempt));
    }
    x_ = best_;
    look(x_);
}

void Untangler::shrink(std::vector<Vec3>& proposal, std::int32_t point, double share)
{
    const std::int32_t body = moves_.whole_body(point);
    const std::int32_t first = body < 0 ? point : task_.surfaces.points[body].first;
    if (is_shrunk_[first] != 0) return;
    is_shrunk_[first] = 1;
    const std::int32_t count = body < 0 ? 1 : task_.surfaces.points[body].count;
    for (std::int32_t v = first; v < first + count; ++v) proposal[v] = x_[v] + share * (proposal[v] - x_[v]);
}

// Does as much of the proposal as crosses nothing; false where that is none.
bool Untangler::take(std::vector<Vec3>& proposal)
{
    for (int shrinking = 0; shrinking < kShrinkings; ++shrinking) {
        // What half as far crosses too, again and again, stays where it is.
        const double share = shrinking < kShrinkings / 3 ? 0.5 : 0;
        if (look(proposal)) {
            x_.swap(proposal);
            return true;
        }
        is_shrunk_.assign(x_.size(), 0);
        for (const EdgeThroughFace& one : found_.edges) {
            for (const std::int32_t v : one.edge) shrink(proposal, v, share);
            for (const std::int32_t v : task_.surfaces.faces[one.face]) shrink(proposal, v, share);
        }
        for (const VertexThroughPlane& one : found_.vertices) shrink(proposal, one.vertex, share);
    }
    return false;
}

void Untangler::part()
{
    std::vector<Vec3> best = x_, proposal;
    double least = std::numeric_limits<double>::infinity();
    int round = 0;
    bool keeps_lengths = true;
    for (int waited = 0; waited < kPatience; ++waited, ++round) {
        moves_.clear();
        const GapCount near = gap_.wish(moves_, x_);
        if (near.shortfall < (1 - kBetter) * least || near.too_near == 0) least = near.shortfall, best = x_, waited = 0;
        if (near.too_near == 0 || moves_.is_empty() || report_.rounds >= options_.rounds) break;
        proposal = x_;
        moves_.apply(proposal, task_.surfaces);
        if (keeps_lengths) lengths_.sweep(proposal, kPartingLengths * std::exp2(-round / kPartingKeeps));
        ++report_.rounds;
        if (take(proposal)) continue;
        if (!keeps_lengths) break;
        keeps_lengths = false;
    }
    x_ = best;
}

void Untangler::conclude()
{
    look(x_);
    report_.left = found_;
    moves_.clear();
    const GapCount near = gap_.wish(moves_, x_);
    report_.smallest_gap = found_.count() == 0 ? near.smallest : 0;
    report_.too_near = near.too_near;
    double sum = 0;
    for (std::size_t v = 0; v < x_.size(); ++v) {
        const double moved = norm(x_[v] - start_[v]);
        sum += moved;
        report_.largest_move = std::max(report_.largest_move, moved);
    }
    report_.mean_move = x_.empty() ? 0 : sum / static_cast<double>(x_.size());
    report_.largest_strain = lengths_.largest_strain(x_);
}

}  // namespace

UntangleReport untangle(std::vector<Vec3>& x, const UntangleTask& task, const UntangleOptions& options)
{
    if (!(options.gap > 0 && std::isfinite(options.gap)))
        throw Error(
            Problem{.message = fmt::format("a gap of {} m is wanted, expected a length above zero", options.gap)},
            ErrorKind::usage);
    if (!std::all_of(x.begin(), x.end(), [](const Vec3& v) { return is_finite(v); }))
        throw Error(
            Problem{.message = "a coordinate is not finite: nothing can be untangled", .cure = "mend the mesh first"});
    return Untangler(x, task, options).run();
}

double suitable_gap(const AuditSurfaces& surfaces, std::span<const Vec3> x)
{
    constexpr double kShareOfEdge = 0.01;
    double sum = 0;
    for (const Edge& edge : surfaces.edges) sum += norm(x[edge[1]] - x[edge[0]]);
    return surfaces.edges.empty() ? 0 : kShareOfEdge * sum / static_cast<double>(surfaces.edges.size());
}

}  // namespace pliant
