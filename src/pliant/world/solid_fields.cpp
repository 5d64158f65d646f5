// SPDX-License-Identifier: MIT
#include <pliant/world/solid_fields.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include <pliant/base/parallel.h>
#include <pliant/base/svd3.h>
#include <pliant/solver/forces.h>

namespace pliant {

namespace {

constexpr int kComponents = 6;
constexpr int kPlaces[kComponents][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};

// Both tensors of one integration point of four tetrahedra: sigma, then E.
struct PackedFields {
    std::array<Pack4, kComponents> stress, strain;
};

// sigma would be infinite in a flat element. It is told as if a millionth of the volume were left.
Pack4 kept_from_zero(const Pack4& J)
{
    constexpr double kFlat = 1e-6;
    return select(J < Pack4(0.0), min(J, Pack4(-kFlat)), max(J, Pack4(kFlat)));
}

PackedFields packed_fields(const Mat3T<Pack4>& F, const Mat3T<Pack4>& P)
{
    const Mat3T<Pack4> sigma = P * transpose(F) * (Pack4(1.0) / kept_from_zero(determinant(F)));
    const Mat3T<Pack4> strain = green_strain(F + identity3<Pack4>() * Pack4(-1.0));
    PackedFields fields;
    for (int c = 0; c < kComponents; ++c) {
        const auto [i, j] = kPlaces[c];
        const auto component = static_cast<std::size_t>(c);
        // Symmetric but for rounding, unless the law itself is not objective (linear).
        fields.stress[component] = (sigma.m[i][j] + sigma.m[j][i]) * Pack4(0.5);
        fields.strain[component] = strain.m[i][j];
    }
    return fields;
}

TetFields lane_of(const PackedFields& packed, int lane)
{
    TetFields fields;
    for (std::size_t c = 0; c < kComponents; ++c)
        fields.cauchy_stress[c] = packed.stress[c][lane], fields.green_strain[c] = packed.strain[c][lane];
    return fields;
}

void add(TetFields& sum, const TetFields& fields, double weight)
{
    for (std::size_t c = 0; c < kComponents; ++c) {
        sum.cauchy_stress[c] += weight * fields.cauchy_stress[c];
        sum.green_strain[c] += weight * fields.green_strain[c];
    }
}

template <class E>
using PointFields = std::array<TetFields, E::points>;

// Calls visit(e, fields of its integration points) for every tetrahedron, in order. Batches are computed in parallel
// and visited by one thread, so sums have the same bits for any thread count.
template <class E, class Visit>
void visit_tets(const Elements<E>& elements, const E& live, std::span<const Vec3> x, std::span<const double> inner,
                Visit&& visit)
{
    constexpr std::size_t kBatch = 1024, kGrain = 32;  // blocks
    const auto& blocks = elements.stencils.blocks;
    std::vector<std::array<PackedFields, E::points>> batch(std::min(kBatch, blocks.size()));
    for (std::size_t first = 0; first < blocks.size(); first += kBatch) {
        const std::size_t count = std::min(kBatch, blocks.size() - first);
        parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t k = begin; k < end; ++k) {
                const auto& rest = view_detail::rest_of_block(elements, inner, first + k);
                const Element<E, Pack4> element(live, rest, gather(blocks[first + k], x));
                for (int q = 0; q < E::points; ++q)
                    batch[k][static_cast<std::size_t>(q)] = packed_fields(element.deformation(q), element.stress(q));
            }
        });
        const std::size_t end =
            std::min(static_cast<std::size_t>(elements.stencils.count), (first + count) * kPackWidth);
        PointFields<E> fields;
        for (std::size_t e = first * kPackWidth; e < end; ++e) {
            for (std::size_t q = 0; q < fields.size(); ++q)
                fields[q] = lane_of(batch[e / kPackWidth - first][q], static_cast<int>(e % kPackWidth));
            visit(e, fields);
        }
    }
}

// The share of an integration point in the value of a node of its tetrahedron, by the linear function through the four
// values. With the point's corner weights a (its own) and b (others), and a + 3 b = 1, the value at a corner is
// (its point's - b times the sum of all) / (a - b); at a mid-edge node, the mean of two corners.
template <class Shape>
double share(int point, int node)
{
    if constexpr (Shape::points == 1) {
        return 1;
    } else {
        constexpr double a = Shape::weight(0, 0), b = Shape::weight(0, 1);
        const auto at_corner = [point](int corner) { return ((corner == point ? 1.0 : 0.0) - b) / (a - b); };
        if (node < 4) return at_corner(node);
        return (at_corner(Shape::kEdges[node - 4][0]) + at_corner(Shape::kEdges[node - 4][1])) / 2;
    }
}

