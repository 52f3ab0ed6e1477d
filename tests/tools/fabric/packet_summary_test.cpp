// Pairs put together: bins around the shares of flows, correlations, and results that travel between ranks.
#include "tools/fabric/report/packet_summary.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace weft::tools {
namespace {

PacketResult result_of(const std::vector<std::pair<u32, double>>& pairs, u32 scale = 1) {
  PairCollector collector;
  for (const auto& [congestion, share] : pairs) collector.add(congestion, share);
  return collector.finished(scale);
}

TEST(PacketSummaries, HaveTheSharesOfFlowsInTheMiddleOfABin) {
  const std::vector<double> edges = pair_bin_edges();
  ASSERT_EQ(edges.size(), pair_bins + 1);
  for (const u32 congestion : {1U, 2U, 4U, 5U}) {
    const double share = 1.0 / congestion;
    const u32 bin = pair_bin(share);
    EXPECT_NEAR(share, (edges[bin] + edges[bin + 1]) / 2, 1e-12) << congestion;
    EXPECT_EQ(pair_bin(share * 0.999), bin);
  }
  EXPECT_EQ(pair_bin(0), 0U);
  EXPECT_EQ(pair_bin(1.5), pair_bins - 1);
  const std::vector<u64> flows = flow_bins(std::vector<u64>{0, 3, 4});
  EXPECT_EQ(flows[pair_bins - 1], 3U);
  EXPECT_EQ(flows[pair_bin(0.5)], 4U);
  EXPECT_EQ(std::accumulate(flows.begin(), flows.end(), u64{0}), 7U);
}

TEST(PacketSummaries, CorrelateSharesWithCongestion) {
  EXPECT_NEAR(result_of({{1, 0.9}, {2, 0.45}, {4, 0.225}}).correlation, 1.0, 1e-12);
  EXPECT_NEAR(result_of({{1, 0.2}, {2, 0.7}}).correlation, -1.0, 1e-12);
  EXPECT_TRUE(std::isnan(result_of({{2, 0.2}, {2, 0.7}}).correlation));
  EXPECT_TRUE(std::isnan(result_of({{1, 0.5}, {2, 0.5}}).correlation));
  EXPECT_NEAR(result_of({{1, 0.9}, {2, 0.3}}).largest_difference, 0.2, 1e-12);
  EXPECT_NEAR(result_of({{4, 0.2}, {4, 0.3}}, 4).bandwidth, 1.0, 1e-12);
}

TEST(PacketSummaries, ComeBackFromWordsAsTheyWere) {
  PacketResult sent = result_of({{1, 0.9}, {3, 0.31}, {3, 0.35}});
  sent.cycles = 7;
  sent.packets = 11;
  std::vector<u64> words{99};
  pack(sent, words);
  std::size_t at = 1;
  const PacketResult back = unpacked(words, at);
  EXPECT_EQ(at, words.size());
  EXPECT_EQ(back.bandwidth, sent.bandwidth);
  EXPECT_EQ(back.correlation, sent.correlation);
  EXPECT_EQ(back.largest_difference, sent.largest_difference);
  EXPECT_EQ(back.cycles, 7U);
  EXPECT_EQ(back.packets, 11U);
  EXPECT_EQ(back.histogram, sent.histogram);
  ASSERT_EQ(back.by_congestion.size(), 4U);
  EXPECT_EQ(back.by_congestion[3].pairs, 2U);
  EXPECT_NEAR(back.by_congestion[3].mean(), 0.33, 1e-12);
  EXPECT_EQ(back.by_congestion[3].min, 0.31);
  EXPECT_EQ(back.by_congestion[3].max, 0.35);
}

TEST(PacketSummaries, LeavePatternsWithoutCorrelationOut) {
  PacketCollector collector;
  collector.take(result_of({{1, 0.9}, {2, 0.45}}), 0.75);
  collector.take(result_of({{1, 0.9}, {1, 0.8}}), 1.0);
  const PacketSummary summary = collector.finished();
  EXPECT_NEAR(summary.mean_correlation, 1.0, 1e-12);
  EXPECT_NEAR(summary.mean, (0.675 + 0.85) / 2, 1e-12);
  EXPECT_NEAR(summary.pattern_difference, 0.15, 1e-12);
  EXPECT_NEAR(summary.pair_difference, 0.2, 1e-12);
  EXPECT_EQ(summary.pairs.pairs, 4U);
  EXPECT_EQ(summary.by_congestion[1].pairs, 3U);
}

}  // namespace
}  // namespace weft::tools
