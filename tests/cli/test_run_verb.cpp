// SPDX-License-Identifier: MIT

// pliant run from outside: exit codes, summaries, interruption, resuming, threads.

#include "program.h"

namespace pliant {

namespace {

using RunVerb = CommandLine;

TEST_F(RunVerb, records_the_scene_and_says_what_to_do_next)
{
    const Ran ran = pliant({"run", "scene.json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"ok: 0.5 s simulated", "31 frames", "hash "});
    expect_said(ran.err, {"scene.plrec", "next: pliant plot"});
    EXPECT_EQ(Recording::open(path("scene.plrec")).frame_count(), 31);
    EXPECT_TRUE(Recording::open(path("scene.plrec")).is_finished());
}

TEST_F(RunVerb, is_silent_on_stderr_when_quiet)
{
    const Ran ran = pliant({"run", "scene.json", "-q"});
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "");
}

TEST_F(RunVerb, prints_one_json_object_with_the_keys_of_the_design)
{
    const Ran ran = pliant({"run", "scene.json", "--json", "--set", R"(expect={"box.volume": [1, 2]})"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const JsonRead read = parse_json(ran.out, "stdout");
    ASSERT_TRUE(read.problems.empty()) << to_string(read.problems.front());
    for (const char* key : {"status", "hash", "frames", "sim_s", "wall_s", "peak_mib", "profile", "measures", "expect"})
        EXPECT_NE(read.value.find(key), nullptr) << key;
    const Json* volume = read.value.find("measures")->find("box.volume");
    ASSERT_NE(volume, nullptr);
    for (const char* key : {"first", "last", "min", "max"}) EXPECT_NE(volume->find(key), nullptr) << key;
    EXPECT_EQ(read.value.find("status")->as_string(), "ok");
    EXPECT_EQ(read.value.find("frames")->as_integer(), 31);
    EXPECT_EQ(read.value.find("expect")->find("box.volume")->find("met")->as_boolean(), true);
}

TEST_F(RunVerb, never_overwrites_without_force)
{
    write("take.plrec", "precious");
    expect_refused(pliant({"run", "scene.json", "-o", "take.plrec"}), 4, {"take.plrec", "exists", "--force"});
    EXPECT_EQ(read("take.plrec"), "precious");
    EXPECT_EQ(pliant({"run", "scene.json", "-o", "take.plrec", "--force", "-q"}).code, 0);
}

TEST_F(RunVerb, exports_on_the_way_out)
{
    make_take({"--export", "csv,pc2"});
    EXPECT_TRUE(exists("take.csv"));
    EXPECT_TRUE(exists("take.pc2"));
}

TEST_F(RunVerb, leaves_nothing_behind_with_no_record)
{
    EXPECT_EQ(pliant({"run", "scene.json", "--no-record"}).code, 0);
    EXPECT_FALSE(exists("scene.plrec"));
}

TEST_F(RunVerb, changes_values_with_set)
{
    const std::vector<std::string> words{"run", "scene.json", "--no-record", "--json"};
    std::vector<std::string> heavy = words;
    heavy.insert(heavy.end(), {"--set", "world.gravity=[0,-20,0]", "--set", "solver.kind=velocity_verlet"});
    EXPECT_NE(hash_in(pliant(words)), hash_in(pliant(heavy)));
}

TEST_F(RunVerb, ends_with_5_when_an_expectation_is_missed)
{
    const Ran ran = pliant({"run", "scene.json", "--no-record", "--set", R"(expect={"box.volume": [5, 6]})"});
    EXPECT_EQ(ran.code, 5) << ran.err;
    expect_said(ran.out, {"MISSED", "box.volume"});
}

TEST_F(RunVerb, ends_with_1_when_the_simulation_explodes_and_keeps_the_last_good_frame)
{
    const Ran ran = pliant({"run", "scene.json", "-o", "take.plrec", "--json", "--set", "solver.kind=euler", "--set",
                            "solver.substeps=1", "--set", "bodies.box.springs.k_s=1e8"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    const Json json = parse_json(ran.out, "stdout").value;
    const std::string status(json.find("status")->as_string().value());
    EXPECT_TRUE(status == "non_finite" || status == "unstable") << status;
    expect_said(std::string(json.find("message")->as_string().value()), {"'box'"});
    const Recording take = Recording::open(path("take.plrec"));
    ASSERT_GT(take.frame_count(), 0);
    for (const Vec3& x : take.positions(take.frame_count() - 1)) EXPECT_TRUE(is_finite(x));
    expect_said(pliant({"info", "take.plrec"}).out, {status});
}

TEST_F(RunVerb, gives_the_same_hash_with_one_thread_and_two)
{
    const std::string one = hash_in(pliant({"run", "scene.json", "--no-record", "--json", "--threads", "1"}));
    const std::string two = hash_in(pliant({"run", "scene.json", "--no-record", "--json", "--threads", "2"}));
    EXPECT_EQ(one.size(), 16U) << one;
    EXPECT_EQ(one, two);
}

TEST_F(RunVerb, keeps_every_frame_when_interrupted)
{
    const pid_t child =
        start_pliant({"run", "scene.json", "-o", "take.plrec", "--json", "-q", "--set", "world.duration=100000"});
    wait_for_frames("take.plrec", 40);
    kill(child, SIGINT);
    const Ran ran = finish(child);
    EXPECT_EQ(ran.code, 130) << ran.err;
    const Json json = parse_json(ran.out, "stdout").value;
    ASSERT_TRUE(json.is_object()) << ran.out;
    EXPECT_EQ(json.find("status")->as_string(), "interrupted");
    const Recording take = Recording::open(path("take.plrec"));
    EXPECT_GE(take.frame_count(), 40);
    EXPECT_EQ(json.find("frames")->as_integer(), take.frame_count());
    EXPECT_FALSE(take.is_finished());
    const Ran info = pliant({"info", "take.plrec"});
    expect_said(info.out, {"unfinished"});
    expect_said(info.err, {"--resume"});
}

TEST_F(RunVerb, goes_on_to_the_same_bits_after_it_was_killed_or_interrupted)
{
    const std::vector<std::string> longer{"--set", "world.duration=30", "--set", "record.snapshot_every=10"};
    std::vector<std::string> words{"run", "scene.json", "--no-record", "--json", "-q"};
    words.insert(words.end(), longer.begin(), longer.end());
    const std::string whole = hash_in(pliant(words));
    for (const int signal : {SIGKILL, SIGINT}) {
        const std::string name = "take" + std::to_string(signal) + ".plrec";
        words = {"run", "scene.json", "-o", name, "-q"};
        words.insert(words.end(), longer.begin(), longer.end());
        const pid_t child = start_pliant(words);
        wait_for_frames(name, 25);
        kill(child, signal);
        EXPECT_EQ(finish(child).code, signal == SIGKILL ? 128 + SIGKILL : 130);
        const std::int64_t kept = Recording::open(path(name)).frame_count();
        ASSERT_LT(kept, 1801) << "it was over before it could be stopped";
        const Ran resumed = pliant({"run", "--resume", name, "--json", "-q"});
        ASSERT_EQ(resumed.code, 0) << resumed.err;
        EXPECT_EQ(hash_in(resumed), whole);
        const Recording take = Recording::open(path(name));
        EXPECT_TRUE(take.is_finished());
        EXPECT_EQ(take.frame_count(), 1801);
        EXPECT_EQ(take.inputs().size(), 1U);
    }
}

}  // namespace

}  // namespace pliant
