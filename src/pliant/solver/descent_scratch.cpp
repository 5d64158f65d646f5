// SPDX-License-Identifier: MIT
#include <pliant/solver/descent_scratch.h>

namespace pliant {

DescentScratch::DescentScratch(const Model& model) : gases(model.cavities.size()), acts(model.terms.size())
{
    for (auto* particles : {&x, &start, &goal, &inverse_mass}) particles->resize(model.free_count);
    for (GasRow& row : gases) row.gradient.resize(model.point_count()), row.force.resize(model.free_count);
}

void DescentScratch::make_projected(const Model& model)
{
    if (projected.size() == model.terms.size()) return;
    for (const Term& term : model.terms)
        std::visit(
            [&]<class E>(const Elements<E>& elements) {
                if constexpr (ProjectableEnergy<E>)
                    projected.emplace_back(ProjectedTerm<E>{coloured(elements, model.free_count), {}});
                else
                    projected.emplace_back(RefusedTerm<E>{});
            },
            term);
}

void DescentScratch::make_incident(const Model& model)
{
    if (incident.size() == model.terms.size() && !order.colour_start.empty()) return;
    std::vector<NodeLists> lists;
    for (const Term& term : model.terms)
        std::visit([&](const auto& elements) { lists.push_back(node_lists(elements.stencils)); }, term);
    order = order_vertices(lists, model.free_count);
    sums.resize(order.vertex.size());
    for (const Term& term : model.terms)
        std::visit(
            [&]<class E>(const Elements<E>& elements) {
                if constexpr (CornerEnergy<E>)
                    incident.emplace_back(vertex_incidence(elements, order));
                else
                    incident.emplace_back(RefusedTerm<E>{});
            },
            term);
}

}  // namespace pliant
