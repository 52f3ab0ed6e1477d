// Collective operations: numbers of messages and bytes, orders of trees, errors; what all of them share is in
// every_collective_test.cpp.
#include "workloads/collective/collective.hpp"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <map>

#include "tests/workloads/collective/data_flow.hpp"

namespace weft::workloads::collective_test {
namespace {

std::vector<Op> ops(const CollectiveSpec& collective, u32 task) {
  std::vector<Op> result;
  const auto stream = make_collective(collective)->open(TaskId(task));
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) result.push_back(op);
  return result;
}

void expect_amounts(const std::string& operation, const std::string& algorithm, u64 tasks, u64 messages, u64 parts) {
  const Outcome outcome = run({operation, algorithm}, static_cast<u32>(tasks));
  EXPECT_EQ(outcome.messages, messages) << operation << " " << algorithm << " of " << tasks;
  EXPECT_EQ(outcome.bytes, parts * part_bytes) << operation << " " << algorithm << " of " << tasks;
}

TEST(CollectiveAmounts, AreWhatTheClosedFormsSay) {
  for (u64 p = 1; p <= 17; ++p) {
    const u64 levels = static_cast<u64>(std::bit_width(p - 1));
    u64 ways = 0, parts_gathered = 0;  // bits set in the numbers below p; sizes of all in-order subtrees
    for (u64 n = 1; n < p; ++n) {
      ways += static_cast<u64>(std::popcount(n));
      parts_gathered += std::min(n & (~n + 1), p - n);
    }
    for (const char* tree : {"binomial", "binomial-halving", "linear"})
      expect_amounts("broadcast", tree, p, p - 1, p - 1);
    for (const char* tree : {"binomial", "linear"}) expect_amounts("reduce", tree, p, p - 1, p - 1);
    expect_amounts("allgather", "gather-broadcast", p, 2 * (p - 1), parts_gathered + p * (p - 1));
    expect_amounts("allgather", "linear-gather-broadcast", p, 2 * (p - 1), (p + 1) * (p - 1));
    expect_amounts("allgather", "ring", p, p * (p - 1), p * (p - 1));
    expect_amounts("allgather", "bruck", p, p * levels, p * (p - 1));
    if (std::has_single_bit(p)) expect_amounts("allgather", "recursive-doubling", p, p * levels, p * (p - 1));
    for (const char* order : {"linear", "rank-order", "pairwise"})
      expect_amounts("all-to-all", order, p, p * (p - 1), p * (p - 1));
    if (std::has_single_bit(p)) expect_amounts("all-to-all", "exclusive-or", p, p * (p - 1), p * (p - 1));
    expect_amounts("all-to-all", "bruck", p, p * levels, p * ways);
  }
}

TEST(CollectiveAmounts, OfAScatteredBroadcastLeaveOutPiecesOfNoBytes) {
  const Case c{"broadcast", "scatter-allgather"};
  for (const u64 p : {4U, 8U, 16U}) {
    const Outcome whole = run(c, static_cast<u32>(p), p * part_bytes);
    EXPECT_EQ(whole.messages, p - 1 + p * (p - 1));
    // Each level of the scatter moves half of the data; each piece then goes over p - 1 links of the ring.
    EXPECT_EQ(whole.bytes, p * part_bytes / 2 * static_cast<u64>(std::countr_zero(p)) + (p - 1) * p * part_bytes);
  }
  // Five pieces of a byte, three of none: in the scatter, tasks 1 to 4 get something.
  EXPECT_EQ(run(c, 8, 5).messages, 4U + 5 * 7);
}

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
    if (registry.find(name)->usual) usual[registry.find(name)->operation].push_back(registry.find(name)->algorithm);
  }
  const std::map<std::string, std::vector<std::string>> expected{{"all-to-all", {"linear"}},
                                                                 {"allgather", {"gather-broadcast"}},
                                                                 {"broadcast", {"binomial"}},
                                                                 {"reduce", {"binomial"}}};
  EXPECT_EQ(usual, expected);
  EXPECT_EQ(collective_operations(), (std::vector<std::string>{"all-to-all", "allgather", "broadcast", "reduce"}));
}

TEST(CollectiveErrors, NameTheNearestOperationAlgorithmAndTaskCount) {
  EXPECT_NE(error_of(spec("alltoall", "auto", 8)).find("did you mean \"all-to-all\""), std::string::npos);
  EXPECT_NE(error_of(spec("reduce", "binomail", 8)).find("did you mean \"binomial\""), std::string::npos);
  EXPECT_NE(error_of(spec("reduce", "ring", 8)).find("\"ring\" is not one of \"reduce\""), std::string::npos);
  const std::string doubling = error_of(spec("allgather", "recursive-doubling", 12));
  EXPECT_NE(doubling.find("use 8 or 16 tasks, or algorithm = \"bruck\""), std::string::npos) << doubling;
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

}  // namespace
}  // namespace weft::workloads::collective_test
