// SPDX-License-Identifier: MIT

// Constraints and events of a scene. Every kind of constraint becomes formulas over its points p0, p1 …, scaled so that
// their values are about distances in metres.

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <pliant/solver/constraints.h>
#include <pliant/solver/solver.h>
#include <pliant/solver/stability.h>
#include <pliant/world/formulas.h>

namespace pliant {

namespace {

constexpr double kForEver = 1e9;

// Formulas over a few vertices under the names p0, p1 …
class RowWriter {
public:
    RowWriter(const Builder& b, std::vector<std::int32_t> nodes) : b_(b), nodes_(std::move(nodes))
    {
        symbols_.numbers.push_back({"t", kTimeVariable, VariableKind::time});
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            symbols_.points.push_back(
                {fmt::format("p{}", i), {position_variable(nodes_[i]), velocity_variable(nodes_[i])}});
    }

    const Vec3& start(std::size_t i) const { return b_.state.x[static_cast<std::size_t>(nodes_[i])]; }

    void add(std::vector<ConstraintRow>& rows, const std::string& formula) const
    {
        ExpressionRead read = parse_expression(formula, symbols_);
        PLIANT_ASSERT(read.ok(), "our own formulas are right");
        rows.push_back(make_row(std::move(read.expression)));
    }

    void add_distance(std::vector<ConstraintRow>& rows, std::size_t i, std::size_t j, double length) const
    {
        // Squares have no corner at zero; near the length wanted the value is the error of the length.
        add(rows,
            fmt::format("(dot(p{0} - p{1}, p{0} - p{1}) - {2:.17g}) / {3:.17g}", i, j, length * length, 2 * length));
    }

private:
    const Builder& b_;
    std::vector<std::int32_t> nodes_;
    Symbols symbols_;
};

class ConstraintBuilder {
public:
    ConstraintBuilder(Builder& b, const std::string& name, const ConstraintScene& scene)
        : b_(b)
        , name_(name)
        , scene_(scene)
        , pointer_("/constraints/" + name)
    {
    }

    void run()
    {
        if (!(scene_.from < scene_.to))
            complain("/to", fmt::format("ends at {} s, before it begins at {} s", scene_.to, scene_.from),
                     "let \"to\" be later than \"from\"");
        find_points();
        if (!ok_) return;
        switch (scene_.kind) {
        case ConstraintKind::formula:
            return formula();
        case ConstraintKind::plane:
            return plane();
        case ConstraintKind::sphere:
            return sphere();
        case ConstraintKind::quadric:
            return quadric();
        case ConstraintKind::attach:
            return attach();
        case ConstraintKind::distance:
            return distance();
        case ConstraintKind::incompressible:
            return incompressible();
        case ConstraintKind::rigid:
            return rigid();
        case ConstraintKind::path:
            return path();
        }
    }

private:
    void complain(const std::string& key, std::string message, std::string cure)
    {
        b_.complain(pointer_ + key, std::move(message), std::move(cure));
        ok_ = false;
    }

    void find_points()
    {
        for (std::size_t i = 0; i < scene_.points.size(); ++i) {
            const auto node = named_vertex(b_, scene_.points[i]);
            if (node)
                nodes_.push_back(*node);
            else
                complain(fmt::format("/points/{}", i), fmt::format("there is no vertex '{}'", scene_.points[i]),
                         "name one in \"points\" of the scene, or write body[index]; rigid bodies have none");
        }
        const auto [least, most] = point_counts();
        if (ok_ && (nodes_.size() < least || nodes_.size() > most))
            complain("/points", fmt::format("found {} points, expected {}", nodes_.size(), wanted(least, most)),
                     "such as \"points\": [\"body[0]\"]");
    }

    std::pair<std::size_t, std::size_t> point_counts() const
    {
        switch (scene_.kind) {
        case ConstraintKind::plane:
        case ConstraintKind::sphere:
        case ConstraintKind::quadric:
        case ConstraintKind::path:
            return {1, 1};
        case ConstraintKind::distance:
            return {2, 2};
        case ConstraintKind::attach:
            return {2, 4};
        case ConstraintKind::formula:
        case ConstraintKind::incompressible:
        case ConstraintKind::rigid:
            break;
        }
        return {0, 0};
    }

