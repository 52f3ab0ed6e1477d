// In what a receive and its message agree.
#pragma once

namespace weft::workloads {

/// Words that must be equal, and what holds besides. A word that is not compared is as if all had the same.
struct MatchingRule {
  bool source = true, tag = true, communicator = true;
  bool packets = false;  ///< the length in packets
  bool bytes = false;    ///< the length in bytes
  /// Messages from one task to another, of one communicator, are matched in the order in which they were sent; if
  /// `tags_apart`, those of one tag.
  bool in_order = true, tags_apart = false;
  bool wildcards = true;  ///< receives may take any source or tag
  friend bool operator==(const MatchingRule&, const MatchingRule&) = default;
};

}  // namespace weft::workloads
