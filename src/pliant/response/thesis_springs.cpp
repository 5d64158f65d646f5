// SPDX-License-Identifier: MIT
#include <pliant/response/thesis_springs.h>

#include <algorithm>
#include <vector>

#include <pliant/contact/pair_gaps.h>
#include <pliant/contact/surface_contacts.h>
#include <pliant/response/impulse_scratch.h>
#include <pliant/response/impulses.h>

namespace pliant {

namespace {

bool acts(const State& state)
{
    return state.contact.enabled && state.contact.response == ContactResponse::thesis_springs;
}

// Weight of a node in a - b.
double signed_weight(const Touch& touch, std::size_t k)
{
    const std::size_t of_a = nodes_of_first(SurfacePair::from_key(touch.key));
    return k < of_a ? touch.weight[k] : -touch.weight[k];
}

// a - b
Vec3 extension(const Touch& touch, std::span<const Vec3> x)
{
    Vec3 sum;
    for (std::size_t k = 0; k < 4; ++k) sum += x[static_cast<std::size_t>(touch.node[k])] * signed_weight(touch, k);
    return sum;
}

double energy_of(const Touch& touch, const State& state)
{
    return 0.5 * state.contact.k * norm2(extension(touch, state.x));
}

// The gap on the side where the elements were before they collided [m].
double gap_of(const Touch& touch, std::span<const Vec3> x)
{
    std::array<Vec3, 4> p;
    for (std::size_t k = 0; k < 4; ++k) p[k] = x[static_cast<std::size_t>(touch.node[k])];
    if (SurfacePair::from_key(touch.key).kind == PairKind::vertex_face)
        return vertex_face_distance(p[1], p[2], p[3], p[0]);
    return touch.side * edge_edge_distance(p[0], p[1], p[2], p[3]);
}

Touch spring_at(const Contact& hit, const CollisionSurface& surface, std::span<const Vec3> x0)
{
    const SurfacePair pair = SurfacePair::from_key(hit.key);
    Touch touch{.key = hit.key,
                .node = pair_nodes(surface, pair),
                .weight = pair_weights(hit),
                .normal = hit.normal,
                .side = 1};
    if (gap_of(touch, x0) < 0) touch.side = -1;
    return touch;
}

// Whether the pair of a hit is muted by a spring that is there.
bool is_muted(const std::vector<Touch>& springs, const Contact& hit)
{
    const SurfacePair pair = SurfacePair::from_key(hit.key);
    return std::any_of(springs.begin(), springs.end(), [&](const Touch& spring) {
        if (spring.key == hit.key) return true;
        const SurfacePair of = SurfacePair::from_key(spring.key);
        return pair.kind == PairKind::vertex_face && of.kind == PairKind::vertex_face && of.a == pair.a;
    });
}

}  // namespace

void add_contact_springs(std::span<Vec3> force, const State& state, std::span<const Vec3> x)
{
    if (!acts(state)) return;
    for (const Touch& touch : state.touches) {
        if (touch.side == 0) continue;
        const Vec3 pull = extension(touch, x) * -state.contact.k;
        for (std::size_t k = 0; k < 4; ++k)
            force[static_cast<std::size_t>(touch.node[k])] += pull * signed_weight(touch, k);
    }
}

double contact_spring_energy(const State& state)
{
    double sum = 0;
    if (!acts(state)) return sum;
    for (const Touch& touch : state.touches)
        if (touch.side != 0) sum += energy_of(touch, state);
    return sum;
}

double contact_spring_rate(const Model& model, const State& state)
{
    double worst = 0;
    if (!acts(state)) return worst;
    // Gershgorin: a row of k w w^T over the masses, for each spring by itself; a vertex has few of them.
    for (const Touch& touch : state.touches)
        for (std::size_t k = 0; k < 4; ++k) {
            const auto node = static_cast<std::size_t>(touch.node[k]);
            if (state.held[node] != 7) worst = std::max(worst, 2 * state.contact.k * model.inverse_mass[node]);
        }
    return worst;
}

int update_contact_springs(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    const double before = contact_spring_energy(to);
    const std::size_t old = to.touches.size();
    const double parted = contact_thickness(model, from);
    std::erase_if(to.touches, [&](const Touch& touch) { return touch.side == 0 || !(gap_of(touch, to.x) < parted); });
    bool has_changed = to.touches.size() != old;
    SurfaceContactSearch& search = impulse_scratch(scratch, model, from).search;
    const auto free = static_cast<std::size_t>(model.free_count);
    const StepMotion motion{.x0 = std::span(from.x).first(free),
                            .v0 = std::span(from.v).first(free),
                            .x1 = std::span(to.x).first(free),
                            .v1 = std::span(to.v).first(free),
                            .h = h,
                            .path = PathKind::hermite};
    if (search.find(motion, 0))
        for (const Contact& hit : search.hits()) {
            if (is_muted(to.touches, hit)) continue;
            to.touches.push_back(spring_at(hit, model.surface, from.x));
            to.touched[static_cast<std::size_t>(hit.a.body)] = to.touched[static_cast<std::size_t>(hit.b.body)] = 1;
            has_changed = true;
        }
    if (has_changed) to.history.rates_step = -1;
    std::sort(to.touches.begin(), to.touches.end(), [](const Touch& a, const Touch& b) { return a.key < b.key; });
    to.ledger.switched += contact_spring_energy(to) - before;
    return static_cast<int>(to.touches.size());
}

}  // namespace pliant
