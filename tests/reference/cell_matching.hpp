// Who of a switch's inputs is matched with which output in a tick, in the plain simulators.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
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
struct Scheduler {
  Schedule schedule;
  u32 iterations;
  const std::function<u32(u32 below)>& draw;
  std::function<i64(Way)> space;  ///< credits of a way
  std::function<bool(u32 input)> from_node = {};
};

/// The pointers of a switch.
class Matcher {
 public:
  /// `channels`: VCs that iSLIP goes by; 0: outputs have one pointer. Queues of an input for one output
  /// have places below `places`.
  Matcher(u32 ports, u32 channels, u32 places)
      : grant_(ports, 0),
        turns_(ports, std::vector<Turn>(channels)),
        firsts_(ports),
        accept_(ports, 0),
        place_(ports, 0),
        way_(ports),
        places_(places) {}

  [[nodiscard]] std::vector<Match> match(const Requests& requests, const Scheduler& how) {
    if (how.schedule == Schedule::age) return match_by_age(requests, how);
    const u32 ports = static_cast<u32>(grant_.size());
    std::vector<Match> matches;
    std::vector<bool> input_taken(ports, false), output_taken(ports, false);
    for (u32 round = 0; how.iterations == 0 || round < how.iterations; ++round) {
      const std::size_t before = matches.size();
      std::vector<std::vector<u32>> granted(ports);  // [input]
      std::set<Way> chosen;
      for (u32 o = 0; o < ports; ++o) {
        if (output_taken[o]) continue;
        std::vector<u32> askers;
        for (const Asking& one : requests[o]) {
          if (!input_taken[one.input] && (askers.empty() || askers.back() != one.input)) askers.push_back(one.input);
        }
        if (askers.empty()) continue;
        if (by_channel(how)) {
          const std::map<Way, std::vector<u32>> inputs = by_way(requests[o], o, askers);
          std::map<u32, std::vector<std::pair<u32, u32>>> named;  // VCs and inputs, by whose turn it is
          for (const auto& [way, some] : inputs) {
            const u32 input = turns_[o][way.channel].next(some, how);
            named[Turn::of(input, how)].emplace_back(way.channel, input);
          }
          const auto& turns = after(named, firsts_[o].last)->second;
          const auto of_channel = [&](const auto& each) { return each.first > firsts_[o].last_channel; };
          const auto next = std::ranges::find_if(turns, of_channel);
          const std::pair<u32, u32>& won = next == turns.end() ? turns.front() : *next;
          chosen.insert(Way{o, won.first});
          granted[won.second].push_back(o);
          continue;
        }
        const u32 i = pick(askers, grant_[o], how);
        granted[i].push_back(o);
      }
      for (u32 i = 0; i < ports; ++i) {
        if (granted[i].empty()) continue;
        const u32 o = pick(granted[i], accept_[i], how);
        std::vector<Asking> could = of_input(requests[o], i);
        if (by_channel(how)) {
          for (Asking& one : could) std::erase_if(one.open, [&](Way way) { return !chosen.contains(way); });
          std::erase_if(could, [&](const Asking& one) {
            return std::ranges::none_of(one.open, [&](Way way) { return way.port == o; });
          });
        }
        const Asking asking = pick_queue(could, o, how);
        const Way way = pick_way(asking, granted[i], how);
        input_taken[i] = output_taken[way.port] = true;
        matches.push_back({asking, way});
        if (round == 0) {
          if (by_channel(how)) {
            turns_[way.port][way.channel].took(i, how);
            firsts_[way.port] = {Turn::of(i, how), way.channel};
          } else {
            grant_[way.port] = (i + 1) % ports;
          }
          accept_[i] = (way.port + 1) % ports;
        }
      }
      if (matches.size() == before) break;
    }
    return matches;
  }

