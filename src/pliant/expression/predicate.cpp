// SPDX-License-Identifier: MIT
#include <pliant/expression/predicate.h>

// The truth of a tree over signs: and is the smaller, or the larger of no < unknown < yes.

#include <algorithm>
#include <cmath>
#include <utility>

#include <pliant/base/error.h>

namespace pliant {

Sign sign_of(double number)
{
    if (!std::isfinite(number)) return Sign::unknown;
    return number < 0 ? Sign::negative : number > 0 ? Sign::positive : Sign::zero;
}

Predicate::Predicate() : Predicate("0 > 0", {Gap{}}, {ConditionNode{}}) {}

Predicate::Predicate(std::string text, std::vector<Gap> gaps, std::vector<ConditionNode> nodes)
    : text_(std::move(text))
    , gaps_(std::move(gaps))
    , nodes_(std::move(nodes))
{
    PLIANT_ASSERT(gaps_.size() <= kMaxGaps && nodes_.size() <= kMaxConditionNodes, "the parser keeps the limits");
    PLIANT_ASSERT(!nodes_.empty(), "a condition compares something");
}

bool Predicate::depends_on(VariableKind kind) const
{
    return std::ranges::any_of(gaps_, [&](const Gap& gap) { return gap.expression.depends_on(kind); });
}

void Predicate::find_signs(std::span<const double> all, std::span<Sign> signs) const
{
    PLIANT_ASSERT(signs.size() == gaps_.size(), "one sign for each gap");
    for (std::size_t i = 0; i < gaps_.size(); ++i) signs[i] = sign_of(gaps_[i].expression.value(all));
}

template <class SignOf>
Predicate::Truth Predicate::truth(SignOf sign_of_gap) const
{
    std::array<Truth, kMaxConditionNodes> truths;
    const auto of_gap = [&](std::size_t gap) {
        const Sign sign = sign_of_gap(gap);
        if (sign == Sign::unknown) return Truth::unknown;
        const bool is_true = sign == Sign::positive || (sign == Sign::zero && gaps_[gap].includes_zero);
        return is_true ? Truth::yes : Truth::no;
    };
    const auto of_node = [&](const ConditionNode& node) {
        const auto a = static_cast<std::size_t>(node.a), b = static_cast<std::size_t>(node.b);
        switch (node.kind) {
        case ConditionNode::Kind::gap:
            return of_gap(a);
        case ConditionNode::Kind::both:
            return std::min(truths[a], truths[b]);
        case ConditionNode::Kind::either:
            return std::max(truths[a], truths[b]);
        case ConditionNode::Kind::opposite:
            return truths[a] == Truth::yes ? Truth::no : truths[a] == Truth::no ? Truth::yes : Truth::unknown;
        }
        return Truth::unknown;
    };
    for (std::size_t i = 0; i < nodes_.size(); ++i) truths[i] = of_node(nodes_[i]);
    return truths[nodes_.size() - 1];
}

std::optional<bool> Predicate::holds(std::span<const Sign> signs) const
{
    PLIANT_ASSERT(signs.size() == gaps_.size(), "one sign for each gap");
    const Truth whole = truth([&](std::size_t gap) { return signs[gap]; });
    return whole == Truth::unknown ? std::nullopt : std::optional(whole == Truth::yes);
}

std::optional<bool> Predicate::holds_at(std::span<const double> all) const
{
    std::array<Sign, kMaxGaps> signs;
    find_signs(all, std::span(signs.data(), gaps_.size()));
    return holds(std::span<const Sign>(signs.data(), gaps_.size()));
}

bool Predicate::matters(std::size_t gap, std::span<const Sign> signs) const
{
    PLIANT_ASSERT(signs.size() == gaps_.size() && gap < gaps_.size(), "one sign for each gap");
    const auto with = [&](Sign sign) { return truth([&](std::size_t i) { return i == gap ? sign : signs[i]; }); };
    return with(Sign::positive) != with(Sign::negative);
}

}  // namespace pliant
