// SPDX-License-Identifier: MIT

// pliant render: pictures and films of a take, without a display.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>

#include <pliant/record/recording.h>

#include "output.h"
#include "progress.h"
#include "verbs.h"
#include "viewer/film.h"
#include "viewer/take_view.h"

namespace pliant::cli {

namespace {

namespace fs = std::filesystem;
using viewer::DrawStyle, viewer::Film, viewer::Picture, viewer::TakeView;

struct Options {
    std::string take, output, size = "1280x720", style = "solid";
    viewer::ViewOptions view;
    std::vector<double> target, range;
    double distance = 0, ground = std::nan(""), rate = 0, speed = 1;
    std::int64_t frame = -1;
    bool no_time = false, force = false, quiet = false;
};

[[noreturn]] void refuse(const std::string& message, const std::string& cure)
{
    throw Error(Problem{.message = message, .cure = cure}, ErrorKind::usage);
}

void read_size(Options& options)
{
    constexpr int kMost = 8192;
    int& width = options.view.width;
    int& height = options.view.height;
    char rest = 0;
    const int found = std::sscanf(options.size.c_str(), "%dx%d%c", &width, &height, &rest);
    if (found != 2 || width < 16 || height < 16 || width > kMost || height > kMost)
        refuse(fmt::format("--size {} is no size", options.size), "two sides of 16 to 8192 pixels, such as 1280x720");
}

DrawStyle style_of(const std::string& name)
{
    const std::map<std::string, DrawStyle> styles{{"solid", DrawStyle::solid},
                                                  {"wireframe", DrawStyle::wireframe},
                                                  {"overlay", DrawStyle::overlay},
                                                  {"transparent", DrawStyle::transparent}};
    const auto found = styles.find(name);
    if (found == styles.end())
        refuse(fmt::format("--style {} is no style", name), "solid, wireframe, overlay or transparent");
    return found->second;
}

viewer::ViewOptions view_of(Options& options)
{
    read_size(options);
    viewer::ViewOptions view = options.view;
    if (!options.target.empty()) view.target = {options.target[0], options.target[1], options.target[2]};
    if (!options.range.empty()) {
        if (!(options.range[0] < options.range[1])) refuse("--range goes nowhere", "first the lower value");
        view.range = {options.range[0], options.range[1]};
    }
    if (options.distance > 0) view.distance = options.distance;
    if (!std::isnan(options.ground)) view.ground = options.ground;
    view.style = style_of(options.style), view.has_time = !options.no_time;
    return view;
}

bool is_film(const std::string& path)
{
    const std::string kind = fs::path(path).extension().string();
    return kind == ".mp4" || kind == ".webm" || kind == ".mkv" || kind == ".gif";
}

// The recorded frames that a film at this rate shows, in its own time.
std::vector<std::int64_t> frames_of_film(const Recording& take, double rate, double speed)
{
    const std::vector<double> times = take.times();
    std::vector<std::int64_t> frames;
    for (std::int64_t i = 0;; ++i) {
        const double time = times.front() + static_cast<double>(i) / rate * speed;
        if (i > 0 && time > times.back() + 1e-9) return frames;
        const auto next = std::lower_bound(times.begin(), times.end(), time - 1e-9);
        const auto at = next == times.end() ? times.size() - 1 : static_cast<std::size_t>(next - times.begin());
        frames.push_back(static_cast<std::int64_t>(at));
    }
}

int render_picture(const Recording& take, TakeView& view, const Options& options)
{
    const std::int64_t last = take.frame_count() - 1, frame = options.frame < 0 ? last : options.frame;
    if (frame > last) refuse(fmt::format("--frame {}: the take has frames 0 to {}", frame, last), "a smaller number");
    Picture picture;
    view.draw(picture, frame);
    viewer::write_png(options.output, picture);
    if (!options.quiet) say(fmt::format("wrote {}, frame {} of {}", options.output, frame, last));
    return kOk;
}

std::unique_ptr<Film> open_film(const Options& options, double rate)
{
    if (!is_film(options.output)) return viewer::film_of_pictures(options.output);
    if (viewer::has_ffmpeg())
        return viewer::film_by_ffmpeg(options.output, rate, options.view.width, options.view.height);
    const std::string folder = fs::path(options.output).replace_extension().string() + "_frames";
    say(fmt::format("note: ffmpeg is not installed (apt install ffmpeg): the pictures go to {}/", folder));
    return viewer::film_of_pictures(folder);
}

int render_film(const Recording& take, TakeView& view, const Options& options)
{
    constexpr double kMostRate = 60;
    const double rate = options.rate > 0 ? options.rate : std::min(kMostRate, take.header().topology.frame_rate);
    const std::vector<std::int64_t> frames = frames_of_film(take, rate, options.speed);
    const std::unique_ptr<Film> film = open_film(options, rate);
    ProgressLine progress(options.quiet);
    catch_interrupts();
    Picture picture;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (interrupted) return kInterrupted;
        view.draw(picture, frames[i]);
        film->add(picture);
        if (progress.is_due())
            progress.show(fmt::format("{:3.0f} %  picture {} of {}",
                                      100.0 * static_cast<double>(i + 1) / static_cast<double>(frames.size()), i + 1,
                                      frames.size()));
    }
    film->finish();
    progress.clear();
    if (!options.quiet) say(fmt::format("wrote {}, {:g} a second", film->described(), rate));
    return kOk;
}

int render(Options options)
{
    const std::string kind = fs::path(options.output).extension().string();
    if (!kind.empty() && kind != ".png" && !is_film(options.output))
        refuse(fmt::format("{} is no kind of picture or film", kind),
               ".png, .mp4, .webm, .mkv or .gif, or a folder for all pictures");
    if (kind == ".png" || is_film(options.output)) check_may_write(options.output, options.force);
    const Recording take = Recording::open(options.take);
    if (take.frame_count() == 0) throw Error(Problem{.file = options.take, .message = "has no frames yet"});
    options.view = view_of(options);
    if (is_film(options.output))
        options.view.width += options.view.width % 2, options.view.height += options.view.height % 2;
    TakeView view(take, options.view);
    return kind == ".png" ? render_picture(take, view, options) : render_film(take, view, options);
}

// The sentences of options say it; the names of checks say less.
CLI::Validator positive()
{
    return CLI::Validator(CLI::PositiveNumber).description("");
}

void add_looks(CLI::App& verb, Options& options)
{
    verb.add_option("--size", options.size, "sides of the picture in pixels, 1280x720")->type_name("WxH");
    verb.add_option("--style", options.style, "solid, wireframe, overlay or transparent")->type_name("STYLE");
    verb.add_option("--field", options.view.field, "colour by a field of the take, or by speed")->type_name("NAME");
    verb.add_option("--range", options.range, "values of the first and the last colour")->expected(2)->delimiter(',');
    verb.add_option("--plot", options.view.plots, "a measure to draw beside; may be given again")->type_name("MEASURE");
    verb.add_option("--azimuth", options.view.azimuth, "side that one looks from, in degrees (35)");
    verb.add_option("--elevation", options.view.elevation, "height that one looks from, in degrees (20)")
        ->check(CLI::Range(-90.0, 90.0).description(""))
        ->type_name("NUMBER");
    verb.add_option("--view-angle", options.view.view_angle, "of the lens, in degrees (35)")
        ->check(CLI::Range(1.0, 150.0).description(""))
        ->type_name("NUMBER");
    verb.add_option("--target", options.target, "what one looks at, in metres; all of the take by default")
        ->expected(3)
        ->delimiter(',');
    verb.add_option("--distance", options.distance, "to the target, in metres")->check(positive())->type_name("NUMBER");
    verb.add_option("--ground", options.ground, "height of a ground, in metres; the scene's plane by default");
    verb.add_flag("--no-time", options.no_time, "do not write the time on it");
}

}  // namespace

