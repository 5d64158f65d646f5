// SPDX-License-Identifier: MIT

// What a solid can be besides one elastic material: parts of others, rest shapes of its own, both from the files of seed
// 002, fibres, plastic flow, moduli by other names; and the words with which impossible ones are refused.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <pliant/io/tet_file.h>
#include <pliant/io/thesis_files.h>
#include <pliant/mesh/tet_shapes.h>

#include "world/history.h"
#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::world_of;

/// A folder of this test alone, gone with it.
class Folder {
public:
    Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("pliant_solid_options_{}", getpid()))
    {
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string file(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

// A bar of 2 m along x from 0, its section 0.5 m squared, free to thin: sliding clamps, a pull on its right end.
std::string bar(const std::string& body, double pull, const std::string& solver = R"("kind": "static", "step": 1)")
{
    return fmt::format(R"({{ "world": {{ "gravity": [0, 0, 0] }}, "solver": {{ {}, "accuracy": 1e-10 }},
        "bodies": {{ "bar": {{ "kind": "solid",
            "pins": [{{ "select": "left", "axes": "x" }}, {{ "select": "bottom", "axes": "y" }},
                     {{ "select": "back", "axes": "z" }}],
            "loads": [{{ "name": "pull", "select": "right", "pressure": {} }}], {} }} }} }})",
                       solver, -pull, body);
}

const std::string kBarMesh =
    R"("mesh": { "tet_block": [8, 1, 1], "size": [2, 0.5, 0.5], "translate": [1, 0.25, 0.25] })";

double largest_x(const World& world)
{
    double most = -INFINITY;
    for (const Vec3& x : world.state.x) most = std::max(most, x.x);
    return most;
}

// Length of the bar in balance.
double balanced_length(const std::string& scene)
{
    World world = world_of(scene);
    const StepReport report = step_to(world, 1);
    EXPECT_EQ(report.status, Status::ok) << explain(report.issue, *world.model);
    return largest_x(world);
}

TEST(Materials, InSeriesStretchByTheSumOfTheirCompliances)
{
    // p (L1/E1 + L2/E2): without Poisson's ratio each part has the strain of its own.
    const std::string body =
        kBarMesh + R"(, "material": { "young": 1e5, "poisson": 0, "density": 1000, "law": "linear" },
        "materials": [{ "select": { "low": [0.999, -1, -1], "high": [3, 1, 1] }, "material": { "young": 4e5 } }])";
    for (const char* elements : {"quadratic", "linear"}) {
        const std::string scene = bar(body + R"(, "elements": ")" + elements + "\"", 1000);
        EXPECT_NEAR(balanced_length(scene) - 2, 1000 * (1 / 1e5 + 1 / 4e5), 1e-8) << elements;
    }
}

TEST(Materials, OneLiveNumberTurnsAllParts)
{
    World world =
        world_of(bar(kBarMesh + R"(, "material": { "young": 1e5, "poisson": 0, "density": 1000, "law": "linear" },
        "materials": [{ "select": { "low": [0.999, -1, -1], "high": [3, 1, 1] }, "material": { "young": 4e5 } }])",
                     1000));
    test::set(world, "bodies.bar.material.young", to_live(2e5));
    ASSERT_EQ(step_to(world, 1).status, Status::ok);
    EXPECT_NEAR(largest_x(world) - 2, 1000 * (1 / 2e5 + 1 / 8e5), 1e-8);
}

TEST(Materials, GiveEachPartItsMassAndTheLastWordCounts)
{
    const World world = world_of(bar(kBarMesh + R"(, "material": { "young": 1e5, "density": 1000 }, "materials": [
        { "select": { "low": [0.999, -1, -1], "high": [3, 1, 1] }, "material": { "density": 3000 } },
        { "select": { "low": [1.499, -1, -1], "high": [3, 1, 1] }, "material": { "density": 200 } }])",
                                     0));
    double whole = 0, moment = 0;
    for (std::int32_t i = 0; i < world.model->free_count; ++i)
        whole += world.model->mass[i], moment += world.model->mass[i] * world.state.x[i].x;
    const double area = 0.25;
    EXPECT_NEAR(whole, area * (1000 * 1 + 3000 * 0.5 + 200 * 0.5), 1e-9);
    EXPECT_NEAR(moment, area * (1000 * 0.5 + 3000 * 0.5 * 1.25 + 200 * 0.5 * 1.75), 1e-9);
}

