// SPDX-License-Identifier: MIT
#include <pliant/contact/search.h>

#include <algorithm>

namespace pliant {

namespace {

constexpr std::uint8_t kAllAxes = 7;

std::uint64_t pair_key(std::uint64_t kind, std::uint64_t shape, std::uint64_t other)
{
    return kind << 60 | shape << 36 | other;
}

struct Search {
    const ContactQuery& q;
    std::vector<Contact>& found;

    const Vec3* nodes(const Shape& shape) const { return &q.x[q.first_frame_node + 4 * shape.frame]; }
    bool is_held(const Shape& shape) const { return q.held[q.first_frame_node + 4 * shape.frame] == kAllAxes; }
    ContactSide side(const Shape& shape) const { return {.body = shape.body, .frame = shape.frame}; }

    void points_against(const Shape& shape, std::size_t s, const PointRange& range) const
    {
        if (range.body == shape.body) return;
        const Vec3 centre = nodes(shape)[0], axis = nodes(shape)[2];
        const bool is_plane = shape.kind == ShapeKind::plane;
        const double reach = bounding_radius(shape), reach2 = reach * reach;
        for (std::int32_t p = range.first; p < range.first + range.count; ++p) {
            const Vec3& point = q.x[p];
            if (is_plane ? dot(point - centre, axis) >= 0 : norm2(point - centre) >= reach2) continue;
            const ShapeDistance d = shape_distance(shape, nodes(shape), point);
            if (!(d.distance < 0)) continue;
            Contact contact{pair_key(0, s, p), {}, side(shape), point, d.normal, d.distance};
            contact.a.body = range.body;
            contact.a.frame = range.frame;
            if (range.frame < 0) contact.a.point[0] = p, contact.a.weight[0] = 1;
            found.push_back(contact);
        }
    }

    void sphere_against(const Shape& sphere, std::size_t s, const Shape& other, std::size_t o) const
    {
        if (sphere.body == other.body || (is_held(sphere) && is_held(other))) return;
        const ShapeDistance d = shape_distance(other, nodes(other), nodes(sphere)[0]);
        const double gap = d.distance - sphere.radius;
        if (gap < 0) found.push_back({pair_key(1, s, o), side(sphere), side(other), d.surface, d.normal, gap});
    }

    bool face_is_held(const Triangle& face) const
    {
        return q.held[face[0]] == kAllAxes && q.held[face[1]] == kAllAxes && q.held[face[2]] == kAllAxes;
    }

    void sphere_against_faces(const Shape& sphere, std::size_t s) const
    {
        if (is_held(sphere) && !q.all_faces) return;
        const Vec3 centre = nodes(sphere)[0];
        for (std::size_t f = 0; f < q.faces.size(); ++f) {
            const Triangle& face = q.faces[f];
            const bool held = face_is_held(face);
            if ((!held && !q.all_faces) || (held && is_held(sphere))) continue;
            const Vec3 &a = q.x[face[0]], &b = q.x[face[1]], &c = q.x[face[2]];
            const Vec3 n = cross(b - a, c - a);
            const double height = dot(centre - a, n);
            if (height * height >= sphere.radius * sphere.radius * norm2(n)) continue;
            const auto weight = nearest_on_triangle(centre, a, b, c);
            const Vec3 nearest = a * weight[0] + b * weight[1] + c * weight[2];
            const double distance = norm(centre - nearest);
            if (!(distance < sphere.radius) || !(distance > 0)) continue;
            Contact contact{pair_key(2, s, f),       side(sphere), {}, nearest, (centre - nearest) / distance,
                            distance - sphere.radius};
            contact.b.body = q.face_body[f];
            for (int k = 0; k < 3; ++k) contact.b.point[k] = face[k], contact.b.weight[k] = weight[k];
            found.push_back(contact);
        }
    }
};

}  // namespace

void find_contacts(std::vector<Contact>& found, const ContactQuery& q)
{
    found.clear();
    const Search search{q, found};
    for (std::size_t s = 0; s < q.shapes.size(); ++s) {
        const Shape& shape = q.shapes[s];
        for (const PointRange& range : q.points)
            if (range.frame < 0 || q.held[q.first_frame_node + 4 * range.frame] != kAllAxes || !search.is_held(shape))
                search.points_against(shape, s, range);
        if (shape.kind != ShapeKind::sphere) continue;
        for (std::size_t o = 0; o < q.shapes.size(); ++o)
            if (q.shapes[o].kind != ShapeKind::sphere || o > s) search.sphere_against(shape, s, q.shapes[o], o);
        search.sphere_against_faces(shape, s);
    }
    std::sort(found.begin(), found.end(), [](const Contact& a, const Contact& b) { return a.key < b.key; });
}

}  // namespace pliant
