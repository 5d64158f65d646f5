// SPDX-License-Identifier: MIT
#include "fields.h"

#include <algorithm>
#include <cmath>

namespace pliant::viewer {

namespace {

// The measure of a body's gas, or -1.
std::ptrdiff_t pressure_measure(const Topology& topology, const std::string& body)
{
    const auto found = std::find(topology.measures.begin(), topology.measures.end(), body + ".pressure");
    return found == topology.measures.end() ? -1 : found - topology.measures.begin();
}

}  // namespace

std::vector<ColourField> colour_fields(const Topology& topology, bool has_masses)
{
    std::vector<ColourField> fields;
    for (const std::string& name : topology.fields) fields.push_back({name, name});
    fields.push_back({"speed", "speed [m/s]"});
    fields.push_back({"acceleration", "acceleration [m/s^2]"});
    if (has_masses) fields.push_back({"force", "force [N]"});
    fields.push_back({"edge strain", "strain of edges [1]"});
    const auto has_gas = [&](const BodyRange& body) { return pressure_measure(topology, body.name) >= 0; };
    if (std::any_of(topology.bodies.begin(), topology.bodies.end(), has_gas))
        fields.push_back({"pressure", "pressure [Pa]"});
    return fields;
}

FieldValues::FieldValues(const Topology& topology, const Frame& start, std::span<const double> mass)
    : topology_(topology)
    , mass_(mass)
    , edges_(topology.lines)
{
    for (const Triangle& t : topology.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            edges_.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    std::sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    for (const Edge& edge : edges_) rest_.push_back(norm(start.x[edge[1]] - start.x[edge[0]]));
}

// What acts on a point in all: springs, gas, weight and contact; nothing where it is held.
void FieldValues::find_accelerations(const Frame& frame, const Frame& before, bool by_mass)
{
    for (std::size_t i = 0; i < frame.v.size(); ++i) {
        const double acceleration = norm(frame.v[i] - before.v[i]) / (frame.time - before.time);
        values_[i] = !by_mass ? acceleration : i < mass_.size() ? acceleration * mass_[i] : 0;
    }
}

void FieldValues::find_strain(const Frame& frame)
{
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        if (!(rest_[e] > 0)) continue;
        const double strain = norm(frame.x[edges_[e][1]] - frame.x[edges_[e][0]]) / rest_[e] - 1;
        for (const std::int32_t point : edges_[e])
            if (std::abs(strain) > std::abs(values_[point])) values_[point] = strain;
    }
}

void FieldValues::find_pressure(const Frame& frame)
{
    for (const BodyRange& body : topology_.bodies) {
        const std::ptrdiff_t measure = pressure_measure(topology_, body.name);
        if (measure < 0 || measure >= std::ssize(frame.measures)) continue;
        std::fill_n(values_.begin() + body.first_point, body.point_count, frame.measures[measure]);
    }
}

const std::vector<double>& FieldValues::find(const std::string& name, const Frame& frame, const Frame* before)
{
    values_.assign(frame.x.size(), 0.0);
    const auto own = std::find(topology_.fields.begin(), topology_.fields.end(), name);
    const auto index = static_cast<std::size_t>(own - topology_.fields.begin());
    if (own != topology_.fields.end() && index < frame.fields.size() && frame.fields[index].size() == frame.x.size())
        values_ = frame.fields[index];
    if (name == "speed")
        std::transform(frame.v.begin(), frame.v.end(), values_.begin(), [](const Vec3& v) { return norm(v); });
    const bool follows = before != nullptr && before->v.size() == frame.v.size() && frame.time > before->time;
    if ((name == "acceleration" || name == "force") && follows) find_accelerations(frame, *before, name == "force");
    if (name == "edge strain") find_strain(frame);
    if (name == "pressure") find_pressure(frame);
    return values_;
}

}  // namespace pliant::viewer
