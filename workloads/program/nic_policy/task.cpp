// NIC policy "task": as launchers bind processes to the nearest NIC.
#include "workloads/program/nic_policy/nic_policy.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool task_nics_registered = NicPolicyRegistry::instance().add(
    "task", {.help = "that of the place of its task among the tasks of the node, modulo node.nics",
             .nic = [](const MessageToSend& message) { return message.place % message.nics; },
             .is_default = true});

}  // namespace
}  // namespace weft::workloads
