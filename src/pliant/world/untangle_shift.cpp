// SPDX-License-Identifier: MIT
#include <pliant/world/untangle_shift.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace pliant {

namespace {

constexpr int kPlaces = 64;  // along an axis

struct Box {
    Vec3 low, high;
};

bool is_crossed(const Intersections& found, std::int32_t body)
{
    return std::any_of(found.edges.begin(), found.edges.end(),
                       [&](const EdgeThroughFace& one) {
                           return one.body_a != one.body_b && (one.body_a == body || one.body_b == body);
                       }) ||
           std::any_of(found.vertices.begin(), found.vertices.end(),
                       [&](const VertexThroughPlane& one) { return one.body == body; });
}

// Of the points of one body, or of all others.
Box box_of(const AuditSurfaces& surfaces, std::span<const Vec3> x, std::size_t body, bool is_of_others)
{
    constexpr double kFar = std::numeric_limits<double>::max();
    Box box{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
    for (std::size_t b = 0; b < surfaces.points.size(); ++b) {
        if ((b == body) == is_of_others) continue;
        const auto [first, count] = surfaces.points[b];
        for (std::int32_t v = first; v < first + count; ++v)
            for (int k = 0; k < 3; ++k)
                box.low[k] = std::min(box.low[k], x[v][k]), box.high[k] = std::max(box.high[k], x[v][k]);
    }
    return box;
}

// The way out along half an axis, until the boxes do not overlap; at least half the body's own size, for planes.
double way_out(const Box& own, const Box& others, int axis, bool is_up)
{
    const double size = norm(own.high - own.low);
    const double way = is_up ? others.high[axis] - own.low[axis] : own.high[axis] - others.low[axis];
    return std::max(way, 0.5 * size) * (1 + 1.0 / kPlaces);
}

class Shifter {
public:
    Shifter(std::vector<Vec3>& x, const UntangleTask& task, IntersectionSearch& judge)
        : x_(x)
        , task_(task)
        , judge_(judge)
    {
    }

    void free(std::size_t body)
    {
        const Box own = box_of(task_.surfaces, x_, body, false), others = box_of(task_.surfaces, x_, body, true);
        std::optional<Vec3> best;
        for (int half_axis = 0; half_axis < 6; ++half_axis) {
            const int axis = half_axis / 2;
            const bool is_up = half_axis % 2 == 0;
            const double way = way_out(own, others, axis, is_up);
            for (int place = 1; place <= kPlaces; ++place) {
                const double distance = way * place / kPlaces;
                if (best && distance >= norm(*best)) break;
                Vec3 by;
                by[axis] = is_up ? distance : -distance;
                if (is_free_at(body, by)) best = by;
            }
        }
        if (best) place(x_, body, *best);
    }

private:
    void place(std::vector<Vec3>& x, std::size_t body, const Vec3& by) const
    {
        const auto [first, count] = task_.surfaces.points[body];
        for (std::int32_t v = first; v < first + count; ++v) x[v] = x_[v] + by;
    }
    bool is_free_at(std::size_t body, const Vec3& by)
    {
        shifted_ = x_;
        place(shifted_, body, by);
        return judge_.find(found_, shifted_, task_.planes) && !is_crossed(found_, static_cast<std::int32_t>(body));
    }

    std::vector<Vec3>& x_;
    const UntangleTask& task_;
    IntersectionSearch& judge_;
    std::vector<Vec3> shifted_;
    Intersections found_;
};

}  // namespace

bool shift_whole_bodies(std::vector<Vec3>& x, const UntangleTask& task, const UntangleMoves& moves,
                        IntersectionSearch& judge)
{
    Shifter shifter(x, task, judge);
    Intersections found;
    bool any = false;
    for (std::size_t b = 0; b < task.surfaces.points.size(); ++b) {
        const auto [first, count] = task.surfaces.points[b];
        if (count == 0 || moves.whole_body(first) < 0 || !judge.find(found, x, task.planes)) continue;
        if (!is_crossed(found, static_cast<std::int32_t>(b))) continue;
        shifter.free(b);
        any = true;
    }
    return any;
}

}  // namespace pliant
