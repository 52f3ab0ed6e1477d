// Operations of accelerators: who ends with what, how many bytes go, and what is refused.
#include "workloads/generator/accelerator/nccl.hpp"

#include <bit>
#include <gtest/gtest.h>
#include <set>

#include "engine/base/error.hpp"
#include "tests/workloads/generator/accelerator/lane_flow.hpp"
#include "workloads/generator/accelerator/tree.hpp"

namespace weft::workloads {
namespace {

using lane_test::Flow;
using lane_test::FlowHooks;
using lane_test::run_lanes;

NcclSpec spec_of(const std::string& operation, const std::string& algorithm, u32 tasks, u32 node_tasks, u32 channels,
                 u64 bytes, u64 chunk) {
  NcclSpec spec;
  spec.operation = operation;
  spec.algorithm = algorithm;
  spec.tasks = tasks;
  spec.node_tasks = node_tasks;
  spec.channels = channels;
  spec.message_bytes = bytes;
  spec.transport.chunk_bytes = chunk;
  return spec;
}

struct Shape {
  u32 tasks, node_tasks, channels;
};
const std::vector<Shape> shapes{{1, 1, 1}, {2, 1, 1}, {3, 1, 2},  {4, 2, 2},  {5, 1, 3},  {6, 3, 2},
                                {8, 2, 4}, {9, 3, 3}, {16, 4, 4}, {17, 1, 2}, {20, 4, 8}, {64, 8, 8}};

/// Contributions of tasks to a piece of data.
using Who = u64;
constexpr Who everyone(u32 tasks) { return tasks == 64 ? ~Who{0} : (Who{1} << tasks) - 1; }

/// Follows blocks round rings without knowing which block a message is: in a turn, a task passes on what it received in
/// the step before, combined with what it has of the same. So a block is followed by who began it.
struct RingFollower {
  explicit RingFollower(u32 of_tasks) : tasks(of_tasks) {}
  u32 tasks;
  /// [task, channel]: messages sent and received so far.
  std::map<std::pair<u32, u32>, u64> sent, received;
  std::map<std::pair<u32, u32>, Who> held;               ///< what came last
  std::map<std::pair<u32, u32>, std::vector<Who>> come;  ///< all that came, in order

