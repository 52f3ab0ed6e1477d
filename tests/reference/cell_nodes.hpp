// What nodes do in the plain simulator of docs/switch.md: which of their packets begins, and what its source is told.
#pragma once

#include "tests/reference/cell_state.hpp"

namespace weft::reference {

class CellNodes : protected CellState {
 public:
  using CellState::CellState;

 protected:
  /// The source of a packet that is delivered is notified after the latencies of the path back.
  void answer(u32 packet) {
    if (!rules_.way_back) return;
    Node& here = nodes_[packets_[packet].to];
    const u32 source = packets_[packet].from;
    bool notified = false;
    if (marked_[packet] && (!here.notified.contains(source) || here.notified[source] + net_.marking->quiet <= now_)) {
      notified = true;
      here.notified[source] = now_;
    }
    Tick delay = here.line.latency;
    u32 at = here.at;
    for (const u32 port : rules_.way_back(packet)) {
      const CellPort& out = net_.switches[at][port];
      delay += net_.routing + net_.crossing + out.latency;
      at = out.id;
    }
    answers_.push_back({packet, notified, now_ + delay});
  }

  void inject(Node& node) {
    while (!node.unborn.empty() && packets_[node.unborn.front()].generated_at <= now_) {
      const u32 packet = node.unborn.front();
      node.waiting[net_.lanes ? rules_.source_channels(packet).first : packets_[packet].traffic_class].push_back(
          packet);
      node.unborn.pop_front();
    }
    if (!node.line.idle()) return;
    if (net_.lanes) return inject_by_lane(node);
    for (u32 step = 0; step < net_.classes; ++step) {
      const u32 of_class = net_.strict ? step : (node.turn + step) % net_.classes;
      if (!inject(node, of_class)) continue;
      node.turn = (of_class + 1) % net_.classes;
      return;
    }
  }
  /// One of the first packets that have credits, by arbitration.
  void inject_by_lane(Node& node) {
    std::vector<bool> available(net_.channels, false);
    const auto first = [&](u32 lane) {
      return std::ranges::find_if(node.waiting[lane],
                                  [&](u32 packet) { return node.flows[packets_[packet].to].open(net_); });
    };
    const auto cells = [&](u32 lane) { return packets_[*first(lane)].cells; };
    for (u32 lane = 0; lane < net_.channels; ++lane) {
      available[lane] = first(lane) != node.waiting[lane].end() && node.line.allowance.space(lane) >= i64{cells(lane)};
    }
    if (std::ranges::find(available, true) == available.end()) return;
    const u32 lane = node.arbiter->arbitrate(available, cells);
    const auto next = first(lane);
    const u32 packet = *next, length = packets_[packet].cells;
    node.waiting[lane].erase(next);
    if (rules_.way_back) node.flows[packets_[packet].to].sends(net_, length, node.line.cell);
    node.line.allowance.use(lane, length);
    node.line.begin({packet, length, lane, {}});
  }

  /// False if the class has no packet, or no credits for its first.
  bool inject(Node& node, u32 of_class) {
    const auto next = std::ranges::find_if(node.waiting[of_class],
                                           [&](u32 packet) { return node.flows[packets_[packet].to].open(net_); });
    if (next == node.waiting[of_class].end()) return false;
    const u32 packet = *next, cells = packets_[packet].cells;
    std::pair<u32, u32> allowed{0, net_.channels};
    if (rules_.source_channels) allowed = rules_.source_channels(packet);
    std::optional<u32> best;
    for (u32 vc = allowed.first; vc < allowed.first + allowed.second && vc < net_.channels; ++vc) {
      const u32 c = of_class * net_.channels + vc;
      if (node.line.allowance.space(c) < cells) continue;
      if (!best || node.line.allowance.space(c) > node.line.allowance.space(*best)) best = c;
    }
    if (!best) return false;
    node.waiting[of_class].erase(next);
    if (rules_.way_back) node.flows[packets_[packet].to].sends(net_, cells, node.line.cell);
    node.line.allowance.use(*best, cells);
    node.line.begin({packet, cells, *best, {}});
    return true;
  }
};

}  // namespace weft::reference
