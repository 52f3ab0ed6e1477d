// What a network is said to take before it is built, compared with what it takes.
#include "models/machine/memory.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "models/machine/packets/block_bytes.hpp"
#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {
namespace {

TEST(NetworkBytes, AreThoseOfTheBlocksAndALittleForEachRouterAndNic) {
  for (const auto& spec : {mesh({7, 3}), torus({4, 4, 4}), torus({3, 3, 3, 3}), tree(2, 3), thin_tree(4, 2, 3),
                           crossbar(8), crossbar(40)}) {
    for (const u32 channels : {2U, 3U}) {
      for (const std::string& mode : fast_modes(spec)) {
        Case setup{spec, packets_of(8)};
        setup.router.virtual_channels = channels;
        setup.router.mode = mode;
        SCOPED_TRACE(describe(setup));
        const auto topology = make_topology(spec);
        const u64 entities = topology->routers() + (topology->direct() ? 0 : topology->nodes());
        const u64 blocks = run_script(setup, {}).bytes;
        const u64 said = network_bytes(*topology, settings_of(setup), sizeof(Packet));
        EXPECT_GE(said, blocks);
        EXPECT_LE(said, blocks + 256 * entities);
      }
    }
  }
}

TEST(NetworkBytes, GrowWithTheHostsPackets) {
  const auto topology = make_topology(torus({4, 4}));
  const RouterSettings settings = settings_of({torus({4, 4}), packets_of(8)});
  EXPECT_GT(network_bytes(*topology, settings, sizeof(PacketOfAMessage)),
            network_bytes(*topology, settings, sizeof(Packet)));
}

TEST(Capacity, IsKnownFromTheDimensionsAlone) {
  const auto check = [](const TopologySpec& topology, u32 channels) {
    Case setup{topology, packets_of(8)};
    setup.router.virtual_channels = channels;
    check_capacity(*make_topology(topology), settings_of(setup));
  };
  EXPECT_THROW(check(torus({1000, 1000, 1000}), 1), ConfigError);
  EXPECT_THROW(check(tree(32, 6), 1), ConfigError);
  EXPECT_NO_THROW(check(torus({256, 256, 256}), 1));
  EXPECT_THROW(check(torus({4, 4, 4}), 16), ConfigError);
  EXPECT_THROW(check(crossbar(200), 16), ConfigError);
  EXPECT_NO_THROW(check(crossbar(100), 16));
}

}  // namespace
}  // namespace weft::models::testing
