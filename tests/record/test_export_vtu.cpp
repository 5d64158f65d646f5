// SPDX-License-Identifier: MIT

// Solids in VTU: takes that are really run, exported and read back by the VTU reader of io, and takes whose scene
// cannot be built again or builds something else.

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <pliant/io/tet_file.h>
#include <pliant/io/vtu_arrays.h>
#include <pliant/mesh/tet_shapes.h>
#include <pliant/record/export.h>
#include <pliant/record/run.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>
#include <pliant/world/measures.h>
#include <pliant/world/solid_fields.h>
#include <pliant/world/step.h>
#include <record/sample_recording.h>

namespace pliant {
namespace {

// A bar whose material is made stiffer on the way, between a rope and a stone.
std::string bar_scene(const std::string& mesh, const std::string& elements)
{
    return fmt::format(R"({{
        "world": {{ "gravity": [0, -9.81, 0], "duration": 0.2, "frame_rate": 20 }},
        "solver": {{ "kind": "implicit_euler", "step": 0.05 }},
        "bodies": {{
            "a_rope": {{ "kind": "springs", "mesh": {{ "chain": 4, "to": [1, 0, 0] }}, "mass": 1, "position": [0, 5, 0],
                         "springs": {{ "k_s": 50 }}, "pins": [{{ "select": "start" }}] }},
            "bar": {{ "kind": "solid", "elements": "{}", "mesh": {}, "pins": [{{ "select": [0, 1, 2, 3] }}],
                      "material": {{ "young": 1e5, "density": 500 }} }},
            "stone": {{ "kind": "rigid", "sphere": 0.2, "mass": 1, "position": [0, 9, 0] }} }},
        "inputs": [{{ "time": 0.1, "set": {{ "bodies.bar.material.young": 3e5 }} }}] }})",
                       elements, mesh);
}

const std::string kBlock = R"({ "tet_block": [4, 1, 1], "size": [2, 0.5, 0.5] })";

struct RunTake {
    World world;  // as it was at the end
    Recording recording;
};

RunTake run_take(
    const TemporaryDirectory& directory, const std::string& text,
    void (*change)(RecordingHeader&) = [](RecordingHeader&) {})
{
    const SceneRead read = parse_scene(text, directory.file("scene.json"));
    for (const Problem& problem : read.problems) ADD_FAILURE() << to_string(problem);
    World world = build(read.scene);
    RecordingHeader header{text, directory.file("scene.json"), "0.0", world.model->id, world.model->topology};
    change(header);
    const bool has_fields = !header.topology.fields.empty();
    RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), header, true);
    if (has_fields) {
        run(world, read.scene, {.writer = &writer});
    } else {
        for (int k = 0; k <= 4; ++k) {
            if (k > 0) step_to(world, k / 20.0);
            world.state.history.frame = k;
            Frame frame = sample(world, {}, 0);
            frame.fields.clear();
            writer.add_frame(frame);
        }
    }
    writer.finish("{}");
    return {std::move(world), Recording::open(directory.file("take.plrec"))};
}

// An array of a VTU file, by the reader that scenes use.
std::vector<double> numbers(const std::string& bytes, const char* section, const char* name)
{
    std::vector<double> values;
    read_tets_safely("grid.vtu", [&](TetBuilder& builder) {
        const VtuFile file = scan_vtu(builder, bytes);
        ASSERT_EQ(file.pieces.size(), 1U);
        const VtuArray* array = file.pieces[0].find(section, name);
        if (array) values = vtu_reals(builder, file, *array).values;
    });
    return values;
}

std::size_t body_number(const World& world, const std::string& name)
{
    const auto& bodies = world.model->bodies;
    return static_cast<std::size_t>(
        std::find_if(bodies.begin(), bodies.end(), [&](const Body& body) { return body.name == name; }) -
        bodies.begin());
}

