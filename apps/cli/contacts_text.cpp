// SPDX-License-Identifier: MIT
#include "contacts.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <pliant/record/export_contacts.h>

#include "output.h"

namespace pliant::cli {

namespace {

/// How many of both kinds of pairs, and the times they span.
struct KindCounts {
    std::size_t faces = 0, edges = 0, planes = 0;
    double first = 1, last = 0;  ///< [1] share of the step

    void add(PairKind kind) { ++(kind == PairKind::vertex_face ? faces : edges); }
    void add_time(double time) { first = std::min(first, time), last = std::max(last, time); }
    std::size_t count() const { return faces + edges + planes; }
};

std::string counted_kinds(const KindCounts& c)
{
    std::string text = fmt::format("{} vertex-face, {} edge-edge", c.faces, c.edges);
    if (c.planes > 0) text += fmt::format(", {} vertex-plane", c.planes);
    return text;
}

std::string millimetres(double metres)
{
    return fmt::format("{:.4g} mm", 1000 * metres);
}

// Points of frames belong to no body.
std::int32_t body_of(const Topology& topology, std::int32_t point)
{
    for (std::size_t b = 0; b < topology.bodies.size(); ++b) {
        const BodyRange& body = topology.bodies[b];
        if (point >= body.first_point && point < body.first_point + body.point_count)
            return static_cast<std::int32_t>(b);
    }
    return -1;
}

std::string body_name(const Topology& topology, std::int32_t body)
{
    return body < 0 ? "?" : topology.bodies[static_cast<std::size_t>(body)].name;
}

std::string broad_text(const ContactLog& log)
{
    KindCounts c;
    for (const BroadPair& pair : log.broad) c.add(pair.kind);
    return fmt::format("broad    {} pairs ({}) from {} search{} with {} tests of boxes\n", c.count(), counted_kinds(c),
                       log.counters.searches, log.counters.searches == 1 ? "" : "es", log.counters.box_tests);
}

std::string near_text(const ContactLog& log)
{
    KindCounts c;
    double gap = 0, thickness = 0;
    const auto look_at = [&](double distance, double of) {
        if (c.count() == 0 || distance < gap) gap = distance, thickness = of;
    };
    for (const Meeting& m : log.near) look_at(m.distance, m.thickness), c.add(m.pair.kind);
    for (const PlaneMeeting& m : log.planes)
        if (m.round < 0) look_at(m.distance, m.thickness), ++c.planes;
    if (c.count() == 0) return "near     nothing when the step began\n";
    return fmt::format("near     {} pairs ({}) when the step began; smallest gap {}, thickness there {}\n", c.count(),
                       counted_kinds(c), millimetres(gap), millimetres(thickness));
}

std::string impacts_text(const ContactLog& log)
{
    std::map<std::int32_t, KindCounts> rounds;
    for (const LoggedImpact& impact : log.impacts) {
        KindCounts& c = rounds[impact.round];
        c.add(impact.meeting.pair.kind), c.add_time(impact.meeting.time);
    }
    for (const PlaneMeeting& m : log.planes) {
        if (m.round < 0) continue;
        KindCounts& c = rounds[m.round];
        ++c.planes, c.add_time(m.time);
    }
    if (rounds.empty()) return "impacts  none\n";
    std::string text;
    for (const auto& [round, c] : rounds)
        text += fmt::format("{}  on the way to mesh {}: {} ({}), {:.4g} to {:.4g} of the step\n",
                            text.empty() ? "impacts" : "       ", round, c.count(), counted_kinds(c), c.first, c.last);
    return text;
}

std::string zones_text(const ContactLog& log)
{
    std::map<std::int32_t, std::size_t> sizes;
    for (const std::int32_t zone : log.zone)
        if (zone >= 0) ++sizes[zone];
    if (sizes.empty()) return "zones    none\n";
    std::size_t largest = 0;
    for (const auto& [zone, size] : sizes) largest = std::max(largest, size);
    return fmt::format("zones    {}, the largest has {} points\n", sizes.size(), largest);
}

// Who meets whom, however often: near pairs and impacts by bodies.
std::string bodies_text(const LoggedFrame& logged)
{
    struct Met {
        std::size_t near = 0, impacts = 0;
    };
    std::map<std::pair<std::string, std::string>, Met> met;
    const auto bodies = [&](std::int32_t a, std::int32_t b) -> Met& {
        return met[std::minmax(body_name(logged.topology, a), body_name(logged.topology, b))];
    };
    const auto pair = [&](const Meeting& m) -> Met& {
        return bodies(body_of(logged.topology, m.point[0]), body_of(logged.topology, m.point[3]));
    };
    for (const Meeting& m : logged.log.near) ++pair(m).near;
    for (const LoggedImpact& impact : logged.log.impacts) ++pair(impact.meeting).impacts;
    for (const PlaneMeeting& m : logged.log.planes) {
        Met& of = bodies(body_of(logged.topology, m.point), m.body);
        ++(m.round < 0 ? of.near : of.impacts);
    }
    if (met.empty()) return "";
    Table table("llrr");
    table.add({"body", "meets", "near", "impacts"});
    for (const auto& [names, counts] : met)
        table.add({names.first, names.first == names.second ? "itself" : names.second, std::to_string(counts.near),
                   std::to_string(counts.impacts)});
    return "\n" + table.text();
}

// What each stage did to the mesh before it.
std::string meshes_text(const ContactLog& log)
{
    Table table("lrrl");
    table.add({"mesh", "points moved", "farthest", "is"});
    const std::vector<LoggedMesh> meshes = logged_meshes(log);
    for (std::size_t m = 1; m < meshes.size(); ++m) {
        std::size_t moved = 0;
        double farthest = 0;
        for (std::size_t p = 0; p < meshes[m].x->size(); ++p) {
            const double way = norm((*meshes[m].x)[p] - (*meshes[m - 1].x)[p]);
            if (way > 0) ++moved;
            farthest = std::max(farthest, way);
        }
        const char* what = m == 1                   ? "the step without contact"
                           : m == 2                 ? "repelled"
                           : m + 1 == meshes.size() ? "the end of the step"
                                                    : "impulses, or zones moved";
        table.add({meshes[m].name, std::to_string(moved), millimetres(farthest), what});
    }
    return "\n" + table.text();
}

std::string trees_text(const LoggedFrame& logged)
{
    struct Tree {
        std::size_t boxes = 0, leaves = 0;
        int depth = 0;
    };
    std::map<std::int32_t, Tree> trees;
    for (const LoggedBox& b : logged.log.boxes) {
        Tree& tree = trees[b.body];
        ++tree.boxes, tree.leaves += b.box.is_leaf ? 1 : 0, tree.depth = std::max(tree.depth, b.box.depth);
    }
    if (trees.empty()) return "";
    Table table("lrrr");
    table.add({"tree of", "boxes", "leaves", "depth"});
    for (const auto& [body, tree] : trees)
        table.add({body_name(logged.topology, body), std::to_string(tree.boxes), std::to_string(tree.leaves),
                   std::to_string(tree.depth)});
    return "\n" + table.text();
}

void write_vector(JsonWriter& json, std::string_view key, const Vec3& v)
{
    const std::array<double, 3> numbers{v[0], v[1], v[2]};
    json.key(key).value(std::span<const double>(numbers));
}

class JsonClerk {
public:
    JsonClerk(JsonWriter& json, const LoggedFrame& logged) : json_(json), logged_(logged) {}

