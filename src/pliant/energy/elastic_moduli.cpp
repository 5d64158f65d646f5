// SPDX-License-Identifier: MIT
#include <pliant/energy/elastic_moduli.h>

#include <cmath>
#include <optional>

#include <pliant/base/text.h>

namespace pliant {
namespace {

std::optional<Problem> check_modulus(double value, const std::string& name, const std::string& member,
                                     const std::string& where)
{
    if (std::isfinite(value) && value > 0) return std::nullopt;
    return Problem{.where = where + "/" + member,
                   .message = name + " is " + shortest(value) + " Pa; a solid needs a positive one",
                   .cure = "rubber has about 1e6, soft tissue 1e4, wood 1e10 Pa"};
}

std::optional<Problem> check_poisson(double value, const std::string& where)
{
    if (value > -1 && value < 0.5) return std::nullopt;
    Problem problem{.where = where + "/poisson",
                    .message =
                        "Poisson's ratio is " + shortest(value) + "; it must lie between -1 and 0.5, both excluded"};
    problem.cure = value >= 0.5
                       ? "0.5 would be incompressible: rubber is well described by 0.49 on quadratic tetrahedra"
                       : "common materials have 0.2 to 0.49";
    return problem;
}

std::vector<Problem> found(const std::optional<Problem>& first, const std::optional<Problem>& second)
{
    std::vector<Problem> problems;
    for (const auto& problem : {first, second})
        if (problem) problems.push_back(*problem);
    return problems;
}

}  // namespace

std::vector<Problem> check_young_poisson(double young, double poisson, const std::string& where)
{
    return found(check_modulus(young, "Young's modulus", "young", where), check_poisson(poisson, where));
}

std::vector<Problem> check_bulk_shear(double bulk, double shear, const std::string& where)
{
    return found(check_modulus(bulk, "the bulk modulus", "bulk", where),
                 check_modulus(shear, "the shear modulus", "shear", where));
}

}  // namespace pliant
