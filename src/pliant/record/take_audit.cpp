// SPDX-License-Identifier: MIT
#include <pliant/record/take_audit.h>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/base/json.h>
#include <pliant/world/intersection_measure.h>

namespace pliant {

namespace {

bool has_frame(const BodyRange& body)
{
    return body.kind == name_of(BodyKind::rigid) || body.kind == name_of(BodyKind::collider);
}

// The scene says which colliders are planes; its text is read as plain JSON, so that takes of other versions are understood.
bool is_plane(const Json& scene, const BodyRange& body)
{
    const Json* colliders = scene.find("colliders");
    const Json* collider = colliders ? colliders->find(body.name) : nullptr;
    return body.kind == name_of(BodyKind::collider) && collider && collider->find("plane");
}

// Points are free vertices, then four nodes a frame, then what is bound to frames.
std::int32_t first_frame_node(const Recording& take)
{
    const Topology& topology = take.header().topology;
    std::int64_t free = 0, all = 0;
    for (const BodyRange& body : topology.bodies) {
        if (!has_frame(body)) free += body.point_count;
        all += body.point_count + (has_frame(body) ? 4 : 0);
    }
    if (all != topology.point_count)
        throw Error(
            Problem{.file = take.path(),
                    .message = fmt::format("has {} points where its bodies and their frames make {}, so it cannot "
                                           "be told where its planes are",
                                           topology.point_count, all),
                    .cure = "run the scene again with this version"});
    return static_cast<std::int32_t>(free);
}

}  // namespace

std::vector<TakeAudit::PlaneNodes> TakeAudit::planes_of(const Recording& take)
{
    const RecordingHeader& header = take.header();
    const Json scene = parse_json(header.scene_text, header.scene_path).value;
    std::vector<PlaneNodes> planes;
    std::int32_t frame = 0;
    for (std::size_t b = 0; b < header.topology.bodies.size(); ++b) {
        const BodyRange& body = header.topology.bodies[b];
        if (is_plane(scene, body)) planes.push_back({static_cast<std::int32_t>(b), 4 * frame});
        if (has_frame(body)) ++frame;
    }
    if (planes.empty()) return planes;
    const std::int32_t first = first_frame_node(take);
    for (PlaneNodes& plane : planes) plane.frame_node += first;
    return planes;
}

TakeAudit::TakeAudit(const Recording& take)
    : take_(take)
    , surfaces_(audit_surfaces(take.header().topology))
    , planes_(planes_of(take))
    , search_(surfaces_)
{
}

const Intersections& TakeAudit::look_at(std::int64_t frame)
{
    const std::vector<Vec3> x = take_.positions(frame);
    placed_.clear();
    for (const PlaneNodes& plane : planes_) placed_.push_back(audit_plane(plane.body, x, plane.frame_node));
    if (!search_.find(found_, x, placed_))
        throw Error(
            Problem{.file = take_.path(),
                    .message = fmt::format("frame {} has a point whose coordinates are not finite, so nothing can "
                                           "be said of it",
                                           frame),
                    .cure = "look at the frames before it: --frames a:b"});
    return found_;
}

}  // namespace pliant
