// The report: one self-contained HTML page that compares results; charts come from svg_chart.
#include "tools/result/report.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "engine/error.hpp"
#include "tools/files/atomic_file.hpp"
#include "tools/result/hdf5_result.hpp"
#include "tools/result/histogram.hpp"
#include "tools/result/report_activities.hpp"
#include "tools/result/report_jobs.hpp"
#include "tools/result/report_statistics.hpp"
#include "tools/result/report_style.hpp"
#include "tools/result/svg_chart.hpp"
#include "tools/stats/deviation.hpp"
#include "tools/text/markup.hpp"
#include "tools/text/numbers.hpp"

namespace weft::tools {
namespace {

constexpr u32 latency_columns = 96;
constexpr std::size_t most_rank_rows = 256;

using Runs = std::vector<NamedResult>;
using Figure = std::function<std::string(const RunResult&)>;

std::string header_row(const Runs& runs, const std::string& first) {
  std::string out = fmt::format("<tr><th>{}</th>", escaped(first));
  for (const NamedResult& run : runs) out += fmt::format("<th>{}</th>", escaped(run.name));
  return out + "</tr>\n";
}

/// Rows of the key figures: a group heading has no figure.
struct FigureRow {
  std::string label;
  Figure figure;
};

std::string per_second(u64 count, double seconds, const char* unit) {
  return seconds > 0 ? with_prefix(static_cast<double>(count) / seconds) + " " + unit + "/s" : "n/a";
}

std::string deviation(double value) { return value > 0 ? significant(value, 2) : ""; }

std::string completion(const RunResult& r) {
  const std::vector<double> finished = r.finished_cycles();
  return finished.empty() ? "" : significant(*std::ranges::max_element(finished), 6);
}

std::string mean_burst(const RunResult& r) {
  if (r.burst_cycles.empty()) return "";
  return significant(stats::mean_of(r.burst_cycles), 6);
}

std::vector<FigureRow> subject_rows() {
  return {
      {"What ran", nullptr},
      {"topology", [](const RunResult& r) { return r.topology_name; }},
      {"nodes, routers", [](const RunResult& r) { return grouped(r.nodes) + ", " + grouped(r.routers); }},
      {"router", [](const RunResult& r) { return r.router_name; }},
      {"workload", [](const RunResult& r) { return r.workload_name; }},
      {"seed", [](const RunResult& r) { return std::to_string(r.seed); }},
      {"simulated cycles", [](const RunResult& r) { return grouped(r.cycles); }},
      {"stopped by", [](const RunResult& r) { return r.stop_reason; }},
      {"digest", [](const RunResult& r) { return r.digest.substr(0, 16) + (r.digest.size() > 16 ? "…" : ""); }},
  };
}

std::vector<FigureRow> network_rows() {
  return {
      {"Load, phits/node/cycle", nullptr},
      {"measured over",
       [](const RunResult& r) {
         if (!r.seeds.empty()) return std::to_string(r.seeds.size()) + " seeds";
         return r.measured ? std::to_string(r.batches.size()) + " batches" : std::string("the whole run");
       }},
      {"saturated: fraction of the offered load not taken",
       [](const RunResult& r) {
         return !r.saturated() ? ""
                               : fmt::format("{} %, cycles {} to {}", significant(100 * r.load_untaken_fraction, 2),
                                             grouped(r.figures_of().first), grouped(r.figures_of().second));
       }},
      {"offered", [](const RunResult& r) { return significant(r.load_offered); }},
      {"injected", [](const RunResult& r) { return significant(r.load_injected); }},
      {"accepted, ± 95 % confidence",
       [](const RunResult& r) { return significant(r.load_accepted) + plus_minus(r.load_accepted_ci95); }},
      {"accepted, standard deviation", [](const RunResult& r) { return deviation(r.load_accepted_stddev); }},
      {"converged to a steady state",
       [](const RunResult& r) {
         return std::string(!r.measured ? "" : r.converged ? "yes" : "no");
       }},
      {"Latency from generation, cycles", nullptr},
      {"mean, ± 95 % confidence",
       [](const RunResult& r) { return significant(r.latency_mean) + plus_minus(r.latency_mean_ci95); }},
      {"standard deviation", [](const RunResult& r) { return deviation(r.latency_stddev); }},
      {"median", [](const RunResult& r) { return significant(r.latency_p50); }},
      {"90th percentile", [](const RunResult& r) { return significant(r.latency_p90); }},
      {"99th percentile", [](const RunResult& r) { return significant(r.latency_p99); }},
      {"99.9th percentile", [](const RunResult& r) { return significant(r.latency_p999); }},
      {"largest", [](const RunResult& r) { return significant(r.latency_max); }},
      {"mean from injection", [](const RunResult& r) { return significant(r.latency_network_mean); }},
      {"Traffic", nullptr},
      {"completion of the last task, cycles", completion},
      {"mean burst, cycles", mean_burst},
      {"packets generated", [](const RunResult& r) { return grouped(r.packets_generated); }},
      {"packets injected", [](const RunResult& r) { return grouped(r.packets_injected); }},
      {"packets delivered", [](const RunResult& r) { return grouped(r.packets_delivered); }},
      {"packets dropped", [](const RunResult& r) { return grouped(r.packets_dropped); }},
      {"packets in flight", [](const RunResult& r) { return grouped(r.packets_in_flight); }},
      {"messages sent", [](const RunResult& r) { return grouped(r.messages_sent); }},
      {"messages delivered", [](const RunResult& r) { return grouped(r.messages_delivered); }},
      {"mean, largest distance, links",
       [](const RunResult& r) { return significant(r.distance_mean) + ", " + significant(r.distance_max); }},
  };
}

/// Figures that one rank alone, or another protocol, does not have.
std::string of_several_ranks(const RunResult& r, const std::string& text) { return r.ranks > 1 ? text : ""; }
std::string of_protocol(const RunResult& r, const std::string& protocol, const std::string& text) {
  return r.engine.protocol == protocol ? of_several_ranks(r, text) : "";
}

std::vector<FigureRow> engine_rows() {
  return {
      {"Engine", nullptr},
      {"events", [](const RunResult& r) { return per_second(r.engine.events, r.engine.wall_s, "events"); }},
      {"packet-hops", [](const RunResult& r) { return per_second(r.engine.packet_hops, r.engine.wall_s, "hops"); }},
      {"event loop, set-up",
       [](const RunResult& r) { return duration(r.engine.wall_s) + ", " + duration(r.engine.setup_s); }},
      {"memory", [](const RunResult& r) { return byte_size(static_cast<double>(r.engine.bytes_per_node)) + "/node"; }},
      {"ranks", [](const RunResult& r) { return std::to_string(r.ranks); }},
      {"protocol, partition",
       [](const RunResult& r) { return r.engine.protocol + of_several_ranks(r, ", " + r.engine.partition); }},
      {"lookahead, cycles", [](const RunResult& r) { return of_several_ranks(r, grouped(r.engine.lookahead_cycles)); }},
      {"windows", [](const RunResult& r) { return of_protocol(r, "windowed", grouped(r.engine.windows)); }},
      {"null messages",
       [](const RunResult& r) { return of_protocol(r, "null-message", grouped(r.engine.null_messages)); }},
      {"agreements of all ranks", [](const RunResult& r) { return of_several_ranks(r, grouped(r.engine.exchanges)); }},
      {"messages between ranks",
       [](const RunResult& r) { return of_several_ranks(r, grouped(r.engine.remote_messages)); }},
      {"links cut, balance",
       [](const RunResult& r) {
         return of_several_ranks(r, grouped(r.engine.edge_cut) + ", " + significant(r.engine.balance, 3));
       }},
      {"weft, host", [](const RunResult& r) { return r.version + ", " + r.host; }},
      {"started", [](const RunResult& r) { return r.started_at; }},
  };
}

std::string figures_table(const Runs& runs) {
  std::string out = "<div class=\"card scroll\"><table>\n" + header_row(runs, "");
  for (const auto& rows : {subject_rows(), network_rows(), engine_rows()}) {
    for (const FigureRow& row : rows) {
      if (!row.figure) {
        out +=
            fmt::format("<tr class=\"group\"><th colspan=\"{}\">{}</th></tr>\n", runs.size() + 1, escaped(row.label));
        continue;
      }
      std::string cells;
      bool any = false;
      for (const NamedResult& run : runs) {
        const std::string text = row.figure(run.result);
        any = any || !text.empty();
        cells += fmt::format("<td class=\"text\">{}</td>", escaped(text));
      }
      if (any) out += fmt::format("<tr><td>{}</td>{}</tr>\n", escaped(row.label), cells);
    }
  }
  return out + "</table></div>\n";
}

/// Config as "table.key" -> text, so that runs can be compared key by key.
std::map<std::string, std::string> flat_config(const RunResult& r) {
  std::map<std::string, std::string> flat;
  const nlohmann::json config = nlohmann::json::parse(r.config_json, nullptr, false);
  const std::function<void(const nlohmann::json&, const std::string&)> visit = [&](const nlohmann::json& value,
                                                                                   const std::string& key) {
    if (!value.is_object()) {
      flat[key] = value.is_string() ? value.get<std::string>()
                                    : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      return;
    }
    for (const auto& [name, inner] : value.items()) visit(inner, key.empty() ? name : key + "." + name);
  };
  if (config.is_object()) visit(config, "");
  return flat;
}

std::string differences_table(const Runs& runs) {
  if (runs.size() < 2) return {};
  std::vector<std::map<std::string, std::string>> configs;
  std::set<std::string> keys;
  for (const NamedResult& run : runs) {
    configs.push_back(flat_config(run.result));
    for (const auto& [key, value] : configs.back()) keys.insert(key);
  }
  std::string rows;
  for (const std::string& key : keys) {
    std::set<std::string> values;
    std::string cells;
    for (const auto& config : configs) {
      const auto it = config.find(key);
      const std::string text = it == config.end() ? "–" : it->second;
      values.insert(text);
      cells += fmt::format("<td class=\"text\">{}</td>", escaped(text));
    }
    if (values.size() > 1) rows += fmt::format("<tr><td><code>{}</code></td>{}</tr>\n", escaped(key), cells);
  }
  if (rows.empty()) return "<h2>Settings that differ</h2>\n<p class=\"soft\">None: all runs had the same config.</p>\n";
  return "<h2>Settings that differ</h2>\n<div class=\"card scroll\"><table>\n" + header_row(runs, "key") + rows +
         "</table></div>\n";
}

/// Fraction of the packets in each of equally wide (on the log axis) latency columns; runs of a chart share the axis.
std::string latency_section(const Runs& runs) {
  HistogramRange range;
  for (const NamedResult& run : runs) {
    const HistogramRange one = occupied_range(run.result.latency_histogram);
    if (one.high == 0) continue;
    range.low = range.high == 0 ? one.low : std::min(range.low, one.low);
    range.high = std::max(range.high, one.high);
  }
  if (range.high == 0) return {};
  std::string out = "<h2>Latency</h2>\n<div class=\"card\">\n";
  for (std::size_t first = 0; first < runs.size(); first += series_colours) {
    LineChart chart;
    chart.x_label = "latency from generation, cycles (log scale)";
    chart.y_label = "% of the packets per column";
    chart.x_low = range.low;
    chart.x_high = range.high;
    chart.log_x = true;
    for (std::size_t ix = first; ix < std::min<std::size_t>(runs.size(), first + series_colours); ++ix) {
      const std::vector<double> columns =
          rebin_log(runs[ix].result.latency_histogram, range.low, range.high, latency_columns);
      const double total = std::accumulate(columns.begin(), columns.end(), 0.0);
      ChartSeries series{runs[ix].name, static_cast<u32>(ix - first), false, true, {}};
      for (u32 column = 0; total > 0 && column < latency_columns; ++column) {
        const double middle = (column + 0.5) / latency_columns;
        series.points.emplace_back(range.low * std::pow(range.high / range.low, middle), 100 * columns[column] / total);
      }
      chart.series.push_back(std::move(series));
    }
    out += line_chart(chart);
  }
  return out + "</div>\n";
}

std::string load_chart(const RunResult& r, double y_high) {
  const std::vector<IntervalRow>& rows = r.intervals.empty() ? r.batches : r.intervals;
  if (rows.empty()) return {};
  LineChart chart;
  chart.x_label = r.batches.empty() ? "cycle" : "cycle (shaded: measured batches)";
  chart.y_label = "phits/node/cycle";
  chart.x_low = static_cast<double>(rows.front().begin);
  chart.x_high = static_cast<double>(std::max(rows.back().end, r.batches.empty() ? 0 : r.batches.back().end));
  chart.y_high = y_high;
  ChartSeries accepted{"accepted load", 0, false, false, {}};
  ChartSeries injected{"injected load", 1, true, false, {}};
  const auto add = [&](const IntervalRow& row) {
    const double middle = (static_cast<double>(row.begin) + static_cast<double>(row.end)) / 2;
    accepted.points.emplace_back(middle, row.accepted_load);
    injected.points.emplace_back(middle, row.injected_load);
  };
  for (const IntervalRow& row : rows) add(row);
  // Where the time series ends with the warm-up, the batches continue it.
  for (const IntervalRow& row : r.batches) {
    if (!r.intervals.empty() && row.begin >= r.intervals.back().end) add(row);
    chart.bands.push_back(
        {static_cast<double>(row.begin), static_cast<double>(row.end),
         fmt::format("batch {}: accepted {}, latency {} cycles, {} packets", chart.bands.size() + 1,
                     significant(row.accepted_load), significant(row.latency_mean), grouped(row.delivered_packets))});
  }
  chart.series = {std::move(injected), std::move(accepted)};
  return "<div><h3>Load over time</h3>\n" + line_chart(chart) + "</div>\n";
}

std::string rank_table(const RunResult& r) {
  const EngineCounters& e = r.engine;
  const std::size_t ranks = std::max({e.cpu_s.size(), e.blocked_s.size(), e.rss_bytes.size(), e.rank_events.size()});
  if (ranks == 0) return {};
  std::string out =
      "<details><summary>Engine, rank by rank</summary><div class=\"scroll\"><table>\n"
      "<tr><th>rank</th><th>events</th><th>CPU, s</th><th>waiting for others, s</th>"
      "<th>resident</th></tr>\n";
  for (std::size_t ix = 0; ix < std::min(ranks, most_rank_rows); ++ix) {
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", ix,
                       ix < e.rank_events.size() ? grouped(e.rank_events[ix]) : "",
                       ix < e.cpu_s.size() ? significant(e.cpu_s[ix]) : "",
                       ix < e.blocked_s.size() ? significant(e.blocked_s[ix]) : "",
                       ix < e.rss_bytes.size() ? byte_size(static_cast<double>(e.rss_bytes[ix])) : "");
  }
  if (ranks > most_rank_rows) out += fmt::format("<tr><td>and {} more</td></tr>\n", ranks - most_rank_rows);
  return out + "</table></div></details>\n";
}

std::string seeds_table(const RunResult& r) {
  if (r.seeds.empty()) return {};
  std::string out =
      "<details><summary>Seed by seed (charts are of the first)</summary><div class=\"scroll\"><table>\n"
      "<tr><th>seed</th><th>accepted</th><th>mean latency, cycles</th><th>99th percentile</th><th>cycles</th>"
      "<th>converged</th><th>digest</th></tr>\n";
  for (std::size_t ix = 0; ix < std::min(r.seeds.size(), most_rank_rows); ++ix) {
    const SeedRow& row = r.seeds[ix];
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td></tr>\n",
        row.seed, significant(row.load_accepted), significant(row.latency_mean), significant(row.latency_p99),
        grouped(row.cycles),
        !r.measured     ? ""
        : row.converged ? "yes"
                        : "no",
        escaped(row.digest.substr(0, 16)));
  }
  if (r.seeds.size() > most_rank_rows)
    out += fmt::format("<tr><td>and {} more</td></tr>\n", r.seeds.size() - most_rank_rows);
  return out + "</table></div></details>\n";
}

