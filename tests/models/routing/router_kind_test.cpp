// What every registered router says of itself, and how modes are found.
#include "models/routing/router_kind.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "engine/base/error.hpp"
#include "tests/models/topology/shapes.hpp"

namespace weft::models {
namespace {

TEST(RouterRegistration, SaysWhatEachKindIsWhereItFitsAndHowItIsMade) {
  ASSERT_FALSE(RouterRegistry::instance().names().empty());
  for (const std::string& name : RouterRegistry::instance().names()) {
    SCOPED_TRACE(name);
    const RouterKind& kind = router_kind(name);
    EXPECT_FALSE(kind.help.empty());
    EXPECT_FALSE(kind.families.empty());
    EXPECT_TRUE(kind.routing || kind.bytes) << "neither a routing nor loops of its own";
    for (const Setting& setting : kind.settings) {
      EXPECT_TRUE(setting.table() == "router" || setting.table() == "nic" || setting.table() == "ideal") << setting.key;
      EXPECT_FALSE(setting.help.empty()) << setting.key;
    }
    std::set<std::string> modes;
    for (const RouterMode& mode : kind.modes) {
      EXPECT_FALSE(mode.help.empty()) << mode.name;
      EXPECT_TRUE(modes.insert(mode.name).second) << mode.name << " twice";
      EXPECT_EQ(&mode_row(kind, mode.name), &mode);
    }
    ASSERT_FALSE(kind.modes.empty());
    EXPECT_EQ(&mode_row(kind, ""), &kind.modes.front());
    EXPECT_THROW(static_cast<void>(mode_row(kind, "no such mode")), Bug);
  }
}

TEST(RouterRegistration, FitsEveryTopologyThatNamesItAsItsUsualRouter) {
  for (const std::string& name : TopologyRegistry::instance().names()) {
    const TopologyKind& topology = *TopologyRegistry::instance().find(name);
    ASSERT_NE(RouterRegistry::instance().find(topology.router), nullptr) << name << " names " << topology.router;
    EXPECT_TRUE(fits_family(router_kind(topology.router), topology.family)) << name;
  }
}

TEST(RouterRegistration, FitsSomeTopologyAndHasALoopForIt) {
  for (const std::string& name : RouterRegistry::instance().names()) {
    SCOPED_TRACE(name);
    u32 fitting = 0;
    for (const std::string& topology : TopologyRegistry::instance().names()) {
      if (!fits_family(router_kind(name), TopologyRegistry::instance().find(topology)->family)) continue;
      ++fitting;
      RouterSettings settings;
      settings.kind = name;
      const bool plain = is_plain(*make_topology(testing::sample_of(topology)), settings);
      EXPECT_TRUE(plain ? router_kind(name).routing != nullptr : router_kind(name).bytes != nullptr) << topology;
    }
    EXPECT_GT(fitting, 0U);
  }
}

}  // namespace
}  // namespace weft::models
