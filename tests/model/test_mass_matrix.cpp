// SPDX-License-Identifier: MIT

// Consistent masses: entries against the thesis and against integrals, the solve with held coordinates, and what bodies
// with them do: energy and momentum of rigid motion, frequencies of a bar, conserved quantities.

#include <pliant/model/mass_matrix.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <pliant/solver/forces.h>
#include <pliant/solver/solver.h>

#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::world_of;

double entry(const MassMatrix& M, std::int32_t row, std::int32_t column)
{
    for (std::int64_t e = M.row_start[row]; e < M.row_start[row + 1]; ++e)
        if (M.column[e] == column) return M.value[e];
    return 0;
}

double row_sum(const MassMatrix& M, std::int32_t row)
{
    double sum = 0;
    for (std::int64_t e = M.row_start[row]; e < M.row_start[row + 1]; ++e) sum += M.value[e];
    return sum;
}

std::vector<Vec3> random_vectors(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> in(-1, 1);
    std::vector<Vec3> values(count);
    for (Vec3& v : values) v = {in(random), in(random), in(random)};
    return values;
}

// Two quadratic tetrahedra on a common face, corners 0 to 4, edges numbered as they come.
MassMatrix two_quadratic_tets()
{
    MassMatrixBuilder builder;
    builder.add_quadratic_tet({0, 1, 2, 3, 5, 6, 7, 8, 9, 10}, 2);
    builder.add_quadratic_tet({0, 2, 1, 4, 7, 6, 5, 11, 12, 13}, 5);
    return builder.matrix(std::vector<double>(14, 1.0));
}

TEST(MassMatrix, OfALinearTetHasTheEntriesOfTheThesis)
{
    MassMatrixBuilder builder;
    builder.add_linear_tet({2, 0, 3, 1}, 6);
    const MassMatrix M = builder.matrix(std::vector<double>{9, 9, 9, 9, 0.25});
    for (std::int32_t i = 0; i < 4; ++i) {
        for (std::int32_t j = 0; j < 4; ++j) EXPECT_DOUBLE_EQ(entry(M, i, j), i == j ? 6.0 / 10 : 6.0 / 20);
        EXPECT_DOUBLE_EQ(row_sum(M, i), 6.0 / 4);
    }
    EXPECT_EQ(M.row_start[5] - M.row_start[4], 1) << "a node without elements keeps its lumped mass";
    EXPECT_EQ(entry(M, 4, 4), 0.25);
}

// Integral of L1^a L2^b L3^c L4^d over a tetrahedron of volume 1: 3! a! b! c! d! / (a + b + c + d + 3)!.
double integral(const std::array<int, 4>& power)
{
    double product = 6;
    int sum = 3;
    for (const int p : power) product *= std::tgamma(p + 1), sum += p;
    return product / std::tgamma(sum + 1);
}

// A polynomial in the corner weights, as a list of terms.
struct Monomial {
    double factor;
    std::array<int, 4> power;
};

std::vector<Monomial> shape_function(int node)
{
    constexpr int edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    std::array<int, 4> power{};
    if (node < 4) {
        power[static_cast<std::size_t>(node)] = 1;
        Monomial square{2, power};
        square.power[static_cast<std::size_t>(node)] = 2;
        return {square, {-1, power}};
    }
    for (const int corner : edges[node - 4]) power[static_cast<std::size_t>(corner)] = 1;
    return {{4, power}};
}

double product_integral(int i, int j)
{
    double sum = 0;
    for (const Monomial& a : shape_function(i))
        for (const Monomial& b : shape_function(j)) {
            std::array<int, 4> power{};
            for (std::size_t k = 0; k < 4; ++k) power[k] = a.power[k] + b.power[k];
            sum += a.factor * b.factor * integral(power);
        }
    return sum;
}

