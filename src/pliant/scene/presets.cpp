// SPDX-License-Identifier: MIT
#include <pliant/scene/presets.h>

// The table of named materials.
//
// young and density are of the solid or of the fabric taken as a solid of its thickness; for woven cloth
// young is the tensile modulus along the threads at small forces. damping_time is a loss factor of the
// usual size (0.05 latex … 0.3 plasticised PVC) over 2 pi 10 Hz: an order of magnitude, no more. poisson is that of
// nearly incompressible rubbers and soft plastics (Polymer Handbook); for fabrics it depends on the weave and is a guess.

#include <array>

namespace pliant {

namespace {

constexpr std::array<Preset, 9> kPresets{{
    {"latex", "party balloon rubber", 1.5e6, 2.5e-4, 940, 8e-4, 0.49,
     "young 1-2 MPa, density 920-960: vulcanised natural rubber, Treloar, The Physics of Rubber Elasticity; "
     "thickness of an uninflated balloon's wall, typical"},
    {"rubber_soft", "soft silicone sheet, about Shore A 20", 0.7e6, 1e-3, 1100, 1.6e-3, 0.49,
     "young 0.5-1 MPa from hardness by Gent's relation (1958); density: data sheets of casting silicones"},
    {"rubber", "inner tube or roofing sheet, about Shore A 60", 3.5e6, 1e-3, 1150, 2.4e-3, 0.49,
     "young 2-6 MPa: filled rubbers by hardness, Gent, Engineering with Rubber; density of filled compounds"},
    {"pvc_film", "plasticised film of air mattresses and beach balls", 2e7, 3e-4, 1250, 5e-3, 0.45,
     "young 5-50 MPa, density 1160-1350: plasticised PVC, Titow, PVC Technology; thickness typical"},
    {"polyethylene", "bag film (LDPE)", 2e8, 5e-5, 920, 1.6e-3, 0.42,
     "young 0.1-0.3 GPa, density 910-925: LDPE, Polymer Handbook (Brandrup, Immergut)"},
    {"cotton", "plain woven shirt cloth", 3e7, 3e-4, 450, 1e-3, 0.3,
     "areal density 0.10-0.17 kg/m2 over thickness: textile tables; young: order of KES-F tensile curves at low load, "
     "direction and weave change it tenfold"},
    {"silk", "light scarf cloth", 5e7, 1.2e-4, 500, 1e-3, 0.3,
     "areal density 0.04-0.08 kg/m2 over thickness: textile tables; young: order of KES-F tensile curves"},
    {"nylon", "ripstop of kites and tents", 3e8, 8e-5, 600, 1e-3, 0.3,
     "areal density 0.04-0.06 kg/m2 over thickness: makers' data sheets; young: order of strip tests along the "
     "threads"},
    {"paper", "office paper", 3e9, 1e-4, 800, 3e-4, 0.3,
     "young 2-5 GPa, density 700-900, 80 g/m2: Niskanen, Mechanics of Paper Products"},
}};

}  // namespace

std::span<const Preset> presets()
{
    return kPresets;
}

const Preset* find_preset(std::string_view name)
{
    for (const Preset& preset : kPresets)
        if (preset.name == name) return &preset;
    return nullptr;
}

Material resolved(const Material& material)
{
    Material result = material;
    const Preset* preset = find_preset(material.preset);
    if (material.bulk > 0 && material.shear > 0) {
        result.young = 9 * material.bulk * material.shear / (3 * material.bulk + material.shear);
        result.poisson = (3 * material.bulk - 2 * material.shear) / (6 * material.bulk + 2 * material.shear);
    }
    if (!result.poisson) result.poisson = preset ? preset->poisson : 0.3;
    if (!preset) return result;
    const auto fill = [](double& value, double typical) {
        if (value == 0) value = typical;
    };
    fill(result.young, preset->young);
    fill(result.thickness, preset->thickness);
    fill(result.density, preset->density);
    fill(result.damping_time, preset->damping_time);
    return result;
}

}  // namespace pliant
