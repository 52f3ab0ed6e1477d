// The first LIDs that are free.
#include "models/subnet/lids.hpp"

#include <algorithm>
#include <vector>

namespace weft::models {

u32 hand_out_lids(Subnet& subnet, std::span<const std::pair<u32, u32>> others) {
  u32 most = 0;
  std::vector<bool> taken(1, true);  // [lid]
  const auto take = [&](u32 lid, u32 count) {
    if (taken.size() < u64{lid} + count) taken.resize(u64{lid} + count, false);
    for (u32 k = 0; k < count; ++k) taken[lid + k] = true;
    most = std::max(most, lid + count - 1);
  };
  for (const auto& [lid, count] : others) take(lid, count);
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    if (subnet.host_at(h).lid != 0) take(subnet.host_at(h).lid, 1U << subnet.host_at(h).lmc);
  }
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (subnet.switch_at(s).lid != 0) take(subnet.switch_at(s).lid, 1);
  }
  u32 next = 1;
  const auto free_from = [&](u32 count) {
    for (u32 lid = (next + count - 1) / count * count;; lid += count) {
      bool free = true;
      for (u32 k = 0; k < count; ++k) free = free && (lid + k >= taken.size() || !taken[lid + k]);
      if (free) return lid;
    }
  };
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    if (subnet.host_at(h).lid != 0) continue;
    const u32 count = 1U << subnet.host_at(h).lmc, lid = free_from(count);
    subnet.set_host_lid(h, lid, subnet.host_at(h).lmc);
    take(lid, count);
    if (count == 1) next = lid + 1;
  }
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (subnet.switch_at(s).lid != 0) continue;
    const u32 lid = free_from(1);
    subnet.set_switch_lid(s, lid);
    take(lid, 1);
    next = lid + 1;
  }
  return most;
}

}  // namespace weft::models
