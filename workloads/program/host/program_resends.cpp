// Members of ProgramHost: packets that were lost, which their NIC sends again. Who lost one tells the process of its
// sender through the run (tools/run/resends.hpp).
#include <algorithm>
#include <tuple>

#include "workloads/program/host/program_host_class.hpp"

namespace weft::workloads {

/// Nobody waits for those of jobs that have failed.
std::vector<LostPacket> ProgramHost::take_lost() {
  std::vector<LostPacket> lost = std::exchange(lost_, {});
  if (standing_.empty()) return lost;
  std::erase_if(
      lost, [this](const LostPacket& one) { return standing_[job_of(one.packet.source_task)] == Standing::failed; });
  return lost;
}

void ProgramHost::resend(const LostPacket& lost, Tick at) {
  const u32 entity = network_->layout().entity_of(NodeId(lost.source));
  if (entity == models::Layout::none) return;  // another process has its sender
  const u32 job = job_of(lost.packet.source_task);
  if (!standing_.empty() && standing_[job] == Standing::failed) return;
  const u32 nic = nic_of_entity_[entity];
  resends_.resize(packet_nics_.size());
  std::vector<LostPacket>& waiting = resends_[nic];
  LostPacket again = lost;
  again.at = at;
  const auto order = [](const LostPacket& p) { return std::tuple(p.at, p.packet.identity()); };
  waiting.insert(std::ranges::upper_bound(waiting, order(again), {}, order), again);
  network_->schedule(at, Event{.entity = entity, .kind = Event::Kind::resend});
}

}  // namespace weft::workloads
