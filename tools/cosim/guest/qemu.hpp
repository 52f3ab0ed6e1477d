// A QEMU beside this process, with its sockets.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/file/output_path.hpp"
#include "engine/base/system/companion.hpp"
#include "engine/base/types.hpp"
#include "tools/cosim/guest/installed.hpp"

namespace weft::tools::cosim::guest {

/// What two QEMUs must agree on for one to go on from the other's snapshot.
struct Machine {
  u32 memory_mib = 128;
  u32 shift = 0;       ///< an instruction takes 2^shift ns
  std::string initrd;  ///< file
};

/// How a QEMU is started.
struct QemuStart {
  std::string who;      ///< for errors: "guest 3"
  std::string memory;   ///< file of the guest's memory
  bool shared = false;  ///< what the guest writes goes into that file; else it is the guest's own
  std::string job;      ///< file that the guest reads as its job
  std::string console;  ///< file to write
  std::string log;      ///< file for what QEMU itself says
  std::string state;    ///< file of the machine's state, open to be read as a stream; empty: it starts from nothing
};

class Qemu {
 public:
  /// Descriptor of the machine's state in QEMU, where `QemuStart::state` names one.
  static constexpr int state_descriptor = 7;
  /// Stopped before its first instruction. Throws SystemError if it cannot be started.
  Qemu(const Installed& installed, const Machine& machine, const QemuStart& start);
  ~Qemu() { end(); }
  Qemu(const Qemu&) = delete;
  Qemu& operator=(const Qemu&) = delete;
  [[nodiscard]] int monitor() const { return monitor_.get(); }
  [[nodiscard]] int slices() const { return slices_.get(); }
  /// How it ended by itself, in words; empty while it runs, and after `end`.
  [[nodiscard]] std::string ended();
  /// Kills it and waits for that.
  void end();

 private:
  std::unique_ptr<process::Companion> process_;
  files::Descriptor monitor_;
  files::Descriptor slices_;
};

/// QEMU's arguments that decide what a snapshot is: another version or any other word is another snapshot.
[[nodiscard]] std::vector<std::string> machine_arguments(const Installed& installed, const Machine& machine);

/// The last lines of a file, indented for the detail of an error; empty if there are none.
[[nodiscard]] std::string last_lines(const std::string& path, std::size_t lines);

}  // namespace weft::tools::cosim::guest
