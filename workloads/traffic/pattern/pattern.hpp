// Traffic patterns: which node a packet of synthetic traffic goes to; one file per pattern, found by name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/parameters.hpp"
#include "engine/base/registry.hpp"
#include "engine/base/types.hpp"
#include "engine/random.hpp"

namespace weft::workloads {

/// A node other than `source`, all equally likely: the pattern `uniform` without a virtual call. Needs nodes >= 2.
/// The high bits decide the place, so the low ones are free for a second choice.
[[nodiscard]] inline u32 uniform_destination(u32 source, u32 nodes, u64 bits) {
  const u32 other = engine::scale_to(bits, nodes - 1);
  return other + (other >= source ? 1 : 0);
}

/// What a pattern is built for.
struct PatternSpec {
  u32 nodes = 0;
  std::vector<u32> dims = {};  ///< routers in each dimension of a cube topology, [dimension]; empty for all others
  u64 seed = 1;
  u32 group_nodes = 0;    ///< nodes of a group, if the network has groups of consecutive nodes (dragonflies)
  u32 network_nodes = 0;  ///< nodes of the whole network, where `node_of` is given
  Parameters keys = {};   ///< all of [workload], by name; those that are missing read as their defaults
  /// The nodes that a node sends to in the worst case of shortest routes, (first, count); count 0: not known.
  std::function<std::pair<u32, u32>(u32 from)> worst_case = {};
  /// Links between two nodes, as the network counts them; none: not known.
  std::function<u32(u32 from, u32 to)> distance = {};
  /// [place]: the node of the network that a place of the pattern is, for patterns of a job's own nodes; empty: place n
  /// is node n, and there are no others.
  std::vector<u32> node_of = {};
};

/// The packet of a source that a destination is drawn for.
struct PacketDraw {
  u64 bits = 0;    ///< random bits of its own, from the caller's counter-based generator
  u64 number = 0;  ///< among the packets of the source, from 0
  u32 phase = 0;   ///< of the law of arrivals (Arrivals::phase)
};

/// Destinations of the packets of each node. Immutable: a packet has the same destination on any rank.
class Pattern {
 public:
  virtual ~Pattern() = default;
  /// Destination of a packet of `source`; `source` itself when this node does not send. Most patterns go by the bits of
  /// the packet alone.
  [[nodiscard]] virtual NodeId destination(NodeId source, const PacketDraw& packet) const = 0;
  /// False for a node that the pattern maps to itself: it generates nothing.
  [[nodiscard]] virtual bool sends(NodeId source) const = 0;
};

struct PatternKind {
  static constexpr ChoiceKey choice{"workload.pattern"};

  std::string help;  ///< one line, with the node counts it accepts
  std::function<std::unique_ptr<Pattern>(const PatternSpec&)> make;
  std::vector<Setting> settings = {};  ///< its own keys, "workload.zipf_exponent"...
};
using PatternRegistry = Registry<PatternKind>;

/// Builds the pattern `name`. Throws ConfigError for an unknown name (with the nearest known one), fewer than two
/// nodes, dims whose product is not the node count, or a node count that the pattern is not defined for (with valid
/// ones).
[[nodiscard]] std::unique_ptr<Pattern> make_pattern(const std::string& name, const PatternSpec& spec);

}  // namespace weft::workloads
