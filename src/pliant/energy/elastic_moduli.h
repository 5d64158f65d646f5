// SPDX-License-Identifier: MIT
#pragma once

// The two numbers of an isotropic elastic material, in the pairs people use, and what makes them possible.
//
// K = E / (3 (1 - 2 nu)),  mu = E / (2 (1 + nu)),  lambda = K - 2 mu / 3,  E = 9 K mu / (3 K + mu),
// nu = (3 K - 2 mu) / (6 K + 2 mu). Positive K and mu are the same thing as E > 0 and -1 < nu < 1/2.
// Symbols: E Young's modulus [Pa], nu Poisson's ratio [1], K bulk modulus [Pa], mu shear modulus [Pa], lambda Lame's
// first constant [Pa].
// Reference: Landau and Lifshitz, Theory of Elasticity, sections 4 and 5.

#include <string>
#include <vector>

#include <pliant/base/error.h>

namespace pliant {

/// Bulk and shear modulus [Pa] of an element, over any scalar.
template <class S>
struct Moduli {
    S bulk, shear;
    S lame() const { return bulk - shear * S(2.0 / 3.0); }
};

struct YoungPoisson {
    double young = 0;    ///< [Pa]
    double poisson = 0;  ///< [1]
};

constexpr double bulk_modulus(double young, double poisson)
{
    return young / (3 * (1 - 2 * poisson));
}

constexpr double shear_modulus(double young, double poisson)
{
    return young / (2 * (1 + poisson));
}

constexpr YoungPoisson young_poisson(double bulk, double shear)
{
    return {9 * bulk * shear / (3 * bulk + shear), (3 * bulk - 2 * shear) / (6 * bulk + 2 * shear)};
}

/// What is wrong with a pair given as Young's modulus and Poisson's ratio; `where` is the place of the material, its
/// members are named young and poisson. Empty when the material is possible.
std::vector<Problem> check_young_poisson(double young, double poisson, const std::string& where);

/// The same for a pair given as bulk and shear modulus.
std::vector<Problem> check_bulk_shear(double bulk, double shear, const std::string& where);

}  // namespace pliant
