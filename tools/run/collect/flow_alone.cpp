// The rules of each machine for a packet that nothing is in the way of; see the header.
#include "tools/run/collect/flow_alone.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "engine/base/meaning.hpp"
#include "models/routing/router_kind.hpp"
#include "tools/run/setup/placed_program.hpp"
#include "workloads/program/nic_policy/nic_policy.hpp"

namespace weft::tools {
namespace {

using workloads::NicPolicyKind;
using workloads::ProgramJob;

/// The part of a message in stripes, of so many packets or bytes, that goes by a NIC.
u64 stripe(u64 amount, u32 nics, u32 nic) {
  const u64 each = (amount + nics - 1) / nics;
  return std::min(each, amount - std::min(amount, each * nic));
}

bool knows(const models::RouterKind& kind, const std::string& key) {
  return std::ranges::find(kind.settings, key, &Setting::key) != kind.settings.end();
}

bool links_differ(const models::RouterSettings& router) { return !router.class_link_ticks.empty(); }

}  // namespace

FlowAlone::FlowAlone(const Context& context, const workloads::Placement& placement)
    : context_(context),
      placement_(placement),
      slot_of_task_(workloads::slots_of(placement)),
      spec_(task_spec(context, context.config)),
      kind_(models::router_kind(context.router.kind)),
      has_crossbar_(knows(models::router_kind(models::machine_of(context.router.kind)), "router.speedup")),
      nics_(static_cast<u32>(context.config.integer("node.nics"))),
      nic_latency_(static_cast<Tick>(context.config.integer("node.nic_latency_cycles")) * context.router.cycle_ticks) {}

/// Packets `first` to `first + count` of a flow.
FlowAlone::Packets FlowAlone::packets_of(u64 bytes, u64 first, u64 count) const {
  const u64 full = context_.router.packet_phits,
            all = std::max<u64>(1, (bytes + spec_.packet_bytes - 1) / spec_.packet_bytes);
  Packets packets{(count - 1) * full, full};
  if (context_.counts_cells && first + count == all) {  // the last packet is as short as it can be
    const u64 rest = bytes - (all - 1) * spec_.packet_bytes;
    packets.last = spec_.header_phits + std::max<u64>(1, (rest + spec_.phit_bytes - 1) / spec_.phit_bytes);
  }
  return packets;
}

/// NICs by which the flow may leave; or `all`.
std::vector<u32> FlowAlone::nics_of(const ProgramJob& job, u32 from, u32 to, u64 bytes) const {
  if (nics_ == 1) return {0};
  const NicPolicyKind& policy = workloads::nic_policy(context_.config.text("node.nic_policy"));
  std::vector<u32> nics;
  for (u32 number = 0; number < nics_; ++number) {
    nics.push_back(policy.nic({.nics = nics_,
                               .place = slot_of_task_[from],
                               .destination = to - job.first_task,
                               .number = number,
                               .bytes = bytes}));
  }
  return nics;
}

double FlowAlone::ticks(const ProgramJob& job, Tick start, u32 from, u32 to, u64 bytes) {
  const NodeId a = placement_.node_of_task[from], b = placement_.node_of_task[to];
  const Tick work = job.costs.cpu(bytes);
  const Tick sent = job.processors ? job.processors->end_of(from - job.first_task, start, work) - start : work;
  if (a == b) {
    const double memory = std::floor(static_cast<double>(std::max<u64>(1, bytes)) * job.memory_ticks_per_byte);
    return static_cast<double>(sent + job.local_latency) + memory;
  }
  const std::vector<u32> nics = nics_of(job, from, to, bytes);
  if (context_.topology->joins_all()) {
    const bool striped = std::ranges::find(nics, NicPolicyKind::all) != nics.end();
    const u64 longest = striped ? stripe(bytes, nics_, 0) : bytes;
    return static_cast<double>(std::max<Tick>(1, sent + job.costs.flight(longest)));
  }
  const u64 packets = std::max<u64>(1, (bytes + spec_.packet_bytes - 1) / spec_.packet_bytes);
  const auto by_nic = [&](u32 nic, u64 first, u64 count) {
    const u32 offset = context_.attachment->offset(nic);
    return (nic == 0 ? 0 : 2 * nic_latency_) +
           through_network(NodeId(a.value() + offset), NodeId(b.value() + offset), packets_of(bytes, first, count));
  };
  Tick least = never;
  for (const u32 nic : nics) {
    Tick took = 0;
    if (nic != NicPolicyKind::all) took = by_nic(nic, 0, packets);
    for (u32 part = 0; nic == NicPolicyKind::all && part < nics_ && stripe(packets, nics_, part) > 0; ++part)
      took = std::max(took, by_nic(part, part * stripe(packets, nics_, 0), stripe(packets, nics_, part)));
    least = std::min(least, took);
  }
  return static_cast<double>(sent + least);
}

/// Until the tick in which the last phit is taken in.
Tick FlowAlone::through_network(NodeId from, NodeId to, const Packets& packets) {
  const models::RouterSettings& router = context_.router;
  const models::Topology& topology = *context_.topology;
  // As many packets as a node inside its router injects and consumes at one time.
  const u64 side_by_side = topology.direct() && !kind_.any_rate && router.multiple_consumption
                               ? std::max<u32>(1, router.injection_queues)
                               : 1;
  const u64 phit_ticks = router.cell_ticks_of(models::Topology::node_link_class());
  const double rate = topology.link_rates().empty() ? 1 : std::ranges::max(topology.link_rates());
  const double before = static_cast<double>(packets.before * phit_ticks) / rate;
  return static_cast<Tick>(before) / side_by_side + head_latency(from, to, packets.last);
}

/// Ticks until the last of a packet's so many phits is taken in.
Tick FlowAlone::head_latency(NodeId from, NodeId to, u64 phits) {
  const models::RouterSettings& router = context_.router;
  const models::Topology& topology = *context_.topology;
  const Tick node_link = router.link_ticks_of(models::Topology::node_link_class());
  const u64 phit_ticks = router.cell_ticks_of(models::Topology::node_link_class());
  const auto hops_of = [&] { return topology.distance(from, to) - (topology.direct() ? 0 : 2); };
  if (kind_.whole_packets) {
    const Tick tail = (phits - 1) * router.cycle_ticks;
    return hops_of() * (router.link_ticks + router.switch_ticks + tail) + tail;
  }
  if (!kind_.any_rate) {
    const u32 node_links = topology.direct() ? 0 : 2;
    return node_links * (node_link + router.switch_ticks) + least_path(from, to, router.switch_ticks) +
           (phits - 1) * router.cycle_ticks;
  }
  const Tick routing = static_cast<Tick>(router.own.integer("routing_cycles")) * router.cycle_ticks;
  Tick at_router = routing + router.switch_ticks;
  const bool same_rates = router.class_cell_ticks.empty() && topology.link_rates().empty();
  if (has_crossbar_ && same_rates) {
    const Tick tail = (phits - 1) * phit_ticks;
    // A whole packet is routed while its rest comes in; through a faster crossbar it goes when its end will be there.
    if (means(router.own.text("switching"), "store-and-forward", "cut-through"))
      at_router += tail - std::min(tail, routing);
    else
      at_router += tail - tail / static_cast<u64>(router.own.integer("speedup"));
  }
  double tail = static_cast<double>((phits - 1) * phit_ticks);
  if (!topology.link_rates().empty()) tail /= std::ranges::max(topology.link_rates());
  return 2 * node_link + at_router + least_path(from, to, at_router) + static_cast<Tick>(tail);
}

/// Over the links between the routers of two nodes, and through one router for each: the path that takes least.
Tick FlowAlone::least_path(NodeId from, NodeId to, Tick router_ticks) {
  const models::RouterSettings& router = context_.router;
  const models::Topology& topology = *context_.topology;
  if (!links_differ(router)) {
    const u32 hops = topology.distance(from, to) - (topology.direct() ? 0 : 2);
    return hops * (router.link_ticks + router_ticks);
  }
  const u32 source = topology.router_of(from).value();
  if (source != source_) {
    source_ = source;
    path_ticks_.assign(topology.routers(), never);
    using Reached = std::pair<Tick, u32>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
    next.emplace(path_ticks_[source] = 0, source);
    while (!next.empty()) {
      const auto [ticks, here] = next.top();
      next.pop();
      if (ticks > path_ticks_[here]) continue;
      for (u32 port = 0; port < topology.ports(RouterId(here)); ++port) {
        const models::Peer peer = topology.peer(RouterId(here), port);
        if (peer.kind != models::Peer::Kind::router || !topology.carries(RouterId(here), port)) continue;
        const Tick there = ticks + router.link_ticks_of(topology.link_class(RouterId(here), port)) + router_ticks;
        if (there >= path_ticks_[peer.id]) continue;
        path_ticks_[peer.id] = there;
        next.emplace(there, peer.id);
      }
    }
  }
  return path_ticks_[topology.router_of(to).value()];
}

}  // namespace weft::tools
