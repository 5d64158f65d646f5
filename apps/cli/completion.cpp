// SPDX-License-Identifier: MIT

// pliant completion: scripts that let shells complete verbs, options and files.
//
// All three come from the program's own description of itself, so that no verb or option is listed
// twice. An option or argument whose type name has bars ("bash|zsh|fish") offers these words; other
// arguments are file names, numbers are left to the user.

#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "verbs.h"

namespace pliant::cli {

namespace {

struct Word {
    std::string long_name, short_name;  ///< both empty for an argument
    std::string sentence;
    bool takes_value = false, repeats = false;
    std::vector<std::string> choices;
    bool is_file = false;
};

struct Verb {
    std::string path;  ///< "mesh make"; empty for the program itself
    std::string sentence;
    std::vector<std::string> verbs;
    std::vector<Word> options, arguments;
};

std::vector<std::string> split(const std::string& text, char at)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
    return parts;
}

std::string joined(const std::vector<std::string>& words, const char* glue = " ")
{
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : glue) + word;
    return text;
}

Word word_of(const CLI::Option& option)
{
    Word word{.sentence = option.get_description()};
    if (!option.get_lnames().empty()) word.long_name = option.get_lnames().front();
    if (!option.get_snames().empty()) word.short_name = option.get_snames().front();
    const std::string full_type = option.get_type_name();
    const std::string type = full_type.substr(0, full_type.find(':'));  // what follows is a check, N:NONNEGATIVE
    word.takes_value = option.get_type_size() != 0;
    word.repeats = option.get_expected_max() > 1;
    if (type.find('|') != std::string::npos) word.choices = split(type, '|');
    word.is_file = word.takes_value && word.choices.empty() && type != "INT" && type != "FLOAT" && type != "N";
    return word;
}

void collect(std::vector<Verb>& all, const CLI::App& app, const std::string& path)
{
    const std::string text = app.get_description();
    Verb verb{.path = path, .sentence = text.substr(0, text.find('\n'))};
    for (const CLI::Option* option : app.get_options())
        (option->get_positional() ? verb.arguments : verb.options).push_back(word_of(*option));
    const std::vector<const CLI::App*> below = app.get_subcommands({});
    for (const CLI::App* next : below) verb.verbs.push_back(next->get_name());
    all.push_back(std::move(verb));
    for (const CLI::App* next : below)
        collect(all, *next, path.empty() ? next->get_name() : path + ' ' + next->get_name());
}

std::vector<std::string> names_of(const Word& word)
{
    std::vector<std::string> names;
    if (!word.long_name.empty()) names.push_back("--" + word.long_name);
    if (!word.short_name.empty()) names.push_back("-" + word.short_name);
    return names;
}

// --- bash ---------------------------------------------------------------------------------------------

std::string bash_values(const Word& word)
{
    if (!word.choices.empty()) return fmt::format("words='{}'", joined(word.choices));
    return word.is_file ? "files=1" : ":";
}

std::string bash_case(const Verb& verb)
{
    std::string text = fmt::format("    '{}')\n        case $previous in\n", verb.path);
    std::vector<std::string> options;
    for (const Word& option : verb.options) {
        for (const std::string& name : names_of(option)) options.push_back(name);
        if (option.takes_value)
            text += fmt::format("        {}) {}; done=1 ;;\n", joined(names_of(option), "|"), bash_values(option));
    }
    text += "        esac\n";
    text += fmt::format("        options='{}'\n        verbs='{}'\n", joined(options), joined(verb.verbs));
    for (const Word& argument : verb.arguments)
        text += fmt::format("        [ -n \"$done\" ] || {{ {}; }}\n",
                            argument.choices.empty() ? bash_values(argument)
                                                     : fmt::format("words=\"$words {}\"", joined(argument.choices)));
    return text + "        ;;\n";
}

std::string bash_script(const std::vector<Verb>& verbs)
{
    std::string paths, cases;
    for (const Verb& verb : verbs) {
        if (!verb.path.empty()) paths += (paths.empty() ? "" : "|") + fmt::format("'{}'", verb.path);
        cases += bash_case(verb);
    }
    return fmt::format(R"(# pliant for bash: source <(pliant completion bash)
_pliant()
{{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
    local path='' next i words='' options='' verbs='' files='' done=''
    for ((i = 1; i < COMP_CWORD; i++)); do
        next="${{path:+$path }}${{COMP_WORDS[i]}}"
        case $next in
        {}) path=$next ;;
        esac
    done
    case $path in
{}    esac
    COMPREPLY=()
    if [ -z "$done" ]; then
        case $current in
        -*) words=$options; files='' ;;
        *) words="$words $verbs" ;;
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    if [ -n "$files" ]; then
        compopt -o filenames 2>/dev/null
        COMPREPLY+=($(compgen -f -- "$current"))
    fi
}}
complete -F _pliant pliant
)",
                       paths, cases);
}

// --- zsh ----------------------------------------------------------------------------------------------

// Text inside the single quotes of an _arguments specification.
std::string zsh_text(const std::string& text)
{
    std::string safe;
    for (const char c : text) {
        if (c == '\n') break;
        if (c == '\'') {
            safe += "'\\''";
            continue;
        }
        if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
        safe += c;
    }
    return safe;
}

std::string zsh_values(const Word& word)
{
    if (!word.choices.empty()) return fmt::format("({})", joined(word.choices));
    return word.is_file ? "_files" : "";
}

std::string zsh_function_name(const Verb& verb)
{
    std::string name = "_pliant";
    for (const std::string& part : split(verb.path, ' ')) name += '_' + part;
    return name;
}

