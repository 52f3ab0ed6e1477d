// What router.routing stands for in switches: a kind of router, or a mode of one that fits the topology.
#include "models/machine/cells/route_choice.hpp"

#include <gtest/gtest.h>

#include "models/routing/routes.hpp"
#include "tests/models/network/every_router.hpp"

namespace weft::models {
namespace {

struct RouteChoiceOfSwitches : ::testing::Test {
  static RouterChoice choice(const std::string& topology, const std::string& routing, i64 channels = 4) {
    RouterChoice made{testing::router_defaults(), "credits", topology, testing::sample_of(topology).keys};
    made.keys.set("routing", routing);
    made.keys.set("virtual_channels", channels);
    return made;
  }
  /// "KIND MODE" that a name becomes.
  static std::string settled(const std::string& topology, const std::string& routing) {
    RouterSettings settings;
    settings.own = choice(topology, routing).keys;
    cells::resolve_routes(settings, topology);
    return settings.own.text("routing") + " " + settings.own.text("routing_mode");
  }
  static std::string complaint(const RouterChoice& choice, bool knows_occupancy = true) {
    const auto found = cells::check_routes(choice, knows_occupancy);
    return found ? found->key + " " + found->why : "none";
  }
};

TEST_F(RouteChoiceOfSwitches, IsAKindOrAModeByItsNames) {
  EXPECT_EQ(settled("torus", "auto"), "dally auto");
  EXPECT_EQ(settled("torus", "dally"), "dally auto");
  EXPECT_EQ(settled("torus", "dor"), "dally basic");
  EXPECT_EQ(settled("torus", "duato"), "dally adaptive");
  EXPECT_EQ(settled("ndt-torus", "dort"), "ndt dort");
  EXPECT_EQ(settled("ndt-torus", "ts-dor"), "ndt ts-dor");
  EXPECT_EQ(settled("dragonfly", "minimal"), "dragonfly minimal");
  EXPECT_EQ(settled("dragonfly", "valiant"), "dragonfly valiant");
  EXPECT_EQ(settled("full-mesh", "valiant"), "full-mesh valiant");
  EXPECT_EQ(settled("thin-tree", "adaptive"), "multistage adaptive");
  EXPECT_EQ(settled("torus", "table"), "forwarding-table by-table");
  EXPECT_EQ(settled("torus", "dally:trc"), "dally trc");
  EXPECT_EQ(settled("torus", "auto:improved"), "dally improved");
}

TEST_F(RouteChoiceOfSwitches, IsRefusedWhereItFitsNoTopology) {
  EXPECT_EQ(complaint(choice("torus", "dor")), "none");
  EXPECT_EQ(complaint(choice("torus", "ts-dor")),
            "router.routing is no routing algorithm that fits the topology, and no kind of router");
  EXPECT_EQ(complaint(choice("torus", "ndt")), "router.routing does not fit topology.kind = \"torus\"");
  EXPECT_EQ(complaint(choice("torus", "bubble")),
            "router.routing does not fit switches (its routes need routers of its own)");
}

TEST_F(RouteChoiceOfSwitches, GoesByHowFullOutputsAreOnlyWhereThatIsKnown) {
  for (const std::string mode : {"ugal-l", "ugal-g", "par"}) {
    EXPECT_EQ(settled("dragonfly", mode), "dragonfly " + mode);
    for (const RouterChoice& one : {choice("dragonfly", mode), choice("dragonfly", "dragonfly:" + mode)}) {
      EXPECT_EQ(complaint(one), "none");
      EXPECT_EQ(complaint(one, false),
                "router.routing goes by the occupancy of outputs, which these switches do not know");
      EXPECT_EQ(cells::check_routes(one, false)->advice, "use router.kind = \"switch\", or mode \"minimal\"");
    }
    EXPECT_NE(complaint(choice("dragonfly", mode, 2)), "none") << "too few channels";
  }
  EXPECT_EQ(
      complaint(choice("dragonfly", "par", 3)),
      "router.virtual_channels deadlocks with routing = \"par\" (a higher channel is taken behind each link between "
      "groups) (the switch takes the routes of dragonfly routers)");
  EXPECT_EQ(complaint(choice("dragonfly", "valiant"), false), "none");
  EXPECT_EQ(settled("dragonfly", "auto"), "dragonfly auto");
  EXPECT_EQ(default_mode(router_kind("dragonfly")), "minimal");
}

TEST_F(RouteChoiceOfSwitches, NamesAModeOnce) {
  const auto twice = cells::check_routes(choice("torus", "dor"), true, "router.class_modes", {"adaptive", "trc"});
  EXPECT_EQ(twice->key + " " + twice->why,
            "router.class_modes has no effect beside router.routing = \"dor\", which names one itself");
  EXPECT_EQ(complaint(choice("torus", "dally:fast")), "router.routing is no routing algorithm of dally routers");
  EXPECT_EQ(
      complaint(choice("torus", "duato", 2)),
      "router.virtual_channels is too few for routing = \"adaptive\" of dally routers (two escape channels and an "
      "adaptive one) (the switch takes the routes of dally routers)");
}

}  // namespace
}  // namespace weft::models
