// Rows of pairs; see the header.
#include "tools/fabric/report/pair_table.hpp"

#include <bit>
#include <limits>

namespace weft::tools {
namespace {

/// Round, two hosts, congestion, share.
constexpr std::size_t words_of_route = 5;
/// Rows are written in pieces of about this size.
constexpr std::size_t piece_bytes = 1U << 20;

}  // namespace

void pack_pairs(const std::vector<RoutedRound>& rounds, const std::vector<double>& shares, std::vector<u64>& words) {
  const std::size_t count_at = words.size();
  words.push_back(0);
  std::size_t route = 0;
  for (u64 number = 0; number < rounds.size(); ++number) {
    const RoutedRound& round = rounds[number];
    for (std::size_t k = 0; k < round.hosts.size(); ++k, ++route) {
      const double share = shares.empty() ? std::numeric_limits<double>::quiet_NaN() : shares[route];
      words.insert(words.end(), {number, round.hosts[k].first, round.hosts[k].second,
                                 std::bit_cast<u64>(round.congestion[k]), std::bit_cast<u64>(share)});
    }
  }
  words[count_at] = route;
}

PairTable::PairTable(const std::string& path, const models::Subnet& subnet, bool with_packets)
    : subnet_(subnet), with_packets_(with_packets) {
  if (path.empty()) return;
  file_.emplace(path);
  for (const char* const name : {"pattern", "round", "source", "destination", "congestion", "bandwidth"})
    rows_.cell(std::string(name));
  if (with_packets) rows_.cell(std::string("packets"));
  rows_.end_row();
}

void PairTable::take(std::span<const u64> words, std::size_t& at) {
  const u64 routes = words[at++];
  for (u64 route = 0; route < routes; ++route, at += words_of_route) {
    const double congestion = std::bit_cast<double>(words[at + 3]);
    rows_.cell(pattern_);
    rows_.cell(words[at]);
    rows_.cell(subnet_.host_label(static_cast<u32>(words[at + 1])));
    rows_.cell(subnet_.host_label(static_cast<u32>(words[at + 2])));
    rows_.cell(congestion);
    rows_.cell(1 / congestion);
    if (with_packets_) rows_.cell(std::bit_cast<double>(words[at + 4]));
    rows_.end_row();
    if (file_ && rows_.size() >= piece_bytes) file_->write(rows_.take());
  }
  ++pattern_;
}

void PairTable::commit() {
  if (!file_) return;
  file_->write(rows_.take());
  file_->commit();
}

}  // namespace weft::tools
