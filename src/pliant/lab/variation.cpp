// SPDX-License-Identifier: MIT
#include <pliant/lab/variation.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <pliant/base/text.h>

namespace pliant {

namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& message, const std::string& cure)
{
    throw Error(Problem{.message = fmt::format("'{}': {}", text, message), .cure = cure}, ErrorKind::usage);
}

// Parts between separators that stand outside of brackets, braces and quotes.
std::vector<std::string> cut_outside_brackets(std::string_view text, char separator)
{
    std::vector<std::string> parts(1);
    int depth = 0;
    bool quoted = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        if (!quoted && (c == '[' || c == '{')) ++depth;
        if (!quoted && (c == ']' || c == '}')) --depth;
        if (c == separator && depth == 0 && !quoted)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

std::vector<std::string> cut_at(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

struct Range {
    double low = 0, high = 0;
    std::int64_t count = 0;
    bool linear = false;
};

// "lo..hi:n" or "lo..hi:n:linear"; nothing for any other text.
std::optional<Range> as_range(std::string_view text)
{
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) return {};
    const std::vector<std::string> rest = cut_at(text.substr(dots + 2), ':');
    const auto low = to_number(text.substr(0, dots)), high = to_number(rest[0]);
    const auto count = rest.size() > 1 ? to_integer(rest[1]) : std::nullopt;
    if (!low || !high || !count || rest.size() > 3) return {};
    if (rest.size() == 3 && rest[2] != "linear" && rest[2] != "log") return {};
    return Range{*low, *high, *count, rest.size() == 3 && rest[2] == "linear"};
}

std::vector<std::string> values_of(const Range& range, std::string_view text)
{
    if (range.count < 2 || range.count > static_cast<std::int64_t>(kMostRuns))
        refuse(text, fmt::format("a range of {} values", range.count), fmt::format("from 2 to {}", kMostRuns));
    if (!range.linear && !(range.low > 0 && range.high > 0))
        refuse(text, "a logarithmic range begins and ends above zero", "or write lo..hi:n:linear");
    // Few digits read better, as long as neighbours stay apart; the ends are what was written.
    const double ratio = std::pow(range.high / range.low, 1 / static_cast<double>(range.count - 1));
    const int digits = !range.linear && std::abs(ratio - 1) > 0.05 ? 4 : 12;
    std::vector<std::string> values;
    for (std::int64_t i = 0; i < range.count; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(range.count - 1);
        const double value = range.linear ? range.low + part * (range.high - range.low)
                                          : range.low * std::pow(range.high / range.low, part);
        const bool is_end = i == 0 || i + 1 == range.count;
        values.push_back(fmt::format("{:.{}g}", value, is_end ? 15 : digits));
    }
    return values;
}

std::string last_word(const std::string& path)
{
    return path.substr(path.rfind('.') + 1);
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

// Which of the two would hold is nothing a reader should have to guess.
void refuse_double_settings(const std::vector<Variation>& variations)
{
    for (const Variation& cases : variations)
        for (std::size_t c = 0; c < cases.cases.size(); ++c)
            for (const Override& setting : cases.cases[c])
                for (const Variation& other : variations)
                    if (other.path == setting.path)
                        refuse(setting.path, fmt::format("is varied, and the case '{}' sets it too", cases.values[c]),
                               "leave it to one of them");
}

}  // namespace

std::optional<std::vector<double>> Variation::numbers() const
{
    if (!cases.empty()) return {};
    std::vector<double> all;
    for (const std::string& value : values) {
        const std::optional<double> number = to_number(value);
        if (!number) return {};
        all.push_back(*number);
    }
    return all;
}

Variation parse_variation(std::string_view text)
{
    constexpr const char* example = "for example solver.kind=euler,rk4 or solver.step=0.001..0.1:5";
    const std::optional<Override> pair = parse_override(text);
    if (!pair) refuse(text, "expected a path, '=' and values", example);
    Variation variation{pair->path, {}};
    if (pair->value.find("..") != std::string::npos && pair->value.find_first_of("[{\"/") == std::string::npos) {
        const std::optional<Range> range = as_range(pair->value);
        if (!range) refuse(text, "expected a range lo..hi:n", "n values, or lo..hi:n:linear; " + std::string(example));
        variation.values = values_of(*range, text);
        return variation;
    }
    variation.values = cut_outside_brackets(pair->value, ',');
    for (std::size_t i = 0; i < variation.values.size(); ++i) {
        const auto& values = variation.values;
        if (values[i].empty()) refuse(text, "one of the values is empty", example);
        if (std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), values[i]) !=
            values.begin() + static_cast<std::ptrdiff_t>(i))
            refuse(text, fmt::format("the value {} comes twice", values[i]), "give it once");
    }
    return variation;
}

