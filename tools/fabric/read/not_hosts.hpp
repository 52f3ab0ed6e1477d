// Channel adapters that are no computers: aggregation nodes of switches, which every fabric with SHARP has, and what a
// user names besides (gateways, storage, adapters of management).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools {

/// What an adapter's vendor and firmware say of it; 0: not known.
struct AdapterFacts {
  std::string_view name;  ///< node description
  u64 guid = 0;           ///< of the node
  u32 vendor = 0, device = 0;
};

/// Whether it is the aggregation node inside a switch (SHARP: reductions in the network). It sends nothing of its own.
[[nodiscard]] bool is_aggregation_node(const AdapterFacts& adapter);

/// Adapters that a user says are no hosts.
class NotHosts {
 public:
  /// None.
  NotHosts() = default;
  /// Patterns of descriptions, where * stands for any text and ? for any character, or GUIDs of nodes (0x...); file:F
  /// has one a line, # begins a comment. `option` is what messages call them. Throws InputError for a file that cannot
  /// be read.
  NotHosts(const std::vector<std::string>& patterns, std::string option);

  [[nodiscard]] bool empty() const { return patterns_.empty(); }
  [[nodiscard]] const std::string& option() const { return option_; }
  /// Whether a pattern names the adapter; the patterns that do are used.
  [[nodiscard]] bool names(const AdapterFacts& adapter) const;
  /// Throws ConfigError for a pattern that named none of `adapters`.
  void need_all_used(const std::vector<std::string>& adapters) const;

 private:
  struct Pattern {
    std::string text;
    std::string place;  ///< "FILE:LINE: " of one from a file
    u64 guid = 0;       ///< 0: it is a description
    mutable bool used = false;
  };
  void add(const std::string& text, const std::string& place);
  std::vector<Pattern> patterns_;
  std::string option_;
};

/// The file of "file:F"; empty for any other pattern.
[[nodiscard]] std::string file_of_pattern(const std::string& pattern);

}  // namespace weft::tools
