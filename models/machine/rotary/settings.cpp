// The rows, and their values in ticks.
#include "models/machine/rotary/settings.hpp"

namespace weft::models::rotary {

std::vector<Setting> setting_rows() {
  return {
      row::integer("router.ring_packets", "packets", 4, {2, 255},
                   "capacity of each dual-port buffer; each ring has one for each port."),
      row::integer("router.output_packets", "packets", 2, {1, 255},
                   "capacity of the output stage of a port, for the packets of each ring."),
      row::integer("router.buffer_cycles", "cycles", 1, {1, 1'000},
                   "how long a header takes through a dual-port buffer, and so from port to port."),
      row::integer("router.transit_packets", "packets", 2, {1, 255},
                   "how many packets for each of its buffers a ring takes from links; new packets leave one place of "
                   "these, and one place stays free in any case."),
      row::integer("router.injection_packets", "packets", 0, {0, 254},
                   "how many packets the buffer that a new packet enters may hold; 0: it must be empty, so that "
                   "routers do not fill up."),
      row::integer("router.misroute_rounds", "rounds", 1, {1, 1'000},
                   "after how many rounds of its ring a packet may leave by any link, so that it is not shut in "
                   "for ever.")};
}

RingSettings rings_of(const RouterSettings& settings) {
  return {static_cast<u32>(settings.own.integer("ring_packets")),
          static_cast<u32>(settings.own.integer("output_packets")),
          static_cast<Tick>(settings.own.integer("buffer_cycles")) * settings.cycle_ticks,
          static_cast<u32>(settings.own.integer("transit_packets")),
          static_cast<u32>(settings.own.integer("injection_packets")),
          static_cast<u32>(settings.own.integer("misroute_rounds"))};
}

}  // namespace weft::models::rotary