Settings parse_settings(std::string_view text)
{
    Settings settings;
    for (const std::string& part : cut_outside_brackets(text, ' ')) {
        if (part.empty()) continue;
        const std::optional<Override> setting = parse_override(part);
        if (!setting)
            refuse(text, "expected path=value, separated by spaces", "such as solver.kind=rk4 solver.step=1e-4");
        settings.push_back(*setting);
    }
    return settings;
}

std::pair<std::string, std::string> parse_case(std::string_view text)
{
    const std::size_t colon = text.find(':');
    const std::string name(trimmed(text.substr(0, colon)));
    // A colon behind an equals sign belongs to a value: the name was forgotten.
    if (colon == std::string_view::npos || name.empty() || name.find('=') != std::string::npos)
        refuse(text, "expected a name, ':' and settings", "such as \"stiff: solver.step=1e-4 bodies.sheet.damping=2\"");
    return {name, std::string(trimmed(text.substr(colon + 1)))};
}

Variation cases_of(const Named<std::string>& cases)
{
    Variation variation{.path = kCase, .values = {}};
    for (const auto& [name, text] : cases) {
        if (name.empty()) refuse(text, "a case without a name", "names stand in tables and legends");
        if (std::find(variation.values.begin(), variation.values.end(), name) != variation.values.end())
            refuse(name, "two cases have this name", "give one of them another");
        variation.values.push_back(name);
        variation.cases.push_back(parse_settings(text));
    }
    return variation;
}

std::vector<Variation> variations_of(const CompareScene& compare)
{
    std::vector<Variation> all;
    if (!compare.cases.empty()) all.push_back(cases_of(compare.cases));
    for (const std::string& text : compare.vary) all.push_back(parse_variation(text));
    return all;
}

std::vector<Settings> combinations(const std::vector<Variation>& variations)
{
    refuse_double_settings(variations);
    std::vector<Settings> all(1);
    for (std::size_t v = 0; v < variations.size(); ++v) {
        for (std::size_t before = 0; before < v; ++before)
            if (variations[before].path == variations[v].path)
                refuse(variations[v].path, "is varied twice", "put all values into one list");
        if (all.size() * variations[v].values.size() > kMostRuns)
            refuse(variations[v].path, fmt::format("makes more than {} runs", kMostRuns), "vary less at a time");
        std::vector<Settings> longer;
        for (const Settings& settings : all)
            for (const std::string& value : variations[v].values) {
                longer.push_back(settings);
                longer.back().push_back({variations[v].path, value});
            }
        all = std::move(longer);
    }
    return all;
}

Settings expanded(const std::vector<Variation>& variations, const Settings& settings)
{
    Settings all;
    for (std::size_t v = 0; v < settings.size(); ++v) {
        const Variation& variation = variations[v];
        if (variation.cases.empty()) {
            all.push_back(settings[v]);
            continue;
        }
        const auto at = std::find(variation.values.begin(), variation.values.end(), settings[v].value);
        const Settings& chosen = variation.cases[static_cast<std::size_t>(at - variation.values.begin())];
        all.insert(all.end(), chosen.begin(), chosen.end());
    }
    return all;
}

std::string name_of_settings(const Settings& settings)
{
    std::string name;
    for (const Override& setting : settings) {
        const std::string word = last_word(setting.path);
        const auto alike = std::count_if(settings.begin(), settings.end(),
                                         [&](const Override& other) { return last_word(other.path) == word; });
        if (!name.empty()) name += ", ";
        if (setting.path == "solver.kind" || setting.path == kCase)
            name += setting.value;
        else
            name += (alike > 1 ? setting.path : word) + ' ' + setting.value;
    }
    return name;
}

}  // namespace pliant
