// SPDX-License-Identifier: MIT
#include <pliant/response/barrier.h>
#include <pliant/world/build.h>

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include <pliant/base/hash.h>
#include <pliant/contact/pair_gaps.h>
#include <pliant/mesh/measure.h>
#include <pliant/model/points.h>
#include <pliant/solver/forces.h>
#include <pliant/solver/length_projection.h>
#include <pliant/solver/solver.h>
#include <pliant/solver/solver_memory.h>
#include <pliant/solver/stability.h>
#include <pliant/solver/vbd.h>
#include <pliant/solver/xpbd.h>
#include <pliant/world/builder.h>
#include <pliant/world/formulas.h>
#include <pliant/world/inputs.h>
#include <pliant/world/intersection_measure.h>
#include <pliant/world/measures.h>
#include <pliant/world/solid_fields.h>

namespace pliant {

std::int32_t Builder::find_body(const std::string& name) const
{
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
        if (model.bodies[i].name == name) return static_cast<std::int32_t>(i);
    return -1;
}

namespace {

std::string body_pointer(const std::string& name)
{
    return "/bodies/" + name;
}

// Free vertices first, then frames, then the points bound to them.
void add_bodies(Builder& b)
{
    for (const auto& [name, body] : b.scene.bodies)
        if (body.kind == SceneBodyKind::solid)
            add_solid_body(b, name, body, body_pointer(name));
        else if (body.kind != SceneBodyKind::rigid)
            add_springs_body(b, name, body, body_pointer(name));
    b.model.free_count = static_cast<std::int32_t>(b.state.x.size());
    for (const auto& [name, body] : b.scene.bodies)
        if (body.kind == SceneBodyKind::rigid) add_rigid_body(b, name, body, body_pointer(name));
    for (const auto& [name, collider] : b.scene.colliders) add_collider(b, name, collider, "/colliders/" + name);
    place_frames(b);
    place_bound_points(b.state.x, b.state.v, b.model);
    for (const double m : b.model.mass) b.model.inverse_mass.push_back(m > 0 ? 1 / m : 0);
    const auto& x = b.state.x;
    Vec3 low = x.empty() ? Vec3{} : x[0], high = low;
    for (const Body& body : b.model.bodies)
        for (std::int32_t i = body.first_point; i < body.first_point + body.point_count; ++i)
            for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], x[i][k]), high[k] = std::max(high[k], x[i][k]);
    // A lone point has no extent: then its distance from the origin is the only length there is.
    b.model.size = std::max({norm(high - low), norm(high), norm(low)});
    if (!(b.model.size > 0)) b.model.size = 1;
}

void add_terms(Builder& b)
{
    for (const auto& [name, body] : b.scene.bodies) {
        if (body.kind == SceneBodyKind::rigid) continue;
        const auto index = static_cast<std::size_t>(b.find_body(name));
        if (body.kind == SceneBodyKind::solid)
            add_solid_term(b, index, body);
        else if (body.kind == SceneBodyKind::cloth)
            add_cloth_terms(b, index, body);
        else
            add_springs_terms(b, index, body);
        if (body.shape) add_simplex_shape(b, index, *body.shape);
        if (body.goal) add_goal(b, index, body, body_pointer(name) + "/goal");
        if (body.gas) add_gas(b, index, *body.gas, body_pointer(name) + "/gas");
    }
    for (const Cavity& cavity : b.model.cavities)
        for (const Chunk& chunk : cavity.faces.chunks)
            b.model.cavities_reach_bound |= chunk.end_node > b.model.node_count();
}