    static std::string wanted(std::size_t least, std::size_t most)
    {
        if (most == 0) return "none: the formula or the body names them";
        return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
    }

    bool has_numbers(std::size_t count, const char* what)
    {
        if (scene_.numbers.size() == count) return true;
        complain("/numbers", fmt::format("found {}, expected {}", scene_.numbers.size(), count),
                 fmt::format("give {}", what));
        return false;
    }

    // Adds the constraint, with inputs at the ends of its window.
    void finish(std::vector<ConstraintRow> rows, const std::string& name, double from, double to)
    {
        Constraint constraint{.name = name,
                              .rows = std::move(rows),
                              .xi = scene_.stabilisation,
                              .breaks_at = scene_.breaks_at,
                              .first_row = b_.state.multipliers.size()};
        for (const ConstraintRow& row : constraint.rows)
            if (constraint.measured_node < 0 && !row.nodes.empty()) constraint.measured_node = row.nodes[0];
        if (!nodes_.empty()) constraint.measured_node = nodes_[0];
        b_.state.multipliers.resize(b_.state.multipliers.size() + constraint.rows.size());
        b_.state.constraints.push_back({scene_.live.enabled && from <= 0});
        const auto index = static_cast<std::int32_t>(b_.model.constraints.size());
        b_.model.constraints.push_back(std::move(constraint));
        if (from > 0 && scene_.live.enabled) b_.windows.push_back({index, from, true});
        if (to < kForEver) b_.windows.push_back({index, to, false});
    }

    void finish(std::vector<ConstraintRow> rows) { finish(std::move(rows), name_, scene_.from, scene_.to); }

    void formula()
    {
        const ExpressionRead read = parse_expression(scene_.formula, formula_symbols(b_));
        pliant::complain(b_, pointer_ + "/formula", read.problems);
        if (!read.ok()) return;
        std::vector<ConstraintRow> rows{make_row(read.expression)};
        if (rows[0].nodes.empty())
            return complain("/formula", "names no point, so nothing can obey it", "use a point, such as body[0].y");
        finish(std::move(rows));
    }

    void plane()
    {
        if (!has_numbers(4, "a b c d of a x + b y + c z + d = 0")) return;
        const auto& n = scene_.numbers;
        const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (!(length > 0)) return complain("/numbers", "a, b and c are all zero", "give the plane a normal");
        std::vector<ConstraintRow> rows;
        RowWriter(b_, nodes_)
            .add(rows, fmt::format("({:.17g})*p0.x + ({:.17g})*p0.y + ({:.17g})*p0.z + ({:.17g})", n[0] / length,
                                   n[1] / length, n[2] / length, n[3] / length));
        finish(std::move(rows));
    }

    void sphere()
    {
        if (!has_numbers(4, "x y z of the centre, and the radius")) return;
        const auto& n = scene_.numbers;
        if (!(n[3] > 0)) return complain("/numbers/3", "the radius must be above 0", "");
        std::vector<ConstraintRow> rows;
        const std::string u = fmt::format("(p0 - [{:.17g}, {:.17g}, {:.17g}])", n[0], n[1], n[2]);
        RowWriter(b_, nodes_).add(rows, fmt::format("(dot({0}, {0}) - {1:.17g}) / {2:.17g}", u, n[3] * n[3], 2 * n[3]));
        finish(std::move(rows));
    }

    void quadric()
    {
        if (!has_numbers(10, "a … j of a x2 + b y2 + c z2 + d xy + e xz + f yz + g x + h y + i z + j = 0")) return;
        constexpr const char* kMonomials[10] = {"p0.x^2",    "p0.y^2", "p0.z^2", "p0.x*p0.y", "p0.x*p0.z",
                                                "p0.y*p0.z", "p0.x",   "p0.y",   "p0.z",      "1"};
        std::string formula = "0";
        for (std::size_t i = 0; i < 10; ++i)
            formula += fmt::format(" + ({:.17g})*{}", scene_.numbers[i], kMonomials[i]);
        std::vector<ConstraintRow> rows;
        RowWriter(b_, nodes_).add(rows, formula);
        finish(std::move(rows));
    }

