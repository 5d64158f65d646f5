// SPDX-License-Identifier: MIT

// pliant contacts: what contact did, from the command line.

#include <cli/program.h>

namespace pliant {
namespace {

// A square of two triangles falls on a plane and on a box beside it.
constexpr const char* kFall = R"({ "world": { "duration": 0.1, "frame_rate": 50 },
    "solver": { "kind": "implicit_euler", "step": 0.004 },
    "contact": { "response": "bridson", "thickness": 0.01 }, "record": { "contacts": true },
    "bodies": { "sheet": { "kind": "cloth", "mesh": { "grid": [6, 6], "size": [1, 1] }, "position": [0, 0.1, 0],
        "velocity": [0, -2, 0], "cloth": { "density": 0.2, "stretch": 200, "bend": 1e-4 } } },
    "colliders": { "floor": { "plane": [0, 1, 0, 0] },
        "block": { "box": [0.3, 0.1, 0.3], "position": [0.1, 0, 0.1] } } })";

class ContactsVerb : public CommandLine {
protected:
    void SetUp() override
    {
        CommandLine::SetUp();
        write("scene.json", kFall);
    }
    static const Json& member(const Json& json, const char* key)
    {
        const Json* found = json.find(key);
        EXPECT_NE(found, nullptr) << key;
        static const Json nothing;
        return found ? *found : nothing;
    }
};

TEST_F(ContactsVerb, TellsAllFramesThenOne)
{
    make_take();
    const Ran all = pliant({"contacts", "take.plrec"});
    EXPECT_EQ(all.code, 0) << all.err;
    expect_said(all.out, {"frame", "broad", "near", "planes", "gap [mm]", "impacts", "rounds", "zones"});
    EXPECT_EQ(std::count(all.out.begin(), all.out.end(), '\n'), 2 + 5) << all.out;
    const Ran one = pliant({"contacts", "take.plrec", "--frame", "5"});
    EXPECT_EQ(one.code, 0) << one.err;
    expect_said(one.out, {"frame 5 at 0.1 s", "broad ", "near ", "impacts", "vertex-plane", "zones ", "machine ",
                          "tree of", "round_00", "repelled", "sheet", "floor", "block"});
    expect_said(one.err, {"next: pliant contacts take.plrec --frame 5 --stl"});
}

TEST_F(ContactsVerb, JsonHoldsWhatTheSummaryCounts)
{
    make_take();
    const Json all = parse_json(pliant({"contacts", "take.plrec", "--json"}).out, "stdout").value;
    const Json& last = member(all, "frames").items.back();
    const Ran ran = pliant({"contacts", "take.plrec", "--frame", "5", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json one = parse_json(ran.out, "stdout").value;
    EXPECT_EQ(static_cast<std::int64_t>(member(one, "broad").items.size()), member(last, "broad").as_integer());
    EXPECT_EQ(static_cast<std::int64_t>(member(one, "near").items.size()), member(last, "near").as_integer());
    const std::int64_t planes =
        member(last, "near_planes").as_integer().value() + member(last, "plane_impacts").as_integer().value();
    EXPECT_GT(planes, 0);
    ASSERT_EQ(static_cast<std::int64_t>(member(one, "planes").items.size()), planes);
    const Json& plane = member(one, "planes").items.front();
    EXPECT_EQ(member(plane, "body_a").as_string(), "sheet");
    EXPECT_EQ(member(plane, "body_b").as_string(), "floor");
    EXPECT_GE(member(plane, "distance").as_number().value(), 0);
    EXPECT_EQ(member(plane, "thickness").as_number().value(), 0.005);
}

TEST_F(ContactsVerb, WritesMeshesAndParaViewFiles)
{
    make_take();
    const Ran ran = pliant({"contacts", "take.plrec", "--frame", "5", "--stl", "meshes", "--vtu", "paraview",
                            "--depths", "0:2", "--boxes", "inflated"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    for (const char* file : {"meshes/start.stl", "meshes/uncorrected.stl", "meshes/round_00.stl", "paraview/pairs.vtu",
                             "paraview/boxes.vtu", "paraview/uncorrected.vtu", "paraview/round_00.vtu"})
        EXPECT_TRUE(exists(file)) << file;
    expect_refused(pliant({"contacts", "take.plrec", "--frame", "5", "--stl", "meshes"}), 4, {"exists"});
    EXPECT_EQ(pliant({"contacts", "take.plrec", "--frame", "5", "--stl", "meshes", "-f"}).code, 0);
}

TEST_F(ContactsVerb, RefusesWhatCannotBeTold)
{
    make_take();
    expect_refused(pliant({"contacts", "take.plrec", "--frame", "0"}), 3, {"frame 0 has no contact log"});
    expect_refused(pliant({"contacts", "take.plrec", "--frame", "9"}), 3, {"has no frame 9"});
    expect_refused(pliant({"contacts", "take.plrec", "--stl", "meshes"}), 2, {"--frame N"});
    expect_refused(pliant({"contacts", "take.plrec", "--frame", "5", "--vtu", "p", "--depths", "3:1"}), 2,
                   {"is no range of depths"});
    expect_refused(pliant({"contacts", "take.plrec", "--frame", "5", "--vtu", "p", "--boxes", "big"}), 2,
                   {"start, swept or inflated"});
    make_take({"--set", "record.contacts=false"});
    expect_refused(pliant({"contacts", "take.plrec"}), 3, {"holds no contact logs", "record.contacts=true"});
    expect_refused(pliant({"run", "scene.json", "--no-record", "--set", "contact.response=impulses"}), 3,
                   {"bridson does, but the response is impulses"});
}

// The log changes nothing of the run, and info tells where contact spends its time.
TEST_F(ContactsVerb, LoggingLeavesTheRunAsItIs)
{
    const std::vector<std::string> run{"run", "scene.json", "-o", "take.plrec", "-q", "-f", "--json"};
    std::vector<std::string> without = run;
    without.insert(without.end(), {"--set", "record.contacts=false"});
    EXPECT_EQ(hash_in(pliant(run)), hash_in(pliant(without)));
    expect_said(pliant({"info", "take.plrec"}).out, {"inside collide", "search", "hits", "rows", "% of collide"});
}

}  // namespace
}  // namespace pliant
