// Both trees, and what goes up and down in them.
#include "workloads/generator/accelerator/tree.hpp"

#include <bit>

namespace weft::workloads {
namespace {

/// The in-order tree over 0 .. count - 1 of which 0 is the root: an inside number b 2^k (b odd) has its children
/// 2^(k-1) before it and as far behind it as there is one; odd numbers are leaves.
RankLinks in_order_tree(u32 number, u32 count) {
  RankLinks place;
  if (number == 0) {
    if (count > 1) place.children.push_back(std::bit_ceil(count) / 2);
    return place;
  }
  const u32 bit = number & (~number + 1);
  const u32 above = (number ^ bit) | (bit << 1);
  place.parent = above < count ? above : number ^ bit;
  if (bit == 1) return place;
  place.children.push_back(number - bit / 2);
  for (u32 low = bit / 2; low > 0; low /= 2) {
    if (number + low >= count) continue;
    place.children.push_back(number + low);
    break;
  }
  return place;
}

/// The second tree is the first one mirrored (even counts) or shifted by one (odd ones), so that leaves become inside
/// nodes.
RankLinks tree_over_nodes(u32 node, u32 count, u32 tree) {
  if (tree == 0) return in_order_tree(node, count);
  const bool mirrored = count % 2 == 0;
  const auto there = [&](u32 of) { return mirrored ? count - 1 - of : task_before(of, 1, count); };
  const auto back = [&](u32 of) { return mirrored ? count - 1 - of : task_after(of, 1, count); };
  RankLinks place = in_order_tree(there(node), count);
  if (place.parent) place.parent = back(*place.parent);
  for (u32& child : place.children) child = back(child);
  return place;
}

}  // namespace

RankLinks double_tree_place(u32 rank, u32 ranks, u32 node_ranks, u32 tree, u32 head) {
  const u32 node = rank / node_ranks, place_in_node = task_before(rank % node_ranks, head, node_ranks);
  const auto rank_of = [&](u32 of_node, u32 place) {
    return of_node * node_ranks + task_after(place, head, node_ranks);
  };
  RankLinks result;
  if (place_in_node > 0) {
    result.parent = rank_of(node, place_in_node - 1);
  } else {
    const RankLinks between = tree_over_nodes(node, ranks / node_ranks, tree);
    if (between.parent) result.parent = rank_of(*between.parent, 0);
    for (const u32 child : between.children) result.children.push_back(rank_of(child, 0));
  }
  if (place_in_node + 1 < node_ranks) result.children.push_back(rank_of(node, place_in_node + 1));
  return result;
}

OpGenerator tree_up(RankPart part, RankLinks place, u64 bytes, u32 counter) {
  const u64 chunk = part.transport.chunk_bytes;
  if (part.group.size < 2) co_return;
  for (u64 done = 0; done < bytes; done += chunk) {
    const u64 piece = std::min(chunk, bytes - done);
    for (const u32 child : place.children) co_yield part.receive(child, piece);
    if (!place.parent) {
      co_yield mark_op(counter, part.activity);
      continue;
    }
    if (part.transport.hop_ns > 0) co_yield part.hop();
    co_yield part.send(*place.parent, piece);
  }
}

OpGenerator tree_down(RankPart part, RankLinks place, u64 bytes, u32 counter, u32 repetition) {
  const u64 chunk = part.transport.chunk_bytes;
  if (part.group.size < 2) co_return;
  u64 number = repetition * ((bytes + chunk - 1) / chunk);
  for (u64 done = 0; done < bytes; done += chunk) {
    const u64 piece = std::min(chunk, bytes - done);
    if (place.parent) {
      co_yield part.receive(*place.parent, piece);
    } else {
      co_yield wait_op(counter, ++number, part.activity);
    }
    for (const u32 child : place.children) {
      if (part.transport.hop_ns > 0) co_yield part.hop();
      co_yield part.send(child, piece);
    }
  }
}

}  // namespace weft::workloads
