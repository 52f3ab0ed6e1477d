// Policies that say which NIC of its node a message leaves by; one file each, found by name.
// docs/adding-a-nic-policy.md adds one.
#pragma once

#include <string>

#include "engine/base/registry.hpp"
#include "engine/base/types.hpp"

namespace weft::workloads {

/// Most NICs of a node.
inline constexpr u32 most_nics = 64;

/// A message to another node whose send has become ready, as policies see it.
struct MessageToSend {
  u32 nics = 1;         ///< of each node, at least 2 where a policy is asked
  u32 place = 0;        ///< of its task among those of the node, from 0
  u32 destination = 0;  ///< task that it goes to, by its number in the job
  u32 number = 0;       ///< among those that the node has sent to other nodes by a policy, from 0
  u64 bytes = 0;
};

struct NicPolicyKind {
  static constexpr u32 all = ~u32{0};  ///< all of them, a stripe of the message each

  std::string help;                            ///< one line
  u32 (*nic)(const MessageToSend&) = nullptr;  ///< below `nics`, or `all`; a function of what it is given alone
  bool is_default = false;                     ///< what node.nic_policy is unless it is given; one of them
};
using NicPolicyRegistry = Registry<NicPolicyKind>;

/// The policy of a name. A Bug if there is none: names were validated.
[[nodiscard]] const NicPolicyKind& nic_policy(const std::string& name);
/// By how many of `nics` NICs of its node the messages of a task may leave.
[[nodiscard]] u32 nics_of_a_task(const NicPolicyKind& policy, u32 nics);
/// The name of the usual one.
[[nodiscard]] std::string default_nic_policy();

}  // namespace weft::workloads
