// Requests of the bubble router of lattices, mode by mode.
#include "models/routing/kind/lattice_bubble.hpp"

#include "models/routing/insee_paper.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {
namespace {

/// All orders of three dimensions.
constexpr u32 orders_of_three[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/// What mode *smart* keeps of a first packet.
struct Trial {
  static constexpr u32 escape = 31;  ///< the escape channel's turn
  u32 next;                          ///< dimension to be tried next, from its own on
  u32 own_port;                      ///< port that it would go straight on through
  u32 channel;                       ///< that it came on; 0 for new packets
  /// low bits of the tick at which this holds; in cycles in between nothing had free space, and the round began anew
  u32 cycle;

  static Trial of(u32 memory) { return {memory & 31, memory >> 5 & 63, memory >> 11 & 31, memory >> 16}; }
  [[nodiscard]] u32 packed() const { return next | own_port << 5 | channel << 11 | (cycle & 0xffff) << 16; }
};

}  // namespace

bool restricts_escape(const Parameters& own) { return !own.has("lbr_escape") || own.flag("lbr_escape"); }

LatticeBubble::LatticeBubble(const Topology& topology, const RouterSettings& settings)
    : LatticeRouting(topology, settings.virtual_channels),
      mode_(mode_of<Mode>("bubble", settings.mode)),
      bubble_packets_(bubble_that_fits(topology, settings)),
      local_buffer_packets_(settings.local_buffer_packets),
      paper_(follows_paper(settings.own)),
      lbr_escape_(restricts_escape(settings.own)) {}

u32 LatticeBubble::port_in_order_of(u32 channel, u32 ports) const {
  const u32 dimensions = record().dimensions();
  for (u32 k = 0;; ++k) {
    const u32 d = mode_ == Mode::hexa ? orders_of_three[channel][k] : (channel + k) % dimensions;
    if (const u32 here = ports >> (2 * d) & 3U; here != 0) return 2 * d + (here >> 1);
  }
}

void LatticeBubble::add_escape(const QueuePlace& at, u32 port, u32 channel, Candidates& candidates) const {
  candidates.escape = candidates.escape_near_queue = output(port, channel);
  const bool in_ring = at.port == (port ^ 1U) && at.channel == channel;
  candidates.escape_near_packets = in_ring ? 0 : bubble_packets_;
  if (at.port == QueuePlace::injection && lbr_escape_) {
    candidates.escape_near_packets = std::max(candidates.escape_near_packets, candidates.near_packets);
  }
}

u32 LatticeBubble::straight_on(const QueuePlace& at, u32 ports, u32 first) const {
  if (at.port == QueuePlace::injection) return 0;
  const u32 port = at.port ^ 1U;
  const bool goes = at.channel == 0 ? port == first : (ports >> port & 1) != 0;
  return goes ? output(port, at.channel) + 1 : 0;
}

Verdict LatticeBubble::route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const {
  const u32 ports = record().profitable(packet.state.word());
  if (ports == 0) return Verdict::arrived;
  const bool injected = at.port == QueuePlace::injection;
  const u32 first = port_in_order(packet);
  if (injected) candidates.near_packets = local_buffer_packets_;
  if (mode_ == Mode::double_order || mode_ == Mode::hexa) {
    if (injected) {  // a channel at random, in every cycle anew
      for (u32 c = 0; c < channels(); ++c) candidates.outputs.add(output(port_in_order_of(c, ports), c));
    } else {
      add_escape(at, port_in_order_of(at.channel, ports), at.channel, candidates);
    }
    return Verdict::waits;
  }
  if (mode_ == Mode::oblivious) {
    if (at.port == (first ^ 1U) || (paper_ && !injected)) {
      add_escape(at, first, at.channel, candidates);
    } else {
      candidates.outputs.add_range(output(first, 0), channels());
    }
    return Verdict::waits;
  }
  for (u32 left = ports; left != 0; left &= left - 1) {
    candidates.outputs.add_range(output(static_cast<u32>(std::countr_zero(left)), 1), channels() - 1);
  }
  add_escape(at, first, 0, candidates);
  if (mode_ != Mode::smart && paper_) candidates.memory = straight_on(at, ports, first);
  if (mode_ == Mode::smart) {
    candidates.memory = Trial{0, injected ? 63 : at.port ^ 1U, injected ? 0 : at.channel, 0}.packed();
  }
  return Verdict::waits;
}

u32 LatticeBubble::request(const RouterView& router, const Candidates& candidates, u32& memory, u64 bits) const {
  switch (mode_) {
    case Mode::double_order:
    case Mode::hexa:
    case Mode::oblivious:
      if (candidates.escape == Candidates::none) return enter_any_channel(router, candidates, bits);
      break;
    case Mode::smart:
      return smart(router, candidates, memory, bits);
    case Mode::shortest:
    case Mode::random: {
      if (memory != 0 && router.open(memory - 1)) return memory - 1;
      std::array<u64, 4> kept{};
      const OutputSet adaptive = with_near_space(router, candidates, kept);
      const u32 choice = mode_ == Mode::shortest ? router.emptiest(adaptive) : router.random_with_space(adaptive, bits);
      if (choice != RouterView::none) return choice;
      break;
    }
  }
  return router.may_escape(candidates) ? candidates.escape : RouterView::none;
}

/// The adaptive candidates that a new packet may have under the local buffer restriction.
OutputSet LatticeBubble::with_near_space(const RouterView& router, const Candidates& candidates,
                                         std::array<u64, 4>& kept) const {
  if (candidates.near_packets == 0) return candidates.outputs;
  OutputSet set(kept.data(), candidates.outputs.words());
  for (u32 w = 0; w < set.words(); ++w) {
    for (u64 left = candidates.outputs.word(w); left != 0; left &= left - 1) {
      const u32 o = 64 * w + static_cast<u32>(std::countr_zero(left));
      if (router.near_space(o, candidates.near_packets)) set.add(o);
    }
  }
  return set;
}

/// A channel at random, if there is a bubble in its ring: mode *oblivious* at injection and turns, others with several
/// orders at injection.
u32 LatticeBubble::enter_any_channel(const RouterView& router, const Candidates& candidates, u64 bits) const {
  const u32 wanted = engine::scale_to(bits, channels());
  u32 choice = wanted;
  while (!candidates.outputs.has(choice)) choice += channels();
  const u32 bubble = std::max(bubble_packets_, candidates.near_packets);
  return router.space(choice) && router.near_space(choice, bubble) ? choice : RouterView::none;
}

u32 LatticeBubble::smart(const RouterView& router, const Candidates& candidates, u32& memory, u64 bits) const {
  Trial trial = Trial::of(memory);
  if (trial.cycle != (router.now() & 0xffff)) trial.next = 0;
  trial.cycle = router.next_cycle();
  const u32 dimensions = record().dimensions();
  const bool injected = trial.own_port == 63;
  const u32 own = injected ? 0 : trial.own_port / 2;
  u32 choice = RouterView::none;
  while (choice == RouterView::none && trial.next != Trial::escape) {
    const u32 d = (own + trial.next) % dimensions;
    trial.next = trial.next + 1 < dimensions ? trial.next + 1 : Trial::escape;
    if (channels() == 1) continue;  // there is the escape channel alone
    const u32 up = output(2 * d, 1), down = output(2 * d + 1, 1);
    const u32 port = candidates.outputs.has(up) ? 2 * d : 2 * d + 1;
    if (port != 2 * d && !candidates.outputs.has(down)) continue;
    u32 channel = 1 + engine::scale_to(engine::remix(bits, d), channels() - 1);
    if (!injected && trial.channel != 0 && port == trial.own_port) channel = trial.channel;
    const u32 there = output(port, channel);
    if (router.space(there) && router.near_space(there, candidates.near_packets)) choice = there;
  }
  if (choice == RouterView::none) {
    trial.next = 0;
    if (router.may_escape(candidates)) choice = candidates.escape;
  }
  memory = trial.packed();
  return choice;
}

}  // namespace weft::models
