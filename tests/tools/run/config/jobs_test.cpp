// Several jobs in a config: what each gets, what is refused, and that all of it is part of what a run is known by.
#include "tools/run/config/jobs.hpp"

#include <nlohmann/json.hpp>

#include "tests/tools/run/config/config_file.hpp"
#include "tools/run/checkpoint/run_inputs.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/check/effect.hpp"
#include "tools/run/config/describe.hpp"
#include "tools/run/config/frozen.hpp"

namespace weft::tools {
namespace {

using testing::contains;

struct SeveralJobs : testing::ConfigFile {
  const std::string torus_ = "[topology]\nkind = \"torus\"\ndims = [8, 8]\n";  // lines 2 to 4
  const std::string three_ = torus_ +
                             "[[job]]\nname = \"stencil\"\n"  // line 5
                             "workload = {kind = \"kernel\", name = \"mesh\", tasks = 16}\n"
                             "placement = {policy = \"random\"}\n"
                             "[[job]]\nname = \"sum\"\nafter = \"stencil\"\n"  // line 9
                             "[job.workload]\nkind = \"collective\"\nname = \"reduce\"\n"
                             "[[job]]\nname = \"noise\"\nrepeat = \"until-others-end\"\nnodes = 8\n"  // line 15
                             "workload.offered_load = 0.2\n";
  [[nodiscard]] std::string error(const std::vector<std::string>& overrides) const {
    return validation_error(three_, overrides);
  }
};

TEST_F(SeveralJobs, EachIsAConfigOfItsOwnWithTheRestInCommon) {
  const Config config = load(three_, {"simulation.seed=9"});
  validate(config);
  const std::vector<Job> jobs = jobs_of(config);
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0].name, "stencil");
  EXPECT_EQ(jobs[0].config.text("workload.name"), "mesh");
  EXPECT_EQ(jobs[0].config.integer("workload.tasks"), 16);
  EXPECT_EQ(jobs[0].config.text("placement.policy"), "random");
  EXPECT_EQ(jobs[0].config.integer("simulation.seed"), 9);
  EXPECT_EQ(jobs[0].config.job(), "stencil");
  EXPECT_EQ(jobs[1].config.text("placement.policy"), "consecutive");  // not that of another job
  EXPECT_EQ(jobs[1].config.integer("workload.tasks"), 0);
  EXPECT_EQ(jobs[1].after, "stencil");
  EXPECT_TRUE(jobs[2].background);
  EXPECT_EQ(jobs[2].nodes, 8U);
  EXPECT_FALSE(runs_tasks(jobs[2].config));
  EXPECT_TRUE(runs_tasks(config));
  EXPECT_EQ(resolved_stop(config), "workload-complete");
  EXPECT_TRUE(jobs_of(load(torus_)).empty());
}

TEST_F(SeveralJobs, BeginInCyclesOrNs) {
  const auto start = [&](const std::vector<std::string>& overrides) {
    const Config config = load(three_, overrides);
    return jobs_of(config)[0].start_tick(time_scale(config));
  };
  EXPECT_EQ(start({}), 0U);
  EXPECT_EQ(start({"job.stencil.start_cycles=7"}), 7U);
  const std::vector<std::string> timed{"simulation.tick_ps=800", "link.rate_gbps=10"};  // 3.2 ns a cycle, 4 ticks
  EXPECT_EQ(start({"job.stencil.start_cycles=7", timed[0], timed[1]}), 28U);
  EXPECT_EQ(start({"job.stencil.start_ns=10", timed[0], timed[1]}), 12U);
  EXPECT_TRUE(contains(error({"job.stencil.start_ns=10"}), "a cycle has no stated length"));
}

TEST_F(SeveralJobs, OverridesNameTheJob) {
  const Config config = load(three_, {"job.stencil.workload.tasks=32", "job.sum.placement.policy=random"});
  EXPECT_EQ(jobs_of(config)[0].config.integer("workload.tasks"), 32);
  EXPECT_EQ(jobs_of(config)[1].config.text("placement.policy"), "random");
  EXPECT_EQ(config.integer("job.stencil.workload.tasks"), 32);
  EXPECT_EQ(config.place("job.stencil.workload.tasks"), "--set job.stencil.workload.tasks=32");
  EXPECT_EQ(jobs_of(config.of_files())[0].config.integer("workload.tasks"), 16);
  EXPECT_TRUE(contains(load_error(three_, {"job.stencl.workload.tasks=1"}), "did you mean \"stencil\"?"));
  EXPECT_TRUE(contains(load_error(three_, {"job.sum.workload.tsks=1"}), "did you mean workload.tasks?"));
  EXPECT_TRUE(contains(load_error(three_, {"job.sum.start=1"}), "unknown key start in [[job]] \"sum\""));
  EXPECT_TRUE(contains(load_error(three_, {"job.sum=1"}), "job.NAME.workload.tasks=32"));
  EXPECT_TRUE(contains(load_error(three_, {"job.sum.name=total"}), "keeps the name"));
  EXPECT_TRUE(contains(load_error(three_, {"job.sum.router.kind=bubble"}), "unknown key router.kind"));
  EXPECT_TRUE(contains(load_error(torus_, {"job.sum.after=a"}), "the config has no [[job]]"));
}

