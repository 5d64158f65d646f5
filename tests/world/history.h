// SPDX-License-Identifier: MIT
#pragma once

// Every frame of a run of a scene file, kept in memory, for tests that look at histories.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <pliant/record/run.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>
#include <pliant/world/measures.h>
#include <pliant/world/step.h>

namespace pliant::test {

inline std::vector<Override> overrides(const std::vector<std::string>& set)
{
    std::vector<Override> all;
    for (const std::string& text : set) all.push_back(parse_override(text).value());
    return all;
}

/// Every frame of a run.
struct History {
    std::vector<std::string> names;
    std::vector<double> time;
    std::vector<std::vector<double>> rows;
    StepReport last;
    State end;

    std::vector<double> column(const std::string& name) const
    {
        const auto at = std::find(names.begin(), names.end(), name);
        EXPECT_NE(at, names.end()) << name;
        std::vector<double> values;
        for (const auto& row : rows) values.push_back(row[at - names.begin()]);
        return values;
    }

    /// Value at the frame nearest to a time [s].
    double at(const std::string& name, double t) const
    {
        const auto next = std::lower_bound(time.begin(), time.end(), t - 1e-9);
        return column(name)[std::min<std::size_t>(next - time.begin(), rows.size() - 1)];
    }

    /// Mean over the frames from a to b [s].
    double mean(const std::string& name, double a, double b) const
    {
        const std::vector<double> values = column(name);
        double sum = 0;
        int count = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (time[i] >= a - 1e-9 && time[i] <= b + 1e-9) sum += values[i], ++count;
        return sum / count;
    }

    double max_from(const std::string& name, double t) const
    {
        const std::vector<double> values = column(name);
        double most = -INFINITY;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (time[i] >= t) most = std::max(most, values[i]);
        return most;
    }
};

inline History history(const std::string& name, const std::vector<std::string>& set = {})
{
    const Scene scene = load_scene(std::string(PLIANT_SCENES) + "/" + name + ".json", overrides(set));
    World world = build(scene);
    History h;
    h.names = world.model->topology.measures;
    const auto keep = [&] {
        h.time.push_back(world.state.time);
        h.rows.push_back(sample(world, h.last, 1 / scene.world.frame_rate).measures);
    };
    keep();
    for (std::int64_t f = 1; f <= last_frame(scene) && !h.last.failed(); ++f) {
        h.last = step_to(world, static_cast<double>(f) / scene.world.frame_rate);
        if (!h.last.failed()) keep();
    }
    h.end = world.state;
    return h;
}

}  // namespace pliant::test
