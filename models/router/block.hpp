// State of one router in one contiguous block: masks first, then what events touch, then the packets.
#pragma once

#include "engine/bitset.hpp"
#include "engine/kernel.hpp"
#include "engine/types.hpp"
#include "models/router/settings.hpp"

namespace weft::models {

inline constexpr u16 no_port = 0xffff;
inline constexpr u8 no_channel = 0xff;

/// An input queue: FIFO of packets whose header has arrived. Times are the low 32 bits of ticks.
struct InputQueue {
  u8 head = 0;           ///< ring position of the first packet
  u8 count = 0;          ///< packets, the departing one included
  u16 output = no_port;  ///< output that the first packet holds
  u32 stamp = 0;    ///< when the first packet became first: its first request; once it departs, when its header left
  u32 arrival = 0;  ///< when the last packet's header arrived
  engine::Address credit_to;  ///< transit queues: the router upstream
  u16 credit_output = 0;      ///< and its output that feeds this queue
};

/// An output virtual channel: who holds it and what is known of the queue at the far end.
struct OutputChannel {
  u16 owner = no_port;        ///< input whose first packet holds it
  u16 last_winner = no_port;  ///< for round-robin
  u8 used = 0;                ///< packets in the far queue (or on their way), the draining one included
  bool sending = false;       ///< the owner's packet is on the link
  bool draining = false;      ///< the far queue's first packet has begun to leave
  u8 pad = 0;
  u32 send_start = 0;  ///< tick of the first phit
  u32 drain_base = 0;  ///< room freed at tick t = t - drain_base, up to a packet
};

/// An output port: the link's scheduler and where it leads.
struct OutputPort {
  engine::Address peer;
  u16 arrive_base = 0;      ///< input index at the peer for virtual channel 0 of what this port sends
  u16 granted = 0;          ///< virtual channels that hold a grant and wait for the link, bit mask
  u8 current = no_channel;  ///< virtual channel on the link
  u8 next = 0;              ///< where the link's round-robin goes on
  bool watched = false;     ///< a packet that sleeps may want this port: tell it of drains that begin
  u8 pad[5] = {};
};

/// First cache line of a block.
template <unsigned Words>
struct alignas(64) BlockHead {
  engine::BitSet<Words> waiting;  ///< inputs whose first packet wants an output and holds none
  engine::BitSet<Words> free;     ///< outputs that nobody holds
  engine::BitSet<Words> room;     ///< outputs whose far queue has room for a packet
  engine::BitSet<Words> refill;   ///< outputs without room whose far queue drains
  engine::BitSet<Words> kick;  ///< ports whose link may start a packet; bit `ports`: an injection queue has room again
  engine::BitSet<Words> asleep;  ///< waiting inputs that need not be looked at before `asleep_until`
  u32 global = 0;                ///< entity number in the whole network
  u32 place = 0;                 ///< policy's own: packed coordinates, subtree, node
  u32 wake = 0;                  ///< low 32 bits of the tick of the earliest wake-up under way; 0 = none
  u32 asleep_until = 0;          ///< low 32 bits of a tick; valid while `asleep` is not empty
};
static_assert(sizeof(BlockHead<1>) == 64);

/// Geometry of a block: how many of what, and where.
struct Shape {
  u32 ports = 0;                 ///< link ports
  u32 channels = 0;              ///< output channels of the links = transit inputs = ports * virtual channels
  u32 inputs = 0;                ///< channels + injection queues
  u32 level = 0;                 ///< trees: level of the switch
  bool endpoint = false;         ///< injects and consumes: cube router or NIC
  const u16* port_of = nullptr;  ///< port of a channel, [channel]
  // Offsets in the block. A port is followed by its output channels; see lane() for the inputs.
  u32 wants_at = 0, ports_at = 0, port_bytes = 0, consumption_at = 0, lanes_at = 0, cold_at = 0, bytes = 0;
  u32 cold_transit = 0, cold_injection = 0;  ///< packets of a queue that do not fit into its lane
};

/// Typed access to the block at `base`.
template <unsigned Words, class Route, class PacketType>
struct Block {
  static constexpr u32 lane_bytes = 64, lane_state_bytes = 32;
  static constexpr u32 hot_packets = (lane_bytes - lane_state_bytes) / sizeof(PacketType);
  static_assert(sizeof(InputQueue) + sizeof(Route) <= lane_state_bytes);

  std::byte* base;
  const Shape* shape;

