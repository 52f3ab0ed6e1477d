// Differences of counters, and rates; see the header.
#include "tools/fabric/measured_links.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "tools/fabric/host_rate.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Subnet;

/// Data counters count words of 4 octets.
constexpr double octets_per_count = 4;

bool counts_errors(std::string_view name) {
  return !name.ends_with("Data") && !name.ends_with("Pkts") && !name.ends_with("Wait");
}

/// The channel into a port, by the channel out of it.
u32 opposite(const Subnet& subnet, u32 channel) {
  const Peer owner = subnet.owner(channel);
  const Peer far = owner.kind == Peer::Kind::node ? subnet.peer_of_host(owner.id) : subnet.peer(owner.id, owner.port);
  if (far.kind == Peer::Kind::none) return UINT32_MAX;
  return far.kind == Peer::Kind::node ? subnet.host_channel(far.id) : subnet.channel(far.id, far.port);
}

class Differences {
 public:
  Differences(const CounterReading& reading, const CounterReading* before, MeasuredLinks& found)
      : reading_(reading), before_(before), found_(found) {}

  /// How far a counter has come; nothing if the port has none, or it was cleared in between.
  std::optional<u64> of(u32 channel, std::string_view name) {
    const std::optional<u64> now = value(reading_, channel, name);
    if (!now || before_ == nullptr) return now;
    const u64 then = value(*before_, channel, name).value_or(0);
    if (then <= *now) return *now - then;
    ++found_.cleared;
    return {};
  }

 private:
  static std::optional<u64> value(const CounterReading& reading, u32 channel, std::string_view name) {
    const auto port = reading.ports.find(channel);
    if (port == reading.ports.end()) return {};
    const auto counter = port->second.find(name);
    return counter == port->second.end() ? std::optional<u64>() : counter->second;
  }
  const CounterReading& reading_;
  const CounterReading* before_;
  MeasuredLinks& found_;
};

}  // namespace

MeasuredLinks measured_links(const Fabric& fabric, const CounterReading& reading, const CounterReading* before,
                             double seconds) {
  const Subnet& subnet = fabric.subnet;
  MeasuredLinks found;
  found.seconds = seconds;
  found.difference = before != nullptr;
  found.ports = reading.ports.size();
  found.saturated = reading.saturated;
  Differences difference(reading, before, found);
  const double usual = seconds > 0 ? usual_gbps(fabric) : 0;
  for (u32 channel = 0; channel < subnet.channels(); ++channel) {
    const u32 back = opposite(subnet, channel);
    if (back == UINT32_MAX) continue;
    std::optional<u64> words = difference.of(channel, "PortXmitData");
    if (!words) words = difference.of(back, "PortRcvData");
    if (!words) continue;
    MeasuredChannel measured{.channel = channel};
    measured.octets = static_cast<double>(*words) * octets_per_count;
    measured.wait = difference.of(channel, "PortXmitWait").value_or(0);
    if (seconds > 0) {
      measured.gbps = measured.octets * 8 / seconds / 1e9;
      const models::LinkSpeed& speed = subnet.speed(channel);
      const double rate = speed.in_gbps() ? speed.rate : usual;
      if (rate > 0) measured.load = measured.gbps / rate;
    }
    found.channels.push_back(measured);
  }
  std::ranges::stable_sort(found.channels, [](const MeasuredChannel& a, const MeasuredChannel& b) {
    return std::tuple(a.load, a.octets, a.wait) > std::tuple(b.load, b.octets, b.wait);
  });
  found.place_of.assign(subnet.channels(), UINT32_MAX);
  for (u32 ix = 0; ix < found.channels.size(); ++ix) found.place_of[found.channels[ix].channel] = ix;
  for (const auto& [channel, counters] : reading.ports) {
    for (const auto& [name, value] : counters) {
      if (!counts_errors(name)) continue;
      if (const u64 count = difference.of(channel, name).value_or(0); count > 0)
        found.errors.push_back({channel, name, count});
    }
  }
  std::ranges::stable_sort(found.errors, [](const PortErrors& a, const PortErrors& b) { return a.count > b.count; });
  return found;
}

}  // namespace weft::tools
