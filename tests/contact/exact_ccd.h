// SPDX-License-Identifier: MIT
#pragma once

// The truth about vertex-face and edge-edge pairs whose points move straight between places on an integer grid: do they
// meet within the step, ends included, and is a given time after the first meeting? No rounding anywhere.
//
// The volume of the four points is a cubic in time with whole coefficients. Its roots in [0, 1] are isolated by
// Sturm's theorem between fractions n / 2^k. Whether the elements meet at such a root is a question of signs of other
// polynomials there, and the sign of G at the only root of P in (a, b] is the Tarski query of G: the difference in sign
// variations, between a and b, of the signed remainder sequence of P and P'G. Zero comes out as zero, so touches of
// corners and borders are decided like everything else. Where the normal vanishes (edges parallel, face flat at that
// moment) or the volume is zero all the time, elements meet where a point lies on an edge.
// Written apart from the library's geometry: it shares only PairKind.
// References: C. Sturm (1829); S. Basu, R. Pollack, M.-F. Roy, Algorithms in Real Algebraic Geometry (2006), 2.2.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include <pliant/contact/surface_pairs.h>

namespace pliant::exact {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

/// A whole number of up to 64 * kLimbs bits; more throws.
class Whole {
public:
    static constexpr std::size_t kLimbs = 64;

    Whole() = default;
    explicit Whole(Wide value) : sign_(value < 0 ? -1 : value > 0 ? 1 : 0)
    {
        auto rest = static_cast<UnsignedWide>(value < 0 ? -value : value);
        for (; rest != 0; rest >>= 64) limb_[size_++] = static_cast<std::uint64_t>(rest);
    }
    Whole(const Whole& other) : sign_(other.sign_), size_(other.size_)
    {
        std::copy_n(other.limb_.begin(), size_, limb_.begin());
    }
    Whole& operator=(const Whole& other)
    {
        sign_ = other.sign_, size_ = other.size_;
        std::copy_n(other.limb_.begin(), size_, limb_.begin());
        return *this;
    }
    ~Whole() = default;

    int sign() const { return sign_; }

    Whole operator-() const
    {
        Whole result = *this;
        result.sign_ = -sign_;
        return result;
    }
    friend Whole operator+(const Whole& a, const Whole& b)
    {
        if (a.sign_ == 0) return b;
        if (b.sign_ == 0) return a;
        if (a.sign_ == b.sign_) return sum_of_sizes(a, b);
        const int order = compare_sizes(a, b);
        if (order == 0) return {};
        return order > 0 ? difference_of_sizes(a, b) : difference_of_sizes(b, a);
    }
    friend Whole operator-(const Whole& a, const Whole& b) { return a + -b; }
    friend Whole operator*(const Whole& a, const Whole& b)
    {
        Whole result;
        if (a.sign_ == 0 || b.sign_ == 0) return result;
        if (a.size_ + b.size_ > kLimbs) throw std::overflow_error("exact::Whole has too few limbs");
        result.size_ = a.size_ + b.size_;
        std::fill_n(result.limb_.begin(), result.size_, 0);
        for (std::size_t i = 0; i < a.size_; ++i) {
            UnsignedWide carry = 0;
            for (std::size_t j = 0; j < b.size_; ++j) {
                carry += static_cast<UnsignedWide>(a.limb_[i]) * b.limb_[j] + result.limb_[i + j];
                result.limb_[i + j] = static_cast<std::uint64_t>(carry);
                carry >>= 64;
            }
            result.limb_[i + b.size_] = static_cast<std::uint64_t>(carry);
        }
        result.sign_ = a.sign_ * b.sign_;
        result.trim();
        return result;
    }

private:
    static int compare_sizes(const Whole& a, const Whole& b)
    {
        if (a.size_ != b.size_) return a.size_ > b.size_ ? 1 : -1;
        for (std::size_t i = a.size_; i-- > 0;)
            if (a.limb_[i] != b.limb_[i]) return a.limb_[i] > b.limb_[i] ? 1 : -1;
        return 0;
    }
    static Whole sum_of_sizes(const Whole& a, const Whole& b)
    {
        Whole result;
        UnsignedWide carry = 0;
        for (std::size_t i = 0; i < std::max(a.size_, b.size_) || carry != 0; ++i) {
            if (i == kLimbs) throw std::overflow_error("exact::Whole has too few limbs");
            carry += i < a.size_ ? a.limb_[i] : 0;
            carry += i < b.size_ ? b.limb_[i] : 0;
            result.limb_[result.size_++] = static_cast<std::uint64_t>(carry);
            carry >>= 64;
        }
        result.sign_ = a.sign_;
        return result;
    }
    static Whole difference_of_sizes(const Whole& larger, const Whole& smaller)
    {
        Whole result = larger;
        std::uint64_t borrow = 0;
        for (std::size_t i = 0; i < larger.size_; ++i) {
            const std::uint64_t taken = i < smaller.size_ ? smaller.limb_[i] : 0;
            const std::uint64_t rest = larger.limb_[i] - taken;
            result.limb_[i] = rest - borrow;
            borrow = (larger.limb_[i] < taken || rest < borrow) ? 1 : 0;
        }
        result.trim();
        return result;
    }
    void trim()
    {
        while (size_ > 0 && limb_[size_ - 1] == 0) --size_;
        if (size_ == 0) sign_ = 0;
    }

