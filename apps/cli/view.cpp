// SPDX-License-Identifier: MIT

// pliant view: the window.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include <pliant/base/parallel.h>

#include "progress.h"
#include "verbs.h"
#include "viewer/subject.h"
#include "viewer/window.h"

namespace pliant::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
    viewer::WindowOptions window;
    std::string size = "1440x900";
    int threads = 0;
    bool forgets = false;
};

// Beside the settings of other programs; nothing where there is no such place.
std::string layout_file()
{
    const char* config = std::getenv("XDG_CONFIG_HOME");
    const char* home = std::getenv("HOME");
    if (config == nullptr && home == nullptr) return {};
    const fs::path folder = (config != nullptr ? fs::path(config) : fs::path(home) / ".config") / "pliant";
    std::error_code error;
    fs::create_directories(folder, error);
    return error ? std::string() : (folder / "view.ini").string();
}

int view(Options options)
{
    set_thread_count(options.threads);
    char rest = 0;
    viewer::WindowOptions& window = options.window;
    if (std::sscanf(options.size.c_str(), "%dx%d%c", &window.width, &window.height, &rest) != 2 || window.width < 320 ||
        window.height < 240 || window.width > 16384 || window.height > 16384)
        throw Error(Problem{.message = fmt::format("--size {} is no size of a window", options.size),
                            .cure = "two sides of at least 320x240 pixels, such as 1440x900"},
                    ErrorKind::usage);
    const bool are_meshes = std::all_of(window.files.begin(), window.files.end(), viewer::is_mesh);
    if (window.files.size() > 2 && !are_meshes)
        throw Error(Problem{.message = fmt::format("{} files were given", window.files.size()),
                            .cure = "one to look at, two to see side by side, or any number of meshes"},
                    ErrorKind::usage);
    if (!options.forgets) window.layout = layout_file();
    catch_interrupts();
    window.stop = &interrupted;
    viewer::run_window(window);
    return kOk;
}

}  // namespace

void setup_view(CLI::App& app, int& exit_code)
{
    auto options = std::make_shared<Options>();
    options->window.scenes = PLIANT_SCENES;
    CLI::App* verb = app.add_subcommand("view", "Open the window: see it, pull it, tune it, film it.\n\n"
                                                "  pliant view                              the gallery of scenes\n"
                                                "  pliant view scenes/drape_fold.json       a scene, to run and touch\n"
                                                "  pliant view take.plrec                   a take, to play and scrub\n"
                                                "  pliant view a.stl b.stl c.stl            meshes, together\n"
                                                "  pliant view a.json b.json                two side by side\n\n"
                                                "H in the window lists its keys.\n");
    verb->add_option("files", options->window.files, "a scene or a take, two of them, or meshes")->type_name("FILE");
    verb->add_flag("--play", options->window.plays, "begin at once");
    verb->add_option("--size", options->size, "sides of the window in pixels, 1440x900")->type_name("WxH");
    verb->add_option("--scenes", options->window.scenes, "folder of the gallery")->type_name("FOLDER");
    verb->add_option("--report", options->window.report,
                     "a file that is told, in JSON, what the window shows and where its widgets are: for scripts")
        ->type_name("FILE");
    verb->add_flag("--fresh", options->forgets, "panels where they were at first; nothing is remembered");
    verb->add_option("--threads", options->threads, "threads to use; all cores by default; never changes the result")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N");
    verb->callback([options, &exit_code] { exit_code = view(*options); });
}

}  // namespace pliant::cli
