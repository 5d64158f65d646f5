// SPDX-License-Identifier: MIT
#pragma once

// The scenes of the gallery, for tests that are run once for each.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

namespace pliant::test {

// Names without the ending.
inline std::vector<std::string> scene_files()
{
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(PLIANT_SCENES))
        if (entry.path().extension() == ".json") files.push_back(entry.path().stem().string());
    std::sort(files.begin(), files.end());
    return files;
}

inline std::string scene_path(const std::string& name)
{
    return std::string(PLIANT_SCENES) + "/" + name + ".json";
}

// As the name of a test.
inline std::string scene_label(const testing::TestParamInfo<std::string>& file)
{
    std::string name = file.param;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

}  // namespace pliant::test
