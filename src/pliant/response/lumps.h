// SPDX-License-Identifier: MIT
#pragma once

// Lumps: vertices that cross each other whatever is tried move as one for a step, which is safe, since nothing within a
// lump moves against the rest of it. Each has the mean motion of its vertices by mass, so momentum is kept; one with
// held vertices goes where these go in the mean, and they go their own way.
// Reference: X. Provot, Collision and self-collision handling in cloth model dedicated to design garments (1997), whose
// impact zones also turn.

#include <cstdint>
#include <vector>

#include <pliant/contact/contacts.h>
#include <pliant/model/model.h>
#include <pliant/model/state.h>

namespace pliant {

class Lumps {
public:
    explicit Lumps(std::size_t node_count) : parent_(node_count), sums_(node_count) { clear(); }

    void clear();
    /// The four vertices of a contact, and all that are with them, become one lump; false if they were one already.
    bool join(const Contact& contact);
    bool join(std::int32_t first, std::int32_t second);
    /// Moves all lumps; returns the kinetic energy that is lost [J].
    double move(State& to, const Model& model, const State& from);
    /// Vertices in lumps.
    std::int64_t count() const { return static_cast<std::int64_t>(members_.size()); }

private:
    struct Sum {
        Vec3 way, velocity;  // times mass, then means
        double mass = 0;
        bool is_held = false;
    };

    std::int32_t root(std::int32_t node) const;
    void add_member(std::int32_t node);

    std::vector<std::int32_t> parent_;  // -1: in no lump
    std::vector<std::int32_t> members_;
    std::vector<Sum> sums_;
};

}  // namespace pliant
