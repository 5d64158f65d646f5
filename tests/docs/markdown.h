// SPDX-License-Identifier: MIT
#pragma once

// What the tests of the documentation see of a Markdown file: fenced blocks, inline code, links, headings.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace pliant {

/// A fenced block. `not_run` is the reason of a `<!-- not run: reason -->` on the line above it.
struct Block {
    std::string language, text, not_run;
    int line = 0;  ///< of the opening fence
};

/// A piece of inline code or the target of a link.
struct Mention {
    std::string text;
    int line = 0;
};

struct Document {
    std::string path;  ///< from the root of the repository
    std::vector<Block> blocks;
    std::vector<Mention> codes, links;
    std::vector<std::string> anchors;  ///< headings, as links spell them

    std::string at(int line) const { return path + ":" + std::to_string(line); }
};

/// "The step: one loop" makes "the-step-one-loop".
inline std::string anchor_of(const std::string& heading)
{
    std::string anchor;
    for (const char c : heading) {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || (c & 0x80))
            anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (c == ' ') anchor += '-';
    }
    return anchor;
}

inline void read_mentions(Document& document, const std::string& line, int number)
{
    static const std::regex code("`([^`]+)`"), link("\\]\\(([^)]+)\\)");
    for (std::sregex_iterator at(line.begin(), line.end(), code), end; at != end; ++at)
        document.codes.push_back({(*at)[1], number});
    for (std::sregex_iterator at(line.begin(), line.end(), link), end; at != end; ++at)
        document.links.push_back({(*at)[1], number});
}

inline Document parse_markdown(const std::string& path, std::istream& in)
{
    static const std::regex note("\\s*<!-- not run: (.+) -->\\s*");
    Document document{.path = path};
    std::string line, not_run;
    bool inside = false;
    for (int number = 1; std::getline(in, line); ++number) {
        const bool is_fence = line.starts_with("```");
        if (is_fence && !inside) {
            document.blocks.push_back({line.substr(3), "", not_run, number});
            not_run.clear();
        } else if (inside && !is_fence) {
            document.blocks.back().text += line + "\n";
        } else if (!inside) {
            std::smatch match;
            not_run = std::regex_match(line, match, note) ? match[1].str() : "";
            if (line.starts_with("#")) document.anchors.push_back(anchor_of(line.substr(line.find(' ') + 1)));
            read_mentions(document, line, number);
        }
        if (is_fence) inside = !inside;
    }
    return document;
}

/// README.md, CHANGELOG.md, scenes/README.md and docs/*.md, sorted.
inline std::vector<Document> documents(const std::filesystem::path& root)
{
    std::vector<std::string> paths{"CHANGELOG.md", "README.md", "scenes/README.md"};
    for (const auto& entry : std::filesystem::directory_iterator(root / "docs"))
        if (entry.path().extension() == ".md") paths.push_back("docs/" + entry.path().filename().string());
    std::sort(paths.begin(), paths.end());
    std::vector<Document> all;
    for (const std::string& path : paths) {
        std::ifstream file(root / path);
        all.push_back(parse_markdown(path, file));
    }
    return all;
}

/// One command of a sh block: continued lines and here-documents stay together. A command may announce
/// its exit code by a comment: `pliant check bad.json   # exit 3`.
struct Command {
    std::string text;
    int line = 0, exit_code = 0;
};

inline std::vector<Command> commands_of(const Block& block)
{
    static const std::regex here("<<-?\\s*['\"]?(\\w+)['\"]?"), code("#\\s*exit\\s+(\\d+)\\s*$");
    std::vector<Command> commands;
    std::istringstream in(block.text);
    std::string line, until;
    bool goes_on = false;
    for (int number = block.line + 1; std::getline(in, line); ++number) {
        const bool is_new = !goes_on && until.empty();
        if (is_new && (line.empty() || line.starts_with("#"))) continue;
        if (is_new)
            commands.push_back({line, number});
        else
            commands.back().text += "\n" + line;
        if (!until.empty()) {
            if (line == until) until.clear();
            continue;
        }
        goes_on = line.ends_with("\\");
        std::smatch match;
        if (std::regex_search(line, match, here)) until = match[1];
        if (std::regex_search(line, match, code)) commands.back().exit_code = std::stoi(match[1]);
    }
    return commands;
}

}  // namespace pliant