TEST(Materials, AreFoundByTheNumbersOfAMeshFile)
{
    const Folder folder;
    TetMesh mesh = tet_block({2, 0.5, 0.5}, {8, 1, 1});
    for (Vec3& v : mesh.vertices) v += Vec3{1, 0.25, 0.25};
    for (const Tet& tet : mesh.tets) {
        double middle = 0;
        for (const std::int32_t v : tet) middle += mesh.vertices[static_cast<std::size_t>(v)].x / 4;
        mesh.region.push_back(middle > 1 ? 7 : 2);
    }
    const std::string file = folder.file("bar.msh");
    write_tets(file, mesh);
    const auto length = [&](int number) {
        return balanced_length(bar(fmt::format(R"("mesh": {{ "file": "{}" }},
            "material": {{ "young": 1e5, "poisson": 0, "density": 1000, "law": "linear" }},
            "materials": [{{ "number": {}, "material": {{ "young": 4e5 }} }}])",
                                               file, number),
                                   1000));
    };
    EXPECT_NEAR(length(7) - 2, 1000 * (1 / 1e5 + 1 / 4e5), 1e-8);
    EXPECT_NEAR(length(2), length(7), 1e-8);
}

TEST(Materials, ViscosityOfAPartIsItsOwn)
{
    // The pull of a viscous part alone: a bar stretched at a rate, in which only one half resists.
    const auto power = [](const char* parts) {
        World world =
            world_of(bar(kBarMesh + R"(, "material": { "young": 1e5, "poisson": 0, "density": 1000 })" + parts, 0,
                         R"("kind": "rk4", "step": 1e-6, "substeps": 1)"));
        for (std::int32_t i = 0; i < world.model->free_count; ++i) world.state.v[i] = {world.state.x[i].x * 1e-3, 0, 0};
        EXPECT_EQ(step_to(world, 1e-6).status, Status::ok);
        return world.state.ledger.viscous / 1e-6;
    };
    const double none = power(""),
                 half = power(R"(, "materials": [{ "select": { "low": [0.999, -1, -1], "high": [3, 1, 1] },
                     "material": { "shear_viscosity": 50 } }])"),
                 whole = power(R"(, "materials": [{ "select": "all", "material": { "shear_viscosity": 50 } }])");
    EXPECT_EQ(none, 0);
    EXPECT_GT(half, 0);
    EXPECT_NEAR(whole / half, 2, 1e-3);
}

TEST(RestMesh, IsTheSizeABodyGoesBackTo)
{
    const std::string body = R"("mesh": { "tet_block": [4, 1, 1], "size": [2, 0.5, 0.5], "translate": [1, 0.25, 0.25] },
        "rest_mesh": { "tet_block": [4, 1, 1], "size": [1.6, 0.6, 0.5], "translate": [7, 0, 0] },
        "material": { "young": 1e5, "poisson": 0.3, "density": 1000 })";
    World world = world_of(bar(body, 0));
    EXPECT_GT(test::measure(world, "energy.elastic"), 100);
    ASSERT_EQ(step_to(world, 1).status, Status::ok);
    EXPECT_NEAR(test::measure(world, "bar.size.x"), 1.6, 1e-8);
    EXPECT_NEAR(test::measure(world, "bar.size.y"), 0.6, 1e-8);
    EXPECT_NEAR(test::measure(world, "energy.elastic"), 0, 1e-9);
    double mass = 0;
    for (const double m : world.model->mass) mass += m;
    EXPECT_NEAR(mass, 1000 * 1.6 * 0.6 * 0.5, 1e-9) << "the mass is that of the rest shape";
}

