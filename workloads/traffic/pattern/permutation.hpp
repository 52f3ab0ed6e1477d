// Base of the patterns in which each node has one fixed partner, and the bit arithmetic that most of them share.
#pragma once

#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {

/// A pattern without randomness: a bijection of the nodes. Nodes that are mapped to themselves do not send.
class Permutation : public Pattern {
 public:
  /// Partner of `node`.
  [[nodiscard]] virtual u32 image(u32 node) const = 0;
  [[nodiscard]] NodeId destination(NodeId source, const PacketDraw& /*packet*/) const final {
    return NodeId(image(source.value()));
  }
  [[nodiscard]] bool sends(NodeId source) const final { return image(source.value()) != source.value(); }
};

/// Bits of a node number, for permutations of bits (Dally & Towles 2004, section 3.2). Throws ConfigError with the
/// nearest valid counts unless `nodes` is a power of two and at least 2^`least_bits`: with fewer bits most of these
/// permutations map every node to itself.
[[nodiscard]] u32 node_bits(const std::string& pattern, u32 nodes, u32 least_bits);

/// Bits of a node number for patterns that need an even number of them: `nodes` must be a power of four.
[[nodiscard]] u32 even_node_bits(const std::string& pattern, u32 nodes);

}  // namespace weft::workloads
