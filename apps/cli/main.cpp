// SPDX-License-Identifier: MIT

// pliant: the command line program.

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include <unistd.h>

#include <fmt/format.h>

#include "help.h"
#include "verbs.h"

namespace pliant::cli {

int report(const Error& error)
{
    for (const Problem& problem : error.problems()) fmt::print(stderr, "pliant: {}\n", to_string(problem));
    switch (error.kind()) {
    case ErrorKind::usage:
        return kUsage;
    case ErrorKind::cannot_access:
        return kCannotAccess;
    case ErrorKind::bad_input:
        break;
    }
    return kBadInput;
}

std::vector<Override> parse_overrides(const std::vector<std::string>& pairs)
{
    std::vector<Override> overrides;
    for (const std::string& pair : pairs) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string::npos || equals == 0)
            throw Error(Problem{.message = fmt::format("--set {}: expected path=value", pair),
                                .cure = "for example --set world.gravity=[0,-20,0]"},
                        ErrorKind::usage);
        overrides.push_back({pair.substr(0, equals), pair.substr(equals + 1)});
    }
    return overrides;
}

bool has_terminal()
{
    const char* term = std::getenv("TERM");
    return isatty(STDERR_FILENO) && !std::getenv("NO_COLOR") && term && std::strcmp(term, "dumb") != 0;
}

namespace {

// A full disk behind standard output may show only now.
void flush_results()
{
    if (std::fflush(stdout) == 0) return;
    throw Error(Problem{.message = fmt::format("standard output cannot be written: {}", std::strerror(errno))},
                ErrorKind::cannot_access);
}

}  // namespace

}  // namespace pliant::cli

int main(int argc, char** argv)
{
    using namespace pliant;
    using namespace pliant::cli;
    CLI::App app{"pliant simulates things that bend: cloth, balloons, rubbery solids, and what they touch.\n\n"
                 "  pliant run scenes/pneumatic_box.json -o take.plrec   simulate and record\n"
                 "  pliant plot take.plrec energy -o energy.svg          draw what happened\n"
                 "  pliant export take.plrec -o take.glb                 take it to Blender or a browser\n"
                 "  pliant new pneumatic > my_scene.json                 start a scene of your own\n",
                 "pliant"};
    app.formatter(help_formatter());
    app.set_help_flag("-h,--help", "print this text");
    app.set_version_flag("--version", "pliant " PLIANT_VERSION, "print the version");
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 ok, 1 simulation failed or surfaces intersect, 2 usage, 3 bad input, 4 cannot read or write,\n"
        "5 expectation not met, 130 interrupted. More: pliant VERB --help, docs/cli.md");
    int exit_code = kOk;
    setup_run(app, exit_code);
    setup_check(app, exit_code);
    setup_info(app, exit_code);
    setup_export(app, exit_code);
    setup_plot(app, exit_code);
    setup_view(app, exit_code);
    setup_render(app, exit_code);
    setup_check_contacts(app, exit_code);
    setup_contacts(app, exit_code);
    setup_replay(app, exit_code);
    setup_compare(app, exit_code);
    setup_new(app, exit_code);
    setup_schema(app, exit_code);
    setup_mesh(app, exit_code);
    setup_completion(app, exit_code);
    setup_bench(app, exit_code);
    try {
        check_verbs(app, argc, argv);
        app.parse(argc, argv);
        flush_results();
    } catch (const CLI::ParseError& error) {
        return report_usage(app, error);
    } catch (const Error& error) {
        return report(error);
    } catch (const std::system_error& error) {
        fmt::print(stderr, "pliant: {}\n", error.what());
        return kCannotAccess;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "pliant: out of memory\n");
        return kBadInput;
    } catch (const std::exception& error) {
        fmt::print(stderr, "pliant: {}\n", error.what());
        return kBadInput;
    }
    return exit_code;
}
