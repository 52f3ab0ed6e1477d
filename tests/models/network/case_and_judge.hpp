// Runs a random case with a model of weft, to compare it with what its judge says.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>

#include "tests/models/network/network_case.hpp"
#include "tests/models/network/scripted_host.hpp"
#include "tests/reference/cell_network.hpp"

namespace weft::models::testing {

/// A case as the scripted host can run it: the random bits of packets are those that it gives them, and node links have
/// no other latency and rate than the class that they are of.
template <class AnyCase>
AnyCase for_scripted_host(AnyCase given) {
  const auto topology = make_topology(given.topology);
  std::vector<u64> sent(topology->nodes());
  for (CasePacket& packet : given.packets) {
    packet.bits = bits_of(packet.from, sent[packet.from]++);
    packet.ties = static_cast<u8>(packet.bits);
  }
  const u32 node_class = topology->node_link_class();
  if (node_class < given.links.size()) given.node_link = given.links[node_class];
  return given;
}

/// The setup of what cases of all kinds have, with the usual values of a kind's own keys.
inline Case setup_of(const NetworkCase& given, const std::string& kind) {
  Case setup{given.topology, {}};
  setup.start = given.start;
  RouterSettings& s = setup.router;
  s.kind = kind;
  s.virtual_channels = given.channels;
  s.packet_phits = given.most_cells;
  s.packet_ticks = given.most_cells;
  s.switch_ticks = given.switch_ticks;
  for (const Setting& row : router_kind(kind).settings) s.own.set(row.name(), row.fallback);
  given.add_routing_keys(s.own);
  s.own.set("routing", given.routing);
  s.own.set("routing_mode", given.modes.front());
  s.own.set("buffer_cells", i64{given.buffer_cells});
  s.own.set("scheduling", given.scheduling);
  if (given.iterations != 0) s.own.set("iterations", i64{given.iterations});
  s.transit_priority = given.transit_first ? ~u64{0} : 0;
  s.own.set("routing_cycles", static_cast<i64>(given.routing_ticks));
  s.own.set("injection_queue_packets", i64{1'000'000});
  for (const NetworkCase::Link& link : given.links) {
    s.class_link_ticks.push_back(link.latency);
    s.class_cell_ticks.push_back(link.cell);
  }
  const u32 node_class = make_topology(given.topology)->node_link_class();
  if (s.class_link_ticks.size() <= node_class) {
    s.class_link_ticks.resize(node_class + 1, 1);
    s.class_cell_ticks.resize(node_class + 1, 1);
  }
  s.class_link_ticks[node_class] = given.node_link.latency;
  s.class_cell_ticks[node_class] = given.node_link.cell;
  return setup;
}

inline std::vector<Send> script_of(const NetworkCase& given) {
  std::vector<Send> script;
  for (const CasePacket& p : given.packets) script.push_back({p.generated_at, p.from, p.to, p.cells});
  return script;
}

/// What a judge says, as the scripted host records it.
inline std::vector<Delivery> deliveries_of(const NetworkCase& given, const reference::CellOutcome& outcome) {
  EXPECT_EQ(outcome.complaints, std::vector<std::string>{});
  std::vector<Delivery> deliveries;
  for (std::size_t p = 0; p < given.packets.size(); ++p) {
    const CasePacket& packet = given.packets[p];
    deliveries.push_back({outcome.delivered[p], packet.from, packet.to, packet.generated_at});
  }
  std::ranges::sort(deliveries);
  return deliveries;
}

/// Runs a setup of a case, looks at the network's books in every tick, and compares every delivery.
inline void expect_what_is_judged(Case setup, const NetworkCase& given, const reference::CellOutcome& outcome) {
  setup.each_tick = [](Probe& probe) { probe.check_conservation(); };
  Result result = run_script(setup, script_of(given));
  std::ranges::sort(result.deliveries);
  const std::vector<Delivery> expected = deliveries_of(given, outcome);
  const auto [got, wanted] = std::ranges::mismatch(result.deliveries, expected);
  const auto told = [](auto at, auto end) {
    return at == end ? "none" : fmt::format("{} to {} generated {} at {}", at->from, at->to, at->generated, at->at);
  };
  ASSERT_EQ(told(got, result.deliveries.end()), told(wanted, expected.end())) << "the first that differs";
  EXPECT_TRUE(result.drained);
}

}  // namespace weft::models::testing