TEST(RestMesh, EnergyOfAStretchedStartIsHookes)
{
    // 0.1 % too long, sideways held by its own rest size: psi = E e^2 / 2 without Poisson's ratio.
    World world = world_of(bar(
        R"("mesh": { "tet_block": [4, 1, 1], "size": [2.002, 0.5, 0.5] },
        "rest_mesh": { "tet_block": [4, 1, 1], "size": [2, 0.5, 0.5] },
        "material": { "young": 1e5, "poisson": 0, "density": 1000, "law": "st_venant_kirchhoff" })",
        0));
    const double e = 1e-3 + 0.5e-6;  // Green's strain
    EXPECT_NEAR(test::measure(world, "energy.elastic"), 0.5 * 1e5 * e * e * 0.5, 1e-9);
}

TEST(RestMesh, OfAnotherMeshIsRefused)
{
    const SceneRead read = parse_scene(bar(R"("mesh": { "tet_block": [4, 1, 1], "size": [2, 0.5, 0.5] },
        "rest_mesh": { "tet_block": [3, 1, 1], "size": [2, 0.5, 0.5] },
        "material": { "young": 1e5, "density": 1000 })",
                                           0),
                                       "scene.json");
    ASSERT_TRUE(read.problems.empty());
    const Build built = try_build(read.scene);
    ASSERT_EQ(built.problems.size(), 1u);
    const std::string words = to_string(built.problems[0]);
    EXPECT_NE(words.find("/bodies/bar/rest_mesh"), std::string::npos) << words;
    EXPECT_NE(words.find("has 18 tetrahedra, and the body has 24"), std::string::npos) << words;
    EXPECT_NE(words.find("the same generator or the same file"), std::string::npos) << words;
}

// Files of seed 002 for a block of 20 x 10 x 10 cm; rest shapes scaled along x.
void write_thesis_block(const Folder& folder, double rest_scale, double bulk)
{
    const TetMesh mesh = tet_block({20, 10, 10}, {3, 1, 2});
    ThesisState state;
    for (const Vec3& v : mesh.vertices) state.vertices.push_back({v, {}});
    ThesisTopology topology;
    for (const Tet& t : mesh.tets) {
        const auto edge = [&](std::size_t k) {
            Vec3 d = mesh.vertices[static_cast<std::size_t>(t[k])] - mesh.vertices[static_cast<std::size_t>(t[0])];
            d.x *= rest_scale;
            return d;
        };
        topology.tets.push_back({.rest = from_columns(edge(1), edge(2), edge(3)),
                                 .corners = t,
                                 .density = 1.2,
                                 .bulk = bulk,
                                 .shear = 1e5,
                                 .volume_damping = 300,
                                 .shape_damping = 500});
    }
    write_thesis(folder.file("block.st"), ThesisStates{{state}});
    write_thesis(folder.file("block.tp"), topology);
}

std::string hung(const std::string& body)
{
    return R"({ "world": { "gravity": [0, -9.81, 0] }, "solver": { "kind": "trapezoidal", "step": 0.005, "accuracy": 1e-10 },
        "bodies": { "b": { "kind": "solid", "elements": "linear",
            "pins": [{ "select": { "low": [-1, -1, -1], "high": [-0.0999, 1, 1] } }], )" +
           body + " } } }";
}

TEST(ThesisBody, MovesLikeTheSameBodyWrittenInAScene)
{
    // dyn/cm2 and poise are a tenth of Pa and Pa s, g/cm3 is 1000 kg/m3; the thesis' dissipation is twice ours.
    const std::string material = R"("material": { "bulk": 2e4, "shear": 1e4, "density": 1200, "bulk_viscosity": 60,
        "shear_viscosity": 100 })";
    for (const double rest_scale : {1.0, 0.8}) {
        const Folder folder;
        write_thesis_block(folder, rest_scale, 2e5);
        World file =
            world_of(hung(fmt::format(R"("mesh": {{ "file": "{}", "scale": 0.01 }})", folder.file("block.tp"))));
        World scene = world_of(hung(fmt::format(R"("mesh": {{ "tet_block": [3, 1, 2], "size": [0.2, 0.1, 0.1] }},
            "rest_mesh": {{ "tet_block": [3, 1, 2], "size": [{}, 0.1, 0.1] }}, )",
                                                0.2 * rest_scale) +
                                    material));
        const std::vector<Vec3> start = scene.state.x;
        ASSERT_EQ(step_to(file, 0.1).status, Status::ok);
        ASSERT_EQ(step_to(scene, 0.1).status, Status::ok);
        ASSERT_EQ(file.state.x.size(), scene.state.x.size());
        double worst = 0, way = 0;
        for (std::size_t i = 0; i < start.size(); ++i) {
            worst = std::max(worst, norm(file.state.x[i] - scene.state.x[i]));
            way = std::max(way, norm(scene.state.x[i] - start[i]));
        }
        EXPECT_GT(way, 0.005);
        EXPECT_LT(worst, 1e-9) << rest_scale;
        EXPECT_NEAR(file.state.ledger.viscous, scene.state.ledger.viscous, 1e-9);
        EXPECT_GT(file.state.ledger.viscous, 1e-3);
    }
}

