// SPDX-License-Identifier: MIT
#pragma once

// Runs `pliant bench` and reads the tables that it kept.

#include <algorithm>

#include "program.h"

namespace pliant {

class BenchProgram : public CommandLine {
protected:
    /// Rows of a CSV table below the folder of results, the heading first.
    std::vector<std::vector<std::string>> rows(const std::string& table) const
    {
        std::vector<std::vector<std::string>> all;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(path("results"))) {
            if (entry.path().filename() != table + ".csv") continue;
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);) {
                std::stringstream fields(line);
                all.emplace_back();
                for (std::string field; std::getline(fields, field, ',');) all.back().push_back(field);
            }
        }
        return all;
    }

    /// What stands in a row under a heading.
    static std::string field(const std::vector<std::vector<std::string>>& table, std::size_t row,
                             const std::string& heading)
    {
        const auto& headings = table.front();
        const auto column =
            static_cast<std::size_t>(std::find(headings.begin(), headings.end(), heading) - headings.begin());
        return column < table[row].size() ? table[row][column] : "no column " + heading;
    }
};

}  // namespace pliant
