// Targets at random and from files, trees, and how many entries they take.
#include "models/machine/spinnaker/multicast_tables.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "models/topology/lattice.hpp"
#include "tests/models/spinnaker/chips.hpp"
#include "tests/support/scratch_folder.hpp"

namespace weft::models::spinnaker {
namespace {

using testing::chips;

class MulticastFile : public ::testing::Test {
 protected:
  /// The targets of a 4x4 network by a file.
  Targets read(const std::string& text) {
    put(path_, text);
    testing::Case setup = chips(4, 4, 1, "multicast");
    setup.router.own.set("multicast_file", path_);
    return {*testing::network_of(setup), setup.router};
  }
  std::string complaint(const std::string& text) {
    try {
      static_cast<void>(read(text));
    } catch (const InputError& error) {
      std::string what = error.what();
      EXPECT_TRUE(what.starts_with(path_ + ":")) << what;
      return what.substr(path_.size());
    }
    return "";
  }
  ScratchFolder folder_;
  std::string path_ = folder_.file("targets.txt");
};

TEST_F(MulticastFile, NamesTheTargetsOfEachSource) {
  const Targets targets = read("# source targets\n3 9 1\n\n5\t5 6 # itself too\r\n");
  std::vector<u32> found;
  targets.of(3, found);
  EXPECT_EQ(found, (std::vector<u32>{1, 9}));
  targets.of(5, found);
  EXPECT_EQ(found, (std::vector<u32>{5, 6}));
  targets.of(0, found);
  EXPECT_TRUE(found.empty());
}

TEST_F(MulticastFile, IsRefusedWithItsLine) {
  EXPECT_EQ(complaint("0 1\n1 16\n"), ":2: line names node 16 (the network has 16, from 0); correct it");
  EXPECT_EQ(complaint("0 x\n"), ":1: line holds \"x\" (not the number of a node); correct it or put # before comments");
  EXPECT_EQ(complaint("2 1\n\n2 3\n"),
            ":3: line has source 2 again (it was in line 1); write all its targets into one line");
  EXPECT_EQ(complaint("2 1 3 1\n"), ":1: line names target 1 twice; remove one");
}

TEST(Targets, AreSoManyOthersEachWithTheSameChance) {
  testing::Case setup = chips(5, 4, 1, "multicast");
  std::map<u32, u32> chosen;
  for (u64 seed = 1; seed <= 300; ++seed) {
    setup.router.seed = seed;
    std::vector<u32> found;
    Targets(*testing::network_of(setup), setup.router).of(7, found);
    EXPECT_EQ(found.size(), 4U);
    EXPECT_TRUE(std::ranges::is_sorted(found));
    EXPECT_EQ(std::ranges::adjacent_find(found), found.end());
    for (const u32 node : found) ++chosen[node];
  }
  EXPECT_FALSE(chosen.contains(7));
  ASSERT_EQ(chosen.size(), 19U);
  for (const auto& [node, times] : chosen) EXPECT_NEAR(times, 300 * 4 / 19.0, 30) << node;
}

TEST(Targets, LieWithinTheRadiusAndWork) {
  testing::Case setup = chips(8, 7, 1, "multicast");
  setup.router.own.set("multicast_radius", i64{2});
  setup.router.own.set("multicast_targets", i64{17});
  FaultSpec faults;
  faults.nodes = {9};
  const auto topology = testing::network_of(setup, faults);
  const Targets targets(*topology, setup.router);
  std::vector<u32> found;
  for (u32 source = 0; source < 56; ++source) {
    if (source == 9) continue;
    targets.of(source, found);
    EXPECT_EQ(found.size(), 17U);
    for (const u32 node : found) {
      EXPECT_NE(node, 9U);
      EXPECT_GE(topology->distance(NodeId(source), NodeId(node)), 1U);
      EXPECT_LE(topology->distance(NodeId(source), NodeId(node)), 2U);
    }
  }
  targets.of(9, found);
  EXPECT_TRUE(found.empty()) << "a failed node sends nothing";
}

TEST(Targets, OfWhichThereAreTooFewAreRefused) {
  testing::Case setup = chips(8, 8, 1, "multicast");
  setup.router.own.set("multicast_targets", i64{19});
  setup.router.own.set("multicast_radius", i64{2});
  std::vector<u32> found;
  try {
    Targets(*testing::network_of(setup), setup.router).of(0, found);
    FAIL() << "drew 19 of 18";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(
        error.what(),
        "router.multicast_targets = 19 is more than the 18 working nodes within router.multicast_radius = 2 of "
        "node 0; use 18 or less");
  }
}

TEST(MulticastTree, ReachesEachTargetOnceByAShortestWay) {
  for (const auto& [x, y] : {std::pair{4, 4}, {5, 4}, {2, 2}, {7, 3}, {8, 8}}) {
    const auto torus = make_topology(testing::triangular(x, y));
    const auto& lattice = dynamic_cast<const Lattice&>(*torus);
    MulticastTree tree(lattice);
    std::vector<u32> everyone;
    for (u32 n = 0; n < torus->nodes(); ++n) everyone.push_back(n);
    for (u32 source = 0; source < torus->nodes(); ++source) {
      tree.build(source, everyone);
      std::map<u32, const MulticastTree::Stop*> by_router;
      for (const auto& stop : tree.stops()) EXPECT_TRUE(by_router.emplace(stop.router, &stop).second);
      ASSERT_EQ(by_router.size(), torus->nodes());
      for (const auto& [router, stop] : by_router) {
        EXPECT_NE(stop->outputs & 1U << local, 0U);
        for (u32 port = 0; port < links; ++port) {
          if ((stop->outputs >> port & 1) == 0) continue;
          const u32 far = lattice.peer(RouterId(router), port).id;
          EXPECT_EQ(by_router.at(far)->port, port) << "one way in";
          EXPECT_EQ(lattice.distance(NodeId(source), NodeId(far)),
                    lattice.distance(NodeId(source), NodeId(router)) + 1);
        }
      }
    }
  }
}

class Tables : public ::testing::Test {
 protected:
  /// The tables of a 9x9 network in which each source sends so many hops straight up in x and back to itself... or at
  /// random.
  static MulticastTables of(testing::Case setup) {
    const auto topology = testing::network_of(setup);
    const Layout layout(*topology, part_of_table(std::vector<u32>(topology->routers(), 0)), 0, 1);
    return {*topology, setup.router, layout};
  }
};

TEST_F(Tables, HaveNoEntryWherePacketsGoStraightThrough) {
  const ScratchFolder folder;  // both 4 to the right, one of them a diagonal further
  const std::string path = folder.write("straight.txt", "0 4 13\n");
  testing::Case setup = chips(9, 9, 1, "multicast");
  setup.router.own.set("multicast_file", path);
  const MulticastTables tables = of(setup);
  EXPECT_EQ(tables.find(0, 0), 1U << 0);
  for (const u32 passed : {1U, 2U}) EXPECT_EQ(tables.find(passed, 0), 0U);
  // 13 = (4, 1): 3 to the right, then the diagonal. The tree branches at 3.
  EXPECT_EQ(tables.find(3, 0), 1U << 0 | 1U << 4);
  EXPECT_EQ(tables.find(4, 0), 1U << local);
  EXPECT_EQ(tables.find(13, 0), 1U << local);
  u32 all = 0;
  for (u32 router = 0; router < 81; ++router) all += tables.entries(router);
  EXPECT_EQ(all, 4U);
}

TEST_F(Tables, ThatDoNotFitAreRefused) {
  testing::Case setup = chips(4, 4, 1, "multicast");
  setup.router.own.set("multicast_targets", i64{15});
  EXPECT_EQ(of(setup).entries(5), 16U) << "everybody sends to everybody";
  setup.router.own.set("table_entries", i64{15});
  try {
    static_cast<void>(of(setup));
    FAIL() << "16 entries fitted into 15";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(
        error.what(),
        "router.table_entries = 15 is too few for the multicast tables of 16 routers (router 0 needs most, 16); "
        "use 16, fewer router.multicast_targets or a smaller router.multicast_radius");
  }
}

}  // namespace
}  // namespace weft::models::spinnaker
