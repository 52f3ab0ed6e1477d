// State of one router in one contiguous block: masks first, then ports, channels and queues, then the packets.
#pragma once

#include "engine/base/bitset.hpp"
#include "engine/base/types.hpp"
#include "models/machine/packets/shape.hpp"
#include "models/routing/settings.hpp"

namespace weft::models {

/// An input queue: FIFO of packets whose header has arrived. Times are the low 32 bits of ticks.
template <unsigned Words>
struct InputQueue {
  u8 head = 0;                               ///< ring position of the first packet
  u8 count = 0;                              ///< packets, the departing one included
  PortIndex<Words> output = no_port<Words>;  ///< output that the first packet holds
  u32 stamp = 0;    ///< when the first packet became first: its first request; once it departs, when its header left
  u32 arrival = 0;  ///< when the last packet's header arrived
};

/// Typed access to the block at `base`. What is kept per output (index: channel of the links, or `channels` for the
/// consumption port) lies in one array per quantity, so that all outputs are looked at with a few vector instructions;
/// what they look at, in the order of the policy's slots. `ShapeType`: Shape, or one with the same members of which
/// some are known when the program is compiled.
template <unsigned Words, class Route, class PacketType, class ShapeType = Shape>
struct Block {
  using Index = PortIndex<Words>;
  /// An input queue and what its first packet may ask for.
  struct Lane {
    InputQueue<Words> queue;
    Route route;
  };
  static constexpr u8 sending = 1, draining = 2;
  static constexpr Index none = no_port<Words>;

  std::byte* base;
  const ShapeType* shape;

  [[nodiscard]] BlockHead<Words>& head() const { return *reinterpret_cast<BlockHead<Words>*>(base); }
  /// Sets of inputs by what their first packet wants; what each index means is the policy's. Only inputs that wait
  /// count.
  [[nodiscard]] engine::BitSet<Words>& wants(u32 index) const {
    return at<engine::BitSet<Words>>(shape->wants_at)[index];
  }
  [[nodiscard]] Lane& lane(u32 i) const { return at<Lane>(shape->lanes_at)[i]; }
  [[nodiscard]] InputQueue<Words>& input(u32 i) const { return lane(i).queue; }
  [[nodiscard]] Route& route(u32 i) const { return lane(i).route; }
  /// What the policy keeps per input besides; see lay_out.
  template <class Extra>
  [[nodiscard]] Extra& extra(u32 i) const {
    return at<Extra>(shape->extras_at)[i];
  }
  [[nodiscard]] OutputPort& port(u32 p) const { return at<OutputPort>(shape->ports_at)[p]; }
  /// The packets of an input queue, by ring position.
  [[nodiscard]] PacketType* packets(u32 i) const {
    const u32 first = i < shape->channels
                          ? i * shape->queue_packets
                          : shape->channels * shape->queue_packets + (i - shape->channels) * shape->injection_capacity;
    return at<PacketType>(shape->packets_at) + first;
  }
  [[nodiscard]] PacketType& packet(u32 i, u32 position) const { return packets(i)[position]; }

  /// Slot of an output: index of what is kept of it for the policy's surveys. That of the consumption port is
  /// `channels`.
  [[nodiscard]] u32 slot(u32 o) const { return shape->slot_of[o]; }
  /// Packets in the far queue of an output, or on their way there, the draining one included.
  [[nodiscard]] u8& used(u32 slot) const { return at<u8>(shape->used_at)[slot]; }
  /// `sending`: the owner's packet is on the link; `draining`: the far queue's first packet has begun to leave.
  [[nodiscard]] u8& flags(u32 slot) const { return at<u8>(shape->flags_at)[slot]; }
  /// Not 0 if a packet may sleep that must be notified of drains that begin.
  [[nodiscard]] u8& watched() const { return *at<u8>(shape->watched_at); }
  /// Input whose first packet holds an output.
  [[nodiscard]] Index& owner(u32 o) const { return at<Index>(shape->owner_at)[o]; }
  /// Input that got an output last, for round-robin.
  [[nodiscard]] Index& last_winner(u32 o) const { return at<Index>(shape->last_winner_at)[o]; }
  /// Tick of the first phit of the packet that was sent last.
  [[nodiscard]] u32& send_start(u32 slot) const { return at<u32>(shape->send_start_at)[slot]; }
  /// Base of the drain in progress: at tick t, t - drain_base of space has been freed, up to a packet.
  [[nodiscard]] u32& drain_base(u32 slot) const { return at<u32>(shape->drain_base_at)[slot]; }

  /// An injection queue has free space again, and the host is not notified yet: one more bit behind those of the ports.
  [[nodiscard]] bool injection_space() const { return head().kick.test(shape->ports); }
  void set_injection_space() const { head().kick.set(shape->ports); }
  void clear_injection_space() const { head().kick.clear(shape->ports); }

