// SPDX-License-Identifier: MIT
#pragma once

// Contact response `barrier`: the surfaces of all bodies meet inside the minimisation of a step, and never cross.
//
// Two halves. Terms: each pair nearer than its thickness r has an energy g of its distance d whose force is linear at first
// and grows without bound as the gap closes below half of r, a = r/2:
//   -g' = k (r - d)                                          a <= d < r
//   -g' = k a^2/d + p k a (a/d - 1)^2                        0 < d < a       (value, slope, curvature continuous)
// The first part of the second line is a logarithm of the gap, the second one holds what is pressed hard: where a force is
// many times k a, the logarithm alone leaves gaps of its inverse, and matrices as stiff as the force over the gap.
// with k = max(kInertia m / (1/60 s)^2, kWeight m g / r, kElastic s): m the geometric mean of the masses that meet, s what
// the softer of the two resists by its material. Inertia stops what falls, weight rests within any thickness, and only
// stiffness of the order of the material's carries what tension presses, without all of a tight bundle in the steep part.
// Nothing to tune, no step in it.
// Friction is a spring between material points, k_t = 5 times that of the lighter mass (more as the pair is pressed: see
// slip), cut off at the cone:
// below it nothing creeps, the elastic way is at most slip <= mu r / 10; above it the anchor is dragged along.
// Pairs that are not near yet, but that a way of this step would have made cross, have rows without force: for the next
// direction they are springs, too, that pull up to the thickness. So a direction leads next to what it will meet and not
// through it, and a sheet that lands on many others finds them in one iteration and not one after the other. A pair
// that such a spring would have to pull is let go.
// Limit: make_safe() shortens any proposed way until certainly nothing crosses, by the conservative times of impact of
// contact/ccd.h over the candidates of swept boxes. The guarantee is there and nowhere else: whatever the terms, the
// solver or its budget do, a state that was free of crossings stays so.
//
// Symbols: x positions [m], d distance and r thickness, both less kLeastGap of it (no way takes a pair below that), n
// normal from the second element to the first, lambda = -g' [N], u tangential offset from the anchor [m]. A row acts on
// sum w x of its points; rigid bodies as c and a turn w about it.
// References: evidence-contact-solver sections 2..4; Li et al., Incremental Potential Contact (2020); Chen et al.,
// Offset Geometric Contact (2025), whose bounds of each vertex are the option contact.limit each_vertex.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/contact/surface_search.h>
#include <pliant/model/model.h>
#include <pliant/model/state.h>
#include <pliant/response/contact_bodies.h>

namespace pliant {

/// Whether the response is chosen and there are surfaces for it.
bool barrier_acts(const Model& model, const State& state);

/// [1] p: how much harder than a logarithm contacts push below half their thickness.
inline constexpr double kPressed = 0.3;

/// [1] Least stiffness of a contact over the inertia of its masses at 60 steps a second, over their weight for each
/// thickness, and over what their material resists.
inline constexpr double kInertia = 60, kWeight = 16, kElastic = 0.05;

/// Where a contact acts: on free vertices by weights, on rigid bodies that may move by their share and arm.
struct RowPlace {
    std::array<std::int32_t, 4> vertex{-1, -1, -1, -1};
    std::array<double, 4> weight{};             ///< signed
    std::array<std::int32_t, 2> frame{-1, -1};  ///< of the first and the second element
    std::array<double, 2> share{};              ///< signed
    std::array<Vec3, 2> arm{};                  ///< [m] signed: share times the way from the centre
};

/// What a contact adds to an objective at some positions: its force on sum w x, and a positive matrix.
struct BarrierRow {
    RowPlace at;
    Vec3 force;                 ///< [N]
    Vec3 pull;                  ///< [N] what a direction shall feel beside it, of a pair that is not near yet
    Mat3 stiffness;             ///< [N/m] symmetric
    bool is_one_sided = false;  ///< all that moves belongs to one element, whose vertices share an element of the body
};

/// A value and the first two derivatives of the energy of a distance.
struct BarrierForce {
    double energy = 0, lambda = 0, curvature = 0;
};
BarrierForce barrier_force(double distance, double thickness, double k);

/// What a step left unbalanced over what drove it: the forces when it began, but no less than the weight of everything, nor
/// than the forces that would stop what moved.
double unbalanced_share(double left, double driving, const Model& model, const State& from, const State& to, double h);

class BarrierContacts {
public:
    /// The model must outlive it; trees are cut where x is.
    BarrierContacts(const Model& model, std::span<const Vec3> x);