// The cells of the bar in the file are the tetrahedra of the world, with its stresses; other cells have zeros.
void expect_cells_of(const std::string& bytes, const World& world)
{
    const Body& bar = world.model->bodies[body_number(world, "bar")];
    const auto term = static_cast<std::size_t>(bar.term);
    const SolidTets tets = solid_tets(*world.model, term);
    const std::vector<TetFields> expected = tet_fields(*world.model, world.state, term);
    const auto types = numbers(bytes, "Cells", "types"), mises = numbers(bytes, "CellData", "von_mises");
    const auto stress = numbers(bytes, "CellData", "cauchy_stress"),
               strain = numbers(bytes, "CellData", "green_strain");
    const auto connectivity = numbers(bytes, "Cells", "connectivity"), offsets = numbers(bytes, "Cells", "offsets");
    const auto points = numbers(bytes, "Points", "Points");
    ASSERT_EQ(mises.size(), types.size());
    ASSERT_EQ(stress.size(), 6 * types.size());
    ASSERT_EQ(strain.size(), 6 * types.size());
    const double tet_type = tets.nodes_per_tet == 10 ? 24 : 10;
    std::size_t t = 0;
    for (std::size_t c = 0; c < types.size(); ++c) {
        const bool is_tet = types[c] == tet_type;
        const TetFields fields = is_tet ? expected.at(t) : TetFields{};
        EXPECT_DOUBLE_EQ(mises[c], von_mises(fields.cauchy_stress));
        for (std::size_t k = 0; k < 6; ++k) {
            EXPECT_EQ(stress[6 * c + k], fields.cauchy_stress[k]);
            EXPECT_EQ(strain[6 * c + k], fields.green_strain[k]);
        }
        if (!is_tet) continue;
        const auto nodes = static_cast<std::size_t>(tets.nodes_per_tet);
        const auto first = static_cast<std::size_t>(offsets[c]) - nodes;
        for (std::size_t i = 0; i < nodes; ++i) {
            const auto point = static_cast<std::size_t>(connectivity[first + i]);
            EXPECT_EQ(points[3 * point], world.state.x[tets.nodes[nodes * t + i]].x);
            EXPECT_EQ(points[3 * point + 1], world.state.x[tets.nodes[nodes * t + i]].y);
        }
        ++t;
    }
    EXPECT_EQ(t, expected.size());
    EXPECT_GT(*std::max_element(mises.begin(), mises.end()), 100) << "the bar hangs";
}

TEST(ExportVtu, SolidsAreTetrahedraWithTheirStressesAfterInputsToo)
{
    for (const std::string elements : {"linear", "quadratic"}) {
        SCOPED_TRACE(elements);
        const TemporaryDirectory directory;
        const RunTake take = run_take(directory, bar_scene(kBlock, elements));
        const Exported exported = export_recording(take.recording, directory.file("a.vtu"));
        ASSERT_EQ(exported.files.size(), 7U);
        const std::string bytes = contents(exported.files.back());
        expect_cells_of(bytes, take.world);

        const TetRead read = read_vtu_tets(bytes, "a.vtu");
        ASSERT_TRUE(read.ok()) << to_string(read.problems.front());
        const TetMesh block = tet_block({2, 0.5, 0.5}, {4, 1, 1});
        EXPECT_EQ(read.mesh.tets, block.tets);
        EXPECT_EQ(read.mesh.vertices.size(), block.vertices.size());

        const Body& bar = take.world.model->bodies[body_number(take.world, "bar")];
        const auto x = numbers(bytes, "Points", "Points"), stress = numbers(bytes, "PointData", "stress");
        ASSERT_EQ(stress.size(), x.size() / 3);
        const auto fields = solid_fields(*take.world.model, take.world.state);
        for (std::int32_t i = 0; i < bar.point_count; ++i)
            EXPECT_EQ(stress[4 + i], fields[0][bar.first_point + i]) << "the rope has four points before the bar";
    }
}

TEST(ExportVtu, EveryFrameHasTheMaterialOfItsTime)
{
    // Recorded point fields were made by the running world, cells are made by the export. Young's modulus is 1e5 in
    // frame 1 and 3e5 from frame 2 on.
    const TemporaryDirectory directory;
    const std::string mesh = R"({ "tet_block": [3, 1, 1], "size": [2, 0.5, 0.5], "cut": "five_tets" })";
    const RunTake take = run_take(directory, bar_scene(mesh, "linear"));
    const Exported exported = export_recording(take.recording, directory.file("a.vtu"), {.body = "bar"});
    for (std::size_t k = 1; k <= 4; ++k) {
        const std::string bytes = contents(exported.files[2 + k]);
        const auto cells = numbers(bytes, "CellData", "von_mises"), stress = numbers(bytes, "PointData", "stress");
        const auto connectivity = numbers(bytes, "Cells", "connectivity");
        // A corner that only one tetrahedron has shows that tetrahedron's stress.
        int alone = 0;
        for (std::size_t point = 0; point < stress.size(); ++point) {
            const auto at = std::find(connectivity.begin(), connectivity.end(), static_cast<double>(point));
            if (std::count(connectivity.begin(), connectivity.end(), static_cast<double>(point)) != 1) continue;
            EXPECT_NEAR(stress[point], cells[static_cast<std::size_t>(at - connectivity.begin()) / 4],
                        1e-9 * stress[point]);
            ++alone;
        }
        EXPECT_GT(alone, 0);
    }
}

