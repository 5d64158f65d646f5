// SPDX-License-Identifier: MIT
#include <pliant/scene/cloth_numbers.h>

#include <cmath>

#include <pliant/scene/fabrics.h>

namespace pliant {

namespace {

bool is_thesis(ClothModel model)
{
    return model == ClothModel::thesis_springs || model == ClothModel::thesis_baraff_witkin;
}

double usual_poisson(ClothModel model)
{
    return is_thesis(model) ? 0 : model == ClothModel::neo_hookean ? 0.5 : 0.3;
}

// Fabrics say how much the weft narrows when the warp is pulled; the mean of both ways is symmetric.
double mean_poisson(const Fabric& fabric)
{
    return fabric.poisson * std::sqrt(fabric.stretch_v / fabric.stretch_u);
}

}  // namespace

ClothNumbers resolved(const ClothScene& cloth)
{
    const Fabric* fabric = find_fabric(cloth.fabric);
    const auto from_fabric = [&](double Fabric::*member, double otherwise) {
        return fabric ? fabric->*member : otherwise;
    };
    ClothNumbers n;
    n.density = cloth.density.value_or(from_fabric(&Fabric::density, 0));
    const auto both = [](const std::optional<double>& one, const std::optional<double>& all, double otherwise) {
        return one ? *one : all.value_or(otherwise);
    };
    n.stretch_u = both(cloth.stretch_u, cloth.stretch, from_fabric(&Fabric::stretch_u, 0));
    n.stretch_v = both(cloth.stretch_v, cloth.stretch, from_fabric(&Fabric::stretch_v, 0));
    n.poisson =
        cloth.poisson.value_or(is_thesis(cloth.model) || !fabric ? usual_poisson(cloth.model) : mean_poisson(*fabric));
    // A scene that overrides the stretch of a fabric does not want its shear.
    const bool has_own_stretch = cloth.stretch || cloth.stretch_u || cloth.stretch_v;
    const double isotropic = is_thesis(cloth.model) ? 0 : std::sqrt(n.stretch_u * n.stretch_v) / (2 * (1 + n.poisson));
    n.shear = cloth.shear.value_or(has_own_stretch ? isotropic : from_fabric(&Fabric::shear, isotropic));
    n.bend_u = both(cloth.bend_u, cloth.bend, from_fabric(&Fabric::bend_u, 0));
    n.bend_v = both(cloth.bend_v, cloth.bend, from_fabric(&Fabric::bend_v, 0));
    n.damping_time = cloth.damping_time.value_or(from_fabric(&Fabric::damping_time, 0));
    n.bend_damping_time = cloth.bend_damping_time.value_or(n.damping_time);
    return n;
}

}  // namespace pliant
