// Boxes: closed forms of the links that they cut, when there are none.
#include "models/topology/boxes.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "models/topology/grid.hpp"
#include "tests/models/topology/cubes.hpp"
#include "tests/models/topology/parts.hpp"

namespace weft::models::testing {
namespace {

TEST(Boxes, CutTheLongestRingAcrossTwoPlanesFirst) {
  const auto net = make_cube("torus", {64, 32, 32});
  EXPECT_EQ(cut_links(*net, box_partition(grid_geometry(*net), 2)), 2U * 32 * 32);
  // A piece of a ring is no ring: cut again, it loses one plane, not two.
  EXPECT_EQ(cut_links(*net, box_partition(grid_geometry(*net), 4)), 4U * 32 * 32);
  const auto long_ring = make_cube("torus", {4, 64});
  EXPECT_EQ(cut_links(*long_ring, box_partition(grid_geometry(*long_ring), 8)), 8U * 4);
}

TEST(Boxes, CutAMeshAcrossItsShortSide) {
  const auto net = make_cube("mesh", {4, 12});
  const auto part = table(*net, box_partition(grid_geometry(*net), 3));
  EXPECT_EQ(cut_links(*net, part), 2U * 4);
  EXPECT_EQ(sizes(part, 3), (std::vector<u32>{16, 16, 16}));
}

TEST(Boxes, OfATorusInEightAreItsOctants) {
  const auto net = make_cube("torus", {8, 8, 8});
  const auto part = table(*net, box_partition(grid_geometry(*net), 8));
  // Each of the 8 boxes of 4 x 4 x 4 has 6 faces of 16 links, each shared with another box.
  EXPECT_EQ(cut_links(*net, part), 8U * 6 * 16 / 2);
  for (u32 r = 0; r < 512; ++r) {
    const u32 corner = r % 8 / 4 * 4 + r / 8 % 8 / 4 * 32 + r / 64 / 4 * 256;
    EXPECT_EQ(part[r], part[corner]) << "router " << r;
  }
}

TEST(Boxes, UseEveryPart) {
  for (const auto& dims :
       std::vector<std::vector<i64>>{{64}, {8, 8}, {16, 4}, {4, 4, 4}, {2, 2, 2, 2, 2, 2}, {63, 1}}) {
    const auto net = make_cube("torus", dims);
    for (const u32 parts : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 16U, 21U, 32U, 63U}) {
      const auto part = table(*net, box_partition(grid_geometry(*net), parts));
      if (part.empty()) continue;  // the dimensions do not allow it
      ASSERT_EQ(part.size(), net->routers());
      const auto count = sizes(part, parts);
      EXPECT_GE(*std::ranges::min_element(count), 1U) << net->name() << " in " << parts;
    }
    EXPECT_TRUE(box_partition(grid_geometry(*net), net->routers())) << net->name();
    EXPECT_FALSE(box_partition(grid_geometry(*net), net->routers() + 1)) << net->name();
  }
}

}  // namespace
}  // namespace weft::models::testing
