// The terms of the LogGOPS model against what LogGOPSim gives.
#include "models/nic/message_costs.hpp"

#include <gtest/gtest.h>

namespace weft::models {
namespace {

/// From the beginning of a send to the end of its receive, in whole ns.
u64 alone_ns(const LogGops& parameters, u64 bytes) {
  const MessageCosts costs(parameters);
  return (2 * costs.cpu(bytes) + costs.flight(bytes) + costs.receive_gap()) / costs.ticks_per_ns();
}

constexpr LogGops usual{.latency_ns = 100, .overhead_ns = 10, .gap_ns = 7, .byte_gap_ns = 3, .rendezvous_bytes = 50};

TEST(MessageCosts, OfOneMessageAreThoseOfLogGopsim) {
  const auto with = [](double LogGops::*term, double value) {
    LogGops parameters = usual;
    parameters.*term = value;
    return alone_ns(parameters, 17);
  };
  EXPECT_EQ(alone_ns(usual, 17), 175U);
  EXPECT_EQ(with(&LogGops::latency_ns, 130), 205U);
  EXPECT_EQ(with(&LogGops::overhead_ns, 13), 181U);
  EXPECT_EQ(with(&LogGops::gap_ns, 11), 179U);
  EXPECT_EQ(with(&LogGops::byte_gap_ns, 5), 207U);
  EXPECT_EQ(with(&LogGops::byte_overhead_ns, 2), 239U);
  EXPECT_EQ(4 * alone_ns(usual, 17), 700U);  // a ring of 4
}

TEST(MessageCosts, OfLongMessagesAreThoseOfTheirRendezvousOrOfAnEagerSender) {
  EXPECT_EQ(alone_ns(usual, 51), 277U);
  EXPECT_TRUE(MessageCosts(usual).rendezvous(51));
  EXPECT_FALSE(MessageCosts(usual).rendezvous(50));
  LogGops longer = usual;
  longer.rendezvous_bytes = 51;
  EXPECT_FALSE(MessageCosts(longer).rendezvous(51));
  EXPECT_EQ(alone_ns(longer, 51), 277U);
  EXPECT_EQ(MessageCosts(longer).cpu(51), 10U);  // when host 0 is done
  longer.rendezvous_bytes = 0;
  EXPECT_FALSE(MessageCosts(longer).rendezvous(u64{1} << 40));
}

TEST(MessageCosts, OfBytesAloneAreRoundedDownAndTakeATickAtLeast) {
  const LogGops bytes_alone{.latency_ns = 0, .byte_gap_ns = 0.02};
  EXPECT_EQ(alone_ns(bytes_alone, 50), 0U);
  EXPECT_EQ(alone_ns(bytes_alone, 51), 1U);
  EXPECT_EQ(alone_ns(bytes_alone, 101), 2U);
  EXPECT_EQ(alone_ns(bytes_alone, 4096), 81U);
  EXPECT_EQ(alone_ns(bytes_alone, 1'048'576), 20'971U);
  const MessageCosts costs(bytes_alone);
  EXPECT_EQ(costs.ticks_per_ns(), 1024U);
  EXPECT_EQ(costs.alone(50), 1U);
  EXPECT_EQ(costs.alone(51), 1024U);
  EXPECT_EQ(costs.lookahead(), 1U);
}

TEST(MessageCosts, AreInTicksThatMessagesTakeOneOf) {
  const auto ticks = [](double latency, double overhead, double gap, u64 rendezvous) {
    return MessageCosts({.latency_ns = latency, .overhead_ns = overhead, .gap_ns = gap, .rendezvous_bytes = rendezvous})
        .ticks_per_ns();
  };
  EXPECT_EQ(ticks(1, 0, 0, 0), 1U);
  EXPECT_EQ(ticks(0, 1, 0, 0), 1U);
  EXPECT_EQ(ticks(0, 0, 5, 0), 1024U);
  EXPECT_EQ(ticks(1, 0, 0, 100), 1024U);  // a rendezvous could end at once
  EXPECT_EQ(ticks(1, 0, 1, 100), 1U);
  EXPECT_EQ(ticks(0, 1, 0, 100), 1U);
  EXPECT_EQ(ticks(1.5, 0, 0, 0), 1000U);
  EXPECT_EQ(ticks(1, 0.25, 0, 0), 1000U);
  EXPECT_EQ(ticks(1, 0, 0.001, 100), 1000U);
}

TEST(MessageCosts, AreInPicosecondsUnlessLatencyOverheadAndGapAreWholeNanoseconds) {
  const MessageCosts costs(
      {.latency_ns = 0.57, .overhead_ns = 2, .gap_ns = 0, .byte_gap_ns = 0.0004, .byte_overhead_ns = 0.57});
  EXPECT_EQ(costs.ticks_per_ns(), 1000U);
  EXPECT_EQ(costs.flight(1), 570U);
  EXPECT_EQ(costs.flight(3), 570U);  // 0.8 ps
  EXPECT_EQ(costs.flight(4), 571U);
  EXPECT_EQ(costs.gap(4), 1U);
  EXPECT_EQ(costs.cpu(101), 2000U + 57'000U);
  EXPECT_EQ(costs.lookahead(), 2570U);
}

TEST(MessageCosts, OfBytesAreFloorsOfProductsOfDoublesAsInLogGopsim) {
  // 100 * 0.29 is 28.999999999999996.
  EXPECT_EQ(MessageCosts({.latency_ns = 1, .byte_gap_ns = 0.29}).flight(101), 29U);
  EXPECT_EQ(MessageCosts({.latency_ns = 1, .byte_gap_ns = 0.29}).flight(100), 29U);
}

TEST(MessageCosts, CountNoBytesAsOneAndEndlessMessagesAsLong) {
  const MessageCosts costs(usual);
  EXPECT_EQ(costs.flight(0), costs.flight(1));
  EXPECT_EQ(costs.cpu(0), 10U);
  EXPECT_EQ(costs.gap(0), 7U);
  EXPECT_EQ(costs.receive_gap(), 7U);
  const MessageCosts slow({.byte_gap_ns = 1e6, .byte_overhead_ns = 1e6});
  EXPECT_GT(slow.alone(~u64{0}), u64{1} << 49);
  EXPECT_LT(slow.alone(~u64{0}), u64{1} << 62);
}

TEST(MessageCosts, PromiseNothingBeforeAMessageOrTheEndOfARendezvous) {
  EXPECT_EQ(MessageCosts(usual).lookahead(), 17U);  // g + o
  LogGops eager = usual;
  eager.rendezvous_bytes = 0;
  EXPECT_EQ(MessageCosts(eager).lookahead(), 110U);  // L + o
}

}  // namespace
}  // namespace weft::models
