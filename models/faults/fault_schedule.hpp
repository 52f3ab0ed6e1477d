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
    FaultEvent::Change what = FaultEvent::Change::down;
    double error_rate = 0;
  };

  /// `seed`: of the processes. Throws ConfigError with the place of an event or process if a part does not exist, comes
  /// up though it is not down, goes down though it is, has two events at the same time, or events and a process.
  FaultSchedule(const Topology& topology, std::vector<FaultEvent> events, const std::vector<FaultProcess>& processes,
                u64 seed);

  [[nodiscard]] u32 parts() const { return parts_; }
  /// By time, those of one time by part; as far as they have been drawn.
  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }
  /// What was said, or drawn, of a part: the cause of one or two changes.
  struct Event {
    Tick at = 0;
    FaultEvent::Part part = FaultEvent::Part::link;
    FaultEvent::Change what = FaultEvent::Change::down;
    u32 id = 0, port = 0;
    double error_rate = 0;
    bool one_way = false;
  };
  /// By time, as far as they have been drawn.
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
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
  void add(const Topology& topology, const FaultEvent& event);
  void add(const Topology& topology, const FaultProcess& process);
  /// The number of a part that has none yet. Throws ConfigError if it has.
  u32 only_here(Numbers& numbers, u64 key, const FaultProcess& process, const std::string& name);

  Numbers links_, routers_, nodes_;
  u32 parts_ = 0;
  std::vector<Event> given_;  ///< by time
  std::size_t next_given_ = 0;
  std::vector<std::pair<u32, u32>> given_parts_;  ///< [given_] the parts that change: two of a link
  FaultDraws draws_;
  std::vector<Event> drawn_parts_;  ///< [part] of processes: which it is
  std::vector<Event> events_;
  std::vector<Change> changes_;
};

}  // namespace weft::models
