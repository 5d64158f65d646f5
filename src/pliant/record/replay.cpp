// SPDX-License-Identifier: MIT
#include <pliant/record/replay.h>

#include <algorithm>
#include <cmath>

#include <pliant/record/actions.h>
#include <pliant/world/measures.h>
#include <pliant/world/step.h>

namespace pliant {

namespace {

double furthest_apart(std::span<const Vec3> a, std::span<const Vec3> b)
{
    double largest = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, norm2(a[i] - b[i]));
    return std::sqrt(largest);
}

// The actions of a take: its first inputs are those of the scene itself, which the world does by itself.
class Actions {
public:
    Actions(const World& world, const Recording& take) : inputs_(take.inputs()), next_(world.model->inputs.size()) {}

    void apply_due(World& world, ReplayReport& report)
    {
        for (; next_ < inputs_.size() && inputs_[next_].time <= world.state.time; ++next_, ++report.actions)
            perform(world, action_of(world, inputs_[next_]));
    }

private:
    std::vector<RecordedInput> inputs_;
    std::size_t next_;
};

}  // namespace

ReplayReport replay(World& world, const Scene& scene, const Recording& take,
                    const std::function<void(const Frame&)>& take_frame)
{
    ReplayReport report;
    Actions actions(world, take);
    for (std::int64_t f = 0; f < take.frame_count(); ++f) {
        const Frame then = take.frame(f);
        StepReport step;
        while (world.state.history.frame < then.index) {
            actions.apply_due(world, report);
            step = step_to(world, static_cast<double>(world.state.history.frame + 1) / scene.world.frame_rate);
            if (step.failed()) {
                report.message = explain(step.issue, *world.model);
                report.first_difference = report.first_difference.value_or(then.index);
                return report;
            }
            ++world.state.history.frame;
        }
        const Frame now = sample(world, step, 1 / scene.world.frame_rate);
        ++report.frames;
        report.furthest = std::max(report.furthest, furthest_apart(now.x, then.x));
        if (now.hash != then.hash && !report.first_difference) report.first_difference = then.index;
        if (take_frame) take_frame(now);
    }
    return report;
}

}  // namespace pliant