    // Weights of the others that come nearest to the first point at the start.
    std::vector<double> weights(const RowWriter& row) const
    {
        if (nodes_.size() == 2) return {1};
        const Vec3 e = row.start(2) - row.start(1), p = row.start(0) - row.start(1);
        if (nodes_.size() == 3) {
            const double part = dot(p, e) / dot(e, e);
            return {1 - part, part};
        }
        const Vec3 f = row.start(3) - row.start(1);
        const double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), d = ee * ff - ef * ef;
        const double s = (dot(p, e) * ff - dot(p, f) * ef) / d, t = (dot(p, f) * ee - dot(p, e) * ef) / d;
        return {1 - s - t, s, t};
    }

    void attach()
    {
        const RowWriter row(b_, nodes_);
        const std::vector<double> weight = scene_.numbers.empty() ? weights(row) : scene_.numbers;
        if (weight.size() != nodes_.size() - 1)
            return complain("/numbers", fmt::format("found {} weights for {} points", weight.size(), nodes_.size() - 1),
                            "give one for each point but the first, or none");
        std::vector<ConstraintRow> rows;
        for (const char axis : {'x', 'y', 'z'}) {
            std::string formula = fmt::format("p0.{}", axis);
            for (std::size_t i = 0; i < weight.size(); ++i)
                formula += fmt::format(" - ({:.17g})*p{}.{}", weight[i], i + 1, axis);
            row.add(rows, formula);
        }
        finish(std::move(rows));
    }

    void distance()
    {
        const RowWriter row(b_, nodes_);
        const double length = scene_.numbers.empty() ? norm(row.start(1) - row.start(0)) : scene_.numbers[0];
        if (scene_.numbers.size() > 1 || !(length > 0))
            return complain("/numbers", "a distance is one number above 0", "attach joins two points");
        std::vector<ConstraintRow> rows;
        row.add_distance(rows, 0, 1, length);
        finish(std::move(rows));
    }

    // Tetrahedra of the body with all corners selected, in the numbers of the model.
    std::vector<Tet> selected_tets()
    {
        const std::int32_t index = b_.find_body(scene_.body);
        std::vector<Tet> picked;
        if (index < 0 || b_.model.bodies[static_cast<std::size_t>(index)].kind != BodyKind::solid) {
            complain("/body", fmt::format("there is no solid '{}'", scene_.body), "name a body of kind solid");
            return picked;
        }
        const Body& body = b_.model.bodies[static_cast<std::size_t>(index)];
        const SolidNodes& solid = b_.solids[static_cast<std::size_t>(index)];
        if (!solid.quadratic.empty()) {
            complain("/body", "its elements are quadratic, and this kind works on linear ones",
                     "write \"elements\": \"linear\" in the body");
            return picked;
        }
        const Pickable pickable{.mesh = b_.meshes[static_cast<std::size_t>(index)]};
        std::vector<bool> in(pickable.mesh.vertices.size(), false);
        for (const std::int32_t v : selected(b_, scene_.select, pickable, pointer_ + "/select"))
            in[static_cast<std::size_t>(v)] = true;
        for (Tet tet : solid.linear)
            if (std::all_of(tet.begin(), tet.end(), [&](std::int32_t v) { return in[static_cast<std::size_t>(v)]; })) {
                for (std::int32_t& v : tet) v += body.first_point;
                picked.push_back(tet);
            }
        if (b_.problems.empty() && picked.empty())
            complain("/select", "no tetrahedron has all four corners selected", "widen the selection");
        ok_ = ok_ && b_.problems.empty();
        return picked;
    }

