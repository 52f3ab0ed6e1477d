// Scripts outside the project read these keys by name.
#include "tools/result/json_summary.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/tools/result/sample_result.hpp"

namespace weft::tools {
namespace {

using nlohmann::json;

/// The core keys as documented for users, with the type of each value.
const char* const documented = R"(
{"weft": "version", "digest": "32 hex digits", "config": {}, "seed": 1, "ranks": 2, "nodes": 512, "routers": 512,
 "cycles": 12345, "stop_reason": "steady-state|workload-complete|cycles|...",
 "packets": {"generated": 0, "injected": 0, "delivered": 0, "dropped": 0, "dropped_at_source": 0,
             "copies": 0, "combined": 0, "in_flight": 0},
 "messages": {"sent": 0, "delivered": 0},
 "hops": 0, "load": {"offered": 0.3, "injected": 0.3, "accepted": 0.3, "accepted_stddev": 0.0},
 "latency": {"mean": 0, "stddev": 0, "max": 0, "p50": 0, "p90": 0, "p99": 0, "p999": 0, "network_mean": 0, "unit": "cycles"},
 "distance": {"mean": 0, "max": 0},
 "engine": {"events": 0, "events_per_s": 0, "packet_hops": 0, "packet_hops_per_s": 0, "wall_s": 0, "cpu_s": [0, 0],
            "setup_s": 0, "windows": 0, "exchanges": 0, "remote_messages": 0, "null_messages": 0, "blocked_s": [0, 0], "exchange_s": [0, 0], "rss_bytes": [0, 0],
            "bytes_per_node": 0, "lookahead_cycles": 1, "protocol": "windowed"}})";

void expect_keys(const json& expected, const json& actual, const std::string& where) {
  for (const auto& [key, value] : expected.items()) {
    ASSERT_TRUE(actual.contains(key)) << where << key;
    const json& found = actual[key];
    EXPECT_TRUE(value.is_number() ? found.is_number() : value.type() == found.type()) << where << key << ": " << found;
    if (value.is_object()) expect_keys(value, found, where + key + ".");
  }
}

TEST(JsonSummary, HasEveryDocumentedKeyWithItsType) {
  expect_keys(json::parse(documented), to_json(sample_result()), "");
}

TEST(JsonSummary, HasEveryDocumentedKeyForAnEmptyResultToo) {
  expect_keys(json::parse(documented), to_json(RunResult{}), "");
}

TEST(JsonSummary, TakesEachValueFromItsField) {
  const RunResult r = sample_result();
  const json j = to_json(r);
  EXPECT_EQ(j["config"]["topology"]["dims"], json({8, 8, 8}));
  EXPECT_EQ(j["seed"].get<u64>(), r.seed);
  EXPECT_EQ(j["routers"], 513);
  EXPECT_EQ(j["packets"], json({{"generated", 1001},
                                {"injected", 1000},
                                {"delivered", 900},
                                {"dropped", 3},
                                {"dropped_at_source", 2},
                                {"copies", 4},
                                {"combined", 6},
                                {"in_flight", 99},
                                {"at_sources", 55}}));
  EXPECT_EQ(j["messages"], json({{"sent", 77}, {"delivered", 66}}));
  EXPECT_EQ(j["load"], json({{"offered", 0.3},
                             {"injected", 0.2995},
                             {"accepted", 0.2994},
                             {"accepted_stddev", 0.0011},
                             {"accepted_ci95", 0.0014},
                             {"accepted_max", 0.2994},
                             {"injected_stddev", 0.0},
                             {"injected_max", 0.3},
                             {"untaken_fraction", 0.03},
                             {"growth", 0.001}}));
  EXPECT_EQ(j["saturated"], false);
  EXPECT_EQ(j["figures_of_cycles"], json({7500, 10000}));
  EXPECT_EQ(j["latency"], json({{"mean", 37.43},
                                {"mean_ci95", 0.21},
                                {"stddev", 12.1},
                                {"max", 140.0},
                                {"p50", 35.0},
                                {"p90", 60.0},
                                {"p99", 88.0},
                                {"p999", 128.0},
                                {"network_mean", 33.25},
                                {"unit", "cycles"}}));
  EXPECT_EQ(j["distance"], json({{"mean", 6.02}, {"stddev", 1.125}, {"max", 12.0}}));
  EXPECT_DOUBLE_EQ(j["engine"]["events_per_s"], 36e6 / 3.25);
  EXPECT_DOUBLE_EQ(j["engine"]["packet_hops_per_s"], 12e6 / 3.25);
  EXPECT_EQ(j["engine"]["cpu_s"], json({3.1, 3.2}));
  EXPECT_EQ(j["engine"]["partition"], "metis");
  EXPECT_EQ(j["engine"]["edge_cut"], 128);
  EXPECT_EQ(j["engine"]["exchanges"], 12001);
  EXPECT_EQ(j["engine"]["remote_messages"], 4321);
  EXPECT_EQ(j["engine"]["null_messages"], 987);
  EXPECT_EQ(j["batches"].size(), 5u);
  EXPECT_EQ(j["batches"][1]["begin"], 8000);
  EXPECT_EQ(j["warnings"].size(), 3u);
  EXPECT_EQ(j["task_finish_cycles"].size(), 64u);
  EXPECT_EQ(j["measured"], true);
  EXPECT_EQ(j["converged"], false);
  EXPECT_EQ(j["steady_state"],
            json({{"begin_cycle", 7500}, {"load_autocorrelation", -0.12}, {"latency_autocorrelation", 0.15}}));
  EXPECT_FALSE(j.contains("seeds"));
}

TEST(JsonSummary, ARunThatLooksForNoSteadyStateNeitherConvergedNorDidNot) {
  const json j = to_json(RunResult{});
  EXPECT_TRUE(j["converged"].is_null());
  EXPECT_TRUE(j["steady_state"].is_null());
}

TEST(JsonSummary, ListsTheSeedsWhereThereAreSeveral) {
  const json j = to_json(sample_of_seeds());
  ASSERT_EQ(j["seeds"].size(), 2U);
  EXPECT_EQ(j["seeds"][1]["seed"], 2);
  EXPECT_EQ(j["seeds"][1]["load_accepted"], 0.31);
  EXPECT_EQ(j["seeds"][1]["converged"], false);
  RunResult unmeasured = sample_of_seeds();
  unmeasured.measured = false;
  EXPECT_TRUE(to_json(unmeasured)["seeds"][1]["converged"].is_null());
  EXPECT_EQ(j["over_seeds"]["latency_mean"], json({{"mean", 38.0}, {"stddev", 1.5}, {"ci95", 4.5}}));
}

TEST(JsonSummary, HasARowForEachJobAndNullForWhatItDoesNotHave) {
  EXPECT_FALSE(to_json(sample_result()).contains("jobs"));
  RunResult r = sample_of_jobs();
  r.cycle_ns = 0;
  json jobs = to_json(r)["jobs"];
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0]["name"], "stencil");
  EXPECT_EQ(jobs[0]["tasks"], 16);
  EXPECT_EQ(jobs[0]["finish_cycle"], 2000);
  EXPECT_EQ(jobs[0]["latency"], json({{"mean", 31.5}, {"max", 90.0}, {"count", 640}, {"unit", "cycles"}}));
  EXPECT_DOUBLE_EQ(jobs[0]["bytes_per_cycle"], 40960.0 / 2000);
  EXPECT_EQ(jobs[0]["slowdown"], 1.25);
  EXPECT_TRUE(jobs[0]["finish_ns"].is_null() && jobs[0]["mib_per_s"].is_null());
  EXPECT_TRUE(jobs[1]["finish_cycle"].is_null() && jobs[1]["slowdown"].is_null());
  EXPECT_TRUE(jobs[1]["latency"]["mean"].is_null());
  EXPECT_EQ(jobs[2]["background"], true);
  EXPECT_DOUBLE_EQ(jobs[2]["bytes_per_cycle"],
                   24000.0 / (static_cast<double>(r.cycles) - 345));  // it goes on to the end
  r.cycle_ns = 3.2;
  EXPECT_DOUBLE_EQ(to_json(r)["jobs"][0]["finish_ns"], 6400);
}

