// Distributions fitted to a trace, counted by hand.
#include "workloads/trace/edit/trace_fit.hpp"

#include <gtest/gtest.h>
#include <map>

#include "workloads/trace/store/import.hpp"
#include "workloads/trace/trace_program.hpp"

namespace weft::workloads {
namespace {

using Histogram = std::map<u64, u64>;

TraceFit fit_of_text(const std::string& text, const FitSpec& spec) {
  StoreChoice choice;
  choice.format = "trc";
  choice.kept = false;
  return fit_of(store_of(trace_in_memory(text, "test.trc"), choice), spec);
}

TEST(TraceFit, CountsGapsLengthsSizesAndBurstsOfPackets) {
  // Packets of 4 phits of 4 bytes; a cycle is 2 ns. Task 0: 20 bytes (2 packets), 100 ns, 16 bytes, 1 ns, 1 byte, a
  // wait, 40 ns, 48 bytes (3 packets).
  const std::string text =
      "s 0 1 0 20\nc 0 100\ns 0 1 0 16\nc 0 1\ns 0 2 0 1\nr 1 0 0 5\nc 0 40\ns 0 1 0 48\ns 1 0 0 5\n"
      "r 0 1 0 20\nr 0 1 0 16\nr 0 1 0 48\nr 0 2 0 1\n";
  const TraceFit fit = fit_of_text(text, {.packet_phits = 4, .header_phits = 0, .phit_bytes = 4, .cycle_ns = 2});
  EXPECT_EQ(fit.tasks, 3U);
  EXPECT_EQ(fit.senders, 2U);
  EXPECT_EQ(fit.messages, 5U);
  EXPECT_EQ(fit.packets, 2U + 1 + 1 + 3 + 1);
  EXPECT_EQ(fit.sizes, (Histogram{{1, 1}, {5, 1}, {16, 1}, {20, 1}, {48, 1}}));
  EXPECT_EQ(fit.lengths, (Histogram{{1, 2}, {2, 1}, {4, 5}}));  // 1 and 4 of 20 bytes; 5 bytes are 2 phits
  EXPECT_EQ(fit.phits, 2U * 1 + 2 + 5 * 4);
  // Cycles 0, 1; 50; 50.5 rounds to 51 (half up), 70.5 to 71, 72, 73.
  EXPECT_EQ(fit.gaps, (Histogram{{1, 4}, {20, 1}, {49, 1}}));
  EXPECT_EQ(fit.bursts, (Histogram{{1, 1}, {3, 1}, {4, 1}}));
  EXPECT_DOUBLE_EQ(burst_packets(fit), (1.0 + 9 + 16) / 8);
  EXPECT_FALSE(fit.has_times);
}

TEST(TraceFit, LeavesRoomForHeaders) {
  const TraceFit fit =
      fit_of_text("s 0 1 0 20\nr 0 1 0 20\n", {.packet_phits = 4, .header_phits = 2, .phit_bytes = 4, .cycle_ns = 1});
  EXPECT_EQ(fit.packets, 3U);
  EXPECT_EQ(fit.lengths, (Histogram{{3, 1}, {4, 2}}));
}

}  // namespace
}  // namespace weft::workloads
