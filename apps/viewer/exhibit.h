// SPDX-License-Identifier: MIT
#pragma once

// A subject with all that it takes to draw it and to point at it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controls.h"
#include "fields.h"
#include "marks.h"
#include "painter.h"
#include "picking.h"
#include "subject.h"

namespace pliant::viewer {

/// What to show besides surfaces.
struct MarkOptions {
    bool normals = false, centroids = false, velocities = false, accelerations = false;
    double arrow_length = 1, line_width = 1;  ///< factors
    bool boxes = false;                       ///< of the bounding trees
    int box_from = 0, box_to = 4;             ///< depths
    bool broad = false, near = false, impacts = false, uncorrected = false;
    int contact_body = -1;                      ///< only pairs with points of this body; -1: all
    bool vertex_face = true, edge_edge = true;  ///< kinds of pairs
    int first_pair = 0, last_pair = 9999;       ///< ids of pairs: their places in the list

    bool needs_contacts() const { return boxes || broad || near || impacts || uncorrected; }
};

struct ColourOptions {
    std::string field;  ///< empty: bodies have their own colours
    bool has_range = false;
    double low = 0, high = 1;
};

class Exhibit {
public:
    /// Needs a current context. An Error says what is wrong with the files.
    explicit Exhibit(const std::vector<std::string>& paths);

    Subject& subject() { return subject_; }
    const Topology& topology() const { return subject_.topology(); }
    std::vector<ColourField> fields() const { return colour_fields(topology(), subject_.session() != nullptr); }
    const Frame& frame() const { return *frame_; }
    const Bounds& bounds() const { return bounds_; }
    const Neighbours& neighbours() const { return neighbours_; }
    const std::vector<Control>& controls() const { return controls_; }
    /// Of the field that is shown, as drawn.
    double field_low() const { return low_; }
    double field_high() const { return high_; }

    /// Takes the frame to show; copies it to the graphics memory when it is a new one.
    void update(const ColourOptions& colour);
    /// Marks of the frame, then `more`, over the surfaces.
    void draw(const Camera& camera, Look look, const ColourOptions& colour, const MarkOptions& marks, const Marks& more,
              const Area& area);

private:
    void find_bounds();
    void find_marks(const MarkOptions& options);
    void add_point_marks(const MarkOptions& options);
    void add_face_marks(const MarkOptions& options);
    void add_contact_marks(const MarkOptions& options);

    Subject subject_;
    std::shared_ptr<const Frame> frame_;
    SurfaceMesh mesh_;
    Painter painter_;
    MarkPainter mark_painter_;
    Neighbours neighbours_;
    FieldValues fields_;
    std::vector<Control> controls_;
    std::vector<std::int32_t> seen_;  // points that are drawn
    Bounds bounds_;
    std::optional<double> ground_;
    Marks marks_;
    std::string shown_field_;
    double low_ = 0, high_ = 1;
};

}  // namespace pliant::viewer
