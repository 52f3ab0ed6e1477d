// Two virtual machines that ping each other: the latency of the network, to the nanosecond, and the same frames each
// time.
#include <gtest/gtest.h>

#include "engine/base/system/machine.hpp"
#include "tests/tools/cosim/guest/two_guests.hpp"

namespace weft::tools::cosim::guest {
namespace {

constexpr u64 end_ns = 2'000'000'000;

class RealGuests : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto missing = missing_for_guests(); !missing.empty())
      GTEST_SKIP() << "QEMU or the guests' kernel is not there: " << missing.front();
  }
  GuestSettings settings() const {
    GuestSettings all;
    all.memory_mib = 80;
    all.folder = folder_.path();
    return all;
  }
  ScratchFolder folder_;
};

/// Times that `ping` printed, in ns.
std::vector<u64> ping_times(const std::string& console) {
  std::vector<u64> times;
  for (std::size_t at = 0; (at = console.find("time=", at)) != std::string::npos; ++at)
    times.push_back(static_cast<u64>(std::stod(console.substr(at + 5)) * 1e6 + 0.5));
  return times;
}

TEST_F(RealGuests, PingEachOtherAtTheNetworksLatencyWithTheSameFramesEachTime) {
  GuestSettings all = settings();
  all.command = "ping -c 5 -i 0.01 guest1";
  const Guests guests(all);
  std::map<u64, u64> round_trip;  // by latency
  std::vector<GuestRun> runs;
  for (const u64 latency : {100'000, 100'000, 100'000, 250'000}) {
    const double begin = wall_s();
    const GuestRun run = run_guests(guests, 2, 10'000, latency, end_ns);
    if (std::getenv("WEFT_GUEST_FIGURES") != nullptr)
      fmt::print(
          "latency {} ns: {} slices, {} frames, hash {:x}, simulated {} ns, {:.2f} s, {:.1f} us a slice, start {:.2f} "
          "s, instructions {} {}\n",
          latency, run.slices, run.frames, run.hash, run.end_ns, wall_s() - begin,
          (wall_s() - begin) / static_cast<double>(run.slices) * 1e6, guests.snapshot().start_s,
          run.reports[0].instructions, run.reports[1].instructions);
    const std::vector<u64> times = ping_times(content_of(folder_.file("guest0.console.log")));
    ASSERT_EQ(times.size(), 5u) << content_of(folder_.file("guest0.console.log"));
    EXPECT_EQ(run.reports[0].said, "status 0");
    EXPECT_LT(run.end_ns, end_ns) << "guest 1 does not power off when guest 0 has";
    round_trip[latency] = *std::min_element(times.begin(), times.end());
    if (latency == 100'000) runs.push_back(run);
  }
  for (const GuestRun& run : runs) {
    EXPECT_EQ(run.hash, runs[0].hash);
    EXPECT_EQ(run.frames, runs[0].frames);
    EXPECT_EQ(run.end_ns, runs[0].end_ns);
    EXPECT_EQ(run.reports[0].instructions, runs[0].reports[0].instructions);
    EXPECT_EQ(run.reports[1].instructions, runs[0].reports[1].instructions);
  }
  // Two ways of the network, and what the guests themselves take, which is the same whatever the network's latency.
  EXPECT_NEAR(static_cast<double>(round_trip[250'000] - round_trip[100'000]), 300'000, 2'000);
  EXPECT_LT(round_trip[100'000] - 200'000, 100'000u);
}

}  // namespace
}  // namespace weft::tools::cosim::guest
