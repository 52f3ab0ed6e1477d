// A NIC of the plain simulator of docs/myrinet.md: what it knows of other nodes, and what it decides.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "engine/base/types.hpp"

namespace weft::reference {

/// Settings of NICs.
struct NicRules {
  enum class Scheme : u8 { fixed, random, adaptive, probing } scheme = Scheme::fixed;
  u32 threshold = 0;  ///< T
  u32 percent = 100;  ///< P
  bool row = false;   ///< only stopped packets in a row count
  u32 probe_cells = 1;
  Tick travel = 0;  ///< a probe on a free route travels no longer
  u32 tries = 1;    ///< 0: `rounds` for each route
  u32 rounds = 1;
  double factor = 2;  ///< F
  /// How many routes there are for a pair of nodes.
  std::function<u32(u32 from, u32 to)> routes;
  /// A packet, named by its number, gets its route.
  std::function<void(u32 packet, u32 from, u32 to, u32 route)> take;
  /// A random number below a bound: the node's own, by the number of the draw.
  std::function<u32(u32 node, u64 number, u32 below)> draw;
};

class Nic {
 public:
  /// The route of a packet of data that begins.
  u32 route_to(const NicRules& rules, u32 here, u32 to) {
    Record& record = records_.try_emplace(to, Record{.threshold = rules.threshold}).first->second;
    record.routes = rules.routes(here, to);
    if (record.routes <= 1) {
      record.route = 0;
    } else if (!record.route || rules.scheme == NicRules::Scheme::random) {
      record.route = draw(rules, here, record.routes);
    }
    return *record.route;
  }
  /// A packet of data has left. The candidate of a probe, if one is to be sent.
  std::optional<u32> left(const NicRules& rules, u32 here, u32 to, bool stopped) {
    Record& record = records_.at(to);
    const bool goes_by_count = rules.scheme == NicRules::Scheme::adaptive || rules.scheme == NicRules::Scheme::probing;
    if (record.routes <= 1 || !goes_by_count) return {};
    if (stopped) ++record.count;
    if (!stopped && rules.row) record.count = 0;
    if (!stopped || record.count <= record.threshold) return {};
    if (rules.percent < 100 && draw(rules, here, 100) >= rules.percent) return {};
    const u32 other = another(rules, here, record);
    if (rules.scheme == NicRules::Scheme::probing) {
      record.tries = 1;
      record.candidate = other;
      return other;
    }
    record.route = other;
    record.count = 0;
    return {};
  }
  /// The answer of a probe has come. The candidate of the next, if there is one.
  std::optional<u32> answered(const NicRules& rules, u32 here, u32 from, Tick travelled) {
    Record& record = records_.at(from);
    if (travelled <= rules.travel) {
      record.route = std::exchange(record.candidate, std::nullopt);
      record.count = 0;
      record.threshold = rules.threshold;
      return {};
    }
    const u32 other = another(rules, here, record);
    if (record.tries < (rules.tries != 0 ? rules.tries : rules.rounds * record.routes)) {
      ++record.tries;
      record.candidate = other;
      return other;
    }
    record.candidate.reset();
    record.route = other;
    record.count = 0;
    if (rules.factor > 1)
      record.threshold =
          std::max(record.threshold + 1, static_cast<u32>(std::min(record.threshold * rules.factor, 1e6)));
    return {};
  }
  /// Whether it waits for the answer of a node.
  [[nodiscard]] bool waits_for(u32 node) const {
    const auto found = records_.find(node);
    return found != records_.end() && found->second.candidate.has_value();
  }

 private:
  struct Record {
    u32 routes = 0;
    std::optional<u32> route = {}, candidate = {};
    u32 count = 0, threshold = 0, tries = 0;
  };
  u32 draw(const NicRules& rules, u32 here, u32 below) { return rules.draw(here, draws_++, below); }
  u32 another(const NicRules& rules, u32 here, const Record& record) {
    const u32 drawn = draw(rules, here, record.routes - 1);
    return drawn + (drawn >= *record.route ? 1 : 0);
  }

  std::map<u32, Record> records_;
  u64 draws_ = 0;
};

}  // namespace weft::reference
