// SPDX-License-Identifier: MIT
#pragma once

// Elements<E>: all elements of one energy, and the views of them that solvers ask for.
//
// A view is a loop over SIMD blocks with the formula inside: the kind of energy is looked up once per
// term, never per element. Views here: energy, subtract_gradient (forces, with damping), add_diagonal (stability
// bounds, preconditioners), for_each_block (Hessians).

#include <vector>

#include <pliant/energy/element.h>
#include <pliant/energy/stencils.h>

namespace pliant {

/// Stencils and rest geometry; the live parameters are in State.
template <class E>
struct Elements {
    using Parameters = E;
    Stencils<E::nodes> stencils;
    std::vector<RestOf<E, Pack4>> rest;  ///< one per block
};

namespace view_detail {

template <class T>
constexpr int scalar_count = sizeof(T) / sizeof(double);

/// Copies one element's rest values into lane `lane` of a packed one: both are arrays of scalars.
template <class E>
void set_lane(RestOf<E, Pack4>& packed, int lane, const RestOf<E, double>& one)
{
    static_assert(sizeof(RestOf<E, Pack4>) == kPackWidth * sizeof(RestOf<E, double>));
    auto* to = reinterpret_cast<Pack4*>(&packed);
    const auto* from = reinterpret_cast<const double*>(&one);
    for (int s = 0; s < scalar_count<RestOf<E, double>>; ++s) to[s].set(lane, from[s]);
}

template <class E>
RestOf<E, double> get_lane(const RestOf<E, Pack4>& packed, int lane)
{
    RestOf<E, double> one;
    const auto* from = reinterpret_cast<const Pack4*>(&packed);
    auto* to = reinterpret_cast<double*>(&one);
    for (int s = 0; s < scalar_count<RestOf<E, double>>; ++s) to[s] = from[s][lane];
    return one;
}

/// Where variable k of element e is: blocks of four elements, one after the other, padded.
template <HasInner E>
std::size_t inner_place(std::int32_t e, int k)
{
    return (static_cast<std::size_t>(e / kPackWidth) * E::inner_size + static_cast<std::size_t>(k)) * kPackWidth +
           static_cast<std::size_t>(e % kPackWidth);
}

/// The rest geometry of block b as the formula sees it: internal variables are put in where the energy has any.
template <class E>
decltype(auto) rest_of_block(const Elements<E>& elements, std::span<const double> inner, std::size_t b)
{
    if constexpr (HasInner<E>) {
        std::array<Pack4, E::inner_size> variables;
        for (int k = 0; k < E::inner_size; ++k)
            variables[k] = Pack4::load(&inner[inner_place<E>(static_cast<std::int32_t>(b) * kPackWidth, k)]);
        return E::with_inner(elements.rest[b], variables);
    } else
        return (elements.rest[b]);
}

/// Whether velocities count: energies say so by is_damped(), others are taken to be damped.
template <class E>
bool may_be_damped(const E& parameters)
{
    if constexpr (requires { is_damped(parameters); })
        return is_damped(parameters);
    else
        return true;
}

template <HasInner E>
std::array<double, E::inner_size> inner_of_element(std::span<const double> inner, std::int32_t e)
{
    std::array<double, E::inner_size> variables;
    for (int k = 0; k < E::inner_size; ++k) variables[k] = inner[inner_place<E>(e, k)];
    return variables;
}

}  // namespace view_detail

/// How many internal variables a term keeps in State::inner.
template <class E>
std::size_t inner_count(const Elements<E>& elements)
{
    if constexpr (HasInner<E>)
        return elements.rest.size() * kPackWidth * E::inner_size;
    else
        return 0;
}

/// The rest geometry of one element as the formula sees it.
template <class E>
RestOf<E, double> rest_of_element(const Elements<E>& elements, std::span<const double> inner, std::int32_t e)
{
    const RestOf<E, double> rest = view_detail::get_lane<E>(elements.rest[e / kPackWidth], e % kPackWidth);
    if constexpr (HasInner<E>)
        return E::with_inner(rest, view_detail::inner_of_element<E>(inner, e));
    else
        return rest;
}

/// Internal variables after a step of length h that led to x.
template <HasInner E>
void flow(std::span<double> inner, const Elements<E>& elements, const E& parameters, std::span<const Vec3> x, double h)
{
    for (std::int32_t e = 0; e < elements.stencils.count; ++e) {
        const int lane = e % kPackWidth;
        const auto& block = elements.stencils.blocks[e / kPackWidth];
        std::array<Vec3, E::nodes> corners;
        for (int i = 0; i < E::nodes; ++i) corners[i] = x[block.node[i][lane]];
        const auto rest = view_detail::get_lane<E>(elements.rest[e / kPackWidth], lane);
        const auto after = parameters.flow(rest, view_detail::inner_of_element<E>(inner, e), corners, h);
        for (int k = 0; k < E::inner_size; ++k) inner[view_detail::inner_place<E>(e, k)] = after[k];
    }
}

/// Packs element tuples and their rest geometry, index for index.
template <class E>
Elements<E> make_elements(std::span<const std::array<std::int32_t, E::nodes>> nodes,
                          std::span<const RestOf<E, double>> rest, std::int32_t node_count)
{
    Elements<E> elements;
    elements.stencils = make_stencils<E::nodes>(nodes, node_count);
    elements.rest.resize(elements.stencils.blocks.size());
    for (std::size_t b = 0; b < elements.rest.size(); ++b)
        for (int lane = 0; lane < kPackWidth; ++lane) {
            const std::size_t e = std::min(b * kPackWidth + lane, rest.size() - 1);
            view_detail::set_lane<E>(elements.rest[b], lane, rest[e]);
        }
    return elements;
}

/// Elastic energy [J] of all elements. `inner` are the internal variables of this term, for energies with such.
template <class E>
double energy(const Elements<E>& elements, const E& parameters, std::span<const Vec3> x,
              std::span<const double> inner = {})
{
    return reduce<double>(elements.stencils, [&](std::int32_t b) {
        const auto& rest = view_detail::rest_of_block(elements, inner, b);
        const Element<E, Pack4> element(parameters, rest, gather(elements.stencils.blocks[b], x));
        return sum(element.energy() * elements.stencils.weight(b));
    });
}

/// Subtracts dE/dx + dD/dv from `force` and returns the power dissipated by damping [W].
template <class E>
double subtract_gradient(std::span<Vec3> force, const Elements<E>& elements, const E& parameters,
                         std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> windows,
                         std::span<const double> inner = {})
{
    const auto& stencils = elements.stencils;
    const bool damped = view_detail::may_be_damped(parameters);
    return assemble<double>(force, stencils, windows, [&](std::int32_t b, auto& out) {
        const auto& rest = view_detail::rest_of_block(elements, inner, b);
        Element<E, Pack4> element(parameters, rest, gather(stencils.blocks[b], x));
        Pack4 power(0.0);
        if (damped) power = element.damp(gather(stencils.blocks[b], v));
        for (int i = 0; i < E::nodes; ++i) out[i] = -element.gradient(i);
        if (stencils.is_padded(b)) {
            const Pack4 weight = stencils.weight(b);
            for (auto& g : out) g *= weight;
            power *= weight;
        }
        return sum(power);
    });
}

/// Calls visit(element, lane-free Element<E,double>, nodes) for every element, in order.
template <class E, class Visit>
void for_each_element(const Elements<E>& elements, const E& parameters, std::span<const Vec3> x, Visit&& visit,
                      std::span<const double> inner = {})
{
    for (std::int32_t e = 0; e < elements.stencils.count; ++e) {
        const auto& block = elements.stencils.blocks[e / kPackWidth];
        const int lane = e % kPackWidth;
        const RestOf<E, double> rest = rest_of_element(elements, inner, e);
        std::array<std::int32_t, E::nodes> nodes;
        std::array<Vec3, E::nodes> corners;
        for (int i = 0; i < E::nodes; ++i) nodes[i] = block.node[i][lane], corners[i] = x[nodes[i]];
        visit(e, Element<E, double>(parameters, rest, corners), nodes);
    }
}

/// A symmetric 3x3 block by its six numbers.
struct SymmetricBlock {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