  FlowHooks hooks(u32 steps_of_turn) {
    FlowHooks result;
    result.sent = [this, steps_of_turn](u32 task, u32, const Op& op) {
      const bool first = sent[{task, op.tag}]++ % steps_of_turn == 0;
      const Who own = Who{1} << task;
      return first ? own : held[{task, op.tag}] | own;
    };
    result.received = [this](u32 task, u32, const Op& op, u64 what) {
      held[{task, op.tag}] = what;
      come[{task, op.tag}].push_back(what);
    };
    return result;
  }
};

TEST(Nccl, RingsCombineEverybodysDataOnce) {
  for (const Shape& shape : shapes) {
    if (shape.tasks == 1) continue;
    const u32 steps = shape.tasks - 1;
    // Blocks of equal length, two turns in each channel.
    const u64 bytes = u64{shape.channels} * shape.tasks * 2 * 100;
    for (const char* operation : {"allreduce", "reduce-scatter"}) {
      const bool gathers = std::string(operation) == "allreduce";
      RingFollower follower(shape.tasks);
      const auto program =
          make_nccl(spec_of(operation, "ring", shape.tasks, shape.node_tasks, shape.channels, bytes, 100));
      const Flow flow = run_lanes(*program, follower.hooks(gathers ? 2 * steps : steps));
      EXPECT_EQ(flow.unfinished + flow.unmatched, 0u);
      EXPECT_EQ(flow.bytes, bytes * steps * (gathers ? 2 : 1)) << operation << " of " << shape.tasks;
      EXPECT_EQ(flow.messages, u64{2} * shape.channels * shape.tasks * steps * (gathers ? 2 : 1));
      for (u32 task = 0; task < shape.tasks; ++task) {
        for (u32 channel = 0; channel < shape.channels; ++channel) {
          const auto& come = follower.come[{task, channel}];
          ASSERT_EQ(come.size(), 2u * steps * (gathers ? 2 : 1));
          // What comes in the last step of combining has all others' data; none came twice on the way.
          for (u32 step = 0; step < steps; ++step) EXPECT_EQ(static_cast<u32>(std::popcount(come[step])), step + 1);
          EXPECT_EQ(come[steps - 1] | Who{1} << task, everyone(shape.tasks));
        }
      }
    }
  }
}

TEST(Nccl, EveryTaskOfAReduceScatterEndsWithItsOwnBlock) {
  // Lengths of blocks differ by one: who ends with which is seen by the bytes that come last.
  const u32 tasks = 8;
  const u64 bytes = 8 * 50 + 3;
  std::map<u32, u64> last;
  FlowHooks hooks;
  hooks.received = [&](u32 task, u32, const Op& op, u64) { last[task] = op.amount; };
  run_lanes(*make_nccl(spec_of("reduce-scatter", "ring", tasks, 4, 1, bytes, 1000)), hooks);
  for (u32 task = 0; task < tasks; ++task) EXPECT_EQ(last[task], task < 3 ? 51u : 50u) << task;
}

TEST(Nccl, AllgathersBringEachBlockOnce) {
  for (const Shape& shape : shapes) {
    if (shape.tasks == 1) continue;
    std::map<std::pair<u32, u32>, u32> held;
    std::map<std::pair<u32, u32>, u64> sent;
    std::map<std::pair<u32, u32>, std::multiset<u32>> got;
    FlowHooks hooks;
    hooks.sent = [&](u32 task, u32, const Op& op) {
      return u64{sent[{task, op.tag}]++ == 0 ? task : held[{task, op.tag}]};
    };
    hooks.received = [&](u32 task, u32, const Op& op, u64 what) {
      held[{task, op.tag}] = static_cast<u32>(what);
      got[{task, op.tag}].insert(static_cast<u32>(what));
    };
    const u64 bytes = u64{shape.channels} * shape.tasks * 100;
    const Flow flow = run_lanes(
        *make_nccl(spec_of("allgather", "ring", shape.tasks, shape.node_tasks, shape.channels, bytes, 100)), hooks);
    EXPECT_EQ(flow.unfinished + flow.unmatched, 0u);
    EXPECT_EQ(flow.bytes, bytes * (shape.tasks - 1));
    for (u32 task = 0; task < shape.tasks; ++task) {
      std::multiset<u32> others;
      for (u32 other = 0; other < shape.tasks; ++other) {
        if (other != task) others.insert(other);
      }
      for (u32 channel = 0; channel < shape.channels; ++channel) EXPECT_EQ((got[{task, channel}]), others);
    }
  }
}

TEST(Nccl, TreesCombineAndBringBackEachChunk) {
  for (const Shape& shape : shapes) {
    const u64 bytes = u64{shape.channels} * 300;
    NcclSpec spec = spec_of("allreduce", "tree", shape.tasks, shape.node_tasks, shape.channels, bytes, 100);
    spec.repetitions = 2;
    const auto program = make_nccl(spec);
    // [task, channel, chunk]: contributions on the way up, and on the way down.
    std::map<std::tuple<u32, u32, u64>, Who> up, down;
    std::map<std::tuple<u32, u32, u32>, u64> sent, received;  // task, lane, peer
    FlowHooks hooks;
    hooks.sent = [&](u32 task, u32 lane, const Op& op) {
      const u64 chunk = sent[{task, lane, op.peer}]++;
      if (lane % 2 == 0) return up[{task, lane / 2, chunk}] | Who{1} << task;
      const Who whole = down[{task, lane / 2, chunk}];
      return whole != 0 ? whole : up[{task, lane / 2, chunk}] | Who{1} << task;
    };
    hooks.received = [&](u32 task, u32 lane, const Op& op, u64 what) {
      const u64 chunk = received[{task, lane, op.peer}]++;
      Who& sum = lane % 2 == 0 ? up[{task, lane / 2, chunk}] : down[{task, lane / 2, chunk}];
      EXPECT_EQ(sum & what, 0u) << "twice";
      sum |= what;
    };
    const Flow flow = run_lanes(*program, hooks);
    EXPECT_EQ(flow.unfinished + flow.unmatched, 0u) << shape.tasks;
    EXPECT_EQ(flow.bytes, 2 * 2 * bytes * (shape.tasks - 1));
    for (u32 channel = 0; shape.tasks > 1 && channel < shape.channels; ++channel) {
      for (u64 chunk = 0; chunk < 2 * 3; ++chunk) {
        u32 roots = 0;
        for (u32 task = 0; task < shape.tasks; ++task) {
          const Who whole = down[{task, channel, chunk}];
          if (whole != 0) {
            EXPECT_EQ(whole, everyone(shape.tasks));
          } else {
            ++roots;
            EXPECT_EQ((up[{task, channel, chunk}] | Who{1} << task), everyone(shape.tasks));
          }
        }
        EXPECT_EQ(roots, 1u);
      }
    }
  }
}

TEST(Nccl, NoNodeIsInsideBothTrees) {
  for (u32 nodes = 2; nodes <= 100; ++nodes) {
    u32 twice = 0;
    for (u32 node = 0; node < nodes; ++node) {
      const bool first = !double_tree_place(node, nodes, 1, 0, 0).children.empty();
      const bool second = !double_tree_place(node, nodes, 1, 1, 0).children.empty();
      twice += first && second ? 1 : 0;
      for (u32 tree = 0; tree < 2; ++tree) EXPECT_LE(double_tree_place(node, nodes, 1, tree, 0).children.size(), 2u);
    }
    // The root of an in-order tree has one child only: with an odd number of nodes one of them must be inside twice.
    EXPECT_LE(twice, 1u) << nodes;
  }
}

TEST(Nccl, AllToAllByRelaysBringsTheSameAndLeavesNodesOnceForEachReceiver) {
  for (const Shape& shape : shapes) {
    if (shape.tasks == 1) continue;
    const u64 each = 1000, pairs = u64{shape.tasks} * (shape.tasks - 1);
    NcclSpec spec =
        spec_of("all-to-all", "pairwise", shape.tasks, shape.node_tasks, shape.channels, each * shape.tasks, 1 << 20);
    const Flow straight = run_lanes(*make_nccl(spec));
    EXPECT_EQ(straight.unfinished + straight.unmatched, 0u);
    EXPECT_EQ(straight.messages, pairs);
    EXPECT_EQ(straight.bytes, pairs * each);
    if (shape.node_tasks == 1) continue;
    spec.pxn = true;
    u64 between = 0, bytes_between = 0;
    FlowHooks hooks;
    hooks.sent = [&](u32 task, u32, const Op& op) {
      if (task / shape.node_tasks == op.peer / shape.node_tasks) return u64{0};
      ++between;
      bytes_between += op.amount;
      EXPECT_EQ(task % shape.node_tasks, op.peer % shape.node_tasks) << "another rail";
      return u64{0};
    };
    const Flow relayed = run_lanes(*make_nccl(spec), hooks);
    EXPECT_EQ(relayed.unfinished + relayed.unmatched, 0u);
    const u64 nodes = shape.tasks / shape.node_tasks;
    EXPECT_EQ(between, shape.tasks * (nodes - 1));
    EXPECT_EQ(bytes_between, u64{shape.tasks} * (shape.tasks - shape.node_tasks) * each);
  }
}

TEST(Nccl, RingsLeaveNodesByThePlaceOfTheirChannel) {
  // With an even number of nodes both ends of a link between nodes are at the same place: the ring stays on a rail.
  for (u32 nodes : {2u, 4u, 6u}) {
    const u32 node_tasks = 4;
    std::map<u32, std::set<u32>> rails;
    FlowHooks hooks;
    hooks.sent = [&](u32 task, u32, const Op& op) {
      if (task / node_tasks == op.peer / node_tasks) return u64{0};
      EXPECT_EQ(task % node_tasks, op.peer % node_tasks);
      rails[op.tag].insert(task % node_tasks);
      return u64{0};
    };
    run_lanes(*make_nccl(spec_of("allreduce", "ring", nodes * node_tasks, node_tasks, node_tasks, 1 << 20, 1 << 20)),
              hooks);
    std::set<u32> all;
    for (const auto& [channel, used] : rails) all.insert(used.begin(), used.end());
    EXPECT_EQ(all.size(), node_tasks);
  }
}

TEST(Nccl, ProtocolsTakeSpaceOnTheWire) {
  NcclSpec spec = spec_of("allreduce", "ring", 4, 1, 1, 4 * 120 * 1000, 1 << 20);
  const u64 simple = run_lanes(*make_nccl(spec)).bytes;
  set_protocol(spec.transport, "ll128");
  EXPECT_EQ(run_lanes(*make_nccl(spec)).bytes, simple / 120 * 128);
  spec.transport = {};
  set_protocol(spec.transport, "ll");
  EXPECT_EQ(run_lanes(*make_nccl(spec)).bytes, simple * 2);
}

std::string refusal(const NcclSpec& spec) {
  try {
    static_cast<void>(make_nccl(spec));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Nccl, RefusalsNameWhatFits) {
  EXPECT_NE(refusal(spec_of("allreduce", "ring", 20, 8, 1, 1, 1)).find("use 16 or 24 tasks"), std::string::npos);
  EXPECT_NE(refusal(spec_of("allreduce", "tree", 20, 4, 40, 1, 1)).find("use 32 or less"), std::string::npos);
  EXPECT_NE(refusal(spec_of("allreduse", "ring", 4, 1, 1, 1, 1)).find("did you mean \"allreduce\""), std::string::npos);
  EXPECT_NE(refusal(spec_of("allreduce", "rung", 4, 1, 1, 1, 1)).find("did you mean \"ring\""), std::string::npos);
  EXPECT_TRUE(unused_by_nccl(spec_of("allreduce", "ring", 4, 2, 1, 1, 1), "pxn"));
  EXPECT_TRUE(unused_by_nccl(spec_of("all-to-all", "pairwise", 4, 2, 1, 1, 1), "node_tasks"));
  EXPECT_TRUE(unused_by_nccl(spec_of("all-to-all", "pairwise", 4, 2, 1, 1, 1), "chunk_bytes"));
  NcclSpec spec = spec_of("all-to-all", "pairwise", 4, 2, 1, 1, 1);
  spec.pxn = true;
  EXPECT_FALSE(unused_by_nccl(spec, "node_tasks"));
  spec.node_tasks = 1;
  EXPECT_NE(refusal(spec).find("needs nodes of several tasks"), std::string::npos);
}

}  // namespace
}  // namespace weft::workloads
