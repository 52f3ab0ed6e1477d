// NIC policy "stripe": a message has the bandwidth of all NICs.
#include "workloads/program/nic_policy/nic_policy.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool stripe_nics_registered = NicPolicyRegistry::instance().add(
    "stripe", {.help = "all NICs, an equal part of the message each",
               .nic = [](const MessageToSend& /*message*/) { return NicPolicyKind::all; }});

}  // namespace
}  // namespace weft::workloads
