// Windows that go by delay, against the formulas of the paper in real numbers.
#include "models/nic/swift_window.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace weft::models::endpoint {
namespace {

constexpr u32 cells = 16;
constexpr u64 packet = cells * SwiftRules::one;

SwiftRules rules() {
  return {.packet = cells,
          .target = 200,
          .hop = 10,
          .scaling = 300,
          .scaling_least = packet / 10,
          .scaling_most = 100 * packet,
          .increase = packet,
          .decrease_factor = SwiftRules::one * 8 / 10,
          .most_decrease = SwiftRules::one / 2,
          .first = 10 * packet,
          .least = packet / 1000,
          .most = 100 * packet,
          .longest_gap = 100'000,
          .forget = 1'000'000};
}
double packets(const SwiftWindow& window) { return static_cast<double>(window.size) / packet; }

TEST(SwiftWindow, TargetsRiseWithLinksAndForSmallWindows) {
  const SwiftRules r = rules();
  const double alpha = 300 / (1 / std::sqrt(0.1) - 1 / std::sqrt(100.0));
  for (const double size : {0.02, 0.1, 0.3, 1.0, 7.0, 50.0, 100.0}) {
    SwiftWindow window{.size = static_cast<u64>(size * packet)};
    const double scaled = std::clamp(alpha * (1 / std::sqrt(size) - 1 / std::sqrt(100.0)), 0.0, 300.0);
    EXPECT_NEAR(static_cast<double>(window.target(r, 5)), 200 + 5 * 10 + scaled, 1.5) << size;
  }
}

TEST(SwiftWindow, RisesByAPacketInARoundTripBelowTheTarget) {
  SwiftRules r = rules();
  r.scaling = 0;
  SwiftWindow window;
  for (u32 k = 0; k < 10; ++k) window.answer(r, cells, 4, 100, 1000 + k);
  EXPECT_NEAR(packets(window), 10.96, 0.01) << "10 packets answered, each by 1 / window";
  SwiftWindow small{.size = packet / 4};
  small.answer(r, cells, 4, 100, 1000);
  EXPECT_NEAR(packets(small), 1.25, 0.001) << "below a packet by ai for each";
}

TEST(SwiftWindow, FallsByWhatTheDelayIsAboveTheTargetOnceInARoundTrip) {
  SwiftRules r = rules();
  r.scaling = 0;
  SwiftWindow window;
  window.answer(r, cells, 0, 250, 10'000);
  EXPECT_NEAR(packets(window), 10 * (1 - 0.8 * 50 / 250), 0.01);
  window.answer(r, cells, 0, 250, 10'249);
  EXPECT_NEAR(packets(window), 8.4, 0.01) << "not again within a round trip";
  window.answer(r, cells, 0, 10'000, 20'249);
  EXPECT_NEAR(packets(window), 4.2, 0.01) << "by half at most";
}

TEST(SwiftWindow, BelowAPacketIsKeptByPauses) {
  const SwiftRules r = rules();
  SwiftWindow window{.size = packet / 4, .round_trip = 400, .decreased_at = 900, .answered_at = 900};
  EXPECT_EQ(window.cells(r), cells);
  EXPECT_EQ(window.send(r, cells, 16, 1000), 4 * 400U) << "a packet in four round trips";
  EXPECT_EQ(window.send(r, cells / 2, 8, 1000), 2 * 400U);
  window.size = r.least;
  EXPECT_EQ(window.send(r, cells, 16, 1000), r.longest_gap);
  window.size = 2 * packet;
  EXPECT_EQ(window.send(r, cells, 16, 1000), 16U);
}

TEST(SwiftWindow, IsForgotten) {
  const SwiftRules r = rules();
  SwiftWindow window;
  window.answer(r, cells, 0, 5000, 10'000);
  EXPECT_LT(packets(window), 10);
  window.forget_old(r, 10'000 + r.forget - 1);
  EXPECT_NE(window.size, 0U);
  EXPECT_EQ(window.send(r, cells, 16, 10'000 + r.forget), 16U);
  EXPECT_EQ(window.size, 0U);
}

}  // namespace
}  // namespace weft::models::endpoint