    int sign_ = 0;
    std::size_t size_ = 0;
    std::array<std::uint64_t, kLimbs> limb_;  // only the first size_ are set
};

inline int sign_of(const Whole& a)
{
    return a.sign();
}
inline int sign_of(Wide a)
{
    return a < 0 ? -1 : a > 0 ? 1 : 0;
}

/// Coefficients from the constant one up; the last is not zero, and zero has none.
template <class T>
struct Polynomial {
    std::vector<T> c;

    bool is_zero() const { return c.empty(); }
    std::size_t degree() const { return c.size() - 1; }
    void trim()
    {
        while (!c.empty() && sign_of(c.back()) == 0) c.pop_back();
    }
    friend Polynomial operator+(const Polynomial& a, const Polynomial& b)
    {
        Polynomial result = a.c.size() >= b.c.size() ? a : b;
        const Polynomial& other = a.c.size() >= b.c.size() ? b : a;
        for (std::size_t i = 0; i < other.c.size(); ++i) result.c[i] = result.c[i] + other.c[i];
        result.trim();
        return result;
    }
    friend Polynomial operator-(const Polynomial& a)
    {
        Polynomial result = a;
        for (T& coefficient : result.c) coefficient = -coefficient;
        return result;
    }
    friend Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + -b; }
    friend Polynomial operator*(const Polynomial& a, const Polynomial& b)
    {
        Polynomial result;
        if (a.is_zero() || b.is_zero()) return result;
        result.c.resize(a.c.size() + b.c.size() - 1, T{});
        for (std::size_t i = 0; i < a.c.size(); ++i)
            for (std::size_t j = 0; j < b.c.size(); ++j) result.c[i + j] = result.c[i + j] + a.c[i] * b.c[j];
        result.trim();
        return result;
    }
};

using WidePolynomial = Polynomial<Wide>;
using WholePolynomial = Polynomial<Whole>;

inline WholePolynomial to_whole(const WidePolynomial& p)
{
    WholePolynomial result;
    for (const Wide coefficient : p.c) result.c.emplace_back(coefficient);
    return result;
}

/// n / 2^k
struct Fraction {
    std::int64_t n = 0;
    int k = 0;

    double value() const { return std::ldexp(static_cast<double>(n), -k); }
};

inline int sign_at(const WholePolynomial& p, const Fraction& t)
{
    if (p.is_zero()) return 0;
    const Whole n(t.n), two_to_k(Wide{1} << t.k);
    Whole value = p.c.back(), power = two_to_k;
    for (std::size_t i = p.c.size() - 1; i-- > 0;) {
        value = value * n + p.c[i] * power;
        if (i > 0) power = power * two_to_k;
    }
    return value.sign();
}

/// A positive multiple of the remainder of a by b.
inline WholePolynomial remainder(WholePolynomial a, const WholePolynomial& b)
{
    if (b.degree() == 0) return {};  // a constant divides everything; its multiples would be needlessly long
    const Whole lead = b.c.back();
    const Whole size = lead.sign() < 0 ? -lead : lead;
    while (!a.is_zero() && a.degree() >= b.degree()) {
        const std::size_t shift = a.degree() - b.degree();
        const Whole factor = lead.sign() < 0 ? -a.c.back() : a.c.back();
        for (Whole& coefficient : a.c) coefficient = coefficient * size;
        for (std::size_t i = 0; i < b.c.size(); ++i) a.c[i + shift] = a.c[i + shift] - factor * b.c[i];
        a.trim();
    }
    return a;
}

