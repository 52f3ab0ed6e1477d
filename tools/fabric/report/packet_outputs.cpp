// Tables, JSON and HDF5 of packets.
#include "tools/fabric/report/packet_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"

namespace weft::tools {
namespace {

/// Bins of the text: ten of those of the JSON, around 5 %, 10 %...
constexpr u32 bins_a_line = 10;

std::string mib(const PacketReport& packets, double share) { return fixed(share * packets.link_mib_per_s, 1); }

std::string sent(const PacketReport& packets) {
  const std::string ways = packets.messages.both_ways ? "both ways, each after the other's last" : "one way";
  return fmt::format("{} of {} for each pair, {}; {}", counted(packets.messages.messages, "message"),
                     byte_size(static_cast<double>(packets.messages.bytes)), ways,
                     packets.takes_tables ? "by the same tables" : "by the routes of the config");
}

std::string bandwidths_table(const FlowSummary& flows) {
  const PacketSummary& packets = flows.packets;
  TextTable table{{"patterns", "mean", "± (95 % confidence)", "min", "max"}};
  const auto row = [&](const std::string& name, double mean, double ci95, double min, double max) {
    table.push_back(
        {name, percent(mean, 2), std::isfinite(ci95) ? percent(ci95, 2) : "-", percent(min, 2), percent(max, 2)});
  };
  row("as flows", flows.mean, flows.ci95, flows.min, flows.max);
  row("as packets", packets.mean, packets.ci95, packets.min, packets.max);
  return aligned(table, 2);
}

std::string congestion_table(const FlowReport& report) {
  const PacketReport& packets = report.packets;
  const bool rate = packets.link_mib_per_s > 0;
  TextTable table{{"congestion", "pairs", "as flows", "as packets", "min", "max"}};
  if (rate) table.front().insert(table.front().end(), {"flows MiB/s", "packets MiB/s"});
  const auto& rows = report.summary.packets.by_congestion;
  constexpr std::size_t most_rows = 12;
  for (std::size_t c = 1; c < rows.size() && table.size() <= most_rows; ++c) {
    if (rows[c].pairs == 0) continue;
    const double flow = 1.0 / static_cast<double>(c);
    table.push_back({std::to_string(c), grouped(rows[c].pairs), percent(flow, 2), percent(rows[c].mean(), 2),
                     percent(rows[c].min, 2), percent(rows[c].max, 2)});
    if (rate) table.back().insert(table.back().end(), {mib(packets, flow), mib(packets, rows[c].mean())});
  }
  return aligned(table, 2);
}

std::string histogram_table(const FlowReport& report) {
  const std::vector<u64> flows = flow_bins(report.summary.congestions), sent = report.summary.packets.histogram;
  const std::vector<double> edges = pair_bin_edges();
  const double all = static_cast<double>(report.summary.packets.pairs.pairs);
  TextTable table{{"fraction of a link", "as flows", "as packets"}};
  for (u32 from = 0; from < pair_bins; from += bins_a_line) {
    u64 of_flows = 0, of_packets = 0;
    const u32 half = bins_a_line / 2, first = from < half ? 0 : from - half, end = std::min(pair_bins, from + half);
    for (u32 b = first; b < end; ++b) of_flows += flows[b], of_packets += sent[b];
    if (of_flows + of_packets == 0) continue;
    table.push_back({fmt::format("{} to {}", fixed(100 * edges[first], 2), percent(edges[end], 2)),
                     percent(static_cast<double>(of_flows) / all), percent(static_cast<double>(of_packets) / all)});
  }
  return aligned(table, 2);
}

std::string correlation_text(const PacketSummary& packets) {
  if (std::isnan(packets.mean_correlation)) return "no correlation (one of the two is the same for all pairs)";
  return fmt::format("correlation {} in the mean of patterns, from {} to {}", fixed(packets.mean_correlation, 3),
                     fixed(packets.least_correlation, 3), fixed(packets.most_correlation, 3));
}

}  // namespace

std::string packet_text(const FlowReport& report) {
  const PacketSummary& s = report.summary.packets;
  std::string text = labelled("packets", sent(report.packets));
  if (report.packets.link_mib_per_s > 0)
    text += labelled("a link", fmt::format("{} MiB/s of messages", fixed(report.packets.link_mib_per_s, 1)));
  text +=
      labelled("differences", fmt::format("at most {} of a pattern, {} of a pair; {}", percent(s.pattern_difference, 2),
                                          percent(s.pair_difference, 2), correlation_text(s)));
  text += labelled("simulated", fmt::format("{} cycles, {} packets", grouped(s.cycles), grouped(s.packets)));
  return text + bandwidths_table(report.summary) + congestion_table(report) + histogram_table(report);
}

nlohmann::json packet_json(const FlowReport& report) {
  const PacketSummary& s = report.summary.packets;
  const PacketReport& packets = report.packets;
  nlohmann::json congestion = nlohmann::json::array();
  for (std::size_t c = 1; c < s.by_congestion.size(); ++c) {
    const PairShares& of = s.by_congestion[c];
    if (of.pairs == 0) continue;
    congestion.push_back({{"congestion", c},
                          {"pairs", of.pairs},
                          {"flows", 1.0 / static_cast<double>(c)},
                          {"mean", of.mean()},
                          {"stddev", of.stddev()},
                          {"min", of.min},
                          {"max", of.max}});
  }
  nlohmann::json json = {
      {"config", packets.config},
      {"routes", packets.takes_tables ? "tables" : "config"},
      {"messages", packets.messages.messages},
      {"message_bytes", packets.messages.bytes},
      {"both_ways", packets.messages.both_ways},
      {"bandwidth", {{"mean", s.mean}, {"stddev", s.stddev}, {"min", s.min}, {"max", s.max}, {"ci95", s.ci95}}},
      {"pairs", {{"mean", s.pairs.mean()}, {"stddev", s.pairs.stddev()}, {"min", s.pairs.min}, {"max", s.pairs.max}}},
      {"largest_difference", {{"pattern", s.pattern_difference}, {"pair", s.pair_difference}}},
      {"correlation", {{"mean", s.mean_correlation}, {"min", s.least_correlation}, {"max", s.most_correlation}}},
      {"congestion", std::move(congestion)},
      {"histogram",
       {{"edges", pair_bin_edges()}, {"flows", flow_bins(report.summary.congestions)}, {"packets", s.histogram}}},
      {"simulated_cycles", s.cycles},
      {"packets", s.packets},
      {"link_mib_per_s", nullptr}};
  if (packets.link_mib_per_s > 0) json["link_mib_per_s"] = packets.link_mib_per_s;
  if (!packets.shares.empty()) json["shares"] = packets.shares;
  return json;
}

void write_packets(const FlowReport& report, files::Hdf5Writer& file) {
  const PacketSummary& s = report.summary.packets;
  const PacketReport& packets = report.packets;
  const std::string share = "fraction of link bandwidth";
  file.scalar("/packets/config", packets.config.dump(), "JSON");
  file.scalar("/packets/routes", std::string(packets.takes_tables ? "tables" : "config"), "");
  file.scalar("/packets/messages", u64{packets.messages.messages}, "messages");
  file.scalar("/packets/message_bytes", packets.messages.bytes, "bytes");
  file.scalar("/packets/both_ways", u64{packets.messages.both_ways}, "");
  file.scalar("/packets/link_mib_per_s", packets.link_mib_per_s, "MiB/s");
  file.scalar("/packets/bandwidth/mean", s.mean, share);
  file.scalar("/packets/bandwidth/stddev", s.stddev, share);
  file.scalar("/packets/bandwidth/min", s.min, share);
  file.scalar("/packets/bandwidth/max", s.max, share);
  file.scalar("/packets/bandwidth/ci95", s.ci95, share);
  file.column("/packets/by_pattern/bandwidth", s.bandwidths, share);
  file.column("/packets/by_pattern/correlation", s.correlations, "");
  file.column("/packets/by_pattern/largest_difference", s.largest_differences, share);
  std::vector<u64> congestion, pairs;
  std::vector<double> mean, stddev, min, max;
  for (std::size_t c = 1; c < s.by_congestion.size(); ++c) {
    const PairShares& of = s.by_congestion[c];
    if (of.pairs == 0) continue;
    congestion.push_back(c);
    pairs.push_back(of.pairs);
    mean.push_back(of.mean());
    stddev.push_back(of.stddev());
    min.push_back(of.min);
    max.push_back(of.max);
  }
  file.column("/packets/by_congestion/congestion", congestion, "routes");
  file.column("/packets/by_congestion/pairs", pairs, "pairs");
  file.column("/packets/by_congestion/mean", mean, share);
  file.column("/packets/by_congestion/stddev", stddev, share);
  file.column("/packets/by_congestion/min", min, share);
  file.column("/packets/by_congestion/max", max, share);
  file.column("/packets/histogram/edges", pair_bin_edges(), share);
  file.column("/packets/histogram/flows", flow_bins(report.summary.congestions), "pairs");
  file.column("/packets/histogram/packets", s.histogram, "pairs");
  if (!packets.shares.empty()) file.column("/packets/shares", packets.shares, share);
}

}  // namespace weft::tools
