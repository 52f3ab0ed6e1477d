// All that happens to the parts of a network during a run, known to every process before it begins.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "models/faults/fault_event.hpp"
#include "models/faults/fault_process.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Parts that change, by number, and their changes by time. A link is two parts, one for each direction. Rates of links
/// are no changes: nobody has to be told of them, and what they are at any time is known from the begin.
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
  [[nodiscard]] u32 link(u32 router, u32 port) const {
    const u32 at = first_port_[router] + port;
    return at < first_port_[router + 1] ? links_[at] : none;
  }
  [[nodiscard]] u32 router(u32 router) const { return routers_[router]; }
  [[nodiscard]] u32 node(u32 node) const { return nodes_[node]; }
  /// Whether a part is a direction of a link; and which port of which router that leaves through.
  [[nodiscard]] bool is_link(u32 part) const { return ends_[part] != no_link; }
  struct End {
    u32 router, port;
  };
  [[nodiscard]] End end(u32 part) const { return {static_cast<u32>(ends_[part] >> 32), static_cast<u32>(ends_[part])}; }
  /// The part of its rate that a link has at a tick, whatever has been drawn, for what leaves a router through a port.
  [[nodiscard]] double rate_factor(u32 router, u32 port, Tick at) const;
  /// The least that any link has at any time.
  [[nodiscard]] double least_rate_factor() const { return least_rate_factor_; }

 private:
  [[nodiscard]] static u64 end_of(u32 router, u32 port) { return u64{router} << 32 | port; }
  static constexpr u64 no_link = ~u64{0};
  /// The number of a part, which gets one if it has none. `end`: of a link, or no_link.
  u32 number(u32& of_part, u64 end) {
    if (of_part != none) return of_part;
    ends_.push_back(end);
    return of_part = parts_++;
  }
  /// Parts of an event: those of a link are its directions, of others twice the one; none if all of them go on working
  /// as they do.
  using Parts = std::pair<u32, u32>;
  Parts parts_of(const Topology& topology, const FaultEvent& event);
  /// What an event says of a link's rate. Throws ConfigError if another says something at the same time.
  void add_rate(const Topology& topology, const GivenFault& event);
  void add(const Topology& topology, const FaultProcess& process);
  /// Parts of a process. Throws ConfigError if they have events or another process.
  void add(const Topology& topology, const FaultProcess& process, u32 id, u32 port = 0);

  struct Rate {
    Tick from = 0;
    double factor = 1;
  };
  std::unordered_map<u64, std::vector<Rate>> rates_;  ///< [end of a link that changes its rate]: by time
  double least_rate_factor_ = 1;
  std::vector<u32> first_port_;  ///< [router], and the end of the last
  std::vector<u32> links_, routers_,
      nodes_;              ///< numbers of parts: [first_port_ of the router + port], [router], [node]
  std::vector<u64> ends_;  ///< [part]: end_of a link, or no_link
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