    /// Largest absolute row sum: an upper bound of the largest eigenvalue.
    double bound() const
    {
        const double ax = std::abs(xy), ay = std::abs(xz), az = std::abs(yz);
        return std::max({xx + ax + ay, yy + ax + az, zz + ay + az});
    }
};

enum class DiagonalOf { stiffness, damping };

/// Adds E::nodes times every element's diagonal blocks to the nodes. For positive semidefinite element
/// matrices x.Hx <= sum_i x_i . (N H_ii) x_i, so the largest bound() / mass bounds the fastest rate.
template <class E>
void add_diagonal(std::span<SymmetricBlock> diagonal, const Elements<E>& elements, const E& parameters,
                  std::span<const Vec3> x, DiagonalOf part, std::span<const double> inner = {})
{
    const auto& stencils = elements.stencils;
    for (std::int32_t b = 0; b < static_cast<std::int32_t>(stencils.blocks.size()); ++b) {
        const auto& rest = view_detail::rest_of_block(elements, inner, b);
        const auto corners = gather(stencils.blocks[b], x);
        const Element<E, Pack4> element(parameters, rest, corners);
        const auto blocks = element.blocks();
        const Pack4 weight = stencils.weight(b) * Pack4(E::nodes);
        for (int i = 0; i < E::nodes; ++i) {
            Mat3T<Pack4> h = part == DiagonalOf::stiffness ? blocks(i, i) : element.damping_block(i, i);
            if constexpr (requires { parameters.hidden_stiffness(); })
                if (part == DiagonalOf::stiffness) h += identity3<Pack4>() * Pack4(parameters.hidden_stiffness());
            h = h * weight;
            for (int lane = 0; lane < kPackWidth; ++lane) {
                SymmetricBlock& d = diagonal[stencils.blocks[b].node[i][lane]];
                d.xx += h.m[0][0][lane], d.yy += h.m[1][1][lane], d.zz += h.m[2][2][lane];
                d.xy += h.m[0][1][lane], d.xz += h.m[0][2][lane], d.yz += h.m[1][2][lane];
            }
        }
    }
}

}  // namespace pliant
