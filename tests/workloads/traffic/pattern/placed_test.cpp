// Patterns of processes that sit on nodes in any order.
#include "workloads/traffic/pattern/placed.hpp"

#include <gtest/gtest.h>

namespace weft::workloads {
namespace {

TEST(Placed, SendsFromNodeToNodeAsThePlacesDo) {
  const std::vector<NodeId> node_of{NodeId(2), NodeId(0), NodeId(3), NodeId(1)};
  const Placed placed(make_pattern("bit-complement", {4, {}, 1}), node_of);
  for (u32 place = 0; place < 4; ++place) EXPECT_EQ(placed.destination(node_of[place], {0}), node_of[3 - place]);
}

}  // namespace
}  // namespace weft::workloads
