// Explained runs side by side, as text, JSON, CSV and a page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/report/explain/explanation.hpp"

namespace weft::tools::explain {

/// The program of a run on a network that costs nothing, in times as those of the run.
struct IdealRun {
  double time = 0;  ///< 0: not known
  /// What its tasks compute there, each moment once; 0: as in the run. Lanes of a task may overlap more than there.
  double mean_computed = 0, most_computed = 0;
};

/// A job of a run, or all of a run without jobs.
struct ExplainedRun {
  std::string name;  ///< "torus", "torus: stencil"
  timeline::TimelineFrame frame;
  JobExplanation job;
  IdealRun ideal;
  std::string no_ideal;  ///< why it is not known
  /// Its tasks compute; else their computing is a wait for times that the program gives.
  bool computes = true;

  /// Nanoseconds, or cycles where these have no length.
  [[nodiscard]] double time(Tick ticks) const { return frame.time(ticks); }
  [[nodiscard]] double share(Tick ticks) const {
    return job.time() > 0 ? static_cast<double>(ticks) / static_cast<double>(job.time()) : 0;
  }
  /// Mean over the tasks.
  [[nodiscard]] double mean_share(Part part) const {
    return share(job.all_tasks().of(part)) / static_cast<double>(job.tasks.size());
  }
};

/// Factors of the POP methodology (https://pop-coe.eu/node/69), 0..1; NaN where not known.
struct Efficiencies {
  double parallel = 0, load_balance = 0, communication = 0, serialisation = 0, transfer = 0;
  double ideal_time = 0;
};
[[nodiscard]] Efficiencies efficiencies_of(const ExplainedRun& run);

/// The pairs with the longest waits of a task for another first.
[[nodiscard]] std::vector<PairWait> longest_waits(const JobExplanation& job, std::size_t most);

/// Time of the critical path by task, and in transfers, the longest first.
struct PathShare {
  u32 task = 0;
  Tick ticks = 0;
};
[[nodiscard]] std::vector<PathShare> path_by_task(const JobExplanation& job);

/// 1234567 -> "1,234,567 ns".
[[nodiscard]] std::string time_text(const ExplainedRun& run, Tick ticks);

[[nodiscard]] std::string text_of(const std::vector<ExplainedRun>& runs);
[[nodiscard]] nlohmann::ordered_json json_of(const std::vector<ExplainedRun>& runs);
/// A row for each task of each run.
[[nodiscard]] std::string csv_of(const std::vector<ExplainedRun>& runs);
[[nodiscard]] std::string page_of(const std::vector<ExplainedRun>& runs);

}  // namespace weft::tools::explain
