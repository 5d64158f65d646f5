// SPDX-License-Identifier: MIT
#include "mesh_programs.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numbers>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/base/text.h>
#include <pliant/io/mesh_file.h>
#include <pliant/io/tet_file.h>
#include <pliant/io/whole_file.h>
#include <pliant/mesh/surface_tree.h>
#include <pliant/mesh/tet_edit.h>
#include <pliant/mesh/tet_topology.h>

#include "output.h"

namespace pliant::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kTalk = "talk.txt";  // what the program printed

/// A folder of our own under the system's for temporary files, removed with all it holds.
class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::string name = (fs::temp_directory_path() / "pliant_mesh_XXXXXX").string();
        if (!mkdtemp(name.data()))
            throw Error(Problem{.file = name,
                                .message = fmt::format("no folder could be made: {}", std::strerror(errno)),
                                .cure = "set TMPDIR to a folder that you may write to"},
                        ErrorKind::cannot_access);
        path_ = name;
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::string file(const std::string& name) const { return (path_ / name).string(); }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

[[noreturn]] void refuse(const std::string& program, std::string message, ErrorKind kind = ErrorKind::bad_input)
{
    throw Error(Problem{.file = program,
                        .message = std::move(message),
                        .cure = "repair the surface, or leave it to the built-in mesher: --with lattice"},
                kind);
}

/// Starts the program in the folder and waits; its wait status.
int run_in(const TemporaryFolder& folder, const std::vector<std::string>& words)
{
    std::vector<std::string> copies = words;
    std::vector<char*> arguments;
    for (std::string& word : copies) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.path().c_str());
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, kTalk, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t child = -1;
    const int error = posix_spawn(&child, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        refuse(words[0], fmt::format("cannot be started: {}", std::strerror(error)), ErrorKind::cannot_access);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

/// "; its last words: …" from the end of what the program printed, or nothing.
std::string last_words(const TemporaryFolder& folder)
{
    constexpr std::size_t kMostLines = 4, kMostBytes = 400;
    const std::string talk = whole_file(folder.file(kTalk)).bytes;
    std::vector<std::string> lines;
    for (std::size_t start = 0; start < talk.size();) {
        const std::size_t end = std::min(talk.find_first_of("\r\n", start), talk.size());
        std::string line = talk.substr(start, end - start);
        // What a terminal would act on has no place in a message.
        line.erase(std::remove_if(line.begin(), line.end(), [](unsigned char c) { return c < 32 || c == 127; }),
                   line.end());
        if (line.find_first_not_of(' ') != std::string::npos) lines.push_back(line.substr(0, kMostBytes));
        start = end + 1;
    }
    if (lines.size() > kMostLines) lines.erase(lines.begin(), lines.end() - kMostLines);
    return lines.empty() ? "" : fmt::format("; its last words: {}", fmt::join(lines, " / "));
}

void check_ended_well(const std::string& program, int status, const TemporaryFolder& folder)
{
    if (WIFSIGNALED(status))
        refuse(program, fmt::format("was ended by signal {} ({}){}", WTERMSIG(status), strsignal(WTERMSIG(status)),
                                    last_words(folder)));
    if (WEXITSTATUS(status) != 0)
        refuse(program, fmt::format("ended with exit code {}{}", WEXITSTATUS(status), last_words(folder)));
}

/// Six digits without an exponent: older TetGens read an 'e' as the end of the number.
std::string without_exponent(double number)
{
    const int decimals = std::max(0, 5 - static_cast<int>(std::floor(std::log10(number))));
    return fmt::format("{:.{}f}", number, decimals);
}

/// How one of the programs is called, and where it leaves its result.
struct Call {
    std::vector<std::string> arguments;
    std::vector<std::string> results;  ///< the first is the one to read
};

Call prepare_tetgen(const TemporaryFolder& folder, const TriMesh& surface, double edge_length)
{
    // p: fill a surface; q: radius of the sphere through the corners at most 1.414 shortest edges; a: largest volume
    write_whole_file(folder.file("surface.off"), off_bytes(surface));
    const double largest = edge_length * edge_length * edge_length / (6 * std::numbers::sqrt2);
    return {{fmt::format("-pq1.414a{}", without_exponent(largest)), "surface.off"},
            {"surface.1.ele", "surface.1.node"}};
}

Call prepare_gmsh(const TemporaryFolder& folder, const TriMesh& surface, double edge_length)
{
    write_whole_file(folder.file("surface.stl"), stl_bytes(surface, {.binary = false}));
    write_whole_file(folder.file("surface.geo"), "Merge \"surface.stl\";\n"
                                                 "Surface Loop(1) = Surface{:};\n"
                                                 "Volume(1) = {1};\n");
    return {{"surface.geo", "-3", "-clmax", shortest(edge_length), "-format", "msh2", "-o", "filled.msh"},
            {"filled.msh"}};
}

TetMesh read_result(const std::string& program, const TemporaryFolder& folder, const Call& call)
{
    for (const std::string& name : call.results)
        if (!fs::exists(folder.file(name)))
            refuse(program, fmt::format("ended without complaint but left no {}{}", name, last_words(folder)));
    TetRead read = read_tets(folder.file(call.results[0]));
    if (!read.ok())
        refuse(program, fmt::format("left a {} that is of no use: {}{}", call.results[0], read.problems[0].message,
                                    last_words(folder)));
    return std::move(read.mesh);
}

std::size_t remove_outside(TetMesh& mesh, const TriMesh& surface)
{
    const SurfaceTree tree(surface);
    const auto is_outside = [&](std::int32_t number) {
        Vec3 middle;
        for (const std::int32_t v : mesh.tets[static_cast<std::size_t>(number)])
            middle += mesh.vertices[static_cast<std::size_t>(v)] * 0.25;
        return !tree.encloses(middle);
    };
    return remove_tets_if(mesh, is_outside).removed_tets;
}

}  // namespace

