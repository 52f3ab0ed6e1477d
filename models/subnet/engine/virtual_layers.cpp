// The dependencies of one layer at a time as counts in a flat array, and a depth-first search that goes on where it was
// after a cycle is broken.
#include "models/subnet/engine/virtual_layers.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/subnet/dependencies.hpp"
#include "models/subnet/engine/longest_first.hpp"

namespace weft::models {
namespace {

/// Dependencies between channels of switches. That of channel c on the channel of port q of the switch it leads to has
/// the number first_[c] + q - 1.
class Dependencies {
 public:
  Dependencies(const Subnet& subnet, const ForwardingTables& tables) : subnet_(subnet), tables_(tables) {
    first_.reserve(subnet.switch_channels() + 1);
    u64 next = 0;
    for (u32 c = 0; c < subnet.switch_channels(); ++c) {
      first_.push_back(next);
      if (const Peer far = end_of(c); far.kind == Peer::Kind::router) next += subnet.switch_at(far.id).ports;
    }
    first_.push_back(next);
    count_.assign(next, 0);
    for (u32 s = 0; s < subnet.switches(); ++s) {
      for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
        if (subnet.peer(s, port).kind != Peer::Kind::node) continue;
        sources_.push_back(s);
        break;
      }
    }
  }

  [[nodiscard]] const std::vector<u32>& sources() const { return sources_; }  ///< switches with hosts
  [[nodiscard]] Peer end_of(u32 channel) const {
    const Peer owner = subnet_.owner(channel);
    return subnet_.next(owner.id, owner.port);
  }
  [[nodiscard]] u64 first(u32 channel) const { return first_[channel]; }
  [[nodiscard]] u32 fan_out(u32 channel) const { return static_cast<u32>(first_[channel + 1] - first_[channel]); }
  [[nodiscard]] u32 count(u64 dependency) const { return count_[dependency]; }
  /// Adds `change` for the route of a source switch to a target; false, and nothing changed, if it does not arrive.
  bool add(u32 source, u32 target, i32 change) {
    path_.clear();
    const u8* const row = tables_.row(target);
    const u32 host = tables_.host_of(target);
    for (u32 at = source;;) {
      const u8 port = row[at];
      if (port == 0 || port == ForwardingTables::none || path_.size() > subnet_.switches()) return false;
      const Peer next = subnet_.next(at, port);
      path_.push_back({subnet_.channel(at, port), port});
      if (next.kind == Peer::Kind::node) {
        if (next.id != host) return false;
        break;
      }
      if (next.kind == Peer::Kind::none) return false;
      at = next.id;
    }
    for (std::size_t k = 0; k + 1 < path_.size(); ++k) {
      count_[first_[path_[k].channel] + path_[k + 1].port - 1] += static_cast<u32>(change);
    }
    return true;
  }
  /// Whether the route of a source switch passes from `channel` on to port `port` behind it.
  [[nodiscard]] bool passes(u32 source, u32 target, const Peer& owner, u32 behind, u32 port) const {
    const u8* const row = tables_.row(target);
    if (row[owner.id] != owner.port || row[behind] != port) return false;
    u32 at = source;
    for (u32 hops = 0; at != owner.id; ++hops) {
      const u8 out = row[at];
      if (out == 0 || out == ForwardingTables::none || hops > subnet_.switches()) return false;
      const Peer next = subnet_.next(at, out);
      if (next.kind != Peer::Kind::router) return false;
      at = next.id;
    }
    return true;
  }
  void clear() { std::fill(count_.begin(), count_.end(), 0U); }

 private:
  struct Step {
    u32 channel, port;
  };
  const Subnet& subnet_;
  const ForwardingTables& tables_;
  std::vector<u64> first_;  ///< [channel of a switch]
  std::vector<u32> count_;  ///< [dependency], routes of the layer
  std::vector<u32> sources_;
  std::vector<Step> path_;
};

/// The search through one layer.
class LayerSearch {
 public:
  LayerSearch(const Subnet& subnet, const ForwardingTables& tables, Dependencies& dependencies, RouteLayers& layers)
      : subnet_(subnet), tables_(tables), dependencies_(dependencies), layers_(layers) {}

  /// Moves routes of `layer` to the next one until it has no cycle. Returns how many were moved; with `look_only`
  /// nothing is moved, and the search ends at the first cycle, with 1.
  u64 clear_cycles(u32 layer, bool look_only) {
    layer_ = layer;
    state_.assign(subnet_.switch_channels(), State::fresh);
    u64 moved = 0;
    for (u32 c = 0; c < subnet_.switch_channels(); ++c) {
      if (state_[c] != State::fresh) continue;
      enter(c);
      while (!stack_.empty()) {
        Visit& visit = stack_.back();
        if (visit.next == dependencies_.fan_out(visit.channel)) {
          state_[visit.channel] = State::done;
          stack_.pop_back();
          continue;
        }
        const u32 port = ++visit.next;
        if (dependencies_.count(dependencies_.first(visit.channel) + port - 1) == 0) continue;
        const u32 to = subnet_.channel(dependencies_.end_of(visit.channel).id, port);
        if (to >= subnet_.switch_channels() || state_[to] == State::done) continue;
        if (state_[to] == State::fresh) {
          enter(to);
        } else if (look_only) {
          note_cycle(to);
          return 1;
        } else {
          moved += break_cycle(to);
        }
      }
    }
    return moved;
  }

