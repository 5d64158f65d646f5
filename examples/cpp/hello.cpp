// SPDX-License-Identifier: MIT
// Loads a scene, builds a world, steps it and prints a measure.
//
//   example_hello [SCENE [MEASURE]]

#include <cstdio>
#include <string>

#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>
#include <pliant/world/measures.h>
#include <pliant/world/step.h>

int main(int argc, char** argv)
{
    const std::string path = argc > 1 ? argv[1] : "scenes/pneumatic_box.json";
    const std::string name = argc > 2 ? argv[2] : "box.volume";
    try {
        const pliant::Scene scene = pliant::load_scene(path, {{"world.duration", "2"}});
        pliant::World world = pliant::build(scene);

        const double frame = 1 / scene.world.frame_rate;
        for (int i = 1; i * frame <= scene.world.duration; ++i) {
            const pliant::StepReport report = pliant::step_to(world, i * frame);
            if (report.failed()) {
                std::fprintf(stderr, "%s\n", pliant::explain(report.issue, *world.model).c_str());
                return 1;
            }
            if (i % 30 != 0) continue;
            const auto values = pliant::measures(world, report.contacts, frame);
            std::printf("%4.1f s  %s = %.4f\n", world.state.time, name.c_str(),
                        pliant::find_measure(*world.model, values, name));
        }
    } catch (const pliant::Error& error) {  // a bad scene: every problem with its line
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
    return 0;
}
