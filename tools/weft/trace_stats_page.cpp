// Statistics of traces as a page with pictures.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "tools/result/report_style.hpp"
#include "tools/result/svg_axes.hpp"
#include "tools/result/svg_chart.hpp"
#include "tools/text/numbers.hpp"
#include "tools/weft/trace_stats_outputs.hpp"

namespace weft::tools {
namespace {

using workloads::TimeShares;
using workloads::TraceStats;
using workloads::Traffic;
using workloads::TrafficPair;

constexpr u32 most_cells_a_side = 96, most_time_bars = 48;

std::string card(const std::string& title, const std::string& content) {
  return fmt::format("<section class=\"card\"><h2 style=\"margin-top:0\">{}</h2>\n{}</section>\n", title, content);
}

std::string table_row(const std::vector<std::string>& cells, const char* tag) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += fmt::format("<{0}>{1}</{0}>", tag, escaped(cell));
  return row + "</tr>\n";
}

std::string sizes_card(const TraceStats& stats) {
  std::size_t first = workloads::size_bins, last = 0;
  for (std::size_t bin = 0; bin < workloads::size_bins; ++bin) {
    if (stats.sizes[bin].count == 0) continue;
    first = std::min(first, bin);
    last = bin;
  }
  if (first == workloads::size_bins) return card("Messages by size", paragraph("There are none.", "soft"));
  StackedChart counts{.y_label = "messages", .parts = {"messages"}, .bars = {}, .groups = {}, .values = {}};
  StackedChart bytes{.y_label = "bytes", .parts = {"bytes"}, .bars = {}, .groups = {}, .values = {}};
  std::string rows = table_row({"bytes of a message", "messages", "bytes"}, "th");
  for (std::size_t bin = first; bin <= last; ++bin) {
    const Traffic& traffic = stats.sizes[bin];
    const bool labelled_bar = last - first < 12 || (bin - first) % 4 == 0;
    const u64 least = workloads::least_of_bin(bin);
    const std::string label = least < 1024 ? std::to_string(least) : byte_size(static_cast<double>(least));
    for (StackedChart* chart : {&counts, &bytes}) chart->bars.push_back(labelled_bar ? label : "");
    counts.values.push_back({static_cast<double>(traffic.count)});
    bytes.values.push_back({static_cast<double>(traffic.bytes)});
    if (traffic.count > 0) rows += table_row({bin_text(bin), grouped(traffic.count), grouped(traffic.bytes)}, "td");
  }
  return card("Messages by size",
              paragraph("Each bar is of messages from the size below it up to the next one.", "soft") +
                  "<div class=\"grid\"><div>" + stacked_chart(counts) + "</div><div>" + stacked_chart(bytes) +
                  "</div></div>\n<div class=\"scroll\"><table>" + rows + "</table></div>\n");
}

/// Bytes by sender (downwards) and receiver, neighbours together where there are many tasks.
std::string matrix_picture(const TraceStats& stats) {
  const u32 side = std::min(stats.tasks, most_cells_a_side);
  std::vector<u64> cells(std::size_t{side} * side, 0);
  const auto cell_of = [&](u32 task) { return static_cast<u32>(u64{task} * side / stats.tasks); };
  for (const TrafficPair& pair : stats.pairs)
    cells[std::size_t{cell_of(pair.from)} * side + cell_of(pair.to)] += pair.messages.bytes;
  const u64 most = *std::ranges::max_element(cells);
  const double width = std::min(14.0, (svg::height * 2) / side);
  const auto first_of = [&](u32 cell) { return (u64{cell} * stats.tasks + side - 1) / side; };
  const auto name = [&](u32 cell) {
    const u64 first = first_of(cell), last = first_of(cell + 1) - 1;
    return first == last ? std::to_string(first) : fmt::format("{} to {}", first, last);
  };
  std::string out = fmt::format(
      "<p class=\"legend\">rows send, columns receive; bytes, by their logarithm: 0 <i class=\"ramp\"></i> to {}</p>\n",
      escaped(grouped(most)));
  out += svg::svg_open(width * side + 2, "bytes by sender and receiver");
  for (u32 row = 0; row < side; ++row) {
    for (u32 column = 0; column < side; ++column) {
      const u64 bytes = cells[std::size_t{row} * side + column];
      if (bytes == 0) continue;
      const double shade = std::log1p(static_cast<double>(bytes)) / std::log1p(static_cast<double>(most));
      out += "<rect class=\"cell\"" + svg::attribute("x", 1 + width * column) + svg::attribute("y", 1 + width * row) +
             svg::attribute("width", width * 0.94) + svg::attribute("height", width * 0.94) +
             fmt::format(" fill-opacity=\"{:.2f}\"><title>{}</title></rect>\n", 0.08 + 0.92 * shade,
                         escaped(fmt::format("{} sends to {}: {} bytes", name(row), name(column), grouped(bytes))));
    }
  }
  out += fmt::format("<rect x=\"1\" y=\"1\" width=\"{0}\" height=\"{0}\" fill=\"none\" class=\"axis\"/>\n",
                     svg::place(width * side));
  return out + "</svg>\n";
}

std::string matrix_card(const TraceStats& stats) {
  if (stats.pairs.empty()) return "";
  std::vector<double> sent(stats.tasks, 0), got(stats.tasks, 0);
  for (const TrafficPair& pair : stats.pairs) {
    sent[pair.from] += static_cast<double>(pair.messages.bytes);
    got[pair.to] += static_cast<double>(pair.messages.bytes);
  }
  const std::vector<double> to(stats.partners_to.begin(), stats.partners_to.end());
  return card("Who sends to whom", matrix_picture(stats) + "<div class=\"grid\"><div><h3>Sent</h3>\n" +
                                       bar_chart(sent, "task", "bytes", "task") + "</div><div><h3>Received</h3>\n" +
                                       bar_chart(got, "task", "bytes", "task") + "</div><div><h3>Partners</h3>\n" +
                                       bar_chart(to, "task", "tasks that it sends to", "task") + "</div></div>\n");
}

std::string collectives_card(const TraceStats& stats) {
  if (stats.collectives.empty()) return "";
  std::string rows = table_row({"operation", "bytes of a call", "calls of tasks", "bytes"}, "th");
  for (const auto& [key, traffic] : stats.collective_sizes)
    rows += table_row({std::string(workloads::name_of(key.first)), bin_text(key.second), grouped(traffic.count),
                       grouped(traffic.bytes)},
                      "td");
  StackedChart chart{.y_label = "calls of tasks", .parts = {"calls"}, .bars = {}, .groups = {}, .values = {}};
  for (const auto& [operation, traffic] : stats.collectives) {
    chart.bars.emplace_back(workloads::name_of(operation));
    chart.values.push_back({static_cast<double>(traffic.count)});
  }
  std::string unknown;
  if (stats.calls_of_unknown_size > 0)
    unknown = paragraph(
        fmt::format("The trace does not say the size of {} calls.", grouped(stats.calls_of_unknown_size)), "soft");
  return card("Collective calls",
              stacked_chart(chart) + unknown + "<div class=\"scroll\"><table>" + rows + "</table></div>\n");
}

std::string times_card(const TraceStats& stats) {
  if (!stats.has_times || stats.tasks == 0) return "";
  StackedChart chart{.y_label = "seconds", .parts = {}, .bars = {}, .groups = {}, .values = {}};
  for (const char* name : TimeShares::names) chart.parts.emplace_back(name);
  const u32 bars = std::min(stats.tasks, most_time_bars);
  const u32 apart = bars <= 16 ? 1 : 8;
  for (u32 bar = 0; bar < bars; ++bar) {
    const u64 first = u64{bar} * stats.tasks / bars, end = (u64{bar} + 1) * stats.tasks / bars;
    std::vector<double> seconds(TimeShares::parts, 0);
    for (u64 task = first; task < end; ++task) {
      for (std::size_t part = 0; part < TimeShares::parts; ++part)
        seconds[part] += static_cast<double>(stats.times[task].ns[part]) * 1e-9 / static_cast<double>(end - first);
    }
    chart.values.push_back(std::move(seconds));
    chart.bars.push_back(bar % apart == 0 ? std::to_string(first) : "");
  }
  return card("Time by task",
              (bars < stats.tasks ? paragraph("Each bar is the mean of neighbouring tasks.", "soft") : "") +
                  stacked_chart(chart));
}

}  // namespace

std::string page_of(const StatsReport& report) {
  const TraceStats& stats = report.stats;
  std::string page = page_begin("Trace " + report.trace, report_style);
  page += "<h1>" + escaped(report.trace) + "</h1>\n";
  page += paragraph(
      fmt::format("{}, {}, {} bytes in messages, {} pairs of tasks with messages.", counted(stats.tasks, "task"),
                  counted(stats.messages.count, "message"), grouped(stats.messages.bytes), grouped(stats.pairs.size())),
      "soft");
  return page + sizes_card(stats) + matrix_card(stats) + collectives_card(stats) + times_card(stats) + page_end();
}

}  // namespace weft::tools
