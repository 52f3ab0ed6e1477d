// The walk along the links that work; depth first, so that it is short where most of them do.
#include "models/routing/open_paths.hpp"

#include <algorithm>

namespace weft::models {

template <class F>
void OpenPaths::for_each_port(const Candidates& candidates, F&& f) const {
  u32 done = Candidates::none;
  bool escape = candidates.escape != Candidates::none;
  for (u32 w = 0; w < words_; ++w) {
    for (u64 left = candidates.outputs.word(w); left != 0; left &= left - 1) {
      const u32 output = 64 * w + static_cast<u32>(std::countr_zero(left)), port = output / channels_;
      if (port != done) f(port, output % channels_);
      done = port;
      escape = escape && candidates.escape / channels_ != port;
    }
  }
  if (escape) f(candidates.escape / channels_, candidates.escape % channels_);
}

void OpenPaths::begin(RouteState& state, NodeId from, NodeId to, u64 bits) const {
  if (!looks_ahead_ || !works(from) || !works(to) || from_source({from, to, state})) return;
  // The low bits say which way round in up to 6 dimensions: all ways are tried. The others are drawn anew each time.
  for (u64 k = 1; k < 64; ++k) {
    RouteState other;
    routing_.begin(other, from, to, (engine::remix(bits, k) & ~u64{0xff}) | ((bits ^ k) & 0xff));
    if (!from_source({from, to, other})) continue;
    state = other;
    return;
  }
}

bool OpenPaths::from_source(const PacketOnRoute& packet) const {
  if (!works(packet.from) || !works(packet.to)) return false;
  const u32 router = topology_.router_of(packet.from).value();
  const u32 port = topology_.direct() ? QueuePlace::injection : topology_.port_of(packet.from);
  return arrives({{router, port, 0}, packet.state}, packet.from, packet.to);
}

Verdict OpenPaths::keep(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const {
  if (!works(packet.to)) return Verdict::dropped;
  bool will_hear = false;
  if (keep_open(at, packet, candidates, will_hear)) return Verdict::waits;
  if (!will_hear) return Verdict::dropped;
  if (!looks_ahead_) return Verdict::waits;
  routing_.add_alternatives(at, packet, candidates);
  return keep_open(at, packet, candidates, will_hear) ? Verdict::waits : Verdict::dropped;
}

/// Whether any candidate is left; `will_hear`: whether one is not because of what is known here alone.
bool OpenPaths::keep_open(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates,
                          bool& will_hear) const {
  bool some = false;
  const Candidates offered =
      candidates;  // refers to the same set of outputs, which each call changes at its own port only
  for_each_port(offered, [&](u32 port, u32 channel) {
    if (leads_on(at, packet, port, channel)) {
      some = true;
      return;
    }
    will_hear |= heard_here_alone(at.router, port);
    candidates.outputs.remove_range(port * channels_, channels_);
    if (candidates.escape != Candidates::none && candidates.escape / channels_ == port) {
      candidates.escape = Candidates::none;
    }
  });
  return some;
}

bool OpenPaths::leads_on(const QueuePlace& at, const PacketOnRoute& packet, u32 port, u32 channel) const {
  if (live_ != nullptr && !live_->detected_to_work(RouterId(at.router), port)) return false;
  Step next;
  return follow(at, packet.state, port, channel, next) && arrives(next, packet.from, packet.to);
}

bool OpenPaths::follow(const QueuePlace& at, const RouteState& state, u32 port, u32 channel, Step& next) const {
  const Peer far = topology_.peer(RouterId(at.router), port);
  if (far.kind != Peer::Kind::router) return false;
  next = {{far.id, far.port, channel}, state};
  ++next.state.links;
  routing_.leave(next.state, at, port, channel);
  return true;
}

bool OpenPaths::arrives(const Step& start, NodeId from, NodeId to) const {
  if (looks_whole()) return true;
  if (!looks_ahead_) {
    const bool leads_on = look_ahead(start, from, to) || !ahead_.empty();
    ahead_.clear();
    return leads_on;
  }
  ahead_.assign(1, start);
  seen_first_.clear();
  if (!seen_.empty()) seen_.clear();
  while (!ahead_.empty()) {
    const Step step = ahead_.back();
    ahead_.pop_back();
    const RouteState& s = step.state;
    const Seen key{u64{step.at.router} << 32 | (step.at.port & 0xffff) << 16 | step.at.channel, s.word(),
                   u64{s.phase} << 8 | s.spare};
    if (!first_time(key)) continue;
    if (look_ahead(step, from, to)) return true;
  }
  return false;
}

bool OpenPaths::first_time(const Seen& key) const {
  if (std::ranges::find(seen_first_, key) != seen_first_.end()) return false;
  if (seen_first_.size() == most_seen_first) return seen_.insert(key).second;
  seen_first_.push_back(key);
  return true;
}

bool OpenPaths::look_ahead(const Step& step, NodeId from, NodeId to) const {
  if (!topology_.direct() && topology_.router_of(to).value() == step.at.router) return true;
  set_.assign(words_, 0);
  Candidates candidates{OutputSet(set_.data(), words_)};
  const Verdict verdict = routing_.route(step.at, {from, to, step.state}, candidates);
  if (verdict == Verdict::arrived) return true;
  if (verdict == Verdict::dropped) return false;
  for_each_port(candidates, [&](u32 port, u32 channel) {
    if (!seems_to_work(step.at.router, port)) return;
    Step next;
    if (follow(step.at, step.state, port, channel, next)) ahead_.push_back(next);
  });
  return false;
}

}  // namespace weft::models
