// A fabric as its cables are: switches, hosts and who is plugged into whom, read from a real cluster or made from a
// topology. What a subnet manager would call a subnet. Flow level: no packets, no time.
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// A switch with ports 1 to `ports`.
struct SubnetSwitch {
  std::string name;  ///< node description
  u64 guid = 0;      ///< of the node
  u32 lid = 0;       ///< 0: none known
  u32 ports = 0;
  std::string label = {};  ///< as label_nodes says it; empty: the name alone tells which it is
};

/// A port of a host's channel adapter: what sends and receives. An adapter with two cabled ports makes two of them.
struct SubnetHost {
  std::string name;        ///< node description
  u64 guid = 0;            ///< of the node
  u64 port_guid = 0;       ///< of the port; 0: none known
  u32 port = 1;            ///< number of the port at its adapter
  u32 lid = 0;             ///< first one; 0: none known
  u32 lmc = 0;             ///< it answers to 2^lmc LIDs
  std::string label = {};  ///< as label_nodes says it; empty: the name alone tells which it is
};

/// How fast a link is, in each direction.
struct LinkSpeed {
  std::string name;  ///< as people write it: "4xQDR", "25 Gb/s", "2 phits/cycle"; empty: nothing is known
  double rate = 0;   ///< of data, 10^9 bit/s; where the name says so, phits/cycle; 0: not known
  [[nodiscard]] bool in_gbps() const { return rate > 0 && !name.ends_with("phits/cycle"); }
  /// "4xQDR (32 Gb/s)".
  [[nodiscard]] std::string text() const;
};

/// Switches and hosts, each numbered from 0 in the order in which they were added, and the links between them.
/// Everything that is computed on a fabric goes by these numbers; names, GUIDs and LIDs are for people.
///
/// Every link has two channels, one for each direction. Channels are numbered: that of port p of switch s is
/// first_channel(s) + p - 1, whether the port is cabled or not; that out of host h is switch_channels() + h.
class Subnet {
 public:
  /// Ports of a switch at most: what an entry of a forwarding table can say.
  static constexpr u32 most_ports = 254;

  /// Returns its number. `ports` must not exceed most_ports.
  u32 add_switch(SubnetSwitch added);
  u32 add_host(SubnetHost added);
  /// Plugs a cable in. False, and nothing done, if a port has one already, or does not exist, or is its own far end.
  /// `one_way`: it carries packets from a to b only.
  bool connect_switches(u32 a, u32 port_a, u32 b, u32 port_b, bool one_way = false);
  bool connect_host(u32 host, u32 at_switch, u32 port);

  [[nodiscard]] u32 switches() const { return static_cast<u32>(switches_.size()); }
  [[nodiscard]] u32 hosts() const { return static_cast<u32>(hosts_.size()); }
  [[nodiscard]] const SubnetSwitch& switch_at(u32 s) const { return switches_[s]; }
  [[nodiscard]] const SubnetHost& host_at(u32 h) const { return hosts_[h]; }
  /// What tells a switch, or a host, from all others: its name, with GUID and LID where others have the same name.
  [[nodiscard]] const std::string& switch_label(u32 s) const {
    return switches_[s].label.empty() ? switches_[s].name : switches_[s].label;
  }
  [[nodiscard]] const std::string& host_label(u32 h) const {
    return hosts_[h].label.empty() ? hosts_[h].name : hosts_[h].label;
  }
  /// Gives labels to the nodes whose names are not unique: "spine [0x2c90200404c80, LID 5]", and "node7:2" for a port
  /// of an adapter with several. To be called when names, GUIDs and LIDs are known.
  void label_nodes();
  void set_switch_lid(u32 s, u32 lid) { switches_[s].lid = lid; }
  void set_host_lid(u32 h, u32 lid, u32 lmc) { hosts_[h].lid = lid, hosts_[h].lmc = lmc; }
  /// Says how fast the link in a port is, seen from both ends. Nothing happens where nothing is plugged in.
  void set_speed(u32 s, u32 port, const LinkSpeed& speed);
  /// Speed of the link of a channel.
  [[nodiscard]] const LinkSpeed& speed(u32 channel) const;
  /// Far end of port 1 to switch_at(s).ports; of kind `none` if nothing is plugged in. `port` of a host is 0.
  [[nodiscard]] Peer peer(u32 s, u32 port) const { return peers_[first_channel(s) + port - 1]; }
  /// Whether the cable in a port carries packets away from the switch.
  [[nodiscard]] bool carries(u32 s, u32 port) const {
    const u32 c = channel(s, port);
    return c >= idle_.size() || !idle_[c];
  }
  /// Whether there are one-way links.
  [[nodiscard]] bool one_way() const { return !idle_.empty(); }
  /// Where packets that a switch sends through a port come to: its far end, or nothing if the cable does not carry
  /// them.
  [[nodiscard]] Peer next(u32 s, u32 port) const { return carries(s, port) ? peer(s, port) : Peer{}; }
  /// The switch port that a host is cabled to; of kind `none` if it is not, or directly to another host (which is not
  /// kept).
  [[nodiscard]] Peer peer_of_host(u32 h) const { return host_peers_[h]; }

  [[nodiscard]] u32 first_channel(u32 s) const { return first_channel_[s]; }
  [[nodiscard]] u32 switch_channels() const { return static_cast<u32>(peers_.size()); }
  [[nodiscard]] u32 channels() const { return switch_channels() + hosts(); }
  [[nodiscard]] u32 channel(u32 s, u32 port) const { return first_channel_[s] + port - 1; }
  [[nodiscard]] u32 host_channel(u32 h) const { return switch_channels() + h; }
  /// The switch and port whose channel it is (of kind router), or the host.
  [[nodiscard]] Peer owner(u32 channel) const;
  /// A channel for people: "leaf 3 port 17 -> spine 1 port 3".
  [[nodiscard]] std::string channel_name(u32 channel) const;

  /// Links between switches, a cable counted once.
  [[nodiscard]] u64 switch_links() const;
  /// Links between hosts and switches.
  [[nodiscard]] u64 host_links() const;

 private:
  std::vector<SubnetSwitch> switches_;
  std::vector<SubnetHost> hosts_;
  std::vector<Peer> peers_;         ///< [channel of a switch]
  std::vector<Peer> host_peers_;    ///< [host]
  std::vector<u16> speed_ix_;       ///< [channel of a switch]: into speeds_; empty if no speed is known
  std::vector<LinkSpeed> speeds_;   ///< the first: not known
  std::vector<u32> first_channel_;  ///< [switch]
  std::vector<bool> idle_;          ///< [channel of a switch]: of a one-way link, against it; empty: there is none
};

/// The fabric of a topology: switch r is router r, host n is node n; port p of a router is port p + 1 here. Where nodes
/// sit inside routers, each is cabled to a port of its own behind the last. LIDs are handed out: hosts first, from 1,
/// then switches. Throws ConfigError if a router has more ports than a forwarding table can name.
[[nodiscard]] Subnet subnet_of(const Topology& topology);

}  // namespace weft::models
