// Nodes are in the order of their own first lines; the lines are kept until all of them are known.
#include "tools/fabric/read/cable_list.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/shown.hpp"

namespace weft::tools {

void CableList::note(const CableEnd& end) {
  const auto [at, fresh] = node_of_.try_emplace(end.guid, static_cast<u32>(nodes_.size()));
  if (fresh) nodes_.push_back({end, lines_.number()});
  ListedNode& node = nodes_[at->second];
  if (node.facts.kind != end.kind) {
    lines_.fail(
        fmt::format("GUID 0x{:x} is that of '{}' here, of '{}' in line {}, nodes of two kinds; correct one of "
                    "the lines",
                    end.guid, shown(end.name), shown(node.facts.name), node.line));
  }
  node.facts.ports = std::max({node.facts.ports, end.ports, end.port});
}

void CableList::add(const CableEnd& near, const std::optional<CableEnd>& far, const std::string& speed) {
  if (ports_.size() >= most_fabric_ports) {
    lines_.fail(
        fmt::format("the fabric has more than {} ports (no subnet has); check which file it is", most_fabric_ports));
  }
  if (near.guid == 0 || (far && far->guid == 0))
    lines_.fail("a node has the GUID 0 (every node has one of its own); fetch the file again");
  if (near.port == 0 || (far && far->port == 0))
    lines_.fail("a cable is plugged into port 0 (ports count from 1); fetch the file again");
  note(near);
  listed_.emplace(near.guid, near.port);
  ports_.push_back({near, far, speed, lines_.number()});
}

void CableList::say(const CableEnd& end, u64 line) {
  const u32 n = node_of_.at(end.guid);
  const u32 port = static_cast<u32>(std::min<u64>(end.port, UINT32_MAX));
  builder_.set_lid(n, port, end.lid, line);
  if (end.port_guid != 0) builder_.set_port_guid(n, port, end.port_guid, line);
}

void CableList::connect(const ListedPort& port) {
  const CableEnd &near = port.end, &far = *port.far;
  if (!listed_.contains({far.guid, far.port})) {
    builder_.fail(port.line, fmt::format("the cable leads to port {} of '{}', which has no line of its own (the file "
                                         "may be cut off); fetch all of it",
                                         far.port, shown(far.name)));
  }
  const ListedNode& node = nodes_[node_of_.at(far.guid)];
  if (node.facts.kind != far.kind) {
    builder_.fail(port.line, fmt::format("GUID 0x{:x} is that of '{}' here, of '{}' in line {}, nodes of two kinds; "
                                         "correct one of the lines",
                                         far.guid, shown(far.name), shown(node.facts.name), node.line));
  }
  say(far, port.line);
  const u32 number = static_cast<u32>(std::min<u64>(near.port, UINT32_MAX));
  const u32 far_number = static_cast<u32>(std::min<u64>(far.port, UINT32_MAX));
  static_cast<void>(builder_.connect(node_of_.at(near.guid), number, node_of_.at(far.guid), far_number, port.line));
  builder_.set_speed(node_of_.at(near.guid), number, port.speed);
}

Fabric CableList::finish(const NotHosts& not_hosts) {
  for (const ListedNode& node : nodes_) {
    const CableEnd& facts = node.facts;
    builder_.add({.kind = facts.kind,
                  .name = facts.name,
                  .guid = facts.guid_of_port ? 0 : facts.guid,
                  .ports = static_cast<u32>(std::min<u64>(facts.ports, UINT32_MAX - 1)),
                  .line = node.line,
                  .vendor = facts.vendor,
                  .device = facts.device});
  }
  for (const ListedPort& port : ports_) say(port.end, port.line);
  for (const ListedPort& port : ports_) {
    if (port.far) connect(port);
  }
  return builder_.finish(not_hosts);
}

}  // namespace weft::tools
