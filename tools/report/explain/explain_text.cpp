// Explained runs on the terminal.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"
#include "tools/report/explain/explained_run.hpp"

namespace weft::tools::explain {
namespace {

constexpr std::size_t most_pairs = 5, most_calls = 8, most_path_tasks = 4;

using Row = std::vector<std::string>;

bool is_anywhere(const std::vector<ExplainedRun>& runs, Part part) {
  return std::ranges::any_of(runs, [part](const ExplainedRun& run) {
    return run.job.all_tasks().of(part) > 0 || run.job.path_parts().of(part) > 0;
  });
}

template <class F>
Row row_of(const std::string& label, const std::vector<ExplainedRun>& runs, F&& text) {
  Row row = {label};
  for (const ExplainedRun& run : runs) row.push_back(text(run));
  return row;
}

std::string factor(double value) { return std::isfinite(value) ? fmt::format("{:.3f}", value) : "n/a"; }

void add_efficiencies(TextTable& table, const std::vector<ExplainedRun>& runs) {
  const auto add = [&](const char* label, double Efficiencies::*which) {
    table.push_back(row_of(label, runs, [&](const ExplainedRun& run) { return factor(efficiencies_of(run).*which); }));
  };
  if (std::ranges::none_of(runs, [](const auto& run) { return std::isfinite(efficiencies_of(run).parallel); })) return;
  table.push_back({""});
  add("parallel efficiency", &Efficiencies::parallel);
  add("= load balance", &Efficiencies::load_balance);
  add("x communication", &Efficiencies::communication);
  add("= serialisation", &Efficiencies::serialisation);
  add("x transfer", &Efficiencies::transfer);
}

/// Runs as columns.
std::string comparison(const std::vector<ExplainedRun>& runs) {
  TextTable table = {row_of("", runs, [](const ExplainedRun& run) { return run.name; })};
  table.push_back(row_of("run time", runs, [](const ExplainedRun& run) { return time_text(run, run.job.time()); }));
  const bool timed = std::ranges::any_of(runs, [](const ExplainedRun& run) { return run.frame.tick_ns > 0; });
  if (timed) {
    table.push_back(row_of("", runs, [](const ExplainedRun& run) {
      return grouped(run.job.time() / run.frame.ticks_per_cycle) + " cycles";
    }));
  }
  table.push_back({"time of a task"});
  for (std::size_t p = 0; p < part_count; ++p) {
    const Part part = static_cast<Part>(p);
    if (!is_anywhere(runs, part) && part != Part::compute) continue;
    table.push_back(
        row_of(part_names[p], runs, [&](const ExplainedRun& run) { return percent(run.mean_share(part)); }));
  }
  table.push_back({"critical path"});
  for (std::size_t p = 0; p < part_count; ++p) {
    const Part part = static_cast<Part>(p);
    if (std::ranges::all_of(runs, [&](const ExplainedRun& run) { return run.job.path_parts().of(part) == 0; }))
      continue;
    table.push_back(row_of(part_names[p], runs,
                           [&](const ExplainedRun& run) { return percent(run.share(run.job.path_parts().of(part))); }));
  }
  add_efficiencies(table, runs);
  return aligned(table);
}

std::string extremes(const ExplainedRun& run) {
  TextTable table = {{"of its time", "least", "", "mean", "most", ""}};
  const std::vector<Parts>& tasks = run.job.tasks;
  for (std::size_t p = 0; p < part_count; ++p) {
    const Part part = static_cast<Part>(p);
    const auto time = [part](const Parts& parts) { return parts.of(part); };
    // The first of several tasks.
    const auto least = std::ranges::min_element(tasks, {}, time), most = std::ranges::max_element(tasks, {}, time);
    if (most->of(part) == 0) continue;
    const auto task = [&](auto at) { return fmt::format("task {}", at - tasks.begin()); };
    table.push_back({part_names[p], percent(run.share(least->of(part))), task(least), percent(run.mean_share(part)),
                     percent(run.share(most->of(part))), task(most)});
  }
  return aligned(table, 2);
}

std::string pairs_text(const ExplainedRun& run) {
  TextTable table = {{"waits most", "for", "time", "of its time", "late sender", "transfer", "late receiver"}};
  for (const PairWait& pair : longest_waits(run.job, most_pairs)) {
    const auto part = [&](Part which) {
      return percent(static_cast<double>(pair.waits.of(which)) / static_cast<double>(pair.waits.waits()));
    };
    table.push_back({fmt::format("task {}", pair.task), fmt::format("task {}", pair.peer),
                     time_text(run, pair.waits.waits()), percent(run.share(pair.waits.waits())),
                     part(Part::late_sender), part(Part::transfer), part(Part::late_receiver)});
  }
  return table.size() == 1 ? "" : "\n" + aligned(table, 2);
}

std::string calls_text(const ExplainedRun& run) {
  if (run.job.calls.size() == 1 && run.job.calls.front().name.empty()) return "";
  TextTable table = {{"in", "of all time", "waits of all time"}};
  const double all = static_cast<double>(run.job.all_tasks().sum());
  for (const CallTime& call : run.job.calls) {
    if (table.size() > most_calls) break;
    table.push_back({call.name.empty() ? "no call" : call.name, percent(static_cast<double>(call.parts.sum()) / all),
                     percent(static_cast<double>(call.parts.waits()) / all)});
  }
  return table.size() == 1 ? "" : "\n" + aligned(table, 2);
}

std::string path_text(const ExplainedRun& run) {
  const std::vector<PathShare> tasks = path_by_task(run.job);
  u64 transfers = 0;
  for (const PathSegment& segment : run.job.path) transfers += segment.part == Part::transfer ? 1 : 0;
  std::string text = fmt::format("\n  critical path: {} stretches, {} of them transfers, on {}",
                                 grouped(run.job.path.size()), grouped(transfers), counted(tasks.size(), "task"));
  for (std::size_t ix = 0; ix < std::min(tasks.size(), most_path_tasks); ++ix)
    text +=
        fmt::format("{} task {} {}", ix == 0 ? "; most on" : ",", tasks[ix].task, percent(run.share(tasks[ix].ticks)));
  return text + "\n";
}

}  // namespace

std::string text_of(const std::vector<ExplainedRun>& runs) {
  std::string text = comparison(runs);
  for (const ExplainedRun& run : runs) {
    text += fmt::format("\n{}: {}\n", run.name, run.frame.title);
    text += extremes(run) + pairs_text(run) + calls_text(run) + path_text(run);
    if (!run.no_ideal.empty()) text += fmt::format("  serialisation and transfer are not known: {}\n", run.no_ideal);
  }
  return text;
}

}  // namespace weft::tools::explain
