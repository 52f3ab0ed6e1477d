// A platform of one cluster: flat ones are the ideal network, whose messages disturb each other at NICs alone, as those
// of SimGrid do at the links of hosts; tori, fat trees and dragonflies are networks of packets.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/simgrid/conversion.hpp"
#include "tools/import/simgrid/quantities.hpp"

namespace weft::tools::simgrid {
namespace {

class ClusterConversion {
 public:
  explicit ClusterConversion(Conversion& all) : all_(all), cluster_(all.platform.clusters.front()) {}

  void convert() {
    all_.nodes = cluster_.hosts;
    const std::string kind = lower(cluster_.topology);
    all_.is_ideal = kind == "flat" || kind.empty();
    const Factors factors = factors_of(all_);
    say_links(all_, factors);
    if (all_.is_ideal)
      flat();
    else if (kind == "torus")
      torus();
    else if (kind == "fat_tree")
      fat_tree();
    else if (kind == "dragonfly")
      dragonfly();
    else
      fail(fmt::format("topology = \"{}\" is not known; use FLAT, TORUS, FAT_TREE or DRAGONFLY",
                       shown(cluster_.topology)));
    node();
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw ConfigError(fmt::format("{}: <cluster> {}", cluster_.place, problem));
  }

  /// L and G of LogGOPS so that a message takes latency + size / bandwidth: g is the G of the first byte.
  void flat() {
    double latency = 2 * cluster_.link.latency, bandwidth = cluster_.link.bandwidth;
    if (cluster_.backbone) {
      latency += cluster_.backbone->latency;
      bandwidth = std::min(bandwidth, cluster_.backbone->bandwidth);
    }
    bandwidth = limited(bandwidth);
    all_.out.set("topology", "kind", "ideal");
    all_.out.set("topology", "nodes", static_cast<i64>(cluster_.hosts.size()));
    all_.out.set("ideal", "latency_ns", nanoseconds(latency));
    all_.out.set("ideal", "gap_ns", nanoseconds(1 / bandwidth));
    all_.out.set("ideal", "byte_gap_ns", nanoseconds(1 / bandwidth));
  }
  double limited(double bandwidth) const {
    return cluster_.limiter > 0 ? std::min(bandwidth, cluster_.limiter) : bandwidth;
  }

  void torus() {
    const std::vector<i64> dims = numbers(cluster_.parameters, 1, "for example 4,4,4");
    wants(product(dims));
    all_.out.set("topology", "kind", "torus");
    all_.out.set("topology", "dims", dims);
    links("dor", true);
  }

  void fat_tree() {
    const char* const form = "LEVELS;DOWN,...;UP,...;PARALLEL,..., for example 2;4,4;1,2;1,2";
    const std::vector<std::string> parts = listed_words(cluster_.parameters, "; ");
    if (parts.size() != 4) fail(fmt::format("topo_parameters = \"{}\" is not {}", shown(cluster_.parameters), form));
    const auto levels = static_cast<std::size_t>(numbers(parts[0], 1, form).front());
    std::vector<std::vector<i64>> of_levels;
    for (std::size_t n = 1; n < parts.size(); ++n) {
      of_levels.push_back(numbers(parts[n], 1, form));
      if (of_levels.back().size() != levels)
        fail(fmt::format("topo_parameters = \"{}\" has not {} numbers in each list; write {}",
                         shown(cluster_.parameters), levels, form));
    }
    if (of_levels[1].front() != 1 || of_levels[2].front() != 1) {
      fail(
          fmt::format("topo_parameters = \"{}\" has hosts with several links, which are not known here; begin UP and "
                      "PARALLEL with 1",
                      shown(cluster_.parameters)));
    }
    wants(product(of_levels[0]));
    all_.out.set("topology", "kind", "pgft");
    all_.out.set("topology", "m", of_levels[0]);
    all_.out.set("topology", "w", of_levels[1]);
    all_.out.set("topology", "parallel", of_levels[2]);
    links("fat-tree:d-mod-k", false);
  }

