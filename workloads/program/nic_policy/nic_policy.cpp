// Looks policies up.
#include "workloads/program/nic_policy/nic_policy.hpp"

#include <set>

#include "engine/base/error.hpp"

namespace weft::workloads {

const NicPolicyKind& nic_policy(const std::string& name) {
  const NicPolicyKind* const kind = NicPolicyRegistry::instance().find(name);
  WEFT_ASSERT(kind != nullptr);
  return *kind;
}

u32 nics_of_a_task(const NicPolicyKind& policy, u32 nics) {
  if (nics == 1) return 1;
  std::set<u32> used;
  for (u32 destination = 0; destination < nics; ++destination) {
    for (u32 number = 0; number < nics; ++number) {
      constexpr u64 some_bytes = 4096;
      used.insert(policy.nic({.nics = nics, .destination = destination, .number = number, .bytes = some_bytes}));
    }
  }
  return used.contains(NicPolicyKind::all) ? nics : static_cast<u32>(used.size());
}

std::string default_nic_policy() {
  for (const std::string& name : NicPolicyRegistry::instance().names()) {
    if (nic_policy(name).is_default) return name;
  }
  WEFT_ASSERT(false);
  return "";
}

}  // namespace weft::workloads
