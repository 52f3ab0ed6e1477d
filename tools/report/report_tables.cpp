// Tables of the report: what was run, key figures, settings that differ.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "engine/base/deviation.hpp"
#include "engine/base/text/numbers.hpp"
#include "tools/report/report_parts.hpp"

namespace weft::tools {
namespace {

using page::cell;
using page::Json;

/// A figure of every run: a row where runs are columns, a column where they are rows. Without a figure: a heading.
struct Fact {
  std::string label, quantity;
  Json (*of)(const RunResult&) = nullptr;
};

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json unless_zero(double value, double plus_minus = 0) { return value == 0 ? Json(nullptr) : cell(value, plus_minus); }

Json last_finish_of(const RunResult& r) {
  const TaskTimes times = r.task_times();
  return times.finished == 0 ? Json(nullptr) : cell(times.last);
}

std::vector<Fact> subject_facts() {
  return {
      {"network", "", [](const RunResult& r) { return text_or_null(r.topology_name); }},
      {"nodes", "", [](const RunResult& r) { return Json(r.nodes); }},
      {"routers", "", [](const RunResult& r) { return unless_zero(static_cast<double>(r.routers)); }},
      {"router", "", [](const RunResult& r) { return text_or_null(r.router_name); }},
      {"workload", "", [](const RunResult& r) { return text_or_null(r.workload_name); }},
      {"simulated", "time", [](const RunResult& r) { return Json(r.cycles); }},
      {"stopped by", "", [](const RunResult& r) { return text_or_null(r.stop_reason); }},
      {"seed", "", [](const RunResult& r) { return Json(std::to_string(r.seed)); }},
  };
}

std::vector<Fact> network_facts() {
  return {
      {"Load", "", nullptr},
      {"measured over", "",
       [](const RunResult& r) {
         if (!r.seeds.empty()) return Json(std::to_string(r.seeds.size()) + " seeds");
         return Json(r.measured ? std::to_string(r.batches.size()) + " batches" : std::string("the whole run"));
       }},
      {"offered", "load", [](const RunResult& r) { return unless_zero(r.load_offered); }},
      {"injected", "load", [](const RunResult& r) { return cell(r.load_injected); }},
      {"accepted", "load", [](const RunResult& r) { return cell(r.load_accepted, r.load_accepted_ci95); }},
      {"standard deviation", "load", [](const RunResult& r) { return unless_zero(r.load_accepted_stddev); }},
      {"offered load not taken", "share",
       [](const RunResult& r) { return r.saturated() ? cell(r.load_untaken_fraction) : Json(nullptr); }},
      {"packets in flight grew by", "load",
       [](const RunResult& r) { return r.falls_behind ? cell(r.load_growth) : Json(nullptr); }},
      {"steady state", "",
       [](const RunResult& r) {
         return r.measured ? Json(r.converged ? "converged" : "not converged") : Json(nullptr);
       }},
      {"Latency from generation", "", nullptr},
      {"mean", "time", [](const RunResult& r) { return unless_zero(r.latency_mean, r.latency_mean_ci95); }},
      {"standard deviation", "time", [](const RunResult& r) { return unless_zero(r.latency_stddev); }},
      {"median", "time", [](const RunResult& r) { return unless_zero(r.latency_p50); }},
      {"90th percentile", "time", [](const RunResult& r) { return unless_zero(r.latency_p90); }},
      {"99th percentile", "time", [](const RunResult& r) { return unless_zero(r.latency_p99); }},
      {"99.9th percentile", "time", [](const RunResult& r) { return unless_zero(r.latency_p999); }},
      {"largest", "time", [](const RunResult& r) { return unless_zero(r.latency_max); }},
      {"mean from injection", "time", [](const RunResult& r) { return unless_zero(r.latency_network_mean); }},
      {"Traffic", "", nullptr},
      {"completion of the last task", "time", last_finish_of},
      {"mean burst", "time",
       [](const RunResult& r) {
         return r.burst_cycles.empty() ? Json(nullptr) : cell(stats::mean_of(r.burst_cycles));
       }},
      {"bus bandwidth", "bandwidth", [](const RunResult& r) { return cell(r.bus.bus); }},
      {"bandwidth of a task in the exchange", "bandwidth",
       [](const RunResult& r) { return r.exchange.tasks > 0 ? cell(r.exchange.mean) : Json(nullptr); }},
      {"packets generated", "", [](const RunResult& r) { return Json(r.counts.generated); }},
      {"packets delivered", "", [](const RunResult& r) { return Json(r.counts.delivered); }},
      {"packets dropped", "", [](const RunResult& r) { return unless_zero(static_cast<double>(r.counts.dropped)); }},
      {"packets in flight at the end", "",
       [](const RunResult& r) { return unless_zero(static_cast<double>(r.packets_in_flight)); }},
      {"packets marked", "", [](const RunResult& r) { return r.marks ? Json(r.counts.marked) : Json(nullptr); }},
      {"messages sent", "",
       [](const RunResult& r) { return unless_zero(static_cast<double>(r.counts.messages_sent)); }},
      {"messages delivered", "",
       [](const RunResult& r) { return unless_zero(static_cast<double>(r.counts.messages_delivered)); }},
      {"mean distance, links", "", [](const RunResult& r) { return unless_zero(r.distance_mean); }},
      {"largest distance, links", "", [](const RunResult& r) { return unless_zero(r.distance_max); }},
  };
}

/// Puts the clock of a run and a quantity into a cell.
Json in_units(Json value, const std::string& quantity, u32 clock) {
  if (value.is_null() || value.is_string() || quantity.empty()) return value;
  if (!value.is_object()) value = {{"value", value}};
  value["quantity"] = quantity;
  value["clock"] = clock;
  return value;
}

bool all_null(const Json& row, std::size_t from) {
  return std::all_of(row.begin() + static_cast<std::ptrdiff_t>(from), row.end(),
                     [](const Json& v) { return v.is_null(); });
}

/// Facts as rows, runs as columns.
Json facts_by_row(const ReportRuns& runs, const std::vector<Fact>& facts) {
  Json columns = Json::array({{{"label", ""}, {"text", true}}});
  for (const ReportRun& run : runs) columns.push_back({{"label", runs.size() == 1 ? "" : run.name}, {"text", true}});
  Json rows = Json::array(), heading;
  for (const Fact& fact : facts) {
    if (fact.of == nullptr) {
      heading = {{"group", fact.label}};
      continue;
    }
    Json row = Json::array({fact.label});
    for (const ReportRun& run : runs) row.push_back(in_units(fact.of(*run.result), fact.quantity, run.clock));
    if (all_null(row, 1)) continue;
    if (!heading.is_null()) rows.push_back(heading);
    heading = nullptr;
    rows.push_back(row);
  }
  return {{"kind", "table"}, {"columns", columns}, {"rows", rows}};
}

/// Runs as rows, facts that some run has as columns.
Json facts_by_column(const ReportRuns& runs, const std::vector<Fact>& facts) {
  Json columns = Json::array({{{"label", "run"}, {"text", true}}});
  Json rows = Json::array();
  for (const ReportRun& run : runs) {
    const std::string marks = marks_text(marks_of(*run.result));
    rows.push_back(Json::array({marks.empty() ? Json(run.name) : Json{{"value", run.name}, {"mark", marks}}}));
  }
  std::string group;
  for (const Fact& fact : facts) {
    if (fact.of == nullptr) {
      group = fact.label == "Traffic" ? "" : fact.label.substr(0, fact.label.find(' ')) + ": ";
      continue;
    }
    Json column = Json::array();
    for (const ReportRun& run : runs) {
      Json value = fact.of(*run.result);
      if (run.clock > 0 && !value.is_null() && !value.is_string() && !fact.quantity.empty()) {
        if (!value.is_object()) value = {{"value", value}};
        value["clock"] = run.clock;
      }
      column.push_back(value);
    }
    if (all_null(column, 0)) continue;
    columns.push_back(
        {{"label", group + fact.label},
         {"quantity", fact.quantity},
         {"text", std::any_of(column.begin(), column.end(), [](const Json& v) { return v.is_string(); })}});
    for (std::size_t ix = 0; ix < runs.size(); ++ix) rows[ix].push_back(column[ix]);
  }
  return {{"kind", "table"}, {"columns", columns}, {"rows", rows}, {"select", 0}};
}

Json table_of(const ReportRuns& runs, const std::vector<Fact>& facts, const std::string& title) {
  Json table = few(runs) ? facts_by_row(runs, facts) : facts_by_column(runs, facts);
  table["title"] = title;
  table["wide"] = runs.size() > 1;
  return table;
}

void add_tiles(page::Page& page, const ReportRun& run) {
  const RunResult& r = *run.result;
  Json tiles = Json::array();
  const auto add = [&](Json tile, double value) {
    if (std::isfinite(value) && value != 0) tile["value"] = value, tiles.push_back(tile);
  };
  add({{"label", "Completion of the last task"}, {"quantity", "time"}}, r.task_times().last);
  const std::string untaken = significant(100 * r.load_untaken_fraction, 2) + " % of the offered load not taken";
  Json accepted = {{"label", "Accepted load"}, {"quantity", "load"}, {"plus_minus", r.load_accepted_ci95}};
  if (r.saturated()) accepted["warning"] = true, accepted["note"] = "saturated: " + untaken;
  if (r.falls_behind) accepted["note"] = "saturated: buffers filled while it was measured";
  add(accepted, r.load_accepted);
  Json latency = {{"label", "Mean latency"}, {"quantity", "time"}, {"plus_minus", r.latency_mean_ci95}};
  if (r.measured && !r.converged) latency["warning"] = true, latency["note"] = "no steady state was found";
  add(latency, r.latency_mean);
  add({{"label", "99th percentile of latency"}, {"quantity", "time"}}, r.latency_p99);
  add({{"label", "Bus bandwidth"}, {"quantity", "bandwidth"}}, r.bus.bus);
  add({{"label", "Packets delivered"},
       {"quantity", ""},
       {"short", true},
       {"note", r.counts.dropped > 0 ? grouped(r.counts.dropped) + " dropped" : ""}},
      static_cast<double>(r.counts.delivered));
  if (r.engine.wall_s > 0) {
    add({{"label", "Simulated in"},
         {"quantity", "seconds"},
         {"note", with_prefix(static_cast<double>(r.engine.events) / r.engine.wall_s) + " events/s on " +
                      counted(r.ranks, "rank")}},
        r.engine.wall_s);
  }
  if (!tiles.empty()) page.figure({{"kind", "tiles"}, {"tiles", tiles}, {"clock", run.clock}});
}

/// Few columns that fit many rows on a page.
std::vector<Fact> headline_facts() {
  std::vector<Fact> facts = {
      {"network", "", [](const RunResult& r) { return text_or_null(r.topology_name); }},
      {"router", "", [](const RunResult& r) { return text_or_null(r.router_name); }},
      {"workload", "", [](const RunResult& r) { return text_or_null(r.workload_name); }},
      {"nodes", "", [](const RunResult& r) { return Json(r.nodes); }},
      {"offered", "load", [](const RunResult& r) { return unless_zero(r.load_offered); }},
      {"accepted", "load", [](const RunResult& r) { return unless_zero(r.load_accepted, r.load_accepted_ci95); }},
      {"mean latency", "time", [](const RunResult& r) { return unless_zero(r.latency_mean, r.latency_mean_ci95); }},
      {"99th percentile", "time", [](const RunResult& r) { return unless_zero(r.latency_p99); }},
      {"completion", "time", last_finish_of},
      {"simulated", "time", [](const RunResult& r) { return Json(r.cycles); }},
  };
  return facts;
}

/// Takes the names that all runs share out of the columns, for a sentence.
std::string same_in_all(const ReportRuns& runs, std::vector<Fact>& facts) {
  std::string text;
  std::erase_if(facts, [&](const Fact& fact) {
    const Json first = fact.of(*runs[0].result);
    const bool name = first.is_string() || first.is_number_integer();
    if (!name || !fact.quantity.empty()) return false;
    if (!std::ranges::all_of(runs, [&](const ReportRun& run) { return fact.of(*run.result) == first; })) return false;
    const std::string value =
        first.is_string() ? first.get<std::string>() : grouped(first.get<u64>()) + " " + fact.label;
    text += (text.empty() ? "" : "; ") + value;
    return true;
  });
  return text;
}

Json headline_table(const ReportRuns& runs, const std::vector<Fact>& facts) {
  Json table = facts_by_column(runs, facts);
  table["class"] = "headline";
  table["wide"] = true;
  return table;
}

}  // namespace

void add_headline(page::Page& page, const ReportRuns& runs) {
  if (runs.size() == 1) {
    const RunResult& r = *runs[0].result;
    add_tiles(page, runs[0]);
    page.figure(table_of(runs, subject_facts(), "Run"));
    page.figure(table_of(runs, network_facts(), "Figures"));
    if (r.seeds.empty()) return;
    Json rows = Json::array();
    for (const SeedRow& row : r.seeds) {
      rows.push_back({std::to_string(row.seed), cell(row.load_accepted, row.load_accepted_ci95),
                      cell(row.latency_mean, row.latency_mean_ci95), cell(row.latency_p99), row.cycles,
                      !r.measured ? Json(nullptr) : Json(row.converged ? "yes" : "no"), row.digest.substr(0, 16)});
    }
    page.figure({{"kind", "table"},
                 {"title", "Seeds"},
                 {"caption", "figures of the page are means over them; curves over time are of the first"},
                 {"columns",
                  {{{"label", "seed"}, {"text", true}},
                   {{"label", "accepted"}, {"quantity", "load"}},
                   {{"label", "mean latency"}, {"quantity", "time"}},
                   {{"label", "99th percentile"}, {"quantity", "time"}},
                   {{"label", "simulated"}, {"quantity", "time"}},
                   {{"label", "converged"}, {"text", true}},
                   {{"label", "digest"}, {"text", true}, {"code", true}}}},
                 {"rows", rows},
                 {"clock", runs[0].clock}});
    return;
  }
  std::vector<Fact> facts = headline_facts();
  const std::string same = same_in_all(runs, facts);
  if (!same.empty()) page.note("All runs: " + same);
  if (few(runs)) page.figure(headline_table(runs, facts));
}

void add_run_table(page::Page& page, const ReportRuns& runs) {
  if (few(runs)) return;
  page.section("runs", "Runs");
  std::vector<Fact> facts = headline_facts();
  static_cast<void>(same_in_all(runs, facts));
  // Names of many runs say what differs; lists of figures have the rest.
  std::erase_if(facts, [](const Fact& fact) { return fact.label == "router"; });
  page.figure(headline_table(runs, facts));
}

void add_key_figures(page::Page& page, const ReportRuns& runs) {
  if (runs.size() == 1) return;
  page.section("figures", "All figures", !few(runs));
  std::vector<Fact> facts = network_facts();
  const std::vector<Fact> subject = subject_facts();
  facts.insert(facts.begin(), subject.begin(), subject.end());
  page.figure(table_of(runs, facts, ""));
}

void add_differences(page::Page& page, const ReportRuns& runs) {
  if (runs.size() < 2) return;
  page.section("differences", "Settings that differ");
  std::vector<std::map<std::string, std::string>> configs;
  std::set<std::string> keys;
  for (const ReportRun& run : runs) {
    configs.push_back(flat_config(*run.result));
    for (const auto& [key, value] : configs.back()) keys.insert(key);
  }
  const auto text = [&](std::size_t run, const std::string& key) {
    const auto it = configs[run].find(key);
    return it == configs[run].end() ? std::string("–") : it->second;
  };
  std::erase_if(keys, [&](const std::string& key) {
    for (std::size_t run = 1; run < runs.size(); ++run) {
      if (text(run, key) != text(0, key)) return false;
    }
    return true;
  });
  if (keys.empty()) return page.note("None: all runs had the same config.");
  Json columns = Json::array(), rows = Json::array();
  if (few(runs)) {
    columns.push_back({{"label", "key"}, {"text", true}, {"code", true}});
    for (const ReportRun& run : runs) columns.push_back({{"label", run.name}, {"text", true}});
    for (const std::string& key : keys) {
      Json row = Json::array({key});
      for (std::size_t run = 0; run < runs.size(); ++run) row.push_back(text(run, key));
      rows.push_back(row);
    }
  } else {
    columns.push_back({{"label", "run"}, {"text", true}});
    for (const std::string& key : keys) columns.push_back({{"label", key}, {"text", true}});
    for (std::size_t run = 0; run < runs.size(); ++run) {
      Json row = Json::array({runs[run].name});
      for (const std::string& key : keys) row.push_back(text(run, key));
      rows.push_back(row);
    }
  }
  page.figure({{"kind", "table"}, {"columns", columns}, {"rows", rows}, {"wide", true}});
}

}  // namespace weft::tools
