// SPDX-License-Identifier: MIT
#include <pliant/scene/overrides.h>

// Paths of --set: dots lead through objects and lists; keys of "expect" and of an input's "set" have
// dots of their own and are taken whole.

#include <utility>

#include <pliant/scene/wording.h>

namespace pliant {

namespace {

/// The first part of a path and the rest.
std::pair<std::string, std::string> cut_at_dot(const std::string& path)
{
    const std::size_t dot = path.find('.');
    if (dot == std::string::npos) return {path, ""};
    return {path.substr(0, dot), path.substr(dot + 1)};
}

/// Where the key with dots begins, or npos: 7 in "expect.box.volume", 13 in "inputs.0.set.bodies.box.mass".
std::size_t key_with_dots(const std::string& path)
{
    if (path.starts_with("expect.")) return 7;
    const std::size_t set = path.find(".set.");
    return path.starts_with("inputs.") && set != std::string::npos ? set + 5 : std::string::npos;
}

const Json* value_at(const Json& root, std::string path)
{
    const Json* at = &root;
    while (at && !path.empty()) {
        auto [key, rest] = cut_at_dot(path);
        if (at->is_array()) {
            const auto index = parse_value_or_string(key).as_integer();
            const bool is_there = index && *index >= 0 && static_cast<std::size_t>(*index) < at->items.size();
            at = is_there ? &at->items[static_cast<std::size_t>(*index)] : nullptr;
        } else {
            at = at->find(key);
        }
        path = std::move(rest);
    }
    return at;
}

/// "inputs.0.time" begins a list where there is none yet.
void make_lists(Json& root, const std::string& path)
{
    for (std::size_t zero = path.find(".0"); zero != std::string::npos; zero = path.find(".0", zero + 1)) {
        const bool is_index = zero + 2 == path.size() || path[zero + 2] == '.';
        const Json* there = value_at(root, path.substr(0, zero));
        if (is_index && (!there || there->is_null())) set_path(root, path.substr(0, zero), Json::array());
    }
}

/// A misspelt name would otherwise quietly make a new and half-empty body.
bool names_what_exists(const Json& root, const std::string& path, Problem& problem)
{
    const auto [top, rest] = cut_at_dot(path);
    const auto [name, member] = cut_at_dot(rest);
    if ((top != "bodies" && top != "colliders") || member.empty()) return true;
    const Json* named = root.find(top);
    if (!named || !named->is_object() || named->find(name)) return true;
    std::vector<std::string> names;
    for (const JsonMember& known : named->members) names.push_back(known.key);
    problem.where = pointer_child('/' + top, name);
    problem.message = "there is no '" + name + "' in " + top;
    problem.cure = suggestion(name, names);
    return false;
}

bool set_key_with_dots(Json& root, const std::string& path, std::size_t begin, const Json& value, Problem& problem)
{
    const std::string holder_path = path.substr(0, begin - 1);
    const Json* there = value_at(root, holder_path);
    Json holder = there ? *there : Json::object();
    if (!holder.is_object()) {
        problem.message = "cannot set '" + path + "': '" + holder_path + "' is " + described(holder.kind);
        return false;
    }
    holder.set(path.substr(begin), value);
    return set_path(root, holder_path, holder, &problem);
}

bool set_one(Json& root, const Override& change, Problem& problem)
{
    if (!names_what_exists(root, change.path, problem)) return false;
    const Json value = parse_value_or_string(change.value);
    const std::size_t key = key_with_dots(change.path);
    make_lists(root, change.path.substr(0, key));
    if (key != std::string::npos) return set_key_with_dots(root, change.path, key, value, problem);
    return set_path(root, change.path, value, &problem);
}

}  // namespace

std::optional<Override> parse_override(std::string_view text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) return {};
    return Override{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

void apply_overrides(Json& root, const std::vector<Override>& overrides, std::vector<Problem>& problems)
{
    for (const Override& change : overrides) {
        Problem problem;
        if (set_one(root, change, problem)) continue;
        problem.file = "--set " + change.path;
        problems.push_back(std::move(problem));
    }
}

}  // namespace pliant
