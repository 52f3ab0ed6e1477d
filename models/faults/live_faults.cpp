// Three views of one list of changes, each later than the one before.
#include "models/faults/live_faults.hpp"

#include <algorithm>
#include <cmath>

#include "engine/protocol.hpp"
#include "engine/random.hpp"

namespace weft::models {

LiveFaults::LiveFaults(const Topology& topology, FaultSchedule schedule, const FaultRules& rules)
    : topology_(topology),
      schedule_(std::move(schedule)),
      rules_(rules),
      down_(schedule_.parts(), 0),
      detected_(down_),
      swept_(down_),
      given_up_(down_),
      up_at_(schedule_.parts(), 0),
      down_at_(schedule_.parts(), 0),
      cause_(schedule_.parts(), none),
      error_event_(schedule_.parts(), none),
      error_rate_(schedule_.parts(), 0) {
  static_cast<void>(schedule_.draw(0));
}

Tick LiveFaults::next_after(Tick now) const {
  const auto& changes = schedule_.changes();
  const auto first = [&](std::size_t from, Tick later) {
    while (from < changes.size() && engine::later_by(changes[from].at, later) <= now) ++from;
    return from < changes.size() ? engine::later_by(changes[from].at, later) : never;
  };
  return std::min({first(next_part_, 0), first(next_detection_, rules_.detection_ticks),
                   first(next_sweep_, engine::later_by(rules_.detection_ticks, rules_.sweep_ticks)),
                   rules_.path_timeout_ticks == never ? never : first(next_timeout_, rules_.path_timeout_ticks)});
}

bool LiveFaults::advance(Tick now) {
  const Tick detection = rules_.detection_ticks, sweep = engine::later_by(detection, rules_.sweep_ticks);
  const auto& changes = schedule_.changes();
  const std::size_t parts_before = next_part_, detections_before = next_detection_, sweeps_before = next_sweep_;
  bool any = false, swept = false;
  // In the order of time: what is detected is how the part is then.
  do {
    now_ = std::min(now, next_after(now_));
    for (; schedule_.draw(next_part_) && changes[next_part_].at <= now_; ++next_part_) {
      apply(changes[next_part_]);
      any = true;
    }
    const auto due = [&](std::size_t next, Tick later) {
      return next < changes.size() && engine::later_by(changes[next].at, later) <= now_;
    };
    for (; due(next_detection_, detection); ++next_detection_)
      any |= hear(changes[next_detection_], down_, detected_, detected_damage_);
    for (; due(next_sweep_, sweep); ++next_sweep_) {
      swept |= hear(changes[next_sweep_], detected_, swept_, swept_damage_);
      if (changes[next_sweep_].change == FaultEvent::Change::up) any |= give_up(changes[next_sweep_].part, false);
    }
    if (rules_.path_timeout_ticks == never) continue;
    for (; due(next_timeout_, rules_.path_timeout_ticks); ++next_timeout_)
      any |= give_up(changes[next_timeout_].part, true);
  } while (now_ < now);
  sweeps_ += swept ? 1 : 0;
  if (!any && !swept) return false;
  changed_.clear();
  for (const auto& [from, to] : {std::pair(parts_before, next_part_), std::pair(detections_before, next_detection_),
                                 std::pair(sweeps_before, next_sweep_)}) {
    for (std::size_t k = from; k < to; ++k) changed_.push_back(changes[k].event);
  }
  return true;
}

void LiveFaults::apply(const FaultSchedule::Change& change) {
  const u32 part = change.part;
  if (change.change == FaultEvent::Change::error_rate) {
    error_rate_[part] = change.error_rate;
    error_event_[part] = change.event;
    return;
  }
  const bool down = change.change == FaultEvent::Change::down;
  down_[part] = down ? 1 : 0;
  damage_ += down ? 1 : ~u32{0};
  if (down) {
    down_at_[part] = change.at;
    cause_[part] = change.event;
  } else {
    up_at_[part] = change.at;
    down_ticks_ += change.at - down_at_[part];
  }
}

double LiveFaults::availability(Tick end) const {
  if (end == 0 || schedule_.parts() == 0) return 1;
  u128 down = down_ticks_;
  for (u32 part = 0; part < schedule_.parts(); ++part) down += down_[part] != 0 ? end - down_at_[part] : 0;
  return 1 - static_cast<double>(down) / (static_cast<double>(end) * schedule_.parts());
}

/// A view takes over how a part is in another one; false if it is alike in both.
bool LiveFaults::hear(const FaultSchedule::Change& change, const Flags& from, Flags& to, u32& damage) {
  const u32 part = change.part;
  if (from[part] == to[part]) return false;
  to[part] = from[part];
  damage += to[part] != 0 ? 1 : ~u32{0};
  last_heard_ = change.event;
  return true;
}

/// A part that has not worked for the time-out, or that all know to work again.
bool LiveFaults::give_up(u32 part, bool up) {
  const bool dead = down_[part] != 0 && engine::later_by(down_at_[part], rules_.path_timeout_ticks) <= now_;
  if (dead != up || (given_up_[part] != 0) == up) return false;
  given_up_[part] = up ? 1 : 0;
  given_up_damage_ += up ? 1 : ~u32{0};
  return true;
}

u32 LiveFaults::loss(RouterId router, u32 port, Tick left, Tick now) const {
  const u32 link = schedule_.link(router.value(), port);
  if (const u32 event = missed(link, left); event != none) return event;
  if (const u32 event = missed(schedule_.router(router.value()), left); event != none) return event;
  const Peer far = topology_.peer(router, port);
  const u32 end = far.kind == Peer::Kind::node ? schedule_.node(far.id) : schedule_.router(far.id);
  const u32 event = missed(end, left);
  return event != none ? event : loss_by_error(link, now);
}

u32 LiveFaults::failure_in(const Flags& down, RouterId router, u32 port) const {
  const Peer far = topology_.peer(router, port);
  for (const u32 part : {schedule_.link(router.value(), port), schedule_.router(router.value()),
                         far.kind == Peer::Kind::node ? schedule_.node(far.id) : schedule_.router(far.id)}) {
    if (is_down(down, part)) return cause_[part];
  }
  return none;
}

u32 LiveFaults::loss_from(NodeId node, Tick left) const {
  const u32 event = missed(schedule_.node(node.value()), left);
  return event != none ? event : missed(schedule_.router(topology_.router_of(node).value()), left);
}

/// One header at most arrives over a link in a tick.
u32 LiveFaults::loss_by_error(u32 part, Tick now) const {
  if (part == FaultSchedule::none || error_rate_[part] == 0) return none;
  const u64 bits = engine::random_bits(rules_.seed, part, now, engine::Use::link_errors);
  return engine::to_unit(bits) < error_rate_[part] ? error_event_[part] : none;
}

u32 LiveFaults::failure(NodeId node) const {
  const u32 part = schedule_.node(node.value());
  return is_down(down_, part) ? cause_[part] : failure(topology_.router_of(node));
}

bool LiveFaults::works(const Flags& down, NodeId node) const {
  return !is_down(down, schedule_.node(node.value())) &&
         !is_down(down, schedule_.router(topology_.router_of(node).value()));
}

bool LiveFaults::leads_on(const Flags& down, RouterId router, u32 port) const {
  if (is_down(down, schedule_.link(router.value(), port)) || is_down(down, schedule_.router(router.value())))
    return false;
  const Peer far = topology_.peer(router, port);
  if (far.kind == Peer::Kind::node) return !is_down(down, schedule_.node(far.id));
  return far.kind == Peer::Kind::none || !is_down(down, schedule_.router(far.id));
}

}  // namespace weft::models
