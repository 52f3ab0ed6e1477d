// The two lanes of a channel by way of a switch.
#include "workloads/generator/accelerator/in_network.hpp"

namespace weft::workloads {

OpGenerator give_chunks(RankPart part, SwitchChannel of, u32 counter) {
  const u64 before = of.repetition * of.chunks();
  if (before > 0) co_yield wait_op(counter, before, part.activity);
  for (u64 chunk = 0; chunk < of.chunks(); ++chunk) {
    if (of.in_flight > 0 && chunk >= of.in_flight)
      co_yield wait_op(counter, before + chunk - of.in_flight + 1, part.activity);
    if (part.transport.hop_ns > 0) co_yield part.hop();
    co_yield Op{OpKind::give, of.group, of.number(chunk), part.transport.on_wire(of.length(chunk)), part.activity};
  }
}

OpGenerator get_chunks(RankPart part, SwitchChannel of, u32 counter) {
  for (u64 chunk = 0; chunk < of.chunks(); ++chunk) {
    co_yield Op{OpKind::get, of.group, of.number(chunk), part.transport.on_wire(of.length(chunk)), part.activity};
    co_yield mark_op(counter, part.activity);
  }
}

}  // namespace weft::workloads
