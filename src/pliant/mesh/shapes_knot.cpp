// SPDX-License-Identifier: MIT

// A strip of cloth laid along an open overhand knot: bent and twisted like paper, hardly stretched.
//
// In plan (x to the right, y up) the knot is the trefoil r = 2 - m cos(3p/2), p the angle from its topmost inner point:
// for |p| < 2 pi it goes round twice and passes itself at p = -pi and pi, -5 pi/3 and pi/3, -pi/3 and 5 pi/3. Where its
// outermost lobe would close on itself at the top the turning fades out, and straight tails leave to both sides. Its
// height in front of the plan is z = a sin psi, psi = 3p/2 until that fades into 5 pi/2: +a and -a by turns at the six
// passages.
//
// The strip is the curve's rectifying developable: straight lines along b + (tau/kappa) t through every point, with
// tangent t, binormal b, curvature kappa and torsion tau. Such a surface unrolls into a plane with the curve as a
// straight line, so that point s on the curve and v along its line has the material coordinates
//     u = s + v tau/kappa,  v.
// Tails have no binormal: there 1/k is read as k/(k^2 + k0^2), and what strain there is comes from this and from
// chords. Lines of one side come together where v d(tau/kappa)/ds nears -1, which is what limits the width.
//
// Symbols: w width [m], a lift [m], s way along the curve from its middle [m].
// Reference: D. J. Struik, Lectures on Classical Differential Geometry (1961), section 2-4 (rectifying developable).

#include <pliant/mesh/shapes.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/mesh/shape_checks.h>

namespace pliant {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kWobble = 0.2;           // m: more leaves more room between passages and twists the strip more
constexpr double kLift = 0.8;             // a/w
constexpr double kStraight = 0.07;        // k0, in units of the plan
constexpr double kEnd = 10.2;             // p at the end of a tail: a seventh of the length is straight at either end
constexpr double kLeastSlenderness = 70;  // length/width: by then lines come together to less than two thirds
constexpr int kFewestColumns = 128;       // chords of the tightest bend are then short enough
constexpr int kFewestRows = 3;  // so are those across the strip, which is not straight there but along leaning lines

struct Range {
    double begin, end;
};
constexpr Range kPlanFades{4.9, 7.2};  // tails rise by some fifteen degrees
constexpr Range kLiftFades{5 * kPi / 3 - 1.8, 5 * kPi / 3 + 1.8};

/// A factor that goes from 1 to 0 over a range, with two continuous derivatives.
struct Fading {
    double value, slope, integral;  ///< at p; the integral from 0

    Fading(double p, const Range& range)
    {
        const double span = range.end - range.begin, x = std::clamp((p - range.begin) / span, 0.0, 1.0);
        const double x3 = x * x * x;
        value = 1 - x3 * (10 - x * (15 - 6 * x));
        slope = -30 * x * x * (1 - x) * (1 - x) / span;
        integral = std::min(p, range.begin) + span * (x - x3 * x * (2.5 - x * (3 - x)));
    }
};

/// The knot seen from the front: how fast it runs and turns with p.
struct Plan {
    double speed, speed_slope, turning;

    explicit Plan(double p)
    {
        const double r = 2 - kWobble * std::cos(1.5 * p), dr = 1.5 * kWobble * std::sin(1.5 * p);
        const double ddr = 2.25 * kWobble * std::cos(1.5 * p), squared = r * r + dr * dr;
        speed = std::sqrt(squared);
        speed_slope = dr * (r + ddr) / speed;
        // Clockwise, so that the end of the knot leaves along +x.
        turning = -(squared + dr * dr - r * ddr) / squared * Fading(p, kPlanFades).value;
    }
};

/// a sin psi and its derivatives with respect to p.
struct Lift {
    double z, slope, bend;

    Lift(double p, double a)
    {
        const Fading fading(p, kLiftFades);
        const double psi = 1.5 * fading.integral, dpsi = 1.5 * fading.value, ddpsi = 1.5 * fading.slope;
        z = a * std::sin(psi);
        slope = a * dpsi * std::cos(psi);
        bend = a * (ddpsi * std::cos(psi) - dpsi * dpsi * std::sin(psi));
    }
};

/// A point of the curve with its directions.
struct Place {
    double p = 0, heading = 0;  ///< of the plan: 0 along +x, counter-clockwise
    double way = 0;             ///< s
    double lean = 0;            ///< tau/kappa
    Vec3 middle, along, across;
};

class Knot {
public:
    Knot(double length, double lift) : lift_(lift), metres_(length / (2 * kEnd * 2))
    {
        // What the lift adds to the length hardly depends on the scale, so that a few rounds are exact.
        for (int i = 0; i < 12; ++i) {
            trace();
            metres_ *= length / 2 / places_.back().way;
        }
        trace();
        find_leans();
    }

