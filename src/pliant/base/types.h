// SPDX-License-Identifier: MIT
#pragma once

// Small vectors and matrices over any scalar type.
//
// Formulas are written once over a scalar S that may be double, float, Pack<double,4> or a jet, so
// these types ask of S no more than + - * / and, for norm(), a sqrt found by argument-dependent
// lookup. Lives here: Vec3T, Mat3T, their algebra, index tuples. Not here: decompositions.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pliant {

/// A vector of three scalars; arrays of Vec3 are contiguous (n,3) doubles.
template <class S>
struct Vec3T {
    S x{}, y{}, z{};

    constexpr S& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    constexpr const S& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }

    constexpr Vec3T& operator+=(const Vec3T& b)
    {
        x += b.x, y += b.y, z += b.z;
        return *this;
    }
    constexpr Vec3T& operator-=(const Vec3T& b)
    {
        x -= b.x, y -= b.y, z -= b.z;
        return *this;
    }
    constexpr Vec3T& operator*=(const S& s)
    {
        x *= s, y *= s, z *= s;
        return *this;
    }

    friend constexpr Vec3T operator+(const Vec3T& a, const Vec3T& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend constexpr Vec3T operator-(const Vec3T& a, const Vec3T& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend constexpr Vec3T operator-(const Vec3T& a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Vec3T operator*(const Vec3T& a, const S& s) { return {a.x * s, a.y * s, a.z * s}; }
    friend constexpr Vec3T operator*(const S& s, const Vec3T& a) { return {s * a.x, s * a.y, s * a.z}; }
    friend constexpr Vec3T operator/(const Vec3T& a, const S& s) { return {a.x / s, a.y / s, a.z / s}; }
    friend constexpr bool operator==(const Vec3T&, const Vec3T&) = default;
};

template <class S>
constexpr S dot(const Vec3T<S>& a, const Vec3T<S>& b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class S>
constexpr Vec3T<S> cross(const Vec3T<S>& a, const Vec3T<S>& b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class S>
constexpr S norm2(const Vec3T<S>& a)
{
    return dot(a, a);
}

template <class S>
constexpr S norm(const Vec3T<S>& a)
{
    using std::sqrt;
    return sqrt(dot(a, a));
}

/// a / |a|; the caller knows that |a| is not zero.
template <class S>
constexpr Vec3T<S> normalized(const Vec3T<S>& a)
{
    return a / norm(a);
}

/// A 3x3 matrix stored by rows: m[row][column].
template <class S>
struct Mat3T {
    S m[3][3]{};

    constexpr S& operator()(int i, int j) { return m[i][j]; }
    constexpr const S& operator()(int i, int j) const { return m[i][j]; }

    constexpr Mat3T& operator+=(const Mat3T& b)
    {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) m[i][j] += b.m[i][j];
        return *this;
    }
    constexpr Mat3T& operator*=(const S& s)
    {
        for (auto& row : m)
            for (S& entry : row) entry *= s;
        return *this;
    }
    friend constexpr Mat3T operator+(Mat3T a, const Mat3T& b) { return a += b; }
    friend constexpr Mat3T operator*(Mat3T a, const S& s) { return a *= s; }
    friend constexpr Vec3T<S> operator*(const Mat3T& a, const Vec3T<S>& b)
    {
        return {a.m[0][0] * b.x + a.m[0][1] * b.y + a.m[0][2] * b.z,
                a.m[1][0] * b.x + a.m[1][1] * b.y + a.m[1][2] * b.z,
                a.m[2][0] * b.x + a.m[2][1] * b.y + a.m[2][2] * b.z};
    }
    friend constexpr Mat3T operator*(const Mat3T& a, const Mat3T& b)
    {
        Mat3T c;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
        return c;
    }
    friend constexpr bool operator==(const Mat3T&, const Mat3T&) = default;
};

template <class S>
constexpr Mat3T<S> transpose(const Mat3T<S>& a)
{
    Mat3T<S> b;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) b.m[i][j] = a.m[j][i];
    return b;
}

template <class S>
constexpr S determinant(const Mat3T<S>& a)
{
    return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
           a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
           a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

/// Matrix of cofactors: determinant's gradient, and inverse(a) = transpose(cofactor(a)) / det(a).
template <class S>
constexpr Mat3T<S> cofactor(const Mat3T<S>& a)
{
    Mat3T<S> c;
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c.m[i][j] = a.m[i1][j1] * a.m[i2][j2] - a.m[i1][j2] * a.m[i2][j1];
        }
    }
    return c;
}

/// The caller knows that the determinant is not zero.
template <class S>
constexpr Mat3T<S> inverse(const Mat3T<S>& a)
{
    return transpose(cofactor(a)) * (S(1.0) / determinant(a));
}

template <class S>
constexpr Mat3T<S> outer(const Vec3T<S>& a, const Vec3T<S>& b)
{
    Mat3T<S> c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) c.m[i][j] = a[i] * b[j];
    return c;
}

template <class S>
constexpr Mat3T<S> identity3()
{
    Mat3T<S> c;
    for (int i = 0; i < 3; ++i) c.m[i][i] = S(1.0);
    return c;
}

/// The matrix whose columns are a, b, c.
template <class S>
constexpr Mat3T<S> from_columns(const Vec3T<S>& a, const Vec3T<S>& b, const Vec3T<S>& c)
{
    return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

template <class S>
constexpr Vec3T<S> column(const Mat3T<S>& a, int j)
{
    return {a.m[0][j], a.m[1][j], a.m[2][j]};
}

using Vec3 = Vec3T<double>;
using Mat3 = Mat3T<double>;

using Edge = std::array<std::int32_t, 2>;      ///< two vertex indices
using Triangle = std::array<std::int32_t, 3>;  ///< three vertex indices, counter-clockwise from outside

inline bool is_finite(const Vec3& a)
{
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

}  // namespace pliant
