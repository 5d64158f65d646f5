// SPDX-License-Identifier: MIT
#include <pliant/solver/vbd.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include <pliant/solver/descent.h>
#include <pliant/solver/descent_contacts.h>
#include <pliant/solver/forces.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

// A step this much shorter than asked for is hopeless.
constexpr double kShortest = 1e-6;
// Steps that leave less than this of the forces unbalanced count as converged.
constexpr double kBalanced = 1e-2;
// Sweeps between two looks at contacts.
constexpr int kSweepsPerLook = 8;

using SlotPack = std::int32_t[kPackWidth];

// Gradient and block of four vertices, lane by lane.
struct VertexPack {
    Vec3T<Pack4> g;
    Pack4 xx, yy, zz, xy, xz, yz;

    VertexPack(const CornerSum* sums, const SlotPack& slot)
    {
        using particle_detail::load;
        Pack4::Values a[kPackWidth], b[kPackWidth];
        for (int lane = 0; lane < kPackWidth; ++lane) {
            a[lane] = load(&sums[slot[lane]].gx), b[lane] = load(&sums[slot[lane]].xx);
            yz.set(lane, sums[slot[lane]].yz);
        }
        particle_detail::transpose(a[0], a[1], a[2], a[3]);
        particle_detail::transpose(b[0], b[1], b[2], b[3]);
        g = {Pack4(a[0]), Pack4(a[1]), Pack4(a[2])};
        xz = Pack4(a[3]), xx = Pack4(b[0]), yy = Pack4(b[1]), zz = Pack4(b[2]), xy = Pack4(b[3]);
    }

    void add(int lane, const Vec3& gradient, const Mat3& block)
    {
        for (int k = 0; k < 3; ++k) g[k].set(lane, g[k][lane] + gradient[k]);
        xx.set(lane, xx[lane] + block.m[0][0]), yy.set(lane, yy[lane] + block.m[1][1]);
        zz.set(lane, zz[lane] + block.m[2][2]), xy.set(lane, xy[lane] + block.m[0][1]);
        xz.set(lane, xz[lane] + block.m[0][2]), yz.set(lane, yz[lane] + block.m[1][2]);
    }

    // Held coordinates (0 in `free`, else 1) get an equation of their own: no way.
    void cut_out_held(const Vec3T<Pack4>& free)
    {
        const Pack4 one(1.0);
        g = {g.x * free.x, g.y * free.y, g.z * free.z};
        xx = xx * free.x + (one - free.x), yy = yy * free.y + (one - free.y), zz = zz * free.z + (one - free.z);
        xy *= free.x * free.y, xz *= free.x * free.z, yz *= free.y * free.z;
    }

    // -H^-1 f in closed form.
    Vec3T<Pack4> downhill(const Vec3T<Pack4>& f) const
    {
        const Pack4 c00 = yy * zz - yz * yz, c01 = xz * yz - xy * zz, c02 = xy * yz - xz * yy;
        const Pack4 c11 = xx * zz - xz * xz, c12 = xy * xz - xx * yz, c22 = xx * yy - xy * xy;
        const Pack4 scale = Pack4(-1.0) / (xx * c00 + xy * c01 + xz * c02);
        return {(c00 * f.x + c01 * f.y + c02 * f.z) * scale, (c01 * f.x + c11 * f.y + c12 * f.z) * scale,
                (c02 * f.x + c12 * f.y + c22 * f.z) * scale};
    }
};

// One step.
class VbdStep {
public:
    VbdStep(State& to, const Model& model, const State& from, double h, Scratch& scratch)
        : to_(to)
        , model_(model)
        , from_(from)
        , h_(h)
        , scratch_(scratch)
        , memory_(descent_memory(scratch, model))
    {
    }

