// Figures of several runs as one; see the header.
#include "tools/run/seeds.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>

#include "engine/base/confidence.hpp"
#include "engine/base/deviation.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/digest.hpp"
#include "tools/result/seed_rules.hpp"

namespace weft::tools {
namespace {

SeedRow row_of(const RunResult& r) {
  SeedRow row;
  row.seed = r.seed;
  row.digest = r.digest;
  row.cycles = r.cycles;
  row.converged = r.converged;
  row.packets_delivered = r.packets_delivered;
  row.load_injected = r.load_injected;
  row.load_accepted = r.load_accepted;
  row.load_accepted_ci95 = r.load_accepted_ci95;
  row.latency_mean = r.latency_mean;
  row.latency_mean_ci95 = r.latency_mean_ci95;
  row.latency_p99 = r.latency_p99;
  row.distance_mean = r.distance_mean;
  return row;
}

u64 from_hex(const std::string& digits) {
  const std::optional<u64> value = parsed<u64>(digits, 16);
  WEFT_ASSERT(value.has_value());
  return *value;
}

std::string digest_of(const std::vector<SeedRow>& rows) {
  engine::Digest all;
  for (const SeedRow& row : rows) {
    WEFT_ASSERT(row.digest.size() == 32);
    all.add(row.seed, from_hex(row.digest.substr(0, 16)), from_hex(row.digest.substr(16)));
  }
  return all.hex();
}

template <class Value>
Spread spread_of(const std::vector<SeedRow>& rows, Value SeedRow::*figure) {
  std::vector<double> values;
  for (const SeedRow& row : rows) values.push_back(static_cast<double>(row.*figure));
  return {stats::mean_of(values), stats::deviation_of(values), stats::half_width95(values)};
}

/// Whether a run has the figure.
template <class Value>
bool has(const Value& value) {
  if constexpr (std::is_floating_point_v<Value>) return !std::isnan(value);
  return true;
}

/// Makes those of `values` that are figures one; `to` stays as it is if there are none. `runs`: how many there are.
template <class Value>
void merge_values(Value& to, std::vector<Value> values, Merge how, std::size_t runs) {
  std::erase_if(values, [](const Value& value) { return !has(value); });
  if (values.empty()) return;
  if (how == Merge::least) {
    to = std::ranges::min(values);
  } else if (how == Merge::most) {
    to = std::ranges::max(values);
  } else {
    to = std::accumulate(values.begin(), values.end(), Value{});
    if (how == Merge::sum) return;
    if constexpr (!std::is_floating_point_v<Value>) throw Bug("a mean of whole numbers is asked for");
    to /= static_cast<Value>(how == Merge::mean ? values.size() : runs);
  }
}

/// The figures of a row by seed_rules, from the rows of the runs that have it.
template <class Row>
void merge_row(Row& to, const std::vector<const Row*>& rows, std::size_t runs) {
  seed_rules(static_cast<const Row*>(nullptr), [&](auto figure, Merge how) {
    std::vector<std::remove_cvref_t<decltype(to.*figure)>> values;
    for (const Row* row : rows) values.push_back(row->*figure);
    merge_values(to.*figure, std::move(values), how, runs);
  });
}

/// Lists by seed_lists, entry by entry.
template <class Owner>
void merge_lists(Owner& to, const std::vector<const Owner*>& owners) {
  seed_lists(static_cast<const Owner*>(nullptr), [&](auto list, Merge how) {
    auto& merged = to.*list;
    for (const Owner* owner : owners) merged.resize(std::max(merged.size(), (owner->*list).size()));
    for (std::size_t k = 0; k < merged.size(); ++k) {
      std::vector<typename std::remove_cvref_t<decltype(merged)>::value_type> values;
      for (const Owner* owner : owners) {
        if (k < (owner->*list).size()) values.push_back((owner->*list)[k]);
      }
      merge_values(merged[k], std::move(values), how, owners.size());
    }
  });
}

/// Tables row by row: rows of the runs belong together that have the same key(row, place in its table). They are in the
/// order of the first run, those that it lacks behind.
template <class Table, class Key>
auto merged_table(const std::vector<RunResult>& runs, Table&& table, Key&& key) {
  using Row = typename std::remove_cvref_t<decltype(table(runs.front()))>::value_type;
  using Value = decltype(key(std::declval<Row>(), std::size_t{0}));
  std::map<Value, std::size_t> places;
  std::vector<std::vector<const Row*>> found;
  for (const RunResult& run : runs) {
    const std::vector<Row>& rows = table(run);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto [place, is_new] = places.try_emplace(key(rows[k], k), found.size());
      if (is_new) found.emplace_back();
      found[place->second].push_back(&rows[k]);
    }
  }
  std::vector<Row> merged;
  for (const auto& rows : found) merge_row(merged.emplace_back(*rows.front()), rows, runs.size());
  return merged;
}

void merge_tables(RunResult& all, const std::vector<RunResult>& runs) {
  const auto at_its_place = [](const auto& /*row*/, std::size_t place) { return place; };
  all.classes = merged_table(
      runs, [](const RunResult& r) -> auto& { return r.classes; }, at_its_place);
  all.jobs = merged_table(
      runs, [](const RunResult& r) -> auto& { return r.jobs; }, at_its_place);
  const auto named = [](const ActivityRow& row) { return std::pair(row.job, row.name); };
  const bool alike = std::ranges::all_of(
      runs, [&](const RunResult& run) { return std::ranges::equal(run.activities, all.activities, {}, named, named); });
  all.activities = merged_table(
      runs, [](const RunResult& r) -> auto& { return r.activities; },
      [&](const ActivityRow& row, std::size_t place) { return std::tuple(named(row), alike ? place : 0); });
  all.flows = merged_table(
      runs, [](const RunResult& r) -> auto& { return r.flows; },
      [](const FlowRow& row, std::size_t place) {
        return place == 0 ? std::tuple(false, u64{0}, u64{0}) : std::tuple(true, row.least_bytes, row.most_bytes);
      });
  all.latency_histogram = merged_table(
      runs, [](const RunResult& r) -> auto& { return r.latency_histogram; },
      [](const HistogramBin& bin, std::size_t) { return bin.low; });
  std::ranges::sort(all.latency_histogram, {}, &HistogramBin::low);
  if (all.flows.size() > 1)
    std::sort(all.flows.begin() + 1, all.flows.end(), [](const FlowRow& a, const FlowRow& b) {
      return std::tuple(a.most_bytes, a.least_bytes) < std::tuple(b.most_bytes, b.least_bytes);
    });
}

void merge_extra(ExtraStatistics& all, const std::vector<RunResult>& runs) {
  const auto link = [](const LinkRow& row, std::size_t = 0) { return std::tuple(row.owner, row.port, row.channel); };
  all.ports = merged_table(
      runs, [](const RunResult& r) -> auto& { return r.extra.ports; }, link);
  all.nic_ports = merged_table(
      runs, [](const RunResult& r) -> auto& { return r.extra.nic_ports; }, link);
  for (auto* const rows : {&all.ports, &all.nic_ports})
    std::ranges::sort(*rows, {}, [&](auto& row) { return link(row); });
  all.busiest = merged_table(
      runs, [](const RunResult& r) -> auto& { return r.extra.busiest; },
      [](const BusyLink& row, std::size_t) { return row.link; });
  keep_busiest(all.busiest);
  all.distances = merged_table(
      runs, [](const RunResult& r) -> auto& { return r.extra.distances; },
      [](const DistanceRow& row, std::size_t) { return row.links; });
  std::ranges::sort(all.distances, {}, &DistanceRow::links);
  const auto pair = [](const PairRow& row, std::size_t = 0) { return std::pair(row.source, row.destination); };
  all.pairs = merged_table(
      runs, [](const RunResult& r) -> auto& { return r.extra.pairs; }, pair);
  std::ranges::sort(all.pairs, {}, [&](auto& row) { return pair(row); });
  all.occupancy = merged_table(
      runs, [](const RunResult& r) -> auto& { return r.extra.occupancy; },
      [](const OccupancyRow& row, std::size_t) { return row.packets; });
  std::ranges::sort(all.occupancy, {}, &OccupancyRow::packets);
}

/// Pointers to a part of each run.
template <class Part>
auto parts_of(const std::vector<RunResult>& runs, Part&& part) {
  std::vector<decltype(&part(runs.front()))> parts;
  for (const RunResult& run : runs) parts.push_back(&part(run));
  return parts;
}

/// A part of the result by its own rules.
template <class Part>
void merge_part(RunResult& all, const std::vector<RunResult>& runs, Part RunResult::*part) {
  merge_row(all.*part, parts_of(runs, [part](const RunResult& run) -> const Part& { return run.*part; }), runs.size());
}

void merge_task_times(RunResult& all, const std::vector<RunResult>& runs) {
  if (all.task_finish_cycles.empty()) return;
  std::vector<TaskTimes> times;
  for (const RunResult& run : runs) times.push_back(run.task_times());
  std::vector<const TaskTimes*> rows;
  for (const TaskTimes& one : times) rows.push_back(&one);
  merge_row(all.told_task_times.emplace(times.front()), rows, runs.size());
}

void merge_figures(RunResult& all, const std::vector<RunResult>& runs) {
  const auto whole = parts_of(
      runs, [](const RunResult& run) -> auto& { return run; });
  merge_row(all, whole, runs.size());
  merge_task_times(all, runs);
  merge_lists(all, whole);
  merge_part(all, runs, &RunResult::bus);
  merge_part(all, runs, &RunResult::exchange);
  merge_part(all, runs, &RunResult::routes);
  merge_part(all, runs, &RunResult::extra);
  merge_part(all, runs, &RunResult::engine);
  merge_lists(all.engine, parts_of(
                              runs, [](const RunResult& run) -> auto& { return run.engine; }));
  merge_tables(all, runs);
  merge_extra(all.extra, runs);
}

}  // namespace