  [[nodiscard]] BlockHead<Words>& head() const { return *reinterpret_cast<BlockHead<Words>*>(base); }
  /// Sets of inputs by what their first packet wants; what each index means is the policy's. Only inputs that wait count.
  [[nodiscard]] engine::BitSet<Words>& wants(u32 index) const {
    return reinterpret_cast<engine::BitSet<Words>*>(base + shape->wants_at)[index];
  }
  /// A lane is one cache line: the queue's state, the route of its first packet, and its first ring positions.
  [[nodiscard]] std::byte* lane(u32 i) const { return base + shape->lanes_at + i * lane_bytes; }
  [[nodiscard]] InputQueue& input(u32 i) const { return *reinterpret_cast<InputQueue*>(lane(i)); }
  [[nodiscard]] Route& route(u32 i) const { return *reinterpret_cast<Route*>(lane(i) + sizeof(InputQueue)); }
  /// The packet at a ring position of an input queue.
  [[nodiscard]] PacketType& packet(u32 i, u32 position) const {
    if (position < hot_packets) return reinterpret_cast<PacketType*>(lane(i) + lane_state_bytes)[position];
    const u32 first = i < shape->channels
                          ? i * shape->cold_transit
                          : shape->channels * shape->cold_transit + (i - shape->channels) * shape->cold_injection;
    return reinterpret_cast<PacketType*>(base + shape->cold_at)[first + position - hot_packets];
  }
  [[nodiscard]] OutputPort& port(u32 p) const {
    return *reinterpret_cast<OutputPort*>(base + shape->ports_at + p * shape->port_bytes);
  }
  /// Channel o of the links, or (o = channels) the consumption port.
  [[nodiscard]] OutputChannel& output(u32 o) const {
    if (o == shape->channels) return *reinterpret_cast<OutputChannel*>(base + shape->consumption_at);
    return *reinterpret_cast<OutputChannel*>(base + shape->ports_at +
                                             (o + shape->port_of[o] + 1) * sizeof(OutputChannel));
  }
  /// Fills in offsets and size; counts must be set. Outputs are the channels plus one for consumption.
  static void lay_out(Shape& shape, u32 wants, u32 virtual_channels, u32 queue_packets, u32 injection_capacity) {
    static_assert(sizeof(OutputPort) == sizeof(OutputChannel));
    const auto place = [&shape](u32 bytes, u32 alignment) {
      const u32 at = (shape.bytes + alignment - 1) / alignment * alignment;
      shape.bytes = at + bytes;
      return at;
    };
    shape.bytes = sizeof(BlockHead<Words>);
    shape.wants_at = place(wants * static_cast<u32>(sizeof(engine::BitSet<Words>)), 8);
    shape.port_bytes = (1 + virtual_channels) * static_cast<u32>(sizeof(OutputChannel));
    shape.ports_at = place(shape.ports * shape.port_bytes, 64);
    shape.consumption_at = place(sizeof(OutputChannel), 16);
    shape.lanes_at = place(shape.inputs * lane_bytes, 64);
    shape.cold_transit = queue_packets > hot_packets ? queue_packets - hot_packets : 0;
    shape.cold_injection = injection_capacity > hot_packets ? injection_capacity - hot_packets : 0;
    const u32 injection = shape.inputs - shape.channels;
    shape.cold_at = place(
        (shape.channels * shape.cold_transit + injection * shape.cold_injection) * static_cast<u32>(sizeof(PacketType)),
        16);
    shape.bytes = (shape.bytes + 63) / 64 * 64;
  }
};

/// Time that the packets of an input queue occupy it at request phase of tick `now`, in ticks of link time.
[[nodiscard]] inline u32 queue_ticks(const InputQueue& queue, u32 now, const RouterSettings& s, bool departing) {
  if (queue.count == 0) return 0;
  const u32 packet = static_cast<u32>(s.packet_ticks);
  const u32 arrived = now - queue.arrival + static_cast<u32>(s.cycle_ticks);
  u32 ticks = queue.count * packet - (arrived < packet ? packet - arrived : 0);
  if (departing) ticks -= now - queue.stamp;
  return ticks;
}

/// Time that is known to be occupied in the queue at the far end of an output channel, in ticks of link time.
[[nodiscard]] inline u32 far_ticks(const OutputChannel& channel, u32 now, u32 packet_ticks) {
  // Products with the flags instead of branches: which channels send and drain is as good as random.
  const u32 to_send = (packet_ticks - (now - channel.send_start)) * static_cast<u32>(channel.sending);
  const u32 gone = now - channel.drain_base;
  const u32 drained = (gone < packet_ticks ? gone : packet_ticks) * static_cast<u32>(channel.draining);
  return channel.used * packet_ticks - to_send - drained;
}

/// Books a drain that is over, which changes no occupancy. True if there was one.
inline bool settle(OutputChannel& channel, u32 now, u32 packet_ticks) {
  if (!channel.draining || now - channel.drain_base < packet_ticks) return false;
  channel.draining = false;
  --channel.used;
  return true;
}

}  // namespace weft::models
