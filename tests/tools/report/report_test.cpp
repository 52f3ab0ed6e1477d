// The report holds every run, as curves where there are many, safe against whatever names contain.
#include "tools/report/report.hpp"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>

#include "engine/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/tools/report/page/page_spec.hpp"
#include "tests/tools/result/sample_result.hpp"
#include "tools/result/hdf5_result.hpp"

namespace weft::tools {
namespace {

using nlohmann::json;
using testing::figure_of;
using testing::page_spec;
using testing::row_of;
using testing::section_of;

RunResult slower_result() {
  RunResult r = sample_result();
  r.config_json =
      R"({"format": 1, "topology": {"kind": "torus", "dims": [8, 8, 8]}, "workload": {"offered_load": 0.9}})";
  r.workload_name = "synthetic transpose";
  for (HistogramBin& bin : r.latency_histogram) bin.low *= 3, bin.high *= 3;
  return r;
}

TEST(Report, HoldsAllRunsOnOnePage) {
  const ScratchFolder scratch;
  write_hdf5(sample_result(), scratch.file("uniform.h5"));
  write_hdf5(slower_result(), scratch.file("transpose.h5"));
  write_report({scratch.file("uniform.h5"), scratch.file("transpose.h5")}, scratch.file("r.html"));
  const std::string html = content_of(scratch.file("r.html"));
  EXPECT_NE(html.find("2 runs, 2 not converged"), std::string::npos);
  const json page = page_spec(html);
  const json differences = section_of(page, "Settings that differ")["figures"][0];
  EXPECT_EQ(row_of(differences, "workload.offered_load"), json({"workload.offered_load", "0.3", "0.9"}));
  EXPECT_TRUE(row_of(differences, "topology.kind").is_null());
  // Two loads are a curve, not two columns.
  const json latency = figure_of(page, "Mean latency");
  ASSERT_EQ(latency["series"].size(), 1u);
  EXPECT_EQ(latency["series"][0]["x"], json({0.3, 0.9}));
  EXPECT_EQ(latency["series"][0]["marks"], json({2, 2}));
  for (const char* title : {"How long packets took", "Load over time", "Finish time of each task"})
    EXPECT_EQ(figure_of(page, title)["series"].size(), 2u) << title;
}

TEST(Report, ShowsTheStatisticsThatWereAskedForAndNoOthers) {
  const json page = page_spec(report_page({{"one", sample_result()}}));
  const std::vector<std::string> titles{"Load, finely", "Packets in flight", "Busiest links", "Distances travelled",
                                        "Occupancy of queues"};
  for (const std::string& title : titles) EXPECT_FALSE(figure_of(page, title).is_null()) << title;
  EXPECT_EQ(row_of(figure_of(page, "Busiest links"), "router 1, <port> 0"), json({"router 1, <port> 0", 14, 0.125}));
  EXPECT_EQ(figure_of(page, "Distances travelled")["series"][0]["y"], json({7.0 / 16, 9.0 / 16}));
  RunResult plain = sample_result();
  plain.extra = {};
  const json without = page_spec(report_page({{"one", plain}}));
  for (const std::string& title : titles) EXPECT_TRUE(figure_of(without, title).is_null()) << title;
}

TEST(Report, PutsJobsSideBySide) {
  RunResult r = sample_of_jobs();
  r.jobs[1].name = "a<b>";
  const json page = page_spec(report_page({{"one", r}}));
  const json table = section_of(page, "Jobs")["figures"][0];
  EXPECT_EQ(row_of(table, "noise (background)")[1], 8);
  EXPECT_EQ(row_of(table, "stencil")[4], 2000);
  EXPECT_TRUE(row_of(table, "a<b>")[4].is_null());
  EXPECT_EQ(figure_of(page, "Duration of jobs")["series"][0]["y"], json({2000, nullptr, nullptr}));
  EXPECT_TRUE(section_of(page_spec(report_page({{"one", sample_result()}})), "Jobs").is_null());
}

TEST(Report, TextFromResultsIsInert) {
  RunResult r = sample_result();
  r.topology_name = "<script>alert('x')</script> & \"more\"";
  r.seeds = {{1, "<b>0123", 12345, true, 900, 0.3, 0.30, 0.001, 37, 0.2, 88, 6.1}};
  const std::string html = report_page({{"a<b>&c", r}});
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_NE(html.find("<title>a&lt;b&gt;&amp;c</title>"), std::string::npos);
  EXPECT_EQ(row_of(figure_of(page_spec(html), "Run"), "network")[1], r.topology_name);
}

TEST(Report, ShowsTheStepsOfTheProtocolThatRan) {
  RunResult r = sample_result();
  const auto engine = [&r](const char* row) {
    return row_of(figure_of(page_spec(report_page({{"run", r}})), "Engine"), row);
  };
  EXPECT_EQ(engine("windows")[1], 12000);
  EXPECT_TRUE(engine("null messages").is_null());
  r.engine.protocol = "null-message";
  EXPECT_EQ(engine("null messages")[1], 987);
  r.ranks = 1;
  r.engine.protocol = "sequential";
  for (const char* row : {"null messages", "windows", "messages between ranks", "links cut"})
    EXPECT_TRUE(engine(row).is_null()) << row;
}

TEST(Report, LeavesOfferedOutWhereNothingIsOffered) {
  RunResult r = sample_result();
  const auto figures = [&r] { return figure_of(page_spec(report_page({{"run", r}})), "Figures"); };
  EXPECT_EQ(row_of(figures(), "offered")[1]["value"], 0.3);
  r.load_offered = 0;
  EXPECT_TRUE(row_of(figures(), "offered").is_null());
}

TEST(Report, ManyRunsAreCurvesMeansOverSeedsWithTheirConfidence) {
  std::vector<NamedResult> runs;
  for (const char* routing : {"a", "b"}) {
    for (int load = 1; load <= 10; ++load) {
      for (int seed = 1; seed <= 3; ++seed) {
        RunResult r = sample_result();
        r.converged = true;
        r.load_untaken_fraction = load == 10 ? 0.5 : 0;
        r.load_offered = load / 10.0;
        r.latency_mean = 10.0 * load + seed;
        r.config_json = fmt::format(
            R"({{"simulation": {{"seed": {}}}, "router": {{"routing": "{}"}}, "workload": {{"offered_load": {}}}}})",
            seed, routing, load / 10.0);
        runs.push_back({fmt::format("{}-{}-{}", routing, load, seed), r});
      }
    }
  }
  EXPECT_EQ(runs_text(runs), "60 runs, 6 saturated");
  const json page = page_spec(report_page(runs));
  const json series = figure_of(page, "Mean latency")["series"];
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[1]["label"], "b");
  EXPECT_EQ(series[1]["x"].size(), 10u);
  EXPECT_EQ(series[1]["y"][0], 12);
  // Student's t of 2 degrees of freedom, 4.303, times the deviation 1 over the root of 3.
  EXPECT_NEAR(series[1]["high"][0].get<double>() - 12, 4.303 / std::sqrt(3.0), 1e-3);
  EXPECT_EQ(series[1]["marks"][9], 1);
  EXPECT_EQ(series[1]["marks"][8], 0);
  EXPECT_EQ(section_of(page, "Runs")["figures"][0]["rows"].size(), 60u);
}

TEST(Report, StaysSmallForEmptyResultsManyRunsAndManyTasks) {
  EXPECT_TRUE(page_spec(report_page({{"empty", RunResult{}}})).is_object());
  RunResult large = sample_result();
  large.task_finish_cycles.assign(100'000, 5.0);
  large.node_delivered.assign(1 << 20, 3);
  const std::string page = report_page(std::vector<NamedResult>(20, {"large", large}));
  EXPECT_LT(page.size(), std::size_t{20} << 20);
}

TEST(Report, EndsWhateverNumbersItIsMadeOf) {
  const auto page_of = [](auto&& change) {
    RunResult r = sample_result();
    change(r);
    return report_page({{"odd", r}, {"plain", sample_result()}});
  };
  const double huge = std::numeric_limits<double>::max(), infinite = std::numeric_limits<double>::infinity();
  constexpr Tick late = Tick{1} << 60;
  for (const std::string& page :
       {page_of([](RunResult& r) {
          r.extra.distances = {{9, 1}, {2, 7}};
        }),
        page_of([](RunResult& r) {
          r.extra.distances = {{2, 7}, {~u64{0}, 1}};
        }),
        page_of([](RunResult& r) {
          r.intervals = r.batches = {{late, late, 0.3, 0.3, 30, 100}};
        }),
        page_of([](RunResult& r) {
          r.extra.series = {{late, late, 0.3, 0.3, 0.5, 30, 1, 1, 1, 1}};
        }),
        page_of([&](RunResult& r) { r.latency_histogram[3].high = infinite; }),
        page_of([&](RunResult& r) { r.latency_histogram[3].low = std::nan(""); }),
        page_of([&](RunResult& r) { r.latency_histogram[3].high = huge; }),
        page_of([&](RunResult& r) { r.batches[1].accepted_load = huge; }),
        page_of([&](RunResult& r) { r.batches[1].accepted_load = std::nan(""); }), page_of([&](RunResult& r) {
          r.task_finish_cycles = {huge, -huge, infinite};
        }),
        page_of([&](RunResult& r) { r.extra.series[0].utilisation = -infinite; })}) {
    EXPECT_TRUE(page_spec(page).is_object());
    EXPECT_LT(page.size(), std::size_t{1} << 20);
  }
}

TEST(Report, TellsRunsOfEqualFileNamesApart) {
  const ScratchFolder scratch;
  for (const char* directory : {"a", "b"}) {
    std::filesystem::create_directory(scratch.file(directory));
    write_hdf5(sample_result(), scratch.file(std::string(directory) + "/run.h5"));
  }
  write_report({scratch.file("a/run.h5"), scratch.file("b/run.h5")}, scratch.file("r.html"));
  const json page = page_spec(content_of(scratch.file("r.html")));
  EXPECT_EQ(section_of(page, "What was run")["figures"][0]["rows"][1][0]["value"], scratch.file("b/run.h5"));
  EXPECT_EQ(section_of(page, "Settings that differ")["notes"][0]["text"], "None: all runs had the same config.");
}

TEST(Report, WritesNothingWhenAResultCannotBeRead) {
  const ScratchFolder scratch;
  put(scratch.file("bad.h5"), "no result");
  EXPECT_THROW(write_report({scratch.file("bad.h5")}, scratch.file("r.html")), InputError);
  EXPECT_THROW(write_report({}, scratch.file("r.html")), ConfigError);
  EXPECT_FALSE(std::filesystem::exists(scratch.file("r.html")));
}

}  // namespace
}  // namespace weft::tools
