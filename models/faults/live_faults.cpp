// Three views of one list of changes, each later than the one before.
#include "models/faults/live_faults.hpp"

#include <algorithm>
#include <cmath>

#include "engine/protocol.hpp"
#include "engine/random.hpp"

namespace weft::models {
namespace {

const Grid* two_way_grid(const Topology& topology) {
  const auto* const grid = dynamic_cast<const Grid*>(&topology.whole());
  return grid == nullptr || grid->geometry().one_way ? nullptr : grid;
}

/// So many ticks at a part of the rate, rounded up; what is whole but for the rounding of the quotient is so.
Tick stretched(Tick ticks, double factor) {
  constexpr double rounding = 1e-12;
  return static_cast<Tick>(std::ceil(static_cast<double>(ticks) / factor * (1 - rounding)));
}

}  // namespace

LiveFaults::LiveFaults(const Topology& topology, FaultSchedule schedule, const FaultRules& rules)
    : topology_(topology),
      schedule_(std::move(schedule)),
      rules_(rules),
      down_{std::vector<u8>(schedule_.parts(), 0)},
      detected_(down_),
      swept_(down_),
      given_up_(down_),
      up_at_(schedule_.parts(), 0),
      down_at_(schedule_.parts(), 0),
      cause_(schedule_.parts(), none),
      error_event_(schedule_.parts(), none),
      error_rate_(schedule_.parts(), 0),
      grid_(two_way_grid(topology)) {
  static_cast<void>(schedule_.draw(0));
}

Tick LiveFaults::slowdown(RouterId router, u32 port, Tick at, Tick ticks) const {
  const double factor = schedule_.rate_factor(router.value(), port, at);
  return factor == 1 ? 0 : stretched(ticks, factor) - ticks;
}

Tick LiveFaults::longest(Tick ticks) const {
  return slows_links() ? stretched(ticks, schedule_.least_rate_factor()) : ticks;
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
  news_ = {.anything = grid_ == nullptr, .heard_at = {}, .all_heard = {}};
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
    for (; due(next_detection_, detection); ++next_detection_) {
      if (!hear(changes[next_detection_], down_, detected_)) continue;
      any = true;
      note(changes[next_detection_], false);
    }
    for (; due(next_sweep_, sweep); ++next_sweep_) {
      const FaultSchedule::Change& change = changes[next_sweep_];
      if (hear(change, detected_, swept_)) {
        swept = true;
        note(change, true);
      }
      if (change.change == FaultEvent::Change::up) any |= give_up(change.part, false);
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

/// The routers at a link have heard of a change, or all have.
void LiveFaults::note(const FaultSchedule::Change& change, bool all) {
  constexpr std::size_t most = 8;
  if (news_.anything) return;
  if (!schedule_.is_link(change.part) || news_.heard_at.size() + news_.all_heard.size() == most) {
    news_.anything = true;
    return;
  }
  const auto [router, port] = schedule_.end(change.part);
  if (all) {
    news_.all_heard.push_back({NodeId(router), NodeId(grid_->peer(RouterId(router), port).id)});
  } else {
    news_.heard_at.push_back(router);
  }
}

bool LiveFaults::concerns_links_of(RouterId here) const {
  return news_.anything || std::ranges::find(news_.heard_at, here.value()) != news_.heard_at.end();
}

bool LiveFaults::concerns(RouterId here, NodeId to) const {
  if (concerns_links_of(here)) return true;
  const NodeId from(here.value());
  const u32 distance = grid_->distance(from, to);
  return std::ranges::any_of(news_.all_heard, [&](const News::Link& link) {
    const u32 before = grid_->distance(from, link.from) + 1;
    return before <= distance && before + grid_->distance(link.to, to) == distance;
  });
}

void LiveFaults::apply(const FaultSchedule::Change& change) {
  const u32 part = change.part;
  if (!schedule_.is_link(part)) news_.anything = true;
  if (change.change == FaultEvent::Change::error_rate) {
    error_rate_[part] = change.error_rate;
    error_event_[part] = change.event;
    errs_ = true;
    return;
  }
  const bool down = change.change == FaultEvent::Change::down;
  down_.set(part, down, schedule_.is_link(part));
  if (down) {
    down_at_[part] = change.at;
    cause_[part] = change.event;
  } else {
    up_at_[part] = last_up_ = change.at;
    down_ticks_ += change.at - down_at_[part];
  }
}

double LiveFaults::availability(Tick end) const {
  if (end == 0 || schedule_.parts() == 0) return 1;
  u128 down = down_ticks_;
  for (u32 part = 0; part < schedule_.parts(); ++part) down += down_.down[part] != 0 ? end - down_at_[part] : 0;
  return 1 - static_cast<double>(down) / (static_cast<double>(end) * schedule_.parts());
}

/// A view takes over how a part is in another one; false if it is alike in both.
bool LiveFaults::hear(const FaultSchedule::Change& change, const View& from, View& to) {
  const u32 part = change.part;
  if (from.down[part] == to.down[part]) return false;
  to.set(part, from.down[part] != 0, schedule_.is_link(part));
  last_heard_ = change.event;
  return true;
}

/// A part that has not worked for the time-out, or that all know to work again.
bool LiveFaults::give_up(u32 part, bool up) {
  const bool dead = down_.down[part] != 0 && engine::later_by(down_at_[part], rules_.path_timeout_ticks) <= now_;
  if (dead != up || (given_up_.down[part] != 0) == up) return false;
  given_up_.set(part, up, schedule_.is_link(part));
  return true;
}

u32 LiveFaults::loss(RouterId router, u32 port, Tick left, Tick now) const {
  const bool whole = all_worked(left);
  if (whole && !errs_) return none;
  const u32 link = schedule_.link(router.value(), port);
  if (whole) return loss_by_error(link, now);
  if (const u32 event = missed(link, left); event != none) return event;
  if (const u32 event = missed(schedule_.router(router.value()), left); event != none) return event;
  const Peer far = topology_.peer(router, port);
  const u32 end = far.kind == Peer::Kind::node ? schedule_.node(far.id) : schedule_.router(far.id);
  const u32 event = missed(end, left);
  return event != none ? event : loss_by_error(link, now);
}

u32 LiveFaults::failure_in(const View& view, RouterId router, u32 port) const {
  const Peer far = topology_.peer(router, port);
  for (const u32 part : {schedule_.link(router.value(), port), schedule_.router(router.value()),
                         far.kind == Peer::Kind::node ? schedule_.node(far.id) : schedule_.router(far.id)}) {
    if (is_down(view, part)) return cause_[part];
  }
  return none;
}

u32 LiveFaults::loss_from(NodeId node, Tick left) const {
  if (all_worked(left)) return none;
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

bool LiveFaults::works(const View& view, NodeId node) const {
  return view.ends == 0 || (!is_down(view, schedule_.node(node.value())) &&
                            !is_down(view, schedule_.router(topology_.router_of(node).value())));
}

bool LiveFaults::leads_on_in_damage(const View& view, RouterId router, u32 port) const {
  if (is_down(view, schedule_.link(router.value(), port))) return false;
  if (view.ends == 0) return true;
  if (is_down(view, schedule_.router(router.value()))) return false;
  const Peer far = topology_.peer(router, port);
  if (far.kind == Peer::Kind::node) return !is_down(view, schedule_.node(far.id));
  return far.kind == Peer::Kind::none || !is_down(view, schedule_.router(far.id));
}

}  // namespace weft::models
