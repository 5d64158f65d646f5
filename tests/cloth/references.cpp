// SPDX-License-Identifier: MIT
#include <cloth/references.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include <pliant/base/error.h>

namespace pliant::reference {

namespace {

void require(bool possible, const char* where, const std::string& found, const char* expected)
{
    if (possible) return;
    throw Error(Problem{.where = where, .message = fmt::format("{}, expected {}", found, expected)});
}

void require_positive(const char* where, const char* what, double number)
{
    require(std::isfinite(number) && number > 0, where, fmt::format("the {} is {}", what, number), "a number above 0");
}

/// The zero of a function that grows from below 0 at `low` to above it at `high`: false position with the Illinois
/// correction, every third step a bisection, so that flat ends cannot hold it up.
template <class Function>
double zero_between(const Function& function, double low, double high)
{
    double at_low = function(low), at_high = function(high);
    if (at_low >= 0) return low;
    if (at_high <= 0) return high;
    for (int step = 0; step < 300; ++step) {
        double middle = step % 3 == 2 ? 0.5 * (low + high) : (low * at_high - high * at_low) / (at_high - at_low);
        if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
        if (middle <= low || middle >= high || high - low <= 4e-16 * std::abs(high)) return middle;
        const double value = function(middle);
        if (value == 0) return middle;
        if (value < 0) {
            low = middle, at_low = value, at_high *= 0.5;
        } else {
            high = middle, at_high = value, at_low *= 0.5;
        }
    }
    return 0.5 * (low + high);
}

// The heavy elastica from its tip. With phi the angle from the vertical and sigma = 1 - s/L,
//   phi'' = p sigma sin(phi),  phi(0) = delta,  phi'(0) = 0,  phi(1) = pi/2,   p = w L^3 / B
// Seen from the tip the solution only grows, so that shooting is as well conditioned in log(delta) as can be, while
// from the clamp an error grows by exp(2/3 sqrt(p)). Since sin(phi) <= phi and the linear equation grows by no more
// than that factor, delta is between pi/2 exp(-2/3 sqrt(p)) and pi/2.

constexpr double kHorizontal = std::numbers::pi / 2;

/// phi, its slope, and the distances covered from the tip: outwards (towards the clamp) and up, over L.
using TipState = std::array<double, 4>;

TipState tip_slopes(double p, double sigma, const TipState& at)
{
    return {at[1], p * sigma * std::sin(at[0]), std::sin(at[0]), std::cos(at[0])};
}

TipState after(const TipState& at, double h, const TipState& slope)
{
    TipState result = at;
    for (std::size_t k = 0; k < result.size(); ++k) result[k] += h * slope[k];
    return result;
}

/// One step of the classical Runge-Kutta rule.
TipState tip_step(double p, double sigma, double h, const TipState& at)
{
    const TipState a = tip_slopes(p, sigma, at);
    const TipState b = tip_slopes(p, sigma + h / 2, after(at, h / 2, a));
    const TipState c = tip_slopes(p, sigma + h / 2, after(at, h / 2, b));
    const TipState d = tip_slopes(p, sigma + h, after(at, h, c));
    TipState result = at;
    for (std::size_t k = 0; k < result.size(); ++k) result[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
    return result;
}

/// How far phi(1) is above the horizontal; where phi gets there early, by its slope from there on: what
/// lies behind is no cantilever and would come back.
double tip_miss(double p, double delta, int steps)
{
    TipState at{delta, 0, 0, 0};
    const double h = 1.0 / steps;
    for (int step = 0; step < steps; ++step) {
        at = tip_step(p, step * h, h, at);
        if (at[0] > kHorizontal) return at[0] - kHorizontal + at[1] * (1 - (step + 1) * h);
    }
    return at[0] - kHorizontal;
}

/// States at count places from the tip to the clamp.
std::vector<TipState> tip_shape(double p, double delta, int count, int steps_between)
{
    std::vector<TipState> shape{{delta, 0, 0, 0}};
    const double h = 1.0 / ((count - 1) * steps_between);
    TipState at = shape.front();
    for (int place = 1; place < count; ++place) {
        const int first = (place - 1) * steps_between;
        for (int step = 0; step < steps_between; ++step) at = tip_step(p, (first + step) * h, h, at);
        shape.push_back(at);
    }
    return shape;
}

}  // namespace

double stretch_under(double tension, StripLaw law, double stiffness)
{
    if (law == StripLaw::inextensible) return 1;
    const double load = tension / stiffness;
    if (law == StripLaw::linear) return 1 + load;
    // e = l^2 - 1 from e sqrt(1 + e) = 2 load: convex and growing, Newton's method from above goes straight down.
    double e = 2 * load;
    for (int step = 0; step < 60; ++step) {
        const double root = std::sqrt(1 + e);
        const double change = (e * root - 2 * load) / (root + e / (2 * root));
        e -= change;
        if (std::abs(change) <= 1e-16 * e) break;
    }
    return std::sqrt(1 + e);
}

std::vector<ElasticaPoint> heavy_elastica(double length, double bend, double weight, int count)
{
    const char* where = "heavy elastica";
    require_positive(where, "length", length);
    require_positive(where, "bending stiffness", bend);
    require_positive(where, "weight", weight);
    require(count >= 2, where, fmt::format("{} places", count), "the clamp and the tip at least");
    const double p = weight * length * length * length / bend;
    require(p <= 1e5, where, fmt::format("a load w L^3/B of {:.3g}", p),
            "1e5 at most, where the strip hangs straight down");

    // Steps in proportion to the rate sqrt(p) at which the solution grows.
    const int wanted = 400 + static_cast<int>(100 * std::sqrt(p));
    const int steps_between = (wanted + count - 2) / (count - 1);
    const int steps = steps_between * (count - 1);
    const double log_largest = std::log(kHorizontal);
    const double log_delta = zero_between([&](double log) { return tip_miss(p, std::exp(log), steps); },
                                          log_largest - 2.0 / 3.0 * std::sqrt(p), log_largest);

    const std::vector<TipState> shape = tip_shape(p, std::exp(log_delta), count, steps_between);
    std::vector<ElasticaPoint> points;
    for (auto at = shape.rbegin(); at != shape.rend(); ++at) {
        const double s = length * static_cast<double>(at - shape.rbegin()) / (count - 1);
        const TipState& clamp = shape.back();
        points.push_back({s, length * (clamp[2] - (*at)[2]), -length * (clamp[3] - (*at)[3]), kHorizontal - (*at)[0]});
    }
    return points;
}

namespace {

struct HalfStrip {
    double across = 0, down = 0;  ///< [m] from the middle to a support
};

/// Composite Simpson over the half strip; the integrands are analytic.
HalfStrip integrated_half(double H, double half_length, double weight, StripLaw law, double stiffness)
{
    constexpr int kIntervals = 2000;
    HalfStrip half;
    const double h = half_length / kIntervals;
    for (int i = 0; i <= kIntervals; ++i) {
        const double s = i * h, tension = std::hypot(H, weight * s);
        const double share = (i == 0 || i == kIntervals ? 1 : i % 2 == 1 ? 4 : 2) * h / 3;
        const double l = stretch_under(tension, law, stiffness);
        half.across += share * l * H / tension;
        half.down += share * l * weight * s / tension;
    }
    return half;
}

HalfStrip half_strip(double H, double half_length, double weight, StripLaw law, double stiffness)
{
    if (law == StripLaw::st_venant_kirchhoff) return integrated_half(H, half_length, weight, law, stiffness);
    const double q = weight * half_length / H;  // slope at the supports
    HalfStrip half{H / weight * std::asinh(q), H / weight * q * q / (std::sqrt(1 + q * q) + 1)};
    if (law == StripLaw::linear) {
        half.across += H * half_length / stiffness;
        half.down += weight * half_length * half_length / (2 * stiffness);
    }
    return half;
}

}  // namespace

Catenary catenary(double span, double length, double weight, StripLaw law, double stiffness)
{
    const char* where = "catenary";
    require_positive(where, "span", span);
    require_positive(where, "length", length);
    require_positive(where, "weight", weight);
    if (law == StripLaw::inextensible)
        require(length > span, where, fmt::format("length {} and span {}", length, span),
                "the longer strip that hangs");
    else
        require_positive(where, "stretch stiffness", stiffness);

    const auto miss = [&](double H) { return half_strip(H, length / 2, weight, law, stiffness).across - span / 2; };
    double low = weight * span, high = low;
    while (miss(low) > 0) low /= 2;
    while (miss(high) < 0) high *= 2;
    const double H = zero_between(miss, low, high);
    return {half_strip(H, length / 2, weight, law, stiffness).down, H, std::hypot(H, weight * length / 2)};
}

HungSheet hung_sheet(double length, double weight, StripLaw law, double stiffness, double poisson)
{
    const char* where = "hung sheet";
    require_positive(where, "length", length);
    require_positive(where, "weight", weight);
    if (law == StripLaw::inextensible) return {length, 1, 1};
    require_positive(where, "stretch stiffness", stiffness);

    const double load = weight * length;
    const double top = stretch_under(load, law, stiffness);
    if (law == StripLaw::linear) return {length * (1 + load / (2 * stiffness)), top, 1 - poisson * (top - 1)};
    // The integral of l over s is that of l dT / w, T a polynomial of l: K/2w (3/4 l^4 - 1/2 l^2) from 1 to the top.
    const double e = (top - 1) * (top + 1);
    const double narrowed = 1 - poisson * e;
    require(narrowed > 0, where, fmt::format("a stretch of {:.3g} with Poisson's ratio {}", top, poisson),
            "a sheet that keeps some width: the law of St Venant and Kirchhoff ends before");
    return {stiffness / (2 * weight) * e * (1 + 0.75 * e), top, std::sqrt(narrowed)};
}

double membrane_frequency(double a, double b, double tension, double density, int m, int n)
{
    const char* where = "membrane";
    for (const double number : {a, b, tension, density}) require_positive(where, "side, tension or density", number);
    require(m >= 1 && n >= 1, where, fmt::format("mode {}, {}", m, n), "half waves from 1 on");
    return 0.5 * std::sqrt(tension / density) * std::hypot(m / a, n / b);
}

double balloon_pressure(double stretch, double shear_modulus, double thickness, double radius)
{
    require_positive("balloon", "stretch", stretch);
    require_positive("balloon", "radius", radius);
    return 2 * shear_modulus * thickness / radius * (1 / stretch - std::pow(stretch, -7));
}

namespace {

/// A point of the ground in units of a square, from the corner of the bounding rectangle.
struct GroundPoint {
    double x = 0, z = 0;
};

/// Squares whose middle some triangle covers.
struct Shadow {
    int columns = 0, rows = 0;
    std::vector<std::uint8_t> covered;

