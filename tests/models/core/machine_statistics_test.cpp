// What every network model keeps besides its machine: counts of endpoints, hosts that wait for injection to be opened,
// sums that must agree with what is in flight.
#include "models/core/machine_statistics.hpp"

#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "models/topology/topology.hpp"
#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {
namespace {

/// A network without a machine.
class BareNetwork : public MachineStatistics {
 public:
  BareNetwork(const Topology& topology, Layout& layout) : MachineStatistics(topology, {}, layout) {}
  using MachineStatistics::allow_injection;
  using MachineStatistics::check_tick;
  using MachineStatistics::check_totals;
  using MachineStatistics::count_generated;
  using MachineStatistics::counts_of;
  using MachineStatistics::Delivery;
  using MachineStatistics::EndpointCounts;
  using MachineStatistics::load_record;
  using MachineStatistics::record_delivery;
  using MachineStatistics::record_drop;
  using MachineStatistics::record_injection;
  using MachineStatistics::record_link_start;
  using MachineStatistics::refuse;
  using MachineStatistics::restore;
  using MachineStatistics::save_record;
  void check_conservation(Tick now) const { checked.push_back(now); }
  mutable std::vector<Tick> checked;
};

struct NetworkOf : ::testing::Test {
  explicit NetworkOf(std::vector<i64> dims = {2, 2}, u32 parts = 1)
      : topology(make_topology(torus(std::move(dims)))),
        layout(
            *topology, [parts](u32 router) { return router % parts; }, 0, parts),
        net(*topology, layout) {}
  std::vector<u32> opened() {
    std::vector<u32> told;
    net.allow_injection(true, [&](u32 entity) { told.push_back(entity); });
    return told;
  }
  std::unique_ptr<Topology> topology;
  Layout layout;
  BareNetwork net;
};
using StatisticsOfANetwork = NetworkOf;

TEST_F(StatisticsOfANetwork, CountPacketsOfEndpointsOrTheirCellsOnceAsked) {
  net.count_generated(1);
  EXPECT_TRUE(net.injected_at().empty());
  net.count_endpoints();
  net.count_generated(1);
  net.count_generated(2, 5);
  net.record_delivery({.entity = 3, .at = 40, .latency = 30, .distance = 4, .hops = 2});
  net.record_delivery({.entity = 3, .at = 50, .latency = 20, .distance = 3, .hops = 1, .cells = 5});
  EXPECT_EQ(net.injected_at(), (std::vector<u32>{0, 1, 5, 0}));
  EXPECT_EQ(net.delivered_at(), (std::vector<u32>{0, 0, 0, 6}));
  const Statistics& s = net.statistics();
  EXPECT_EQ(s.counters.generated, 3U);
  EXPECT_EQ(s.counters.generated_cells, 5U);
  EXPECT_EQ(s.counters.delivered, 2U);
  EXPECT_EQ(s.counters.delivered_cells, 5U);
  EXPECT_EQ(s.counters.latency, 50U);
  EXPECT_EQ(s.counters.distance, 7U);
  EXPECT_EQ(s.counters.hops, 3U);
  EXPECT_EQ(s.latency_max, 30U);
  EXPECT_EQ(s.distance_max, 4U);
  EXPECT_EQ(s.last_delivery, 50U);
}

TEST_F(StatisticsOfANetwork, TellThoseWhoWereRefusedOnceWhenInjectionOpens) {
  net.allow_injection(false, [](u32) { ADD_FAILURE() << "told of free space while injection is closed"; });
  EXPECT_FALSE(net.injection_open());
  for (const u32 entity : {3U, 0U, 3U}) EXPECT_FALSE(net.refuse(entity));
  EXPECT_EQ(opened(), (std::vector<u32>{0, 3}));
  EXPECT_TRUE(net.injection_open());
  EXPECT_TRUE(opened().empty());
}

TEST_F(StatisticsOfANetwork, KeepCountsThroughACheckpointIfTheyAreAskedFor) {
  EXPECT_EQ(net.counts_of(1).injected, 0U);
  net.restore(1, {7, 9});
  EXPECT_TRUE(net.injected_at().empty());
  net.count_endpoints();
  net.restore(1, {7, 9});
  EXPECT_EQ(net.counts_of(1).injected, 7U);
  EXPECT_EQ(net.counts_of(1).delivered, 9U);
  EXPECT_EQ(opened(), (std::vector<u32>{1})) << "its host may have been refused before the checkpoint";
}

TEST_F(StatisticsOfANetwork, FindAPacketThatIsNowhere) {
  for (u32 k = 0; k < 4; ++k) net.count_generated(0);
  for (const Tick tick : {3, 4, 5}) net.record_injection(tick, 1);
  net.record_delivery({.entity = 1, .at = 9, .latency = 6, .distance = 1, .hops = 1});
  net.record_drop(10, 2, 0, 3);
  EXPECT_NO_THROW(net.check_totals({.queued = 1, .network = 1}, 11));
  EXPECT_THROW(net.check_totals({.queued = 0, .network = 1}, 11), Bug);
  EXPECT_THROW(net.check_totals({.queued = 1, .network = 0}, 11), Bug);
  EXPECT_THROW(net.check_totals({.queued = 0, .network = 2}, 11), Bug);
  EXPECT_EQ(net.statistics().first_drop.entity, 2U);
}

TEST(StatisticsOfANetworkInDebugBuilds, AreCheckedAtEveryTickInSmallNetworksOfOneProcess) {
#ifdef NDEBUG
  const std::vector<Tick> small{};
#else
  const std::vector<Tick> small{17};
#endif
  struct Fixed : NetworkOf {
    using NetworkOf::NetworkOf;
    void TestBody() override {}
  };
  const auto checked = [](std::vector<i64> dims, u32 parts) {
    Fixed books(std::move(dims), parts);
    books.net.check_tick(books.net, 17);
    return books.net.checked;
  };
  EXPECT_EQ(checked({8, 8}, 1), small);
  EXPECT_TRUE(checked({8, 9}, 1).empty());
  EXPECT_TRUE(checked({4, 4}, 2).empty());
}

TEST_F(StatisticsOfANetwork, AreInTheRecordOfAnEntityBehindItsState) {
  net.count_endpoints();
  net.restore(1, {7, 9});
  const std::array<std::byte, 3> state{std::byte{4}, std::byte{5}, std::byte{6}};
  std::array<std::byte, 3 + sizeof(BareNetwork::EndpointCounts)> record{};
  net.save_record(1, state, record.data());
  std::array<std::byte, 3> loaded{};
  net.load_record(2, 20, record, loaded);
  EXPECT_EQ(loaded, state);
  EXPECT_EQ(net.counts_of(2).injected, 7U);
  EXPECT_EQ(net.counts_of(2).delivered, 9U);
  for (const std::size_t bytes : {std::size_t{0}, record.size() - 1}) {
    try {
      net.load_record(2, 20, std::span(record).first(bytes), loaded);
      ADD_FAILURE() << "took a record of " << bytes << " bytes";
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), "the record of entity 20 has a wrong length");
    }
  }
}

}  // namespace
}  // namespace weft::models::testing
