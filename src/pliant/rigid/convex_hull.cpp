// SPDX-License-Identifier: MIT
#include <pliant/rigid/convex_hull.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/mesh/measure.h>

namespace pliant {

namespace {

// A face of the hull so far. Side k runs from corner k to corner k+1; beyond it lies face next[k].
struct HullFace {
    Triangle corner{};
    std::array<std::int32_t, 3> next{-1, -1, -1};
    Vec3 normal;
    double offset = 0;
    std::vector<std::int32_t> outside;  // points that this face sees and no earlier face took
    bool is_gone = false;
};

// A side of a face that stays, beyond which everything is taken away: from runs to `to` as the new face's side does.
struct RimSide {
    std::int32_t from = 0, to = 0, keeper = 0;
};

class Quickhull {
public:
    explicit Quickhull(std::span<const Vec3> points) : x_(points)
    {
        const BoundingBox box = bounding_box(points);
        const Vec3 size = box.size(), far{std::max(std::abs(box.lowest.x), std::abs(box.highest.x)),
                                          std::max(std::abs(box.lowest.y), std::abs(box.highest.y)),
                                          std::max(std::abs(box.lowest.z), std::abs(box.highest.z))};
        extent_ = norm(size);
        // Rounding of a distance: of the coordinates themselves and of a normal made from thin triangles.
        noise_ = 1e-12 * extent_ + 1e-15 * norm(far);
    }

    TriMesh run()
    {
        begin();
        for (std::size_t f = 0; f < faces_.size(); ++f)
            while (!faces_[f].is_gone && !faces_[f].outside.empty()) add_farthest(static_cast<std::int32_t>(f));
        return surface();
    }

private:
    double height(const HullFace& face, std::int32_t point) const { return dot(face.normal, x_[point]) - face.offset; }

    [[noreturn]] static void refuse(const char* what)
    {
        throw Error(Problem{.message = fmt::format("the points have no convex hull with a volume: {}", what),
                            .cure = "give at least four points that are not in one plane"});
    }

    template <class Distance>
    std::int32_t farthest(Distance&& distance) const
    {
        std::int32_t best = 0;
        double most = -1;
        for (std::size_t i = 0; i < x_.size(); ++i)
            if (const double d = distance(x_[i]); d > most) most = d, best = static_cast<std::int32_t>(i);
        return best;
    }

    // A tetrahedron of points that are far apart.
    void begin()
    {
        if (x_.size() < 4) refuse("there are fewer than four of them");
        if (!std::isfinite(extent_)) refuse("some coordinate is not finite");
        const std::int32_t a = farthest([&](const Vec3& p) { return norm2(p - x_[0]); });
        const std::int32_t b = farthest([&](const Vec3& p) { return norm2(p - x_[a]); });
        const Vec3 line = x_[b] - x_[a];
        if (!(norm(line) > noise_)) refuse("they are all in one place");
        const Vec3 along = normalized(line);
        const std::int32_t c = farthest([&](const Vec3& p) { return norm2(cross(p - x_[a], along)); });
        if (!(norm(cross(x_[c] - x_[a], along)) > noise_)) refuse("they are on one line");
        const Vec3 n = normalized(cross(x_[b] - x_[a], x_[c] - x_[a]));
        const std::int32_t d = farthest([&](const Vec3& p) { return std::abs(dot(p - x_[a], n)); });
        const double above = dot(x_[d] - x_[a], n);
        if (!(std::abs(above) > noise_)) refuse("they are in one plane");
        const std::array<std::int32_t, 4> v = above < 0 ? std::array{a, b, c, d} : std::array{a, c, b, d};
        add_face({v[0], v[1], v[2]}, {1, 2, 3});
        add_face({v[1], v[0], v[3]}, {0, 3, 2});
        add_face({v[2], v[1], v[3]}, {0, 1, 3});
        add_face({v[0], v[2], v[3]}, {0, 2, 1});
        std::vector<std::int32_t> all;
        for (std::size_t i = 0; i < x_.size(); ++i) all.push_back(static_cast<std::int32_t>(i));
        share_out(all, 0);
    }

    void add_face(const Triangle& corner, const std::array<std::int32_t, 3>& next)
    {
        HullFace face{.corner = corner, .next = next};
        const Vec3 n = cross(x_[corner[1]] - x_[corner[0]], x_[corner[2]] - x_[corner[0]]);
        const double length = norm(n);
        face.normal = length > 0 ? n / length : Vec3{};
        face.offset = dot(face.normal, x_[corner[0]]);
        faces_.push_back(std::move(face));
    }

    // Gives each point to the first of the faces from `first` on that sees it; points that none sees are inside.
    void share_out(const std::vector<std::int32_t>& points, std::size_t first)
    {
        for (const std::int32_t p : points)
            for (std::size_t f = first; f < faces_.size(); ++f)
                if (height(faces_[f], p) > noise_) {
                    faces_[f].outside.push_back(p);
                    break;
                }
    }

