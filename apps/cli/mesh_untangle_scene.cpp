// SPDX-License-Identifier: MIT

// pliant mesh untangle of a scene: bodies that begin in each other are shifted or bent until they do not.
//
// A shift goes into `position`, with whatever of the body is picked by coordinates; a bent mesh into a file of its own beside
// the new scene. What was written is read, built and judged again before it is called untangled.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <pliant/io/mesh_file.h>
#include <pliant/mesh/transform.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>
#include <pliant/world/intersection_measure.h>

#include "mesh_untangle.h"
#include "output.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

namespace fs = std::filesystem;

/// A scene as it begins, as the judge sees it. Contact is off, so that nobody refuses it.
struct Start {
    explicit Start(Scene scene)
    {
        scene.contact.enabled = false;
        Build built = try_build(scene);
        if (!built.problems.empty()) throw Error(std::move(built.problems));
        world = std::move(built.world);
        surfaces = audit_surfaces(world.model->topology);
        for (const Shape& shape : world.model->shapes)
            if (shape.kind == ShapeKind::plane)
                planes.push_back(audit_plane(shape.body, world.state.x, world.model->frame_node(shape.frame)));
    }
    const std::vector<BodyRange>& bodies() const { return world.model->topology.bodies; }

    World world;
    AuditSurfaces surfaces;
    std::vector<AuditPlane> planes;
};

// Only a mesh from a file is replaced by another file: generators have groups, which surface files cannot keep.
bool can_bend(const BodyScene& body)
{
    const bool is_sheet =
        body.kind == SceneBodyKind::cloth || body.kind == SceneBodyKind::springs || body.kind == SceneBodyKind::simplex;
    return is_sheet && !body.mesh.file.empty() && !body.mesh.dual && !body.radial;
}

const BodyScene* body_named(const Scene& scene, const std::string& name)
{
    for (const auto& [candidate, body] : scene.bodies)
        if (candidate == name) return &body;
    return nullptr;
}

std::vector<UntangleMotion> motions_of(const Scene& scene, const Start& start, const std::vector<std::string>& fix)
{
    std::vector<UntangleMotion> motions;
    std::vector<std::string> names;
    for (const BodyRange& range : start.bodies()) {
        const BodyScene* body = body_named(scene, range.name);
        const bool is_fixed = !body || std::find(fix.begin(), fix.end(), range.name) != fix.end();
        motions.push_back(is_fixed          ? UntangleMotion::fixed
                          : can_bend(*body) ? UntangleMotion::vertices
                                            : UntangleMotion::whole);
        names.push_back(range.name);
    }
    for (const std::string& word : fix)
        if (std::find(names.begin(), names.end(), word) == names.end())
            throw Error(Problem{.file = scene.file,
                                .message = fmt::format("--fix {}: there is no such body", word),
                                .cure = suggestion(word, names)},
                        ErrorKind::usage);
    return motions;
}

void shift(Select& select, const Vec3& by)
{
    for (Region& region : select.regions) {
        for (std::optional<Vec3>* place : {&region.low, &region.high, &region.around})
            if (*place) **place += by;
        for (Vec3& place : region.faces_at) place += by;
    }
}

// The body and all that is picked of it by coordinates.
void shift(Scene& scene, const std::string& name, BodyScene& body, const Vec3& by)
{
    body.position += by;
    for (PinScene& pin : body.pins) shift(pin.select, by);
    for (LoadScene& load : body.loads) shift(load.select, by);
    for (MaterialRegion& region : body.materials) shift(region.select, by);
    for (SeamScene& seam : body.seams) shift(seam.from, by), shift(seam.to, by);
    for (Named<ProbeScene>* probes : {&scene.points, &scene.record.probes})
        for (auto& [probe_name, probe] : *probes)
            if (probe.body == name && probe.at) *probe.at += by;
}

/// The mesh of a body that was bent, and where it goes.
struct BentMesh {
    std::string path;
    TriMesh mesh;
};

// The file's mesh with the new vertices, whose place the mesh had by its own scale, turn and shift.
BentMesh bend(const Scene& scene, const BodyRange& range, BodyScene& body, std::span<const Vec3> x, const fs::path& out)
{
    BentMesh bent{.mesh = load_mesh(resolve_path(scene, body.mesh.file))};
    scale(bent.mesh, body.mesh.scale);
    for (std::size_t v = 0; v < bent.mesh.vertices.size(); ++v)
        bent.mesh.vertices[v] = x[static_cast<std::size_t>(range.first_point) + v] - body.position;
    // Of the formats only OBJ keeps material coordinates.
    const std::string name =
        fmt::format("{}_{}.{}", out.stem().string(), range.name, bent.mesh.uv.empty() ? "ply" : "obj");
    bent.path = (out.parent_path() / name).string();
    body.mesh = MeshSource{.file = name};
    return bent;
}

template <class Visit>
void for_each_mesh(Scene& scene, const Visit& visit)
{
    const auto visit_if = [&](std::optional<MeshSource>& mesh) {
        if (mesh) visit(*mesh);
    };
    for (auto& [name, body] : scene.bodies) {
        visit(body.mesh);
        visit_if(body.rest_mesh);
        visit_if(body.rigid.hull);
        if (body.goal) visit(body.goal->mesh);
        for (RigidPartScene& part : body.parts) visit_if(part.mesh), visit_if(part.shape.hull);
    }
    for (auto& [name, collider] : scene.colliders) {
        visit_if(collider.mesh);
        visit_if(collider.rigid.hull);
        for (RigidPartScene& part : collider.parts) visit_if(part.mesh), visit_if(part.shape.hull);
    }
}