TEST(MassMatrix, OfAQuadraticTetIsTheIntegralOfItsShapeFunctions)
{
    MassMatrixBuilder builder;
    builder.add_quadratic_tet({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 3);
    const MassMatrix M = builder.matrix(std::vector<double>(10, 1.0));
    double whole = 0;
    for (std::int32_t i = 0; i < 10; ++i)
        for (std::int32_t j = 0; j < 10; ++j) {
            EXPECT_NEAR(entry(M, i, j), 3 * product_integral(i, j), 1e-14) << i << " " << j;
            whole += entry(M, i, j);
        }
    EXPECT_NEAR(whole, 3, 1e-14);
}

TEST(MassMatrix, AddsElementsOnCommonNodesAndStaysSymmetric)
{
    const MassMatrix M = two_quadratic_tets();
    double whole = 0;
    for (std::int32_t i = 0; i < 14; ++i) {
        for (std::int32_t j = 0; j < 14; ++j) EXPECT_EQ(entry(M, i, j), entry(M, j, i));
        for (std::int64_t e = M.row_start[i] + 1; e < M.row_start[i + 1]; ++e) EXPECT_LT(M.column[e - 1], M.column[e]);
        whole += row_sum(M, i);
    }
    EXPECT_NEAR(whole, 7, 1e-13);
    EXPECT_NEAR(entry(M, 0, 1), 7 * product_integral(0, 1), 1e-14);
    EXPECT_EQ(entry(M, 3, 4), 0) << "no element has both";
}

// The smallest eigenvalue of D^-1 M by power iteration on 1 - D^-1 M / 4: all eigenvalues of D^-1 M are below 4.
double least_eigenvalue(const MassMatrix& M, const std::vector<double>& lumped)
{
    std::vector<Vec3> v = random_vectors(lumped.size(), 5), Mv(v.size());
    double growth = 0;
    for (int k = 0; k < 2000; ++k) {
        multiply(Mv, M, v);
        double before = 0, after = 0;
        for (std::size_t i = 0; i < v.size(); ++i) {
            before += lumped[i] * norm2(v[i]);
            v[i] -= Mv[i] / (4 * lumped[i]);
            after += lumped[i] * norm2(v[i]);
        }
        growth = std::sqrt(after / before);
        for (Vec3& one : v) one *= 1 / std::sqrt(after);
    }
    return 4 * (1 - growth);
}

TEST(MassMatrix, LeastShareIsTheSmallestEigenvalueAgainstTheLumpedMasses)
{
    MassMatrixBuilder linear, quadratic;
    linear.add_linear_tet({0, 1, 2, 3}, 1);
    quadratic.add_quadratic_tet({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 1);
    const std::vector<double> quarters(4, 0.25);
    std::vector<double> shares(10, 4.0 / 27);
    std::fill_n(shares.begin(), 4, 1.0 / 36);
    const MassMatrix a = linear.matrix(quarters), b = quadratic.matrix(shares);
    EXPECT_NEAR(least_eigenvalue(a, quarters), a.least_share, 1e-9);
    EXPECT_NEAR(least_eigenvalue(b, shares), b.least_share, 1e-9);
}

TEST(MassMatrix, SolveInvertsMultiplyWithHeldCoordinates)
{
    const MassMatrix M = two_quadratic_tets();
    std::vector<std::uint8_t> held(14, 0);
    held[1] = 7, held[4] = 2, held[9] = 5, held[13] = 1;
    std::vector<Vec3> a = random_vectors(14, 3), f(14);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (int k = 0; k < 3; ++k)
            if (held[i] >> k & 1) a[i][k] = 0;
    multiply(f, M, a);
    // What the held coordinates feel must not matter.
    for (std::size_t i = 0; i < f.size(); ++i)
        for (int k = 0; k < 3; ++k)
            if (held[i] >> k & 1) f[i][k] = 1e3;
    MassSolve memory;
    solve_mass(f, M, held, memory);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(f[i][k], a[i][k], 1e-13) << i << " " << k;
    std::vector<Vec3> nothing(14);
    solve_mass(nothing, M, held, memory);
    for (const Vec3& one : nothing) EXPECT_EQ(norm(one), 0);
}

std::string block(const char* elements, const std::string& more, const char* kind = "rk4")
{
    return fmt::format(R"({{ "world": {{ "gravity": [0, 0, 0] }},
        "solver": {{ "kind": "{}", "step": 0.001, "substeps": "auto", "accuracy": 1e-10 }},
        "bodies": {{ "b": {{ "kind": "solid", "elements": "{}", "mass_kind": "consistent",
            "mesh": {{ "tet_block": [3, 2, 2], "size": [0.3, 0.2, 0.1] }},
            "material": {{ "young": 1e5, "poisson": 0.3, "density": 1000 }} {} }} }} }})",
                       kind, elements, more);
}

