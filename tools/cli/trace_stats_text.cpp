// Statistics of traces on the terminal.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"
#include "tools/cli/trace_stats_outputs.hpp"

namespace weft::tools {
namespace {

using workloads::TimeShares;
using workloads::TraceStats;
using workloads::Traffic;
using workloads::TrafficPair;

constexpr std::size_t most_pairs_shown = 5, most_tasks_shown = 16;

std::string share_text(u64 part, u64 all) {
  return all == 0 ? "" : percent(static_cast<double>(part) / static_cast<double>(all));
}

std::string sizes_text(const TraceStats& stats) {
  TextTable table = {{"bytes of a message", "messages", "share", "bytes", "share"}};
  for (std::size_t bin = 0; bin < workloads::size_bins; ++bin) {
    const Traffic& traffic = stats.sizes[bin];
    if (traffic.count == 0) continue;
    table.push_back({bin_text(bin), grouped(traffic.count), share_text(traffic.count, stats.messages.count),
                     grouped(traffic.bytes), share_text(traffic.bytes, stats.messages.bytes)});
  }
  if (stats.messages_of_unknown_size > 0)
    table.push_back({"not known", grouped(stats.messages_of_unknown_size),
                     share_text(stats.messages_of_unknown_size, stats.messages.count), "", ""});
  return table.size() == 1 ? "" : "\n" + aligned(table, 2);
}

std::string partners_text(const std::vector<u32>& partners) {
  if (partners.empty()) return "none";
  double sum = 0;
  for (const u32 count : partners) sum += count;
  return fmt::format("least {}, mean {}, most {}", grouped(*std::ranges::min_element(partners)),
                     significant(sum / static_cast<double>(partners.size())),
                     grouped(*std::ranges::max_element(partners)));
}

std::string pairs_text(const TraceStats& stats) {
  std::vector<TrafficPair> pairs(std::min(most_pairs_shown, stats.pairs.size()));
  std::ranges::partial_sort_copy(stats.pairs, pairs, [](const TrafficPair& a, const TrafficPair& b) {
    return a.messages.bytes != b.messages.bytes ? a.messages.bytes > b.messages.bytes
                                                : std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  if (pairs.empty()) return "";
  TextTable table = {{"most bytes", "messages", "bytes", "share"}};
  for (const TrafficPair& pair : pairs)
    table.push_back({fmt::format("{} to {}", pair.from, pair.to), grouped(pair.messages.count),
                     grouped(pair.messages.bytes), share_text(pair.messages.bytes, stats.messages.bytes)});
  return "\n" + aligned(table, 2);
}

std::string collectives_text(const TraceStats& stats) {
  if (stats.collectives.empty()) return "";
  TextTable table = {{"collective", "bytes of a call", "calls of tasks", "bytes"}};
  for (const auto& [operation, all] : stats.collectives) {
    std::size_t rows = 0;
    for (const auto& [key, traffic] : stats.collective_sizes) {
      if (key.first != operation) continue;
      table.push_back({rows++ == 0 ? std::string(workloads::name_of(operation)) : "", bin_text(key.second),
                       grouped(traffic.count), grouped(traffic.bytes)});
    }
    u64 known = 0;
    for (const auto& [key, traffic] : stats.collective_sizes) known += key.first == operation ? traffic.count : 0;
    if (known < all.count)
      table.push_back(
          {rows == 0 ? std::string(workloads::name_of(operation)) : "", "not known", grouped(all.count - known), ""});
  }
  return "\n" + aligned(table, 2);
}

std::vector<std::string> shares_row(const std::string& name, const TimeShares& times, u32 tasks) {
  u64 all = 0;
  for (const u64 ns : times.ns) all += ns;
  std::vector<std::string> row = {name};
  for (const u64 ns : times.ns) row.push_back(all == 0 ? "" : share_text(ns, all));
  row.push_back(duration(static_cast<double>(all) * 1e-9 / tasks));
  return row;
}

std::string times_text(const TraceStats& stats) {
  if (!stats.has_times) return "";
  TextTable table(1, {"time"});
  for (const char* name : TimeShares::names) table[0].emplace_back(name);
  table[0].emplace_back("in all");
  TimeShares all;
  for (std::size_t task = 0; task < stats.times.size(); ++task) {
    for (std::size_t part = 0; part < TimeShares::parts; ++part) all.ns[part] += stats.times[task].ns[part];
    if (stats.tasks <= most_tasks_shown)
      table.push_back(shares_row(fmt::format("task {}", task), stats.times[task], 1));
  }
  table.push_back(shares_row("mean", all, std::max(stats.tasks, 1U)));
  return "\n" + aligned(table, 2);
}

}  // namespace

std::string bin_text(std::size_t bin) {
  const auto name = [](u64 bytes) {
    return bytes < 1024 ? std::to_string(bytes) : byte_size(static_cast<double>(bytes));
  };
  const u64 least = workloads::least_of_bin(bin), most = workloads::most_of_bin(bin);
  if (least == most) return name(least);
  return most < 1024 ? fmt::format("{} to {}", least, most)
                     : fmt::format("{} up to {}", name(least), byte_size(2.0 * static_cast<double>(least)));
}

double seconds_in(const TraceStats& stats, std::size_t part) {
  double seconds = 0;
  for (const TimeShares& times : stats.times) seconds += static_cast<double>(times.ns[part]) * 1e-9;
  return seconds;
}

std::string text_of(const StatsReport& report) {
  const TraceStats& stats = report.stats;
  std::string text = report.trace + "\n";
  text += labelled("tasks", grouped(stats.tasks));
  text += labelled("messages",
                   fmt::format("{}, {} bytes ({})", grouped(stats.messages.count), grouped(stats.messages.bytes),
                               byte_size(static_cast<double>(stats.messages.bytes))));
  const double all_pairs = static_cast<double>(stats.tasks) * (stats.tasks - 1.0);
  text += labelled("pairs",
                   fmt::format("{} with messages{}", grouped(stats.pairs.size()),
                               all_pairs > 0 ? fmt::format(", {} of all",
                                                           percent(static_cast<double>(stats.pairs.size()) / all_pairs))
                                             : ""));
  text += labelled("sends to", partners_text(stats.partners_to) + " tasks");
  text += labelled("gets from", partners_text(stats.partners_from) + " tasks");
  if (!stats.has_times)
    text += labelled("computing", duration(seconds_in(stats, TimeShares::computing)) + " of all tasks together");
  text += missing_text(report.missing);
  return text + sizes_text(stats) + pairs_text(stats) + collectives_text(stats) + times_text(stats);
}

}  // namespace weft::tools
