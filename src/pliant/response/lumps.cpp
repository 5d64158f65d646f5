// SPDX-License-Identifier: MIT
#include <pliant/response/lumps.h>

#include <algorithm>

namespace pliant {

void Lumps::clear()
{
    std::fill(parent_.begin(), parent_.end(), -1);
    members_.clear();
}

std::int32_t Lumps::root(std::int32_t node) const
{
    while (parent_[static_cast<std::size_t>(node)] != node) node = parent_[static_cast<std::size_t>(node)];
    return node;
}

void Lumps::add_member(std::int32_t node)
{
    std::int32_t& parent = parent_[static_cast<std::size_t>(node)];
    if (parent >= 0) return;
    parent = node;
    members_.push_back(node);
}

bool Lumps::join(std::int32_t first, std::int32_t second)
{
    add_member(first), add_member(second);
    const std::int32_t a = root(first), b = root(second);
    parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    return a != b;
}

bool Lumps::join(const Contact& contact)
{
    bool has_grown = false;
    for (const ContactSide* side : {&contact.a, &contact.b})
        for (const std::int32_t node : side->point)
            if (node >= 0) has_grown |= join(contact.a.point[0], node);
    return has_grown;
}

double Lumps::move(State& to, const Model& model, const State& from)
{
    for (const std::int32_t node : members_) sums_[static_cast<std::size_t>(root(node))] = {};
    double energy = 0;
    for (const std::int32_t node : members_) {
        const auto i = static_cast<std::size_t>(node);
        Sum& sum = sums_[static_cast<std::size_t>(root(node))];
        energy += 0.5 * model.mass[i] * norm2(to.v[i]);
        const bool is_held = to.held[i] != 0;
        if (sum.is_held && !is_held) continue;
        if (is_held && !sum.is_held) sum = {.is_held = true};
        sum.way += (to.x[i] - from.x[i]) * model.mass[i];
        sum.velocity += to.v[i] * model.mass[i];
        sum.mass += model.mass[i];
    }
    for (const std::int32_t node : members_) {
        const auto i = static_cast<std::size_t>(node);
        const Sum& sum = sums_[static_cast<std::size_t>(root(node))];
        if (to.held[i] == 0) to.x[i] = from.x[i] + sum.way / sum.mass;
        if (to.held[i] == 0) to.v[i] = sum.velocity / sum.mass;
        energy -= 0.5 * model.mass[i] * norm2(to.v[i]);
    }
    return energy;
}

}  // namespace pliant
