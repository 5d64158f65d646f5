// SPDX-License-Identifier: MIT
#pragma once

// Elastic solids: a law (psi of F) on a shape (linear or quadratic tetrahedra), with viscosity.
//
// Solid<Law, Shape> is the energy: live parameters of the body; its Rest carries the factors of each element
// (tet_rest.h). The laws, one a file, are included here. What a law offers: Rest<S>, local(moduli, rest),
// density(local, F), stress(local, F), and two tangents, exact_tangent(local, F) and positive_tangent(local, F),
// which make node(b) and block(node_i, node_j). Element<Solid, S> decomposes F once per integration point, when the
// first Hessian block is asked for, not once per block. Its functions are flattened: a pack that travels through
// memory between small functions costs more than the arithmetic.
// Symbols: F deformation gradient, x nodes [m], v velocities [m/s]; see isotropic_law.h and viscosity.h.

#include <array>
#include <optional>
#include <utility>

#include <pliant/base/describe.h>
#include <pliant/energy/corotated.h>
#include <pliant/energy/element.h>
#include <pliant/energy/fibre_reinforced.h>
#include <pliant/energy/isochoric_thesis.h>
#include <pliant/energy/linear_elastic.h>
#include <pliant/energy/mooney_rivlin.h>
#include <pliant/energy/neo_hookean.h>
#include <pliant/energy/st_venant_kirchhoff.h>
#include <pliant/energy/stable_neo_hookean.h>
#include <pliant/energy/thesis_solid.h>
#include <pliant/energy/viscosity.h>

namespace pliant {

template <class LawType, class ShapeType = LinearTet>
struct Solid {
    using Law = LawType;
    using Shape = ShapeType;

    double young = 1e6;          ///< [Pa] Young's modulus at small strains
    double poisson = 0.3;        ///< [1] Poisson's ratio at small strains
    double bulk_viscosity = 0;   ///< [Pa s] resists changes of volume
    double shear_viscosity = 0;  ///< [Pa s] resists changes of shape
    double damping_time = 0;     ///< [s] viscous over elastic moduli, added to the viscosities
    Law law{};

    static constexpr int nodes = Shape::nodes, points = Shape::points;
    static constexpr bool is_solid = true;

    template <class S>
    using Rest = typename Law::template Rest<S>;

    template <class S>
    Moduli<S> moduli(const Rest<S>& rest) const
    {
        return {rest.bulk * S(bulk_modulus(young, poisson)), rest.shear * S(shear_modulus(young, poisson))};
    }

    template <class S>
    Viscosity<S> viscosity(const Rest<S>& rest) const
    {
        const Moduli<S> m = moduli(rest);
        return {rest.bulk_viscosity * S(bulk_viscosity) + m.bulk * S(damping_time),
                rest.shear_viscosity * S(shear_viscosity) + m.shear * S(damping_time)};
    }
};

template <class V, class Law, class Shape>
void describe(V&& visit, Solid<Law, Shape>& s)
{
    visit(Field{"young", "Pa", 1e-6, 1e13, "Young's modulus: stiffness against stretching, at small strains",
                Change::live},
          s.young);
    visit(Field{"poisson", "1", -0.99, 0.4999,
                "Poisson's ratio: sideways over lengthwise strain; near 0.5 the volume hardly changes", Change::live},
          s.poisson);
    visit(Field{"bulk_viscosity", "Pa s", 0, 1e12, "resists changes of volume", Change::live}, s.bulk_viscosity);
    visit(Field{"shear_viscosity", "Pa s", 0, 1e12, "resists changes of shape", Change::live}, s.shear_viscosity);
    visit(
        Field{
            "damping_time", "s", 0, 1e3,
            "viscous over elastic moduli: larger settles sooner, a vibration of period T loses 2 pi^2 damping_time / T "
            "of its size per period",
            Change::live},
        s.damping_time);
    if constexpr (Described<Law>) describe(visit, s.law);
}

template <class E>
concept SolidEnergy = requires
{
    requires E::is_solid;
};

/// One tetrahedron of a solid.
template <SolidEnergy E, class S>
class Element<E, S> {
public:
    static constexpr int N = E::nodes, Q = E::points;
    using Shape = typename E::Shape;

    [[gnu::flatten]] Element(const E& energy, const RestOf<E, S>& rest, const std::array<Vec3T<S>, N>& x)
        : energy_(energy)
        , rest_(rest)
        , local_(E::Law::local(energy.moduli(rest), rest))
        , weight_(rest.volume * S(1.0 / Q))
    {
        for (int q = 0; q < Q; ++q) {
            deformation_[q] = gradient_of(x, q);
            stress_[q] = energy.law.stress(local_, deformation_[q]);
        }
    }

