// The parts of the report, each of which adds sections or figures to the page.
#pragma once

#include <vector>

#include "tools/report/page/page.hpp"
#include "tools/report/run_names.hpp"

namespace weft::tools {

/// A run on the page.
struct ReportRun {
  const RunResult* result = nullptr;
  std::string name;
  u32 clock = 0;
  double order = 0;  ///< where many runs share a ramp of colours: 0..1, by what they are drawn over
};
using ReportRuns = std::vector<ReportRun>;

/// Where there are many: one run of those that differ in their seed alone, with its place on a ramp of colours.
[[nodiscard]] ReportRuns without_repeats(const ReportRuns& runs);

/// Few enough that each has a row, a column or a curve of its own everywhere.
[[nodiscard]] inline bool few(const ReportRuns& runs) { return runs.size() <= 5; }

/// What was run, and the figures people look at first.
void add_headline(page::Page& page, const ReportRuns& runs);
/// What was run, and the first figures, of many runs, behind their curves.
void add_run_table(page::Page& page, const ReportRuns& runs);
/// All figures of the network and the traffic, of several runs.
void add_key_figures(page::Page& page, const ReportRuns& runs);
/// Keys of the config that are not the same in all runs.
void add_differences(page::Page& page, const ReportRuns& runs);
/// Figures over what differs between several runs.
void add_curves(page::Page& page, const ReportRuns& runs);
/// Latencies: how often, and how many are slower.
void add_distribution(page::Page& page, const ReportRuns& runs);
/// Loads, latencies, use of the links over time.
void add_evolution(page::Page& page, const ReportRuns& runs);
/// Shades a figure over time while a part of the network did not work, and draws lines where one failed, came back or
/// got another error rate.
void mark_faults(page::Json& spec, const RunResult& r);
/// Tasks, bursts, nodes, distances, queues, busiest links.
void add_traffic(page::Page& page, const ReportRuns& runs);
/// Links on a drawing of the network, what tasks did, who sends to whom.
void add_pictures(page::Page& page, const ReportRuns& runs);
/// Completion times of flows by their size.
void add_flows(page::Page& page, const ReportRuns& runs);
/// Jobs side by side.
void add_jobs(page::Page& page, const ReportRuns& runs);
/// Activities of programs with lanes.
void add_activities(page::Page& page, const ReportRuns& runs);
/// The simulator itself: rates, shares of time, memory.
void add_engine(page::Page& page, const ReportRuns& runs);

}  // namespace weft::tools
