// The summary shows what was found with units, and stays readable for runs that measured little.
#include "tools/report/terminal_summary.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/base/text/numbers.hpp"
#include "tests/tools/result/sample_result.hpp"
#include "tools/report/histogram.hpp"

namespace weft::tools {
namespace {

TEST(TerminalSummary, ShowsTheFiguresWithTheirUnits) {
  const std::string text = summary(sample_result(), false);
  for (const char* part :
       {"8x8x8 torus", "synthetic uniform", "12,345 cycles (30,863 ns)", "steady-state", "accepted 0.2994",
        "phits/node/cycle", "p99 220 ", "ns from generation", "1,000 injected", "900 delivered", "11.1 M events/s",
        "3.69 M packet-hops/s", "2 ranks, windowed, lookahead 3 cycles", "640 B/node",
        "0123456789abcdef0123456789abcdef", "warning", "over 5 batches", "64 finished"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  }
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 25) << text;
}

TEST(TerminalSummary, ShowsTheStepsOfTheProtocolThatRan) {
  RunResult r = sample_result();
  EXPECT_NE(summary(r, false).find("12,000 windows"), std::string::npos);
  EXPECT_EQ(summary(r, false).find("null messages"), std::string::npos);
  r.engine.protocol = "null-message";
  EXPECT_NE(summary(r, false).find("987 null messages, 12,001 agreements of all ranks"), std::string::npos);
  EXPECT_EQ(summary(r, false).find("windows"), std::string::npos);
}

TEST(TerminalSummary, UsesEscapesOnlyWhenColourIsAskedFor) {
  EXPECT_NE(summary(sample_result(), true).find("\x1b[1m"), std::string::npos);
}

TEST(TerminalSummary, SaysWhetherTheRunConvergedAndHowFarItsMeansCanBeTrusted) {
  RunResult r = sample_result();
  EXPECT_NE(summary(r, false).find("no, measured from cycle 7,500\n"), std::string::npos) << summary(r, false);
  r.converged = true;
  EXPECT_NE(summary(r, false).find("steady      yes, from cycle 7,500"), std::string::npos);
  EXPECT_EQ(summary(RunResult{}, false).find("steady  "), std::string::npos);
}

TEST(TerminalSummary, HasOneMeaningOfPlusMinusAndNamesIt) {
  RunResult r = sample_result();
  r.cycle_ns = 0;
  const std::string text = summary(r, false);
  EXPECT_NE(text.find(fmt::format("accepted {} ± 0.0014 ", significant(r.load_accepted))), std::string::npos) << text;
  EXPECT_NE(text.find("± is 95 % confidence"), std::string::npos) << text;
  EXPECT_NE(text.find(fmt::format("mean {} ± 0.21 ", significant(r.latency_mean))), std::string::npos) << text;
  EXPECT_NE(text.find(fmt::format("deviation {} ", significant(r.latency_stddev, 3))), std::string::npos) << text;
}

TEST(TerminalSummary, ShowsIntervalsOfTheConfidenceThatWasAskedFor) {
  RunResult r = sample_result();
  r.cycle_ns = 0;
  r.confidence_percent = 99.9;
  r.load_accepted_ci = 0.0031;
  r.latency_mean_ci = 0.47;
  const std::string text = summary(r, false);
  EXPECT_NE(text.find(fmt::format("accepted {} ± 0.0031 ", significant(r.load_accepted))), std::string::npos) << text;
  EXPECT_NE(text.find("± is 99.9 % confidence"), std::string::npos) << text;
  EXPECT_NE(text.find(fmt::format("mean {} ± 0.47 ", significant(r.latency_mean))), std::string::npos) << text;
}

TEST(TerminalSummary, SaysWhatIsOfSeveralSeeds) {
  const std::string text = summary(sample_of_seeds(), false);
  EXPECT_NE(text.find("2 from 1 on; 95 % confidence: accepted 0.3050 ± 0.06"), std::string::npos) << text;
  EXPECT_NE(text.find("1 of 2 runs converged"), std::string::npos) << text;
  EXPECT_NE(text.find("means over 2 seeds"), std::string::npos) << text;
}

TEST(TerminalSummary, HasALineForEachJob) {
  const std::string text = summary(sample_of_jobs(), false);
  EXPECT_NE(
      text.find("jobs        stencil   16 tasks, from 0 to 5,000 ns, slow-down 1.250   latency mean 78.75   max 225"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("            shuffle   8 tasks, from 250 ns on"), std::string::npos) << text;
  EXPECT_NE(text.find("            noise     8 tasks, from 862.5 ns on, 7 times"), std::string::npos) << text;
}

TEST(TerminalSummary, HasTimesInNanosecondsWhereACycleHasALength) {
  RunResult r = sample_result();
  r.cycle_ns = 0.5;
  r.task_finish_cycles = {1'000'000, 2'469'135};
  EXPECT_NE(summary(r, false).find("2 finished, first at 500,000, last at 1,234,568 ns"), std::string::npos)
      << summary(r, false);
  r.cycle_ns = 0;
  EXPECT_NE(summary(r, false).find("2 finished, first at 1,000,000, last at 2,469,135 cycles"), std::string::npos);
}

TEST(TerminalSummary, SaysNothingOfAnOfferedLoadWhereNothingIsOffered) {
  RunResult r = sample_result();
  EXPECT_NE(summary(r, false).find("load        offered "), std::string::npos);
  r.load_offered = 0;
  EXPECT_NE(summary(r, false).find("load        injected "), std::string::npos);
}

TEST(TerminalSummary, SaysThatNothingWasDelivered) {
  EXPECT_NE(summary(RunResult{}, false).find("no packet was delivered"), std::string::npos);
}

TEST(TerminalSummary, SaysWhatAResumedRunsFiguresCover) {
  RunResult r = sample_result();
  EXPECT_EQ(summary(r, false).find("resumed"), std::string::npos);
  r.resumed_cycles = 12000;
  EXPECT_NE(summary(r, false).find("engine covers the run from cycle 12,000 on"), std::string::npos);
}

TEST(TerminalSummary, CutsALongListOfWarnings) {
  RunResult r = sample_result();
  r.warnings.assign(100, "again");
  EXPECT_NE(summary(r, false).find("and 92 more"), std::string::npos);
}

TEST(Histogram, RebinningKeepsEveryPacket) {
  const std::vector<HistogramBin> bins = sample_result().latency_histogram;
  const HistogramRange range = occupied_range(bins);
  double expected = 0, total = 0;
  for (const HistogramBin& bin : bins) expected += static_cast<double>(bin.packets);
  for (const double packets : rebin_log(bins, range.low, range.high, 37)) total += packets;
  EXPECT_NEAR(total, expected, 1e-6 * expected);
}

TEST(Histogram, RebinningTakesALatencyOfZeroAndBinsWithoutWidth) {
  const std::vector<HistogramBin> bins = {{0, 1, 5}, {4, 4, 7}};
  const HistogramRange range = occupied_range(bins);
  EXPECT_EQ(range.low, 0.5);
  double total = 0;
  for (const double packets : rebin_log(bins, range.low, range.high, 10)) total += packets;
  EXPECT_NEAR(total, 12, 1e-9);
}

}  // namespace
}  // namespace weft::tools
