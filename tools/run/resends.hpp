// Packets that were lost where parts of the network fail, sent again by their NICs.
#pragma once

#include <optional>

#include "engine/base/types.hpp"
#include "tools/run/context.hpp"
#include "workloads/program/host/program_host.hpp"

namespace weft::tools {

/// faults.lost = "resend": a NIC sends a packet again faults.resend_ns after it was lost. The ranks tell each other
/// what was lost at least as often: so a sender's process hears of it in time, however the network is shared out.
class Resends {
 public:
  /// What it is given must outlive it. None if lost packets are not sent again.
  [[nodiscard]] static std::optional<Resends> of(Context& context, workloads::ProgramHost& host);

  [[nodiscard]] Tick least_ticks() const { return after_; }
  /// Tells what was lost so far; the first tick at which a packet is sent again, `never` if none was lost. Throws
  /// StuckError on all ranks if a packet is cut off from its destination for good. Collective.
  Tick exchange();

 private:
  Resends(Context& context, workloads::ProgramHost& host, Tick after) : context_(context), host_(host), after_(after) {}

  Context& context_;
  workloads::ProgramHost& host_;
  Tick after_;
};

}  // namespace weft::tools
