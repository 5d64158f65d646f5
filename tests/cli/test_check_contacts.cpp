// SPDX-License-Identifier: MIT

// pliant check-contacts, and the measure that says the same: it fires where it must, and only there.

#include "program.h"

namespace pliant {

namespace {

using CheckContacts = CommandLine;

// A blade falls at 1 m/s, tip first, from 0.15 m through a sheet at rest; contact is off. Its tip is below the sheet from the third frame
// on, and then two of its edges run through one face. The rest stands where nothing meets it but the planes.
constexpr const char* kBlade = R"({
  "world": { "gravity": [0, 0, 0], "duration": 0.5, "frame_rate": 10 },
  "contact": { "enabled": false },
  "record": { "intersections": true },
  "bodies": {
    "sheet": { "kind": "springs", "mass": 1, "springs": { "k_s": 1 },
      "mesh": { "vertices": [[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1]], "triangles": [[0, 2, 1], [0, 3, 2]] } },
    "blade": { "kind": "springs", "mass": 1, "springs": { "k_s": 1 }, "velocity": [0, -1, 0],
      "mesh": { "vertices": [[0.2, 0.15, -0.3], [0.1, 1.15, -0.3], [0.4, 1.15, -0.4]], "triangles": [[0, 1, 2]] } },
    "ball": { "kind": "rigid", "sphere": 0.1, "mass": 1, "position": [5, 5, 5] }
  },
  "colliders": { "post": { "box": [0.2, 0.2, 0.2], "position": [9, 0, 0] } }
})";

const Json* member(const Json& json, const char* key)
{
    static const Json kNone;
    const Json* found = json.find(key);
    EXPECT_NE(found, nullptr) << key;
    return found ? found : &kNone;
}

TEST_F(CheckContacts, FindsTheBladeInTheSheet)
{
    write("scene.json", kBlade);
    make_take();
    const Ran ran = pliant({"check-contacts", "take.plrec", "--list", "3"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    expect_said(ran.out, {"6 frames, 8 intersections, first at frame 2 between blade and sheet", "and 5 more",
                          "frame 2: edge 0-1 of blade meets face 0 of sheet",
                          "frame 2: edge 0-2 of blade meets face 0 of sheet"});
    const Ran before = pliant({"check-contacts", "take.plrec", "--frames", ":1"});
    EXPECT_EQ(before.code, 0) << before.err;
    expect_said(before.out, {"2 frames, no intersections"});
    const Ran one = pliant({"check-contacts", "take.plrec", "--frames", "3", "--json"});
    EXPECT_EQ(one.code, 1);
    const Json json = parse_json(one.out, "stdout").value;
    EXPECT_EQ(member(json, "frames")->as_integer(), 1);
    EXPECT_EQ(member(json, "edges_through_faces")->as_integer(), 2);
    EXPECT_EQ(member(*member(json, "first"), "face")->as_integer(), 0);
    EXPECT_EQ(member(json, "list")->items.size(), 0u);
}

TEST_F(CheckContacts, FindsNothingWhereTheBladePassesBeside)
{
    write("scene.json", kBlade);
    make_take({"--set", "bodies.blade.position=[2,0,0]"});
    const Ran ran = pliant({"check-contacts", "take.plrec"});
    EXPECT_EQ(ran.code, 0) << ran.out;
    EXPECT_EQ(ran.out, "6 frames, no intersections\n");
}

// The floor rises with 0.1 m/s from -0.222 m: the tip is below it at 0.4 s (-0.25 against -0.182) and 0.5 s. The wall stands still beyond all.
TEST_F(CheckContacts, CountsVerticesBehindPlanesWhereverTheyMove)
{
    write("scene.json", kBlade);
    make_take({"--set", R"(colliders={"post": {"box": [0.2, 0.2, 0.2], "position": [9, 0, 0]},
        "wall": {"plane": [1, 0, 0, -20]}, "floor": {"plane": [0, 2, 0, -0.444], "motion": [0, 0.1, 0]}})"});
    const Ran ran = pliant({"check-contacts", "take.plrec", "--json", "--list", "100"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    const Json json = parse_json(ran.out, "stdout").value;
    EXPECT_EQ(member(json, "planes")->as_integer(), 2);
    EXPECT_EQ(member(json, "edges_through_faces")->as_integer(), 8);
    EXPECT_EQ(member(json, "vertices_through_planes")->as_integer(), 2) << ran.out;
    const Json& last = member(json, "list")->items.back();
    EXPECT_EQ(member(last, "frame")->as_integer(), 5);
    EXPECT_EQ(member(last, "body_a")->as_string(), "blade");
    EXPECT_EQ(member(last, "body_b")->as_string(), "floor");
    EXPECT_EQ(member(last, "vertices")->items.size(), 1u);
    // The run measured the same, in every frame.
    const Recording take = Recording::open(path("take.plrec"));
    EXPECT_EQ(take.measure("intersections"), (std::vector<double>{0, 0, 2, 2, 3, 3}));
}

TEST_F(CheckContacts, TheMeasureCanBeExpected)
{
    write("scene.json", kBlade);
    const std::vector<std::string> run{"run", "scene.json", "--no-record",
                                       "-q",  "--set",      R"(expect={"intersections.max": [0, 0]})"};
    EXPECT_EQ(pliant(run).code, 5);
    std::vector<std::string> beside = run;
    beside.insert(beside.end(), {"--set", "bodies.blade.position=[2,0,0]"});
    EXPECT_EQ(pliant(beside).code, 0);
    std::vector<std::string> unasked = run;
    unasked.insert(unasked.end(), {"--set", "record.intersections=false"});
    expect_refused(pliant(unasked), 3, {"intersections"});
}

// Recordings keep every bit of a position: a gap of one unit in the last place is no touch.
TEST_F(CheckContacts, TheLastBitOfAPositionCounts)
{
    write("scene.json", kBlade);
    const std::vector<std::string> still{"--set", "bodies.blade.velocity=[0,0,0]", "--set", "world.duration=0.1"};
    std::vector<std::string> touching = still, apart = still;
    touching.insert(touching.end(), {"--set", "bodies.blade.position=[0,-0.15,0]"});
    make_take(touching);
    EXPECT_EQ(pliant({"check-contacts", "take.plrec"}).code, 1);
    apart.insert(apart.end(), {"--set", "bodies.blade.position=[0,-0.14999999999999997,0]"});
    make_take(apart);
    EXPECT_EQ(pliant({"check-contacts", "take.plrec"}).code, 0);
}

TEST_F(CheckContacts, SaysWhenThereIsNothingToMeet)
{
    write("scene.json", R"({ "world": { "duration": 0.1 }, "bodies": { "rope": { "kind": "springs",
        "mesh": { "chain": 3, "to": [1, 0, 0] }, "mass": 1, "springs": { "k_s": 10 } } } })");
    make_take();
    const Ran ran = pliant({"check-contacts", "take.plrec"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"no body has a surface", "nothing that could intersect"});
}

TEST_F(CheckContacts, RefusesWhatIsNoRangeOrNoTake)
{
    write("scene.json", kBlade);
    make_take();
    for (const char* frames : {"4:2", "0:6", "-1:2", "x:2", "2:x", "7"})
        expect_refused(pliant({"check-contacts", "take.plrec", std::string("--frames=") + frames}), 2,
                       {"is no range of its frames", "0:5"});
    expect_refused(pliant({"check-contacts", "scene.json"}), 3, {"scene.json"});
    expect_refused(pliant({"check-contacts", "none.plrec"}), 4, {"does not exist"});
}

}  // namespace

}  // namespace pliant
