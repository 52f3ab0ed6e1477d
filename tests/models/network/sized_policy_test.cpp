// Routers compiled for their dimensions and channels against those for any: the same history, to the last counter.
#include <gtest/gtest.h>

#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {
namespace {

void expect_same(Case setup) {
  SCOPED_TRACE(describe(setup));
  const auto topology = make_topology(setup.topology);
  const auto script = random_traffic(topology->nodes(), 15, 1, 9);
  setup.until = 200'000;
  const Result any = run_script(setup, script);
  ASSERT_TRUE(any.drained);
  setup.sized = true;
  const Result sized = run_script(setup, script);
  EXPECT_TRUE(sized.drained);
  EXPECT_EQ(sized.digest.hex(), any.digest.hex());
  EXPECT_TRUE(sized.deliveries == any.deliveries);
  EXPECT_EQ(sized.counters.words(), any.counters.words());
  EXPECT_EQ(sized.wheel_events, any.wheel_events);
  EXPECT_EQ(sized.acts, any.acts);
}

TEST(SizedPolicy, EveryRequestModeInMeshesAndTori) {
  const TopologySpec open{"torus", {{"dims", std::vector<i64>{4, 5, 2}}, {"open_dims", std::vector<i64>{1, 2}}}};
  for (const auto& topology : {torus({6, 6}), torus({4, 3, 3}), open, mesh({5, 4}), mesh({3, 3, 4})}) {
    for (const std::string& mode : fast_modes(topology)) {
      Case setup{topology, packets_of(8)};
      setup.router.virtual_channels = 3;
      setup.router.mode = mode;
      expect_same(setup);
    }
  }
}

TEST(SizedPolicy, SeveralInjectionQueuesRestrictionsAndLongLinks) {
  Case setup{torus({4, 4, 4}), packets_of(4, 7)};
  setup.router.virtual_channels = 3;
  setup.router.multiple_consumption = true;
  expect_same(setup);
  setup.router.injection_queues = 3;
  setup.router.injection = InjectionPolicy::dor_shortest;
  expect_same(setup);
  setup.router.local_buffer_packets = 1;
  expect_same(setup);
}

}  // namespace
}  // namespace weft::models::testing
