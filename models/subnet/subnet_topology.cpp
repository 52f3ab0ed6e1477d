// Everything is worked out once, when the network is made.
#include "models/subnet/subnet_topology.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "models/subnet/distances.hpp"
#include "models/subnet/routes.hpp"
#include "models/subnet/speeds.hpp"
#include "models/subnet/switch_graph.hpp"

namespace weft::models {

namespace {

constexpr u32 nobody = UINT32_MAX;

}  // namespace

SubnetTopology::SubnetTopology(Subnet subnet, std::string name, std::optional<ForwardingTables> tables,
                               std::optional<SlToVl> sl_to_vl, bool own_rates)
    : subnet_(std::move(subnet)),
      name_(std::move(name)),
      tables_(std::move(tables)),
      sl_to_vl_(std::move(sl_to_vl)),
      node_of_(subnet_.hosts(), nobody) {
  for (u32 h = 0; h < subnet_.hosts(); ++h) {
    if (subnet_.peer_of_host(h).kind != Peer::Kind::router) continue;
    node_of_[h] = static_cast<u32>(host_of_.size());
    host_of_.push_back(h);
  }
  if (host_of_.size() < 2) {
    throw ConfigError(
        fmt::format("the fabric {} has {} with a cable (a network has at least 2 nodes); give one with hosts", name_,
                    host_of_.empty() ? "no host" : "1 host"));
  }
  if (own_rates) rates_ = relative_rates(subnet_);
  sort_into_kinds();
  measure_distances();
  add_up_rates();
}

void SubnetTopology::add_up_rates() {
  router_rate_ = static_cast<double>(router_channels_);
  if (rates_.empty()) return;
  router_rate_ = node_rate_ = 0;
  for (u32 s = 0; s < routers(); ++s) {
    for (u32 p = 0; p < ports(RouterId(s)); ++p) {
      const Peer far = peer(RouterId(s), p);
      const double rate = link_rate(RouterId(s), p);
      if (far.kind == Peer::Kind::router && subnet_.carries(s, p + 1)) router_rate_ += rate;
      if (far.kind == Peer::Kind::node) node_rate_ += std::min(1.0, rate) / nodes();
    }
  }
}

std::vector<double> SubnetTopology::link_rates() const {
  std::vector<double> rates = rates_;
  std::ranges::sort(rates);
  rates.erase(std::unique(rates.begin(), rates.end()), rates.end());
  return rates;
}

std::optional<NodeId> SubnetTopology::node_of(u32 host) const {
  if (node_of_[host] == nobody) return {};
  return NodeId(node_of_[host]);
}

std::vector<SubnetTopology::NamedNode> SubnetTopology::nodes_named(const std::string& /*text*/,
                                                                   const std::string& /*file*/) const {
  throw Bug("a fabric that knows no names");
}

void SubnetTopology::sort_into_kinds() {
  for (u32 s = 0; s < routers(); ++s) kind_ports_.push_back(subnet_.switch_at(s).ports);
  std::ranges::sort(kind_ports_);
  kind_ports_.erase(std::unique(kind_ports_.begin(), kind_ports_.end()), kind_ports_.end());
  for (u32 s = 0; s < routers(); ++s) {
    const auto at = std::ranges::lower_bound(kind_ports_, subnet_.switch_at(s).ports);
    kind_.push_back(static_cast<u32>(at - kind_ports_.begin()));
  }
}

void SubnetTopology::measure_distances() {
  const std::vector<u32> hosts = hosts_of_switches(subnet_);
  leaf_of_.assign(routers(), nobody);
  std::vector<u32> leaves;
  for (u32 s = 0; s < routers(); ++s) {
    if (hosts[s] == 0) continue;
    leaf_of_[s] = static_cast<u32>(leaves.size());
    leaves.push_back(s);
  }
  leaves_ = leaves.size();
  if (leaves_ * leaves_ > most_pairs) {
    throw ConfigError(
        fmt::format("the fabric {} has {} switches with hosts (distances are kept for at most {}); simulate a "
                    "smaller one",
                    name_, leaves_, 1U << 14));
  }
  const SwitchGraph graph(subnet_);
  router_channels_ = graph.all_hops();
  u64 ends = 0;
  for (u32 s = 0; s < routers(); ++s) {
    for (u32 port = 1; port <= subnet_.switch_at(s).ports; ++port) {
      const Peer far = subnet_.peer(s, port);
      ends += far.kind == Peer::Kind::router && far.id != s ? 1 : 0;
    }
  }
  router_links_ = ends / 2;
  hops_.reserve(leaves_ * leaves_);
  double sum = 0;
  u32 most = 0;
  for (const u32 from : leaves) {
    const std::vector<u32> hops = graph.distances(std::span(&from, 1));
    u64 row = 0;
    for (const u32 to : leaves) {
      if (hops[to] == SwitchGraph::unreachable) {
        throw ConfigError(
            fmt::format("the fabric {} has hosts in several parts that are not connected (nothing leads from '{}' to "
                        "'{}'); weft fabric check says which",
                        name_, shown(subnet_.switch_label(from)), shown(subnet_.switch_label(to))));
      }
      hops_.push_back(static_cast<u16>(std::min<u32>(hops[to], UINT16_MAX)));
      // Two of the links are those of the hosts.
      if (from != to || hosts[from] > 1) most = std::max(most, hops[to] + 2);
      row += u64{hosts[to]} * (hops[to] + 2);
    }
    sum += hosts[from] * static_cast<double>(row - 2);  // not to itself
  }
  diameter_ = most;
  mean_distance_ = sum / (static_cast<double>(nodes()) * (nodes() - 1));
}

Peer SubnetTopology::peer(RouterId router, u32 port) const {
  Peer peer = subnet_.peer(router.value(), port + 1);
  if (peer.kind == Peer::Kind::node) return {Peer::Kind::node, node_of_[peer.id], 0};
  if (peer.kind == Peer::Kind::router && peer.id == router.value()) return {};
  if (peer.kind == Peer::Kind::router) --peer.port;
  return peer;
}

RouterId SubnetTopology::router_of(NodeId node) const { return RouterId(switch_of(node.value())); }

u32 SubnetTopology::port_of(NodeId node) const { return subnet_.peer_of_host(host_of_[node.value()]).port - 1; }

u32 SubnetTopology::distance(NodeId from, NodeId to) const {
  if (from == to) return 0;
  const u64 a = leaf_of_[switch_of(from.value())], b = leaf_of_[switch_of(to.value())];
  return hops_[a * leaves_ + b] + 2U;
}

double SubnetTopology::uniform_load_bound() const {
  // What the links between switches carry together, shared by what each packet needs at least; no bisection is looked
  // for.
  const double hops = mean_distance_ - 2;
  return hops <= 0 ? node_rate_ : std::min(node_rate_, router_rate_ / (nodes() * hops));
}

std::vector<std::pair<std::string, std::string>> SubnetTopology::facts() const {
  std::vector<std::pair<std::string, std::string>> facts;
  if (const u32 uncabled = subnet_.hosts() - nodes(); uncabled > 0)
    facts.emplace_back("hosts without a cable, left out", std::to_string(uncabled));
  const MajorityLevels levels = fabric_levels(subnet_);
  if (!levels.level.empty())
    facts.emplace_back("switches a level, from the hosts up", fmt::format("{}", fmt::join(levels.switches(), ", ")));
  facts.emplace_back("forwarding tables", tables_ ? "given" : "none");
  if (const std::vector<SlowLink> slow = slow_links(subnet_, levels.level); !slow.empty()) {
    facts.emplace_back("links slower than their like",
                       fmt::format("{}, the first {} with {}", slow.size(),
                                   shown(subnet_.channel_name(slow.front().channel)), shown(slow.front().speed.name)));
  }
  return facts;
}

std::string SubnetTopology::link_name(RouterId router, u32 port) const {
  return fmt::format("{} port {}", shown(subnet_.switch_label(router.value())), port + 1);
}

}  // namespace weft::models
