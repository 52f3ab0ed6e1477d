// Routes that packets carry: what is read is what they take, and what is no route is named with its line.
#include "models/routing/source_routes.hpp"

#include <gtest/gtest.h>
#include <map>

#include "engine/base/error.hpp"
#include "tests/models/topology/brute_force.hpp"

namespace weft::models {
namespace {

using testing::made;
using Dims = std::vector<i64>;

struct SourceRoutesOfALine : ::testing::Test {
  std::unique_ptr<Topology> mesh_ = made("mesh", {{"dims", Dims{3}}});  // ports 0 up, 1 down
  std::string error_of(const std::string& text) {
    try {
      const SourceRoutes routes("r.txt", text, *mesh_, 2);
      return "none";
    } catch (const InputError& error) {
      return error.what();
    }
  }
};

TEST_F(SourceRoutesOfALine, AreThePortsAndChannelsOfTheFile) {
  const SourceRoutes routes("r.txt", "# up\n0 2: 0 0/1\n\n 2 0:1/1 1 # down\n1 1:\n", *mesh_, 2);
  ASSERT_EQ(routes.count(), 3U);
  const u32 up = routes.choose(NodeId(0), NodeId(2), 7), down = routes.choose(NodeId(2), NodeId(0), 7);
  ASSERT_NE(up, SourceRoutes::none);
  ASSERT_EQ(routes.hops(up), 2U);
  EXPECT_EQ(routes.output(up, 0), 0U * 2 + 0);
  EXPECT_EQ(routes.output(up, 1), 0U * 2 + 1);
  EXPECT_EQ(routes.output(down, 0), 1U * 2 + 1);
  EXPECT_EQ(routes.output(down, 1), 1U * 2 + 0);
  EXPECT_EQ(routes.hops(routes.choose(NodeId(1), NodeId(1), 7)), 0U);
  EXPECT_EQ(routes.choose(NodeId(0), NodeId(1), 7), SourceRoutes::none);
}

TEST_F(SourceRoutesOfALine, OfOnePairAreTakenEquallyOften) {
  const SourceRoutes routes("r.txt", "0 1: 0\n1 2: 0\n0 1: 0/1\n", *mesh_, 2);
  std::map<u32, u32> taken;
  for (u64 k = 0; k < 1000; ++k) ++taken[routes.output(routes.choose(NodeId(0), NodeId(1), engine::remix(k, 3)), 0)];
  ASSERT_EQ(taken.size(), 2U);
  for (const auto& [output, count] : taken) EXPECT_NEAR(count, 500, 80) << output;
}

TEST_F(SourceRoutesOfALine, AreRefusedWithTheLineAndWhatIsWrong) {
  EXPECT_EQ(error_of("0 2 0 0"), "r.txt:1: the route has no : behind its two nodes; write FROM TO: PORT PORT...");
  EXPECT_EQ(error_of("\n0 3: 0 0"), "r.txt:2: the route names node 3, of 3 that are numbered from 0; correct it");
  EXPECT_EQ(error_of("0 2: 0 x"), "r.txt:1: the route has \"x\" where a port is expected; write FROM TO: PORT PORT...");
  EXPECT_EQ(error_of("0 2: 0 9"), "r.txt:1: the route names port 9, of 2 that are numbered from 0; correct it");
  EXPECT_EQ(error_of("0 2: 0 0/2"),
            "r.txt:1: the route names virtual channel 2, of 2 that are numbered from 0; correct it");
  EXPECT_EQ(error_of("0 2: 0/"), "r.txt:1: the route ends where a virtual channel is missing; write it");
  EXPECT_EQ(error_of("0:"), "r.txt:1: the route has \":\" where a node is expected; write FROM TO: PORT PORT...");
  EXPECT_EQ(error_of("0 2: 0"),
            "r.txt:1: the route from node 0 to node 2 ends at router 1, not at router 2; correct its ports");
  EXPECT_NE(error_of("0 2: 1").find("which leads to nothing; name the ports from router to router only"),
            std::string::npos);
  EXPECT_NE(error_of("0 2: 99999999999").find("names port 99999999999, of 2 that"), std::string::npos);
  for (const std::string empty : {"", "\n", "# only comment\n\n"}) {
    EXPECT_NE(error_of(empty).find(": there is no route in the file (it is empty, or all of it is comment)"),
              std::string::npos)
        << error_of(empty);
  }
  EXPECT_EQ(error_of("").substr(0, 8), "r.txt:1:");
  std::string round = "0 0:";
  for (u32 k = 0; k < 256; ++k) round += k % 2 == 0 ? " 0" : " 1";
  EXPECT_EQ(error_of(round), "r.txt:1: the route has more than 255 hops; use a shorter one");
}

TEST(SourceRoutes, AgainstAOneWayLinkAreRefused) {
  const auto ring = made("torus", {{"dims", Dims{4}}, {"unidirectional", true}});
  EXPECT_EQ(SourceRoutes("r.txt", "0 1: 0\n1 0: 0 0 0\n", *ring, 1).count(), 2U);
  try {
    static_cast<void>(SourceRoutes("r.txt", "0 1: 0\n1 0: 1\n", *ring, 1));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "r.txt:2: the route leaves router 1 by dimension 0-, whose link carries packets the other way only; go "
        "with the links");
  }
}

}  // namespace
}  // namespace weft::models
