// SPDX-License-Identifier: MIT

// The real window on a display of its own: real clicks, drags and keys by xdotool, seen through the window's report.

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <pliant/base/json.h>

extern char** environ;

namespace pliant {
namespace {

namespace fs = std::filesystem;

pid_t start_program(const std::vector<std::string>& words, const std::string& log, int keep_open = -1)
{
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (keep_open >= 0) posix_spawn_file_actions_adddup2(&actions, keep_open, 3);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    pid_t pid = -1;
    if (posix_spawnp(&pid, words[0].c_str(), &actions, nullptr, arguments.data(), environ) != 0) pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

int wait_for(pid_t pid)
{
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool is_installed(const std::string& program)
{
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

// An X server that nobody sees; it picks a number that is free. Keys do not repeat: on a busy machine one may stay down for
// longer than xdotool means it to.
class HiddenDisplay {
public:
    HiddenDisplay()
    {
        int ends[2];
        if (pipe(ends) != 0) return;
        pid_ = start_program({"Xvfb", "-displayfd", "3", "-screen", "0", "1300x850x24", "-nolisten", "tcp", "-r"},
                             "/dev/null", ends[1]);
        close(ends[1]);
        // It writes the number and the end of the line apart, and dies of a pipe that closes between.
        std::string text;
        for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) text += c;
        if (!text.empty()) number_ = std::atoi(text.c_str());
        close(ends[0]);
        setenv("DISPLAY", fmt::format(":{}", number_).c_str(), 1);
    }
    ~HiddenDisplay()
    {
        if (pid_ > 0) kill(pid_, SIGTERM), wait_for(pid_);
    }
    bool is_there() const { return number_ >= 0; }

private:
    pid_t pid_ = -1;
    int number_ = -1;
};

class Window : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        if (is_installed("Xvfb") && is_installed("xdotool")) display_ = new HiddenDisplay;
        // Graphics drivers keep memory until the process ends.
        setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    }
    static void TearDownTestSuite()
    {
        delete display_;
        display_ = nullptr;
    }

    void SetUp() override
    {
        if (display_ == nullptr || !display_->is_there()) GTEST_SKIP() << "needs Xvfb and xdotool";
        home_ = fs::current_path();
        folder_ = fs::temp_directory_path() / fmt::format("pliant_window_{}", getpid());
        fs::create_directories(folder_);
        fs::current_path(folder_);
        setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
    }

    void TearDown() override
    {
        if (pid_ > 0) {
            EXPECT_EQ(close_window(), 0);
        }
        if (!home_.empty()) fs::current_path(home_);
        fs::remove_all(folder_);
    }

    void open(const std::vector<std::string>& more)
    {
        fs::remove("report.json");
        std::vector<std::string> words{PLIANT_PROGRAM, "view",        "--size",    "1280x800",
                                       "--report",     "report.json", "--threads", "1"};
        words.insert(words.end(), more.begin(), more.end());
        pid_ = start_program(words, "window.log");
        ASSERT_TRUE(comes([](const Json& r) { return number(r, "pictures") >= 3; })) << log();
    }

    int close_window()
    {
        kill(pid_, SIGTERM);
        const int code = wait_for(pid_);
        pid_ = -1;
        return code;
    }

    static std::string log()
    {
        std::ifstream file("window.log");
        return {std::istreambuf_iterator<char>(file), {}};
    }

    static Json report()
    {
        std::ifstream file("report.json");
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        return parse_json(text, "report.json").value;
    }

    static double number(const Json& json, const char* key)
    {
        const Json* found = json.find(key);
        return found != nullptr && found->is_number() ? found->number : -1;
    }
    static std::string text(const Json& json, const char* key)
    {
        const Json* found = json.find(key);
        return found != nullptr ? found->text : std::string();
    }
    static bool flag(const Json& json, const char* key)
    {
        const Json* found = json.find(key);
        return found != nullptr && found->boolean;
    }

    bool comes(const std::function<bool(const Json&)>& condition, int seconds = 60) const
    {
        for (int i = 0; i < seconds * 20; ++i) {
            if (condition(report())) return true;
            if (pid_ > 0 && kill(pid_, 0) != 0) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return false;
    }

    static void tell(const std::string& words) { ASSERT_EQ(std::system(("xdotool " + words).c_str()), 0) << words; }

    std::optional<std::array<double, 2>> middle_of(const std::string& widget) const
    {
        std::optional<std::array<double, 2>> place;
        comes(
            [&](const Json& r) {
                const Json* widgets = r.find("widgets");
                const Json* found = widgets == nullptr ? nullptr : widgets->find(widget);
                if (found == nullptr) return false;
                place = {(found->items[0].number + found->items[2].number) / 2,
                         (found->items[1].number + found->items[3].number) / 2};
                return true;
            },
            20);
        return place;
    }

    void click(const std::string& widget, double share = 0.5)
    {
        ASSERT_TRUE(middle_of(widget).has_value()) << widget;
        const Json r = report();
        const Json* place = r.find("widgets")->find(widget);
        const double x = place->items[0].number + share * (place->items[2].number - place->items[0].number);
        const double y = (place->items[1].number + place->items[3].number) / 2;
        press_at(x, y);
    }

    // Slowly enough for a window that draws a few pictures a second.
    void press_at(double x, double y, const std::string& button = "1")
    {
        tell(fmt::format("mousemove {:.0f} {:.0f}", x, y));
        pictures_pass(2);
        tell("mousedown " + button);
        pictures_pass(2);
        tell("mouseup " + button);
        pictures_pass(2);
    }

    void pictures_pass(int count)
    {
        const double now = number(report(), "pictures");
        comes([&](const Json& r) { return number(r, "pictures") >= now + count; }, 20);
    }

    std::array<double, 5> body(const std::string& name) const
    {
        const Json r = report();
        const Json* place = r.find("bodies") == nullptr ? nullptr : r.find("bodies")->find(name);
        std::array<double, 5> numbers{};
        if (place != nullptr)
            for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = place->items[k].number;
        return numbers;
    }

    static std::string scene(const std::string& name) { return fmt::format("{}/{}.json", PLIANT_SCENES, name); }

    // A sheet in the air, where nothing pulls at it; loose, or held at its corners.
    std::string hanging_sheet(const std::string& pins = "") const
    {
        std::ofstream("sheet.json") << R"({ "description": "A sheet in the air",
            "world": { "gravity": [0, 0, 0], "frame_rate": 60 },
            "solver": { "kind": "implicit_euler", "step": 0.0166666 },
            "bodies": { "sheet": { "kind": "cloth", "mesh": { "grid": [9, 9], "size": [1, 1] }, "damping": 2, )"
                                    << pins << R"( "cloth": { "density": 0.3, "stretch": 200, "bend": 1e-4 } } } })";
        return "sheet.json";
    }

    static HiddenDisplay* display_;
    fs::path home_, folder_;
    pid_t pid_ = -1;
};

HiddenDisplay* Window::display_ = nullptr;

TEST_F(Window, PlaysPausesStepsAndResetsByItsButtons)
{
    open({scene("hanging_cloth")});
    EXPECT_EQ(text(report(), "scene"), "hanging_cloth");
    EXPECT_EQ(number(report(), "frame"), 0);
    click("Play");
    ASSERT_TRUE(comes([](const Json& r) { return number(r, "frame") >= 5; }));
    click("Pause");
    ASSERT_TRUE(comes([](const Json& r) { return !flag(r, "playing"); }));
    const double there = number(report(), "last_frame");
    // The frame that was under way when it was paused may still come.
    click("Step");
    EXPECT_TRUE(comes([&](const Json& r) { return number(r, "last_frame") > there; }));
    EXPECT_FALSE(flag(report(), "playing"));
    click("Reset");
    EXPECT_TRUE(comes([](const Json& r) { return number(r, "frame") == 0 && number(r, "last_frame") == 0; }));
}

// Seed 000 P-55, P-57 to P-60: the ball waits until it is dropped; gas, gravity and the integrator have their controls.
TEST_F(Window, DropsTheBallAndHasTheControlsOfTheThesis)
{
    std::ofstream("held.json") << R"({ "world": { "gravity": [0, -10, 0] }, "bodies": {
        "box": { "kind": "springs", "mesh": { "lidded_box": 8, "size": [1.5, 0.75, 1.5] }, "mass": 10, "mass_of": "lid",
                 "springs": { "k_s": 100, "k_d": 5 }, "gas": { "k_g": 68 }, "pins": [{ "select": "walls" }] },
        "ball": { "kind": "rigid", "sphere": 0.25, "mass": 0.6, "position": [0, 1.5, 0], "held": true } } })";
    open({"held.json", "--play"});
    ASSERT_TRUE(comes([](const Json& r) { return number(r, "frame") > 5; }));
    const double height = body("ball")[3];
    click("Drop");
    EXPECT_TRUE(comes([&](const Json&) { return body("ball")[3] < height - 0.05; }));
    click("Pause");
    const auto has = [&](const std::string& group, const std::vector<std::string>& names) {
        click("group " + group);
        for (const std::string& name : names) EXPECT_TRUE(middle_of(group + "." + name).has_value()) << name;
        click("group " + group);
    };
    has("world", {"gravity", "gravity_enabled"});
    has("solver", {"kind"});
    has("bodies.box.springs", {"k_s", "k_d"});
    has("bodies.box.gas", {"enabled", "k_g"});
}

TEST_F(Window, AVertexThatIsDraggedMoves)
{
    open({hanging_sheet(), "--play"});
    const auto before = body("sheet");
    tell(fmt::format("mousemove {:.0f} {:.0f}", before[0], before[1]));
    pictures_pass(2);
    tell("mousedown 1");
    ASSERT_TRUE(comes([](const Json& r) { return number(r, "grips") == 1; }));
    for (int k = 1; k <= 6; ++k) {
        tell(fmt::format("mousemove {:.0f} {:.0f}", before[0] + 10 * k, before[1] - 20 * k));
        pictures_pass(1);
    }
    EXPECT_TRUE(comes([&](const Json&) { return body("sheet")[3] > before[3] + 0.05; }));
    tell("mouseup 1");
    EXPECT_TRUE(comes([](const Json& r) { return number(r, "grips") == 0; }));
    EXPECT_GE(number(report(), "actions"), 3);
}

TEST_F(Window, ShiftClickHoldsAVertexAndLetsItGo)
{
    open({hanging_sheet()});
    const auto at = body("sheet");
    tell("keydown shift");
    press_at(at[0], at[1]);
    EXPECT_TRUE(comes([](const Json& r) { return number(r, "grips") == 1; }));
    press_at(at[0], at[1]);
    EXPECT_TRUE(comes([](const Json& r) { return number(r, "grips") == 0; }));
    tell("keyup shift");
}

TEST_F(Window, PicksRegionsAndPushesThem)
{
    open({hanging_sheet()});
    const auto at = body("sheet");
    click("Pick");
    press_at(at[0], at[1]);
    EXPECT_TRUE(comes([](const Json& r) { return number(r, "picked") == 1; }));
    click("rings", 0.3);
    press_at(at[0] + 40, at[1]);
    EXPECT_TRUE(comes([](const Json& r) { return number(r, "picked") > 5; }));
    const double picked = number(report(), "picked");
    click("Push them");
    EXPECT_TRUE(comes([&](const Json& r) { return number(r, "grips") == picked; }));
    click("Let all go");
    EXPECT_TRUE(comes([](const Json& r) { return number(r, "grips") == 0; }));
}

TEST_F(Window, ASliderChangesTheRun)
{
    open({hanging_sheet()});
    const auto run_to_ten = [&] {
        for (int k = 1; k <= 10; ++k) {
            click("Step");
            ASSERT_TRUE(comes([&](const Json& r) { return number(r, "frame") == k; })) << k;
        }
    };
    const auto at = body("sheet");
    tell("keydown shift");
    press_at(at[0], at[1]);
    tell("keyup shift");
    run_to_ten();
    const std::string before = text(report(), "hash");
    click("Reset");
    ASSERT_TRUE(comes([](const Json& r) { return number(r, "frame") == 0; }));
    click("group world");
    ASSERT_TRUE(middle_of("world.gravity").has_value());
    click("group world");  // closed again: the others move up
    ASSERT_TRUE(comes([](const Json& r) { return r.find("widgets")->find("world.gravity") == nullptr; }));
    click("group bodies.sheet");
    const double actions = number(report(), "actions");
    click("bodies.sheet.damping", 0.5);
    ASSERT_TRUE(comes([&](const Json& r) { return number(r, "actions") > actions; }));
    run_to_ten();
    EXPECT_NE(text(report(), "hash"), before);
    EXPECT_TRUE(middle_of("reset bodies.sheet.damping").has_value());
}

TEST_F(Window, KeysDoWhatTheHelpSays)
{
    open({hanging_sheet()});
    tell("mousemove 640 300");
    tell("key o");
    EXPECT_TRUE(comes([](const Json& r) { return number(r, "frame") == 1; }));
    tell("key space");
    EXPECT_TRUE(comes([](const Json& r) { return flag(r, "playing"); }));
    tell("key p");
    EXPECT_TRUE(comes([](const Json& r) { return !flag(r, "playing"); }));
    const double last = number(report(), "last_frame");
    tell("key comma");
    EXPECT_TRUE(comes([&](const Json& r) { return number(r, "frame") == last - 1; }));
    tell("key r");
    EXPECT_TRUE(comes([](const Json& r) { return number(r, "frame") == 0; }));
    tell("key Tab");
    EXPECT_TRUE(comes([](const Json& r) { return r.find("widgets")->find("Play") == nullptr; }));
    tell("key Tab");
    tell("key ctrl+o");
    EXPECT_TRUE(comes([](const Json& r) { return flag(r, "gallery"); }));
}

TEST_F(Window, ATakeIsScrubbedAndCannotBeTouched)
{
    std::ofstream("short.json") << R"({ "world": { "duration": 0.5 },
        "bodies": { "ball": { "kind": "rigid", "sphere": 0.1, "mass": 1 } } })";
    ASSERT_EQ(std::system(fmt::format("{} run short.json -o take.plrec --quiet >/dev/null", PLIANT_PROGRAM).c_str()),
              0);
    open({"take.plrec"});
    EXPECT_EQ(number(report(), "last_frame"), 30);
    click("frame", 0.5);
    EXPECT_TRUE(comes([](const Json& r) { return std::abs(number(r, "frame") - 15) <= 2; }));
    click("Play");
    EXPECT_TRUE(comes([](const Json& r) { return number(r, "frame") == 30 && !flag(r, "playing"); }));
}