void setup_render(CLI::App& app, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("render", "Make a picture or a film of a take, without a display.\n\n"
                                     "  pliant render take.plrec -o last.png\n"
                                     "  pliant render take.plrec -o take.mp4 --field speed --plot energy.kinetic\n"
                                     "  pliant render take.plrec -o frames/ --style overlay --azimuth 60\n\n"
                                     "Films need ffmpeg; without it the pictures are kept in a folder.\n");
    verb->add_option("take", options->take, "the recording")->required();
    verb->add_option("-o,--output", options->output, "a .png, a film (.mp4 .webm .mkv .gif), or a folder")
        ->required()
        ->type_name("OUT");
    verb->add_option("--frame", options->frame, "of a picture, counted from 0; the last one by default")
        ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
        ->type_name("N");
    verb->add_option("--fps", options->rate, "pictures a second of a film; as recorded, 60 at most, by default")
        ->check(positive())
        ->type_name("NUMBER");
    verb->add_option("--speed", options->speed, "of a film: 0.1 shows it ten times slower")
        ->check(positive())
        ->type_name("NUMBER");
    add_looks(*verb, *options);
    verb->add_flag("-f,--force", options->force, "overwrite the picture or film");
    verb->add_flag("-q,--quiet", options->quiet, "no talk");
    verb->callback([options, &exit_code] { exit_code = render(*options); });
}

}  // namespace pliant::cli