    Attempt run()
    {
        memory_.make_incident(model_);
        memory_.momentum.lose();
        if (barrier_acts(model_, from_)) return run_in_contact();
        begin_descent(to_, model_, from_, h_, scratch_, DescentGuess::inertia);
        if (const ForceSum gas = start_gases(); gas.bad_cavity >= 0) return inverted(model_, gas);
        for (int k = 0; k < from_.solver.iterations; ++k)
            if (const ForceSum gas = sweep(k); gas.bad_cavity >= 0) return inverted(model_, gas);
        end_descent(to_, model_, from_, h_, scratch_);
        return {.iterations = from_.solver.iterations};
    }

private:
    // Sweeps in short runs, each followed by a walk that crosses nothing; runs that were cut short are given back, up to
    // as many again.
    Attempt run_in_contact()
    {
        begin_descent(to_, model_, from_, h_, scratch_, DescentGuess::inertia);
        start_contacts();
        if (const ForceSum gas = start_gases(); gas.bad_cavity >= 0) return inverted(model_, gas);
        const int runs = std::max(1, (from_.solver.iterations + kSweepsPerLook - 1) / kSweepsPerLook);
        Attempt attempt;
        for (int counted = 0, run = 0; counted < runs && run < 2 * runs; ++run) {
            contacts_->look(to_, scratch_.force);
            for (int k = 0; k < kSweepsPerLook; ++k)
                if (const ForceSum gas = sweep(k); gas.bad_cavity >= 0) return inverted(model_, gas);
            attempt.iterations += kSweepsPerLook;
            const double share = contacts_->walk(to_, memory_.x);
            if (share < 0) return {.accepted = false, .issue = {.kind = IssueKind::non_finite}};
            share == 1 ? ++counted : ++to_.tally.cuts;
            if (share < 1) memory_.momentum.lose();
            attempt.residual = contacts_->way().longest();
        }
        return end_in_contact(attempt);
    }

    void start_contacts()
    {
        if (!scratch_.barrier) scratch_.barrier.make(model_, from_.x);
        if (!memory_.contacts) memory_.contacts = std::make_shared<DescentContacts>(model_, memory_.order);
        contacts_ = memory_.contacts.get();
        // Forces on the nodes of rigid bodies, which begin_descent turned into accelerations.
        outer_forces(scratch_, model_, from_, from_.x, from_.v);
        contacts_->begin(to_, memory_.x, from_, h_, *scratch_.barrier);
    }

    Attempt end_in_contact(Attempt attempt)
    {
        bool moved = false;
        const bool arrived = contacts_->way().has_arrived(to_) && contacts_->way().make_frames_rigid(to_, moved);
        if (!arrived) {
            attempt.accepted = false;
            attempt.issue = contacts_->way().stuck_issue(to_);
            attempt.retry_h = h_ / 2 > kShortest * from_.solver.step ? h_ / 2 : 0;
            return attempt;
        }
        contacts_->contacts().evaluate(to_.x);
        contacts_->way().place_velocities(to_);
        end_descent(to_, model_, from_, h_, scratch_);
        to_.tally.unbalanced = attempt.unbalanced = find_unbalanced();
        if (attempt.unbalanced > kBalanced) ++to_.tally.over_budget;
        contacts_->contacts().end_step(to_, h_);
        scratch_.profile += contacts_->contacts().search().profile();
        return attempt;
    }

    // Forces at the end against inertia, over those at the start.
    double find_unbalanced()
    {
        const auto left = [&](const State& state, std::span<const BarrierRow> rows) {
            forces(scratch_, model_, from_, state.x, state.v);
            for (const BarrierRow& row : rows)
                for (std::size_t k = 0; k < 4; ++k)
                    if (row.at.vertex[k] >= 0) scratch_.force[row.at.vertex[k]] += row.force * row.at.weight[k];
            double sum = 0;
            for (std::int32_t i = 0; i < model_.free_count; ++i) {
                const Vec3 behind = from_.x[i] + from_.v[i] * h_ - state.x[i];
                sum += norm2(masked(scratch_.force[i] + behind * (model_.mass[i] / (h_ * h_)), from_.held[i]));
            }
            return std::sqrt(sum);
        };
        const double driving = left(from_, {});
        return unbalanced_share(left(to_, contacts_->contacts().rows()), driving, model_, from_, to_, h_);
    }

    // Sweeps of even numbers go forwards, those of odd ones back; a pair of them is what momentum carries on.
    ForceSum sweep(int number)
    {
        const bool is_back = number % 2 == 1;
        if (!is_back) {
            memory_.momentum.carry_on(memory_.x);
            if (contacts_ != nullptr) contacts_->update(memory_.x);
        }
        const std::int32_t colours = memory_.order.colours();
        for (std::int32_t k = 0; k < colours; ++k) sweep_colour(is_back ? colours - 1 - k : k);
        if (contacts_ != nullptr) contacts_->move_frames();
        for (std::size_t c = 0; c < model_.cavities.size(); ++c)
            if (const ForceSum gas = correct_gas(c); gas.bad_cavity >= 0) return gas;
        return {};
    }

