// Names that several switches have are kept as nobody's.
#include "tools/fabric/read/switch_finder.hpp"

namespace weft::tools {

SwitchFinder::SwitchFinder(const Fabric& fabric) : numbered_(fabric.numbered > 0) {
  for (u32 s = 0; s < fabric.subnet.switches(); ++s) {
    const models::SubnetSwitch& facts = fabric.subnet.switch_at(s);
    if (facts.guid != 0) by_guid_[facts.guid] = s;
    if (!numbered_) continue;
    if (const auto [at, fresh] = by_name_.try_emplace(facts.name, s); !fresh) at->second = nobody;
  }
}

u32 SwitchFinder::find(u64 guid, std::string_view name) const {
  if (const auto at = by_name_.find(name); at != by_name_.end() && at->second != nobody) return at->second;
  const auto at = by_guid_.find(guid);
  return at == by_guid_.end() ? nobody : at->second;
}

}  // namespace weft::tools
