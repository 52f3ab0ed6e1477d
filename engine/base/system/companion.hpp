// Processes that run beside this one and do not outlive it, however it ends.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace weft::process {

/// A process in a group of its own. It is killed with this process (also by SIGKILL), and its whole group when this
/// object goes. Where there is a keeper (keeper.hpp) its group, and what has left that, are killed with this process
/// too.
class Companion {
 public:
  /// Starts `command` (a path, or a name that PATH leads to, and its arguments) with no standard input; what it says on
  /// both of its outputs goes to the end of the file `log`, or where `log` is empty to this process's standard error.
  /// `settings` ("NAME=VALUE") are variables besides those of this process, or in place of them. `handed`: descriptors
  /// of this process that are its 3, 4 and so on. Throws SystemError if it cannot be started.
  Companion(const std::vector<std::string>& command, const std::vector<std::string>& settings, const std::string& log,
            const std::vector<int>& handed = {});
  ~Companion();
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Whether it still runs.
  [[nodiscard]] bool runs();
  /// How it ended, in words ("exit code 3", "signal 9 (Killed)"); call when it does not run.
  [[nodiscard]] std::string ending() const;
  /// Whether a signal ended it; call when it does not run.
  [[nodiscard]] bool was_killed() const;
  /// Whether it ended with exit code 0; call when it does not run.
  [[nodiscard]] bool went_well() const { return status_ == 0; }
  /// Waits so long for it to end by itself; whether it did.
  bool wait(double seconds);

 private:
  void end_group() const;

  pid_t pid_ = -1;
  bool reaped_ = false;
  int status_ = 0;
};

}  // namespace weft::process
