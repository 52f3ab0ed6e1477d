// The inputs of a switch in the plain simulator, and who is matched with whom in a tick.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <vector>

#include "tests/reference/cell_line.hpp"

namespace weft::reference {

/// A packet in an input, wholly or partly.
struct Visitor {
  u32 packet = 0, channel = 0;  ///< VC that it came by
  Tick came = 0;                ///< its first cell
  Way way = {};                 ///< once it is routed
  bool set_aside = false;       ///< whether it has its credits
  Tick ready = 0;
};

/// Packets of a queue: VOQs go by output and VC there (the VC behind the last is those with credits set aside), FIFOs
/// by VC of the link in.
using QueueName = Way;

struct Input {
  std::vector<std::set<Cell>> buffer;  ///< [channel]
  std::list<Visitor> unrouted;
  std::map<QueueName, std::deque<Visitor>> queues;
  Tick busy = 0;  ///< ticks until it is idle
};

/// A first packet that asks.
struct Asking {
  u32 input;
  QueueName queue;
  u32 channel;  ///< that the round robin over VCs goes by
  Tick birth;
};

struct Match {
  u32 output;
  Asking asking;
};

/// A switch without its lines.
class Crossbar {
 public:
  explicit Crossbar(u32 ports, u32 channels)
      : inputs(ports), grant_(ports, 0), accept_(ports, 0), channel_(ports, 0), channels_(channels) {
    for (Input& input : inputs) input.buffer.resize(channels);
  }

  std::vector<Input> inputs;

  /// Who asks for an output, inputs ascending: [output].
  using Requests = std::vector<std::vector<Asking>>;

  [[nodiscard]] std::vector<Match> match(const Requests& requests, const CellNetwork& net, const CellRules& rules) {
    const u32 ports = static_cast<u32>(inputs.size());
    std::vector<Match> matches;
    std::vector<bool> input_taken(ports, false), output_taken(ports, false);
    for (u32 round = 0; round < net.iterations; ++round) {
      std::vector<std::vector<u32>> granted(ports);  // [input]
      for (u32 o = 0; o < ports; ++o) {
        if (output_taken[o]) continue;
        std::vector<u32> askers;
        for (const Asking& one : requests[o]) {
          if (!input_taken[one.input] && (askers.empty() || askers.back() != one.input)) askers.push_back(one.input);
        }
        if (askers.empty()) continue;
        const u32 i =
            pick(askers, grant_[o], net, rules, [&](u32 a) { return oldest(of_input(requests[o], a)).birth; });
        granted[i].push_back(o);
      }
      for (u32 i = 0; i < ports; ++i) {
        if (granted[i].empty()) continue;
        const u32 o =
            pick(granted[i], accept_[i], net, rules, [&](u32 b) { return oldest(of_input(requests[b], i)).birth; });
        input_taken[i] = output_taken[o] = true;
        matches.push_back({o, pick_queue(of_input(requests[o], i), o, net, rules)});
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
  static u32 pick(const std::vector<u32>& some, u32 pointer, const CellNetwork& net, const CellRules& rules,
                  BirthOf birth_of) {
    if (net.schedule == Schedule::random) return some[rules.draw(static_cast<u32>(some.size()))];
    if (net.schedule == Schedule::islip) {
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
  /// Born first, then of the lowest VC.
  static Asking oldest(const std::vector<Asking>& some) {
    const Asking* best = &some.front();
    for (const Asking& one : some) {
      if (one.birth < best->birth || (one.birth == best->birth && one.channel < best->channel)) best = &one;
    }
    return *best;
  }
  Asking pick_queue(const std::vector<Asking>& some, u32 output, const CellNetwork& net, const CellRules& rules) {
    if (net.schedule == Schedule::random) return some[rules.draw(static_cast<u32>(some.size()))];
    if (net.schedule == Schedule::age) return oldest(some);
    const u32 lanes = channels_ + 1;
    for (u32 step = 0; step < lanes; ++step) {
      const u32 channel = (channel_[output] + step) % lanes;
      for (const Asking& one : some) {
        if (one.channel != channel) continue;
        channel_[output] = (channel + 1) % lanes;
        return one;
      }
    }
    return some.front();
  }

  std::vector<u32> grant_, accept_;  ///< pointers of outputs, of inputs
  std::vector<u32> channel_;         ///< pointers of outputs to VCs
  u32 channels_;
};

}  // namespace weft::reference