// What people see: all faces and lines by body, in global indices.
void add_topology(Builder& b)
{
    Topology& t = b.model.topology;
    t.point_count = b.model.point_count();
    t.frame_rate = b.scene.world.frame_rate;
    t.up = b.scene.world.up == UpAxis::z ? 'z' : 'y';
    if (b.scene.record.fields) t.fields = solid_field_names(b.model);
    for (std::size_t i = 0; i < b.model.bodies.size(); ++i) {
        const Body& body = b.model.bodies[i];
        const TriMesh& mesh = b.meshes[i];
        BodyRange range{.name = body.name,
                        .kind = std::string(name_of(body.kind)),
                        .first_point = body.first_point,
                        .point_count = body.point_count};
        range.first_triangle = static_cast<std::int32_t>(t.triangles.size());
        range.triangle_count = static_cast<std::int32_t>(mesh.triangles.size());
        range.first_line = static_cast<std::int32_t>(t.lines.size());
        range.line_count = static_cast<std::int32_t>(mesh.lines.size());
        for (const Triangle& f : mesh.triangles)
            t.triangles.push_back({f[0] + body.first_point, f[1] + body.first_point, f[2] + body.first_point});
        for (const Edge& e : mesh.lines) t.lines.push_back({e[0] + body.first_point, e[1] + body.first_point});
        t.bodies.push_back(range);
    }
    if (b.scene.record.intersections) b.model.audit = std::make_shared<const AuditSurfaces>(audit_surfaces(t));
}

// The eight linear tetrahedra of one with mid-edge nodes: what is inside it, for contact.
constexpr std::array<Tet, 8> kPartsOfQuadraticTet{
    {{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3}, {4, 9, 5, 6}, {4, 9, 6, 7}, {4, 9, 7, 8}, {4, 9, 8, 5}}};

// Solids that begin inside each other pass through each other there: contact is what comes from outside.
void note_overlaps(Builder& b)
{
    PenetrationSearch search;
    std::vector<Penetration> found;
    const CollisionSurface& surface = b.model.surface;
    if (!search.find(found, surface, std::span(b.state.x).first(surface.node_count())) || found.empty()) return;
    const Penetration& first = found.front();
    const Body& owner = b.model.bodies[surface.vertex_body[first.vertex]];
    b.notes.push_back(
        fmt::format("{} vertices begin inside other bodies, vertex {} of body '{}' {:.3g} m deep in '{}'; "
                    "there these will not meet: move them apart",
                    found.size(), surface.vertices[first.vertex] - owner.first_point, owner.name, first.depth,
                    b.model.bodies[first.body].name));
}

// Solids meet each other by their surfaces, as soon as there are two of them.
void add_collision_surface(Builder& b)
{
    const auto solids = std::count_if(b.model.bodies.begin(), b.model.bodies.end(),
                                      [](const Body& body) { return body.kind == BodyKind::solid; });
    if (solids == 0 || (solids == 1 && b.scene.contact.self != SelfContact::on)) return;
    std::vector<Triangle> faces;
    std::vector<std::int32_t> face_body;
    std::vector<Tet> tets;
    for (std::size_t i = 0; i < b.model.bodies.size(); ++i) {
        const std::int32_t first = b.model.bodies[i].first_point;
        if (b.model.bodies[i].kind != BodyKind::solid) continue;
        for (const Triangle& f : b.meshes[i].triangles) faces.push_back({f[0] + first, f[1] + first, f[2] + first});
        face_body.resize(faces.size(), static_cast<std::int32_t>(i));
        for (const Tet& t : b.solids[i].linear)
            tets.push_back({t[0] + first, t[1] + first, t[2] + first, t[3] + first});
        for (const auto& t : b.solids[i].quadratic)
            for (const Tet& part : kPartsOfQuadraticTet)
                tets.push_back({t[part[0]] + first, t[part[1]] + first, t[part[2]] + first, t[part[3]] + first});
    }
    b.model.surface = collision_surface(faces, face_body, tets, static_cast<std::size_t>(b.model.free_count),
                                        EdgeBack::surface_normals);
    constexpr double kShareOfEdge = 1e-3;
    double sum = 0;
    for (const Edge& e : b.model.surface.edges) sum += norm(b.state.x[e[0]] - b.state.x[e[1]]);
    b.model.surface_thickness = kShareOfEdge * sum / static_cast<double>(b.model.surface.edges.size());
    note_overlaps(b);
}

// Sheets that could touch something but do not, as long as only vertices are looked at.
void note_sheets_that_pass(Builder& b)
{
    const auto deforms = [](const Body& body) { return !body.is_rigid(); };
    const auto others = std::count_if(b.model.bodies.begin(), b.model.bodies.end(), deforms);
    const auto sheet = std::find_if(b.model.bodies.begin(), b.model.bodies.end(),
                                    [](const Body& body) { return body.kind == BodyKind::cloth; });
    if (sheet == b.model.bodies.end() || others < 2) return;
    b.notes.push_back(
        fmt::format("cloth '{}' passes through itself and through other bodies that deform; \"contact\": {{ "
                    "\"response\": \"bridson\" }} lets them meet",
                    sheet->name));
}

