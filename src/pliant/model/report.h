// SPDX-License-Identifier: MIT
#pragma once

// What a step says about itself. Fixed size: nothing is allocated while stepping.

#include <cstdint>
#include <string>
#include <string_view>

#include <pliant/base/profile.h>

namespace pliant {

enum class IssueKind : std::int32_t {
    none,
    step_too_long,
    not_converged,
    non_finite,
    unstable,
    inverted,
    penetrating,
    conflicting
};
constexpr std::array<std::string_view, 8> enum_names(IssueKind)
{
    return {"ok", "warning", "not_converged", "non_finite", "unstable", "inverted", "penetrating", "conflicting"};
}

/// One thing that went wrong: what, where, and one number that measures it.
struct Issue {
    IssueKind kind = IssueKind::none;
    std::int32_t body = -1;                    ///< index into Model::bodies
    std::int32_t vertex = -1;                  ///< within the body
    std::int32_t constraint = -1, other = -1;  ///< conflicting: indices into Model::constraints
    double value = 0;  ///< step_too_long: the step [s]; inverted: volume [m^3]; unstable: way [m], -1 overstretched
    double limit = 0;  ///< [s] stability limit known when it happened, 0 if none
};

enum class Status : std::int32_t { ok, warning, failed };

/// What one try to advance by h came to.
struct Attempt {
    bool accepted = true;
    double retry_h = 0;  ///< [s] length to try next when not accepted; 0 gives up
    int iterations = 0;
    double residual = 0;
    double unbalanced = 0;  ///< [1] share of the driving forces that a step ended by its budget left over
    Issue issue;
};

struct StepReport {
    double time = 0;  ///< [s] reached
    Status status = Status::ok;
    int substeps = 0, retries = 0, iterations = 0, contacts = 0, events = 0;
    double residual = 0;
    double unbalanced = 0;  ///< [1] the largest of its steps
    Issue issue;            ///< the failure, else the first warning
    Profile profile;

    bool failed() const { return status == Status::failed; }
};

}  // namespace pliant
