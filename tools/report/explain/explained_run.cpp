// What all outputs of explained runs share, and JSON and CSV; see the header.
#include "tools/report/explain/explained_run.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "engine/base/text/csv.hpp"
#include "engine/base/text/numbers.hpp"

namespace weft::tools::explain {
namespace {

using Json = nlohmann::ordered_json;

/// A whole number where it is one.
Json number(double value) {
  constexpr double most = 9e15;
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < most) return static_cast<i64>(value);
  return value;
}

Json times_json(const ExplainedRun& run, const Parts& parts) {
  Json json;
  for (std::size_t part = 0; part < part_count; ++part) json[part_keys[part]] = number(run.time(parts.ticks[part]));
  return json;
}

Json efficiencies_json(const ExplainedRun& run) {
  const Efficiencies e = efficiencies_of(run);
  return {{"parallel", number(e.parallel)},           {"load_balance", number(e.load_balance)},
          {"communication", number(e.communication)}, {"serialisation", number(e.serialisation)},
          {"transfer", number(e.transfer)},           {"ideal_time", number(e.ideal_time)}};
}

Json path_json(const ExplainedRun& run) {
  Json json = times_json(run, run.job.path_parts());
  json["tasks"] = Json::array();
  for (const PathShare& one : path_by_task(run.job))
    json["tasks"].push_back({{"task", one.task}, {"time", number(run.time(one.ticks))}});
  json["segments"] = Json::array();
  for (const PathSegment& s : run.job.path)
    json["segments"].push_back({{"begin", number(run.time(s.begin))},
                                {"end", number(run.time(s.end))},
                                {"part", part_keys[static_cast<std::size_t>(s.part)]},
                                {"task", s.task},
                                {"from", s.from}});
  return json;
}

Json run_json(const ExplainedRun& run) {
  Json json = {{"name", run.name},
               {"title", run.frame.title},
               {"job", run.job.name},
               {"unit", run.frame.unit()},
               {"time", number(run.time(run.job.time()))},
               {"cycles", number(static_cast<double>(run.job.time()) / static_cast<double>(run.frame.ticks_per_cycle))},
               {"begin", number(run.time(run.job.begin))}};
  for (std::size_t part = 0; part < part_count; ++part)
    json["shares"][part_keys[part]] = run.mean_share(static_cast<Part>(part));
  json["efficiencies"] = efficiencies_json(run);
  json["tasks"] = Json::array();
  for (u32 task = 0; task < run.job.tasks.size(); ++task) {
    json["tasks"].push_back({{"task", task}});
    json["tasks"].back().update(times_json(run, run.job.tasks[task]));
  }
  json["waits"] = Json::array();
  for (const PairWait& pair : longest_waits(run.job, run.job.pairs.size())) {
    json["waits"].push_back({{"task", pair.task}, {"for", pair.peer}});
    for (const Part part : {Part::late_sender, Part::transfer, Part::late_receiver, Part::other})
      json["waits"].back()[part_keys[static_cast<std::size_t>(part)]] = number(run.time(pair.waits.of(part)));
  }
  json["calls"] = Json::array();
  for (const CallTime& call : run.job.calls) {
    json["calls"].push_back({{"call", call.name}});
    json["calls"].back().update(times_json(run, call.parts));
  }
  json["critical_path"] = path_json(run);
  return json;
}

}  // namespace

Efficiencies efficiencies_of(const ExplainedRun& run) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  Efficiencies e{unknown, unknown, unknown, unknown, unknown, 0};
  const double time = run.time(run.job.time());
  double mean = run.time(run.job.all_tasks().of(Part::compute)) / static_cast<double>(run.job.tasks.size());
  double most = 0;
  for (const Parts& parts : run.job.tasks) most = std::max(most, run.time(parts.of(Part::compute)));
  if (most <= 0 || time <= 0 || !run.computes) return e;
  // Where the run itself is faster than on the network that costs nothing (times are rounded, pauses are others there,
  // and operations that wait for a stream may take another order), the run is the bound.
  const bool known = run.ideal.time > 0, bounds = known && run.ideal.time <= time;
  if (bounds && run.ideal.most_computed > 0) {
    most = std::min(run.ideal.most_computed, run.ideal.time);
    mean = std::min(run.ideal.mean_computed, most);
  }
  e.parallel = mean / time;
  e.load_balance = mean / most;
  e.communication = most / time;
  if (!known) return e;
  e.ideal_time = bounds ? std::max(run.ideal.time, most) : time;
  e.serialisation = most / e.ideal_time;
  e.transfer = e.ideal_time / time;
  return e;
}

std::vector<PairWait> longest_waits(const JobExplanation& job, std::size_t most) {
  std::vector<PairWait> pairs = job.pairs;
  std::erase_if(pairs, [](const PairWait& pair) { return pair.waits.waits() == 0; });
  std::ranges::stable_sort(pairs, std::greater{}, [](const PairWait& pair) { return pair.waits.waits(); });
  if (pairs.size() > most) pairs.resize(most);
  return pairs;
}

std::vector<PathShare> path_by_task(const JobExplanation& job) {
  std::map<u32, Tick> by_task;
  for (const PathSegment& segment : job.path) {
    if (segment.part != Part::transfer) by_task[segment.task] += segment.end - segment.begin;
  }
  std::vector<PathShare> shares;
  for (const auto& [task, ticks] : by_task) shares.push_back({task, ticks});
  std::ranges::stable_sort(shares, std::greater{}, &PathShare::ticks);
  return shares;
}

std::string time_text(const ExplainedRun& run, Tick ticks) {
  return fmt::format("{} {}", grouped(run.frame.whole_time(ticks)), run.frame.unit());
}

Json json_of(const std::vector<ExplainedRun>& runs) {
  Json json = {{"runs", Json::array()}};
  for (const ExplainedRun& run : runs) json["runs"].push_back(run_json(run));
  return json;
}

std::string csv_of(const std::vector<ExplainedRun>& runs) {
  CsvText csv;
  for (const char* name : {"run", "task", "unit", "time"}) csv.cell(std::string(name));
  for (const char* name : part_keys) csv.cell(std::string(name));
  csv.cell(std::string("waits_most_for"));
  csv.cell(std::string("waits_for_it"));
  csv.end_row();
  for (const ExplainedRun& run : runs) {
    std::vector<PairWait> longest(run.job.tasks.size());
    for (const PairWait& pair : run.job.pairs) {
      if (pair.waits.waits() > longest[pair.task].waits.waits()) longest[pair.task] = pair;
    }
    for (u32 task = 0; task < run.job.tasks.size(); ++task) {
      csv.cell(run.name);
      csv.cell(task);
      csv.cell(std::string(run.frame.unit()));
      csv.cell(run.time(run.job.time()));
      for (const Tick ticks : run.job.tasks[task].ticks) csv.cell(run.time(ticks));
      const bool waits = longest[task].waits.waits() > 0;
      csv.cell(waits ? std::to_string(longest[task].peer) : "");
      csv.cell(waits ? run.time(longest[task].waits.waits()) : 0.0);
      csv.end_row();
    }
  }
  return csv.take();
}

}  // namespace weft::tools::explain