// Spheres touch faces made of free vertices; vertices and corners touch every shape.
void add_contact_geometry(Builder& b)
{
    b.model.body_thickness.resize(b.model.bodies.size());
    if (joins_surfaces(b.scene.contact.response)) return add_contact_surface(b);
    add_collision_surface(b);
    add_obstacles(b);
    note_unmet_shapes(b);
    note_sheets_that_pass(b);
    const bool has_spheres = std::any_of(b.model.shapes.begin(), b.model.shapes.end(),
                                         [](const Shape& s) { return s.kind == ShapeKind::sphere; });
    for (std::size_t i = 0; i < b.model.bodies.size(); ++i) {
        const Body& body = b.model.bodies[i];
        const bool is_corner_body =
            body.is_rigid() && (b.model.shapes[body.shape].kind == ShapeKind::box ||
                                (b.model.shapes[body.shape].kind == ShapeKind::mesh && body.kind == BodyKind::rigid));
        if (!body.is_rigid() || is_corner_body)
            b.model.contact_points.push_back(
                {static_cast<std::int32_t>(i), body.frame, body.first_point, body.point_count});
        if (body.is_rigid() || !has_spheres) continue;
        for (const Triangle& f : b.meshes[i].triangles) {
            b.model.contact_faces.push_back(
                {f[0] + body.first_point, f[1] + body.first_point, f[2] + body.first_point});
            b.model.contact_face_body.push_back(static_cast<std::int32_t>(i));
        }
    }
}

// Loads that vary with time or place.
void add_load_formulas(Builder& b)
{
    std::size_t load = 0;
    const auto add = [&](const std::string& name, const BodyScene& body) {
        for (std::size_t l = 0; l < body.loads.size() && load < b.model.loads.size(); ++l, ++load) {
            if (body.loads[l].formula.empty()) continue;
            const VectorExpressionRead read = parse_vector_expression(body.loads[l].formula, formula_symbols(b));
            complain(b, fmt::format("/bodies/{}/loads/{}/formula", name, l), read.problems);
            if (read.ok()) b.model.loads[load].formula.assign(read.components.begin(), read.components.end());
        }
    };
    // Rigid bodies come behind all others, as in add_bodies.
    for (const bool is_rigid : {false, true})
        for (const auto& [name, body] : b.scene.bodies)
            if ((body.kind == SceneBodyKind::rigid) == is_rigid) add(name, body);
}

void add_probes(Builder& b)
{
    for (const auto& [name, probe] : b.scene.record.probes)
        if (const std::int32_t point = vertex_of(b, probe, "/record/probes/" + name); point >= 0)
            b.model.probes.push_back({name, point});
}

// Every expectation names a measure, maybe with .first, .min, .max or .mean behind it.
void check_expectations(Builder& b)
{
    const auto& names = b.model.topology.measures;
    const auto is_measure = [&](const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const auto& [name, bounds] : b.scene.expect) {
        const std::size_t dot = name.rfind('.');
        const std::string ending = dot == std::string::npos ? "" : name.substr(dot);
        const bool has_ending = ending == ".first" || ending == ".min" || ending == ".max" || ending == ".mean";
        if (is_measure(name) || (has_ending && is_measure(name.substr(0, dot)))) continue;
        b.complain("/expect/" + name, fmt::format("there is no measure '{}' in this scene", name),
                   suggestion(has_ending ? name.substr(0, dot) : name, names));
    }
}

void check_finite(Builder& b)
{
    for (const Body& body : b.model.bodies)
        for (std::int32_t i = body.first_point; i < body.first_point + body.point_count; ++i)
            if (!is_finite(b.state.x[i]) || !is_finite(b.state.v[i])) {
                b.complain("/bodies/" + body.name,
                           fmt::format("vertex {} has coordinates that are not finite", i - body.first_point));
                return;
            }
}