// Paths are written relative to the scene, which may now be in another folder.
void move_paths(Scene& scene, const fs::path& out)
{
    const fs::path folder = fs::absolute(out).parent_path();
    if (folder == fs::absolute(scene.file).parent_path()) return;
    for_each_mesh(scene, [&](MeshSource& mesh) {
        if (mesh.file.empty() || fs::path(mesh.file).is_absolute()) return;
        mesh.file = fs::absolute(resolve_path(scene, mesh.file)).lexically_normal().lexically_relative(folder).string();
    });
}

/// The scene that begins apart, what has to be written beside it, and what to tell.
struct Cure {
    Scene scene;
    std::vector<BentMesh> meshes;
    std::vector<std::string> notes;
};

Cure cure_of(const Scene& scene, const Start& start, const std::vector<UntangleMotion>& motions,
             std::span<const Vec3> x, const fs::path& out)
{
    Cure cure{.scene = scene};
    move_paths(cure.scene, out);
    for (std::size_t b = 0; b < start.bodies().size(); ++b) {
        const BodyRange& range = start.bodies()[b];
        const std::span<const Vec3> before =
            std::span(start.world.state.x).subspan(range.first_point, range.point_count);
        const std::span<const Vec3> after = x.subspan(range.first_point, range.point_count);
        if (std::equal(before.begin(), before.end(), after.begin())) continue;
        for (auto& [name, body] : cure.scene.bodies) {
            if (name != range.name) continue;
            if (motions[b] == UntangleMotion::whole) {
                const Vec3 by = after[0] - before[0];
                shift(cure.scene, name, body, by);
                cure.notes.push_back(fmt::format("body '{}' shifted by {:.4g} {:.4g} {:.4g}", name, by.x, by.y, by.z));
            } else {
                const BodyScene* original = body_named(scene, name);
                body.mesh = original->mesh;
                BentMesh bent = bend(scene, range, body, x, out);
                cure.notes.push_back(fmt::format(
                    "body '{}' bent, its mesh is {}{}", name, bent.path,
                    bent.mesh.uv.empty() ? "; it has no material coordinates, so it rests as it is bent" : ""));
                cure.meshes.push_back(std::move(bent));
            }
        }
    }
    return cure;
}

// All files or, where one is there already, none.
void write(const UntangleVerb& verb, const Cure& cure)
{
    check_may_write(verb.output.path, verb.output.force);
    for (const BentMesh& bent : cure.meshes) check_may_write(bent.path, verb.output.force);
    for (const BentMesh& bent : cure.meshes) write_mesh(bent.path, bent.mesh);
    write_text(verb.output.path, to_json_text(cure.scene), verb.output.force);
}

std::size_t intersections_in(const std::string& path)
{
    const Start written(load_scene(path));
    Intersections found;
    IntersectionSearch(written.surfaces).find(found, written.world.state.x, written.planes);
    return found.count();
}

void say_scene_left(const UntangleReport& report, const Start& start, std::span<const Vec3> x)
{
    say_what_is_left(
        report.left, x,
        [&](const EdgeThroughFace& one) {
            const BodyRange &a = start.bodies()[one.body_a], &b = start.bodies()[one.body_b];
            return fmt::format("'{}' edge {}-{} through '{}' face {}", a.name, one.edge[0] - a.first_point,
                               one.edge[1] - a.first_point, b.name, one.face - b.first_triangle);
        },
        [&](const VertexThroughPlane& one) {
            const BodyRange& body = start.bodies()[one.body];
            return fmt::format("'{}' vertex {} behind '{}'", body.name, one.vertex - body.first_point,
                               start.bodies()[one.plane_body].name);
        });
}

}  // namespace

int untangle_scene(const UntangleVerb& verb)
{
    check_may_write(verb.output.path, verb.output.force);
    const Scene scene = load_scene(verb.input);
    const Start start(scene);
    const std::vector<UntangleMotion> motions = motions_of(scene, start, verb.fix);
    std::vector<Vec3> x = start.world.state.x;
    const UntangleOptions options = untangle_options(verb, start.surfaces, x);
    const UntangleReport report =
        untangle(x, {.surfaces = start.surfaces, .motion = motions, .planes = start.planes}, options);
    fmt::print("{}", untangle_summary(report, options.gap));
    if (!report.is_free()) {
        say_scene_left(report, start, x);
        return kIntersections;
    }
    const Cure cure = cure_of(scene, start, motions, x, verb.output.path);
    write(verb, cure);
    if (const std::size_t left = intersections_in(verb.output.path); left > 0) {
        say(fmt::format("not untangled: {} has {} intersections again by rounding; try a larger --gap than {:.3g}",
                        verb.output.path, left, options.gap));
        return kIntersections;
    }
    if (verb.output.quiet) return kOk;
    for (const std::string& note : cure.notes) say("note: " + note);
    say(fmt::format("wrote {0}; next: pliant run {0}", verb.output.path));
    return kOk;
}

}  // namespace pliant::cli