TEST(ConsistentMass, KineticEnergyOfRigidMotionIsExact)
{
    const double m = 1000 * 0.3 * 0.2 * 0.1;
    const Vec3 v{1, -2, 3}, w{4, 5, -6};
    const Vec3 inertia = Vec3{0.04 + 0.01, 0.09 + 0.01, 0.09 + 0.04} * (m / 12);
    const double exact =
        0.5 * m * norm2(v) + 0.5 * (inertia.x * w.x * w.x + inertia.y * w.y * w.y + inertia.z * w.z * w.z);
    for (const char* elements : {"linear", "quadratic"}) {
        World world = world_of(block(elements, R"(, "velocity": [1, -2, 3], "angular_velocity": [4, 5, -6])"));
        EXPECT_NEAR(test::measure(world, "energy.kinetic"), exact, 1e-12 * exact) << elements;
        EXPECT_NEAR(test::measure(world, "momentum.z"), m * v.z, 1e-12 * m);
    }
}

TEST(ConsistentMass, MomentumOfFreeFlightAndEnergyOfVibrationsStay)
{
    const auto angular = [](const World& world) {
        const std::size_t n = static_cast<std::size_t>(world.model->free_count);
        std::vector<Vec3> p(n);
        multiply(p, world.model->mass_matrix, std::span(world.state.v).first(n));
        Vec3 sum;
        for (std::size_t i = 0; i < n; ++i) sum += cross(world.state.x[i], p[i]);
        return sum;
    };
    for (const char* elements : {"linear", "quadratic"})
        for (const char* kind : {"rk4", "implicit_midpoint"}) {
            World world = world_of(block(elements, R"(, "velocity": [1, 2, 0], "angular_velocity": [0, 20, 5])", kind));
            const Vec3 spin = angular(world);
            for (int frame = 1; frame <= 10; ++frame) ASSERT_EQ(step_to(world, frame * 0.005).status, Status::ok);
            EXPECT_NEAR(test::measure(world, "momentum.x"), 6 * 1, 1e-8) << elements << " " << kind;
            EXPECT_NEAR(test::measure(world, "momentum.y"), 6 * 2, 1e-8) << elements << " " << kind;
            EXPECT_LT(norm(angular(world) - spin), 1e-6 * norm(spin)) << elements << " " << kind;
            // Energy of implicit_midpoint wavers with the square of the step, and comes back.
            EXPECT_LT(test::measure(world, "energy.error"), kind[0] == 'r' ? 1e-5 : 5e-3) << elements << " " << kind;
            EXPECT_GT(world.state.ranges[1].high, 1e-3) << "it does stretch";
        }
}

// Quarter-wave vibration of a thin bar clamped at one end, without sideways motion (poisson 0, y and z held): a system
// of one dimension whose frequency is sqrt(E/rho)/4L.
double bar_frequency(const char* mass_kind, const char* elements, int cells)
{
    World world = world_of(fmt::format(R"({{ "world": {{ "gravity": [0, 0, 0] }},
        "solver": {{ "kind": "implicit_midpoint", "step": 0.005, "accuracy": 1e-9 }},
        "bodies": {{ "bar": {{ "kind": "solid", "elements": "{}", "mass_kind": "{}",
            "mesh": {{ "tet_block": [{}, 1, 1], "size": [1, 0.1, 0.1], "translate": [0.5, 0, 0] }},
            "material": {{ "young": 1e4, "poisson": 0, "density": 1000, "law": "linear" }},
            "pins": [{{ "select": "left" }}, {{ "name": "rails", "select": "all", "axes": "yz" }}] }} }} }})",
                                       elements, mass_kind, cells));
    std::size_t end = 0;
    for (std::int32_t i = 0; i < world.model->free_count; ++i) {
        if ((world.state.held[i] & 1) == 0)
            world.state.v[i].x = 1e-3 * std::sin(std::numbers::pi / 2 * world.state.x[i].x);
        if (world.state.x[i].x > world.state.x[end].x) end = static_cast<std::size_t>(i);
    }
    const double start = world.state.x[end].x, frame_time = 0.01;
    std::vector<double> crossings;
    double before = 0;
    for (int frame = 1; frame <= 400; ++frame) {
        EXPECT_EQ(step_to(world, frame * frame_time).status, Status::ok);
        const double now = world.state.x[end].x - start;
        if (before < 0 && now >= 0) crossings.push_back((frame - now / (now - before)) * frame_time);
        before = now;
    }
    EXPECT_GE(crossings.size(), 3u);
    return static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
}

