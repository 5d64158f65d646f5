// SPDX-License-Identifier: MIT
#pragma once

// Cloth as a scene writes it: which models carry stretching and bending, and what the fabric is like.
//
// One set of numbers per sheet [N/m, N m], read by every model and every solver. Models whose names begin with thesis_ take
// the same keys as the raw constants of seed 003, whose meaning depends on the mesh.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/base/describe.h>

namespace pliant {

enum class ClothModel : std::int32_t {
    st_venant_kirchhoff,
    neo_hookean,
    baraff_witkin,
    springs,
    thesis_springs,
    thesis_baraff_witkin
};
constexpr std::array<std::string_view, 6> enum_names(ClothModel)
{
    return {"st_venant_kirchhoff", "neo_hookean", "baraff_witkin", "springs", "thesis_springs", "thesis_baraff_witkin"};
}

enum class BendModel : std::int32_t { hinges, quadratic, springs, thesis_hinges, none };
constexpr std::array<std::string_view, 5> enum_names(BendModel)
{
    return {"hinges", "quadratic", "springs", "thesis_hinges", "none"};
}

enum class RestAngles : std::int32_t { automatic, start, flat };
constexpr std::array<std::string_view, 3> enum_names(RestAngles)
{
    return {"auto", "start", "flat"};
}

enum class RestShape : std::int32_t { automatic, start, uv };
constexpr std::array<std::string_view, 3> enum_names(RestShape)
{
    return {"auto", "start", "uv"};
}

enum class ClothMass : std::int32_t { lumped, thesis_full_area };
constexpr std::array<std::string_view, 2> enum_names(ClothMass)
{
    return {"lumped", "thesis_full_area"};
}

/// Numbers left out are the fabric's.
struct ClothScene {
    std::string fabric;
    ClothModel model = ClothModel::st_venant_kirchhoff;
    BendModel bending = BendModel::hinges;
    std::optional<double> density, stretch, stretch_u, stretch_v, poisson, shear, bend, bend_u, bend_v;
    std::optional<double> damping_time, bend_damping_time;
    double stretch_damping = 0, shear_damping = 0, bend_damping = 0;
    double rest_stretch_u = 1, rest_stretch_v = 1;
    bool stretch_enabled = true, shear_enabled = true, bend_enabled = true;
    double strain_limit = 0, limit_stiffness = 0;
    Vec3 warp{1, 0, 0};
    RestShape rest_shape = RestShape::automatic;
    RestAngles rest_angles = RestAngles::automatic;
    ClothMass mass_rule = ClothMass::lumped;
};

template <class V>
void describe(V&& visit, ClothScene& c)
{
    constexpr Change live = Change::live;
    visit(Field{"fabric", "", 0, 0, "a named fabric; other keys override its numbers"}, c.fabric);
    visit(Field{"model", "", 0, 0,
                "what carries stretch and shear; thesis_ models read the stiffnesses as seed 003's raw constants"},
          c.model);
    visit(Field{"bending", "", 0, 0,
                "what carries bending; quadratic: a constant matrix for sheets that are flat at rest; springs: between "
                "second neighbours; thesis_hinges: the raw angle, without weights"},
          c.bending);
    visit(Field{"density", "kg/m2", 1e-9, 1e6, "mass per area"}, c.density);
    visit(Field{"stretch", "N/m", 0, 1e12, "stiffness along warp and weft: Young's modulus times thickness"},
          c.stretch);
    visit(Field{"stretch_u", "N/m", 0, 1e12, "the same along the warp only", live}, c.stretch_u);
    visit(Field{"stretch_v", "N/m", 0, 1e12, "the same along the weft only", live}, c.stretch_v);
    visit(Field{"poisson", "1", -0.99, 0.99,
                "how much the sheet narrows when it is pulled: geometric mean of warp and weft", live},
          c.poisson);
    visit(Field{"shear", "N/m", 0, 1e12,
                "stiffness against shear between warp and weft; left out: that of an isotropic sheet", live},
          c.shear);
    visit(Field{"bend", "N m", 0, 1e9, "stiffness against bending: moment per width over curvature"}, c.bend);
    visit(Field{"bend_u", "N m", 0, 1e9, "the same of the warp only", live}, c.bend_u);
    visit(Field{"bend_v", "N m", 0, 1e9, "the same of the weft only", live}, c.bend_v);
    visit(Field{"damping_time", "s", 0, 1e3, "viscous over elastic stress in the plane: larger settles sooner", live},
          c.damping_time);
    visit(Field{"bend_damping_time", "s", 0, 1e3, "the same of bending; left out: damping_time", live},
          c.bend_damping_time);
    visit(Field{"stretch_damping", "N s/m", 0, 1e9,
                "raw damping of stretching, as in the theses; under solver projection a share of the correction", live},
          c.stretch_damping);
    visit(Field{"shear_damping", "N s/m", 0, 1e9, "raw damping of shearing", live}, c.shear_damping);
    visit(Field{"bend_damping", "N m s", 0, 1e9, "raw damping of bending", live}, c.bend_damping);
    visit(Field{"rest_stretch_u", "1", 0.01, 100,
                "length that warp threads want, over that of the rest shape; strains are measured from what it is at "
                "the start",
                live},
          c.rest_stretch_u);
    visit(Field{"rest_stretch_v", "1", 0.01, 100, "the same of weft threads", live}, c.rest_stretch_v);
    visit(Field{"stretch_enabled", "", 0, 1, "whether the sheet resists stretching", live}, c.stretch_enabled);
    visit(Field{"shear_enabled", "", 0, 1, "whether the sheet resists shearing", live}, c.shear_enabled);
    visit(Field{"bend_enabled", "", 0, 1, "whether the sheet resists bending", live}, c.bend_enabled);
    visit(Field{"strain_limit", "1", 0, 10, "strain beyond which edges meet a stiff stop, such as 0.1; 0: none"},
          c.strain_limit);
    visit(Field{"limit_stiffness", "N/m", 0, 1e12,
                "stiffness of that stop, of every edge; 0 takes twenty times the larger of stretch_u and stretch_v"},
          c.limit_stiffness);
    visit(Field{"warp", "1", -1e9, 1e9,
                "direction of the warp in the rest shape, laid into each triangle; where the rest shape is uv it is u"},
          c.warp);
    visit(
        Field{"rest_shape", "", 0, 0,
              "start: triangles want the shape they begin with; uv: that of the mesh's (u, v) in metres; auto: uv for "
              "generated meshes, start for files, whose (u, v) are mostly textures"},
        c.rest_shape);
    visit(Field{"rest_angles", "", 0, 0,
                "start: edges want the angles they begin with; flat: none; auto: flat where the rest shape is uv"},
          c.rest_angles);
    visit(Field{"mass_rule", "", 0, 0,
                "thesis_full_area: every vertex has the whole area of its faces, three times the mass, as in seed 003"},
          c.mass_rule);
}

}  // namespace pliant