    void sweep_colour(std::int32_t colour)
    {
        StageTimer timer(scratch_.profile, Stage::elements);
        const VertexOrder& order = memory_.order;
        const std::size_t first = order.colour_start[colour], count = order.colour_start[colour + 1] - first;
        parallel_for(count, 1, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t chunk = first + begin; chunk < first + end; ++chunk) {
                gather_chunk(chunk);
                move_chunk(order.chunks[chunk]);
            }
        });
        if (contacts_ != nullptr) contacts_->update(memory_.x);
    }

    void gather_chunk(std::size_t chunk)
    {
        const VertexOrder::Chunk& range = memory_.order.chunks[chunk];
        std::fill(memory_.sums.begin() + range.first, memory_.sums.begin() + range.end, CornerSum{});
        const CornerPoint at{memory_.x.data(), memory_.start.data(), 1 / h_};
        for (std::size_t t = 0; t < memory_.incident.size(); ++t)
            if (memory_.acts[t] != 0)
                std::visit([&](const auto& term) { add_term(term, t, chunk, at); }, memory_.incident[t]);
    }

    template <class E>
    void add_term(const VertexIncidence<E>& term, std::size_t t, std::size_t chunk, const CornerPoint& at)
    {
        add_corner(memory_.sums, term, chunk, std::get<E>(from_.live[t]), at, inner_of(model_, from_, t));
    }

    template <class E>
    void add_term(const RefusedTerm<E>&, std::size_t, std::size_t, const CornerPoint&)
    {
    }

    // All vertices of a chunk, four at a time; they share no element, so the order does not matter.
    void move_chunk(const VertexOrder::Chunk& range)
    {
        for (std::int32_t first = range.first; first < range.end; first += kPackWidth) {
            const int lanes = std::min(kPackWidth, range.end - first);
            SlotPack slot, vertex;
            for (int lane = 0; lane < kPackWidth; ++lane) {
                slot[lane] = first + std::min(lane, lanes - 1);
                vertex[lane] = memory_.order.vertex[slot[lane]];
            }
            const VertexPack here = objective(slot, vertex);
            ParticlePack x = gather(vertex, memory_.x.data());
            x.at += here.downhill(here.g);
            for (int lane = 0; lane < lanes; ++lane)
                memory_.x[vertex[lane]].set({x.at.x[lane], x.at.y[lane], x.at.z[lane]});
        }
    }

    // Elements, inertia and gas at four vertices.
    VertexPack objective(const SlotPack& slot, const SlotPack& vertex) const
    {
        VertexPack here(memory_.sums.data(), slot);
        const ParticlePack x = gather(vertex, memory_.x.data()), y = gather(vertex, memory_.goal.data());
        here.g += (x.at - y.at) * y.w;
        here.xx += y.w, here.yy += y.w, here.zz += y.w;
        for (std::size_t c = 0; c < memory_.gases.size(); ++c)
            if (is_row(c)) here.g -= lanes_of(memory_.gases[c].force, vertex);
        if (contacts_ != nullptr) add_contacts(here, vertex);
        here.cut_out_held(free_axes(vertex));
        return here;
    }

    void add_contacts(VertexPack& here, const SlotPack& vertex) const
    {
        for (int lane = 0; lane < kPackWidth; ++lane) {
            Vec3 g;
            Mat3 block;
            if (contacts_->add_to(g, block, vertex[lane])) here.add(lane, g, block);
        }
    }

    static Vec3T<Pack4> lanes_of(std::span<const Vec3> values, const SlotPack& vertex)
    {
        Vec3T<Pack4> out;
        for (int lane = 0; lane < kPackWidth; ++lane)
            for (int k = 0; k < 3; ++k) out[k].set(lane, values[vertex[lane]][k]);
        return out;
    }

    Vec3T<Pack4> free_axes(const SlotPack& vertex) const
    {
        const Pack4 zero(0.0), one(1.0);
        const Vec3T<Pack4> w = gather(vertex, memory_.inverse_mass.data()).at;
        return {select(w.x > zero, one, zero), select(w.y > zero, one, zero), select(w.z > zero, one, zero)};
    }

    bool is_row(std::size_t cavity) const
    {
        return from_.gas[cavity].enabled && from_.gas[cavity].law != GasLaw::thesis_fourfold;
    }

    // Pressures and their forces at the first guess.
    ForceSum start_gases()
    {
        if (!memory_.gases.empty()) show_particles(to_, model_, memory_);
        for (std::size_t c = 0; c < memory_.gases.size(); ++c) {
            double V = 0;
            if (!is_row(c)) continue;
            if (!measure_gas(V, to_, model_, scratch_, c))
                return {.bad_cavity = static_cast<std::int32_t>(c), .bad_volume = V};
            memory_.gases[c].gauge = pressure(from_.gas[c], V) - from_.gas[c].outside;
            set_force(memory_.gases[c]);
        }
        return {};
    }

    void set_force(GasRow& row) const
    {
        for (std::int32_t i = 0; i < model_.free_count; ++i) row.force[i] = row.gradient[i] * row.gauge;
    }

    // The border row: where p = p(V) asks for, with the blocks of this sweep.
    ForceSum correct_gas(std::size_t cavity)
    {
        if (!is_row(cavity)) return {};
        const Gas& gas = from_.gas[cavity];
        GasRow& row = memory_.gases[cavity];
        double V = 0;
        show_particles(to_, model_, memory_);
        if (!measure_gas(V, to_, model_, scratch_, cavity))
            return {.bad_cavity = static_cast<std::int32_t>(cavity), .bad_volume = V};
        const double s = std::max(0.0, gas_stiffness(gas, V));
        double response = 0;
        for_each_answer(row.gradient, [&](std::int32_t i, const Vec3& way) { response += dot(way, row.gradient[i]); });
        const double change = (pressure(gas, V) - gas.outside - row.gauge) / (1 + s * response);
        for_each_answer(row.gradient, [&](std::int32_t i, const Vec3& way) {
            memory_.x[i].set(memory_.x[i].vector() + way * change);
        });
        row.gauge += change;
        set_force(row);
        return {};
    }

    // Calls f(i, D^-1 dV) for every vertex, D its block.
    template <class F>
    void for_each_answer(std::span<const Vec3> gradient, F&& f) const
    {
        const auto slots = static_cast<std::int32_t>(memory_.order.vertex.size());
        for (std::int32_t first = 0; first < slots; first += kPackWidth) {
            SlotPack slot, vertex;
            for (int lane = 0; lane < kPackWidth; ++lane) {
                slot[lane] = std::min(first + lane, slots - 1);
                vertex[lane] = memory_.order.vertex[slot[lane]];
            }
            const Vec3T<Pack4> free = free_axes(vertex), push = lanes_of(gradient, vertex);
            const Vec3T<Pack4> way =
                objective(slot, vertex).downhill({-push.x * free.x, -push.y * free.y, -push.z * free.z});
            for (int lane = 0; lane < kPackWidth && first + lane < slots; ++lane)
                f(vertex[lane], Vec3{way.x[lane], way.y[lane], way.z[lane]});
        }
    }

    State& to_;
    const Model& model_;
    const State& from_;
    double h_;
    Scratch& scratch_;
    DescentScratch& memory_;
    DescentContacts* contacts_ = nullptr;  // with response barrier
};

}  // namespace

Attempt advance_vbd(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    return VbdStep(to, model, from, h, scratch).run();
}

std::string vbd_obstacle(const Model& model)
{
    if (std::string obstacle = descent_obstacle(model); !obstacle.empty()) return obstacle;
    for (std::size_t t = 0; t < model.terms.size(); ++t) {
        const bool has_corners =
            std::visit([]<class E>(const Elements<E>&) { return CornerEnergy<E>; }, model.terms[t]);
        if (!has_corners)
            return fmt::format("body \"{}\" is a solid, and vbd treats springs and sheets; use implicit_euler or bdf2",
                               owner_of_term(model, t));
    }
    return {};
}

}  // namespace pliant
