// SimGrid's factors of latency and bandwidth, and links of packets.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/simgrid/conversion.hpp"
#include "tools/import/simgrid/quantities.hpp"

namespace weft::tools::simgrid {
namespace {

/// Sections of a property; empty if it is not given.
std::vector<Section> property_sections(const Platform& platform, const std::string& id) {
  const auto found = platform.properties.find(id);
  if (found == platform.properties.end()) return {};
  const auto all = sections(found->second);
  if (!all) {
    throw ConfigError(fmt::format("{}: {} = \"{}\" is no number, nor a list SIZE:VALUE;SIZE:VALUE; correct it",
                                  platform.property_places.at(id), id, shown(found->second)));
  }
  return *all;
}

}  // namespace

std::string Conversion::companion(const std::string& what, std::string text) {
  return add_companion(companions, stem, platform.file, what, std::move(text));
}

Factors factors_of(Conversion& all) {
  Factors factors;
  const auto model = all.platform.properties.find("network/model");
  const std::string name = model == all.platform.properties.end() ? "" : lower(model->second);
  if (name == "lv08") factors = {13.01, 0.97, true};
  if (name == "cm02") factors.are_said = true;
  if (!name.empty() && !factors.are_said)
    all.given.becomes("config", "network/model", OptionState::left_out, "a formula for sizes of messages");
  for (const char* const id : {"smpi/lat-factor", "network/latency-factor"}) {
    const std::vector<Section> all_sizes = property_sections(all.platform, id);
    if (all_sizes.empty()) continue;
    factors.latency = all_sizes.front().value;
    factors.are_said = true;
  }
  for (const char* const id : {"smpi/bw-factor", "network/bandwidth-factor"}) {
    const std::vector<Section> all_sizes = property_sections(all.platform, id);
    if (all_sizes.empty()) continue;
    factors.bandwidth = all_sizes.back().value;
    factors.are_said = true;
  }
  constexpr double least = 1e-3, most = 1e3;
  if (!(factors.bandwidth >= least && factors.bandwidth <= most && factors.latency <= most)) {
    throw ConfigError(
        fmt::format("{}: the factors of latency and bandwidth are {} and {} (at most {}, that of the "
                    "bandwidth at least {}); correct them",
                    shown(all.platform.file), factors.latency, factors.bandwidth, most, least));
  }
  for (Cluster& cluster : all.platform.clusters) {
    cluster.link.bandwidth *= factors.bandwidth, cluster.link.latency *= factors.latency;
    cluster.limiter *= factors.bandwidth;
    if (cluster.backbone)
      cluster.backbone->bandwidth *= factors.bandwidth, cluster.backbone->latency *= factors.latency;
    if (cluster.loopback)
      cluster.loopback->bandwidth *= factors.bandwidth, cluster.loopback->latency *= factors.latency;
  }
  for (Link& link : all.platform.links)
    link.cable.bandwidth *= factors.bandwidth, link.cable.latency *= factors.latency;
  return factors;
}

void say_links(Conversion& all, const Factors& factors) {
  const bool is_plain = factors.latency == 1 && factors.bandwidth == 1;
  const std::string how = !factors.are_said ? "; as it stands (network/model is not given)"
                          : is_plain        ? ""
                                            : fmt::format("; times {}, by <config>", factors.bandwidth);
  const OptionState state = factors.are_said ? OptionState::same : OptionState::nearest;
  const std::string rate = all.is_ideal ? "ideal.byte_gap_ns" : all.is_graph ? "topology.path" : "link.rate_gbps";
  all.given.becomes("cluster", "bw", state, rate + how);
  all.given.becomes("link", "bandwidth", state, rate + how);
  if (!factors.are_said) {
    all.remarks.push_back(
        "Latencies and bandwidths are those of the platform. SimGrid's default (LV08) takes 13.01 times the latencies "
        "and 0.97 of the bandwidths: for that, give --cfg=network/model:LV08 in a file, or in <config>.");
  }
  if (all.is_graph) return;
  const std::string times =
      factors.are_said && !is_plain ? fmt::format("; times {}, by <config>", factors.latency) : how;
  all.given.becomes("cluster", "lat", state, (all.is_ideal ? "ideal.latency_ns" : "link.latency_ns") + times);
  all.given.becomes("zone", "routing", OptionState::same, "there is one cluster");
}

void write_links(Conversion& all, const Cable& link, const char* routing, bool nodes_in_routers) {
  constexpr i64 phit_bytes = 64, phits = 16, most_ticks_of_a_cycle = 1 << 15;
  const i64 cycle_ps = std::max<i64>(1, std::llround(phit_bytes * ps_of_second / link.bandwidth));
  const i64 latency_ps = std::llround(link.latency * ps_of_second);
  const i64 tick_ps = latency_ps == 0 ? cycle_ps : std::gcd(cycle_ps, latency_ps);
  const bool exact = latency_ps > 0 && cycle_ps / tick_ps <= most_ticks_of_a_cycle;
  const i64 latency_cycles = std::max<i64>(1, (latency_ps + cycle_ps / 2) / cycle_ps);
  constexpr i64 longest = 1'000'000;
  if (latency_cycles > longest || cycle_ps > (i64{1} << 40)) {
    throw ConfigError(
        fmt::format("{}: a link of {} bytes/s and {} s holds more than weft's links do ({} times {} "
                    "bytes); use a shorter or slower one",
                    shown(all.platform.file), link.bandwidth, link.latency, longest, phit_bytes));
  }
  all.out.set("simulation", "tick_ps", exact ? tick_ps : cycle_ps);
  all.out.set("link", "rate_gbps", 8e3 * phit_bytes / static_cast<double>(cycle_ps));
  if (exact) {
    all.out.set("link", "latency_ns", static_cast<double>(latency_ps) / 1e3);
  } else {
    all.out.set("link", "latency_cycles", latency_cycles);
    const double ns = static_cast<double>(latency_cycles * cycle_ps) / 1e3;
    all.given.becomes("cluster", "lat", OptionState::nearest, fmt::format("link.latency_cycles; {} ns", ns));
  }
  if (nodes_in_routers) all.out.set("link.node", "latency_cycles", 1);
  all.out.set("packet", "phits", phits);
  all.out.set("packet", "phit_bytes", phit_bytes);
  all.out.set("router", "kind", "switch");
  all.out.set("router", "routing", routing);
  all.out.set("router", "virtual_channels", 2);
  // What is on the way until its credit is back, and some packets.
  all.out.set("router", "buffer_cells", std::min<i64>(2 * latency_cycles + 4 * phits, i64{1} << 20));
}

}  // namespace weft::tools::simgrid