TEST_F(Window, SavesAScreenshotAndATakeThatReplays)
{
    open({hanging_sheet()});
    const auto at = body("sheet");
    tell(fmt::format("mousemove {:.0f} {:.0f} mousedown 1", at[0], at[1]));
    ASSERT_TRUE(comes([](const Json& r) { return number(r, "grips") == 1; }));
    tell(fmt::format("mousemove {:.0f} {:.0f}", at[0] + 50, at[1] - 80));
    tell("key o");
    ASSERT_TRUE(comes([](const Json& r) { return number(r, "frame") == 1; }));
    tell("key o");
    ASSERT_TRUE(comes([](const Json& r) { return number(r, "frame") == 2; }));
    tell("mouseup 1");
    ASSERT_TRUE(comes([](const Json& r) { return number(r, "grips") == 0; }));
    tell("key o");
    ASSERT_TRUE(comes([](const Json& r) { return number(r, "frame") == 3; }));
    click("Screenshot");
    EXPECT_TRUE(comes([](const Json&) { return fs::exists("sheet.png"); }));
    click("Film");
    tell("key o");
    ASSERT_TRUE(comes([](const Json& r) { return number(r, "frame") == 4; }));
    click("End film");
    const std::string film = is_installed("ffmpeg") ? "sheet.mp4" : "sheet_frames";
    EXPECT_TRUE(comes([&](const Json& r) { return text(r, "message").find("wrote") == 0 && fs::exists(film); }))
        << text(report(), "message");
    click("Save take");
    ASSERT_TRUE(comes([](const Json& r) { return text(r, "message").find("sheet.plrec") != std::string::npos; }));
    EXPECT_EQ(std::system(fmt::format("{} replay sheet.plrec > replay.txt", PLIANT_PROGRAM).c_str()), 0);
    std::ifstream replay("replay.txt");
    const std::string said{std::istreambuf_iterator<char>(replay), {}};
    EXPECT_NE(said.find("the same to the last bit"), std::string::npos) << said;
}

