// SPDX-License-Identifier: MIT
#pragma once

// What `pliant bench` measures: each measurement is a table that is printed and kept as CSV.

#include <functional>
#include <string>
#include <vector>

namespace pliant::cli {

/// A table of results; the first row of a CSV file are its columns.
struct BenchTable {
    std::string name;      ///< file name without extension
    std::string sentence;  ///< what is measured and how to read it
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

struct BenchSettings {
    std::vector<std::string> scenes;     ///< scene files; the default ones when empty
    std::vector<std::string> overrides;  ///< --set path=value for the scenes
    int threads = 1;
    int repeats = 5;                ///< the best of so many runs counts: others only disturb
    double largest = 1e6;           ///< vertices of the largest mesh of the growth curves
    bool is_largest_given = false;  ///< then the largest of what takes minutes is measured too
};

BenchTable bench_scenes(const BenchSettings&);      ///< time per step and share by stage
BenchTable bench_growth(const BenchSettings&);      ///< cost and memory per vertex from 10^3 to 10^6
BenchTable bench_simplex(const BenchSettings&);     ///< steps of seed 004's ball from 54 to 10^6 vertices
BenchTable bench_solids(const BenchSettings&);      ///< implicit steps of elastic beams
BenchTable bench_animations(const BenchSettings&);  ///< the four animations of seed 002
BenchTable bench_kernels(const BenchSettings&);     ///< nanoseconds per element
BenchTable bench_recording(const BenchSettings&);   ///< what recording adds at 60 frames a second

BenchTable bench_cloth_hang(const BenchSettings&);         ///< yardstick B1, valid or not
BenchTable bench_cloth_interactive(const BenchSettings&);  ///< settings for a fluid picture
BenchTable bench_cloth_browser(const BenchSettings&);      ///< the prototype of seed 003
BenchTable bench_cloth_size(const BenchSettings&);         ///< cost per vertex, small and large
BenchTable bench_cloth_kernels(const BenchSettings&);      ///< nanoseconds, flops and bandwidth per element

BenchTable bench_contact_search(const BenchSettings&);    ///< broad and narrow phase of 100 000 triangles
BenchTable bench_contact_growth(const BenchSettings&);    ///< the same per triangle from 10^3 to 10^6
BenchTable bench_contact_queries(const BenchSettings&);   ///< nanoseconds of single continuous queries
BenchTable bench_contact_shares(const BenchSettings&);    ///< shares of the step, beside the thesis' profile
BenchTable bench_contact_realtime(const BenchSettings&);  ///< a sheet on a table
BenchTable bench_contact_sphere(const BenchSettings&);    ///< yardstick B2, beside Bullet where it is installed

BenchTable bench_contact_yardstick(const BenchSettings&);  ///< B2, B2s, B3 and B7 under response barrier
BenchTable bench_contact_solvers(const BenchSettings&);    ///< one drape by all its solvers
BenchTable bench_contact_steps(const BenchSettings&);      ///< B2 by shorter steps

/// Wall time of some work [s].
double seconds_of(const std::function<void()>& work);

/// Says on stderr what the last row of a table holds that will have `rows` of them, for measurements of many minutes: who
/// waits sees how far it is, and what is measured is not lost when it is stopped.
void tell_row(const BenchTable& table, std::size_t rows);

/// A figure of a table, four digits.
std::string number(double value);

}  // namespace pliant::cli
