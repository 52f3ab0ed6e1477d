// Figures of several runs as one; see the header.
#include "tools/run/collect/seeds.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "engine/base/confidence.hpp"
#include "engine/base/deviation.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/digest.hpp"
#include "tools/result/figures.hpp"

namespace weft::tools {
namespace {

/// The figures that the file has under the names of the columns.
SeedRow row_of(const RunResult& r) {
  static const std::vector<AnyFigure> all = all_figures();
  SeedRow row;
  for (const Figure<SeedRow>& column : figures<SeedRow>()) {
    const auto figure = std::ranges::find_if(all, [&](const AnyFigure& one) {
      return one.value &&
             (one.path == std::string("/summary/") + column.name || one.path == std::string("@") + column.name);
    });
    WEFT_ASSERT(figure != all.end());
    const nlohmann::json value = figure->value(r);
    column.with_member([&](auto member) {
      using Value = std::remove_cvref_t<decltype(row.*member)>;
      if (!value.is_null()) row.*member = value.template get<Value>();
    });
  }
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
Spread spread_of(const std::vector<SeedRow>& rows, Value SeedRow::*figure, double percent) {
  std::vector<double> values;
  for (const SeedRow& row : rows) values.push_back(static_cast<double>(row.*figure));
  return {stats::mean_of(values), stats::deviation_of(values), stats::half_width95(values),
          percent == 95 ? no_figure : stats::half_width(values, percent)};
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

void merge_values(bool& to, const std::vector<bool>& values, Merge how, std::size_t /*runs*/) {
  const auto yes = [](bool value) { return value; };
  to = how == Merge::every ? std::ranges::all_of(values, yes) : std::ranges::any_of(values, yes);
}

/// Whether such values become one.
template <class Value>
constexpr bool merges = std::is_same_v<Value, bool> || std::is_same_v<Value, u64> || std::is_same_v<Value, double> ||
                        std::is_same_v<Value, std::vector<u64>> || std::is_same_v<Value, std::vector<double>>;

/// Lists entry by entry.
template <class Value>
void merge_values(std::vector<Value>& to, const std::vector<std::vector<Value>>& lists, Merge how, std::size_t runs) {
  for (const auto& list : lists) to.resize(std::max(to.size(), list.size()));
  for (std::size_t k = 0; k < to.size(); ++k) {
    std::vector<Value> values;
    for (const auto& list : lists) {
      if (k < list.size()) values.push_back(list[k]);
    }
    merge_values(to[k], std::move(values), how, runs);
  }
}

template <class Figures>
bool any_merge(const Figures& figures) {
  return std::ranges::any_of(figures, [](const auto& figure) { return figure.merge != Merge::first; });
}

/// The figures of an owner, from its like in the runs that have it.
template <class Owner>
void merge_figures(const std::vector<Figure<Owner>>& figures, Owner& to, const std::vector<const Owner*>& owners,
                   std::size_t runs) {
  for (const Figure<Owner>& figure : figures) {
    if (figure.merge == Merge::first) continue;
    figure.with_member([&](auto member) {
      using Value = std::remove_cvref_t<decltype(to.*member)>;
      if constexpr (merges<Value>) {
        std::vector<Value> values;
        for (const Owner* owner : owners) values.push_back(owner->*member);
        merge_values(to.*member, std::move(values), figure.merge, runs);
      }
    });
  }
}

/// What tells a row from others of its table, in the order in which they are, unless that is the first run's.
struct RowKey {
  bool same_activities;  ///< in all runs, at their places

  std::size_t operator()(const ClassRow& /*row*/, std::size_t place) const { return place; }
  auto operator()(const FaultRow& row, std::size_t) const { return std::tuple(row.cycle, row.part, row.state); }
  std::size_t operator()(const JobRow& /*row*/, std::size_t place) const { return place; }
  auto operator()(const ActivityRow& row, std::size_t place) const {
    return std::tuple(row.job, row.name, same_activities ? place : 0);
  }
  auto operator()(const FlowRow& row, std::size_t place) const {
    return place == 0 ? std::tuple(false, u64{0}, u64{0}) : std::tuple(true, row.most_bytes, row.least_bytes);
  }
  double operator()(const HistogramBin& bin, std::size_t) const { return bin.low; }
  auto operator()(const LinkRow& row, std::size_t) const { return std::tuple(row.owner, row.port, row.channel); }
  std::string operator()(const BusyLink& row, std::size_t) const { return row.link; }
  u64 operator()(const DistanceRow& row, std::size_t) const { return row.links; }
  auto operator()(const PairRow& row, std::size_t) const { return std::pair(row.source, row.destination); }
  u64 operator()(const OccupancyRow& row, std::size_t) const { return row.packets; }
};
template <class Row>
constexpr bool in_first_order = std::is_same_v<Row, ActivityRow> || std::is_same_v<Row, BusyLink>;

/// Tables row by row: rows of the runs belong together that have the same key.
template <class Row, class Of>
std::vector<Row> merged_table(const std::vector<RunResult>& runs, const std::vector<Figure<Row>>& figures, Of of,
                              const RowKey& key) {
  using Rows = std::vector<const Row*>;
  std::map<decltype(key(std::declval<Row>(), 0)), Rows> found;
  std::vector<const Rows*> order;
  for (const RunResult& run : runs) {
    for (std::size_t k = 0; k < of(run).size(); ++k) {
      const auto [place, is_new] = found.try_emplace(key(of(run)[k], k));
      if (is_new) order.push_back(&place->second);
      place->second.push_back(&of(run)[k]);
    }
  }
  if constexpr (!in_first_order<Row>) {
    order.clear();
    for (const auto& [at, rows] : found) order.push_back(&rows);
  }
  std::vector<Row> merged;
  for (const Rows* rows : order) merge_figures(figures, merged.emplace_back(*rows->front()), *rows, runs.size());
  return merged;
}

void merge_tables(RunResult& all, const std::vector<RunResult>& runs) {
  const auto named = [](const ActivityRow& row) { return std::pair(row.job, row.name); };
  const RowKey key{std::ranges::all_of(runs, [&](const RunResult& run) {
    return std::ranges::equal(run.activities, all.activities, {}, named, named);
  })};
  for_each_table([&](const Table&, const auto& figures, auto of) {
    using Row = typename std::remove_cvref_t<decltype(of(all))>::value_type;
    if constexpr (std::is_invocable_v<RowKey, const Row&, std::size_t>) of(all) = merged_table(runs, figures, of, key);
  });
  keep_busiest(all.extra.busiest);
}

void merge_parts(RunResult& all, const std::vector<RunResult>& runs) {
  if (!all.task_finish_cycles.empty()) all.told_task_times = all.task_times();
  for_each_part([&](const Part& part, const auto& figures, auto of) {
    if (!any_merge(figures) || !part.there(all)) return;
    using Owner = std::remove_cvref_t<decltype(of(all))>;
    std::deque<TaskTimes> times;  // they are worked out
    std::vector<const Owner*> owners;
    for (const RunResult& run : runs) {
      if constexpr (std::is_same_v<Owner, TaskTimes>) {
        owners.push_back(&times.emplace_back(of(run)));
      } else {
        owners.push_back(&of(run));
      }
    }
    merge_figures(figures, of(all), owners, runs.size());
  });
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
  RunResult all = runs.front();
  all.warnings.clear();
  for (const RunResult& run : runs) {
    all.seeds.push_back(row_of(run));
    for (const std::string& warning : run.warnings)
      all.warnings.push_back(fmt::format("seed {}: {}", run.seed, warning));
  }
  merge_parts(all, runs);
  merge_tables(all, runs);
  all.seeds_load = spread_of(all.seeds, &SeedRow::load_accepted, all.confidence_percent);
  all.seeds_latency = spread_of(all.seeds, &SeedRow::latency_mean, all.confidence_percent);
  all.seeds_cycles = spread_of(all.seeds, &SeedRow::cycles, all.confidence_percent);
  all.load_accepted = all.seeds_load.mean;
  all.load_accepted_stddev = all.seeds_load.stddev;
  all.load_accepted_ci95 = all.seeds_load.ci95;
  all.load_accepted_ci = all.seeds_load.ci;
  all.latency_mean = all.seeds_latency.mean;
  all.latency_mean_ci95 = all.seeds_latency.ci95;
  all.latency_mean_ci = all.seeds_latency.ci;
  all.load_autocorrelation = all.latency_autocorrelation = no_figure;  // seeds are independent
  all.digest = digest_of(all.seeds);
  return all;
}

}  // namespace weft::tools
