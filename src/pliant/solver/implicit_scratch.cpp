// SPDX-License-Identifier: MIT
#include <pliant/solver/implicit_scratch.h>

#include <algorithm>

namespace pliant {

BlockMatrix newton_pattern(const Model& model)
{
    BlockPattern pattern(model.free_count);
    for (const Term& term : model.terms)
        std::visit([&](const auto& elements) { pattern.add(elements.stencils); }, term);
    // Contacts against what cannot move join the vertices of a face, which springs need not.
    for (const Edge& e : model.contact_surface.edges)
        if (e[0] < model.free_count && e[1] < model.free_count) pattern.add_pair(e[0], e[1]);
    return pattern.matrix();
}

ImplicitScratch::ImplicitScratch(const Model& model)
    : matrix(newton_pattern(model))
    , borders(model.cavities.size())
    , start_x_(model.start_x)
{
    for (const Term& term : model.terms)
        std::visit([&](const auto& elements) { maps.emplace_back(scatter_map(matrix, elements.stencils)); }, term);
    for (std::size_t t = 0; t < model.terms.size(); ++t)
        if (std::holds_alternative<Elements<QuadraticBending>>(model.terms[t])) constant.terms.push_back(t);
    for (BorderRow& row : borders) row.gradient.resize(model.point_count());
    const std::size_t frame_rows = 2 * static_cast<std::size_t>(model.frame_count);
    linear.size_for(matrix, frame_rows);
    inertia.resize(model.free_count);
    for (auto* values : {&y, &z, &trial, &start}) values->resize(model.free_count);
    for (auto* values : {&downhill, &direction})
        values->resize(static_cast<std::size_t>(model.free_count) + frame_rows);
    const MassMatrix& mass = model.mass_matrix;
    behind.resize(model.free_count);
    if (mass.empty()) return;
    for (std::int32_t row = 0; row < mass.row_count(); ++row)
        for (std::int64_t e = mass.row_start[row]; e < mass.row_start[row + 1]; ++e)
            mass_place.push_back(mass.column[e] < row ? -1 : matrix.find(row, mass.column[e]));
}

bool ImplicitScratch::is_filled_at(std::span<const Vec3> x, double h) const
{
    const auto same = [](const Vec3& a, const Vec3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
    return is_filled && filled_h == h && std::equal(x.begin(), x.end(), filled_x.begin(), filled_x.end(), same);
}

Multigrid& ImplicitScratch::multigrid()
{
    if (!multigrid_) multigrid_ = std::make_unique<Multigrid>(matrix, start_x_);
    return *multigrid_;
}

AggregationMultigrid& ImplicitScratch::aggregation()
{
    if (!aggregation_) aggregation_ = std::make_unique<AggregationMultigrid>(matrix, start_x_);
    return *aggregation_;
}

CholeskyPreconditioner& ImplicitScratch::cholesky()
{
    if (!cholesky_) cholesky_ = std::make_unique<CholeskyPreconditioner>(matrix, start_x_);
    return *cholesky_;
}

}  // namespace pliant
