// The report is one well-formed page that holds every run, safe against whatever the names contain.
#include "tools/result/report.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "engine/error.hpp"
#include "tests/tools/result/sample_result.hpp"
#include "tools/result/hdf5_result.hpp"

namespace weft::tools {
namespace {

/// The first tag that is not closed in order, or "" for a page whose tags balance.
std::string first_unbalanced(const std::string& page) {
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const std::size_t end = page.find('>', at);
    if (end == std::string::npos) return page.substr(at, 40);
    const std::string tag = page.substr(at + 1, end - at - 1);
    if (tag.empty() || tag[0] == '!' || tag.back() == '/') continue;
    const bool closes = tag[0] == '/';
    const std::string name = tag.substr(closes ? 1 : 0, tag.find_first_of(" \n") - (closes ? 1 : 0));
    if (!closes) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return page.substr(at, 40);
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

RunResult slower_result() {
  RunResult r = sample_result();
  r.config_json =
      R"({"format": 1, "topology": {"kind": "torus", "dims": [8, 8, 8]}, "workload": {"offered_load": 0.9}})";
  r.workload_name = "synthetic transpose";
  for (HistogramBin& bin : r.latency_histogram) bin.low *= 3, bin.high *= 3;
  return r;
}

TEST(Report, HoldsAllRunsInOneWellFormedSelfContainedPage) {
  const ScratchDirectory scratch;
  write_hdf5(sample_result(), scratch.file("uniform.h5"));
  write_hdf5(slower_result(), scratch.file("transpose.h5"));
  write_report({scratch.file("uniform.h5"), scratch.file("transpose.h5")}, scratch.file("r.html"));
  const std::string page = content_of(scratch.file("r.html"));
  EXPECT_EQ(first_unbalanced(page), "");
  for (const char* part :
       {"<h2>uniform</h2>", "<h2>transpose</h2>", "synthetic transpose", "workload.offered_load", "<svg",
        "Load over time", "Latency", "Finish time of each task", "Deliveries per node", "prefers-color-scheme: dark"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  for (const char* part : {"<script", "http:", "https:", "url(", "nan", "inf\""}) {
    EXPECT_EQ(page.find(part), std::string::npos) << part;
  }
}

TEST(Report, ShowsTheStatisticsThatWereAskedForAndNoOthers) {
  const std::string page = report_page({{"one", sample_result()}});
  const std::vector<std::string> parts{"Time series: load",   "Time series: packets in flight",
                                       "Busiest links",       "router 1, &lt;port&gt; 0",
                                       "Distances travelled", "Occupancy of queues"};
  for (const std::string& part : parts) EXPECT_NE(page.find(part), std::string::npos) << part;
  RunResult plain = sample_result();
  plain.extra = {};
  const std::string without = report_page({{"one", plain}});
  for (const std::string& part : parts) EXPECT_EQ(without.find(part), std::string::npos) << part;
}

TEST(Report, HasATableOfJobs) {
  RunResult r = sample_of_jobs();
  r.jobs[1].name = "a<b>";
  const std::string page = report_page({{"one", r}});
  EXPECT_NE(page.find("<h3>Jobs</h3>"), std::string::npos);
  EXPECT_NE(page.find("noise (background)"), std::string::npos);
  EXPECT_NE(page.find("a&lt;b&gt;"), std::string::npos);
  EXPECT_EQ(report_page({{"one", sample_result()}}).find("<h3>Jobs</h3>"), std::string::npos);
}

TEST(Report, EscapesTextFromResults) {
  RunResult r = sample_result();
  r.topology_name = "<script>alert('x')</script> & \"more\"";
  r.seeds = {{1, "<b>0123", 12345, true, 900, 0.3, 0.30, 0.001, 37, 0.2, 88, 6.1}};
  const std::string page = report_page({{"a<b>&c", r}});
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("a&lt;b&gt;&amp;c"), std::string::npos);
  EXPECT_NE(page.find("8 &lt; 9 &amp; &quot;so on&quot;"), std::string::npos);
  EXPECT_EQ(first_unbalanced(page), "");
}

TEST(Report, ShowsTheStepsOfTheProtocolThatRan) {
  RunResult r = sample_result();
  const std::string windowed = report_page({{"run", r}});
  EXPECT_NE(windowed.find("<td>windows</td>"), std::string::npos);
  EXPECT_EQ(windowed.find("null messages"), std::string::npos);
  r.engine.protocol = "null-message";
  EXPECT_NE(report_page({{"run", r}}).find("<td>null messages</td>"), std::string::npos);
  r.ranks = 1;
  r.engine.protocol = "sequential";
  const std::string alone = report_page({{"run", r}});
  for (const char* part : {"null messages", "<td>windows</td>", "messages between ranks", "links cut"}) {
    EXPECT_EQ(alone.find(part), std::string::npos) << part;
  }
}

TEST(Report, StaysWellFormedForEmptyResultsManyRunsAndManyTasks) {
  EXPECT_EQ(first_unbalanced(report_page({{"empty", RunResult{}}})), "");
  RunResult large = sample_result();
  large.task_finish_cycles.assign(100'000, 5.0);
  large.node_delivered.assign(1 << 20, 3);
  const std::string page = report_page(std::vector<NamedResult>(20, {"large", large}));
  EXPECT_EQ(first_unbalanced(page), "");
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
    EXPECT_EQ(first_unbalanced(page), "");
    EXPECT_LT(page.size(), std::size_t{1} << 20);
  }
}

TEST(Report, TellsRunsOfEqualFileNamesApart) {
  const ScratchDirectory scratch;
  for (const char* directory : {"a", "b"}) {
    std::filesystem::create_directory(scratch.file(directory));
    write_hdf5(sample_result(), scratch.file(std::string(directory) + "/run.h5"));
  }
  write_report({scratch.file("a/run.h5"), scratch.file("b/run.h5")}, scratch.file("r.html"));
  const std::string page = content_of(scratch.file("r.html"));
  EXPECT_NE(page.find("<h2>" + scratch.file("b/run.h5") + "</h2>"), std::string::npos);
  EXPECT_NE(page.find("all runs had the same config"), std::string::npos);
}

TEST(Report, WritesNothingWhenAResultCannotBeRead) {
  const ScratchDirectory scratch;
  put(scratch.file("bad.h5"), "no result");
  EXPECT_THROW(write_report({scratch.file("bad.h5")}, scratch.file("r.html")), InputError);
  EXPECT_THROW(write_report({}, scratch.file("r.html")), ConfigError);
  EXPECT_FALSE(std::filesystem::exists(scratch.file("r.html")));
}

}  // namespace
}  // namespace weft::tools