TEST(JsonSummary, SaysWhenTasksFinishedInNsToo) {
  RunResult r = sample_result();
  r.task_finish_cycles = {100, 400, 250};
  r.cycle_ns = 0;
  json tasks = to_json(r)["tasks"];
  EXPECT_EQ(tasks["count"], 3);
  EXPECT_EQ(tasks["finish_cycles_max"], 400);
  EXPECT_EQ(tasks["finish_cycles_mean"], 250);
  EXPECT_TRUE(tasks["finish_ns_max"].is_null());
  r.cycle_ns = 0.5;
  tasks = to_json(r)["tasks"];
  EXPECT_EQ(tasks["finish_ns_max"], 200);
  EXPECT_EQ(tasks["finish_ns_min"], 50);
  r.task_finish_cycles[1] = std::nan("");  // one that the end of the run cut off
  tasks = to_json(r)["tasks"];
  EXPECT_EQ(tasks["count"], 3);
  EXPECT_EQ(tasks["finished"], 2);
  EXPECT_EQ(tasks["finish_cycles_max"], 250);
  r.task_finish_cycles.clear();
  EXPECT_FALSE(to_json(r).contains("tasks"));
}

TEST(JsonSummary, SaysWhatTheCountsOfAResumedRunCover) {
  RunResult r = sample_result();
  EXPECT_EQ(to_json(r).at("engine").at("covers_from_cycle"), 0);
  r.resumed_cycles = 12000;
  EXPECT_EQ(to_json(r).at("engine").at("covers_from_cycle"), 12000);
}

