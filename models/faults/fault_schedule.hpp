// All that happens to the parts of a network during a run, known to every process before it begins.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "models/faults/fault_event.hpp"
#include "models/faults/fault_process.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Parts that change, by number, and their changes by time. A link is two parts, one for each direction.
class FaultSchedule {
 public:
  static constexpr u32 none = ~u32{0};
  struct Change {
    Tick at = 0;
    u32 part = 0;
    u32 event = 0;  ///< that it is of: both directions of a link change in one
    FaultEvent::Change change = FaultEvent::Change::down;
    double error_rate = 0;
  };

  /// `seed`: of the processes. Throws ConfigError with the place of an event or process if a part does not exist, comes
  /// up though it is not down, goes down though it is, has two events at the same time, or events and a process.
  FaultSchedule(const Topology& topology, std::vector<GivenFault> events, const std::vector<FaultProcess>& processes,
                u64 seed);

  [[nodiscard]] u32 parts() const { return parts_; }
  /// By time, those of one time by part; as far as they have been drawn.
  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }
  /// What was given, or drawn, by time: each the cause of one or two changes. As far as they have been drawn.
  [[nodiscard]] const std::vector<FaultEvent>& events() const { return events_; }
  /// Draws until there are more than so many changes; false if there are none left.
  bool draw(std::size_t count);
  /// The number of a part, or none if nothing happens to it: what leaves a router through a port, a router, a node.
  [[nodiscard]] u32 link(u32 router, u32 port) const { return found(links_, end_of(router, port)); }
  [[nodiscard]] u32 router(u32 router) const { return found(routers_, router); }
  [[nodiscard]] u32 node(u32 node) const { return found(nodes_, node); }

 private:
  using Numbers = std::unordered_map<u64, u32>;

  [[nodiscard]] static u64 end_of(u32 router, u32 port) { return u64{router} << 32 | port; }
  [[nodiscard]] static u32 found(const Numbers& numbers, u64 key) {
    const auto at = numbers.find(key);
    return at == numbers.end() ? none : at->second;
  }
  u32 number(Numbers& numbers, u64 key) {
    const auto [at, added] = numbers.try_emplace(key, parts_);
    parts_ += added ? 1 : 0;
    return at->second;
  }
  /// Parts of an event: those of a link are its directions, of others twice the one.
  using Parts = std::pair<u32, u32>;
  Parts parts_of(const Topology& topology, const FaultEvent& event);
  void add(const Topology& topology, const FaultProcess& process);
  /// Parts of a process. Throws ConfigError if they have events or another process.
  void add(const Topology& topology, const FaultProcess& process, u32 id, u32 port = 0);

  Numbers links_, routers_, nodes_;
  u32 parts_ = 0;
  std::vector<FaultEvent> given_;  ///< by time
  std::vector<Parts> given_parts_;
  std::size_t next_given_ = 0;
  FaultDraws draws_;
  std::vector<FaultEvent> drawn_parts_;  ///< [part] of processes: which it is
  std::vector<FaultEvent> events_;
  std::vector<Change> changes_;
};

}  // namespace weft::models
