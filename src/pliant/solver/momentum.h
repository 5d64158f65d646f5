// SPDX-License-Identifier: MIT
#pragma once

// Momentum of sweeps: Nesterov's extrapolation, which needs no bound of a spectrum.
//
// One sweep over all vertices and one back are a symmetric preconditioner whose eigenvalues are between 0 and 1, so a
// pair of sweeps is a gradient step of length one in its measure. From where it led, s_k, the next pair begins farther on,
//   y = s_k + (t_k - 1)/t_(k+1) (s_k - s_(k-1)),   t_1 = 1, t_(k+1) = (1 + sqrt(1 + 4 t_k^2))/2,
// which takes away in n pairs what sweeps alone need about n^2 for. Where a pair leads back against the last way,
//   (y - s_k) . (s_k - s_(k-1)) > 0,
// momentum is lost and gathered anew.
// Reference: O'Donoghue and Candes, "Adaptive restart for accelerated gradient schemes", 2015.

#include <span>
#include <vector>

#include <pliant/base/types.h>
#include <pliant/energy/particles.h>

namespace pliant {

class Momentum {
public:
    /// Forgets the ways so far; the next pair begins where it is.
    void lose() { t_ = 0; }

    /// Before a pair of sweeps: x from where the last one led to where this one shall begin.
    void carry_on(std::span<Particle> x);

private:
    bool leads_back(std::span<const Particle> x) const;

    std::vector<Vec3> begin_;   // where the last pair began
    std::vector<Vec3> before_;  // where the pair before it led
    double t_ = 0;              // 0: none yet
};

}  // namespace pliant