    void write()
    {
        write_step();
        json_.key("near").begin_array();
        for (const Meeting& m : logged_.log.near) write_meeting(m, -1);
        json_.end_array().key("impacts").begin_array();
        for (const LoggedImpact& impact : logged_.log.impacts) write_meeting(impact.meeting, impact.round);
        json_.end_array().key("planes").begin_array();
        for (const PlaneMeeting& m : logged_.log.planes) write_plane(m);
        json_.end_array();
        write_zones();
        json_.key("broad").begin_array();
        for (const BroadPair& pair : logged_.log.broad) {
            json_.begin_object().member("kind", kind(pair.kind));
            write_points(pair.point);
            json_.end_object();
        }
        json_.end_array();
    }

private:
    static const char* kind(PairKind k) { return k == PairKind::vertex_face ? "vertex-face" : "edge-edge"; }

    void write_step()
    {
        const ContactLog& log = logged_.log;
        const ContactCounts c = contact_counts(log);
        json_.member("frame", logged_.frame).member("frame_time", logged_.time);
        json_.member("step_start", log.time).member("step_length", log.h);
        json_.member("searches", log.counters.searches).member("box_tests", log.counters.box_tests);
        json_.member("passes", log.passes).member("rounds", c.rounds()).member("zone_count", c.zones);
        json_.member("gap", c.gap);
        json_.key("seconds").begin_object();
        const ContactTimes& s = log.seconds;
        json_.member("search", s.search).member("near", s.near).member("hits", s.hits).member("rows", s.rows);
        json_.member("zones", s.zones).end_object();
    }

