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
    const Tick detected = rules_.detection_ticks, swept = engine::later_by(detected, rules_.sweep_ticks);
    for (; next_detection_ < changes.size() && engine::later_by(changes[next_detection_].at, detected) <= now_;
         ++next_detection_) {
      found.detected |= copy(down_, detected_, changes[next_detection_].part, detected_damage_);
    }
    for (; next_sweep_ < changes.size() && engine::later_by(changes[next_sweep_].at, swept) <= now_; ++next_sweep_)
      found.swept |= copy(detected_, swept_, changes[next_sweep_].part, swept_damage_);
    if (now_ == now) return found;
  }
}

void LiveFaults::take_up(const FaultSchedule::Change& change) {
  if (change.what == FaultEvent::Change::error_rate) {
    error_rate_[change.part] = change.error_rate;
    return;
  }
  const bool down = change.what == FaultEvent::Change::down;
  down_[change.part] = down ? 1 : 0;
  damage_ += down ? 1 : ~u32{0};
  if (!down) up_at_[change.part] = change.at;
}

bool LiveFaults::copy(const Flags& from, Flags& to, u32 part, u32& count) {
  if (from[part] == to[part]) return false;
  to[part] = from[part];
  count += to[part] != 0 ? 1 : ~u32{0};
  return true;
}

bool LiveFaults::loses(RouterId router, u32 port, Tick left, Tick now) const {
  const u32 link = schedule_.link(router.value(), port);
  if (missed(link, left) || missed(schedule_.router(router.value()), left)) return true;
  const Peer far = topology_.peer(router, port);
  const u32 end = far.kind == Peer::Kind::node ? schedule_.node(far.id) : schedule_.router(far.id);
  return missed(end, left) || loses_by_error(link, now);
}

bool LiveFaults::loses_from(NodeId node, Tick left) const {
  return missed(schedule_.node(node.value()), left) ||
         missed(schedule_.router(topology_.router_of(node).value()), left);
}

/// One header at most arrives over a link in a tick.
bool LiveFaults::loses_by_error(u32 part, Tick now) const {
  if (part == FaultSchedule::none || error_rate_[part] == 0) return false;
  return engine::to_unit(engine::random_bits(rules_.seed, part, now, engine::Use::link_errors)) < error_rate_[part];
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
