// SPDX-License-Identifier: MIT

// The seven text formats of 1997: files of our own come back byte for byte, files of others keep their values.

#include <filesystem>
#include <fstream>
#include <limits>

#include <unistd.h>

#include <pliant/io/thesis_files.h>

#include <io/tet_samples.h>

namespace pliant {
namespace {

// As the thesis' programs may have written them, in the layout that ours write.
const std::string kState = "begin state (format of 96-05-20)\nvertices = 4\nt = 0\n"
                           "0: 0 0 0 0 0 0\n1: 1 0 0 0.1 -2 0\n2: 0 1 0 0 0 0\n3: 0 0 1 0 0 1e-08\nend state\n";
const std::string kTopology = "begin topology (format of 96-05-20)\ntetrahedrons = 1\n"
                              "0 : 1 0 0 0 1 0 0 0 1.25\n0 1 2 3\n1.1 10000 2000 5 2.5\nend topology\n";
const std::string kTextures = "begin textures (format of 96-05-20)\ntextures = 1\n"
                              "0.1 0.1 0.1 0.8 0.2 0.2 1 1 1 0 0 0 1.5 40\nend textures\n";
const std::string kSurface =
    "begin surface (format of 96-05-20)\nfaces = 2\n0 2 1 0 0.5 0.4 0.9\n0 1 3 0 0 0 1\nend surface\n";
const std::string kConstraints = "begin constraints (format of 96-05-20)\nconstraints = 2\n3\n0\nend constraints\n";
const std::string kLights = "begin lights (format of 96-05-20)\nlights = 1\n10 20 30 1 1 0.9 0.8\nend lights\n";
const std::string kEnergies =
    "begin energies (format of 96-05-20)\nstates = 2\n0 0 0 981 0\n0.03333333333333333 1.5 2 977 3\n"
    "end energies\n";

template <class File>
void expect_exact_round_trip(const std::string& text)
{
    const ThesisRead<File> read = read_thesis<File>(text, "a");
    ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
    EXPECT_EQ(thesis_text(read.file), text);
}

template <class File>
std::string first_problem_of(const std::string& text)
{
    const ThesisRead<File> read = read_thesis<File>(text, "a");
    return read.ok() ? "" : to_string(read.problems[0]);
}

std::string with(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

void expect_words(const std::string& problem, const std::string& words)
{
    EXPECT_NE(problem.find(words), std::string::npos) << "found: " << problem << "\nexpected: " << words;
}

TEST(ThesisFiles, ComeBackByteForByte)
{
    expect_exact_round_trip<ThesisStates>(kState);
    expect_exact_round_trip<ThesisStates>(kState + kState);
    expect_exact_round_trip<ThesisTopology>(kTopology);
    expect_exact_round_trip<ThesisTextures>(kTextures);
    expect_exact_round_trip<ThesisSurface>(kSurface);
    expect_exact_round_trip<ThesisConstraints>(kConstraints);
    expect_exact_round_trip<ThesisLights>(kLights);
    expect_exact_round_trip<ThesisEnergies>(kEnergies);
    expect_exact_round_trip<ThesisConstraints>("begin constraints\nconstraints = 0\nend constraints\n");
}

TEST(ThesisFiles, HoldWhatTheirNamesSay)
{
    const auto states = read_thesis<ThesisStates>(kState, "a").file;
    EXPECT_EQ(states.states[0].vertices[1].velocity, (Vec3{0.1, -2, 0}));
    const auto topology = read_thesis<ThesisTopology>(kTopology, "a").file;
    EXPECT_EQ(topology.format, "(format of 96-05-20)");
    EXPECT_EQ(topology.tets[0].rest(2, 2), 1.25);
    EXPECT_EQ(topology.tets[0].corners, (Tet{0, 1, 2, 3}));
    EXPECT_EQ(topology.tets[0].density, 1.1);
    EXPECT_EQ(topology.tets[0].bulk, 10000);
    EXPECT_EQ(topology.tets[0].shear, 2000);
    EXPECT_EQ(topology.tets[0].volume_damping, 5);
    EXPECT_EQ(topology.tets[0].shape_damping, 2.5);
    const auto textures = read_thesis<ThesisTextures>(kTextures, "a").file;
    EXPECT_EQ(textures.textures[0].diffuse, (Vec3{0.8, 0.2, 0.2}));
    EXPECT_EQ(textures.textures[0].refraction, 1.5);
    EXPECT_EQ(textures.textures[0].phong, 40);
    const auto surface = read_thesis<ThesisSurface>(kSurface, "a").file;
    EXPECT_EQ(surface.faces[0].corners, (Triangle{0, 2, 1}));
    EXPECT_EQ(surface.faces[0].dynamic_friction, 0.4);
    EXPECT_EQ(read_thesis<ThesisConstraints>(kConstraints, "a").file.fixed, (std::vector<std::int32_t>{3, 0}));
    const auto lights = read_thesis<ThesisLights>(kLights, "a").file;
    EXPECT_EQ(lights.lights[0].position, (std::array<double, 4>{10, 20, 30, 1}));
    EXPECT_EQ(lights.lights[0].colour, (Vec3{1, 0.9, 0.8}));
    const auto energies = read_thesis<ThesisEnergies>(kEnergies, "a").file;
    EXPECT_EQ(energies.states[1].kinetic, 1.5);
    EXPECT_EQ(energies.states[1].dissipated_power, 3);
}

TEST(ThesisFiles, OfRestMatricesAreStoredByRows)
{
    ThesisTopology topology;
    topology.tets = {{.rest = from_columns(Vec3{1, 0, 0}, Vec3{2, 1, 0}, Vec3{3, 0, 1}), .corners = {0, 1, 2, 3}}};
    expect_words(thesis_text(topology), "\n0 : 1 2 3 0 1 0 0 0 1\n");
}

TEST(ThesisFiles, TakeOtherLayouts)
{
    const std::string loose =
        "\n\nbegin  state format of (96-05-20)\r\n t=0.5\r\nvertices=1\n\n0:1.50 +2 3e0 0 0 -0\n\nend state  \n\n";
    const auto read = read_thesis<ThesisStates>(loose, "a");
    ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
    EXPECT_EQ(thesis_text(read.file),
              "begin state format of (96-05-20)\nvertices = 1\nt = 0.5\n0: 1.5 2 3 0 0 -0\nend state\n");
}

TEST(ThesisFiles, TellWhatIsWrongAndWhere)
{
    EXPECT_EQ(first_problem_of<ThesisStates>(with(kState, "\n2: 0", "\n7: 0")),
              "a:6: record 2: found number 7, expected 2 (records count 0, 1, 2 …)");
    expect_words(first_problem_of<ThesisStates>(with(kState, "0.1 -2", "0.1 two")),
                 "a:5: record 1: found 'two', expected a number");
    expect_words(first_problem_of<ThesisStates>(with(kState, "= 4", "= 3")),
                 "a:7: end: found '3: 0 0 1 0 0 1e-08', expected: end state");
    expect_words(first_problem_of<ThesisStates>(with(kState, "= 4", "= 5")), "a:8: records: end after 4 of 5");
    expect_words(first_problem_of<ThesisStates>(with(kState, "= 4", "= 999999999999")),
                 "promises 999999999999 vertices");
    expect_words(first_problem_of<ThesisStates>(with(kState, "vertices = 4", "vertexes = 4")),
                 "expected: vertices = n");
    expect_words(first_problem_of<ThesisStates>(with(kState, "t = 0", "t = nan")), "expected seconds");
    expect_words(first_problem_of<ThesisStates>(with(kState, "0.1 -2", "0.1 inf")),
                 "found inf, expected a finite number");
    expect_words(first_problem_of<ThesisStates>(kTopology),
                 "found 'begin topology (format of 96-05-20)', expected: begin state");
    expect_words(first_problem_of<ThesisTopology>(with(kTopology, "1.25", "-1.25")), "no positive determinant");
    expect_words(first_problem_of<ThesisTopology>(with(kTopology, "0 1 2 3\n", "0 1 2\n")),
                 "a:4: record 0: ends early");
    expect_words(first_problem_of<ThesisTopology>(with(kTopology, "0 1 2 3\n", "0 1 2 -3\n")),
                 "expected a number from 0");
    expect_words(first_problem_of<ThesisTopology>(with(kTopology, "0 1 2 3\n", "0 1 2 3 4\n")),
                 "found '4', expected the end of the line");
    expect_words(first_problem_of<ThesisSurface>(with(kSurface, "0.9", "1.9")), "a:3: record 0: a coefficient");
    expect_words(first_problem_of<ThesisConstraints>(kConstraints + "more\n"), "found 'more' behind the end");
    expect_words(first_problem_of<ThesisLights>(""), "expected: begin lights");
    expect_words(first_problem_of<ThesisStates>("\n \n"), "expected: begin state");
}

TEST(ThesisFiles, CutOffAnywhereNeverPassUnseen)
{
    for (std::size_t size = 0; size + 1 < kTopology.size(); ++size)
        EXPECT_FALSE(read_thesis<ThesisTopology>(kTopology.substr(0, size), "a").ok()) << size;
    for (std::size_t size = 0; size + 1 < kState.size(); ++size)
        EXPECT_FALSE(read_thesis<ThesisStates>(kState.substr(0, size), "a").ok()) << size;
}

class ThesisFolder : public testing::Test {
protected:
    void SetUp() override { std::filesystem::create_directories(path_); }
    void TearDown() override { std::filesystem::remove_all(path_); }
    std::string file(const char* name) const { return (path_ / name).string(); }
    void write(const char* name, const std::string& text) const { std::ofstream(file(name), std::ios::binary) << text; }

private:
    std::filesystem::path path_ =
        std::filesystem::temp_directory_path() / ("pliant_thesis_" + std::to_string(getpid()));
};

TEST_F(ThesisFolder, FilesAreWrittenAndLoaded)
{
    ThesisEnergies energies;
    energies.states = {{0.1, 1.0 / 3, 2, 3, 4}};
    write_thesis(file("a.en"), energies);
    EXPECT_EQ(load_thesis<ThesisEnergies>(file("a.en")).states[0].kinetic, 1.0 / 3);
    EXPECT_THROW(load_thesis<ThesisLights>(file("a.en")), Error);
    EXPECT_THROW(load_thesis<ThesisLights>(file("b.li")), Error);
    energies.states[0].elastic = std::numeric_limits<double>::infinity();
    EXPECT_THROW(write_thesis(file("b.en"), energies), Error);
    EXPECT_FALSE(std::filesystem::exists(file("b.en")));
}

TEST_F(ThesisFolder, BodiesAreReadAsVolumeMeshes)
{
    std::string topology = with(kTopology, "tetrahedrons = 1", "tetrahedrons = 2");
    topology = with(topology, "end topology", "1 : 1 0 0 0 1 0 0 0 1\n1 2 3 4\n1 10000 2000 5 2.5\nend topology");
    std::string state = with(with(kState, "vertices = 4", "vertices = 5"), "end state", "4: 1 1 1 0 0 0\nend state");
    write("a.tp", topology), write("a.st", state + state), write("a.co", kConstraints);
    for (const char* name : {"a.tp", "a.st"}) {
        const TetRead read = read_tets(file(name));
        ASSERT_TRUE(read.ok()) << first_problem(read);
        EXPECT_EQ(read.mesh.vertices[3], (Vec3{0, 0, 1}));
        EXPECT_EQ(read.mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {1, 2, 3, 4}}));
        EXPECT_EQ(read.mesh.region, (std::vector<std::int32_t>{1, 2}));
        ASSERT_NE(read.mesh.find_group("fixed"), nullptr);
        EXPECT_EQ(read.mesh.find_group("fixed")->vertices, (std::vector<std::int32_t>{0, 3}));
        EXPECT_TRUE(mentions(read.notes, "the first of 2 states"));
    }
    write("a.st", kState);
    expect_words(first_problem(read_tets(file("a.tp"))),
                 "tetrahedron 1: names vertex 4, but the file has vertices 0 to 3");
    std::filesystem::remove(file("a.st"));
    EXPECT_EQ(read_tets(file("a.tp")).kind, ErrorKind::cannot_access);
}

}  // namespace
}  // namespace pliant
