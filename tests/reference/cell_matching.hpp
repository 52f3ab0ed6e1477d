// Who of a switch's inputs is matched with which output in a tick, in the plain simulators.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/reference/cell_network.hpp"

namespace weft::reference {

/// Packets of a queue: VOQs go by the ways that packets have, FIFOs by VC of the link in.
struct QueueName {
  u32 channel = 0;  ///< of FIFOs
  Ways ways;        ///< of VOQs
  friend auto operator<=>(const QueueName&, const QueueName&) = default;
};

/// A first packet that asks.
struct Asking {
  u32 input;
  QueueName queue;
  u32 place;  ///< of its queue in the round robin; queues of packets with several ways have one together
  u32 packet;
  Tick came, age;         ///< its first cell in this switch; since it was generated
  bool choice;            ///< whether it has several ways, open or not
  std::vector<Way> open;  ///< ascending
};
/// Who asks for an output, inputs ascending: [output]. Who asks for several is there several times.
using Requests = std::vector<std::vector<Asking>>;

struct Match {
  Asking asking;
  Way way;
};

/// How it is done.
struct Lots {
  Schedule schedule;
  u32 iterations;
  const std::function<u32(u32 below)>& draw;
  std::function<i64(Way)> room;  ///< credits of a way
};

/// The pointers of a switch.
class Matcher {
 public:
  /// Queues of an input for one output have places below `places`.
  Matcher(u32 ports, u32 places)
      : grant_(ports, 0), accept_(ports, 0), place_(ports, 0), way_(ports), places_(places) {}

  [[nodiscard]] std::vector<Match> match(const Requests& requests, const Lots& how) {
    const u32 ports = static_cast<u32>(grant_.size());
    std::vector<Match> matches;
    std::vector<bool> input_taken(ports, false), output_taken(ports, false);
    for (u32 round = 0; round < how.iterations; ++round) {
      std::vector<std::vector<u32>> granted(ports);  // [input]
      for (u32 o = 0; o < ports; ++o) {
        if (output_taken[o]) continue;
        std::vector<u32> askers;
        for (const Asking& one : requests[o]) {
          if (!input_taken[one.input] && (askers.empty() || askers.back() != one.input)) askers.push_back(one.input);
        }
        if (askers.empty()) continue;
        const u32 i = pick(askers, grant_[o], how, [&](u32 a) { return oldest(of_input(requests[o], a)).age; });
        granted[i].push_back(o);
      }
      for (u32 i = 0; i < ports; ++i) {
        if (granted[i].empty()) continue;
        const u32 o = pick(granted[i], accept_[i], how, [&](u32 b) { return oldest(of_input(requests[b], i)).age; });
        const Asking asking = pick_queue(of_input(requests[o], i), o, how);
        const Way way = pick_way(asking, granted[i], how);
        input_taken[i] = output_taken[way.port] = true;
        matches.push_back({asking, way});
        if (round == 0) {
          grant_[way.port] = (i + 1) % ports;
          accept_[i] = (way.port + 1) % ports;
        }
      }
    }
    return matches;
  }

 private:
  /// One of some ports, ascending.
  template <class AgeOf>
  static u32 pick(const std::vector<u32>& some, u32 pointer, const Lots& how, AgeOf age_of) {
    if (how.schedule == Schedule::random) return some[how.draw(static_cast<u32>(some.size()))];
    if (how.schedule == Schedule::islip) {
      for (const u32 port : some) {
        if (port >= pointer) return port;
      }
      return some.front();
    }
    u32 best = some.front();
    for (const u32 port : some) {
      if (age_of(port) > age_of(best)) best = port;
    }
    return best;
  }
  static std::vector<Asking> of_input(const std::vector<Asking>& all, u32 input) {
    std::vector<Asking> some;
    for (const Asking& one : all) {
      if (one.input == input) some.push_back(one);
    }
    return some;
  }
  /// Queues in their order: by place, then by who came first.
  static bool before(const Asking& one, const Asking& other) {
    return one.place != other.place ? one.place < other.place : one.came < other.came;
  }
  /// Generated first, then of the first queue.
  static Asking oldest(const std::vector<Asking>& some) {
    const Asking* best = &some.front();
    for (const Asking& one : some) {
      if (one.age > best->age || (one.age == best->age && before(one, *best))) best = &one;
    }
    return *best;
  }
  Asking pick_queue(const std::vector<Asking>& some, u32 output, const Lots& how) {
    if (how.schedule == Schedule::random) return some[how.draw(static_cast<u32>(some.size()))];
    if (how.schedule == Schedule::age) return oldest(some);
    for (u32 step = 0; step < places_; ++step) {
      const u32 place = (place_[output] + step) % places_;
      const Asking* first = nullptr;
      for (const Asking& one : some) {
        if (one.place == place && (first == nullptr || one.came < first->came)) first = &one;
      }
      if (first == nullptr) continue;
      place_[output] = (place + 1) % places_;
      return *first;
    }
    throw std::logic_error("a queue has no place");
  }
  /// Of the open ways to outputs that have granted, the one with most credits; of several the next behind the one that
  /// the input took before.
  Way pick_way(const Asking& asking, const std::vector<u32>& granted, const Lots& how) {
    std::vector<Way> best;
    for (const Way way : asking.open) {
      if (std::ranges::find(granted, way.port) == granted.end()) continue;
      if (!best.empty() && how.room(way) < how.room(best.front())) continue;
      if (!best.empty() && how.room(way) > how.room(best.front())) best.clear();
      best.push_back(way);
    }
    if (!asking.choice) return best.front();
    const auto next = std::ranges::lower_bound(best, way_[asking.input]);
    const Way taken = next == best.end() ? best.front() : *next;
    way_[asking.input] = {taken.port, taken.channel + 1};
    return taken;
  }

  std::vector<u32> grant_, accept_;  ///< pointers of outputs, of inputs
  std::vector<u32> place_;           ///< pointers of outputs to queues
  std::vector<Way> way_;             ///< pointers of inputs to ways
  u32 places_;
};

}  // namespace weft::reference
