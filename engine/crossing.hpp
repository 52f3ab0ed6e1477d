// What crosses to other ranks: timed events gathered for each neighbour, packed into one batch with a header about
// time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <tuple>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"

namespace weft::engine {

/// What a batch between ranks says besides the events in it.
struct BatchHeader {
  Tick tick = 0;       ///< `last`: the sender's next busy tick; else its promise: nothing will come for an earlier tick
  u32 busy_steps = 0;  ///< `last`: advances of the sender that had events
  u32 last = 1;        ///< 1: no further message comes before all ranks have agreed on the time
};

/// Events on their way to the neighbour ranks.
template <class... Event>
class Crossing {
 public:
  explicit Crossing(std::size_t neighbours) : lists_(neighbours) {}

  template <class E>
  void add(u32 neighbour, Tick when, const E& event) {
    std::get<std::vector<Timed<E>>>(lists_[neighbour]).push_back({when, event});
  }

  /// Earliest tick of all that waits to be sent, or `never`.
  [[nodiscard]] Tick earliest() const {
    Tick first = never;
    for (const Lists& lists : lists_) {
      std::apply([&](const auto&... list) { ((first = earliest_of(first, list)), ...); }, lists);
    }
    return first;
  }

  /// Moves all events for a neighbour into `bytes`, behind `header`; returns how many there were.
  u64 pack(std::size_t neighbour, const BatchHeader& header, std::vector<std::byte>& bytes) {
    Lists& from = lists_[neighbour];
    Head head{header, {}};
    std::size_t size = sizeof head, type = 0;
    u64 events = 0;
    std::apply(
        [&](auto&... list) {
          ((head.counts[type++] = static_cast<u32>(list.size()), events += list.size(),
            size += list.size() * sizeof(list[0])),
           ...);
        },
        from);
    bytes.resize(size);
    std::memcpy(bytes.data(), &head, sizeof head);
    std::byte* at = bytes.data() + sizeof head;
    std::apply(
        [&](auto&... list) {
          ((list.empty() ? void(0) : void(std::memcpy(at, list.data(), list.size() * sizeof(list[0]))),
            at += list.size() * sizeof(list[0]), list.clear()),
           ...);
        },
        from);
    return events;
  }

  /// Calls take(tick, event) for every event of a message; returns its header.
  template <class Take>
  static BatchHeader unpack(std::span<const std::byte> bytes, Take&& take) {
    Head head;
    WEFT_ASSERT(bytes.size() >= sizeof head);
    std::memcpy(&head, bytes.data(), sizeof head);
    const std::byte* at = bytes.data() + sizeof head;
    std::size_t type = 0;
    ((at = unpack_list<Event>(at, head.counts[type++], take)), ...);
    return head.header;
  }

 private:
  template <class E>
  struct Timed {
    Tick tick;
    E event;
  };
  using Lists = std::tuple<std::vector<Timed<Event>>...>;
  struct Head {
    BatchHeader header;
    u32 counts[sizeof...(Event)];
  };

  template <class List>
  static Tick earliest_of(Tick so_far, const List& list) {
    for (const auto& timed : list) so_far = std::min(so_far, timed.tick);
    return so_far;
  }

  template <class E, class Take>
  static const std::byte* unpack_list(const std::byte* at, u32 count, Take&& take) {
    for (u32 i = 0; i < count; ++i, at += sizeof(Timed<E>)) {
      Timed<E> timed;
      std::memcpy(&timed, at, sizeof timed);
      take(timed.tick, timed.event);
    }
    return at;
  }

  std::vector<Lists> lists_;
};

}  // namespace weft::engine