// What minimises over whole steps, and leaves positions alone afterwards.
std::string barrier_obstacle(const Builder& b)
{
    const SolverKind kind = b.scene.solver.kind;
    if (kind != SolverKind::implicit_euler && kind != SolverKind::bdf2 && kind != SolverKind::vbd)
        return fmt::format("contact.response barrier is part of what a step minimises, which {} does not: use "
                           "implicit_euler, bdf2 or vbd, or contact.response bridson",
                           name_of(kind));
    if (b.scene.solver.adaptive)
        return "contact.response barrier takes steps of solver.step: leave adaptive out, or use contact.response "
               "bridson";
    if (!b.model.constraints.empty())
        return "contact.response barrier does not go with constraints: use pins, or contact.response bridson";
    if (!b.model.holds.empty())
        return "contact.response barrier does not go with springs whose ends are held in a band of lengths, which "
               "moves "
               "vertices after the step: use spring limits, or contact.response bridson";
    return {};
}

// Solvers that sweep, or look once, cannot treat everything; they say what, and who can.
void check_simple_solver(Builder& b)
{
    const SolverKind kind = b.scene.solver.kind;
    std::string obstacle;
    if (kind == SolverKind::xpbd) obstacle = xpbd_obstacle(b.model);
    if (kind == SolverKind::vbd) obstacle = vbd_obstacle(b.model);
    if (kind == SolverKind::projection) obstacle = projection_obstacle(b.model);
    if (kind == SolverKind::linearly_implicit_euler && !b.model.constraints.empty())
        obstacle = "one linear solve does not obey constraints: use implicit_euler or bdf2";
    const bool has_surfaces = b.scene.contact.response == ContactResponse::bridson;
    if (has_surfaces && kind == SolverKind::static_balance)
        obstacle = "static finds no balance with contact.response bridson, which needs motion: use implicit_euler with "
                   "damping";
    if (has_surfaces && kind == SolverKind::trapezoidal)
        obstacle = "trapezoidal does not damp what contact.response bridson stirs up: use implicit_euler or bdf2";
    if (b.scene.contact.response == ContactResponse::barrier)
        if (const std::string found = barrier_obstacle(b); !found.empty()) obstacle = found;
    if (!obstacle.empty()) b.complain("/solver/kind", obstacle);
}

// An implicit solver that would not fit is refused before it begins to fill the memory.
void check_solver_memory(Builder& b)
{
    const SolverLive& solver = b.scene.solver;
    if (!is_implicit(solver.kind)) return;
    const double limit = solver.memory > 0 ? solver.memory : available_memory();
    const double need = implicit_memory(b.model), plain = explicit_memory(b.model);
    const auto size = [](double bytes) { return fmt::format("{:.3g} GB", bytes / 1e9); };
    if (need > limit)
        return b.complain(
            "/solver/kind",
            fmt::format("would take about {} of memory, and {} are {}", size(need), size(limit),
                        solver.memory > 0 ? "allowed by solver.memory" : "free"),
            fmt::format("an explicit solver such as rkf45 takes about {}; or use a coarser mesh", size(plain)));
    if (solver.linear_solver != LinearSolver::cholesky) return;
    const double factor = cholesky_memory(b.model);
    if (need + factor > limit)
        b.complain("/solver/linear_solver",
                   fmt::format("cholesky would take about {} of memory, and {} are {}", size(need + factor),
                               size(limit), solver.memory > 0 ? "allowed by solver.memory" : "free"),
                   fmt::format("multigrid takes about {}", size(need)));
}

// What begins nearer than its thickness has energy from the start.
void book_first_contacts(Builder& b)
{
    if (!barrier_acts(b.model, b.state)) return;
    BarrierContacts contacts(b.model, b.state.x);
    contacts.begin_step(b.state, b.state.solver.step);
    contacts.evaluate(b.state.x);
    b.state.tally.energy = contacts.energy();
}

