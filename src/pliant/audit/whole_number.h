// SPDX-License-Identifier: MIT
#pragma once

// Whole numbers of any length that the predicates of this room can ask for: sums, differences, products without rounding.
//
// Sign and magnitude, in limbs of 32 bits, the lowest first. Finite doubles are multiples of 2^-1074 below 2^1024, hence
// coordinates on one scale have at most 2098 bits, products of three differences 6297, the sum of six of them 6300.
// Nothing is allocated; only limbs in use are touched.

#include <array>
#include <cstdint>

namespace pliant {

class WholeNumber {
public:
    WholeNumber() = default;  // zero; limbs are set when they come into use, there is no need to clear 800 bytes
    /// value / 2^scale; the caller knows that this is whole, and scale >= kLowestScale.
    WholeNumber(double value, int scale);

    /// -1, 0 or 1.
    int sign() const { return count_ == 0 ? 0 : is_negative_ ? -1 : 1; }

    friend WholeNumber operator+(const WholeNumber& a, const WholeNumber& b);
    friend WholeNumber operator-(const WholeNumber& a, const WholeNumber& b);
    friend WholeNumber operator*(const WholeNumber& a, const WholeNumber& b);

    /// The largest power e of two with value / 2^e whole; kNoScale for zero, which is whole on every scale.
    static int scale_of(double value);
    static constexpr int kNoScale = 1024;
    static constexpr int kLowestScale = -1074;

private:
    static constexpr int kLimbs = 200;

    /// -1, 0 or 1 as |a| is below, equal to or above |b|.
    static int compare_magnitudes(const WholeNumber& a, const WholeNumber& b);
    static WholeNumber sum_of_magnitudes(const WholeNumber& a, const WholeNumber& b);
    static WholeNumber difference_of_magnitudes(const WholeNumber& larger, const WholeNumber& smaller);
    static WholeNumber signed_sum(const WholeNumber& a, const WholeNumber& b, bool b_is_negative);
    void drop_leading_zeros();

    bool is_negative_ = false;
    int count_ = 0;
    std::array<std::uint32_t, kLimbs> limb_;  // those below count_ are set
};

}  // namespace pliant
