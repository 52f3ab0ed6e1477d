// What an application of a trace spends in which pattern. (Hoefler, Schneider, Lumsdaine, Cluster 2008, 4 and 5:
// neighbours by the graph of who sends to whom; reductions, broadcasts and barriers along trees, all-to-all schemes by
// dissemination.)
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/setting.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cli/trace_stats_outputs.hpp"

namespace weft::tools {
namespace {

using workloads::Collective;
using workloads::TimeShares;
using workloads::TraceStats;

/// Median of how many tasks those that send send to; 0 if none sends.
u32 usual_partners(const TraceStats& stats) {
  std::vector<u32> partners = stats.partners_to;
  std::erase(partners, 0U);
  if (partners.empty()) return 0;
  const auto middle = partners.begin() + static_cast<std::ptrdiff_t>(partners.size() / 2);
  std::ranges::nth_element(partners, middle);
  return *middle;
}

/// The pattern nearest to so many partners: 2, 4 or 6 of them, or everybody.
std::string pattern_of_partners(u32 partners, u32 tasks) {
  if (partners > 6 && partners > tasks / 2) return "all-to-all";
  return fmt::format("neighbours:{}", partners <= 2 ? 2 : partners <= 4 ? 4 : 6);
}

const char* pattern_of(Collective operation) {
  switch (operation) {
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::all_to_all:
    case Collective::all_to_allv:
    case Collective::all_to_allw:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return "dissemination";
    default:
      return "tree";
  }
}

}  // namespace

std::string profile_of(const StatsReport& report) {
  const TraceStats& stats = report.stats;
  if (!stats.has_times) {
    throw InputError(fmt::format(
        "{}: the trace has no times of its calls (fractions of run time are wanted); take a trace that has, "
        "or write --out with another ending",
        shown(report.trace)));
  }
  std::array<u64, TimeShares::parts> parts{};
  u64 all = 0;
  for (const TimeShares& times : stats.times) {
    for (std::size_t part = 0; part < TimeShares::parts; ++part) parts[part] += times.ns[part], all += times.ns[part];
  }
  if (all == 0)
    throw InputError(fmt::format("{}: its calls take no time at all; take a trace with times", shown(report.trace)));
  std::map<std::string, u64> ns;
  const u32 partners = usual_partners(stats);
  if (partners > 0)
    ns[pattern_of_partners(partners, stats.tasks)] +=
        parts[TimeShares::sends] + parts[TimeShares::receives] + parts[TimeShares::waits];
  for (const auto& [operation, time] : stats.collective_ns) ns[pattern_of(operation)] += time;
  std::string text = fmt::format(
      "# Fractions of the run time of {} tasks; those that send do so to {} others (median).\n[[application]]\nname = "
      "{}\n\n[application.shares]\n",
      stats.tasks, partners, value_text(shown(std::filesystem::path(report.trace).filename().string())));
  for (const auto& [pattern, time] : ns)
    text += fmt::format("\"{}\" = {:.9f}\n", pattern, static_cast<double>(time) / static_cast<double>(all));
  return text;
}

}  // namespace weft::tools
