// Runs points of a sweep: a thread for each process that runs at the same time, and one that shows the progress.
#include "tools/study/sweep_run.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <thread>

#include "engine/base/error.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/cores.hpp"
#include "engine/base/system/machine.hpp"
#include "engine/base/system/run_weft.hpp"
#include "tools/run/config/output_keys.hpp"

namespace weft::tools::sweep {
namespace {

namespace fs = std::filesystem;

constexpr int stopped_code = static_cast<int>(ExitCode::stopped);

/// What the threads of run_points share.
class Pool {
 public:
  Pool(const std::string& weft, const FrozenSweep& sweep, const std::vector<SweepPoint>& points, u32 jobs)
      : weft_(weft), sweep_(sweep), points_(points), started_s_(std::max<std::size_t>(jobs, 1), -1.0) {}

  void run(Progress& progress) {
    std::vector<std::thread> workers;
    for (std::size_t worker = 0; worker < started_s_.size(); ++worker) {
      workers.emplace_back([this, worker] { work(worker); });
    }
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(200), [&] { return ended_ == started_s_.size(); })) {
      progress.update(estimate(), 0, note());
    }
    lock.unlock();
    for (std::thread& worker : workers) worker.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work(std::size_t worker) {
    std::unique_lock lock(mutex_);
    while (next_ < points_.size() && process::StopSignals::received() == 0 && !failure_) {
      const SweepPoint& point = points_[next_++];
      const double begin = started_s_[worker] = wall_s();
      lock.unlock();
      Attempt attempt = Attempt::failed;
      std::exception_ptr failure;
      try {
        attempt = run_point(weft_, sweep_, point);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      started_s_[worker] = -1;
      if (failure && !failure_) failure_ = failure;
      spent_s_ += wall_s() - begin;
      ++finished_;
      failed_ += attempt == Attempt::failed ? 1 : 0;
    }
    ++ended_;
    changed_.notify_all();
  }

  /// Points that have ended, and of those that run the fraction that the mean of the others suggests: so that the time
  /// left is not judged by whole points alone, which may be few and long.
  double estimate() const {
    double done = finished_;
    const double mean_s = finished_ > 0 ? spent_s_ / finished_ : 0;
    for (const double begin : started_s_) {
      if (begin >= 0 && mean_s > 0) done += std::min(0.95, (wall_s() - begin) / mean_s);
    }
    return done;
  }

  std::string note() const {
    const auto busy = std::count_if(started_s_.begin(), started_s_.end(), [](double begin) { return begin >= 0; });
    return process::StopSignals::received() > 0
               ? "stopping"
               : fmt::format("{} running{}", busy, failed_ > 0 ? fmt::format(", {} failed", failed_) : "");
  }

  const std::string& weft_;
  const FrozenSweep& sweep_;
  const std::vector<SweepPoint>& points_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<double> started_s_;  ///< of the point that the worker runs, or -1
  std::size_t next_ = 0, ended_ = 0;
  u32 finished_ = 0, failed_ = 0;
  double spent_s_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

Attempt run_point(const std::string& weft, const FrozenSweep& sweep, const SweepPoint& point,
                  const process::TakesLine& progress) {
  const SweepStudy& study = sweep.study;
  const SweepFolder folder{study.out};
  try {
    check_inputs(sweep, point);
  } catch (const InputError& changed) {
    folder.note_failure(point, static_cast<int>(changed.code()), changed.what());
    return Attempt::failed;
  }
  // A relative path would be seen from the config.
  const std::string checkpoint = fs::absolute(folder.checkpoint(point)).string();
  const std::string setting = "checkpoint.path=" + checkpoint;
  process::RunRequest request{study.base, point.settings, study.processes, folder.result(point),
                              "",         true,           study.threads};
  request.settings.push_back(setting);
  request.progress = progress;
  // All points would write the files that the base names.
  for (std::string& record :
       records_beside(study.config.with(point.settings), fs::absolute(folder.stem(point)).string()))
    request.settings.push_back(std::move(record));
  if (fs::exists(checkpoint)) request.resume = checkpoint;
  process::RunOutcome outcome = process::run_weft(weft, request);
  const auto refused = [&outcome] { return outcome.exit_code == 2 || outcome.exit_code == 3; };
  if (!request.resume.empty() && refused()) {
    // The checkpoint is damaged or of another version: the point itself was checked.
    fs::remove(checkpoint);
    request.resume.clear();
    outcome = process::run_weft(weft, request);
  }
  if (outcome.exit_code == 0) {
    folder.note_inputs(point);
    folder.clear(point, false);
    return Attempt::done;
  }
  if (outcome.exit_code == stopped_code || process::StopSignals::received() > 0) {
    fs::remove(folder.failure(point));
    return fs::exists(checkpoint) ? Attempt::checkpointed : Attempt::stopped;
  }
  folder.note_failure(point, outcome.exit_code, outcome.error);
  return Attempt::failed;
}

void run_points(const std::string& weft, const FrozenSweep& sweep, const std::vector<SweepPoint>& points, u32 jobs,
                Progress& progress) {
  progress.start("sweep " + sweep.study.name, static_cast<double>(points.size()), "points");
  Pool(weft, sweep, points, static_cast<u32>(std::min<std::size_t>(jobs, points.size()))).run(progress);
  progress.finish();
}

u32 default_jobs(u32 ranks) { return std::max(1u, static_cast<u32>(usable_cores()) / ranks); }

}  // namespace weft::tools::sweep