  /// Groups of chassis of routers: in weft all routers of a group are joined to each other, whatever their chassis.
  void dragonfly() {
    const char* const form = "GROUPS,LINKS;CHASSIS,LINKS;ROUTERS,LINKS;NODES, for example 3,4;4,3;5,1;2";
    const std::vector<std::string> parts = listed_words(cluster_.parameters, "; ");
    if (parts.size() != 4) fail(fmt::format("topo_parameters = \"{}\" is not {}", shown(cluster_.parameters), form));
    std::vector<i64> count, links_of;
    for (std::size_t n = 0; n < 3; ++n) {
      const std::vector<i64> pair = numbers(parts[n], 1, form);
      if (pair.size() != 2) fail(fmt::format("topo_parameters = \"{}\" is not {}", shown(cluster_.parameters), form));
      count.push_back(pair[0]), links_of.push_back(pair[1]);
    }
    const i64 nodes = numbers(parts[3], 1, form).front(), routers = product({count[1], count[2]});
    wants(product({count[0], routers, nodes}));
    all_.out.set("topology", "kind", "dragonfly");
    all_.out.set("topology", "nodes_per_router", nodes);
    all_.out.set("topology", "routers_per_group", routers);
    all_.out.set("topology", "global_links", std::max<i64>(1, (count[0] - 1 + routers - 1) / routers));
    all_.out.set("topology", "groups", count[0]);
    all_.out.set("topology", "arrangement", "absolute");
    all_.given.becomes(
        "cluster", "topo_parameters", OptionState::nearest,
        fmt::format("topology.groups, routers_per_group, nodes_per_router; all {} routers of a group are joined, in "
                    "SimGrid those of a chassis, and those of the same number of {} chassis; links are single, in "
                    "SimGrid {} times",
                    routers, count[1], fmt::join(links_of, ", ")));
    links("dragonfly:minimal", false);
  }

  void links(const char* routing, bool nodes_in_routers) {
    write_links(all_, cluster_.link, routing, nodes_in_routers);
    if (cluster_.limiter > 0) {
      all_.given.becomes("cluster", "limiter_link", OptionState::left_out,
                         "hosts send and receive as fast as their links");
    }
  }

  /// What is inside of hosts.
  void node() {
    if (cluster_.half_duplex) {
      all_.given.becomes("cluster", "sharing_policy", OptionState::nearest,
                         "each direction has the rate that both share in SimGrid");
    }
    if (!cluster_.loopback) return;
    if (cluster_.loopback->latency > 0)
      all_.out.set("node", "path_latency_ns", nanoseconds(cluster_.loopback->latency));
    all_.out.set("node", "path_gbps", cluster_.loopback->bandwidth * gbps_of_bytes);
  }

  [[nodiscard]] std::vector<i64> numbers(const std::string& list, i64 least, const char* form) const {
    std::vector<i64> all;
    for (const std::string& word : listed_words(list)) {
      const auto number = parsed<i64>(word);
      if (!number || *number < least || *number > most)
        fail(fmt::format("topo_parameters = \"{}\" has \"{}\", which is no number from {} to {}; write {}",
                         shown(cluster_.parameters), shown(word), least, most, form));
      all.push_back(*number);
    }
    if (all.empty()) fail(fmt::format("topo_parameters = \"{}\" is not {}", shown(cluster_.parameters), form));
    return all;
  }
  [[nodiscard]] i64 product(const std::vector<i64>& values) const {
    i64 all = 1;
    for (const i64 value : values) {
      if (all > most / value) fail("has more than a million hosts by its topo_parameters; use fewer");
      all *= value;
    }
    return all;
  }
  /// Hosts by topo_parameters and by radical must be as many.
  void wants(i64 hosts) const {
    if (hosts == static_cast<i64>(cluster_.hosts.size())) return;
    fail(fmt::format("topo_parameters = \"{}\" are of {} hosts, and radical has {}; make them agree",
                     shown(cluster_.parameters), hosts, cluster_.hosts.size()));
  }

  static constexpr i64 most = 1 << 20;
  Conversion& all_;
  const Cluster& cluster_;
};

}  // namespace

void convert_cluster(Conversion& all) { ClusterConversion(all).convert(); }

}  // namespace weft::tools::simgrid