  /// Packets that this entity has put on its links.
  [[nodiscard]] u32& work() const { return *at<u32>(shape->work_at); }

  /// Fills in what lies behind the outputs, and the size; counts and the offsets of the outputs must be set.
  /// `extra_bytes`: what the policy keeps per input.
  static void lay_out_inputs(ShapeType& shape, u32 extra_bytes) {
    shape.bytes = shape.lanes_at + shape.inputs * static_cast<u32>(sizeof(Lane));
    shape.extras_at = reserve_at(shape.bytes, shape.inputs * extra_bytes, 8);
    const u32 packets =
        shape.channels * shape.queue_packets + (shape.inputs - shape.channels) * shape.injection_capacity;
    shape.packets_at = reserve_at(shape.bytes, packets * static_cast<u32>(sizeof(PacketType)), 64);
    shape.bytes = (shape.bytes + 63) / 64 * 64;
  }

 private:
  template <class T>
  [[nodiscard]] T* at(u32 offset) const {
    return reinterpret_cast<T*>(base + offset);
  }
};

/// Time that the packets of an input queue occupy it at request phase of tick `now`, in ticks of link time.
template <unsigned Words>
[[nodiscard]] u32 queue_ticks(const InputQueue<Words>& queue, u32 now, const RouterSettings& s, bool departing) {
  if (queue.count == 0) return 0;
  const u32 packet = static_cast<u32>(s.packet_ticks);
  const u32 arrived = now - queue.arrival + static_cast<u32>(s.cycle_ticks);
  u32 ticks = queue.count * packet - (arrived < packet ? packet - arrived : 0);
  if (departing) ticks -= now - queue.stamp;
  return ticks;
}

/// Whether the first packet of input queue i of a block departs.
template <class BlockType>
[[nodiscard]] bool is_departing(const BlockType& block, u32 i) {
  const auto& queue = block.input(i);
  return queue.output != BlockType::none &&
         (queue.output >= block.shape->channels || (block.flags(block.slot(queue.output)) & BlockType::sending) != 0);
}

/// Time that the packets of input queue i of a block occupy it, in ticks of link time, whatever its first packet does.
template <class BlockType>
[[nodiscard]] u32 queue_ticks(const BlockType& block, u32 i, u32 now, const RouterSettings& s) {
  return queue_ticks(block.input(i), now, s, is_departing(block, i));
}

/// What is known of the queue at the far end of an output, in ticks of link time.
struct FarTicks {
  u32 ticks = 0;    ///< occupied
  u32 leaving = 0;  ///< part of it that will leave by the drain in progress
};
/// Occupancy of the queue behind an output, from what is kept per output, without branches: which channels send and
/// drain is as good as random.
[[nodiscard]] inline FarTicks occupancy_of(u32 used, u32 flags, u32 send_start, u32 drain_base, u32 now,
                                           u32 packet_ticks) {
  const u32 sends = 0U - (flags & 1U), drains = 0U - (flags >> 1U & 1U), gone = now - drain_base;
  const u32 leaving = packet_ticks - (gone < packet_ticks ? gone : packet_ticks);
  return {used * packet_ticks - ((packet_ticks - (now - send_start)) & sends) - ((packet_ticks - leaving) & drains),
          leaving & drains};
}
template <class BlockType>
[[nodiscard]] FarTicks occupancy_of(const BlockType& block, u32 slot, u32 now, u32 packet_ticks) {
  return occupancy_of(block.used(slot), block.flags(slot), block.send_start(slot), block.drain_base(slot), now,
                      packet_ticks);
}

/// A tick, or `now` if it is still to come.
[[nodiscard]] inline u32 at_most(u32 tick, u32 now) { return static_cast<i32>(now - tick) < 0 ? now : tick; }

/// Ticks for which the far queue of an output will go on emptying.
template <class BlockType>
[[nodiscard]] u32 drain_left(const BlockType& block, u32 slot, u32 now, u32 packet_ticks) {
  if ((block.flags(slot) & BlockType::draining) == 0) return 0;
  const u32 gone = now - block.drain_base(slot);
  return gone < packet_ticks ? packet_ticks - gone : 0;
}

/// Records a drain that is over, which changes no occupancy. True if there was one. Without a branch: it is as good as
/// random.
template <class BlockType>
bool end_drain(const BlockType& block, u32 slot, u32 now, u32 packet_ticks) {
  u8& flags = block.flags(slot);
  const u32 over = (flags >> 1U & 1U) & (now - block.drain_base(slot) >= packet_ticks ? 1U : 0U);
  static_assert(BlockType::draining == 2);
  flags = static_cast<u8>(flags & ~(over << 1U));
  block.used(slot) = static_cast<u8>(block.used(slot) - over);
  return over != 0;
}

}  // namespace weft::models
