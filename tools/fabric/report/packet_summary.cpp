// Sums and correlations over pairs and over patterns.
#include "tools/fabric/report/packet_summary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/base/confidence.hpp"
#include "engine/base/deviation.hpp"
#include "models/subnet/congestion.hpp"

namespace weft::tools {
namespace {

constexpr double bins_a_link = pair_bins - 1;
constexpr std::size_t words_of_shares = 5;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

u64 word(double value) { return std::bit_cast<u64>(value); }
double number(u64 word) { return std::bit_cast<double>(word); }

}  // namespace

u32 pair_bin(double share) {
  return static_cast<u32>(std::clamp(std::floor(share * bins_a_link + 0.5), 0.0, bins_a_link));
}

std::vector<double> pair_bin_edges() {
  std::vector<double> edges{0};
  for (u32 b = 0; b < pair_bins; ++b) edges.push_back((b + 0.5) / bins_a_link);
  return edges;
}

std::vector<u64> flow_bins(std::span<const u64> congestions) {
  std::vector<u64> bins(pair_bins, 0);
  for (std::size_t c = 1; c < congestions.size(); ++c) bins[pair_bin(1.0 / static_cast<double>(c))] += congestions[c];
  return bins;
}

void PairShares::add(double share) {
  min = pairs == 0 ? share : std::min(min, share);
  max = pairs == 0 ? share : std::max(max, share);
  ++pairs;
  sum += share;
  squares += share * share;
}

void PairShares::add(const PairShares& more) {
  if (more.pairs == 0) return;
  min = pairs == 0 ? more.min : std::min(min, more.min);
  max = pairs == 0 ? more.max : std::max(max, more.max);
  pairs += more.pairs;
  sum += more.sum;
  squares += more.squares;
}

double PairShares::mean() const { return pairs == 0 ? none : sum / static_cast<double>(pairs); }

double PairShares::stddev() const {
  return pairs < 2 ? 0 : stats::deviation_from_sums(static_cast<double>(pairs), sum, squares);
}

PairCollector::PairCollector() { result_.histogram.assign(pair_bins, 0); }

void PairCollector::add(double congestion, double share) {
  const double expected = 1.0 / congestion;
  const u32 bin = models::congestion_bin(congestion);
  if (result_.by_congestion.size() <= bin) result_.by_congestion.resize(bin + 1);
  result_.by_congestion[bin].add(share);
  ++result_.histogram[pair_bin(share)];
  result_.largest_difference = std::max(result_.largest_difference, std::abs(share - expected));
  all_.add(share);
  expected_.add(expected);
  products_ += share * expected;
}

PacketResult PairCollector::finished(u32 scale) {
  const double n = static_cast<double>(all_.pairs), spread = all_.stddev() * expected_.stddev();
  const bool both_differ = all_.max > all_.min && expected_.max > expected_.min && spread > 0;
  result_.bandwidth = scale * all_.mean();
  result_.correlation =
      both_differ ? std::clamp((products_ - all_.sum * expected_.sum / n) / ((n - 1) * spread), -1.0, 1.0) : none;
  return std::move(result_);
}

void pack(const PacketResult& result, std::vector<u64>& words) {
  words.insert(words.end(), {word(result.bandwidth), word(result.correlation), word(result.largest_difference),
                             result.cycles, result.packets, result.by_congestion.size()});
  for (const PairShares& of : result.by_congestion)
    words.insert(words.end(), {of.pairs, word(of.sum), word(of.squares), word(of.min), word(of.max)});
  words.insert(words.end(), result.histogram.begin(), result.histogram.end());
}

PacketResult unpacked(std::span<const u64> words, std::size_t& at) {
  PacketResult result;
  result.bandwidth = number(words[at]);
  result.correlation = number(words[at + 1]);
  result.largest_difference = number(words[at + 2]);
  result.cycles = words[at + 3];
  result.packets = words[at + 4];
  result.by_congestion.resize(words[at + 5]);
  at += 6;
  for (PairShares& of : result.by_congestion) {
    of = {words[at], number(words[at + 1]), number(words[at + 2]), number(words[at + 3]), number(words[at + 4])};
    at += words_of_shares;
  }
  const auto bins = words.subspan(at, pair_bins);
  result.histogram.assign(bins.begin(), bins.end());
  at += pair_bins;
  return result;
}

void PacketCollector::take(const PacketResult& result, double flow_bandwidth) {
  PacketSummary& s = summary_;
  s.bandwidths.push_back(result.bandwidth);
  s.correlations.push_back(result.correlation);
  s.largest_differences.push_back(result.largest_difference);
  s.pattern_difference = std::max(s.pattern_difference, std::abs(result.bandwidth - flow_bandwidth));
  s.pair_difference = std::max(s.pair_difference, result.largest_difference);
  s.cycles += result.cycles;
  s.packets += result.packets;
  if (s.by_congestion.size() < result.by_congestion.size()) s.by_congestion.resize(result.by_congestion.size());
  for (std::size_t c = 0; c < result.by_congestion.size(); ++c) {
    s.by_congestion[c].add(result.by_congestion[c]);
    s.pairs.add(result.by_congestion[c]);
  }
  if (s.histogram.empty()) s.histogram.assign(pair_bins, 0);
  for (u32 b = 0; b < pair_bins; ++b) s.histogram[b] += result.histogram[b];
}

PacketSummary PacketCollector::finished() {
  PacketSummary& s = summary_;
  s.mean = stats::mean_of(s.bandwidths);
  s.stddev = s.bandwidths.size() < 2 ? 0 : stats::deviation_of(s.bandwidths);
  s.min = std::ranges::min(s.bandwidths);
  s.max = std::ranges::max(s.bandwidths);
  s.ci95 = stats::half_width95(s.bandwidths);
  std::vector<double> correlations = s.correlations;
  std::erase_if(correlations, [](double value) { return std::isnan(value); });
  s.mean_correlation = correlations.empty() ? none : stats::mean_of(correlations);
  s.least_correlation = correlations.empty() ? none : std::ranges::min(correlations);
  s.most_correlation = correlations.empty() ? none : std::ranges::max(correlations);
  return std::move(s);
}

}  // namespace weft::tools
