// SPDX-License-Identifier: MIT
#pragma once

// Response barrier for solvers that sweep over vertices (vbd.h): contacts as each vertex sees them, rigid bodies as
// unknowns of six numbers, and a walk that crosses nothing after every few sweeps.
//
// Between two walks contacts are taken as they were when looked at: row r acts with f - H u on the points it weighs, u =
// sum w (x - x_then). u is kept for each row and brought up to date after each colour, so that vertices of one colour, which
// may touch each other, see the same whatever the thread: each then counts the shares of all of its colour, lest both give
// way by the whole.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/response/barrier.h>
#include <pliant/solver/contact_way.h>
#include <pliant/solver/descent_scratch.h>

namespace pliant {

class DescentContacts {
public:
    /// Colours of the vertices by their order.
    DescentContacts(const Model& model, const VertexOrder& order);

    /// Puts the particles where the step begins.
    void begin(State& to, std::span<Particle> x, const State& from, double h, BarrierContacts& contacts);

    /// Looks at all contacts at to.x, for the sweeps to come.
    void look(const State& to, std::span<const Vec3> node_force);

    /// Adds gradient and block of the contacts of a vertex; false when it has none.
    bool add_to(Vec3& gradient, Mat3& block, std::int32_t vertex) const;

    /// After the vertices of a colour moved.
    void update(std::span<const Particle> x);

    /// Moves the rigid bodies where contacts and inertia balance, vertices as they are.
    void move_frames();

    /// From to.x to the particles, as far as nothing crosses; particles are put where that ends. As ContactWay::walk.
    double walk(State& to, std::span<Particle> x);

    ContactWay& way() { return way_; }
    BarrierContacts& contacts() { return *contacts_; }

private:
    struct Entry {
        std::int32_t row = 0;
        double weight = 0, shared = 0;  // of the vertex, and of all vertices of its colour
    };
    void list_entries();

    const Model& model_;
    BarrierContacts* contacts_ = nullptr;
    ContactWay way_;
    std::vector<std::int32_t> colour_;  // #free vertices
    std::vector<std::size_t> start_;    // #free vertices + 1
    std::vector<Entry> entries_;
    std::vector<Vec3> then_;         // #free vertices: where contacts were looked at
    std::vector<Vec3> way_of_row_;   // #rows: u
    std::vector<Vec3> direction_;    // #rows of the system: of frames as far as they moved since
    std::vector<Vec3> frame_force_;  // #rows of the system: inertia and weight of frames when looked at
    std::vector<FrameBlock> inertia_;
};

}  // namespace pliant
