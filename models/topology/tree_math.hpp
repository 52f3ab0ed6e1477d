// Address arithmetic of extended generalised fat trees as documented at TreeGeometry: pure functions of the geometry.
#pragma once

#include <vector>

#include "models/topology/kind/fat_tree.hpp"

namespace weft::models {

/// The products of a TreeGeometry, computed once. Nodes and switches together must be at most 2^31 each.
class TreeMath {
 public:
  /// A switch as (level, subtree, place among the switches on top of that subtree).
  struct Place {
    u32 level = 0;
    u32 subtree = 0;
    u32 index = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };

  explicit TreeMath(const TreeGeometry& geometry) : down_(geometry.down), up_(geometry.up) {
    const u32 levels = static_cast<u32>(down_.size());
    WEFT_ASSERT(levels > 0 && up_.size() == levels && up_.back() == 0);
    u32 below = 1, tops = 1;
    for (u32 level = 0; level < levels; ++level) {
      below *= down_[level];
      below_.push_back(below);
      tops_.push_back(tops);
      tops *= up_[level];
    }
    for (u32 level = 0; level < levels; ++level) first_.push_back(first_.back() + switches_at(level));
  }

  u32 levels() const { return static_cast<u32>(down_.size()); }
  u32 nodes() const { return below_.back(); }
  u32 switches() const { return first_.back(); }
  u32 switches_at(u32 level) const { return nodes() / below_[level] * tops_[level]; }
  /// Nodes below a switch of this level: m_1*...*m_{level+1}.
  u32 nodes_below(u32 level) const { return below_[level]; }
  /// Switches on top of one subtree of this level: w_1*...*w_{level+1}.
  u32 tops(u32 level) const { return tops_[level]; }
  u32 up_ports(u32 level) const { return up_[level]; }
  u32 down_ports(u32 level) const { return down_[level]; }

  Place place(RouterId router) const {
    WEFT_DEBUG_ASSERT(router.value() < switches());
    u32 level = 0;
    while (router.value() >= first_[level + 1]) ++level;
    const u32 in_level = router.value() - first_[level];
    return {level, in_level / tops_[level], in_level % tops_[level]};
  }
  RouterId id(const Place& at) const { return RouterId{first_[at.level] + at.subtree * tops_[at.level] + at.index}; }

  /// The subtree of this level that holds `node`; a switch is above `node` if this is its subtree.
  u32 subtree_of(NodeId node, u32 level) const { return node.value() / below_[level]; }
  bool is_ancestor(const Place& at, NodeId node) const { return subtree_of(node, at.level) == at.subtree; }

  /// Port of a switch of this level above `node` that leads down to it.
  u32 down_port(u32 level, NodeId node) const {
    const u32 child = level == 0 ? node.value() : node.value() / below_[level - 1];
    return up_[level] + child % down_[level];
  }

  /// Lowest level whose switches are above both nodes.
  u32 meeting_level(NodeId a, NodeId b) const {
    u32 level = 0;
    while (subtree_of(a, level) != subtree_of(b, level)) ++level;
    return level;
  }

  Place parent(const Place& child, u32 up_port) const {
    return {child.level + 1, child.subtree / down_[child.level + 1], up_port * tops_[child.level] + child.index};
  }
  /// The child switch in subtree `digit` below a switch of level >= 1.
  Place child(const Place& parent, u32 digit) const {
    const u32 level = parent.level - 1;
    return {level, parent.subtree * down_[parent.level] + digit, parent.index % tops_[level]};
  }

 private:
  std::vector<u32> down_, up_;
  std::vector<u32> below_;     ///< nodes below a switch, [level]
  std::vector<u32> tops_;      ///< switches on top of a subtree, [level]
  std::vector<u32> first_{0};  ///< id of the first switch, [level]; then the number of switches
};

}  // namespace weft::models
