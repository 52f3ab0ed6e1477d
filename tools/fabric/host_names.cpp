// Names that several hosts share are kept as such, so that they can be told from unknown ones.
#include "tools/fabric/host_names.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/fabric_lines.hpp"

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
    if (const std::size_t blank = host.name.find(' '); blank != std::string::npos && blank > 0)
      by_word_[host.name.substr(0, blank)].push_back(h);
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
  LineScanner words(std::string_view(name).substr(colon + 1));
  u64 port = 0;
  if (!words.decimal(port) || !words.empty() || port > models::Subnet::most_ports) return nobody;
  return found(by_port_, std::pair(std::string_view(name).substr(0, colon), static_cast<u32>(port)));
}

HostNames::Named HostNames::find(const std::string& name, const std::string& place) const {
  u32 host = found(by_name_, name);
  u64 number = 0;
  LineScanner words(name);
  if (host == nobody && name.starts_with("0x") && words.hexadecimal(number) && words.empty()) {
    host = found(by_guid_, number);
  } else if (host == nobody && words.decimal(number) && words.empty() && number < by_lid_.size() &&
             by_lid_[number] != nobody) {
    return {by_lid_[number], static_cast<u32>(number) - subnet_.host_at(by_lid_[number]).lid};
  }
  if (host == nobody) host = port_named(name);
  if (const std::vector<u32> adapters = host == nobody ? of_node(name) : std::vector<u32>{}; !adapters.empty()) {
    if (adapters.size() == 1) return {adapters.front(), 0};
    throw ConfigError(fmt::format("{}'{}' has {} adapters; name one of them: '{}', '{}'{}", place, shown(name),
                                  adapters.size(), shown(subnet_.host_label(adapters[0])),
                                  shown(subnet_.host_label(adapters[1])), adapters.size() > 2 ? "..." : ""));
  }
  if (host == several) {
    throw ConfigError(
        fmt::format("{}'{}' is the name of several hosts (or of an adapter with several ports); use '{}:PORT' for a "
                    "port of an adapter, or the LID or the GUID of the port",
                    place, shown(name), shown(name)));
  }
  if (host == nobody) fail(name, place);
  return {host, 0};
}

std::vector<u32> HostNames::of_node(const std::string& word) const {
  const auto at = by_word_.find(word);
  return at == by_word_.end() ? std::vector<u32>{} : at->second;
}

std::vector<u32> HostNames::find_all(const std::string& list, const std::string& place) const {
  const auto one = [&](const std::string& name) {
    std::vector<u32> hosts = found(by_name_, name) == nobody ? of_node(name) : std::vector<u32>{};
    if (hosts.empty()) hosts.push_back(find(name, place).host);
    return hosts;
  };
  if (found(by_name_, list) != nobody) return one(list);
  std::vector<u32> all;
  for (const std::string& name : names_of_list(list, place)) {
    const std::vector<u32> hosts = one(name);
    all.insert(all.end(), hosts.begin(), hosts.end());
  }
  return all;
}

namespace {

constexpr std::size_t most_names = u64{1} << 21;

/// "001-003,010" in front of and behind other parts of a name.
std::vector<std::string> numbers_of(const std::string& ranges, const std::string& place) {
  const auto bad = [&](const std::string& part) {
    throw InputError(
        fmt::format("{}[{}] is no list of numbers ('{}' in it is neither NUMBER nor FIRST-LAST); write "
                    "node[001-008,010]",
                    place, shown(ranges), shown(part)));
  };
  std::vector<std::string> numbers;
  for (std::size_t at = 0; at <= ranges.size();) {
    const std::size_t comma = std::min(ranges.find(',', at), ranges.size());
    const std::string part = ranges.substr(at, comma - at);
    const std::size_t dash = std::min(part.find('-'), part.size());
    const std::string low = part.substr(0, dash), high = dash == part.size() ? low : part.substr(dash + 1);
    u64 first = 0, last = 0;
    LineScanner first_words(low), last_words(high);
    if (!first_words.decimal(first) || !first_words.empty() || !last_words.decimal(last) || !last_words.empty() ||
        last < first || last - first >= most_names)
      bad(part);
    for (u64 number = first; number <= last; ++number) numbers.push_back(fmt::format("{:0{}}", number, low.size()));
    at = comma + 1;
  }
  return numbers;
}

}  // namespace

std::vector<std::string> names_of_list(const std::string& list, const std::string& place) {
  std::vector<std::string> all, now{""};
  const auto flush = [&] {
    for (std::string& name : now) {
      if (!name.empty()) all.push_back(std::move(name));
    }
    now.assign(1, "");
  };
  for (std::size_t at = 0; at < list.size(); ++at) {
    if (list[at] == ',') {
      flush();
      continue;
    }
    std::vector<std::string> parts{std::string(1, list[at])};
    if (list[at] == '[') {
      const std::size_t close = list.find(']', at);
      if (close == std::string::npos)
        throw InputError(fmt::format("{}'{}' has a bracket that is left open; close it", place, shown(list)));
      parts = numbers_of(list.substr(at + 1, close - at - 1), place);
      at = close;
    }
    std::vector<std::string> next;
    if (all.size() + now.size() * parts.size() > most_names)
      throw InputError(fmt::format("{}'{}' has more than {} names (no fabric has as many hosts); correct it", place,
                                   shown(list), most_names));
    for (const std::string& front : now) {
      for (const std::string& part : parts) next.push_back(front + part);
    }
    now = std::move(next);
  }
  flush();
  return all;
}

void HostNames::fail(const std::string& name, const std::string& place) const {
  std::vector<std::string> names;
  for (u32 h = 0; h < subnet_.hosts(); ++h) {
    const std::string& whole = subnet_.host_at(h).name;
    names.push_back(whole);
    names.push_back(whole.substr(0, whole.find(' ')));
  }
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
