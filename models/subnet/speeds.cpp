// Names of speeds, and counts of links by them.
#include "models/subnet/speeds.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "engine/base/text/words.hpp"

namespace weft::models {
namespace {

/// What a lane carries of data, 10^9 bit/s: of 2.5, 5 and 10 Gb/s 8 of 10 bits, then 64 of 66, then what the names say.
struct LaneSpeed {
  std::string_view name;
  double gbps;
};
constexpr std::array<LaneSpeed, 9> lane_speeds{{{"sdr", 2},
                                                {"ddr", 4},
                                                {"qdr", 8},
                                                {"fdr10", 10},
                                                {"fdr", 14.0625 * 64 / 66},
                                                {"edr", 25},
                                                {"hdr", 50},
                                                {"ndr", 100},
                                                {"xdr", 200}}};

/// Calls use(channel, group) for every link with a cable, once; group 0 has the links of hosts.
template <class F>
void for_links(const Subnet& subnet, const std::vector<u32>& levels, F&& use) {
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const Peer far = subnet.peer(s, port);
      if (far.kind == Peer::Kind::none) continue;
      if (far.kind == Peer::Kind::router && std::pair(far.id, far.port) < std::pair(s, port)) continue;
      const bool host = far.kind == Peer::Kind::node;
      use(subnet.channel(s, port), host ? 0 : levels.empty() ? 1 : 1 + std::min(levels[s], levels[far.id]));
    }
  }
}

/// The commonest speed of a group of links whose rate is known, of equally many the fastest.
LinkSpeed commonest(const Subnet& subnet, const std::vector<u32>& channels, u64& links) {
  std::map<std::pair<double, std::string>, u64> counts;
  for (const u32 channel : channels) {
    const LinkSpeed& speed = subnet.speed(channel);
    if (speed.rate > 0) ++counts[{speed.rate, speed.name}];
  }
  LinkSpeed most;
  links = 0;
  for (const auto& [speed, count] : counts) {
    if (count < links) continue;
    most = {speed.second, speed.first};
    links = count;
  }
  return most;
}

std::vector<std::vector<u32>> groups_of(const Subnet& subnet, const std::vector<u32>& levels) {
  std::vector<std::vector<u32>> groups(2);
  for_links(subnet, levels, [&groups](u32 channel, std::size_t group) {
    if (group >= groups.size()) groups.resize(group + 1);
    groups[group].push_back(channel);
  });
  return groups;
}

/// Adds cables side by side between two switches that are slower than the fastest of them: they take equal shares.
void add_slow_beside(const Subnet& subnet, std::vector<SlowLink>& slow) {
  std::map<std::pair<u32, u32>, std::vector<u32>> beside;
  for_links(subnet, {}, [&](u32 channel, std::size_t group) {
    const Peer from = subnet.owner(channel);
    if (group > 0) beside[std::minmax(from.id, subnet.peer(from.id, from.port).id)].push_back(channel);
  });
  for (const auto& [ends, channels] : beside) {
    const auto rate = [&subnet](u32 channel) { return subnet.speed(channel).rate; };
    const u32 fastest = *std::ranges::max_element(channels, {}, rate);
    const auto alike = static_cast<u64>(std::ranges::count(channels, rate(fastest), rate));
    for (const u32 channel : channels) {
      const bool known = std::ranges::find(slow, channel, &SlowLink::channel) != slow.end();
      if (!known && rate(channel) > 0 && rate(channel) < rate(fastest))
        slow.push_back({channel, subnet.speed(channel), subnet.speed(fastest), alike});
    }
  }
}

}  // namespace

std::optional<LinkSpeed> link_speed_named(std::string_view name) {
  double number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || !(number > 0) || number > 1e6) return {};
  std::string unit = lower(std::string(name.substr(static_cast<std::size_t>(end - name.data()))));
  if (unit.starts_with('x')) {
    const auto lane = std::ranges::find(lane_speeds, std::string_view(unit).substr(1), &LaneSpeed::name);
    if (lane == lane_speeds.end() || number != static_cast<double>(static_cast<u32>(number)) || number > 12) return {};
    return LinkSpeed{std::string(name), number * lane->gbps};
  }
  std::erase(unit, ' ');
  if (unit != "gb/s" && unit != "gbps" && unit != "gbit/s") return {};
  return LinkSpeed{std::string(name), number};
}

LinkSpeed usual_speed(const Subnet& subnet) {
  const std::vector<std::vector<u32>> groups = groups_of(subnet, {});
  u64 links = 0;
  LinkSpeed usual = commonest(subnet, groups[0], links);
  return links > 0 ? usual : commonest(subnet, groups[1], links);
}

std::vector<double> relative_rates(const Subnet& subnet) {
  const LinkSpeed usual = usual_speed(subnet);
  std::vector<double> rates;
  if (usual.rate <= 0) return rates;
  for (u32 channel = 0; channel < subnet.channels(); ++channel) {
    const double rate = subnet.speed(channel).rate;
    rates.push_back(rate > 0 ? rate / usual.rate : 1.0);
  }
  if (std::ranges::all_of(rates, [](double rate) { return rate == 1.0; })) rates.clear();
  return rates;
}

std::map<std::string, u64> speeds_of(const Subnet& subnet) {
  std::map<std::string, u64> speeds;
  for_links(subnet, {}, [&](u32 channel, u32 /*group*/) {
    if (!subnet.speed(channel).name.empty()) ++speeds[subnet.speed(channel).name];
  });
  return speeds;
}

std::vector<SlowLink> slow_links(const Subnet& subnet, const std::vector<u32>& levels) {
  constexpr u64 odd_share = 8;
  std::vector<SlowLink> slow;
  for (const std::vector<u32>& group : groups_of(subnet, levels)) {
    u64 alike = 0;
    const LinkSpeed usual = commonest(subnet, group, alike);
    std::map<std::string, u64> counts;
    for (const u32 channel : group) ++counts[subnet.speed(channel).name];
    for (const u32 channel : group) {
      const LinkSpeed& speed = subnet.speed(channel);
      const bool slower = speed.rate > 0 && speed.rate < usual.rate;
      const u64 such = slower ? counts[speed.name] : 0;
      if (slower && such < alike && (such == 1 || such * odd_share <= group.size()))
        slow.push_back({channel, speed, usual, alike});
    }
  }
  add_slow_beside(subnet, slow);
  std::ranges::sort(slow, {}, &SlowLink::channel);
  return slow;
}

}  // namespace weft::models
