// One history for every number of parts and every partition, in the settings where much happens in the same tick.
#include <gtest/gtest.h>
#include <set>

#include "models/core/layout.hpp"
#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {
namespace {

/// Saturates the network for a while and compares the history of one part with that of several.
void expect_one_history(Case setup, u32 per_node = 15) {
  SCOPED_TRACE(describe(setup));
  const auto topology = make_topology(setup.topology);
  // All at once: the sources are always ready and only the network says when.
  const auto script = random_traffic(topology->nodes(), per_node, 1, 9);
  setup.until = 200'000;
  const Result alone = run_script(setup, script);
  ASSERT_TRUE(alone.drained);
  for (const u32 parts : {2U, 3U}) {
    for (const auto method : {engine::PartitionMethod::metis, engine::PartitionMethod::round_robin}) {
      setup.parts = parts;
      setup.part_of_router = engine::partition(router_graph(*topology), parts, method);
      const Result split = run_script(setup, script);
      EXPECT_TRUE(split.drained);
      EXPECT_EQ(split.digest.hex(), alone.digest.hex()) << parts << " parts, method " << static_cast<int>(method);
      EXPECT_TRUE(split.deliveries == alone.deliveries);
      EXPECT_EQ(split.counters.words(), alone.counters.words());
    }
  }
}

TEST(PartitionIndependence, CubesInEveryRequestMode) {
  for (const std::string& mode : fast_modes(torus({6, 6}))) {
    for (const bool multiple : {false, true}) {
      Case setup{torus({6, 6}), packets_of(8)};
      setup.router.virtual_channels = 3;
      setup.router.mode = mode;
      setup.router.multiple_consumption = multiple;
      expect_one_history(setup);
    }
  }
}

TEST(PartitionIndependence, SeveralInjectionQueuesThatEmptyInTheSameTick) {
  for (const auto policy : {InjectionPolicy::shortest, InjectionPolicy::dor, InjectionPolicy::dor_shortest,
                            InjectionPolicy::shortest_profitable, InjectionPolicy::longest_path}) {
    for (const bool in_act : {false, true}) {
      Case setup{torus({8, 8}), packets_of(4)};
      setup.router.virtual_channels = 3;
      setup.router.injection = policy;
      setup.router.injection_queues = 4;
      setup.router.injection_capacity = 2;
      setup.router.multiple_consumption = true;
      setup.inject_in_act = in_act;
      expect_one_history(setup, 40);
    }
  }
}

TEST(PartitionIndependence, TreesInEveryRequestMode) {
  for (const auto& topology : {tree(4, 3), thin_tree(4, 2, 3)}) {
    for (const auto mode : {"static", "adaptive"}) {
      Case setup{topology, packets_of(16)};
      setup.router.virtual_channels = 2;
      setup.router.mode = mode;
      expect_one_history(setup, 15);
    }
  }
}

TEST(PartitionIndependence, LongLinksAndSlowSwitches) {
  for (const Tick link : {2, 7, 40}) {
    for (const auto& topology : {torus({6, 4}), thin_tree(4, 2, 2)}) {
      Case setup{topology, packets_of(8, link, 3)};
      setup.router.queue_packets = 7;  // all that are on the wire, and a bubble
      setup.router.virtual_channels = 2;
      expect_one_history(setup, 15);
    }
  }
}

TEST(PartitionIndependence, TheDigestSeesAnotherSeed) {
  std::set<std::string> digests;
  for (const u64 seed : {1, 2, 3}) {
    Case setup{torus({4, 4}), packets_of(8)};
    setup.router.seed = seed;
    digests.insert(run_script(setup, random_traffic(16, 10, 1, 9)).digest.hex());
  }
  EXPECT_EQ(digests.size(), 3U);
}

}  // namespace
}  // namespace weft::models::testing
