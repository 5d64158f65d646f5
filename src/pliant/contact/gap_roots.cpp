// SPDX-License-Identifier: MIT
#include <pliant/contact/gap_roots.h>

#include <algorithm>

#include <pliant/base/error.h>

namespace pliant {

namespace {

constexpr int kDeepest = 30;  // halvings: a part is 2^-30 of the step

using Coefficients = std::array<double, kMaxGapDegree + 1>;

/// A part of [0, 1] that still waits for its turn.
struct Part {
    Coefficients c;
    double begin = 0, end = 1;
    int depth = 0;
};

struct Signs {
    int first = 0, last = 0;  // of the coefficients that are not zero
    int changes = 0;
};

Signs signs(std::span<const double> coefficients, double noise)
{
    Signs result;
    for (const double c : coefficients) {
        const int sign = c > noise ? 1 : c < -noise ? -1 : 0;
        if (sign == 0) continue;
        if (result.first == 0) result.first = sign;
        if (result.last == -sign) ++result.changes;
        result.last = sign;
    }
    return result;
}

/// de Casteljau at the middle: `part` becomes its right half, the left half is returned.
Part split_left(Part& part, std::size_t degree)
{
    Part left{part.c, part.begin, 0.5 * (part.begin + part.end), part.depth + 1};
    for (std::size_t level = 0; level <= degree; ++level) {
        left.c[level] = part.c[0];
        for (std::size_t k = 0; k + level < degree; ++k) part.c[k] = 0.5 * (part.c[k] + part.c[k + 1]);
    }
    part.begin = left.end;
    part.depth = left.depth;
    return left;
}

}  // namespace

PathCurve StepMotion::curve(std::int32_t node, const Vec3& origin) const
{
    const auto i = static_cast<std::size_t>(node);
    const Vec3 from = x0[i] - origin, to = x1[i] - origin;
    if (path == PathKind::straight) return {from, from + (to - from) / 3.0, to - (to - from) / 3.0, to};
    return {from, from + v0[i] * (h / 3), to - v1[i] * (h / 3), to};
}

std::size_t find_sign_changes(std::span<SignChange> changes, std::span<const double> coefficients, double noise)
{
    const std::size_t degree = coefficients.size() - 1;
    PLIANT_ASSERT(degree <= kMaxGapDegree && changes.size() > degree, "no room for the roots of this degree");
    std::array<Part, kDeepest + 2> waiting;
    std::size_t height = 0, found = 0;
    std::copy(coefficients.begin(), coefficients.end(), waiting[height++].c.begin());
    int sign = 0;  // left of the part in hand
    const auto change = [&](double begin, double end, int to) {
        if (found < changes.size()) changes[found++] = {begin, end, -to};
        sign = to;
    };
    while (height > 0) {
        Part& part = waiting[height - 1];
        const Signs s = signs(std::span(part.c).first(degree + 1), noise);
        if (s.changes > 1 && part.depth < kDeepest) {
            const Part left = split_left(part, degree);
            waiting[height++] = left;
            continue;
        }
        --height;
        if (part.begin == 0 && std::abs(part.c[0]) > noise) sign = s.first;  // the start is no change
        if (s.first != 0 && s.first != sign) change(part.begin, part.begin, s.first);
        if (s.last != 0 && s.last != sign) change(part.begin, part.end, s.last);
    }
    return found;
}

}  // namespace pliant
