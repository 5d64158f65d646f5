// SPDX-License-Identifier: MIT
#pragma once

// World: Model (const, shared) + State (moves) + Scratch (working memory).

#include <memory>

#include <pliant/model/model.h>
#include <pliant/model/scratch.h>
#include <pliant/model/state.h>

namespace pliant {

struct World {
    std::shared_ptr<const Model> model;
    State state;
    Scratch scratch;
};

/// A copy of the state and the model it belongs to.
struct Snapshot {
    std::uint64_t model_id = 0;
    State state;
};

Snapshot snapshot(const World&);

/// Puts the world back to the snapshot; throws Error when it is of another model.
void restore(World&, const Snapshot&);

/// A world of its own that shares the model: for rollouts.
World copy_of(const World&);

}  // namespace pliant
