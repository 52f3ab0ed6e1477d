// Law "fixed": all packets are as long as packets can be.
#include "workloads/traffic/length_law.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool fixed_registered = LengthRegistry::instance().add(
    "fixed", {.help = "all packets have packet.phits.",
              .lengths = [](const Parameters& /*keys*/, u32 longest) { return PacketLengths(longest, longest); }});

}  // namespace
}  // namespace weft::workloads