TEST(ConsistentMass, FrequenciesOfABarAreAboveTheExactOneAndLumpedOnesBelow)
{
    const double exact = std::sqrt(1e4 / 1000) / 4;
    double off[2][2];
    for (int i = 0; i < 2; ++i) {
        off[0][i] = bar_frequency("lumped", "linear", 4 << i) / exact - 1;
        off[1][i] = bar_frequency("consistent", "linear", 4 << i) / exact - 1;
    }
    for (int i = 0; i < 2; ++i) {
        EXPECT_LT(off[0][i], 0) << i;
        EXPECT_GT(off[1][i], 0) << i;
    }
    EXPECT_NEAR(std::log2(off[0][0] / off[0][1]), 2, 0.5);
    EXPECT_NEAR(std::log2(off[1][0] / off[1][1]), 2, 0.5);
    EXPECT_NEAR(bar_frequency("consistent", "quadratic", 4), exact, 1e-3 * exact);
}

// Gravity must be the row sums of M: with lumped weights mid-edge nodes would run ahead of corners.
void expect_fall_without_strain(const char* elements)
{
    World world = world_of(block(elements, "", "implicit_midpoint"));
    world.state.world.gravity = {0, -9.81, 0};
    const std::vector<Vec3> start = world.state.x;
    ASSERT_EQ(step_to(world, 0.1).status, Status::ok);
    double worst = 0;
    for (std::size_t i = 0; i < start.size(); ++i)
        worst = std::max(worst, norm(world.state.x[i] - start[i] - Vec3{0, -0.5 * 9.81 * 0.01, 0}));
    EXPECT_LT(worst, 1e-8) << elements;
    EXPECT_LT(test::measure(world, "energy.error"), 1e-6) << elements;
}

void expect_damping_without_strain(const char* elements)
{
    World world = world_of(block(elements, R"(, "velocity": [1, 0, 0], "damping": 3)", "implicit_midpoint"));
    ASSERT_EQ(step_to(world, 0.1).status, Status::ok);
    double worst = 0;
    for (std::int32_t i = 0; i < world.model->free_count; ++i)
        worst = std::max(worst, norm(world.state.v[i] - Vec3{std::exp(-0.3), 0, 0}));
    EXPECT_LT(worst, 1e-5) << elements;
}

TEST(ConsistentMass, LinearTetsFallAndAreDampedWithoutStrain)
{
    expect_fall_without_strain("linear");
    expect_damping_without_strain("linear");
}

// Lumped weights: forces of gravity and damping are those of lumped masses.
TEST(ConsistentMass, QuadraticTetsFallAndAreDampedWithoutStrain)
{
    expect_fall_without_strain("quadratic");
    expect_damping_without_strain("quadratic");
}

TEST(ConsistentMass, ImplicitAndExplicitRulesAgree)
{
    for (const char* elements : {"linear", "quadratic"}) {
        const std::string swing = R"(, "pins": [{ "select": "left" }], "velocity": [0, 0.5, 0.2])";
        World a = world_of(block(elements, swing, "rk4")), b = world_of(block(elements, swing, "implicit_midpoint"));
        ASSERT_EQ(step_to(a, 0.05).status, Status::ok);
        ASSERT_EQ(step_to(b, 0.05).status, Status::ok);
        double worst = 0, way = 0;
        for (std::size_t i = 0; i < a.state.x.size(); ++i) {
            worst = std::max(worst, norm(a.state.x[i] - b.state.x[i]));
            way = std::max(way, norm(a.state.x[i] - a.model->start_x[i]));
        }
        EXPECT_GT(way, 5e-3);
        EXPECT_LT(worst, 0.01 * way) << elements;
    }
}

}  // namespace
}  // namespace pliant
