// SPDX-License-Identifier: MIT
#pragma once

// Decompositions of 3x3 matrices, over doubles or packs, without a branch per lane.
//
// svd3: F = U diag(sigma) V^T with rotations U and V (never reflections): sigma_1 >= sigma_2 >= |sigma_3| (to
// rounding of the first) and the sign of sigma_3 is that of det F, which is what an inverted element asks for.
// Columns of F are turned until they are orthogonal (Hestenes' one-sided Jacobi): small singular values keep their
// digits, which squaring F^T F would lose. Flat, needle-like and zero matrices get some valid U and V.
// symmetric_eigen3: two-sided Jacobi. positive_part: the nearest positive semidefinite matrix.
// Reference: Golub and Van Loan, Matrix Computations; Irving, Teran and Fedkiw,
// "Invertible finite elements for robust simulation of large deformation", 2004, for the signs.

#include <algorithm>
#include <cmath>

#include <pliant/base/scalar_functions.h>
#include <pliant/base/simd.h>
#include <pliant/base/types.h>

namespace pliant {

template <class S>
struct Svd3 {
    Mat3T<S> U;      ///< rotation
    Vec3T<S> sigma;  ///< the last one carries the sign of the determinant
    Mat3T<S> V;      ///< rotation
};

template <class S>
struct Eigen3 {
    Vec3T<S> value;
    Mat3T<S> vectors;  ///< in columns, a rotation
};

namespace svd_detail {

/// Cosine and sine of a turn.
template <class S>
struct Turn {
    S c, s;
};

/// The smaller turn that makes the symmetric [[a, b], [b, d]] diagonal. Where b is zero it does nothing.
template <class S>
Turn<S> diagonalizing_turn(const S& a, const S& b, const S& d)
{
    using std::sqrt;
    const S difference = d - a, twice = S(2.0) * b;
    const S root = sqrt(difference * difference + twice * twice);
    const S t = twice / (difference + select(difference < S(0.0), -root, root) + S(1e-300));
    const S c = S(1.0) / sqrt(t * t + S(1.0));
    return {c, t * c};
}

/// Columns p and q become c p - s q and s p + c q.
template <class S>
void turn_columns(Mat3T<S>& a, int p, int q, const Turn<S>& turn)
{
    for (auto& row : a.m) {
        const S first = row[p], second = row[q];
        row[p] = turn.c * first - turn.s * second;
        row[q] = turn.s * first + turn.c * second;
    }
}

/// Turns the axes p and q of the symmetric matrix until its entry (p, q) is zero; the vectors follow. Returns the
/// squared sine of the turn.
template <class S>
S turn_axes(Mat3T<S>& a, Mat3T<S>& vectors, int p, int q)
{
    const int r = 3 - p - q;
    const S between = a.m[p][q];
    const Turn<S> turn = diagonalizing_turn(a.m[p][p], between, a.m[q][q]);
    const S shift = turn.s / turn.c * between, rp = a.m[r][p], rq = a.m[r][q];
    a.m[p][p] -= shift, a.m[q][q] += shift;
    a.m[p][q] = a.m[q][p] = S(0.0);
    a.m[r][p] = a.m[p][r] = turn.c * rp - turn.s * rq;
    a.m[r][q] = a.m[q][r] = turn.s * rp + turn.c * rq;
    turn_columns(vectors, p, q, turn);
    return turn.s * turn.s;
}

/// Makes column p of A the longer one of p and q; V follows. One column changes sign, so that V stays a rotation.
template <class S>
void sort_columns(Mat3T<S>& A, Mat3T<S>& V, Vec3T<S>& length2, int p, int q)
{
    const auto swap = length2[p] < length2[q];
    for (Mat3T<S>* matrix : {&A, &V})
        for (auto& row : matrix->m) {
            const S first = row[p], second = row[q];
            row[p] = select(swap, second, first);
            row[q] = select(swap, -first, second);
        }
    const S first = length2[p], second = length2[q];
    length2[p] = select(swap, second, first);
    length2[q] = select(swap, first, second);
}

/// Some unit vector perpendicular to the unit vector u.
template <class S>
Vec3T<S> perpendicular(const Vec3T<S>& u)
{
    using std::abs;
    const auto along_x = abs(u.x) > S(0.7);
    const Vec3T<S> axis{select(along_x, S(0.0), S(1.0)), select(along_x, S(1.0), S(0.0)), S(0.0)};
    return normalized(cross(u, axis));
}

template <class S>
Vec3T<S> select_vector(const auto& condition, const Vec3T<S>& a, const Vec3T<S>& b)
{
    return {select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.z, b.z)};
}

/// Largest absolute entry, or 1 for the zero matrix.
template <class S>
S scale_of(const Mat3T<S>& a)
{
    using std::abs, std::max;
    S scale(0.0);
    for (const auto& row : a.m)
        for (const S& entry : row) scale = max(scale, abs(entry));
    return select(scale > S(0.0), scale, S(1.0));
}

/// The rotation U and the signed lengths for orthogonal columns sorted by length: what has no direction of its
/// own (a vanishing column) is chosen.
template <class S>
Svd3<S> from_orthogonal_columns(const Mat3T<S>& A, const Mat3T<S>& V)
{
    const Vec3T<S> a0 = column(A, 0), a1 = column(A, 1), a2 = column(A, 2);
    const S longest = norm(a0);
    const Vec3T<S> along_x{S(1.0), S(0.0), S(0.0)};
    const Vec3T<S> u0 = select_vector(longest > S(0.0), a0 / (longest + S(1e-300)), along_x);
    const Vec3T<S> across = a1 - u0 * dot(u0, a1);
    const S width = norm(across);
    Vec3T<S> u1 = select_vector(width > longest * S(1e-15), across / (width + S(1e-300)), perpendicular(u0));
    u1 = normalized(u1 - u0 * dot(u0, u1));
    const Vec3T<S> u2 = cross(u0, u1);
    using std::max;
    // Along a chosen direction there is only rounding, of either sign.
    return {from_columns(u0, u1, u2), {dot(u0, a0), max(dot(u1, a1), S(0.0)), dot(u2, a2)}, V};
}

inline constexpr int kPairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
inline constexpr int kMostSweeps = 12;
// A turn puts back into other pairs what it finds there times its sine. So a sweep is the last one when the largest
// squared cosine between columns before it, times the largest squared sine of its turns, is a rounding error
// squared. (Cosines alone deceive where stretches are nearly equal and turns stay large.)
inline constexpr double kLastSweep = 1e-31;

}  // namespace svd_detail

