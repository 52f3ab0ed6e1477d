// NIC policy "destination": messages to one task never overtake each other.
#include "workloads/program/nic_policy/nic_policy.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool destination_nics_registered = NicPolicyRegistry::instance().add(
    "destination", {.help = "the number of the destination task in its job, modulo node.nics",
                    .nic = [](const MessageToSend& message) { return message.destination % message.nics; }});

}  // namespace
}  // namespace weft::workloads
