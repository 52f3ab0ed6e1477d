// A fabric as it was read: cables, and what its file says beside them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/types.hpp"
#include "models/subnet/subnet.hpp"

namespace weft::tools {

/// What kind of file a fabric came from.
enum class FabricForm : u8 { ibnetdiscover, iblinkinfo, ibsim_net, graphml, toml, config };

/// "output of ibnetdiscover", "GraphML"...
[[nodiscard]] std::string form_name(FabricForm form);

struct Fabric {
  models::Subnet subnet;
  std::string name;  ///< of the topology, or the file without folders
  FabricForm form = FabricForm::config;
  std::map<std::string, u64> speeds;  ///< links by width and speed ("4xQDR"), as far as the file tells
  double link_gbps = 0;               ///< of a config: rate of its links, 10^9 bit/s; 0: none, or the cables say it
  std::vector<u32> other_lids;        ///< of what is no switch and no host: routers to other subnets
  u64 other_cables = 0;               ///< from host to host or to such routers, which are not kept
};

/// The largest unicast LID of InfiniBand; a fabric of 49,151 addresses cannot have more.
constexpr u32 most_lid = 0xbfff;
constexpr u32 most_lmc = 7;

/// What readers take at most, far above any fabric there is: a file must not fill the memory.
constexpr u64 most_fabric_nodes = u64{1} << 21;
constexpr u64 most_fabric_ports = u64{1} << 22;

}  // namespace weft::tools
