// SPDX-License-Identifier: MIT
#include <pliant/contact/thesis_cubic.h>

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

using Vec3f = Vec3T<float>;

Vec3f to_float(const Vec3& a)
{
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

/// The nodes 1 2 3 4 of the thesis: corners and vertex, or the ends of both edges.
std::array<Vec3f, 4> thesis_nodes(PairKind kind, const std::array<Vec3, 4>& x)
{
    std::array<Vec3f, 4> node;
    for (std::size_t i = 0; i < 4; ++i) node[i] = to_float(x[i]);
    if (kind == PairKind::vertex_face) std::rotate(node.begin(), node.begin() + 1, node.end());
    return node;
}

float triple(const Vec3f& a, const Vec3f& b, const Vec3f& c)
{
    return dot(cross(a, b), c);
}

/// (2.53). Without a cubic term the thesis divides by zero, and what comes out lies in no step.
std::array<float, 2> extrema(const ThesisCubic& p, float nowhere)
{
    const float discriminant = 4 * p.B * p.B - 12 * p.A * p.C;
    if (p.A == 0 || !(discriminant >= 0)) return {nowhere, nowhere};
    const float root = std::sqrt(discriminant);
    const float first = (-2 * p.B - root) / (6 * p.A), second = (-2 * p.B + root) / (6 * p.A);
    return {std::min(first, second), std::max(first, second)};
}

ThesisRoot secant(const ThesisCubic& p, float begin, float end, float accuracy)
{
    float last = begin, t = end, f_last = p(begin), f = p(end);
    if (std::abs(f_last) < std::abs(f)) {
        std::swap(last, t);
        std::swap(f_last, f);
    }
    for (int k = 0; k < kThesisMostSecants && f != f_last; ++k) {
        const float step = (last - t) * f / (f - f_last);
        last = t, f_last = f;
        t += step;
        f = p(t);
        if (std::abs(step) < accuracy || f == 0) return {ThesisOutcome::root, t};
    }
    return {ThesisOutcome::not_converged, t};
}

/// (2.29) to (2.32); `x` at the time of impact.
bool node_is_in_triangle(const std::array<Vec3f, 4>& x)
{
    const Vec3f x13 = x[0] - x[2], x23 = x[1] - x[2], x43 = x[3] - x[2];
    const float a = dot(x13, x13), b = dot(x13, x23), c = dot(x23, x23), d = dot(x13, x43), e = dot(x23, x43);
    const float determinant = a * c - b * b;
    if (determinant == 0) return false;
    const float w1 = (c * d - b * e) / determinant, w2 = (a * e - b * d) / determinant, w3 = 1 - w1 - w2;
    return std::min({w1, w2, w3}) >= 0 && std::max({w1, w2, w3}) <= 1;
}

/// (2.66) to (2.68), with the largest component by absolute value (W-14).
bool edges_cross(const std::array<Vec3f, 4>& x)
{
    const Vec3f x21 = x[1] - x[0], x43 = x[3] - x[2], x31 = x[2] - x[0];
    const Vec3f all = cross(x43, x21), a_part = cross(x43, x31), b_part = cross(x21, x31);
    int k = 0;
    for (int i = 1; i < 3; ++i)
        if (std::abs(all[i]) > std::abs(all[k])) k = i;
    if (all[k] == 0) return false;
    const float a = a_part[k] / all[k], b = b_part[k] / all[k];
    return a >= 0 && a <= 1 && b >= 0 && b <= 1;
}

}  // namespace

ThesisCubic thesis_cubic(PairKind kind, const PairPath& path, float h)
{
    const std::array<Vec3f, 4> x = thesis_nodes(kind, path.x0), end = thesis_nodes(kind, path.x1);
    std::array<Vec3f, 4> v;
    for (std::size_t i = 0; i < 4; ++i) v[i] = (end[i] - x[i]) / h;
    const Vec3f x21 = x[1] - x[0], x31 = x[2] - x[0], x41 = x[3] - x[0];
    const Vec3f v21 = v[1] - v[0], v31 = v[2] - v[0], v41 = v[3] - v[0];
    return {triple(v21, v31, v41), triple(x21, v31, v41) + triple(v21, x31, v41) + triple(v21, v31, x41),
            triple(v21, x31, x41) + triple(x21, v31, x41) + triple(x21, x31, v41), triple(x21, x31, x41)};
}

ThesisRoot thesis_first_root(const ThesisCubic& cubic, float h)
{
    float begin = 0;
    const auto [first, second] = extrema(cubic, 2 * h);
    for (const float end : {first, second, h}) {
        if (!(end > begin && end <= h)) continue;
        if (cubic(begin) * cubic(end) < 0) return secant(cubic, begin, end, kThesisAccuracy * h);
        begin = end;
    }
    return {};
}

ThesisRoot thesis_impact(PairKind kind, const PairPath& path)
{
    const ThesisRoot root = thesis_first_root(thesis_cubic(kind, path), 1);
    if (root.outcome != ThesisOutcome::root) return root;
    const std::array<Vec3f, 4> x0 = thesis_nodes(kind, path.x0), x1 = thesis_nodes(kind, path.x1);
    std::array<Vec3f, 4> x;
    for (std::size_t i = 0; i < 4; ++i) x[i] = x0[i] + (x1[i] - x0[i]) * root.t;
    const bool meets = kind == PairKind::vertex_face ? node_is_in_triangle(x) : edges_cross(x);
    return meets ? root : ThesisRoot{};
}

std::optional<double> thesis_time_of_impact(PairKind kind, const PairPath& path)
{
    const ThesisRoot root = thesis_impact(kind, path);
    if (root.outcome != ThesisOutcome::root) return std::nullopt;
    return static_cast<double>(root.t);
}

}  // namespace pliant
