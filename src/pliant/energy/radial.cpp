// SPDX-License-Identifier: MIT
#include <pliant/energy/radial.h>

#include <algorithm>
#include <cmath>

#include <pliant/base/parallel.h>
#include <pliant/base/simd.h>

namespace pliant {

namespace {

constexpr std::size_t kVerticesPerChunk = 8192;

// What one chunk of springs adds up to.
struct Reaction {
    Vec3 on_center;    // [N]
    double power = 0;  // [W]
    Reaction& operator+=(const Reaction& other)
    {
        on_center += other.on_center, power += other.power;
        return *this;
    }
};

Vec3 weighted_sum(const RadialSprings& springs, std::span<const Vec3> values)
{
    return parallel_sum<Vec3>(springs.share.size(), kVerticesPerChunk, [&](std::size_t begin, std::size_t end) {
        Vec3 sum;
        for (std::size_t i = begin; i < end; ++i) sum += values[springs.first + i] * springs.share[i];
        return sum;
    });
}

// Four neighbouring vectors as packs, and a pack added to four neighbours.
Vec3T<Pack4> load4(const Vec3* from)
{
    Vec3T<Pack4> to;
    for (int lane = 0; lane < kPackWidth; ++lane)
        for (int k = 0; k < 3; ++k) to[k].set(lane, from[lane][k]);
    return to;
}
void add4(Vec3* to, const Vec3T<Pack4>& values)
{
    for (int lane = 0; lane < kPackWidth; ++lane) to[lane] += Vec3{values.x[lane], values.y[lane], values.z[lane]};
}

// The pull towards the centre along the ray r with relative velocity u; `lost` is the damping's power.
template <class S>
Vec3T<S> pull(const Vec3T<S>& r, const Vec3T<S>& u, const S& rest, const Radial& live, S& lost)
{
    const S length = norm(r);
    const Vec3T<S> n = r * (S(1.0) / (length + S(1e-300)));
    const S rate = dot(n, u);
    const S viscous = S(live.k_d) * rate;
    lost = viscous * rate;
    return n * -(S(live.k_r) * (length - rest) + viscous);
}

Reaction pull_chunk(std::span<Vec3> force, const RadialSprings& springs, const Radial& live, std::span<const Vec3> x,
                    std::span<const Vec3> v, std::span<const double> extension, const Vec3& c, const Vec3& c_rate,
                    std::size_t begin, std::size_t end)
{
    Vec3T<Pack4> total;
    Pack4 power(0.0);
    const Vec3T<Pack4> c4{Pack4(c.x), Pack4(c.y), Pack4(c.z)}, rate4{Pack4(c_rate.x), Pack4(c_rate.y), Pack4(c_rate.z)};
    std::size_t i = begin;
    for (; i + kPackWidth <= end; i += kPackWidth) {
        const std::size_t p = springs.first + i;
        Pack4 lost(0.0);
        const Pack4 rest = Pack4::load(&springs.rest[i]) + Pack4::load(&extension[i]);
        const Vec3T<Pack4> u = live.k_d > 0 ? load4(&v[p]) - rate4 : Vec3T<Pack4>{};
        const Vec3T<Pack4> f = pull(load4(&x[p]) - c4, u, rest, live, lost);
        add4(&force[p], f);
        total += f, power += lost;
    }
    Reaction sum{{-pliant::sum(total.x), -pliant::sum(total.y), -pliant::sum(total.z)}, pliant::sum(power)};
    for (; i < end; ++i) {
        const std::size_t p = springs.first + i;
        double lost = 0;
        const Vec3 f = pull(x[p] - c, v[p] - c_rate, springs.rest[i] + extension[i], live, lost);
        force[p] += f;
        sum += {-f, lost};
    }
    return sum;
}

void give_to_center(std::span<Vec3> force, const RadialSprings& springs, const Vec3& reaction)
{
    if (springs.kind == CenterKind::free) force[springs.center_point] += reaction;
    if (springs.kind != CenterKind::centroid) return;
    parallel_for(springs.share.size(), kVerticesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) force[springs.first + i] += reaction * springs.share[i];
    });
}

}  // namespace