template <class S>
[[gnu::flatten]] Svd3<S> svd3(const Mat3T<S>& F)
{
    using namespace svd_detail;
    using std::max;
    const S scale = scale_of(F);
    Mat3T<S> A = F * (S(1.0) / scale), V = identity3<S>();
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        S skew(0.0), turned(0.0);
        for (const auto& [p, q] : kPairs) {
            const Vec3T<S> ap = column(A, p), aq = column(A, q);
            const S a = dot(ap, ap), b = dot(ap, aq), d = dot(aq, aq);
            const Turn<S> turn = diagonalizing_turn(a, b, d);
            skew = max(skew, b * b / (a * d + S(1e-300)));
            turned = max(turned, turn.s * turn.s);
            turn_columns(A, p, q, turn);
            turn_columns(V, p, q, turn);
        }
        if (!any(skew * turned > S(kLastSweep))) break;
    }
    Vec3T<S> length2{norm2(column(A, 0)), norm2(column(A, 1)), norm2(column(A, 2))};
    for (const auto& [p, q] : kPairs) sort_columns(A, V, length2, p, q);
    Svd3<S> result = from_orthogonal_columns(A, V);
    result.sigma *= scale;
    return result;
}

template <class S>
[[gnu::flatten]] Eigen3<S> symmetric_eigen3(Mat3T<S> a)
{
    using namespace svd_detail;
    using std::max;
    Mat3T<S> vectors = identity3<S>();
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        S off(0.0), all(0.0), turned(0.0);
        for (const auto& [p, q] : kPairs) off += a.m[p][q] * a.m[p][q];
        for (int k = 0; k < 3; ++k) all += a.m[k][k] * a.m[k][k];
        for (int p = 0; p < 3; ++p) turned = max(turned, turn_axes(a, vectors, p, (p + 1) % 3));
        if (!any(off * turned > S(kLastSweep) * all)) break;
    }
    return {{a.m[0][0], a.m[1][1], a.m[2][2]}, vectors};
}

/// The symmetric matrix without its negative eigenvalues. Lanes that are positive definite keep their bits.
template <class S>
[[gnu::flatten]] Mat3T<S> positive_part(const Mat3T<S>& a)
{
    using std::max, std::min;
    const S minor = a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0];
    const S least = min(a.m[0][0], min(minor, determinant(a)));
    const auto definite = least > S(0.0);
    if (!any(least <= S(0.0))) return a;
    const Eigen3<S> eigen = symmetric_eigen3(a);
    Mat3T<S> scaled = eigen.vectors;
    for (int k = 0; k < 3; ++k)
        for (auto& row : scaled.m) row[k] *= max(eigen.value[k], S(0.0));
    const Mat3T<S> kept = scaled * transpose(eigen.vectors);
    Mat3T<S> result;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) result.m[i][j] = select(definite, a.m[i][j], kept.m[i][j]);
    return result;
}

}  // namespace pliant
