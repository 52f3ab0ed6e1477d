// A fabric while it is read: nodes and the ends of their cables, which may come in any order and from both sides, until
// everything is there and fits together.
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/not_hosts.hpp"

namespace weft::tools {

enum class NodeKind : u8 { of_switch, host, other };

/// Throws InputError, with the lines of the file, for whatever contradicts what it was told before.
class FabricBuilder {
 public:
  struct Node {
    NodeKind kind = NodeKind::host;
    std::string name;
    u64 guid = 0;   ///< 0: not known
    u32 ports = 1;  ///< numbered from 1
    u64 line = 0;
    u32 vendor = 0, device = 0;  ///< 0: not known
  };
  /// `file` as messages show it.
  explicit FabricBuilder(std::string file) : file_(std::move(file)) {}

  u32 add(Node node);
  [[nodiscard]] u32 nodes() const { return static_cast<u32>(nodes_.size()); }
  [[nodiscard]] const Node& node(u32 n) const { return nodes_[n].facts; }
  /// A cable from port to port, as the first one's end says it; true if it is new, false if the far end said it before.
  /// `one_way`: it carries packets in this direction only, from switch to switch.
  bool connect(u32 from, u32 port, u32 to, u32 far_port, u64 line, bool one_way = false);
  /// First port of a node that has no cable, and is not `but`; 0 if there is none.
  [[nodiscard]] u32 free_port(u32 n, u32 but = 0) const;
  /// LID of a switch (port 0) or of another node's port. 0 says nothing.
  void set_lid(u32 n, u32 port, u64 lid, u64 line);
  void set_lmc(u32 n, u32 port, u64 lmc, u64 line);
  void set_port_guid(u32 n, u32 port, u64 guid, u64 line);
  /// How fast a port's link is, in the words of the file. Where its two ends disagree the slower one counts.
  void set_speed(u32 n, u32 port, std::string_view speed);

  /// Notes that both ends of a port's cable could be faster, in the words of the file.
  void set_could_be(u32 n, u32 port, std::string_view words) { could_be_.push_back({n, port, std::string(words)}); }

  /// Leaves out routers, aggregation nodes and what `not_hosts` names, and numbers nodes without GUID. Throws for LIDs
  /// that two have and for patterns that name nothing. The builder is empty then.
  [[nodiscard]] Fabric finish(const NotHosts& not_hosts);

  [[noreturn]] void fail(u64 line, const std::string& problem) const;

 private:
  static constexpr u32 nowhere = UINT32_MAX;
  /// A port of a node; [0] is the switch itself.
  struct Port {
    u32 far = nowhere, far_port = 0;
    u32 line = 0;  ///< where the cable is said
    u32 lid = 0;
    u32 lid_line = 0;
    u8 lmc = 0;
    bool said = false;  ///< by this end
    u16 speed = 0;      ///< into speeds_
    bool idle = false;  ///< carries no packets away: the cable is a one-way one
    u64 guid = 0;
  };
  struct Built {
    Node facts;
    u64 first_port = 0;                  ///< in ports_
    LeftOut left_out = LeftOut::router;  ///< what a node of kind `other` is
  };
  [[nodiscard]] Port& port(u32 n, u32 number) { return ports_[nodes_[n].first_port + number]; }
  [[nodiscard]] const Port& port(u32 n, u32 number) const { return ports_[nodes_[n].first_port + number]; }
  /// Whether there is such a port; 0 only where a node has an address of its own.
  void need_port(u32 n, u64 number, u64 line) const;
  [[nodiscard]] std::string shown_port(u32 n, u32 number) const;
  void claim_lids(const Port& port, const std::string& who);
  /// Sets kinds of adapters that are no hosts.
  void leave_out(const NotHosts& not_hosts, Fabric& fabric);
  /// Gives GUIDs to nodes and ports that have none; how many nodes.
  u64 number_nodes();
  /// Speed of a cable, by what is said at its ends.
  [[nodiscard]] const models::LinkSpeed& speed_of(const Port& port) const;

  std::string file_;
  std::vector<FasterLink> could_be_;  ///< by node in place of the switch
  std::vector<Built> nodes_;
  std::vector<Port> ports_;
  std::vector<models::LinkSpeed> speeds_{models::LinkSpeed{}};
  std::vector<u32> lid_line_;  ///< [LID]: line of its owner, 0 for none
};

}  // namespace weft::tools
