// SPDX-License-Identifier: MIT
#include <pliant/energy/solid_plasticity.h>

#include <cmath>

namespace pliant {

PlasticState flowed(const PlasticState& state, const Mat3& elastic_deformation, double shear_modulus,
                    const SolidPlasticity& plasticity)
{
    const Svd3<double> decomposed = svd3(elastic_deformation);
    const Vec3& s = decomposed.sigma;
    if (!(s.z > 0)) return state;
    const Vec3 strain{std::log(s.x), std::log(s.y), std::log(s.z)};
    const double mean = (strain.x + strain.y + strain.z) / 3;
    const Vec3 shape = strain - Vec3{mean, mean, mean};
    const double size = norm(shape);
    // In tension by q the deviatoric stress has the size sqrt(2/3) q, and the plastic strain sqrt(2/3) of the flow.
    const double factor = std::sqrt(2.0 / 3.0);
    const double limit = factor * (plasticity.yield_stress + plasticity.hardening * state.strain);
    const double excess = 2 * shear_modulus * size - limit;
    if (excess <= 0) return state;
    const double flow = excess / (2 * shear_modulus + factor * factor * plasticity.hardening);
    const Vec3 back = shape * (-flow / size);
    const Mat3& V = decomposed.V;
    const Mat3 relaxation{{{std::exp(back.x), 0, 0}, {0, std::exp(back.y), 0}, {0, 0, std::exp(back.z)}}};
    return {state.inverse * V * relaxation * transpose(V), state.strain + factor * flow};
}

}  // namespace pliant
