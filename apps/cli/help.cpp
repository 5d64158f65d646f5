// SPDX-License-Identifier: MIT
#include "help.h"

#include <cctype>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "verbs.h"

namespace pliant::cli {

namespace {

std::string in_capitals(std::string text)
{
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter()
    {
        column_width(26);
        label("Positionals", "Arguments");
        label("SUBCOMMAND", "VERB …");
        label("OPTIONS", "options");
        label("TEXT", "WORD");
        label("INT", "N");
        label("UINT", "N");
        label("FLOAT", "NUMBER");
    }

    std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode) const override
    {
        std::string text;
        for (const CLI::App* verb : app->get_subcommands({})) text += make_subcommand(verb);
        return text.empty() ? "" : "\nVerbs:\n" + text;
    }

    std::string make_subcommand(const CLI::App* verb) const override
    {
        const std::string text = verb->get_description();
        std::stringstream out;
        CLI::detail::format_help(out, verb->get_name(), text.substr(0, text.find('\n')), get_column_width());
        return out.str();
    }

    std::string make_option_name(const CLI::Option* option, bool is_positional) const override
    {
        if (is_positional) return in_capitals(option->get_name(true, false));
        std::string name = option->get_name(false, true);
        if (const std::size_t comma = name.find(','); comma != std::string::npos) name.insert(comma + 1, " ");
        return name;
    }

    std::string make_option_opts(const CLI::Option* option) const override
    {
        if (option->get_positional() || option->get_type_size() == 0) return "";
        return ' ' + get_label(option->get_type_name());
    }

    std::string make_option_usage(const CLI::Option* option) const override
    {
        std::string name = make_option_name(option, true);
        if (option->get_expected_max() > 1) name += "…";
        return option->get_required() ? name : '[' + name + ']';
    }
};

const CLI::App& deepest_verb(const CLI::App& app)
{
    const std::vector<CLI::App*> parsed = app.get_subcommands();
    return parsed.empty() ? app : deepest_verb(*parsed.front());
}

std::string full_name(const CLI::App& verb)
{
    return verb.get_parent() ? full_name(*verb.get_parent()) + ' ' + verb.get_name() : verb.get_name();
}

std::vector<std::string> verbs_of(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
    return names;
}

const CLI::App* find_verb(const CLI::App& app, const std::string& name)
{
    for (const CLI::App* verb : app.get_subcommands({}))
        if (verb->get_name() == name) return verb;
    return nullptr;
}

// The option that was probably meant, as " (did you mean '--output'?)".
std::string nearest_option(const CLI::App& verb, const std::vector<std::string>& extras)
{
    std::vector<std::string> options;
    for (const CLI::Option* option : verb.get_options())
        for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    for (const std::string& word : extras) {
        if (!word.starts_with("--")) continue;
        const std::string nearest = nearest_name(word.substr(0, word.find('=')), options);
        if (!nearest.empty()) return fmt::format(" (did you mean '{}'?)", nearest);
    }
    return "";
}

}  // namespace

std::shared_ptr<CLI::Formatter> help_formatter()
{
    return std::make_shared<HelpFormatter>();
}

void check_verbs(const CLI::App& app, int argc, const char* const* argv)
{
    const CLI::App* verb = &app;
    for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
        const std::vector<std::string> names = verbs_of(*verb);
        if (names.empty()) return;
        const CLI::App* next = find_verb(*verb, argv[i]);
        if (!next)
            throw Error(Problem{.message = fmt::format("'{}' is no verb of {}", argv[i], full_name(*verb)),
                                .cure = suggestion(argv[i], names)},
                        ErrorKind::usage);
        verb = next;
    }
}

int report_usage(const CLI::App& app, const CLI::ParseError& error)
{
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const CLI::App& verb = deepest_verb(app);
    if (!verbs_of(verb).empty()) {
        fmt::print(stderr, "{}", verb.help(verb.get_parent() ? full_name(*verb.get_parent()) : ""));
        return kUsage;
    }
    const std::vector<std::string> extras = app.remaining(true);
    std::string what = extras.empty() ? error.what() : "did not expect";
    for (const std::string& word : extras) what += ' ' + word;
    fmt::print(stderr, "pliant: {}: {}{}\nSee {} --help\n", verb.get_name(), what, nearest_option(verb, extras),
               full_name(verb));
    return kUsage;
}

}  // namespace pliant::cli