  /// The cycle that `look_only` has ended at.
  [[nodiscard]] const std::vector<LaneOfChannel>& cycle() const { return cycle_; }

 private:
  enum class State : u8 { fresh, open, done };
  struct Visit {
    u32 channel = 0;
    u32 next = 0;  ///< ports behind it that have been followed
  };
  void enter(u32 channel) {
    state_[channel] = State::open;
    stack_.push_back({channel, 0});
  }
  [[nodiscard]] u64 dependency(const Visit& visit) const { return dependencies_.first(visit.channel) + visit.next - 1; }

  // A cycle runs from `start`, which is on the stack, to the top and back by the link just followed.

  void note_cycle(u32 start) {
    for (auto visit = std::ranges::find(stack_, start, &Visit::channel); visit != stack_.end(); ++visit)
      cycle_.push_back({visit->channel, layer_});
  }

  u64 break_cycle(u32 start) {
    std::size_t k = stack_.size() - 1, weakest = k;
    for (;; --k) {
      if (dependencies_.count(dependency(stack_[k])) <= dependencies_.count(dependency(stack_[weakest]))) weakest = k;
      if (stack_[k].channel == start) break;
    }
    const u64 moved = move_routes(stack_[weakest]);
    // What hangs on a dependency that is gone is not open any more.
    for (std::size_t at = 0; at < stack_.size(); ++at) {
      if (dependencies_.count(dependency(stack_[at])) != 0) continue;
      for (std::size_t above = at + 1; above < stack_.size(); ++above) state_[stack_[above].channel] = State::fresh;
      stack_.resize(at + 1);
      break;
    }
    return moved;
  }

  u64 move_routes(const Visit& visit) {
    const Peer owner = subnet_.owner(visit.channel);
    const u32 behind = dependencies_.end_of(visit.channel).id, port = visit.next;
    u64 moved = 0;
    for (u32 target = 0; target < tables_.targets(); ++target) {
      const u8* const row = tables_.row(target);
      if (row[owner.id] != owner.port || row[behind] != port) continue;
      for (const u32 source : dependencies_.sources()) {
        if (layers_.layer(source, target) != layer_) continue;
        if (!dependencies_.passes(source, target, owner, behind, port)) continue;
        if (!dependencies_.add(source, target, -1)) continue;
        layers_.set_layer(source, target, layer_ + 1);
        ++moved;
      }
    }
    WEFT_ASSERT(moved > 0);
    return moved;
  }

  const Subnet& subnet_;
  const ForwardingTables& tables_;
  Dependencies& dependencies_;
  RouteLayers& layers_;
  u32 layer_ = 0;
  std::vector<State> state_;  ///< [channel]
  std::vector<Visit> stack_;
  std::vector<LaneOfChannel> cycle_;
};

}  // namespace

RouteLayers break_cycles(const Subnet& subnet, const ForwardingTables& tables, u32 most_layers) {
  if (subnet.one_way()) {
    RouteLayers found = layers_longest_first(subnet, tables);
    if (found.used <= most_layers) return found;
    throw ConfigError(
        fmt::format("these routes need {} virtual layers to be free of deadlock, as rings of one-way links do ({} {} "
                    "allowed); allow {} (--layers, router.virtual_channels){}",
                    found.used, most_layers, most_layers == 1 ? "is" : "are", found.used,
                    most_layers == 1 ? ", or take a network without such rings for switches with one channel" : ""));
  }
  Dependencies dependencies(subnet, tables);
  RouteLayers layers;
  const auto add_layer = [&](u32 layer) {
    dependencies.clear();
    for (u32 target = 0; target < tables.targets(); ++target) {
      for (const u32 source : dependencies.sources()) {
        if (layers.layer(source, target) == layer) dependencies.add(source, target, 1);
      }
    }
  };
  add_layer(0);
  if (LayerSearch(subnet, tables, dependencies, layers).clear_cycles(0, true) == 0) return layers;
  layers = RouteLayers(subnet.switches(), tables.targets());
  for (u32 layer = 0;; ++layer) {
    if (layer > 0) add_layer(layer);
    LayerSearch search(subnet, tables, dependencies, layers);
    const bool last = layer + 1 >= most_layers;
    if (search.clear_cycles(layer, last) == 0) break;
    if (last) {
      throw ConfigError(
          fmt::format("{} virtual layer{} not enough to keep these routes free of deadlock (a cycle of waiting is left "
                      "in the last); allow more (--layers, router.virtual_channels), or take the engine updn, which "
                      "needs one",
                      most_layers, most_layers == 1 ? " is" : "s are"),
          fmt::format("cycle of waiting channels ({}):\n{}", search.cycle().size(),
                      cycle_text(subnet, search.cycle(), false, "  ")));
    }
    layers.used = layer + 2;
  }
  return layers;
}

}  // namespace weft::models
