// Switches that combine and copy: who ends with what, how many bytes go, how many chunks the switch holds.
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "tests/workloads/generator/accelerator/lane_flow.hpp"
#include "workloads/generator/accelerator/nccl.hpp"

namespace weft::workloads {
namespace {

using lane_test::run_lanes;

NcclSpec in_network(const std::string& operation, u32 tasks, u32 channels, u64 bytes, u32 repetitions) {
  NcclSpec spec;
  spec.operation = operation;
  spec.algorithm = "in-network";
  spec.tasks = tasks;
  spec.channels = channels;
  spec.message_bytes = bytes;
  spec.repetitions = repetitions;
  spec.transport.chunk_bytes = 100;
  return spec;
}

/// Whose data tasks got, chunk by chunk, if each gives its own.
struct Got {
  std::map<std::pair<u32, u32>, std::vector<u64>> of;  ///< [task, channel]
  std::set<std::pair<u32, u32>> numbers;               ///< task, chunk
  lane_test::FlowHooks hooks(u32 channels) {
    lane_test::FlowHooks result;
    result.sent = [](u32 task, u32, const Op&) { return u64{1} << task; };
    result.received = [this, channels](u32 task, u32 lane, const Op& op, u64 what) {
      EXPECT_EQ(op.tag % channels, lane / 2);
      EXPECT_TRUE(numbers.insert({task, op.tag}).second) << "chunk " << op.tag << " twice";
      of[{task, lane / 2}].push_back(what);
    };
    return result;
  }
};

TEST(InNetwork, EveryTaskEndsWithEverybodysDataOnce) {
  for (const u32 tasks : {2u, 3u, 8u, 63u}) {
    for (const u32 channels : {1u, 3u}) {
      for (const u32 limit : {0u, 1u, 2u}) {
        for (const u32 repetitions : {1u, 3u}) {
          NcclSpec spec = in_network("allreduce", tasks, channels, u64{channels} * 450, repetitions);
          spec.reductions_in_flight = limit;
          Got got;
          const lane_test::Flow flow = run_lanes(*make_nccl(spec), got.hooks(channels));
          EXPECT_EQ(flow.unfinished + flow.unmatched, 0u);
          // Each task sends its data once, whatever the number of tasks.
          EXPECT_EQ(flow.bytes, spec.message_bytes * tasks * repetitions);
          EXPECT_EQ(flow.messages, u64{5} * channels * tasks * repetitions);
          // Task 0 gives all that it may before another one does anything.
          EXPECT_EQ(flow.most_held, u64{channels} * (limit == 0 ? 5 : limit));
          for (u32 task = 0; task < tasks; ++task) {
            for (u32 channel = 0; channel < channels; ++channel)
              EXPECT_EQ((got.of[{task, channel}]), std::vector<u64>(u64{5} * repetitions, (u64{1} << tasks) - 1));
          }
        }
      }
    }
  }
}

TEST(InNetwork, BroadcastsGoOnceToTheSwitch) {
  for (const u32 tasks : {2u, 9u}) {
    const NcclSpec spec = in_network("broadcast", tasks, 2, 950, 2);
    Got got;
    const lane_test::Flow flow = run_lanes(*make_nccl(spec), got.hooks(2));
    EXPECT_EQ(flow.unfinished + flow.unmatched, 0u);
    EXPECT_EQ(flow.bytes, 2 * spec.message_bytes);
    for (u32 task = 0; task < tasks; ++task) EXPECT_EQ((got.of[{task, 1}]), std::vector<u64>(10, 1));
  }
}

TEST(InNetwork, ALoneTaskDoesNothing) {
  EXPECT_EQ(run_lanes(*make_nccl(in_network("allreduce", 1, 1, 1000, 2))).messages, 0u);
}

TEST(InNetwork, IsNotWhatAutoMeans) {
  for (const char* operation : {"allreduce", "broadcast"}) EXPECT_EQ(nccl_kind(operation, "auto").algorithm, "ring");
}

TEST(InNetwork, KeysOfTheSwitchAreItsOwn) {
  NcclSpec spec = in_network("allreduce", 4, 1, 1000, 1);
  EXPECT_FALSE(unused_by_nccl(spec, "reductions_in_flight"));
  spec.algorithm = "ring";
  EXPECT_EQ(unused_by_nccl(spec, "reductions_in_flight").value().key, "workload.reductions_in_flight");
  EXPECT_TRUE(unused_by_nccl(spec, "switch_latency_ns"));
  EXPECT_FALSE(unused_by_nccl(spec, "channels"));
}

}  // namespace
}  // namespace weft::workloads
