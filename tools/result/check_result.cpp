// Order and range of the tables of a result; see the header.
#include "tools/result/check_result.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace weft::tools {
namespace {

constexpr int most_depth = 32;  // of the config, which has two levels of tables and lists in them

/// Rows of times must come one after the other.
template <class Row>
std::string problem_of_times(const std::vector<Row>& rows, const char* table, Tick last) {
  Tick at = 0;
  for (std::size_t ix = 0; ix < rows.size(); ++ix) {
    const Row& row = rows[ix];
    if (row.begin < at || row.end < row.begin || row.end > last) {
      return fmt::format("row {} of table '{}' is of the cycles {} to {}, after one that ends at {}, in a run of {}",
                         ix, table, row.begin, row.end, at, last);
    }
    at = row.end;
  }
  return {};
}

std::string problem_of_histogram(const std::vector<HistogramBin>& bins) {
  for (std::size_t ix = 0; ix < bins.size(); ++ix) {
    const HistogramBin& bin = bins[ix];
    if (!(bin.low >= 0) || !(bin.high >= bin.low) || !std::isfinite(bin.high))
      return fmt::format("bin {} of the latencies is from {} to {} cycles", ix, bin.low, bin.high);
  }
  return {};
}

std::string problem_of_distances(const std::vector<DistanceRow>& rows) {
  for (std::size_t ix = 1; ix < rows.size(); ++ix) {
    if (rows[ix].links <= rows[ix - 1].links)
      return fmt::format("row {} of the distances is of {} links, after one of {}", ix, rows[ix].links,
                         rows[ix - 1].links);
  }
  return {};
}

std::string problem_of_config(const std::string& text) {
  if (text.empty()) return {};
  bool deep = false;
  const auto look = [&deep](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    deep = deep || depth > most_depth;
    return !deep;
  };
  const nlohmann::json read = nlohmann::json::parse(text, look, false);
  if (deep) return fmt::format("attribute 'config_json' is nested more than {} times", most_depth);
  return read.is_discarded() ? "attribute 'config_json' is no JSON" : "";
}

}  // namespace

std::string result_problem(const RunResult& result) {
  constexpr Tick any = std::numeric_limits<Tick>::max();
  for (std::string problem :
       {problem_of_times(result.intervals, "intervals", result.cycles),
        problem_of_times(result.batches, "batches", result.cycles),
        problem_of_times(result.extra.series, "series", any), problem_of_histogram(result.latency_histogram),
        problem_of_distances(result.extra.distances), problem_of_config(result.config_json)}) {
    if (!problem.empty()) return problem;
  }
  return {};
}

}  // namespace weft::tools
