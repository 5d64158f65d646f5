// SPDX-License-Identifier: MIT
#pragma once

// Runs the built program in a folder of its own and keeps what it said.

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <pliant/base/json.h>
#include <pliant/record/recording.h>

namespace pliant {

inline std::string text_of_file(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// What a finished program left: exit code (128 + signal when killed), results, talk.
struct Ran {
    int code = -1;
    std::string out, err;
};

/// A small box of gas and a ball that an input releases: milliseconds for a second of simulated time.
inline constexpr const char* kSmallScene = R"({
  "description": "a small box of gas and a ball",
  "world": { "gravity": [0, -10, 0], "duration": 0.5, "frame_rate": 60 },
  "bodies": {
    "box": {
      "kind": "springs",
      "mesh": { "lidded_box": 8, "size": [1.5, 0.75, 1.5] },
      "mass": 10, "mass_of": "lid",
      "springs": { "k_s": 100, "k_d": 5 },
      "gas": { "k_g": 68 },
      "pins": [{ "select": "walls" }]
    },
    "ball": { "kind": "rigid", "sphere": 0.25, "mass": 0.6, "position": [0, 1.1, 0], "held": true }
  },
  "inputs": [{ "time": 0.25, "set": { "bodies.ball.held": false } }]
})";

class CommandLine : public ::testing::Test {
protected:
    void SetUp() override
    {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  ("pliant_cli_" + std::string(test->name()) + "_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        write("scene.json", kSmallScene);
    }
    void TearDown() override
    {
        std::error_code ignored;
        std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, ignored);
        std::filesystem::remove_all(folder_, ignored);
    }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
    std::string read(const std::string& name) const { return text_of_file(path(name)); }
    void write(const std::string& name, const std::string& text) const
    {
        std::ofstream(path(name), std::ios::binary) << text;
    }

    /// Starts `words[0]` with the other words; the test's folder is where it runs.
    pid_t start(const std::vector<std::string>& words) const
    {
        std::vector<std::string> all = words;
        std::vector<char*> argv;
        for (std::string& word : all) argv.push_back(word.data());
        argv.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addchdir_np(&actions, folder_.c_str());
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        const int how = O_WRONLY | O_CREAT | O_TRUNC;
        posix_spawn_file_actions_addopen(&actions, 1, path(".out").c_str(), how, 0600);
        posix_spawn_file_actions_addopen(&actions, 2, path(".err").c_str(), how, 0600);
        pid_t child = -1;
        EXPECT_EQ(posix_spawnp(&child, all[0].c_str(), &actions, nullptr, argv.data(), environ), 0) << all[0];
        posix_spawn_file_actions_destroy(&actions);
        return child;
    }
    Ran finish(pid_t child) const
    {
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), read(".out"), read(".err")};
    }

    pid_t start_pliant(std::vector<std::string> words) const
    {
        words.insert(words.begin(), PLIANT_PROGRAM);
        return start(words);
    }
    Ran pliant(const std::vector<std::string>& words) const { return finish(start_pliant(words)); }
    Ran bash(const std::string& script) const { return finish(start({"bash", "-c", script})); }

    /// The take of the small scene, made once per test.
    void make_take(const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> words{"run", "scene.json", "-o", "take.plrec", "-q", "-f"};
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = pliant(words);
        ASSERT_EQ(ran.code, 0) << ran.err;
    }

    /// Waits until the take that is being written has that many frames.
    void wait_for_frames(const std::string& name, std::int64_t frames) const
    {
        for (int i = 0; i < 20000; ++i) {
            try {
                if (Recording::open(path(name)).frame_count() >= frames) return;
            } catch (const std::exception&) {  // not there yet
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        FAIL() << name << " did not reach " << frames << " frames";
    }

    static std::string hash_in(const Ran& ran)
    {
        const Json json = parse_json(ran.out, "stdout").value;
        const Json* hash = json.find("hash");
        return hash ? std::string(hash->as_string().value_or("")) : "no hash in: " + ran.out + ran.err;
    }

private:
    std::filesystem::path folder_;
};

/// The verb ended with that code and told of it in these words.
inline void expect_refused(const Ran& ran, int code, const std::vector<std::string>& words)
{
    EXPECT_EQ(ran.code, code) << ran.out << ran.err;
    for (const std::string& word : words)
        EXPECT_NE(ran.err.find(word), std::string::npos) << word << " in: " << ran.err;
}

inline void expect_said(const std::string& text, const std::vector<std::string>& words)
{
    for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
}

}  // namespace pliant
