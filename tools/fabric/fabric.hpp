// A fabric as it was read: cables, and what its file says beside them.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "models/subnet/subnet.hpp"

namespace weft::tools {

/// What kind of file a fabric came from.
enum class FabricForm : u8 { ibnetdiscover, iblinkinfo, ports_list, subnet_list, ibsim_net, graphml, toml, config };

/// "output of ibnetdiscover", "GraphML"...
[[nodiscard]] std::string form_name(FabricForm form);
/// Whether files of a form have no LMC, which tables then tell.
[[nodiscard]] bool knows_no_lmc(FabricForm form);

/// What a node is that is neither a switch nor a host.
enum class LeftOut : u8 { router, aggregation_node, not_host };
constexpr std::size_t kinds_left_out = 3;

/// A port of such a node. It has an address, so tables lead there, but no traffic of hosts goes to it.
struct OtherPort {
  static constexpr u32 nowhere = UINT32_MAX;
  LeftOut kind = LeftOut::router;
  std::string name;
  u64 guid = 0, port_guid = 0;
  u32 lid = 0, lmc = 0;
  u32 at_switch = nowhere, at_port = 0;  ///< what it is cabled to
};

/// A link that both of its ends could run faster, as iblinkinfo says it.
struct FasterLink {
  u32 at_switch = 0, at_port = 0;
  std::string could_be;  ///< "14.0625 Gbps", "12X"
};

struct Fabric {
  models::Subnet subnet;
  std::string name;  ///< of the topology, or the file without folders
  FabricForm form = FabricForm::config;
  std::map<std::string, u64> speeds;  ///< links by width and speed ("4xQDR"), as far as the file tells
  double link_gbps = 0;               ///< of a config: rate of its links, 10^9 bit/s; 0: none, or the cables say it
  std::vector<OtherPort> others;      ///< of what is no switch and no host
  std::array<u64, kinds_left_out> left_out{};  ///< [LeftOut]: nodes
  std::vector<FasterLink> faster;              ///< each link once
  u64 other_cables = 0;                        ///< from host to host or to others, which are not kept
  u64 numbered = 0;           ///< nodes whose GUID the file does not say: they are numbered as ibsim numbers them
  u64 skipped_lines = 0;      ///< of messages between the lines of the file
  std::string skipped_place;  ///< "FILE:LINE" of the first
  std::string skipped_text;

  /// Nodes that were left out.
  [[nodiscard]] u64 nodes_left_out() const { return left_out[0] + left_out[1] + left_out[2]; }
  /// "8 SHARP aggregation nodes, 1 router to another subnet"; empty for none.
  [[nodiscard]] std::string left_out_text() const;
};

/// The largest unicast LID of InfiniBand; a fabric of 49,151 addresses cannot have more.
constexpr u32 most_lid = 0xbfff;
constexpr u32 most_lmc = 7;

/// What readers take at most, far above any fabric there is: a file must not fill the memory.
constexpr u64 most_fabric_nodes = u64{1} << 21;
constexpr u64 most_fabric_ports = u64{1} << 22;

}  // namespace weft::tools
