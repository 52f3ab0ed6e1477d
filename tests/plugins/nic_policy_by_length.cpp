// A NIC policy from outside the source folders: docs/adding-a-nic-policy.md.
#include "workloads/program/nic_policy/nic_policy.hpp"

namespace weft::workloads {
namespace {

/// Short messages do not wait behind long ones, which go by all other NICs in turn.
u32 by_length(const MessageToSend& message) {
  constexpr u64 short_bytes = 256;
  return message.bytes <= short_bytes ? 0 : 1 + message.number % (message.nics - 1);
}

const bool by_length_registered = NicPolicyRegistry::instance().add(
    "by-length", {.help = "messages of up to 256 bytes by NIC 0, longer ones by the others in turn", .nic = by_length});

}  // namespace
}  // namespace weft::workloads