std::uint64_t model_id(const Builder& b)
{
    Hash h;
    h.add(b.model.mass);
    h.add(b.state.x);
    h.add(b.model.topology.triangles);
    h.add(b.model.topology.lines);
    for (const std::string& field : b.model.topology.fields) h.add(field);
    for (const LivePath& path : b.model.live_paths) h.add(path.path);
    for (const Pin& pin : b.model.pins) h.add(pin.nodes), h.add(pin.axes);
    for (const Load& load : b.model.loads) h.add(load.nodes);
    for (const Path& path : b.model.paths) {
        h.add(path.profile);
        for (const PathLeg& leg : path.legs)
            h.add(leg.begin), h.add(leg.end), h.add(leg.from), h.add(leg.to), h.add(leg.axis), h.add(leg.angle);
    }
    h.add(b.model.mass_matrix.value);
    h.add(b.scene.contact.response), h.add(b.scene.contact.self);
    h.add(b.scene.contact.mesh_search), h.add(b.scene.contact.octree_storage), h.add(b.scene.contact.octree_height);
    for (const Cavity& cavity : b.model.cavities) h.add(std::as_bytes(std::span(cavity.faces.blocks)));
    for (const RadialSprings& springs : b.model.radials)
        h.add(springs.rest), h.add(springs.share), h.add(springs.first);
    for (const Goal& goal : b.model.goals) h.add(goal.force);
    for (const Constraint& constraint : b.model.constraints)
        for (const ConstraintRow& row : constraint.rows) h.add(row.formula.text()), h.add(row.nodes);
    for (const Event& event : b.model.events) h.add(event.when.text());
    for (const LengthHold& hold : b.model.holds) h.add(hold.shortest), h.add(hold.longest);
    for (const Input& input : b.model.inputs) h.add(input.time), h.add(input.target), h.add(input.value.number);
    for (const Term& term : b.model.terms)
        std::visit(
            [&](const auto& elements) {
                h.add(std::as_bytes(std::span(elements.stencils.blocks)));
                h.add(std::as_bytes(std::span(elements.rest)));
            },
            term);
    return h.value();
}

void build_into(Builder& b)
{
    b.state.world = b.scene.world.live;
    b.state.solver = b.scene.solver;
    b.state.contact = b.scene.contact;
    b.model.watches_rest = b.scene.world.until == Until::rest;
    if (b.scene.bodies.empty())
        b.complain("/bodies", "the scene has no body", "add one, or start from: pliant new pneumatic");
    add_bodies(b);
    check_finite(b);
    if (!b.problems.empty()) return;
    add_terms(b);
    const auto free = static_cast<std::size_t>(b.model.free_count);
    if (!b.masses.empty()) b.model.mass_matrix = b.masses.matrix(std::span(b.model.mass).first(free));
    b.model.start_x.assign(b.state.x.begin(), b.state.x.begin() + b.model.free_count);
    add_topology(b);
    add_contact_geometry(b);
    add_probes(b);
    add_points(b);
    if (b.problems.empty()) add_constraints(b);
    add_load_formulas(b);
    for (const auto& [name, event] : b.scene.events) b.state.events.push_back(event.live);
    add_live_paths(b);
    add_inputs(b);
    if (b.problems.empty()) add_events(b);
    b.state.held.resize(b.model.node_count());
    b.state.pin_impulse.resize(b.model.pins.size());
    b.state.touched.resize(b.model.bodies.size());
    b.state.impulse.resize(b.model.bodies.size());
    update_held(b.state, b.model);
    stop_held_coordinates(b.state, b.model);
    place_bound_points(b.state.x, b.state.v, b.model);
    check_constraints(b);
    b.model.id = model_id(b);
    check_solver_memory(b);
    check_simple_solver(b);
    if (b.problems.empty()) book_first_contacts(b);
    name_measures(b.model);
    check_expectations(b);
}

}  // namespace

Build try_build(const Scene& scene)
{
    Builder b{.scene = scene};
    try {
        build_into(b);
    } catch (const std::bad_alloc&) {
        b.complain("", "the scene does not fit into memory", "use smaller meshes");
    } catch (const Error& error) {
        b.problems.insert(b.problems.end(), error.problems().begin(), error.problems().end());
    } catch (const std::exception& error) {
        b.complain("", error.what());
    }
    Build result{.problems = std::move(b.problems), .notes = std::move(b.notes)};
    if (!result.problems.empty()) return result;
    b.meshes = {}, b.solids = {};
    result.world.model = std::make_shared<const Model>(std::move(b.model));
    result.world.state = std::move(b.state);
    size_scratch(result.world.scratch, *result.world.model, result.world.state);
    start_energy_account(result.world);
    return result;
}

World build(const Scene& scene)
{
    Build result = try_build(scene);
    if (!result.problems.empty()) throw Error(std::move(result.problems));
    return std::move(result.world);
}

}  // namespace pliant