Vec3 center(const RadialSprings& springs, std::span<const Vec3> x)
{
    if (springs.kind == CenterKind::fixed) return springs.fixed_at;
    return springs.kind == CenterKind::free ? x[springs.center_point] : weighted_sum(springs, x);
}

Vec3 center_velocity(const RadialSprings& springs, std::span<const Vec3> v)
{
    if (springs.kind == CenterKind::fixed) return {};
    return springs.kind == CenterKind::free ? v[springs.center_point] : weighted_sum(springs, v);
}

double energy(const RadialSprings& springs, const Radial& live, std::span<const Vec3> x,
              std::span<const double> extension)
{
    if (!live.enabled) return 0;
    const Vec3 c = center(springs, x);
    return parallel_sum<double>(springs.rest.size(), kVerticesPerChunk, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const double stretch = norm(x[springs.first + i] - c) - springs.rest[i] - extension[i];
            sum += 0.5 * live.k_r * stretch * stretch;
        }
        return sum;
    });
}

double subtract_gradient(std::span<Vec3> force, const RadialSprings& springs, const Radial& live,
                         std::span<const Vec3> x, std::span<const Vec3> v, std::span<const double> extension)
{
    if (!live.enabled) return 0;
    const Vec3 c = center(springs, x), c_rate = live.k_d > 0 ? center_velocity(springs, v) : Vec3{};
    const Reaction sum =
        parallel_sum<Reaction>(springs.rest.size(), kVerticesPerChunk, [&](std::size_t begin, std::size_t end) {
            return pull_chunk(force, springs, live, x, v, extension, c, c_rate, begin, end);
        });
    give_to_center(force, springs, sum.on_center);
    return sum.power;
}

double flow(std::span<double> extension, const RadialSprings& springs, const Radial& live, std::span<const Vec3> x,
            double h)
{
    if (!live.enabled || !live.plastic.acts()) return 0;
    const double before = energy(springs, live, x, extension);
    const Vec3 c = center(springs, x);
    for (std::size_t i = 0; i < springs.rest.size(); ++i)
        extension[i] = live.plastic.flow(springs.rest[i], extension[i], norm(x[springs.first + i] - c), h);
    return before - energy(springs, live, x, extension);
}

RadialRates rate_bounds(const RadialSprings& springs, const Radial& live, std::span<const double> inverse_mass,
                        std::span<const Vec3> x, std::span<const double> extension)
{
    if (!live.enabled || springs.rest.empty()) return {};
    const Vec3 c = center(springs, x);
    double lightest = 0, stretched = 1;
    for (std::size_t i = 0; i < springs.rest.size(); ++i) {
        lightest = std::max(lightest, inverse_mass[springs.first + i]);
        // Across the ray a compressed spring has the (negative) stiffness k (1 - L/l).
        const double length = norm(x[springs.first + i] - c);
        if (length > 0) stretched = std::max(stretched, (springs.rest[i] + extension[i]) / length - 1);
    }
    const auto count = static_cast<double>(springs.rest.size());
    double both = lightest;
    // A moving centre lets both ends move: |u - w|^2 <= 2 |u|^2 + 2 |w|^2, and the centre gets all springs.
    if (springs.kind == CenterKind::free) both = 2 * std::max(lightest, count * inverse_mass[springs.center_point]);
    // Around the mean of equal masses squares only shrink; unequal ones weigh the heaviest share.
    if (springs.kind == CenterKind::centroid) {
        const double uneven = count * *std::max_element(springs.share.begin(), springs.share.end());
        if (uneven > 1 + 1e-9) both = lightest * (2 + 2 * uneven);
    }
    return {live.k_r * stretched * both, live.k_d * both};
}

}  // namespace pliant
