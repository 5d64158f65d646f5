// SPDX-License-Identifier: MIT
#include <pliant/scene/fabrics.h>

// The table of named fabrics.
//
// Where numbers come from, by the short names that the table uses:
//
// Clyde    D. Clyde, J. Teran, R. Tamstorf, Modeling and data-driven parameter estimation for woven fabrics, SCA 2017:
//          energy a11/2 E11^2 + a12 E11 E22 + a22/2 E22^2 + G12 E12^2 per volume at small strain, E linear through the
//          thickness, 1 the warp. Constants read from two public copies, not from the paper: the scripts of Codim-IPC
//          (Li, Kaufman, Jiang 2021) and the files of NeuralClothSim (Kairanda et al. 2024), which also restate the
//          model. The copies agree but for the thickness h, which Codim-IPC has as 0.18 mm for cotton and silk, the
//          other as 0.253 and 0.239 mm. We take 0.18 mm, because bending then comes out as Feng measured it; the
//          other would make stretch and shear 1.4 and bend 2.5 times as large. K_u = (a11 - a12^2/a22) h, K_v =
//          (a22 - a12^2/a11) h, G = G12 h / 2 since E12 is half the angle, B = a h^3 / 12. Every a12 there is half
//          of another constant, so it was bounded, not measured: Poisson's ratio is taken elsewhere.
// Penava   Z. Penava, D. Simic Penava, Z. Knezic, Determination of the elastic constants of plain woven fabrics by a
//          tensile test in various directions, Fibres & Textiles in Eastern Europe 22 (2014) 2(104), 57-63. Read from
//          the same scripts: weight, thickness, two moduli along the threads and a third, far smaller, which we read
//          as the modulus E45 on the bias; then 1/G = 4/E45 - 1/E_u - 1/E_v + 2 nu/E_u.
// Wang     H. Wang, J. O'Brien, R. Ramamoorthi, Data-driven elastic models for cloth, SIGGRAPH 2011. Read from the
//          files of the material library for ARCSim, first row: constants c11 c12 c22 c33 which that program doubles,
//          K as above from 2 c, G = c33. Its bending number k acts through hinges as k l^2 theta / (4 A), l an edge
//          and A the area of its two triangles; on a grid bent to a cylinder that is B = k / 4. Where a cloth hardly
//          stretched, the fit of c stayed near 2000, the same for two cloths: not used.
// Feng     X. Feng, W. Huang, W. Xu, H. Wang, Learning-based bending stiffness parameter estimation by a drape tester,
//          SIGGRAPH Asia 2022: the data set of 618 measured fabrics, without names. Medians of those near a weight.
// Kawabata S. Kawabata, The standardization and analysis of hand evaluation, 2nd ed., 1980: mean of men's winter
//          suitings in the equation KN-101. Quoted from memory, not looked up again.
//
// Neither Penava's nor Wang's numbers, as we have them, say which direction is the warp: the stiffer one is taken for
// it (our reading). 1 gf cm2/cm = 9.807e-5 N m; 1 gf/(cm degree) = 56.19 N/m. No source measured a damping time that
// fits a viscous stress, losses of cloth being friction between yarns: as in presets.cpp it is a loss factor of the
// usual size over 2 pi 10 Hz.
//
// presets.cpp has cotton, silk, nylon, paper and rubber as solids for springs. nylon, paper and rubber agree with it
// in stretch and thickness. cotton and silk are softer here, 3 and 0.5 against 9 and 6 kN/m: there the order of a
// secant at the 490 N/m of a KES-F test, here the slope at small loads of one measured cloth.

#include <array>

