// Text, JSON and HDF5 of an experiment.
#include "tools/fabric/report/flow_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/file/hdf5_file.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"
#include "tools/fabric/report/packet_outputs.hpp"
#include "version.hpp"

namespace weft::tools {

double possible_bisect_patterns(u32 hosts) {
  double patterns = hosts % 2 == 1 ? hosts : 1;
  const u32 even = hosts - hosts % 2;
  for (u32 factor = even / 2 + 1; factor <= even; ++factor) patterns *= factor;
  return patterns;
}

namespace {

/// Bins of equal width from 0 to `top`.
BandwidthHistogram empty_histogram(double top, u32 bins) {
  BandwidthHistogram histogram;
  for (u32 b = 0; b <= bins; ++b) histogram.edges.push_back(top * b / bins);
  histogram.counts.assign(bins, 0);
  return histogram;
}

}  // namespace

BandwidthHistogram histogram_of(const std::vector<double>& bandwidths, u32 bins) {
  double top = 1;
  for (const double value : bandwidths) top = std::max(top, std::ceil(value));
  BandwidthHistogram histogram = empty_histogram(top, bins);
  for (const double value : bandwidths) {
    ++histogram.counts[std::min(bins - 1, static_cast<u32>(value / top * bins))];
  }
  return histogram;
}

namespace {

/// Routes by their bandwidth 1 / congestion, in bins up to a whole link, as the published benchmark counts connections.
BandwidthHistogram pair_histogram_of(const std::vector<u64>& congestions, u32 bins) {
  BandwidthHistogram histogram = empty_histogram(1, bins);
  for (u64 c = 1; c < congestions.size(); ++c) histogram.counts[std::min<u64>(bins - 1, bins / c)] += congestions[c];
  return histogram;
}

nlohmann::json json_of(const BandwidthHistogram& histogram) {
  return {{"edges", histogram.edges}, {"counts", histogram.counts}};
}

void write(files::Hdf5Writer& file, const std::string& group, const BandwidthHistogram& histogram,
           const std::string& of) {
  file.column(group + "/edges", histogram.edges, "fraction of link bandwidth");
  file.column(group + "/counts", histogram.counts, of);
}

/// "161 links with 4xQDR, 1 with 1xSDR; fractions are of 4xQDR, 32 Gb/s".
std::string speeds_text(const FlowReport& report) {
  std::string text;
  for (const auto& [speed, links] : report.speeds)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counted(links, "link"), speed);
  return text + "; fractions are of " + report.usual_speed.text();
}

/// Whole numbers as such.
nlohmann::json congestion_json(const std::vector<double>& congestion) {
  const auto whole = [](double c) { return c == std::floor(c); };
  if (!std::ranges::all_of(congestion, whole)) return congestion;
  return std::vector<u64>(congestion.begin(), congestion.end());
}

}  // namespace

std::string text_of(const FlowReport& report) {
  const FlowSummary& s = report.summary;
  std::string text =
      fmt::format("{}: {} hosts, {} switches\n", report.fabric, grouped(report.hosts), grouped(report.switches));
  text += labelled("routing",
                   report.routing + (report.layers > 1 ? fmt::format(", {} virtual layers", report.layers) : ""));
  text += labelled(
      "pattern",
      fmt::format("{}{}, mapping {}, {} of seed {}{}", report.pattern, report.both_ways ? ", both ways" : "",
                  report.mapping, counted(s.patterns, "pattern"), report.seed, s.precise ? ", precise enough" : ""));
  if (!report.speeds.empty()) text += labelled("speeds", speeds_text(report));
  const std::string interval = s.patterns > 1 ? plus_minus(100 * s.ci95, 3) + " (95 % confidence)" : "";
  text += labelled("bandwidth",
                   fmt::format("{}{} of a link's, mean over routes and patterns", percent(s.mean, 2), interval));
  if (s.patterns > 1) {
    text += labelled("patterns", fmt::format("from {} to {}, standard deviation {}", percent(s.min, 2),
                                             percent(s.max, 2), percent(s.stddev, 2)));
  }
  text += labelled("by tasks", percent(s.task_avg, 2) +
                                   ", mean over tasks: each goes on when its own messages are through (task_avg)");
  text += labelled("optimistic", percent(s.sum_avg, 2) + ", 1 / mean congestion of a pattern (sum_avg)");
  text += labelled("pessimistic", percent(s.sum_max, 2) + ", if all wait for the slowest in each round (sum_max)");
  std::string routes;
  for (std::size_t c = 1; c < s.congestions.size(); ++c) {
    if (s.congestions[c] == 0) continue;
    routes += fmt::format("{}{}: {}", routes.empty() ? "" : ", ", c,
                          percent(static_cast<double>(s.congestions[c]) / static_cast<double>(s.routes), 1));
    if (c >= 12 && c + 1 < s.congestions.size()) {
      routes += ", ...";
      break;
    }
  }
  text += labelled("congestion", routes);
  if (report.patterns_possible > 0 && report.patterns_possible < 1e15) {
    text += labelled("there are", grouped(static_cast<u64>(report.patterns_possible)) + " such patterns");
  }
  if (report.loggp) text += loggp_text(*report.loggp, s.congestions);
  if (report.has_packets()) text += packet_text(report);
  return text;
}

