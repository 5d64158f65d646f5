// SPDX-License-Identifier: MIT
#include <pliant/world/world.h>

#include <pliant/solver/implicit_scratch.h>

#include <pliant/base/error.h>
#include <pliant/solver/solver.h>

namespace pliant {

Snapshot snapshot(const World& world)
{
    return {world.model->id, world.state};
}

void restore(World& world, const Snapshot& snapshot)
{
    if (snapshot.model_id != world.model->id)
        throw Error(Problem{.message = "the snapshot belongs to another scene",
                            .cure = "restore it into the world it was taken from, or a copy of that"});
    // What is in the matrix besides positions may be another in this state.
    if (world.scratch.implicit) world.scratch.implicit->is_filled = false;
    world.state = snapshot.state;
}

World copy_of(const World& world)
{
    World copy{world.model, world.state, {}};
    size_scratch(copy.scratch, *copy.model, copy.state);
    return copy;
}

}  // namespace pliant