const char* name_of(OutsideMesher mesher)
{
    return mesher == OutsideMesher::tetgen ? "tetgen" : "gmsh";
}

std::optional<std::string> find_on_path(const std::string& program)
{
    const char* const path = std::getenv("PATH");
    const std::string folders = path ? path : "";
    for (std::size_t start = 0; start < folders.size();) {
        const std::size_t end = std::min(folders.find(':', start), folders.size());
        std::error_code error;
        const fs::path candidate = fs::absolute(fs::path(folders.substr(start, end - start)) / program, error);
        // An empty entry means the folder one is in, which is no place to look for programs.
        if (end > start && !error && fs::is_regular_file(candidate, error) && access(candidate.c_str(), X_OK) == 0)
            return candidate.string();
        start = end + 1;
    }
    return std::nullopt;
}

OutsideFill fill_by_program(OutsideMesher mesher, const std::string& program, const TriMesh& surface,
                            double edge_length, bool quiet)
{
    const TemporaryFolder folder;
    TriMesh triangles = surface;
    triangles.lines.clear();
    const Call call = mesher == OutsideMesher::tetgen ? prepare_tetgen(folder, triangles, edge_length)
                                                      : prepare_gmsh(folder, triangles, edge_length);
    std::vector<std::string> words = call.arguments;
    words.insert(words.begin(), program);
    if (!quiet) say(fmt::format("in {}: {}", folder.path().string(), fmt::join(words, " ")));
    check_ended_well(program, run_in(folder, words), folder);
    OutsideFill result{read_result(program, folder, call)};
    result.removed_tets = remove_outside(result.mesh, triangles);
    if (result.mesh.tets.empty())
        refuse(program, fmt::format("left {} tetrahedra, none of them inside the surface", result.removed_tets));
    result.mesh.region.clear();
    result.mesh.groups = {{"surface", boundary_vertices(result.mesh.tets, result.mesh.vertices.size())}};
    return result;
}

}  // namespace pliant::cli
