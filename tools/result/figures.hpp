// All figures of results: the rows of run_figures.cpp and table_figures.cpp, and the parts and tables of a result that
// they are of. Whoever adds a figure adds a row there, and it is in the JSON summary, the HDF5 file, the merging of
// seeds, `weft describe figures` and Python.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/result/figure.hpp"
#include "tools/result/run_result.hpp"

namespace weft::tools {

/// The unit of loads.
inline constexpr const char* load_unit = "phits/node/cycle";

/// Adds the rows of the figures of an owner.
// run_figures.cpp
void add_rows(FigureRows<RunResult>& f);
void add_rows(FigureRows<models::Counters>& f);
void add_rows(FigureRows<models::RouteCounts>& f);
void add_rows(FigureRows<EngineCounters>& f);
void add_rows(FigureRows<ExchangeBandwidth>& f);
void add_rows(FigureRows<BusBandwidth>& f);
void add_rows(FigureRows<workloads::MappingCost>& f);
void add_rows(FigureRows<TaskTimes>& f);
void add_rows(FigureRows<CosimResult>& f);
void add_rows(FigureRows<InjectionLatency>& f);
void add_rows(FigureRows<ExtraStatistics>& f);
std::vector<Figure<Spread>>& spreads_of_loads();
std::vector<Figure<Spread>>& spreads_of_cycles();
// table_figures.cpp
void add_rows(FigureRows<IntervalRow>& f);
void add_rows(FigureRows<HistogramBin>& f);
void add_rows(FigureRows<SeedRow>& f);
void add_rows(FigureRows<ClassRow>& f);
void add_rows(FigureRows<FaultRow>& f);
void add_rows(FigureRows<CutOffRow>& f);
void add_rows(FigureRows<JobRow>& f);
void add_rows(FigureRows<ActivityRow>& f);
void add_rows(FigureRows<TimelineRow>& f);
void add_rows(FigureRows<FlowRow>& f);
void add_rows(FigureRows<EndpointRow>& f);
void add_rows(FigureRows<SeriesRow>& f);
void add_rows(FigureRows<BusyLink>& f);
void add_rows(FigureRows<DistanceRow>& f);
void add_rows(FigureRows<PairRow>& f);
void add_rows(FigureRows<OccupancyRow>& f);
std::vector<Figure<LinkRow>>& figures_of_ports();
std::vector<Figure<LinkRow>>& figures_of_nic_ports();
std::vector<Figure<QueueRow>>& figures_of_queues();
std::vector<Figure<QueueRow>>& figures_of_injection_queues();

/// The rows of an owner. One that is added before the first result is in all of them.
template <class Owner>
std::vector<Figure<Owner>>& figures() {
  static auto rows = FigureRows<Owner>::made_by([](FigureRows<Owner>& f) { add_rows(f); });
  return rows;
}

/// A part of a result, whose figures are single values.
struct Part {
  const char* name;                 ///< what the names of its figures begin with; "" has nothing before them
  bool (*there)(const RunResult&);  ///< whether a run has it; what gives it must not be called if not
};

/// Calls f(part, rows, of) for each part; of(result) is its object, that of a const result perhaps a value.
template <class F>
void for_each_part(F&& f) {
  using R = RunResult;
  constexpr auto always = [](const R&) { return true; };
  constexpr auto of_seeds = [](const R& r) { return !r.seeds.empty(); };
  f(
      Part{"", always}, figures<R>(), [](auto& r) -> auto& { return r; });
  f(
      Part{"", always}, figures<models::Counters>(), [](auto& r) -> auto& { return r.counts; });
  f(
      Part{"routes", [](const R& r) { return r.chooses_routes; }}, figures<models::RouteCounts>(),
      [](auto& r) -> auto& { return r.counts.routes; });
  f(
      Part{"exchange", [](const R& r) { return r.exchange.tasks > 0; }}, figures<ExchangeBandwidth>(),
      [](auto& r) -> auto& { return r.exchange; });
  f(
      Part{"bandwidth", [](const R& r) { return std::isfinite(r.bus.bus); }}, figures<BusBandwidth>(),
      [](auto& r) -> auto& { return r.bus; });
  f(
      Part{"mapping", [](const R& r) { return r.mapping.bytes > 0; }}, figures<workloads::MappingCost>(),
      [](auto& r) -> auto& { return r.mapping; });
  f(Part{"tasks", [](const R& r) { return !r.task_finish_cycles.empty(); }}, figures<TaskTimes>(),
    [](auto& r) -> decltype(auto) {
      if constexpr (std::is_const_v<std::remove_reference_t<decltype(r)>>)
        return r.task_times();
      else
        return *r.told_task_times;
    });
  f(
      Part{"over_seeds.accepted_load", of_seeds}, spreads_of_loads(), [](auto& r) -> auto& { return r.seeds_load; });
  f(
      Part{"over_seeds.latency_mean", of_seeds}, spreads_of_cycles(), [](auto& r) -> auto& { return r.seeds_latency; });
  f(
      Part{"over_seeds.cycles", of_seeds}, spreads_of_cycles(), [](auto& r) -> auto& { return r.seeds_cycles; });
  f(
      Part{"cosim", [](const R& r) { return r.cosim.has_value(); }}, figures<CosimResult>(),
      [](auto& r) -> auto& { return *r.cosim; });
  f(
      Part{"injection_latency", [](const R& r) { return r.extra.injection_latency.packets > 0; }},
      figures<InjectionLatency>(), [](auto& r) -> auto& { return r.extra.injection_latency; });
  f(
      Part{"statistics", always}, figures<ExtraStatistics>(), [](auto& r) -> auto& { return r.extra; });
  f(
      Part{"engine", always}, figures<EngineCounters>(), [](auto& r) -> auto& { return r.engine; });
}

/// A list of rows with the same figures.
struct Table {
  const char* name;   ///< where it is in the JSON summary
  const char* group;  ///< of the HDF5 file, with a column for each figure
  In in = In::both;
  bool always = false;                                         ///< it is there though it has no rows
  std::size_t most = std::numeric_limits<std::size_t>::max();  ///< rows that the summary lists
};

/// Calls f(table, rows of figures, of) for each table but that of endpoints; of(result) are its rows.
template <class F>
void for_each_table(F&& f) {
  f(
      Table{"intervals", "/intervals", In::file, true}, figures<IntervalRow>(),
      [](auto& r) -> auto& { return r.intervals; });
  f(
      Table{"batches", "/batches", In::both, true}, figures<IntervalRow>(), [](auto& r) -> auto& { return r.batches; });
  f(
      Table{"latency_histogram", "/latency_histogram", In::file, true}, figures<HistogramBin>(),
      [](auto& r) -> auto& { return r.latency_histogram; });
  f(
      Table{"seeds", "/seeds"}, figures<SeedRow>(), [](auto& r) -> auto& { return r.seeds; });
  f(
      Table{"traffic_classes", "/traffic_classes"}, figures<ClassRow>(), [](auto& r) -> auto& { return r.classes; });
  f(
      Table{"faults.events", "/faults", In::both, false, 4096}, figures<FaultRow>(),
      [](auto& r) -> auto& { return r.faults; });
  f(
      Table{"faults.cut_off_nodes", "/cut_off_nodes"}, figures<CutOffRow>(),
      [](auto& r) -> auto& { return r.cut_off; });
  f(
      Table{"jobs", "/jobs"}, figures<JobRow>(), [](auto& r) -> auto& { return r.jobs; });
  f(
      Table{"activities", "/activities"}, figures<ActivityRow>(), [](auto& r) -> auto& { return r.activities; });
  f(
      Table{"timeline", "/timeline", In::file}, figures<TimelineRow>(), [](auto& r) -> auto& { return r.timeline; });
  f(
      Table{"flows", "/flows"}, figures<FlowRow>(), [](auto& r) -> auto& { return r.flows; });
  f(
      Table{"statistics.series", "/series", In::both, false, 4096}, figures<SeriesRow>(),
      [](auto& r) -> auto& { return r.extra.series; });
  f(
      Table{"statistics.ports", "/ports", In::file}, figures_of_ports(),
      [](auto& r) -> auto& { return r.extra.ports; });
  f(
      Table{"statistics.nic_ports", "/nic_ports", In::file}, figures_of_nic_ports(),
      [](auto& r) -> auto& { return r.extra.nic_ports; });
  f(
      Table{"statistics.busiest_links", "/busiest_links"}, figures<BusyLink>(),
      [](auto& r) -> auto& { return r.extra.busiest; });
  f(
      Table{"statistics.distances", "/distances"}, figures<DistanceRow>(),
      [](auto& r) -> auto& { return r.extra.distances; });
  f(
      Table{"statistics.pairs", "/pairs", In::file}, figures<PairRow>(),
      [](auto& r) -> auto& { return r.extra.pairs; });
  f(
      Table{"statistics.occupancy", "/occupancy"}, figures<OccupancyRow>(),
      [](auto& r) -> auto& { return r.extra.occupancy; });
  f(
      Table{"statistics.queues", "/queues", In::file}, figures_of_queues(),
      [](auto& r) -> auto& { return r.extra.queues; });
  f(
      Table{"statistics.injection_queues", "/injection_queues", In::file}, figures_of_injection_queues(),
      [](auto& r) -> auto& { return r.extra.injection_queues; });
}

/// Calls f likewise for the table of endpoints, which only runs have that have RunResult::cosim.
template <class F>
void with_endpoints(F&& f) {
  f(
      Table{"cosim.endpoints", "/endpoints"}, figures<EndpointRow>(),
      [](auto& r) -> auto& { return r.cosim->endpoints; });
}

/// Where the file has a figure: as its row says, or else under /summary, or under the first word of its part's name,
/// with _ for the dots.
[[nodiscard]] std::string figure_path(const Part& part, const char* name, const char* given);
/// Where the file has a column.
[[nodiscard]] std::string column_path(const Table& table, const char* name, const char* given);

/// null for a figure that the run does not have.
[[nodiscard]] nlohmann::json finite(double value);
template <class Value>
[[nodiscard]] nlohmann::json finite(const Value& value) {
  return value;
}

/// A time of an owner in ns; null where a cycle has no length.
template <auto Member, class Owner>
[[nodiscard]] nlohmann::json ns_of(const RunResult& r, const Owner& owner) {
  return finite(r.cycle_ns > 0 ? owner.*Member * r.cycle_ns : no_figure);
}

/// What the summary has for a figure: null where it is not known, `discarded` where it has no place.
template <class Owner>
[[nodiscard]] nlohmann::json value_of(const RunResult& r, const Owner& owner, const Figure<Owner>& figure) {
  if (figure.shown != nullptr) return figure.shown(r, owner);
  nlohmann::json value;
  figure.with_member([&](auto member) { value = finite(owner.*member); });
  return value;
}

/// A figure of any owner.
struct AnyFigure {
  std::string name, path;  ///< in the summary, dots between its objects; in the file. Empty where it is not there
  const char* unit;
  const char* help;
  Merge merge;
  std::function<nlohmann::json(const RunResult&)> value;  ///< as value_of; null for a column of a table
};
/// All figures: those of parts, then columns of tables, as "jobs.latency.mean".
[[nodiscard]] std::vector<AnyFigure> all_figures();
/// How figures merge, as a word.
[[nodiscard]] const char* name_of(Merge how);

}  // namespace weft::tools