TEST_F(SeveralJobs, NamesTellThemApart) {
  const std::string begin = torus_ + "[[job]]\n";
  EXPECT_TRUE(contains(load_error(begin + "after = \"x\"\n"), "run.toml:5: a [[job]] has no name"));
  EXPECT_TRUE(contains(load_error(begin + "name = \"a b\"\n"), "letters, digits, - and _"));
  EXPECT_TRUE(contains(load_error(begin + "name = \"a\"\n[[job]]\nname = \"a\"\n"), "is there twice (the first is at"));
  EXPECT_TRUE(contains(load_error(torus_ + "[job]\nname = \"a\"\n"), "write [[job]]"));
  EXPECT_TRUE(contains(load_error(begin + "name = \"a\"\nworkload = 3\n"), "workload of a job is a table of settings"));
  EXPECT_TRUE(contains(load_error(begin + "name = \"a\"\nworkload.tasks = 3.5\n"), "run.toml:7"));
  EXPECT_TRUE(
      contains(load_error(begin + "name = \"a\"\nplacement.polcy = \"random\"\n"), "did you mean placement.policy"));
}

TEST_F(SeveralJobs, StartsMustBePossible) {
  EXPECT_TRUE(contains(error({"job.sum.after=stencl"}), "did you mean \"stencil\"?"));
  EXPECT_TRUE(contains(error({"job.sum.after=noise"}), "never ends"));
  EXPECT_TRUE(contains(error({"job.sum.start_cycles=5"}), "contradicts after = \"stencil\""));
  EXPECT_TRUE(contains(error({"job.stencil.after=sum"}), "never comes (stencil after sum after stencil)"));
  EXPECT_TRUE(contains(error({"job.stencil.after=stencil"}), "never comes"));
  EXPECT_TRUE(contains(error({"job.stencil.start_cycles=5", "job.stencil.start_ns=5"}), "are both given"));
  EXPECT_TRUE(contains(error({"job.stencil.start_cycles=500", "simulation.cycles=500"}), "is not before the end"));
  EXPECT_EQ(error({"job.stencil.start_cycles=499", "simulation.cycles=500"}), "");
}

TEST_F(SeveralJobs, TheRunMustEnd) {
  EXPECT_TRUE(contains(error({"job.noise.repeat=once"}), "never lets the run end"));
  EXPECT_EQ(error({"job.noise.repeat=once", "simulation.cycles=500"}), "");
  const std::string noise = torus_ + "[[job]]\nname = \"noise\"\nrepeat = \"until-others-end\"\n";
  EXPECT_TRUE(contains(validation_error(noise), "every job is background"));
  EXPECT_TRUE(contains(error({"simulation.stop=steady-state"}), "does not fit [[job]]"));
}

TEST_F(SeveralJobs, MayAskBeforeTheySendBesideSourcesThatDoNot) {
  const std::string ideal = "[topology]\nkind = \"ideal\"\nnodes = 8\n[ideal]\nrendezvous_bytes = 100\n";
  const std::string tasks = "[[job]]\nname = \"a\"\nworkload = {kind = \"kernel\", name = \"mesh\", tasks = 4}\n";
  const std::string sources = "[[job]]\nname = \"b\"\nnodes = 4\nrepeat = \"until-others-end\"\n";
  EXPECT_EQ(validation_error(ideal + tasks + sources), "");
  EXPECT_TRUE(contains(validation_error(ideal), "rendezvous_bytes"));
}

TEST_F(SeveralJobs, OfWhichNoneEndsHaveASteadyState) {
  const std::string sources =
      torus_ + "[[job]]\nname = \"a\"\nnodes = 4\n[[job]]\nname = \"b\"\nnodes = 4\nworkload.pattern = \"zipf\"\n";
  EXPECT_EQ(validation_error(sources), "");
  EXPECT_EQ(resolved_stop(load(sources)), "steady-state");
  EXPECT_EQ(resolved_stop(load(sources, {"simulation.cycles=100"})), "cycles");
  EXPECT_TRUE(contains(validation_error(sources, {"simulation.stop=workload-complete"}), "it never ends"));
  // A kernel in the background goes on as long as they do.
  const std::string kernel = "[[job]]\nname = \"k\"\nworkload = {kind = \"kernel\", name = \"mesh\", tasks = 4}\n";
  EXPECT_EQ(validation_error(sources + kernel + "repeat = \"until-others-end\"\n"), "");
  EXPECT_TRUE(contains(validation_error(sources + kernel), "never lets the run end"));
}

