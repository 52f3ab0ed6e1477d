// What SpiNNaker's router refuses in [router].
#include <gtest/gtest.h>

#include "models/routing/router_kind.hpp"
#include "tests/models/network/every_router.hpp"

namespace weft::models::testing {
namespace {

/// Key that the choice with one value changed is refused for; empty: it is not.
std::string refused(const std::string& mode, const std::string& key, const SettingValue& value) {
  RouterChoice choice{router_defaults(), mode, "spinnaker", {}};
  choice.keys.set("virtual_channels", i64{1});
  choice.keys.set(key, value);
  const auto complaint = router_kind("spinnaker").check(choice);
  return complaint ? complaint->key : "";
}

TEST(SpinnakerSettings, AreRefusedWhereTheyMeanNothing) {
  EXPECT_EQ(refused("unicast", "virtual_channels", i64{1}), "");
  EXPECT_EQ(refused("unicast", "virtual_channels", i64{3}), "router.virtual_channels");
  EXPECT_EQ(refused("unicast", "injection_queues", i64{2}), "router.injection_queues");
  EXPECT_TRUE(ignores(router_kind("spinnaker"), "router.lbr_packets"));
  EXPECT_TRUE(ignores(router_kind("spinnaker"), "router.ipr_fraction"));
  EXPECT_EQ(refused("unicast", "multicast_file", std::string("targets.txt")), "router.multicast_file");
  EXPECT_EQ(refused("multicast", "multicast_file", std::string("targets.txt")), "");
  EXPECT_EQ(refused("unicast", "table_file", std::string("tables.txt")), "router.table_file");
  EXPECT_EQ(refused("multicast", "table_file", std::string("tables.txt")), "");
}

}  // namespace
}  // namespace weft::models::testing
