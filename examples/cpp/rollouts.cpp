// SPDX-License-Identifier: MIT
// Many futures of one moment: copies of a world share its model, a snapshot brings it back.
//
// How much gas must be switched on under the resting ball to throw it to 1.4 m?

#include <algorithm>
#include <cstdio>

#include <pliant/model/state.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>
#include <pliant/world/inputs.h>
#include <pliant/world/measures.h>
#include <pliant/world/step.h>

// Highest point [m] of the ball in the 1.5 s after switching on k_g [J] of gas.
double thrown_to(pliant::World& world, double k_g)
{
    pliant::apply_input(world, pliant::find_live_path(*world.model, "bodies.box.gas.k_g"), pliant::to_live(k_g));
    pliant::apply_input(world, pliant::find_live_path(*world.model, "bodies.box.gas.enabled"), pliant::to_live(true));
    double highest = 0;
    for (int i = 0; i < 90 && !pliant::step(world, 1.0 / 60).failed(); ++i)
        highest = std::max(highest, pliant::find_measure(*world.model, pliant::measures(world, 0, 0), "ball.center.y"));
    return highest;
}

int main()
{
    // The scene's own inputs drop the ball at 3 s; at 9 s it rests in the hollow of the lid.
    pliant::World world = pliant::build(pliant::load_scene("scenes/pneumatic_box_drop.json"));
    if (pliant::step_to(world, 9).failed()) return 1;
    const pliant::Snapshot resting = pliant::snapshot(world);

    for (const double k_g : {50.0, 60.0, 70.0, 80.0}) {
        pliant::World rollout = pliant::copy_of(world);  // shares the model; `world` does not move
        std::printf("%g J throw the ball to %.3f m\n", k_g, thrown_to(rollout, k_g));
    }

    // The same world again and again: what it was comes back to the bit.
    double low = 50, high = 80;
    while (high - low > 0.5) {
        const double middle = (low + high) / 2;
        (thrown_to(world, middle) < 1.4 ? low : high) = middle;
        pliant::restore(world, resting);
    }
    std::printf("1.4 m need about %.0f J\n", high);
    return pliant::hash(world.state) == pliant::hash(resting.state) ? 0 : 1;
}