std::string run_section(const NamedResult& run, double load_high) {
  const RunResult& r = run.result;
  std::string out = fmt::format("<section class=\"run\">\n<h2>{}</h2>\n", escaped(run.name));
  out += paragraph(fmt::format("{} on {}, {}", r.workload_name, r.topology_name, r.router_name), "soft");
  for (const std::string& warning : r.warnings) out += paragraph(warning, "warning");
  out += "<div class=\"grid\">\n" + load_chart(r, load_high);
  if (!r.task_finish_cycles.empty()) {
    out += "<div><h3>Finish time of each task</h3>\n" + bar_chart(r.task_finish_cycles, "task", "cycles", "task") +
           "</div>\n";
  }
  if (!r.burst_cycles.empty()) {
    out +=
        "<div><h3>Duration of each burst</h3>\n" + bar_chart(r.burst_cycles, "burst", "cycles", "burst") + "</div>\n";
  }
  if (!r.node_delivered.empty()) {
    out +=
        "<div><h3>Deliveries per node</h3>\n" + heat_strip(r.node_delivered, "node", "packets delivered") + "</div>\n";
  }
  if (!r.node_delivered_cells.empty()) {
    out += "<div><h3>Deliveries per node</h3>\n" + heat_strip(r.node_delivered_cells, "node", "phits delivered") +
           "</div>\n";
  }
  out += statistics_charts(r.extra);
  out += "</div>\n" + activities_section(r) + jobs_table(r) + flows_table(r) + seeds_table(r) + rank_table(r);
  out += fmt::format(
      "<details><summary>Config</summary>\n<p class=\"soft\">digest <code>{}</code></p>\n<pre>{}</pre></details>\n",
      escaped(r.digest), escaped(r.config_toml.empty() ? r.config_json : r.config_toml));
  return out + "</section>\n";
}

