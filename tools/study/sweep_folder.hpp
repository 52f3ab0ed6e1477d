// The folder of a sweep: which file belongs to which point, and what these files say about each point's state.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/result/figures.hpp"
#include "tools/result/run_result.hpp"
#include "tools/study/sweep_study.hpp"

namespace weft::tools::sweep {

/// A headline figure of a run: what the tables of a sweep hold.
struct SweepFigure {
  std::string name;  ///< as in /summary of a result, where it is there
  std::string unit;
  std::function<double(const RunResult&)> of;  ///< NaN where the run has no such figure
};
[[nodiscard]] const std::vector<SweepFigure>& sweep_figures();
/// Its place in that list. An unknown name is a Bug.
[[nodiscard]] std::size_t figure_ix(const std::string& name);

enum class PointStatus : u8 {
  done,     ///< its result is there, whole
  stopped,  ///< a checkpoint is there to go on from
  failed,   ///< the last attempt ended with an error
  missing   ///< nothing is there
};
[[nodiscard]] std::string status_name(PointStatus status);

struct PointState {
  PointStatus status = PointStatus::missing;
  int exit_code = 0;   ///< of a failed point
  std::string error;   ///< of a failed point: what weft said, first line first; of a missing one, why it does not count
  std::string digest;  ///< of a done one
  std::string version;          ///< of a done one: the version of weft that made its result
  std::string job;              ///< of one that is not done: the SLURM job in the queue that has it, if that is known
  std::vector<double> figures;  ///< of a done one, [figure]

  /// NaN of one that is not done.
  [[nodiscard]] double figure(std::size_t ix) const {
    return figures.empty() ? std::numeric_limits<double>::quiet_NaN() : figures[ix];
  }
};

/// Whether a point that is done looked for a steady state in vain.
[[nodiscard]] bool not_converged(const PointState& state);
/// Whether the network of a point that is done could not take what was offered.
[[nodiscard]] bool is_saturated(const PointState& state);
/// Whether a job in the queue will run the point, or runs it now.
[[nodiscard]] inline bool is_queued(const PointState& state) {
  return !state.job.empty() && (state.status == PointStatus::missing || state.status == PointStatus::stopped);
}
/// Throws InputError if results that are done were made by another version of weft than this one. With `all_alike` only
/// if they are of different ones: then nothing is added to them.
void check_versions(const std::string& out, const std::vector<PointState>& states, bool all_alike);
/// Its status for a table; "done, not converged, saturated" where it is so, "missing, queued or running (job 12)".
[[nodiscard]] std::string state_name(const PointState& state);

/// Paths below the folder of a sweep.
struct SweepFolder {
  std::string path;

  /// What the names of all files of a point begin with.
  [[nodiscard]] std::string stem(const SweepPoint& point) const;
  [[nodiscard]] std::string result(const SweepPoint& point) const;
  [[nodiscard]] std::string checkpoint(const SweepPoint& point) const;
  [[nodiscard]] std::string failure(const SweepPoint& point) const;
  [[nodiscard]] std::string inputs(const SweepPoint& point) const;
  [[nodiscard]] std::string logs() const { return path + "/logs"; }
  [[nodiscard]] std::string points_json() const { return path + "/points.json"; }

  /// Makes the folders. Throws SystemError.
  void create() const;
  /// From the files of the point; reads all of its result. One that was made of other inputs than the point's does not
  /// count.
  [[nodiscard]] PointState state(const SweepPoint& point) const;
  [[nodiscard]] std::vector<PointState> states(const std::vector<SweepPoint>& points) const;
  /// Keeps a failed attempt. Throws SystemError.
  void note_failure(const SweepPoint& point, int exit_code, const std::string& error) const;
  /// Keeps with the result which inputs it was made of. Throws SystemError.
  void note_inputs(const SweepPoint& point) const;
  /// Removes the note and the checkpoint, where they are; the result with them if `result_too`.
  void clear(const SweepPoint& point, bool result_too) const;
};

/// What there is of points, out of the way while something else is asked for: back in its place if this goes without
/// `forget`.
class SetAside {
 public:
  SetAside() = default;
  ~SetAside();
  SetAside(const SetAside&) = delete;
  SetAside& operator=(const SetAside&) = delete;
  /// Renames the files of the point. Throws SystemError.
  void take(const SweepFolder& folder, const SweepPoint& point);
  /// Removes for good what was taken.
  void forget();

 private:
  std::vector<std::string> taken_;
};

/// The line that says what went wrong in what weft (and perhaps mpirun) wrote to standard error.
[[nodiscard]] std::string error_line(const std::string& error);

/// Writes points.json: one line for each point, with its settings, state, digest and figures. Throws SystemError.
void write_points_json(const SweepStudy& study, const std::vector<SweepPoint>& points,
                       const std::vector<PointState>& states);

}  // namespace weft::tools::sweep
