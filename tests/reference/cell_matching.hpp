// Who of a switch's inputs is matched with which output in a tick, in the plain simulators.
#pragma once

#include <vector>

#include "tests/reference/cell_network.hpp"

namespace weft::reference {

/// Packets of a queue: VOQs go by output and VC there (the VCs behind the last are those with credits set aside, one
/// for each traffic class), FIFOs by VC of the link in.
using QueueName = Way;

/// A first packet that asks.
struct Asking {
  u32 input;
  QueueName queue;
  u32 channel;  ///< that the round robin over queues goes by
  Tick birth;
};
/// Who asks for an output, inputs ascending: [output].
using Requests = std::vector<std::vector<Asking>>;

struct Match {
  u32 output;
  Asking asking;
};

/// How it is done.
struct Lots {
  Schedule schedule;
  u32 iterations;
  const std::function<u32(u32 below)>& draw;
};

/// The pointers of a switch.
class Matcher {
 public:
  /// Queues of an input for one output are numbered below `lanes`.
  Matcher(u32 ports, u32 lanes) : grant_(ports, 0), accept_(ports, 0), lane_(ports, 0), lanes_(lanes) {}

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
        const u32 i = pick(askers, grant_[o], how, [&](u32 a) { return oldest(of_input(requests[o], a)).birth; });
        granted[i].push_back(o);
      }
      for (u32 i = 0; i < ports; ++i) {
        if (granted[i].empty()) continue;
        const u32 o = pick(granted[i], accept_[i], how, [&](u32 b) { return oldest(of_input(requests[b], i)).birth; });
        input_taken[i] = output_taken[o] = true;
        matches.push_back({o, pick_queue(of_input(requests[o], i), o, how)});
        if (round == 0) {
          grant_[o] = (i + 1) % ports;
          accept_[i] = (o + 1) % ports;
        }
      }
    }
    return matches;
  }

 private:
  /// One of some ports, ascending.
  template <class BirthOf>
  static u32 pick(const std::vector<u32>& some, u32 pointer, const Lots& how, BirthOf birth_of) {
    if (how.schedule == Schedule::random) return some[how.draw(static_cast<u32>(some.size()))];
    if (how.schedule == Schedule::islip) {
      for (const u32 port : some) {
        if (port >= pointer) return port;
      }
      return some.front();
    }
    u32 best = some.front();
    for (const u32 port : some) {
      if (birth_of(port) < birth_of(best)) best = port;
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
  /// Born first, then of the first queue.
  static Asking oldest(const std::vector<Asking>& some) {
    const Asking* best = &some.front();
    for (const Asking& one : some) {
      if (one.birth < best->birth || (one.birth == best->birth && one.channel < best->channel)) best = &one;
    }
    return *best;
  }
  Asking pick_queue(const std::vector<Asking>& some, u32 output, const Lots& how) {
    if (how.schedule == Schedule::random) return some[how.draw(static_cast<u32>(some.size()))];
    if (how.schedule == Schedule::age) return oldest(some);
    for (u32 step = 0; step < lanes_; ++step) {
      const u32 lane = (lane_[output] + step) % lanes_;
      for (const Asking& one : some) {
        if (one.channel != lane) continue;
        lane_[output] = (lane + 1) % lanes_;
        return one;
      }
    }
    return some.front();
  }

  std::vector<u32> grant_, accept_;  ///< pointers of outputs, of inputs
  std::vector<u32> lane_;            ///< pointers of outputs to queues
  u32 lanes_;
};

}  // namespace weft::reference