    [[gnu::flatten]] S energy() const
    {
        S total = energy_.law.density(local_, deformation_[0]);
        for (int q = 1; q < Q; ++q) total += energy_.law.density(local_, deformation_[q]);
        return total * weight_;
    }

    [[gnu::flatten]] Vec3T<S> gradient(int i) const
    {
        Vec3T<S> total = stress_[0] * shape(0, i);
        for (int q = 1; q < Q; ++q) total += stress_[q] * shape(q, i);
        return total * weight_;
    }

    /// Hessian block d2E/dx_i dx_j, positive part.
    [[gnu::flatten]] Mat3T<S> block(int i, int j) const
    {
        if (!positive_) prepare(positive_, [&](const Mat3T<S>& F) { return energy_.law.positive_tangent(local_, F); });
        return positive_->block(i, j) * weight_;
    }

    auto blocks() const
    {
        return [this](int i, int j) { return block(i, j); };
    }

    /// The same without projection: cheaper, and Newton's convergence is quadratic where it is definite.
    [[gnu::flatten]] Mat3T<S> exact_block(int i, int j) const
    {
        if (!exact_) prepare(exact_, [&](const Mat3T<S>& F) { return energy_.law.exact_tangent(local_, F); });
        return exact_->block(i, j) * weight_;
    }

    /// Adds the viscous stresses for velocities v; returns the power they dissipate [W].
    [[gnu::flatten]] S damp(const std::array<Vec3T<S>, N>& v)
    {
        const Viscosity<S> viscosity = energy_.viscosity(rest_);
        S power(0.0);
        for (int q = 0; q < Q; ++q) {
            const Mat3T<S> rate = gradient_of(v, q);
            const Mat3T<S> viscous = viscosity.stress(deformation_[q], rate);
            power += inner(viscous, rate);
            stress_[q] += viscous;
        }
        return power * weight_;
    }

    [[gnu::flatten]] Mat3T<S> damping_block(int i, int j) const
    {
        const Viscosity<S> viscosity = energy_.viscosity(rest_);
        Mat3T<S> total = viscosity.block(deformation_[0], shape(0, i), shape(0, j));
        for (int q = 1; q < Q; ++q) total += viscosity.block(deformation_[q], shape(q, i), shape(q, j));
        return total * weight_;
    }

    const Mat3T<S>& deformation(int q) const { return deformation_[q]; }
    /// First Piola-Kirchhoff stress [Pa], with the viscous part after damp().
    const Mat3T<S>& stress(int q) const { return stress_[q]; }

private:
    using Local = decltype(E::Law::local(std::declval<const Moduli<S>&>(), std::declval<const RestOf<E, S>&>()));
    using Positive =
        decltype(std::declval<const typename E::Law&>().positive_tangent(std::declval<const Local&>(), Mat3T<S>()));
    using Exact =
        decltype(std::declval<const typename E::Law&>().exact_tangent(std::declval<const Local&>(), Mat3T<S>()));

    Vec3T<S> shape(int q, int i) const { return Shape::gradient(rest_.b, q, i); }

    Mat3T<S> gradient_of(const std::array<Vec3T<S>, N>& a, int q) const
    {
        Mat3T<S> sum = outer(a[0], shape(q, 0));
        for (int i = 1; i < N; ++i) sum += outer(a[static_cast<std::size_t>(i)], shape(q, i));
        return sum;
    }

    /// Tangents of all points with what their blocks need of the nodes.
    template <class Tangent>
    struct Tangents {
        Tangent tangent[Q];
        typename Tangent::Node node[Q][N];

        Mat3T<S> block(int i, int j) const
        {
            Mat3T<S> total = tangent[0].block(node[0][i], node[0][j]);
            for (int q = 1; q < Q; ++q) total += tangent[q].block(node[q][i], node[q][j]);
            return total;
        }
    };

    template <class Tangent, class TangentAt>
    void prepare(std::optional<Tangents<Tangent>>& tangents, TangentAt&& tangent_at) const
    {
        tangents.emplace();
        for (int q = 0; q < Q; ++q) {
            tangents->tangent[q] = tangent_at(deformation_[q]);
            for (int i = 0; i < N; ++i) tangents->node[q][i] = tangents->tangent[q].node(shape(q, i));
        }
    }

    const E& energy_;
    const RestOf<E, S>& rest_;
    Local local_;
    S weight_;  // volume of an integration point [m^3]
    Mat3T<S> deformation_[Q], stress_[Q];
    // Tangents are made when the first block is asked for: forces do not pay for them.
    mutable std::optional<Tangents<Positive>> positive_;
    mutable std::optional<Tangents<Exact>> exact_;
};

}  // namespace pliant
