// Names that several hosts share are kept as such, so that they can be told from unknown ones.
#include "tools/fabric/host_names.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/error.hpp"
#include "engine/nearest.hpp"
#include "engine/shown.hpp"
#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/line_reader.hpp"

namespace weft::tools {
namespace {

template <class Map, class Key>
u32 found(const Map& map, const Key& key) {
  const auto at = map.find(key);
  return at == map.end() ? nobody : at->second;
}

}  // namespace

HostNames::HostNames(const models::Subnet& subnet) : subnet_(subnet) {
  const auto add = [](auto& map, const auto& key, u32 host) {
    if (const auto [at, fresh] = map.try_emplace(key, host); !fresh && at->second != host) at->second = several;
  };
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    const models::SubnetHost& host = subnet.host_at(h);
    add(by_name_, host.name, h);
    if (!host.label.empty()) add(by_name_, host.label, h);
    add(by_port_, std::pair(std::string_view(host.name), host.port), h);
    if (host.guid != 0) add(by_guid_, host.guid, h);
    const u64 end = u64{host.lid} + (u64{1} << host.lmc);
    if (host.lid == 0) continue;
    if (by_lid_.size() < end) by_lid_.resize(end, nobody);
    std::fill(by_lid_.begin() + host.lid, by_lid_.begin() + static_cast<std::ptrdiff_t>(end), h);
  }
  // A port's GUID says which of several hosts of an adapter is meant.
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    if (const u64 guid = subnet.host_at(h).port_guid; guid != 0) by_guid_.try_emplace(guid, h);
  }
}

u32 HostNames::port_named(const std::string& name) const {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string::npos) return nobody;
  Words words(std::string_view(name).substr(colon + 1));
  u64 port = 0;
  if (!words.decimal(port) || !words.empty() || port > models::Subnet::most_ports) return nobody;
  return found(by_port_, std::pair(std::string_view(name).substr(0, colon), static_cast<u32>(port)));
}

HostNames::Named HostNames::find(const std::string& name, const std::string& place) const {
  u32 host = found(by_name_, name);
  u64 number = 0;
  Words words(name);
  if (host == nobody && name.starts_with("0x") && words.hexadecimal(number) && words.empty()) {
    host = found(by_guid_, number);
  } else if (host == nobody && words.decimal(number) && words.empty() && number < by_lid_.size() &&
             by_lid_[number] != nobody) {
    return {by_lid_[number], static_cast<u32>(number) - subnet_.host_at(by_lid_[number]).lid};
  }
  if (host == nobody) host = port_named(name);
  if (host == several) {
    throw ConfigError(
        fmt::format("{}'{}' is the name of several hosts (or of an adapter with several ports); use '{}:PORT' for a "
                    "port of an adapter, or the LID or the GUID of the port",
                    place, shown(name), shown(name)));
  }
  if (host == nobody) fail(name, place);
  return {host, 0};
}

void HostNames::fail(const std::string& name, const std::string& place) const {
  std::vector<std::string> names;
  for (u32 h = 0; h < subnet_.hosts(); ++h) names.push_back(subnet_.host_at(h).name);
  // Edit distances to 65,000 long names take no noticeable time, to longer words than names they would.
  const std::string near = name.size() > 200 ? "" : nearest(name, names, std::max<std::size_t>(2, name.size() / 3));
  throw ConfigError(fmt::format(
      "{}'{}' is no host of the fabric (GUID 0x..., LID or description){}", place, shown(name),
      near.empty() ? "; weft fabric info says what it has" : fmt::format("; did you mean '{}'?", shown(near))));
}

std::string host_text(const models::Subnet& subnet, u32 host) {
  const models::SubnetHost& facts = subnet.host_at(host);
  const std::string name = shown(subnet.host_label(host));
  return facts.lid == 0 || name.ends_with(']') ? name : fmt::format("{} (LID {})", name, facts.lid);
}

}  // namespace weft::tools
