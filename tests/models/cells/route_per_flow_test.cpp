// Draws that are made once for all packets from one node to another (router.route_per = "flow").
#include <gtest/gtest.h>
#include <map>

#include "tests/models/cells/case_as_judged.hpp"
#include "tests/models/network/one_history.hpp"

namespace weft::models::testing {
namespace {

/// Valiant's ways in a network whose links between groups take long. Packets meet nobody, so the latency of each says
/// what links it took.
SwitchCase lonely_packets(const TopologySpec& topology, bool by_flow) {
  SwitchCase given;
  given.topology = topology;
  given.routing = topology.kind;
  given.modes = {"valiant"};
  given.channels = 3;
  given.by_flow = by_flow;
  given.links = {{3, 1}, {1, 1}, {40, 1}};
  given.links.resize(make_topology(topology)->link_classes().size());
  const u32 nodes = make_topology(topology)->nodes();
  for (u32 k = 0; k < 20 * nodes; ++k) given.packets.push_back({Tick{300} * k, k % nodes, (k + nodes / 2) % nodes});
  return for_scripted_host(given);
}
std::map<u32, std::set<Tick>> latencies_by_source(const SwitchCase& given) {
  std::map<u32, std::set<Tick>> latencies;
  for (const Delivery& d : run_script(setup_of_switches(given), script_of(given)).deliveries)
    latencies[d.from].insert(d.at - d.generated);
  return latencies;
}
const std::vector<TopologySpec>& valiant_networks() {
  static const std::vector<TopologySpec> all = {
      {"dragonfly",
       {{"nodes_per_router", i64{1}}, {"routers_per_group", i64{4}}, {"global_links", i64{2}}, {"groups", i64{9}}}},
      {"full-mesh", {{"nodes", i64{8}}}}};
  return all;
}

TEST(RoutePerFlow, TakesOneWayForAllPacketsOfAPair) {
  for (const TopologySpec& topology : valiant_networks()) {
    const auto by_packet = latencies_by_source(lonely_packets(topology, false));
    const auto by_flow = latencies_by_source(lonely_packets(topology, true));
    ASSERT_EQ(by_flow.size(), make_topology(topology)->nodes());
    std::set<Tick> of_all;
    for (const auto& [from, latencies] : by_flow) {
      EXPECT_EQ(latencies.size(), 1U) << topology.kind << " node " << from;
      of_all.insert(latencies.begin(), latencies.end());
    }
    EXPECT_GT(of_all.size(), 1U) << "pairs differ";
    u32 several = 0;
    for (const auto& [from, latencies] : by_packet) several += latencies.size() > 1 ? 1 : 0;
    EXPECT_GT(several, by_packet.size() / 2) << topology.kind;
  }
}

TEST(RoutePerFlow, IsAsTheJudgeHasItAndOfOneHistory) {
  for (const TopologySpec& topology : valiant_networks()) {
    SwitchCase given = lonely_packets(topology, true);
    for (CasePacket& packet : given.packets) packet.generated_at /= 80;  // they meet now
    given.routing_ticks = 1;
    expect_switches_as_judged(given);
    expect_one_history(setup_of_switches(given), script_of(given));
  }
}

}  // namespace
}  // namespace weft::models::testing