TEST_F(Window, TwoSettingsSideBySide)
{
    open({hanging_sheet()});
    click("Beside: the same again");
    ASSERT_TRUE(comes([](const Json& r) { return number(r, "shown") == 2; }));
    click("Play");
    EXPECT_TRUE(comes([](const Json& r) { return number(r, "frame") > 3; }));
    click("Only this one");
    EXPECT_TRUE(comes([](const Json& r) { return number(r, "shown") == 1; }));
}

TEST_F(Window, TheMouseAsAHandTouchesTheSheetAndPushesIt)
{
    open({hanging_sheet(R"("pins": [{ "select": [0, 8, 72, 80] }], )"), "--play"});
    click("Haptics");
    click("Start haptics");
    ASSERT_TRUE(comes([](const Json& r) { return number(r, "servo_rate") > 0; }));
    const auto at = body("sheet");
    tell(fmt::format("mousemove {:.0f} {:.0f}", at[0], at[1]));
    const auto touches = [](const Json& r) {
        const Json* devices = r.find("devices");
        return devices != nullptr && !devices->items.empty() && flag(devices->items[0], "touches");
    };
    // The wheel moves the hand into the picture until it meets the sheet.
    for (int k = 0; k < 12 && !touches(report()); ++k) {
        tell("click 4");
        pictures_pass(2);
    }
    EXPECT_TRUE(touches(report()));
    EXPECT_TRUE(comes([](const Json& r) { return number(r, "grips") == 3; }));
    // A driver of another process beside it.
    const pid_t driver = start_program({PLIANT_HAPTIC_CLIENT, "--seconds", "20"}, "driver.log");
    EXPECT_TRUE(
        comes([](const Json& r) { return r.find("devices") != nullptr && r.find("devices")->items.size() == 2; }));
    kill(driver, SIGTERM);
    wait_for(driver);
    EXPECT_TRUE(comes([&](const Json&) {
        return std::abs(body("sheet")[2] - at[2]) + std::abs(body("sheet")[3] - at[3]) +
                   std::abs(body("sheet")[4] - at[4]) >
               0.01;
    }));
}