    void incompressible()
    {
        std::vector<ConstraintRow> rows;
        for (const Tet& tet : selected_tets()) {
            const RowWriter row(b_, {tet.begin(), tet.end()});
            const double volume =
                dot(cross(row.start(1) - row.start(0), row.start(2) - row.start(0)), row.start(3) - row.start(0)) / 6;
            row.add(rows, fmt::format("(dot(cross(p1 - p0, p2 - p0), p3 - p0) / 6 - {:.17g}) / {:.17g}", volume,
                                      std::pow(volume, 2.0 / 3)));
        }
        if (ok_) finish(std::move(rows));
    }

    // Six distances of a first tetrahedron, and three for every other vertex, from those corners it is least in one
    // plane with: no more than it takes, so that none repeats another (W-24).
    void rigid()
    {
        const std::vector<Tet> tets = selected_tets();
        if (!ok_) return;
        std::vector<std::int32_t> vertices(tets[0].begin(), tets[0].end());
        for (const Tet& tet : tets)
            for (const std::int32_t v : tet)
                if (std::find(vertices.begin(), vertices.end(), v) == vertices.end()) vertices.push_back(v);
        const RowWriter row(b_, vertices);
        std::vector<ConstraintRow> rows;
        const auto add = [&](std::size_t i, std::size_t j) {
            row.add_distance(rows, i, j, norm(row.start(i) - row.start(j)));
        };
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = i + 1; j < 4; ++j) add(i, j);
        for (std::size_t v = 4; v < vertices.size(); ++v) {
            const std::size_t left_out = worst_corner(row, v);
            for (std::size_t i = 0; i < 4; ++i)
                if (i != left_out) add(v, i);
        }
        finish(std::move(rows));
    }

    // The corner without which the three others and v span the largest volume.
    static std::size_t worst_corner(const RowWriter& row, std::size_t v)
    {
        std::size_t best = 0;
        double largest = -1;
        for (std::size_t out = 0; out < 4; ++out) {
            Vec3 edge[3];
            std::size_t count = 0;
            for (std::size_t i = 0; i < 4; ++i)
                if (i != out) edge[count++] = row.start(i) - row.start(v);
            const double size = std::abs(dot(cross(edge[0], edge[1]), edge[2]));
            if (size > largest) largest = size, best = out;
        }
        return best;
    }

    Vec3 knot_velocity(std::size_t i) const
    {
        const auto& path = scene_.path;
        if (path[i].velocity) return *path[i].velocity;
        if (i == 0 || i + 1 == path.size()) return {};
        return (path[i + 1].at - path[i - 1].at) / (path[i + 1].time - path[i - 1].time);
    }

    // One constraint for each piece, so that pieces follow each other as windows (E-49).
    void path()
    {
        const auto& knots = scene_.path;
        if (knots.size() < 2) return complain("/path", "a path has at least two knots", "add a time and a place");
        for (std::size_t i = 0; i + 1 < knots.size(); ++i)
            if (!(knots[i + 1].time > knots[i].time))
                return complain(fmt::format("/path/{}/time", i + 1), "times of a path must grow", "sort the knots");
        for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
            const double span = knots[i + 1].time - knots[i].time;
            const Vec3 u = knots[i].at, v = knots[i + 1].at, du = knot_velocity(i), dv = knot_velocity(i + 1);
            const Vec3 a = (u - v) * (2 / (span * span * span)) + (du + dv) / (span * span);
            const Vec3 b = (v - u) * (3 / (span * span)) - (du * 2.0 + dv) / span;
            std::vector<ConstraintRow> rows;
            for (int k = 0; k < 3; ++k)
                RowWriter(b_, nodes_)
                    .add(rows, fmt::format("p0.{0} - ((({1:.17g}*(t - {5:.17g}) + ({2:.17g}))*(t - {5:.17g}) + "
                                           "({3:.17g}))*(t - {5:.17g}) + ({4:.17g}))",
                                           "xyz"[k], a[k], b[k], du[k], u[k], knots[i].time));
            const double from = std::max(scene_.from, knots[i].time), to = std::min(scene_.to, knots[i + 1].time);
            if (from < to)
                finish(std::move(rows), knots.size() == 2 ? name_ : fmt::format("{}.{}", name_, i + 1), from, to);
        }
    }

    Builder& b_;
    const std::string& name_;
    const ConstraintScene& scene_;
    std::string pointer_;
    std::vector<std::int32_t> nodes_;
    bool ok_ = true;
};

}  // namespace

