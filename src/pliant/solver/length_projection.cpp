// SPDX-License-Identifier: MIT
#include <pliant/solver/length_projection.h>

#include <algorithm>
#include <variant>

#include <pliant/model/held_motion.h>
#include <pliant/response/mesh_collision.h>
#include <pliant/solver/explicit.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

// One spring to its rest length; held coordinates stay.
void project_spring(std::vector<Vec3>& x, const Model& model, const State& from, std::int32_t i, std::int32_t j,
                    double rest, double part)
{
    const double wi = from.held[i] == 7 ? 0 : model.inverse_mass[i], wj = from.held[j] == 7 ? 0 : model.inverse_mass[j];
    const Vec3 way = x[j] - x[i];
    const double length = norm(way), sum = wi + wj;
    // Ends at one place have no direction to go, held ones nowhere.
    if (!(length > 0) || !(sum > 0)) return;
    const Vec3 change = way * (part * (length - rest) / (length * sum));
    x[i] += masked(change * wi, from.held[i]);
    x[j] -= masked(change * wj, from.held[j]);
}

void project_term(std::vector<Vec3>& x, const Model& model, const State& from, const Elements<Spring>& springs,
                  const Spring& live)
{
    if (!live.enabled) return;
    const double part = 1 - std::min(1.0, live.k_d);
    for (std::int32_t e = 0; e < springs.stencils.count; ++e) {
        const auto& block = springs.stencils.blocks[static_cast<std::size_t>(e / kPackWidth)];
        const int lane = e % kPackWidth;
        const double rest = springs.rest[static_cast<std::size_t>(e / kPackWidth)].length[lane];
        project_spring(x, model, from, block.node[0][lane], block.node[1][lane], rest, part);
    }
}

}  // namespace

Attempt advance_projection(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    const ForceSum sum = outer_forces(scratch, model, from, from.x, from.v);
    const double kept = 1 - from.solver.thesis_damping;
    for (std::int32_t i = 0; i < model.free_count; ++i) {
        const Vec3 a = masked(scratch.force[i] * model.inverse_mass[i], from.held[i]);
        to.x[i] = from.x[i] + from.v[i] * h + masked(from.v[i] * ((kept - 1) * h), from.held[i]) + a * (h * h);
    }
    for (std::int32_t i = 0; i < model.free_count; ++i) to.v[i] = from.v[i];
    // Colliders go where they are carried.
    for (std::int32_t i = model.free_count; i < model.node_count(); ++i)
        to.x[i] = from.x[i] + from.v[i] * h, to.v[i] = from.v[i];
    carry_held(to.x, to.v, model, from, h, CarriedKind::accelerated);
    for (std::int32_t sweep = 0; sweep < from.solver.iterations; ++sweep) {
        StageTimer timer(scratch.profile, Stage::elements);
        for (std::size_t t = 0; t < model.terms.size(); ++t)
            if (const auto* springs = std::get_if<Elements<Spring>>(&model.terms[t]))
                project_term(to.x, model, from, *springs, std::get<Spring>(from.live[t]));
        if (from.solver.collide_in_iterations && sweep + 1 < from.solver.iterations)
            meet_meshes(to, model, from, h, scratch);
    }
    for (std::int32_t i = 0; i < model.free_count; ++i) to.v[i] = (to.x[i] - from.x[i]) / h;
    to.ledger.viscous += h * sum.dissipated_power;
    if (from.solver.thesis_damping > 0) to.ledger.viscous += thesis_damping_loss(model, from);
    finish(to, model, from, h);
    return {};
}

std::string projection_obstacle(const Model& model)
{
    for (const Term& term : model.terms)
        if (!std::holds_alternative<Elements<Spring>>(term))
            return "projection corrects the lengths of springs, and some body is made of something else: use the cloth "
                   "model "
                   "springs or thesis_springs with bending springs or none, or solver xpbd";
    if (!model.constraints.empty()) return "projection does not obey constraints: use implicit_euler or rk4";
    for (const Body& body : model.bodies)
        if (body.kind != BodyKind::collider && (body.is_rigid() || body.cavity >= 0 || body.radial >= 0))
            return "projection knows springs alone, no gas, no rigid bodies: use xpbd or implicit_euler";
    return "";
}

}  // namespace pliant
