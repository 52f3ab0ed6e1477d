// Counts the cells and credits of a WormNetwork anew: what is in buffers, and what is on links by the words that are
// in flight, against what the senders have counted.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "engine/base/error.hpp"
#include "models/machine/worms/worm_network_class.hpp"

namespace weft::models::worms {

/// The far end of all links out, as it will be when all that has left by now is there.
template <class Host>
class WormNetwork<Host>::LinkCheck {
 public:
  LinkCheck(const WormNetwork& net, Tick now) : net_(net), now_(now), signals_(net.ports_.size()) {
    net.kernel_->for_each_pending([&]<class Event>(Tick tick, const Event& event) {
      if constexpr (std::is_same_v<Event, Arrival>) on_signal(tick, event, true, event.packet.cells);
      if constexpr (std::is_same_v<Event, Signal>) {
        if (event.kind == SignalKind::cells || event.kind == SignalKind::credits)
          on_signal(tick, event, false, event.cells);
        if (event.kind == SignalKind::pause || event.kind == SignalKind::withheld)
          on_signal(tick, event, false, pause_mark);
      }
    });
    for (auto& words : signals_) {
      std::ranges::sort(words.cells);
      std::ranges::sort(words.credits);
    }
  }

  /// Throws Bug.
  void check(const Entity& s, u32 output) const {
    const Wire& wire = net_.wires_[s.first_port + output];
    if (!wire.connected || wire.to_node) return;
    const Entity& far = net_.entities_[wire.peer.value];
    const u32 here = s.first_port + output, there = far.first_port + wire.peer_port;
    const Port& out = net_.ports_[here];
    const Port& in = net_.ports_[there];

    const u32 come = in.come_by(now_, net_.cell_);
    Flow cells{in.come_running != 0, in.come_run, in.coming - come};
    follow(cells, signals_[there].cells, now_ + net_.reach(s, output), false);
    const bool told = out.active != 0 && !is_held_back(out);
    const u32 unsent = told ? out.length - out.sent_by(now_, net_.cell_) : 0;
    const u32 buffered = net_.buffered(wire.peer.value, wire.peer_port, now_);
    if (cells.left != unsent)
      complain(s, output, fmt::format("{} cells are to come, {} to be sent", cells.left, unsent));
    if (buffered > net_.worm_.buffer_cells) complain(s, output, fmt::format("{} cells are in the buffer", buffered));
    if (net_.stop_go_) return;

    const u32 credited = out.credited_by(now_, net_.cell_);
    Flow credits{true, out.credit_run, out.credit_cells - credited};
    follow(credits, signals_[here].credits, now_ + wire.ticks, true);
    const i64 taken = out.active != 0 ? out.sent_by(now_, net_.cell_) - out.sent : 0;
    const i64 has = i64{out.credits} + credited - taken;
    if (has < 0 || has + cells.gone + buffered + credits.gone != net_.worm_.buffer_cells) {
      complain(s, output,
               fmt::format("{} credits, {} in flight, {} cells in the buffer and {} in flight are not the {} that "
                           "fit in",
                           has, credits.gone, buffered, cells.gone, net_.worm_.buffer_cells));
    }
  }

 private:
  static constexpr u32 pause_mark = ~u32{0};
  using SignalTimes =
      std::vector<std::tuple<Tick, bool, u32>>;  ///< tick, whether a packet begins, its cells or credits
  struct Signals {
    SignalTimes cells, credits;
  };
  /// What goes one by one.
  struct Flow {
    bool running = false;
    Tick start = 0;  ///< of the run
    u32 left = 0;    ///< to come in it, or of the packet
    u32 gone = 0;    ///< that have come since `now`
  };

  template <class Event>
  void on_signal(Tick tick, const Event& event, bool begins, u32 cells) {
    Signals& signals = signals_[net_.entities_[event.entity].first_port + event.port];
    bool of_credits = false;
    if constexpr (std::is_same_v<Event, Signal>) {
      of_credits = event.kind == SignalKind::credits || event.kind == SignalKind::withheld;
    }
    (of_credits ? signals.credits : signals.cells).emplace_back(tick, begins, cells);
  }
  /// Lets it come up to tick `end`, that tick included.
  void follow(Flow& flow, const SignalTimes& words, Tick end, bool of_credits) const {
    Tick from = now_ + 1;
    for (const auto& [tick, begins, cells] : words) {
      pass(flow, from, tick);
      from = tick;
      flow.running = cells != pause_mark;
      flow.start = tick;
      if (begins || (of_credits && flow.running)) flow.left = cells;
      if (of_credits && !flow.running) flow.left = 0;
    }
    pass(flow, from, end + 1);
  }
  /// Lets pass what does in the ticks from `from` on, before `to`.
  void pass(Flow& flow, Tick from, Tick to) const {
    if (!flow.running || to <= from) return;
    const u32 passed =
        net_.cell_.before(to - flow.start) - (from > flow.start ? net_.cell_.before(from - flow.start) : 0);
    const u32 some = std::min(passed, flow.left);
    flow.left -= some;
    flow.gone += some;
  }
  [[noreturn]] void complain(const Entity& s, u32 output, const std::string& what) const {
    throw Bug(fmt::format("tick {}: behind port {} of entity {}, {}", now_, output, s.global, what));
  }

  const WormNetwork& net_;
  Tick now_;
  std::vector<Signals> signals_;  ///< as ports_
};

template <class Host>
void WormNetwork<Host>::check_conservation(Tick now) const {
  WEFT_ASSERT(is_whole());
  const LinkCheck links(*this, now);
  for (const Entity& s : entities_) {
    for (u32 p = 0; p < ports_of(s); ++p) links.check(s, p);
  }
  check_totals(this->in_flight(now), now);
}

}  // namespace weft::models::worms
