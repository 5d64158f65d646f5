// SPDX-License-Identifier: MIT

// The tools of seed 002 as verbs: surf, coloring, energy, and the states that its simulator wrote.

#include "program.h"

#include <pliant/io/thesis_files.h>

namespace pliant {

namespace {

class ThesisTools : public CommandLine {};

TEST_F(ThesisTools, energies_and_states_of_a_take_are_in_ergs_and_centimetres)
{
    const Ran run = pliant({"run", std::string(PLIANT_SCENES) + "/torus.json", "--set", "world.duration=0.2", "--set",
                            "expect={}", "-o", "take.plrec"});
    ASSERT_EQ(run.code, 0) << run.err;
    for (const char* name : {"take.en", "take.st"}) {
        const Ran ran = pliant({"export", "take.plrec", "-o", name});
        ASSERT_EQ(ran.code, 0) << ran.err;
    }
    const Recording take = Recording::open(path("take.plrec"));
    const auto energies = load_thesis<ThesisEnergies>(path("take.en"));
    const auto states = load_thesis<ThesisStates>(path("take.st"));
    const std::vector<double> kinetic = take.measure("energy.kinetic"), lost = take.measure("energy.dissipated");
    ASSERT_EQ(energies.states.size(), kinetic.size());
    ASSERT_EQ(states.states.size(), kinetic.size());
    double sum = 0;
    for (std::size_t i = 0; i < kinetic.size(); ++i) {
        EXPECT_NEAR(energies.states[i].kinetic, kinetic[i] * 1e7, 1e-6 * kinetic.back() * 1e7);
        if (i > 0)
            sum += 0.5 * (energies.states[i].dissipated_power + energies.states[i - 1].dissipated_power) *
                   (energies.states[i].t - energies.states[i - 1].t);
    }
    // Power over time is what was lost.
    EXPECT_NEAR(sum, lost.back() * 1e7, 0.05 * lost.back() * 1e7);
    ASSERT_EQ(states.states[0].vertices.size(), 180u);
    const Frame last = take.frame(static_cast<std::int64_t>(kinetic.size()) - 1);
    EXPECT_NEAR(states.states.back().vertices[7].position.y, last.x[7].y * 100, 1e-9);
    EXPECT_NEAR(states.states.back().vertices[7].velocity.z, last.v[7].z * 100, 1e-9);
}

TEST_F(ThesisTools, a_torus_is_painted_in_three_colours)
{
    ASSERT_EQ(pliant({"mesh", "make", "tet_torus", "20", "8", "1", "-o", "torus.msh"}).code, 0);
    const Ran ran = pliant({"mesh", "color", "torus.msh", "torus.su"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find("320 faces"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find(" 0 neighbours of the same colour"), std::string::npos) << ran.out;
    const auto file = load_thesis<ThesisSurface>(path("torus.su"));
    ASSERT_EQ(file.faces.size(), 320u);
    for (const ThesisFace& face : file.faces) EXPECT_LT(face.texture, 3);
    EXPECT_NE(pliant({"mesh", "color", "torus.msh", "torus.su"}).code, 0) << "exists already";
    const Ran other = pliant({"mesh", "color", "torus.msh", "torus.ply"});
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find(".su"), std::string::npos) << other.err;
}

}  // namespace

}  // namespace pliant
