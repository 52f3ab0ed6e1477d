// What each pair of each pattern gets, as a table for other programs: the published benchmark recorded all connections.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/file/atomic_file.hpp"
#include "engine/base/text/csv.hpp"
#include "models/subnet/subnet.hpp"
#include "tools/fabric/flow_experiment.hpp"

namespace weft::tools {

/// Puts the routes of a pattern behind `words`, for PairTable::take. `shares`: what they got as packets, as fractions
/// of a link, [route of all rounds]; empty: no packets.
void pack_pairs(const std::vector<RoutedRound>& rounds, const std::vector<double>& shares, std::vector<u64>& words);

/// Rows `pattern, round, source, destination, congestion, bandwidth`, and `packets` if there are some; the last two as
/// fractions of a link.
class PairTable {
 public:
  /// `path`: empty on ranks that write nothing. Keeps `subnet`. Throws SystemError, as do the others.
  PairTable(const std::string& path, const models::Subnet& subnet, bool with_packets);
  /// The next pattern, from words[at] on; moves `at` behind it.
  void take(std::span<const u64> words, std::size_t& at);
  /// Puts the file at its place.
  void commit();

 private:
  const models::Subnet& subnet_;
  bool with_packets_;
  std::optional<files::AtomicFile> file_;
  CsvText rows_;
  u64 pattern_ = 0;
};

}  // namespace weft::tools