TEST(ThesisBody, AMaterialInTheSceneReplacesThatOfTheFileButNotTheRestShapes)
{
    const Folder folder;
    write_thesis_block(folder, 0.8, 2e5);
    World world = world_of(
        hung(fmt::format(R"("mesh": {{ "file": "{}", "scale": 0.01 }}, "material": {{ "young": 1e6, "density": 50 }})",
                         folder.file("block.st"))));
    double mass = 0;
    for (const double m : world.model->mass) mass += m;
    EXPECT_NEAR(mass, 50 * 0.2 * 0.1 * 0.1 * 0.8, 1e-9);
    EXPECT_GT(test::measure(world, "energy.elastic"), 1);
}

// Young's modulus that a small pull on the bar feels.
double felt_young(const std::string& material, double pull)
{
    const double length =
        balanced_length(bar(kBarMesh + R"(, "material": { "young": 1e5, "density": 1000, )" + material + " }", pull));
    return pull * 2 / (length - 2);
}

TEST(Fibres, AddTheirStiffnessAlongThemselvesOnly)
{
    const std::string fibre = R"("law": "fibre_reinforced", "poisson": 0, "fibre_stiffness": 3e5, "fibre": )";
    EXPECT_NEAR(felt_young(fibre + "[5, 0, 0]", 10), 4e5, 4e2);
    EXPECT_NEAR(felt_young(fibre + "[0, 1, 0]", 10), 1e5, 1e2);
    EXPECT_NEAR(felt_young(fibre + "[0, 0, -2]", 10), 1e5, 1e2);
    // Buckled fibres carry nothing; others do.
    EXPECT_NEAR(felt_young(fibre + "[1, 0, 0]", -10), 1e5, 1e2);
    EXPECT_NEAR(felt_young(fibre + R"([1, 0, 0], "pull_only": false)", -10), 4e5, 4e2);
}

TEST(Fibres, AlongAPartAndAcrossTheRestStretchInSeries)
{
    const std::string body = kBarMesh + R"(, "material": { "law": "fibre_reinforced", "young": 1e5, "poisson": 0,
        "density": 1000, "fibre_stiffness": 3e5, "fibre": [0, 1, 0] },
        "materials": [{ "select": { "low": [0.999, -1, -1], "high": [3, 1, 1] }, "material": { "fibre": [1, 0, 0] } }])";
    EXPECT_NEAR(balanced_length(bar(body, 10)) - 2, 10 * (1 / 1e5 + 1 / 4e5), 1e-3 * 1e-4);
}

// A bar that yields at 10 kPa; loads held for many static steps, each of which lets it flow.
World pulled_and_released(double pull)
{
    World world = world_of(bar(kBarMesh + R"(, "material": { "young": 1e6, "poisson": 0.3, "density": 1000,
        "plastic": { "yield_stress": 1e4, "hardening": 5e5 } })",
                               pull));
    for (int i = 1; i <= 60; ++i) EXPECT_EQ(step_to(world, i).status, Status::ok);
    EXPECT_GT(std::abs(largest_x(world) - 2), 1e-3) << "the load acts";
    test::set(world, "bodies.bar.loads.pull.enabled", to_live(0.0));
    EXPECT_EQ(step_to(world, 61).status, Status::ok);
    return world;
}