void drop_histories(RunResult& run) {
  run.intervals = run.batches = {};
  run.timeline = {};
  run.extra.series = {};
}

RunResult result_of_seeds(std::vector<RunResult> runs) {
  WEFT_ASSERT(!runs.empty());
  if (runs.size() == 1) return std::move(runs.front());
  for (RunResult& run : runs) {
    for (JobRow& job : run.jobs) job.bytes_per_cycle = run.bytes_per_cycle(job);
  }
  RunResult all = runs.front();
  all.warnings.clear();
  for (const RunResult& run : runs) {
    all.seeds.push_back(row_of(run));
    all.converged = all.converged && run.converged;
    all.falls_behind = all.falls_behind || run.falls_behind;
    for (const std::string& warning : run.warnings)
      all.warnings.push_back(fmt::format("seed {}: {}", run.seed, warning));
  }
  merge_figures(all, runs);
  all.seeds_load = spread_of(all.seeds, &SeedRow::load_accepted);
  all.seeds_latency = spread_of(all.seeds, &SeedRow::latency_mean);
  all.seeds_cycles = spread_of(all.seeds, &SeedRow::cycles);
  all.load_accepted = all.seeds_load.mean;
  all.load_accepted_stddev = all.seeds_load.stddev;
  all.load_accepted_ci95 = all.seeds_load.ci95;
  all.latency_mean = all.seeds_latency.mean;
  all.latency_mean_ci95 = all.seeds_latency.ci95;
  all.load_autocorrelation = all.latency_autocorrelation = no_figure;  // seeds are independent
  all.digest = digest_of(all.seeds);
  return all;
}

}  // namespace weft::tools
