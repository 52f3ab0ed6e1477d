// All guests of a run: what they have in common, and what each does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/cosim/guest/guest_endpoint.hpp"

namespace weft::tools::cosim::guest {

struct GuestSettings {
  /// Words for the shell of guest 0. The others serve: they answer what comes, start what its mpiexec asks them to, and
  /// power off when it has ended.
  std::string command = {};
  bool everywhere = false;                 ///< all run the command, and each powers off when its own has ended
  std::vector<std::string> programs = {};  ///< copied into all of them
  u32 memory_mib = 192;
  u32 shift = 0;                  ///< an instruction takes 2^shift ns
  std::string folder = "guests";  ///< for consoles and logs; made if need be
  double patience_s = 120;        ///< of wall time, for a start and for each slice
};

class Guests {
 public:
  /// Makes the snapshot unless it is there. Throws ConfigError or SystemError: something is missing, the guest does not
  /// start.
  explicit Guests(const GuestSettings& settings);
  /// Starts one of so many. May be called in the order of numbers or any other, in each process for its own.
  [[nodiscard]] std::unique_ptr<GuestEndpoint> start(u32 number, u32 guests) const;
  [[nodiscard]] const Snapshot& snapshot() const { return snapshot_; }

 private:
  GuestSettings settings_;
  Installed installed_;
  Snapshot snapshot_;
};

}  // namespace weft::tools::cosim::guest
