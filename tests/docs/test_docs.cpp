// SPDX-License-Identifier: MIT
// The documentation tells the truth: its commands run, its scenes build, its files and links exist.
//
// Every ```sh and ```python block of README.md and docs/*.md is executed, in order, one folder per
// document. What is not run is marked, ```console or `<!-- not run: reason -->`, and listed in the output.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <regex>

#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>

#include "cli/program.h"
#include "docs/markdown.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = PLIANT_SOURCE;
constexpr const char* kPython = "/usr/bin/python3";

// A folder that looks like the root of the repository to a reader: scenes are copies, so that a command
// may write beside them; everything else but build/ is a link.
class Commands : public CommandLine {
public:
    explicit Commands(Document document) : document_(std::move(document)) {}

    void SetUp() override
    {
        CommandLine::SetUp();
        fs::remove(path("scene.json"));
        for (const auto& entry : fs::directory_iterator(kRoot)) {
            const std::string name = entry.path().filename().string();
            if (name == "scenes")
                fs::copy(entry.path(), path(name), fs::copy_options::recursive);
            else if (name != "build" && name != "demo" && name != ".git")
                fs::create_symlink(entry.path(), path(name));
        }
        fs::create_directories(path("build/release"));
        fs::create_symlink(PLIANT_PROGRAM, path("build/release/pliant"));
    }

    void TestBody() override
    {
        int ran = 0, not_run = 0;
        for (const Block& block : document_.blocks) {
            const bool can_run = block.language == "sh" || block.language == "python";
            if (!can_run && block.not_run.empty() && !is_for_a_shell(block)) continue;
            EXPECT_TRUE(block.language != "bash" && block.language != "shell")
                << document_.at(block.line) << ": write ```sh to have it run, ```console to not";
            if (can_run && block.not_run.empty() && (block.language == "sh" || fs::exists(kPython))) {
                block.language == "sh" ? run_shell(block) : run_python(block);
                ++ran;
                continue;
            }
            ++not_run;
            const std::string why = !block.not_run.empty()       ? block.not_run
                                    : block.language == "python" ? std::string("there is no ") + kPython
                                    : block.language.empty()     ? "no language"
                                                                 : block.language;
            std::printf("not run: %s: %s: %s\n", document_.at(block.line).c_str(), why.c_str(),
                        block.text.substr(0, block.text.find('\n')).c_str());
        }
        std::printf("%s: %d blocks run, %d not run\n", document_.path.c_str(), ran, not_run);
    }

private:
    static bool is_for_a_shell(const Block& block)
    {
        static const std::regex shells("console|bash|shell"), command("(pliant|make|tools/setup)\\b[^]*");
        return std::regex_match(block.language, shells) ||
               (block.language.empty() && std::regex_match(block.text, command));
    }
    void run_shell(const Block& block) const
    {
        for (const Command& command : commands_of(block)) {
            EXPECT_FALSE(command.text.starts_with("cd ")) << document_.at(command.line) << ": each command runs alone";
            const Ran ran = bash("set -o pipefail; export PATH=\"$PWD/build/release:$PATH\"\n" + command.text);
            ASSERT_EQ(ran.code, command.exit_code) << document_.at(command.line) << ": " << command.text << "\n"
                                                   << ran.out << ran.err;
        }
    }
    void run_python(const Block& block) const
    {
        write("block.py", block.text);
        const Ran ran = bash(std::string(kPython) + " block.py");
        ASSERT_EQ(ran.code, 0) << document_.at(block.line) << ":\n" << ran.out << ran.err;
    }

    Document document_;
};

