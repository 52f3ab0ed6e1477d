// Neighbourhood collectives on grids of several shapes: what reaches whom, and how many messages that takes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/workloads/generator/collective/data_flow.hpp"

namespace weft::workloads::collective_test {
namespace {

CollectiveSpec on_grid(const char* operation, std::vector<i64> shape, bool wrap) {
  u32 tasks = 1;
  for (const i64 side : shape) tasks *= static_cast<u32>(side);
  CollectiveSpec collective = spec(operation, "linear", tasks);
  collective.shape = std::move(shape);
  collective.wrap = wrap;
  return collective;
}

const std::vector<std::vector<i64>> shapes{
    {1}, {2}, {7}, {2, 2}, {1, 5}, {4, 3}, {3, 2, 4}, {2, 1, 3}, {2, 2, 2, 2, 2, 2}};

TEST(Neighbours, AllGetWhatMpiPromisesInAsManyMessagesAsTheGridHasWays) {
  for (const char* operation : {"neighbour-allgather", "neighbour-alltoall"}) {
    for (const auto& shape : shapes) {
      for (const bool wrap : {false, true}) {
        SCOPED_TRACE(fmt::format("{} [{}] {}", operation, fmt::join(shape, ", "), wrap));
        const CollectiveSpec collective = on_grid(operation, shape, wrap);
        const u64 p = collective.tasks;
        u64 ways = 0;
        for (const i64 side : shape) {
          const auto n = static_cast<u64>(side);
          ways += wrap ? (n > 1 ? 2 * p : 0) : 2 * (n - 1) * (p / n);
        }
        const Outcome outcome = run(collective);
        EXPECT_EQ(outcome.messages, ways);
        EXPECT_EQ(outcome.bytes, ways * part_bytes);
        EXPECT_EQ(outcome.unfinished + outcome.unmatched, 0U);
        const auto after = pieces_after(*OperationRegistry::instance().find(operation), collective);
        for (u32 task = 0; task < collective.tasks; ++task) {
          for (std::size_t target = 0; target < after[task].size(); ++target)
            ASSERT_TRUE(outcome.data[task].can_give(target, after[task][target])) << task << ", " << target;
        }
      }
    }
  }
}

TEST(Neighbours, AreThoseOfTheGridAndNoOthers) {
  // 0 1 2 3
  // 4 5 6 7
  // 8 9 10 11
  const auto of = [](u32 task, bool wrap) {
    const CollectiveSpec collective = on_grid("neighbour-allgather", {4, 3}, wrap);
    std::vector<u32> all;
    run(collective).data[task].has()[0].each([&](u32 origin) { all.push_back(origin); });
    return all;
  };
  EXPECT_EQ(of(5, false), (std::vector<u32>{1, 4, 5, 6, 9}));
  EXPECT_EQ(of(0, false), (std::vector<u32>{0, 1, 4}));
  EXPECT_EQ(of(0, true), (std::vector<u32>{0, 1, 3, 4, 8}));
}

TEST(Neighbours, OfAGridThatDoesNotFitAreRefused) {
  CollectiveSpec collective = on_grid("neighbour-allgather", {4, 4}, false);
  collective.shape = {5, 3};
  const std::string error = error_of(collective);
  EXPECT_NE(error.find("workload.shape = [5, 3] does not fit the 16 tasks"), std::string::npos) << error;
  EXPECT_NE(error.find("such as [4, 4]"), std::string::npos) << error;
  collective.shape = {2, 2, 2, 2, 1, 1, 1};
  EXPECT_NE(error_of(collective).find("workload.shape has 7 dimensions"), std::string::npos);
}

}  // namespace
}  // namespace weft::workloads::collective_test
