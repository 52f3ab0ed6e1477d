// The simulator itself: how fast it was, and what its time and memory went into.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/text/numbers.hpp"
#include "tools/report/report_parts.hpp"

namespace weft::tools {
namespace {

using page::cell;
using page::Json;

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Shares of the wall time of all ranks.
struct TimeSplit {
  double computing = 0, exchange = 0, waiting = 0;
};
TimeSplit split_of(const EngineCounters& e) {
  const double all = e.wall_s * static_cast<double>(e.blocked_s.size());
  if (!(all > 0)) return {};
  TimeSplit split;
  split.exchange = std::clamp(sum_of(e.exchange_s) / all, 0.0, 1.0);
  split.waiting = std::clamp(sum_of(e.blocked_s) / all, 0.0, 1.0 - split.exchange);
  split.computing = 1 - split.exchange - split.waiting;
  return split;
}

Json bars_of(const std::string& label, const Json& values) {
  return {{"label", label}, {"draw", "bars"}, {"y", values}};
}

void add_ranks(page::Page& page, const ReportRun& run) {
  const EngineCounters& e = run.result->engine;
  const std::size_t ranks = std::max({e.cpu_s.size(), e.blocked_s.size(), e.rss_bytes.size(), e.rank_events.size()});
  if (ranks < 2) return;
  Json computing = Json::array(), exchange = computing, waiting = computing, memory = computing, rows = computing;
  for (std::size_t ix = 0; ix < ranks; ++ix) {
    const auto of = [ix](const std::vector<double>& list) { return ix < list.size() ? list[ix] : 0.0; };
    const double crossing = of(e.exchange_s), blocked = of(e.blocked_s);
    exchange.push_back(crossing);
    waiting.push_back(blocked);
    computing.push_back(std::max(0.0, e.wall_s - crossing - blocked));
    memory.push_back(ix < e.rss_bytes.size() ? Json(static_cast<double>(e.rss_bytes[ix]) / (1 << 20)) : Json(nullptr));
    rows.push_back({ix, ix < e.rank_events.size() ? Json(e.rank_events[ix]) : Json(nullptr), cell(of(e.cpu_s)),
                    cell(crossing), cell(blocked), ix < e.rss_bytes.size() ? Json(e.rss_bytes[ix]) : Json(nullptr)});
  }
  const Json axis = {{"label", "rank"}, {"whole", true}, {"tight", true}};
  page.figure({{"kind", "curves"},
               {"title", "Time of each rank"},
               {"stacked", true},
               {"own", true},
               {"x", axis},
               {"y", {{"label", "wall time of the event loop, s"}}},
               {"series",
                {bars_of("computing", computing), bars_of("exchange", exchange),
                 bars_of("waiting for other ranks", waiting)}}});
  page.figure({{"kind", "curves"},
               {"title", "Memory of each rank"},
               {"own", true},
               {"x", axis},
               {"y", {{"label", "resident, MiB"}}},
               {"series", Json::array({bars_of("resident", memory)})}});
  page.figure({{"kind", "table"},
               {"title", "Rank by rank"},
               {"columns",
                {{{"label", "rank"}},
                 {{"label", "events"}},
                 {{"label", "CPU"}, {"quantity", "seconds"}},
                 {{"label", "exchange"}, {"quantity", "seconds"}},
                 {{"label", "waiting"}, {"quantity", "seconds"}},
                 {{"label", "resident"}, {"quantity", "bytes"}}}},
               {"rows", rows}});
}

void add_split_of_runs(page::Page& page, const ReportRuns& runs) {
  if (std::ranges::all_of(runs, [](const ReportRun& run) { return run.result->ranks < 2; })) return;
  Json names = Json::array(), computing = names, exchange = names, waiting = names;
  for (const ReportRun& run : runs) {
    if (run.result->ranks < 2) continue;
    const TimeSplit split = split_of(run.result->engine);
    names.push_back(run.name);
    computing.push_back(split.computing);
    exchange.push_back(split.exchange);
    waiting.push_back(split.waiting);
  }
  page.figure({{"kind", "curves"},
               {"title", "Shares of the ranks' time"},
               {"stacked", true},
               {"own", true},
               {"x", {{"label", "run"}, {"names", names}}},
               {"y", {{"label", "share of the wall time"}, {"quantity", "share"}}},
               {"series",
                {bars_of("computing", computing), bars_of("exchange", exchange),
                 bars_of("waiting for other ranks", waiting)}}});
}

}  // namespace

void add_engine(page::Page& page, const ReportRuns& runs) {
  page.section("engine", "The simulator", runs.size() > 1);
  Json rows = Json::array();
  const bool alone = runs.size() == 1;
  for (const ReportRun& run : runs) {
    const RunResult& r = *run.result;
    const EngineCounters& e = r.engine;
    const auto rate = [&](u64 count) {
      return e.wall_s > 0 ? cell(static_cast<double>(count) / e.wall_s) : Json(nullptr);
    };
    const bool several = r.ranks > 1;
    const auto of_several = [several](Json value) { return several ? value : Json(nullptr); };
    const TimeSplit split = split_of(e);
    rows.push_back({run.name,
                    r.ranks,
                    e.events,
                    rate(e.events),
                    rate(e.packet_hops),
                    cell(e.wall_s),
                    cell(e.setup_s),
                    e.bytes_per_node > 0 ? Json(e.bytes_per_node) : Json(nullptr),
                    of_several(cell(split.computing)),
                    of_several(e.protocol + ", " + e.partition),
                    of_several(e.lookahead_cycles),
                    several && e.protocol == "windowed" ? Json(e.windows) : Json(nullptr),
                    several && e.protocol == "null-message" ? Json(e.null_messages) : Json(nullptr),
                    of_several(e.exchanges),
                    of_several(e.remote_messages),
                    of_several(e.edge_cut),
                    of_several(cell(e.balance)),
                    e.checkpoints > 0 ? cell(e.checkpoint_s) : Json(nullptr),
                    r.version + ", " + r.host,
                    r.started_at});
  }
  Json columns = {{{"label", "run"}, {"text", true}},
                  {{"label", "ranks"}},
                  {{"label", "events"}},
                  {{"label", "events/s"}, {"digits", 3}},
                  {{"label", "packet-hops/s"}, {"digits", 3}},
                  {{"label", "event loop"}, {"quantity", "seconds"}},
                  {{"label", "set-up"}, {"quantity", "seconds"}},
                  {{"label", "memory of a node"}, {"quantity", "bytes"}},
                  {{"label", "efficiency (time computing)"}, {"quantity", "share"}, {"digits", 3}},
                  {{"label", "protocol, partition"}, {"text", true}},
                  {{"label", "lookahead, cycles"}},
                  {{"label", "windows"}},
                  {{"label", "null messages"}},
                  {{"label", "agreements of all ranks"}},
                  {{"label", "messages between ranks"}},
                  {{"label", "links cut"}},
                  {{"label", "balance"}, {"digits", 3}},
                  {{"label", "checkpoints"}, {"quantity", "seconds"}},
                  {{"label", "weft, host"}, {"text", true}},
                  {{"label", "started"}, {"text", true}}};
  // Columns that no run has go; of one run they are lines.
  Json shown_columns = Json::array(), shown_rows = Json::array();
  std::vector<std::size_t> kept;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (std::any_of(rows.begin(), rows.end(), [&](const Json& row) { return !row[column].is_null(); }))
      kept.push_back(column);
  }
  if (alone) {
    shown_columns = {{{"label", ""}, {"text", true}}, {{"label", ""}, {"text", true}}};
    for (const std::size_t column : kept) {
      if (column == 0) continue;
      Json value = rows[0][column];
      const std::string quantity = columns[column].value("quantity", "");
      if (value.is_number() && !quantity.empty()) value = {{"value", value}, {"quantity", quantity}};
      // Rates are read, not compared digit by digit.
      if (value.is_number_float() && value.get<double>() >= 1e6) value = with_prefix(value.get<double>());
      shown_rows.push_back({columns[column]["label"], value});
    }
  } else {
    for (const std::size_t column : kept) shown_columns.push_back(columns[column]);
    for (const Json& row : rows) {
      Json shown = Json::array();
      for (const std::size_t column : kept) shown.push_back(row[column]);
      shown_rows.push_back(shown);
    }
  }
  page.figure({{"kind", "table"},
               {"title", alone ? "Engine" : ""},
               {"columns", shown_columns},
               {"rows", shown_rows},
               {"wide", !alone}});
  add_split_of_runs(page, alone ? ReportRuns{} : runs);
  if (alone) add_ranks(page, runs[0]);
}

}  // namespace weft::tools