/// The signed remainder sequence of two polynomials.
class Sequence {
public:
    Sequence(const WholePolynomial& first, const WholePolynomial& second)
    {
        terms_.push_back(first);
        for (WholePolynomial next = second; !next.is_zero();) {
            terms_.push_back(next);
            next = -remainder(terms_[terms_.size() - 2], next);
        }
    }
    int variations(const Fraction& t) const
    {
        int last = 0, count = 0;
        for (const WholePolynomial& term : terms_) {
            const int sign = sign_at(term, t);
            if (sign != 0 && sign == -last) ++count;
            if (sign != 0) last = sign;
        }
        return count;
    }
    /// Between two places that are no roots of the first.
    int change(const Fraction& from, const Fraction& to) const { return variations(from) - variations(to); }

private:
    std::vector<WholePolynomial> terms_;
};

inline WholePolynomial derivative(const WholePolynomial& p)
{
    WholePolynomial result;
    for (std::size_t i = 1; i < p.c.size(); ++i) result.c.push_back(p.c[i] * Whole(static_cast<Wide>(i)));
    return result;
}

/// A moment: a fraction (begin = end), or the only root of `of` between begin and end.
struct Moment {
    Fraction begin, end;
    std::optional<WholePolynomial> of;

    int sign(const WidePolynomial& g) const
    {
        const WholePolynomial whole = to_whole(g);
        if (!of || whole.is_zero()) return sign_at(whole, begin);
        return Sequence(*of, remainder(derivative(*of) * whole, *of)).change(begin, end);
    }
    /// Is t not later than this moment? Both ends are moved together until t is outside of them.
    bool is_not_before(double t) const
    {
        if (!of) return t <= begin.value();
        const Sequence sturm(*of, derivative(*of));
        Fraction low = begin, high = end;
        while (low.value() < t && t < high.value() && low.k < 50) {
            low = {2 * low.n, low.k + 1}, high = {2 * high.n, high.k + 1};
            const Fraction middle{(low.n + high.n) / 2, low.k};
            if (sign_at(*of, middle) == 0) return t <= middle.value();
            (sturm.change(low, middle) == 1 ? high : low) = middle;
        }
        return t <= low.value();
    }
};

/// Roots between two ends that are no roots, from left to right, appended.
inline void isolate(std::vector<Moment>& roots, const WholePolynomial& p, const Sequence& sturm, Fraction begin,
                    Fraction end)
{
    const int count = sturm.change(begin, end);
    if (count == 0) return;
    if (count == 1) {
        roots.push_back({begin, end, p});
        return;
    }
    // 5/8, 9/16 ... of the way, until it is no root: the ends share a denominator.
    Fraction middle{begin.n + end.n, begin.k + 1};
    for (int bits = 3; sign_at(p, middle) == 0; ++bits)
        middle = {(begin.n << bits) + (end.n - begin.n) * ((std::int64_t{1} << (bits - 1)) + 1), begin.k + bits};
    const int deeper = middle.k - begin.k;
    begin = {begin.n << deeper, middle.k}, end = {end.n << deeper, middle.k};
    isolate(roots, p, sturm, begin, middle);
    isolate(roots, p, sturm, middle, end);
}

/// No root in [0, 1] by Descartes' rule on Bernstein coefficients, which are cheap.
inline bool has_one_sign(const WidePolynomial& p)
{
    std::array<Wide, 4> c{};
    if (p.c.size() > c.size()) return false;
    std::copy(p.c.begin(), p.c.end(), c.begin());
    const std::array<Wide, 4> b{c[0], 3 * c[0] + c[1], 3 * c[0] + 2 * c[1] + c[2], c[0] + c[1] + c[2] + c[3]};
    return std::all_of(b.begin(), b.end(), [](Wide x) { return x > 0; }) ||
           std::all_of(b.begin(), b.end(), [](Wide x) { return x < 0; });
}

/// All moments in [0, 1] where p, which is not zero everywhere, is zero.
inline std::vector<Moment> roots_in_step(const WidePolynomial& p)
{
    std::vector<Moment> roots;
    if (has_one_sign(p)) return roots;
    WholePolynomial q = to_whole(p);
    if (sign_at(q, {0, 0}) == 0) {
        roots.push_back({{0, 0}, {0, 0}, std::nullopt});
        while (q.c[0].sign() == 0) q.c.erase(q.c.begin());
    }
    bool at_end = false;
    while (sign_at(q, {1, 0}) == 0) {
        at_end = true;
        WholePolynomial quotient;  // by (t - 1), from the top
        Whole carry;
        for (std::size_t i = q.c.size(); i-- > 1;) {
            carry = carry + q.c[i];
            quotient.c.insert(quotient.c.begin(), carry);
        }
        q = quotient;
    }
    if (q.degree() > 0) isolate(roots, q, Sequence(q, derivative(q)), {0, 0}, {1, 0});
    if (at_end) roots.push_back({{1, 0}, {1, 0}, std::nullopt});
    return roots;
}

