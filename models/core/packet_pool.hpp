// Packets that lie in the buffers of switches of cells: one pool for a process, lists of numbers for every queue.
#pragma once

#include <vector>

#include "engine/base/prefetch.hpp"
#include "engine/base/types.hpp"
#include "models/core/large_pages.hpp"
#include "models/routing/route_state.hpp"

namespace weft::models {

/// What travels: the host's packet, its route, and how long it is.
template <class HostPacket>
struct CellPacket : HostPacket {
  RouteState state;
  u16 cells = 1;
  u8 vc = 0;                 ///< channel of the link that it is on or came on
  u8 traffic_class : 7 = 0;  ///< whose channels it takes
  u8 marked : 1 = 0;         ///< 1: a switch where many cells waited has marked it
};

/// A packet in a buffer. A plain struct: checkpoints copy it.
template <class Packet>
struct alignas(64) Stored {
  Packet packet;
  Tick ready_at = 0;  ///< when its next step may be taken at the earliest: to be routed, then to ask for its output
  u32 next = 0;       ///< in its list
  u16 output = 0;     ///< port, once routed to one
  u8 vc = 0;          ///< channel of the link behind that
  // For the first packet of a queue in a chain:
  u32 next_queue = 0;  ///< the first of the next queue
  u32 last = 0;        ///< of its own

  u32 candidates = one;  ///< number of its CandidateSet, if it may take one of several
  static constexpr u32 one = ~u32{0};
  [[nodiscard]] bool has_choice() const { return candidates != one; }
};

/// A list of packets in the order they came; the numbers are the pool's.
struct List {
  u32 last = none;  ///< whose `next` is the first
  static constexpr u32 none = ~u32{0};
  [[nodiscard]] bool empty() const { return last == none; }
};

/// Besides lists there are chains of queues with packets: what an input keeps apart, of which most is empty most of the
/// time. A chain is the number of the first packet of its first queue, or List::none; queues come in ascending order of
/// their numbers, which follow from their packets.
template <class Packet>
class PacketPool {
 public:
  using Item = Stored<Packet>;
  [[nodiscard]] Item& operator[](u32 at) { return items_[at]; }
  [[nodiscard]] const Item& operator[](u32 at) const { return items_[at]; }
  [[nodiscard]] const Item& first(const List& list) const { return items_[items_[list.last].next]; }
  [[nodiscard]] Item& first(const List& list) { return items_[items_[list.last].next]; }

  void prefetch(u32 at) const { engine::prefetch(&items_[at]); }

  /// A free place; what is in it is old.
  [[nodiscard]] u32 take() {
    if (free_.empty()) {
      items_.emplace_back();
      return static_cast<u32>(items_.size() - 1);
    }
    const u32 at = free_.back();
    free_.pop_back();
    if (free_.size() >= ahead) prefetch(free_[free_.size() - ahead]);
    return at;
  }
  void give_back(u32 at) { free_.push_back(at); }
  void append(List& list, u32 at) {
    if (list.empty()) {
      items_[at].next = at;
    } else {
      items_[at].next = items_[list.last].next;
      items_[list.last].next = at;
    }
    list.last = at;
  }
  /// Takes the first out of a list that has one; its place is still the caller's.
  u32 remove_first(List& list) { return remove_after(list, list.last); }
  /// Takes the packet behind `before` out of a list (the first follows the last); its place is still the caller's.
  u32 remove_after(List& list, u32 before) {
    const u32 at = items_[before].next;
    if (at == before) {
      list.last = List::none;
      return at;
    }
    items_[before].next = items_[at].next;
    if (at == list.last) list.last = before;
    return at;
  }
  /// Calls f(item) for all, first to last.
  template <class F>
  void for_each(const List& list, F&& f) const {
    if (list.empty()) return;
    for (u32 at = items_[list.last].next;; at = items_[at].next) {
      f(items_[at]);
      if (at == list.last) return;
    }
  }

  /// Appends a packet to its queue of a chain; number(item): that of its queue.
  template <class Number>
  void put(u32& chain, u32 at, Number&& number) {
    const auto wanted = number(items_[at]);
    u32* link = &chain;
    while (*link != List::none && number(items_[*link]) < wanted) link = &items_[*link].next_queue;
    Item& item = items_[at];
    item.next = List::none;
    if (*link != List::none && number(items_[*link]) == wanted) {
      Item& first = items_[*link];
      items_[first.last].next = at;
      first.last = at;
      return;
    }
    item.next_queue = *link;
    item.last = at;
    *link = at;
  }
  /// Takes a packet out that is the first of its queue; its place is still the caller's.
  void take_first(u32& chain, u32 at) {
    u32* link = &chain;
    while (*link != at) link = &items_[*link].next_queue;
    const Item& item = items_[at];
    if (item.next == List::none) {
      *link = item.next_queue;
      return;
    }
    Item& first = items_[item.next];
    first.next_queue = item.next_queue;
    first.last = item.last;
    *link = item.next;
  }
  /// Calls f(number of the packet) for the first of each queue.
  template <class F>
  void for_each_first(u32 chain, F&& f) const {
    for (u32 at = chain; at != List::none; at = items_[at].next_queue) f(at);
  }
  /// Calls f(item) for the packets of a queue of a chain, first to last.
  template <class F>
  void for_each_behind(u32 first, F&& f) const {
    for (u32 at = first; at != List::none; at = items_[at].next) f(items_[at]);
  }
  /// Calls f(item) for all, queue by queue, first to last.
  template <class F>
  void for_each_in(u32 chain, F&& f) const {
    for_each_first(chain, [&](u32 first) {
      for (u32 at = first; at != List::none; at = items_[at].next) f(items_[at]);
    });
  }
  [[nodiscard]] std::size_t bytes() const { return items_.capacity() * sizeof(Item) + free_.capacity() * sizeof(u32); }

 private:
  static constexpr std::size_t ahead = 6;  ///< packets: so long before one is taken, its place is loaded

  LargeVector<Item> items_;
  std::vector<u32> free_;  ///< the last one is taken next
};

}  // namespace weft::models
