// Collective operations: orders of trees, names, errors; what all of them share is in every_collective_test.cpp, how
// many messages they send in amounts_test.cpp.
#include "workloads/generator/collective/collective.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

#include "tests/workloads/generator/collective/data_flow.hpp"

namespace weft::workloads::collective_test {
namespace {

TEST(Broadcast, OfTheDoublingTreeBeginsWithTheNearest) {
  const auto kernel = spec("broadcast", "auto", 8, 100);
  const auto send = [](u32 to) { return Op{OpKind::send, to, 0, 100}; };
  const auto receive = [](u32 from) { return Op{OpKind::receive, from, 0, 100}; };
  EXPECT_EQ(ops(kernel, 0), (std::vector<Op>{send(1), send(2), send(4)}));
  EXPECT_EQ(ops(kernel, 1), (std::vector<Op>{receive(0), send(3), send(5)}));
  EXPECT_EQ(ops(kernel, 3), (std::vector<Op>{receive(1), send(7)}));
  EXPECT_EQ(ops(kernel, 4), (std::vector<Op>{receive(0)}));
  EXPECT_EQ(ops(spec("broadcast", "binomial-halving", 8, 100), 4), (std::vector<Op>{receive(0), send(6), send(5)}));
}

TEST(Reduce, GoesUpTheTreeOfThePublishedTimes) {
  const auto send = [](u32 to) { return Op{OpKind::send, to, 0, 100}; };
  const auto receive = [](u32 from) { return Op{OpKind::receive, from, 0, 100}; };
  EXPECT_EQ(ops(spec("reduce", "auto", 8, 100), 0), (std::vector<Op>{receive(1), receive(2), receive(4)}));
  EXPECT_EQ(ops(spec("reduce", "auto", 8, 100), 6), (std::vector<Op>{receive(7), send(4)}));
  EXPECT_EQ(ops(spec("reduce", "auto", 6, 100), 4), (std::vector<Op>{receive(5), send(0)}));
  EXPECT_EQ(ops(spec("reduce", "auto", 5, 100), 4), (std::vector<Op>{send(0)}));
}

TEST(Broadcast, OfAWideTreeBeginsWithTheFarthest) {
  const auto send = [](u32 to) { return Op{OpKind::send, to, 0, 100}; };
  const auto receive = [](u32 from) { return Op{OpKind::receive, from, 0, 100}; };
  CollectiveSpec tree = spec("broadcast", "k-nomial", 14, 100);
  tree.radix = 3;
  EXPECT_EQ(ops(tree, 0), (std::vector<Op>{send(9), send(3), send(6), send(1), send(2)}));
  EXPECT_EQ(ops(tree, 9), (std::vector<Op>{receive(0), send(12), send(10), send(11)}));
  EXPECT_EQ(ops(tree, 12), (std::vector<Op>{receive(9), send(13)}));
  EXPECT_EQ(ops(tree, 8), (std::vector<Op>{receive(6)}));
  tree.radix = 2;
  for (u32 task = 0; task < 14; ++task)
    EXPECT_EQ(ops(tree, task), ops(spec("broadcast", "binomial-halving", 14, 100), task));
}

TEST(Broadcast, InAPipelinePassesEachSegmentOnAsItComes) {
  CollectiveSpec chain = spec("broadcast", "pipeline", 3, 100);
  chain.segment_bytes = 48;
  const auto send = [](u32 to, u32 tag, u64 bytes) { return Op{OpKind::send, to, tag, bytes}; };
  const auto receive = [](u32 from, u32 tag, u64 bytes) { return Op{OpKind::receive, from, tag, bytes}; };
  EXPECT_EQ(ops(chain, 0), (std::vector<Op>{send(1, 0, 48), send(1, 1, 48), send(1, 2, 4)}));
  EXPECT_EQ(ops(chain, 1), (std::vector<Op>{receive(0, 0, 48), send(2, 0, 48), receive(0, 1, 48), send(2, 1, 48),
                                            receive(0, 2, 4), send(2, 2, 4)}));
}

TEST(Allreduce, OfRabenseifnerHalvesTheNearestFirst) {
  const auto send = [](u32 to, u32 tag, u64 bytes) { return Op{OpKind::send, to, tag, bytes}; };
  const auto receive = [](u32 from, u32 tag, u64 bytes) { return Op{OpKind::receive, from, tag, bytes}; };
  // Tasks 0 and 1 are a pair, task 0 is number 0, tasks 2, 3, 4 are 1, 2, 3. Halves of 50 and 51, then of 25 and 25.
  EXPECT_EQ(ops(spec("allreduce", "rabenseifner", 5, 101), 1),
            (std::vector<Op>{send(0, 0, 50), receive(0, 0, 51), send(0, 1, 51), receive(0, 6, 101)}));
  EXPECT_EQ(ops(spec("allreduce", "rabenseifner", 5, 101), 0),
            (std::vector<Op>{send(1, 0, 51), receive(1, 0, 50), receive(1, 1, 51), send(2, 2, 51), receive(2, 2, 50),
                             send(3, 3, 25), receive(3, 3, 25), send(3, 4, 25), receive(3, 4, 25), send(2, 5, 50),
                             receive(2, 5, 51), send(1, 6, 101)}));
  // Blocks of 26, 26, 25 and 25 bytes. Task 1 works for task 0 and is number 0.
  EXPECT_EQ(ops(spec("allreduce", "reduce-scatter-allgather", 5, 102), 0),
            (std::vector<Op>{send(1, 0, 102), receive(1, 6, 102)}));
  EXPECT_EQ(ops(spec("allreduce", "reduce-scatter-allgather", 5, 102), 1),
            (std::vector<Op>{receive(0, 0, 102), send(2, 2, 50), receive(2, 2, 52), send(3, 3, 26), receive(3, 3, 26),
                             send(3, 4, 26), receive(3, 4, 26), send(2, 5, 52), receive(2, 5, 50), send(0, 6, 102)}));
}

TEST(Allreduce, OfASegmentedRingHasAsManyPhasesAsOpenMpi) {
  const auto sends_of = [](u64 bytes, u64 segment) {
    CollectiveSpec ring = spec("allreduce", "segmented-ring", 4, bytes);
    ring.segment_bytes = segment;
    return std::ranges::count(ops(ring, 0), OpKind::send, &Op::kind);
  };
  EXPECT_EQ(sends_of(399, 100), 2 * 3);  // shorter than a segment for each: the plain ring
  EXPECT_EQ(sends_of(400, 100), 2 * 3);
  EXPECT_EQ(sends_of(600, 100), 2 * 3);  // half a segment left: in the one phase
  EXPECT_EQ(sends_of(601, 100), 3 * 3);
  EXPECT_EQ(sends_of(1200, 100), 4 * 3);
}

TEST(ReduceScatter, HalvesTheFarthestFirst) {
  const auto send = [](u32 to, u32 tag, u64 bytes) { return Op{OpKind::send, to, tag, bytes}; };
  const auto receive = [](u32 from, u32 tag, u64 bytes) { return Op{OpKind::receive, from, tag, bytes}; };
  // Task 1 works for 0, 3 for 2: numbers 0 to 3 are tasks 1, 3, 4, 5 with 2, 2, 1 and 1 pieces.
  EXPECT_EQ(ops(spec("reduce-scatter", "auto", 6, 10), 2), (std::vector<Op>{send(3, 0, 60), receive(3, 3, 10)}));
  EXPECT_EQ(ops(spec("reduce-scatter", "auto", 6, 10), 3),
            (std::vector<Op>{receive(2, 0, 60), send(5, 1, 20), receive(5, 1, 40), send(1, 2, 20), receive(1, 2, 20),
                             send(2, 3, 10)}));
}

TEST(Scan, OfDoublingGoesOnlyWhereThereIsAPartner) {
  const auto send = [](u32 to, u32 tag) { return Op{OpKind::send, to, tag, 100}; };
  const auto receive = [](u32 from, u32 tag) { return Op{OpKind::receive, from, tag, 100}; };
  EXPECT_EQ(ops(spec("scan", "auto", 3, 100), 1), (std::vector<Op>{send(0, 0), receive(0, 0)}));
  EXPECT_EQ(ops(spec("exscan", "auto", 3, 100), 2), (std::vector<Op>{send(0, 1), receive(0, 1)}));
}

TEST(Barrier, OfAnyTasksLetsTheLastOnesGoInTheEnd) {
  const auto send = [](u32 to, u32 tag) { return Op{OpKind::send, to, tag, 0}; };
  const auto receive = [](u32 from, u32 tag) { return Op{OpKind::receive, from, tag, 0}; };
  EXPECT_EQ(ops(spec("barrier", "recursive-doubling", 3), 0),
            (std::vector<Op>{receive(2, 0), send(1, 1), receive(1, 1), send(2, 2)}));
  EXPECT_EQ(ops(spec("barrier", "recursive-doubling", 3), 2), (std::vector<Op>{send(0, 0), receive(0, 2)}));
  EXPECT_EQ(ops(spec("barrier", "auto", 3), 2),
            (std::vector<Op>{send(0, 0), receive(1, 0), send(1, 1), receive(0, 1)}));
}

TEST(AllToAll, SendsToAllBeforeItWaits) {
  const auto send = [](u32 to) { return Op{OpKind::send, to, 0, 100}; };
  const auto receive = [](u32 from) { return Op{OpKind::receive, from, 0, 100}; };
  EXPECT_EQ(ops(spec("all-to-all", "auto", 4, 100), 2),
            (std::vector<Op>{send(3), send(0), send(1), receive(1), receive(0), receive(3)}));
  EXPECT_EQ(ops(spec("all-to-all", "pairwise", 4, 100), 2),
            (std::vector<Op>{send(3), receive(3), send(0), receive(0), send(1), receive(1)}));
  EXPECT_EQ(ops(spec("all-to-all", "pairwise", 3, 100), 2),
            (std::vector<Op>{send(0), receive(1), send(1), receive(0)}));
}

/// Hops between two tasks placed one after the other on a torus, first dimension fastest.
u32 torus_hops(u32 a, u32 b, const std::vector<u32>& dims) {
  u32 hops = 0;
  for (const u32 size : dims) {
    const u32 away = (a % size + size - b % size) % size;
    hops += std::min(away, size - away);
    a /= size;
    b /= size;
  }
  return hops;
}

/// Mean hops of the messages of an operation on a torus.
double mean_hops(const std::string& operation, const std::vector<u32>& dims) {
  u32 tasks = 1;
  for (const u32 size : dims) tasks *= size;
  u64 hops = 0, messages = 0;
  for (u32 task = 0; task < tasks; ++task) {
    for (const Op& op : ops(spec(operation, "auto", tasks), task)) {
      if (op.kind != OpKind::send) continue;
      hops += torus_hops(task, op.peer, dims);
      ++messages;
    }
  }
  return static_cast<double>(hops) / static_cast<double>(messages);
}

// Andujar et al., CPE 2018, Table II, 16 bytes: 22 + 32 * hops for a reduction; a broadcast has 3.8 to 4.0 cycles more,
// where packets of one sender are behind each other.
TEST(Trees, HaveTheMeanDistancesOfThePublishedLatencies) {
  struct Row {
    std::vector<u32> dims;
    double reduce, broadcast;
    u32 root_hops;
  };
  for (const Row& row :
       {Row{{8, 8, 4}, 76.7, 89.7, 17}, Row{{8, 8, 8}, 76.9, 121.9, 21}, Row{{16, 8, 8}, 89.4, 123.2, 29}}) {
    const u32 tasks = row.dims[0] * row.dims[1] * row.dims[2];
    EXPECT_NEAR(22 + 32 * mean_hops("reduce", row.dims), row.reduce, 0.051);
    EXPECT_NEAR(22 + 32 * mean_hops("broadcast", row.dims) + 3.9, row.broadcast, 0.15);
    u32 root_hops = 0;
    for (const Op& op : ops(spec("reduce", "auto", tasks), 0)) root_hops += torus_hops(0, op.peer, row.dims);
    EXPECT_EQ(root_hops, row.root_hops);
  }
}

TEST(Collectives, HaveOneUsualAlgorithmEach) {
  std::map<std::string, std::vector<std::string>> usual;
  const auto& registry = CollectiveRegistry::instance();
  for (const std::string& name : registry.names()) {
    if (registry.find(name)->is_default)
      usual[registry.find(name)->operation].push_back(registry.find(name)->algorithm);
  }
  const std::map<std::string, std::vector<std::string>> expected{{"all-to-all", {"linear"}},
                                                                 {"all-to-allv", {"linear"}},
                                                                 {"all-to-allw", {"scattered"}},
                                                                 {"allgather", {"gather-broadcast"}},
                                                                 {"allgatherv", {"ring"}},
                                                                 {"allreduce", {"recursive-doubling"}},
                                                                 {"barrier", {"dissemination"}},
                                                                 {"broadcast", {"binomial"}},
                                                                 {"exscan", {"recursive-doubling"}},
                                                                 {"gather", {"binomial"}},
                                                                 {"gatherv", {"linear"}},
                                                                 {"neighbour-allgather", {"linear"}},
                                                                 {"neighbour-alltoall", {"linear"}},
                                                                 {"reduce", {"binomial"}},
                                                                 {"reduce-scatter", {"recursive-halving"}},
                                                                 {"reduce-scatter-block", {"recursive-halving"}},
                                                                 {"scan", {"recursive-doubling"}},
                                                                 {"scatter", {"binomial"}},
                                                                 {"scatterv", {"linear"}}};
  EXPECT_EQ(usual, expected);
  std::vector<std::string> operations;
  for (const auto& [operation, algorithms] : expected) operations.push_back(operation);
  EXPECT_EQ(collective_operations(), operations);
}

TEST(CollectiveErrors, NameTheNearestOperationAlgorithmAndTaskCount) {
  EXPECT_NE(error_of(spec("alltoall", "auto", 8)).find("did you mean \"all-to-all\""), std::string::npos);
  EXPECT_NE(error_of(spec("reduce", "binomail", 8)).find("did you mean \"binomial\""), std::string::npos);
  EXPECT_NE(error_of(spec("reduce", "ring", 8)).find("\"ring\" is not one of \"reduce\""), std::string::npos);
  const std::string doubling = error_of(spec("allgather", "recursive-doubling", 12));
  EXPECT_NE(doubling.find("use 8 or 16 tasks, or algorithm = \"bruck\""), std::string::npos) << doubling;
}

TEST(CollectiveErrors, SayWhatSegmentsAndRadixesAreFor) {
  CollectiveSpec ring = spec("allreduce", "ring", 8);
  ring.segment_bytes = 1024;
  EXPECT_EQ(
      error_of(ring),
      "workload.segment_bytes = 1024 has no effect with allreduce \"ring\" (it cuts nothing into segments); remove "
      "it, or use algorithm = \"segmented-ring\"");
  CollectiveSpec tree = spec("broadcast", "k-nomial", 8);
  tree.radix = 1;
  EXPECT_NE(error_of(tree).find("use at least 2"), std::string::npos) << error_of(tree);
  tree = spec("reduce", "auto", 8);
  tree.radix = 4;
  EXPECT_NE(error_of(tree).find("workload.radix = 4 has no effect with reduce \"binomial\""), std::string::npos);
}

TEST(CollectiveErrors, SayWhenMessagesWouldGrowBeyondAnyNumber) {
  EXPECT_EQ(longest_message_bytes(spec("allgather", "auto", 1000, 16)), 16'000U);
  EXPECT_EQ(longest_message_bytes(spec("reduce", "auto", 1000, 16)), 16U);
  EXPECT_NE(error_of(spec("allgather", "auto", 1U << 30, u64{1} << 40)).find("use 17179869183 or less"),
            std::string::npos);
}

TEST(CollectiveStreams, OfAMillionTasksCostNoMoreThanThoseOfFew) {
  const auto program = make_collective(spec("all-to-all", "auto", 1U << 20));
  const auto stream = program->open(TaskId((1U << 20) - 1));
  EXPECT_EQ(stream->next(), (Op{OpKind::send, 0, 0, part_bytes}));
  EXPECT_EQ(stream->next(), (Op{OpKind::send, 1, 0, part_bytes}));
}

/// With a slot for each pair of tasks this would take a trillion steps.
TEST(CollectiveStreams, OfManyTasksThatOnlyMeetTaskZeroTakeTimeByTheirOperations) {
  constexpr u32 tasks = 1U << 19;
  const std::pair<std::string, u64> per_other[] = {{"gather", 2},  {"scatter", 2}, {"broadcast", 2}, {"reduce", 2},
                                                   {"barrier", 4}, {"gatherv", 2}, {"scatterv", 2}};
  for (const auto& [operation, expected] : per_other) {
    const auto program = make_collective(spec(operation, "linear", tasks));
    u64 operations = 0;
    for (u32 task = 0; task < tasks; ++task) {
      const auto stream = program->open(TaskId(task));
      while (stream->next().kind != OpKind::end) ++operations;
    }
    EXPECT_EQ(operations, expected * (tasks - 1)) << operation;
  }
}

}  // namespace
}  // namespace weft::workloads::collective_test