using GridPoint = std::array<std::int64_t, 3>;
struct GridPath {
    std::array<GridPoint, 4> x0, x1;
};

using Vector = std::array<WidePolynomial, 3>;  // polynomials in time

inline Vector operator-(const Vector& a, const Vector& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vector cross(const Vector& a, const Vector& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline WidePolynomial dot(const Vector& a, const Vector& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline std::array<Vector, 4> moving_points(const GridPath& path)
{
    std::array<Vector, 4> x;
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            x[i][k].c = {path.x0[i][k], path.x1[i][k] - path.x0[i][k]};
            x[i][k].trim();
        }
    }
    return x;
}

/// A point against an edge.
struct PointEdge {
    Vector beside;          // zero where the point is on the line
    WidePolynomial within;  // not positive where it is not outside of the ends

    PointEdge(const Vector& p, const Vector& a, const Vector& b)
        : beside(cross(p - a, b - a))
        , within(dot(p - a, p - b))
    {
    }
    bool meets_at(const Moment& moment) const
    {
        return moment.sign(beside[0]) == 0 && moment.sign(beside[1]) == 0 && moment.sign(beside[2]) == 0 &&
               moment.sign(within) <= 0;
    }
    /// Moments among which is the first meeting, if there is one.
    std::vector<Moment> candidates() const
    {
        for (const WidePolynomial& component : beside)
            if (!component.is_zero()) return roots_in_step(component);
        // Always on the line: meets at the start, or comes in through an end.
        std::vector<Moment> moments{{{0, 0}, {0, 0}, std::nullopt}};
        if (within.is_zero()) return moments;
        for (Moment& root : roots_in_step(within)) moments.push_back(std::move(root));
        return moments;
    }
};

/// The pair as polynomials.
class MovingPair {
public:
    MovingPair(PairKind kind, const GridPath& path) : kind_(kind), x_(moving_points(path))
    {
        const auto& [a, b, c, d] = x_;
        normal_ = kind == PairKind::vertex_face ? cross(c - b, d - b) : cross(b - a, d - c);
        volume_ = dot(normal_, kind == PairKind::vertex_face ? a - b : a - c);
    }

    /// The moments at which they meet; the first of them is the first meeting.
    std::vector<Moment> meetings() const
    {
        std::vector<Moment> found;
        if (!volume_.is_zero()) {
            for (const Moment& moment : roots_in_step(volume_))
                if (meets_at(moment)) found.push_back(moment);
            return found;
        }
        for (const PointEdge& pair : point_edges())
            for (const Moment& moment : pair.candidates())
                if (pair.meets_at(moment)) found.push_back(moment);
        // A meeting at the start need not be at a border.
        const Moment start{{0, 0}, {0, 0}, std::nullopt};
        if (meets_at(start)) found.insert(found.begin(), start);
        return found;
    }

private:
    /// Of four points in one plane at that moment.
    bool meets_at(const Moment& moment) const
    {
        int positive = 0;
        for (const WidePolynomial& weight : weights()) {
            const int sign = moment.sign(weight);
            if (sign < 0) return false;
            positive += sign;
        }
        if (positive > 0) return true;  // the normal, whose square is a sum of weights, is not zero
        for (const PointEdge& pair : point_edges())
            if (pair.meets_at(moment)) return true;
        return false;
    }
    /// Shares of the corners, or shares along both edges and what is left of them, times the normal squared.
    std::vector<WidePolynomial> weights() const
    {
        const auto& [a, b, c, d] = x_;
        if (kind_ == PairKind::vertex_face)
            return {dot(cross(c - a, d - a), normal_), dot(cross(d - a, b - a), normal_),
                    dot(cross(b - a, c - a), normal_)};
        const WidePolynomial all = dot(normal_, normal_);
        const WidePolynomial s = dot(cross(d - c, a - c), normal_), t = dot(cross(b - a, a - c), normal_);
        return {s, all - s, t, all - t};
    }
    std::vector<PointEdge> point_edges() const
    {
        const auto& [a, b, c, d] = x_;
        if (kind_ == PairKind::vertex_face) return {{a, b, c}, {a, c, d}, {a, d, b}};
        return {{a, c, d}, {b, c, d}, {c, a, b}, {d, a, b}};
    }

    PairKind kind_;
    std::array<Vector, 4> x_;
    Vector normal_;
    WidePolynomial volume_;
};

inline std::vector<Moment> meetings(PairKind kind, const GridPath& path)
{
    return MovingPair(kind, path).meetings();
}

}  // namespace pliant::exact
