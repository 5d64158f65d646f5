// SPDX-License-Identifier: MIT

// pliant mesh import-dpo: scene folders of dpoSimulator become scenes of ours, with their meshes beside them.

#include <filesystem>

#include <fmt/format.h>

#include <pliant/base/json_write.h>
#include <pliant/io/mesh_file.h>
#include <pliant/scene/dpo_import.h>
#include <pliant/scene/fabrics.h>

#include "mesh_verbs.h"
#include "output.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
    std::string folder, scene;
    DpoImportOptions import;
    bool force = false, quiet = false;
};

void check_options(const Options& options)
{
    if (!options.import.freecloth && !find_fabric(options.import.fabric)) {
        std::vector<std::string> names;
        for (const Fabric& fabric : fabrics()) names.emplace_back(fabric.name);
        throw Error(Problem{.message = fmt::format("--fabric {}: there is no such fabric", options.import.fabric),
                            .cure = suggestion(options.import.fabric, names)},
                    ErrorKind::usage);
    }
    if (!(options.import.friction >= 0 && options.import.friction <= 100))
        throw Error(Problem{.message = fmt::format("--friction {}: expected 0 to 100", options.import.friction),
                            .cure = "such as 0.3"},
                    ErrorKind::usage);
    const double duration = options.import.duration.value_or(1);
    if (!(duration > 0 && duration <= 1e9))
        throw Error(Problem{.message = fmt::format("--duration {}: expected seconds above 0, up to 1e9", duration),
                            .cure = "such as 5"},
                    ErrorKind::usage);
    if (!options.scene.ends_with(".json"))
        throw Error(Problem{.file = options.scene,
                            .message = "a scene is written here, expected a name that ends in .json",
                            .cure = fmt::format("-o {}.json", options.scene)},
                    ErrorKind::usage);
}

void check_has_cloth(const DpoScene& scene, const std::string& folder)
{
    for (const DpoBody& body : scene.bodies)
        if (body.kind == DpoKind::cloth) return;
    throw Error(Problem{.file = folder + "/bodies/body_list",
                        .message = "has rigid bodies only, expected a cloth: nothing would move by forces",
                        .cure = "add the three lines dpo_X, par_X, vel_X of a cloth X"});
}

int import(const Options& options)
{
    check_options(options);
    const DpoScene from = load_dpo(options.folder);
    check_has_cloth(from, options.folder);
    const fs::path scene_path(options.scene);
    const DpoImport to = import_dpo(from, scene_path.stem().string(), options.import);
    const std::string text = to_text(to.scene) + "\n";
    SceneRead check = parse_scene(text, options.scene);
    if (!check.problems.empty()) throw Error(std::move(check.problems));

    // Either all files are written or, where one is there already, none.
    check_may_write(options.scene, options.force);
    const auto beside = [&](const DpoMeshFile& file) { return (scene_path.parent_path() / file.name).string(); };
    for (const DpoMeshFile& file : to.meshes) check_may_write(beside(file), options.force);
    for (const DpoMeshFile& file : to.meshes) write_mesh(beside(file), *file.mesh);
    write_text(options.scene, text, options.force);
    if (options.quiet) return kOk;
    for (const std::string& note : to.notes) say("note: " + note);
    say(fmt::format("wrote {0} and {1} mesh{2} beside it; next: pliant run {0}", options.scene, to.meshes.size(),
                    to.meshes.size() == 1 ? "" : "es"));
    return kOk;
}

}  // namespace

void setup_mesh_import_dpo(CLI::App& mesh, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = mesh.add_subcommand(
        "import-dpo", "Turn a scene folder of dpoSimulator (seed 001) into a scene, its meshes beside it.\n\n"
                      "  pliant mesh import-dpo environment -o my_scene.json\n"
                      "  pliant mesh import-dpo environment_ClothOnTable -o table.json --fabric silk --friction 0.3\n\n"
                      "The folder holds world_parameters/world_parameters and bodies/body_list. What its files do not "
                      "say,\nabove all how stiff the cloth is, is chosen here, and a note says how.\n");
    verb->add_option("folder", options->folder, "the folder, called environment in dpoSimulator")->required();
    verb->add_option("-o,--output", options->scene, "the scene to write")->required()->type_name("SCENE");
    CLI::Option* fabric = verb->add_option("--fabric", options->import.fabric,
                                           "whose stiffness cloth has, see docs/scene-format.md; cotton by default");
    verb->add_flag("--freecloth", options->import.freecloth,
                   "the constants of freecloth, which dpoSimulator's cloth came from")
        ->excludes(fabric);
    verb->add_option("--friction", options->import.friction, "of cloth; 0 by default, as in dpoSimulator")
        ->type_name("MU");
    verb->add_option("--duration", options->import.duration,
                     "how long the run goes on [s]; by default 2 s beyond the last change, at least 5 s")
        ->type_name("SECONDS");
    verb->add_flag("-f,--force", options->force, "overwrite files");
    verb->add_flag("-q,--quiet", options->quiet, "no talk");
    verb->callback([options, &exit_code] { exit_code = import(*options); });
}

}  // namespace pliant::cli
