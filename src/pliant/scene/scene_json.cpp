// SPDX-License-Identifier: MIT
#include <pliant/scene/scene_json.h>

// Text or file to Scene: syntax, overrides, values, checks, in this order, all problems kept.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <pliant/base/json_write.h>
#include <pliant/scene/overrides.h>
#include <pliant/scene/scene_check.h>
#include <pliant/scene/value_reader.h>

namespace pliant {

namespace {

constexpr std::uintmax_t kMaxFileSize = std::uintmax_t{1} << 30;

struct FileText {
    std::string text;
    std::optional<Problem> problem;
};

FileText unreadable(const std::string& path, const std::string& why, const std::string& cure)
{
    return {"", Problem{.file = path, .line = 0, .where = "", .message = why, .cure = cure}};
}

FileText text_of_file(const std::string& path)
{
    namespace fs = std::filesystem;
    std::error_code error;
    if (fs::is_directory(path, error)) return unreadable(path, "is a directory", "name a scene file in it");
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return unreadable(path, std::string("cannot be opened: ") + std::strerror(errno),
                          "check the path, or start with: pliant new pneumatic");
    const std::uintmax_t size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
    if (!error && size > kMaxFileSize)
        return unreadable(path, "is larger than 1 GiB", "put the mesh into a file of its own");
    std::ostringstream text;
    text << stream.rdbuf();
    if (stream.bad()) return unreadable(path, "cannot be read to its end", "");
    return {std::move(text).str(), {}};
}

/// A check tells nothing new about a place where a value is already known to be wrong.
bool is_known(const std::vector<Problem>& problems, std::size_t count, const Problem& check)
{
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& where = problems[i].where;
        if (where == check.where || where.starts_with(check.where + '/')) return true;
    }
    return false;
}

void add_checks(SceneRead& read)
{
    const std::size_t count = read.problems.size();
    for (Problem& check : check_scene(read.scene))
        if (!is_known(read.problems, count, check)) read.problems.push_back(std::move(check));
}

}  // namespace

SceneRead parse_scene(std::string_view text, const std::string& file, const std::vector<Override>& overrides)
{
    SceneRead read;
    read.scene.file = file;
    read.scene.text = text;
    JsonRead json = parse_json(text, file);
    read.problems = std::move(json.problems);
    const bool is_complete = read.problems.empty();
    if (!is_complete && !json.value.is_object()) return read;
    if (!overrides.empty() && json.value.is_object()) {
        apply_overrides(json.value, overrides, read.problems);
        read.scene.text = to_text(json.value) + '\n';
    }
    ValueReader(read.scene, read.problems, is_complete).read_scene(json.value);
    if (is_complete && json.value.is_object()) add_checks(read);
    const auto is_before = [](const Problem& a, const Problem& b) { return a.line < b.line; };
    std::stable_sort(read.problems.begin(), read.problems.end(), is_before);
    return read;
}

SceneRead read_scene(const std::string& path, const std::vector<Override>& overrides)
{
    FileText file = text_of_file(path);
    if (!file.problem) return parse_scene(file.text, path, overrides);
    SceneRead read;
    read.scene.file = path;
    read.problems.push_back(std::move(*file.problem));
    return read;
}

Scene load_scene(const std::string& path, const std::vector<Override>& overrides)
{
    FileText file = text_of_file(path);
    if (file.problem) throw Error(std::move(*file.problem), ErrorKind::cannot_access);
    SceneRead read = parse_scene(file.text, path, overrides);
    if (!read.problems.empty()) throw Error(std::move(read.problems));
    return std::move(read.scene);
}

}  // namespace pliant