    void add_farthest(std::int32_t start)
    {
        std::vector<std::int32_t>& own = faces_[start].outside;
        std::size_t best = 0;
        for (std::size_t i = 1; i < own.size(); ++i)
            if (height(faces_[start], own[i]) > height(faces_[start], own[best])) best = i;
        const std::int32_t eye = own[best];
        own.erase(own.begin() + static_cast<std::ptrdiff_t>(best));
        find_seen(start, eye);
        if (!find_rim()) {
            fill_islands(eye);
            // A rim that touches itself: the point is as near as rounding to the faces between, and stays on them.
            if (!find_rim()) return clear_marks();
        }
        replace_seen(eye);
    }

    // The connected faces that see the point.
    void find_seen(std::int32_t start, std::int32_t eye)
    {
        mark_.resize(faces_.size(), 0);
        seen_.assign(1, start);
        mark_[start] = 1;
        for (std::size_t i = 0; i < seen_.size(); ++i)
            for (const std::int32_t f : faces_[seen_[i]].next)
                if (mark_[f] == 0 && height(faces_[f], eye) > noise_) mark_[f] = 1, seen_.push_back(f);
    }

    void clear_marks()
    {
        for (const std::int32_t f : seen_) mark_[f] = 0;
    }

    // The rim as one loop, each side beginning where the one before ends; false where it is not one.
    bool find_rim()
    {
        std::vector<RimSide> sides;
        for (const std::int32_t f : seen_)
            for (int k = 0; k < 3; ++k)
                if (const std::int32_t beyond = faces_[f].next[k]; mark_[beyond] == 0)
                    sides.push_back({faces_[f].corner[k], faces_[f].corner[(k + 1) % 3], beyond});
        std::sort(sides.begin(), sides.end(), [](const RimSide& a, const RimSide& b) { return a.from < b.from; });
        rim_.clear();
        for (std::size_t i = 1; i < sides.size(); ++i)
            if (sides[i].from == sides[i - 1].from) return false;
        std::int32_t at = sides.empty() ? 0 : sides.front().from;
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const auto side = std::lower_bound(sides.begin(), sides.end(), at,
                                               [](const RimSide& s, std::int32_t from) { return s.from < from; });
            rim_.push_back(*side);
            at = side->to;
            if (at == sides.front().from) break;
        }
        return rim_.size() == sides.size() && rim_.size() >= 3;
    }

    // Faces that do not see the point but are surrounded by some that do, by rounding: they go too.
    void fill_islands(std::int32_t eye)
    {
        std::int32_t lowest = -1;
        for (std::size_t f = 0; f < faces_.size(); ++f)
            if (!faces_[f].is_gone && mark_[f] == 0 &&
                (lowest < 0 || height(faces_[f], eye) < height(faces_[lowest], eye)))
                lowest = static_cast<std::int32_t>(f);
        if (lowest < 0) return;
        std::vector<std::int32_t> mainland{lowest};
        mark_[lowest] = 2;
        for (std::size_t i = 0; i < mainland.size(); ++i)
            for (const std::int32_t f : faces_[mainland[i]].next)
                if (mark_[f] == 0) mark_[f] = 2, mainland.push_back(f);
        for (std::size_t f = 0; f < faces_.size(); ++f)
            if (!faces_[f].is_gone && mark_[f] == 0) mark_[f] = 1, seen_.push_back(static_cast<std::int32_t>(f));
        for (const std::int32_t f : mainland) mark_[f] = 0;
    }

    void replace_seen(std::int32_t eye)
    {
        const std::size_t first = faces_.size();
        const auto count = static_cast<std::int32_t>(rim_.size()), base = static_cast<std::int32_t>(first);
        for (std::int32_t i = 0; i < count; ++i) {
            const RimSide& side = rim_[i];
            add_face({side.from, side.to, eye}, {side.keeper, base + (i + 1) % count, base + (i + count - 1) % count});
            HullFace& keeper = faces_[side.keeper];
            for (int k = 0; k < 3; ++k)
                if (keeper.corner[k] == side.to && keeper.corner[(k + 1) % 3] == side.from) keeper.next[k] = base + i;
        }
        std::vector<std::int32_t> homeless;
        for (const std::int32_t f : seen_) {
            HullFace& face = faces_[f];
            homeless.insert(homeless.end(), face.outside.begin(), face.outside.end());
            face.outside = {};
            face.is_gone = true;
        }
        clear_marks();
        share_out(homeless, first);
    }

    TriMesh surface() const
    {
        TriMesh mesh;
        std::vector<std::int32_t> number(x_.size(), -1);
        for (const HullFace& face : faces_)
            if (!face.is_gone)
                for (const std::int32_t p : face.corner) number[p] = 0;
        for (std::size_t i = 0; i < x_.size(); ++i)
            if (number[i] == 0) {
                number[i] = static_cast<std::int32_t>(mesh.vertices.size());
                mesh.vertices.push_back(x_[i]);
            }
        for (const HullFace& face : faces_)
            if (!face.is_gone)
                mesh.triangles.push_back({number[face.corner[0]], number[face.corner[1]], number[face.corner[2]]});
        return mesh;
    }

    std::span<const Vec3> x_;
    double extent_ = 0, noise_ = 0;
    std::vector<HullFace> faces_;
    std::vector<std::uint8_t> mark_;  // of faces: 1 sees the point that is added
    std::vector<std::int32_t> seen_;
    std::vector<RimSide> rim_;
};

}  // namespace

TriMesh convex_hull(std::span<const Vec3> points)
{
    return Quickhull(points).run();
}

}  // namespace pliant
