// NIC policy "round-robin": evenly, whatever tasks do.
#include "workloads/program/nic_policy/nic_policy.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool round_robin_nics_registered = NicPolicyRegistry::instance().add(
    "round-robin", {.help = "the messages of a node to other nodes take turns, from NIC 0",
                    .nic = [](const MessageToSend& message) { return message.number % message.nics; }});

}  // namespace
}  // namespace weft::workloads
