// One block of lines for each switch, in order of LIDs.
#include "tools/fabric/lft_writer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "models/subnet/lids.hpp"

namespace weft::tools {
namespace {

using models::ForwardingTables;
using models::Subnet;

/// What a LID is of.
struct Owner {
  enum class Kind : u8 { of_switch, target, other };
  u32 lid = 0;
  Kind kind = Kind::target;
  u32 number = 0;  ///< of its kind
};

std::vector<Owner> owners_of(const Subnet& subnet, const ForwardingTables& tables, std::span<const OtherPort> others) {
  std::vector<Owner> owners;
  for (u32 s = 0; s < subnet.switches(); ++s) owners.push_back({subnet.switch_at(s).lid, Owner::Kind::of_switch, s});
  for (u32 t = 0; t < tables.targets(); ++t) owners.push_back({tables.lid_of(subnet, t), Owner::Kind::target, t});
  for (u32 o = 0; o < others.size(); ++o) {
    const OtherPort& other = others[o];
    if (other.at_switch == OtherPort::nowhere) continue;
    for (u32 lid = other.lid; other.lid != 0 && lid < other.lid + (1U << other.lmc); ++lid)
      owners.push_back({lid, Owner::Kind::other, o});
  }
  std::sort(owners.begin(), owners.end(), [](const Owner& a, const Owner& b) { return a.lid < b.lid; });
  return owners;
}

/// GUID of a host's port, by which OpenSM finds it if it has another LID by now. Unknown ones follow that of the node,
/// port by port, as vendors and ibsim number them.
u64 port_guid(const models::SubnetHost& host) { return host.port_guid != 0 ? host.port_guid : host.guid + host.port; }

}  // namespace

void write_lfts(const Subnet& subnet, const models::FabricRouting& routing,
                const std::function<void(std::string_view)>& write, std::span<const OtherPort> others) {
  const std::vector<Owner> owners = owners_of(subnet, routing.tables, others);
  const auto to_switch = [&](u32 from, u32 to) { return routing.to_switches[u64{to} * subnet.switches() + from]; };
  const auto port_to = [&](u32 s, const Owner& owner) -> u32 {
    if (owner.kind == Owner::Kind::of_switch) return to_switch(s, owner.number);
    if (owner.kind == Owner::Kind::target) return routing.tables.port(s, owner.number);
    const OtherPort& other = others[owner.number];
    return other.at_switch == s ? other.at_port : to_switch(s, other.at_switch);
  };
  const u32 most = owners.empty() ? 0 : owners.back().lid;
  if (most > models::most_unicast_lid) {
    throw ConfigError(
        fmt::format("the fabric needs LIDs up to {} (InfiniBand has {}), so no subnet manager could load its "
                    "tables; weft fabric ebb --engine routes it without a file",
                    most, models::most_unicast_lid));
  }
  std::string text;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    const auto& at = subnet.switch_at(s);
    text.clear();
    auto out = std::back_inserter(text);
    fmt::format_to(out, "Unicast lids [0-{}] of switch Lid {} guid 0x{:016x} ('{}'):\n", most, at.lid, at.guid,
                   shown(at.name));
    u32 lines = 0;
    for (const Owner& owner : owners) {
      const u32 port = port_to(s, owner);
      if (port == ForwardingTables::none) continue;
      ++lines;
      if (owner.kind == Owner::Kind::other) {
        const OtherPort& to = others[owner.number];
        fmt::format_to(out, "0x{:04x} {:03} # {} portguid 0x{:016x}: '{}'\n", owner.lid, port,
                       to.kind == LeftOut::router ? "Router" : "Channel Adapter", to.port_guid, shown(to.name));
      } else if (owner.kind == Owner::Kind::of_switch) {
        const auto& to = subnet.switch_at(owner.number);
        fmt::format_to(out, "0x{:04x} {:03} # Switch portguid 0x{:016x}: '{}'\n", owner.lid, port, to.guid,
                       shown(to.name));
      } else {
        const auto& to = subnet.host_at(routing.tables.host_of(owner.number));
        fmt::format_to(out, "0x{:04x} {:03} # Channel Adapter portguid 0x{:016x}: '{}'\n", owner.lid, port,
                       port_guid(to), shown(to.name));
      }
    }
    fmt::format_to(out, "{} lids dumped\n", lines);
    write(text);
  }
}

void write_layers(const Subnet& subnet, const models::FabricRouting& routing,
                  const std::function<void(std::string_view)>& write) {
  std::string text;
  for (u32 t = 0; t < routing.tables.targets(); ++t) {
    text.clear();
    for (u32 s = 0; s < subnet.switches(); ++s) {
      const u32 layer = routing.layers.layer(s, t);
      if (layer == 0) continue;
      fmt::format_to(std::back_inserter(text), "0x{:016x} {} {}\n", subnet.switch_at(s).guid,
                     routing.tables.lid_of(subnet, t), layer);
    }
    if (!text.empty()) write(text);
  }
}

}  // namespace weft::tools
