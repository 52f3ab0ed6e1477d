// Kinds of routers that are products have defaults of their own for settings of any table.
#include <gtest/gtest.h>

#include "models/routing/router_kind.hpp"
#include "tests/tools/run/config/config_file.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools {
namespace {

struct UsualValues : testing::ConfigFile {
  const std::string torus_ = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n";
  const std::string twin_ = "[topology]\nkind = \"ndt-torus\"\ndims = [2, 2, 2]\n";
  const std::string extoll_ = "[router]\nkind = \"extoll\"\n";
};

TEST_F(UsualValues, OfAKindTakeThePlaceOfDefaults) {
  const Config config = load(torus_ + extoll_);
  EXPECT_EQ(config.integer("packet.phits"), 32);
  EXPECT_EQ(config.integer("link.node.latency_cycles"), 5);
  EXPECT_FALSE(config.given("packet.phits"));
  EXPECT_EQ(config.integer("router.queue_packets"), 4);  // not the kind's
  EXPECT_EQ(load(torus_).integer("packet.phits"), 16);
}

TEST_F(UsualValues, GiveWayToWhatTheConfigSays) {
  EXPECT_EQ(load(torus_ + extoll_ + "[packet]\nphits = 8\n").integer("packet.phits"), 8);
  EXPECT_EQ(load(torus_ + extoll_, {"link.latency_cycles=3"}).integer("link.latency_cycles"), 3);
  EXPECT_EQ(load(torus_ + extoll_, {"router.kind=switch"}).integer("packet.phits"), 16);
  EXPECT_EQ(load(torus_, {"router.kind=extoll"}).integer("packet.phits"), 32);
}

TEST_F(UsualValues, MayGoByTheTopology) {
  EXPECT_EQ(load(torus_ + extoll_).integer("router.virtual_channels"), 3);
  EXPECT_EQ(load(twin_ + extoll_).integer("router.virtual_channels"), 2);
  EXPECT_EQ(load(twin_ + extoll_).integer("router.traffic_classes"), 4);
  EXPECT_EQ(load(twin_ + extoll_).text("router.routing"), "ts-dor");
}

TEST_F(UsualValues, AreInTheCanonicalTextWhichLoadsAsTheSameConfig) {
  const Config config = load(twin_ + extoll_);
  const Config again = load_whole(config.toml());
  EXPECT_EQ(again.toml(), config.toml());
  EXPECT_EQ(again.hash(), config.hash());
}

TEST_F(UsualValues, OfEveryKindFitTheirSettings) {
  std::vector<std::string> topologies = models::TopologyRegistry::instance().names();
  topologies.emplace_back("");
  for (const std::string& name : models::RouterRegistry::instance().names()) {
    const models::RouterKind& kind = models::router_kind(name);
    if (!kind.defaults) continue;
    for (const std::string& topology : topologies) {
      for (const models::DefaultValue& one : kind.defaults(topology)) {
        SCOPED_TRACE(name + " " + one.key);
        const Setting* const setting = find_setting(one.key);
        ASSERT_NE(setting, nullptr);
        // As an override it is checked for type and range.
        EXPECT_NO_THROW(static_cast<void>(load(torus_, {one.key + "=" + value_text(one.value)})));
      }
    }
  }
}

}  // namespace
}  // namespace weft::tools