// One test per document: CommandsOf.README, CommandsOf.docs_hello …
const bool kRegistered = [] {
    for (const Document& document : documents(kRoot)) {
        std::string name = document.path.substr(0, document.path.size() - 3);
        std::replace_if(
            name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
        ::testing::RegisterTest("CommandsOf", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                                [document]() -> CommandLine* { return new Commands(document); });
    }
    return true;
}();

std::string without_licence(const std::string& text)
{
    return text.starts_with("// SPDX") ? text.substr(text.find('\n') + 1) : text;
}

// Where a backticked path may be: at the root, or a room of the library.
bool exists_in_repository(std::string path)
{
    if (const auto colon = path.find(':'); colon != std::string::npos) path.resize(colon);
    return fs::exists(kRoot / path) || fs::exists(kRoot / "src/pliant" / path);
}

bool looks_like_a_path(const std::string& text)
{
    static const std::regex pattern(
        "(src|apps|docs|scenes|tests|tools|examples|fuzz|cmake|\\.ci|base|parameters|mesh|io|energy|rigid|contact|"
        "model|response|solver|scene|world|record|lab)/[\\w./-]+|[A-Z][A-Za-z]+\\.(md|txt|json)|Makefile|LICENSE");
    // NAME stands for a name of the reader's choice.
    return std::regex_match(text, pattern) && text.find("NAME") == std::string::npos;
}

TEST(Markdown, CommandsKeepTheirContinuationsHereDocumentsAndExitCodes)
{
    const Block block{"sh", "# talk\n\na \\\n  b\ncat > c <<'END'\n# d\nEND\ne   # exit 3\n", "", 10};
    const std::vector<Command> commands = commands_of(block);
    ASSERT_EQ(commands.size(), 3u);
    EXPECT_EQ(commands[0].text, "a \\\n  b");
    EXPECT_EQ(commands[0].line, 13);
    EXPECT_EQ(commands[1].text, "cat > c <<'END'\n# d\nEND");
    EXPECT_EQ(commands[1].exit_code, 0);
    EXPECT_EQ(commands[2].exit_code, 3);
}

TEST(Markdown, FindsBlocksMentionsAndHeadings)
{
    std::istringstream text("# The step: one `loop`\nsee `a/b.h` and [c](d.md#e)\n<!-- not run: why -->\n"
                            "```sh\nx `y`\n```\n```json\n{}\n```\n");
    const Document document = parse_markdown("page.md", text);
    EXPECT_EQ(document.anchors, std::vector<std::string>{"the-step-one-loop"});
    ASSERT_EQ(document.blocks.size(), 2u);
    EXPECT_EQ(document.blocks[0].not_run, "why");
    EXPECT_EQ(document.blocks[1].not_run, "");
    ASSERT_EQ(document.codes.size(), 2u);
    EXPECT_EQ(document.codes[1].text, "a/b.h");
    ASSERT_EQ(document.links.size(), 1u);
    EXPECT_EQ(document.links[0].text, "d.md#e");
}

class Generated : public CommandLine {};

TEST_F(Generated, SceneFormatIsWhatTheProgramPrints)
{
    EXPECT_TRUE(text_of_file(PLIANT_SOURCE "/docs/scene-format.md") == pliant({"schema", "--manual"}).out)
        << "docs/scene-format.md is generated: build/release/pliant schema --manual > docs/scene-format.md";
}

TEST(Documentation, ScenesParseAndBuild)
{
    int whole = 0;
    for (const Document& document : documents(kRoot))
        for (const Block& block : document.blocks) {
            if (block.language != "json" && block.language != "jsonc") continue;
            const bool is_whole = block.text.starts_with("{") && block.text.find("\"bodies\":") != std::string::npos;
            if (!is_whole) {
                const std::string text = block.text.starts_with("{") ? block.text : "{" + block.text + "}";
                EXPECT_TRUE(parse_json(text, document.path).problems.empty()) << document.at(block.line);
                continue;
            }
            ++whole;
            const SceneRead read = parse_scene(block.text, document.path);
            ASSERT_TRUE(read.problems.empty()) << document.at(block.line) << ": " << read.problems[0].message;
            const Build build = try_build(read.scene);
            EXPECT_TRUE(build.problems.empty()) << document.at(block.line) << ": " << build.problems[0].message;
        }
    EXPECT_GT(whole, 0);
}

TEST(Documentation, ProgramsAreExamples)
{
    for (const Document& document : documents(kRoot))
        for (const Block& block : document.blocks) {
            if (block.language != "cpp" || block.text.find("int main(") == std::string::npos) continue;
            bool found = false;
            for (const auto& entry : fs::directory_iterator(kRoot / "examples/cpp"))
                found |= without_licence(text_of_file(entry.path())) == without_licence(block.text);
            EXPECT_TRUE(found) << document.at(block.line) << ": no file of examples/cpp is this program";
        }
}

TEST(Documentation, FilesItNamesExist)
{
    for (const Document& document : documents(kRoot))
        for (const Mention& code : document.codes)
            if (looks_like_a_path(code.text)) {
                EXPECT_TRUE(exists_in_repository(code.text)) << document.at(code.line) << ": " << code.text;
            }
}

TEST(Documentation, MakeTargetsItNamesExist)
{
    const std::string makefile = text_of_file(PLIANT_SOURCE "/Makefile");
    static const std::regex pattern("make ([a-z-]+)( .*)?");
    for (const Document& document : documents(kRoot))
        for (const Mention& code : document.codes) {
            std::smatch match;
            if (std::regex_match(code.text, match, pattern)) {
                EXPECT_NE(makefile.find("\n" + match[1].str() + ":"), std::string::npos)
                    << document.at(code.line) << ": " << code.text;
            }
        }
}

TEST(Documentation, LinksResolve)
{
    const std::vector<Document> all = documents(kRoot);
    for (const Document& document : all)
        for (const Mention& link : document.links) {
            if (link.text.starts_with("http")) continue;
            const auto hash = link.text.find('#');
            const std::string file = link.text.substr(0, hash);
            const fs::path target = file.empty() ? fs::path(document.path)
                                                 : (fs::path(document.path).parent_path() / file).lexically_normal();
            EXPECT_TRUE(fs::exists(kRoot / target)) << document.at(link.line) << ": " << link.text;
            if (hash == std::string::npos) continue;
            const auto to = std::find_if(all.begin(), all.end(), [&](const Document& d) { return d.path == target; });
            ASSERT_NE(to, all.end()) << document.at(link.line) << ": " << link.text;
            EXPECT_NE(std::find(to->anchors.begin(), to->anchors.end(), link.text.substr(hash + 1)), to->anchors.end())
                << document.at(link.line) << ": no heading for " << link.text;
        }
}

class Examples : public CommandLine {};

// They run where their scenes are found, and say what they found.
TEST_F(Examples, RunAndSucceed)
{
    fs::create_symlink(PLIANT_SCENES, path("scenes"));
    const fs::path built = fs::path(PLIANT_PROGRAM).parent_path();
    int count = 0;
    for (const auto& entry : fs::directory_iterator(kRoot / "examples/cpp")) {
        const std::string text = text_of_file(entry.path());
        EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 60) << entry.path() << " is longer than an example";
        const fs::path program = built / ("example_" + entry.path().stem().string());
        ASSERT_TRUE(fs::exists(program)) << program << " is not built: add_subdirectory(examples)";
        const Ran ran = finish(start({program.string()}));
        EXPECT_EQ(ran.code, 0) << program << "\n" << ran.out << ran.err;
        EXPECT_FALSE(ran.out.empty()) << program;
        ++count;
    }
    EXPECT_GE(count, 3);
}

}  // namespace
}  // namespace pliant
