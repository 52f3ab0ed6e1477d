// Looks policies up.
#include "workloads/nic_policy/nic_policy.hpp"

#include "engine/error.hpp"

namespace weft::workloads {

const NicPolicyKind& nic_policy(const std::string& name) {
  const NicPolicyKind* const kind = NicPolicyRegistry::instance().find(name);
  WEFT_ASSERT(kind != nullptr);
  return *kind;
}

std::string usual_nic_policy() {
  for (const std::string& name : NicPolicyRegistry::instance().names()) {
    if (nic_policy(name).usual) return name;
  }
  WEFT_ASSERT(false);
  return "";
}

}  // namespace weft::workloads
