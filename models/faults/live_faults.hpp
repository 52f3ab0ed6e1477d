// Which parts of a network work at a time of a run: in fact, as the two ends of a link know it, and as all routers do.
#pragma once

#include <vector>

#include "models/faults/fault_schedule.hpp"
#include "models/topology/grid.hpp"

namespace weft::models {

/// What becomes of packets for which no path is left that is known to work.
enum class CutOff : u8 { drop, wait, stop };

struct FaultRules {
  Tick detection_ticks = 0;  ///< until the routers at the ends of a link, or around a router, know of a change
  Tick sweep_ticks = 0;      ///< from then on until all routers do
  Tick path_timeout_ticks =
      never;  ///< until NICs give up paths over what fails, if they have not heard of it; never: not
  CutOff cut_off = CutOff::drop;
  u64 seed = 1;  ///< of draws of packets that are lost by an error rate
};

/// A part that works again before its failure was detected was never missed. Each process has one of its own, advanced
/// to the same times: what it says does not depend on who asks. Larger than others: it keeps three views of the parts,
/// and what became of each last.
class LiveFaults {
 public:
  /// The topology must outlive it.
  LiveFaults(const Topology& topology, FaultSchedule schedule, const FaultRules& rules);

  /// The next time after `now` at which anything changes; `never` if there is none.
  [[nodiscard]] Tick next_after(Tick now) const;
  /// Applies all changes at or before `now`; whether there were any since the last call.
  bool advance(Tick now);

  /// Whether what the last `advance` has changed may change the outputs of a packet that has some and waits at a router
  /// for those to a node, if packets take shortest paths. Answers are exact for changes of few links of meshes and
  /// tori, and true for all others.
  [[nodiscard]] bool concerns(RouterId here, NodeId to) const;
  /// Whether a router may have heard of a link of its own by it.
  [[nodiscard]] bool concerns_links_of(RouterId here) const;

  /// Whether links have less than their rate at any time.
  [[nodiscard]] bool slows_links() const { return schedule_.least_rate_factor() < 1; }
  /// By how many ticks a packet takes a link longer that has its own rate for so many: one that begins to leave a
  /// router through a port at tick `at`, whatever this has been advanced to.
  [[nodiscard]] Tick slowdown(RouterId router, u32 port, Tick at, Tick ticks) const;
  /// Most ticks that a packet takes any link at any time, of one that takes it for so many at its own rate.
  [[nodiscard]] Tick longest(Tick ticks) const;

  [[nodiscard]] CutOff cut_off() const { return rules_.cut_off; }
  /// Whether the network has parts that do not work, or of which somebody does not know that they do again.
  [[nodiscard]] bool damaged() const { return (down_.parts | detected_.parts | swept_.parts) != 0; }
  /// The events of all that changed in the last call of `advance` that said so, in fact or as somebody knows it; a run
  /// that is resumed hears of all that was before. An event may be named more than once.
  [[nodiscard]] const std::vector<u32>& changed() const { return changed_; }
  /// How often what all routers know has changed.
  [[nodiscard]] u64 sweeps() const { return sweeps_; }
  /// Whether there is something that not all routers know yet.
  [[nodiscard]] bool sweep_due() const { return next_sweep_ < next_part_; }
  /// Whether all parts work, as all routers know it.
  [[nodiscard]] bool looks_whole() const { return swept_.parts == 0; }
  /// Likewise, and as NICs that choose paths know it.
  [[nodiscard]] bool looks_whole_to_nics() const { return swept_.parts == 0 && given_up_.parts == 0; }

