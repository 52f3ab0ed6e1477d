// Exchanges: who sends to whom, in which order, and what is no exchange.
#include "workloads/generator/exchange.hpp"

#include <gtest/gtest.h>
#include <map>
#include <tuple>

#include "engine/base/error.hpp"
#include "tests/models/topology/brute_force.hpp"

namespace weft::workloads {
namespace {

const models::Topology& clos_of_12() {
  static const auto clos =
      models::testing::made("clos", {{"leaf_down", i64{3}}, {"leaf_up", i64{2}}, {"leaves", i64{4}}});
  return *clos;
}

ExchangeSpec exchange(const std::string& name, u32 tasks = 12) {
  ExchangeSpec spec;
  spec.name = name;
  spec.tasks = tasks;
  spec.message_bytes = 100;
  return spec;
}

std::vector<Op> ops_of(const Program& program, u32 task) {
  std::vector<Op> ops;
  const auto stream = program.open(TaskId(task));
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) ops.push_back(op);
  EXPECT_EQ(stream->next().kind, OpKind::end);
  return ops;
}

/// (from, to, round) -> messages sent less messages received.
std::map<std::tuple<u32, u32, u32>, int> unmatched(const Program& program, u64& sent) {
  std::map<std::tuple<u32, u32, u32>, int> count;
  for (u32 task = 0; task < program.tasks(); ++task) {
    for (const Op& op : ops_of(program, task)) {
      if (op.kind == OpKind::send) {
        ++sent;
        ++count[{task, op.peer, op.tag}];
      } else {
        --count[{op.peer, task, op.tag}];
      }
    }
  }
  std::erase_if(count, [](const auto& entry) { return entry.second == 0; });
  return count;
}

TEST(Exchanges, OfPairsSendAndWaitInTurns) {
  ExchangeSpec spec = exchange("pairs", 4);
  spec.pairs = {3, 1};
  spec.messages = 2;
  const ExchangeProgram both(spec, clos_of_12());
  const std::vector<Op> turns{
      {OpKind::send, 1, 0, 100}, {OpKind::receive, 1, 0, 100}, {OpKind::send, 1, 0, 100}, {OpKind::receive, 1, 0, 100}};
  EXPECT_EQ(ops_of(both, 3), turns);
  EXPECT_EQ(ops_of(both, 1).size(), 4U);
  EXPECT_TRUE(ops_of(both, 0).empty());
  EXPECT_EQ(both.received_bytes(TaskId(3)), 200U);
  EXPECT_EQ(both.received_bytes(TaskId(0)), 0U);
  spec.both_ways = false;
  const ExchangeProgram one(spec, clos_of_12());
  EXPECT_EQ(ops_of(one, 3), (std::vector<Op>{{OpKind::send, 1, 0, 100}, {OpKind::send, 1, 0, 100}}));
  EXPECT_EQ(ops_of(one, 1), (std::vector<Op>{{OpKind::receive, 3, 0, 100}, {OpKind::receive, 3, 0, 100}}));
  EXPECT_EQ(one.received_bytes(TaskId(1)), 200U);
  EXPECT_EQ(one.received_bytes(TaskId(3)), 0U);
}

TEST(Exchanges, OfEveryPatternReceiveWhatIsSent) {
  for (const std::string& name : FlowPatternRegistry::instance().names()) {
    for (const bool both : {true, false}) {
      ExchangeSpec spec = exchange(name == "neighbours" ? "neighbours:4" : name);
      spec.messages = 3;
      spec.both_ways = both;
      const ExchangeProgram program(spec, clos_of_12());
      u64 sent = 0, bytes = 0;
      EXPECT_TRUE(unmatched(program, sent).empty()) << name;
      EXPECT_GT(sent, 0U) << name;
      for (u32 task = 0; task < 12; ++task) bytes += program.received_bytes(TaskId(task));
      EXPECT_EQ(bytes, 100 * sent) << name;
    }
  }
}

/// N of patterns that have one.
std::vector<u32> arguments_of(const FlowPattern& pattern) {
  return pattern.argument.empty() ? std::vector<u32>{0} : std::vector<u32>{2, 4, 6};
}

/// The pairs of a round that a task is in, in the order in which the whole round has them.
TEST(Exchanges, PairsOfATaskAreThoseOfTheRound) {
  u32 patterns = 0;
  for (const std::string& name : FlowPatternRegistry::instance().names()) {
    const FlowPattern& pattern = *FlowPatternRegistry::instance().find(name);
    if (!pattern.pairs_of_task) continue;
    ++patterns;
    for (const u32 argument : arguments_of(pattern)) {
      for (u32 tasks = 1; tasks <= 35; ++tasks) {
        PatternRound round{.tasks = tasks, .argument = argument};
        for (const u32 rounds = pattern.rounds(tasks, argument); round.round < rounds; ++round.round) {
          std::vector<TaskPair> all;
          pattern.fill(round, all);
          for (u32 task = 0; task < tasks; ++task) {
            std::vector<TaskPair> expected = all, found;
            std::erase_if(expected, [&](const TaskPair& pair) { return pair.first != task && pair.second != task; });
            pattern.pairs_of_task(round, task, found);
            ASSERT_EQ(found, expected) << name << " of " << tasks << ", round " << round.round << ", task " << task;
          }
        }
      }
    }
  }
  EXPECT_EQ(patterns, 10U);
}

/// Sides of the torus of neighbours: as equal as they can be, the first ones not smaller.
std::vector<u32> sides_of(u32 tasks, u32 dimensions) {
  std::vector<u32> sides;
  u32 left = tasks;
  for (u32 d = dimensions; d > 0; --d) {
    u32 side = 1;
    const auto power = [&] { return d == 1 ? u64{side} : d == 2 ? u64{side} * side : u64{side} * side * side; };
    while (power() < left) ++side;
    sides.push_back(side);
    left = (left + side - 1) / side;
  }
  return sides;
}

/// All lines of the torus, each as the ring of the tasks that there are on it: who is beside whom.
TEST(Exchanges, NeighboursAreBesideEachOtherOnTheLinesOfATorus) {
  const FlowPattern& pattern = *FlowPatternRegistry::instance().find("neighbours");
  for (const u32 argument : {2U, 4U, 6U}) {
    for (u32 tasks = 1; tasks <= 70; ++tasks) {
      std::map<TaskPair, u32> expected;
      u32 stride = 1;
      for (const u32 side : sides_of(tasks, argument / 2)) {
        for (u32 first = 0; first < tasks; ++first) {
          if (first / stride % side != 0) continue;
          std::vector<u32> ring;
          for (u32 k = 0; k < side; ++k) {
            if (first + k * stride < tasks) ring.push_back(first + k * stride);
          }
          for (std::size_t k = 0; k < ring.size() && ring.size() > 1; ++k) {
            const u32 next = ring[(k + 1) % ring.size()];
            expected[{ring[k], next}] = expected[{next, ring[k]}] = 1;
          }
        }
        stride *= side;
      }
      std::map<TaskPair, u32> found;
      std::vector<TaskPair> pairs;
      pattern.fill({.tasks = tasks, .argument = argument}, pairs);
      for (const TaskPair& pair : pairs) ++found[pair];
      ASSERT_EQ(found, expected) << argument << " of " << tasks;
    }
  }
}

TEST(Exchanges, KeepNoPairsThatTheyCanCompute) {
  for (const char* const name : {"neighbours:2", "neighbours:4", "neighbours:6", "ring", "tree", "recursive-doubling"})
    EXPECT_EQ(ExchangeProgram(exchange(name, 1U << 20), clos_of_12()).bytes(), 0U) << name;
}

TEST(Exchanges, OfAllWithAllKeepNoPairs) {
  ExchangeSpec spec = exchange("all-to-all", 1U << 20);
  spec.messages = 2;
  const ExchangeProgram program(spec, clos_of_12());
  EXPECT_EQ(program.bytes(), 0U);
  EXPECT_EQ(program.received_bytes(TaskId(5)), 2 * 2 * 100 * ((u64{1} << 20) - 1));
  const auto stream = program.open(TaskId(5));
  EXPECT_EQ(stream->next(), (Op{OpKind::send, 4, 0, 100}));
  EXPECT_EQ(stream->next(), (Op{OpKind::send, 6, 0, 100}));
  EXPECT_EQ(stream->next(), (Op{OpKind::receive, 4, 0, 100}));
}

TEST(Exchanges, OfDrawnPairsSayWhatTheyKeep) {
  EXPECT_GE(ExchangeProgram(exchange("bisect", 1000), clos_of_12()).bytes(), 1000 * sizeof(TaskPair));
}

TEST(Exchanges, OfRandomHalvesAreDrawnWithTheSeed) {
  ExchangeSpec spec = exchange("bisect");
  spec.messages = 2;
  const ExchangeProgram first(spec, clos_of_12()), again(spec, clos_of_12());
  spec.seed = 2;
  const ExchangeProgram other(spec, clos_of_12());
  u32 alike = 0;
  for (u32 task = 0; task < 12; ++task) {
    const std::vector<Op> ops = ops_of(first, task);
    ASSERT_EQ(ops.size(), 4U);
    EXPECT_EQ(ops, ops_of(again, task));
    EXPECT_EQ(ops_of(first, ops[0].peer)[0].peer, task);
    alike += ops == ops_of(other, task) ? 1 : 0;
  }
  EXPECT_LT(alike, 12U);
}

TEST(Exchanges, BetweenSwitchesGoByTheTopology) {
  const ExchangeProgram program(exchange("bridge"), clos_of_12());
  EXPECT_TRUE(program.is_of_nodes());
  for (u32 leaf = 0; leaf < 4; ++leaf) {
    const u32 with = ops_of(program, 3 * leaf).at(0).peer / 3;
    EXPECT_NE(with, leaf);
    for (u32 k = 0; k < 3; ++k) EXPECT_EQ(ops_of(program, 3 * leaf + k).at(0).peer / 3, with);
  }
  const ExchangeProgram seven(exchange("bridge", 7), clos_of_12());  // leaves of 3, 3 and 1 nodes
  u64 sent = 0;
  EXPECT_TRUE(unmatched(seven, sent).empty());
  EXPECT_TRUE(sent == 6 || sent == 2);
}

TEST(Exchanges, ThatAreNoneAreRefused) {
  const auto refused = [](const ExchangeSpec& spec) {
    EXPECT_THROW(ExchangeProgram(spec, clos_of_12()), ConfigError) << spec.name;
  };
  refused(exchange("bisection"));
  refused(exchange("neighbours:5"));
  refused(exchange("pairs"));
  refused(exchange("bisect", 1));
  refused(exchange("bridge", 3));
  for (const std::vector<u32>& pairs : {std::vector<u32>{1}, {1, 2, 3}, {0, 12}, {12, 0}, {5, 5}}) {
    ExchangeSpec spec = exchange("pairs");
    spec.pairs = pairs;
    refused(spec);
  }
}

}  // namespace
}  // namespace weft::workloads
