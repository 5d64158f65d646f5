// SPDX-License-Identifier: MIT
#include <pliant/mesh/lattice_cuts.h>

#include <algorithm>
#include <span>

#include <pliant/base/error.h>
#include <pliant/base/parallel.h>

namespace pliant {

namespace {

// In lattice spacings: what counts as on the surface, and how near to it cuts are found.
constexpr double kOnSurface = 1e-9;
constexpr double kCutTolerance = 1e-7;
constexpr int kMaxCutSteps = 60;

// Rows begin outside. A point farther from the surface than a spacing has its neighbours on its own side, so the
// winding number is asked only between two near points.
void find_sides_of_row(const BccLattice& lattice, const SurfaceTree& surface, LatticePoint point,
                       std::span<std::int8_t> row)
{
    const double reach = lattice.spacing() * (1 + kOnSurface);
    std::int8_t side = -1;
    bool previous_is_near = false;
    for (std::int8_t& result : row) {
        const Vec3 x = lattice.position(point);
        const double distance = surface.nearest(x, reach).distance;
        const bool is_near = distance <= reach;
        if (is_near && previous_is_near) side = surface.encloses(x) ? 1 : -1;
        result = distance <= kOnSurface * lattice.spacing() ? std::int8_t{0} : side;
        previous_is_near = is_near;
        point[0] += 2;
    }
}

std::vector<std::int8_t> find_sides(const BccLattice& lattice, const SurfaceTree& surface)
{
    std::vector<std::int8_t> side(lattice.size());
    const auto& cells = lattice.cells();
    for (int odd = 0; odd < 2; ++odd) {
        const int length = cells[0] + 1 - odd, rows = cells[1] + 1 - odd, layers = cells[2] + 1 - odd;
        const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(layers);
        parallel_for(count, 1, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t row = begin; row < end; ++row) {
                const int j = static_cast<int>(row) % rows, k = static_cast<int>(row) / rows;
                const LatticePoint first{odd, 2 * j + odd, 2 * k + odd};
                find_sides_of_row(lattice, surface, first,
                                  std::span(side).subspan(static_cast<std::size_t>(lattice.index(first)),
                                                          static_cast<std::size_t>(length)));
            }
        });
    }
    return side;
}

double signed_distance(const SurfaceTree& surface, const Vec3& x, double reach)
{
    const double distance = std::min(surface.nearest(x, reach).distance, reach);
    return surface.encloses(x) ? distance : -distance;
}

// False position with halved stale ends (Illinois), which keeps the change of side between its two ends.
Vec3 find_cut(const SurfaceTree& surface, const Vec3& inside, const Vec3& outside, double tolerance)
{
    const double length = norm(outside - inside);
    double s = 0, t = 1;
    double at_s = std::min(surface.nearest(inside, length).distance, length);
    double at_t = -std::min(surface.nearest(outside, length).distance, length);
    Vec3 x = inside;
    int last_side = 0;
    for (int step = 0; step < kMaxCutSteps && (t - s) * length > tolerance; ++step) {
        // Every third step halves the bracket, should a kink hold one end fast.
        const double r = step % 3 == 2 ? (s + t) / 2 : s + (t - s) * at_s / (at_s - at_t);
        x = inside + (outside - inside) * r;
        const double at_r = signed_distance(surface, x, length);
        if (std::abs(at_r) < tolerance) break;
        const int new_side = at_r > 0 ? 1 : -1;
        const double stale = new_side == last_side ? 0.5 : 1;
        if (new_side > 0)
            s = r, at_s = at_r, at_t *= stale;
        else
            t = r, at_t = at_r, at_s *= stale;
        last_side = new_side;
    }
    return x;
}

}  // namespace

std::int32_t LatticeCuts::cut_between(std::int32_t inside, std::int32_t outside) const
{
    const std::int32_t end = first_cut[static_cast<std::size_t>(inside) + 1];
    for (std::int32_t c = first_cut[static_cast<std::size_t>(inside)]; c < end; ++c)
        if (cuts[static_cast<std::size_t>(c)].outside == outside) return c;
    PLIANT_ASSERT(false, "an edge from inside to outside has a cut");
    return -1;
}

LatticeCuts list_cuts(const BccLattice& lattice, std::vector<std::int8_t> side)
{
    PLIANT_ASSERT(side.size() == lattice.size(), "one side for each lattice point");
    LatticeCuts result{.side = std::move(side), .cuts = {}, .first_cut = {}};
    result.first_cut.reserve(lattice.size() + 1);
    for (std::size_t p = 0; p < lattice.size(); ++p) {
        result.first_cut.push_back(static_cast<std::int32_t>(result.cuts.size()));
        if (result.side[p] != 1) continue;
        const auto inside = static_cast<std::int32_t>(p);
        lattice.for_each_neighbour(lattice.point(inside), [&](const LatticePoint& q) {
            const std::int32_t outside = lattice.index(q);
            if (result.side[static_cast<std::size_t>(outside)] < 0) result.cuts.push_back({inside, outside, {}});
        });
    }
    result.first_cut.push_back(static_cast<std::int32_t>(result.cuts.size()));
    return result;
}

LatticeCuts cut_by_surface(const BccLattice& lattice, const SurfaceTree& surface)
{
    LatticeCuts result = list_cuts(lattice, find_sides(lattice, surface));
    parallel_for(result.cuts.size(), 64, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t c = begin; c < end; ++c) {
            LatticeCut& cut = result.cuts[c];
            cut.point = find_cut(surface, lattice.position(cut.inside), lattice.position(cut.outside),
                                 kCutTolerance * lattice.spacing());
        }
    });
    return result;
}

}  // namespace pliant