  static constexpr u32 none = ~u32{0};
  /// The event by which a header was lost that left a router through a port at tick `left`, for the router or node
  /// there, and would arrive at tick `now`: a part failed, or did not work, in between; or by the link's error rate.
  /// None if it arrives.
  [[nodiscard]] u32 loss(RouterId router, u32 port, Tick left, Tick now) const;
  /// Likewise from a node to its router.
  [[nodiscard]] u32 loss_from(NodeId node, Tick left) const;
  /// The event by which a link, or what is at one of its ends, does not work; none if it does.
  [[nodiscard]] u32 failure(RouterId router, u32 port) const { return failure_in(down_, router, port); }
  /// The event by which a link, or what is at one of its ends, failed last that does not work as the router there knows
  /// it; none if it does.
  [[nodiscard]] u32 detected_failure(RouterId router, u32 port) const { return failure_in(detected_, router, port); }
  /// The event by which a router or node, which does not work, failed.
  [[nodiscard]] u32 failure(RouterId router) const { return cause_[schedule_.router(router.value())]; }
  [[nodiscard]] u32 failure(NodeId node) const;
  /// The event of which routers heard last.
  [[nodiscard]] u32 last_heard() const { return last_heard_; }
  [[nodiscard]] const std::vector<FaultEvent>& events() const { return schedule_.events(); }
  /// When a part changed last; 0 if none has.
  [[nodiscard]] Tick last_change() const { return next_part_ == 0 ? 0 : schedule_.changes()[next_part_ - 1].at; }
  /// Mean share of the time before tick `end`, at or after the one advanced to, in which the parts work that change
  /// during the run.
  [[nodiscard]] double availability(Tick end) const;
  /// Whether a router or node works, in fact.
  [[nodiscard]] bool works(RouterId router) const { return !is_down(down_, schedule_.router(router.value())); }
  [[nodiscard]] bool works(NodeId node) const { return works(down_, node); }
  /// Whether the link of a port leads on as the router there knows it.
  [[nodiscard]] bool detected_to_work(RouterId router, u32 port) const { return leads_on(detected_, router, port); }
  /// Whether a node, and the router that it is at, works as those know it that are next to it.
  [[nodiscard]] bool detected_to_work(NodeId node) const { return works(detected_, node); }
  /// As all routers know it.
  [[nodiscard]] bool known_to_work(RouterId router, u32 port) const { return leads_on(swept_, router, port); }
  /// As NICs that choose paths know it: they give up what has not worked for a time-out, until all routers know that it
  /// works again.
  [[nodiscard]] bool nics_use(RouterId router, u32 port) const {
    return leads_on(swept_, router, port) && leads_on(given_up_, router, port);
  }
  [[nodiscard]] bool known_to_work(NodeId node) const { return works(swept_, node); }
  /// Whether a node does not work, in fact or as all know it.
  [[nodiscard]] bool misses(NodeId node) const { return !works(node) || !known_to_work(node); }

 private:
  /// What does not work, in fact or as some know it.
  struct View {
    std::vector<u8> down;  ///< [part]
    u32 parts = 0;         ///< how many do not work,
    u32 ends = 0;          ///< and how many of these are no links

    void set(u32 part, bool is_down, bool is_link) {
      down[part] = is_down ? 1 : 0;
      parts += is_down ? 1 : ~u32{0};
      if (!is_link) ends += is_down ? 1 : ~u32{0};
    }
  };

  static bool is_down(const View& view, u32 part) { return part != FaultSchedule::none && view.down[part] != 0; }
  [[nodiscard]] bool works(const View& view, NodeId node) const;
  [[nodiscard]] bool leads_on(const View& view, RouterId router, u32 port) const {
    return view.parts == 0 || leads_on_in_damage(view, router, port);
  }
  [[nodiscard]] u32 failure_in(const View& view, RouterId router, u32 port) const;
  [[nodiscard]] bool leads_on_in_damage(const View& view, RouterId router, u32 port) const;
  /// Whether nothing was down at any time after `left`.
  [[nodiscard]] bool all_worked(Tick left) const { return down_.parts == 0 && last_up_ <= left; }
  /// The event by which a part was down at any time after `left`; none if it was not.
  [[nodiscard]] u32 missed(u32 part, Tick left) const {
    return part != FaultSchedule::none && (down_.down[part] != 0 || up_at_[part] > left) ? cause_[part] : none;
  }
  [[nodiscard]] u32 loss_by_error(u32 part, Tick now) const;
  void apply(const FaultSchedule::Change& change);
  bool hear(const FaultSchedule::Change& change, const View& from, View& to);
  void note(const FaultSchedule::Change& change, bool all);
  /// NICs give a part up, or use it again; whether that is news.
  bool give_up(u32 part, bool up);

  const Topology& topology_;
  FaultSchedule schedule_;
  FaultRules rules_;
  View down_, detected_, swept_, given_up_;
  std::vector<Tick> up_at_;         ///< [part] when it came up last; 0: it never failed
  std::vector<Tick> down_at_;       ///< [part] when it failed last
  std::vector<u32> cause_;          ///< [part] event by which it did
  std::vector<u32> error_event_;    ///< [part] event that set its error rate
  std::vector<double> error_rate_;  ///< [part]
  std::size_t next_part_ = 0, next_detection_ = 0, next_sweep_ = 0,
              next_timeout_ = 0;  ///< changes that are still to come
  std::vector<u32> changed_;
  /// What the last `advance` has changed.
  struct News {
    struct Link {
      NodeId from, to;
    };
    bool anything = true;         ///< more than what follows
    std::vector<u32> heard_at;    ///< routers that have heard of a link of theirs
    std::vector<Link> all_heard;  ///< links of which all have
  };
  const Grid* grid_;  ///< the network, if it is a mesh or torus of links both ways; else null
  News news_;
  Tick last_up_ = 0;   ///< when any part came up last
  bool errs_ = false;  ///< a link has had an error rate
  u64 sweeps_ = 0;
  u32 last_heard_ = 0;
  u128 down_ticks_ = 0;  ///< of all parts, of failures that are over
  Tick now_ = 0;
};

}  // namespace weft::models
