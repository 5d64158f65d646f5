// SPDX-License-Identifier: MIT
// USD as text: one Mesh (or BasisCurves, where a body has only lines) per body under one Xform,
// points and extent as time samples. Time codes are frames: time [s] * timeCodesPerSecond.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include <pliant/record/export_job.h>
#include <pliant/record/output_file.h>

namespace pliant {

namespace {

constexpr float kCurveWidth = 0.005F;  // of the body's size: visible, not bulky

// USD names are identifiers, unique among siblings.
std::string prim_name(const std::string& name, std::set<std::string>& taken)
{
    std::string clean;
    for (const char c : name) clean += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (clean.empty() || std::isdigit(static_cast<unsigned char>(clean[0])) != 0) clean.insert(clean.begin(), '_');
    std::string unique = clean;
    for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}_{}", clean, i);
    return unique;
}

// Curves have no index array: lines that follow each other share a curve, points are repeated.
struct Curves {
    ExportBody body;  // points in drawing order
    std::vector<int> vertex_counts;
};

Curves curves_of(const ExportBody& body)
{
    Curves curves;
    curves.body.name = body.name;
    const auto point = [&body](std::int32_t i) { return body.points[static_cast<std::size_t>(i)]; };
    for (std::size_t i = 0; i < body.lines.size(); ++i) {
        const Edge& line = body.lines[i];
        if (i == 0 || body.lines[i - 1][1] != line[0]) {
            curves.vertex_counts.push_back(1);
            curves.body.points.push_back(point(line[0]));
        }
        ++curves.vertex_counts.back();
        curves.body.points.push_back(point(line[1]));
    }
    return curves;
}

class UsdaWriter {
public:
    UsdaWriter(const ExportJob& job, const std::string& path) : job_(job), file_(path)
    {
        const double rate = job.recording.header().topology.frame_rate;
        const std::vector<double> times = job.recording.times();
        // A time that is a frame but for rounding is that frame.
        for (const std::int64_t frame : job.frames) {
            const double code = times[static_cast<std::size_t>(frame)] * rate, whole = std::round(code);
            codes_.push_back(std::abs(code - whole) < 1e-6 ? whole : code);
        }
    }

    void write()
    {
        write_layer_header();
        std::set<std::string> taken;
        for (const ExportBody& body : job_.bodies) {
            const std::string name = prim_name(body.name, taken);
            if (body.triangles.empty())
                write_curves(name, curves_of(body));
            else
                write_mesh(name, body);
        }
        file_.write("}\n");
        file_.commit();
    }

private:
    template <class... Values>
    void print(fmt::format_string<Values...> format, Values&&... values)
    {
        file_.write(fmt::format(format, std::forward<Values>(values)...));
    }

    void write_layer_header()
    {
        const Topology& topology = job_.recording.header().topology;
        print("#usda 1.0\n(\n    defaultPrim = \"take\"\n    doc = {}\n",
              quoted("pliant " + job_.recording.header().version));
        print("    endTimeCode = {}\n    framesPerSecond = {}\n    metersPerUnit = 1\n    "
              "startTimeCode = {}\n",
              codes_.back(), topology.frame_rate, codes_.front());
        print("    timeCodesPerSecond = {}\n    upAxis = \"{}\"\n)\n\ndef Xform \"take\"\n{{\n", topology.frame_rate,
              topology.up == 'z' ? "Z" : "Y");
    }

    void write_mesh(const std::string& name, const ExportBody& body)
    {
        print("    def Mesh \"{}\"\n    {{\n        uniform bool doubleSided = 1\n", name);
        print("        int[] faceVertexCounts = [{}]\n", fmt::join(std::vector<int>(body.triangles.size(), 3), ", "));
        std::vector<std::int32_t> indices;
        for (const Triangle& t : body.triangles) indices.insert(indices.end(), t.begin(), t.end());
        print("        int[] faceVertexIndices = [{}]\n", fmt::join(indices, ", "));
        print("        uniform token subdivisionScheme = \"none\"\n");
        write_samples(body, 0);
        print("    }}\n\n");
    }

    void write_curves(const std::string& name, const Curves& curves)
    {
        const float width = kCurveWidth * largest_side(body_positions(job_, job_.frames.front(), curves.body));
        print("    def BasisCurves \"{}\"\n    {{\n        int[] curveVertexCounts = [{}]\n", name,
              fmt::join(curves.vertex_counts, ", "));
        print("        uniform token type = \"linear\"\n        float[] widths = [{}] (\n"
              "            interpolation = \"constant\"\n        )\n",
              width);
        write_samples(curves.body, width / 2);
        print("    }}\n\n");
    }

    static std::pair<Vec3f, Vec3f> bounds(const std::vector<Vec3f>& positions)
    {
        Vec3f low = positions.front(), high = low;
        for (const Vec3f& p : positions)
            for (std::size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
        return {low, high};
    }

    static float largest_side(const std::vector<Vec3f>& positions)
    {
        const auto [low, high] = bounds(positions);
        return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
    }

    // Extents and points of all frames; `margin` is half the width of a curve.
    void write_samples(const ExportBody& body, float margin)
    {
        print("        float3[] extent.timeSamples = {{\n");
        for (std::size_t k = 0; k < codes_.size(); ++k) {
            const auto [low, high] = bounds(body_positions(job_, job_.frames[k], body));
            print("            {}: [({}, {}, {}), ({}, {}, {})],\n", codes_[k], low[0] - margin, low[1] - margin,
                  low[2] - margin, high[0] + margin, high[1] + margin, high[2] + margin);
        }
        print("        }}\n        point3f[] points.timeSamples = {{\n");
        fmt::memory_buffer text;
        for (std::size_t k = 0; k < codes_.size(); ++k) {
            text.clear();
            for (const Vec3f& p : body_positions(job_, job_.frames[k], body))
                fmt::format_to(std::back_inserter(text), "{}({}, {}, {})", text.size() == 0 ? "" : ", ", p[0], p[1],
                               p[2]);
            print("            {}: [{}],\n", codes_[k], std::string_view(text.data(), text.size()));
        }
        print("        }}\n");
    }

    const ExportJob& job_;
    OutputFile file_;
    std::vector<double> codes_;
};

}  // namespace

Exported export_usda(const ExportJob& job)
{
    const std::string path = job.path.string();
    check_may_write(std::span(&path, 1), job.overwrite);
    UsdaWriter(job, path).write();
    return {{path}, {}};
}

}  // namespace pliant
