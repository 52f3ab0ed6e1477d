// How far a run has come: one line redrawn on a terminal, a plain line now and then in a log file.
#pragma once

#include <deque>
#include <functional>
#include <ostream>
#include <string>

#include "engine/base/types.hpp"

namespace weft::tools {

/// Shows progress on rank 0. Cheap enough to be told after every window: it reads the clock and mostly returns.
class Progress {
 public:
  /// automatic: a line redrawn in place on a terminal, else plain lines at most every 30 s. always: redrawn in place
  /// even where no terminal is seen (under mpirun). never: nothing.
  enum class Mode { automatic, always, never };
  using Clock = std::function<double()>;  ///< seconds since any fixed moment

  /// On standard error.
  explicit Progress(Mode mode);
  Progress(Mode mode, std::ostream& out, bool is_terminal);
  Progress(Mode mode, std::ostream& out, bool is_terminal, Clock clock);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  ///< finishes, so that an error message starts on a clean line

  /// Begins something: `what` is shown first; `total` in `unit`, 0 if it is not known.
  void start(const std::string& what, double total, const std::string& unit);
  /// From now on what has begun is counted by these, in place of what it was started with.
  void count(double total, const std::string& unit);
  /// `done`: of the total; `events`: engine events so far, 0 if none are counted; `note`: shown last, may be empty.
  void update(double done, u64 events, const std::string& note);
  /// Ends it: clears the redrawn line; after plain lines, a last one with the time taken.
  void finish();

 private:
  struct Sample {
    double at_s = 0, done = 0, events = 0;
  };
  [[nodiscard]] std::string line(double now, bool with_bar) const;
  void remember(const Sample& sample);

  bool in_place_, silent_;
  std::ostream& out_;
  Clock clock_;
  bool active_ = false, drawn_ = false;
  std::string what_, unit_, note_;
  double total_ = 0, done_ = 0, started_s_ = 0, shown_s_ = 0;
  std::deque<Sample> samples_;  ///< of the last seconds: rates and the time left follow the present, not the mean
};

/// What a word of --progress means: auto, always or never.
[[nodiscard]] Progress::Mode progress_mode(const std::string& word);

}  // namespace weft::tools