TEST_F(SeveralJobs, AreCheckedAsAnyWorkload) {
  EXPECT_TRUE(contains(error({"job.stencil.workload.name=\"\""}), "needs the name of a kernel"));
  EXPECT_TRUE(contains(error({"job.noise.workload.source_queue=unbounded"}), "is not for jobs"));
  EXPECT_TRUE(contains(error({"job.stencil.nodes=4"}), "or use workload.tasks"));
  EXPECT_TRUE(contains(error({"job.stencil.traffic_class=1"}), "does not fit router.kind"));
  EXPECT_TRUE(contains(
      validation_error(three_ + "[router]\nkind = \"switch\"\ntraffic_classes = 2\n", {"job.stencil.traffic_class=2"}),
      "use router.traffic_classes = 3"));
}

TEST_F(SeveralJobs, KeysWithoutEffectAreRefusedInJobsAndBesideThem) {
  EXPECT_TRUE(contains(error({"job.noise.workload.repetitions=2"}),
                       "job.noise.workload.repetitions = 2 has no effect with workload.kind = \"synthetic\""));
  EXPECT_TRUE(contains(validation_error(three_ + "[workload]\nkind = \"burst\"\n"), "has no effect beside [[job]]"));
  EXPECT_TRUE(contains(error({"placement.policy=random"}), "has no effect beside [[job]]"));
  EXPECT_EQ(error({"packet.header_phits=1"}), "");  // it has with two of them
  EXPECT_TRUE(contains(error({"measure.batches=2"}), "measure.batches = 2 has no effect"));
}

TEST_F(SeveralJobs, ArePartOfWhatARunIsKnownBy) {
  const Config config = load(three_);
  const auto differs = [&](const std::string& override) { return load(three_, {override}).hash() != config.hash(); };
  EXPECT_TRUE(differs("job.sum.workload.message_bytes=8"));
  EXPECT_TRUE(differs("job.noise.nodes=9"));
  EXPECT_TRUE(differs("job.stencil.placement.policy=consecutive"));
  EXPECT_FALSE(differs("parallel.protocol=windowed"));
  EXPECT_TRUE(contains(config.toml(), "\n[[job]]\nname = \"sum\"\n"));
  EXPECT_FALSE(contains(config.toml(), "\n[workload]\n"));
  const nlohmann::json written = json_in_use(config);
  ASSERT_EQ(written.at("job").size(), 3U);
  EXPECT_EQ(written["job"][0]["workload"]["tasks"], 16);
  EXPECT_EQ(written["job"][1]["after"], "stencil");
  EXPECT_FALSE(written["job"][2]["workload"].contains("tasks"));
  EXPECT_FALSE(written.contains("workload"));
  EXPECT_TRUE(written.contains("topology"));
}

TEST_F(SeveralJobs, AFrozenConfigHasThemWithTheirFiles) {
  std::ofstream(directory_ / "a.trc") << "s 0 1 5 100\nr 0 1 5 100\n";
  const Config config = load(torus_ +
                                 "[[job]]\nname = \"a\"\nworkload = {kind = \"trace\", path = \"a.trc\"}\n"
                                 "[[job]]\nname = \"b\"\nworkload = {kind = \"kernel\", name = \"mesh\"}\n"
                                 "placement = {policy = \"file\", path = \"b.txt\"}\n",
                             {"job.b.start_cycles=3"});
  const std::string trace = (directory_ / "a.trc").string(), places = (directory_ / "b.txt").string();
  EXPECT_EQ(input_files(config), (std::vector{trace, places}));
  const std::filesystem::path elsewhere = directory_ / "else";
  std::filesystem::create_directories(elsewhere);
  std::ofstream(elsewhere / "frozen.toml") << frozen_toml(config);
  const Config again = Config::load((elsewhere / "frozen.toml").string());
  EXPECT_EQ(input_files(again), (std::vector{trace, places}));
  EXPECT_EQ(jobs_of(again)[1].start_cycles, 3U);
  EXPECT_EQ(absolute_paths(config), (std::vector<std::string>{"job.a.workload.path=\"" + trace + "\"",
                                                              "job.b.placement.path=\"" + places + "\""}));
  std::ofstream(directory_ / "b.txt") << "0 0\n";
  const u64 hash = RunInputs(config).hash();
  std::ofstream(directory_ / "b.txt") << "1 0\n";
  EXPECT_NE(RunInputs(config).hash(), hash);
}

TEST_F(SeveralJobs, AnIncludedFileMayHaveSome) {
  std::ofstream(directory_ / "base.toml") << torus_ << "[[job]]\nname = \"a\"\nworkload.kind = \"burst\"\n";
  const Config config = load_whole("include = \"base.toml\"\nformat = 1\n[[job]]\nname = \"b\"\n");
  ASSERT_EQ(config.jobs().size(), 2U);
  EXPECT_EQ(config.jobs()[0].name, "a");
}

TEST_F(SeveralJobs, TheirKeysAreDescribed) {
  EXPECT_TRUE(contains(describe({}), "\n[[job]]  several jobs"));
  EXPECT_TRUE(contains(describe({"job"}), "job.traffic_class"));
  EXPECT_TRUE(contains(describe({"job.after"}), "default \"\""));
  EXPECT_TRUE(contains(describe_for(load(three_), {}), "[[job]]  stencil, in "));
}

}  // namespace
}  // namespace weft::tools
