// Bubble routing on any lattice, by records that packets carry; the plain twin of the bubble router of grids.
#pragma once

#include "models/routing/kind/lattice_routing.hpp"
#include "models/routing/settings.hpp"

namespace weft::models {

/// Free space wanted in this router's queue to enter an escape ring: router.bubble_packets, which allows for one packet
/// on the wire to that queue, where the router does not see it; long links hold more, and free space for those is
/// wanted besides. Throws ConfigError if no queue ever has that much free space, unless deadlock.unsafe.
[[nodiscard]] u32 bubble_that_fits(const Topology& topology, const RouterSettings& settings);

/// Whether router.lbr_packets restricts entering the escape channel too (router.lbr_escape, true if not given).
[[nodiscard]] bool restricts_escape(const Parameters& own);

/// Modes of bubble routers; `double_order` is "double".
enum class BubbleMode : u8 { shortest, oblivious, random, smart, double_order, hexa };

/// Modes as of SizedBubblePolicy, which has the same history on tori; and two with several orders of dimensions, one
/// for each channel. Has router.channel_rule and router.lbr_escape besides.
class LatticeBubble final : public LatticeRouting {
 public:
  using Mode = BubbleMode;

  LatticeBubble(const Topology& topology, const RouterSettings& settings);

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override;
  u32 request(const RouterView& router, const Candidates& candidates, u32& memory, u64 bits) const override;
  [[nodiscard]] bool tries_held() const override { return mode_ == Mode::smart; }

 private:
  /// The escape output, and the bubble that it takes to enter its ring.
  void add_escape(const QueuePlace& at, u32 port, u32 channel, Candidates& candidates) const;
  /// The output in which a packet would go straight on in its channel, plus 1, if that is on a shortest path (the
  /// escape channel's: in dimension order); else 0.
  [[nodiscard]] u32 straight_on(const QueuePlace& at, u32 ports, u32 first) const;
  /// First port of a packet in the order of dimensions of its channel.
  [[nodiscard]] u32 port_in_order_of(u32 channel, u32 ports) const;
  [[nodiscard]] u32 enter_any_channel(const RouterView& router, const Candidates& candidates, u64 bits) const;
  [[nodiscard]] u32 smart(const RouterView& router, const Candidates& candidates, u32& memory, u64 bits) const;
  [[nodiscard]] OutputSet with_near_space(const RouterView& router, const Candidates& candidates,
                                          std::array<u64, 4>& kept) const;

  Mode mode_;
  u32 bubble_packets_, local_buffer_packets_;
  bool paper_;       ///< router.channel_rule
  bool lbr_escape_;  ///< the local buffer restriction holds for the escape channel, too
};

}  // namespace weft::models
