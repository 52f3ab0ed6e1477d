// Collective operations: every task ends with the data that it should have, by messages that can carry it.
#include "workloads/collective/collective.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/error.hpp"

namespace weft::workloads {
namespace {

constexpr u64 part_bytes = 7;

struct Case {
  std::string operation, algorithm;
};

CollectiveSpec spec(const std::string& operation, const std::string& algorithm, u32 tasks, u64 bytes = part_bytes) {
  CollectiveSpec result;
  result.operation = operation;
  result.algorithm = algorithm;
  result.tasks = tasks;
  result.message_bytes = bytes;
  return result;
}

std::string error_of(const CollectiveSpec& collective) {
  try {
    static_cast<void>(make_collective(collective));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

std::vector<Op> ops(const CollectiveSpec& collective, u32 task) {
  std::vector<Op> result;
  const auto stream = make_collective(collective)->open(TaskId(task));
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) result.push_back(op);
  return result;
}

/// A piece of data: what `origin` has for `target`; `target` is 0 where all get the same.
struct Item {
  u32 origin = 0, target = 0;
  friend auto operator<=>(const Item&, const Item&) = default;
};
using Items = std::set<Item>;

/// What a task has before and should have after the operation. Broadcast: the data is `tasks` pieces of task 0.
struct Data {
  std::vector<Items> before, after;  ///< [task]
};

Data data_of(const std::string& operation, u32 tasks) {
  Data data{std::vector<Items>(tasks), std::vector<Items>(tasks)};
  for (u32 task = 0; task < tasks; ++task) {
    for (u32 other = 0; other < tasks; ++other) {
      if (operation == "broadcast") {
        if (task == 0) data.before[task].insert({other, 0});
        data.after[task].insert({other, 0});
      } else if (operation == "all-to-all") {
        data.before[task].insert({task, other});
        data.after[task].insert({other, task});
      } else {
        data.before[task].insert({task, 0});
        if (operation == "allgather" || task == 0) data.after[task].insert({other, 0});
      }
    }
  }
  return data;
}

/// What of its data a task sends in a message: everything, but where that is more than the message has room for, the
/// part that the algorithm says.
/// `nth`: messages of this tag that the task has sent before.
Items sent(const Case& c, u32 tasks, u32 from, const Op& op, u32 nth, const Items& has) {
  Items result;
  const u64 parts = op.amount / part_bytes;
  for (const Item& item : has) {
    bool goes = true;
    if (c.operation == "all-to-all") {
      const u32 way = (item.target + tasks - item.origin) % tasks;
      const u32 gone = (from + tasks - item.origin) % tasks;
      // Bruck: the tag is the step; what has gone as far as the lower bits of its way say, and has that bit to go.
      goes = c.algorithm == "bruck" ? ((way >> op.tag) & 1) != 0 && gone == way % (1U << op.tag)
                                    : item.origin == from && item.target == op.peer;
    }
    if (c.algorithm == "scatter-allgather") {
      goes = op.tag == 0 ? item.origin >= op.peer && item.origin < op.peer + parts
                         : item.origin == (from + tasks - nth) % tasks;
    }
    if (goes) result.insert(item);
  }
  return result;
}

struct Outcome {
  std::vector<Items> data;  ///< [task]
  u64 messages = 0, bytes = 0, longest = 0, unfinished = 0, unmatched = 0;
};

/// Runs the operation on a network that delivers at once. A message brings no more than it has room for: in a reduction
/// any number of contributions, added up; else as many new items as parts of a message fit into its bytes.
Outcome run(const Case& c, u32 tasks, u64 bytes = part_bytes, u32 repetitions = 1) {
  auto collective = spec(c.operation, c.algorithm, tasks, bytes);
  collective.repetitions = repetitions;
  const auto program = make_collective(collective);
  struct Message {
    Op op;
    Items items;
  };
  std::map<std::pair<u32, u32>, std::deque<Message>> wires;  // from, to
  std::map<std::pair<u32, u32>, u32> sends;                  // of a task with a tag
  Outcome outcome{data_of(c.operation, tasks).before};
  std::vector<std::unique_ptr<TaskStream>> streams;
  std::vector<Op> current;
  for (u32 task = 0; task < tasks; ++task) {
    streams.push_back(program->open(TaskId(task)));
    current.push_back(streams.back()->next());
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (u32 task = 0; task < tasks; ++task) {
      for (Op& op = current[task]; op.kind != OpKind::end; op = streams[task]->next()) {
        EXPECT_LT(op.peer, tasks);
        EXPECT_NE(op.peer, task);
        EXPECT_GT(op.amount, 0U);
        Items& has = outcome.data[task];
        if (op.kind == OpKind::send) {
          wires[{task, op.peer}].push_back({op, sent(c, tasks, task, op, sends[{task, op.tag}]++, has)});
          ++outcome.messages;
          outcome.bytes += op.amount;
          outcome.longest = std::max(outcome.longest, op.amount);
        } else {
          auto& wire = wires[{op.peer, task}];
          const auto found = std::ranges::find_if(
              wire, [&](const Message& m) { return m.op.tag == op.tag && m.op.amount == op.amount; });
          if (found == wire.end()) break;
          const std::size_t had = has.size();
          has.insert(found->items.begin(), found->items.end());
          // Of a broadcast, a message of the whole is all pieces, and one of a piece is one of them.
          const u64 room = c.operation == "broadcast" && op.amount == bytes ? tasks : op.amount / part_bytes;
          const u64 whole = c.algorithm == "scatter-allgather" ? tasks * part_bytes : part_bytes;
          if (c.operation != "reduce" && bytes == whole) {
            EXPECT_LE(has.size() - had, room) << "task " << task;
          }
          wire.erase(found);
        }
        progress = true;
      }
    }
  }
  for (const Op& op : current) outcome.unfinished += op.kind != OpKind::end ? 1 : 0;
  for (const auto& [ends, wire] : wires) outcome.unmatched += wire.size();
  return outcome;
}

bool takes(const Case& c, u32 tasks) { return error_of(spec(c.operation, c.algorithm, tasks)).empty(); }

class EveryCollective : public testing::TestWithParam<Case> {};

TEST_P(EveryCollective, BringsEveryTaskTheDataThatItShouldHave) {
  const Case& c = GetParam();
  for (u32 tasks = 1; tasks <= 17; ++tasks) {
    if (!takes(c, tasks)) continue;
    const u64 bytes = c.algorithm == "scatter-allgather" ? tasks * part_bytes : part_bytes;
    const Data data = data_of(c.operation, tasks);
    const Outcome outcome = run(c, tasks, bytes);
    for (u32 task = 0; task < tasks; ++task) {
      EXPECT_TRUE(std::ranges::includes(outcome.data[task], data.after[task])) << task << " of " << tasks;
    }
    EXPECT_EQ(outcome.unfinished, 0U) << tasks;
    EXPECT_EQ(outcome.unmatched, 0U) << tasks;
  }
}

TEST_P(EveryCollective, SaysHowLongItsLongestMessageIs) {
  const Case& c = GetParam();
  for (u32 tasks = 3; tasks <= 17; ++tasks) {
    if (!takes(c, tasks)) continue;
    const u64 said = longest_message_bytes(spec(c.operation, c.algorithm, tasks));
    const u64 seen = run(c, tasks).longest;
    EXPECT_LE(seen, said) << tasks;
    if (c.algorithm == "scatter-allgather") continue;
    EXPECT_LT(said, 2 * seen) << tasks;
  }
}

TEST_P(EveryCollective, EndsWithAnyLengthAndNumberOfRepetitions) {
  const Case& c = GetParam();
  for (const u64 bytes : {1U, 5U, 16U, 100U}) {
    const Outcome once = run(c, 8, bytes), often = run(c, 8, bytes, 3);
    EXPECT_EQ(often.messages, 3 * once.messages);
    EXPECT_EQ(often.bytes, 3 * once.bytes);
    EXPECT_EQ(once.unfinished + often.unfinished + once.unmatched + often.unmatched, 0U);
  }
}

TEST_P(EveryCollective, OpensTheSameStreamTwiceAndOutlivesTheProgram) {
  const Case& c = GetParam();
  auto program = make_collective(spec(c.operation, c.algorithm, 16));
  const auto one = program->open(TaskId(5)), two = program->open(TaskId(5));
  EXPECT_NE(program->name().find(c.operation + " (" + c.algorithm + ") of 16"), std::string::npos) << program->name();
  program.reset();
  for (u32 k = 0; k < 100; ++k) ASSERT_EQ(one->next(), two->next());
  EXPECT_EQ(one->next(), Op{});
}

TEST_P(EveryCollective, RefusesToDoNothing) {
  const Case& c = GetParam();
  EXPECT_NE(error_of(spec(c.operation, c.algorithm, 0)).find("workload.tasks = 0"), std::string::npos);
  EXPECT_NE(error_of(spec(c.operation, c.algorithm, 4, 0)).find("workload.message_bytes = 0"), std::string::npos);
  auto none = spec(c.operation, c.algorithm, 4);
  none.repetitions = 0;
  EXPECT_NE(error_of(none).find("workload.repetitions = 0"), std::string::npos);
}

std::vector<Case> all_cases() {
  std::vector<Case> result;
  const auto& registry = CollectiveRegistry::instance();
  for (const std::string& name : registry.names()) {
    result.push_back({registry.find(name)->operation, registry.find(name)->algorithm});
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryCollective, testing::ValuesIn(all_cases()), [](const auto& test) {
  std::string name = test.param.operation + "_" + test.param.algorithm;
  std::ranges::replace(name, '-', '_');
  return name;
});

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
}  // namespace weft::workloads