    /// The point with material coordinates u from the middle of the strip and v from its middle line.
    Vec3 at(double u, double v) const
    {
        double way = u, last = u + 1;
        for (int i = 0; i < 200 && std::abs(way - last) > 1e-14 * places_.back().way; ++i) {
            last = way;
            way = u - v * place_at(way).lean;
        }
        const Place place = place_at(way);
        return place.middle + (place.across + place.along * place.lean) * v;
    }

private:
    static constexpr int kSteps = 4000;  // chords shorter than arcs by less than a millionth

    /// The half p >= 0; the other one is this half turned about the y axis by half a turn.
    void trace()
    {
        places_.clear();
        const double step = kEnd / kSteps;
        Place place;
        place.middle.y = metres_ * (2 - kWobble);
        for (int i = 0; i <= kSteps; ++i) {
            place.p = step * i;
            place.middle.z = Lift(place.p, lift_).z;
            set_directions(place);
            if (i > 0) place.way += norm(place.middle - places_.back().middle);
            places_.push_back(place);
            const Plan halfway(place.p + step / 2);
            const double turn = step * halfway.turning, angle = place.heading + turn / 2;
            place.middle += Vec3{std::cos(angle), std::sin(angle), 0} * (metres_ * step * halfway.speed);
            place.heading += turn;
        }
    }

    void set_directions(Place& place) const
    {
        const Plan plan(place.p);
        const Lift lift(place.p, lift_);
        const double v = metres_ * plan.speed, dv = metres_ * plan.speed_slope;
        const double k = plan.turning / v, k0 = kStraight / metres_;
        const Vec3 t{std::cos(place.heading), std::sin(place.heading), 0}, n{-t.y, t.x, 0}, up{0, 0, 1};
        // The cross product of the curve's first two derivatives over k v^3.
        const double tilt = (v * lift.bend - dv * lift.slope) / (v * v * v) * k / (k * k + k0 * k0);
        place.across = normalized(up - n * tilt - t * (lift.slope / v));
        place.along = normalized(t + up * (lift.slope / v));
    }

    void find_leans()
    {
        const double k0 = kStraight / metres_;
        for (std::size_t i = 1; i + 1 < places_.size(); ++i) {
            const Place &before = places_[i - 1], &after = places_[i + 1];
            const Vec3 n = cross(places_[i].across, places_[i].along);
            const double ds = after.way - before.way;
            const double k = dot(after.along - before.along, n) / ds;
            const double tau = -dot(after.across - before.across, n) / ds;
            places_[i].lean = tau * k / (k * k + k0 * k0);
        }
        places_.front().lean = places_[1].lean;  // the same on both sides of the middle
    }

    Place place_at(double way) const
    {
        const double side = way < 0 ? -1 : 1;
        const auto after = std::lower_bound(places_.begin() + 1, places_.end() - 1, side * way,
                                            [](const Place& place, double w) { return place.way < w; });
        const Place &a = *(after - 1), &b = *after;
        const double share = (side * way - a.way) / (b.way - a.way);
        const Vec3 x = a.middle + (b.middle - a.middle) * share, t = a.along + (b.along - a.along) * share,
                   c = a.across + (b.across - a.across) * share;
        Place place;
        place.lean = a.lean + (b.lean - a.lean) * share;
        place.middle = {side * x.x, x.y, side * x.z};
        place.along = {t.x, side * t.y, t.z};
        place.across = {c.x, side * c.y, c.z};
        return place;
    }

    double lift_, metres_;  // a; metres per unit of the plan
    std::vector<Place> places_;
};

void require_slenderness(double length, double width)
{
    if (length * (1 + 1e-12) >= kLeastSlenderness * width) return;
    throw Error(Problem{.file = "",
                        .line = 0,
                        .where = "knot_strip",
                        .message = fmt::format("the length is {} and the width {}, expected at least {} widths", length,
                                               width, kLeastSlenderness),
                        .cure = "a wider strip would be stretched in the knot: make it longer or narrower"});
}

}  // namespace

TriMesh knot_strip(double length, double width, int columns, int rows, GridDiagonals diagonals)
{
    require_positive("knot_strip", "length", length);
    require_positive("knot_strip", "width", width);
    require_slenderness(length, width);
    require_at_least("knot_strip", "columns", columns, kFewestColumns);
    require_at_least("knot_strip", "rows", rows, kFewestRows);
    TriMesh mesh = grid(columns, rows, length, width, {.diagonals = diagonals});
    const Knot knot(length, kLift * width);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        mesh.vertices[v] = knot.at(mesh.uv[v][0] - length / 2, mesh.uv[v][1] - width / 2);
    mesh.groups = {{"first_end", mesh.find_group("left_edge")->vertices},
                   {"last_end", mesh.find_group("right_edge")->vertices},
                   {"rim", mesh.find_group("rim")->vertices}};
    return mesh;
}

}  // namespace pliant
