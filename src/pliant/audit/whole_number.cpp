// SPDX-License-Identifier: MIT
#include <pliant/audit/whole_number.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace pliant {

namespace {

constexpr int kLimbBits = 32;
constexpr int kMantissaBits = 53;

// |value| = mantissa * 2^scale with an odd mantissa; value is finite and not zero.
struct OddMantissa {
    std::uint64_t mantissa;
    int scale;
};

OddMantissa odd_mantissa(double value)
{
    int exponent = 0;
    const double fraction = std::frexp(std::abs(value), &exponent);
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, kMantissaBits));
    const int zeros = std::countr_zero(mantissa);
    return {mantissa >> zeros, exponent - kMantissaBits + zeros};
}

}  // namespace

int WholeNumber::scale_of(double value)
{
    return value == 0 ? kNoScale : odd_mantissa(value).scale;
}

WholeNumber::WholeNumber(double value, int scale)
{
    if (value == 0) return;
    const auto [mantissa, own_scale] = odd_mantissa(value);
    const int shift = own_scale - scale;
    const int first = shift / kLimbBits, bits = shift % kLimbBits;
    std::fill_n(limb_.begin(), first, 0U);
    const std::uint64_t low = mantissa << bits;
    limb_[first] = static_cast<std::uint32_t>(low);
    limb_[first + 1] = static_cast<std::uint32_t>(low >> kLimbBits);
    limb_[first + 2] = bits == 0 ? 0 : static_cast<std::uint32_t>(mantissa >> (2 * kLimbBits - bits));
    count_ = first + 3;
    is_negative_ = value < 0;
    drop_leading_zeros();
}

void WholeNumber::drop_leading_zeros()
{
    while (count_ > 0 && limb_[count_ - 1] == 0) --count_;
}

int WholeNumber::compare_magnitudes(const WholeNumber& a, const WholeNumber& b)
{
    if (a.count_ != b.count_) return a.count_ < b.count_ ? -1 : 1;
    for (int i = a.count_ - 1; i >= 0; --i)
        if (a.limb_[i] != b.limb_[i]) return a.limb_[i] < b.limb_[i] ? -1 : 1;
    return 0;
}

WholeNumber WholeNumber::sum_of_magnitudes(const WholeNumber& a, const WholeNumber& b)
{
    const WholeNumber& longer = a.count_ >= b.count_ ? a : b;
    const WholeNumber& shorter = a.count_ >= b.count_ ? b : a;
    WholeNumber sum;
    std::uint64_t carry = 0;
    for (int i = 0; i < longer.count_; ++i) {
        carry += std::uint64_t{longer.limb_[i]} + (i < shorter.count_ ? shorter.limb_[i] : 0U);
        sum.limb_[i] = static_cast<std::uint32_t>(carry);
        carry >>= kLimbBits;
    }
    sum.count_ = longer.count_;
    if (carry != 0) sum.limb_[sum.count_++] = static_cast<std::uint32_t>(carry);
    return sum;
}

WholeNumber WholeNumber::difference_of_magnitudes(const WholeNumber& larger, const WholeNumber& smaller)
{
    WholeNumber difference;
    std::uint64_t borrow = 0;
    for (int i = 0; i < larger.count_; ++i) {
        const std::uint64_t taken = (i < smaller.count_ ? smaller.limb_[i] : 0U) + borrow;
        const std::uint64_t limb = std::uint64_t{larger.limb_[i]} - taken;
        difference.limb_[i] = static_cast<std::uint32_t>(limb);
        borrow = limb >> (2 * kLimbBits - 1);
    }
    difference.count_ = larger.count_;
    difference.drop_leading_zeros();
    return difference;
}

WholeNumber WholeNumber::signed_sum(const WholeNumber& a, const WholeNumber& b, bool b_is_negative)
{
    if (a.is_negative_ == b_is_negative) {
        WholeNumber sum = sum_of_magnitudes(a, b);
        sum.is_negative_ = b_is_negative;
        return sum;
    }
    const bool a_is_larger = compare_magnitudes(a, b) >= 0;
    WholeNumber difference = a_is_larger ? difference_of_magnitudes(a, b) : difference_of_magnitudes(b, a);
    difference.is_negative_ = a_is_larger ? a.is_negative_ : b_is_negative;
    return difference;
}

WholeNumber operator+(const WholeNumber& a, const WholeNumber& b)
{
    return WholeNumber::signed_sum(a, b, b.is_negative_);
}

WholeNumber operator-(const WholeNumber& a, const WholeNumber& b)
{
    return WholeNumber::signed_sum(a, b, !b.is_negative_);
}

WholeNumber operator*(const WholeNumber& a, const WholeNumber& b)
{
    WholeNumber product;
    product.count_ = a.count_ + b.count_;
    std::fill_n(product.limb_.begin(), product.count_, 0U);
    for (int i = 0; i < a.count_; ++i) {
        std::uint64_t carry = 0;
        for (int j = 0; j < b.count_; ++j) {
            carry += std::uint64_t{a.limb_[i]} * b.limb_[j] + product.limb_[i + j];
            product.limb_[i + j] = static_cast<std::uint32_t>(carry);
            carry >>= kLimbBits;
        }
        product.limb_[i + b.count_] = static_cast<std::uint32_t>(carry);
    }
    product.is_negative_ = a.is_negative_ != b.is_negative_;
    product.drop_leading_zeros();
    return product;
}

}  // namespace pliant
