// The order of ports on the rings.
#include "models/machine/rotary/circle.hpp"

#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace weft::models::rotary {
namespace {

TEST(PortCircle, GoesEastNorthWestNodeSouthInTwoDimensions) {
  const PortCircle circle(2);
  std::vector<u32> ports;
  for (u32 place = 0; place < circle.places(); ++place) ports.push_back(circle.port(place));
  EXPECT_EQ(ports, (std::vector<u32>{0, 2, 1, 4, 3}));
}

TEST(PortCircle, HasEachPortOnceAndTwoRingsThatRunAgainstEachOther) {
  for (u32 dimensions = 1; dimensions <= 16; ++dimensions) {
    const PortCircle circle(dimensions);
    EXPECT_EQ(circle.places(), 2 * dimensions + 1);
    std::set<u32> seen;
    u32 place = 0;
    for (u32 k = 0; k < circle.places(); ++k, place = circle.next(0, place)) {
      EXPECT_TRUE(seen.insert(circle.port(place)).second);
      EXPECT_EQ(circle.place(circle.port(place)), place);
      EXPECT_EQ(circle.next(1, circle.next(0, place)), place);
    }
    EXPECT_EQ(place, 0U);
  }
}

}  // namespace
}  // namespace weft::models::rotary