TEST_F(Window, AWrongFileIsSaidInWords)
{
    std::ofstream("wrong.json") << R"({ "bodies": { "a": { "kind": "clothe" } } })";
    pid_ = start_program({PLIANT_PROGRAM, "view", "wrong.json"}, "window.log");
    EXPECT_EQ(wait_for(pid_), 3);
    pid_ = -1;
    EXPECT_NE(log().find("wrong.json:1"), std::string::npos) << log();
    EXPECT_NE(log().find("did you mean 'cloth'"), std::string::npos) << log();
}

TEST_F(Window, WithoutADisplayItSaysWhatToDo)
{
    const std::string display = std::getenv("DISPLAY");
    unsetenv("DISPLAY");
    pid_ = start_program({PLIANT_PROGRAM, "view", hanging_sheet()}, "window.log");
    setenv("DISPLAY", display.c_str(), 1);
    EXPECT_EQ(wait_for(pid_), 4);
    pid_ = -1;
    EXPECT_NE(log().find("no display"), std::string::npos) << log();
    EXPECT_NE(log().find("pliant render"), std::string::npos) << log();
}

// Every scene opens, shows a picture and lives.
TEST_F(Window, EveryGallerySceneOpens)
{
    open({scene("hanging_cloth")});
    const auto count = static_cast<int>(number(report(), "scenes"));
    ASSERT_GT(count, 50);
    tell("mousemove 640 300");
    std::string last = "hanging_cloth";
    for (int k = 0; k < count; ++k) {
        tell("key bracketright");
        ASSERT_TRUE(comes([&](const Json& r) { return text(r, "scene") != last || !text(r, "message").empty(); }, 120))
            << last;
        EXPECT_EQ(text(report(), "message"), "") << last;
        last = text(report(), "scene");
    }
    EXPECT_EQ(last, "hanging_cloth");  // once around
}

}  // namespace
}  // namespace pliant
