// The rows of [ideal].
#include "models/machine/ideal/settings.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/core/packet.hpp"

namespace weft::models::ideal {

std::vector<Setting> setting_rows() {
  constexpr double most_ns = 1e8;
  const char* const why = "ages of packets are counted in 40 bits of ticks, 1000 or 1024 a ns";
  return {
      row::real("ideal.latency_ns", "ns", 1000, {0, most_ns}, "L of LogGOPS: time from one node to another.")
          .because(why),
      row::real("ideal.overhead_ns", "ns", 0, {0, most_ns},
                "o: time that a processor takes to send a message, and to take one in.")
          .because(why),
      row::real("ideal.gap_ns", "ns", 0, {0, most_ns}, "g: least time of a NIC from one message to the next.")
          .because(why),
      row::real("ideal.byte_gap_ns", "ns/byte", 0.04, {0, 1e6},
                "G: time for each byte of a message but the first, of the NIC and of the way; 1/G is the bandwidth."),
      row::real("ideal.byte_overhead_ns", "ns/byte", 0, {0, 1e6},
                "O: time of a processor for each byte but the first, at both ends."),
      row::integer("ideal.rendezvous_bytes", "bytes", 0, {0, i64{1} << 53},
                   "S: a longer message is sent by rendezvous: its send is complete when its receive is; 0: none is.")};
}

Costs costs_of(const Parameters& own) {
  return Costs({.latency_ns = own.real("latency_ns"),
                .overhead_ns = own.real("overhead_ns"),
                .gap_ns = own.real("gap_ns"),
                .byte_gap_ns = own.real("byte_gap_ns"),
                .byte_overhead_ns = own.real("byte_overhead_ns"),
                .rendezvous_bytes = static_cast<u64>(own.integer("rendezvous_bytes"))});
}

void check_rules(const LiveFaults& faults) {
  if (faults.cut_off() != CutOff::wait) return;
  throw ConfigError(
      "faults.cut_off = \"wait\" is not for ideal networks (a message leaves its NIC when those before it have, and "
      "waits for nothing else); use \"drop\" or \"stop\"");
}

void fail_too_long(u64 bytes, Tick ticks) {
  throw ConfigError(fmt::format(
      "a message of {} bytes takes {} ticks on the ideal network (ages are counted in 40 bits of ticks, {} at most); "
      "use a smaller ideal.byte_gap_ns, or whole ns for ideal.latency_ns, overhead_ns and gap_ns, for longer ticks",
      bytes, ticks, Packet::tick_mask));
}

}  // namespace weft::models::ideal
