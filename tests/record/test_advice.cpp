// SPDX-License-Identifier: MIT

// What a run says of itself beside its figures: steps that ended before their forces were balanced.

#include <gtest/gtest.h>

#include <pliant/record/advice.h>
#include <pliant/record/run.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>

#include "world/scene_files.h"

namespace pliant {
namespace {

RunSummary small_drape(const std::vector<Override>& changes)
{
    std::vector<Override> all{{"bodies.sheet.mesh.grid", "[20,20]"},
                              {"bodies.ball.facets", "24"},
                              {"world.duration", "0.3"},
                              {"expect", "{}"}};
    all.insert(all.end(), changes.begin(), changes.end());
    const Scene scene = load_scene(test::scene_path("drape"), all);
    World world = build(scene);
    return run(world, scene);
}

bool says(const RunSummary& summary, const std::string& words)
{
    return summary.notes.size() == 1 && summary.notes[0].find(words) != std::string::npos &&
           to_json(summary).find(words) != std::string::npos;
}

TEST(Advice, AFewSweepsThatLeaveClothSoftAreToldWithTheirCure)
{
    const RunSummary few = small_drape({{"solver.kind", "vbd"}});
    EXPECT_GT(few.unbalanced, kMuchLeft);
    EXPECT_TRUE(says(few, "raise solver.iterations (now 1), or take implicit_euler")) << few.unbalanced;

    const RunSummary many = small_drape({{"solver.kind", "vbd"}, {"solver.iterations", "400"}});
    EXPECT_LT(many.unbalanced, kMuchLeft);
    EXPECT_TRUE(many.notes.empty()) << many.notes.front();
}

TEST(Advice, ABudgetThatIsTooSmallIsTold)
{
    const RunSummary one = small_drape({{"contact.budget", "1"}});
    EXPECT_GT(one.unbalanced, kMuchLeft);
    EXPECT_TRUE(says(one, "raise contact.budget (now 1)")) << one.unbalanced;
    EXPECT_TRUE(small_drape({{"contact.budget", "8"}}).notes.empty());
}

TEST(Advice, WithoutContactsThereIsNothingToSay)
{
    const RunSummary none = small_drape({{"contact.enabled", "false"}});
    EXPECT_EQ(none.unbalanced, 0);
    EXPECT_TRUE(none.notes.empty());
}

}  // namespace
}  // namespace pliant
