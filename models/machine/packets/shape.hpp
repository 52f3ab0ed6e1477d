// Where what lies in a router's block, and the parts that are the same for all routing policies: the first line, ports.
#pragma once

#include <type_traits>

#include "engine/base/bitset.hpp"
#include "engine/base/types.hpp"
#include "engine/kernel.hpp"

namespace weft::models {

inline constexpr u8 no_channel = 0xff;

/// Number of an input or an output of a router whose masks have `Words` words, kept as small as it may be.
template <unsigned Words>
using PortIndex = std::conditional_t<(Words < 4), u8, u16>;
template <unsigned Words>
inline constexpr PortIndex<Words> no_port = static_cast<PortIndex<Words>>(~0U);

/// An output port: the link's scheduler and where it leads.
struct OutputPort {
  engine::Address peer;
  u16 arrive_base = 0;      ///< input index at the peer for virtual channel 0 of what this port sends
  u16 credit_base = 0;      ///< output index at the peer for virtual channel 0 of what this port receives
  u16 granted = 0;          ///< virtual channels that hold a grant and wait for the link, bit mask
  u8 current = no_channel;  ///< virtual channel on the link
  u8 next = 0;              ///< where the link's round-robin goes on
  u32 link_ticks = 1;  ///< latency: a phit that leaves at t is seen at the far end at t + link_ticks; so is a credit
};

/// First cache line of a block.
template <unsigned Words>
struct alignas(64) BlockHead {
  engine::BitSet<Words> waiting;  ///< inputs whose first packet wants an output and holds none
  engine::BitSet<Words> free;     ///< outputs that nobody holds
  engine::BitSet<Words> space;    ///< outputs whose far queue has free space for a packet
  engine::BitSet<Words> refill;   ///< outputs without free space whose far queue drains
  engine::BitSet<Words> kick;     ///< ports whose link may start a packet; and Block::injection_space
  engine::BitSet<Words> asleep;   ///< waiting inputs that need not be looked at before `asleep_until`
  u32 global = 0;                 ///< entity number in the whole network
  u32 address = 0;                ///< what the policy computes with: its address of a router; the node of a NIC
  u32 wake = 0;                   ///< low 32 bits of the tick of the earliest pending wake-up; 0 = none
  u32 asleep_until = 0;           ///< low 32 bits of a tick; valid while `asleep` is not empty
};
static_assert(sizeof(BlockHead<1>) == 64);

/// Geometry of a block: how many of what, and where. Aligned so that its place in a table is found without a
/// multiplication.
struct alignas(128) Shape {
  u32 ports = 0;                 ///< link ports
  u32 channels = 0;              ///< output channels of the links = transit inputs = ports * virtual channels
  u32 inputs = 0;                ///< channels + injection queues
  u32 kind = 0;                  ///< of router, see Topology::kind; meaningless at NICs
  u32 up_channels = 0;           ///< trees: channels that lead up, the first ones; 0 at NICs
  bool endpoint = false;         ///< injects and consumes: a router with its node inside, or a NIC
  bool nic = false;              ///< a NIC: one port, no router
  const u16* port_of = nullptr;  ///< port of a channel, [channel]
  const u16* slot_of = nullptr;  ///< where the state of an output lies, [output]
  u32 queue_packets = 0, injection_capacity = 0;  ///< packets that a transit and an injection queue hold
  // Offsets in the block; `hot` bytes from its start are masks, ports and channels.
  u32 wants_at = 0, ports_at = 0, used_at = 0, flags_at = 0, watched_at = 0, owner_at = 0, last_winner_at = 0,
      send_start_at = 0, drain_base_at = 0, work_at = 0, hot = 0, lanes_at = 0, extras_at = 0, packets_at = 0,
      bytes = 0;
};

/// Offset of `bytes` that come behind `end`, which moves behind them.
constexpr u32 reserve_at(u32& end, u32 bytes, u32 alignment) {
  const u32 at = (end + alignment - 1) / alignment * alignment;
  end = at + bytes;
  return at;
}

/// Lays out what is kept per router and per output, from the start of the block; `ports` and `channels` must be set.
/// Outputs are the channels plus one for consumption. `wants`: how many sets of inputs the policy keeps.
template <unsigned Words>
constexpr void lay_out_outputs(Shape& shape, u32 wants) {
  u32 end = static_cast<u32>(sizeof(BlockHead<Words>));
  const auto reserve = [&end](u32 bytes, u32 alignment) { return reserve_at(end, bytes, alignment); };
  constexpr u32 index = sizeof(PortIndex<Words>);
  shape.wants_at = reserve(wants * static_cast<u32>(sizeof(engine::BitSet<Words>)), 8);
  // What a lone packet needs comes first. Vectors may read beyond an array, into what follows in the block.
  const u32 outputs = shape.channels + 1;
  shape.used_at = reserve(outputs, 1);
  shape.flags_at = reserve(outputs, 1);
  shape.watched_at = reserve(1, 1);
  shape.owner_at = reserve(outputs * index, index);
  shape.last_winner_at = reserve(outputs * index, index);
  shape.ports_at = reserve(shape.ports * static_cast<u32>(sizeof(OutputPort)), 4);
  shape.drain_base_at = reserve(outputs * 4, 4);
  shape.send_start_at = reserve(outputs * 4, 4);
  shape.work_at = reserve(4, 4);  // beside what is written when a packet is put on a link
  shape.hot = end;
  shape.lanes_at = reserve(0, 16);
}

}  // namespace weft::models