void add_points(Builder& b)
{
    for (const auto& [name, point] : b.scene.points) {
        const std::string pointer = "/points/" + name;
        const std::int32_t node = vertex_of(b, point, pointer);
        if (node >= b.model.free_count)
            b.complain(pointer + "/body", "is a rigid body, and formulas use vertices that move by themselves",
                       "name a body of springs, a simplex mesh or a solid");
        else if (node >= 0)
            b.points[name] = node;
    }
}

void add_constraints(Builder& b)
{
    const SolverKind kind = b.scene.solver.kind;
    if (!b.scene.constraints.empty() && kind == SolverKind::trapezoidal)
        b.complain("/solver/kind", "constraints ring without end under the trapezoidal rule",
                   "take implicit_midpoint or bdf2");
    for (const auto& [name, scene] : b.scene.constraints) ConstraintBuilder(b, name, scene).run();
}

void add_constraint_windows(Builder& b)
{
    for (const ConstraintWindow& window : b.windows) {
        const std::string path = fmt::format("constraints.{}.enabled",
                                             b.model.constraints[static_cast<std::size_t>(window.constraint)].name);
        const auto at = std::find_if(b.model.live_paths.begin(), b.model.live_paths.end(),
                                     [&](const LivePath& candidate) { return candidate.path == path; });
        Input input{.time = window.time, .target = static_cast<std::int32_t>(at - b.model.live_paths.begin())};
        input.value = to_live(window.enabled);
        b.model.inputs.push_back(input);
    }
}

namespace {

// Implicit solvers close a gap in one step, with whatever force that takes.
void note_violations(Builder& b, const ConstraintSystem& system)
{
    for (std::size_t r = 0; r < system.count; ++r) {
        const ActiveRow& row = system.rows[r];
        const bool is_position = !system.row_of(b.model.constraints, r).on_velocity;
        if (!is_position || std::abs(row.at.value) <= 1e-6 * b.model.size || !is_implicit(b.scene.solver.kind))
            continue;
        b.notes.push_back(fmt::format(
            "constraint '{}' is missed by {:.3g} at the start: an implicit solver closes that in its first step",
            b.model.constraints[static_cast<std::size_t>(row.constraint)].name, std::abs(row.at.value)));
        return;
    }
}

}  // namespace

void check_constraints(Builder& b)
{
    if (b.model.constraints.empty() || !b.problems.empty()) return;
    Scratch scratch;
    size_scratch(scratch, b.model, b.state);
    find_reactions(scratch, b.model, b.state);
    const ConstraintSystem& system = scratch.constraints;
    const auto name = [&](std::int32_t c) {
        return c < 0 ? std::string("what is held") : "'" + b.model.constraints[static_cast<std::size_t>(c)].name + "'";
    };
    const auto pointer = [&](std::int32_t c) {
        return "/constraints/" + b.model.constraints[static_cast<std::size_t>(c)].name;
    };
    const Issue& issue = scratch.constraint_issue;
    if (issue.kind == IssueKind::non_finite)
        b.complain(pointer(issue.constraint), "has no finite value or slope at the start",
                   "begin where its formula is smooth: no zero below a root, no two points in one place");
    else if (issue.kind == IssueKind::conflicting)
        b.complain(pointer(issue.constraint),
                   fmt::format("contradicts {} at the start: no motion obeys both", name(issue.other)),
                   "remove one of them, or begin it later with \"from\"");
    else if (system.redundant >= 0)
        b.notes.push_back(fmt::format("constraint {} says nothing that {} does not say at the start: it does nothing",
                                      name(system.redundant), name(system.other)));
    else
        note_violations(b, system);
}

}  // namespace pliant