    // Both bodies, and the vertices within them.
    void write_points(const std::array<std::int32_t, 4>& point)
    {
        const std::int32_t a = body_of(logged_.topology, point[0]), b = body_of(logged_.topology, point[3]);
        json_.member("body_a", body_name(logged_.topology, a)).member("body_b", body_name(logged_.topology, b));
        json_.key("vertices").begin_array(true);
        for (const std::int32_t p : point) {
            const std::int32_t body = body_of(logged_.topology, p);
            json_.value(body < 0 ? p : p - logged_.topology.bodies[static_cast<std::size_t>(body)].first_point);
        }
        json_.end_array();
    }

    void write_meeting(const Meeting& m, std::int32_t round)
    {
        json_.begin_object().member("kind", kind(m.pair.kind));
        if (round >= 0) json_.member("round", round).member("time", m.time);
        write_points(m.point);
        json_.key("weights").value(std::span<const double>(m.weight));
        write_vector(json_, "normal", m.normal);
        json_.member("distance", m.distance).member("start_distance", m.start_distance);
        json_.member("thickness", m.thickness).end_object();
    }

    void write_plane(const PlaneMeeting& m)
    {
        const std::int32_t body = body_of(logged_.topology, m.point);
        json_.begin_object().member("body_a", body_name(logged_.topology, body));
        json_.member("vertex", body < 0
                                   ? m.point
                                   : m.point - logged_.topology.bodies[static_cast<std::size_t>(body)].first_point);
        json_.member("body_b", body_name(logged_.topology, m.body));
        if (m.round >= 0) json_.member("round", m.round).member("time", m.time);
        write_vector(json_, "normal", m.normal);
        json_.member("distance", m.distance).member("thickness", m.thickness).end_object();
    }

    // Points of each zone, numbered through the scene.
    void write_zones()
    {
        std::map<std::int32_t, std::vector<std::size_t>> zones;
        for (std::size_t p = 0; p < logged_.log.zone.size(); ++p)
            if (logged_.log.zone[p] >= 0) zones[logged_.log.zone[p]].push_back(p);
        json_.key("zones").begin_array();
        for (const auto& [zone, points] : zones) {
            json_.begin_array(true);
            for (const std::size_t p : points) json_.value(p);
            json_.end_array();
        }
        json_.end_array();
    }

    JsonWriter& json_;
    const LoggedFrame& logged_;
};

}  // namespace

std::string contacts_text(const LoggedFrame& logged)
{
    const ContactLog& log = logged.log;
    const ContactTimes& s = log.seconds;
    std::string text = fmt::format("frame {} at {:g} s; the last step before it began at {:g} s and took {:g} s\n",
                                   logged.frame, logged.time, log.time, log.h);
    text += broad_text(log) + near_text(log) + impacts_text(log) + zones_text(log);
    text += fmt::format("machine  search {:.3f} ms, near {:.3f}, hits {:.3f}, rows {:.3f} ({} passes), zones {:.3f}\n",
                        1000 * s.search, 1000 * s.near, 1000 * s.hits, 1000 * s.rows, log.passes, 1000 * s.zones);
    return text + bodies_text(logged) + meshes_text(log) + trees_text(logged);
}

void write_contacts_json(JsonWriter& json, const LoggedFrame& logged)
{
    json.begin_object();
    JsonClerk(json, logged).write();
    json.end_object();
}

}  // namespace pliant::cli