std::string zsh_function(const Verb& verb, const std::vector<Verb>& all)
{
    std::string text = zsh_function_name(verb) + "() {\n    local line state\n    _arguments -C";
    for (const Word& option : verb.options)
        for (const std::string& name : names_of(option))
            text += fmt::format(" \\\n        '{}{}[{}]{}'", option.repeats ? "*" : "", name, zsh_text(option.sentence),
                                option.takes_value ? ":value:" + zsh_values(option) : "");
    for (const Word& argument : verb.arguments)
        text += fmt::format(" \\\n        '{}:{}:{}'", argument.repeats ? "*" : "", zsh_text(argument.sentence),
                            zsh_values(argument));
    if (verb.verbs.empty()) return text + "\n}\n";
    text +=
        " \\\n        '1:verb:->verb' '*::argument:->rest'\n    case $state in\n    verb)\n        local -a verbs=(";
    for (const Verb& next : all)
        for (const std::string& name : verb.verbs)
            if (next.path == (verb.path.empty() ? name : verb.path + ' ' + name))
                text += fmt::format("\n            '{}:{}'", name, zsh_text(next.sentence));
    text += ")\n        _describe verb verbs ;;\n    rest)\n        case $line[1] in\n";
    for (const std::string& name : verb.verbs)
        text += fmt::format("        {0}) {1}_{0} ;;\n", name, zsh_function_name(verb));
    return text + "        esac ;;\n    esac\n}\n";
}

std::string zsh_script(const std::vector<Verb>& verbs)
{
    std::string text = "#compdef pliant\n# pliant for zsh: pliant completion zsh > a folder of $fpath/_pliant\n";
    for (const Verb& verb : verbs) text += zsh_function(verb, verbs);
    return text + "if [ \"$funcstack[1]\" = _pliant ]; then _pliant \"$@\"; else compdef _pliant pliant; fi\n";
}

// --- fish ---------------------------------------------------------------------------------------------

std::string fish_text(const std::string& text)
{
    std::string safe;
    for (const char c : text) {
        if (c == '\n') break;
        if (c == '\'' || c == '\\') safe += '\\';
        safe += c;
    }
    return safe;
}

std::string fish_values(const Word& word)
{
    if (!word.choices.empty()) return fmt::format(" -x -a '{}'", joined(word.choices));
    return !word.takes_value ? "" : word.is_file ? " -r -F" : " -x";
}

std::string fish_script(const std::vector<Verb>& verbs)
{
    std::string text = "# pliant for fish: pliant completion fish > ~/.config/fish/completions/pliant.fish\n"
                       "# The verbs typed so far, so that 'mesh make' is told from 'mesh'.\n"
                       "function __pliant_at\n"
                       "    set -l path\n"
                       "    for word in (commandline -opc)[2..-1]\n"
                       "        string match -q -- '-*' $word; and break\n"
                       "        set -a path $word\n"
                       "    end\n"
                       "    set -l wanted (string split -n ' ' -- $argv[1])\n"
                       "    test (count $path) -ge (count $wanted); or return 1\n"
                       "    test (count $wanted) -eq 0; and test (count $path) -gt 0; and return 1\n"
                       "    for i in (seq (count $wanted))\n"
                       "        test $path[$i] = $wanted[$i]; or return 1\n"
                       "    end\n"
                       "end\n"
                       "complete -c pliant -f\n";
    for (const Verb& verb : verbs) {
        const std::string here = fmt::format("complete -c pliant -n '__pliant_at \"{}\"'", verb.path);
        for (const Verb& next : verbs)
            for (const std::string& name : verb.verbs)
                if (next.path == (verb.path.empty() ? name : verb.path + ' ' + name))
                    text += fmt::format("{} -a {} -d '{}'\n", here, name, fish_text(next.sentence));
        for (const Word& option : verb.options) {
            text += here;
            if (!option.long_name.empty()) text += " -l " + option.long_name;
            if (!option.short_name.empty()) text += " -s " + option.short_name;
            text += fmt::format("{} -d '{}'\n", fish_values(option), fish_text(option.sentence));
        }
        for (const Word& argument : verb.arguments)
            if (!argument.choices.empty())
                text += fmt::format("{} -a '{}'\n", here, joined(argument.choices));
            else if (argument.is_file)
                text += here + " -F\n";
    }
    return text;
}

}  // namespace

void setup_completion(CLI::App& app, int& exit_code)
{
    auto shell = std::make_shared<std::string>();
    CLI::App* verb =
        app.add_subcommand("completion", "Print a script that lets your shell complete pliant's words.\n\n"
                                         "  source <(pliant completion bash)\n"
                                         "  pliant completion zsh > ~/.zfunc/_pliant\n"
                                         "  pliant completion fish > ~/.config/fish/completions/pliant.fish\n");
    verb->add_option("shell", *shell, "bash, zsh or fish")->required()->type_name("bash|zsh|fish");
    verb->callback([shell, &app, &exit_code] {
        std::vector<Verb> verbs;
        collect(verbs, app, "");
        exit_code = kOk;
        if (*shell == "bash") return fmt::print("{}", bash_script(verbs));
        if (*shell == "zsh") return fmt::print("{}", zsh_script(verbs));
        if (*shell == "fish") return fmt::print("{}", fish_script(verbs));
        throw Error(Problem{.message = fmt::format("no completion for '{}'", *shell),
                            .cure = suggestion(*shell, {"bash", "zsh", "fish"})},
                    ErrorKind::usage);
    });
}

}  // namespace pliant::cli
