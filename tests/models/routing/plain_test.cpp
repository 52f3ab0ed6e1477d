// The loop of plain routers, with a router that registers here as a newcomer's would: dimension order with bubbles,
// which the bubble router's own loop must agree with. Registered, it goes through the tests of every router as well.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/routing/router_kind.hpp"
#include "models/topology/lattice.hpp"
#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {
namespace {

constexpr const char* kind = "plain-for-tests";

/// One virtual channel, dimension by dimension; to enter a ring takes free space for two packets in this router's own
/// queue of it.
class DimensionOrder final : public Routing {
 public:
  explicit DimensionOrder(const Topology& topology) : lattice_(dynamic_cast<const Lattice&>(topology)) {}
  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    const Lattice::Record hops = lattice_.record(NodeId(at.router), packet.to, 0);
    for (u32 d = 0; d < lattice_.dimensions(); ++d) {
      if (hops[d] == 0) continue;
      const u32 port = 2 * d + (hops[d] < 0 ? 1 : 0);
      if (at.port == (port ^ 1U)) {  // it is in the ring
        candidates.outputs.add(port);
      } else {
        candidates.escape = candidates.escape_near_queue = port;
        candidates.escape_near_packets = 2;
      }
      return Verdict::waits;
    }
    return Verdict::arrived;
  }

 private:
  const Lattice& lattice_;
};

/// Drops every packet for an odd node at its source, and those for multiples of four at their last router but one.
class Dropper final : public Routing {
 public:
  explicit Dropper(const Topology& topology) : order_(topology), topology_(topology) {}
  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    if (packet.to.value() % 2 == 1) return Verdict::dropped;
    if (packet.to.value() % 4 == 0 && topology_.distance(NodeId(at.router), packet.to) == 1) return Verdict::dropped;
    return order_.route(at, packet, candidates);
  }

 private:
  DimensionOrder order_;
  const Topology& topology_;
};

std::optional<Complaint> check(const RouterChoice& choice) {
  if (choice.keys.integer("virtual_channels") == 1) return {};
  return Complaint{"router.virtual_channels", "is not 1", "use virtual_channels = 1"};
}

[[maybe_unused]] const bool plain_test_registered = RouterRegistry::instance().add(
    kind, {.help = "for tests.",
           .families = {"grid"},
           .modes = {{"delivering", "delivers all."}, {"dropping", "drops some."}},
           .settings = {},
           .check = check,
           .routing = [](const Topology& topology, const RouterSettings& settings) -> std::unique_ptr<Routing> {
             if (settings.mode == "dropping") return std::make_unique<Dropper>(topology);
             return std::make_unique<DimensionOrder>(topology);
           },
           .has_loop = {},
           .bytes = {}});

TEST(PlainRouter, DeliversWhatTheBubbleRoutersOwnLoopDelivers) {
  // No ring has an even length: there, packets draw which way they go.
  for (const auto& topology : {mesh({4, 3}), torus({5, 3}), torus({3, 5, 3})}) {
    for (const auto arbitration : {Arbitration::round_robin, Arbitration::fifo, Arbitration::age}) {
      for (const RouterSettings& timing : {packets_of(8), packets_of(1), packets_of(4, 6, 3, 3)}) {
        for (const bool multiple : {false, true}) {
          Case setup{topology, timing};
          setup.router.arbitration = arbitration;
          setup.router.multiple_consumption = multiple;
          setup.until = 100'000;
          setup.router.mode = "oblivious";
          SCOPED_TRACE(describe(setup));
          auto script = random_traffic(make_topology(topology)->nodes(), 20, 60, 5);
          for (Send& send : script) send.tick *= timing.cycle_ticks;
          const Result fast = run_script(setup, script);
          setup.router.kind = kind;
          setup.router.mode = "";
          const Result plain = run_script(setup, script);
          ASSERT_TRUE(fast.drained && plain.drained);
          EXPECT_TRUE(plain.deliveries == fast.deliveries);
          EXPECT_EQ(plain.counters.words(), fast.counters.words());
          EXPECT_EQ(plain.distance_max, fast.distance_max);
        }
      }
    }
  }
}

TEST(PlainRouter, CountsWhatItDropsAndGivesItsSpaceBack) {
  Case setup{torus({5, 4}), packets_of(8)};
  setup.router.kind = kind;
  setup.router.mode = "dropping";
  const auto script = random_traffic(20, 20, 100, 5);
  u64 odd = 0, fourth = 0;
  for (const Send& send : script) {
    odd += send.to % 2;
    fourth += send.to % 4 == 0 ? 1 : 0;
  }
  const Result whole = run_script(setup, script);
  EXPECT_TRUE(whole.drained);  // every credit is back
  EXPECT_EQ(whole.counters.dropped, odd + fourth);
  EXPECT_GE(whole.counters.dropped_at_source, odd);
  EXPECT_LT(whole.counters.dropped_at_source, odd + fourth);
  EXPECT_EQ(whole.counters.delivered, script.size() - odd - fourth);
  EXPECT_EQ(whole.counters.in_network(), 0U);
  for (const Tick tick : {5, 20, 50, 90, 150, 300}) {
    setup.until = tick;
    const Result result = run_script(setup, script);
    const Counters& c = result.counters;
    EXPECT_EQ(c.in_network(), result.in_flight.network) << "at tick " << tick;
    EXPECT_EQ(c.generated, c.injected + c.dropped_at_source + result.in_flight.queued) << "at tick " << tick;
  }
}

}  // namespace
}  // namespace weft::models::testing
