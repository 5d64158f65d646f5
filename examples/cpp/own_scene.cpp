// SPDX-License-Identifier: MIT
// A scene made in C++ instead of JSON: a chain hung at one end, pulled at the other.

#include <cstdio>

#include <pliant/record/run.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>

int main()
{
    pliant::BodyScene chain;
    chain.kind = pliant::SceneBodyKind::springs;
    chain.mesh.chain = 11;  // vertices, hence ten springs
    chain.mesh.from = {0, 1, 0};
    chain.mesh.to = {0, 0, 0};
    chain.mass = 0.5;                         // kg
    chain.springs = {.k_s = 2000, .k_d = 1};  // N/m, N s/m
    chain.live.damping = 2;                   // 1/s, of the air
    chain.pins = {{.name = "hook", .select = {.group = "start"}}};
    chain.loads = {{.name = "pull", .select = {.group = "end"}, .live = {.force = {0, -3, 0}}}};

    pliant::Scene scene;
    scene.description = "a chain pulled with 3 N";
    scene.world.duration = 10;
    scene.bodies = {{"chain", chain}};
    scene.expect = {{"hook.reaction.y", {7.85, 7.95}}, {"energy.error.max", {0, 1e-3}}};

    std::printf("%s\n", pliant::to_json_text(scene).c_str());  // the same as a file
    pliant::World world = pliant::build(scene);
    const pliant::RunSummary summary = pliant::run(world, scene);
    for (const pliant::Expectation& e : summary.expect)
        std::printf("%-18s %.5g, expected %g to %g\n", e.name.c_str(), e.found, e.low, e.high);
    return !summary.failed && summary.expectations_met() ? 0 : 1;
}