namespace pliant {

namespace {

constexpr std::array<Fabric, 12> kFabrics{{
    {"cotton", "plain woven shirting", 0.1036, 2365, 3800, 0.243, 96.8, 7.56e-6, 1.215e-5, 1.8e-4, 1e-3,
     "density, stretch, shear, bend, thickness: Clyde 2017, cotton (two copies differ in thickness); bend by "
     "thickness^3/12 as that model has it, in the upper half of what Feng 2022 measured on cloth of this weight "
     "(0.3e-6 to 25e-6); poisson: Penava 2014, cotton; damping: usual size, no source"},
    {"denim", "11 oz jeans cloth with 1 % elastane", 0.324, 2027, 410, 0.05, 53.4, 1.6e-5, 2.42e-5, 5.3e-4, 1e-3,
     "density, stretch, poisson, shear, bend: Wang 2011, 11oz-black-denim (99 % cotton, 1 % spandex), our "
     "reading of the conventions; bend agrees with KES-F of six denims, 0.144-0.227 gf cm2/cm = 1.4e-5 to 2.2e-5 "
     "(Journal of Textiles 2016, 4614168, table 5), their shear is 1.5-3.4 gf/(cm degree) = 84-191 N/m; "
     "thickness: Clyde 2017, denim, 0.66 mm at 0.4 kg/m2, scaled by weight; damping: usual size, no source"},
    {"silk", "charmeuse, a soft satin", 0.083, 327, 755, 0.3, 51.3, 2.09e-6, 4.83e-6, 1.8e-4, 1e-3,
     "density, stretch, shear, bend, thickness: Clyde 2017, silk (two copies differ in thickness); bend by "
     "thickness^3/12 as that model has it; Feng 2022 measured 3.2e-6 and 4.0e-6 (medians) on cloth of 75-92 "
     "g/m2; poisson, damping: usual size, no source"},
    {"wool", "plain woven suiting", 0.2348, 12416, 4629, 0.277, 24.3, 1.33e-5, 1.33e-5, 5.68e-4, 1e-3,
     "density, stretch, poisson, thickness: Penava 2014, wool, 21.86 and 8.149 MPa; shear: the same, 0.170 MPa "
     "read as modulus on the bias; bend: Kawabata 1980, 10^-0.8673 gf cm2/cm, mean of winter suitings of about "
     "0.26 kg/m2 and both directions, from memory; damping: usual size, no source"},
    {"linen", "plain woven table linen", 0.19, 12000, 8000, 0.2, 60, 2.26e-5, 1.52e-5, 4e-4, 1e-3,
     "bend: Feng 2022, medians of 27 fabrics of 180-208 g/m2 whatever their fibre; density, stretch, poisson, "
     "shear, thickness, damping: typical, no source"},
    {"polyester", "plain woven cloth", 0.1646, 2942, 1298, 0.381, 30.9, 1.29e-5, 7.82e-6, 2.52e-4, 1e-3,
     "density, stretch, poisson, thickness: Penava 2014, polyester, 11.674 and 5.152 MPa; shear: the same, 0.478 "
     "MPa read as modulus on the bias; bend: Wang 2011, white-dots-on-blk (polyester tablecloth, 0.128 kg/m2); "
     "damping: usual size, no source"},
    {"nylon", "ripstop of parachutes, kites and tents", 0.0397, 24000, 24000, 0.3, 200, 1.44e-6, 1.06e-6, 7.6e-5, 1e-3,
     "density 1.17 oz/yd2, thickness 0.003 in: MIL-C-44378 type I as listed by R. Nakka "
     "(nakka-rocketry.net/paralst.html); stretch: its strength, 45 lb/in, over the 29-40 % that nylon yarns "
     "stretch to break (Knacke, Parachute Recovery Systems) is 20-27 kN/m; bend: Feng 2022, medians of ten "
     "fabrics of 30-50 g/m2 whatever their fibre; poisson, shear, damping: typical, no source"},
    {"leather", "supple garment leather, 1 mm", 0.6, 15000, 15000, 0.4, 5360, 1.49e-3, 1.49e-3, 1e-3, 3e-3,
     "all numbers: typical, no source; 15 MPa, 600 kg/m3 and an isotropic sheet, shear E h/(2 (1 + nu)), bend E "
     "h^3/(12 (1 - nu^2)); leather is softer still below 2 % strain and differs over the hide"},
    {"paper", "office paper, 80 g/m2", 0.08, 4.5e5, 2e5, 0.44, 1.16e5, 4.1e-4, 1.82e-4, 1e-4, 3e-4,
     "stretch: 4.5 and 2 GPa along and across the machine, inside the 2-5 GPa of Niskanen, Mechanics of Paper "
     "Products, with the 3 GPa of presets.cpp as geometric mean; poisson and shear: Baum, Brennan, Habeger, "
     "Orthotropic elastic constants of paper, Tappi 64 (1981), sqrt(nu_uv nu_vu) = 0.293 and G = 0.387 sqrt(E_u "
     "E_v), from memory; bend: E h^3/(12 (1 - nu_uv nu_vu)); density, thickness: the trade's 80 g/m2 and 0.1 mm; "
     "damping: as presets.cpp, no source"},
    {"rubber", "inner tube or roofing sheet, 1 mm, about Shore A 60", 1.15, 3500, 3500, 0.49, 1174, 3.84e-4, 3.84e-4,
     1e-3, 2.4e-3,
     "young 3.5 MPa of 2-6 MPa, poisson, density 1150 kg/m3: filled rubbers by hardness, Gent, Engineering with "
     "Rubber, as presets.cpp; shear and bend: isotropic sheet, E h/(2 (1 + nu)) and E h^3/(12 (1 - nu^2)); "
     "thickness: chosen; damping: usual size, no source"},
    {"fleece", "polyester blanket", 0.228, 341, 211, 0.7, 30.3, 2.93e-5, 1.49e-5, 2e-3, 1e-3,
     "density, stretch, poisson, shear, bend: Wang 2011, pink-ribbon-brown (polyester blanket), our reading of "
     "the conventions; thickness, damping: typical, no source"},
    {"tarpaulin", "PVC-coated polyester of tents and lorries, heavy", 1.05, 1.246e6, 1.058e6, 0.3, 5.8e4, 5e-3, 5e-3,
     8.2e-4, 5e-3,
     "density 1050 g/m2, thickness 0.82 mm, stretch 1520 and 1290 MPa: maker's data of Xing Yida membrane in "
     "Advances in Materials Science and Engineering 2015, 387153, table 3; shear: a twentieth of the mean "
     "stretch, the rule of the European Design Guide for Tensile Surface Structures (2004), from memory; bend: "
     "no source, between the coating alone (9e-4) and a solid sheet (7e-2); poisson, damping: typical, no source"},
}};

}  // namespace

std::span<const Fabric> fabrics()
{
    return kFabrics;
}

const Fabric* find_fabric(std::string_view name)
{
    for (const Fabric& fabric : kFabrics)
        if (fabric.name == name) return &fabric;
    return nullptr;
}

}  // namespace pliant
