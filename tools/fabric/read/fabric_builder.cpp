// Every port remembers the line that spoke of it, so that a contradiction can name both.
#include "tools/fabric/read/fabric_builder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unordered_set>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "models/subnet/speeds.hpp"

namespace weft::tools {
namespace {

/// Different words for speeds that are kept, far more than there are.
constexpr std::size_t most_speeds = 1000;
/// The permissive LID, which is nobody's.
constexpr u64 no_lid = 0xffff;

}  // namespace

using models::Subnet;

void FabricBuilder::fail(u64 line, const std::string& problem) const {
  throw InputError(line == 0 ? fmt::format("{}: {}", file_, problem) : fmt::format("{}:{}: {}", file_, line, problem));
}

u32 FabricBuilder::add(Node node) {
  if (nodes_.size() >= most_fabric_nodes || ports_.size() + node.ports + 1 > most_fabric_ports) {
    fail(node.line, fmt::format("the fabric is larger than {} nodes or {} ports (no subnet is); check which file it is",
                                most_fabric_nodes, most_fabric_ports));
  }
  if (node.ports > Subnet::most_ports) {
    fail(node.line, fmt::format("'{}' has {} ports (a forwarding table can name {}); check the file", shown(node.name),
                                node.ports, Subnet::most_ports));
  }
  nodes_.push_back({.facts = std::move(node), .first_port = ports_.size()});
  ports_.resize(ports_.size() + nodes_.back().facts.ports + 1);
  return nodes() - 1;
}

std::string FabricBuilder::shown_port(u32 n, u32 number) const {
  return fmt::format("port {} of '{}'", number, shown(node(n).name));
}

void FabricBuilder::need_port(u32 n, u64 number, u64 line) const {
  if (number >= 1 && number <= node(n).ports) return;
  fail(line, fmt::format("'{}' has no port {} (it has {}, numbered from 1: {}:{}); correct the number",
                         shown(node(n).name), number, node(n).ports, file_, node(n).line));
}

bool FabricBuilder::connect(u32 from, u32 number, u32 to, u32 far_number, u64 line, bool one_way) {
  need_port(from, number, line);
  need_port(to, far_number, line);
  if (from == to && number == far_number)
    fail(line, fmt::format("{} is cabled to itself; correct one of its ends", shown_port(from, number)));
  Port& here = port(from, number);
  Port& there = port(to, far_number);
  const auto contradicts = [&](const Port& end, u32 n, u32 at) {
    fail(line, fmt::format("{} is cabled to {} here, to {} in line {} (a port has one cable); correct one of the lines",
                           shown_port(n, at),
                           n == from && at == number ? shown_port(to, far_number) : shown_port(from, number),
                           shown_port(end.far, end.far_port), end.line));
  };
  if (here.far != nowhere && (here.far != to || here.far_port != far_number)) contradicts(here, from, number);
  if (there.far != nowhere && (there.far != from || there.far_port != number)) contradicts(there, to, far_number);
  if (here.said) {
    fail(line, fmt::format("{} is cabled twice (the first time in line {}); remove one of the lines",
                           shown_port(from, number), here.line));
  }
  const bool fresh = here.far == nowhere;
  here.far = to;
  here.far_port = far_number;
  here.said = true;
  here.line = static_cast<u32>(line);
  if (one_way && (node(from).kind != NodeKind::of_switch || node(to).kind != NodeKind::of_switch)) {
    fail(line, fmt::format("the cable of {} is one-way (hosts send and receive); let it carry both ways",
                           shown_port(from, number)));
  }
  there.idle = one_way;
  if (fresh) {
    there.far = from;
    there.far_port = number;
    there.line = static_cast<u32>(line);
  }
  return fresh;
}

u32 FabricBuilder::free_port(u32 n, u32 but) const {
  for (u32 number = 1; number <= node(n).ports; ++number) {
    if (port(n, number).far == nowhere && number != but) return number;
  }
  return 0;
}

void FabricBuilder::set_lid(u32 n, u32 number, u64 lid, u64 line) {
  // Ports that no subnet manager has seen say 0xffff.
  if (lid == 0 || lid == no_lid) return;
  if (lid > most_lid) {
    fail(line, fmt::format("LID {} is none of a node (they are 1 to {}); correct it",
                           lid == UINT64_MAX ? "of so many digits" : std::to_string(lid), most_lid));
  }
  if (node(n).kind == NodeKind::of_switch) {
    number = 0;
  } else {
    need_port(n, number, line);
  }
  Port& of = port(n, number);
  if (of.lid != 0 && of.lid != lid) {
    fail(line, fmt::format("'{}' has LID {} here, LID {} in line {}; correct one of the lines", shown(node(n).name),
                           lid, of.lid, of.lid_line));
  }
  if (of.lid == 0) of.lid_line = static_cast<u32>(line);
  of.lid = static_cast<u32>(lid);
}

void FabricBuilder::set_lmc(u32 n, u32 number, u64 lmc, u64 line) {
  if (lmc > most_lmc)
    fail(line, fmt::format("LMC {} is not possible (it is 0 to {}); correct it",
                           lmc == UINT64_MAX ? "of so many digits" : std::to_string(lmc), most_lmc));
  if (node(n).kind == NodeKind::of_switch) return;  // a switch has one LID
  need_port(n, number, line);
  port(n, number).lmc = static_cast<u8>(lmc);
}

void FabricBuilder::set_port_guid(u32 n, u32 number, u64 guid, u64 line) {
  if (node(n).kind == NodeKind::of_switch) return;
  need_port(n, number, line);
  port(n, number).guid = guid;
}

void FabricBuilder::set_speed(u32 n, u32 number, std::string_view speed) {
  if (speed.empty()) return;
  const std::string name = shown(speed, 40);
  auto known = std::ranges::find(speeds_, name, &models::LinkSpeed::name);
  if (known == speeds_.end()) {
    if (speeds_.size() > most_speeds) return;
    speeds_.push_back(models::link_speed_named(name).value_or(models::LinkSpeed{name, 0}));
    known = speeds_.end() - 1;
  }
  port(n, number).speed = static_cast<u16>(known - speeds_.begin());
}

const models::LinkSpeed& FabricBuilder::speed_of(const Port& of) const {
  const models::LinkSpeed &here = speeds_[of.speed], &there = speeds_[port(of.far, of.far_port).speed];
  if (there.name.empty()) return here;
  if (here.name.empty()) return there;
  return here.rate == 0 || (there.rate > 0 && there.rate < here.rate) ? there : here;
}

void FabricBuilder::claim_lids(const Port& of, const std::string& who) {
  if (of.lid == 0) return;
  lid_line_.resize(most_lid + 1, 0);
  const u32 end = of.lid + (1U << of.lmc);
  if (end > most_lid + 1) {
    fail(of.lid_line, fmt::format("'{}' has LIDs {} to {} (they end at {}); correct LID or LMC", shown(who), of.lid,
                                  end - 1, most_lid));
  }
  for (u32 lid = of.lid; lid < end; ++lid) {
    if (lid_line_[lid] != 0) {
      fail(of.lid_line, fmt::format("LID {} belongs to '{}' here and to another node in line {} (LIDs are for one node "
                                    "each); correct one of them",
                                    lid, shown(who), lid_line_[lid]));
    }
    lid_line_[lid] = std::max<u32>(1, of.lid_line);
  }
}

void FabricBuilder::leave_out(const NotHosts& not_hosts, Fabric& fabric) {
  std::vector<std::string> adapters;
  for (Built& node : nodes_) {
    const AdapterFacts facts{node.facts.name, node.facts.guid, node.facts.vendor, node.facts.device};
    if (node.facts.kind == NodeKind::host) {
      const bool named = not_hosts.names(facts), aggregates = is_aggregation_node(facts);
      if (!not_hosts.empty()) adapters.push_back(node.facts.name);
      if (!named && !aggregates) continue;
      node.facts.kind = NodeKind::other;
      node.left_out = aggregates ? LeftOut::aggregation_node : LeftOut::not_host;
    }
    if (node.facts.kind == NodeKind::other) ++fabric.left_out[static_cast<std::size_t>(node.left_out)];
  }
  not_hosts.need_all_used(adapters);
}

u64 FabricBuilder::number_nodes() {
  // ibsim counts switches from 0x200000 and adapters from 0x100000, in the order of the file; the ports of an adapter
  // follow it, cabled or not.
  std::unordered_set<u64> taken;
  std::vector<bool> known(nodes_.size(), false);
  for (u32 n = 0; n < nodes(); ++n) {
    taken.insert(node(n).guid);
    for (u32 p = 1; p <= node(n).ports; ++p) {
      if (port(n, p).guid == 0) continue;
      known[n] = true;
      taken.insert(port(n, p).guid);
    }
    known[n] = known[n] || node(n).guid != 0;
  }
  u64 numbered = 0, next_switch = 0x200000, next_adapter = 0x100000;
  for (u32 n = 0; n < nodes(); ++n) {
    if (known[n]) continue;
    const bool is_switch = node(n).kind == NodeKind::of_switch;
    const u64 count = is_switch ? 1 : u64{node(n).ports} + 1;
    u64& next = is_switch ? next_switch : next_adapter;
    for (u64 k = 0; k < count;) k = taken.contains(next + k) ? (next += k + 1, 0) : k + 1;
    nodes_[n].facts.guid = next;
    for (u32 p = 1; !is_switch && p <= node(n).ports; ++p) port(n, p).guid = next + p;
    next += count;
    ++numbered;
  }
  return numbered;
}

Fabric FabricBuilder::finish(const NotHosts& not_hosts) {
  Fabric fabric;
  leave_out(not_hosts, fabric);
  fabric.numbered = number_nodes();
  std::vector<u32> number(nodes_.size(), nowhere);  // of a switch, or of a node's first host
  std::vector<std::pair<u32, u32>> hosts;           // node and port
  std::vector<std::pair<u32, u32>> others;
  for (u32 n = 0; n < nodes(); ++n) {
    const Node& facts = node(n);
    if (facts.kind == NodeKind::of_switch) {
      claim_lids(port(n, 0), facts.name);
      number[n] = fabric.subnet.add_switch(
          {.name = facts.name, .guid = facts.guid, .lid = port(n, 0).lid, .ports = facts.ports});
      continue;
    }
    const std::size_t before = hosts.size();
    for (u32 p = 1; p <= facts.ports; ++p) {
      if (port(n, p).far != nowhere) hosts.emplace_back(n, p);
    }
    if (hosts.size() == before) hosts.emplace_back(n, 1);
    for (std::size_t ix = before; ix < hosts.size(); ++ix) {
      const Port& own = port(n, hosts[ix].second);
      claim_lids(own, facts.name);
    }
    if (facts.kind == NodeKind::host) continue;
    others.insert(others.end(), hosts.begin() + static_cast<std::ptrdiff_t>(before), hosts.end());
    hosts.resize(before);
  }
  for (const auto& [n, p] : others) {
    const Port& own = port(n, p);
    OtherPort& other = fabric.others.emplace_back();
    other.kind = nodes_[n].left_out;
    other.name = node(n).name;
    other.guid = node(n).guid;
    other.port_guid = own.guid != 0 ? own.guid : node(n).guid + p;
    other.lid = own.lid;
    other.lmc = own.lmc;
    if (own.far == nowhere || number[own.far] == nowhere) continue;
    other.at_switch = number[own.far];
    other.at_port = own.far_port;
  }
  for (const auto& [n, p] : hosts) {
    const Port& own = port(n, p);
    const u32 host = fabric.subnet.add_host(
        {.name = node(n).name, .guid = node(n).guid, .port_guid = own.guid, .port = p, .lid = own.lid, .lmc = own.lmc});
    if (own.far == nowhere) continue;
    if (number[own.far] != nowhere) {
      WEFT_ASSERT(fabric.subnet.connect_host(host, number[own.far], own.far_port));
      if (const auto& speed = speed_of(own); !speed.name.empty())
        fabric.subnet.set_speed(number[own.far], own.far_port, speed);
    } else if (node(own.far).kind != NodeKind::host || std::pair(n, p) < std::pair(own.far, own.far_port)) {
      ++fabric.other_cables;
    }
  }
  for (u32 n = 0; n < nodes(); ++n) {
    if (number[n] == nowhere) continue;
    for (u32 p = 1; p <= node(n).ports; ++p) {
      const Port& own = port(n, p);
      if (own.far == nowhere) continue;
      if (number[own.far] == nowhere) {
        fabric.other_cables += node(own.far).kind == NodeKind::other ? 1 : 0;
      } else if (std::pair(n, p) < std::pair(own.far, own.far_port)) {
        const u32 far = number[own.far];
        const bool joined = own.idle ? fabric.subnet.connect_switches(far, own.far_port, number[n], p, true)
                                     : fabric.subnet.connect_switches(number[n], p, far, own.far_port,
                                                                      port(own.far, own.far_port).idle);
        WEFT_ASSERT(joined);
        if (const auto& speed = speed_of(own); !speed.name.empty()) fabric.subnet.set_speed(number[n], p, speed);
      }
    }
  }
  for (u32 n = 0; n < nodes(); ++n) {
    for (u32 p = 1; p <= node(n).ports; ++p) {
      const Port& own = port(n, p);
      if (own.far == nowhere || std::pair(own.far, own.far_port) < std::pair(n, p)) continue;
      if (const auto& speed = speed_of(own); !speed.name.empty()) ++fabric.speeds[speed.name];
    }
  }
  std::set<std::pair<u32, u32>> noted;
  for (const FasterLink& link : could_be_) {
    const Port& own = port(link.at_switch, link.at_port);
    const bool here = number[link.at_switch] != nowhere && node(link.at_switch).kind == NodeKind::of_switch;
    if (own.far == nowhere || (!here && number[own.far] == nowhere)) continue;
    const u32 n = here ? link.at_switch : own.far, p = here ? link.at_port : own.far_port;
    const Port& there = port(n, p);
    if (noted.contains({there.far, there.far_port}) || !noted.emplace(n, p).second) continue;
    fabric.faster.push_back({number[n], p, link.could_be});
  }
  fabric.subnet.label_nodes();
  return fabric;
}

}  // namespace weft::tools