nlohmann::json json_of(const FlowReport& report) {
  const FlowSummary& s = report.summary;
  nlohmann::json json = {
      {"weft", version},
      {"fabric", report.fabric},
      {"hosts", report.hosts},
      {"switches", report.switches},
      {"links", report.switch_links + report.host_links},
      {"switch_links", report.switch_links},
      {"routing", report.routing},
      {"layers", report.layers},
      {"pattern", report.pattern},
      {"mapping", report.mapping},
      {"lid", report.lid},
      {"patterns", s.patterns},
      {"routes", s.routes},
      {"seed", report.seed},
      {"scale", report.scale},
      {"both_ways", report.both_ways},
      {"precise", s.precise},
      {"bandwidth", {{"mean", s.mean}, {"stddev", s.stddev}, {"min", s.min}, {"max", s.max}, {"ci95", s.ci95}}},
      {"task_avg", s.task_avg},
      {"sum_avg", s.sum_avg},
      {"sum_max", s.sum_max},
      {"mean_congestion", {{"avg", s.pi_avg}, {"max", s.pi_max}}},
      {"histogram", json_of(histogram_of(s.bandwidths, report.bins))},
      {"sum_avg_histogram", json_of(histogram_of(s.sum_avgs, report.bins))},
      {"route_histogram", json_of(pair_histogram_of(s.congestions, report.bins))},
      {"congestion_counts", s.congestions}};
  if (report.patterns_possible > 0 && report.patterns_possible < 1e15) {
    json["patterns_possible"] = static_cast<u64>(report.patterns_possible);
  }
  if (!report.congestion.empty()) json["congestion"] = congestion_json(report.congestion);
  if (!report.speeds.empty()) {
    json["speeds"] = report.speeds;
    json["link"] = {{"speed", report.usual_speed.name}};
    if (report.usual_speed.in_gbps()) json["link"]["rate_gbps"] = report.usual_speed.rate;
  }
  if (report.loggp) json["loggp"] = loggp_json(*report.loggp, s.congestions);
  if (report.has_packets()) json["packets"] = packet_json(report);
  return json;
}

void write_hdf5(const FlowReport& report, const std::string& path) {
  const FlowSummary& s = report.summary;
  const std::string share = "fraction of link bandwidth";
  files::Hdf5Writer file(path);
  file.attribute("/", "format", "weft fabric ebb 1");
  file.attribute("/", "weft", std::string(version));
  file.scalar("/fabric/name", report.fabric, "");
  file.scalar("/fabric/hosts", u64{report.hosts}, "hosts");
  file.scalar("/fabric/switches", u64{report.switches}, "switches");
  file.scalar("/fabric/switch_links", report.switch_links, "links");
  file.scalar("/fabric/routing", report.routing, "");
  file.scalar("/fabric/layers", u64{report.layers}, "virtual layers");
  file.scalar("/experiment/pattern", report.pattern, "");
  file.scalar("/experiment/mapping", report.mapping, "");
  file.scalar("/experiment/lid", report.lid, "");
  file.scalar("/experiment/seed", report.seed, "");
  file.scalar("/experiment/scale", u64{report.scale}, "");
  file.scalar("/experiment/both_ways", u64{report.both_ways}, "");
  file.scalar("/experiment/patterns", s.patterns, "patterns");
  file.scalar("/bandwidth/mean", s.mean, share);
  file.scalar("/bandwidth/stddev", s.stddev, share);
  file.scalar("/bandwidth/min", s.min, share);
  file.scalar("/bandwidth/max", s.max, share);
  file.scalar("/bandwidth/ci95", s.ci95, share);
  file.scalar("/bandwidth/task_avg", s.task_avg, share);
  file.scalar("/bandwidth/sum_avg", s.sum_avg, share);
  file.scalar("/bandwidth/sum_max", s.sum_max, share);
  file.column("/bandwidth/by_pattern", s.bandwidths, share);
  file.column("/bandwidth/sum_avg_by_pattern", s.sum_avgs, share);
  file.scalar("/congestion/mean_avg", s.pi_avg, "routes");
  file.scalar("/congestion/mean_max", s.pi_max, "routes");
  file.column("/congestion/routes", s.congestions, "routes");
  if (!report.congestion.empty()) {
    file.column("/congestion/by_route", report.congestion, "routes");
  }
  write(file, "/histogram", histogram_of(s.bandwidths, report.bins), "patterns");
  write(file, "/sum_avg_histogram", histogram_of(s.sum_avgs, report.bins), "patterns");
  write(file, "/route_histogram", pair_histogram_of(s.congestions, report.bins), "routes");
  if (report.has_packets()) write_packets(report, file);
  file.save();
}

}  // namespace weft::tools