// Flow goes on until the yield stress has hardened up to Hencky's stress 2 mu (a - b) at the logarithmic strains a along
// and b across. The pull is a true stress, so tau = J pull, and neo-Hooke's tau = mu (exp 2a - exp 2b) is
// 2 mu (a - b) (1 + a + b) to second order, where a + b = (1 - nu) tau/E.
double uniaxial_flow(double pull)
{
    const double young = 1e6, poisson = 0.3, tau = pull * (1 + (1 - 2 * poisson) * pull / young);
    const double hencky = tau / (1 + (1 - poisson) * tau / young);
    return std::copysign((std::abs(hencky) - 1e4) / 5e5, pull);
}

TEST(PlasticSolid, BelowYieldNothingStays)
{
    const World world = pulled_and_released(0.9e4);
    EXPECT_NEAR(largest_x(world), 2, 1e-8);
    for (const double inner : world.state.inner) EXPECT_EQ(inner, 0);
}

TEST(PlasticSolid, BeyondYieldTheLengthIsThatOfUniaxialFlow)
{
    for (const double pull : {2e4, -2e4, 3e4}) {
        World world = pulled_and_released(pull);
        const double flow = uniaxial_flow(pull);
        EXPECT_NEAR(std::log(largest_x(world) / 2), flow, 0.01 * std::abs(flow)) << pull;
        EXPECT_NEAR(std::log(test::measure(world, "bar.size.y") / 0.5), -flow / 2, 0.01 * std::abs(flow)) << pull;
        EXPECT_NEAR(test::measure(world, "bar.volume"), 0.5, 1e-6) << "flow keeps the volume";
    }
}

TEST(PlasticSolid, BooksWhatFlowTakesAsDissipated)
{
    // Nothing else takes energy here.
    std::vector<std::string> set{"world.duration=0.4", "expect={}", "bodies.bar.damping=0",
                                 "bodies.bar.material.damping_time=0"};
    const test::History run = test::history("solid_plastic", set);
    const std::vector<double> lost = run.column("energy.dissipated");
    for (std::size_t i = 1; i < lost.size(); ++i) EXPECT_GE(lost[i], lost[i - 1]);
    EXPECT_GT(lost.back(), 1);
    EXPECT_LT(run.max_from("energy.error", 0), 1e-2);
    set.emplace_back("bodies.bar.material.plastic.yield_stress=1e9");
    EXPECT_EQ(test::history("solid_plastic", set).column("energy.dissipated").back(), 0);
}

TEST(PlasticSolid, GoesOnFromASnapshotToTheSameBits)
{
    const auto make = [] { return build(load_scene(std::string(PLIANT_SCENES) + "/solid_plastic.json")); };
    World world = make();
    for (int frame = 1; frame <= 4; ++frame) ASSERT_EQ(step_to(world, frame / 30.0).status, Status::ok);
    const Snapshot kept = snapshot(world);
    const auto bytes = save(world.state, world.model->id);
    World fresh = make();
    load(fresh.state, bytes, fresh.model->id);
    for (int frame = 5; frame <= 7; ++frame) {
        ASSERT_EQ(step_to(world, frame / 30.0).status, Status::ok);
        ASSERT_EQ(step_to(fresh, frame / 30.0).status, Status::ok);
        ASSERT_EQ(hash(world.state), hash(fresh.state)) << frame;
    }
    EXPECT_NE(world.state.inner, kept.state.inner) << "it flows meanwhile";
    restore(world, kept);
    for (int frame = 5; frame <= 7; ++frame) ASSERT_EQ(step_to(world, frame / 30.0).status, Status::ok);
    EXPECT_EQ(hash(world.state), hash(fresh.state));
}

