// Two sides of a triangle lead where the third does, in the wiring of the topology.
#include "models/machine/spinnaker/directions.hpp"

#include <gtest/gtest.h>

#include "tests/models/spinnaker/chips.hpp"

namespace weft::models::spinnaker {
namespace {

TEST(Directions, TwoSidesOfATriangleLeadWhereTheThirdDoes) {
  const auto torus = make_topology(testing::triangular(5, 4));
  for (u32 router = 0; router < 20; ++router) {
    for (u32 port = 0; port < links; ++port) {
      const u32 first = first_side(port), second = second_side(first);
      const Peer corner = torus->peer(RouterId(router), first);
      EXPECT_EQ(torus->peer(RouterId(corner.id), second).id, torus->peer(RouterId(router), port).id);
      EXPECT_EQ(detoured_port(second), port);
      EXPECT_EQ(corner.port, opposite(first));
    }
  }
}

}  // namespace
}  // namespace weft::models::spinnaker
