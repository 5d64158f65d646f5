// SPDX-License-Identifier: MIT
#pragma once

// A take before the independent judge of contact (audit/intersections.h): its frames, its surfaces and its planes.
//
// Positions are those of the frames, to the last bit: recordings keep doubles. A plane has no points of its own; where it is, its
// frame's nodes say, which are recorded with all other points (model/model.h tells their order).

#include <cstdint>
#include <vector>

#include <pliant/audit/intersections.h>
#include <pliant/record/recording.h>

namespace pliant {

class TakeAudit {
public:
    /// Throws Error where the take has planes and its points are not in the order that says where. The take must outlive this.
    explicit TakeAudit(const Recording& take);
    TakeAudit(const TakeAudit&) = delete;
    TakeAudit& operator=(const TakeAudit&) = delete;

    const AuditSurfaces& surfaces() const { return surfaces_; }
    std::size_t plane_count() const { return planes_.size(); }
    /// False: no face and no plane, so nothing can be met.
    bool has_surfaces() const { return !surfaces_.faces.empty() || !planes_.empty(); }

    /// What is found in the k-th frame, until the next call; Error where it has a point that is not finite.
    const Intersections& look_at(std::int64_t frame);

private:
    struct PlaneNodes {
        std::int32_t body, frame_node;
    };
    static std::vector<PlaneNodes> planes_of(const Recording& take);

    const Recording& take_;
    AuditSurfaces surfaces_;
    std::vector<PlaneNodes> planes_;
    IntersectionSearch search_;
    std::vector<AuditPlane> placed_;
    Intersections found_;
};

}  // namespace pliant