TEST(Moduli, BulkAndShearAreYoungAndPoissonByOtherNames)
{
    const auto length = [](const std::string& moduli) {
        return balanced_length(bar(kBarMesh + R"(, "material": { "density": 1000, )" + moduli + " }", 3000));
    };
    const double poisson = 0.35, bulk = 1e5 / (3 * (1 - 2 * poisson)), shear = 1e5 / (2 * (1 + poisson));
    EXPECT_NEAR(length(R"("young": 1e5, "poisson": 0.35)"),
                length(fmt::format(R"("bulk": {}, "shear": {})", bulk, shear)), 1e-10);
}

std::string problems_of(const std::string& body, const std::string& solver = R"("kind": "rk4")")
{
    const SceneRead read = parse_scene(
        fmt::format(R"({{ "solver": {{ {} }}, "bodies": {{ "b": {{ "kind": "solid", {} }} }} }})", solver, body),
        "scene.json");
    std::string all;
    for (const Problem& problem : read.problems) all += to_string(problem) + "\n";
    if (!read.problems.empty()) return all;
    for (const Problem& problem : try_build(read.scene).problems) all += to_string(problem) + "\n";
    return all;
}

void expect_refusal(const std::string& found, const std::string& place, const std::string& words)
{
    EXPECT_NE(found.find(place), std::string::npos) << "place " << place << " in: " << found;
    EXPECT_NE(found.find(words), std::string::npos) << "words " << words << " in: " << found;
}

const std::string kBlock = R"("mesh": { "tet_block": [2, 1, 1], "size": [2, 1, 1] }, )";
const std::string kRubber = R"("material": { "young": 1e5, "density": 1000 })";

TEST(Refusals, OfMaterialsNamePlaceAndCure)
{
    const auto material = [](const std::string& text) {
        return problems_of(kBlock + R"("material": { "density": 1000, )" + text + " }");
    };
    expect_refusal(material(R"("bulk": 1e5)"), "/bodies/b/material/bulk", "give both bulk and shear");
    expect_refusal(material(R"("shear": 1e5)"), "/bodies/b/material/shear", "half of a pair");
    expect_refusal(material(R"("bulk": 1e5, "shear": 1e5, "young": 1e5)"), "/bodies/b/material/bulk", "not both pairs");
    expect_refusal(material(R"("bulk": 1e5, "shear": 1e5, "poisson": 0.3)"), "/bodies/b/material/bulk", "not both");
    expect_refusal(material(R"("bulk": 1e9, "shear": 1e3)"), "/bodies/b/material/bulk", "at most 0.4999");
    expect_refusal(material(R"("young": 1e5, "law": "fibre_reinforced")"), "/bodies/b/material/fibre",
                   "such as \"fibre\": [1, 0, 0]");
    expect_refusal(material(R"("young": 1e5, "fibre": [1, 0, 0])"), "/bodies/b/material/fibre",
                   "\"law\": \"fibre_reinforced\"");
    expect_refusal(material(R"("young": 1e5, "law": "linear", "plastic": {})"), "/bodies/b/material/plastic",
                   "only stable_neo_hookean yields");
}

TEST(Refusals, OfPartsNamePlaceAndCure)
{
    const auto parts = [](const std::string& text) {
        return problems_of(kBlock + kRubber + R"(, "materials": [)" + text + "]");
    };
    const std::string stiff = R"("material": { "young": 1e6 })";
    expect_refusal(parts("{ " + stiff + " }"), "/bodies/b/materials/0/select", "selects nothing");
    expect_refusal(parts(R"({ "select": { "low": [5, 5, 5], "high": [6, 6, 6] }, )" + stiff + " }"),
                   "/bodies/b/materials/0/select", "");
    expect_refusal(parts(R"({ "select": "left", )" + stiff + " }"), "/bodies/b/materials/0/select",
                   "no tetrahedron has all four corners selected");
    expect_refusal(parts(R"({ "select": "nowhere", )" + stiff + " }"), "/bodies/b/materials/0/select", "nowhere");
    expect_refusal(parts(R"({ "number": 3, )" + stiff + " }"), "/bodies/b/materials/0/number", "use select instead");
    for (const char* key : {R"("law": "linear")", R"("damping_time": 1)", R"("plastic": {})", R"("pull_only": false)"})
        expect_refusal(parts(fmt::format(R"({{ "select": "all", "material": {{ {} }} }})", key)),
                       "/bodies/b/materials/0/material/", "write it in the body's material, or make two bodies");
    expect_refusal(parts(R"({ "select": "all", "material": { "bulk": 1e5 } })"), "/bodies/b/materials/0/material/bulk",
                   "half of a pair");
}

