// What is counted of links on request: packets, and in machines with packets of any length the time that they take.
#include "models/core/details.hpp"

#include <gtest/gtest.h>

namespace weft::models {
namespace {

TEST(LinkCounts, AreOfPacketsAndOfTheTicksThatTheyTake) {
  Details details({.links = true});
  details.add_entity(5, 2);
  details.add_entity(9, 3);
  details.started(0, 1);
  details.started(1, 2, 30);
  details.started(1, 2, 12);
  const std::vector<LinkCount> links = details.links();
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].entity, 5U);
  EXPECT_EQ(links[0].packets, 1U);
  EXPECT_EQ(links[0].busy, 0U);
  EXPECT_EQ(links[1].entity, 9U);
  EXPECT_EQ(links[1].output, 2U);
  EXPECT_EQ(links[1].packets, 2U);
  EXPECT_EQ(links[1].busy, 42U);
}

TEST(LinkCounts, AreNoneUnlessAskedFor) {
  Details details({.distances = true});
  details.add_entity(5, 2);
  details.started(0, 1, 30);
  EXPECT_TRUE(details.links().empty());
}

}  // namespace
}  // namespace weft::models
