// Messages between tasks of programs, and the packets and events that carry them.
#pragma once

#include "engine/base/types.hpp"
#include "models/core/packet.hpp"
#include "models/routing/traffic_class.hpp"
#include "workloads/program/graph.hpp"

namespace weft::workloads {

/// What travels for a message.
enum class MessageKind : u8 {
  eager,    ///< the whole message
  request,  ///< rendezvous: that there is one (RTS)
  clear,    ///< that a receive waits for it (CTS), back to the sender
  payload,  ///< its data
  given,    ///< a chunk to the switch of group `order`
  combined  ///< a chunk from the switch of group `source`; its number is that of the chunk
};

/// Whether that is a packet without data.
[[nodiscard]] constexpr bool is_control(MessageKind kind) {
  return kind == MessageKind::request || kind == MessageKind::clear;
}

/// Whether that is the first that is sent for a message.
[[nodiscard]] constexpr bool begins_message(MessageKind kind) {
  return kind == MessageKind::eager || kind == MessageKind::request || kind == MessageKind::given;
}

/// What is known of a message where it arrives. Plain data: it lies in checkpoints.
struct Message {
  u32 source = 0, tag = 0, communicator = 0;
  u32 packets = 0;  ///< of the whole message
  u64 bytes = 0;
  u32 number = 0;     ///< at its source task, from 0
  u32 order = 0;      ///< among those of its source that are kept in order with it (MatchingRule), from 0
  u32 operation = 0;  ///< of its source's program; known there alone
  MessageKind kind = MessageKind::eager;
  bool local = false;       ///< between tasks of a node, through memory
  bool rendezvous = false;  ///< its sender is to be told when its receive is complete (ideal network, memory)
  u8 nic = 0;  ///< of its source's node that it left by, or Work::all_nics; of its destination's that it comes by
};
static_assert(sizeof(Message) == 40);

/// What a receive needs of a message that it takes.
struct ReceivedMessage {
  u64 bytes = 0;
  u32 source = 0, number = 0;
  MessageKind kind = MessageKind::eager;
  bool local = false, rendezvous = false;
  u8 nic = 0;
  u32 unused = 0;

  ReceivedMessage() = default;
  explicit ReceivedMessage(const Message& m)
      : bytes(m.bytes),
        source(m.source),
        number(m.number),
        kind(m.kind),
        local(m.local),
        rendezvous(m.rendezvous),
        nic(m.nic) {}
};
static_assert(sizeof(ReceivedMessage) == 24);

/// A message that waits for a receive to take it: what is sent then.
struct Rendezvous {
  Message data;
  u32 to = 0;  ///< task
  u32 unused = 0;
};
static_assert(sizeof(Rendezvous) == 48);

/// A packet of a message. Of a `clear`, source_task is who sends it, the rest is of the message that may come. Of what
/// is `given`, `communicator` is a tree of switches, and `order` the packet's place (models::ReductionGroup). How many
/// packets a message has follows from its bytes.
struct ProgramPacket : models::Packet {
  static constexpr u32 task_bits = 24;
  static constexpr u64 most_bytes = (u64{1} << 40) - 1;

  u32 message = 0;
  u32 tag = 0;
  u32 source_task : task_bits = 0;
  u32 target : 7 = 0;  ///< which of the tasks of the node it is for
  u32 rendezvous : 1 = 0;
  u32 communicator = 0;
  u32 order = 0;
  u32 bytes_low = 0;
  u8 bytes_high = 0;
  MessageKind kind = MessageKind::eager;
  u8 job_class = models::no_class;  ///< traffic class, if its job has one
  u8 nic = 0;                       ///< Message::nic

  void set(const Message& m) {
    message = m.number;
    tag = m.tag;
    source_task = m.source & ((u32{1} << task_bits) - 1);
    bytes_low = static_cast<u32>(m.bytes);
    bytes_high = static_cast<u8>(m.bytes >> 32);
    communicator = m.communicator;
    order = m.order;
    kind = m.kind;
    rendezvous = m.rendezvous ? 1 : 0;
    nic = m.nic;
  }
  [[nodiscard]] u64 bytes() const { return static_cast<u64>(bytes_high) << 32 | bytes_low; }

  // What networks that combine ask for.

  [[nodiscard]] bool is_for_switches() const { return kind >= MessageKind::given; }
  [[nodiscard]] u32 tree() const { return communicator; }
  [[nodiscard]] u32 place() const { return order; }
  /// It is the result, of no single sender.
  void combine() {
    kind = MessageKind::combined;
    message = source_task = 0;
  }
  /// It goes to a member of the group.
  void address(u32 member) { target = member & 0x7F; }
};
static_assert(sizeof(ProgramPacket) == 40);  // models::PacketOfAMessage

/// A message, the part of a rendezvous, or the stripe of one, that lines up at a NIC.
struct Outgoing {
  ProgramPacket packet;       ///< each of its packets, as far as they are alike
  u32 operation = 0;          ///< of its source's program
  u32 whole = 0;              ///< packets of the message
  u32 first = 0;              ///< the one that is the first of this part
  u32 packets = 0, left = 0;  ///< of this part; not handed over yet
};
static_assert(sizeof(Outgoing) == 60);

}  // namespace weft::workloads