TEST(Refusals, OfOptionsThatOtherBodiesAndSolversDoNotHave)
{
    for (const char* kind : {"central_differences", "thesis_listed_rk4"})
        expect_refusal(
            problems_of(kBlock + kRubber + R"(, "mass_kind": "consistent")", fmt::format(R"("kind": "{}")", kind)),
            "/bodies/b/mass_kind", "choose another solver.kind");
    for (const char* key :
         {R"("mass_kind": "consistent")", R"("materials": [])", R"("rest_mesh": { "tet_ball": 2 })"}) {
        const SceneRead read = parse_scene(
            fmt::format(
                R"({{ "bodies": {{ "b": {{ "kind": "springs", "mesh": {{ "icosphere": 1 }}, "mass": 1, {} }} }} }})",
                key),
            "scene.json");
        ASSERT_EQ(read.problems.size(), 1u) << key;
        expect_refusal(to_string(read.problems[0]), "/bodies/b/", "is only used by a solid");
    }
}

// Rest mesh unchecked: a size that is left out is taken for 1 m, where mesh asks for it.
TEST(Refusals, OfARestMeshWithoutItsSize)
{
    expect_refusal(problems_of(kBlock + kRubber + R"(, "rest_mesh": { "tet_block": [2, 1, 1] })"),
                   "/bodies/b/rest_mesh/size", "needs 3 lengths");
}

// Materials of files unchecked: moduli of zero make factors 0/0.
TEST(Refusals, OfThesisFilesWithoutStiffness)
{
    const Folder folder;
    write_thesis_block(folder, 1, 0);
    EXPECT_NE(problems_of(fmt::format(R"("mesh": {{ "file": "{}", "scale": 0.01 }})", folder.file("block.tp"))), "");
}

// Turned tetrahedra: the reader swaps corners of one that is inside out, and its rest matrix does not know.
TEST(ThesisBody, ATetrahedronInsideOutIsUnderStressOrRefused)
{
    const Folder folder;
    ThesisState state;
    for (const Vec3& x : {Vec3{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, -10}}) state.vertices.push_back({x, {}});
    const Mat3 rest = from_columns(Vec3{10, 0, 0}, Vec3{0, 10, 0}, Vec3{0, 0, 10});
    write_thesis(folder.file("one.st"), ThesisStates{{state}});
    write_thesis(
        folder.file("one.tp"),
        ThesisTopology{.tets = {{.rest = rest, .corners = {0, 1, 2, 3}, .density = 1, .bulk = 1e5, .shear = 1e5}}});
    const std::string scene = fmt::format(R"({{ "bodies": {{ "b": {{ "kind": "solid", "elements": "linear",
        "mesh": {{ "file": "{}", "scale": 0.01 }} }} }} }})",
                                          folder.file("one.tp"));
    const SceneRead read = parse_scene(scene, "scene.json");
    Build built = try_build(read.scene);
    if (built.problems.empty()) {
        EXPECT_GT(test::measure(built.world, "energy.elastic"), 1e-3);
    }
}

// No viscosity: zero in a part means "not written".
TEST(Materials, APartMayHaveNoViscosityInAViscousBody)
{
    const World world =
        world_of(bar(kBarMesh + R"(, "material": { "young": 1e5, "density": 1000, "shear_viscosity": 5 },
        "materials": [{ "select": "all", "material": { "shear_viscosity": 0 } }])",
                     0, R"("kind": "rk4")"));
    World moving = copy_of(world);
    for (std::int32_t i = 0; i < world.model->free_count; ++i) moving.state.v[i] = {world.state.x[i].x * 1e-3, 0, 0};
    ASSERT_EQ(step_to(moving, 1e-5).status, Status::ok);
    EXPECT_EQ(moving.state.ledger.viscous, 0);
}

}  // namespace
}  // namespace pliant
