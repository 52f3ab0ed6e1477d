// Limits of memory as a machine, cgroups and SLURM say them, in made-up folders.
#include "engine/base/system/memory.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <map>

#include "tests/support/scratch_folder.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;
constexpr u64 mib = u64{1} << 20;

class AvailableMemoryTest : public ::testing::Test {
 protected:
  void SetUp() override { write("proc/meminfo", "MemTotal:  4194304 kB\nMemFree: 1 kB\nMemAvailable:  2097152 kB\n"); }

  void write(const std::string& path, const std::string& text) const { root_.write(path, text); }
  [[nodiscard]] AvailableMemory found() const {
    return available_memory({root_.path(), [this](const char* name) -> const char* {
                               const auto it = variables_.find(name);
                               return it == variables_.end() ? nullptr : it->second.c_str();
                             }});
  }

  ScratchFolder root_;
  std::map<std::string, std::string> variables_;
};

TEST_F(AvailableMemoryTest, IsTheFreeMemoryWhereNothingElseLimits) {
  EXPECT_EQ(found().bytes, 2048 * mib);
  EXPECT_EQ(found().said_by, "free memory");
}

TEST_F(AvailableMemoryTest, TheTightestCgroupUpToTheRootLimits) {
  write("proc/self/cgroup", "0::/user/job\n");
  write("sys/fs/cgroup/user/job/memory.max", "max\n");
  write("sys/fs/cgroup/user/job/memory.current", "1048576\n");
  write("sys/fs/cgroup/user/memory.max", std::to_string(1000 * mib));
  write("sys/fs/cgroup/user/memory.current", std::to_string(300 * mib));
  write("sys/fs/cgroup/user/memory.stat",
        "anon 1\ninactive_file " + std::to_string(60 * mib) + "\nactive_file " + std::to_string(40 * mib) + "\n");
  EXPECT_EQ(found().bytes, 800 * mib);
  EXPECT_EQ(found().said_by, "cgroup limit");
}

TEST_F(AvailableMemoryTest, AContainerSeesItsLimitAtTheRootOfTheMount) {
  write("proc/self/cgroup", "0::/docker/0123\n");
  write("sys/fs/cgroup/memory.max", std::to_string(512 * mib));
  write("sys/fs/cgroup/memory.current", std::to_string(12 * mib));
  EXPECT_EQ(found().bytes, 500 * mib);
}

TEST_F(AvailableMemoryTest, OldCgroupsCountAndTheirNoLimitDoesNot) {
  write("proc/self/cgroup", "9:cpu,memory:/job\n1:name=systemd:/\n");
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", std::to_string(600 * mib));
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", std::to_string(100 * mib));
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "1\n");
  EXPECT_EQ(found().bytes, 500 * mib);
}

TEST_F(AvailableMemoryTest, AGroupThatIsOverItsLimitHasNothingLeft) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "1000\n");
  write("sys/fs/cgroup/memory.current", "2000\n");
  EXPECT_EQ(found().bytes, 0U);
}

TEST_F(AvailableMemoryTest, SlurmLimitsByNodeOrByProcessor) {
  variables_["SLURM_MEM_PER_NODE"] = "1500";
  EXPECT_EQ(found().bytes, 1500 * mib);
  EXPECT_EQ(found().said_by, "SLURM_MEM_PER_NODE");
  variables_["SLURM_MEM_PER_CPU"] = "200";
  variables_["SLURM_CPUS_ON_NODE"] = "4";
  EXPECT_EQ(found().bytes, 800 * mib);
  EXPECT_EQ(found().said_by, "SLURM_MEM_PER_CPU");
}

TEST_F(AvailableMemoryTest, SlurmsZeroMeansTheWholeNode) {
  variables_["SLURM_MEM_PER_NODE"] = "0";
  EXPECT_EQ(found().said_by, "free memory");
}

TEST_F(AvailableMemoryTest, WhatCannotBeReadDoesNotLimit) {
  fs::remove(root_.file("proc/meminfo"));
  write("proc/self/cgroup", "nonsense\n0:\n\n");
  variables_["SLURM_MEM_PER_NODE"] = "much";
  EXPECT_EQ(found().said_by, "nothing");
}

}  // namespace
}  // namespace weft
