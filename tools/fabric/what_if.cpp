// Names of what is removed, and the fabric without it; see the header.
#include "tools/fabric/what_if.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "models/subnet/distances.hpp"
#include "tools/fabric/host_names.hpp"
#include "tools/fabric/read/fabric_lines.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Subnet;

/// Finds switches as HostNames finds hosts; both, in `is_host` and `find_host`.
class NodeNames {
 public:
  explicit NodeNames(const Subnet& subnet) : subnet_(subnet), hosts_(subnet) {
    const auto add = [](auto& map, const auto& key, u32 s) {
      if (const auto [at, fresh] = map.try_emplace(key, s); !fresh) at->second = several;
    };
    for (u32 s = 0; s < subnet.switches(); ++s) {
      add(by_name_, subnet.switch_at(s).name, s);
      if (!subnet.switch_at(s).label.empty()) add(by_name_, subnet.switch_at(s).label, s);
      if (subnet.switch_at(s).guid != 0) add(by_guid_, subnet.switch_at(s).guid, s);
      if (subnet.switch_at(s).lid != 0) add(by_lid_, subnet.switch_at(s).lid, s);
    }
    for (u32 h = 0; h < subnet.hosts(); ++h) {
      host_names_.emplace(subnet.host_at(h).name, h);
      if (!subnet.host_at(h).label.empty()) host_names_.emplace(subnet.host_at(h).label, h);
    }
  }

  /// A switch's number, nobody, or several.
  [[nodiscard]] u32 find_switch(const std::string& name) const {
    if (const auto at = by_name_.find(name); at != by_name_.end()) return at->second;
    u64 number = 0;
    LineScanner words(name);
    const bool guid = name.starts_with("0x") && words.hexadecimal(number) && words.empty();
    LineScanner decimal(name);
    const bool lid = !guid && decimal.decimal(number) && decimal.empty();
    const auto& map = guid ? by_guid_ : by_lid_;
    const auto at = guid || lid ? map.find(number) : map.end();
    return at == map.end() ? nobody : at->second;
  }
  /// A host's number or nobody. Throws ConfigError if several have the name.
  [[nodiscard]] u32 find_host(const std::string& name) const {
    u64 number = 0;
    LineScanner words(name), hexadecimal(name);
    const bool number_like = (words.decimal(number) && words.empty()) ||
                             (name.starts_with("0x") && hexadecimal.hexadecimal(number) && hexadecimal.empty());
    const std::string of_port = name.substr(0, name.rfind(':'));  // "node7:2" is a port of an adapter
    if (!number_like && !host_names_.contains(name) && !host_names_.contains(of_port)) return nobody;
    try {
      return hosts_.find(name).host;
    } catch (const ConfigError&) {
      if (host_names_.contains(name)) throw;  // several hosts have it
      return nobody;
    }
  }
  [[noreturn]] void fail(const std::string& name) const {
    std::vector<std::string> names;
    for (u32 s = 0; s < subnet_.switches(); ++s) names.push_back(subnet_.switch_at(s).name);
    for (const auto& [host, number] : host_names_) names.push_back(host);
    std::sort(names.begin() + subnet_.switches(), names.end());
    const std::string near = name.size() > 200 ? "" : nearest(name, names, std::max<std::size_t>(2, name.size() / 3));
    throw ConfigError(fmt::format(
        "'{}' is no switch and no host of the fabric (GUID 0x..., LID or description; NAME:PORT is a port of a "
        "switch or of an adapter){}",
        shown(name),
        near.empty() ? "; weft fabric info says what it has" : fmt::format("; did you mean '{}'?", shown(near))));
  }

 private:
  const Subnet& subnet_;
  HostNames hosts_;
  std::unordered_map<std::string, u32> by_name_, host_names_;
  std::unordered_map<u64, u32> by_guid_, by_lid_;
};

/// Marks the cable in a port; false if it is gone already.
bool take_cable(const Subnet& subnet, u32 s, u32 port, Removal& removal) {
  if (removal.ports[subnet.channel(s, port)] != 0) return false;
  const Peer far = subnet.peer(s, port);
  removal.ports[subnet.channel(s, port)] = 1;
  if (far.kind == Peer::Kind::router) removal.ports[subnet.channel(far.id, far.port)] = 1;
  ++removal.cables;
  return true;
}

void take_switch(const Subnet& subnet, u32 s, Removal& removal) {
  if (removal.switches[s] != 0) return;
  u64 cables = 0;
  for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
    if (subnet.peer(s, port).kind == Peer::Kind::none) continue;
    ++cables;
    take_cable(subnet, s, port, removal);
  }
  removal.switches[s] = 1;
  removal.words.push_back(fmt::format("switch {} with {} cables", shown(subnet.switch_label(s)), cables));
}