 private:
  /// Packet by packet, the oldest first, each by the best of the ways that are left to it.
  std::vector<Match> match_by_age(const Requests& requests, const Scheduler& how) {
    std::vector<Match> matches;
    std::set<u32> inputs, outputs;
    for (;;) {
      const Asking* best = nullptr;
      for (u32 o = 0; o < requests.size(); ++o) {
        if (outputs.contains(o)) continue;
        for (const Asking& one : requests[o]) {
          if (!inputs.contains(one.input) && (best == nullptr || goes_first(one, *best))) best = &one;
        }
      }
      if (best == nullptr) return matches;
      std::vector<u32> left;
      for (u32 o = 0; o < requests.size(); ++o) {
        if (!outputs.contains(o)) left.push_back(o);
      }
      const Way way = pick_way(*best, left, how);
      inputs.insert(best->input);
      outputs.insert(way.port);
      matches.push_back({*best, way});
    }
  }
  /// Generated first, then of the lower input, then of the first queue.
  static bool goes_first(const Asking& one, const Asking& other) {
    if (one.age != other.age) return one.age > other.age;
    return one.input != other.input ? one.input < other.input : before(one, other);
  }
  /// The entry behind a key, cyclically.
  template <class Map>
  static typename Map::const_iterator after(const Map& all, const std::optional<u32>& last) {
    const auto next = last ? all.upper_bound(*last) : all.begin();
    return next == all.end() ? all.begin() : next;
  }
  /// Whose turn it is for a VC of an output.
  struct Turn {
    std::optional<u32> last;       ///< whose turn it was: an input from a switch, or nodes_turn
    std::optional<u32> last_node;  ///< of the inputs from nodes
    static constexpr u32 nodes_turn = 1'000'000;

    static u32 of(u32 input, const Scheduler& how) { return how.from_node(input) ? nodes_turn : input; }
    [[nodiscard]] u32 next(const std::vector<u32>& inputs, const Scheduler& how) const {
      std::map<u32, std::vector<u32>> turns;
      for (const u32 input : inputs) turns[of(input, how)].push_back(input);
      const auto& [turn, some] = *after(turns, last);
      if (turn != nodes_turn) return turn;
      const auto node = last_node ? std::ranges::upper_bound(some, *last_node) : some.begin();
      return node == some.end() ? some.front() : *node;
    }
    void took(u32 input, const Scheduler& how) {
      if (how.from_node(input)) last_node = input;
      last = of(input, how);
    }
  };
  /// Whose turn it was at an output, and of which VC. None yet: before the first.
  struct First {
    std::optional<u32> last;
    i64 last_channel = -1;
  };
  [[nodiscard]] bool by_channel(const Scheduler& how) const {
    return how.schedule == Schedule::islip && !turns_.front().empty();
  }
  /// Which of some inputs ask for each way to an output, ascending.
  static std::map<Way, std::vector<u32>> by_way(const std::vector<Asking>& all, u32 output,
                                                const std::vector<u32>& some) {
    std::map<Way, std::vector<u32>> inputs;
    for (const u32 input : some) {
      std::set<Way> ways;
      for (const Asking& one : of_input(all, input)) ways.insert(one.open.begin(), one.open.end());
      for (const Way way : ways) {
        if (way.port == output) inputs[way].push_back(input);
      }
    }
    return inputs;
  }
  /// One of some ports, ascending.
  static u32 pick(const std::vector<u32>& some, u32 pointer, const Scheduler& how) {
    if (how.schedule == Schedule::random) return some[how.draw(static_cast<u32>(some.size()))];
    for (const u32 port : some) {
      if (port >= pointer) return port;
    }
    return some.front();
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
  Asking pick_queue(const std::vector<Asking>& some, u32 output, const Scheduler& how) {
    if (how.schedule == Schedule::random) return some[how.draw(static_cast<u32>(some.size()))];
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
  /// The way with most credits of those open to outputs that have granted; of several the next behind the one that the
  /// input took before.
  Way pick_way(const Asking& asking, const std::vector<u32>& granted, const Scheduler& how) {
    std::vector<Way> best;
    for (const Way way : asking.open) {
      if (std::ranges::find(granted, way.port) == granted.end()) continue;
      if (!best.empty() && how.space(way) < how.space(best.front())) continue;
      if (!best.empty() && how.space(way) > how.space(best.front())) best.clear();
      best.push_back(way);
    }
    if (!asking.choice) return best.front();
    const auto next = std::ranges::lower_bound(best, way_[asking.input]);
    const Way taken = next == best.end() ? best.front() : *next;
    way_[asking.input] = {taken.port, taken.channel + 1};
    return taken;
  }

  std::vector<u32> grant_;                ///< pointers of outputs, without VCs
  std::vector<std::vector<Turn>> turns_;  ///< [output][VC]
  std::vector<First> firsts_;             ///< [output]
  std::vector<u32> accept_;               ///< pointers of inputs
  std::vector<u32> place_;                ///< pointers of outputs to queues
  std::vector<Way> way_;                  ///< pointers of inputs to ways
  u32 places_;
};

}  // namespace weft::reference