/// Common top of the load charts, so that runs can be compared by eye.
double highest_load(const Runs& runs) {
  double high = 0;
  for (const NamedResult& run : runs) {
    for (const auto* rows : {&run.result.intervals, &run.result.batches}) {
      for (const IntervalRow& row : *rows) high = std::max({high, row.accepted_load, row.injected_load});
    }
  }
  return high;
}

}  // namespace

std::string report_page(const std::vector<NamedResult>& runs) {
  std::string out = page_begin("weft report", report_style);
  out += fmt::format("<h1>weft report</h1>\n{}<h2>Key figures</h2>\n{}", paragraph(counted(runs.size(), "run"), "soft"),
                     figures_table(runs));
  out += differences_table(runs) + latency_section(runs) + "<h2>Runs</h2>\n";
  const double load_high = highest_load(runs);
  for (const NamedResult& run : runs) out += run_section(run, load_high);
  return out + page_end();
}

void write_report(const std::vector<std::string>& result_paths, const std::string& html_path) {
  if (result_paths.empty())
    throw ConfigError("no results to report (the list is empty); name result files: weft report RESULT.h5...");
  std::map<std::string, int> stems;
  for (const std::string& path : result_paths) ++stems[std::filesystem::path(path).stem().string()];
  std::vector<NamedResult> runs;
  for (const std::string& path : result_paths) {
    const std::string stem = std::filesystem::path(path).stem().string();
    runs.push_back({stems[stem] > 1 ? path : stem, read_hdf5(path)});
  }
  files::write_file_atomically(html_path, report_page(runs));
}

}  // namespace weft::tools