TEST(JsonSummary, HasTheStatisticsThatWereAskedForAndNoOthers) {
  const json all = to_json(sample_result())["statistics"];
  EXPECT_EQ(all["series"].size(), 2u);
  EXPECT_EQ(all["series"][1]["utilisation"], 0.75);
  EXPECT_EQ(all["series"][1]["queued_packets"], 16);
  EXPECT_EQ(all["busiest_links"], json({{{"link", "router 1, <port> 0"}, {"packets", 14}, {"utilisation", 0.125}}}));
  EXPECT_EQ(all["distances"], json({{{"links", 2}, {"packets", 7}, {"injected_packets", 8}},
                                    {{"links", 5}, {"packets", 9}, {"injected_packets", 10}}}));
  EXPECT_EQ(all["pairs"], 1);
  EXPECT_EQ(all["occupancy"][1], json({{"packets", 1}, {"transit_queues", 3}, {"injection_queues", 4}}));
  EXPECT_EQ(all["events"], json({{"path", "events.txt"}, {"lines", 123}}));
  EXPECT_FALSE(to_json(RunResult{}).contains("statistics"));
}

TEST(JsonSummary, LeavesOutFinishTimesAbove4096TasksAndRatesOfNoTime) {
  RunResult r = sample_result();
  r.task_finish_cycles.assign(4097, 1.0);
  r.engine.wall_s = 0;
  const json j = to_json(r);
  EXPECT_FALSE(j.contains("task_finish_cycles"));
  EXPECT_EQ(j["engine"]["events_per_s"], 0.0);
}

TEST(JsonSummary, IsValidJsonEvenWithNamesThatAreNoUtf8AndFiguresThatAreNoNumbers) {
  const ScratchFolder scratch;
  for (const double strange : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    RunResult r = sample_result();
    r.host = "bad\xFF";
    for (double* figure :
         {&r.cycle_ns, &r.load_offered, &r.load_injected, &r.load_accepted, &r.load_accepted_stddev, &r.latency_mean,
          &r.latency_stddev, &r.latency_max, &r.latency_p50, &r.latency_p99, &r.latency_network_mean, &r.distance_mean,
          &r.distance_max, &r.engine.wall_s, &r.engine.setup_s, &r.engine.balance, &r.engine.checkpoint_s}) {
      *figure = strange;
    }
    r.engine.cpu_s = r.engine.blocked_s = r.engine.exchange_s = r.burst_cycles = r.task_finish_cycles = {1, strange};
    for (IntervalRow& row : r.batches) row.latency_mean = row.accepted_load = row.injected_load = strange;
    write_json(r, scratch.file("r.json"));
    const json j = json::parse(content_of(scratch.file("r.json")));
    EXPECT_TRUE(j["latency"]["mean"].is_null());
    EXPECT_TRUE(j["engine"]["cpu_s"][1].is_null());
    EXPECT_TRUE(j["batches"][0]["accepted_load"].is_null());
    EXPECT_EQ(scratch.entries(), 1u);
  }
}

TEST(JsonSummary, GoesToStandardOutputForADash) {
  testing::internal::CaptureStdout();
  write_json(sample_result(), "-");
  EXPECT_EQ(json::parse(testing::internal::GetCapturedStdout()), to_json(sample_result()));
}

TEST(JsonSummary, FailsWithASystemErrorOnAFullDeviceAndInAMissingDirectory) {
  EXPECT_THROW(write_json(sample_result(), "/dev/full"), SystemError);
  EXPECT_THROW(write_json(sample_result(), "/no/such/directory/r.json"), SystemError);
}

}  // namespace
}  // namespace weft::tools
