// What a guest does: the script that its kernel starts, up to where the snapshot is taken, and what it does from there.
#pragma once

#include <string>

#include "engine/base/types.hpp"

namespace weft::tools::cosim::guest {

/// A line on the console when the guest waits for what it is to do: the moment of the snapshot.
inline constexpr const char* ready_line = "weft: ready";
/// Begins the line on the console that says how a guest's command ended.
inline constexpr const char* status_line = "weft: status ";
/// What QEMU shows a guest in place of its job until the snapshot is taken.
inline constexpr const char* no_job = "# weft: no job yet\n";

/// /init: programs, file systems, drivers; waits for the job that QEMU shows once the guest starts from its snapshot.
[[nodiscard]] std::string init_script();
/// Starts a command on another guest for MPICH's process manager: "weft-launch HOST COMMAND...".
[[nodiscard]] std::string launch_script();

struct Job {
  u32 number = 0;  ///< of the guest
  u32 guests = 1;
  std::string command = {};  ///< words for its shell; empty: it serves until it is told to end
  bool ends_others = false;  ///< all other guests serve; it tells them when the command has ended
};
/// A script for one guest: address, names, command.
[[nodiscard]] std::string job_script(const Job& job);

}  // namespace weft::tools::cosim::guest