TEST(ExportVtu, AMissingMeshLeavesTheSurfaceAndSaysSo)
{
    const TemporaryDirectory directory;
    write_tets(directory.file("bar.msh"), tet_block({2, 0.5, 0.5}, {4, 2, 2}));
    const RunTake take = run_take(directory, bar_scene(R"({ "file": "bar.msh" })", "linear"));
    std::filesystem::remove(directory.file("bar.msh"));
    const Exported exported = export_recording(take.recording, directory.file("a.vtu"));
    ASSERT_FALSE(exported.notes.empty());
    EXPECT_TRUE(contains(exported.notes[0], "exported as surfaces")) << exported.notes[0];
    EXPECT_TRUE(contains(exported.notes[0], "bar.msh")) << exported.notes[0];
    EXPECT_TRUE(contains(exported.notes[0], "put the missing file back")) << exported.notes[0];
    const std::string bytes = contents(exported.files.back());
    const auto types = numbers(bytes, "Cells", "types");
    EXPECT_EQ(std::count(types.begin(), types.end(), 10), 0);
    EXPECT_GE(std::count(types.begin(), types.end(), 5), 80);
    EXPECT_TRUE(numbers(bytes, "CellData", "von_mises").empty());
    EXPECT_FALSE(numbers(bytes, "PointData", "stress").empty()) << "this one was recorded";
}

TEST(ExportVtu, AMeshWithOtherPointsIsRefused)
{
    const TemporaryDirectory directory;
    TetMesh mesh = tet_block({2, 0.5, 0.5}, {4, 2, 2});
    write_tets(directory.file("bar.msh"), mesh);
    const RunTake take = run_take(directory, bar_scene(R"({ "file": "bar.msh" })", "linear"));
    // The two points inside the bar change places: the surface, all counts and all sizes stay.
    std::vector<std::int32_t> inside;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        if (std::abs(mesh.vertices[i].x) < 0.9 && norm(mesh.vertices[i] - Vec3{mesh.vertices[i].x, 0, 0}) < 1e-9)
            inside.push_back(static_cast<std::int32_t>(i));
    ASSERT_GE(inside.size(), 2U);
    std::swap(mesh.vertices[inside[0]], mesh.vertices[inside[1]]);
    for (Tet& tet : mesh.tets)
        for (std::int32_t& node : tet) {
            if (node == inside[0])
                node = inside[1];
            else if (node == inside[1])
                node = inside[0];
        }
    write_tets(directory.file("bar.msh"), mesh);
    const std::string error = error_of([&] { export_recording(take.recording, directory.file("a.vtu")); });
    EXPECT_TRUE(contains(error, "bad_input") && contains(error, "builds other points now")) << error;
    EXPECT_TRUE(contains(error, "restore the mesh files")) << error;
    EXPECT_FALSE(std::filesystem::exists(directory.file("a.pvd")));
    EXPECT_NO_THROW(export_recording(take.recording, directory.file("a.ply")));
}

TEST(ExportVtu, TakesOfAnotherVersionGetTheirFieldsHere)
{
    const TemporaryDirectory directory;
    const RunTake take = run_take(directory, bar_scene(kBlock, "quadratic"), [](RecordingHeader& header) {
        header.model_id ^= 1;
        header.topology.fields.clear();
    });
    const Exported exported = export_recording(take.recording, directory.file("a.vtu"), {.body = "bar"});
    EXPECT_TRUE(contains(exported.notes[0], "recorded by pliant 0.0")) << exported.notes[0];
    const std::string bytes = contents(exported.files[3]);  // before the input, which was not recorded here
    const auto stress = numbers(bytes, "PointData", "stress"), strain = numbers(bytes, "PointData", "strain");
    World world = build(parse_scene(take.recording.header().scene_text, "").scene);
    world.state.x = take.recording.frame(1).x;
    const auto fields = solid_fields(*world.model, world.state);
    const Body& bar = world.model->bodies[body_number(world, "bar")];
    ASSERT_EQ(stress.size(), static_cast<std::size_t>(bar.point_count));
    for (std::size_t i = 0; i < stress.size(); ++i) {
        EXPECT_EQ(stress[i], fields[0][bar.first_point + i]);
        EXPECT_EQ(strain[i], fields[1][bar.first_point + i]);
    }
}

}  // namespace
}  // namespace pliant
