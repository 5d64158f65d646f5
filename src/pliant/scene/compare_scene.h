// SPDX-License-Identifier: MIT
#pragma once

// What `pliant compare` does with a scene when the command line names nothing to vary.
//
// Texts are those of the command line, so that an experiment which was tried there is copied into its
// scene as it stands; lab/variation.h reads both. A run takes no notice of this block.

#include <string>
#include <vector>

#include <pliant/base/describe.h>
#include <pliant/scene/body_scene.h>

namespace pliant {

struct CompareScene {
    std::vector<std::string> vary;
    Named<std::string> cases;
    std::string measure, reference;
    bool time = false;

    bool is_empty() const { return vary.empty() && cases.empty(); }
};

template <class V>
void describe(V&& visit, CompareScene& c)
{
    visit(Field{"vary", "", 0, 0, "as after --vary: \"solver.kind=euler,rk4\" or \"solver.step=0.001..0.1:5\""},
          c.vary);
    visit(Field{"cases", "", 0, 0, "settings that change together, by the name of the case: \"path=value path=value\""},
          c.cases);
    visit(Field{"measure", "", 0, 0, "what errors are of; left out: the coordinate that moves most"}, c.measure);
    visit(Field{"reference", "", 0, 0, "settings of the run to compare with: \"solver.kind=rk4 solver.step=1e-4\""},
          c.reference);
    visit(Field{"time", "", 0, 1, "compares machine time, whole and by stage, instead of errors"}, c.time);
}

}  // namespace pliant
