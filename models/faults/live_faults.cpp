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
                   first(next_sweep_, engine::later_by(rules_.detection_ticks, rules_.sweep_ticks))});
}

LiveFaults::Changes LiveFaults::advance(Tick now) {
  Changes found;
  // In the order of time: what is detected is how the part is then.
  for (now_ = std::min(now, next_after(now_));; now_ = std::min(now, next_after(now_))) {
    while (schedule_.draw(next_part_) && schedule_.changes()[next_part_].at <= now_) {
      take_up(schedule_.changes()[next_part_++]);
      found.parts = true;
    }
    const auto& changes = schedule_.changes();
    const auto heard = [this](const FaultSchedule::Change& change) {
      last_heard_ = change.event;
      return true;
    };
    const Tick detected = rules_.detection_ticks, swept = engine::later_by(detected, rules_.sweep_ticks);
    for (; next_detection_ < changes.size() && engine::later_by(changes[next_detection_].at, detected) <= now_;
         ++next_detection_) {
      const FaultSchedule::Change& change = changes[next_detection_];
      if (copy(down_, detected_, change.part, detected_damage_)) found.detected = heard(change);
    }
    for (; next_sweep_ < changes.size() && engine::later_by(changes[next_sweep_].at, swept) <= now_; ++next_sweep_) {
      const FaultSchedule::Change& change = changes[next_sweep_];
      if (copy(detected_, swept_, change.part, swept_damage_)) found.swept = heard(change);
    }
    if (now_ < now) continue;
    sweeps_ += found.swept ? 1 : 0;
    return found;
  }
}

void LiveFaults::take_up(const FaultSchedule::Change& change) {
  const u32 part = change.part;
  if (change.what == FaultEvent::Change::error_rate) {
    error_rate_[part] = change.error_rate;
    error_event_[part] = change.event;
    return;
  }
  const bool down = change.what == FaultEvent::Change::down;
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

bool LiveFaults::copy(const Flags& from, Flags& to, u32 part, u32& count) {
  if (from[part] == to[part]) return false;
  to[part] = from[part];
  count += to[part] != 0 ? 1 : ~u32{0};
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

bool LiveFaults::works(NodeId node) const {
  return !is_down(down_, schedule_.node(node.value())) && works(topology_.router_of(node));
}

bool LiveFaults::known_to_work(NodeId node) const {
  return !is_down(swept_, schedule_.node(node.value())) &&
         !is_down(swept_, schedule_.router(topology_.router_of(node).value()));
}

bool LiveFaults::leads_on(const Flags& down, RouterId router, u32 port) const {
  if (is_down(down, schedule_.link(router.value(), port)) || is_down(down, schedule_.router(router.value())))
    return false;
  const Peer far = topology_.peer(router, port);
  if (far.kind == Peer::Kind::node) return !is_down(down, schedule_.node(far.id));
  return far.kind == Peer::Kind::none || !is_down(down, schedule_.router(far.id));
}

}  // namespace weft::models
