// What was lost goes to rank 0 and from there to all.
#include "tools/run/resends.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/gathered.hpp"
#include "tools/run/faults/run_faults.hpp"

namespace weft::tools {

using workloads::LostPacket;

std::optional<Resends> Resends::of(Context& context, workloads::ProgramHost& host) {
  if (!tools::resends(context)) return {};
  return Resends(context, host, resend_ticks(context));
}

Tick Resends::exchange() {
  const std::vector<LostPacket> mine = host_.take_lost();
  u64 any = mine.size();
  context_.transport.sum({&any, 1});
  if (any == 0) return never;
  std::vector<LostPacket> all = engine::gathered(context_.transport, mine);
  std::vector<std::byte> told(all.size() * sizeof(LostPacket));
  if (!all.empty()) std::memcpy(told.data(), all.data(), told.size());
  context_.transport.broadcast(told);
  all.resize(told.size() / sizeof(LostPacket));
  std::memcpy(static_cast<void*>(all.data()), told.data(), told.size());
  Tick first = never;
  for (const LostPacket& lost : all) {
    if (lost.cut_off && context_.faults->next_after(lost.at) == never) {
      throw StuckError(
          fmt::format("a packet of message {} of task {} is cut off from its destination since cycle {}, and nothing "
                      "is repaired any "
                      "more (faults.lost = \"resend\"); let a part come up, or place the tasks elsewhere",
                      lost.packet.message, u32{lost.packet.source_task}, lost.at / context_.time.ticks_per_cycle));
    }
    host_.resend(lost, lost.at + after_);
    first = std::min(first, lost.at + after_);
  }
  return first;
}

}  // namespace weft::tools
