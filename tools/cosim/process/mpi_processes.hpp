// The processes of an MPI program, started and ended by weft.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/file/temporary_folder.hpp"
#include "engine/base/system/companion.hpp"
#include "tools/cosim/process/shared_memory.hpp"

namespace weft::tools::cosim {

struct ProcessSpec {
  std::string program;  ///< and its arguments, as a shell reads them
  std::string output;   ///< file for what the program writes, or empty: standard error
  double patience_s = 60;
};

class MpiProcesses {
 public:
  /// Opens the processes of a program that another rank of weft has started.
  explicit MpiProcesses(SharedMemory& memory) : memory_(memory) {}
  /// Kills what still runs.
  ~MpiProcesses();
  MpiProcesses(const MpiProcesses&) = delete;
  MpiProcesses& operator=(const MpiProcesses&) = delete;

  /// Starts it. Throws ConfigError if the program's MPI library is not one that can be joined, SystemError if it
  /// cannot be started.
  void start(const ProcessSpec& spec);
  /// Throws StuckError if the process of a task, for which weft has waited so long, cannot be waited for any more.
  void look(u32 task, double waited_s, double patience_s);
  /// Waits for the program to end by itself. How it ended, or empty if well.
  [[nodiscard]] std::string wait_for_end(double patience_s);

 private:
  void check_states();
  [[noreturn]] void fail(u32 task, const std::string& what, const std::string& hint) const;
  [[nodiscard]] bool is_dead(u32 task) const;

  SharedMemory& memory_;
  std::unique_ptr<files::TemporaryFolder> session_;  ///< of the launcher, which leaves it where it is killed
  std::unique_ptr<process::Companion> launcher_;
};

}  // namespace weft::tools::cosim
