// SPDX-License-Identifier: MIT
#include <pliant/solver/momentum.h>

#include <cmath>

#include <pliant/base/parallel.h>
#include <pliant/solver/stages.h>

namespace pliant {

bool Momentum::leads_back(std::span<const Particle> x) const
{
    return parallel_sum<double>(x.size(), kNodesPerChunk, [&](std::size_t begin, std::size_t end) {
               double sum = 0;
               for (std::size_t i = begin; i < end; ++i) {
                   const Vec3 s = x[i].vector();
                   sum += dot(begin_[i] - s, s - before_[i]);
               }
               return sum;
           }) > 0;
}

void Momentum::carry_on(std::span<Particle> x)
{
    begin_.resize(x.size()), before_.resize(x.size());
    double share = 0;
    if (t_ > 0 && leads_back(x)) t_ = 0;
    if (t_ > 0) {
        const double next = (1 + std::sqrt(1 + 4 * t_ * t_)) / 2;
        share = (t_ - 1) / next, t_ = next;
    } else
        t_ = 1;
    parallel_for(x.size(), kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3 s = x[i].vector(), y = share == 0 ? s : s + (s - before_[i]) * share;
            before_[i] = s, begin_[i] = y;
            x[i].set(y);
        }
    });
}

}  // namespace pliant
