// Numbers of an application that no run can count: refused where they are read, with place and limit.
#include "workloads/program/task_limits.hpp"

#include "tests/workloads/trace/trace_test_tools.hpp"

namespace weft::workloads {
namespace {

std::string refused(const std::string& trace, const TaskSpec& spec) {
  const ScratchFolder folder;
  try {
    // Nobody keeps any task: all ranks must refuse alike.
    ReplayChoice choice{.limits = task_limits(spec)};
    choice.store.kept = false;
    choice.store.keep = [](u32) { return false; };
    (void)open_program(folder.write("app.trc", trace), choice);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TaskLimits, AMessageHasNoMorePacketsThanCanBeCounted) {
  TaskSpec spec;
  spec.packet_bytes = 64;
  EXPECT_EQ(task_limits(spec).message_bytes, 64 * u64{0xFFFF'FFFE});
  EXPECT_EQ(refused("s 0 1 0 274877906816\nr 0 1 0 274877906816\n", spec), "");
  const std::string error = refused("c 0 1\nr 0 1 0 274877906817\n", spec);
  EXPECT_TRUE(
      error.ends_with("app.trc:2: 274877906817 bytes are 4294967295 packets of 64 bytes (a message has at most "
                      "4294967294); use larger packets"))
      << error;
}

TEST(TaskLimits, AComputationEndsBeforeTheLastTick) {
  TaskSpec spec;
  spec.ticks_per_ns = 1000;
  EXPECT_EQ(refused("c 0 4000000000000000\n", spec), "");
  const std::string error = refused("\nc 0 1152921504606846976\n", spec);
  EXPECT_NE(error.find("app.trc:2: computing for 1152921504606846976 ns takes 1.15e+21 ticks"), std::string::npos)
      << error;
  EXPECT_NE(error.find("at most 2^62, here 4611686018427388 ns"), std::string::npos) << error;
}

TEST(TaskLimits, WhereComputingTakesNoTimeItMayBeOfAnyLength) {
  EXPECT_EQ(refused("c 0 1152921504606846976\n", {}), "");
  TaskSpec slow;
  slow.ticks_per_ns = 0.001;
  EXPECT_EQ(refused("c 0 1152921504606846976\n", slow), "");
}

TEST(TaskLimits, AnImmeasurableSpeedLeavesNoTimeToCompute) {
  TaskSpec spec;
  spec.ticks_per_ns = std::numeric_limits<double>::infinity();
  EXPECT_EQ(task_limits(spec).compute_ns, 0U);
}

TEST(TaskLimits, OfBytesAreSaidWherePacketsAreLargeEnough) {
  TaskSpec spec;
  spec.packet_bytes = 4096;
  const TaskLimits limits = task_limits(spec);
  EXPECT_EQ(limits.message_bytes, (u64{1} << 40) - 1);
  EXPECT_EQ(too_many_packets(u64{1} << 40, limits),
            "1099511627776 bytes are more than a message has at most (1099511627775); send several");
}

}  // namespace
}  // namespace weft::workloads