// Calls f(elements, live parameters, internal variables) if the term is a solid.
template <class F>
void with_solid(const Model& model, const State& state, std::size_t term, F&& f)
{
    std::visit(
        [&](const auto& elements) {
            using E = typename std::decay_t<decltype(elements)>::Parameters;
            if constexpr (SolidEnergy<E>) f(elements, std::get<E>(state.live[term]), inner_of(model, state, term));
        },
        model.terms[term]);
}

bool is_solid(const Term& term)
{
    return std::visit(
        [](const auto& elements) { return SolidEnergy<typename std::decay_t<decltype(elements)>::Parameters>; }, term);
}

struct WeightedFields {
    TetFields sum;
    double weight = 0;  // [m^3]
};

template <class E>
void add_to_points(std::vector<WeightedFields>& points, const Elements<E>& elements, const E& live,
                   std::span<const Vec3> x, std::span<const double> inner)
{
    visit_tets(elements, live, x, inner, [&](std::size_t e, const PointFields<E>& fields) {
        const auto lane = static_cast<int>(e % kPackWidth);
        const double volume = elements.rest[e / kPackWidth].volume[lane];
        for (int i = 0; i < E::nodes; ++i) {
            const auto node = static_cast<std::size_t>(elements.stencils.blocks[e / kPackWidth].node[i][lane]);
            WeightedFields& point = points[node];
            for (int q = 0; q < E::points; ++q)
                add(point.sum, fields[static_cast<std::size_t>(q)], volume * share<typename E::Shape>(q, i));
            point.weight += volume;
        }
    });
}

}  // namespace

double von_mises(const SymmetricTensor& stress)
{
    const auto& [xx, yy, zz, xy, yz, xz] = stress;
    const double normal = (xx - yy) * (xx - yy) + (yy - zz) * (yy - zz) + (zz - xx) * (zz - xx);
    return std::sqrt(normal / 2 + 3 * (xy * xy + yz * yz + xz * xz));
}

double largest_principal(const SymmetricTensor& tensor)
{
    const auto& [xx, yy, zz, xy, yz, xz] = tensor;
    const Vec3 principal = symmetric_eigen3(Mat3{{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}}).value;
    return std::max({std::abs(principal.x), std::abs(principal.y), std::abs(principal.z)});
}

SolidTets solid_tets(const Model& model, std::size_t term)
{
    SolidTets tets;
    std::visit(
        [&](const auto& elements) {
            using E = typename std::decay_t<decltype(elements)>::Parameters;
            if constexpr (SolidEnergy<E>) {
                tets.nodes_per_tet = E::nodes;
                for (std::int32_t e = 0; e < elements.stencils.count; ++e)
                    for (const auto& row : elements.stencils.blocks[static_cast<std::size_t>(e / kPackWidth)].node)
                        tets.nodes.push_back(row[e % kPackWidth]);
            }
        },
        model.terms[term]);
    return tets;
}

bool remembers_its_past(const Model& model, std::size_t term)
{
    return std::visit([](const auto& elements) { return inner_count(elements) > 0; }, model.terms[term]);
}

std::vector<TetFields> tet_fields(const Model& model, const State& state, std::size_t term)
{
    std::vector<TetFields> result;
    with_solid(model, state, term, [&](const auto& elements, const auto& live, std::span<const double> inner) {
        result.resize(static_cast<std::size_t>(elements.stencils.count));
        visit_tets(elements, live, state.x, inner, [&](std::size_t e, const auto& fields) {
            for (const TetFields& at_point : fields) add(result[e], at_point, 1.0 / static_cast<double>(fields.size()));
        });
    });
    return result;
}

std::vector<std::string> solid_field_names(const Model& model)
{
    if (std::none_of(model.terms.begin(), model.terms.end(), is_solid)) return {};
    return {"stress", "strain"};
}

std::vector<std::vector<double>> solid_fields(const Model& model, const State& state)
{
    if (std::none_of(model.terms.begin(), model.terms.end(), is_solid)) return {};
    std::vector<WeightedFields> points(state.x.size());
    for (std::size_t term = 0; term < model.terms.size(); ++term)
        with_solid(model, state, term, [&](const auto& elements, const auto& live, std::span<const double> inner) {
            add_to_points(points, elements, live, state.x, inner);
        });
    std::vector<std::vector<double>> fields(2, std::vector<double>(points.size(), 0.0));
    parallel_for(points.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            if (!(points[i].weight > 0)) continue;
            TetFields mean;
            add(mean, points[i].sum, 1 / points[i].weight);
            fields[0][i] = von_mises(mean.cauchy_stress), fields[1][i] = largest_principal(mean.green_strain);
        }
    });
    return fields;
}

}  // namespace pliant