    void cover(int row, double from, double to)
    {
        // A middle on the edge that two triangles share belongs to both, whatever rounding says.
        constexpr double kSlack = 1e-9;
        const int first = std::max(0, static_cast<int>(std::ceil(from - 0.5 - kSlack)));
        const int last = std::min(columns - 1, static_cast<int>(std::floor(to - 0.5 + kSlack)));
        for (int column = first; column <= last; ++column)
            covered[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                    static_cast<std::size_t>(column)] = 1;
    }

    void cover(const std::array<GroundPoint, 3>& corners)
    {
        const auto [lowest, highest] = std::minmax({corners[0].z, corners[1].z, corners[2].z});
        const int first = std::max(0, static_cast<int>(std::ceil(lowest - 0.5)));
        const int last = std::min(rows - 1, static_cast<int>(std::floor(highest - 0.5)));
        for (int row = first; row <= last; ++row) {
            const double z = row + 0.5;
            double from = columns, to = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const GroundPoint &a = corners[k], &b = corners[(k + 1) % 3];
                if (std::min(a.z, b.z) > z || std::max(a.z, b.z) < z) continue;
                const double x = a.z == b.z ? a.x : a.x + (z - a.z) / (b.z - a.z) * (b.x - a.x);
                from = std::min({from, x, a.z == b.z ? b.x : x});
                to = std::max({to, x, a.z == b.z ? b.x : x});
            }
            cover(row, from, to);
        }
    }
};

}  // namespace

double projected_area(std::span<const Vec3> vertices, std::span<const Triangle> triangles, int cells)
{
    require(cells >= 1, "projected area", fmt::format("{} cells", cells), "1 or more");
    if (triangles.empty()) return 0;
    const auto corner = [&](std::int32_t k) -> const Vec3& { return vertices[static_cast<std::size_t>(k)]; };
    Vec3 low = corner(triangles.front()[0]), high = low;
    for (const Triangle& triangle : triangles)
        for (const std::int32_t k : triangle) {
            low = {std::min(low.x, corner(k).x), 0, std::min(low.z, corner(k).z)};
            high = {std::max(high.x, corner(k).x), 0, std::max(high.z, corner(k).z)};
        }
    const double square = std::max(high.x - low.x, high.z - low.z) / cells;
    if (square == 0) return 0;

    Shadow shadow;
    shadow.columns = std::max(1, static_cast<int>(std::ceil((high.x - low.x) / square - 1e-9)));
    shadow.rows = std::max(1, static_cast<int>(std::ceil((high.z - low.z) / square - 1e-9)));
    shadow.covered.assign(static_cast<std::size_t>(shadow.columns) * static_cast<std::size_t>(shadow.rows), 0);
    for (const Triangle& triangle : triangles) {
        std::array<GroundPoint, 3> corners;
        for (std::size_t k = 0; k < 3; ++k)
            corners[k] = {(corner(triangle[k]).x - low.x) / square, (corner(triangle[k]).z - low.z) / square};
        shadow.cover(corners);
    }
    return static_cast<double>(std::count(shadow.covered.begin(), shadow.covered.end(), 1)) * square * square;
}

double drape_coefficient(double shadow, double disc_radius, double support_radius)
{
    require_positive("drape coefficient", "radius of the support", support_radius);
    require(disc_radius > support_radius, "drape coefficient",
            fmt::format("a disc of radius {} over a support of {}", disc_radius, support_radius), "a larger disc");
    const double support = std::numbers::pi * support_radius * support_radius;
    return (shadow - support) / (std::numbers::pi * disc_radius * disc_radius - support);
}

}  // namespace pliant::reference