    /// The state must outlive the step, and so must `resistance`: what a material resists at each free vertex [N/m], as the
    /// mean diagonal of its elastic matrix (forces.h), or nothing.
    void begin_step(const State& from, double h, std::span<const double> resistance = {});

    enum class Rows : std::uint8_t { touching, expected_as_well };

    /// All contacts at positions x of all points; the rows of expected ones come last.
    void evaluate(std::span<const Vec3> x, Rows which = Rows::touching);
    std::span<const BarrierRow> rows() const { return rows_; }

    /// What held points and bodies will still move [m], #points, or empty: rows then have what that does to them.
    void set_ahead(std::span<const Vec3> ahead) { ahead_ = ahead; }
    /// The force that a row gets from what held things will still move.
    Vec3 force_ahead(std::size_t row) const;

    /// Shortens the way of all points from x0, where nothing crosses, to x1 until nothing does. The least share left.
    double make_safe(std::span<const Vec3> x0, std::span<Vec3> x1);

    /// After the last evaluate(), at to.x: remembers what touches, books friction, impulses and the work of what is carried.
    void end_step(State& to, double h);

    double energy() const { return energy_; }
    /// [m] The smallest thickness that some pair may have.
    double least_thickness() const { return bodies_.least_half(); }
    const SurfaceSearch& search() const { return search_; }

private:
    struct Contact {
        std::uint64_t key = 0;
        std::array<std::int32_t, 4> point{-1, -1, -1, -1};  ///< a plane has the first alone
        std::array<double, 4> weight{};
        Vec3 normal;
        double distance = 0, thickness = 0, k = 0;
        std::int32_t body_a = 0, body_b = 0;
        std::int32_t plane = -1;  ///< index into Model::shapes
        const Touch* touch = nullptr;
        BarrierForce push;
        double friction = 0, tangent = 0, grip = 0;  ///< [1], k_t and what of it acts [N/m]
        double drag = 0;                             ///< [N/m] that the matrix has along the way of what slides
        Vec3 offset;                                 ///< [m] along the surface, from the anchor
    };

    void release_expected(std::span<const Vec3> x1);
    void collect_planes(std::span<const Vec3> x);
    Contact contact_of(const Meeting& m) const;
    const Touch* touch_of(const Contact& c, std::span<const Vec3> x) const;
    static double pressure_of(const Contact& c);
    void finish(Contact& c, std::span<const Vec3> x) const;
    Vec3 offset_of(const Contact& c, std::span<const Vec3> x) const;
    /// Of the points that stand for one side: infinite where none of them can move.
    struct Side {
        double mass = 0, resistance = 0;  ///< [kg], [N/m]
    };
    Side side_of(const Contact& c, std::size_t first, std::size_t last, std::int32_t body) const;
    struct PairScale {
        double stiffness = 0;     ///< [N/m] k
        double lighter_mass = 0;  ///< [kg]
    };
    PairScale scale_of(const Contact& c) const;
    BarrierRow expected_row_of(Contact& c, std::span<const Vec3> x) const;
    BarrierRow row_of(const Contact& c, std::span<const Vec3> x) const;
    Vec3 plane_anchor(const Contact& c, std::span<const Vec3> x, const Vec3& point) const;
    double plane_share(std::span<const Vec3> x0, std::span<const Vec3> x1) const;
    double limit_each(std::span<const Vec3> x0, std::span<Vec3> x1);
    void book(State& to, const Contact& c, double h) const;
    Touch touch_after(const Contact& c, std::span<const Vec3> x) const;

    const Model& model_;
    const State* from_ = nullptr;
    SurfaceSearch search_;
    ContactBodies bodies_;
    std::vector<double> frame_part_;  ///< #frames [kg] mass for each of its points
    std::vector<Meeting> touching_, expected_;
    std::vector<Contact> contacts_;        ///< those that touch, then those that are expected
    std::size_t touching_count_ = 0;       ///< of contacts_, with planes
    std::vector<std::uint64_t> released_;  ///< keys
    std::vector<BarrierRow> rows_;
    std::vector<double> bounds_;
    std::span<const Vec3> ahead_;
    std::span<const double> resistance_;
    double energy_ = 0, least_gap_ = 0, h_ = 0, gravity_ = 0;
};

}  // namespace pliant
