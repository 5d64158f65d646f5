// SPDX-License-Identifier: MIT

// Issues of steps in words.

#include <cmath>

#include <fmt/format.h>

#include <pliant/world/step.h>

namespace pliant {

namespace {

std::string cure_of(double limit)
{
    if (std::isinf(limit)) return "";
    if (limit > 0)
        return fmt::format("; the step may be at most {:.3g} s here: set solver.substeps to \"auto\" or solver.step "
                           "below that, or take a solver.kind that stands any step: bdf2, implicit_euler or xpbd",
                           limit);
    return "; no step is short enough for this solver: choose another solver.kind, rk4, or bdf2, which stands any step";
}

}  // namespace

std::string explain(const Issue& issue, const Model& model)
{
    const std::string body = issue.body >= 0 ? model.bodies[issue.body].name : "";
    const std::string place =
        issue.vertex >= 0 ? fmt::format("vertex {} of body '{}'", issue.vertex, body) : fmt::format("body '{}'", body);
    const std::string cure = cure_of(issue.limit);
    switch (issue.kind) {
    case IssueKind::none:
        return "";
    case IssueKind::step_too_long:
        return fmt::format(
            "steps of {:.3g} s are longer than the stability limit of about {:.3g} s; set solver.substeps to "
            "\"auto\" or solver.step below the limit, or take a solver.kind that stands any step: bdf2, implicit_euler "
            "or "
            "xpbd",
            issue.value, issue.limit);
    case IssueKind::non_finite:
        if (issue.constraint >= 0)
            return fmt::format("constraint '{}' has no finite value or slope here",
                               model.constraints[issue.constraint].name);
        return place + " went to infinity" + cure;
    case IssueKind::inverted:
        return fmt::format("the cavity of body '{}' has a volume of {:.3g} m3; a gas needs a positive one", body,
                           issue.value);
    case IssueKind::unstable:
        if (issue.body < 0) return "the scene cannot be stepped" + cure;
        if (issue.value < 0) return place + " hangs on a spring stretched to more than 100 times its length" + cure;
        return fmt::format("{} moved {:.3g} m in one step", place, issue.value) + cure;
    case IssueKind::not_converged:
        if (issue.constraint >= 0)
            return fmt::format(
                "constraint '{}' cannot be met here: it may contradict another one or what is held, or the "
                "step may be too long for it",
                model.constraints[issue.constraint].name);
        return issue.body < 0 ? "the solver did not converge, however short the step; try another solver.kind"
                              : place + ": the solver did not converge";
    case IssueKind::conflicting: {
        const auto name = [&](std::int32_t c) {
            return c < 0 ? std::string("what is held") : fmt::format("'{}'", model.constraints[c].name);
        };
        return fmt::format("constraint {} contradicts {}: no motion obeys both; remove one, or let it end with \"to\"",
                           name(issue.constraint), name(issue.other));
    }
    case IssueKind::penetrating:
        return (issue.body < 0 ? "something that moves" : place) +
               " would pass through another body and nothing gives way: let one of them move, slow down what is "
               "carried, or allow more contact.rounds, contact.halvings or contact.zones (response bridson), "
               "contact.budget (response barrier)";
    }
    return "";
}

}  // namespace pliant
