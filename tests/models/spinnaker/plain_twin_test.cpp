// The event-driven model against a plain loop over cycles: the same tick for every delivery.
#include "tests/models/spinnaker/plain_twin.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/machine/spinnaker/targets.hpp"
#include "tests/models/spinnaker/chips.hpp"

namespace weft::models::testing {
namespace {

/// What the two are told besides the script.
struct Shape {
  int x = 4, y = 4;
  u32 phits = 1;
  Tick link = 1, slow = 0;
  u32 queue = 4, injection = 12;
  i64 wait = 4, emergency_wait = 4;
  bool emergency = true;
  i64 kept = 0, look = 1;  ///< packets of a monitor core, and how often it looks
};

struct Compared {
  u64 dropped = 0, detours = 0, deliveries = 0, put_back = 0;
};

Compared expect_same(const Shape& shape, const std::string& mode, const std::vector<Send>& script,
                     const FaultSpec& faults = {}) {
  SCOPED_TRACE(fmt::format("{}x{} {} of {} phits, link {}, switch {}, queue {}, waits {} and {}, emergency {}", shape.x,
                           shape.y, mode, shape.phits, shape.link, shape.slow, shape.queue, shape.wait,
                           shape.emergency_wait, shape.emergency));
  Case setup = chips(shape.x, shape.y, shape.phits, mode, shape.link, shape.slow);
  setup.router.queue_packets = shape.queue;
  setup.router.injection_capacity = shape.injection;
  setup.router.own.set("wait_cycles", shape.wait);
  setup.router.own.set("emergency_wait_cycles", shape.emergency_wait);
  setup.router.own.set("emergency_routing", shape.emergency);
  setup.router.own.set("reinjection", shape.kept > 0);
  setup.router.own.set("reinjection_packets", std::max<i64>(1, shape.kept));
  setup.router.own.set("reinjection_cycles", shape.look);
  PlainTwin::Setup plain{shape.x,
                         shape.y,
                         shape.phits,
                         shape.link,
                         shape.slow,
                         static_cast<Tick>(shape.wait),
                         static_cast<Tick>(shape.emergency_wait),
                         shape.emergency,
                         mode == "multicast",
                         shape.queue,
                         shape.injection,
                         {},
                         {},
                         static_cast<std::size_t>(shape.kept),
                         static_cast<Tick>(shape.look)};
  const auto topology = network_of(setup, faults);
  std::unique_ptr<spinnaker::Targets> targets;
  if (plain.multicast) {
    targets = std::make_unique<spinnaker::Targets>(*topology, setup.router);
    plain.targets = [&](u32 source) {
      std::vector<u32> found;
      targets->of(source, found);
      return found;
    };
  }
  constexpr int direction_of_port[6] = {0, 3, 2, 5, 1, 4};
  for (u32 router = 0; router < topology->routers(); ++router) {
    for (u32 port = 0; port < 6; ++port) {
      if (topology->peer(RouterId(router), port).kind != Peer::Kind::none) continue;
      plain.failed.insert({static_cast<int>(router), direction_of_port[port]});
    }
  }
  PlainTwin twin(plain);
  twin.run(script);
  const Result result = run_chips(setup, script, faults);
  EXPECT_EQ(result.deliveries, twin.deliveries);
  EXPECT_EQ(result.counters.dropped, twin.dropped);
  return {twin.dropped, twin.detours, twin.deliveries.size(), twin.put_back};
}

void add(Compared& all, const Compared& more) {
  all.dropped += more.dropped;
  all.detours += more.detours;
  all.deliveries += more.deliveries;
  all.put_back += more.put_back;
}

class AgainstAPlainLoop : public ::testing::TestWithParam<std::string> {};

TEST_P(AgainstAPlainLoop, EveryPacketArrivesInTheSameTickAtEveryLoad) {
  Compared all;
  for (u64 seed = 1; seed <= 2; ++seed) {
    for (const Tick span : {80, 20}) {
      for (const u32 phits : {1U, 4U}) {
        add(all, expect_same({.phits = phits, .queue = 2, .wait = 1, .emergency_wait = 1}, GetParam(),
                             random_traffic(16, 10, span * phits, seed)));
      }
    }
  }
  EXPECT_GT(all.detours, 50U);
  EXPECT_GT(all.deliveries, 1000U);
}

TEST_P(AgainstAPlainLoop, AlsoWithOtherShapesLatenciesQueuesAndWaits) {
  Compared all;
  u64 seed = 7;
  for (const auto& [x, y] : {std::pair{3, 3}, {5, 4}, {2, 4}}) {
    for (const u32 queue : {1U, 2U}) {
      for (const i64 wait : {0, 11}) {
        for (const bool emergency : {false, true}) {
          const Shape shape{x, y, 3, 2, 1, queue, 5, wait, wait / 2, emergency};
          add(all, expect_same(shape, GetParam(), random_traffic(static_cast<u32>(x * y), 8, 40, ++seed)));
        }
      }
    }
  }
  EXPECT_GT(all.dropped, 100U);
  EXPECT_GT(all.detours, 100U);
}

TEST_P(AgainstAPlainLoop, AlsoWithFailedLinksRoundWhichPacketsGo) {
  Compared all;
  for (u64 seed = 1; seed <= 3; ++seed) {
    FaultSpec faults;
    faults.random_links = 4;
    faults.seed = seed;
    add(all, expect_same({.phits = 2, .wait = 3}, GetParam(), random_traffic(16, 15, 200, seed), faults));
  }
  EXPECT_GT(all.detours, 50U);
}

TEST_P(AgainstAPlainLoop, AlsoWithMonitorCoresThatPutDroppedPacketsBack) {
  Compared all;
  u64 seed = 30;
  for (const i64 kept : {1, 3, 500}) {
    for (const i64 look : {1, 7, 100}) {
      for (const bool emergency : {false, true}) {
        Shape shape{.phits = 3, .queue = 2, .wait = 1, .emergency_wait = 0, .emergency = emergency};
        shape.kept = kept;
        shape.look = look;
        add(all, expect_same(shape, GetParam(), random_traffic(16, 30, 40, ++seed)));
        FaultSpec faults;
        faults.random_links = 3;
        faults.seed = seed;
        add(all, expect_same(shape, GetParam(), random_traffic(16, 8, 100, seed), faults));
      }
    }
  }
  EXPECT_GT(all.put_back, 300U);
  EXPECT_GT(all.dropped, 50U) << "queues of monitor cores are full, or a failed link has no way round";
}

INSTANTIATE_TEST_SUITE_P(Modes, AgainstAPlainLoop, ::testing::Values("unicast", "multicast"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace weft::models::testing