void take_port(const Subnet& subnet, u32 s, u64 port, Removal& removal) {
  const models::SubnetSwitch& facts = subnet.switch_at(s);
  std::vector<u32> cabled;
  for (u32 p = 1; p <= facts.ports; ++p) {
    if (subnet.peer(s, p).kind != Peer::Kind::none) cabled.push_back(p);
  }
  if (std::ranges::find(cabled, port) == cabled.end()) {
    throw ConfigError(fmt::format(
        "port {} of '{}' has no cable; {}", port, shown(subnet.switch_label(s)),
        cabled.empty() ? "none of its ports has one" : fmt::format("ports with one are {}", fmt::join(cabled, ", "))));
  }
  const u32 channel = subnet.channel(s, static_cast<u32>(port));
  if (!take_cable(subnet, s, static_cast<u32>(port), removal)) return;
  removal.words.push_back("link " + shown(subnet.channel_name(channel)));
}

/// "NAME:PORT" in parts; false if it does not end so.
bool split_port(const std::string& word, std::string& name, u64& port) {
  const std::size_t colon = word.rfind(':');
  if (colon == std::string::npos || colon == 0) return false;
  LineScanner words(std::string_view(word).substr(colon + 1));
  if (!words.decimal(port) || !words.empty()) return false;
  name = word.substr(0, colon);
  return true;
}

void take(const Subnet& subnet, const NodeNames& names, const std::string& word, Removal& removal) {
  std::string name = word;
  u64 port = 0;
  u32 s = names.find_switch(word);
  const u32 host = s == nobody ? names.find_host(word) : nobody;
  const bool port_given = s == nobody && host == nobody && split_port(word, name, port);
  if (port_given) s = names.find_switch(name);
  if (s == several)
    throw ConfigError(fmt::format("'{}' is the name of several switches; use the LID or the GUID", shown(name)));
  if (host != nobody) {
    const Peer at = subnet.peer_of_host(host);
    if (at.kind != Peer::Kind::router)
      throw ConfigError(fmt::format("{} has no cable to a switch; leave it out", host_text(subnet, host)));
    if (!take_cable(subnet, at.id, at.port, removal)) return;
    removal.words.push_back("link " + shown(subnet.channel_name(subnet.host_channel(host))));
  } else if (s == nobody) {
    names.fail(name);
  } else if (port_given) {
    take_port(subnet, s, port, removal);
  } else {
    take_switch(subnet, s, removal);
  }
}

Removal removal_of_nothing(const Subnet& subnet) {
  Removal removal;
  removal.switches.assign(subnet.switches(), 0);
  removal.ports.assign(subnet.switch_channels(), 0);
  return removal;
}

}  // namespace

Removal removal_of(const Subnet& subnet, const std::vector<std::string>& names) {
  Removal removal = removal_of_nothing(subnet);
  const NodeNames nodes(subnet);
  for (const std::string& name : names) take(subnet, nodes, name, removal);
  return removal;
}

Removal removal_of_switch(const Subnet& subnet, u32 s) {
  Removal removal = removal_of_nothing(subnet);
  take_switch(subnet, s, removal);
  return removal;
}

Removal removal_of_link(const Subnet& subnet, u32 channel) {
  Removal removal = removal_of_nothing(subnet);
  const Peer from = subnet.owner(channel);
  take_port(subnet, from.id, from.port, removal);
  return removal;
}

Subnet subnet_without(const Subnet& subnet, const Removal& removal) {
  const auto build = [&subnet, &removal](const std::vector<u8>& kept) {
    Subnet rest;
    std::vector<u32> number(subnet.switches(), nobody);
    for (u32 s = 0; s < subnet.switches(); ++s) {
      if (kept[s] != 0) number[s] = rest.add_switch(subnet.switch_at(s));
    }
    for (u32 h = 0; h < subnet.hosts(); ++h) rest.add_host(subnet.host_at(h));
    for (u32 s = 0; s < subnet.switches(); ++s) {
      for (u32 port = 1; kept[s] != 0 && port <= subnet.switch_at(s).ports; ++port) {
        if (removal.ports[subnet.channel(s, port)] != 0) continue;
        const Peer far = subnet.peer(s, port);
        if (far.kind == Peer::Kind::node) rest.connect_host(far.id, number[s], port);
        // The other end says the same again, and is refused.
        if (far.kind == Peer::Kind::router && kept[far.id] != 0 && subnet.carries(s, port))
          rest.connect_switches(number[s], port, number[far.id], far.port, !subnet.carries(far.id, far.port));
        if (const auto& speed = subnet.speed(subnet.channel(s, port)); !speed.name.empty())
          rest.set_speed(number[s], port, speed);
      }
    }
    return rest;
  };
  std::vector<u8> kept(subnet.switches());
  for (u32 s = 0; s < subnet.switches(); ++s) kept[s] = removal.switches[s] == 0 ? 1 : 0;
  Subnet rest = build(kept);
  const models::Connection before = models::connection_of(subnet), after = models::connection_of(rest);
  u32 next = 0;
  bool any = false;
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (kept[s] == 0) continue;
    const bool useless = after.hosts_in[after.part_of[next++]] == 0 && before.hosts_in[before.part_of[s]] > 0;
    if (useless) kept[s] = 0;
    any = any || useless;
  }
  return any ? build(kept) : rest;
}

}  // namespace weft::tools
