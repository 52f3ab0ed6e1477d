// Fabrics as cables: see subnet.hpp.
#include "models/subnet/subnet.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/base/error.hpp"

namespace weft::models {

std::string LinkSpeed::text() const {
  return rate > 0 && !name.ends_with("b/s") && in_gbps() ? fmt::format("{} ({:.4g} Gb/s)", name, rate) : name;
}

u32 Subnet::add_switch(SubnetSwitch added) {
  WEFT_ASSERT(added.ports <= most_ports);
  first_channel_.push_back(switch_channels());
  peers_.resize(peers_.size() + added.ports);
  switches_.push_back(std::move(added));
  return switches() - 1;
}

u32 Subnet::add_host(SubnetHost added) {
  hosts_.push_back(std::move(added));
  host_peers_.emplace_back();
  return hosts() - 1;
}

bool Subnet::connect_switches(u32 a, u32 port_a, u32 b, u32 port_b, bool one_way) {
  if (port_a < 1 || port_a > switch_at(a).ports || port_b < 1 || port_b > switch_at(b).ports) return false;
  if (a == b && port_a == port_b) return false;
  Peer& at_a = peers_[channel(a, port_a)];
  Peer& at_b = peers_[channel(b, port_b)];
  if (at_a.kind != Peer::Kind::none || at_b.kind != Peer::Kind::none) return false;
  at_a = {Peer::Kind::router, b, port_b};
  at_b = {Peer::Kind::router, a, port_a};
  if (one_way) {
    idle_.resize(peers_.size());
    idle_[channel(b, port_b)] = true;
  }
  return true;
}

bool Subnet::connect_host(u32 host, u32 at_switch, u32 port) {
  if (port < 1 || port > switch_at(at_switch).ports) return false;
  Peer& there = peers_[channel(at_switch, port)];
  if (there.kind != Peer::Kind::none || host_peers_[host].kind != Peer::Kind::none) return false;
  there = {Peer::Kind::node, host, 0};
  host_peers_[host] = {Peer::Kind::router, at_switch, port};
  return true;
}

void Subnet::set_speed(u32 s, u32 port, const LinkSpeed& speed) {
  const Peer far = peer(s, port);
  if (far.kind == Peer::Kind::none) return;
  if (speeds_.empty()) speeds_.emplace_back();
  const auto known = std::ranges::find(speeds_, speed.name, &LinkSpeed::name);
  const auto ix = static_cast<u16>(known - speeds_.begin());
  if (known == speeds_.end()) {
    WEFT_ASSERT(speeds_.size() <= UINT16_MAX);
    speeds_.push_back(speed);
  }
  speed_ix_.resize(peers_.size(), 0);
  speed_ix_[channel(s, port)] = ix;
  if (far.kind == Peer::Kind::router) speed_ix_[channel(far.id, far.port)] = ix;
}

const LinkSpeed& Subnet::speed(u32 channel) const {
  static const LinkSpeed unknown;
  if (channel >= switch_channels()) {
    const Peer at = peer_of_host(channel - switch_channels());
    if (at.kind != Peer::Kind::router) return unknown;
    channel = this->channel(at.id, at.port);
  }
  return channel < speed_ix_.size() ? speeds_[speed_ix_[channel]] : unknown;
}

namespace {

std::string label_of(const std::string& name, u64 guid, u32 lid) {
  const std::string lid_text = lid == 0 ? "" : fmt::format("LID {}", lid);
  if (guid == 0) return lid == 0 ? "" : fmt::format("{} [{}]", name, lid_text);
  return fmt::format("{} [0x{:x}{}{}]", name, guid, lid == 0 ? "" : ", ", lid_text);
}

}  // namespace

void Subnet::label_nodes() {
  std::unordered_map<std::string_view, u32> nodes;  // by name
  for (const SubnetSwitch& one : switches_) ++nodes[one.name];
  const auto again = [this](u32 h) {  // another port of the adapter before it
    return h > 0 && hosts_[h].name == hosts_[h - 1].name && hosts_[h].guid == hosts_[h - 1].guid &&
           hosts_[h].port != hosts_[h - 1].port;
  };
  for (u32 h = 0; h < hosts(); ++h) nodes[hosts_[h].name] += again(h) ? 0 : 1;
  for (SubnetSwitch& one : switches_)
    one.label = nodes[one.name] > 1 ? label_of(one.name, one.guid, one.lid) : std::string();
  for (u32 h = 0; h < hosts(); ++h) {
    SubnetHost& one = hosts_[h];
    const bool several = again(h) || (h + 1 < hosts() && again(h + 1));
    if (nodes[one.name] > 1)
      one.label = label_of(one.name, several && one.port_guid != 0 ? one.port_guid : one.guid, one.lid);
    else
      one.label = several ? fmt::format("{}:{}", one.name, one.port) : std::string();
  }
}

Peer Subnet::owner(u32 channel) const {
  if (channel >= switch_channels()) return {Peer::Kind::node, channel - switch_channels(), 0};
  const auto after = std::upper_bound(first_channel_.begin(), first_channel_.end(), channel);
  const u32 s = static_cast<u32>(after - first_channel_.begin()) - 1;
  return {Peer::Kind::router, s, channel - first_channel_[s] + 1};
}

std::string Subnet::channel_name(u32 channel) const {
  const auto name = [this](const Peer& end) {
    if (end.kind == Peer::Kind::none) return std::string("nothing");
    if (end.kind == Peer::Kind::node) return host_label(end.id);
    return fmt::format("{} port {}", switch_label(end.id), end.port);
  };
  const Peer from = owner(channel);
  return name(from) + " -> " + name(from.kind == Peer::Kind::node ? peer_of_host(from.id) : peers_[channel]);
}

u64 Subnet::switch_links() const {
  u64 ends = 0;
  for (const Peer& peer : peers_) ends += peer.kind == Peer::Kind::router ? 1 : 0;
  return ends / 2;
}

u64 Subnet::host_links() const {
  u64 links = 0;
  for (const Peer& peer : host_peers_) links += peer.kind == Peer::Kind::router ? 1 : 0;
  return links;
}

Subnet subnet_of(const Topology& topology) {
  Subnet subnet;
  const u32 nodes = topology.nodes();
  for (u32 r = 0; r < topology.routers(); ++r) {
    const u32 ports = topology.ports(RouterId(r)) + (topology.direct() ? 1 : 0);
    if (ports > Subnet::most_ports) {
      throw ConfigError(
          fmt::format("router {} of the {} has {} ports, more than the {} that a forwarding table can name; "
                      "take a topology with smaller routers",
                      r, topology.name(), ports, Subnet::most_ports));
    }
    subnet.add_switch({.name = fmt::format("r{}", r), .guid = 0x200000ULL + r, .lid = nodes + 1 + r, .ports = ports});
  }
  for (u32 n = 0; n < nodes; ++n) {
    subnet.add_host(
        {.name = fmt::format("n{}", n), .guid = 0x10000000ULL + n, .port_guid = 0x10000000ULL + n, .lid = n + 1});
    const RouterId r = topology.router_of(NodeId(n));
    const u32 port = topology.direct() ? topology.ports(r) : topology.port_of(NodeId(n));
    if (topology.works(NodeId(n))) subnet.connect_host(n, r.value(), port + 1);
  }
  for (u32 r = 0; r < topology.routers(); ++r) {
    for (u32 p = 0; p < topology.ports(RouterId(r)); ++p) {
      const Peer peer = topology.peer(RouterId(r), p);
      if (peer.kind != Peer::Kind::router || !topology.carries(RouterId(r), p)) continue;
      const bool back = topology.carries(RouterId(peer.id), peer.port);
      subnet.connect_switches(r, p + 1, peer.id, peer.port + 1, !back);
    }
  }
  return subnet;
}

}  // namespace weft::models
