// The event-driven model of switches of cells against its judge, a simulator that moves every cell in every tick
// (tests/reference/cell_switch.hpp): every packet is delivered in the same tick.
#include <algorithm>
#include <gtest/gtest.h>

#include "tests/models/network/scripted_host.hpp"
#include "tests/models/switch/judge.hpp"

namespace weft::models::testing {
namespace {

/// The random bits of packets are those that the scripted host gives them.
SwitchCase with_bits_of_host(SwitchCase given) {
  std::vector<u64> sent(make_topology(given.topology)->nodes());
  for (SwitchPacket& packet : given.packets) {
    packet.bits = bits_of(packet.from, sent[packet.from]++);
    packet.ties = static_cast<u8>(packet.bits);
  }
  return given;
}

Case case_of(const SwitchCase& given) {
  Case setup{given.topology, {}};
  RouterSettings& s = setup.router;
  s.kind = "switch";
  s.virtual_channels = given.channels;
  s.packet_phits = given.most_cells;
  s.packet_ticks = given.most_cells;
  s.switch_ticks = given.switch_ticks;
  for (const Setting& row : router_kind(given.routing).settings) s.own.set(row.name(), row.fallback);
  for (const Setting& row : router_kind("switch").settings) s.own.set(row.name(), row.fallback);
  s.own.set("routing", given.routing);
  s.own.set("routing_mode", given.mode);
  s.own.set("buffer_cells", i64{given.buffer_cells});
  s.own.set("queues", std::string(given.fifo ? "fifo" : "voq"));
  s.own.set("scheduling", given.scheduling);
  s.own.set("iterations", i64{given.iterations});
  s.own.set("switching", std::string(given.store_and_forward ? "store-and-forward" : "cut-through"));
  s.own.set("routing_cycles", static_cast<i64>(given.routing_ticks));
  s.own.set("injection_queue_packets", i64{1'000'000});
  for (const SwitchCase::Link& link : given.links) {
    s.class_link_ticks.push_back(link.latency);
    s.class_cell_ticks.push_back(link.cell);
  }
  const auto topology = make_topology(given.topology);
  const u32 node_class = topology->node_link_class();
  if (s.class_link_ticks.size() <= node_class) {
    s.class_link_ticks.resize(node_class + 1, 1);
    s.class_cell_ticks.resize(node_class + 1, 1);
  }
  s.class_link_ticks[node_class] = given.node_link.latency;
  s.class_cell_ticks[node_class] = given.node_link.cell;
  return setup;
}

std::vector<Send> script_of(const SwitchCase& given) {
  std::vector<Send> script;
  for (const SwitchPacket& p : given.packets) script.push_back({p.birth, p.from, p.to, p.cells});
  return script;
}

std::vector<Delivery> judged(const SwitchCase& given) {
  const reference::CellOutcome outcome = judge(given);
  EXPECT_EQ(outcome.complaints, std::vector<std::string>{});
  std::vector<Delivery> deliveries;
  for (std::size_t p = 0; p < given.packets.size(); ++p) {
    const SwitchPacket& packet = given.packets[p];
    deliveries.push_back({outcome.delivered[p], packet.from, packet.to, packet.birth});
  }
  std::ranges::sort(deliveries);
  return deliveries;
}

/// Node links of a case are as those of its first class where they have no class of their own.
SwitchCase usable_case(u64 seed) {
  SwitchCase given = with_bits_of_host(random_switch_case(seed));
  const u32 node_class = make_topology(given.topology)->node_link_class();
  if (node_class < given.links.size()) given.node_link = given.links[node_class];
  return given;
}

class SwitchAndJudge : public ::testing::TestWithParam<u64> {};

TEST_P(SwitchAndJudge, DeliverEveryPacketInTheSameTick) {
  for (u64 seed = GetParam(); seed < GetParam() + 50; ++seed) {
    const SwitchCase given = usable_case(seed);
    SCOPED_TRACE(given.describe());
    Case setup = case_of(given);
    setup.each_tick = [](Probe& probe) { probe.check_conservation(); };
    Result result = run_script(setup, script_of(given));
    std::ranges::sort(result.deliveries);
    ASSERT_EQ(result.deliveries, judged(given));
    EXPECT_TRUE(result.drained);
  }
}

INSTANTIATE_TEST_SUITE_P(Random, SwitchAndJudge, ::testing::Values(1, 1'001, 2'001, 3'001));

TEST(SwitchNetwork, PartsAndProtocolsAndLookingInEveryTickChangeNothing) {
  for (u64 seed = 1; seed <= 20; ++seed) {
    const SwitchCase given = usable_case(seed);
    SCOPED_TRACE(given.describe());
    Case setup = case_of(given);
    const std::vector<Send> script = script_of(given);
    const Result alone = run_script(setup, script);
    setup.router.every_cycle = true;
    EXPECT_EQ(run_script(setup, script).digest, alone.digest);
    setup.router.every_cycle = false;
    const u32 routers = make_topology(given.topology)->routers();
    for (const u32 parts : {2U, 3U}) {
      if (parts > routers) continue;
      setup.parts = parts;
      setup.part_of_router.resize(routers);
      for (u32 r = 0; r < routers; ++r) setup.part_of_router[r] = r % parts;
      for (const auto protocol : {engine::Protocol::windowed, engine::Protocol::null_message}) {
        setup.protocol = protocol;
        EXPECT_EQ(run_script(setup, script).digest, alone.digest);
      }
    }
  }
}

}  // namespace
}  // namespace weft::models::testing
