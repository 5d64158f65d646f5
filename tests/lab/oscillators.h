// SPDX-License-Identifier: MIT
#pragma once

// Oscillators for the tests of the laboratory: as formulas and as scenes.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include <pliant/lab/comparison.h>
#include <pliant/lab/oscillator.h>

namespace pliant::test {

/// Seed 004's forced spring: k 2, m 1, beta 1.2, f 15 from rest; steps are taken as they are.
inline constexpr const char* kForced = R"({
  "description": "a forced <damped> spring",
  "world": { "gravity": [0, 0, 0], "duration": 14, "frame_rate": 20 },
  "solver": { "kind": "rk4", "step": 0.05, "substeps": 1 },
  "bodies": { "oscillator": { "kind": "springs", "mesh": { "chain": 2, "from": [-5, 0, 0], "to": [0, 0, 0] },
    "mass": 1, "mass_of": "end", "springs": { "k_s": 2 }, "drag": 1.2, "pins": [{ "select": "start" }],
    "loads": [{ "select": "end", "force": [15, 0, 0] }] } },
  "record": { "probes": { "mass": { "body": "oscillator", "vertex": 1 } } }
})";

/// Every regime, with and without a start of its own and a force.
inline std::vector<Oscillator> many_oscillators()
{
    std::vector<Oscillator> all;
    for (const double beta : {0.0, 0.3, 1.2, 2 * std::sqrt(2.0), 4.0, 40.0})
        for (const double force : {0.0, 15.0, -3.0})
            for (const double x0 : {0.0, 1.5})
                for (const double v0 : {0.0, -2.5}) all.push_back({1, 2, beta, force, x0, v0});
    all.push_back({0.5, 4.505, 0.1, 0, 3, 8.7});
    return all;
}

/// A folder of the test's own, gone afterwards.
class LabFolder : public ::testing::Test {
protected:
    void SetUp() override
    {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  ("pliant_lab_" + std::string(test->name()) + "_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string scene(const std::string& text = kForced) const
    {
        std::ofstream(path("scene.json"), std::ios::binary) << text;
        return path("scene.json");
    }
    Comparison compared(const std::vector<std::string>& vary, const std::vector<Override>& set = {},
                        const std::string& text = kForced) const
    {
        ComparisonPlan plan{.scene = scene(text), .set = set};
        for (const std::string& one : vary) plan.variations.push_back(parse_variation(one));
        return compare(plan);
    }

private:
    std::filesystem::path folder_;
};

}  // namespace pliant::test
