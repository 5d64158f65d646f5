// SPDX-License-Identifier: MIT

// Whether triangles bound a volume, and the sentence that says where they do not.

#include <pliant/mesh/topology.h>

#include <fmt/format.h>

#include <pliant/mesh/edge_groups.h>

namespace pliant {

namespace {

void count_edges(ClosednessReport& report, std::span<const Triangle> triangles, std::size_t vertex_count)
{
    const auto book = [](std::size_t& count, Edge& first, Edge edge) {
        if (count++ == 0) first = edge;
    };
    const EdgeGroups groups(triangles, vertex_count);
    groups.for_each_edge([&](Edge edge, std::span<const EdgeSide> sides) {
        if (sides.size() == 1)
            book(report.open_edges, report.first_open_edge, edge);
        else if (sides.size() > 2)
            book(report.non_manifold_edges, report.first_non_manifold_edge, edge);
        else if (groups.is_forward(sides[0]) == groups.is_forward(sides[1]))
            book(report.misoriented_edges, report.first_misoriented_edge, edge);
    });
}

// A manifold vertex has one fan: turning from its first half-edge meets all its triangles.
void count_vertices(ClosednessReport& report, std::span<const Triangle> triangles, std::size_t vertex_count)
{
    const HalfEdges mesh = half_edges(triangles, vertex_count);
    std::vector<std::int32_t> unmet(vertex_count, 0);
    for (const std::int32_t v : mesh.origin) ++unmet[static_cast<std::size_t>(v)];
    for (std::size_t v = 0; v < vertex_count; ++v) {
        std::int32_t h = mesh.outgoing[v];
        do {
            if (h < 0) break;
            --unmet[v];
            h = mesh.turned(h);
        } while (h != mesh.outgoing[v]);
        if (unmet[v] == 0) continue;
        if (report.non_manifold_vertices++ == 0) report.first_non_manifold_vertex = static_cast<std::int32_t>(v);
    }
}

void say_edges(std::string& text, std::size_t count, const char* kind, const Edge& first)
{
    if (count == 0) return;
    if (!text.empty()) text += "; ";
    text += count == 1
                ? fmt::format("1 {} edge, between vertices {} and {}", kind, first[0], first[1])
                : fmt::format("{} {} edges, the first between vertices {} and {}", count, kind, first[0], first[1]);
}

}  // namespace

ClosednessReport closedness(std::span<const Triangle> triangles, std::size_t vertex_count)
{
    ClosednessReport report;
    std::vector<Triangle> kept;
    kept.reserve(triangles.size());
    for (const Triangle& t : triangles)
        if (!is_collapsed(t)) kept.push_back(t);
    report.collapsed_triangles = triangles.size() - kept.size();
    count_edges(report, kept, vertex_count);
    count_vertices(report, kept, vertex_count);
    return report;
}

std::string to_text(const ClosednessReport& report)
{
    std::string text;
    say_edges(text, report.open_edges, "open", report.first_open_edge);
    say_edges(text, report.non_manifold_edges, "non-manifold", report.first_non_manifold_edge);
    say_edges(text, report.misoriented_edges, "inconsistently oriented", report.first_misoriented_edge);
    const auto say = [&](std::size_t count, const std::string& words) {
        if (count > 0) text += (text.empty() ? "" : "; ") + words;
    };
    say(report.non_manifold_vertices, fmt::format("non-manifold vertices: {}, the first is vertex {}",
                                                  report.non_manifold_vertices, report.first_non_manifold_vertex));
    say(report.collapsed_triangles, fmt::format("triangles naming a vertex twice: {}", report.collapsed_triangles));
    return text.empty() ? "closed, manifold, oriented" : text;
}

bool is_closed(std::span<const Triangle> triangles)
{
    return closedness(triangles, used_vertex_range(triangles)).is_closed();
}

}  // namespace pliant
